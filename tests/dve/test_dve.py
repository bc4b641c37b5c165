#!/usr/bin/env python3
# check: dve: DVE: models, malformed ones, formulas, random ones against an interpreter; seconds 6
"""DVE: models with results worked out by hand, malformed ones, and random ones.

    test_dve.py [models] [ended] [rejected] [random] [formulas] [sums] [templates] [hostile] [gnu] [beem]

models    tests/dve/models: `// expect: VERDICT [KIND]; states N, transitions N, deadlocks N`, worked
          out by hand. The virtual machine, compiled code and the interpreter in
          tests/diff/dve_reference.py must all agree with it.
ended     a simulation comes to its end.
rejected  tests/dve/rejected: exit status 2 and each `// error:` (and `// hint:`), with its place.
random    tests/diff/dve_random.py.
formulas  LTL over the names of a model.
sums      expressions that are as long as may be, and longer.
templates .mdve files: parameters, places, what macros expand to (from the manual of GNU m4 1.4, or by hand).
hostile   templates that would run commands, read files or have no end.
gnu       templates and random programs (tests/diff/m4_random.py) beside GNU m4, if that is there.
beem      the recorded results of BEEM, if BEEM names a folder that has them.
Ends with `N passed, N failed`.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import groups  # noqa: E402
import language  # noqa: E402
from language import GYRE, gyre  # noqa: E402
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import beem_counts  # noqa: E402
import dve_random  # noqa: E402
import dve_reference  # noqa: E402
import m4_random  # noqa: E402

FOLDER = os.path.join(ROOT, "tests", "dve")
M4_TOOL = os.path.join(ROOT, "build", "tools", "m4_tool")


# ---- models ------------------------------------------------------------------------------


def models():
    for path in sorted(glob.glob(os.path.join(FOLDER, "models", "*.dve"))):
        expected = verdict, kind, figures = language.expectation(language.notes(path, "expect")[0])
        wrong = language.compare_facts(dve_reference.explore(dve_reference.Model(language.read(path))), figures)
        for backend in ("vm", "native"):
            wrong += language.check(path, [], expected, backend)
        status, _, errors = gyre(path, "--check", "deadlock")
        if "deadlocks" in figures and status != bool(figures["deadlocks"] or kind):
            wrong.append("deadlocks: exit status %d: %s" % (status, errors))
        status, _, errors = gyre(path)
        if status != (verdict == "violated"):
            wrong.append("reduced: exit status %d: %s" % (status, errors))
        status, out, errors = gyre("sim", path, "--steps", "5")
        if status != 0 and not kind:
            wrong.append("sim: exit status %d: %s" % (status, errors))
        status, out, errors = gyre("info", path)
        if status != 0:
            wrong.append("info: exit status %d: %s" % (status, errors))
        yield os.path.basename(path), wrong


ENDS = "byte x; process P { state a, b; init a; trans a -> b { effect x = 1; }; } system async;"


def ended():
    # That nothing can move is no error of a DVE model, however its steps are chosen.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ends.dve")
        with open(path, "w", encoding="utf-8") as file:
            file.write(ENDS)
        for how, choices in (([], ""), (["--interactive"], "1\nq\n")):
            done = subprocess.run([GYRE, "sim", path, *how], input=choices, capture_output=True, text=True, timeout=300,
                                  check=False)
            wrong = [done.stdout] if done.returncode or "x = 1" not in done.stdout or "invalid" in done.stdout else []
            yield "ended %s" % " ".join(how), wrong


# ---- malformed models --------------------------------------------------------------------


def rejected():
    for path in sorted(glob.glob(os.path.join(FOLDER, "rejected", "*.dve"))):
        yield os.path.basename(path), language.check_refusal(path)


# ---- formulas ----------------------------------------------------------------------------

TURNS = """byte x;
process A { byte v; state s, t; init s; trans s -> t { effect x = 1, v = 2; }, t -> s { effect x = 0; }; }
process B { state u; init u; trans u -> u { guard A.t; }; }
system async;
"""

FORMULAS = [
    ("[] <> A.s", 1),             # B can move for ever
    ("GF A.s || FG A.t", 0),
    ("[] (x == 1 -> A.t)", 0),
    ("[] (A.t -> x == 1 && A->v == 2)", 0),
    ("! <> (x > 1)", 0),
    ("! <> x == 1", 1),
    ("A.s U A.t", 0),             # only A can move at first
    ("A.s W (A.t and x == 1)", 0),
    ("[] (A.s -> X (A.s or A.t))", 0),
    ("A->v == 0", 0),
    ("A->v", 1),
    ("(A.s + B.u) == 2", 0),
    ("[] (A.s <-> x == 0)", 0),
    ("[] (A.s imply x == 0)", 0),
    ("[] A.s == 1", 1),
    ("[] (y == 1)", 2),
    ("[] A.zz", 2),
    ("[] (", 2),
    ("(G A.s) + 1", 2),
]


def formulas():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "turns.dve")
        with open(path, "w", encoding="utf-8") as file:
            file.write(TURNS)
        for formula, expected in FORMULAS:
            status, _, errors = gyre(path, "--ltl", formula)
            yield formula, [] if status == expected else [
                "exit status %d instead of %d: %s" % (status, expected, errors)]


def sums():
    """As long as expressions may be, and longer than any stack."""
    model = "byte x; process P { state a; init a; trans a -> a { guard %s == 0; }; } system async;"
    yield from language.long_sums(".dve", lambda text: model % text, "x")


# ---- the other groups --------------------------------------------------------------------


def random():
    count = int(os.environ.get("DVE_RANDOM", "60"))
    seed = done = 0
    with tempfile.TemporaryDirectory() as folder:
        while done < count:
            seed += 1
            wrong = dve_random.check(GYRE, seed, folder)
            if wrong is not None:
                done += 1
                yield "seed %d" % seed, wrong


# Program for m4: its output, as the manual of GNU m4 1.4 gives it, or worked out by hand.
EXPANSIONS = [
    ("define(`foo', `Hello world.')foo", "Hello world."),
    ("define(`exch', `$2, $1')exch(arg1, arg2)", "arg2, arg1"),
    ("define(`nargs', `$#')nargs nargs() nargs(arg1, arg2, arg3) nargs(`commas can be quoted, like this') nargs((and, so))", "0 1 3 1 1"),
    ("define(`echo', `$*')echo(arg1,    arg2, arg3 , arg4)", "arg1,arg2,arg3 ,arg4"),
    ("define(`foo', `This is macro `foo'.')define(`echo1', `$*')define(`echo2', `$@')echo1(foo) echo2(`foo')",
     "This is macro This is macro foo.. foo"),
    ("define(`reverse', `ifelse(`$#', `0', , `$#', `1', ``$1'', `reverse(shift($@)), `$1'')')reverse(`foo', `bar', `gnats', `and gnus')",
     "and gnus, gnats, bar, foo"),
    ("ifelse(foo, bar, `third', gnu, gnats, `sixth', `seventh')", "seventh"),
    ("define(`foo', `1')pushdef(`foo', `2')foo popdef(`foo')foo popdef(`foo')foo", "2 1 foo"),
    ("define(`cond', ``$#'')cond`'cond()", "01"),
    ("eval(-3 * 5) eval(index(`Hello world', `llo') >= 0) eval(`0r1:0111 + 0b100 + 0r3:12')", "-15 1 12"),
    ("eval(`1 == 2 > 0') eval(`(1 == 2) > 0') eval(`! 0 * 2') eval(`! (0 * 2)') eval(`2 ** 3 ** 2') eval(`(-2) ** 3')", "1 0 2 1 512 -8"),
    ("eval(`1 << 33') eval(`-5 / 2') eval(`-5 % 2') eval(`-2147483648 / -1') eval(`0 && 1 / 0') eval(`2 || 1 / 0')", "2 -2 -1 -2147483648 0 1"),
    ("eval(`666', `10') eval(`666', `11') eval(`666', `6') eval(`-666', `6', `10') eval(`10', `', `0') `0r1:'eval(`10', `1', `11')",
     "666 556 3030 -0000003030 10 0r1:01111111111"),
    ("substr(`gnus, gnats, and armadillos', `6') substr(`gnus, gnats, and armadillos', `6', `5')", "gnats, and armadillos gnats"),
    ("translit(`GNUs not Unix', `A-Z') translit(`GNUs not Unix', `a-z', `A-Z') translit(`GNUs not Unix', `A-Z', `z-a')", "s not nix GNUS NOT UNIX tmfs not fnix"),
    ("define(f, `[$1]')f( a b ) f(`(,') f((x, y))", "[a b ] [(,] [(x, y)]"),
    ("divert(`1')This text is diverted.divert`'This is not. undivert(`1') divnum", "This is not. This text is diverted. 0"),
    ("divert(2)b divert(1)a divert(-1)gone divert(0)c ", "c a b "),
    ("changequote(`[', `]')define([foo], [Macro [foo].])foo", "Macro foo."),
    ("define(`comment', `COMMENT')# A comment\nchangecom(`/*', `*/')# Not a comment\n/* comment */", "# A comment\n# Not a COMMENT\n/* comment */"),
    ("define(`x', `1')x dnl x\nx1 x_ `x'1 ``x''", "1 x1 x_ x1 `x'"),
    ("define(`list', `define(`N', `$1')list2($1)')define(`list2', `N')list(4)", "4"),
    ("define(`len2', defn(`nothing'))len index len(abc) index(`abcd', `cd') incr(-1) decr(0)", "len index 3 2 0 -1"),
    ("define(`f', `define(`f', `new')old')f f", "old new"),
]

LOST = "byte n;\nprocess P { state a; init a; trans a -> a { guard n < N; effect n = n + 1; }; }\nsystem async;\n"

# Template and definitions: what it is refused with.
REFUSED = [
    ("\n dnl\n syscmd(touch FILE)", [], ":3:2: error: `syscmd` of m4 is not available in templates"),
    ("x\n\n esyscmd(`touch FILE')", [], ":3:2: error: `esyscmd` of m4 is not available"),
    ("syscmd(`touch FILE')", ["undefine="], "`syscmd` of m4"),
    ("syscmd(`touch FILE')", ["ifdef=", "define="], "`syscmd` of m4"),
    ("indir(`syscmd', `touch FILE')", ["changecom="], "`indir` of m4"),
    ("builtin(`syscmd', `touch FILE')", ["undefine"], "`builtin` of m4"),
    ("define(`s', defn(`syscmd'))s(`touch FILE')", [], "`defn` of the builtin `syscmd` is not available"),
    ("include(/etc/passwd)", ["undefine="], "`include` of m4"),
    ("sinclude(`/etc/passwd')", [], "`sinclude` of m4"),
    ("undivert(`/etc/passwd')", [], "argument 1 of `undivert` is not a number: `/etc/passwd`"),
    ("debugfile(`FILE')", ["undefine="], "`debugfile` of m4"),
    ("maketemp(`FILEXXXXXX')", ["undefine="], "`maketemp` of m4"),
    ("m4exit", [], "`m4exit` of m4"),
    ("define(`f', `f')\nf", [], ":2:1: error: expanding this template takes more than 200000000 steps"),
    ("define(`f', `f f')\nf", [], "bytes of text"),
    ("define(`f', `f(f)')\nf", [], ":2:1: error: more than 1048576 calls of macros within each other"),
    ("define(`f', `$1$1')define(`g', `f(f(f(f($1))))')g(g(g(g(g(g(g(abcdefgh)))))))", [], "error: expanding this template takes more than"),
    ("define(`f', `eval(1 + f)')\nf", [], ":2:1: error: more than 1048576 calls of macros within each other"),
    ("eval(1, 1, 2000000000)", [], "error: expanding this template takes more than"),
    ("eval(2147483647, 1)", [], "error: expanding this template takes more than"),
    ("eval(" + "(" * 100000 + "1" + ")" * 100000 + ")", [], "eval: too deeply nested"),
    ("eval(1" + "**1" * 100000 + ")", [], "eval: too deeply nested"),
    ("define(`f', `x')\n  f(a, (b)", [], ":2:3: error: the template ends in the arguments of `f`"),
    ("a\n `b", [], ":2:2: error: the template ends in a quoted string"),
    ("a eval(K)", [], ":1:3: error: eval: not an integer expression: `K`"),
    ("a eval(1 / 0)", [], "eval: division by zero"),
    ("incr(K)", [], "argument 1 of `incr` is not a number: `K`"),
    ("byte n\0;", [], "cannot contain a character with the code 0"),
]


def templates():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ring.mdve")
        with open(path, "w", encoding="utf-8") as file:
            file.write("ifdef(`N', `', `define(N, 2)')dnl\n" + LOST)
        for options, states in ([], 3), (["-D", "N=5"], 6):
            status, out, errors = gyre(path, "--json", "--exact", *options)
            found = schema.report(out)["properties"][0]["states"] if status == 0 else errors
            yield "parameters %s" % options, [] if found == states else ["%s instead of %d" % (found, states)]
        for text, place in [("dnl a comment\n\nbyte n\nprocess P { state a; init a; }\nsystem async;\n", ":4:"),
                            ("define(`f', `byte x;\nbyte y;\n')\nf\nforloop(i, 1, 2, `byte z`'i;\n')\nbyte n\n%s" % LOST, ":8:1:"),
                            ("byte a; dnl\n dnl\n\nbyte n\n%s" % LOST, ":5:")]:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            _, _, errors = gyre(path)
            yield "places in templates", [] if "ring.mdve" + place in errors else [errors]
    for text, expected in EXPANSIONS:
        done = subprocess.run([M4_TOOL], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        yield text, [] if (done.returncode, done.stdout) == (0, expected) else [repr((done.stdout, done.stderr))]


def hostile():
    for text, defines, expected in REFUSED:
        with tempfile.TemporaryDirectory() as folder:
            path, trace = os.path.join(folder, "a.mdve"), os.path.join(folder, "trace")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace("FILE", trace))
            status, _, errors = gyre(path, *("-D" + define for define in defines))
            wrong = [] if status == 2 and expected in errors else ["status %d: %s" % (status, errors)]
            yield text[:50], wrong + (["files: %s" % os.listdir(folder)] if os.listdir(folder) != ["a.mdve"] else [])
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        with open(os.path.join(folder, "a.mdve"), "w", encoding="utf-8") as file:
            file.write("// gyre: with -D undefine= expect holds\nsyscmd(`touch %s')\n%s" % (trace, LOST.replace("N", "2")))
        gyre("test", "--no-c", folder)
        yield "a comment for gyre test", ["a command ran"] if os.path.exists(trace) else []


def gnu():
    """GNU m4 as the oracle."""
    if not shutil.which("m4"):
        return
    known = sorted(glob.glob(os.path.join(ROOT, "bench/models/*.mdve")) + glob.glob(os.path.join(ROOT, "tests/beem/set/*/*.mdve")))
    for path, defines in [(path, []) for path in known] + list(beem_instances()):
        with open(path, encoding="latin-1") as file:
            text = beem_counts.MACROS + file.read()
        wrong, both = m4_random.compare([M4_TOOL, "--dve"], text, defines)
        yield "%s %s" % (os.path.basename(path), defines), wrong if both or wrong else ["no output"]
    outputs = count = int(os.environ.get("M4_RANDOM", "150"))
    for seed in range(count):
        wrong, both = m4_random.compare([M4_TOOL], m4_random.Program(seed).make(), ["N=3", "x_1=a b"])
        outputs -= not both
        yield "seed %d" % seed, wrong
    yield "programs with an output", [] if outputs > count // 4 else ["only %d of %d" % (outputs, count)]


def beem_instances():
    """(template, parameters) of BEEM, if it is there."""
    for path in sorted(glob.glob(os.path.join(os.environ.get("BEEM") or "/nowhere", "*/*.xml"))):
        template = path[:-4] + ".mdve"
        for instance in ElementTree.parse(path).getroot().iter("instance") if os.path.exists(template) else []:
            yield template, re.findall(r"\w+=[^,\s]+", instance.findtext("parameters") or "")


def beem():
    folder = os.environ.get("BEEM", "")
    if folder and os.path.isdir(folder):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "tests/diff/beem_counts.py"), folder,
                               "--gyre", GYRE, "--properties"], stdout=subprocess.PIPE, check=False)
        yield "beem", [] if done.returncode == 0 else [done.stdout.decode()]


GROUPS = [models, ended, rejected, formulas, sums, random, templates, hostile, gnu, beem]


if __name__ == "__main__":
    sys.exit(groups.run(GROUPS))
