#!/usr/bin/env python3
"""What a user is told beside the verdict, and when: properties that share a run, notes beside
"holds", partial deadlocks, what fairness would change.

    tests/test_told.py [NAME...]        only the tests whose name contains NAME

GYRE names the program (default build/gyre). Ends with `N passed, N failed`.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
TESTS = []
passed = failed = 0


def test(function):
    TESTS.append(function)
    return function


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAIL  {name}\n      " + str(detail).strip().replace("\n", "\n      ")[:1200])


class Result:
    def __init__(self, status, out, err, seconds):
        self.status, self.out, self.err, self.seconds = status, out, err, seconds

    def __str__(self):
        return f"status {self.status}, {self.seconds:.2f} s\n--- out\n{self.out}--- err\n{self.err}"

    @property
    def json(self):
        return schema.report(self.out)

    def property(self, name):
        return next(p for p in self.json["properties"] if p["name"] == name)


def gyre(text, *arguments, signals=(), timeout=60):
    """Runs gyre on a model; `signals` are (seconds to wait, signal)."""
    with open("model.pml", "w", encoding="utf-8") as file:
        file.write(text)
    begun = time.time()
    process = subprocess.Popen([GYRE, "model.pml", *arguments], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for wait, number in signals:
        time.sleep(wait)
        process.send_signal(number)
    try:
        out, err = process.communicate(timeout=timeout)
    finally:
        process.kill()
    return Result(process.returncode, out.decode("utf-8", "replace"),
                  err.decode("utf-8", "replace"), time.time() - begun)


# -- properties share a run ------------------------------------------------------------------

# 2^32 states; `soon` fails after a round of one counter, `small` needs all states.
LONG = """
byte a, b, c, d;
bool flag;
active proctype A() { do :: a++ :: b++ od }
active proctype B() { do :: c++ :: d++ od }
ltl soon { <> flag }
ltl small { [] (a + b + c + d < 1021) }
"""
LIMITS = ("--exact", "--memory", "1G", "--threads", "1")


@test
def nobody_starves():
    r = gyre(LONG, *LIMITS, "--time", "2", "--json")
    check("a quick violation beside a long search", r.status == 1, r)
    check("its verdict and those that have none",
          [p["verdict"] for p in r.json["properties"]] == ["inconclusive", "violated", "inconclusive"], r)
    check("all of them have searched", all(p["states"] > 100 for p in r.json["properties"]), r)
    check("the time limit is that of the command", r.seconds < 3.5, r.seconds)
    r = gyre(LONG, *LIMITS, "--time", "2")
    check("what is open says why", re.search(r"safety +inconclusive: the time limit of 2.0 s was reached", r.out) and
          re.search(r"small +ltl +inconclusive: the time limit of 2.0 s was reached", r.out), r)
    check("quietly, nothing is told before the end", gyre(LONG, *LIMITS, "--time", "4", "--quiet").err == "")


@test
def interrupts():
    once = gyre(LONG, *LIMITS, "--time", "6", signals=[(2, signal.SIGINT)])
    check("Ctrl-C ends the search at hand alone", once.status == 1 and once.seconds > 3 and
          "safety              inconclusive: interrupted" in once.out and "small   ltl         inconclusive: the time" in once.out, once)
    check("a verdict is told when it is known",
          re.search(r"after [0-9.]+ m?s: ltl `soon`: violated: an acceptance cycle \(2 properties still open\)", once.err), once)
    twice = gyre(LONG, *LIMITS, signals=[(1.5, signal.SIGINT), (0.3, signal.SIGINT)])
    check("a second one ends all, within a second", twice.seconds < 2.8, twice)
    check("and what is known is told", twice.status == 1 and "soon    ltl         violated" in twice.out and
          re.search(r"small +ltl +inconclusive: interrupted", twice.out), twice)


@test
def counts_stay():
    model = """
byte n; bool done;
active [2] proctype P() { do :: n < 200 -> n++ :: n > 0 -> n-- od }
ltl low { [] (n < 202) }
ltl zero { []<> (n == 0) }
"""
    together = gyre(model, "--exact", "--json")
    check("quick properties tell nothing early", together.err == "", together)
    for arguments in (["--check", "safety"], ["--check", "liveness", "--ltl", "low"], ["--check", "liveness", "--ltl", "zero"]):
        alone = gyre(model, "--exact", "--json", *arguments)
        for p in alone.json["properties"]:
            q = together.property(p["name"])
            check(f"the same figures alone: {p['name']}", (p["states"], p["transitions"], p["verdict"]) == (q["states"], q["transitions"], q["verdict"]), (p, q))


# -- beside "holds" ----------------------------------------------------------------------------

def codes(result):
    return [(d["code"], d["line"]) for d in result.json["diagnostics"] if "code" in d and "line" in d]


# Code that a goto, a loop or a constant cuts off; ends that wait for others.
CUT_OFF = ["""
byte x;
active proctype P() {
  x = 1;
  goto done;
  x = 2;
  assert(x == 2);
  if
  :: x == 3 -> x = 4
  :: else -> skip
  fi;
done:
  x = 5
}
""", """
byte x;
active proctype Q() {
  do
  :: x < 5 -> x++
  :: x == 5 -> x = 0
  od;
  assert(x == 9);
  x = 9
}
""", """
byte x;
active proctype R() {
  if
  :: false -> x = 1; x = 2
  :: skip; skip; skip; x = 3
  fi;
  atomic { x = 4; goto over; x = 5; x = 6 };
  d_step { x = 7; x = 8 };
over: skip
}
init { x = 9 }
""", """
byte x;
active proctype S() {
  { do :: x++; if :: x == 3 -> break :: else fi od } unless { x == 2 -> goto out; x = 20 };
  x = 30;
out: x = 40
}
"""]


def pan_unreached(text):
    """Lines of the statements that pan calls unreached."""
    with open("spin.pml", "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(["spin", "-a", "-o1", "-o2", "-o3", "spin.pml"], check=True, capture_output=True)
    subprocess.run(["cc", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], check=True)
    out = subprocess.run(["./pan", "-E", "-A"], capture_output=True, check=False).stdout.decode()
    return {int(line) for line, what in re.findall(r"^\t\S+:(\d+), state \d+, \"(.*)\"$", out, re.M) if what != "-end-"}


@test
def unreached():
    for number, text in enumerate(CUT_OFF):
        r = gyre(text, "--exact", "--json", "--no-deadlock", "--no-assert")
        lines = {u["line"] for u in r.json["coverage"]["unreached"]}
        check(f"model {number}: what Spin calls unreached is listed", pan_unreached(text) and pan_unreached(text) <= lines, (lines, pan_unreached(text)))
    r = gyre(CUT_OFF[0], "--unreached")
    check("statements behind a goto are counted", "4 of 9 statements reached" not in r.out and
          re.search(r"unreached in P\n +model.pml:6 +x = 2\n +model.pml:7 +assert\(x==2\)", r.out), r)
    r = gyre("byte x; active proctype A() { x = 1 } active proctype B() { do :: x = 1 - x od }", "--json")
    check("a process that waits for others to end has come to its end", r.json["coverage"]["unreached"] == [], r)


@test
def idle_assertions():
    r = gyre(CUT_OFF[0], "--json")
    check("an assertion that is cut off", codes(r) == [("assertion-unreached", 7)], r)
    r = gyre("byte x; active proctype A() { if :: x > 3 -> assert(x == 3) :: else fi; assert(x == 0) }")
    check("one that is never executed is told beside `holds`", r.status == 0 and
          "note: model.pml:1: this assertion is never executed: assert(x==3)\n" in r.out, r)
    monitor = "byte x; active proctype A() { x = 1 } active proctype M() { end: x > 3 -> assert(false) }"
    check("`assert(false)` is not meant to be executed", codes(gyre(monitor, "--json")) == [], gyre(monitor))
    several = "byte x; init { if :: x > 9 -> " + "; ".join(f"assert(x > {i})" for i in range(8)) + " :: else fi }"
    r = gyre(several)
    check("many of them are summed up", r.out.count("never executed: ") == 5 and "3 more assertions are never executed" in r.out, r)
    check("nothing of that where something is violated", "note:" not in gyre("byte x; init { if :: x > 9 -> assert(x > 9) :: else fi; assert(x > 0) }").out)


@test
def idle_processes():
    text = "byte x; active proctype A() { do :: x = 1 - x od } active proctype B() {\nx == 7 -> x = 3 } proctype C() { skip } init { x == 9 -> run C() }"
    r = gyre(text, "--json")
    check("processes that never move, or are never started", codes(r) == [("process-never-moves", 2), ("process-never-started", 2), ("process-never-moves", 2)], r)
    check("and what they wait for", "B never moves: it waits at its first statement, (x==7)" in gyre(text).out, gyre(text))


@test
def values_that_wrap():
    text = """byte x, n; bit a[3]; bool b; unsigned u : 3; int i;
active proctype P() { do
:: x++
:: n < 10 -> n++
:: n == 10 -> n = 0; a[0] = a[0] - 1;
b = n + 2;
u = n + 8; i = i + 1; i = 0; a[0] = 0 od }"""
    r = gyre(text, "--json", "--no-deadlock")
    # Line 5: pan's bit arrays are arrays of bytes; the others by the widths of their types.
    check("each statement that wraps", sorted(codes(r)) == sorted([("value-wraps", 3), ("array-bit", 5), ("value-wraps", 6), ("value-wraps", 7)]), r)
    check("with the value", "x = x+1 wraps: 256 does not fit into the byte x, which becomes 0" in r.out, r)
    with_assert = "bit a[2]; init { a[0]--; assert(a[0] == 255) }"
    check("the element holds 255", gyre(with_assert).status == 0 and "holds 255" in gyre(with_assert).out, gyre(with_assert))
    quiet = "byte x, y; active [2] proctype P() { do :: x < 200 -> x++ :: x > 0 -> x-- :: y = (y + 1) % 8 od }"
    # Two processes: x-- may run twice after one test of x > 0, and x++ once more after one of x < 200.
    r = gyre(quiet, "--json")
    check("a race that wraps is found", codes(r) == [("value-wraps", 1)] * 2, r)
    r = gyre(quiet.replace("[2]", ""), "--json")
    check("what can't wrap is not blamed", codes(r) == [], r)
    r = gyre("chan q = [1] of { short }; active proctype P() { byte y; q!300; q?y }", "--json")
    check("a message that does not fit its variable", codes(r) == [("value-wraps", 1)], r)


def main():
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for function in TESTS:
            if not wanted or any(name in function.__name__ for name in wanted):
                function()
        os.chdir(ROOT)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
