#!/usr/bin/env python3
"""Compare native code with the virtual machine on random programs, state by state.

    native_compare.py --count 200 --seed 1
    native_compare.py --features priority   only programs with priorities
    native_compare.py --steps               only those of step_programs.py: hidden variables and C
    native_compare.py --models              the test models, in their reduced form

For the first states of each program, both must give the same transitions in the same
order, and every word that has changed must be among those that native code says it has
written.  Every other program is about data flow, and looked at in its reduced form.  Needs build/tools/native_tool (make tools); compiles with tcc if it is there.
A failing program is kept as build/diff-failures/nativeN.pml.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import flow_programs                                                # noqa: E402
import generate                                                     # noqa: E402
import priority_programs                                            # noqa: E402
import step_programs                                                # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FAILURES = os.path.join(ROOT, "build", "diff-failures")


def programs(folder, o):
    features = o.features and o.features.split(",")
    for seed in range(o.seed, o.seed + o.count):
        path = os.path.join(folder, f"native{seed}.pml")
        with open(path, "w") as f:
            f.write(step_programs.program(seed) if o.steps else
                    generate.program(seed, features=features) if features else
                    flow_programs.program(seed) if seed % 2 else
                    step_programs.program(seed) if seed % 8 == 4 else
                    generate.program(seed) if seed % 8 else priority_programs.program(seed, rendezvous=True))
        yield path, ["-r"] if seed % 2 else []


def test_models():
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "models", "*", "*.pml"))):
        yield path, ["-r"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default=os.path.join(ROOT, "build/tools/native_tool"))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--states", type=int, default=500)
    parser.add_argument("--features", help="only programs with these (see generate.py)")
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--models", action="store_true")
    o = parser.parse_args()
    failed = total = compared = covered = 0
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, GYRE_CACHE=os.path.join(folder, "cache"))
        if shutil.which("tcc"):
            env["GYRE_CC"] = "tcc"
        for path, form in test_models() if o.models else programs(folder, o):
            done = subprocess.run([o.tool, "check", "-n", str(o.states), *form, path], env=env,
                                  capture_output=True, text=True, timeout=300)
            total += 1
            compared += ": ok" in done.stdout
            covered += ": ok" in done.stdout and " 0.0 % native" not in done.stdout
            if done.returncode or "FAILED" in done.stdout:
                failed += 1
                os.makedirs(FAILURES, exist_ok=True)
                shutil.copy(path, FAILURES)
                print(done.stdout + done.stderr)
    print(f"{compared} compared, {covered} of them with native code, {failed} mismatches")
    return 1 if failed or 2 * covered < total else 0


if __name__ == "__main__":
    sys.exit(main())
