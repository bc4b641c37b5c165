#!/usr/bin/env python3
"""Random small systems and formulas against brute force: no automata on this side.

    brute_compare.py [--gyre PROGRAM] [--count N] [--seed N] [--keep FOLDER] [--length N]

A system is a few processes, each a handful of locations with single statements between them. It is
executed here, by the definition: all lassos of the state graph up to --length statements are made,
and the formula is evaluated on each of them, position by position. So, for `ltl`:

- if a lasso violates the formula, Gyre must say violated, with and without reductions and however it
  looks for cycles; with --shortest, the cost of its counterexample must be the least of all lassos,
  if it says that it is the shortest;
- the lasso that Gyre shows is executed here and must violate the formula, also where it is longer;
- a lasso returns to the same state. `w`, which nothing reads, is a part of it with --exact only, and
  x, y, z are if the formula reads them;
- nothing is shorter by default than with --shortest, whatever fairness is assumed.

Accept and progress labels, on locations and inside atomic sequences, likewise. Ends with
`N passed, N failed`.
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


# ---- systems ----------------------------------------------------------------------------------


class Statement:
    """A guard or assignments, one after the other in an atomic sequence; `marked`: before which of
    them the label stands. The guard belongs to the first."""

    def __init__(self, text, guard, effects, timeout=False, marked=None):
        self.text, self.guard, self.effects = text, guard, effects
        self.timeout, self.marked = timeout, marked
        self.cost = max(1, len(effects))


def condition(rng, names="xyz"):
    name, value = rng.choice(names), rng.randrange(3)
    op = rng.choice(["==", "!=", ">"])
    test = {"==": lambda v: v[name] == value, "!=": lambda v: v[name] != value, ">": lambda v: v[name] > value}[op]
    return f"{name} {op} {value}", test


def assignment(rng):
    name, value = rng.choice("xyz"), rng.randrange(3)
    if rng.random() < 0.3:
        return f"{name} = ({name} + 1) % 3", (name, None)
    return f"{name} = {value}", (name, value)


def statement(rng, label):
    kind = rng.randrange(10)
    if kind < 5:
        text, effect = assignment(rng)
        return Statement(text, None, [effect])
    if kind < 7:
        text, test = condition(rng)
        return Statement(f"({text})", test, [])
    if kind < 8:
        text, test = condition(rng)
        if rng.random() < 0.5:
            return Statement("timeout", lambda v: False, [], timeout=True)
        return Statement(f"(timeout || {text})", test, [], timeout=True)
    if kind < 9:
        parts = [assignment(rng) for _ in range(rng.randrange(2, 4))]
        marked = rng.randrange(1, len(parts)) if label and rng.random() < 0.6 else None
        number = rng.randrange(10 ** 9)
        texts = [(f"{label}_{number}: " if k == marked else "") + text for k, (text, _) in enumerate(parts)]
        return Statement("atomic { " + "; ".join(texts) + " }", None, [e for _, e in parts], marked=marked)
    if rng.random() < 0.6:
        return Statement("w = (w + 1) % 3", None, [("w", None)])
    return Statement("skip", None, [])


class System:
    def __init__(self, rng, label=""):
        self.label = label
        self.counts_w = True  # is it a part of the state?
        self.processes = []  # lists of locations, each a list of (statement, target)
        self.labelled = []  # for each process, locations with the label
        for _ in range(rng.randrange(1, 4)):
            count = rng.randrange(1, 4)
            self.processes.append([[(statement(rng, label), rng.randrange(count))
                                    for _ in range(rng.choice([0, 1, 1, 1, 2, 2]))] for _ in range(count)])
            self.labelled.append({k for k in range(count) if label and rng.random() < 0.15})
        if not any(self.processes[0]):  # at least something to do
            self.processes[0][0] = [(Statement("skip", None, []), 0)]

    def name(self, process, location):
        return f"{self.label}_L{location}" if location in self.labelled[process] else f"L{location}"

    def text(self):
        out = ["byte x, y, z, w;"]
        for p, locations in enumerate(self.processes):
            out.append(f"active proctype P{p}() {{")
            for k, options in enumerate(locations):
                ways = [f":: {s.text}; goto {self.name(p, to)}" for s, to in options] or [":: false; goto " + self.name(p, k)]
                out.append(f"{self.name(p, k)}: if {' '.join(ways)} fi;")
            out.append("}")
        return "\n".join(out) + "\n"

    def initial(self):
        return (0,) * len(self.processes), (0, 0, 0, 0)

    def successors(self, state):
        """(process, statement, next state), or none; timeouts if nothing else can be done."""
        locations, values = state
        now = dict(zip("xyzw", values))
        for late in (False, True):
            found = []
            for p, at in enumerate(locations):
                for s, to in self.processes[p][at]:
                    if not (late and s.timeout) and not (s.guard is None or s.guard(now)):
                        continue
                    after = dict(now)
                    for name, value in s.effects:
                        after[name] = (after[name] + 1) % 3 if value is None else value
                    after["w"] *= self.counts_w
                    moved = locations[:p] + (to,) + locations[p + 1:]
                    found.append((p, s, (moved, tuple(after[n] for n in "xyzw"))))
            if found:
                return found, late
        return [], True

    def is_at_label(self, state):
        return any(at in self.labelled[p] for p, at in enumerate(state[0]))


# ---- formulas ---------------------------------------------------------------------------------

UNARY = {"[]": "G", "<>": "F", "!": "N", "X": "X"}
BINARY = ["U", "W", "V", "&&", "||", "->", "<->"]


def atom(rng, system):
    kind = rng.random()
    if kind < 0.15:
        return ("atom", "timeout", lambda state, stuck: stuck)
    if kind < 0.35:
        p = rng.randrange(len(system.processes))
        k = rng.randrange(len(system.processes[p]))
        return ("atom", f"(P{p}@{system.name(p, k)})", lambda state, stuck: state[0][p] == k)
    text, test = condition(rng)
    return ("atom", f"({text})", lambda state, stuck: test(dict(zip("xyzw", state[1]))))


def formula(rng, system, depth):
    if depth == 0 or rng.random() < 0.1:
        return atom(rng, system)
    if rng.random() < 0.5:
        op = rng.choice(["[]", "<>", "[]", "<>", "!", "X"])
        return (op, formula(rng, system, depth - 1))
    return (rng.choice(BINARY), formula(rng, system, depth - 1), formula(rng, system, depth - 1))


def premised(rng, system):
    """Three premises of strong fairness: Gyre takes them out of the formula."""
    pairs = [("->", ("[]", ("<>", atom(rng, system))), ("[]", ("<>", atom(rng, system)))) for _ in range(3)]
    if rng.random() < 0.3:
        pairs[0] = ("<>", ("[]", atom(rng, system)))
    return ("->", ("&&", pairs[0], ("&&", pairs[1], pairs[2])), formula(rng, system, 2))


def show(f):
    if f[0] == "atom":
        return f[1]
    if len(f) == 2:
        return f"{f[0]} ({show(f[1])})"
    return f"({show(f[1])}) {f[0]} ({show(f[2])})"


def atoms_of(f):
    return [f] if f[0] == "atom" else [a for part in f[1:] for a in atoms_of(part)]


def holds(f, word, loop):
    """Truth of f at every position of the lasso word (letters as dicts of truths by atom text)."""
    n = len(word)
    after = list(range(1, n)) + [loop]
    if f[0] == "atom":
        return [letter[f[1]] for letter in word]
    parts = [holds(part, word, loop) for part in f[1:]]
    a, b = parts[0], parts[-1]
    if f[0] == "!":
        return [not v for v in a]
    if f[0] == "X":
        return [a[k] for k in after]
    if f[0] == "&&":
        return [p and q for p, q in zip(a, b)]
    if f[0] == "||":
        return [p or q for p, q in zip(a, b)]
    if f[0] == "->":
        return [not p or q for p, q in zip(a, b)]
    if f[0] == "<->":
        return [p == q for p, q in zip(a, b)]

    def walk(start):  # every position that comes, each once
        seen, k = [], start
        while k not in seen:
            seen.append(k)
            k = after[k]
        return seen

    def at(k):
        if f[0] == "[]":
            return all(a[i] for i in walk(k))
        if f[0] == "<>":
            return any(a[i] for i in walk(k))
        if f[0] in ("U", "W"):
            for i in walk(k):
                if b[i]:
                    return True
                if not a[i]:
                    return False
            return f[0] == "W"
        for i in walk(k):  # V: b up to and with the first a, or for ever
            if not b[i]:
                return False
            if a[i]:
                return True
        return True

    return [at(k) for k in range(n)]


# ---- lassos -----------------------------------------------------------------------------------


class Search:
    """All lassos up to a cost, the cheap ones first, until is_wanted(path, loop, step) is true of one: a path is
    states and what led to the next one; path[-1][0] is the state before the step that closes the loop (or that
    stops). Each cost has a budget of its own."""

    def __init__(self, system, most, budget):
        self.system, self.longest, self.each = system, most, budget
        self.memo = {}

    def successors(self, state):
        if state not in self.memo:
            self.memo[state] = self.system.successors(state)
        return self.memo[state]

    def run(self, is_wanted):
        """(cost of one or None, were all looked at that cost less, or all if there is none)"""
        self.found = None

        def visit(path, loop, step, cost):
            if self.found is None and is_wanted(path, loop, step):
                self.found, self.budget = cost, 0
        self.visit = visit
        for self.most in range(self.longest + 1):
            self.look()
            if self.found is not None:
                return self.found, True
            if self.budget < 0:
                break
        else:
            return None, True
        self.most = self.longest  # some lasso, which need not be the least
        self.look()
        return self.found, False

    def look(self):
        self.budget = self.each
        self.extend([(self.system.initial(), None)], 0)

    def extend(self, path, cost):
        state = path[-1][0]
        found, _ = self.successors(state)
        self.budget -= 1
        if self.budget < 0:
            return
        if not found:
            self.visit(path, len(path) - 1, None, cost)
        for p, s, after in found:
            total = cost + s.cost
            if total > self.most:
                continue
            for loop, (before, _) in enumerate(path):
                if before == after:
                    self.visit(path, loop, s, total)
            self.extend(path + [(after, s)], total)


def word_of(search, f, path):
    out = []
    for state, _ in path:
        stuck = search.successors(state)[1]
        out.append({a[1]: bool(a[2](state, stuck)) for a in atoms_of(f)})
    return out


def least_violation(system, f, most, budget):
    search = Search(system, most, budget)
    known = {}

    def is_wanted(path, loop, _):
        word = word_of(search, f, path)
        key = (tuple(tuple(letter.values()) for letter in word), loop)
        if key not in known:
            known[key] = holds(f, word, loop)[0]
        return not known[key]

    return search.run(is_wanted)


def least_labelled(system, progress, most, budget):
    """The least lasso whose cycle passes an accept label, or none of progress."""
    def is_wanted(path, loop, step):
        if progress and step is None:
            return False
        steps = [s for _, s in path[loop + 1:]] + ([step] if step else [])
        passes = any(system.is_at_label(state) for state, _ in path[loop:]) or \
            any(s.marked is not None for s in steps)
        return passes != progress

    return Search(system, most, budget).run(is_wanted)


# ---- Gyre -------------------------------------------------------------------------------------


def ask(gyre, path, *options):
    done = subprocess.run([gyre, path, "--json", "--backend", "vm", *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    try:
        properties = schema.report(done.stdout)["properties"]
        # No accept label can be reached: there is nothing to check.
        return properties[0] if properties or done.returncode else {"verdict": "holds"}
    except (ValueError, IndexError):
        return {"verdict": f"status {done.returncode}: {done.stderr.decode()[-300:]}"}


def follow(system, example, rounds=1):
    """The states along the counterexample, executed here: by the processes that move and the
    values that they leave behind. None: it cannot be."""
    start = example["cycle_start"]
    steps = example["steps"] + (example["steps"][start:] * (rounds - 1) if rounds > 1 else [])
    paths = {0: [[system.initial()]]}
    done = []
    while paths:
        k = min(paths)
        for path in paths.pop(k):
            if k == len(steps):
                done.append(path)
                continue
            found, _ = system.successors(path[-1])
            for p, s, after in found:
                if k + s.cost <= len(steps) and all(t["pid"] == p for t in steps[k:k + s.cost]) and \
                        matches(s, steps[k:k + s.cost]):
                    paths.setdefault(k + s.cost, []).append(path + [after])
    return done, start


def matches(s, steps):
    """Do the steps, by their texts, belong to this statement?"""
    plain = lambda text: "".join(c for c in text if c not in " ()")
    if s.marked is None and len(steps) == 1 and not s.text.startswith("atomic"):
        return plain(steps[0]["text"]) == plain(s.text)
    inside = s.text[len("atomic {"):-1].split(";")
    return [plain(t.split(":")[-1]) for t in inside] == [plain(t["text"]) for t in steps]


def shown_violates(system, f, example):
    """Is there a way to read the counterexample as a run of the system that violates f? It may take
    several rounds until what does not matter is as it was."""
    if example["kind"] not in ("acceptance-cycle", "ltl-violation"):
        return False
    stops = example["cycle_start"] in (None, len(example["steps"]))
    search = Search(system, 0, 0)
    for rounds in (1,) if stops else (1, 2, 3, 4):
        done, start = follow(system, example, rounds)
        for states in done:
            if example["kind"] == "ltl-violation":
                return True
            word = word_of(search, f, [(state, None) for state in states])
            if stops:
                if not system.successors(states[-1])[0] and not holds(f, word, len(states) - 1)[0]:
                    return True
                continue
            for loop in range(len(states) - 1):
                if states[loop] == states[-1] and not holds(f, word[:-1], loop)[0]:
                    return True
    return False


def in_order(given, path, *check):
    """Is one shorter by default than with --shortest?"""
    for fairness in ((), ("--fairness", "weak"), ("--fairness", "strong")):
        least = ask(given.gyre, path, *check, *fairness, "--shortest")
        if least["verdict"] != "violated" or not least["counterexample"]["shortest"]:
            continue
        for options in ((), ("--no-merge",), ("--exact",), ("--exact", "--shortest")):
            other = ask(given.gyre, path, *check, *fairness, *options)
            if other["verdict"] != "violated":
                return f"{other['verdict']} with {options}, {fairness}: not with --shortest"
            if len(other["counterexample"]["steps"]) < least["counterexample"]["cost"]:
                return f"{len(other['counterexample']['steps'])} statements with {options}, {fairness}; " \
                       f"{least['counterexample']['cost']} with --shortest"
        given.tally["in order"] = given.tally.get("in order", 0) + 1
    return None


def check_shortest(given, path, system, least_of):
    """Without --exact. least_of: all lassos of the states without w, or at least those."""
    found = ask(given.gyre, path, *least_of["check"], "--shortest")
    if found["verdict"] != "violated":
        return f"{found['verdict']} with --shortest, violated with --exact"
    example, least = found["counterexample"], least_of["least"]
    if least_of["formula"] and not shown_violates(system, least_of["formula"], example):
        return "the counterexample of --shortest is none"
    if least is not None and example["shortest"] and \
            (example["cost"] > least or
             (least_of["all"] and example["kind"] == "acceptance-cycle" and example["cost"] != least)):
        return f"cost {example['cost']} with --shortest, {least} where w does not matter"
    return in_order(given, path, *least_of["check"])


def check_formula(given, path, system, f):
    least, whole = least_violation(system, f, given.length, given.budget)
    shortest = ask(given.gyre, path, "--check", "liveness", "--exact", "--shortest")
    verdict = shortest["verdict"]
    if verdict not in ("holds", "violated"):
        return verdict
    if least is not None and verdict != "violated":
        return f"{verdict}, but a lasso of {least} statements violates it"
    for options in ((), ("--exact",), ("--exact", "--cycles", "components"), ("--exact", "--cycles", "nested")):
        other = ask(given.gyre, path, "--check", "liveness", *options)["verdict"]
        if other != verdict:
            return f"{other} with {' '.join(options) or 'reductions'}, {verdict} with --shortest"
    if verdict == "holds":
        given.tally["holds"] = given.tally.get("holds", 0) + 1
        return None
    given.tally["violated"] = given.tally.get("violated", 0) + 1
    example = shortest["counterexample"]
    if not shown_violates(system, f, example):
        return "the counterexample is none"
    if least is None and whole and example["kind"] == "acceptance-cycle" and example["cost"] <= given.length:
        return f"a lasso of {example['cost']} statements that was not found here"
    if least is not None and example["shortest"] and example["cost"] > least:
        return f"cost {example['cost']}, but {least} is enough"
    if not example["shortest"]:
        given.tally["not called shortest"] = given.tally.get("not called shortest", 0) + 1
    system.counts_w = False
    least, whole = least_violation(system, f, given.length, given.budget)
    system.counts_w = True
    read = set("".join(a[1] for a in atoms_of(f) if "@" not in a[1] and a[1] != "timeout"))
    least_of = {"check": ("--check", "liveness"), "least": least, "formula": f, "all": whole and read >= set("xyz")}
    return check_shortest(given, path, system, least_of)


def check_labels(given, path, system, progress):
    least, whole = least_labelled(system, progress, given.length, given.budget)
    check = ["--check", "progress"] if progress else ["--check", "liveness"]
    if not progress and not system_has_labels(system):
        return None
    found = ask(given.gyre, path, *check, "--exact", "--shortest")
    verdict = found["verdict"]
    if verdict not in ("holds", "violated"):
        return verdict
    if least is not None and verdict != "violated":
        return f"{verdict}, but there is a lasso of {least} statements"
    for options in ((), ("--exact",), ("--exact", "--cycles", "components"), ("--exact", "--cycles", "nested")):
        other = ask(given.gyre, path, *check, *options)["verdict"]
        if other != verdict:
            return f"{other} with {' '.join(options) or 'reductions'}, {verdict} with --shortest"
    if verdict == "violated":
        cost = found["counterexample"]["cost"]
        if least is None and whole and cost <= given.length:
            return f"a lasso of {cost} statements that was not found here"
        if least is not None and (cost > least or whole and cost < least):
            return f"cost {cost}, but {least} is enough"
        system.counts_w = False
        least, _ = least_labelled(system, progress, given.length, given.budget)
        system.counts_w = True
        return check_shortest(given, path, system, {"check": check, "least": least, "formula": None, "all": False})
    return None


def system_has_labels(system):
    return any(system.labelled) or any(s.marked is not None for locations in system.processes
                                       for options in locations for s, _ in options)


def case(given, folder, seed):
    rng = random.Random(seed)
    kind = rng.choice(["ltl"] * 8 + ["accept", "progress"])
    system = System(rng, "" if kind == "ltl" else kind)
    text = system.text()
    f = None
    if kind == "ltl":
        f = premised(rng, system) if rng.random() < 0.2 else formula(rng, system, rng.randrange(1, given.depth + 1))
        text += f"ltl p {{ {show(f)} }}\n"
    path = os.path.join(folder, f"brute{seed}.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    problem = check_formula(given, path, system, f) if f else check_labels(given, path, system, kind == "progress")
    return seed, kind, problem, path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gyre", default=os.path.join(ROOT, os.environ.get("GYRE", "build/gyre")))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--length", type=int, default=7)
    parser.add_argument("--depth", type=int, default=3, help="of formulas")
    parser.add_argument("--budget", type=int, default=20000, help="paths that are looked at")
    parser.add_argument("--keep", help="folder for the models on which the two differ")
    given = parser.parse_args()
    given.tally = {}
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        seeds = range(given.seed, given.seed + given.count)
        for seed, kind, problem, path in pool.map(lambda s: case(given, folder, s), seeds):
            if not problem:
                passed += 1
                continue
            failed += 1
            print(f"seed {seed} ({kind}): {problem}", flush=True)
            if given.keep:
                os.makedirs(given.keep, exist_ok=True)
                os.replace(path, os.path.join(given.keep, os.path.basename(path)))
    print("formulas:", ", ".join(f"{n} {what}" for what, n in sorted(given.tally.items())))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
