#!/usr/bin/env python3
"""Random systems with formulas, never claims (with variables of their own, too), acceptance and progress, by one
process and over 1, 2, 4 and 8 ranks: the same verdicts, and states where it holds; every lasso is run again.

    mpi_live.py [--count N] [--seed N] [--keep FOLDER]

Each model is compared under every fairness (none, weak, strong, of labelled statements), by owcty and map, with one
and two threads for a rank, and with names of nodes so short that what is noticed early is mostly nothing. Then searches
are broken off or come to their end, and go on from their snapshots over another number of ranks. Ranks are threads of
one process here (build/unit/test_rank_cycles): tests/dist/test_mpi.py has processes.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import fair_compare  # noqa: E402
import live_compare  # noqa: E402

AT_ONCE = 20  # models for a call


def claim_with_variables(maker):
    """Some moves count, some look at what was counted."""
    text = maker.claim()
    changed = re.sub(r"-> goto", lambda _: maker.rng.choice(["-> goto", "-> k = (k + 1) % 3; goto", "-> g = x; goto"]), text)
    changed = re.sub(r":: true", lambda _: maker.rng.choice([":: true", ":: k == 1", ":: k != 2 && g == 0"]), changed)
    return "byte g;\n" + changed.replace("never {", "never { byte k;", 1)


def model_of(seed):
    if seed % 6 == 0:
        return fair_compare.Case(seed).text
    maker = live_compare.Maker(seed)
    labels = ["", "sfair", "wfair", "accept", "progress"][seed % 5]
    text = maker.system(labels)
    if seed % 3 == 0:
        return text + maker.claim()
    if seed % 3 == 1 and seed % 2:
        return text + claim_with_variables(maker)
    return text + "".join(f"ltl p{i} {{ {maker.formula()} }}\n" for i in range(2))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for the models on which the two differ")
    parser.add_argument("--program", default=os.path.join(ROOT, "build/unit/test_rank_cycles"))
    given = parser.parse_args()
    compared = violated = resumed = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = [live_compare.write_model(folder, seed, model_of(seed)) for seed in range(given.seed, given.seed + given.count)]
        for first in range(0, len(paths), AT_ONCE):
            some = paths[first:first + AT_ONCE]
            done = subprocess.run([given.program, *some], cwd=ROOT, capture_output=True, text=True, timeout=3000)
            found = re.search(r"(\d+) compared, (\d+) violated, (\d+) went on", done.stdout)
            if done.returncode or not found:
                wrong += 1
                print("DIFFERS", done.stdout[-300:], done.stderr[-500:])
                if given.keep:
                    for path in some:
                        shutil.copy(path, given.keep)
            else:
                compared, violated, resumed = compared + int(found[1]), violated + int(found[2]), resumed + int(found[3])
    print(f"{given.count} models, {compared} comparisons ({violated} violated), {resumed} searches that went on, {wrong} sets of {AT_ONCE} with a difference")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
