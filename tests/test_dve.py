#!/usr/bin/env python3
"""DVE: models with results worked out by hand, malformed ones, and random ones.

    test_dve.py [models] [rejected] [random] [formulas] [beem]

models    tests/dve/models: `// expect: VERDICT [KIND]; states N, transitions N, deadlocks N`, worked
          out by hand. The virtual machine, compiled code and the interpreter in
          tests/diff/dve_reference.py must all agree with it.
rejected  tests/dve/rejected: exit status 2 and each `// error:` (and `// hint:`), with its place.
random    tests/diff/dve_random.py.
formulas  LTL over the names of a model.
templates .mdve files, if m4 is there.
beem      the recorded results of BEEM, if BEEM names a folder that has them.
Ends with `N passed, N failed`.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

import groups
import language
from language import GYRE, gyre
import schema

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import dve_random  # noqa: E402
import dve_reference  # noqa: E402

FOLDER = os.path.join(ROOT, "tests", "dve")


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


def templates():
    if not shutil.which("m4"):
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ring.mdve")
        with open(path, "w", encoding="utf-8") as file:
            file.write("ifdef(`N', `', `define(N, 2)')dnl\nbyte n;\n"
                       "process P { state a; init a; trans a -> a { guard n < N; effect n = n + 1; }; }\n"
                       "system async;\n")
        for options, states in ([], 3), (["-D", "N=5"], 6):
            status, out, errors = gyre(path, "--json", "--exact", *options)
            found = schema.report(out)["properties"][0]["states"] if status == 0 else errors
            yield "m4 %s" % options, [] if found == states else ["%s instead of %d" % (found, states)]
        with open(path, "w", encoding="utf-8") as file:
            file.write("dnl a comment\n\nbyte n\nprocess P { state a; init a; }\nsystem async;\n")
        _, _, errors = gyre(path)
        yield "places in templates", [] if "ring.mdve:4:" in errors else [errors]


def beem():
    folder = os.environ.get("BEEM", "")
    if folder and os.path.isdir(folder):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "tests/diff/beem_counts.py"), folder,
                               "--gyre", GYRE, "--properties"], stdout=subprocess.PIPE, check=False)
        yield "beem", [] if done.returncode == 0 else [done.stdout.decode()]


GROUPS = [models, rejected, formulas, random, templates, beem]


if __name__ == "__main__":
    sys.exit(groups.run(GROUPS))
