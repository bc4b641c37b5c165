#!/usr/bin/env python3
"""One search over several processes: mpirun -n N gyre MODEL --mpi.

What is said between ranks is tested by tests/unit/test_ranks.c, in every order; here it is real
processes, over each kind of MPI that is installed, and the command line. --long: every model.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import schema

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GYRE = os.path.join(ROOT, "build", "gyre")
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
passed = failed = 0


def check(what, good, detail=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAILED {what} {detail}")


def launchers():
    """{name: command before the program, for so many ranks}"""
    found = {}
    if shutil.which("mpirun.openmpi") and os.path.exists(os.path.join(ROOT, "build/gyre-mpi-openmpi.so")):
        found["Open MPI"] = lambda n: ["mpirun.openmpi", "--oversubscribe", "-q", "-n", str(n)]
    if shutil.which("mpiexec.mpich") and os.path.exists(os.path.join(ROOT, "build/gyre-mpi-mpich.so")):
        found["MPICH"] = lambda n: ["mpiexec.mpich", "-n", str(n)]
    return found


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300, env=ENVIRONMENT, **more)


def told(result):
    try:
        return schema.report(result.stdout)
    except Exception as problem:  # not what the schema says, either
        return {"verdict": f"{problem}: {result.stdout[-300:]} {result.stderr[-500:]}", "properties": []}


def figures(report):
    """What must be the same over any number of ranks."""
    rows = []
    for p in report["properties"]:
        counts = (p["states"], p["transitions"], p["depth"]) if p["verdict"] == "holds" else ()
        ways = [(c["kind"], c["length"]) for c in p.get("counterexamples", [p["counterexample"]] if p.get("counterexample") else [])]
        rows.append((p["name"], p["verdict"], counts, ways))
    return report["verdict"], rows


def compare(model, options, ranks, launcher):
    alone = run([GYRE, model, "--json", *options])
    together = run([*launcher(ranks), GYRE, model, "--mpi", "--json", "--threads", str(1 + ranks % 2), *options])
    report = told(together)
    check(f"{model} {options} on {ranks}: status", alone.returncode == together.returncode,
          f"{alone.returncode} {together.returncode} {together.stderr[-300:]}")
    check(f"{model} {options} on {ranks}", figures(told(alone)) == figures(report),
          f"{figures(told(alone))} {figures(report)}")
    return report


def test_models(name, launcher):
    for ranks, model, options in [
            (2, "examples/peterson.pml", ["--exact", "--check", "safety"]),
            (4, "examples/raft_election.pml", ["--exact", "--check", "safety"]),
            (3, "examples/philosophers.pml", ["--exact", "--check", "safety"]),
            (3, "examples/broken_mutex.pml", ["--exact"]),
            (2, "tests/models/trace/incomplete.pml", ["--exact", "--check", "safety"])]:
        report = compare(model, options, ranks, launcher)
        spread = report.get("stats", {}).get("ranks", {})
        check(f"{name}: {model} tells of ranks", spread.get("count") == ranks, str(report.get("stats")))


def test_command_line(name, launcher):
    # Rank 0 alone tells.
    text = run([*launcher(3), GYRE, "examples/broken_mutex.pml", "--mpi"])
    check(f"{name}: one report", text.stdout.count("Counterexample: 7 steps") == 1 and text.returncode == 1, text.stdout)
    check(f"{name}: ranks are told", "3 ranks" in text.stdout, text.stdout)
    # What can't be is refused by all, once.
    for options, why in [(["--search", "dfs"], "--search: --mpi is a breadth-first search"),
                         (["--store", "bitstate"], "--store tree or plain")]:
        bad = run([*launcher(2), GYRE, "examples/peterson.pml", "--mpi", "--check", "safety", *options])
        check(f"{name}: {options}", bad.returncode == 2 and bad.stderr.count(why) == 1, bad.stderr)
    wrong = run([*launcher(2), GYRE, "tests/models/rejected/undeclared.pml", "--mpi"])
    check(f"{name}: a wrong model", wrong.returncode == 2 and wrong.stderr.count("error:") >= 1, wrong.stderr)
    # A limit of one is the limit of all.
    limit = run([*launcher(2), GYRE, "bench/models/elevator.pml", "--mpi", "--memory", "1M", "--check", "safety"])
    check(f"{name}: --memory", limit.returncode == 3 and "memory limit" in limit.stdout, limit.stdout + limit.stderr)


def test_alone():
    one = run([GYRE, "examples/peterson.pml", "--mpi", "--check", "safety", "--json", "--exact"])
    check("without mpirun", told(one)["stats"]["ranks"]["count"] == 1 and one.returncode == 0, one.stderr)
    with tempfile.TemporaryDirectory() as folder:  # a program without the objects beside it
        lonely = os.path.join(folder, "gyre")
        shutil.copy(GYRE, lonely)
        for variable, package in [("OMPI_COMM_WORLD_SIZE", "libopenmpi-dev"), ("PMI_SIZE", "libmpich-dev")]:
            environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI", "PMI"))}
            environment[variable] = "1"
            result = subprocess.run([lonely, "examples/peterson.pml", "--mpi"], capture_output=True, text=True, cwd=ROOT,
                                    env=environment, timeout=60)
            check(f"without {package}", result.returncode == 2 and f"install {package}" in result.stderr, result.stderr)


def main():
    found = launchers()
    test_alone()
    for name, launcher in found.items():
        test_models(name, launcher)
        test_command_line(name, launcher)
    if not found:
        print("no MPI is installed (libopenmpi-dev or libmpich-dev): ranks as processes were not tested")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
