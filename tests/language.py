"""What the tests of languages without an oracle have in common: models with what is expected of them in
comments, worked out by hand.

    // expect: VERDICT [KIND]; states N, transitions N, deadlocks N
    // options: for the command line
    // error: and // hint: in models that are to be refused
"""

import os
import re
import subprocess
import tempfile

import schema

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))


def gyre(*arguments):
    """(exit status, output, errors)"""
    done = subprocess.run([GYRE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def notes(path, word):
    return re.findall(r"^// %s: (.*)" % word, read(path), re.M)


def options(path):
    return " ".join(notes(path, "options")).split()


def expectation(text):
    """(verdict, kind or None, {states, transitions, deadlocks})"""
    head, _, figures = text.partition(";")
    verdict, *kind = head.split()
    return verdict, kind[0] if kind else None, {
        name: int(n) for name, n in re.findall(r"(\w+) (\d+)", figures)}


def compare_facts(facts, figures):
    """What an interpreter has found, with what is expected."""
    return ["interpreter: %s %d instead of %d" % (name, facts[name], n)
            for name, n in figures.items() if facts[name] != n]


def check(path, more, expected, backend):
    """What is wrong with an exact search."""
    verdict, kind, figures = expected
    status, out, errors = gyre(path, *more, "--json", "--exact", "--all-errors", "--backend", backend)
    if status not in (0, 1):
        return ["%s: exit status %d: %s" % (backend, status, errors)]
    report = schema.report(out)
    wrong = []
    if report["verdict"] != verdict or status != (verdict == "violated"):
        wrong.append("%s: %s, exit status %d" % (backend, report["verdict"], status))
    safety = next((p for p in report["properties"] if p["kind"] == "safety"), None)
    for name in ("states", "transitions"):
        # A transition that ends in an error leads nowhere, and is not counted.
        if safety and name in figures and safety[name] != figures[name]:
            wrong.append("%s: %s %d instead of %d" % (backend, name, safety[name], figures[name]))
    kinds = {c["kind"] for p in report["properties"]
             for c in p.get("counterexamples", []) + [p.get("counterexample") or {"kind": None}]}
    if kind and kind not in kinds:
        wrong.append("%s: kinds %s" % (backend, sorted(map(str, kinds))))
    return wrong


def check_refusal(path, *more):
    """What is wrong with the answer to a malformed model: each `// error: [LINE:COLUMN: ]message`, and no other, each
    hint, and where it is."""
    status, _, errors = gyre(path, *options(path), *more)
    wrong = [] if status == 2 else ["exit status %d" % status]
    expected = notes(path, "error")
    for message in expected:
        place = re.match(r"(\d+:\d+): (.*)", message)
        pattern = (":%s: error: %s\n" % tuple(map(re.escape, place.groups())) if place
                   else r":\d+:\d+: error: " + re.escape(message) + "\n")
        if not re.search(pattern, errors):
            wrong.append("no such error: %s in\n%s" % (message, errors))
    if len(re.findall(r": error: ", errors)) != len(expected):
        wrong.append("other errors as well:\n%s" % errors)
    for hint in notes(path, "hint"):
        if hint not in errors:
            wrong.append("no such hint: %s in\n%s" % (hint, errors))
    return wrong


def long_sums(suffix, model, operand):
    """Sums: as high, with the comparison to 0 that `model` puts around them, as trees may be, and higher."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sum" + suffix)
        for operators, status in ((1999, 0), (2000, 2), (200000, 2)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(model(operand + (" + " + operand) * operators))
            got, _, errors = gyre(path, "--exact", "--backend", "vm", "--depth", "50")
            refused = "error: this is nested too deeply" in errors
            yield "%d operators" % operators, [] if got == status and refused == (status == 2) else [
                "exit status %d instead of %d: %s" % (got, status, errors[-300:])]
