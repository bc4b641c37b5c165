#!/usr/bin/env python3
"""Does symmetry change an answer? Random programs of identical processes, with it and without.

    symmetry_compare.py [--gyre PROGRAM] [--count N] [--seed N]

For each program, `--exact` is the reference. With symmetry, alone and together with the other
reductions, by each search and backend, the verdict must be the same, and so must be the faults
(kind, place), the invalid end states up to a change of places, and the statements that are ever
executed. A counterexample that is called shortest must be as short as that of
--exact --shortest, and no other may be shorter.

The last line is `N passed, N failed`. A failing program is kept in build/symmetry-failures.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
from reduce_compare import MOST_KEPT, TOO_MANY, ask, wrong_length    # noqa: E402
from tally import Tally                                             # noqa: E402

ALONE = ["--no-por", "--no-merge", "--no-dead", "--no-slice", "--no-ranges"]
COMBINATIONS = [
    [],
    ALONE,
    ["--no-por"],
    ["--no-merge", "--store", "plain"],
    ["--search", "dfs", "--threads", "1"],
    ["--search", "dfs", "--no-por"],
    ["--threads", "1", "--no-slice"],
    ["--check-reduction"],
]


class Maker:
    """A program of identical processes over a few shared things."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.slots = self.rng.random() < 0.3
        self.ends = self.rng.random() < (0.1 if self.slots else 0.8)
        self.room = self.rng.choice([0, 1, 1, 2])
        # Most programs of these are refused, as they should be.
        self.tells_apart = self.rng.random() < 0.25

    def condition(self, local):
        r = self.rng
        choices = [f"g == {r.randrange(3)}", f"h != {r.randrange(2)}", "len(q) == 0" if self.room
                   else "g < 2", f"g + h > {r.randrange(3)}", "empty(q)" if self.room else "!h"]
        if self.tells_apart and r.random() < 0.4:
            return r.choice(["_pid < 2", f"_pid % 2 == {r.randrange(2)}", "_nr_pr < 3",
                             "a[1] == 0" if self.slots else "_nr_pr == 2", "g == _pid"])
        if local:
            choices += [f"x == {r.randrange(3)}", "x > h", f"k == {r.randrange(2)}"]
            if self.slots:
                choices += [f"a[_pid] == {r.randrange(2)}", "a[_pid] <= x"]
        return r.choice(choices)

    def simple(self, local):
        r = self.rng
        choices = [f"g = (g + {r.randrange(1, 3)}) % 3", "h = 1 - h", "skip",
                   f"q!{r.randrange(2)}", f"q?{r.randrange(2)}"]
        if local:
            choices += ["x = (x + 1) % 3", "x = g", "q?x", "q!x", "g = x", 'printf("%d\\n", _pid)',
                        "x = (x + k) % 3"]
            if self.slots:
                choices += ["a[_pid] = 1 - a[_pid]", "a[_pid] = x % 2", "x = a[_pid]", "q?a[_pid]"]
        if self.room:
            choices += ["q?_"]
        if r.random() < 0.12:
            return f"assert({self.condition(local)} || {self.condition(local)})"
        return r.choice(choices)

    def statements(self, local, depth):
        r = self.rng
        out = []
        for _ in range(r.randrange(1, 4)):
            p = r.random()
            if p < 0.5 or depth == 0:
                out.append(self.simple(local))
            elif p < 0.6:
                out.append(f"({self.condition(local)})")
            elif p < 0.72:
                steps = "; ".join(self.simple(local) for _ in range(r.randrange(1, 4)))
                out.append(f"atomic {{ {steps} }}")
            elif p < 0.8:
                steps = "; ".join(s for s in (self.simple(local) for _ in range(3))
                                  if "?" not in s and "!" not in s)
                out.append(f"d_step {{ {self.condition(local)} -> {steps or 'skip'} }}")
            elif p < 0.85:
                out.append("timeout")
            else:
                out.append(self.choice(local, depth - 1))
        return out

    def choice(self, local, depth):
        r = self.rng
        options = []
        for _ in range(r.randrange(1, 4)):
            steps = self.statements(local, depth)
            if r.random() < 0.6:
                steps.insert(0, f"({self.condition(local)})")
            options.append(":: " + "; ".join(steps))
        if r.random() < 0.3:
            options.append(":: else")
        return "if " + " ".join(options) + " fi"

    def body(self, local):
        text = ";\n\t".join(self.statements(local, 2))
        if self.ends:
            return text
        label = "end: " if self.rng.random() < 0.5 else ""
        return f"{label}do :: {text} od"

    def start(self, count):
        r = self.rng
        p = r.random()
        if p < 0.5:
            return f"active [{count}] proctype P()", "", f"byte k = {r.randrange(2)};"
        if p < 0.65:
            runs = "; ".join("run P(1)" for _ in range(count))
            return "proctype P(byte k)", f"init {{ atomic {{ {runs} }} }}", ""
        if p < 0.75:
            runs = "; ".join(f"run P({i % 2})" for i in range(count))
            return "proctype P(byte k)", f"init {{ {runs} }}", ""
        if p < 0.9:
            keeper = r.choice(["", "(h == 0) -> ", "timeout -> "])
            return ("proctype P(byte k)",
                    f"init {{ byte i; do :: i < {count} -> {keeper}run P(1); i++ :: else -> break "
                    f"od; i = 0; {self.simple(False)} }}", "")
        return ("proctype P(byte k)",
                f"proctype S() {{ {self.simple(False)}; run P(0) }}\n"
                f"init {{ atomic {{ {'; '.join('run S()' for _ in range(min(count, 3)))} }} }}", "")

    def program(self):
        r = self.rng
        count = r.choice([2, 2, 3, 3, 4])
        head, starter, local = self.start(count)
        other = (f"active proctype R() {{\n\t{';'.join(self.statements(False, 1))}\n}}\n"
                 if r.random() < 0.5 else "")
        before, after = (other, "") if r.random() < 0.5 else ("", other)
        return (f"byte g; bit h; chan q = [{self.room}] of {{ byte }};\n"
                + (f"byte a[{count + 3}];\n" if self.slots else "") + before
                + f"{head} {{\n\tbyte x; {local}\n\t{self.body(True)}\n}}\n" + starter + "\n" + after)


def standing(final, values):
    """Where the processes stand that have not ended, whichever they are; with all values or not."""
    places = sorted(json.dumps([p["process"], p["line"], re.sub(r" for .*|: \[.*", "", p["waits"]),
                                p["locals"] if values else 0], sort_keys=True)
                    for p in final["processes"] if not p["waits"].startswith("has terminated"))
    held = {name: sorted(value) if isinstance(value, list) else value
            for name, value in final["globals"].items()}
    shared = json.dumps([held, final["channels"]], sort_keys=True) if values else ""
    return places, shared


def facts(report, values):
    """What must not depend on symmetry. The other reductions leave some values out."""
    item = report["properties"][0]
    found = {"verdict": item["verdict"]}
    examples = item.get("counterexamples", [])
    if len(examples) < MOST_KEPT:
        found["faults"] = sorted({(e["kind"], e["steps"][-1]["line"] if e["steps"] else 0,
                                   e["steps"][-1]["text"] if e["steps"] else "")
                                  for e in examples if e["kind"] != "invalid-end-state"})
        ends = [standing(e["final"], values) for e in examples if e["kind"] == "invalid-end-state"]
        found["end states"] = [end for at, end in enumerate(sorted(ends))
                               if sorted(ends).index(end) == at]
    found["unreached"] = sorted((u["file"], u["line"], u["text"])
                                for u in report.get("coverage", {}).get("unreached", []))
    return found


def text_of(path):
    with open(path, encoding="utf-8") as source:
        return source.read()


def check(given, path):
    """None if all is well, else what is wrong; 'skip'."""
    exact, problem = ask(given.gyre, path, ["--exact", "--all-errors", "--witnesses", "0"])
    if problem:
        return "skip" if problem.startswith("exit status 2") else f"--exact: {problem}"
    if exact["verdict"] == "inconclusive" or exact["properties"][0]["states"] > TOO_MANY:
        return "skip"
    native = [["--backend", "native"]] if given.native or path.endswith("0.pml") else []
    for options in COMBINATIONS + native:
        report, problem = ask(given.gyre, path, ["--symmetry", "--all-errors", "--witnesses", "0", *options])
        if problem and problem.startswith("exit status 2"):
            return "skip"
        if problem:
            return f"{options}: {problem}"
        want, got = facts(exact, options == ALONE), facts(report, options == ALONE)
        for key in want.keys() & got.keys():
            if want[key] != got[key]:
                return f"{options}: {key}: {want[key]} exactly, but {got[key]}"
        # Representatives keep the places of processes that have ended for longer than need be,
        # which tells where others are started late.
        if not text_of(path).count("run ") and \
                report["properties"][0]["states"] > exact["properties"][0]["states"]:
            return f"{options}: more states than without"
    if exact["verdict"] == "violated":
        told = subprocess.run([given.gyre, path, "--symmetry", "--verbose"], timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        if "no symmetry" in told:
            return "a counterexample could not be told in terms of the real processes"
        return wrong_length(given.gyre, path, [["--exact"], ["--symmetry"], ["--symmetry", *ALONE]])
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gyre", default=os.path.join(ROOT, os.environ.get("GYRE", "build/gyre")))
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--native", action="store_true", help="compile all, not every tenth")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", default=os.path.join(ROOT, "build", "symmetry-failures"))
    given = parser.parse_args()
    tally = Tally(given.keep)
    with tempfile.TemporaryDirectory(prefix="gyre-symmetry-") as folder, \
            concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        paths = []
        for seed in range(given.seed, given.seed + given.count):
            paths.append(os.path.join(folder, f"symmetric{seed}.pml"))
            with open(paths[-1], "w", encoding="utf-8") as out:
                out.write(Maker(seed).program())
        for path, wrong in zip(paths, pool.map(lambda path: check(given, path), paths)):
            tally.add(path, wrong)
    tally.few_skipped(2 * given.count // 3)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
