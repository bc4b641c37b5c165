#!/usr/bin/env python3
# check: reduce: trace covers; seconds 5
"""Trace covers (--cover, --ef, --ef-sum, --ef-file) on small programs with known answers.

The cases are those of Kashyap and Garg, "Exploiting predicate structure for efficient reachability
detection" (ASE 2005), and of what is wrong in print there: an event that is independent of the
others of a persistent set cannot be left out of it, two states of one process are never
concurrent, and a process may begin in a state that is asked for. Answers are worked out by hand;
the numbers of events count the end of a process as one.

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
passed = failed = 0

MUTEX = "active [2] proctype P() { bool incs; incs = 1; incs = 0 }\n"
LEMMA = "byte a, y;\nactive proctype P1() { a = 1; y = 1 }\nactive proctype P2() { y = 2 }\n"
ALONE = """chan c = [2] of { bit };
active [2] proctype P() { bool x; if :: _pid == 0 -> x = 1; c!1; c!0; x = 0 :: else -> skip fi }
"""
INITIAL = "active [2] proctype P() { bool x = 1; false; x = 0 }\n"
LATE = """chan m = [1] of { bit };
active [2] proctype P() { bool x; if :: _pid == 0 -> x = 1; FIRST; SECOND :: else -> m?_; x = 1 fi }
"""
LOOP = "active proctype A() { byte i; do :: i = (i + 1) % 5 od }\n"
LOOPS = LOOP + "active proctype B() { byte j; do :: j = (j + 1) % 7 od }\n"
MEETING = """chan r = [0] of { byte };
byte x;
active proctype S() { byte v; v = 1; r!2; v = 3 }
active proctype R() { byte v; if :: r?v :: x = 1 fi; v = 4 }
"""
BUFFER = """chan q = [1] of { byte };
active proctype S() { q!1; q!2 }
active proctype R() { byte v; q?v; q?v }
"""
WAITS = "byte x;\nactive proctype P() { timeout; x = 1 }\nactive proctype Q() { x == 1; x = 2 }\n"
STARTS = """byte n;
proctype C() { byte v; v = 1; n++ }
init { run C(); run C() }
"""
DEADLOCK = """bool a, b;
active proctype P() { atomic { !a -> a = 1 }; atomic { !b -> b = 1 }; a = 0; b = 0 }
active proctype Q() { atomic { !b -> b = 1 }; atomic { !a -> a = 1 }; b = 0; a = 0 }
"""


def note(what, good, detail=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAILED: {what}: {str(detail)[:600]}")


def run(text, *options, cover=True):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.pml")
        with open(path, "w") as out:
            out.write(text)
        more = ["--cover"] if cover else []
        done = subprocess.run([GYRE, path, "--json", *more, *options], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)
    return done.returncode, schema.report(done.stdout) if done.stdout else None, done.stderr


def plain(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.pml")
        with open(path, "w") as out:
            out.write(text)
        return subprocess.run([GYRE, path, "--cover", *options], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL).stdout


def found(report, number=1):
    return report["properties"][number]["verdict"] == "violated"


def ask(what, text, wanted, *questions, options=()):
    """Each question with its answer, by a cover and by a search of all states."""
    flags = [word for q in questions for word in (q if isinstance(q, tuple) else ("--ef", q))]
    for cover in (True, False):
        _, report, problem = run(text, "--no-deadlock", *options, *flags, cover=cover)
        if not report or len(report["properties"]) != len(questions) + 1:
            note(what, False, problem)
            continue
        answers = [found(report, i + 1) for i in range(len(questions))]
        note(f"{what}, {'cover' if cover else 'all states'}", answers == wanted, answers)


def figures(text, *options):
    """Of the model as it is written."""
    report = run(text, "--no-deadlock", "--no-merge", "--no-dead", "--no-slice", "--no-ranges", *options)[1]
    return report["stats"]["reduced"]["trace-cover"]


def papers():
    both = "P[0]:incs && P[1]:incs"
    ask("two processes in the critical section", MUTEX, [True, True, False], both,
        ("--ef-sum", "P incs > 1"), ("--ef-sum", "P incs > 2"))
    report = run(MUTEX, "--ef", both)[1]
    note("the least cut has two events", report["properties"][1]["counterexample"]["length"] == 2)
    cover = figures(MUTEX)
    note("independent processes are one trace", cover == {"traces": 1, "events": 6, "given_up": 0}, cover)
    ask("an event that is independent of the rest", LEMMA, [True, True, True, False],
        "y == 2 && a == 1", "y == 1 && a == 1", "y == 2 && a == 0", "y == 1 && a == 0")
    ask("one process alone", ALONE, [False, True], ("--ef-sum", "P x > 1"), ("--ef-sum", "P x > 0"))
    ask("true from the start", INITIAL, [True, True], ("--ef-sum", "P x > 1"),
        "P[0]:x && P[1]:x")
    after = LATE.replace("FIRST", "m!1").replace("SECOND", "x = 0")
    before = LATE.replace("FIRST", "x = 0").replace("SECOND", "m!1")
    ask("reset after the message", after, [True], ("--ef-sum", "P x > 1"))
    ask("reset before the message", before, [False], ("--ef-sum", "P x > 1"))
    cover = figures(LOOP)
    note("a loop of five", cover == {"traces": 1, "events": 5, "given_up": 0}, cover)
    cover = figures(LOOPS)
    note("two loops", cover == {"traces": 1, "events": 12, "given_up": 0}, cover)
    ask("all pairs of two loops", LOOPS, [True, False, True], "A:i == 4 && B:j == 6", "A:i == 5",
        "A:i == 3 && B:j == 0")
    several = [figures(LEMMA, *q)
               for q in ((), ("--ef", "y == 7"), ("--ef", "a == 7", "--ef", "y == 9"))]
    note("whatever is asked, the cover is the same", several.count(several[0]) == 3, several)


# Who waits for what an index names: it is another one where the index has not been written yet.
INDEXED = ["""byte i; chan qs[2] = [1] of { byte };
active proctype C() { qs[i]?_; assert(false) }
active proctype B() { qs[0]!1 }
active proctype A() { i = 1 }
""", """byte i, a[2];
active proctype C() { a[i] == 1; assert(false) }
active proctype B() { a[0] = 1 }
active proctype A() { i = 1 }
"""]


def indices():
    for text in INDEXED:
        for _ in range(2):
            status, report, problem = run(text, "--no-deadlock")
            note("an index that changes", status == 1 and report["verdict"] == "violated", (text, problem))
            text = "\n".join([text.split("\n")[0], *text.strip().split("\n")[:0:-1]]) + "\n"  # processes backwards


def language():
    ask("rendezvous", MEETING, [True, True, False, True], "S:v == 3 && R:v == 4",
        "x == 1 && R:v == 4 && S:v == 1", "x == 1 && S:v == 3", "R:v == 2")
    ask("a buffer", BUFFER, [True, False, True], "R:v == 1 && len(q) == 1",
        "R:v == 2 && len(q) == 1", "R:v == 2 && len(q) == 0")
    ask("timeout", WAITS, [True, True], "x == 1", "x == 2")
    ask("processes that are started", STARTS, [True, False, True], "n == 2", "n == 3",
        ("--ef-sum", "C[1..2] v > 1"))
    ask("disjunctions and what has no structure", LEMMA, [True, True, False],
        "y == 1 || y == 9", "a + y == 3", "a + y == 4")
    ask("labels", MUTEX.replace("incs = 0", "cs: incs = 0"), [True, False],
        ("--ef-sum", "P @cs > 1"), ("--ef-sum", "P @cs > 2"))
    for options in ((), ("--all-errors",)):
        status, report, _ = run(DEADLOCK, *options)
        safety = report["properties"][0]
        note("a deadlock is found", status == 1 and safety["counterexample"]["kind"] == "invalid-end-state")
    status, report, _ = run(LEMMA, "--check", "liveness", "--ef", "y == 1 && a == 1")
    note("states alone", status == 1 and [p["kind"] for p in report["properties"]] == ["ltl"])
    status, report, _ = run(LEMMA, "--goal", "y == 1 && a == 1")
    note("a goal", status == 1 and [p["kind"] for p in report["properties"]] == ["ltl"])
    status, report, _ = run("byte x;\nactive [2] proctype P() { x++; assert(x < 2) }\n")
    note("an assertion is found", status == 1 and report["properties"][0]["verdict"] == "violated")


SHAPES = """byte x, y;
chan q = [1] of { byte };
active proctype A() { byte v; v = 1; x = 2; q!1; false }
active proctype B() { byte v; v = 2; y = 1; q?v; false }
active [2] proctype C() { bool c; c = 1; c = 0 }
"""
CLASSES = [("--ef", "A:v == 1", "local", 1, "least-cut", "local predicate"),
           ("--ef", "A:v == 1 && B:v == 2", "conjunctive", 2, "least-cut", "conjunctive predicate of 2 conditions"),
           ("--ef", "A:v == 1 && x == 2", "linear", 2, "least-cut", "linear predicate of 2 conditions"),
           ("--ef", "len(q) == 1", "linear", 1, "least-cut", "linear predicate of 1 condition"),
           ("--ef", "x == 9 || A:v == 7 || len(q) == 3", "disjunctive", 3, "least-cut", "disjunction split into 3"),
           ("--ef-sum", "C c > 1", "sum", 2, "intervals", "0-1 sum of 2 terms")]
GENERAL = [("x == y && y == 9", False), ("x == y + 1 && A:v == 1", True), ("x + y == 3 && len(q) == 1", True),
           ("x + y == 3 && A:v == 0", False)]


def classes():
    """Each predicate is told what it is; those without structure are asked of a SAT solver, if there is one."""
    asked = [word for case in CLASSES for word in case[:2]]
    report = run(SHAPES, *asked)[1]
    text = plain(SHAPES, *asked)
    for case, told in zip(CLASSES, report["properties"][1:]):
        wanted = {"class": case[2], "parts": case[3], "method": case[4]}
        note(f"class of {case[1]}", told.get("predicate") == wanted and f"; {case[5]}\n" in text, told)
    note("none without a cover", "predicate" not in run(SHAPES, *asked, cover=False)[1]["properties"][1])
    report = run(SHAPES, *[word for text, _ in GENERAL for word in ("--ef", text)])[1]
    for (text, wanted), told in zip(GENERAL, report["properties"][1:]):
        kind = told["predicate"]
        note(f"{text}", (told["verdict"] == "violated") == wanted and kind["class"] == "general" and
             kind["method"] in ("sat", "cuts"), told)
        warned = [d for d in report["diagnostics"] if d.get("code") == "general-predicate" and text in d["message"]]
        note(f"{text}: warned of", bool(warned) == (kind["method"] == "cuts"), report["diagnostics"])
    # More combinations than are tried: cuts are gone through, and a warning says so.
    many = "byte x[9];\nactive [9] proctype A() { x[_pid] = 1; false }\n"
    asked = ("--ef", " + ".join(f"x[{i}]" for i in range(9)) + " == 9", "--no-deadlock")
    report = run(many, *asked)[1]
    note("more objects than are combined", report["properties"][1]["predicate"]["method"] == "cuts" and found(report) and
         any(d.get("code") == "general-predicate" for d in report["diagnostics"]), report)
    note("the warning is shown", "warning: `[] !(x[0]" in plain(many, *asked))


def refused():
    cases = [
        (["--cover", "--search", "dfs"], r"--search and --cover cannot be combined"),
        (["--cover", "--store", "plain"], r"--store and --cover cannot be combined"),
        (["--ef", "z == 1"], "undeclared variable `z`"),
        (["--ef", "x =="], "is not an expression"),
        (["--ef-sum", "P"], "no > COUNT"),
        (["--ef-sum", "P v > x"], "COUNT must be a whole number"),
        (["--ef-sum", "Q v > 1"], "unknown process type `Q`"),
        (["--ef-sum", "P[3..1] v > 1"], "the pids must be FIRST..LAST"),
        (["--ef-sum", "C v > 1"], "started by run"),
        (["--ef-sum", "P v) || (1 > 0"], "an unmatched `)`"),
        (["--ef-file", "missing.txt"], "cannot read missing.txt"),
        (["--ef-file", "/dev/null"], "/dev/null contains no expression"),
        (["--ef-file"], "needs an argument (FILE)"),
        (["--cover", "--ltl", "<> (x == 1)"], "cannot check ltl property"),
        (["--cover", "--check", "liveness"], "--cover has nothing to check"),
        (["--cover", "--check", "progress"], "cannot check progress property"),
        (["--goal", "z == 1"], "--goal: `z == 1` is not an expression over the variables"),
    ]
    text = "byte x;\nactive [2] proctype P() { byte v; x = 1; run C() }\nproctype C() { byte v; v = 1 }\n"
    for options, message in cases:
        status, _, problem = run(text, *options, cover=False)
        note(" ".join(options), status == 2 and message in problem, f"{status} {problem}")
    # Sums count pids up to 63: to leave the others out would make more hold than does.
    for first in (70, 66):
        text = f"byte n;\nactive [{first}] proctype {'P' if first == 70 else 'X'}() {{ bool c; c = 1 }}\n"
        text += "" if first == 70 else "active [4] proctype P() { bool c; c = 1 }\n"
        status, _, problem = run(text, "--ef-sum", "P c > 65", cover=False)
        note(f"pids beyond 63, {first}", status == 2 and "beyond 63" in problem, f"{status} {problem}")
    for text, why in (("active proctype P() priority 3 { set_priority(0, 2) }\n", "priorities"),
                      ("active proctype P() { _last == 0 }\n", "_last"),
                      ("active proctype P() { c_code { ; } }\n", "embedded C")):
        status, _, problem = run(text)
        note(f"refused: {why}", status == 2 and why in problem, f"{status} {problem}")


def files():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "states.txt")
        with open(path, "w") as out:
            out.write("# both\nP[0]:incs && P[1]:incs\n\n  sum: P incs > 2\n")
        report = run(MUTEX, "--ef-file", path)[1]
        with open(os.path.join(folder, "zero.txt"), "wb") as out:
            out.write(b"P[0]:incs\0\nP[1]:incs\n")
        status, _, problem = run(MUTEX, "--ef-file", os.path.join(folder, "zero.txt"))
        note("--ef-file with a 0 byte", status == 2 and "not a text file" in problem, f"{status} {problem}")
        note("--ef-file", [p["verdict"] for p in report["properties"]] == ["holds", "violated", "holds"])


MANY = """byte n;
proctype P() { n == 1 }
init { byte i; do :: i < 70 -> run P(); i++ :: else -> break od }
"""
ENDS = """byte g;
active proctype A() provided (g != 1) { byte k; k = 1; k = 2; g = 5 }
active proctype B() { g = 1; g = 2; g = 3 }
active proctype C() { (g == 5) ; do :: g > 4 -> g = 4 :: else -> break od }
"""


# name, what is asked for, traces: philosopher 0 eats first or not; 5! orders of identities (where the ring
# begins does not matter); two time stamps for each of five.
PROTOCOLS = [("philosophers", [w for i in range(6) for w in ("--ef", f"phil[{i}]:eats && phil[{(i + 1) % 6}]:eats")], 2),
             ("election", ["--ef-sum", "node leads > 1"], 120),
             ("ricart_agrawala", ["--ef-sum", "P incs > 1"], 32)]


def protocols():
    """Those of the paper at its sizes, right and wrong; of deterministic processes each choice is one trace."""
    for name, asked, traces in PROTOCOLS:
        with open(os.path.join(ROOT, "bench", "cover", name + ".pml"), encoding="utf-8") as file:
            text = file.read()
        status, report, problem = run(text, "--no-deadlock", *asked)
        figures = report["stats"]["reduced"]["trace-cover"]
        note(f"{name} is right", status == 0 and report["verdict"] == "holds", problem)
        note(f"{name}: traces", figures["traces"] == traces and figures["given_up"] == 0, figures)
        status, report, problem = run(text, "--no-deadlock", "-D", "ERROR", *asked)
        note(f"{name} is wrong with an error", status == 1 and report["properties"][0]["verdict"] == "holds" and
             any(found(report, i + 1) for i in range(len(asked) // 2)), problem)


def limits():
    status, report, problem = run(MANY, "--ef", "n == 2")
    note("more than 64 processes", status == 3 and not problem and
         [p["verdict"] for p in report["properties"]] == ["inconclusive"] * 2, f"{status} {problem}")
    several = []
    for cover in (True, False):  # exactly one state is a deadlock, whatever number of traces end there
        report = run(ENDS, "--all-errors", *([] if cover else ["--exact"]), cover=cover)[1]
        several.append(report["properties"][0]["errors"])
    note("an end state is one error", several == [1, 1], several)


def main():
    papers()
    indices()
    language()
    classes()
    refused()
    files()
    protocols()
    limits()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
