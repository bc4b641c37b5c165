#!/usr/bin/env python3
# check: cli: counterexamples as people read them; seconds 15
"""Counterexamples as people read them: folded, wrapped, with places that can be clicked, in the order
of the properties, and with few context switches. Ends with `N passed, N failed`."""
import itertools
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import ROOT, check, expect, gyre, on_terminal, plain, run_all, write  # noqa: E402


def example(name):
    return os.path.join(ROOT, "examples", name)


# ---- folding ------------------------------------------------------------------------------


def folding():
    # Ten rounds of a guard without effect, an atomic block of three statements, and one more.
    write("rounds.pml", "byte n, a, b;\nactive proctype P() {\n    do\n    :: n < 10 ->\n       atomic { a++; b++; b++ };\n"
          "       n++\n    :: else -> break\n    od;\n    assert(false)\n}\n")
    r = expect("folded", gyre("rounds.pml", "--exact"), 1)
    full = gyre("rounds.pml", "--exact", "--full")
    steps = re.findall(r"^ *(\d+)(?:-(\d+))? [ ▸┌│└] P\(0\)", r.out, re.M)
    check("no step is lost by folding", [n for first, last in steps for n in range(int(first), int(last or first) + 1)] ==
          list(range(1, 53)), steps)
    # Per round: guard and atomic block in a line, then n++; then the else, and what fails.
    check("22 lines for 52 steps", len(steps) == 22, r.out)
    check("guard and atomic block are one line with what they change together",
          re.search(r"1-4 ▸ P\(0\) +rounds\.pml:4:8 +n < 10; a\+\+; b\+\+; b\+\+ +a: 0 → 1, b: 0 → 2\n", r.out), r.out)
    check("what fails stands alone", re.search(r"^ +52   P\(0\) +rounds\.pml:9:5 +assert\(false\)", r.out, re.M), r.out)
    check("it is said that lines are folded", "--full shows each" in r.out, r.out)
    check("--full shows each", len(re.findall(r"^ *\d+ [ ┌│└] P\(0\)", full.out, re.M)) == 52 and "▸" not in full.out, full.out)
    # Short ones are shown as they are.
    write("short.pml", "byte a;\nactive proctype P() { true; atomic { a = 1; a = 2 }; assert(false) }\n")
    short = gyre("short.pml", "--exact").out
    check("a short one is not folded", "▸" not in short and "┌" in short, short)
    # Two processes, steps without effect in turn: nothing may be folded across processes or into a cycle.
    write("turns.pml", "byte t;\nactive proctype P() { do :: t == 0 -> t = 1 od }\nactive proctype Q() { do :: t == 1 -> t = 0 od }\n"
          "ltl p { <>[] (t == 9) }\n")
    r = gyre("turns.pml", "--check", "liveness", "--full")
    check("the cycle begins a line", "--- cycle starts here, repeats for ever ---" in r.out, r.out)
    write("trail.pml", "byte t;\nactive proctype P() { do :: t < 20 -> t++ :: else -> break od; do :: true -> skip od }\nltl p { <> (t == 99) }\n")
    r = gyre("trail.pml", "--check", "liveness", "--exact")
    before, after = r.out.split("--- cycle starts here, repeats for ever ---")
    ends = [int(n) for n in re.findall(r"^ *(?:\d+-)?(\d+) [ ▸] P", before, re.M)]
    begins = [int(n) for n in re.findall(r"^ *(\d+)(?:-\d+)? [ ▸] P", after, re.M)]
    check("no line crosses the start of the cycle", ends[-1] + 1 == begins[0], r.out)


def long_ones():
    write("long.pml", "int n;\nactive proctype P() { do :: n < 200 -> n++ :: else -> break od; assert(false) }\n")
    r = gyre("long.pml", "--exact")
    hidden = re.search(r"… ([\d,]+) steps not shown \(--full", r.out)
    shown = re.findall(r"^ *(\d+)(?:-(\d+))? [ ▸] P", r.out, re.M)
    total = sum(int(last or first) - int(first) + 1 for first, last in shown)
    check("the middle is left out, and counted right", hidden and total + int(hidden[1].replace(",", "")) == 402, r.out)


# ---- what a beginner needs ----------------------------------------------------------------


def said_once():
    """The headline says once that it is violated, and why; for cycles, what they are."""
    write("once.pml", "byte x;\nactive proctype P() { x = 2; assert(x == 1) }\n")
    r = expect("the headline", gyre("once.pml"), 1, r"\Aonce\.pml: violated: assertion failed: x == 1 \(x = 2\)\n")
    check("it is violated once", r.out.count("violated") == 1, r.out)
    # what editors' problem matchers read
    check("the reason and its location end it", re.search(r"^assertion failed: x == 1 \(x = 2\)\n  in P\(0\), once\.pml:2:\d+: assert", r.out, re.M), r.out)
    for text, kind in (("active proctype P() { do :: x = 1 - x od }\nltl p { <>[] (x == 1) }\n", "that violates it"),
                       ("active proctype P() { accept: do :: x = 1 - x od }\n", "through an accept label infinitely often"),
                       ("active proctype P() { do :: x = 1 - x od }\nnever { do :: true od; accept: do :: x < 2 od }\n", None)):
        write("cycle.pml", "byte x;\n" + text)
        if kind:
            expect("what a cycle is", gyre("cycle.pml", "--check", "liveness"), 1,
                   r"\Acycle\.pml: violated: [^\n]*: accepting cycle \(an infinite run " + kind + r"\)\n")


def replayed():
    """On a terminal, and only there, one line after the first counterexample: a command that replays it."""
    write("again.pml", "byte x;\nactive proctype P() { x = N; assert(x == 1) }\nltl p { [] (x < 9) }\n")
    check("nothing on a pipe", "replay it" not in gyre("again.pml", "-DN=9").out, gyre("again.pml", "-DN=9"))
    text = plain(on_terminal("again.pml", "-DN=9", columns=120))
    line = re.findall(r"^replay it: gyre (.*); in a browser: --html FILE$", text, re.M)
    check("one line, after the first counterexample", len(line) == 1 and text.count("Counterexample") == 2 and
          text.index("Counterexample") < text.index("replay it") < text.rindex("Counterexample"), text)
    r = gyre(*line[0].split()) if line else None
    check("the command replays it", r and r.status == 1 and "x: 0 → 9" in r.out, r)
    text = plain(on_terminal("again.pml", "-DN=9", "--ltl", "[] (x == 0)", columns=120))
    check("what was asked for needs a trail", "replay it: add --trail FILE, then gyre replay again.pml -D N=9 FILE\n" in text, text)
    text = plain(on_terminal("again.pml", "-DN=9", "--trail", "again.trail", columns=120))
    line = re.findall(r"^replay it: gyre (.*again\.trail)$", text, re.M)
    r = gyre(*line[0].split()) if line else None
    check("with the trail that was written", r and r.status == 1 and "x: 0 → 9" in r.out, text)


# ---- places and width ---------------------------------------------------------------------


def places():
    write("models/part/m.pml", "#include \"n.h\"\nactive proctype P() {\n    byte long_variable_name = 1;\n    FAIL\n}\n")
    write("models/part/n.h", "#define FAIL assert(long_variable_name == 2 || long_variable_name == 3 || long_variable_name == 4)\n")
    r = gyre("models/part/m.pml")
    check("the path as it was typed, with line and column", re.search(r"^ *\d+ +P\(0\) +models/part/m\.pml:4:5 +FAIL", r.out, re.M), r.out)
    check("no links on a pipe", "\033" not in r.out, r.out)
    name = os.path.realpath("models/part/m.pml")
    t = on_terminal("models/part/m.pml", columns=120)
    check("links on a terminal", re.search(r"\033\]8;;file://[^/]*" + re.escape(name) + r"#4\033\\models/part/m\.pml:4:5\033\]8;;\033\\", t), t)
    t = on_terminal("models/part/m.pml", columns=40)
    check("without folders where there is no room, but the link has them", re.search(re.escape(name) + r"#4\033\\m\.pml:4:5\033", t), t)
    t = on_terminal("models/part/m.pml", "--colour", "never", columns=120)
    check("no links without colours", "\033]8" not in t, t)


def width():
    for model, columns in itertools.product(("treiber_stack.pml", "needham_schroeder.pml", "traffic_light.pml"), (60, 80, 132)):
        os.chdir(os.path.join(ROOT, "examples"))
        text = plain(on_terminal(model, columns=columns))
        os.chdir(WHERE[0])
        # What cannot be broken may stick out: it is a single word.
        wide = [line for line in text.split("\n") if len(line) > columns and len(line.split()) > 1 and
                not re.search(r"^ *\S+$", line)]
        check(f"{model} fits {columns} columns", not wide, "\n".join(wide))
    write("wide.pml", "mtype = { " + ", ".join(f"name_{i}" for i in range(30)) + " };\nmtype x;\nactive proctype P() {\n"
          "    if " + " ".join(f":: x = name_{i}" for i in range(3)) + " fi;\n    assert(x == name_29)\n}\n")
    text = plain(on_terminal("wide.pml", columns=50))
    check("broken between words", all(len(line) <= 50 for line in text.split("\n")), text)


def progress_fits():
    """A line that is wiped out again must not wrap."""
    write("slow.pml", "int a_very_long_name_of_a_variable, b, c;\nactive proctype P() { do :: b++ od }\nactive proctype Q() { do :: c++ od }\n"
          "active proctype R() { a_very_long_name_of_a_variable = 1; a_very_long_name_of_a_variable = 2; assert(a_very_long_name_of_a_variable == 77777) }\n")
    text = on_terminal("slow.pml", "--exact", "--no-assert", "--time", "2.5", columns=30)
    shown = re.findall(r"\r\033\[K([^\r\n]+)\r", text)
    check("lines of progress are cut at the width", shown and all(len(line) < 30 for line in shown), shown)


# ---- order --------------------------------------------------------------------------------


def order():
    write("several.pml", "byte x;\nactive proctype P() { do :: x = 1 - x od }\nactive proctype Q() { x == 1; assert(false) }\n"
          "ltl zero { [] (x == 0) }\nltl fine { [] (x < 2) }\nltl one { <>[] (x == 1) }\n")
    r = gyre("several.pml")
    table = [line.split()[0] for line in r.out.split("\n\n")[0].split("\n")[1:] if "violated" in line]
    titles = re.findall(r"^Counterexample to (?:ltl `)?(\w+)`?: ", r.out, re.M)
    check("each under its property's name, in the order of the table", table == titles == ["safety", "zero", "one"], (table, titles, r.out))


# ---- --simplify ---------------------------------------------------------------------------


def switches(report):
    """Counted here: steps in which nobody takes part who took part in the one before."""
    parts = [{s["pid"], s.get("partner", {}).get("pid", s["pid"])} for s in report["steps"]]
    return sum(not a & b for a, b in zip(parts, parts[1:]))


def walk(*arguments):
    return gyre(*arguments, "--json").json["properties"][0]["counterexample"]


def simplify():
    # By hand: Q's b = … may stand anywhere, so one switch is enough, from P to Q.
    write("turns.pml", "byte a, b;\nbool went;\nactive proctype P() { a = 1; a = 2; went = true }\n"
          "active proctype Q() { b = 1; b = 2; (went); assert(a != 2) }\n")
    found, simple = walk("turns.pml", "--exact"), walk("turns.pml", "--exact", "--simplify")
    check("switches are counted", found["switches"] == switches(found) and "switches_found" not in found, found)
    check("one switch is enough", simple["switches"] == switches(simple) == 1 and simple["fewest_switches"], simple)
    check("what was found first is told", simple["switches_found"] == switches(found) > 1, simple)
    expect("in words", gyre("turns.pml", "--exact", "--simplify"), 1, r"1 context switch instead of \d \(no run to this error has fewer\)")
    # Two processes must meet twice: P, Q, P, Q; three switches by hand, whatever else they do.
    write("ping.pml", "byte turn, noise;\nactive proctype P() { turn = 1; turn == 2; turn = 3 }\n"
          "active proctype Q() { turn == 1; turn = 2; turn == 3; assert(false) }\nactive proctype R() { noise = 1; noise = 2 }\n")
    simple = walk("ping.pml", "--simplify")
    check("three switches by hand", simple["switches"] == switches(simple) == 3 and simple["length"] == 7, simple)
    # A rendezvous is a step of both: no switch between P and Q at all.
    write("meet.pml", "chan c = [0] of { byte };\nactive proctype P() { c!1; c!2 }\nactive proctype Q() { c?_; c?_; assert(false) }\n")
    simple = walk("meet.pml", "--simplify")
    check("a rendezvous is no switch", simple["switches"] == switches(simple) == 0, simple)
    # Deadlock: every philosopher takes one fork, so three switches between four.
    simple = walk(example("philosophers.pml"), "--simplify")
    check("a deadlock", simple["kind"] == "invalid-end-state" and simple["switches"] == 3 and simple["fewest_switches"], simple)
    simple, found = walk(example("treiber_stack.pml"), "--simplify"), walk(example("treiber_stack.pml"))
    check("the ABA error needs two", simple["switches"] == switches(simple) == 2 < switches(found), simple)
    check("the same error", [simple[k] for k in ("kind",)] == [found["kind"]] and simple["steps"][-1]["line"] == found["steps"][-1]["line"], simple)
    # The trail is that of the simple run.
    gyre(example("treiber_stack.pml"), "--simplify", "--trail", "simple.trail")
    replayed = gyre("replay", example("treiber_stack.pml"), "simple.trail", "--json").json
    check("the trail holds it", switches(replayed) == 2 and replayed["final"]["ending"] == "fault", replayed)
    # A limit is told, and nothing is claimed.
    write("big.pml", "byte a, b, c;\nactive proctype P() { do :: a < 200 -> a++ :: a == 200 -> break od; c++; c == 2; assert(false) }\n"
          "active proctype Q() { do :: b < 200 -> b++ :: b == 200 -> break od; c++ }\nactive [3] proctype R() { byte x; do :: x++ od }\n")
    r = gyre("big.pml", "--simplify", "--json", "--time", "20", "--memory", "400M", "--search", "dfs", timeout=300).json
    c = r["properties"][0].get("counterexample")
    check("a limit on simplifying", c and (c["fewest_switches"] or c["not_simplified"]), r)
    lasso = gyre("several.pml" if os.path.exists("several.pml") else write("several.pml", "byte x; active proctype P() { do :: x = 1 - x od }\nltl p { [] (x == 0) }\n"),
                 "--simplify", "--check", "liveness")
    expect("what it does not look at is told", lasso, 1, r"--simplify supports safety errors only")


def fewest(processes):
    """Of all interleavings in which the first process gets to its end: fewest switches, and of those the
    fewest steps. By trying every one."""
    best = [None]

    def go(places, values, last, cost):
        if best[0] is not None and cost >= best[0]:
            return
        if places[0] == len(processes[0]):
            best[0] = cost
            return
        for p, ops in enumerate(processes):
            if places[p] == len(ops):
                continue
            kind, x, v = ops[places[p]]
            if kind == "wait" and values[x] != v:
                continue
            now = values if kind == "wait" else values[:x] + (v,) + values[x + 1:]
            go(places[:p] + (places[p] + 1,) + places[p + 1:], now, p,
               (cost[0] + (last not in (None, p)), cost[1] + 1))

    go((0,) * len(processes), (0, 0, 0), None, (0, 0))
    return best[0]


def simplify_against_brute_force():
    generator = random.Random(7)
    compared = 0
    for number in range(60):
        processes = [[(generator.choice(("set", "wait")), generator.randrange(3), generator.randrange(2)) for _ in range(4)]
                     for _ in range(3)]
        wanted = fewest(processes)
        text = "byte v[3];\n"
        for p, ops in enumerate(processes):
            body = "; ".join(f"v[{x}] == {v}" if kind == "wait" else f"v[{x}] = {v}" for kind, x, v in ops)
            text += f"active proctype P{p}() {{ {body}{'; assert(false)' if p == 0 else ''} }}\n"
        report = gyre(write("random.pml", text), "--json", "--simplify", "--no-deadlock").json
        if report["verdict"] == "holds":
            check(f"random {number}: no run", wanted is None, text)
            continue
        walk = report["properties"][0]["counterexample"]
        # The assertion is one more step, of the process that did the last one or after one more switch.
        got = switches({"steps": [s for s in walk["steps"] if s["text"] != "assert(false)"]})
        check(f"random {number}: fewest switches", wanted is not None and (got, walk["length"] - 1) == wanted and
              walk["fewest_switches"], (wanted, got, walk["length"], text))
        compared += 1
    check("many were compared", compared >= 15, compared)


WHERE = []


def begin():
    WHERE.append(os.getcwd())


if __name__ == "__main__":
    sys.exit(run_all([begin, folding, long_ones, said_once, replayed, places, width, progress_fits, order, simplify, simplify_against_brute_force]))
