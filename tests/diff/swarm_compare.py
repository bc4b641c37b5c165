#!/usr/bin/env python3
"""Do the jobs of a swarm see every state together? Random small programs.

    swarm_compare.py [--build FOLDER] [--count N] [--seed N] [--acyclic | --cyclic] [--jobs N]

Each program has a process `G` that guides: in one half its course is acyclic (choices, and loops that
a counter bounds), in the other it may go round. For each, some ways of dividing the search are tried:
1 to 8 workers, with and without feedback, with stages of all lengths, intervals, limits that make
jobs divide, and guides without parts, where cells divide the states. The union of the states that the jobs visited must have as many elements as one exhaustive
search has states; nothing may be told that is not so. While some of these run, workers are killed at
random. Then the verdict with deadlocks and assertions must be that of the exhaustive search, and a
counterexample must have been found wherever there is one.

The last line is `N passed, N failed`. A failing program is kept in build/swarm-failures.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Program:
    def __init__(self, seed, cyclic):
        self.rng = rng = random.Random(seed)
        self.cyclic = cyclic
        others = rng.randint(1, 3)
        self.lines = ["byte x, y;", "bool f;", f"chan q = [{rng.randint(1, 2)}] of {{ byte }};",
                      "chan r = [0] of { byte };"]
        by_init = rng.random() < 0.3
        active = "" if by_init else "active "
        self.lines.append(f"{active}proctype G() {{ byte v, i, k; {self.guide()} }}")
        for n in range(others):
            body = "; ".join(self.statement(0) for _ in range(rng.randint(1, 3)))
            if rng.random() < 0.5:
                body = f"do :: {body} :: {self.action()} {rng.choice(['', ':: break'])} od"
            self.lines.append(f"{active}proctype P{n}() {{ byte v; {body} }}")
        if by_init:
            runs = "; ".join(["run G()"] + [f"run P{n}()" for n in range(others)])
            self.lines.append(f"init {{ {rng.choice(['atomic {', '{'])} {runs} }} }}")

    def value(self):
        return self.rng.choice(["0", "1", "2", "x", "y", "v", "(x + 1) % 3", "(v + y) % 4"])

    def test(self):
        return self.rng.choice(["x == 0", "x > 0", "y != 1", "f", "!f", "v < 2", "len(q) > 0",
                                "x == y", "nfull(q)", "q?[1]", "i < 2" if self.own else "x < 2"])

    own = False  # a statement of the guide, which has more variables

    def action(self):
        rng = self.rng
        some = [f"x = {self.value()}", f"y = {self.value()}", f"v = {self.value()}", "f = !f",
                f"q!{rng.randint(0, 2)}", "q?v", "q?1", f"r!{rng.randint(0, 2)}", "r?v", "r?x",
                "skip", self.test(), f"atomic {{ {self.test()}; x = {self.value()}; y = 1 }}",
                "d_step { x = (x + 1) % 3; f = 0 }", f"assert({self.test()})"]
        if self.own:
            some += ["i = (i + 1) % 8", "k = 1", "k = v % 2", f"i = {rng.randint(0, 3)}"]
        return rng.choice(some)

    def statement(self, depth):
        rng = self.rng
        if depth > 1 or rng.random() < 0.6:
            return self.action()
        options = [f":: {self.statement(depth + 1)}; {self.statement(depth + 1)}"
                   for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.3:
            options.append(f":: else -> {self.action()}")
        return "if " + " ".join(options) + " fi"

    def guide(self):
        rng = self.rng
        self.own = True
        body = []
        for _ in range(rng.randint(2, 4)):
            kind = rng.random()
            if kind < 0.3:
                steps = rng.randint(2, 4)
                inner = rng.choice(["skip", "x = (x + 1) % 3", "q!1", "f = !f", "y = i % 2", "r!i",
                                    "if :: y = 0 :: q?_ :: skip fi"])
                body.append(f"k = 0; do :: k < {steps} -> {inner}; k++ :: else -> break od")
            elif kind < 0.5 and self.cyclic:
                options = [f":: {self.statement(1)}" for _ in range(rng.randint(1, 3))]
                body.append("do " + " ".join(options) + " :: break od")
            else:
                body.append(self.statement(0))
        if self.cyclic and rng.random() < 0.3:
            body = [f"do :: {'; '.join(body)} od"]
        self.own = False
        return "; ".join(body)

    def text(self):
        return "\n".join(self.lines) + "\n"


def run(command, timeout=300):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout)
    return done.returncode, done.stdout, done.stderr


def report(command):
    status, out, errors = run(command)
    try:
        return status, json.loads(out), errors
    except json.JSONDecodeError:
        return status, None, out + errors


def union(folder):
    """The hashes of all states that some job has visited: files of 64-bit numbers between a mark and a
    checksum."""
    seen = set()
    for name in os.listdir(folder):
        if not re.fullmatch(r"job-\d+\.states", name):
            continue
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()[8:-8]
        seen.update(struct.unpack(f"<{len(data) // 8}Q", data))
    return seen


class Killer(threading.Thread):
    """Ends workers of a manager now and then: a few in all, as a job that fails six times is given up."""

    def __init__(self, manager, seed):
        super().__init__(daemon=True)
        self.manager, self.rng, self.over, self.killed = manager, random.Random(seed), False, 0

    def run(self):
        while not self.over and self.killed < 4:
            time.sleep(self.rng.random() * 0.02)
            try:
                with open(f"/proc/{self.manager}/task/{self.manager}/children") as file:
                    children = file.read().split()
            except OSError:
                return
            if children and self.rng.random() < 0.3:
                try:
                    os.kill(int(self.rng.choice(children)), signal.SIGKILL)
                    self.killed += 1
                except OSError:
                    pass


def swarm(gyre, path, rng, states, kill):
    """A random way of dividing; returns (options, status, report or None, union, how often killed)."""
    options = ["--no-deadlock", "--no-assert", "--workers", str(rng.randint(1, 8)), "--keep-states"]
    guide = rng.random()  # none: all states are one part, which cells divide
    if guide < 0.8:
        options += ["--guide", "G" if guide < 0.6 else "none"]
    if rng.random() < 0.5:
        options.append("--no-feedback")
    if rng.random() < 0.7:
        options += ["--stage", str(rng.choice([0, 0, 0, 1, 2, 3, 5]))]
    if rng.random() < 0.7:
        options += ["--intervals", str(rng.randint(1, 9))]
    if rng.random() < 0.5:
        options += ["--job-states", str(max(10, states // rng.randint(1, 4)))]
    folder = tempfile.mkdtemp(prefix="swarm-")
    command = [gyre, "swarm", path, "--json", "--dir", folder, "--backend", "vm"] + options
    try:
        manager = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        killer = Killer(manager.pid, rng.random())
        if kill:
            killer.start()
        out, errors = manager.communicate(timeout=300)
        killer.over = True
        try:
            told = json.loads(out)
        except json.JSONDecodeError:
            told = None
        return options, manager.returncode, told, union(folder), out + errors
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check(gyre, seed, cyclic):
    """None, or what is wrong; and the program."""
    program = Program(seed, cyclic)
    rng = random.Random(seed ^ 0x5eed)
    counts = {"holds": 0, "inconclusive": 0, "jobs": 0, "pruned": 0, "split": 0, "divided_parts": 0}
    with tempfile.NamedTemporaryFile("w", suffix=".pml") as file:
        file.write(program.text())
        file.flush()
        base = [gyre, file.name, "--json", "--no-por", "--no-symmetry", "--search", "bfs", "--threads", "1",
                "--check", "safety", "--backend", "vm"]
        _, all_states, text = report(base + ["--no-deadlock", "--no-assert"])
        if not all_states or all_states["verdict"] != "holds":
            return None, program, None  # a run-time error, or too many states
        states = all_states["properties"][0]["states"]
        if states > 20000:
            return None, program, None
        for i in range(3):
            options, status, told, seen, text = swarm(gyre, file.name, rng, states, i == 2)
            where = " ".join(options)
            if not told:
                return f"{where}: no report: {text}", program, counts
            verdict = told["verdict"]
            if verdict == "holds" and len(seen) != states:
                return f"{where}: {len(seen)} states, not {states}", program, counts
            if len(seen) > states:
                return f"{where}: {len(seen)} states, more than {states}", program, counts
            if verdict == "inconclusive" and "too large for a job" not in text:
                return f"{where}: {text}", program, counts
            if verdict not in ("holds", "inconclusive"):
                return f"{where}: {verdict}: {text}", program, counts
            facts = told["stats"]["swarm"]
            if verdict == "holds" and facts["exact"] and told["properties"][0]["states"] != states:
                return f"{where}: tells {told['properties'][0]['states']} states, not {states}", program, counts
            counts[verdict] += 1
            for key in ("jobs", "pruned", "split", "divided_parts"):
                counts[key] += facts[key]
        _, exhaustive, _ = report(base)
        status, told, text = report([gyre, "swarm", file.name, "--json", "--backend", "vm", "--intervals", "3",
                                     "--stage", str(rng.randint(0, 2))])
        if not told or told["verdict"] != exhaustive["verdict"]:
            return f"verdict: {told and told['verdict']}, not {exhaustive['verdict']}: {text}", program, counts
        if told["verdict"] == "violated" and not told["properties"][0].get("counterexample"):
            return f"violated without a counterexample: {text}", program, counts
    return None, program, counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--acyclic", action="store_true")
    parser.add_argument("--cyclic", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    gyre = os.path.join(arguments.build, "gyre")
    kinds = [False] * (not arguments.cyclic) + [True] * (not arguments.acyclic)
    passed = failed = skipped = 0
    total = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        work = [(seed, cyclic, pool.submit(check, gyre, 2 * seed + cyclic, cyclic))
                for seed in range(arguments.seed, arguments.seed + arguments.count) for cyclic in kinds]
        for seed, cyclic, future in work:
            problem, program, counts = future.result()
            if problem:
                failed += 1
                kept = os.path.join(arguments.build, "swarm-failures")
                os.makedirs(kept, exist_ok=True)
                name = os.path.join(kept, f"{'cyclic' if cyclic else 'acyclic'}-{seed}.pml")
                with open(name, "w") as file:
                    file.write(program.text())
                print(f"FAIL {name}: {problem}")
            elif counts is None:
                skipped += 1
            else:
                passed += 1
            for key, value in (counts or {}).items():
                total[key] = total.get(key, 0) + value
    print(f"{skipped} programs left out; {total}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
