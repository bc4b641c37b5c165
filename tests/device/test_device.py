#!/usr/bin/env python3
# check: device: searches on a device: the command line; seconds 5
"""--backend cuda at the command line, without a graphics processor: its kernels run on this machine."""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, "build", "gyre")
passed = failed = 0


def check(name, good, output=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAILED:", name, "\n", output)


def run(*arguments, device="host"):
    done = subprocess.run([GYRE, *arguments], capture_output=True, text=True, check=False,
                          env=dict(os.environ, GYRE_DEVICE=device))
    return done.returncode, done.stdout + done.stderr


def model(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as f:
        f.write(text)
    return path


with tempfile.TemporaryDirectory() as folder:
    # 3 processes with 3 places each, one after the other: 3^3 states; each state has as many steps
    # as there are processes that are not at their end: 3 * 2 * 9, and the start counts.
    cube = model(folder, "cube.pml", "active [3] proctype P() { end: skip; skip; false }")
    status, text = run(cube, "--check", "safety", "--exact", "--backend", "cuda", "--no-deadlock")
    check("27 states by hand", status == 0 and "27 states, 55 transitions, depth 6" in text, text)
    check("it says where", "searched on this computer, as a device" in text, text)

    # Symmetry: of 3 processes with 3 places each, as many as there are ways to put 3 into 3 places, (5 over 3).
    status, text = run(cube, "--check", "safety", "--no-por", "--no-merge", "--backend", "cuda",
                       "--no-deadlock", "--verbose")
    check("10 orbits by hand", status == 0 and "10 states, " in text and "symmetry (1 process type" in text, text)
    # Partial order: nobody depends on anybody, so one after the other suffices: 3 * 2 steps in a line.
    status, text = run(cube, "--check", "safety", "--no-symmetry", "--no-merge", "--backend", "cuda",
                       "--no-deadlock", "--verbose")
    check("7 states in a line", status == 0 and "7 states, 7 transitions, depth 6" in text and
          "partial order (" in text, text)
    # Ignoring: P goes round for ever and depends on nobody; only the proviso lets Q get to its error.
    round_ = model(folder, "round.pml", "byte x, y; active proctype Q() { x = x + 1; assert(x == 0) }\n"
                   "active proctype P() { do :: y = 1 - y; assert(y < 2) od }")
    status, text = run(round_, "--check", "safety", "--no-merge", "--backend", "cuda")
    check("nothing is put off for ever", status == 1 and "assertion failed" in text, text)

    # Two processes are soon gone: the device's code is for the one that stays, which has nothing to choose.
    # While A waits, B and C are at their start or end, 4, then C is gone, 2, then B, 1; then 50 values of x.
    stays = model(folder, "stays.pml", "byte x, y, z; active proctype A() { _nr_pr == 1; do :: x = (x + 1) % 50 od }\n"
                  "active proctype B() { y = 1 }\nactive proctype C() { z = 1 }")
    status, text = run(stays, "--check", "safety", "--no-slice", "--no-merge", "--no-dead",
                       "--backend", "cuda", "--verbose")
    check("why nothing is left out", status == 0 and "57 states" in text and "on a GPU: the states that its code "
          "supports have one process" in " ".join(text.split()), text)

    # 200 deadlocks, 1 to 200 levels away: 10 of them are told, and only to these is a way looked for.
    ends = model(folder, "ends.pml", "byte x; active proctype P() { do :: x < 200 -> x++ :: x < 200 -> break od; false }")
    status, text = run(ends, "--check", "safety", "--exact", "--all-errors", "--backend", "cuda")
    launches = int(re.search(r"; (\d+) launches", text).group(1))
    check("as many ways as are told", status == 1 and "191 counterexamples were left out" in text and
          launches < 1000, (launches, text[-800:]))

    # Which channel is sent to is known at run time only; states as Spin counts them.
    some = model(folder, "some.pml", "chan a = [2] of { byte }; chan b = [3] of { byte }; byte n;\n"
                 "active [2] proctype P() { chan c; byte x; do :: if :: c = a :: c = b fi; if :: c!1; n++ :: c?x; n-- fi od }")
    status, text = run(some, "--check", "safety", "--exact", "--backend", "cuda")
    check("a channel that is known late", status == 0 and "2,359 states, 6,845 transitions" in text and
          "searched on this computer, as a device" in text, text)

    # Hashes of long states: three counters up to 20 in 96 bits, 21^3 states; 9261^2 / 2^64 is 4.6e-12.
    wide = model(folder, "wide.pml", "int a, b, c;\nactive proctype P() { end: do :: d_step { a < 20 -> a++ } od }\n"
                 "active proctype Q() { end: do :: d_step { b < 20 -> b++ } od }\n"
                 "active proctype R() { end: do :: d_step { c < 20 -> c++; assert(a + b + c < LIMIT) } od }")
    compact = ["--check", "safety", "--no-ranges", "--no-por", "--store", "compact", "--backend", "cuda"]
    status, text = run(wide, "-DLIMIT=99", *compact)
    check("a hash for each state, with its probability", status == 3 and "9,261 states, 26,461 transitions" in text and
          "probability of having missed a state: 4.6e-12" in text and "may have missed states" in text, text)
    status, text = run(wide, "-DLIMIT=60", *compact)
    check("what it finds is found", status == 1 and "Counterexample: 60 steps" in text, text)
    status, text = run(wide, "-DLIMIT=99", "--check", "safety", "--store", "compact", "--backend", "cuda", "--no-por")
    check("short states need no hash", status == 0 and "9,261 states" in text and "missed" not in text, text)

    # Processes that come and go do so on the device: nothing is handed back before the end.
    many = model(folder, "many.pml", "byte n; proctype P(byte k) { n = n + k; n = n - k }\n"
                 "init { byte i; do :: i < 6 -> run P(1 + i % 2); i++; _nr_pr == 1 :: i == 6 -> i = 0 od }")
    status, text = run(many, "--check", "safety", "--exact", "--backend", "cuda")
    check("processes are begun there", status == 0 and "; 1 launches)" in text, text)

    # The deadlock is behind the second step of each of the two.
    stuck = model(folder, "stuck.pml", "bool a, b; active proctype P() { a = 1; !b; b = 1 }\n"
                                       "active proctype Q() { b = 1; !a; a = 1 }")
    status, text = run(stuck, "--check", "safety", "--backend", "cuda")
    check("an invalid end state, with the way to it",
          status == 1 and "a = 1" in text and "b = 1" in text and "invalid end state" in text, text)

    # An index that is wrong is for the virtual machine, whose message it is.
    wild = model(folder, "wild.pml", "byte a[3], i; active proctype P() { do :: i < 5 -> i++; a[i] = 1 od }")
    status, text = run(wild, "--check", "safety", "--backend", "cuda")
    check("a fault is told by the machine", status == 1 and "index" in text.lower(), text)

    # An error at the very end of 111^3 states, more than the device remembers in order.
    deep = model(folder, "deep.pml", "byte x, y, z; active proctype X() { do :: x < 110 -> x++ :: else -> break od }\n"
                 "active proctype Y() { do :: y < 110 -> y++ :: else -> break od }\n"
                 "active proctype Z() { do :: z < 110 -> z++ :: else -> break od; (x + y == 220) -> assert(z != 110) }")
    status, text = run(deep, "--check", "safety", "--backend", "cuda", "--memory", "48M",
                       "--all-errors")
    check("a way that was forgotten is searched for again",
          status == 1 and "assertion failed: z != 110" in text and "had to search again" in text, text[-1500:])

    # Formulas: with two counters up to 5, each with 2 places for each value, 12 * 12 states. `small`
    # is violated after 4 statements of each at the least: two for each step up.
    sums = model(folder, "sums.pml", "byte a, b; active proctype P() { do :: a < 5 -> a++ :: a == 5 -> a = 0 od }\n"
                 "active proctype Q() { do :: b < 5 -> b++ :: b == 5 -> b = 0 od }\n"
                 "ltl always { [] (a + b < 11) }\nltl small { [] (a + b < 4) }\nltl live { <> (a == 1) }")
    status, text = run(sums, "--ltl", "always", "--check", "liveness", "--exact", "--backend", "cuda")
    check("a formula that holds", status == 0 and "holds; 144 states, 289 transitions" in text and
          "searched on this computer" in text, text)
    status, text = run(sums, "--ltl", "small", "--check", "liveness", "--exact", "--backend", "cuda")
    check("a formula that is violated, with the way to it",
          status == 1 and "a finite run violates it; 8 steps" in text and "searched on this computer" in text, text)
    status, text = run(sums, "--ltl", "live", "--check", "liveness", "--exact", "--backend", "cuda")
    check("cycles are for the processors",
          status == 1 and "accepting cycle" in text and "`live`: no GPU was used: a violation may "
          "be a cycle" in " ".join(text.split()), text)

    status, text = run(cube, "--backend", "cuda", device="cuda")
    if "searched on" not in text:
        check("no device: the processors do it, and why is told",
              status in (0, 1) and "no GPU was used: " in text, text)
    status, text = run(cube, "--backend", "cuda", device="abacus")
    check("a device that there is not", "GYRE_DEVICE must be cuda or host" in text, text)
    own = model(folder, "own.pml", "c_decl { int x; }\nactive proctype P() { c_code { x = 1; } }")
    status, text = run(own, "--backend", "cuda")
    check("embedded C is refused by name", "no GPU was used: it contains embedded C" in text, text)
    status, text = run(cube, "--backend", "cuda", "--search", "dfs")
    check("another search at the same time", status == 2 and "--backend cuda" in text, text)

    status, text = run("info", cube, "--cuda")
    check("the code can be looked at", status == 0 and "KERNEL" in text and "expand(" in text, text[-500:])

print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
