#!/usr/bin/env python3
# check: liveness: liveness; seconds 8
"""Liveness: every row of tests/models/liveness/expected.tsv, which Spin made.

    test_liveness.py [MODEL…]

The verdict and, where it is given, the kind of counterexample must be Spin's; for a never claim
without error, so must the states of the product and, if the claim has no accept label (Spin
counts its second search too), the transitions. Counterexamples must be lassos. With reductions,
and however cycles are looked for, the verdict must be the same. GYRE names another binary. Ends
with `N passed, N failed`.
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
JOBS = int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
FOLDER = os.path.join(ROOT, "tests", "models", "liveness")
CYCLES = {"acceptance-cycle", "non-progress-cycle"}
ENGINES = ["components", "nested", "cndfs", "ufscc", "owcty", "map"]
FAIR_ENGINES = ["components", "ufscc"]


def rows():
    with open(os.path.join(FOLDER, "expected.tsv"), encoding="utf-8") as table:
        head = table.readline().rstrip("\n").split("\t")
        return [dict(zip(head, line.rstrip("\n").split("\t"))) for line in table]


def run(model, *options):
    done = subprocess.run([GYRE, model, "--json", *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    try:
        return done.returncode, schema.report(done.stdout)
    except ValueError:
        return done.returncode, {"properties": [], "diagnostics": done.stderr.decode()[-500:]}


def pick(row, report):
    """The property that a row is about."""
    found = [p for p in report["properties"] if row["property"] in ("-", p["name"])]
    return found[0] if found else None


def counterexample_problems(row, example):
    kind = example["kind"]
    if row["kind"] in CYCLES | {"claim-end"} and kind != row["kind"]:
        # A formula that a finite run violates for good needs no cycle; Spin may show one.
        if not (kind == "ltl-violation" and row["kind"] == "acceptance-cycle"):
            yield f"kind {kind} instead of {row['kind']}"
    if row["kind"] == "ltl-violation" and kind not in ("ltl-violation", "acceptance-cycle"):
        yield f"kind {kind}"
    if len(example["steps"]) != example["length"]:
        yield "length is not the number of steps"
    start = example["cycle_start"]
    if kind in CYCLES and not (start is not None and 0 <= start <= example["length"]):
        yield f"cycle_start {start}"
    if kind not in CYCLES and start is not None:
        yield f"{kind} with a cycle"


def claim_accepts(path):
    with open(os.path.join(FOLDER, path), encoding="utf-8") as model:
        return "accept" in model.read()


def case(row):
    check = "progress" if row["mode"].startswith("-l") else "liveness"
    options = ["--check", check]
    if row["mode"].endswith("-f"):
        options += ["--fairness", "weak"]
    status, report = run(os.path.join(FOLDER, row["path"]), "--exact", *options)
    found = pick(row, report)
    if not found:
        return f"exit status {status}, no such property: {report.get('diagnostics')}"
    wrong = []
    if found["verdict"] != row["verdict"]:
        wrong.append(f"{found['verdict']} instead of {row['verdict']}")
    if len(report["properties"]) == 1 and status != {"holds": 0, "violated": 1}[row["verdict"]]:
        wrong.append(f"exit status {status}")
    if found["verdict"] == "violated":
        wrong += counterexample_problems(row, found["counterexample"])
    elif found["kind"] == "never" and row["states"] != "-":
        if str(found["states"]) != row["states"]:
            wrong.append(f"{found['states']} states instead of {row['states']}")
        if not claim_accepts(row["path"]) and str(found["transitions"]) != row["transitions"]:
            wrong.append(f"{found['transitions']} transitions instead of {row['transitions']}")
    for cycles in FAIR_ENGINES if row["mode"].endswith("-f") else ENGINES:
        _, again = run(os.path.join(FOLDER, row["path"]), "--exact", *options, "--cycles", cycles,
                       "--threads", "3")
        other = pick(row, again)
        if not other or other["verdict"] != found["verdict"]:
            wrong.append(f"--cycles {cycles}: {other and other['verdict']}")
        elif found["verdict"] == "holds" and (other["states"], other["transitions"]) != (
                found["states"], found["transitions"]):
            wrong.append(f"--cycles {cycles}: {other['states']} states, {other['transitions']} transitions")
    reduced = pick(row, run(os.path.join(FOLDER, row["path"]), *options)[1])
    if not reduced or reduced["verdict"] != row["verdict"]:
        wrong.append(f"with reductions: {reduced and reduced['verdict']}")
    return "; ".join(wrong) or None


BENCH = os.path.join(ROOT, "bench", "models")
LARGE = [  # products of some ten thousand states: all threads are at work on them
    ("elevator.pml", ["-DFLOORS=2"], "[] (open -> <> !open)"),
    ("readers_writers.pml", ["-DR=2", "-DWR=2"], "[] (writers == 1 -> <> (writers == 0))"),
    ("token_ring.pml", ["-DN=3"], "[]<> (used == 0) || <>[] (given > 0)"),
    ("readers_writers.pml", ["-DR=2", "-DWR=2"], "[]<> (writers == 1)"),
    ("elevator.pml", ["-DFLOORS=2"], "<>[] open"),
]


def threads_case(what):
    """The same for any number of threads: what holds, with its states and transitions, with
    reductions and without; and what is violated, with its lasso, if that is asked for."""
    model, defines, formula = what
    wrong = []
    for options in (["--exact"], [], ["--exact", "--store", "tree"]):
        answers = []
        for threads in (1, 2, 3):
            _, report = run(os.path.join(BENCH, model), *defines, "--check", "liveness", "--ltl", formula,
                            "--deterministic", "--threads", str(threads), *options)
            found = report["properties"][0]
            answers.append((found["verdict"], found["states"], found["transitions"],
                            [step["text"] for step in found.get("counterexample", {}).get("steps", [])]))
        if answers.count(answers[0]) != len(answers):
            wrong.append(f"{options}: {[answer[:3] for answer in answers]}")
    return "; ".join(wrong) or None


def main():
    wanted = sys.argv[1:]
    table = [row for row in rows() if not wanted or row["path"] in wanted]
    passed = failed = 0
    large = [] if wanted else LARGE
    with ThreadPoolExecutor(JOBS) as pool:
        for row, wrong in zip(table, pool.map(case, table)):
            if wrong:
                failed += 1
                print(f"FAILED: {row['path']} {row['property']} {row['mode']}: {wrong}")
            else:
                passed += 1
        for what, wrong in zip(large, pool.map(threads_case, large)):
            passed += not wrong
            failed += bool(wrong)
            if wrong:
                print(f"FAILED: {what[0]} {what[2]}, by threads: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
