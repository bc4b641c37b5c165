#!/usr/bin/env python3
"""What a user is told beside the verdict, and when: properties that share a run, notes beside
"holds", partial deadlocks, what fairness would change.

    tests/test_told.py [NAME...]        only the tests whose name contains NAME

GYRE names the program (default build/gyre). Ends with `N passed, N failed`.
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

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
        return json.loads(self.out)

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
