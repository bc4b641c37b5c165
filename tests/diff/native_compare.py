#!/usr/bin/env python3
"""Compare native code with the virtual machine on random programs, state by state.

    native_compare.py --count 200 --seed 1

For the first states of each program, both must give the same transitions in the same
order, and every word that has changed must be among those that native code says it has
written.  Needs build/tools/native_tool (make tools); compiles with tcc if it is there.
A failing program is kept as build/diff-failures/nativeN.pml.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate                                                     # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FAILURES = os.path.join(ROOT, "build", "diff-failures")


def programs(folder, first, count):
    for seed in range(first, first + count):
        path = os.path.join(folder, f"native{seed}.pml")
        with open(path, "w") as f:
            f.write(generate.program(seed))
        yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default=os.path.join(ROOT, "build/tools/native_tool"))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--states", type=int, default=500)
    o = parser.parse_args()
    failed = compared = covered = 0
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, GYRE_CACHE=os.path.join(folder, "cache"))
        if shutil.which("tcc"):
            env["GYRE_CC"] = "tcc"
        for path in programs(folder, o.seed, o.count):
            done = subprocess.run([o.tool, "check", "-n", str(o.states), path], env=env,
                                  capture_output=True, text=True, timeout=120)
            compared += ": ok" in done.stdout
            covered += ": ok" in done.stdout and " 0.0 % native" not in done.stdout
            if done.returncode:
                failed += 1
                os.makedirs(FAILURES, exist_ok=True)
                shutil.copy(path, FAILURES)
                print(done.stdout + done.stderr)
    print(f"{compared} compared, {covered} of them with native code, {failed} mismatches")
    return 1 if failed or 2 * covered < o.count else 0


if __name__ == "__main__":
    sys.exit(main())
