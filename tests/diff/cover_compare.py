#!/usr/bin/env python3
"""Is a trace cover what it should be? Random small programs.

    cover_compare.py [--build FOLDER] [--count N] [--seed N]

For each program the states of the ideals of all traces must be the reachable states (cover_check
takes the traces apart), and what `--cover` answers about deadlocks, assertions and the states of
--ef and --ef-sum must be what the search of all states answers. Counterexamples are run again by
gyre itself in both cases.

The last line is `N passed, N failed`. A failing program is kept in build/cover-failures.
"""

import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Program:
    """Two to four processes with a few statements each, over some shared objects."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.types = rng.randint(2, 4)
        self.same = rng.random() < 0.3  # two processes of the first type
        self.lines = ["byte x, y;", "bool f;", f"chan q = [{rng.randint(1, 2)}] of {{ byte }};",
                      "chan r = [0] of { byte };"]
        for number in range(self.types):
            self.process(number)
        if rng.random() < 0.3:
            self.lines += ["proctype S() { byte v; v = 1; x = 2 }",
                           "active proctype I() { byte v; run S(); y = 3; v = 2 }"]

    def value(self):
        return self.rng.choice(["0", "1", "2", "x", "y", "v", "(x + 1) % 3", "(v + y) % 3"])

    def guard(self):
        return self.rng.choice(["x == 0", "x > 0", "y != 1", "f", "!f", "v < 2", "len(q) > 0",
                                "x == y", "nfull(q)", "q?[1]"])

    def action(self):
        rng = self.rng
        return rng.choice([f"x = {self.value()}", f"y = {self.value()}", f"v = {self.value()}",
                           f"v = {self.value()}", "f = !f", f"q!{rng.randint(0, 2)}", "q?v", "q?x",
                           "q?1", f"r!{rng.randint(0, 2)}", "r?v", "r?y", "skip",
                           f"{self.guard()}", f"{self.guard()} -> x = {self.value()}"])

    def statement(self, depth):
        rng = self.rng
        kind = rng.random()
        if depth > 1 or kind < 0.62:
            return self.action()
        some = [self.statement(depth + 1) for _ in range(rng.randint(1, 2))]
        if kind < 0.8:
            options = [f":: {self.statement(depth + 1)}" for _ in range(rng.randint(1, 3))]
            if rng.random() < 0.3:
                options.append(f":: else -> {self.action()}")
            return "if " + " ".join(options) + " fi"
        if kind < 0.88:
            return "atomic { " + "; ".join(some) + " }"
        if kind < 0.92:
            return f"assert({self.guard()})"
        if kind < 0.95:
            return "timeout"
        options = [f":: {self.statement(depth + 1)}" for _ in range(rng.randint(1, 2))]
        if rng.random() < 0.6:
            options.append(":: break")
        return "do " + " ".join(options) + " od"

    def process(self, number):
        rng = self.rng
        body = [self.statement(0) for _ in range(rng.randint(1, 4))]
        at = rng.randrange(len(body))
        body[at] = f"L{number}: " + body[at]
        count = "[2] " if self.same and number == 0 else ""
        self.lines.append(f"active {count}proctype P{number}() {{ byte v; " + "; ".join(body) + " }")

    def text(self):
        return "\n".join(self.lines) + "\n"

    def pid(self, number):
        return number if number == 0 or not self.same else number + 1

    def local(self):
        number = self.rng.randrange(self.types)
        name = f"P{number}[{self.pid(number)}]"
        return self.rng.choice([f"{name}:v == {self.rng.randint(0, 2)}", f"{name}@L{number}"])

    def condition(self):
        rng = self.rng
        return rng.choice([self.local(), self.local(), f"x == {rng.randint(0, 3)}",
                           f"y == {rng.randint(0, 3)}", "f", "len(q) == 1", "len(q) == 0",
                           "x == y", "_nr_pr == 1", f"x + y == {rng.randint(1, 4)}", "x < len(q) + y",
                           f"{self.local().split(' ')[0]} == x" if rng.random() < 0.5 else "f == x"])

    def predicate(self):
        rng = self.rng
        parts = [self.condition() for _ in range(rng.randint(1, 3))]
        parts = [f"!({p})" if rng.random() < 0.2 else f"({p})" for p in parts]
        text = parts[0]
        for part in parts[1:]:
            text = f"({text} {rng.choice(['&&', '&&', '||'])} {part})"
        return text

    def questions(self):
        asked = []
        for _ in range(4):
            asked += ["--ef", self.predicate()]
        if self.same:
            asked += ["--ef-sum", f"P0 v == {self.rng.randint(0, 2)} > {self.rng.randint(0, 1)}",
                      "--ef-sum", "P0 @L0 > 1"]
        return asked


class Indexed(Program):
    """The same over arrays of variables and channels, whose indices others write; with channels that are
    handed on, d_step, unless, provided and remote references."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.types = rng.randint(2, 3)
        self.same = rng.random() < 0.3
        self.lines = ["byte x, y, i;", "bool f;", "byte a[3];", f"chan q = [{rng.randint(1, 2)}] of {{ byte }};",
                      "chan r = [0] of { byte };", "chan qs[2] = [1] of { byte };", "chan rs[2] = [0] of { byte };",
                      "chan link = [1] of { chan };"]
        for number in range(self.types):
            self.process(number)
        if rng.random() < 0.4:
            self.lines += [f"proctype S(chan w) {{ byte v; {self.action()}; {self.action()}; w!1 }}",
                           f"active proctype I() {{ byte v; chan w = q; {self.action()}; "
                           f"run S({rng.choice(['q', 'qs[i % 2]', 'rs[x % 2]', 'r'])}); {self.action()}; v = 2 }}"]

    def index(self):
        return self.rng.choice(["i % 2", "v % 2", "x % 2", "0", "1", "(i + v) % 2", "a[i % 2] % 2", "_pid % 2"])

    def value(self):
        return self.rng.choice([super().value(), f"a[{self.index()}]", "len(q)"])

    def guard(self):
        rng, at = self.rng, self.index()
        return rng.choice([super().guard(), f"a[{at}] == 0", f"a[{at}] > 0", f"len(qs[{at}]) == 0", f"full(qs[{at}])",
                           f"empty(qs[{at}])", f"nempty(qs[{at}])", f"qs[{at}]?[1]", "_nr_pr < 3", "i == 0",
                           "nfull(qs[0]) || f"])

    def action(self):
        rng, at = self.rng, self.index()
        if rng.random() < 0.45:
            return super().action()
        other = rng.randrange(self.own) if self.own else 0  # labels of those above can be named
        return rng.choice([self.simple(), f"qs[{at}]!{rng.randint(0, 2)}", f"qs[{at}]?v", f"qs[{at}]?x",
                           f"qs[{at}]?i", f"rs[{at}]!{rng.randint(0, 2)}", f"rs[{at}]?v", f"rs[{at}]?i",
                           f"rs[{at}]?a[{self.index()}]", f"q?a[{at}]", "q!!1", "q??1", "q?<v>", "q?eval(v)",
                           f"link!qs[{at}]", "link?w", "w!1", "w?v", f"rs[{at}]?eval(x)", f"rs[{at}]?1",
                           f"w = qs[{at}]", f"w = rs[{at}]", f"(P{other}[{self.pid(other)}]@L{other})" if self.own else "skip"])

    def simple(self):
        return self.rng.choice([f"x = {self.value()}", f"v = {self.value()}", "i = 1 - i % 2", "i = 0", "i = 1",
                                f"a[{self.index()}] = {self.value()}", "f = !f"])

    def statement(self, depth):
        rng = self.rng
        kind = rng.random() if depth < 2 else 1
        if kind < 0.1:
            return "skip; d_step { " + "; ".join(self.simple() for _ in range(rng.randint(1, 3))) + " }"
        if kind < 0.17:
            until = rng.choice([self.guard(), f"qs[{self.index()}]?v", f"rs[{self.index()}]?v"])
            return f"{{ {self.action()}; {self.action()} }} unless {{ {until}; {self.action()} }}"
        if kind < 0.3:
            return "atomic { " + "; ".join(self.action() for _ in range(rng.randint(2, 3))) + " }"
        return super().statement(depth)

    def process(self, number):
        self.own = number
        super().process(number)
        rng = self.rng
        provided = rng.choice(["f", "!f", "x != 1", "a[i % 2] == 0"])
        self.lines[-1] = self.lines[-1].replace(
            "() { byte v;", (f"() provided ({provided})" if rng.random() < 0.15 else "()") +
            f" {{ byte v; chan w = qs[{rng.randint(0, 1)}];")

    def condition(self):
        if self.rng.random() < 0.6:
            return super().condition()
        return self.rng.choice(["a[0] == 1", "a[1] > a[0]", "i == 1", "len(qs[0]) == 1", "len(qs[1]) == 0",
                                "a[i % 2] == x", "len(qs[i % 2]) == 1", "_nr_pr == 2", "len(link) == 1"])


def ask(gyre, path, options):
    done = subprocess.run([gyre, path, "--json", *options], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=300)
    if done.returncode not in (0, 1, 3):
        return None, f"exit status {done.returncode}: {done.stderr[-400:]}"
    report = json.loads(done.stdout)
    if any(d["severity"] == "error" for d in report.get("diagnostics", [])):
        return None, done.stdout[-400:]
    return [(p["name"], p["verdict"]) for p in report["properties"]], None


def differ(given, path, program):
    questions = program.questions()
    gyre = os.path.join(given.build, "gyre")
    exact, problem = ask(gyre, path, ["--exact", "--all-errors", *questions])
    if problem:
        return f"--exact: {problem}"
    cover, problem = ask(gyre, path, ["--cover", "--all-errors", "--time", "20", *questions])
    if problem:
        return f"--cover: {problem}"
    for (name, want), (other, found) in zip(exact, cover):
        if name != other or (want != found and "inconclusive" not in (want, found)):
            return f"{name}: {want} exactly, {found} by a cover"
    return None


def case(given, folder, seed):
    program = (Indexed if seed % 3 == 0 else Program)(seed)
    path = os.path.join(folder, f"cover{seed}.pml")
    with open(path, "w") as out:
        out.write(program.text())
    states = subprocess.run([os.path.join(given.build, "tools", "cover_check"), path],
                            capture_output=True, text=True, timeout=300)
    wrong = states.stdout + states.stderr if states.returncode else differ(given, path, program)
    if wrong:
        kept = os.path.join(ROOT, "build", "cover-failures")
        os.makedirs(kept, exist_ok=True)
        os.replace(path, os.path.join(kept, os.path.basename(path)))
    return wrong, states.stdout.startswith("skip")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    failed = skipped = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        seeds = range(given.seed, given.seed + given.count)
        for seed, (wrong, skip) in zip(seeds, pool.map(lambda s: case(given, folder, s), seeds)):
            skipped += skip
            if wrong:
                failed += 1
                print(f"FAILED: seed {seed}: {wrong}", flush=True)
    if skipped:
        print(f"states of {skipped} programs were not compared (too many traces)")
    print(f"{given.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
