#!/usr/bin/env python3
# check: search: the same errors in every run; seconds 25
"""Of many errors, the same ones are reported in every run, whatever the number of threads or ranks.

    test_all_errors.py [GROUP]…

threads   390,625 states, 6,561 of them deadlocks: 1, 2 and 8 threads, several runs, both backends
first     the first N errors
faults    several kinds of errors at once, with and without reductions
kinds     several errors of one step
engines   the same errors by each engine
ranks     1, 2 and 3 MPI ranks

The numbers are counted by hand: eight processes that each have five values, of which three are dead ends.
GYRE names another binary. Ends with `N passed, N failed`.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import groups  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
RUN_OVER = ["mpirun.openmpi", "--oversubscribe", "-q", "-n"]
# Values 1, 2 and 4 are dead ends. No process reads what another one writes.
DEADLOCKS = """byte x[8];
active [8] proctype P() {
  do :: atomic { x[_pid] == 0 -> x[_pid] = 1 } :: atomic { x[_pid] == 0 -> x[_pid] = 2 }
     :: atomic { x[_pid] == 0 -> x[_pid] = 3 } :: atomic { x[_pid] == 3 -> x[_pid] = 4 } od
}
"""
FAULTS = """byte x[6], sum;
active [6] proctype P() {
  do :: atomic { x[_pid] == 0 -> x[_pid] = 1; sum = sum + 1 } :: atomic { x[_pid] == 0 -> x[_pid] = 2 }
     :: x[_pid] == 1 -> assert(sum < 4); x[_pid] = 3
     :: x[_pid] == 2 -> assert(sum < 3 || x[0] != 2); x[_pid] = 4 od
}
"""


def gyre(model, *arguments, before=()):
    p = subprocess.run([*before, GYRE, model, "--json", *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                       env=ENVIRONMENT, timeout=600, check=False)
    return json.loads(p.stdout)["properties"][0]


def end_of(counterexample):
    """What went wrong, and where the run ended."""
    values = dict(enumerate(counterexample["initial"]["globals"]["x"]))
    for step in counterexample["steps"]:
        for change in step["changes"]:
            if change["name"].startswith("x["):
                values[int(change["name"][2:-1])] = change["new"]
    last = counterexample["steps"][-1]
    if counterexample["kind"] == "invalid-end-state":
        return "end", tuple(values.values())
    return counterexample["kind"], last["line"]


def errors(report):
    return sorted(end_of(c) for c in report["counterexamples"])


def same_as(first, *arguments, before=()):
    report = gyre("m.pml", *arguments, before=before)
    found = errors(report)
    wrong = []
    if found != first["found"]:
        wrong.append(f"{' '.join([*before[-1:], *arguments])}: {found}, before {first['found']}")
    if report["errors"] != first["errors"]:
        wrong.append(f"{' '.join(arguments)}: {report['errors']} errors, before {first['errors']}")
    return wrong


def deadlocks(count, *arguments):
    """Of one thread: right ones, and so many."""
    write(DEADLOCKS)
    report = gyre("m.pml", "--threads", "1", *arguments)
    found = errors(report)
    wrong = []
    if len(set(found)) != count or any(v not in (1, 2, 4) for _, end in found for v in end):
        wrong.append(f"{' '.join(arguments)}: {found}")
    return {"found": found, "errors": report["errors"]}, wrong


def write(text):
    with open("m.pml", "w", encoding="utf-8") as file:
        file.write(text)


def threads():
    first, wrong = deadlocks(10, "--all-errors", "--exact")
    yield "one thread", wrong + ([] if first["errors"] == 3 ** 8 else [f"{first['errors']} errors, and not {3 ** 8}"])
    for count in "2", "8":
        for _ in range(3):
            yield count, same_as(first, "--all-errors", "--exact", "--threads", count)
    for backend in "native", "vm":
        yield backend, same_as(first, "--all-errors", "--exact", "--threads", "8", "--backend", backend)
    first, wrong = deadlocks(25, "--all-errors", "--exact", "--witnesses", "25")
    yield "25 of a kind", wrong + same_as(first, "--all-errors", "--exact", "--witnesses", "25", "--threads", "8")
    first, wrong = deadlocks(10, "--all-errors", "--no-symmetry")
    for _ in range(3):
        wrong += same_as(first, "--all-errors", "--no-symmetry", "--threads", "8")
    yield "reduced", wrong
    yield "values that are dead at the end", counts()


def counts():
    """Reductions take end states that differ in what is never read again for one. What is shown is of the exact
    model: 3 values of each process, 3 ** 4 end states, and 10 counterexamples."""
    body = "do :: x < 4 -> x++ :: x > 1 -> x = x + 10; break od; false"
    write("byte a, b, c, d;\n" + "".join(f"active proctype P{x}() {{ {body.replace('x', x)} }}\n" for x in "abcd"))
    wrong = []
    for options in [], ["--exact"]:
        report = gyre("m.pml", "--all-errors", "--threads", "2", *options)
        found = report["errors"], len(report["counterexamples"]), report["left_out"]
        if found != (81, 10, 71):
            wrong.append(f"{options}: errors, shown, left out: {found}")
    return wrong


def first():
    """All have the same length: eight processes, one or two moves each, of two statements."""
    for count in 4, 14:
        found, wrong = deadlocks(count, f"--all-errors={count}", "--exact")
        for _ in range(2):
            report = gyre("m.pml", f"--all-errors={count}", "--exact", "--threads", "8")
            if errors(report) != found["found"]:
                wrong.append(f"{errors(report)}, before {found['found']}")
        yield str(count), wrong


def faults():
    for reductions in ["--exact"], ["--no-symmetry"]:
        write(FAULTS)
        report = gyre("m.pml", "--all-errors", "--threads", "1", *reductions)
        found = {"found": errors(report), "errors": report["errors"]}
        kinds = {kind for kind, _ in found["found"]}
        wrong = [] if kinds == {"end", "assertion"} else [f"{kinds}"]
        for count in "2", "8", "8":
            wrong += same_as(found, "--all-errors", "--threads", count, *reductions)
        yield " ".join(reductions), wrong


def several_faults():
    """Name, model, numbers of states and transitions, kinds of errors: those of Spin 6.5.2 (-c0, -o1 -o2 -o3). The
    offer that is never taken is none to Gyre, and what an error leaves that ends the step is no state."""
    deterministic = "byte n; chan q = [%d] of { byte };\nactive D_proctype S() { if :: n = 1 :: q!2 fi }\n"
    receiver = "active proctype P() { byte x; %sq?x }\n"
    trace, both = "notrace { q!2 }\n", {"nondeterminism", "trace-violation"}
    yield "a buffered send", deterministic % 2 + trace, (5, 5), both
    yield "a rendezvous", deterministic % 0 + receiver % "" + trace, (5, 5), both
    yield "an offer that is not taken", deterministic % 0 + receiver % "false; " + trace, (2, 2), set()
    yield ("either half", deterministic % 0 +
           "active D_proctype P() { byte x; if :: n > 0 || n == 0 :: q?x fi }\n" + trace, (10, 12), both)
    yield ("one that goes on and one that does not",
           "byte i = 2, a[2];\nactive proctype P() { d_step { assert(i == 1); a[i] = 1 } }\n", (1, 1),
           {"assertion", "index-out-of-bounds"})
    yield ("enabled() after an assertion", "byte x;\nactive proctype P() { d_step { assert(x == 1); x = enabled(1) } }\n"
           "active proctype Q() { x == 1 }\n", (2, 2), {"assertion"})


def kinds():
    for name, model, counts, expected in several_faults():
        wrong = []
        for options in "--backend vm", "--backend native", "--search dfs", "--threads 8":
            write(model)
            report = gyre("m.pml", "--all-errors", "--exact", "--no-deadlock", *options.split())
            found = {c["kind"] for c in report.get("counterexamples", [])}
            if (report["states"], report["transitions"], found) != (*counts, expected):
                wrong.append(f"{options}: {report['states']} states, {report['transitions']} transitions, {found}")
        yield name, wrong


ENGINES = ["", "--search dfs", "--search dfs --threads 8", "--search deepening", "--search best", "--reduce cartesian"]


def engines():
    """End states that differ in values that are not read again. Of the small model each counts: three values times
    two. Of the large one, whose 120,000 are too many to search the exact model for them, all are one."""
    model = ("byte g;\nactive proctype P() { byte x; select(x : 1..%d); g = x; g = 0; (g == 1) }\n"
             "active proctype Q() { byte y; select(y : 1..%d); false }\n"
             "active proctype R() { byte y; select(y : 1..%d); false }\n")
    for name, sizes, expected in ("small", (3, 2, 1), 6), ("large", (40, 60, 50), 1):
        wrong = []
        for options in ENGINES:
            write(model % sizes)
            report = gyre("m.pml", "--all-errors", *options.split())
            found = report["errors"], len(report["counterexamples"]), report["left_out"]
            if found != (expected, expected, 0):
                wrong.append(f"{options}: errors, shown, left out: {found}")
        yield name, wrong


def ranks():
    if not shutil.which("mpirun.openmpi") or not os.path.exists(os.path.join(ROOT, "build/gyre-mpi-openmpi.so")):
        return
    first, wrong = deadlocks(10, "--all-errors", "--exact")
    for count in "1", "2", "3":
        wrong += same_as(first, "--all-errors", "--exact", "--mpi", "--threads", "1", before=[*RUN_OVER, count])
    yield "deadlocks", wrong
    write(FAULTS)
    report = gyre("m.pml", "--all-errors", "--exact", "--threads", "2")
    first = {"found": errors(report), "errors": report["errors"]}
    yield "faults", [line for count in ("1", "2", "3")
                     for line in same_as(first, "--all-errors", "--exact", "--mpi", "--threads", "1", before=[*RUN_OVER, count])]


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        status = groups.run([threads, first, faults, kinds, engines, ranks])
        os.chdir("/")
    return status


if __name__ == "__main__":
    sys.exit(main())
