#!/usr/bin/env python3
"""Exact counts of the models that Debian's spin package ships.

    shipped_counts.py --make > shipped_counts.tsv    ask Spin (slow)
    shipped_counts.py [--gyre build/gyre]            compare Gyre with the table

Columns: model, verdict, states, transitions, all from Spin; `-` where Spin gave no complete
answer within a minute (its note says why). Ends with `N passed, N failed`.
"""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import compare  # noqa: E402

TABLE = os.path.join(HERE, "shipped_counts.tsv")
FOLDER = "/usr/share/doc/spin/examples/Examples"


def shipped():
    listing = subprocess.run(["dpkg", "-L", "spin"], stdout=subprocess.PIPE, check=True)
    return sorted(p for p in listing.stdout.decode().splitlines() if p.endswith(".pml"))


def make():
    print("model\tverdict\tstates\ttransitions\tnote")
    for path in shipped():
        found = compare.ask_spin(path, seconds=60)
        name = os.path.relpath(path, FOLDER)
        note = found.get("problem") or ""
        if note or found.get("states") is None:
            print(f"{name}\t-\t-\t-\t{note or 'rejected'}")
        else:
            print(f"{name}\t{found['verdict']}\t{found['states']}\t{found['transitions']}\t")
        sys.stdout.flush()


def check(gyre):
    passed = failed = 0
    with open(TABLE, encoding="utf-8") as table:
        next(table)
        for line in table:
            name, verdict, states, transitions = line.rstrip("\n").split("\t")[:4]
            if states == "-":
                continue
            mine = compare.ask_gyre(gyre, os.path.join(FOLDER, name),
                                    ["--exact", "--all-errors", "--check", "safety",
                                     "--no-exclusive"], 300)  # as Spin with -DNOREDUCE
            got = (mine.get("verdict"), str(mine.get("states")), str(mine.get("transitions")))
            if got == (verdict, states, transitions):
                passed += 1
            else:
                failed += 1
                print(f"{name}: Spin {(verdict, states, transitions)}, Gyre {got}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--gyre", default=os.environ.get("GYRE", "build/gyre"))
    given = parser.parse_args()
    return make() if given.make else check(given.gyre)


if __name__ == "__main__":
    sys.exit(main())
