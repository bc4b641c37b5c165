#!/usr/bin/env python3
# check: if: IF: systems, malformed ones, formulas, random ones against an interpreter; seconds 6
"""IF: systems with results worked out by hand, malformed ones, and random ones.

    test_if.py [models] [rejected] [formulas] [told] [commands] [example] [documented] [garbage] [random]

models    tests/if/models: `// expect: VERDICT [KIND]; states N, transitions N, deadlocks N`, worked
          out by hand. The virtual machine, compiled code and the interpreter in
          tests/diff/if_reference.py must all agree with it. `// options:` for the command line.
rejected  tests/if/rejected: exit status 2 and each `// error:` (and `// hint:`), with its place.
formulas  formulas and predicates from the command line.
told      what a counterexample looks like.
commands  gyre stats and gyre sim.
example   examples/if: the calls in its comment.
documented  the systems of docs/if.md, with what is said of them there.
garbage   pieces of systems, cut and mixed: an answer, whatever it is.
random    tests/diff/if_random.py.
Ends with `N passed, N failed`.
"""
import glob
import json
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import groups  # noqa: E402
import language  # noqa: E402
from language import GYRE, gyre, read  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import if_random  # noqa: E402
import if_reference  # noqa: E402

FOLDER = os.path.join(ROOT, "tests", "if")


# ---- models ------------------------------------------------------------------------------


def check_reference(text, options, figures):
    given = {n: int(v) for n, v in (o.split("=") for o in options if "=" in o)}
    facts = if_reference.explore(if_reference.System(text, given))
    return language.compare_facts(facts, figures)


def models():
    for path in sorted(glob.glob(os.path.join(FOLDER, "models", "*.if"))):
        expected = language.expectation(language.notes(path, "expect")[0])
        options = language.options(path)
        wrong = check_reference(read(path), options, expected[2])
        wrong += language.check(path, options, expected, "vm") + language.check(path, options, expected, "native")
        status, _, errors = gyre(path, *options)
        if status != (expected[0] == "violated"):
            wrong.append("reduced: exit status %d: %s" % (status, errors))
        status, _, errors = gyre("info", path, *options)
        if status != 0:
            wrong.append("info: exit status %d: %s" % (status, errors))
        yield os.path.basename(path), wrong


# ---- malformed models --------------------------------------------------------------------


def rejected():
    for path in sorted(glob.glob(os.path.join(FOLDER, "rejected", "*.if"))):
        wrong = language.check_refusal(path)
        errors = gyre(path)[2]
        if not re.search(r"^ +\| +\^", errors, re.M):
            wrong.append("no caret in\n%s" % errors)
        yield os.path.basename(path), wrong


# ---- formulas ----------------------------------------------------------------------------

TURNS = """system turns;
  type number = range 0 .. 2;
  var x number;
  signal a(number);
  signal b();
  process P(1) #queue[1];
    var v number;
    state s #start; task x := 1; task v := 2; nextstate t; endstate;
    state t; task x := 0; nextstate s; endstate;
  endprocess;
  process Q(2);
    var n number;
    state u #start; provided x = 1; nextstate u; endstate;
  endprocess;
  process W(1) #instances[2];
    var k number;
    state begin #start; output a(1) to self; nextstate wait; endstate;
    state wait; input a(k); fork W(); stop; endstate;
  endprocess;
endsystem;
"""

FORMULAS = [
    ("[] (P@t -> x = 1 and P.v = 2)", 0),
    ("[] <> P@s", 1), # the others can move for ever
    ("GF P@s or FG P@t or FG P@s", 0),
    ("[] (x = 1 <-> P@t)", 0),
    ("! <> (x > 1)", 0),
    ("not <> x = 1", 1),
    ("x = 0 W P@t", 0),
    ("(P@s or P@t) and {Q}0@u && {Q}1@u", 0),
    ("[] ({Q}1.n = 0)", 0),
    ("[] (length(W) <= 1)", 0),
    ("[] (length({W}1) = 0)", 1),
    ("[] (active {W}0 or active {W}1)", 0),
    ("[] active W", 1),
    ("[] (W@wait -> length(W) = 1)", 0),
    ("[] not ({W}0@begin and {W}1@begin)", 0),
    ("<> {W}1@wait", 1),
    ("[] (x <> 2 -> X (x <= 1))", 0),
    ("[] (P.v = 0 -> P@s)", 0),
    ("y = 1", 2),
    ("[] P@zz", 2),
    ("[] P.zz", 2),
    ("[] (", 2),
    ("(G P@s) + 1 = 2", 2),
    ("[] v = 1", 2),
    ("[] {Q}2@u", 2),
    ("[] self = nil", 2),
    ("[] P", 2),
    ("", 2),
]


def formulas():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "turns.if")
        with open(path, "w", encoding="utf-8") as file:
            file.write(TURNS)
        for formula, expected in FORMULAS:
            status, out, errors = gyre(path, "--ltl", formula)
            yield formula, [] if status == expected else [
                "exit status %d instead of %d: %s %s" % (status, expected, errors, out[:300])]
        status, out, errors = gyre("sim", path, "--steps", "3", "--show", "P.v;length(W)")
        yield "values in a simulation", [] if status == 0 and "P.v" in out else [out + errors]


# ---- what is told ------------------------------------------------------------------------

TOLD = [
    ("lossy", ["output a() via r (lost)", "no process can move"], ["end` before the loop"]),
    ("fork_full", ["fork worker(): all its 1 instances are alive (#instances[2] allows more)",
                   "p := fork worker()"], []),
    ("range", ["the value 3 is out of its range (0..2): task x := x + 1"], []),
    ("index", ["the value 3 is out of its range (1..2)", "a[2]: false → true"], []),
    ("signals", ["output a(1) to {Q}0", "Q.queue: empty → [a,1]", "input a(x)", "x: 1 → 2"], []),
    ("fork", ["{worker}0: dead → begin", "task n := n + 1; fork worker()"], []),
    ("unstable_waits", ["provided h; nextstate t", "h: false → true"], []),
    ("multiset", ["deliver message", "r.signal[0]: 0 → a"], []),
]


def told():
    for name, expected, not_expected in TOLD:
        status, out, errors = gyre(os.path.join(FOLDER, "models", name + ".if"), "--all-errors", "--full")
        wrong = [] if status == 1 else ["exit status %d: %s" % (status, errors)]
        wrong += ["%s is not in %s" % (e, out) for e in expected if e not in out]
        wrong += ["%s is in %s" % (e, out) for e in not_expected if e in out]
        yield "told " + name, wrong


# ---- other commands ----------------------------------------------------------------------


def commands():
    path = os.path.join(FOLDER, "models", "multiset.if")
    status, out, errors = gyre("stats", path, "--json")
    facts = json.loads(out) if status == 0 else {}
    wrong = [] if facts.get("states") == 12 and facts.get("edges") == 13 else [out + errors]
    yield "stats", wrong
    status, out, errors = gyre("sim", path, "--seed", "3")
    yield "sim", [] if status in (0, 1) and "output a(2) via r" in out and "deliver" in out else [out + errors]
    status, out, errors = gyre("convert", path)
    yield "convert", [] if status == 2 else ["exit status %d" % status]


EXAMPLE = os.path.join(ROOT, "examples", "if", "alternating_bit.if")


def example():
    """The calls that its comment shows, and that nothing comes twice or is skipped."""
    formula = re.search(r"--ltl '(.*)'", read(EXAMPLE)).group(1)
    for options, expected in (((), 0), (("--ltl", formula), 0), (("-D", "CHECKED=false", "--ltl", formula), 1)):
        status, _, errors = gyre(EXAMPLE, *options)
        yield "example %s" % " ".join(options), [] if status == expected else ["exit status %d: %s" % (
            status, errors)]
    facts = if_reference.explore(if_reference.System(read(EXAMPLE)))
    yield "example, counted", language.check(EXAMPLE, [], ("holds", None, facts), "vm")


# ---- documentation -----------------------------------------------------------------------


def documented():
    """Each system of docs/if.md, with the options and verdicts that stand above it."""
    text = read(os.path.join(ROOT, "docs", "if.md"))
    found = re.findall(r"<!-- ((?:holds|violated)[^\n]*?) -->\n\n((?:(?:    [^\n]*)?\n)+)", text)
    with tempfile.TemporaryDirectory() as folder:
        for i, (expect, body) in enumerate(found):
            path = os.path.join(folder, "documented%d.if" % i)
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(line[4:] for line in body.splitlines()) + "\n")
            head, _, formula = expect.partition(" --ltl ")
            expected = language.expectation(head)
            if formula:
                status, _, errors = gyre(path, "--ltl", formula)
                wrong = [] if status == (expected[0] == "violated") else ["exit status %d: %s" % (status, errors)]
            else:
                facts = if_reference.explore(if_reference.System(read(path)))
                wrong = language.check(path, [], (*expected[:2], facts), "vm")
            yield "documentation: %s" % expect, wrong
    yield "documentation: its systems", [] if len(found) >= 3 else ["%d found" % len(found)]


# ---- garbage -----------------------------------------------------------------------------


def garbage():
    """No crash, and no other answers than there are."""
    texts = [read(p) for p in sorted(glob.glob(os.path.join(FOLDER, "models", "*.if")))]
    pieces = [p for t in texts for p in re.findall(r"\w+|\S", t)]
    r = random.Random(7)
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "garbage.if")
        for i in range(150):
            text = r.choice(texts)
            if i % 3 == 0:
                text = text[:r.randrange(len(text))]
            elif i % 3 == 1:
                words = re.findall(r"\w+|\s+|\S", text)
                for _ in range(r.randint(1, 4)):
                    words[r.randrange(len(words))] = r.choice(pieces)
                text = "".join(words)
            else:
                text = " ".join(r.choice(pieces) for _ in range(r.randint(1, 60)))
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            status, _, errors = gyre(path, "--depth", "200", "--backend", "vm", "--time", "20")
            if status not in (0, 1, 2, 3):
                bad.append("%d: exit status %d: %s\n%s" % (i, status, errors, text))
    yield "garbage", bad


def chains():
    """What names lead on to is as deep as what is nested, and calls are copied in."""
    process = "process p(1); var x integer; state a #start; %s stop; endstate; endprocess; endsystem;"
    nested = "1"
    for _ in range(60):
        nested = "(" + nested + ")" + " + 1" * 1900
    consts = "".join("const c%d = c%d%s;" % (k, k + 1, " + 1" * 1500) for k in range(100)) + "const c100 = 1; "
    calls = "".join("procedure f%d; call f%d(); call f%d(); endprocedure; " % (k, k + 1, k + 1) for k in range(40))
    cases = {"nested": ("", "task x := %s;" % nested, "nested too deeply"),
             "constants": (consts, "task x := c0;", "too many names"),
             "calls": (calls + "procedure f40; endprocedure; ", "call f0();", "too many expressions")}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "chain.if")
        for name, (before, statement, message) in cases.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write("system s; " + before + process % statement)
            status, _, errors = gyre(path)
            yield name, [] if status == 2 and message in errors else ["exit status %d\n%s" % (status, errors[:500])]


def sums():
    """As long as expressions may be, and longer than any stack."""
    model = "system s; process p(1); var x integer; state a #start; provided %s = 0; nextstate a; endstate; endprocess; endsystem;"
    yield from language.long_sums(".if", lambda text: model % text, "x")


def random_systems():
    count = int(os.environ.get("IF_RANDOM", "40"))
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            wrong = if_random.check(GYRE, seed, folder, native=seed % 10 == 0) # a compiler takes its time
            if wrong is not None:
                yield "random %d" % seed, wrong


GROUPS = {"models": models, "rejected": rejected, "formulas": formulas, "told": told,
          "commands": commands, "example": example, "documented": documented, "garbage": garbage,
          "chains": chains, "sums": sums, "random": random_systems}


if __name__ == "__main__":
    sys.exit(groups.run(GROUPS))
