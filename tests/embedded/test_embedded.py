#!/usr/bin/env python3
# check: search: embedded C; seconds 35
"""Embedded C from the command line: the manual's idioms, what C prints, C that does not return, and C that
does not do the same each time, of which nothing may be said that its re-execution does not confirm.

GYRE names another binary. Ends with `N passed, N failed`. Numbers of states are Spin's (spin -a -o1 -o2 -o3, cc
-DNOREDUCE -DSAFETY); tests/diff/compare.py --embedded compares them for random programs.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import groups  # noqa: E402
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
LONG = 120


def call(folder, *arguments, **more):
    done = subprocess.run([GYRE, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=LONG, **more)
    return done.returncode, done.stdout, done.stderr


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(text)
    return path


def verify(folder, text, *options):
    """(status, report, standard error)"""
    write(folder, "model.pml", text)
    status, out, errors = call(folder, "model.pml", "--json", *options)
    return status, schema.report(out), errors


def differs(what, found, wanted):
    return [] if found == wanted else [f"{what}: {found!r}, not {wanted!r}"]


# ---- as in Spin ----------------------------------------------------------------------------------------------

# Objects that have the names of what is generated around them, or once had them.
NAMES = "s p v c b e i0 x begin at tmpl pid processes channels value id".split()
HIDING = f"""c_code {{ int {', '.join(NAMES)}; int same(void) {{ return {' && '.join(f'{n} == s' for n in NAMES)}; }} }}
{' '.join(f'c_track "&{n}" "sizeof(int)"' for n in NAMES)}
c_state "int g" "Global" "tmpl + x + 1" c_state "int k[2]" "Local P" c_state "int h" "Local P" "pid + PP->_pid"
active [2] proctype P() {{ do :: c_code {{ s = (s + 1) % 3; {' '.join(f'{n} = s;' for n in NAMES)} }}
  :: c_expr {{ (!same()) || now.g != 1 || PP->h != PP->_pid }} -> assert(false) :: s_is_two -> break od }}
""".replace("s_is_two", "c_expr { s == 2 }")

# name, text, states, transitions
COUNTED = [
    ("an initial value that names `now`", 'int g = 5; c_state "int v" "Local P" "now.g"\n'
     "proctype P() { c_code { PP->v++; }; assert(c_expr { PP->v == 6 }) } init { run P() }", 6, 6),
    ("it is that of when the process starts", 'int g = 5; c_state "int v" "Local P" "now.g + PP->k"\n'
     "proctype P(byte k) { byte m = 2; assert(c_expr { PP->v == 10 }) } init { g = 7; run P(3) }", 6, 6),
    ("initial values of all scopes, the last one first",
     'int g = 5; c_state "int a" "Global" "now.g + 1" c_state "int b" "Global" "now.a + 1"\n'
     'c_state "int h" "Hidden" "7" c_state "int w" "Local A" "now.a + now.g" c_state "int q" "Local :init:" "now.g"\n'
     "active proctype A() { assert(c_expr { PA->w == 5 }); assert(c_expr { now.a == 6 && now.b == 1 && h == 7 }) }\n"
     "init { assert(c_expr { Pinit->q == 5 }) }", 10, 14),
    ("unmatched memory", 'c_decl { int x; } c_track "&x" "sizeof(int)" "UnMatched" int n;\n'
     "active proctype P() { do :: n < 5 -> c_code { x++; }; n = (n + 1) % 5 od }", 15, 16),
    ("unmatched memory is put back",
     'c_decl { int x; } c_track "&x" "sizeof(int)" "UnMatched" byte n;\n'
     "active [2] proctype P() { byte k; do :: k < 2 -> k++; c_code { x = now.n; now.n = (x + 1) & 3; } :: k == 2 -> "
     "break od }", 73, 129),
    ("the locals of init", "init { int x; c_code { Pinit->x = 3; }; assert(x == 3) }", 4, 4),
    ("a tracked pointer that is null at first", "c_decl { typedef struct T { int a; } T; T *p; T one; } c_track \"p\" "
     '"sizeof(T)"\ninit { c_code { p = &one; p->a = 3; }; assert(c_expr { p->a == 3 }) }', 4, 4),
    ("a pointer and what it leads to", "c_code { int ring[2]; int *p; } c_track \"p\" \"sizeof(int)\"\n"
     'c_track "&p" "sizeof(int *)" c_track "ring" "2 * sizeof(int)"\n'
     "active [2] proctype P() { do :: c_code { p = p == ring ? ring + 1 : ring; } :: c_code { if (p) *p = 1 - *p; } "
     ":: break od }", 63, 163),
    ("objects of any name", HIDING, 15, 26),
    ("a structure that has the name of a parameter", "c_decl { typedef struct S { char c; int i; char d; } S; }\n"
     'c_code { S s; } c_track "&s" "sizeof(S)"\nactive [2] proctype P() { do :: c_expr { s.i < 3 } -> '
     "c_code { s.i++; s.c = 'a' + s.i; s.d = PP->_pid; } :: c_code { s.i = 0; s.c = 0; s.d = 0; } od }", 26, 73),
    ("the old form of c_state", 'c_code { int x; } c_state "x" "int" byte n;\n'
     "active proctype P() { do :: n < 3 -> c_code { x++; }; n++ :: c_expr { x > 1 } -> break od }", 14, 14),
    ("numbers of other types", 'c_state "unsigned int u" "Global" "3" c_state "float f" "Global" "1.5" '
     'c_state "double d" "Local P" "2.25"\nactive proctype P() { c_code { now.f *= 2; PP->d += now.f; now.u--; };\n'
     "assert(c_expr { PP->d == 5.25 && now.u == 2 }) }", 4, 4),
]


def as_in_spin():
    for name, text, states, transitions in COUNTED:
        for options in (["--exact"], ["--exact", "--backend", "vm"], ["--exact", "--search", "dfs", "--threads", "1"]):
            with tempfile.TemporaryDirectory() as folder:
                status, report, errors = verify(folder, text, *options)
                safety = (report["properties"] or [{}])[0]
                yield (f"{name} {' '.join(options)}",
                       differs("status", status, 0) +
                       differs("counts", (safety.get("states"), safety.get("transitions")), (states, transitions)) +
                       ([errors] if status else []))


def headers():
    model = 'c_decl {\n\\#include "hdr.h"\n}\nc_state "struct hd h" "Global"\n' \
            "init { c_code { now.h.a = SIZE; }; assert(c_expr { now.h.a == 3 }) }"
    header = '#include "size.h"\nstruct hd { int a; };\n'
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "models/model.pml", model)
        write(folder, "models/hdr.h", header)
        write(folder, "models/size.h", "#define SIZE 3\n")
        for case, where, path in (("beside the model", folder, "models/model.pml"),
                                  ("from there", os.path.join(folder, "models"), "model.pml"),
                                  ("by its full name", "/", os.path.join(folder, "models/model.pml"))):
            status, out, errors = call(where, path)
            yield case, differs("status", status, 0) + ([out + errors] if status else [])
        write(folder, "models/size.h", "#define SIZE 4\n")
        status, out, errors = call(folder, "models/model.pml")
        yield "a header that has changed", differs("status", status, 1)
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "models/model.pml", model)
        write(folder, "include/hdr.h", header)
        write(folder, "include/size.h", "#define SIZE 3\n")
        status, out, errors = call(folder, "-I", "include", "models/model.pml")
        yield "where -I says", differs("status", status, 0) + ([out + errors] if status else [])
        status, out, errors = call(folder, "models/model.pml")
        yield "nowhere", differs("status", status, 2) + ([] if "hdr.h" in errors else [errors])


# name, text, what the message has
FAILING = [
    ("variables of another type of process", "proctype Q() { byte k; skip } active proctype P() { run Q(); "
     "c_code { PQ->k = 1; } }", 1, "PQ-> in a process of another type"),
    ("an inline is no function of C", "byte z; inline f(x) { x > 1 } init { c_expr { f(now.z) } }", 2,
     "`f` is defined nowhere"),
    ("the state of control is Spin's own", "active proctype P() { c_code { PP->_p = 1; } }", 2,
     "`_p` is a part of Spin's verifier"),
    ("an initial value that crashes", 'c_state "int x" "Global" "*(int *)8" init { skip }', 1, "null pointer"),
    ("a call in c_expr that changes nothing", "c_code { static int f(int x) { return x > 1; } } byte z = 2;\n"
     "init { c_expr { f(now.z) } }", 0, ""),
    ("no scope", 'c_state "int a" "global" "2" init { skip }', 2, "`global` is not a scope of `c_state`"),
    ("a scope of no process", 'c_state "int a" "Local Nope" "2" init { skip }', 0, "unknown proctype `Nope`"),
    ("c_expr that assigns", "byte z; init { c_expr { now.z = 1 } }", 2, "may have side effects"),
    ("unmatched memory in a checkpoint", 'c_decl { int x; } c_track "&x" "4" "UnMatched" init { c_code { x++; } }', 2,
     "not matched", "--checkpoint", "k.ck"),
]


def failures():
    for name, text, wanted, message, *options in FAILING:
        with tempfile.TemporaryDirectory() as folder:
            write(folder, "model.pml", text)
            status, out, errors = call(folder, "model.pml", *options)
            yield name, differs("status", status, wanted) + ([] if message in out + errors else [out + errors])


def compiler_messages():
    """The line that is shown is the compiler's error, whatever the path of the model is."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "error dir/error.pml", "byte x; init { c_code { now.nope = 1; } }\n")
        status, out, errors = call(folder, "error dir/error.pml")
        yield "an error in a path of errors", differs("status", status, 2) + ([] if "nope" in errors else [errors])


# ---- what C prints -------------------------------------------------------------------------------------------

def own_words():
    """A statement with C inside is shown with the C."""
    with tempfile.TemporaryDirectory() as folder:
        status, report, _ = verify(folder, "byte n; init { c_code { now.n = 3; }; assert(c_expr { now.n == 4 }) }")
        found = report["properties"][0]["counterexample"]
        yield "an assertion about C", differs("status", status, 1) + differs(
            "text", found["steps"][-1]["text"], "assert(c_expr { now.n == 4 })")


PRINTS = """byte n;
init { c_code { printf("one %d\\n", now.n); }; c_code { puts("two"); fputs("three", stdout); putchar('\\n'); };
  c_code { Printf("four\\n"); fprintf(stdout, "%s\\n", "five"); }; assert(n == 1) }
"""


def printing():
    with tempfile.TemporaryDirectory() as folder:
        status, report, errors = verify(folder, PRINTS)
        steps = report["properties"][0]["counterexample"]["steps"]
        printed = "".join("".join(step.get("output", [])) for step in steps)
        yield "in a report", differs("status", status, 1) + differs("printed", printed.split(),
                                                                    "one 0 two three four five".split())
        yield "in a search", [] if "one 0" in errors and "four" not in errors else [errors]
        status, out, errors = call(folder, "sim", "model.pml", "--json")
        for line in out.splitlines():
            json.loads(line)
        yield "in a simulation", [] if "one 0" in out and "four" in out and not errors else [out + errors]


# ---- C that does not return -------------------------------------------------------------------------------------

ENDLESS = "active proctype P() { c_code { for (;;) ; } }\n// gyre: expect holds\n"
ENDLESS_START = 'c_code { int f(void) { for (;;) ; } } c_state "int x" "Global" "f()" init { c_code { now.x++; } }\n'


def not_returning():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "model.pml", ENDLESS)
        write(folder, "start.pml", ENDLESS_START)
        for command in ([], ["hunt"], ["stats"], ["test"], ["swarm"]):
            status, out, errors = call(folder, *command, "model.pml", "--time", "0.5")
            yield f"{command} --time", differs("status", status, 3) + \
                ([] if "embedded C at model.pml:1 has not returned" in out + errors else [out + errors])
        status, out, errors = call(folder, "start.pml", "--time", "0.5", "--json")
        yield "at the start", differs("status", status, 3) + differs("verdict", schema.report(out)["verdict"], "inconclusive")
        for command in ([], ["hunt"], ["stats"]):
            for number in (signal.SIGTERM, signal.SIGINT):
                yield f"{command} {number.name}", interrupted(folder, command, number)


def interrupted(folder, command, number):
    """One signal is enough, and says which C it was. It comes once the C is running: the only thread that takes time."""
    with subprocess.Popen([GYRE, *command, "model.pml"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as child:
        end = time.monotonic() + LONG
        while cpu_seconds(child.pid) < 0.5 and child.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        child.send_signal(number)
        try:
            out, errors = child.communicate(timeout=LONG)
        except subprocess.TimeoutExpired:
            child.kill()
            return ["it goes on"]
    return differs("status", child.returncode, 3) + \
        ([] if "interrupted, and embedded C at model.pml:1 has not returned" in out + errors else [out + errors])


def cpu_seconds(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# ---- C that does not do the same each time ---------------------------------------------------------------------

# The first execution violates the property, no other one does.
IMPURE = "c_code { int count; int calls(void) { return ++count; } }\nint x;\n"
ASSERTS = IMPURE + "active proctype P() { c_code { now.x = calls(); }; assert(x != 1) }\n"
STOPS = IMPURE + "active proctype P() { c_code { now.x = calls(); }; x != 1 }\n"
CYCLES = IMPURE + "active proctype P() { c_code { now.x = calls(); }; if :: x == 1 -> do :: skip od :: else fi }\n" \
                  "ltl p { <> (x > 1) }\n"
WAYS = [[], ["--exact"], ["--backend", "vm"], ["--backend", "native"], ["--threads", "1"], ["--search", "dfs"],
        ["--search", "best"], ["--shortest"], ["--all-errors"], ["--simplify"], ["--store", "bitstate"],
        ["--store", "compact"], ["--store", "plain"], ["--fairness", "weak"], ["--cover"], ["--partial-deadlock"]]


def impure():
    """Whatever the search saw: what its re-execution does not confirm is not violated. (Some do not meet the first
    execution, or are refused.)"""
    for name, text, check in (("assertion", ASSERTS, []), ("end state", STOPS, []),
                              ("cycle", CYCLES, ["--check", "liveness"])):
        internal = 0
        with tempfile.TemporaryDirectory() as folder:
            write(folder, "model.pml", text)
            for options in WAYS:
                for command in ([], ["hunt"]):
                    status, out, errors = call(folder, *command, "model.pml", "--time", "20", "--json", *check, *options)
                    case = f"{name}: {' '.join(command + options)}"
                    try:
                        report = schema.report(out)
                    except ValueError:
                        yield case, differs("status", status, 2)
                        continue
                    wrong = ["it is violated"] if status == 1 or report["verdict"] == "violated" else []
                    if status == 4:
                        internal += 1
                        message = report["diagnostics"][-1]
                        wrong += differs("verdict", report["verdict"], "error")
                        wrong += [] if message["message"].startswith("internal error: ") and \
                            "keep what embedded C needs" in message.get("hint", "") and \
                            "gyre " in message["hint"] else [str(message)]
                    yield case, wrong
            status, out, errors = call(folder, "model.pml", *check)
            yield f"{name}: it is an internal error", differs("status", status, 4) + \
                ([] if "internal error: " in errors and "the version (gyre " in errors else [out + errors])
        yield f"{name}: there are some", [] if internal > 5 else [f"{internal}"]


if __name__ == "__main__":
    sys.exit(groups.run([as_in_spin, headers, failures, compiler_messages, own_words, printing, not_returning, impure]))
