#!/usr/bin/env python3
# check: models: models; seconds 50
"""Runs Gyre on every model of tests/models and examples, and compares with Spin.

    test_models.py [--quick] [GROUP…]

Groups: table (verdict and exact counts against expected.tsv, which Spin made), stores and
searches (all agree), trails (each counterexample replays in Spin and is not longer than
Spin's shortest), graphs (control-flow graphs equal those of Spin's verifier), resume.
--quick: the first group only. GYRE names another binary. Ends with `N passed, N failed`.
"""
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import compare  # noqa: E402
import graphs  # noqa: E402
import oracle  # noqa: E402

GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
MODELS = os.path.join(ROOT, "tests", "models")
JOBS = int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1))

# Spin's own trails of these errors do not replay in Spin (see tests/diff/oracle.py).
NOT_REPLAYABLE = {"uninitialised-channel", "too-many-processes", "too-many-channels",
                  "index-out-of-bounds", "division-by-zero"}


def rows():
    with open(os.path.join(MODELS, "expected.tsv"), encoding="utf-8") as table:
        head = table.readline().rstrip("\n").split("\t")
        return [dict(zip(head, line.rstrip("\n").split("\t"))) for line in table]


def gyre(model, *options):
    """(exit status, parsed JSON or None, diagnostics)"""
    done = subprocess.run([GYRE, model, "--json", "--check", "safety", *options],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300)
    try:
        report = schema.report(done.stdout)
    except ValueError:
        report = None
    return done.returncode, report, done.stderr.decode(errors="replace")[-2000:]


def summary(status, report):
    if not report or not report.get("properties"):
        return status, None, None, None
    first = report["properties"][0]
    return status, first["verdict"], first.get("states"), first.get("transitions")


# ---- the groups: each yields (name, function that returns None or what is wrong) -----------


def table_case(row):
    model = os.path.join(MODELS, row["path"])
    status, report, errors = gyre(model, "--exact", "--all-errors")
    if row["verdict"] == "rejected":
        return None if status == 2 else f"exit status {status} instead of 2"
    wanted = {"holds": 0, "violated": 1}[row["verdict"]]
    if status != wanted:
        return f"exit status {status} instead of {wanted}: {errors}"
    first = report["properties"][0]
    wrong = [f"{key}: {first[key]} instead of {row[key]}" for key in ("states", "transitions")
             if row[key] != "-" and str(first[key]) != row[key]]
    kinds = {c["kind"] for c in first.get("counterexamples", [])}
    if row["kind"] != "-" and row["kind"] not in kinds:
        wrong.append(f"kinds {sorted(kinds)} without {row['kind']}")
    return "; ".join(wrong) or None


def stores_case(row):
    model = os.path.join(MODELS, row["path"])
    want = summary(*gyre(model, "--exact", "--all-errors", "--store", "plain")[:2])
    wrong = []
    for store in ("tree", "automaton", "compact", "bitstate"):
        status, report, _ = gyre(model, "--exact", "--all-errors", "--store", store)
        got = summary(status, report)
        lossy = store in ("compact", "bitstate")
        # A lossy store proves nothing: holds becomes inconclusive (status 3).
        unproved = lossy and want[0] == 0
        expected = (3, "inconclusive", *want[2:]) if unproved else want
        if got != expected:
            wrong.append(f"{store}: {got} instead of {expected}")
    for search in ("dfs", "best"):
        got = summary(*gyre(model, "--exact", "--all-errors", "--search", search)[:2])
        if got != want:
            wrong.append(f"{search}: {got} instead of {want}")
    for options in (["--threads", "1"], ["--threads", "3"], ["--threads", "3", "--search", "dfs"],
                    ["--threads", "4", "--store", "plain"]):
        got = summary(*gyre(model, "--exact", "--all-errors", *options)[:2])
        if got != want:
            wrong.append(f"{' '.join(options)}: {got} instead of {want}")
    reduced = [summary(*gyre(model, "--threads", threads)[:2]) for threads in ("1", "3")]
    if reduced[0][0] != want[0]:
        wrong.append(f"by default: {reduced[0]} instead of {want}")
    if reduced[0] != reduced[1]:
        wrong.append(f"reduced, with 1 and 3 threads: {reduced[0]} and {reduced[1]}")
    got = gyre(model, "--search", "deepening")[0]
    if got != want[0]:
        wrong.append(f"deepening: exit status {got} instead of {want[0]}")
    return "; ".join(wrong) or None


def trail_case(row):
    model = os.path.join(MODELS, row["path"])
    with tempfile.TemporaryDirectory() as folder:
        trail = os.path.join(folder, "trail")
        status, report, errors = gyre(model, "--trail", trail)
        if status != 1:
            return f"exit status {status} instead of 1: {errors}"
        found = report["properties"][0]["counterexample"]
        if found["kind"] not in NOT_REPLAYABLE and row["origin"] == "spin":
            replayed = oracle.replay(model, trail)
            if not replayed["ok"]:
                return f"Spin cannot replay the trail: {replayed['complaints'] or replayed['output'][-400:]}"
        done = subprocess.run([GYRE, "replay", model, trail], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        if done.returncode != 1:
            return "gyre replay: " + done.stdout.decode(errors="replace")[-400:]
    if row["origin"] != "spin":
        return None
    best = oracle.shortest(model)
    if best.get("length") is not None and found["length"] > best["length"]:
        return f"{found['length']} steps ({found['kind']}), Spin has {best['length']} ({best['kind']})"
    return None


def graph_case(model):
    problem = graphs.compare(GYRE, model)
    return None if problem in (None, "skip") else problem


def shipped():
    listing = subprocess.run(["dpkg", "-L", "spin"], stdout=subprocess.PIPE, check=True)
    return [path for path in listing.stdout.decode().splitlines() if path.endswith(".pml")]


def examples():
    folder = os.path.join(ROOT, "examples")
    return [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.endswith(".pml")]


def example_case(model):
    """Exact counts and verdict equal Spin's, for models without a row in the table."""
    spin = compare.ask_spin(model, seconds=60)
    mine = compare.ask_gyre(GYRE, model, ["--exact", "--all-errors", "--check", "safety"], 120)
    return compare.differences(spin, mine) or None


def groups(quick):
    table = rows()
    run = [row for row in table if row["verdict"] != "rejected"]
    yield "table", [(row["path"], table_case, row) for row in table]
    if quick:
        return
    yield "examples", [(os.path.basename(m), example_case, m) for m in examples()]
    yield "stores and searches", [(row["path"], stores_case, row) for row in run]
    yield "trails", [(row["path"], trail_case, row) for row in run if row["verdict"] == "violated"]
    yield "graphs", [(path, graph_case, path) for path in
                     shipped() + [os.path.join(MODELS, row["path"]) for row in run]]


def main():
    wanted = [a for a in sys.argv[1:] if not a.startswith("-")]
    passed = failed = 0
    for name, cases in groups("--quick" in sys.argv):
        if wanted and name.split()[0] not in wanted:
            continue

        def attempt(case):
            try:
                return case[0], case[1](case[2])
            except Exception as problem:  # a crash of one case must not hide the others
                return case[0], f"{type(problem).__name__}: {problem}"

        with ThreadPoolExecutor(JOBS) as pool:
            for path, problem in pool.map(attempt, cases):
                if problem is None:
                    passed += 1
                else:
                    failed += 1
                    print(f"{name}: {path}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
