#!/usr/bin/env python3
"""Random small systems with random never claims and formulas: liveness verdicts against Spin's.

    live_compare.py [--gyre PROGRAM] [--count N] [--seed N] [--keep FOLDER] [--modes a,c,v,u,f,l,t,s]

Modes: a acceptance cycles with a never claim (states of the product must be equal too where
there is no error), c the same with a claim that changes variables, v with one that has a variable of its own, u with one that uses `unless`, l non-progress cycles, f each with
weak fairness, t an ltl formula, which Spin translates its own way, s a formula and fairness labels,
where Spin is not asked: with reductions the verdict must be that of the exact search. Trails of
never claims must replay in Spin.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import oracle  # noqa: E402


# With it no system stops: states must be Spin's.
BUSY = "bit w; active proctype Busy() { do :: w = 1 - w od }\n"
NO_PROGRESS = "never { do :: true :: np_ -> break od; accept: do :: np_ od }\n"


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.labels = 0
        self.marks = []  # (type, label) of states that claims and formulas may ask about
        self.instances = []  # types of the processes, by pid
        self.types = 0

    def remote(self):
        """A condition on the control location or the local variable of a process."""
        rng = self.rng
        pid = rng.randrange(len(self.instances))
        kind = self.instances[pid]
        of_type = [label for owner, label in self.marks if owner == kind]
        if of_type and rng.random() < 0.6:
            return f"{kind}[{pid}]@{rng.choice(of_type)}"
        return f"{kind}[{pid}]:v {rng.choice(['==', '!='])} {rng.randrange(3)}"

    def condition(self, remote=False):
        name = self.rng.choice("xyz")
        if remote and self.instances and self.rng.random() < 0.3:
            return self.remote()
        return self.rng.choice([f"{name} == {self.rng.randrange(3)}", f"{name} != {self.rng.randrange(3)}",
                                f"{name} > {self.rng.randrange(2)}", "x == y", "empty(q)", "nempty(q)"][:4 + 2 * (self.rng.random() < 0.2)])

    def statement(self):
        rng, name = self.rng, self.rng.choice("xyzv")
        kind = rng.randrange(12)
        if kind < 5:
            return f"{name} = {rng.randrange(3)}"
        if kind < 6:
            return f"{name} = ({name} + 1) % 3"
        if kind < 7:
            return f"({self.condition()})"
        if kind < 8:
            return rng.choice(["q!1", "q?_", "r!1", "r?_"])
        if kind < 9:
            return f"atomic {{ {name} = 1; {rng.choice('xyz')} = {rng.randrange(3)} }}"
        if kind < 10:
            return f"skip; d_step {{ {self.condition()} -> {name} = {rng.randrange(3)} }}"
        if kind < 11:
            return rng.choice(["timeout", f"{{ {name} = 2; (x == 1) }} unless {{ {self.condition()} }}"])
        return "skip"

    def body(self, labels):
        rng, out = self.rng, []
        for _ in range(rng.randrange(3)):
            out.append(self.statement())
        options = [" ".join([":: ", "; ".join(self.labelled(labels) for _ in range(rng.randrange(1, 4)))])
                   for _ in range(rng.randrange(1, 4))]
        loop = rng.random() < 0.8
        if loop and rng.random() < 0.3:
            options.append(":: " + self.condition() + " -> break")
        out.append(("do " if loop else "if ") + " ".join(options) + (" od" if loop else " fi"))
        if rng.random() < 0.4:
            out.append(self.statement())
        return "; ".join(out)

    def labelled(self, labels):
        text = self.statement()
        if labels and self.rng.random() < 0.25:
            self.labels += 1
            if "fair" in labels and self.rng.random() < 0.5:  # a choice that nobody else notices
                text = f"if :: v = 1; {text} :: v = 0; {self.statement()} fi"
            return f"skip; {labels}{self.labels}: {text}"
        if self.rng.random() < 0.15:
            self.labels += 1
            self.marks.append((f"P{self.types}", f"at{self.labels}"))
            return f"skip; at{self.labels}: {text}"
        return text

    def system(self, labels=""):
        procs = []
        for self.types in range(self.rng.randrange(1, 4)):
            copies = self.rng.choice([1, 1, 1, 1, 2])
            procs.append(f"active [{copies}] proctype P{self.types}() {{ byte v; {self.body(labels)} }}")
            self.instances += [f"P{self.types}"] * copies
        return "\n".join(["byte x, y, z; chan q = [1] of { bit }; chan r = [0] of { bit };"] + procs) + "\n"

    def claim(self, changes=False, unless=False, own=False):
        """`own`: with a variable that nothing else mentions."""
        rng = self.rng
        if own:
            condition = self.condition
            self.condition = lambda *any: rng.choice((condition(*any), f"{condition(*any)} && k {rng.choice(('==', '!=', '<'))} {rng.randint(0, 2)}"))
        change = lambda: f"{rng.choice('k' if own else 'xyz')} = {rng.choice(['(k + 1) % 3', 'x', '(k + y) % 3'] if own else ['0', '1', '2', '(x + 1) % 3', 'y'])}; " \
            if (changes or own) and rng.random() < (0.7 if own else 0.4) else ""
        count = rng.randrange(1, 5)
        names = [("accept_S" if rng.random() < 0.4 else "S") + str(i) for i in range(count)]
        lines = []
        for name in names:
            options = [f":: {rng.choice([self.condition(True), self.condition(True), 'true'])} -> {change()}goto {rng.choice(names)}"
                       for _ in range(rng.randrange(1, 4))]
            if rng.random() < 0.1:
                options.append(f":: {self.condition()} && {self.condition()} && {self.condition()} -> goto done")
            timeout = rng.random() < 0.1
            if timeout:
                options.append(f":: {rng.choice(['', '!'])}timeout -> goto {rng.choice(names)}")
            if timeout or rng.random() < 0.2:  # Spin takes a claim that is stuck for a timeout
                options.append(f":: else -> goto {rng.choice(names)}")
            escape = f" unless {{ {self.condition(True)} -> goto {rng.choice(names)} }}" if unless and rng.random() < 0.5 else ""
            body = f"if {' '.join(options)} fi"
            lines.append(f"{name}: {{ {body} }}{escape};" if escape else f"{name}: {body};")
        return ("byte k;\n" if own else "") + "never {\n" + "\n".join(lines) + "\ndone: skip\n}\n"

    def formula(self, depth=3):
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return f"({self.condition(True)})"
        kind = rng.randrange(7)
        if kind < 3:
            return rng.choice(["[]", "<>", "!", "[]<>", "<>[]"]) + "(" + self.formula(depth - 1) + ")"
        return "(" + self.formula(depth - 1) + ")" + rng.choice([" U ", " && ", " || ", " -> "]) + "(" + self.formula(depth - 1) + ")"


def ask_gyre(gyre, path, options, exact=True):
    done = subprocess.run([gyre, path, "--json", *(["--exact"] if exact else []), *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    try:
        report = schema.report(done.stdout)
        if done.returncode in (0, 1, 3):
            return report["properties"][0]
    except (ValueError, IndexError):
        pass
    return {"verdict": f"status {done.returncode}: {done.stderr.decode()[-300:]}"}


def stops(found):
    """Is the counterexample a run after which the system has stopped? With -f, Spin overlooks
    cycles of the claim alone (docs/differences-from-spin.md)."""
    example = found.get("counterexample")
    return example is not None and example["cycle_start"] == example["length"]


def replays(given, path, fair):
    trail = path + ".ours"
    subprocess.run([given.gyre, path, "--quiet", "--check", "liveness", "--trail", trail,
                    *(["--fairness", "weak"] if fair else [])], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=300)
    with open(trail, encoding="utf-8") as lines:
        steps = sum(1 for line in lines if not line.startswith("-"))
    said = oracle.replay(path, trail)
    return said["ok"] and said["steps"] == steps


def write_model(folder, seed, text):
    text = text.replace("empty(q)", "len(q) == 0").replace("nlen(q) == 0", "len(q) != 0")
    path = os.path.join(folder, f"live{seed}.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


def same_if_busy(given, folder, seed, text):
    """With a process that never stops, are the states Spin's? (Yes, if they cannot be compared.)"""
    path = write_model(folder, seed, text.replace("never {", BUSY + "never {", 1))
    said = oracle.liveness(path, "-a", seconds=60, use_cache=False)
    ours = ask_gyre(given.gyre, path, ["--check", "liveness"])
    write_model(folder, seed, text)
    return said.get("errors") != 0 or not said.get("complete", True) or ours["states"] == said["states"]


def labelled_case(given, folder, seed, maker):
    text = maker.system(maker.rng.choice(["sfair", "wfair"])) + f"ltl p {{ {maker.formula()} }}\n"
    path = write_model(folder, seed, text)
    options = ["--check", "liveness", "--fairness", maker.rng.choice(["actions", "weak", "strong"])]
    exact = ask_gyre(given.gyre, path, options)["verdict"]
    reduced = ask_gyre(given.gyre, path, options, exact=False)["verdict"]
    if exact not in ("holds", "violated") or exact != reduced:
        return seed, "verdict", f"{' '.join(options)}: {reduced}, and --exact: {exact}"
    return seed, "same", exact


def case(given, folder, seed):
    maker = Maker(seed)
    mode = given.modes[seed % len(given.modes)]
    if mode == "s":
        return labelled_case(given, folder, seed, maker)
    fair = maker.rng.random() < 0.5 if "f" in given.modes else False
    if mode == "f":
        mode, fair = maker.rng.choice("aalt"), True
    if mode == "l":
        text, check, spin = maker.system("progress"), "progress", "-l"
    elif mode == "t":
        text = maker.system()
        text += f"ltl p {{ {maker.formula()} }}\n"
        check, spin = "liveness", "-a"
    else:
        text = maker.system("accept" if maker.rng.random() < 0.1 else "")
        text += BUSY if mode in ("c", "u", "v") and maker.rng.random() < 0.6 else ""
        text += maker.claim(mode == "c", mode == "u", mode == "v")
        check, spin = "liveness", "-a"
    path = write_model(folder, seed, text)
    said = oracle.liveness(path, spin + (" -f" if fair else ""), seconds=60, use_cache=False)
    if not said.get("accepted") or said.get("errors") is None or not said.get("complete", True) and not said["errors"]:
        return seed, "skipped", str(said.get("problem") or said.get("messages"))[:200]
    ours = ask_gyre(given.gyre, path, ["--check", check] + (["--fairness", "weak"] if fair else []))
    expected = "violated" if said["errors"] else "holds"
    if fair and expected == "holds" and stops(ours):
        return seed, "Spin misses a fair run that stops", ""
    if mode == "l" and fair and expected == "holds" and ours["verdict"] == "violated":
        # `-l -f` overlooks some cycles that Spin finds with the claim written out.
        path = write_model(folder, seed, text + NO_PROGRESS)
        said = oracle.liveness(path, "-a -f", seconds=60, use_cache=False)
        path = write_model(folder, seed, text)
        expected = "violated" if said.get("errors") else "holds"
    if ours["verdict"] != expected:
        return seed, "verdict", f"{mode}{' fair' if fair else ''}: {ours['verdict']} instead of {expected} {said['kinds']}"
    for cycles in ("components", "ufscc") if fair else ("components", "nested", "cndfs", "ufscc", "owcty", "map"):
        other = ask_gyre(given.gyre, path, ["--check", check, "--cycles", cycles, "--threads", "3"] +
                         (["--fairness", "weak"] if fair else []))
        if other["verdict"] != expected:
            return seed, "verdict", f"--cycles {cycles}: {other['verdict']} instead of {expected}"
    if expected == "violated" and mode in ("a", "c", "u", "v") and not replays(given, path, fair):
        return seed, "verdict", "the trail does not replay in Spin"
    if expected == "holds" and mode in ("a", "c", "u", "v") and not fair and ours["states"] != said["states"]:
        problem = f"{ours['states']} instead of {said['states']}"
        # Where the system has stopped, Spin stores every other state of the claim (docs/differences-from-spin.md).
        if BUSY in text or not same_if_busy(given, folder, seed, text):
            return seed, "verdict", problem
        return seed, "Spin stores every other state of a system that has stopped", ""
    return seed, "same", expected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gyre", default=os.path.join(ROOT, "build/gyre"))
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for the models on which the two differ")
    parser.add_argument("--modes", default="a,l,t", type=lambda t: t.split(","))
    given = parser.parse_args()
    tally = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1))) as pool:
        for seed, what, text in pool.map(lambda s: case(given, folder, s),
                                         range(given.seed, given.seed + given.count)):
            key = what if what != "same" else "same, " + text
            tally[key] = tally.get(key, 0) + 1
            if what == "verdict":
                print(f"seed {seed}: {what}: {text}", flush=True)
                if given.keep:
                    os.makedirs(given.keep, exist_ok=True)
                    os.replace(os.path.join(folder, f"live{seed}.pml"),
                               os.path.join(given.keep, f"live{seed}.pml"))
            elif what == "skipped" and tally[key] == 1:
                print(f"seed {seed}: skipped: {text}")
    print(", ".join(f"{key}: {n}" for key, n in sorted(tally.items())))
    return 1 if tally.get("verdict") else 0


if __name__ == "__main__":
    sys.exit(main())
