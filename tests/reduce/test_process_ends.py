#!/usr/bin/env python3
# check: reduce: ends of processes, beside Spin; seconds 10
"""Errors that exist only while a process has ended, or has not, when another one starts.

Spin's partial-order reduction takes every end of a process for independent of all other steps, and its statement
merging joins two assignments of `run`. Both change the numbers that processes get. In each of these models an
assertion fails in a run that Spin does not explore: its verifier reports no error by default, and one with what is
named with the model. Gyre must find the error with its reductions, and with none.

GYRE names another binary. Ends with `N passed, N failed`.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import quick_cc  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))

# name: (model, options of `spin -a`, options of cc, with which Spin finds the error)
MODELS = {
    # The assertion fails if no P has ended: Spin lets each end before the next one starts.
    "number of processes": ("""
proctype P() { skip }
init { run P(); run P(); assert(_nr_pr != 3) }""", [], ["-DNOREDUCE"]),
    # Q is process 1 if P has ended, and 2 if not.
    "number of a process": ("""
byte who;
proctype P() { skip }
proctype Q() { who = _pid }
init { run P(); run Q(); (who) -> assert(who == 1) }""", [], ["-DNOREDUCE"]),
    # The second child of a process is its third descendant if the first one has not ended.
    "processes that start processes": ("""
byte highest;
proctype P(byte n; chan up) {
    chan me = [0] of { byte };
    byte r;
    if
    :: _pid > highest -> highest = _pid
    :: else
    fi;
    if
    :: n > 0 -> run P(n - 1, me); me?r; run P(n - 1, me); me?r
    :: else
    fi;
    up!1
}
init { chan me = [0] of { byte }; byte r; run P(1, me); me?r; assert(highest < 3) }""", [], ["-DNOREDUCE"]),
    # The first P may end before the second one starts, which then has the same number: merged, they start together.
    "two values of run": ("""
proctype P() { skip }
init { pid a, b; a = run P(); b = run P(); assert(a != b) }""", ["-o3"], ["-DNOREDUCE"]),
}

passed = failed = 0


def check(what, fine, details=""):
    global passed, failed
    if fine:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what}: {details}")


def spin_errors(model, options, definitions):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "model.pml"), "w") as file:
            file.write(model)
        for command in (["spin", *options, "-a", "model.pml"], ["gcc", "-w", "-DSAFETY", *definitions, "-o", "pan", "pan.c"]):
            subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=True, env=quick_cc.ENVIRONMENT)
        done = subprocess.run(["./pan"], cwd=folder, capture_output=True, text=True, timeout=300)
    return int(re.search(r"errors: (\d+)", done.stdout).group(1))


def main():
    for name, (model, options, definitions) in MODELS.items():
        found = spin_errors(model, [], [])
        check(f"{name}: Spin misses the error by default", found == 0, found)
        found = spin_errors(model, options, definitions)
        check(f"{name}: it is one", found == 1, found)
        for arguments in ([], ["--exact"], ["--search", "dfs"], ["--no-merge"], ["--threads", "1", "--backend", "vm"]):
            done = subprocess.run([GYRE, "-", *arguments], input=model, capture_output=True, text=True, timeout=300)
            check(f"{name}: Gyre {arguments}", done.returncode == 1 and "assertion failed" in done.stdout, done.stdout + done.stderr)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
