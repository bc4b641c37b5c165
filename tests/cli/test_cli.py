#!/usr/bin/env python3
# check: cli: command line; seconds 60; quick
"""Tests of the program `gyre` as a user meets it: every option, every error, exit statuses, the
shape of the JSON reports, seeds, the interactive menu, trails of Gyre's and of Spin's.

    tests/cli/test_cli.py [NAME...]        only the tests whose name contains NAME

GYRE names the program (default build/gyre). One line per check; the last line counts them.
"""

import json
import os
import pty
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import at_work  # noqa: E402
import quick_cc  # noqa: E402
import schema  # noqa: E402
from harness import GYRE, check, expect, gyre, run_all, write  # noqa: E402
from models import MODELS  # noqa: E402

TESTS = []


def test(function):
    TESTS.append(function)
    return function


# -- verdicts and exit statuses -----------------------------------------------------

@test
def verdicts():
    expect("holds: status 0, verdict first", gyre("good.pml"), 0, r"\Agood\.pml: holds: no assertion violation")
    expect("violated: status 1", gyre("mutex.pml"), 1, r"\Amutex\.pml: violated: .*inside")
    expect("invalid end state: status 1", gyre("deadlock.pml"), 1, r"\Adeadlock\.pml: violated: invalid end state")
    expect("index out of bounds is a verdict", gyre("index.pml"), 1, r"violated: .*index")
    expect("division by zero is a verdict", gyre("division.pml"), 1, r"violated: .*zero")
    expect("limit: status 3", gyre("counter.pml", "--exact", "--depth", "5"), 3, r"inconclusive: .*depth limit of 5")
    expect("model in error: status 2", gyre("bad.pml"), 2, r"\A\Z", r"bad\.pml:2:\d+: error: .*cuont")
    expect("no arguments: usage, status 2", gyre(), 2, r"\A\Z", r"usage: gyre MODEL")
    expect("missing file", gyre("nowhere.pml"), 2, None, r"nowhere\.pml")
    expect("a folder", gyre("."), 2, None, r"error")
    expect("an empty file", gyre("empty.pml"), 2, None, r"error")
    expect("embedded C runs", gyre("ccode.pml"), 1, r"assertion failed: x == 0")
    expect("--no-c refuses it", gyre("ccode.pml", "--no-c"), 2, None, r"--no-c forbids")
    for backend in ("vm", "native"):
        expect(f"C that fails the first time alone is noticed, and no verdict ({backend})",
               gyre("conce.pml", "--backend", backend, "--exact", "--no-deadlock"), 4, None,
               r"internal error: an error was found, but the path to it could not be found again\n  hint: keep what embedded C needs")
        for threads in ("1", "4"):
            options = ("--backend", backend, "--threads", threads)
            expect(f"C that divides by zero is a verdict ({backend}, {threads})",
                   gyre("cdivide.pml", *options), 1,
                   r"violated: division by zero.* in embedded C at cdivide\.pml:5(.|\n)*"
                   r"P\(\d\) +cdivide\.pml:5:\d+ +c_code")
            expect(f"C with a bad pointer is a verdict ({backend}, {threads})",
                   gyre("cpointer.pml", *options), 1, r"violated: null pointer in embedded C")
            expect(f"C that calls exit is a verdict ({backend}, {threads})",
                   gyre("cexit.pml", *options), 1, r"violated: exit\(7\) called in embedded C")


@test
def counterexample():
    r = expect("a step names process, place, statement, change", gyre("mutex.pml"), 1,
               r"\n +\d+ +user\(\d\) +mutex\.pml:7:5 +inside\+\+ +inside: 0 → 1\n")
    check("the failing assertion comes with its values", "inside = 2" in r.out, r.out)
    check("booleans are words", "false → true" in r.out, r.out)
    check("the last state is shown", "Last state" in r.out and "inside = 2" in r.out, r.out)
    check("it says that it is shortest", "no shorter one" in r.out, r.out)
    r = gyre("deadlock.pml")
    check("deadlock: who waits for what (buffered)", re.search(r"P\(0\).*waits to receive: a\?v \(a is empty\)", r.out), r.out)
    check("deadlock: who waits for what (rendezvous)", re.search(r"Q\(1\).*no process is ready to send to b", r.out), r.out)
    check("deadlock: who waits for what (condition)", re.search(r"R\(2\).*waits for .*x *== *3.*\(x = 2\)", r.out), r.out)
    r = gyre("mix.pml")
    check("atomic steps are tied together", "┌" in r.out and "└" in r.out, r.out)
    check("a rendezvous shows both", re.search(r"q!ack, 9.*\n +→ child\(1\).*q\?ack", r.out), r.out)
    check("printf output is shown", "g is 8, req" in r.out, r.out)
    check("process start and end are shown", "child(1) starts" in r.out and "child(1) ends" in r.out, r.out)
    r = gyre("long.pml")
    check("long ones are folded with a hint", re.search(r"… \d+ steps not shown \(--full", r.out), r.out)
    full = gyre("long.pml", "--full")
    check("--full unfolds", "not shown" not in full.out and full.out.count("\n") > 200, full.out[:500])


@test
def figures():
    r = gyre("counter.pml", "--exact", "--depth", "40")  # three counters, of at most 40 together: 43 over 3
    check("numbers are grouped", re.search(r"\b12,341 states, \d+,\d{3}", r.out), r.out)
    r = gyre("good.pml", "--exact")
    check("figures: states, transitions, depth", re.search(r"5 states, 5 transitions, depth \d+", r.out), r.out)
    check("coverage of a complete search", "statements reached (100%)" in r.out, r.out)
    r = gyre("unreached.pml")
    check("coverage points to --unreached", "--unreached lists the others" in r.out, r.out)
    r = gyre("unreached.pml", "--unreached")
    check("--unreached lists them with places", re.search(r"unreached in P\n +unreached\.pml:2 +.*x *== *7", r.out), r.out)
    r = gyre("good.pml", "--quiet")
    check("--quiet is the verdict alone", r.out.count("\n") == 1 and "holds" in r.out, r.out)
    check("no progress line off a terminal", gyre("forever.pml", "--exact", "--time", "1.5").err == "", "")


# -- options ------------------------------------------------------------------------

@test
def checks():
    expect("--no-assert", gyre("mutex.pml", "--no-assert"), 0)
    expect("--no-deadlock", gyre("deadlock.pml", "--no-deadlock"), 0)
    expect("rest.pml holds", gyre("rest.pml"), 0)
    with open("terminates.pml", "w", encoding="utf-8") as model:
        model.write("byte x; active proctype Q() { do :: x == 1 -> assert(false) od } active proctype P() { x = 1 }\n")
    expect("what can only terminate says so", gyre("terminates.pml"), 1, r"\n  P\(1\)  terminates.pml:1:\d+  enabled: terminates\n")
    expect("--end-empty", gyre("rest.pml", "--end-empty"), 1, r"invalid end state")
    expect("full.pml blocks", gyre("full.pml"), 1, r"q is full: \[1\]")
    expect("--lossy", gyre("full.pml", "--lossy"), 0)
    r = expect("--all-errors", gyre("two.pml", "--all-errors"), 1, r"Counterexample 2 of 2")
    check("first error only by default", "Counterexample 2" not in gyre("two.pml").out)
    expect("--all-errors N", gyre("two.pml", "--all-errors", "1"), 1, r"violated")
    expect("--all-errors before the model", gyre("--all-errors", "two.pml"), 1, r"2 of 2")
    expect("ltl properties are checked", gyre("ltl.pml"), 0, r"small +ltl +holds[^$]*grows +ltl +holds")
    expect("--check safety leaves it out", gyre("ltl.pml", "--check", "safety"), 0, r"holds")
    r = expect("--ltl NAME", gyre("ltl.pml", "--ltl", "grows"), 0, r"grows +ltl +holds")
    check("--ltl NAME leaves the others out", "small" not in r.out, r.out)
    expect("--ltl FORMULA", gyre("ltl.pml", "--ltl", "[] (x < 3)"), 0, r"1 property holds")
    expect("--ltl FORMULA with timeout", gyre("ltl.pml", "--ltl", "<>[]timeout"), 0, r"1 property holds")
    expect("--ltl FORMULA with timeout, violated", gyre("ltl.pml", "--ltl", "[]!timeout"), 1, r"a finite run violates it; ")
    expect("--ltl FORMULA, violated for good", gyre("ltl.pml", "--ltl", "[] (x == 0)"), 1, r"a finite run violates it; 1 step\n")
    expect("--ltl FORMULA, violated by a stop", gyre("ltl.pml", "--ltl", "[]<> (x == 0)"), 1, r"the system stops and its last state repeats for ever")
    expect("--ltl with a wrong formula: a caret", gyre("ltl.pml", "--ltl", "[] (x <"), 2, None, r"\[\] \(x <\n +\| +\^\n.*--ltl")
    expect("a formula that cannot fail is vacuous", gyre("ltl.pml", "--ltl", "[] (x < 3) -> [] (x < 3)"), 0, r"vacuous: it holds whatever")
    expect("a formula that cannot hold is vacuous", gyre("ltl.pml", "--ltl", "(x < 3) && !(x < 3)"), 1, r"vacuous: it cannot hold")
    big = " && ".join(f"[]<> (x != {i})" for i in range(70))
    expect("a formula that is too large", gyre("ltl.pml", "--ltl", "!(" + big + ")"), 3, r"inconclusive: formula too large")
    expect("gyre ltl reads as --ltl does: no formula in arithmetic", gyre("ltl", "[] x == 1"), 2, None, r"\[\] x == 1\n.*\n.*bind tighter")
    expect("--ltl: no formula in arithmetic", gyre("ltl.pml", "--ltl", "[] x == 1"), 2, None, r"bind tighter")
    expect("which operators are read from left to right", gyre("ltl", "p W q R r"), 0, None, r"\(a W b\) R c")
    expect("a comparison that does not hold, in a witness", gyre("ltl", "<> !(p == 1)", "--sat"), 0, r"!\(p == 1\)")
    expect("nested search knows no fairness", gyre("loop.pml", "--ltl", "[]<> (x == 1)", "--cycles", "nested", "--fairness", "weak"), 2, None, r"--cycles nested does not support fairness\n.*drop --cycles")
    expect("--verbose names the way cycles are looked for", gyre("loop.pml", "--ltl", "[]<> (x == 1)", "--cycles", "nested", "--verbose"), 1, r"; cycles: nested")
    gyre("ltl.pml", "--ltl", "[]<> (x == 0)", "--check", "liveness", "--trail", "stopped.trail")
    expect("a replay knows where a stopped run lasts", gyre("replay", "ltl.pml", "stopped.trail", "--json"), 1, r'"cycle_start": [1-9]')
    premises = " && ".join(f"([]<> (x == {n}) -> []<> (y == {n}))" for n in range(3, 12))
    expect("nine premises of strong fairness, violated", gyre("loop.pml", "--ltl", f"({premises}) -> []<> (x == 1)", "--check", "liveness"), 1, r"accepting cycle; ")
    expect("nine premises of strong fairness, held", gyre("loop.pml", "--ltl", f"({premises} && ([]<> (x == 2) -> []<> (y == 2))) -> []<> (x == 1)", "--check", "liveness"), 0, r"holds")
    expect("stem and loop apart", gyre("loop.pml", "--ltl", "<>[] (x == 1)"), 1, r"2 steps, then 1 that repeats for ever \(shortened from \d+; --shortest finds a shortest one\)\nbecause `.*\n(note: unfair cycle: .*\n)? +1 [^-]*(-end-[^-]*)?\n--- cycle starts here, repeats for ever ---\n +\d ")
    expect("--fairness weak", gyre("loop.pml", "--ltl", "<> (y == 1)", "--fairness", "weak"), 0, r"weak fairness assumed")
    expect("--fairness none", gyre("loop.pml", "--ltl", "<> (y == 1)", "--fairness", "none"), 1, r"accepting cycle")
    expect("a lock under weak fairness", gyre("lock.pml", "--fairness", "weak"), 1, r"weakly fair")
    expect("a lock under strong fairness", gyre("lock.pml", "--fairness", "strong"), 0, r"p +ltl +holds.*strong fairness assumed")
    expect("strong fairness with a counterexample", gyre("lock.pml", "--ltl", "<>[] (in == 1)", "--fairness", "strong"), 1, r"strongly fair")
    expect("a labelled lock", gyre("fairlock.pml"), 0, r"p +ltl +holds.*fairness of 1 labelled statement assumed")
    expect("labels with --fairness weak", gyre("fairlock.pml", "--fairness", "weak"), 0, r"weak fairness of processes and fairness of 1 labelled statement assumed")
    expect("--fairness none disregards labels", gyre("fairlock.pml", "--fairness", "none"), 1, r"p +ltl +violated: accepting cycle;")
    expect("labels with a counterexample", gyre("fairlock.pml", "--ltl", "<>[] (in == 1)"), 1, r"accepting cycle, fair")
    expect("more owners than fit into a word beside a cycle without them", gyre("fairfar.pml", "--check", "liveness", "--cycles", "ufscc", "--threads", "1"), 1, r"accepting cycle, fair")
    expect("a fairness label that means nothing", gyre("fairgoto.pml"), 0, None, r"the label `sfair_x` makes nothing fair")
    expect("--shortest: x does not matter", gyre("loop.pml", "--ltl", "<> (y == 1)", "--shortest", "--check", "liveness"), 1, r"; 1 step, then 1 that repeats for ever \(no shorter one exists\)\nbecause `y == 1` never holds, from the start\n")
    expect("--shortest --exact: x is a part of the state", gyre("loop.pml", "--ltl", "<> (y == 1)", "--shortest", "--exact", "--check", "liveness"), 1, r"; 2 steps, then 1 that repeats for ever \(no shorter one returns to the values of all variables\)\nbecause `y == 1` never holds, from the start\n")
    expect("--shortest with fairness", gyre("lock.pml", "--shortest", "--fairness", "weak"), 1, r"weakly fair; \d+ steps?, then \d+ that repeats? for ever \(no shorter one")
    expect("--shortest with fairness labels", gyre("fairlock.pml", "--ltl", "<>[] (in == 1)", "--shortest"), 1, r"accepting cycle, fair; .* \(no shorter one")
    expect("--shortest without fairness labels", gyre("fairlock.pml", "--shortest", "--fairness", "none"), 1, r"no shorter one")
    expect("--shortest with a store that forgets", gyre("loop.pml", "--shortest", "--store", "bitstate"), 2, None, r"--shortest needs a store without loss\n.*use --store tree")
    expect("--shortest with another search", gyre("loop.pml", "--shortest", "--search", "dfs"), 2, None, r"--shortest needs the breadth-first search\n.*use --search bfs")
    expect("a premise that is never met", gyre("loop.pml", "--ltl", "[] (x == 7 -> <> (y == 1))", "--check", "liveness"), 0, r"holds \(vacuous: its antecedent is never satisfied: `x == 7`\)")
    expect("--trail of a formula: the claim beside it", gyre("loop.pml", "--ltl", "<> (y == 1)", "--check", "liveness", "--trail", "live.trail"), 1, r"trail written to live.trail, the claim that goes with it to live.trail.never\n")
    with open("live.trail.never") as claim:
        check("the claim is one", claim.read().startswith("never { /* the negation of ltl `<> (y == 1)` */"))
    expect("accept labels", gyre("accept.pml"), 1, r"acceptance +violated: accepting cycle")
    expect("--check safety leaves accept labels out", gyre("accept.pml", "--check", "safety"), 0)
    expect("a formula that cannot be evaluated", gyre("nochan.pml"), 1, r"c +ltl +violated: the formula cannot be evaluated")
    expect("… but only if it matters", gyre("nochan.pml", "--ltl", "[] (x == 0 || len(q) < 2)"), 0)
    expect("a never claim reaches its end", gyre("claim.pml"), 1, r"never_0 +never +violated: the claim reaches its end")
    expect("a never claim that changes something", gyre("claimwrites.pml"), 3, r"line 3: a never claim that changes something")
    expect("--time counts for products", gyre("forever.pml", "--ltl", "[] (a + b + c + d < 2000)", "--check", "liveness", "--time", "0.3"), 3, r"the time limit of 300 ms|the time limit of 0.3")
    expect("--depth counts for products", gyre("loop.pml", "--ltl", "<> (y == 0)", "--check", "liveness", "--depth", "1"), 0)
    expect("--depth cuts", gyre("counter.pml", "--exact", "--check", "progress", "--depth", "2"), 3, r"states at the depth limit")
    expect("--ltl unknown name", gyre("ltl.pml", "--ltl", "smal"), 2, None, r"a similar name exists: `small`")
    expect("--check liveness alone", gyre("ltl.pml", "--check=liveness"), 0, r"2 properties hold")
    expect("--check progress", gyre("good.pml", "--check", "progress"), 0, r"progress +holds")
    expect("--check progress: a cycle", gyre("loop.pml", "--check", "progress"), 1, r"non-progress cycle")
    expect("--check safety,progress", gyre("mutex.pml", "--check", "safety,progress"), 1)
    expect("--check nonsense", gyre("good.pml", "--check", "safty"), 2, None, r"a similar name exists: `safety`")
    expect("a never claim does not hide a violation", gyre("never.pml"), 1, r"never +holds")
    expect("-D and -I", gyre("macro.pml", "-D", "LIMIT=4", "-DEXTRA=0", "-I", "include"), 0)
    expect("-D changes the verdict", gyre("macro.pml", "-DLIMIT=7", "-DEXTRA=0", "-Iinclude"), 1)
    expect("without -I the file is missing", gyre("macro.pml"), 2, None, r"limit\.h")


def peak(*arguments):
    """Exit status, and the most kilobytes that were resident. A new process begins with the figure
    of the one that started it, so that this must be a small one."""
    starter = ("import os, subprocess, sys; p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, "
               "stderr=subprocess.DEVNULL); _, status, usage = os.wait4(p.pid, 0); "
               "print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)")
    said = subprocess.run([sys.executable, "-c", starter, GYRE, *arguments], capture_output=True, text=True)
    status, kilobytes = said.stdout.split()
    return int(status), int(kilobytes)


def memory_of_the_process():
    starved = subprocess.run(["sh", "-c", 'ulimit -v 20000; exec "$0" good.pml --store plain --threads 1', GYRE],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    check("no address space", starved.returncode == 3 and "out of memory" in starved.stderr, starved)
    status, kilobytes = peak("few_states.pml", "--all-errors")
    check("shortening the errors of a small model takes little memory", status == 1 and kilobytes < 64 * 1024, f"{status}, {kilobytes} kB")
    for store in ("tree", "plain"):
        status, kilobytes = peak(os.path.join(ROOT, "bench/models/lamport.pml"), "-DN=4", "--exact", "--memory", "20M",
                                 "--backend", "vm", "--store", store)
        check(f"--memory bounds what is resident, {store}", status == 3 and kilobytes <= 20 * 1024, f"{status}, {kilobytes} kB")
    # Three quarters of these states wait at the same time, 8 bytes each: they must not stand in the store's way.
    for threads in ("1", "2"):
        r = gyre("wide.pml", "--memory", "13M", "--store", "bitstate", "--backend", "vm", "--threads", threads, "--json")
        found = schema.report(r.out)["properties"][0]["states"]
        check(f"--memory: the queue of a lossy store, {threads} threads",
              "memory limit" not in r.out and 1_396_000 <= found <= 1_398_101, r)


@test
def searches():
    for search in ("bfs", "dfs", "deepening", "best"):
        expect(f"--search {search} finds it", gyre("mutex.pml", "--search", search), 1)
        if search != "deepening":
            expect(f"--search {search} proves", gyre("good.pml", "--search", search), 0)
    expect("--search random finds it", gyre("mutex.pml", "--search", "random", "--seed", "3", "--walks", "1000"), 1)
    expect("--search random proves nothing", gyre("good.pml", "--search=random", "--walks=10", "--walk-length=20"), 3)
    for store in ("tree", "plain", "automaton"):
        expect(f"--store {store}", gyre("good.pml", "--store", store), 0, f"store {store}")
    for store in ("compact", "bitstate"):
        expect(f"--store {store} may miss states", gyre("good.pml", "--store", store), 3, "may have missed")
        expect(f"--store {store} finds it", gyre("mutex.pml", "--store", store), 1)
    expect("--hashes, --bitstate-size", gyre("good.pml", "--store", "bitstate", "--hashes", "2",
                                             "--bitstate-size", "1M"), 3, "coverage")
    expect("--threads", gyre("good.pml", "--threads", "2"), 0)
    expect("--time", gyre("forever.pml", "--exact", "--time", "0.3"), 3, r"time limit of 300 ms")
    for options in ([], ["--no-por", "--no-merge"], ["--search", "bfs"]):
        expect(f"--time inside one step {' '.join(options)}", gyre("ways.pml", "--backend", "vm", "--time", "0.3", *options), 3, r"time limit of 300 ms was reached(\n|, and a single step)")
    expect("no room at all: no advice from figures that there are not", gyre("forever.pml", "--memory", "1M"), 3, r"\Aforever.pml: inconclusive: no error found, but the memory limit(?!(.|\n)*bytes per state)")
    expect("--memory", gyre("forever.pml", "--exact", "--memory", "64M"), 3, r"memory limit of 64\.0 MB(.|\n)*hint: use --store compact \(7\.5 bytes per state; this run took \d+\.\d\)")
    for threads in ("1", "3"): # successors that are under way when the memory ends
        expect(f"--memory, native code, {threads} threads", gyre("forever.pml", "--exact", "--memory", "24M", "--backend", "native",
                                                                 "--threads", threads), 3, r"memory limit of 24\.0 MB")
    if "sanitize" not in GYRE: # whose shadow is larger than any limit here
        memory_of_the_process()
    for option in ("--exact", "--no-por", "--no-merge", "--no-dead"):
        expect(option, gyre("good.pml", option), 0)
    expect("--backend vm", gyre("good.pml", "--backend", "vm"), 0, "backend vm")
    expect("--backend auto", gyre("good.pml", "--backend", "auto"), 0)
    expect("--backend native", gyre("good.pml", "--backend", "native"), 0, r"backend native")
    expect("--backend vm", gyre("good.pml", "--backend", "vm"), 0, r"backend vm")
    expect("--backend native without a compiler",
           gyre("good.pml", "--backend", "native", env={"GYRE_CC": "/nowhere/cc"}), 2, None, r"cc")
    if shutil.which("tcc"): # it gets conditions wrong whose value it knows, so it must not know any
        expect("--backend native by the quick compiler",
               gyre(os.path.join(ROOT, "tests/models/basics/known_conditions.pml"), "--no-merge", "--no-dead", "--no-slice",
                    "--no-ranges", "--no-por", "--backend", "native", env={"GYRE_CC": "tcc"}),
               0, r"23,259 states, 94,239 transitions(.|\n)*backend native")
    expect("info --c", gyre("info", "good.pml", "--c"), 0, r"#include <stdint.h>")
    r = gyre("counter.pml", "--exact", "--checkpoint", "state.ckpt", "--depth", "100")
    expect("--checkpoint", r, 3)
    expect("--resume of nothing", gyre("counter.pml", "--resume", "nowhere.ckpt"), 2, None, "nowhere.ckpt")
    expect("--verbose", gyre("good.pml", "--exact", "--verbose"), 0, r"5 transitions led to new states, 0 to known ones")


@test
def wrong_command_lines():
    expect("unknown option with a hint", gyre("good.pml", "--serach", "bfs"), 2, None,
           r"unknown option `--serach`\n +hint: a similar name exists: `--search`")
    expect("dashes make no name similar", gyre("good.pml", "--foo"), 2, None, r"^gyre: error: unknown option `--foo`\n$")
    expect("a short option with two dashes", gyre("good.pml", "--D", "N"), 2, None, r"unknown option `--D`\n +hint: a similar name exists: `-D`")
    expect("unknown option without a hint", gyre("good.pml", "--xyzzy"), 2, None, r"unknown option `--xyzzy`")
    expect("a value that is none", gyre("good.pml", "--search", "bsf"), 2, None, r"`bsf` is not a value of --search.*\n.*`bfs`")
    expect("missing argument", gyre("good.pml", "--depth"), 2, None, r"--depth needs an argument")
    expect("number: text", gyre("good.pml", "--depth", "ten"), 2, None, r"--depth needs a whole number above 0, not `ten`")
    expect("number: too large", gyre("good.pml", "--depth", "9" * 20), 2, None, r"--depth needs a smaller whole number, not `9{20}`")
    expect("number: negative", gyre("good.pml", "--depth=-1"), 2, None, r"--depth needs")
    expect("number: zero", gyre("good.pml", "--threads", "0"), 2, None, r"--threads needs")
    expect("number: too big", gyre("good.pml", "--depth", "99999999999999999999999"), 2, None, r"--depth needs")
    expect("number: rubbish behind", gyre("good.pml", "--depth", "10x"), 2, None, r"--depth needs")
    expect("too many threads", gyre("good.pml", "--threads", "100000"), 2, None, r"at most 1024")
    expect("size: wrong unit", gyre("good.pml", "--memory", "5Q"), 2, None, r"--memory needs a size such as")
    expect("size: empty", gyre("good.pml", "--memory="), 2, None, r"--memory needs")
    for text, seconds in (("1m", "60"), ("1.5h", "5400"), ("500ms", "0.5"), ("2min", "120")):
        expect(f"seconds: {text}", gyre("good.pml", "--time", text), 2, None, f"not `{text}`\n  hint: write `--time {seconds}`\n")
    check("a unit that there is not", "hint" not in gyre("good.pml", "--time", "1x").err)
    for before, option, what in ((["--trail"], "--exact", "FILE"), (["--disk"], "--memory", "DIR"), (["--ltl"], "--exact", "NAME"), (["--junit"], "--quiet", "FILE")):
        r = expect(f"{before[0]} {option}", gyre(*before, option, "good.pml"), 2, r"\A\Z",
                   rf"{before[0]} needs an argument \({what}.*, and `{option}` looks like an option\n  hint: if it is the argument, write `{before[0]}={option}`\n\Z")
        check("nothing was written", not os.path.exists(option), r)
    write("odd.pml", "active proctype P() { assert(false) }\n")
    expect("a file of that name", gyre("odd.pml", "--trail=--odd"), 1, r"trail written to --odd\n")
    check("is there", os.path.exists("./--odd"))
    for words in (("sim",), ("replay",), ("--exact",), ("--time", "3"), ("test",), ("ltl", "--sat")):
        expect(f"gyre {' '.join(words)}: one line", gyre(*words), 2, r"\A\Z", r"\Agyre: error: gyre( \w+)? needs a (model|formula)\n\Z")
    os.makedirs("folder_of_models", exist_ok=True)
    expect("a folder", gyre("folder_of_models"), 2, None, r"cannot read `folder_of_models`: it is a directory\n  hint: `gyre test folder_of_models` verifies all models in it")
    expect("seconds: text", gyre("good.pml", "--time", "soon"), 2, None, r"--time needs a number of seconds")
    expect("seconds: zero", gyre("good.pml", "--time", "0"), 2, None, r"--time needs")
    expect("a flag with a value", gyre("good.pml", "--json=yes"), 2, None, r"--json takes no argument")
    expect("an option of another command", gyre("good.pml", "--interactive"), 2, None, r"--interactive is not an option of gyre MODEL.*gyre sim")
    for command in re.findall(r"^  gyre ([a-z]+) ", gyre("--help").out, re.M):  # each is known by its name
        expect(f"help on {command}", gyre("help", command), 0, rf"gyre {command}\b")
        if command not in ("spin", "help"):
            expect(f"no option of {command}", gyre(command, "--walks", "3"), 2, None,
                   rf"--walks is not an option of gyre {command} ")
    expect("a command with a slip in it", gyre("swram", "good.pml"), 2, None, r"gyre swarm")
    expect("two models to look at", gyre("info", "good.pml", "mutex.pml"), 2, None, r"unexpected argument `mutex.pml`")
    expect("sim without a model", gyre("sim"), 2, None, r"gyre sim needs a model")
    expect("empty file name of a trail", gyre("good.pml", "--trail="), 2, None, r"--trail needs")
    expect("--name=value", gyre("counter.pml", "--exact", "--depth=5"), 3)
    expect("options before the command", gyre("--json", "info", "good.pml"), 0, r'"model"')
    expect("-- ends the options", gyre("--", "good.pml"), 0)
    r = gyre("good.pml", "--depth", "x", "--json")
    check("with --json, a wrong call still says so on standard error", r.status == 2 and "--depth needs" in r.err, r)


@test
def about():
    r = expect("--help", gyre("--help"), 0, r"gyre sim MODEL")
    rows = open(os.path.join(ROOT, "src/cli/options.def")).read()
    names = set(re.findall(r'OPTION\(\w+, "(-\S+)"', rows))
    # for other programs: completion, the manual, workers of a swarm, editors
    hidden = set(re.findall(r'OPTION\(\w+, "(-\S+)",[^\n]*\bHIDDEN,', rows))
    check("some options are hidden", {"--print-options", "--names", "--worker-job"} <= hidden, hidden)
    lines = r.out.splitlines()
    check("--help fits one screen", len(lines) <= 50 and max(map(len, lines)) <= 80, max(lines, key=len))
    check("--help lists fifteen options", len(re.findall(r"^  -", r.out, re.M)) == 15, r.out)
    check("--help lists verify and help", "gyre [verify] MODEL" in r.out and "gyre help [COMMAND|all]" in r.out, r.out)
    for way in (["help"], ["help", "help"], ["-h"]):
        check(f"gyre {' '.join(way)} is --help", gyre(*way).out == r.out, gyre(*way).out)
    r = expect("help all", gyre("help", "all"), 0, r"gyre sim MODEL")
    check("help all names every option", all(n in r.out for n in names - hidden), names)
    check("help all hides what is hidden", not any(n in r.out for n in hidden))
    check("help fits in 100 columns", max(map(len, r.out.splitlines())) <= 100, max(r.out.splitlines(), key=len))
    for way in (["verify", "--help"], ["help", "verify"], ["good.pml", "--help"]):
        r = expect(f"gyre {' '.join(way)}", gyre(*way), 0, r"gyre \[verify\] MODEL")
        check("it has the options of verification alone", "--cycles" in r.out and "--interactive" not in r.out, r.out)
    own = {"hunt": "--strategy", "swarm": "--workers", "sim": "--steps", "replay": "--interactive", "info": "--bytecode",
           "ltl": "--equivalent", "stats": "--svg", "beem": "--select", "format": "--stdout", "ui": "--port"}
    for command, option in own.items():
        r = expect(f"gyre {command} --help", gyre(command, "--help"), 0, option)
        group = r.out.split("\n\n")[2]
        check(f"gyre {command} --help begins with its own options", option in group, group)
    expect("no such topic", gyre("help", "simulate"), 2, None, r"no help on `simulate` \(all, verify, sim.*\n.*gyre help sim`")
    r = expect("gyre sim --help", gyre("sim", "--help"), 0, r"--interactive")
    check("gyre sim --help leaves out what is not its", "--search" not in r.out, r.out)
    expect("--version", gyre("--version"), 0, r"\Agyre \d+\.\d+")
    table = json.loads(expect("the tables for the manual", gyre("--print-options"), 0).out)
    check("all options are in them", {o["name"] for o in table["options"]} >= names - hidden - {"--"}, table)
    expect("no such shell", gyre("--print-completion", "tcsh"), 2, None, r"bash\|zsh\|fish")


@test
def surroundings():
    r = gyre("good.pml", "--colour", "always")
    check("--colour always", "\033[" in r.out, r.out)
    check("--colour auto off a terminal", "\033[" not in gyre("good.pml").out)
    r = gyre("bad.pml", "--colour=always")
    check("errors in colour", "\033[" in r.err, r.err)
    check("no colour by default in errors", "\033[" not in gyre("bad.pml").err)
    expect("unwritable trail file is refused before the search", gyre("forever.pml", "--trail", "no/such/dir/t", "--memory", "2G"),
           2, r"\A\Z", r"cannot write no/such/dir/t")
    for option in ("--html", "--sarif", "--junit", "--code-quality"):  # forever.pml has no end
        expect(f"an unwritable report is refused before the search: {option}", gyre("forever.pml", option, "no/such/dir/r", "--memory", "2G"),
               2, r"\A\Z", r"cannot write no/such/dir/r: No such file or directory")
        expect(f"a folder as a report: {option}", gyre("forever.pml", "good.pml", option, "."), 2, r"\A\Z", r"cannot write \.: Is a directory")
    expect("of several models, the folder must be there", gyre("forever.pml", "good.pml", "--html", "no/such/%.html"), 2, r"\A\Z",
           r"cannot write no/such/%\.html")
    expect("… likewise the plots of gyre stats", gyre("stats", "forever.pml", "--svg", "no/such/x.svg"), 2, r"\A\Z", r"cannot write")
    expect("nothing is made for a command that is refused", gyre("good.pml", "--html", "here.html", "--junit", "no/such/x"), 2)
    check("no report is there", not os.path.exists("here.html"))
    expect("a folder as trail file", gyre("mutex.pml", "--trail", "."), 2, None, r"cannot write")
    for arguments in (["mix.pml"], ["sim", "counter.pml"], ["info", "mix.pml"], ["mix.pml", "--json"]):
        process = subprocess.Popen([GYRE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        status = process.wait(timeout=300)
        check(f"closed standard output: gyre {' '.join(arguments)}", status in (0, 1) and err == b"", (status, err))
    with open("/dev/full", "w") as full:
        run = subprocess.run([GYRE, "good.pml"], stdout=full, stderr=subprocess.PIPE)
        check("a full disk is reported", run.returncode == 2 and b"cannot write" in run.stderr, run)
    process = subprocess.Popen([GYRE, "forever.pml", "--exact", "--memory", "2G"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = at_work.interrupt(process, signal.SIGINT)
    check("Ctrl-C: inconclusive with figures", process.returncode == 3 and b"interrupted" in out and b"states" in out,
          (process.returncode, out, err))


@test
def signals():
    """Limits and signals end every search soon; a third signal ends the program at once."""
    r = expect("deepening ends although a lifted witness costs more than the search was deep",
               gyre("lifted.pml", "--check", "safety", "--search", "deepening", timeout=300), 1, r"invalid end state")
    check("and its witness is a short one", re.search(r"Counterexample: [12] steps?", r.out), r.out)
    for arguments in (["--search", "deepening"], ["--search", "dfs"], ["--search", "best"], ["--search", "random", "--time", "1000"],
                      ["--ltl", "[] (a + b + c + d < 1000)"], ["--ltl", "<> (a == 300)", "--fairness", "strong"]):
        process = subprocess.Popen([GYRE, "forever.pml", "--exact", "--memory", "2G", *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = at_work.interrupt(process, signal.SIGTERM)
        check(f"SIGTERM: {' '.join(arguments)}", process.returncode == 3 and b"interrupted" in out, (process.returncode, out, err))
    process = subprocess.Popen([GYRE, "forever.pml", "--exact", "--memory", "2G"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    at_work.has_run(process, signal.SIGTERM)
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGCONT):
        process.send_signal(number)  # so that it meets both at the same time
    out, err = process.communicate(timeout=300)
    check("two signals end it all, with a report", process.returncode == 3 and b"interrupted" in out, (process.returncode, out, err))
    if shutil.which("cc"):  # C of the model that never comes back does not hear of signals
        process = subprocess.Popen([GYRE, "hangs.pml"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        at_work.has_run(process, signal.SIGINT, 1)
        at_work.send(process, signal.SIGINT)
        at_work.send(process, signal.SIGINT)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
        # The third one ends it at once, unless it is so late that a second has passed since the first.
        check("C that never comes back is ended", process.returncode == -signal.SIGINT or
              process.returncode == 3 and b"has not returned" in out, (process.returncode, out, err))
        for options in (("--threads", "1"), ("--threads", "2", "--backend", "native")):
            expect(f"--time ends C that never comes back {options}", gyre("hangs.pml", "--time", "0.5", *options), 3,
                   r"\Ahangs\.pml: inconclusive: the time limit of 500 ms was reached, and embedded C at hangs\.pml:1 has not returned")
        r = expect("… and says so in JSON", gyre("hangs.pml", "--time", "0.3", "--json"), 3, r"has not returned")
        check("… as an object", r.json["verdict"] == "inconclusive" and r.json["diagnostics"], r)


@test
def all_errors():
    """No error once found is lost, and no limit is blamed that nobody set."""
    r = expect("two errors behind a reduction", gyre("two_far.pml", "--all-errors", "--json"), 1)
    found = r.json["properties"][0].get("counterexamples", [])
    texts = sorted(f["steps"][-1]["text"] for f in found)
    check("both are shown", texts == ["assert(done != 6)", "assert(false)"], texts)
    check("and no limit", r.json["stats"]["limit"] is None, r.json["stats"])
    r = expect("a time limit is one for the way to an error, too", gyre("late.pml", "--no-merge", "--no-symmetry", "--time", "0.000001"), 1,
               r"violated: an error was found \(the time limit .* while searching for the path")
    check("no counterexample is shown then", "Counterexample" not in r.out, r.out)
    r = expect("with symmetry it may be none", gyre("late.pml", "--no-merge", "--symmetry", "--time", "0.000001"), 3, r"path to an error that was found\n")
    r = expect("many invalid end states", gyre("ends.pml", "--all-errors", "--json"), 1)
    found = r.json["properties"][0]["counterexamples"]
    check("a few of a kind are kept", len(found) == 10 and r.json["properties"][0]["errors"] == 64, (len(found), r.json["properties"][0]["errors"]))
    r = gyre("ends.pml", "--all-errors", "30", "--json")
    check("unless more are asked for", len(r.json["properties"][0]["counterexamples"]) == 30, r)


@test
def many_witnesses():
    """Ten of a kind unless more are asked for; what is left out is counted."""
    ends = 11 ** 4
    r = gyre("many_ends.pml", "--exact", "--all-errors", "--json")
    found = r.json["properties"][0]
    check("ten of a kind are told", r.status == 1 and len(found["counterexamples"]) == 10, r)
    check("and the others counted", found["left_out"] == ends - 10 and found["errors"] == ends, r)
    check("and a note says so", any("left out" in d["message"] for d in r.json["diagnostics"]), r)
    expect("in text as well", gyre("many_ends.pml", "--exact", "--all-errors"), 1,
           r"Counterexample 10 of 10(.|\n)*\n14,631 counterexamples were left out: 10 of each kind "
           r"are shown; use --witnesses 0 to show all\n")
    found = gyre("many_ends.pml", "--exact", "--all-errors", "--witnesses", "3", "--json").json
    check("--witnesses N", len(found["properties"][0]["counterexamples"]) == 3, found)
    found = gyre("many_ends.pml", "--exact", "--all-errors", "25", "--json").json
    check("--all-errors N", len(found["properties"][0]["counterexamples"]) == 25, found)
    found = gyre("some_ends.pml", "--exact", "--all-errors", "--witnesses", "0", "--json")
    told = found.json["properties"][0]
    check("--witnesses 0", len(told["counterexamples"]) == 11 ** 2 and not told.get("left_out"), str(found)[:500])
    found = gyre("two.pml", "--all-errors", "--witnesses", "1", "--json").json["properties"][0]
    check("two assertions are two kinds", len(found["counterexamples"]) == 2, found)


def timed(*arguments, timeout=300):
    start = time.time()
    return gyre(*arguments, timeout=timeout), time.time() - start


@test
def limits_of_the_whole_command():
    """That a limit was met says the status; the clock only that it did not take minutes, as without limits:
    the machine may be busy."""
    slow = 5 if "sanitize" in GYRE else 1
    r, seconds = timed("far.pml", "--exact", "--search", "bfs", "--time", "1")
    check("--time: the search", r.status == 3 and seconds < 60 * slow, f"{seconds} s, {r}")
    r, seconds = timed("many_ends.pml", "--exact", "--all-errors", "--witnesses", "0", "--search", "dfs",
                       "--time", "2", "--json")
    check("--time: counterexamples", r.status == 1 and seconds < 60 * slow, f"{seconds} s")
    check("--time: the figures are those of the whole", 0 < r.json["stats"]["search_seconds"] <=
          r.json["stats"]["seconds"] <= seconds, r.json["stats"])
    if slow == 1:
        most = 100_000_000
        status, kilobytes = peak("many_ends.pml", "--exact", "--all-errors", "--witnesses", "0",
                                 "--memory", "100M", "--time", "5", "--json")
        check("--memory: counterexamples", status == 1 and kilobytes * 1024 < 1.1 * most, kilobytes)
    # A parent with half a gigabyte does not count.
    burden = "import subprocess, sys; x = bytearray(500_000_000); sys.exit(subprocess.call(sys.argv[1:]))"
    r = subprocess.run([sys.executable, "-c", burden, GYRE, "good.pml", "--json"], capture_output=True)
    check("the memory is that of this process", schema.report(r.stdout)["stats"]["memory_bytes"] < 400_000_000, r)


@test
def limits_of_stores():
    """A state that is too long for a store is no crash and no verdict."""
    for search, store in [("bfs", "plain"), ("dfs", "plain"), ("best", "plain"), ("bfs", "compact"), ("bfs", "automaton")]:
        expect(f"long states: {search}, {store}", gyre("long_states.pml", "--exact", "--search", search, "--store", store), 3,
               "too long for this store: use --store tree")
    for search, store in [("bfs", "tree"), ("dfs", "tree"), ("dfs", "compact"), ("dfs", "automaton")]:
        expect(f"long states: {search}, {store}", gyre("long_states.pml", "--exact", "--search", search, "--store", store), 1,
               r"(?s)assertion failed.*Counterexample: 11 steps")
    for cycles in ["components", "cndfs", "ufscc", "owcty", "map"]:
        expect(f"long states: cycles, {cycles}", gyre("long_states.pml", "--exact", "--store", "plain", "--check", "liveness",
                                                      "--ltl", "<> false", "--cycles", cycles, "--threads", "2"), 3,
               "too long for this store: use --store tree")


@test
def repeated_options():
    r = gyre("formulas.pml", "--ltl", "rises", "--ltl", "stays", "--json")
    names = [(p["name"], p["verdict"]) for p in r.json["properties"]]
    check("--ltl twice: both are checked", r.status == 1 and
          names == [("safety", "holds"), ("rises", "holds"), ("stays", "violated")], r)
    r = gyre("formulas.pml", "--ltl", "<> (x == 3)", "--ltl", "rises", "--check", "liveness", "--json")
    check("a name and a formula", [p["name"] for p in r.json["properties"]] == ["rises", "<> (x == 3)"] and
          r.status == 1, r)
    r = gyre("formulas.pml", "--ltl", "rises", "--ltl", "rises", "--check", "liveness", "--json")
    check("the same one twice is one", len(r.json["properties"]) == 1, r)
    expect("the second one is read as well", gyre("formulas.pml", "--ltl", "rises", "--ltl", "risse"), 2, None,
           r"unknown ltl property `risse`\n.*a similar name exists: `rises`")
    r = gyre("formulas.pml", "--check", "progress", "--check", "safety", "--json")
    check("--check adds up", [p["kind"] for p in r.json["properties"]] == ["safety", "progress"], r)
    for option, first, second in (("--fairness", "weak", "strong"), ("--store", "plain", "tree"),
                                  ("--search", "dfs", "bfs"), ("--time", "1", "2"),
                                  ("--memory", "1G", "2G"), ("--threads", "1", "2"),
                                  ("--depth", "5", "6"), ("--trail", "a.trail", "b.trail"),
                                  ("--all-errors", "2", "3"), ("--seed", "1", "2")):
        expect(f"{option} twice is refused", gyre("good.pml", option, first, option, second), 2, None,
               f"{option} is given twice \\(`{first}`, then `{second}`\\)")
    expect("in a simulation, too", gyre("sim", "good.pml", "--seed", "1", "--seed", "2"), 2, None, "given twice")
    expect("a flag twice says nothing new", gyre("good.pml", "--exact", "--exact"), 0, "holds")


@test
def plan():
    r = expect("--verbose shows the plan", gyre("good.pml", "--verbose", "--threads", "2"), 0,
               r"\nPlan\n  engine +bfs +.*shortened.*\n  threads +2 +requested\n")
    check("every choice has a reason", all(len(re.split(r"\s{2,}", line.strip())) == 3 for line in
                                           r.out.split("\nPlan\n")[1].split("\n\n")[0].splitlines()), r)
    expect("long choices are apart from their reasons", gyre("ends.pml", "--all-errors", "--verbose"), 1, r"\n  counterexamples +10 of a kind +--witnesses")
    r = gyre("good.pml", "--verbose", "--json", "--exact", "--store", "plain", "--backend", "vm")
    chosen = {c["what"]: (c["choice"], c["reason"]) for c in r.json["plan"]}
    check("in JSON", chosen["store"] == ("plain", "requested") and chosen["backend"] == ("vm", "requested") and
          chosen["merging"] == ("no", "--exact") and chosen["symmetry"] == ("no", "--exact"), chosen)
    check("not without it", "plan" not in gyre("good.pml", "--json").json)
    r = gyre("formulas.pml", "--verbose", "--json", "--memory", "1G")
    chosen = {c["what"]: (c["choice"], c["reason"]) for c in r.json["plan"]}
    check("cycles have a store of their own", chosen["store of cycles"][0] == "tree" and
          "memory" in chosen["store of cycles"][1] and chosen["cycles"][0] == "auto", chosen)


@test
def terminal():
    """On a terminal: colours and a progress line after a second. It is interrupted when that was shown."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        os.execv(GYRE, [GYRE, "forever.pml", "--exact", "--threads", "1", "--memory", "2G", "--time", "300"])
    seen, told = b"", False
    while True:
        if not told and b"states/s" in seen:
            os.kill(pid, signal.SIGINT)
            told = True
        try:
            ready, _, _ = select.select([fd], [], [], 300)
            data = os.read(fd, 65536) if ready else b""
        except OSError:
            break
        if not data:
            break
        seen += data
    os.waitpid(pid, 0)
    text = seen.decode("utf-8", "replace")
    check("progress line on a terminal", re.search(r"\r\033\[Ksafety: \d.*states.*states/s", text), text)
    check("the progress line is wiped out", re.search(r"\r\033\[K[^\r]*forever\.pml", text), text)
    check("colours on a terminal", "\033[1;33minconclusive" in text, text)


# -- JSON ---------------------------------------------------------------------------

@test
def reductions():
    others = ["--no-merge", "--no-ranges", "--no-por"]
    exact, r = gyre("flow.pml", "--exact", "--verbose"), gyre("flow.pml", "--json", *others)
    expect("without: every value of the log is a state", exact, 0, r"no reductions")
    stats = r.json["stats"]
    check("named", stats["reductions"] == ["dead-variables", "slicing"], stats)
    check("what they did", stats["reduced"]["slicing"] == {"variables": 2, "bits": 16} and
          stats["reduced"]["dead-variables"]["variables"] == 2, stats)
    # by hand: six places with g = 0 and six with g = 1, or dead; a only where it is asked for
    check("states", r.json["properties"][0]["states"] == 12, r.out)
    expect("in the text", gyre("flow.pml", "--verbose"), 0, r"reductions: dead variables \(2 variables, \d resets?\), slicing \(2 variables, 16 bits\)")
    for option, left in (("--no-dead", ["slicing"]), ("--no-slice", ["dead-variables"])):
        names = gyre("flow.pml", "--json", option, *others).json["stats"]["reductions"]
        check(option, names == left, names)
    # Self and Mercer, figure 1: 13 states, 9 without values that are dead at their place, 8 without
    # those that are dead on the way taken; here, two more places behind the last use
    others += ["--no-slice"]
    exact, r = gyre("paths.pml", "--exact", "--json"), gyre("paths.pml", "--json", *others)
    check("all values", exact.json["properties"][0]["states"] == 13 + 4, exact.out)
    check("dead on paths", r.json["properties"][0]["states"] == 8 + 2, r.out)
    check("dead on paths: named", r.json["stats"]["reduced"]["dead-on-paths"]["variables"] == 1, r.out)
    # by hand: two places for S; none to two messages; R before or behind its assertion
    r = gyre("ignored.pml", "--json", "--no-merge", "--no-por")
    check("fields that nobody reads", r.json["stats"]["reduced"]["message-fields"] == {"fields": 1} and
          r.json["properties"][0]["states"] == 2 * 3 * 2, r.out)
    # by hand: g = 1, l = 2 and l = l+1 go on; g holds 0..4 and l 0..3, five and six bits less
    stats = gyre("joined.pml", "--json", "--no-dead", "--no-slice").json["stats"]
    check("merging", stats["reduced"]["merging"] == {"statements": 3}, stats)
    check("ranges", stats["reduced"]["ranges"] == {"variables": 2, "bits": 11}, stats)
    for option, gone in (("--no-merge", "merging"), ("--no-ranges", "ranges")):
        names = gyre("joined.pml", "--json", option).json["stats"]["reductions"]
        check(option, gone not in names and len(names) > 0, names)
    stats = gyre("joined.pml", "--json", "--ltl", "<> X (g == 3)").json["stats"]
    check("a formula that counts steps: nothing is merged", "merging" not in stats["reductions"], stats)
    # what computes an unseen value may fail
    expect("an unseen value that fails", gyre("unseen.pml"), 1, r"index")
    # a counter that nobody reads goes on counting where the run goes round
    r = gyre("round.pml", "--json")
    check("a cycle but for the counter", r.status == 1 and r.json["properties"][1]["counterexample"]["cycle_start"] is not None, r)


@test
def partial_order():
    expect("xr: another process receives", gyre("exclusive.pml"), 2, None,
           r"`xr q`: A is not the only process that receives from it(.|\n)*note: B receives(.|\n)*note: A receives")
    expect("xs: another instance sends", gyre("exclusive_twice.pml"), 2, None,
           r"`xs q`: A is not the only process that sends to it(.|\n)*more than one instance")
    expect("kept promises", gyre("exclusive_kept.pml"), 0)
    exact = gyre("counters.pml", "--exact", "--check", "safety", "--json").json["properties"][0]
    for search in ("bfs", "dfs"):
        r = gyre("counters.pml", "--no-merge", "--no-dead", "--check", "safety", "--search", search,
                 "--check-reduction", "--json").json
        figures = r["stats"]["reduced"]["partial-order"]
        check(f"{search}: reduced, and checked", figures["checked"] and figures["states_reduced"] > 0, r)
        check(f"{search}: far fewer states", r["properties"][0]["states"] * 20 < exact["states"], r)
        check(f"{search}: none of them elsewhere",
              figures["states_reduced"] + figures["states_full"] == r["properties"][0]["states"], r)
    for option in ("--exact", "--no-por"):
        r = gyre("counters.pml", option, "--check", "safety", "--json").json
        check(f"{option}: not reduced", "partial-order" not in r["stats"]["reductions"], r)
    r = gyre("counters.pml", "--no-merge", "--no-dead", "--check", "liveness", "--check-reduction", "--verbose")
    check("a formula without X is reduced", re.search(r"all +ltl +holds.*reduced by partial order", r.out), r.out)
    check("one with X is not, and why", re.search(r"soon +ltl +holds.*no partial-order reduction: .*not stutter-invariant", r.out), r.out)
    check("verdicts are the same", re.search(r"none +ltl +violated", r.out), r.out)
    expect("--depth: not reduced, and why", gyre("good.pml", "--depth", "100", "--verbose"), 0, r"no partial-order reduction: .*depth limit")


@test
def symmetry():
    """Counts by hand: n processes with k places each are multisets, C(n+k-1, n) of them."""
    alone = ["--no-por", "--no-merge", "--no-dead", "--no-slice", "--no-ranges"]
    for n, k, states, multisets in ((2, 3, 9, 6), (4, 3, 81, 15), (5, 4, 1024, 56), (3, 5, 125, 35)):
        size = ["-D", f"N={n}", "-D", f"K={k}", *alone]
        for threads in ("1", "2"):
            for options, count in ((["--no-symmetry"], states), ([], multisets),
                                   (["--backend", "native"], multisets),
                                   (["--search", "dfs"], multisets),
                                   (["--store", "plain", "--symmetry"], multisets)):
                r = gyre("ring.pml", *size, "--json", "--threads", threads, *options)
                check(f"{n} processes, {k} places, {options} {threads}",
                      r.status == 0 and r.json["properties"][0]["states"] == count, r)
    # by hand: three places outside, and for one of the four at a time three inside, so
    # 3^4 + 4 * 3 * 3^3; as multisets, C(6, 2) + 3 * C(5, 2). The elements go with their processes.
    for options, count in ((["--no-symmetry"], 405), (["--symmetry"], 45)):
        r = gyre("slots.pml", "--json", *alone, *options)
        check(f"slots {options}", r.json["properties"][0]["states"] == count, r)
    stats = gyre("slots.pml", "--json").json["stats"]
    check("named", "symmetry" in stats["reductions"] and
          stats["reduced"]["symmetry"]["process_types"] == 1, stats)
    check("not with --exact", gyre("ring.pml", "--json", "--exact").json["stats"]["reductions"] == [])
    # All but the last may end first; that this one ends first comes to the same.
    r = gyre("stuck.pml", "--json", "--symmetry")
    check("the witness is one of the real system",
          r.status == 1 and r.json["properties"][0]["counterexample"]["kind"] == "invalid-end-state"
          and r.json["properties"][0]["counterexample"]["length"] ==
          gyre("stuck.pml", "--json", "--exact").json["properties"][0]["counterexample"]["length"], r)
    # The fault is there only if ended processes keep their places under younger ones.
    expect("too many processes", gyre("grows.pml"), 1, r"too many processes")
    refused = (("pid.pml", "depends on _pid"), ("counted.pml", "the model reads their number"),
               ("peer.pml", "remote references"), ("own.pml", "creates its own channels"),
               ("good.pml", "no process type has several"), ("apart.pml", "equal parameters"),
               ("last.pml", "_last"))
    for name, why in refused:
        expect(f"--symmetry is refused: {name}", gyre(name, "--symmetry"), 2, None,
               rf"--symmetry is not possible: .*{why}.*\n.*drop --symmetry")
        check(f"nor is it the default: {name}",
              "symmetry" not in gyre(name, "--json").json["stats"]["reductions"])
    for other in ("--exact", "--no-symmetry", "--shortest"):
        expect(f"--symmetry {other}", gyre("ring.pml", "--symmetry", other), 2, None, f"--symmetry and {other} cannot be combined")
    expect("--symmetry for progress labels", gyre("ring.pml", "--symmetry", "--check", "progress"), 2, None,
           "--symmetry is not possible: the atomic propositions of the property are not known")
    expect("--verbose says why not", gyre("pid.pml", "--verbose"), 0, r"no symmetry: the behaviour of a process depends on _pid")
    expect("a depth limit and ends", gyre("stuck.pml", "--symmetry", "--depth", "5"), 2, None, "depth limit")


STEP = {"process": str, "pid": int, "file": str, "line": int, "text": str, "changes": list}


def shape(value, names):
    return all(isinstance(value.get(n), t) for n, t in names.items())


@test
def json_reports():
    r = gyre("mix.pml", "--json", "--trail", "json.trail")
    report = r.json
    check("status with --json", r.status == 1, r)
    check("top level", shape(report, {"verdict": str, "properties": list, "stats": dict, "diagnostics": list}), report.keys())
    check("verdict", report["verdict"] == "violated")
    stats = report["stats"]
    check("stats", shape(stats, {"seconds": float, "memory_bytes": int, "bytes_per_state": float, "states_per_second": float,
                                 "threads": int, "backend": str, "store": str, "reductions": list}), stats)
    check("no reductions", gyre("mix.pml", "--json", "--exact").json["stats"]["reductions"] == [])
    p = report["properties"][0]
    check("property", shape(p, {"name": str, "kind": str, "verdict": str, "states": int, "transitions": int, "depth": int}), p.keys())
    check("safety comes first", p["kind"] == "safety" and p["verdict"] == "violated")
    c = p["counterexample"]
    check("counterexample", shape(c, {"kind": str, "length": int, "steps": list, "trail": str}), c.keys())
    check("no cycle", c["cycle_start"] is None)
    check("kind assertion", c["kind"] == "assertion")
    check("trail is named", c["trail"] == "json.trail" and os.path.exists("json.trail"))
    check("length is the number of steps", c["length"] == len(c["steps"]))
    check("every step has its shape", all(shape(s, STEP) for s in c["steps"]), c["steps"][0])
    check("changes have old and new", any({"name": "g", "old": 5, "new": 6}.items() <= ch.items() or "old" in ch
                                          for s in c["steps"] for ch in s["changes"]), c["steps"])
    check("rendezvous names the partner", any(s.get("partner", {}).get("process") == "child" for s in c["steps"]))
    check("printf output", any("g is 8, req\n" in s.get("output", []) for s in c["steps"]))
    check("final state", c["final"]["ending"] == "fault" and c["final"]["globals"]["g"] == 8, c["final"])
    d = gyre("deadlock.pml", "--json").json["properties"][0]["counterexample"]
    check("kind invalid-end-state", d["kind"] == "invalid-end-state")
    check("waits", all("waits" in q for q in d["final"]["processes"]), d["final"])
    h = gyre("good.pml", "--json").json
    check("holds", h["verdict"] == "holds" and "counterexample" not in h["properties"][0], h)
    check("coverage", h["coverage"]["statements"] == h["coverage"]["reached"] and h["coverage"]["unreached"] == [], h)
    e = gyre("bad.pml", "--json")
    check("error: status 2, verdict error", e.status == 2 and e.json["verdict"] == "error", e)
    diagnostic = e.json["diagnostics"][0]
    check("diagnostic", shape(diagnostic, {"severity": str, "file": str, "line": int, "column": int, "message": str}), diagnostic)
    m = gyre("nowhere.pml", "--json")
    check("missing file in JSON", m.status == 2 and m.json["verdict"] == "error" and m.json["diagnostics"], m)
    i = gyre("counter.pml", "--exact", "--json", "--depth", "5")
    check("limit in JSON", i.status == 3 and i.json["verdict"] == "inconclusive" and i.json["stats"]["limit"] == "depth", i)
    for cycles in ["nested", "components"]:  # five statements in one step lead to the state that repeats
        for depth, verdict, unit in [(5, "inconclusive", "statements"), (6, "violated", "statements")]:
            d = gyre("atomic_stem.pml", "--exact", "--json", "--cycles", cycles, "--depth", str(depth), "--check", "liveness").json["properties"][0]
            check(f"a depth limit for cycles counts statements: {cycles}, {depth}", (d["verdict"], d["depth_unit"], d["depth"]) == (verdict, unit, 5), d)
    x = gyre("ltl.pml", "--json").json
    check("ltl in JSON", [(q["name"], q["kind"], q["verdict"]) for q in x["properties"]] ==
          [("safety", "safety", "holds"), ("small", "ltl", "holds"), ("grows", "ltl", "holds")], x)
    y = gyre("loop.pml", "--json", "--ltl", "<>[] (x == 1)", "--check", "liveness").json["properties"][0]
    c = y["counterexample"]
    check("a lasso in JSON", c["kind"] == "acceptance-cycle" and c["length"] == len(c["steps"]) and 0 < c["cycle_start"] < c["length"], y)
    z = gyre("claimwrites.pml", "--json").json
    check("undecided properties are in the diagnostics", "never_0" in json.dumps(z["diagnostics"]), z["diagnostics"])
    a = gyre("two.pml", "--json", "--all-errors").json["properties"][0]
    check("--all-errors in JSON", len(a["counterexamples"]) == 2, a)
    with open(b"caf\xe9.pml", "wb") as f:
        f.write(MODELS["mutex.pml"].encode())
    r = gyre(b"caf\xe9.pml", "--json")
    check("a file name that is not UTF-8", r.status == 1 and r.json["verdict"] == "violated", r)


# -- simulation -----------------------------------------------------------------------

@test
def simulation():
    one, two = gyre("sim", "counter.pml", "--seed", "5", "--steps", "50"), gyre("sim", "counter.pml", "--seed", "5", "--steps", "50")
    check("the same seed, the same run", one.out == two.out and one.status == 0, one)
    other = gyre("sim", "counter.pml", "--seed", "6", "--steps", "50")
    check("another seed, another run", one.out != other.out)
    check("--steps", re.search(r"\n50 steps, as requested", one.out), one.out)
    r = gyre("sim", "counter.pml", "--quiet", "--json")
    check("default bound of 10,000 steps", len(schema.lines(r.out)) == 10002, len(r.out.splitlines()))
    r = gyre("sim", "counter.pml")
    check("the default bound is noted", "10,000 steps, the default limit (use --steps N" in r.out, r.out[-500:])
    # A fixed run: the same on every machine and in every version.
    picks = [re.sub(r".* (\w)\+\+.*", r"\1", line) for line in
             gyre("sim", "counter.pml", "--seed", "1", "--steps", "12").out.splitlines()[:12]]
    check("seed 1 chooses what it always chose", "".join(picks) == SEED_ONE, "".join(picks))
    r = expect("a step shows process, place, statement", gyre("sim", "good.pml"), 0, r"\A +1 +P\(0\) +good\.pml:2:23 +x = 1\n")
    check("no changes by default", "→" not in r.out.split("\n\n")[0], r.out)
    expect("--changes", gyre("sim", "good.pml", "--changes"), 0, r"x: 0 → 1")
    expect("--globals", gyre("sim", "good.pml", "--globals"), 0, r"\n +x = 1\n")
    expect("--locals", gyre("sim", "mix.pml", "--locals"), 1, r"A\(0\): x = 1\n")
    expect("--messages", gyre("sim", "names.pml", "--messages"), 1, r"sends \[red,7\] to q")
    r = gyre("sim", "names.pml", "--quiet")
    check("--quiet prints what the model prints", r.out.startswith("green 10 ff A3 10\n"), r)
    with open("fruit.pml", "w") as out:
        out.write("mtype = {red, green}; mtype:fruit = {apple, pear, plum}; mtype:fruit f = pear, a[2]; mtype m = green;\n"
                  "active proctype P() { a[1] = plum; printm(f); printf(\" %e %e %e\\n\", f, m, a[1]) }")
    r = gyre("sim", "fruit.pml", "--quiet")
    check("names of the set that a variable is of", r.out.startswith("pear pear green plum\n"), r)
    expect("ends in a failed assertion: status 1", gyre("sim", "never.pml"), 1, r"assertion failed")
    expect("ends in a deadlock: status 1", gyre("sim", "deadlock.pml"), 1, r"invalid end state")
    expect("ends well: status 0", gyre("sim", "good.pml"), 0, r"All processes have terminated")
    r = gyre("sim", "mix.pml", "--msc")
    check("--msc: columns", re.search(r"A\(0\)", r.out.splitlines()[0]), r.out)
    check("--msc: a rendezvous is an arrow", re.search(r"├─+ q!ack,9 ─+▶", r.out), r.out)
    check("--msc: buffered messages are marks", "●→ r!4" in r.out and "●← r?4" in r.out, r.out)
    r = gyre("sim", "mix.pml", "--json")
    lines = schema.lines(r.out)
    check("--json: one object per step", lines[0]["report"] == "simulation" and all(shape(s, STEP) for s in lines[1:-1]), lines[0])
    check("--json: a final object", lines[-1]["final"]["ending"] == "fault" and lines[-1]["steps"] == len(lines) - 2, lines[-1])
    expect("--interactive from a trail that is not there", gyre("sim", "good.pml", "--interactive", "--trail", "x"), 2, None, r"cannot read x")
    expect("--msc and --json", gyre("sim", "good.pml", "--msc", "--json"), 2, None, r"cannot be combined")
    expect("sim of a wrong model", gyre("sim", "bad.pml"), 2, None, r"error")


SEED_ONE = "zyxzxzxxxyxy"


@test
def interactive():
    r = expect("takes steps by number", gyre("sim", "mutex.pml", "--interactive", stdin="1\n2\nq\n"), 0, r"user\(0\)(.|\n)*user\(1\)")
    check("a menu with numbers", re.search(r"  1  user\(1\) .*\n +2  user\(0\) ", r.out), r.out)
    expect("end of input ends it", gyre("sim", "mutex.pml", "--interactive", stdin="1\n"), 0, r"1 step")
    expect("no input at all", gyre("sim", "mutex.pml", "--interactive", stdin=""), 0, r"0 steps")
    r = gyre("sim", "good.pml", "--interactive", stdin="1\nv\nu\nv\nq\n")
    check("v shows variables, u undoes", re.search(r"x = 1(.|\n)*x = 0", r.out) and "0 steps" in r.out, r.out)
    expect("u at the start", gyre("sim", "good.pml", "--interactive", stdin="u\nq\n"), 0, r"this is the start")
    expect("j N goes on", gyre("sim", "counter.pml", "--interactive", stdin="j 7\nq\n"), 0, r"7 steps")
    expect("j N goes back", gyre("sim", "counter.pml", "--interactive", stdin="j 7\nj 2\nq\n"), 0, r"2 steps")
    expect("j without a number", gyre("sim", "counter.pml", "--interactive", stdin="j\nq\n"), 0, r"j needs")
    expect("a number that is not there", gyre("sim", "good.pml", "--interactive", stdin="9\nq\n"), 0, r"no step 9")
    expect("rubbish", gyre("sim", "good.pml", "--interactive", stdin="%%\nq\n"), 0, r"\? shows")
    expect("? helps", gyre("sim", "good.pml", "--interactive", stdin="?\nq\n"), 0, r"undo the last step")
    expect("l lists", gyre("sim", "good.pml", "--interactive", stdin="1\nl\nq\n"), 0, r"x = 1")
    expect("r is random", gyre("sim", "counter.pml", "--interactive", stdin="r\nq\n"), 0, r"1 step")
    expect("Enter takes the only step", gyre("sim", "good.pml", "--interactive", stdin="\n\nq\n"), 0, r"2 steps")
    expect("no process is enabled", gyre("sim", "good.pml", "--interactive", stdin="\n" * 9), 0, r"no process is enabled")
    r = gyre("sim", "mutex.pml", "--interactive", stdin="1\nu\nn\nq\n")
    check("n takes again what was undone", r.out.count("user(1) ") >= 2 and "1 step." in r.out, r.out)
    expect("y says why", gyre("sim", "good.pml", "--interactive", stdin="y\nq\n"), 0, r"every process is enabled")


LOST = """chan data = [1] of { byte }; chan acks = [1] of { bit };
active proctype Sender() {
    byte number;
    do
    :: data!number;
       if
       :: acks?_ -> number = 1 - number
       :: timeout
       fi
    od
}
active proctype Receiver() {
    byte got, expected;
    do
    :: data?got;
       assert(got == expected);
       expected = 1 - expected;
       if
       :: acks!1
       :: skip
       fi
    od
}
"""


@test
def suites():
    """gyre test: what models expect of themselves."""
    os.makedirs("suite/below", exist_ok=True)
    def put(name, text):
        with open(os.path.join("suite", name), "w") as model:
            model.write(text)
    wrong = "active proctype P() { assert(X == 1) }\n"
    put("silent.pml", "active proctype P() { skip }\n")
    put("below/both.pml", "#ifndef X\n#define X 0\n#endif\n" + wrong + "/* gyre: expect violated */ // gyre: expect holds\n// gyre: with -D X=1 expect holds\n// gyre: with -DX=1 expect safety holds\n")
    put("notes.txt", "not a model")
    r = expect("all is as expected", gyre("test", "suite"), 0, r"4 passed, 0 failed\n$")
    check("in order of their names", r.out.index("below/both.pml") < r.out.index("silent.pml"), r.out)
    check("with their options", "both.pml -D X=1 holds" in r.out and "both.pml -DX=1 safety holds" in r.out, r.out)
    put("bad.pml", "active proctype P() { x = 1 }\n")
    expect("a model with errors is not what was expected", gyre("test", "suite"), 1, r"FAILED +suite/bad.pml holds: it ends with an error \(undeclared(.|\n)*4 passed, 1 failed")
    put("bad.pml", "active proctype P() { x = 1 }\n// gyre: expect error\n")
    expect("unless it says so", gyre("test", "suite", "--quiet"), 0, r"^5 passed, 0 failed\n$")
    put("bad.pml", "active proctype P() { skip } // gyre: expect nobody holds\n")
    expect("a property that is not there", gyre("test", "suite"), 1, r"bad.pml nobody holds: it is missing")
    put("bad.pml", "active proctype P() { skip } // gyre: expect the best\n")
    expect("no such verdict", gyre("test", "suite"), 1, r"bad.pml:1: after `gyre:`")
    put("bad.pml", "active proctype P() { skip } // gyre: with --stores x expect holds\n")
    expect("no such option", gyre("test", "suite"), 1, r"bad.pml:1: .*stores")
    put("bad.pml", "active proctype P() { skip } // gyre: expect violated\n")
    expect("it holds, but should not", gyre("test", "suite/bad.pml"), 1, r"bad.pml violated: it holds ")
    put("bad.pml", "byte x; active proctype P() { x = 1 } ltl a { [] (x == 0) } ltl b { [] (x <= 1) }\n// gyre: expect b holds\n")
    expect("a violation that no line expects", gyre("test", "suite/bad.pml"), 1, r"ok +suite/bad.pml b holds.*\nFAILED +suite/bad.pml a holds: it is violated, and no line says so")
    check("as with --expect", gyre("suite/bad.pml", "--expect", "b=holds").status == 1)
    r = gyre("test", "suite/bad.pml", "--json").json
    check("in JSON", [(e["property"], e["expected"], e["verdict"], e["passed"]) for e in r["tests"]] == [("b", "holds", "holds", True), ("a", "holds", "violated", False)], r)
    put("bad.pml", "byte x; active proctype P() { x = 1 } ltl a { [] (x == 0) } ltl b { [] (x <= 1) }\n// gyre: expect b holds\n// gyre: expect violated\n")
    expect("a line about the whole leaves the rest open", gyre("test", "suite/bad.pml"), 0, r"2 passed, 0 failed")
    put("bad.pml", "active proctype P() { skip } // gyre: with --stores x expect holds\n")
    r = expect("--junit", gyre("test", "suite", "--junit", "suite.xml"), 1)
    cases = xml.etree.ElementTree.parse("suite.xml").getroot()[0]
    check("the report counts as the last line does", (cases.get("tests"), cases.get("failures")) == ("5", "1") and len(cases) == 5, cases.attrib)
    expect("a path that is not there", gyre("test", "nowhere"), 2, None, r"cannot read nowhere")
    os.makedirs("empty", exist_ok=True)
    expect("no models", gyre("test", "empty"), 2, None, r"no models in empty")
    expect("a single file", gyre("test", "suite/silent.pml"), 0, r"1 passed, 0 failed")
    expect("an option of another command", gyre("test", "suite", "--store", "plain"), 2, None, r"not an option of gyre test")


@test
def walking():
    """gyre replay, by hand. The trail has nine steps: see examples/tutorial/3_resend.pml."""
    with open("lost.pml", "w") as model:
        model.write(LOST)
    gyre("lost.pml", "--trail", "lost.trail")
    walk = lambda *lines: gyre("replay", "lost.pml", "lost.trail", "--interactive", stdin="".join(x + "\n" for x in lines))
    expect("forward and back", walk("n", "n", "u", "q"), 1, r"step 0 of 9(.|\n)*step 2 of 9(.|\n)*step 1 of 9")
    expect("to the end and not beyond", walk("j 99", "n"), 1, r"step 9 of 9(.|\n)*the trail ends here")
    expect("not before the start", walk("u"), 1, r"this is the start")
    expect("stops at a line", walk("b 20", "g"), 1, r"step 5 of 9")
    expect("stops when a condition becomes true", walk("b Receiver:expected == 1", "g"), 1, r"step 4 of 9")
    expect("a condition with an error", walk("b nobody", "g"), 1, r"undeclared variable `nobody`(.|\n)*step 9 of 9")
    expect("finds a text", walk("/ timeout"), 1, r"step 6 of 9")
    expect("stays where it is if there is no such text", walk("n", "/ nothing like this"), 1, r"not found(.|\n)*step 1 of 9")
    expect("watches", walk("w len(data) + 5", "n"), 1, r"len\(data\) \+ 5 = 5(.|\n)*len\(data\) \+ 5 = 6")
    expect("no other way", walk("1"), 1, r"a replay follows the trail")
    expect("a chart", walk("j 2", "m"), 1, r"data!0 .*\n.*data\?0")
    expect("saves what was walked", walk("j 4", "t part.trail"), 1, r"4 steps are in part.trail")
    expect("which can be replayed", gyre("replay", "lost.pml", "part.trail"), 0, r"4 steps")
    expect("and gone on from", gyre("sim", "lost.pml", "--trail", "part.trail", "--interactive", stdin="q\n"), 0, r"step 5: 1-2")
    expect("cannot write there", walk("t /nowhere/x"), 1, r"cannot write /nowhere/x")
    expect("--show", gyre("replay", "lost.pml", "lost.trail", "--show", "len(data); Sender:number * 2"), 1, r"len\(data\) = 1, Sender:number \* 2 = 0")
    expect("--show in a simulation", gyre("sim", "lost.pml", "--steps", "1", "--show", "len(data)"), 0, r"len\(data\) = 1")
    r = gyre("replay", "lost.pml", "lost.trail", "--chart", "svg")
    drawn = xml.etree.ElementTree.fromstring(r.out)
    arrows = [x for x in drawn.iter() if "marker-end" in x.attrib]
    check("--chart svg: two messages arrive", len(arrows) == 2 and all(int(a.get("y1")) < int(a.get("y2")) for a in arrows), r.out)
    expect("--chart mermaid", gyre("replay", "lost.pml", "lost.trail", "--chart", "mermaid"), 1, r"^sequenceDiagram\n +participant p0 as Sender\(0\)\n(.|\n)*p0-\)p1: data!0\n +p0-\)p1: data!0\n$")
    expect("--chart plantuml", gyre("replay", "lost.pml", "lost.trail", "--chart", "plantuml"), 1, r"^@startuml\n(.|\n)*p0 ->> p1: data!0\n(.|\n)*@enduml\n$")
    expect("--chart shiviz: who receives knows what the sender knew", gyre("replay", "lost.pml", "lost.trail", "--chart", "shiviz"), 1, r'data\?0\nReceiver\(1\) \{"Sender\(0\)":2, "Receiver\(1\)":2\}\n$')
    expect("--chart of a simulation", gyre("sim", "lost.pml", "--steps", "1", "--chart", "mermaid"), 0, r"p0-xp0: data!0")
    expect("--chart of what", gyre("sim", "lost.pml", "--chart", "png"), 2, None, r"svg")
    expect("--chart and --json", gyre("sim", "lost.pml", "--chart", "svg", "--json"), 2, r"cannot be combined")
    expect("--show with an error", gyre("replay", "lost.pml", "lost.trail", "--show", "nobody"), 2, None, r"^gyre: error: --show: `nobody`: undeclared variable `nobody`\n$")


@test
def walking_on_a_terminal():
    """The screen of gyre replay, driven by keys through a terminal of our own."""
    import pty
    import select
    import time
    with open("lost.pml", "w") as model:
        model.write(LOST)
    gyre("lost.pml", "--trail", "lost.trail")
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        os.execv(GYRE, [GYRE, "replay", "lost.pml", "lost.trail"])

    def screen(keys, wanted):
        """Sends keys; True as soon as what is drawn then shows the text."""
        os.write(terminal, keys)
        seen, end = b"", time.time() + 300
        while time.time() < end and wanted not in seen:
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    seen += os.read(terminal, 65536)
                except OSError:
                    break
        return wanted in seen

    check("begins at the start", screen(b"", b"step 0 of 9"))
    check("right goes forward", screen(b"\x1b[C\x1b[C", b"step 2 of 9"))
    check("left goes back", screen(b"\x1b[D", b"step 1 of 9"))
    check("End", screen(b"\x1b[F", b"step 9 of 9"))
    check("a typed command", screen(b"j 3\r", b"step 3 of 9"))
    check("the source of the step", screen(b"w len(data)\r", b"len(data) = 0"))
    os.write(terminal, b"q")
    _, status = os.waitpid(pid, 0)
    check("q ends it with the verdict", os.waitstatus_to_exitcode(status) == 1, str(status))
    os.close(terminal)


# -- trails ---------------------------------------------------------------------------

def spin_complaints(model, trail):
    """What `spin -t` says against a trail; the number of steps it took."""
    run = subprocess.run(["spin", "-t", "-p", "-k", trail, model], capture_output=True, text=True, timeout=300)
    text = run.stdout + run.stderr
    bad = [line for line in text.splitlines() if re.search(
        r"no matching stmnt|stop error|invalid statement|transition failed|no process|cannot find|\(\?\)|couldn't find|doesn't match", line)]
    end = re.search(r"trail ends after (-?\d+) steps", text)
    return bad, int(end.group(1)) if end else None, text


def pan_trail(model, *flags, spin_flags=(), run_flags=()):
    """Spin's own trail of a model: its text, or None."""
    with tempfile.TemporaryDirectory() as where:
        shutil.copy(model, where)
        name = os.path.basename(model)
        subprocess.run(["spin", *spin_flags, "-a", name], cwd=where, check=True, capture_output=True)
        subprocess.run(["gcc", *flags, "-o", "pan", "pan.c"], cwd=where, check=True, capture_output=True, env=quick_cc.ENVIRONMENT)
        subprocess.run(["./pan", *run_flags], cwd=where, capture_output=True, timeout=300)
        path = os.path.join(where, name + ".trail")
        return open(path).read() if os.path.exists(path) else None


@test
def nasty_formulas():
    """In each of the three ways to give one: an error with a caret or a limit, and soon."""
    cases = {  # formula: status of --ltl, of ltl { … }, of gyre ltl (None: too long for a command line)
        "[]": (2, 2, 2), "p U": (2, 2, 2), "U p": (2, 2, 2), "(p": (2, 2, 2), "p)": (2, 2, 2), "p q": (2, 2, 2),
        "[] (x = 1)": (2, 2, 2), "[] /* p": (2, 2, 2), "[] \"p": (2, 2, 2), "[] \u03c0": (2, 2, 2),
        "[] nobody": (2, 2, 0), "[] P@nowhere": (2, 2, 0), "[] Q@here": (2, 2, 0), "[] (p[1] == 2)": (2, 2, 0),
        "[] run P()": (2, 2, 2), "[] full(c)": (2, 2, 0),
        "(" * 30000: (2, 2, 2), "(" * 30000 + "p" + ")" * 30000: (2, 2, 0), "!(" * 30000 + "p" + ")" * 30000: (2, 2, 0),
        "X " * 5000 + "p": (2, 2, 2), "[] <> " * 10000 + "p": (2, 2, 2),
        " && ".join(f"(x != {i})" for i in range(65)): (1, 1, 3),  # one proposition, and x is 0 at first
        " || ".join(f"<> (x == {i})" for i in range(300)): (3, 3, 3),
        "p" + " && p" * 100000: (None, 2, None), "(" * 100000 + "p" + ")" * 100000: (None, 2, None),
    }
    for formula, (given, inline, alone) in cases.items():
        shown = formula if len(formula) < 40 else formula[:37] + "..."
        with open("nasty.pml", "w") as model:
            model.write("byte x; bool p; chan c = [1] of { byte };\nactive proctype P() { here: x = 1 }\nltl f { " + formula + " }\n")
        with open("nice.pml", "w") as model:
            model.write("byte x; bool p; chan c = [1] of { byte };\nactive proctype P() { here: x = 1 }\n")
        runs = [(inline, lambda: gyre("nasty.pml", "--check", "liveness", timeout=300)),
                (given, lambda: gyre("nice.pml", "--check", "liveness", "--ltl", formula, timeout=300)),
                (alone, lambda: gyre("ltl", formula, timeout=300))]
        for (status, run), way in zip(runs, ("ltl { … }", "--ltl", "gyre ltl")):
            if status is not None:
                expect(f"{way} with {shown}", run(), status, r"formula too large" if status == 3 and way != "gyre ltl" else None, r"\^" if status == 2 else None)


def random_formula(rng, depth, atoms):
    """As nested tuples: ("U", ("p",), ("!", ("q",)))."""
    if depth == 0 or rng.random() < 0.2:
        return (rng.choice(atoms),)
    op = rng.choice(("!", "[]", "<>", "X", "U", "V", "&&", "||", "->"))
    return (op, *(random_formula(rng, depth - 1, atoms) for _ in range(1 if op in ("!", "[]", "<>", "X") else 2)))


def formula_text(f):
    return f[0] if len(f) == 1 else f"{f[0]} ({formula_text(f[1])})" if len(f) == 2 else f"({formula_text(f[1])}) {f[0]} ({formula_text(f[2])})"


def truths(f, word, loop):
    """The truth of a formula at each position of a word whose last letter is followed by that at `loop`."""
    if len(f) == 1:
        return [letter.get(f[0], False) for letter in word]
    a, b = truths(f[1], word, loop), truths(f[-1], word, loop)
    after = [*range(1, len(word)), loop]
    rules = {"!": lambda i, v: not a[i], "X": lambda i, v: a[after[i]], "&&": lambda i, v: a[i] and b[i], "||": lambda i, v: a[i] or b[i],
             "->": lambda i, v: not a[i] or b[i], "<>": lambda i, v: a[i] or v[after[i]], "[]": lambda i, v: a[i] and v[after[i]],
             "U": lambda i, v: b[i] or (a[i] and v[after[i]]), "V": lambda i, v: b[i] and (a[i] or v[after[i]])}
    values = [f[0] in ("[]", "V")] * len(word) # the least fixed point, or the greatest
    for _ in range(len(word) + 1):
        values = [rules[f[0]](i, values) for i in range(len(word))]
        for i in reversed(range(len(word))):
            values[i] = rules[f[0]](i, values)
    return values


def read_run(text):
    """ "p & !q ; { p & q }": the letters, and where the loop begins."""
    letters = [letter.strip() for letter in text.strip().rstrip("}").split(";")]
    loop = next(i for i, letter in enumerate(letters) if letter.startswith("{"))
    return [{literal.strip("! "): not literal.strip().startswith("!") for literal in letter.strip("{ ").split("&")} for letter in letters], loop


@test
def runs_that_tell_apart():
    """The run that gyre ltl --equivalent prints satisfies one of the formulas and not the other."""
    rng = random.Random(7)
    pairs = [(("c",), ("b",)), (("U", ("a",), ("b",)), ("U", ("c",), ("b",)))]
    pairs += [(random_formula(rng, 3, "ab"), random_formula(rng, 3, "bc")) for _ in range(60)]
    seen = 0
    for f, g in pairs:
        r = gyre("ltl", "--equivalent", formula_text(f), formula_text(g))
        if r.status != 1:
            continue
        word, loop = read_run(r.out.splitlines()[1])
        one, other = truths(f, word, loop)[0], truths(g, word, loop)[0]
        check(f"{formula_text(f)} and {formula_text(g)} differ on the run", one != other, r)
        seen += 1
    check("most of the formulas differ", seen > 40, seen)


ASKED = "byte x;\nactive proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od; assert(x == 2) }\nltl p { [] (x < 2) }\nltl q { <> (x == 9) }\n"


@test
def what_was_asked():
    """The counterexample to the formula that was named comes before that to safety."""
    write("asked.pml", ASKED)
    r = expect("the headline and the first counterexample", gyre("asked.pml", "--ltl", "p", "--trail", "asked.trail"), 1,
               r"^asked.pml: violated: ltl `p`: a finite run violates it; safety: assertion failed: x == 2 \(x = 3\)\n(.|\n)*\nCounterexample to ltl `p`(.|\n)*\nCounterexample to safety")
    check("the trail is its own", r.out.index("trail written to asked.trail,") < r.out.index("trail written to asked.trail-2\n"), r)
    expect("replayed", gyre("replay", "asked.pml", "asked.trail"), 0, r"x: 1 → 2\n(?!(.|\n)*x: 2 → 3)")
    expect("nothing was asked: safety", gyre("asked.pml"), 1, r"^asked.pml: violated: assertion failed(.|\n)*Counterexample to safety(.|\n)*Counterexample to ltl `p`(.|\n)*Counterexample to ltl `q`")
    check("JSON keeps its order", [p["name"] for p in gyre("asked.pml", "--ltl", "q", "--json").json["properties"]] == ["safety", "q"])


@test
def ltl():
    expect("ltl prints a never claim", gyre("ltl", "[] (p -> <> q)"), 0, r"^never \{(.|\n)*accept")
    expect("ltl --hoa", gyre("ltl", "<> p", "--hoa"), 0, r"^HOA: v1\n(.|\n)*--END--")
    expect("ltl --dot", gyre("ltl", "<> p", "--dot"), 0, r"^digraph")
    expect("ltl --sat: yes", gyre("ltl", "--sat", "p U q"), 0, r"^satisfiable")
    expect("ltl --sat: no", gyre("ltl", "--sat", "<> p && [] !p"), 1, r"^unsatisfiable")
    expect("ltl --equivalent: yes", gyre("ltl", "--equivalent", "!<>p", "[]!p"), 0, r"^equivalent")
    expect("ltl --equivalent: no", gyre("ltl", "--equivalent", "[]<>p", "<>[]p"), 1, r"^not equivalent")
    expect("ltl --stutter-invariant: no", gyre("ltl", "--stutter-invariant", "X p"), 1, r"^not")
    expect("ltl --stutter-invariant: yes", gyre("ltl", "--stutter-invariant", "p U q"), 0, r"^stutter")
    r = gyre("ltl", "p U q", "--json")
    check("ltl --json", r.json["states"] == 2 and r.json["never"].startswith("never"), r)
    expect("ltl: malformed", gyre("ltl", "p U"), 2, None, r"<formula>:1:4: error(.|\n)*\^")
    expect("ltl: no formula", gyre("ltl"), 2, None, r"needs a formula")
    expect("ltl: two questions", gyre("ltl", "p", "--sat", "--hoa"), 2, None, r"cannot be combined")
    expect("ltl: two formulas", gyre("ltl", "p", "q"), 2, None, r"one formula")
    with open("claim.pml", "w") as model:
        model.write("bool p, q;\nactive proctype P() { p = true }\n" + gyre("ltl", "[] (p -> <> q)").out)
    done = subprocess.run(["spin", "-a", "claim.pml"], capture_output=True, text=True)
    check("Spin accepts our claim", done.returncode == 0, done.stdout)
    claims = [gyre("ltl", "[] (p -> <> q)", env={"CI": value, "GITHUB_ACTIONS": value}).out for value in ("", "true")]
    check("a claim is the same in a pipeline", claims[0] == claims[1] and "\n\t:: (" in claims[1], claims[1])
    big = " && ".join(f"<> p{i}" for i in range(30))
    expect("a formula that takes too long ends with status 3, at the limit", gyre("ltl", big, "--time", "0.5"), 3, None,
           r"formula too large: its translation (takes longer than 500 ms|needs more)")
    for way in (("--ltl", " && ".join(f"<> (x == {i})" for i in range(30))), ("--ltl", " && ".join(f"<> (x == {i})" for i in range(30)), "--shortest")):
        expect(f"--time bounds the translation of a formula {way[2:]}", gyre("ltl.pml", *way, "--time", "0.5"), 3,
               r"inconclusive: formula too large")


# A time limit that is over when a search first looks at the clock, which is after a number of states.
AT_ONCE = "0.000001"


@test
def resume_with_processes_that_come_and_go():
    # Spin's exact count of this size is in bench/models/sizes.tsv.
    model = [os.path.join(ROOT, "bench/models/spawn.pml"), "-DCLIENTS=3", "-DLIMIT=8", "--json", "--exact"]
    for search in ("bfs", "dfs"):
        cut = gyre(*model, "--search", search, "--time", AT_ONCE, "--checkpoint", "spawn.checkpoint")
        check(f"{search}: the time limit ends the run", cut.status == 3, cut)
        whole = gyre(*model, "--search", search, "--resume", "spawn.checkpoint", timeout=300)
        found = whole.json["properties"][0]
        check(f"{search}: resumed, it comes to Spin's figures",
              whole.status == 0 and (found["states"], found["transitions"]) == (89236, 294799), whole)
        edited = open(model[0]).read().replace("LIMIT", "BOUND")
        with open("edited.pml", "w") as copy:
            copy.write(edited)
        other = gyre("edited.pml", "-DCLIENTS=3", "-DBOUND=7", "--exact", "--search", search,
                     "--resume", "spawn.checkpoint")
        check(f"{search}: another model is refused", other.status in (2, 3) and "another model" in str(other), other)


@test
def resume_needs_the_same_reductions():
    model = [os.path.join(ROOT, "bench/models/lamport.pml"), "-DN=5"]
    cut = gyre(*model, "--time", AT_ONCE, "--checkpoint", "reduced.checkpoint")
    check("the time limit ends the reduced run", cut.status == 3, cut)
    expect("resumed without partial order", gyre(*model, "--no-por", "--time", AT_ONCE, "--resume", "reduced.checkpoint"), 2, None,
           "other options")
    expect("resumed as before", gyre(*model, "--time", AT_ONCE, "--resume", "reduced.checkpoint"), 3, "time limit")


@test
def endless_atomic():
    r = gyre("endless.pml", "--json")
    check("an atomic sequence that never ends violates nothing", r.status == 0, r.out)
    check("but draws a warning", any("never ends" in d["message"] for d in r.json["diagnostics"]), r.out)


# Ends in a run-time error: Spin must stop before the failing statement, we execute it.
FAILING = ("index.pml", "division.pml")
VIOLATED = ("mutex.pml", "deadlock.pml", "mix.pml", "never.pml", "two.pml", "names.pml", "long.pml")


@test
def trails():
    for model in VIOLATED:
        r = gyre(model, "--trail", "own.trail", "--json")
        bad, steps, text = spin_complaints(model, "own.trail")
        lines = open("own.trail").read().count("\n")
        check(f"Spin replays our trail of {model}", not bad and steps == lines, text)
        back = gyre("replay", model, "own.trail", "--json")
        mine = r.json["properties"][0]["counterexample"]
        check(f"replay of our own trail of {model} shows the same steps", back.status == 1 and back.json["steps"] == mine["steps"], back)
        check(f"replay of {model} ends in the same state", back.json["final"] == mine["final"])
        text = gyre("replay", model, "own.trail").out
        told = gyre(model).out
        told = told.split(")\n", 1)[1] if "(no shorter" in told else told
        lines = [line for line in told.splitlines() if re.match(r" +\d+ +\S", line)]
        check(f"replay tells {model} as the report does", all(line in text for line in lines), text)
        sim = gyre("sim", model, "--trail", "own.trail", "--json")
        last = schema.report(sim.out.splitlines()[-1])
        check(f"sim --trail of {model} gets to the same state", last["final"] == mine["final"], sim)
    for model in FAILING:
        r = gyre(model, "--trail", "own.trail", "--json")
        bad, steps, text = spin_complaints(model, "own.trail")
        lines = sum(not line.startswith(("!", "-")) for line in open("own.trail"))
        check(f"Spin replays our trail of {model}", not bad and steps == lines, text)
        back = gyre("replay", model, "own.trail", "--json")
        mine = r.json["properties"][0]["counterexample"]
        check(f"replay of our own trail of {model}", back.status == 1 and back.json["final"] == mine["final"], back)
    gyre("two.pml", "--all-errors", "--trail", "all.trail")
    check("--all-errors writes a trail each", os.path.exists("all.trail") and os.path.exists("all.trail-2"))
    check("no trail file if there is no counterexample",
          gyre("good.pml", "--trail", "none.trail").status == 0 and not os.path.exists("none.trail"))
    shutil.copy("own.trail", "kept.trail")
    gyre("good.pml", "--trail", "kept.trail")
    check("an old trail file is left alone then", open("kept.trail").read() == open("own.trail").read())


@test
def spin_trails():
    for model in VIOLATED:
        for flags, options in ((["-DSAFETY", "-DNOCLAIM"], []), (["-DSAFETY", "-DNOCLAIM"], ["-o3"]),
                               (["-DBFS", "-DSAFETY", "-DNOCLAIM"], []), ([], [])):
            what = " ".join(flags + options) or "default"
            trail = pan_trail(model, *flags, spin_flags=options, run_flags=["-a"] if not flags else [])
            if trail is None:
                check(f"Spin has a trail of {model} ({what})", False, "pan wrote none")
                continue
            with open("spin.trail", "w") as f:
                f.write(trail)
            r = gyre("replay", model, "spin.trail", "--json")
            good = r.status == 1 and r.json["final"]["ending"] in ("fault", "invalid-end-state")
            check(f"replay of Spin's trail of {model} ({what})", good, f"{r}\n{trail}")
            _, _, text = spin_complaints(model, "spin.trail")
            if good:
                check(f"the same final globals as Spin: {model} ({what})", same_globals(r.json["final"], text), f"{r.json['final']}\n{text}")
    trail = pan_trail("live.pml", run_flags=["-a"])
    with open("live.trail", "w") as f:
        f.write(trail)
    r = gyre("replay", "live.pml", "live.trail", "--json")
    check("a cycle with a claim and merged statements", r.status == 1 and r.json["length"] == 3 and r.json["cycle_start"] == 0, f"{r}\n{trail}")
    expect("the cycle is marked", gyre("replay", "live.pml", "live.trail"), 1, r"repeats for ever")
    trail = pan_trail("deadlock.pml", "-DSAFETY")
    with open("deadlock.pml.trail", "w") as f:
        f.write(trail)
    expect("replay finds MODEL.trail", gyre("replay", "deadlock.pml"), 1, r"Trail deadlock\.pml\.trail: ")
    os.remove("deadlock.pml.trail")


def same_globals(final, spin):
    """Compares scalar globals with the lines `name = value` at the end of Spin's output."""
    tail = spin.split("#processes:")[-1]
    for name, value in final["globals"].items():
        found = re.findall(rf"^\s+{re.escape(name)} = (\S+)$", tail, re.M)
        if isinstance(value, int) and not isinstance(value, bool) and found and found[-1] != str(value):
            return False
    return True


@test
def wrong_trails():
    def replay(text):
        with open("wrong.trail", "w") as f:
            f.write(text)
        return gyre("replay", "mutex.pml", "wrong.trail")
    expect("trail: a line that is none", replay("1:0:0\nhello\n"), 2, None, r"wrong\.trail:2: this is not a line of a trail")
    expect("trail: unknown process", replay("1:9:0\n"), 2, None, r"wrong\.trail:1: .*no such process")
    expect("trail: unknown transition", replay("1:0:777\n"), 2, None, r"wrong\.trail:1: .*no such statement")
    expect("trail: numbers too large", replay("1:0:99999999999999\n"), 2, None, r"wrong\.trail:1:")
    expect("trail: empty", replay(""), 0, r"0 steps")
    expect("trail: blank lines and DOS line ends", replay("\r\n\r\n"), 0, r"0 steps")
    with open("binary.trail", "wb") as f:
        f.write(bytes(range(256)) * 10)
    expect("trail: binary rubbish", gyre("replay", "mutex.pml", "binary.trail"), 2, None, r"binary\.trail:1:")
    expect("trail: missing file", gyre("replay", "mutex.pml", "nowhere"), 2, None, r"cannot read the trail nowhere")
    expect("trail: missing default: one is made", gyre("replay", "mutex.pml"), 1, r"Trail of this verification: 5 steps")
    expect("trail: none to be made", gyre("replay", "good.pml"), 0, None, r"good.pml holds: no counterexample")
    expect("trail: a folder", gyre("replay", "mutex.pml", "."), 2, None, r"directory")
    expect("sim: a trail that does not fit", gyre("sim", "mutex.pml", "--trail", "binary.trail"), 2, None, r"binary\.trail:1:")
    r = gyre("replay", "mutex.pml", "binary.trail", "--json")
    check("trail error in JSON", r.status == 2 and r.json["verdict"] == "error", r)


# -- info -----------------------------------------------------------------------------

@test
def info():
    r = expect("info", gyre("info", "mix.pml"), 0, r"proctype child: ")
    check("variables with type, range and place", re.search(r"\n +g +byte +0\.\.255 +word \d+, bit \d+, 8 bits", r.out), r.out)
    check("channels", re.search(r"q +rendezvous of \{ mtype, byte \}", r.out) and re.search(r"r +2 messages of \{ byte \}", r.out), r.out)
    check("edges with place and flags", re.search(r"→ \d+ +mix\.pml:\d+ +r\?x +\[receive atomic\]", r.out), r.out)
    check("properties", "small" in gyre("info", "ltl.pml").out)
    data = gyre("info", "mix.pml", "--json").json
    check("info --json", shape(data, {"model": str, "globals": list, "channels": list, "processes": list, "properties": list}), data.keys())
    edges = [e for p in data["processes"] for e in p["edges"]]
    check("edges in JSON", all(shape(e, {"from": int, "text": str, "flags": list, "line": int}) for e in edges), edges[:2])
    for model in ("mix.pml", "strange.pml", "ltl.pml", "never.pml"):
        r = gyre("info", model, "--dot")
        if shutil.which("dot"):
            d = subprocess.run(["dot", "-Tsvg"], input=r.out, capture_output=True, text=True)
            check(f"--dot of {model} renders", d.returncode == 0 and "<svg" in d.stdout and not d.stderr, d.stderr)
        else:
            check(f"--dot of {model} (Graphviz is not here: braces only)", r.out.count("{") == r.out.count("}") > 0)
    expect("--bytecode", gyre("info", "mix.pml", "--bytecode"), 0, r"\w")
    expect("--model", gyre("info", "mix.pml", "--model"), 0, r"^model promela .*\n(.*\n)*start .*\n(.*\n)*  node 0 .*initial")
    expect("two formats", gyre("info", "mix.pml", "--dot", "--json"), 2, None, r"cannot be combined")
    expect("info of embedded C", gyre("info", "ccode.pml"), 0, r"c_code")
    expect("info of a wrong model", gyre("info", "bad.pml"), 2, None, r"error")


FOREIGN = r"""
#include "gyre/gyre.h"
#include <stdio.h>
static int initial(void *scratch, gy_foreign_emit *emit, void *user)
{
    gy_word zero = 0;
    (void)scratch;
    return emit(user, &(gy_foreign_step){.state = &zero});
}
static int successors(void *scratch, const gy_word *state, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    for (int by = 1; by <= 2; by++) {
        gy_word next = *state + (gy_word)by;
        if (next <= 9) {
            int stop = emit(user, &(gy_foreign_step){.state = &next, .process = by - 1, .edge = by,
                                                     .fault = next == FAULTY ? "it is seven" : NULL});
            if (stop)
                return stop;
        }
    }
    return 0;
}
static void step_text(int32_t process, int32_t edge, char *out, size_t room)
{
    snprintf(out, room, "adds %d (process %d)", edge, process);
}
const struct gy_foreign gyre_system = {.abi = GY_ABI_VERSION, .name = "counter", .words = 1,
    .initial = initial, .successors = successors, .step_text = step_text};
"""


# Counts to nine; what goes wrong at FAULTY is of row ROW, where row 3 only deserves a note.
FOREIGN_FAULTS = r"""
#include <gyre/gyre.h>
static const gy_fault_row rows[] = {
    {"lost-update", "LostUpdate", "An update can be lost.", "Take the lock first.", 0},
    {"wrong-total", "WrongTotal", "A total can be wrong.", 0, GY_FAULT_IS_ASSERTION | GY_FAULT_GOES_ON},
    {"odd-number", "OddNumber", "A number can be odd.", 0, GY_FAULT_IS_NOTE | GY_FAULT_GOES_ON},
};
static int initial(void *scratch, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    gy_word start = 0;
    return emit(user, &(gy_foreign_step){.state = &start});
}
static int successors(void *scratch, const gy_word *state, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    gy_word next = *state + 1;
    if (next == 10)
        return 0;
    return emit(user, &(gy_foreign_step){.state = &next, .fault_row = ROW, .fault = next == FAULTY ? "here it is" : 0});
}
const struct gy_foreign gyre_system = {.abi = ABI, .name = "counter", .words = 1, .initial = initial,
    .successors = successors, .fault_count = 3, .faults = rows};
"""


@test
def foreign_faults():
    """A system brings what can go wrong in it: name, rule, words, and what asks for it."""
    with open("faults.c", "w") as f:
        f.write(FOREIGN_FAULTS)

    def kind(row, abi, *options):
        subprocess.run(["cc", "-shared", "-fPIC", "-DFAULTY=7", f"-DROW={row}", f"-DABI={abi}",
                        "-I", os.path.join(ROOT, "include"), "-o", "faults.so", "faults.c"], check=True)
        r = gyre("./faults.so", "--json", *options)
        told = r.json["properties"][0]
        return r.status, told["verdict"], told.get("counterexample", {}).get("kind")

    for row, name in ((0, "assertion"), (1, "lost-update"), (2, "wrong-total")):
        check(f"row {row}", kind(row, 3) == (1, "violated", name), kind(row, 3))
    check("a note violates nothing", kind(3, 3) == (0, "holds", None), kind(3, 3))
    check("an object of version 2 has no rows", kind(99, 2) == (1, "violated", "assertion"), kind(99, 2))
    check("only rows that are assertions are left out with them",
          [kind(row, 3, "--no-assert")[0] for row in (0, 1, 2)] == [0, 1, 0])
    kind(1, 3)
    gyre("./faults.so", "--sarif", "faults.sarif")
    with open("faults.sarif", encoding="utf-8") as f:
        run = json.load(f)["runs"][0]
    rules, found = run["tool"]["driver"]["rules"], run["results"][0]
    check("its rule in SARIF", found["ruleId"] == "lost-update" and
          rules[found["ruleIndex"]]["name"] == "LostUpdate" and
          rules[found["ruleIndex"]]["help"]["text"] == "Take the lock first.", found)
    check("rules of other systems stay away", not any(rule["id"] == "division-by-zero" for rule in rules))
    gyre(os.path.join(ROOT, "examples", "broken_mutex.pml"), "--sarif", "model.sarif")
    with open("model.sarif", encoding="utf-8") as f:
        r = json.load(f)
    ids = [rule["id"] for rule in r["runs"][0]["tool"]["driver"]["rules"]]
    check("each rule once", len(ids) == len(set(ids)) and "division-by-zero" in ids, ids)


@test
def foreign():
    """A shared object instead of a model."""
    with open("foreign.c", "w") as f:
        f.write(FOREIGN)
    for name, faulty in (("good.so", 100), ("bad.so", 7)):
        subprocess.run(["cc", "-shared", "-fPIC", f"-DFAULTY={faulty}", "-I", os.path.join(ROOT, "include"),
                        "-o", name, "foreign.c"], check=True)
    expect("a shared object that holds", gyre("./good.so"), 0, r"10 states")
    expect("one that does not", gyre("./bad.so"), 1, r"it is seven(.|\n)*adds 2(.|\n)*Last state")
    r = gyre("./bad.so", "--json")
    check("in JSON", r.status == 1 and r.json["properties"][0]["counterexample"]["length"] == 4, r)
    expect("no predicates", gyre("./good.so", "--ltl", "[] x"), 2, None, r"has no predicates")
    embed = os.path.join(ROOT, "examples", "embed")
    subprocess.run(["cc", "-shared", "-fPIC", "-DPOLITE", "-I", os.path.join(ROOT, "include"),
                    "-o", "phils.so", os.path.join(embed, "philosophers.c")], check=True)
    expect("a formula of its predicates", gyre("./phils.so", "--ltl", "[] !(eating0 && eating1)"), 0)
    expect("one that it violates", gyre("./phils.so", "--ltl", "[] (hungry0 -> <> eating0)"), 1,
           r"because `hungry0` holds(.|\n)*gets hungry(.|\n)*repeat")
    expect("a name that it has not", gyre("./phils.so", "--ltl", "[] idle"), 2, None, r"unknown predicate `idle`")
    twin = (os.path.join(embed, "philosophers.pml"), "-DPOLITE")
    full = [gyre(*model, "--exact", "--json").json["properties"][0]["states"]
            for model in (("./phils.so",), twin)]
    check("as many states as the same in Promela", full[0] == full[1] > 100, full)
    r = gyre("./phils.so", "--json")
    check("fewer with partial order", r.status == 0 and r.json["properties"][0]["states"] < full[0] / 2, r)
    expect("sim", gyre("sim", "./good.so"), 0, r"adds")
    expect("no trail", gyre("./bad.so", "--trail", "x"), 2, None, r"--trail cannot be used with a shared object")
    expect("no replay", gyre("replay", "./bad.so", "x"), 2, None, r"no trails")
    expect("no info", gyre("info", "./bad.so"), 2, None, r"can only be verified or simulated")
    expect("no chart", gyre("sim", "./bad.so", "--msc"), 2, None, r"neither")
    expect("a shared object that is missing", gyre("./nowhere.so"), 2, None, r"nowhere\.so")
    with open("text.so", "w") as f:
        f.write("not a shared object")
    expect("a shared object that is none", gyre("./text.so"), 2, None, r"text\.so")


def prepare():
    for name, text in MODELS.items():
        with open(name, "w") as f:
            f.write(text)
    os.mkdir("include")
    with open("include/limit.h", "w") as f:
        f.write("/* LIMIT and EXTRA come from the command line */\n")


if __name__ == "__main__":
    sys.exit(run_all(TESTS, prepare))
