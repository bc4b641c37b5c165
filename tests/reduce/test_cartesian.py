#!/usr/bin/env python3
# check: reduce: Cartesian reduction; seconds 10
"""Cartesian reduction (--reduce cartesian) on programs with known answers.

The numbers of stored states are those of Gueta, Flanagan, Yahav, Sagiv, "Cartesian partial-order
reduction" (SPIN 2007), Table 1 (indexer, robots, shared array, file system), or counted by hand on
its figures 2 and 5. There a thread that is done goes round a loop; so do these processes. For the
philosophers see `philosophers`. What is refused, and that deadlocks and faults are found, is on
small models.

GYRE names another binary. Ends with `N passed, N failed`.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
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

# A.3 of the paper. The test of the loop and its body are one step, and so are the test that ends it
# and what follows.
SHARED_ARRAY = """int A[64]; int counter = 1; int idx[2] = {0, 1};
active [2] proctype T() {
W: if
   :: d_step { idx[_pid] < 64 -> A[idx[_pid]] = counter + idx[_pid]; idx[_pid] = idx[_pid] + 2 }
      goto W
   :: d_step { idx[_pid] >= 64 -> counter = counter + 1 + idx[1 - _pid]; assert(counter <= MOST) }
   fi;
   do :: true od
}
"""

# A.6, after Flanagan and Godefroid (POPL 2005).
FILE_SYSTEM = """bool locki[32], lockb[26], busy[26]; byte inode[32];
active [N] proctype T() {
  byte b = (_pid * 2) % 26;
  d_step { !locki[_pid] -> locki[_pid] = true };
  inode[_pid] == 0;
B: if :: d_step { !lockb[b] -> lockb[b] = true } fi;
  if
  :: !busy[b] -> busy[b] = true; inode[_pid] = b + 1; lockb[b] = false
  :: else -> d_step { lockb[b] = false; b = (b + 1) % 26 } goto B
  fi;
  locki[_pid] = false;
  do :: true od
}
"""

# A.7: "the classical dining philosophers program". This one has the paper's numbers of states and
# of transitions: the first philosopher takes his forks in the other order, eating is a step, and
# who finds a fork taken looks again.
PHILOSOPHERS = """bool fork[N];
#define ONE (_pid == 0 -> 1 : _pid)
#define TWO (_pid == 0 -> 0 : (_pid + 1) % N)
active [N] proctype P() {
T: if :: d_step { !fork[ONE] -> fork[ONE] = true } :: else -> goto T fi;
L: if :: d_step { !fork[TWO] -> fork[TWO] = true } :: else -> goto L fi;
  skip;
  fork[ONE] = false;
  fork[TWO] = false;
  goto T
}
"""
# n: all states, states that the paper's tool stores
TABLE = {2: (11, 9), 3: (36, 27), 4: (119, 94), 5: (393, 295), 6: (1298, 942), 7: (4287, 2955),
         8: (14159, 9212), 9: (46764, 28675)}

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

# B never ends, so A cannot; C can.
ENDS = """active proctype A() { skip }
active proctype B() { do :: true od }
active proctype C() { skip }
"""

# name, text, options, stored states
COUNTS = [("figure 2", FIGURE_2, UNMERGED, 8),
          ("figure 5", FIGURE_5, UNMERGED, 14),
          ("robots 2", ROBOTS, ["-DN=2", "-DMEET=(x==9||x==2)", *UNMERGED], 56),
          ("shared array", SHARED_ARRAY, ["-DMOST=132", *UNMERGED], 132),
          ("robots 3", ROBOTS, ["-DN=3", "-DMEET=(x==9||x==2)", *UNMERGED], 56)]
COUNTS += [(f"indexer {n}", INDEXER, [f"-DN={n}"], states)
           for n, states in ((2, 1), (8, 1), (11, 1), (12, 9), (13, 81), (14, 729))]

COUNTS += [(f"file system {n}", FILE_SYSTEM, [f"-DN={n}", *UNMERGED], 1) for n in (2, 6, 13)]

# name, text, options, states, transitions of the standard search (Table 1). Gyre counts the arrival
# at the first state, and the loops of n processes that are done.
STANDARD = [("shared array", SHARED_ARRAY, ["-DMOST=132"], 2276, 4552),
            ("robots 2", ROBOTS, ["-DN=2", "-DMEET=(x==9||x==2)"], 4877, 9754)]
STANDARD += [(f"file system {n}", FILE_SYSTEM, [f"-DN={n}"], 9**n, 8 * n * 9**(n - 1) + n * 9**(n - 1))
             for n in (2, 3, 4)]
STANDARD += [(f"philosophers {n}", PHILOSOPHERS, [f"-DN={n}"], TABLE[n][0], n * TABLE[n][0])
             for n in TABLE]

# name, text, options, verdict
VERDICTS = [("shared array: wrong bound", SHARED_ARRAY, ["-DMOST=64"], "violated"),
            ("robots that meet elsewhere", ROBOTS, ["-DN=2", "-DMEET=(x==9)"], "violated"),
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
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    return done.returncode, schema.report(done.stdout)


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


def check_standard(folder):
    for name, text, options, states, transitions in STANDARD:
        _, found = ask(folder, text, ["--exact", *options])
        got = (found["properties"][0]["states"], found["properties"][0]["transitions"])
        yield f"standard {name}", None if got == (states, transitions + 1) else f"{got}"


# ---- the philosophers again, by a program that shares nothing with Gyre's ---------------------


def step(n, state, i):
    """(fork touched or None, is it written, the state after) of philosopher i's next step."""
    forks, at = state
    one, two = (1, 0) if i == 0 else (i, (i + 1) % n)
    fork = (one, two, None, one, two)[at[i]]
    moved = at[:i] + ((at[i] + 1) % 5,) + at[i + 1:]
    if at[i] < 2 and forks[fork]:
        return fork, False, state
    if fork is not None:
        forks = forks[:fork] + (at[i] < 2,) + forks[fork + 1:]
    return fork, True, (forks, moved)


def clash(a, b):
    return a[0] is not None and a[0] == b[0] and (a[1] or b[1])


def ends(n, state):
    """The ends of the runs from a state: figure 6, but for runs that loop. These are found in the
    first step already; and if another run comes to touch the last step of one, it ends there and is
    gone on from, as after any cut. So all of it is within the paper's definition 2."""
    runs = [[step(n, state, i)] for i in range(n)]
    seen = [[state, run[0][2]] for run in runs]
    grows = {i for i in range(n) if not any(clash(runs[i][0], runs[j][0]) for j in range(n) if j != i)}
    loops = {i for i in grows if runs[i][0][2] == state}
    grows -= loops
    while grows:
        for i in range(n):
            if i not in grows:
                continue
            new = step(n, seen[i][-1], i)
            others = [j for j in range(n) if j != i]
            if any(clash(new, old) for j in others for old in runs[j][:-1]):
                grows.discard(i)
                continue
            for j in others:
                if clash(new, runs[j][-1]):
                    grows -= {i, j}
                    loops.discard(j)
            if i in grows and new[2] in seen[i]:
                grows.discard(i)
                loops.add(i)
            runs[i].append(new)
            seen[i].append(new[2])
    return [seen[i][-1] for i in range(n) if i not in loops]


def stored(n):
    work, covered = [((False,) * n, (0,) * n)], set()
    while work:
        state = work.pop()
        if state not in covered:
            covered.add(state)
            work += ends(n, state)
    return len(covered)


def philosophers(folder):
    """As many states as that program stores, and never more than the paper's."""
    for n in TABLE:
        _, found = ask(folder, PHILOSOPHERS, ["--reduce", "cartesian", f"-DN={n}", *UNMERGED])
        got = found["properties"][0]["states"]
        yield f"philosophers {n}", None if got <= TABLE[n][1] else f"{got} states"
        if n < 8:
            yield f"philosophers {n} again", None if got == stored(n) else f"{got}, not {stored(n)}"


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
        said = " ".join(f"{d['message']} {d.get('hint', '')}" for d in found["diagnostics"])
        wrong = None if status == 2 and word in said else f"status {status}: {said}"
        yield " ".join(options), wrong
    status, found = ask(folder, "active proctype P() { assert(_last == 0) }",
                        ["--reduce", "cartesian"])
    yield "_last", None if status == 2 else f"status {status}"


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="gyre-cartesian-") as folder:
        for check in (check_counts, check_standard, philosophers, check_verdicts, check_refusals):
            for name, wrong in check(folder):
                passed += not wrong
                failed += bool(wrong)
                if wrong:
                    print(f"{name}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
