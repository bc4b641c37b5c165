#!/usr/bin/env python3
"""Does symmetry change an answer about infinite runs? Random programs of identical processes with random formulas.

    symmetry_live.py [--gyre PROGRAM] [--count N] [--seed N]

For each program and formula, `--exact` is the reference. With symmetry, alone and together with the
other reductions, by several engines and numbers of threads, the verdict must be the same. Lassos are those
of the real system: each is executed again by the program itself, and one in four that was found with
symmetry is walked through once more from its trail. Formulas are about what all processes share, and now and then about
single ones, where symmetry must be left off.

The last line is `N passed, N failed`. A failing program is kept in build/symmetry-failures.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import schema  # noqa: E402
import symmetry_compare  # noqa: E402
from tally import Tally  # noqa: E402

WAYS = [
    ["--no-por", "--no-merge", "--no-dead", "--no-slice", "--no-ranges", "--threads", "1"],
    [],
    ["--threads", "3", "--no-merge", "--cycles", "cndfs"],
    ["--cycles", "owcty", "--no-por", "--threads", "2"],
    ["--cycles", "components"],
    ["--store", "tree", "--no-slice", "--cycles", "ufscc", "--threads", "2"],
]


class Maker(symmetry_compare.Maker):
    def __init__(self, seed):
        super().__init__(seed)
        self.ends = self.rng.random() < 0.05
        self.tells_apart = False
        self.single = self.rng.random() < 0.1

    def atom(self):
        r = self.rng
        choices = [f"g == {r.randrange(3)}", f"g != {r.randrange(3)}", "h", "!h", f"g > {r.randrange(2)}"]
        if self.room:
            choices += ["len(q) > 0", "len(q) == 0"]
        if self.single and self.slots:
            choices += ["a[1] == 1", "a[0] == a[1]"]
        return f"({r.choice(choices)})"

    def formula(self, depth):
        r = self.rng
        if depth == 0 or r.random() < 0.15:
            return self.atom()
        if r.random() < 0.5:
            return r.choice(["[]", "<>", "!", "[]<>", "<>[]", "[]<>", "<>[]"]) + f"({self.formula(depth - 1)})"
        return f"(({self.formula(depth - 1)}){r.choice([' U ', ' && ', ' || ', ' -> '])}({self.formula(depth - 1)}))"


def ask(gyre, path, *options):
    done = subprocess.run([gyre, path, "--json", "--check", "liveness", "--time", "60", *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=200)
    if done.returncode in (0, 1, 3):
        return schema.report(done.stdout), None
    return None, f"status {done.returncode}: {done.stderr.decode()[:400]}"


def figures(report):
    item = report["properties"][0]
    return item["verdict"], item["states"]


def case(given, folder, seed):
    """(what, folded): what is wrong, None or 'skip'; was it symmetric?"""
    maker = Maker(seed)
    path = os.path.join(folder, f"sym{seed}.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(maker.program() + f"ltl p {{ {maker.formula(3)} }}\n")
    exact, problem = ask(given.gyre, path, "--exact")
    if problem or exact["verdict"] == "inconclusive" or exact["properties"][0]["states"] > 200000:
        return seed, "skip", False
    expected, states = figures(exact)
    folded = False
    for way in WAYS:
        found, problem = ask(given.gyre, path, "--symmetry", *way)
        if problem and "--symmetry is not possible" in problem:  # refused, with a reason
            found, problem = ask(given.gyre, path, *way)
            if problem or figures(found)[0] != expected:
                return seed, f"{way}, not symmetric: {problem or figures(found)}, not {expected}", False
            return seed, None, False
        if problem or figures(found)[0] != expected:
            return seed, f"{way}: {problem or figures(found)}, not {expected}", False
        folded = folded or expected == "holds" and way == WAYS[0] and figures(found)[1] < states
    trail = path + ".trail"
    if expected == "violated" and seed % 4 == 0:
        subprocess.run([given.gyre, path, "--quiet", "--check", "liveness", "--symmetry", "--trail", trail],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        walked = subprocess.run([given.gyre, "replay", path, trail, "--json"], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, timeout=300)
        if walked.returncode not in (0, 1):
            return seed, f"the trail cannot be walked: {walked.stderr.decode()[-200:]}", False
    return seed, None, folded


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gyre", default=os.path.join(ROOT, "build/gyre"))
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    tally, smaller = Tally(os.path.join(ROOT, "build", "symmetry-failures")), 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1))) as pool:
        for seed, what, folded in pool.map(lambda s: case(given, folder, s), range(given.seed, given.seed + given.count)):
            smaller += folded
            tally.add(os.path.join(folder, f"sym{seed}.pml"), what)
    if not smaller:
        tally.fail("no product became smaller")
    print(f"{tally.skipped} skipped, {smaller} of those that hold have fewer states with symmetry")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
