#!/usr/bin/env python3
# check: cli: the Python module; seconds 5
"""The Python module (python/gyre): models, states, verification, errors, its documentation and its
examples. What is expected was counted by hand, or is what Spin says. Ends with `N passed, N failed`."""
import doctest
import gc
import glob
import os
import py_compile
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
import gyre  # noqa: E402
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from followed import Followed, places, replayed  # noqa: E402

MUTEX = os.path.join(ROOT, "examples", "broken_mutex.pml")
passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAILED {name}: {detail}")


def same(name, found, wanted):
    check(name, found == wanted, f"{found!r}, not {wanted!r}")


def raises(name, kind, text, function, *arguments, **more):
    """The error, or None."""
    try:
        function(*arguments, **more)
    except kind as error:
        check(name, text in str(error), str(error))
        return error
    check(name, False, "nothing was raised")
    return None


VALUES = """mtype = { req, ack };
typedef record { byte f; short g[2] };
chan q = [2] of { mtype, byte };
chan pair[2] = [1] of { bit };
chan other;
record r; int a[3] = -1; mtype m = ack; bool b = true;
active proctype S() { chan mine = [1] of { bit }; byte z = 4; q!req,7; q!ack,8; other = q; mine!1 }
"""


def values():
    """Every kind of variable, by name."""
    model = gyre.loads(VALUES)
    state, = model.initial_states()
    same("values at the start", dict(state), {
        "q": (), "pair": ("pair[0]", "pair[1]"), "pair[0]": (), "pair[1]": (), "other": "no channel",
        "r.f": 0, "r.g": (0, 0), "a": (-1, -1, -1), "m": "ack", "b": True, "S(0):mine": (), "S(0):z": 4})
    check("a bool is one, a number is not", state["b"] is True and state["r.f"] is not False)
    for _ in range(4):
        state = state.successors()[0].state
    same("messages", state["q"], (("req", 7), ("ack", 8)))
    same("a channel variable", state["other"], "q")
    same("a local channel", state["S(0):mine"], ((1,),))
    same("channels", (state.channels["q"].capacity, len(state.channels)), (2, 4))
    same("globals alone", "S(0):z" in state.globals, False)
    check("a name that is not there", "nothing" not in state and state.get("nothing") is None)
    same("the next statement's line", gyre.loads(VALUES).initial_states()[0].processes[0].line, 7)
    text = state.text
    check("as text", "r.g[1] = 0" in text, text)


def successors():
    """Two processes that count. pid 1 ends first: 7 states, 8 transitions (spin -DNOREDUCE: 7 stored)."""
    model = gyre.loads("byte x; active [2] proctype P() { x++ }", name="count.pml")
    seen = dict(model.explore())
    same("states", len(seen), 7)
    same("transitions", sum(map(len, seen.values())), 8)
    same("values", sorted(state["x"] for state in seen), [0, 1, 1, 1, 2, 2, 2])
    endings = [state.ending for state in seen]
    same("endings", (endings.count("finished"), endings.count("not-at-end")), (1, 6))
    first, = model.initial_states()
    steps = {(t.steps[0].who, t.steps[0].text, t.steps[0].place) for t in first.successors()}
    same("steps", steps, {("P(0)", "x++", "count.pml:1"), ("P(1)", "x++", "count.pml:1")})
    raises("a limit", gyre.TooManyStates, "more than 6", lambda: list(model.explore(limit=6)))
    same("a limit that suffices", len(list(model.explore(limit=7))), 7)
    again = model.state(bytes(first))
    check("a state from its bytes", again == first and hash(again) == hash(first))
    check("of another model", gyre.loads("byte x;active [2] proctype P() { x++ }").initial_states()[0] != first)
    raises("bytes of nothing", ValueError, "not a state", model.state, b"\xff" * 8)
    raises("too few bytes", ValueError, "not a state", model.state, b"\x00")


def atomic_and_rendezvous():
    model = gyre.loads("byte x; active proctype P() { atomic { x = 1; x = 2 }; x = 3 }")
    first, = model.initial_states()
    whole, = first.successors()
    same("an atomic sequence is one", ([s.text for s in whole.steps], whole.state["x"]),
         (["x = 1", "x = 2"], 2))
    part, = first.single_steps()
    same("or two", (part.state["x"], part.state.exclusive), (1, 0))
    same("and goes on", part.state.single_steps()[0].state["x"], 2)
    model = gyre.loads("chan c = [0] of { byte }; byte got; active proctype S() { c!5 }\n"
                       "active proctype R() { c?got }")
    step, = model.initial_states()[0].successors()
    same("a rendezvous", (step.steps[0].who, step.steps[0].partner.who, step.steps[0].partner.line),
         ("S(0)", "R(1)", 2))
    same("what it brings", step.state["got"], 5)
    stuck = gyre.loads("chan c = [0] of { byte }; init { c!5 }").initial_states()[0]
    check("a deadlock", stuck.is_deadlock and stuck.successors() == [], stuck.ending)
    same("who waits for what", (stuck.processes[0].who, stuck.processes[0].waits_for),
         ("init(0)", ("rendezvous",)))


def expressions():
    model = gyre.loads("byte x = 7, y, a[2]; active proctype P() { byte n = 3; here: x++ }")
    state, = model.initial_states()
    same("values", [state.value(text) for text in ("x", "x * 2 - 20", "P:n", "x > 6")], [7, -6, 3, 1])
    same("truths", [state.holds(text) for text in ("x == 7", "P@here", "y", "1 / y")],
         [True, True, False, False])
    more = model.expression("x + y")
    same("made once", state.successors()[0].state.value(more), 8)
    raises("no value: division", gyre.EvaluationError, "1 / y", state.value, "1 / y")
    raises("no value: index", gyre.EvaluationError, "a[x]", state.value, "a[x]")
    error = raises("no such name", gyre.ModelError, "nosuch", state.value, "x + nosuch")
    same("where", (error.line, error.column), (1, 5))


def faults():
    first, = gyre.loads("byte x; active proctype P() { assert(x == 1); x = 2 }").initial_states()
    step, = first.successors()
    check("an assertion has both", step.fault.kind == "assertion" and step.state is not None, step)
    first, = gyre.loads("byte x; active proctype P() { x = 1 / x }").initial_states()
    step, = first.successors()
    same("a division has no state", (step.fault.kind, step.state), ("division-by-zero", None))


def verification():
    result = gyre.verify(MUTEX)
    same("the verdict", (result.verdict, result.holds, str(result.verdict)),
         (gyre.Verdict.VIOLATED, False, "violated"))
    found = result["safety"].counterexample
    same("seven steps", (found.kind, len(found), len(found.steps), found.shortest), ("assertion", 7, 7, True))
    same("no cycle", (found.stem == found.steps, found.cycle), (True, ()))
    states = found.replay()
    same("replayed", [state["inside"] for state in states], [0, 0, 0, 0, 1, 1, 2, 2])
    check("in another model of the same", len(found.replay(gyre.load(MUTEX))) == 8)
    with gyre.load(os.path.join(ROOT, "examples", "peterson.pml")) as peterson:
        raises("but not in another", gyre.ReplayError, "", found.replay, peterson)
    error = raises("check", gyre.Violation, "inside == 1 (inside = 2)", result.check)
    check("is an AssertionError", isinstance(error, AssertionError) and error.verification is result)
    raises("no truth value", TypeError, ".holds", bool, result)
    check("rendered", "<html" in result.render("html") and '"violated"' in result.render("json"))
    raises("an unknown form", gyre.OptionError, "shoebox", result.render, "shoebox")
    raises("an unknown property", KeyError, "nothing", lambda: result["nothing"])
    holding = gyre.verify(os.path.join(ROOT, "examples", "peterson.pml"))
    check("one that holds", holding.check().holds and holding.counterexample is None)
    cut = gyre.verify(MUTEX, depth=2)
    raises("inconclusive", gyre.Inconclusive, "", cut.check)
    result.close()
    raises("closed", ValueError, "closed", result.render)
    same("what was told stays", len(found.steps), 7)


def exact_figures():
    """As pan -DNOREDUCE counts, for which the arrival at the first state is a transition, too."""
    model = gyre.loads("byte x; active [2] proctype P() { x++ }")
    figures = model.verify(exact=True).properties[0].figures
    same("states and transitions", (figures.states, figures.transitions), (7, 9))


def options():
    model = gyre.loads("#ifdef FAIL\n#define LIMIT 1\n#endif\nbyte x;\n"
                       "active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }\n"
                       "ltl small { [] (x < LIMIT) }", defines={"LIMIT": 4, "FAIL": False, "N": None})
    result = model.verify(check="liveness")
    same("a property of the model", [(p.name, p.kind, p.holds) for p in result], [("small", "ltl", True)])
    result = model.verify(ltl=["<> (x == 9)", "[] <> (x == 3)"])
    same("a list of formulas", [str(each.verdict) for each in result if each.kind == "ltl"],
         ["violated", "holds"])
    found = result.counterexample
    check("a lasso", found.cycle and found.explanation, found)
    states = found.replay()
    same("that comes back", states[-1], states[found.cycle_start])
    same("defines as a list", gyre.load(MUTEX, defines=["N", "M=3"]).source.defines, ("N", "M=3"))
    raises("defines as a string", TypeError, "mapping", gyre.load, MUTEX, defines="N=3")
    raises("no such option", gyre.OptionError, "nonsense", model.verify, nonsense=1)
    raises("no such value", gyre.OptionError, "shoebox", model.verify, store="shoebox")
    raises("a value for a flag", gyre.OptionError, "", model.verify, exact="yes")
    raises("an option of loading", gyre.OptionError, "load", model.verify, lossy=True)
    raises("a wrong formula", gyre.ModelError, "nope", model.verify, ltl="[] nope")
    check("an option that is not set", model.verify(exact=False, time=None, check="safety").holds)
    chosen = gyre.loads("byte i; active proctype P() { select(i : 1 .. 4); i++; assert(i != 4) }")
    same("chosen values are found again", chosen.verify().counterexample.replay()[-1]["i"], 4)
    lossy = gyre.loads("chan q = [1] of { bit }; active proctype P() { q!0; q!1 }", lossy=True)
    check("lossy", lossy.verify().holds and not gyre.loads(lossy.source.text).verify().holds)


def errors():
    text = "byte count;\nactive proctype P() {\n  cuont = 1;\n  other = 2\n}\n"
    error = raises("a wrong model", gyre.ModelError, "m.pml:3:3: error: undeclared variable `cuont`",
                   gyre.loads, text, "m.pml")
    same("its place", (error.line, error.column, error.hint), (3, 3, "a similar name exists: `count`"))
    same("all of them", [(d.severity, d.file, d.line, d.column) for d in error.errors],
         [("error", "m.pml", 3, 3), ("error", "m.pml", 4, 3)])
    check("with the text", "cuont = 1" in error.errors[0].excerpt, error.errors[0])
    again = raises("the same when verified", gyre.ModelError, "m.pml:3:3", gyre.verification.run,
                   gyre.Source.of("m.pml", text), {})
    same("in the same words", [str(each) for each in again.errors], [str(each) for each in error.errors])
    missing = raises("no such file", gyre.ModelError, "/no/such.pml", gyre.load, "/no/such.pml")
    same("has no place", (missing.line, missing.column), (0, 0))
    raises("no such file to verify", gyre.ModelError, "/no/such.pml", gyre.verify, "/no/such.pml")
    c = "c_code { int y; }; active proctype P() { c_code { y = 1; } }"
    raises("C is refused", gyre.ModelError, "embedded C", gyre.loads, c, no_c=True)
    parse = gyre.Diagnostic.parse
    same("places with blanks and colons", [(d.file, d.line, d.severity) for d in
                                           parse("a b: c.pml:1:2: warning: x: 3:4: y\n   1 | z\n")],
         [("a b: c.pml", 1, "warning")])
    same("without a place", parse("error: what\n  hint: do\n"), [gyre.Diagnostic("error", "what", hint="do")])


# The never claim sets variables that processes use: a run of the processes alone is another one.
CLAIM_MOVES_THEM = {"never_changes_violated.pml"}


def same_states(path, found, states):
    """The changes that steps tell lead from the first state to each that is replayed."""
    if not found.report["initial"]:
        return
    run = Followed(found.report["initial"])
    for number, state in enumerate(states):
        if number:
            run.apply(found.report["steps"][number - 1])
        same(f"{path}: values after step {number}", run.values(), replayed(state))
        same(f"{path}: places after step {number}", {pid: (run.names[pid], *place[1:3]) for pid, place in run.places.items()}, places(state))
    last = [(p["pid"], p["process"], p["file"], p["line"], p.get("column"), p["state"]) for p in found.report["final"]["processes"]]
    same(f"{path}: the last places", [(pid, run.names[pid], *place) for pid, place in sorted(run.places.items())], last)


def all_models():
    """Every counterexample of the models at hand can be followed statement by statement, and what is
    wrong with a model is told the same by load(), as text, and by verify(), as JSON."""
    followed = broken = 0
    folders = ("examples/*.pml", "examples/dve/*.dve", "tests/models/**/*.pml", "tests/dve/**/*.dve")
    for path in sorted(path for each in folders for path in glob.glob(os.path.join(ROOT, each), recursive=True)):
        try:
            result = gyre.verify(path, time=1, threads=1, memory="400M")
        except gyre.ModelError as error:
            broken += 1
            loaded = raises(f"{path} is wrong", gyre.ModelError, "", gyre.load, path)
            same(f"{path}: in the same words", loaded and list(map(str, loaded.errors)), list(map(str, error.errors)))
            continue
        for found in result.counterexamples:
            if os.path.basename(path) in CLAIM_MOVES_THEM and found.kind == "acceptance-cycle":
                raises(f"{path}: not without its claim", gyre.ReplayError, "other values", found.replay)
                continue
            if "cut" in found.report:  # the time was up
                continue
            followed += 1
            try:
                states = found.replay()
                same(f"{path}: replayed", len(states), len(found.steps) + 1)
                same_states(path, found, states)
            except gyre.GyreError as error:
                check(f"{path}: replayed", False, error)
    check("many of each", followed > 100 and broken > 100, (followed, broken))


def memory():
    """Objects let go of what they own, and states keep their model."""
    model = gyre.loads("byte x; active proctype P() { x = 1 }")
    state, = model.initial_states()
    there = weakref.ref(model)
    del model
    gc.collect()
    check("a state keeps its model", there() is not None and state.successors()[0].state["x"] == 1)
    end = there()._end
    del state
    gc.collect()
    check("which ends with it", there() is None and not end.alive)
    with gyre.load(MUTEX) as model:
        state, = model.initial_states()
    model.close()
    raises("closed", gyre.GyreError, "was closed", state.successors)
    raises("closed: values", gyre.GyreError, "was closed", dict, state)
    raises("closed: expressions", gyre.GyreError, "was closed", model.expression, "held")


def threads():
    model = gyre.load(MUTEX)
    counts = []
    team = [threading.Thread(target=lambda: counts.append(len(list(model.explore())))) for _ in range(4)]
    for each in team:
        each.start()
    for each in team:
        each.join()
    same("four threads, one model", len(counts) == 4 and len(set(counts)), 1)


def interrupt():
    """As Ctrl-C: the search ends long before its limit."""
    model = gyre.loads("byte a[8]; active [8] proctype P() { do :: a[_pid]++ od }")

    def ring(*_):
        raise KeyboardInterrupt

    def watch(used):
        """Until the search has had a processor for a while."""
        while time.process_time() < used + 0.3:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGALRM)

    before = signal.signal(signal.SIGALRM, ring)
    begin = time.time()
    watcher = threading.Thread(target=watch, args=(time.process_time(),))
    watcher.start()
    raises("an interrupt", KeyboardInterrupt, "", model.verify, time=600, memory="500M", threads=1, exact=True,
           backend="vm")
    check("is heard long before the limit", time.time() - begin < 300)
    watcher.join()
    signal.signal(signal.SIGALRM, before)


def foreign(folder):
    """The farmer's puzzle: 10 safe states, and over in seven crossings."""
    path = os.path.join(folder, "puzzle.so")
    subprocess.run(["cc", "-shared", "-fPIC", f"-I{ROOT}/include", f"{ROOT}/examples/embed/puzzle.c",
                    "-o", path], check=True)
    model = gyre.load(path)
    same("a shared object", len(list(model.explore())), 10)
    state, = model.initial_states()
    check("its steps", "goat" in str(state.successors()[0]), state.successors())
    check("has no names", dict(state) == {} and state and state.text)
    found = model.verify().counterexample
    same("its solution", (len(found), len(found.replay())), (7, 8))
    raises("refused", gyre.ModelError, "compiled code", gyre.load, path, no_c=True)


def run(*command, **more):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300, cwd=ROOT, **more)
    return done.returncode, done.stdout, done.stderr


def examples(folder):
    status, out, err = run(sys.executable, "examples/python/state_graph.py", MUTEX)
    states = len(list(gyre.load(MUTEX).explore()))
    nodes = re.findall(r"^  \d+ \[label", out, re.M)
    same("the graph's states", (status, len(nodes)), (0, states))
    check("a red one", "color=red" in out, out)
    drawn = run("dot", "-Tsvg", input=out)
    check("is drawn", drawn[0] == 0 and "<svg" in drawn[1], drawn[2])
    status, _, err = run(sys.executable, "examples/python/state_graph.py", "/no/such.pml")
    check("no such model", status == 2 and "such.pml" in err, err)
    status, _, err = run(sys.executable, "-m", "unittest", "examples/python/test_mutex.py")
    check("a test suite", status == 0 and "Ran 3 tests" in err, err)
    status, out, err = run("pytest", "-q", "-p", "no:cacheprovider", "examples/python")
    check("two of pytest", status == 0 and "10 passed" in out, out + err)
    environment = dict(os.environ, GYRE_LIBRARY=os.path.join(folder, "nothing.so"))
    status, _, err = run(sys.executable, "examples/python/state_graph.py", MUTEX, env=environment)
    check("no library", status == 2 and "set GYRE_LIBRARY" in err, err)
    libc = "libc.so.6"
    status, _, err = run(sys.executable, "examples/python/state_graph.py", MUTEX,
                         env=dict(os.environ, GYRE_LIBRARY=libc))
    check("another library", status == 2 and "is not Gyre's" in err, err)


def sources(folder):
    """The module itself: it compiles, its types are right, what it says it gives is there."""
    for path in glob.glob(os.path.join(ROOT, "python/gyre/*.py")):
        py_compile.compile(path, os.path.join(folder, "out.pyc"), doraise=True)
    check("names", all(getattr(gyre, name).__doc__ for name in gyre.__all__ if name != "Value"))
    header = open(os.path.join(ROOT, "include/gyre/gyre.h"), encoding="utf-8").read()
    same("the version", re.search(r'GY_VERSION "(.*?)"', header)[1], gyre.__version__)
    if shutil.which("mypy"):
        status, out, err = run("mypy", "--strict", "--python-version", "3.8", "--cache-dir", "/dev/null",
                               "python/gyre")
        check("types", status == 0, out + err)
    else:
        check("mypy is installed", False, "make deps installs it")


def documentation():
    os.chdir(ROOT)
    for page, least in (("docs/python.md", 20), ("docs/embedding.md", 1)):
        failures, count = doctest.testfile(os.path.join(ROOT, page), module_relative=False)
        check(page, count > least and failures == 0, f"{failures} of {count}")


def main():
    with tempfile.TemporaryDirectory(prefix="gyre-python-") as folder:
        for part in (values, successors, atomic_and_rendezvous, expressions, faults, verification,
                     exact_figures, options, errors, all_models, memory, threads, interrupt, documentation):
            part()
        for part in (foreign, examples, sources):
            part(folder)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
