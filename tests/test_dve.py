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
import re
import shutil
import subprocess
import sys
import tempfile

import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import dve_random  # noqa: E402
import dve_reference  # noqa: E402

GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
FOLDER = os.path.join(ROOT, "tests", "dve")


def gyre(*arguments):
    done = subprocess.run([GYRE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


def notes(path, word):
    with open(path, encoding="utf-8") as file:
        return re.findall(r"^// %s: (.*)" % word, file.read(), re.M)


# ---- models ------------------------------------------------------------------------------


def expectation(path):
    """(verdict, kind or None, {states, transitions, deadlocks})"""
    head, _, figures = notes(path, "expect")[0].partition(";")
    verdict, *kind = head.split()
    return verdict, kind[0] if kind else None, {
        name: int(n) for name, n in re.findall(r"(\w+) (\d+)", figures)}


def check_reference(path, figures):
    with open(path, encoding="utf-8") as file:
        facts = dve_reference.explore(dve_reference.Model(file.read()))
    return ["interpreter: %s %d instead of %d" % (name, facts[name], n)
            for name, n in figures.items() if facts[name] != n]


def check_gyre(path, verdict, kind, figures, backend):
    status, out, errors = gyre(path, "--json", "--exact", "--all-errors", "--backend", backend)
    if status not in (0, 1):
        return ["%s: exit status %d: %s" % (backend, status, errors)]
    report = schema.report(out)
    wrong = []
    if report["verdict"] != verdict:
        wrong.append("%s: %s" % (backend, report["verdict"]))
    safety = next((p for p in report["properties"] if p["kind"] == "safety"), None)
    for name in ("states", "transitions"):
        # A transition that ends in an error leads nowhere, and is not counted.
        if safety and name in figures and safety[name] != figures[name]:
            wrong.append("%s: %s %d instead of %d" % (backend, name, safety[name], figures[name]))
    kinds = {c["kind"] for p in report["properties"]
             for c in p.get("counterexamples", []) + [p.get("counterexample") or {"kind": None}]}
    if kind and kind not in kinds:
        wrong.append("%s: kinds %s" % (backend, sorted(kinds)))
    return wrong


def models():
    for path in sorted(glob.glob(os.path.join(FOLDER, "models", "*.dve"))):
        verdict, kind, figures = expectation(path)
        wrong = check_reference(path, figures)
        for backend in ("vm", "native"):
            wrong += check_gyre(path, verdict, kind, figures, backend)
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
        status, _, errors = gyre(path)
        wrong = [] if status == 2 else ["exit status %d" % status]
        for message in notes(path, "error"):
            if not re.search(r":\d+:\d+: error: " + re.escape(message) + "\n", errors):
                wrong.append("no such error: %s in\n%s" % (message, errors))
        for hint in notes(path, "hint"):
            if hint not in errors:
                wrong.append("no such hint: %s in\n%s" % (hint, errors))
        yield os.path.basename(path), wrong


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


def main():
    chosen = sys.argv[1:] or [group.__name__ for group in GROUPS]
    passed = failed = 0
    for group in GROUPS:
        if group.__name__ not in chosen:
            continue
        for name, wrong in group():
            passed += not wrong
            failed += bool(wrong)
            for line in wrong:
                print("%s: %s: %s" % (group.__name__, name, line), flush=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
