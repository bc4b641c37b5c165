#!/usr/bin/env python3
"""Many different random programs of all kinds, as Gyre verifies them by default and as it does exactly.

    soak.py [--gyre PROGRAM] [--count N] [--seed N] [--makers NAME,…] [--spin SHARE]

For each program the reference is `--exact --all-errors` on the virtual machine, and for one in SHARE
also Spin's exact count. The default must give the same verdicts; all
reductions with --all-errors must give the same faults and invalid end states; and one of OTHERS, in
turn, the same verdicts. The table at the end says what the programs were worth: how many differ in
their text, were violated, stop where they should not, have more than 100 states, were reduced.

A program that differs is kept in build/soak-failures. The last line is `N passed, N failed`.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare                                                      # noqa: E402
import mix_programs                                                 # noqa: E402
import oracle                                                       # noqa: E402
import reduce_compare                                               # noqa: E402
import symmetry_compare                                             # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAKERS = {
    **reduce_compare.MAKERS,
    "symmetric": lambda seed: (symmetry_compare.Maker(seed).program(), []),
    "mix": mix_programs.program,
    "mixlive": mix_programs.live_program,
}
SECONDS = 60
GOES_ON = {"assertion", "invalid-end-state"}  # errors behind which Spin goes on as Gyre does
OF_FORMULAS = {"acceptance-cycle", "claim-end"}

# Ways to search that all keep the answer, one of them in turn for each program.
OTHERS = [
    ["--backend", "native", "--threads", "1"],
    ["--backend", "native", "--threads", "2", "--store", "plain"],
    ["--search", "dfs", "--threads", "2"],
    ["--search", "dfs", "--threads", "1", "--store", "plain"],
    ["--search", "dfs", "--backend", "native", "--no-merge"],
    ["--search", "deepening"],
    ["--threads", "3", "--no-slice"],
    ["--store", "automaton", "--no-dead"],
    ["--check-reduction"],
    ["--shortest"],
    ["--no-ranges", "--no-symmetry"],
    ["--no-por", "--backend", "native"],
]
OF_LIVENESS = [
    ["--formulas", "together"], ["--formulas", "apart"], ["--cycles", "nested"], ["--cycles", "cndfs"],
    ["--cycles", "ufscc", "--threads", "3"], ["--cycles", "owcty"], ["--cycles", "map"], ["--cycles", "components"],
    ["--shortest"], ["--deterministic"], ["--backend", "native"],
]


def ask(gyre, path, options):
    """(report, problem)"""
    argv = [gyre, path, "--json", "--time", str(SECONDS), "--memory", "1500M", *options]
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=4 * SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None, "time-out"
    if done.returncode not in (0, 1, 3):
        return None, f"exit status {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}"
    try:
        return json.loads(done.stdout), None
    except ValueError:
        return None, "no JSON"


def verdicts(report):
    return [(p["name"], p["verdict"]) for p in report["properties"]]


def of_spin(path, exact, tally):
    """What Spin's exact search says otherwise, or None; safety only."""
    safety = [p for p in exact["properties"] if p["kind"] == "safety"]
    spin = compare.ask_spin(path, use_cache=False)
    if spin["skip"] or not safety or set(spin["kinds"]) - GOES_ON:
        return None
    tally["spin"] += 1
    ours = safety[0]
    both = [(spin["verdict"], spin["states"], spin["transitions"]),
            (ours["verdict"], ours["states"], ours["transitions"])]
    if both[0] == both[1] or not compare.spin_is_stable(path, spin, use_cache=False):
        return None
    return f"Spin: {both[0]}, exactly {both[1]}"


def formulas_of_spin(path, exact, tally):
    """What Spin says otherwise of a formula, or None. To it, a claim is one of `_nr_pr`."""
    with open(path, encoding="utf-8") as text:
        if "_nr_pr" in text.read():
            return None
    for item in exact["properties"]:
        spin = oracle.liveness(path, "-a", item["name"], seconds=30, use_cache=False)
        if spin["problem"] or not spin["complete"] and spin["verdict"] != "violated" or set(spin["kinds"]) - OF_FORMULAS:
            continue
        tally["spin"] += 1
        if spin["verdict"] != item["verdict"]:
            return f"{item['name']}: Spin: {spin['verdict']} {spin['kinds']}, exactly {item['verdict']}"
    return None


class Worth(collections.Counter):
    COLUMNS = ["programs", "different", "skipped", "violated", "deadlock", "over 100", "reduced", "spin", "wrong"]

    def row(self, name):
        return f"{name:10}" + "".join(f"{self[column]:>11}" for column in self.COLUMNS)


def other_way(exact, number):
    """Options of the third run, in turn."""
    alone = all(p["kind"] == "safety" for p in exact["properties"])
    ways = OTHERS if alone else OTHERS[:2] + OF_LIVENESS
    return ways[number // 9 % len(ways)]


def against_exact(given, path, extra, exact, number, tally):
    """What differs from the exact answer, or None."""
    default, problem = ask(given.gyre, path, extra)
    if problem or verdicts(default) != verdicts(exact):
        return f"[] {problem or verdicts(default)}, exactly {verdicts(exact)}"
    every, problem = ask(given.gyre, path, ["--all-errors", "--witnesses", "0", *extra])
    wrong = problem or reduce_compare.difference(reduce_compare.facts(exact), reduce_compare.facts(every))
    if wrong:
        return f"[--all-errors] {wrong}"
    tally["reduced"] += sum(p["states"] for p in every["properties"]) < sum(p["states"] for p in exact["properties"])
    options = other_way(exact, number)
    other, problem = ask(given.gyre, path, [*options, *extra])
    if problem and "exit status 2" in problem:
        tally["refused"] += 1
        return None
    if problem or verdicts(other) != verdicts(exact):
        return f"[{' '.join(options)}] {problem or verdicts(other)}, exactly {verdicts(exact)}"
    return None


def check(given, path, extra, number, tally):
    """None if all is well, else what is wrong; 'skip' for a program that tells nothing."""
    exact, problem = ask(given.gyre, path, ["--exact", "--all-errors", "--witnesses", "0", "--backend", "vm", *extra])
    if problem:
        tally["rejected"] += problem.startswith("exit status 2")
        return "skip" if problem.startswith("exit status 2") else f"--exact: {problem}"
    states = max((p["states"] for p in exact["properties"]), default=0)
    if exact["verdict"] == "inconclusive" or not exact["properties"] or states > reduce_compare.TOO_MANY:
        return "skip"
    tally["violated"] += exact["verdict"] == "violated"
    tally["deadlock"] += any(e["kind"] == "invalid-end-state" for p in exact["properties"]
                             for e in p.get("counterexamples", []))
    tally["over 100"] += states > 100
    wrong = against_exact(given, path, extra, exact, number, tally)
    if not wrong and given.spin and number % given.spin == 0:
        asked = of_spin if "liveness" not in extra else formulas_of_spin
        wrong = asked(path, exact, tally) if "--fairness" not in extra else None
    return wrong


def one(given, folder, number, seen, tallies):
    """(path, what is wrong or None)"""
    name = given.makers[number % len(given.makers)]
    text, extra = MAKERS[name](given.seed + number)
    path = os.path.join(folder, f"{name}{given.seed + number}.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    tally = tallies[name]
    tally["programs"] += 1
    digest = hashlib.sha1(text.encode()).digest()
    new = digest not in seen
    seen.add(digest)
    tally["different"] += new
    wrong = check(given, path, extra, number, tally) if new else "skip"
    if wrong == "skip":
        tally["skipped"] += 1
    elif wrong:
        tally["wrong"] += 1
        os.makedirs(given.keep, exist_ok=True)
        shutil.copy(path, given.keep)
    os.remove(path)
    return path, None if wrong == "skip" else wrong


def table(tallies):
    lines = ["generator " + "".join(f"{column:>11}" for column in Worth.COLUMNS)]
    total = Worth()
    for name, tally in tallies.items():
        total.update(tally)
        lines.append(tally.row(name))
    return "\n".join([*lines, total.row("all")]), total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gyre", default=os.path.join(ROOT, os.environ.get("GYRE", "build/gyre")))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--makers", default=",".join(MAKERS), type=lambda t: t.split(","))
    parser.add_argument("--spin", type=int, default=0, metavar="SHARE", help="ask Spin about one in SHARE")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1)))
    parser.add_argument("--keep", default=os.path.join(ROOT, "build", "soak-failures"))
    parser.add_argument("--table", metavar="FILE", help="write the table there every 100 programs")
    given = parser.parse_args()
    tallies, seen, failed = {name: Worth() for name in given.makers}, set(), 0
    with tempfile.TemporaryDirectory(prefix="gyre-soak-") as folder, \
            concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        os.environ["GYRE_CACHE"] = os.path.join(folder, "cache")
        if shutil.which("tcc"):
            os.environ["GYRE_CC"] = "tcc"
        answers = pool.map(lambda number: one(given, folder, number, seen, tallies), range(given.count))
        for at, (path, wrong) in enumerate(answers):
            if wrong:
                failed += 1
                print(f"{os.path.basename(path)}: {wrong}", flush=True)
            if given.table and at % 100 == 99:
                with open(given.table, "w", encoding="utf-8") as out:
                    out.write(table(tallies)[0] + "\n")
    text, total = table(tallies)
    print(text)
    passed = given.count - total["skipped"] - failed
    if 2 * passed < given.count:
        print(f"{total['skipped']} of {given.count} skipped: too many")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
