#!/usr/bin/env python3
"""Explore random programs with and without partial-order reduction, and compare.

    por_compare.py --count 2000 --seed 1 [--limit STATES] [--values | --looks | --channels]

The states without successors must be the same, and so must the kinds of faults and the
statements that are ever executed: breadth-first, depth-first, and (states without successors
only) without a proviso.  Needs build/tools/reduce_check (make tools).  A failing program is
kept as build/diff-failures/porN.pml.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import channel_programs                                             # noqa: E402
import generate                                                     # noqa: E402
import look_programs                                                # noqa: E402
import priority_programs                                            # noqa: E402
import value_programs                                               # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FAILURES = os.path.join(ROOT, "build", "diff-failures")
AT_A_TIME = 100
MAKERS = [priority_programs, generate, value_programs, look_programs, channel_programs]


def batches(folder, first, count):
    """Lists of files with programs."""
    for start in range(first, first + count, AT_A_TIME):
        paths = []
        for seed in range(start, min(start + AT_A_TIME, first + count)):
            paths.append(os.path.join(folder, f"por{seed}.pml"))
            with open(paths[-1], "w") as f:
                f.write(MAKERS[seed % len(MAKERS)].program(seed))
        yield paths


def keep(path, why):
    os.makedirs(FAILURES, exist_ok=True)
    shutil.copy(path, FAILURES)
    print(why)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default=os.path.join(ROOT, "build/tools/reduce_check"))
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=20000)
    parser.add_argument("--values", action="store_true", help="only programs about values")
    parser.add_argument("--looks", action="store_true", help="only programs that look at more than values")
    parser.add_argument("--channels", action="store_true", help="only programs about channels and trace assertions")
    o = parser.parse_args()
    if o.values or o.looks or o.channels:
        MAKERS[:] = [value_programs if o.values else look_programs if o.looks else channel_programs]
    same = smaller = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for paths in batches(folder, o.seed, o.count):
            done = subprocess.run([o.tool, "--limit", str(o.limit)] + paths, timeout=600,
                                  capture_output=True, text=True, errors="replace")
            lines = {line.split(":")[0]: line for line in done.stdout.splitlines()}
            for path in paths:
                line = lines.get(path, f"{path}: no answer: {done.stderr[-200:]}")
                if "different" in line or "no answer" in line:
                    wrong += 1
                    keep(path, line)
                elif " same " in line:
                    same += 1
                    counts = line.split(": ")[1].split()
                    smaller += int(counts[1]) < int(counts[0])
    print(f"{same} compared, {smaller} of them reduced, {wrong} mismatches")
    return 1 if wrong or 2 * same < o.count or 4 * smaller < o.count else 0


if __name__ == "__main__":
    sys.exit(main())
