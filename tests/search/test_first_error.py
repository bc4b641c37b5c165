#!/usr/bin/env python3
# check: search: the first error fast; seconds 20
"""The first error fast: what any run meets is found although breadth-first search is far from it.

Each model has an error that its first depth-first run meets and that lies behind more states than a
minute of breadth-first search sees. What is expected of lengths was counted by hand, and is said
beside each model. GYRE names another binary. Ends with `N passed, N failed`.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))

# A round is four statements (guard, two increments, assertion). Fifty rounds are needed, and in the
# shortest run five of the six processes leave out their last assertion: 195.
CLOCKS = """byte c[6]; byte total;
active [6] proctype clock() {
  do
  :: c[_pid] < 9 -> c[_pid]++; total++; assert(total < 50)
  :: c[_pid] == 9 -> break
  od
}
"""
# 20,000 rounds of two statements, `else`, `break` is none, and the assertion: no run is shorter.
COUNTER = """int n;
active proctype counter() {
  do :: n < 20000 -> n++ :: else -> break od;
  assert(false)
}
active [3] proctype noise() {
  byte x, y;
  do :: x < 250 -> x++ :: x > 0 -> x-- :: y < 250 -> y = y + 3 :: y > 0 -> y-- od
}
"""
# 100,000 rounds of two statements and `else`; the others may end at once.
DEADLOCK = """int n; chan nobody = [0] of { bit };
active proctype counter() {
  do :: n < 100000 -> n++ :: else -> nobody!1 od
}
active [3] proctype noise() {
  byte x, y;
  do :: x < 250 -> x++; y = x :: y > 0 -> y-- :: x == 250 || y == 0 -> break od
}
"""
# Everybody takes the fork on the left: two statements each, the first of which lays it down.
PHILOSOPHERS = """chan fork[12] = [1] of { bit };
active [12] proctype philosopher() {
  bit b;
  fork[_pid]!1;
  do :: fork[_pid]?b; fork[(_pid + 1) % 12]?b; fork[_pid]!1; fork[(_pid + 1) % 12]!1 od
}
"""
# Holds; enough states for probes to have their turns.
LOCKS = """#define N 4
bit lock[N]; byte in[N];
active [N] proctype p() {
  byte i;
  do
  :: atomic { lock[_pid % 2] == 0 -> lock[_pid % 2] = 1 };
     in[_pid % 2]++;
     do :: i < 9 -> i++ :: i > 0 -> i-- :: break od;
     assert(in[_pid % 2] == 1);
     in[_pid % 2]--;
     lock[_pid % 2] = 0
  od
}
"""

passed = failed = 0


def check(name, good, seen=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}\n{seen}")


def run(text, *options):
    """The report as JSON (or, with another form of it, as text), and the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pml")
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run([GYRE, "model.pml", *options], cwd=folder, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        replayed = None
        if "--trail" in options and done.returncode == 1:
            replayed = subprocess.run([GYRE, "replay", "model.pml", options[-1]], cwd=folder, timeout=300,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return (schema.report(done.stdout) if "--json" in options else done.stdout), done.returncode, replayed


def found(name, text, kind, least, *options):
    """An error of that kind, with a run of at least that many statements; how many it has."""
    report, status, _ = run(text, "--json", "--time", "60", *options)
    safety = report["properties"][0]
    example = safety.get("counterexample", {})
    told = {k: example.get(k) for k in ("kind", "length", "shortest", "first_length")}
    check(f"{name}: found", status == 1 and example.get("kind") == kind, (status, told))
    length = example.get("length", 0)
    check(f"{name}: no shorter than can be", length >= least, told)
    check(f"{name}: called shortest only where it is", not example.get("shortest") or length == least, told)
    check(f"{name}: not longer than when it was found", length <= example.get("first_length", length), told)
    # Breadth-first search would need far more.
    check(f"{name}: after few states", safety["states"] < 3_000_000, safety["states"])
    return length


def deep_errors():
    for threads in ("1", "2"):
        found(f"clocks, {threads} threads", CLOCKS, "assertion", 195, "--threads", threads)
    found("counter", COUNTER, "assertion", 40002)
    found("deadlock", DEADLOCK, "invalid-end-state", 200001)
    found("counter, virtual machine", COUNTER, "assertion", 40002, "--backend", "vm")
    found("clocks, plain store", CLOCKS, "assertion", 195, "--store", "plain")
    found("clocks, exact", CLOCKS, "assertion", 195, "--exact")
    length = found("philosophers", PHILOSOPHERS, "invalid-end-state", 24)
    check("philosophers: made shorter", length <= 32, length)


def told():
    text, status, replayed = run(CLOCKS, "--trail", "t.trail")
    shortened = re.search(r"^Counterexample: (\d+) steps \(shortened from (\d+) with limited effort; --shortest", text, re.M)
    check("it says that it was shortened", status == 1 and shortened, text[:2000])
    check("from more to less", shortened and int(shortened[1]) < int(shortened[2]), text[:200])
    check("and not that it is shortest", "no shorter one exists" not in text, text[:200])
    check("the trail of it can be walked", replayed and "assertion failed" in replayed.stdout,
          replayed and replayed.stdout[-2000:])
    # Two each to lay down and take up one's own fork: with one philosopher's fork missing, all wait.
    text, status, _ = run(PHILOSOPHERS.replace("12", "4"), "--shortest")
    check("--shortest of safety", status == 1 and "Counterexample: 8 steps (no shorter one exists)" in text,
          text[:2000])


def limited_effort():
    """An error near the start, found at once: what is done to shorten the path to it has an end, which is
    counted, so it is the same path for any number of threads."""
    runs = []
    for threads in ("1", "2"):
        report, _, _ = run(PHILOSOPHERS, "--json", "--threads", threads, "--no-por", "--no-symmetry")
        example = report["properties"][0]["counterexample"]
        check(f"the effort was limited, {threads} threads", example.get("effort_spent") is True, example.get("length"))
        check("and it is not called shortest", example["shortest"] is False)
        runs.append((example["length"], [(s["process"], s["text"]) for s in example["steps"]]))
    check("the same path", runs[0] == runs[1], [r[0] for r in runs])
    report, _, _ = run(PHILOSOPHERS.replace("12", "4"), "--json")
    example = report["properties"][0]["counterexample"]
    check("within the effort", example["shortest"] is True and "effort_spent" not in example, example)


def what_is_compared():
    for option in ((), ("--shortest",)):
        # By hand: six statements, against three rendezvous and one statement: four steps, seven statements.
        text, status, _ = run("""chan c = [0] of { bit }; byte x;
            active proctype S() { if :: c!0; c!0; c!0; assert(false) :: x = 1; x = 2; x = 3; x = 4; x = 5; assert(false) fi }
            active proctype R() { end: do :: c?0 od }""", *option)
        check(f"what is compared is said: rendezvous {option}", "Counterexample: 6 steps (no shorter one exists, a rendezvous counted as two)" in text, text[:200])
        # Four statements in three transitions, against five in one.
        text, status, _ = run("""byte x;
            active proctype S() { if :: atomic { x = 1; x = 2 }; x = 3; assert(false) :: atomic { x = 1; x = 1; x = 1; x = 1; assert(false) } fi }""", *option)
        check(f"and an atomic sequence is not counted as one {option}", "Counterexample: 4 steps (no shorter one exists)" in text, text[:200])


def complete_searches():
    """What probes see is in no figure, whatever the number of threads."""
    figures = {}
    for options in (["--search", "bfs"], ["--threads", "1"], ["--threads", "2"], ["--threads", "3"]):
        report, status, _ = run(LOCKS, "--json", *options)
        safety = report["properties"][0]
        figures[" ".join(options)] = (status, safety["states"], safety["transitions"], safety["depth"])
    check("complete searches count the same", len(set(figures.values())) == 1, figures)
    check("and are complete", all(f[0] == 0 for f in figures.values()), figures)
    check("there are enough states for probes", all(f[1] > 20_000 for f in figures.values()), figures)


def limits():
    report, status, _ = run(CLOCKS.replace("< 50", "< 60"), "--json", "--time", "2", "--memory", "60M")
    stats = report["stats"]
    check("limits hold", status == 3 and stats["seconds"] < 4 and stats["memory_bytes"] < 64e6,
          (status, stats["seconds"], stats["memory_bytes"]))


def plan():
    for option in ("--shortest", "--all-errors", "--search=bfs", "--depth=1000"):
        text, _, _ = run(PHILOSOPHERS.replace("12", "3"), "--verbose", *option.split("="))
        check(f"no probes with {option}", re.search(r"probes +no", text), text[:1500])
    text, _, _ = run(PHILOSOPHERS.replace("12", "3"), "--verbose")
    check("else there are", re.search(r"probes +yes", text), text[:1500])


for part in (deep_errors, told, limited_effort, what_is_compared, complete_searches, limits, plan):
    part()
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
