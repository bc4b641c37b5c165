#!/usr/bin/env python3
# check: told: what is told beside verdicts; seconds 15
"""What a user is told beside the verdict, and when: properties that share a run, notes beside
"holds", partial deadlocks, what fairness would change.

    tests/report/test_told.py [NAME...]        only the tests whose name contains NAME

GYRE names the program (default build/gyre). Ends with `N passed, N failed`.
"""
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import at_work  # noqa: E402
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
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
    def __init__(self, status, out, err, processor=0):
        self.status, self.out, self.err, self.processor = status, out, err, processor

    def __str__(self):
        return f"status {self.status}\n--- out\n{self.out}--- err\n{self.err}"

    @property
    def json(self):
        return schema.report(self.out)

    def property(self, name):
        return next(p for p in self.json["properties"] if p["name"] == name)


def begin(text, *arguments):
    with open("model.pml", "w", encoding="utf-8") as file:
        file.write(text)
    return subprocess.Popen([GYRE, "model.pml", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def end(process):
    """Its result, once it ends by itself."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        out, err = process.communicate(timeout=at_work.PATIENCE)
    finally:
        process.kill()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Result(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"),
                  after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def gyre(text, *arguments):
    return end(begin(text, *arguments))


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
    r = gyre(LONG, *LIMITS, "--time", "2", "--json", "--backend", "vm")
    check("a quick violation beside a long search", r.status == 1, r)
    check("its verdict and those that have none",
          [p["verdict"] for p in r.json["properties"]] == ["inconclusive", "violated", "inconclusive"], r)
    check("all of them have searched", all(p["states"] > 100 for p in r.json["properties"]), r)
    # One thread: on a busy machine it gets less of a processor than that, never more.
    check("the time limit is that of the command", r.processor < 3, r.processor)
    r = gyre(LONG, *LIMITS, "--time", "2")
    check("what is open says why", re.search(r"safety +inconclusive: the time limit of 2.0 s was reached", r.out) and
          re.search(r"small +ltl +inconclusive: the time limit of 2.0 s was reached", r.out), r)
    check("quietly, nothing is told before the end", gyre(LONG, *LIMITS, "--time", "4", "--quiet").err == "")


def stop_once(process):
    """Ends the search at hand when a verdict is known, and waits until the program says that it goes on."""
    lines = [process.stderr.readline().decode()]
    at_work.send(process, signal.SIGINT)
    while "once more" not in lines[-1] and lines[-1]:
        lines.append(process.stderr.readline().decode())
    return lines


@test
def interrupts():
    process = begin(LONG, *LIMITS)
    told = "".join(stop_once(process))
    check("a verdict is told when it is known",
          re.search(r"after [0-9.]+ m?s: ltl `soon`: violated: accepting cycle \(2 properties still open\)", told), told)
    first = re.search(r"(safety|ltl `small`): inconclusive: interrupted after [0-9,]+ states? "
                      r"\(1 property still open; Ctrl-C once more ends all\)", told)
    check("Ctrl-C ends the search at hand alone, and says how all are ended", first, told)
    # What is open would be so for hours: it has had some of a processor since.
    before = at_work.processor_time(process.pid)
    check("the other one goes on", at_work.has_run(process, signal.SIGINT, before + 0.5))
    at_work.send(process, signal.SIGINT)
    r = end(process)
    check("a second one ends all, and what is known is told", r.status == 1 and "soon    ltl         violated" in r.out and
          len(re.findall(r"inconclusive: interrupted", r.out)) == 2 and "once more" not in r.err, r)
    check("quietly, nothing is said of it", quiet_interrupt() == "")


def quiet_interrupt():
    process = begin(LONG, *LIMITS, "--quiet")
    at_work.has_run(process, signal.SIGINT, 2)
    at_work.send(process, signal.SIGINT)
    at_work.send(process, signal.SIGINT)
    return end(process).err


@test
def next_model():
    process = begin(LONG, "model.pml", *LIMITS, "--check", "safety")
    at_work.has_run(process, signal.SIGINT)
    at_work.send(process, signal.SIGINT)
    line = process.stderr.readline().decode()
    check("of several models, the next one follows", line == "gyre: note: the next model follows; Ctrl-C once more ends all\n", line)
    at_work.send(process, signal.SIGINT)
    r = end(process)
    check("and is ended by the second one", r.status == 3 and r.out.count("interrupted") == 2 and "once more" not in r.err, r)


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
          re.search(r"unreached in P\n +model.pml:6 +x = 2\n +model.pml:7 +assert\(x == 2\)", r.out), r)
    r = gyre("byte x; active proctype A() { x = 1 } active proctype B() { do :: x = 1 - x od }", "--json")
    check("a process that waits for others to end has come to its end", r.json["coverage"]["unreached"] == [], r)


@test
def idle_assertions():
    r = gyre(CUT_OFF[0], "--json")
    check("an assertion that is cut off", codes(r) == [("assertion-unreached", 7)], r)
    r = gyre("byte x; active proctype A() { if :: x > 3 -> assert(x == 3) :: else fi; assert(x == 0) }")
    check("one that is never executed is told beside `holds`", r.status == 0 and
          "note: model.pml:1: this assertion is never executed: assert(x == 3)\n" in r.out, r)
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
    check("and what they wait for", "B never executes a statement: it blocks at its first, `x == 7`" in gyre(text).out, gyre(text))


@test
def wraps_on_the_way():
    """A value that lost bits on the way to an error."""
    text = "byte x = 250, y; int z;\nactive proctype P() { do ::\nx++; assert(x > 0) :: z++; y = z % 256 od }"
    r = gyre(text)
    check("the statement that wraps", r.status == 1 and "note: model.pml:3: `x++` wraps: 256 does not fit into the byte x, which becomes 0\n" in r.out, r)
    check("in JSON", codes(gyre(text, "--json")) == [("value-wraps", 3)])
    fits = "byte x = 250; active proctype P() { do :: x < 255 -> x++; assert(x < 255) od }"
    check("not where all fits", gyre(fits).status == 1 and codes(gyre(fits, "--json")) == [])
    both = "chan q = [0] of { short }; active proctype P() { q!300 } active proctype Q() { byte b; q?b; assert(b == 300) }"
    check("a message", codes(gyre(both, "--json")) == [("value-wraps", 1)])


@test
def values_that_grow():
    """A search that meets a limit where counters are not bounded."""
    text = "int n, m; byte k; short s; active proctype P() { int l; do :: n++; l-- :: k = (k + 1) % 9 :: m = m + 2 :: s < 50 -> s++ od }"
    for limit in (["--depth", "20"],):
        r = gyre(text, "--exact", *limit)
        check(f"the variables, with {limit}", r.status == 3 and re.search(r"note: `n` \(to \d+\), `m` \(to \d+\) and `l` \(to \d+\) grow throughout a run of 4096 steps", r.out) and
              "hint: bound them" in r.out and "--store" not in r.out, r)
    bounded = text.replace(":: n++; l--", ":: n < 9 -> n++; l = -n").replace(":: m =", ":: m < 100 -> m =")
    check("not where they are bounded", codes(gyre(bounded, "--exact", "--depth", "20", "--json")) == [])


@test
def nothing_stated():
    text = "byte x; active proctype P() { do :: x < 20 -> x++ :: x > 0 -> x-- od }"
    r = gyre(text)
    check("a model that states nothing", r.status == 0 and "note: the model states no property (assertion" in r.out, r)
    ends = gyre("byte x; active proctype P() { x = 3 }")
    check("the end of a body states nothing", ends.status == 0 and "note: the model states no property" in ends.out, ends)
    for more in (text.replace("x++", "x++; assert(x < 21)"), text + " ltl p { [] (x < 21) }", text.replace("do", "end: do"), text.replace("do", "progress: do"),
                 text + " never { do :: x < 21 :: x > 20 -> break od }", "byte x; active proctype P() { x = 1; assert(x == 2) }"):
        check(f"not of {more}", ("nothing-stated", None) not in codes(gyre(more, "--json")), more)
    check("not if no more was asked", codes(gyre(text, "--check", "safety", "--json")) == [])


@test
def tautologies():
    """Formulas that hold, or cannot, by the values that the types of their variables allow."""
    head = "byte x; bool b; unsigned u : 3; int i; byte a[2];\nactive proctype P() { do :: x < 9 -> x++ :: b = 1 - b; u = x % 8; a[1] = x :: x == 9 -> x = 0 od }\n"
    cases = ["x < 10 || x >= 0", "x < 10 || x >= 5", "x < 10 || x > 10", "u <= 7", "u < 7", "x * 2 >= x", "b == 0 || b == 1", "!b || b != 0",
             "x >= 0 && u >= 0", "x < 200 || u > 8", "x + u > -1", "(x & 1) == (x % 2)", "x / 2 * 2 <= x", "!(x < 0)", "x != 256", "(x < 3) -> (x < 4)"]
    for case in cases:
        python = case.replace("||", " or ").replace("&&", " and ").replace("!=", "~=").replace("!", " not ").replace("~=", "!=").replace("/", "//")
        python = "not (x < 3) or (x < 4)" if "->" in case else python
        truth = {bool(eval(python, {"x": x, "b": b, "u": u})) for x in range(256) for b in (0, 1) for u in range(8)}
        r = gyre(f"{head}ltl p {{ [] ({case}) }}", "--json", "--no-deadlock").json["properties"][1]
        check(f"[] ({case}) is vacuous: {truth == {True}}", r["vacuous"] == (truth == {True}), r)
    r = gyre(head + "ltl p { <> (u > 8) }")
    check("one that cannot hold", "vacuous: it cannot hold, whatever the model does" in r.out, r)
    r = gyre(head + "ltl p { [] ((x < 300) -> <> b) }", "--json").json["properties"][1]
    check("a part that is always true is not all of it", not r["vacuous"], r)
    for open_ in ("x >= i", "a[1] < 100"):
        r = gyre(f"{head}ltl p {{ [] ({open_}) }}", "--json").json["properties"][1]
        check(f"of [] ({open_}) nothing is claimed", r["verdict"] == "holds" and not r["vacuous"], r)


@test
def unchecked_safety():
    """Liveness alone, where runs end in errors of safety."""
    ends = "byte x, y;\nactive proctype P() { do :: x = 1;\ny = 5 / (x - 1); x = 0 od }\nltl q { <> (y == 7) }"
    r = gyre(ends, "--check", "liveness")
    check("every run ends in a run-time error", r.status == 0 and "warning: model.pml:3: safety was not checked, and it is violated: division by zero (5 / 0)" in r.out and
          "runs that end there do not count for the verdict\n  hint: add safety to --check\n" in r.out, r)
    check("in JSON", codes(gyre(ends, "--check", "liveness", "--json")) == [("safety-not-checked", 3)])
    check("nothing of that where safety is checked", "safety-not-checked" not in str(codes(gyre(ends, "--json"))))
    fails = "byte x; active proctype P() { x = 1; assert(x == 2); do :: skip od } ltl p { [] <> (x < 2) }"
    r = gyre(fails, "--check", "liveness")
    check("an assertion that fails", r.status == 0 and "assertion failed: x == 2 (x = 1); runs continue after it and count" in r.out, r)
    check("unless assertions do not count", codes(gyre(fails, "--check", "liveness", "--no-assert", "--json")) == [])
    sliced = "byte x, y; active proctype P() { y = 2; y = 5 / (y - 2) } active proctype Q() { do :: x = 1 - x od } ltl p { [] (x < 2) }"
    check("an error that the property does not see", codes(gyre(sliced, "--check", "liveness", "--json")) == [("safety-not-checked", 1)], gyre(sliced, "--check", "liveness"))
    good = "byte x; active proctype P() { do :: x = 1 - x; assert(x < 2) od } ltl p { [] (x < 2) }"
    check("no error, no warning", codes(gyre(good, "--check", "liveness", "--json")) == [])
    deep = "byte x[3]; byte n; active [3] proctype P() { do :: x[_pid] < 60 -> x[_pid]++ :: x[_pid] > 0 -> x[_pid]-- od }\nactive proctype Q() { do :: x[0] == 40 -> n = 1 / n :: n = 0 od } ltl p { [] (n < 2) }"
    check("deep down", codes(gyre(deep, "--check", "liveness", "--json")) == [("safety-not-checked", 2)], gyre(deep, "--check", "liveness"))
    violated = good.replace("x < 2) }", "x < 1) }")
    check("not beside a violation", codes(gyre(violated.replace("assert(x < 2)", "assert(x == 7)"), "--check", "liveness", "--json")) == [])


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
    check("with the value", "`x++` wraps: 256 does not fit into the byte x, which becomes 0" in r.out, r)
    with_assert = "bit a[2]; init { a[0]--; assert(a[0] == 255) }"
    check("the element holds 255", gyre(with_assert).status == 0 and "becomes 255" in gyre(with_assert).out, gyre(with_assert))
    quiet = "byte x, y; active [2] proctype P() { do :: x < 200 -> x++ :: x > 0 -> x-- :: y = (y + 1) % 8 od }"
    # Two processes: x-- may run twice after one test of x > 0, and x++ once more after one of x < 200.
    r = gyre(quiet, "--json")
    check("a race that wraps is found", codes(r) == [("value-wraps", 1)] * 2, r)
    r = gyre(quiet.replace("[2]", ""), "--json")
    check("what cannot wrap is not blamed", codes(r) == [], r)
    r = gyre("chan q = [1] of { short }; active proctype P() { byte y; q!300; q?y }", "--json")
    check("a message that does not fit its variable", codes(r) == [("value-wraps", 1)], r)


@test
def reasons_are_said_once():
    r = gyre("chan q = [1] of { bit }; bit b; active proctype P() { do :: q?b; b = 1 :: q?b od }")
    check("two options that wait for the same", r.out.count("waits to receive: q?b (q is empty)") == 1, r)


@test
def units_of_depth():
    # One process, one atomic sequence of three statements, then one more and its end: by hand 5 statements, 3 transitions.
    text = "byte x; active proctype P() { atomic { x = 1; x = 2; x = 3 }; x = 4 }"
    r = gyre(text, "--exact", "--json").property("safety")
    check("levels are transitions", (r["depth"], r["depth_unit"]) == (3, "transitions"), r)
    check("and printed", ", depth 3;" in gyre(text, "--exact").out, gyre(text, "--exact"))
    r = gyre(text, "--exact", "--depth", "9", "--json").property("safety")
    check("depth is in statements", (r["depth"], r["depth_unit"]) == (5, "statements"), r)
    check("as --depth is", gyre(text, "--exact", "--depth", "5").status == 0 and gyre(text, "--exact", "--depth", "4").status == 3)


# -- what could be done about a violation ------------------------------------------------------

UNFAIR = """bool a, b; byte n; bool lock;
active proctype P() { do :: a = !a od }
active proctype Q() { b = true }
active proctype R() { do :: atomic { !lock -> lock = true }; lock = false od }
active proctype S() { atomic { !lock -> lock = true }; n = 5; lock = false }
ltl eventually { <> b }
ltl locked { <> (n == 5) }
ltl impossible { <> (n == 7) }
"""


@test
def unfair_runs():
    r = gyre(UNFAIR, "--json", "--check", "liveness")
    for name, best in (("eventually", ("weak", "holds")), ("locked", ("strong", "holds")), ("impossible", None)):
        p = r.property(name)
        # The verdicts that Gyre gives when it is asked for that fairness, which are Spin's for weak.
        asked = {f: gyre(UNFAIR, "--json", "--ltl", name, "--check", "liveness", "--fairness", f).property(name)["verdict"] for f in ("weak", "strong")}
        unfair = p["counterexample"].get("unfair")
        check(f"{name}: what fairness changes", unfair and asked[unfair["fairness"]] == unfair["verdict"], (asked, unfair))
        check(f"{name}: the least that helps", best is None or (unfair["fairness"], unfair["verdict"]) == best, (asked, unfair))
        moving = {s["process"] for s in p["counterexample"]["steps"][p["counterexample"]["cycle_start"]:]}
        check(f"{name}: who is left out does not move", not moving & set(unfair["processes"]), (moving, unfair))
        # By hand: P alone, twice round its loop of one statement.
        check(f"{name}: a short cycle without being asked", (p["counterexample"]["cycle_start"], p["counterexample"]["length"]) == (0, 2), p)
        check(f"{name}: which is not called shortest", "shortest" not in p["counterexample"], p)
    r = gyre(UNFAIR, "--check", "liveness", "--ltl", "eventually")
    check("nor in words", "no shorter one" not in r.out, r)
    check("in words", re.search(r"^note: unfair cycle: .*Q\(1\).* continuously enabled but never executes?; with --fairness weak the property holds$", r.out, re.M), r)
    r = gyre(UNFAIR, "--check", "liveness", "--ltl", "impossible", "--fairness", "strong")
    check("nothing of that where fairness is assumed", r.status == 1 and "unfair" not in r.out, r)
    alone = "bit x; active proctype P() { do :: x = 1 - x od } ltl p { <> (x == 2) }"
    check("nor where nobody is left out", "unfair" not in gyre(alone).out, gyre(alone))


@test
def end_labels():
    server = "chan q = [1] of { bit };\nactive proctype server() {\ndo\n:: q?1 -> skip od }\nactive proctype client() { q!1 }"
    r = gyre(server)
    check("a server that waits for more may need an end label", r.status == 1 and "note: server(0) at model.pml:3 waits at the head of a loop" in r.out, r)
    check("which is all that it needs", gyre(server.replace("\ndo", "\nend: do")).status == 0)
    philosophers = """chan fork[2] = [1] of { bit };
active [2] proctype phil() { do :: fork[_pid]?1; fork[1 - _pid]?1; fork[_pid]!1; fork[1 - _pid]!1 od }
init { fork[0]!1; fork[1]!1 }"""
    r = gyre(philosophers)
    check("in the middle of a loop it is no such case", r.status == 1 and "head of a loop" not in r.out, r)
    own = "mtype = { red, green }; mtype light = 7; active proctype P() { do :: light == red -> light = green :: light == green -> light = red od }"
    r = gyre(own)
    check("a process that waits for itself serves nobody", r.status == 1 and "invalid end state" in r.out and "head of a loop" not in r.out, r)
    r = gyre(own.replace("active", "active [2]"))
    check("one that waits for its like may", "head of a loop" in r.out, r)
    r = gyre("bool busy; active proctype P() { do :: busy -> busy = false od } active proctype Q() { busy = true }")
    check("one that others set free may, too", "P(0) at model.pml:1 waits at the head of a loop" in r.out, r)


@test
def names_of_macros():
    text = """#define critical (in_cs == 1)
#define wants(i) (want[i] == 1)
#define both (in_cs == 1 && want[1] == 1)
#define inner <> critical
#define spec [] (wants(0) -> inner)
bit want[2]; byte in_cs;
active proctype P() { do :: want[0] = 1; want[0] = 0 od }
ltl plain { [] (wants(0) -> <> critical) }
ltl joint { [] (wants(0) -> <> both) }
ltl nested { spec }
ltl bare { [] (want[0] == 1 -> <> (in_cs == 1)) }
ltl spread { [] ((want[0]   ==  1)  ->   <> (in_cs  >  0
    || (want[1] == 1))) }
ltl mixed { [] (wants(0) -> <> (critical && want[1]!=0)) }
ltl true_words { [] (wants(0) -> <> (want[1] == true)) }
ltl idle { [] (critical -> <> both) }
"""
    out = {p["name"]: p for p in gyre(text, "--check", "liveness", "--json").json["properties"]}
    for name, first, second in (("plain", "wants(0)", "critical"), ("joint", "wants(0)", "both"), ("nested", "wants(0)", "critical"), ("bare", "want[0] == 1", "in_cs == 1"), ("spread", "want[0] == 1", "in_cs > 0 || (want[1] == 1)"),
                                ("mixed", "wants(0)", "critical && (want[1]!=0)"), ("true_words", "wants(0)", "want[1] == true")):
        parts = [reason["part"] for reason in out[name]["counterexample"]["reasons"]]
        check(f"{name}: in the user's words", parts == [first, second], parts)
    check("premises that are never met, too", out["idle"]["unmet_premises"] == ["critical"], out["idle"])
    parts = [reason["part"] for reason in gyre(text, "--check", "liveness", "--json", "--ltl", "[] (wants(0) -> <> both)").json["properties"][0]["counterexample"]["reasons"]]
    check("formulas of the command line, too", parts == ["wants(0)", "both"], parts)


# A chain of states with an error at the 5000th, which a turn comes by soon. Once the first turns are
# over, the next search is ended as it begins.
TURN = """#include "gyre/gyre.h"
#include <signal.h>
#include <time.h>
static double begun;
static bool raised;
static int initial(void *scratch, gy_foreign_emit *emit, void *user)
{
    gy_word start = 0;
    struct timespec t;
    (void)scratch;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double now = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
    begun = begun ? begun : now;
    if (now - begun > 0.5 && !raised) {
        raised = true;
        raise(SIGTERM);
    }
    return emit(user, &(gy_foreign_step){.state = &start});
}
static int successors(void *scratch, const gy_word *state, gy_foreign_emit *emit, void *user)
{
    gy_word next = *state + 1;
    (void)scratch;
    return emit(user, &(gy_foreign_step){.state = &next, .fault = *state == 5000 ? "it is 5000" : NULL});
}
static const char *const names[] = {"last"};
static bool holds(void *scratch, const gy_word *state, uint32_t predicate)
{
    (void)scratch, (void)predicate;
    return *state == UINT32_MAX;
}
const struct gy_foreign gyre_system = {.abi = GY_ABI_VERSION, .name = "turn", .words = 1, .initial = initial, .successors = successors,
                                       .predicate_count = 1, .predicates = names, .holds = holds};
"""


@test
def an_error_stays_known():
    with open("turn.c", "w", encoding="utf-8") as file:
        file.write(TURN)
    if subprocess.run(["cc", "-shared", "-fPIC", "-I", os.path.join(ROOT, "include"), "-o", "turn.so", "turn.c"], check=False).returncode:
        check("a shared object can be made", False)
        return
    run = subprocess.run([GYRE, "./turn.so", "--all-errors", "--threads", "1", "--memory", "1G", "--time", "60", "--ltl", "[] !last"],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=300)
    check("a turn that is ended at once does not make an error of the turn before unknown",
          run.returncode == 1 and "./turn.so: violated: it is 5000 (interrupted)" in run.stdout, run)


# -- partial deadlocks -----------------------------------------------------------------------

LOCKS = """bool a, b; byte t;
active proctype A() { do :: atomic { !a -> a = true }; atomic { !b -> b = true }; a = false; b = false od }
active proctype B() { do :: atomic { !b -> b = true }; atomic { !a -> a = true }; b = false; a = false od }
active proctype Clock() { do :: t = (t + 1) % 4 od }
"""


@test
def partial_deadlock():
    r = gyre(LOCKS)
    check("told beside `holds`", r.status == 0 and "holds: no assertion violation" in r.out and
          "note: partial deadlock: A(0) and B(1) are blocked for ever while others continue, after 4 steps" in r.out, r)
    check("with the reason for each", "A(0) waits for !b (b = true), and B(1) could change that, but is blocked, too" in r.out and
          "B(1) waits for !a (a = true), and A(0) could change that, but is blocked, too" in r.out, r)
    r = gyre(LOCKS, "--partial-deadlock", "--trail", "partial.trail")
    check("as a property it is violated", r.status == 1 and "violated: partial-deadlock: A(0) and B(1) are blocked for ever" in r.out, r)
    replay = subprocess.run([GYRE, "replay", "model.pml", "partial.trail"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    check("its trail leads there", b"waits for !b (b = true)" in replay.stdout, replay)
    r = gyre(LOCKS, "--partial-deadlock", "--json")
    found = r.property("partial-deadlock")["counterexample"]
    check("in JSON", [s["pid"] for s in found["stuck"]] == [0, 1] and found["kind"] == "partial-deadlock" and found["length"] == 4, found)
    ordered = LOCKS.replace("proctype B() { do :: atomic { !b -> b = true }; atomic { !a -> a = true }",
                            "proctype B() { do :: atomic { !a -> a = true }; atomic { !b -> b = true }")
    r = gyre(ordered, "--partial-deadlock")
    check("in order, the locks are fine", r.status == 0 and "partial-deadlock              holds" in r.out, r)
    labelled = LOCKS.replace("; atomic { !b -> b = true }; a", "; end1: atomic { !b -> b = true }; a").replace(
        "; atomic { !a -> a = true }; b", "; end2: atomic { !a -> a = true }; b")
    check("who may rest is not stuck", gyre(labelled, "--partial-deadlock").status == 0, gyre(labelled, "--partial-deadlock"))
    busy = "bit x; byte n; active proctype P() { x == 1; n = 1 } active proctype Q() { do :: n = 2 :: n == 9 -> x = 1 od } active proctype R() { n = 3 }"
    check("others that could, but never do", "Q(1) could change that, but never does" in gyre(busy, "--partial-deadlock").out, gyre(busy, "--partial-deadlock"))
    alone = "bit x; byte n; active proctype P() { n = 1; x == 1; n = 1 } active proctype Q() { do :: n = 2 od }"
    check("and where nobody can", "no other process changes that" in gyre(alone).out, gyre(alone))
    many = "active [64] proctype A() { do :: skip od } active proctype B() { false }"
    r = gyre(many, "--partial-deadlock")
    check("a process that has no bit is not left out", r.status == 3 and "pids above 63" in r.out, r)
    r = gyre(many.replace("[64]", "[63]"), "--partial-deadlock")
    check("the last one that has one is stuck", r.status == 1 and "B(63) is blocked for ever" in r.out, r)
    limited = gyre(LONG, "--exact", "--partial-deadlock", "--check", "safety", "--no-deadlock", "--time", "1")
    check("a limit leaves it open", limited.status == 3 and re.search(r"partial-deadlock +inconclusive: the time limit", limited.out), limited)


class Program:
    """Processes over three bits and a channel of one place, as text and as graphs: node -> list of
    (guard, effect, next node); a node may be one to rest in."""

    def __init__(self, random):
        self.random, self.procs = random, []
        for number in range(random.randint(2, 3)):
            self.lines, self.nodes, self.rest = [], [[]], set()
            loop = random.random() < 0.7
            for _ in range(random.randint(1, 4)):
                self.statement()
            last = len(self.nodes) - 1
            if loop:
                for edges in self.nodes:
                    edges[:] = [(g, e, 0 if to == last else to) for g, e, to in edges]
                self.rest.discard(last)
            else:
                self.rest.add(last)
            body = ";\n".join(self.lines)
            text = f"do\n:: {body}\nod" if loop else body
            if 0 in self.rest and loop:
                text = text.replace("L0: ", "").replace("do\n", "end0: do\n", 1)
            self.procs.append((f"active proctype P{number}() {{\n{text.replace('L0: ', 'end0: ')}\n}}", self.nodes, self.rest))

    def guard(self):
        kind = self.random.randrange(4)
        v, c = self.random.randrange(3), self.random.randrange(2)
        return [(f"x{v} == {c}", lambda s: s[v] == c), ("full(q)", lambda s: s[3] == 1),
                ("empty(q)", lambda s: s[3] == 0), (f"x{v} != x{(v + 1) % 3}", lambda s: s[v] != s[(v + 1) % 3])][kind]

    def action(self):
        v, c = self.random.randrange(3), self.random.randrange(2)

        def put(i, value):
            return lambda s: s[:i] + (value,) + s[i + 1:]
        return [(f"x{v} = {c}", lambda s: True, put(v, c)),
                (f"x{v} = 1 - x{v}", lambda s: True, lambda s: s[:v] + (1 - s[v],) + s[v + 1:]),
                ("q!1", lambda s: s[3] == 0, put(3, 1)), ("q?1", lambda s: s[3] == 1, put(3, 0))][self.random.randrange(4)]

    def statement(self):
        here = len(self.nodes) - 1
        label = ""
        if self.random.random() < 0.15 and (here == 0 or self.nodes[here] == []):
            label, _ = f"L{here}: " if here == 0 else f"end{here}: ", self.rest.add(here)
        kind = self.random.randrange(3)
        if kind == 0:
            text, guard = self.guard()
            self.nodes[here].append((guard, lambda s: s, here + 1))
            self.nodes.append([])
            self.lines.append(f"{label}({text})")
        elif kind == 1:
            text, guard, effect = self.action()
            self.nodes[here].append((guard, effect, here + 1))
            self.nodes.append([])
            self.lines.append(f"{label}{text}")
        else:
            options, join = [], here + 3
            for option in range(2):
                text, guard = self.guard()
                what, can, effect = self.action()
                self.nodes[here].append((guard, lambda s: s, here + 1 + option))
                self.nodes.append([(can, effect, join)])
                options.append(f":: {text} -> {what}")
            self.nodes.append([])
            self.lines.append(f"{label}if\n" + "\n".join(options) + "\nfi")

    @property
    def text(self):
        return "bit x0, x1, x2; chan q = [1] of { bit };\n" + "\n".join(p[0] for p in self.procs)

    def answer(self):
        """(depth, sets of pids) of the nearest states where some are stuck and nobody else will be."""
        begin = ((0,) * len(self.procs), (0, 0, 0, 0))
        depth, order, after = {begin: 0}, [begin], {}
        for state in order:
            pcs, values = state
            after[state] = []
            for p, (_, nodes, _) in enumerate(self.procs):
                for guard, effect, to in nodes[pcs[p]]:
                    if guard(values):
                        new = (pcs[:p] + (to,) + pcs[p + 1:], effect(values))
                        after[state].append((p, new))
                        if new not in depth:
                            depth[new] = depth[state] + 1
                            order.append(new)
        can = {s: {p for p, _ in after[s]} for s in order}
        alive = set(order)  # with an infinite path: those that are left when dead ends are taken away
        changed = True
        while changed:
            changed = False
            for s in reversed(order):
                more = can[s].union(*(can[t] for _, t in after[s]))
                if len(more) > len(can[s]):
                    can[s], changed = more, True
                if s in alive and not any(t in alive for _, t in after[s]):
                    alive.discard(s)
                    changed = True
        stuck = {s: frozenset(p for p, proc in enumerate(self.procs) if p not in can[s] and s[0][p] not in proc[2]) if s in alive else frozenset() for s in order}
        best = []
        for s in order:
            if stuck[s] and self.stable(s, stuck, after):
                best.append((depth[s], stuck[s]))
        least = min((d for d, _ in best), default=None)
        return least, {who for d, who in best if d == least}

    @staticmethod
    def stable(start, stuck, after):
        seen, todo = {start}, [start]
        while todo:
            for _, t in after[todo.pop()]:
                if t not in seen:
                    if not stuck[t] <= stuck[start]:
                        return False
                    seen.add(t)
                    todo.append(t)
        return True


@test
def partial_deadlocks_by_brute_force():
    violated = 0
    for seed in range(int(os.environ.get("PROGRAMS", "120"))):
        program = Program(random.Random(seed))
        depth, sets = program.answer()
        r = gyre(program.text, "--partial-deadlock", "--check", "safety", "--no-deadlock", "--json")
        p = r.property("partial-deadlock") if r.status in (0, 1) else {"verdict": str(r)}
        good = p["verdict"] == ("holds" if depth is None else "violated")
        if good and depth is not None:
            violated += 1
            found = p["counterexample"]
            good = found["depth"] == depth and frozenset(s["pid"] for s in found["stuck"]) in sets
        check(f"random program {seed}", good, (depth, sets, program.text, r))
    check("some of them have partial deadlocks", violated > 10, violated)


# -- the user's own words --------------------------------------------------------------------

WRITTEN = """#define FREE 0
#define TAKEN true
#define take(m) atomic { m == FREE -> m = TAKEN }
#define SET(v, e) v = e
#define both(a, b) a = 1; \\
  b = 2
#define inc(n) n++;
#define ready (x > 0 && y != FREE)
#define RIPE ready
mtype = { req, ack };
bool m; byte x, y; chan c = [1] of { mtype, byte };
inline put(v, e) { x = x + e; SET(v, e + FREE) }
inline outer(q) { m = false; put(q, 3) }
active proctype P() {
  byte i;
  take(m);
  SET(x,   y+1);
  both(x, y);
  inc(x)
  c ! req(  x );
  c?req,i;
  if :: RIPE -> skip :: else fi;
  if :: x>=0 /* always */ && RIPE || true -> m = ('a' > x) fi;
  outer(y);
  for (i : 1 .. 1) { x-- }
  select (i : 2 .. 2);
  d_step { x = TAKEN; y = FREE };
  timeout;
  assert(x == FREE)
}
"""
# By hand, from the lines above: macros by their names where all of one is in the statement, inlines with their
# arguments; what no line has (of `for` and `select`) in a normal form.
AS_WRITTEN = ["m == FREE", "m = TAKEN", "SET(x, y+1)", "x = 1", "y = 2", "inc(x)", "c ! req( x )", "c?req,i", "RIPE", "skip",
              "x>=0 && RIPE || true", "m = ('a' > x)", "m = false", "x = x + 3", "y = 3 + FREE", "i = 1", "(i<=1)", "x--",
              "i = i+1", "else", "i = 2", "d_step { x = TAKEN; … }", "timeout", "assert(x == FREE)"]


@test
def statements_as_written():
    r = gyre(WRITTEN, "--exact", "--json")
    steps = r.json["properties"][0]["counterexample"]["steps"]
    texts = [s["text"] for s in steps if s["text"] not in ("break", "goto", "(1)")]
    check("each statement as it was written", texts == AS_WRITTEN, (texts, r))
    calls = {s["text"]: [(c["inline"], c["line"]) for c in s.get("calls", [])] for s in steps}
    check("inlines have their calls, the innermost first", calls["x = x + 3"] == [("put", 13), ("outer", 24)] and
          calls["m = false"] == [("outer", 24)] and calls["SET(x, y+1)"] == [], calls)
    out = gyre(WRITTEN, "--exact").out
    check("in the text, too", re.search(r"13:\d+ +m = false +m: true → false\n +in outer\(\), called at model.pml:24:3\n", out) and
          re.search(r"12:\d+ +x = x \+ 3 .*\n +in put\(\), called at model.pml:13:30, in outer\(\), called at model.pml:24:3\n", out), out)
    check("the message has the words of the assertion", "assertion failed: x == FREE (x = 1)" in out, out)


@test
def conditions_as_written():
    r = gyre("bool lock; active proctype P() { lock = true; lock == false }")
    check("what it waits for, and the value, in words of the type", "waits for lock == false (lock = true)" in r.out and
          re.search(r"lock = true +lock: false → true", r.out), r)
    r = gyre("#define L lock\nbool lock; active proctype P() { L = true; !L }")
    check("with a macro", "waits for !L (lock = true)" in r.out, r)
    # A parameter of the inline is in what the macro stands for: its name alone would hide the argument.
    r = gyre("#define GOOD v > 0\n#define NO !\n#define PLUS(n) n + v\nbyte a, b;\ninline f(v) { assert(GOOD); assert(NO v); "
             "b = PLUS(1) }\nactive proctype P() { a = 1; f(a) }")
    check("a macro with a parameter of the inline", "violated: assertion failed: ! a (a = 1)" in r.out and
          re.search(r" assert\(a > 0\)\n", r.out), r)


SHARED = """#define P (x > 0)
byte x;
active proctype A() { do :: x = 0 :: x = 0 od }
ltl one { <> P }
ltl two { <> (x == 1) }
"""


@test
def formulas_and_runs():
    r = gyre(SHARED, "--check", "liveness", "--threads", "1")
    check("formulas beside their names", re.search(r"  one +ltl +violated.*\n +<> P\n", r.out) and
          re.search(r"Counterexample to ltl `two`.*\ntwo: <> \(x == 1\)\n", r.out), r)
    check("a run is shown once", r.out.count("--- cycle starts here") == 1 and
          "the same run as for ltl `one`, above\n" in r.out, r)
    told = gyre(SHARED, "--check", "liveness", "--threads", "1", "--json")
    check("JSON has the formula, and both runs", told.property("one")["formula"] == "<> P" and
          told.property("two")["counterexample"]["steps"] == told.property("one")["counterexample"]["steps"], told)
    r = gyre(SHARED.replace(":: x = 0 od", ":: x = 2 od"), "--check", "liveness", "--threads", "1", "--ltl", "two",
             "--ltl", "<> (x == 3)")
    check("a formula from the command line is its name", "\n<> (x == 3): " not in r.out and r.status == 1, r)


@test
def figures_in_one_scope():
    small = "byte x; active proctype P() { do :: x < 9 -> x++ :: x = 0 od }\nltl p { [] (x < 10) }"
    r = gyre(small)
    check("figures of safety apart from those of all", re.search(
        r"\nsafety: [\d,]+ states, .*; [\d.]+ m?s[^;\n]*\nall properties: [\d.]+ m?s; [\d.]+ [KMG]B\n", r.out), r)
    check("small runs are plain", "bytes per state" not in r.out and "reductions" not in r.out, r)
    r = gyre(small, "--check", "safety", "--verbose")
    check("--verbose tells all", "bytes per state" in r.out and "reductions" in r.out, r)
    r = gyre(small, "--check", "safety")
    check("one search, one line", re.search(r"\n\n10 states, .*; [\d.]+ m?s[^;\n]*; [\d.]+ [KMG]B\nsearch", r.out), r)
    stats = gyre(small, "--json").json["stats"]
    check("JSON keeps all", stats["bytes_per_state"] > 0 and "reductions" in stats, stats)
    large = "byte a, b, c; active proctype P() { end: do :: a < 50 -> a++ :: b < 50 -> b++ :: c < 50 -> c++ od }"
    r = gyre(large, "--exact") # 51^3, and 3 * 50 * 51^2 behind a guard
    check("large runs tell more", "522,801 states" in r.out and "bytes per state" in r.out and "no reductions" in r.out, r)


# A long way to a cycle, and a short one, each fair: the search in depth meets the long one first.
LONG_STEM = """byte n; bit l;
active proctype A() { do :: n < 30 -> n++ :: n == 30 -> l = 1 - l :: n == 0 -> l = 1 - l od }
active proctype B() { bit k; do :: k = 1 - k od }
ltl p { <> (n == 31) }
"""


@test
def fair_lassos_are_short():
    # by hand: weakly fair, A and B move once each, and twice to be where they were: 4 statements, or A once more
    for fairness in ("weak", "strong"):
        r = gyre(LONG_STEM, "--check", "liveness", "--fairness", fairness, "--exact", "--json")
        lasso = r.property("p")["counterexample"]
        check(f"{fairness}: without the long way", lasso["length"] <= 8, r)
        # A guard and an assignment, and an assignment of B; all of it twice where k and l, which nothing reads, count
        for more, cost in ([], 3), (["--exact"], 6):
            r = gyre(LONG_STEM, "--check", "liveness", "--fairness", fairness, "--shortest", *more, "--json")
            lasso = r.property("p")["counterexample"]
            check(f"{fairness}: a shortest one {more}", lasso["cost"] == cost and lasso["shortest"], r)
    labelled = LONG_STEM.replace(":: k =", ":: wfair: k =")
    for more, cost in ([], 1), (["--exact"], 2):
        r = gyre(labelled, "--check", "liveness", "--shortest", *more, "--json")
        lasso = r.property("p")["counterexample"]
        check(f"labels: A may rest, B moves {more}", lasso["cost"] == cost and lasso["shortest"], r)


@test
def the_statement_that_failed():
    """Where several statements begin, the state before the failure names the one that failed."""
    r = gyre("byte a[2]; byte i = 2; active proctype P() { do :: i = 2 :: a[i] = 1 od }\nactive proctype Q() { i == 3 }")
    state = r.out.partition("State before")[2]
    check("the second of two options", r.status == 1 and re.search(r"P\(0\) .* at: a\[i\] = 1\n", state), r)
    check("another process is at its own", re.search(r"Q\(1\) .* at: i == 3\n", state), r)


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
