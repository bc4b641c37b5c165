#!/usr/bin/env python3
"""RISCAL: systems with results worked out by hand, malformed ones, and random ones.

    test_riscal.py [models] [rejected] [formulas]

models    tests/riscal/models: `// expect: VERDICT [KIND]; states N, transitions N, deadlocks N`, worked
          out by hand, by the virtual machine and by compiled code; `// options:` for the command line.
rejected  tests/riscal/rejected: exit status 2 and each `// error:` (and `// hint:`), with its place.
formulas  formulas and predicates from the command line.
Ends with `N passed, N failed`.
"""
import glob
import os
import re
import subprocess
import sys

import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
FOLDER = os.path.join(ROOT, "tests", "riscal")


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


def check(path, options, backend):
    verdict, kind, figures = expectation(path)
    status, out, errors = gyre(path, *options, "--json", "--exact", "--all-errors",
                               "--backend", backend)
    if status not in (0, 1):
        return ["%s: exit status %d: %s" % (backend, status, errors)]
    report = schema.report(out)
    wrong = []
    if report["verdict"] != verdict or status != (verdict == "violated"):
        wrong.append("%s: %s, exit status %d" % (backend, report["verdict"], status))
    safety = next(p for p in report["properties"] if p["kind"] == "safety")
    for name in ("states", "transitions"):
        # A transition that ends in an error leads nowhere, and is not counted.
        if name in figures and safety[name] != figures[name]:
            wrong.append("%s: %s %d instead of %d" % (backend, name, safety[name], figures[name]))
    kinds = {c["kind"] for p in report["properties"]
             for c in p.get("counterexamples", []) + [p.get("counterexample") or {"kind": None}]}
    if kind and kind not in kinds:
        wrong.append("%s: kinds %s" % (backend, sorted(map(str, kinds))))
    return wrong


def models():
    for path in sorted(glob.glob(os.path.join(FOLDER, "models", "*.riscal"))):
        verdict, _, figures = expectation(path)
        options = " ".join(notes(path, "options")).split()
        wrong = check(path, options, "vm") + check(path, options, "native")
        if "deadlocks" in figures:
            status, _, errors = gyre(path, *options, "--check", "deadlock")
            if status != bool(figures["deadlocks"]):
                wrong.append("deadlocks: exit status %d: %s" % (status, errors))
        status, _, errors = gyre(path, *options)
        if status != (verdict == "violated"):
            wrong.append("reduced: exit status %d: %s" % (status, errors))
        for command in ("sim", "info"):
            status, _, errors = gyre(command, path, *options, *(["--steps", "5"]
                                                                if command == "sim" else []))
            if status not in (0, 1):
                wrong.append("%s: exit status %d: %s" % (command, status, errors))
        yield os.path.basename(path), wrong


# ---- malformed models --------------------------------------------------------------------


def rejected():
    for path in sorted(glob.glob(os.path.join(FOLDER, "rejected", "*.riscal"))):
        status, _, errors = gyre(path, *" ".join(notes(path, "options")).split())
        wrong = [] if status == 2 else ["exit status %d" % status]
        expected = notes(path, "error")
        for message in expected:
            if not re.search(r":\d+:\d+: error: " + re.escape(message) + "\n", errors):
                wrong.append("no such error: %s in\n%s" % (message, errors))
        if len(re.findall(r": error: ", errors)) != len(expected):
            wrong.append("other errors as well:\n%s" % errors)
        for hint in notes(path, "hint"):
            if hint not in errors:
                wrong.append("no such hint: %s in\n%s" % (hint, errors))
        yield os.path.basename(path), wrong


# ---- formulas ----------------------------------------------------------------------------


def formulas():
    counter = os.path.join(FOLDER, "models", "counter.riscal")
    cases = [
        ("□◇⟦x = 3⟧", 0), ("[] <> [[x = 3]]", 0), ("□(x = 3 ⇒ ○(x = 0))", 0), ("◇□⟦x = 3⟧", 1),
        ("∀n:ℕ[3]. ◇⟦x = n⟧", 0), ("∃n:ℕ[3]. □⟦x ≠ n⟧", 1), ("⟦x < 3⟧ U ⟦x = 3⟧", 0),
        ("forall n:Nat[3] with n < 3. [] ([[x = n]] => <> [[x = n+1]])", 0),
        ("□⟦∃n:ℕ[1]. x = 2*n ∨ x = 2*n+1⟧", 0), ("⟦x = 3⟧ R ⟦x ≤ 3⟧", 0), ("⟦x = 0⟧ W ⟦x = 2⟧", 1),
        ("◇⟦y = 3⟧", 2), ("◇⟦x⟧", 2), ("◇", 2),
    ]
    for text, expected in cases:
        status, _, errors = gyre(counter, "--ltl", text)
        yield "formula %s" % text, [] if status == expected else [
            "exit status %d: %s" % (status, errors)]


GROUPS = {"models": models, "rejected": rejected, "formulas": formulas}


def main():
    passed = failed = 0
    for name in sys.argv[1:] or GROUPS:
        for what, wrong in GROUPS[name]():
            passed += not wrong
            failed += bool(wrong)
            if wrong:
                print("%s: %s" % (what, "; ".join(wrong)))
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
