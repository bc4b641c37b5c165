#!/usr/bin/env python3
"""Cartesian reduction (--reduce cartesian) on programs with known answers.

The numbers of stored states are those of Gueta, Flanagan, Yahav, Sagiv, "Cartesian partial-order
reduction" (SPIN 2007), Table 1 (indexer, robots), or counted by hand on its figures 2 and 5. There
a thread that is done goes round a loop; so do these processes. What is refused, and that deadlocks
and faults are found, is on small models.

GYRE names another binary. Ends with `N passed, N failed`.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
UNMERGED = ["--no-merge", "--no-slice", "--no-dead"]  # statement by statement, as in the paper

FIGURE_2 = """int x, y, z, q, w;
active proctype T1() { z = 8; x = 1; z = 42; y = 7; w = z; do :: true od }
active proctype T2() { int priv; q = 8; priv = y; q = 42; priv = x; skip; do :: true od }
"""

FIGURE_5 = """byte x, y;
active proctype T1() { x++; x++; x++; y++; do :: true od }
active proctype T2() { y++; y++; y++; x++; do :: true od }
"""

INDEXER = """int table[128];
active [N] proctype T() {
  byte m = 1; int w = 11 + _pid, h = ((11 + _pid) * 7) % 128;
  do
  :: d_step { m <= 4 ->
       if
       :: table[h] == 0 -> table[h] = w; m++; w = m * 11 + _pid; h = (w * 7) % 128
       :: else -> h = (h + 1) % 128
       fi
     }
  :: m > 4
  od
}
"""

ROBOTS = """#define AT (x * 12 + y)
bool arena[144];
active [N] proctype robot() {
  short x = (_pid == 0 -> 0 : (_pid == 1 -> 4 : 7)), y = 0, dx = 1, dy = 1;
  do
  :: arena[AT] = false;
     d_step {
       x = x + dx; y = y + dy;
       if :: x == 11 || x == 0 -> dx = -dx :: else fi;
       if :: y == 11 || y == 0 -> dy = -dy :: else fi
     }
     d_step { assert(!arena[AT] || MEET); arena[AT] = true }
  od
}
"""

# Whoever is quick enough: two processes choose, one waits, one meets another.
MIXED = """chan c = [0] of { byte }; chan d = [1] of { byte };
byte g;
active proctype A() { if :: g = 1 :: c!1 fi; d!g }
active proctype B() { byte b; if :: c?b :: g == 1 -> g = 2 fi; d?b; assert(b != BAD) }
"""

STUCK = """bool fork[3];
active [3] proctype P() {
  do
  :: atomic { !fork[_pid] -> fork[_pid] = true };
     atomic { !fork[(_pid + 1) % 3] -> fork[(_pid + 1) % 3] = true };
     fork[_pid] = false; fork[(_pid + 1) % 3] = false
  od
}
"""

LATE = """active proctype A() { do :: timeout -> assert(_nr_pr == 1) od }
active proctype B() { skip }
"""

# B never ends, so A can't; C can.
ENDS = """active proctype A() { skip }
active proctype B() { do :: true od }
active proctype C() { skip }
"""

# name, text, options, stored states
COUNTS = [("figure 2", FIGURE_2, UNMERGED, 8),
          ("figure 5", FIGURE_5, UNMERGED, 14),
          ("robots 2", ROBOTS, ["-DN=2", "-DMEET=(x==9||x==2)", *UNMERGED], 56),
          ("robots 3", ROBOTS, ["-DN=3", "-DMEET=(x==9||x==2)", *UNMERGED], 56)]
COUNTS += [(f"indexer {n}", INDEXER, [f"-DN={n}"], states)
           for n, states in ((2, 1), (8, 1), (11, 1), (12, 9), (13, 81), (14, 729))]

# name, text, options, verdict
VERDICTS = [("robots that meet elsewhere", ROBOTS, ["-DN=2", "-DMEET=(x==9)"], "violated"),
            ("choices 0", MIXED, ["-DBAD=0"], None), ("choices 1", MIXED, ["-DBAD=1"], None),
            ("choices 2", MIXED, ["-DBAD=2"], None), ("deadlock", STUCK, [], "violated"),
            ("timeout", LATE, [], "holds"), ("ends", ENDS, [], "holds")]

# options, what is said
REFUSALS = [(["--exact"], "--exact"), (["--no-por"], "--no-por"), (["--search", "bfs"], "--search"),
            (["--store", "bitstate"], "--store tree"), (["--depth", "5"], "--depth"),
            (["--ltl", "[] (x < 9)"], "ltl property"), (["--check", "progress"], "progress"),
            (["--shortest"], "--shortest"), (["--checkpoint", "/dev/null"], "checkpoint"),
            (["--check-reduction"], "--check-reduction"), (["--symmetry"], "--symmetry")]


def ask(folder, text, options):
    path = os.path.join(folder, "model.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    done = subprocess.run([GYRE, path, "--json", *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return done.returncode, json.loads(done.stdout)


def check_counts(folder):
    for name, text, options, states in COUNTS:
        status, found = ask(folder, text, ["--reduce", "cartesian", *options])
        stored = found["properties"][0]["states"]
        figures = found["stats"]["reduced"].get("cartesian", {})
        wrong = None
        if status != 0 or stored != states:
            wrong = f"status {status}, {stored} states instead of {states}"
        elif not 0 < figures.get("runs", 0) <= figures.get("steps", 0):
            wrong = f"figures {figures}"
        yield name, wrong


def check_verdicts(folder):
    for name, text, options, verdict in VERDICTS:
        _, exact = ask(folder, text, ["--exact", "--all-errors", *options])
        _, found = ask(folder, text, ["--reduce", "cartesian", "--all-errors", *options])
        wrong = None
        if found["verdict"] != exact["verdict"] or verdict not in (None, exact["verdict"]):
            wrong = f"{found['verdict']}, exactly {exact['verdict']}"
        elif found["coverage"]["unreached"] != exact["coverage"]["unreached"]:
            wrong = f"unreached: {found['coverage']['unreached']}"
        yield name, wrong


def check_refusals(folder):
    for options, word in REFUSALS:
        status, found = ask(folder, FIGURE_5, ["--reduce", "cartesian", *options])
        said = " ".join(d["message"] for d in found["diagnostics"])
        wrong = None if status == 2 and word in said else f"status {status}: {said}"
        yield " ".join(options), wrong
    status, found = ask(folder, "active proctype P() { assert(_last == 0) }",
                        ["--reduce", "cartesian"])
    yield "_last", None if status == 2 else f"status {status}"


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="gyre-cartesian-") as folder:
        for check in (check_counts, check_verdicts, check_refusals):
            for name, wrong in check(folder):
                passed += not wrong
                failed += bool(wrong)
                if wrong:
                    print(f"{name}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
