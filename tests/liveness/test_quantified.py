#!/usr/bin/env python3
# check: liveness: quantifiers in formulas; seconds 3
"""forall and exists in formulas over Promela models.

    test_quantified.py [verdicts] [same] [errors]

verdicts  formulas whose answers were worked out by hand
same      formulas beside what they stand for, written out by hand: verdict, states, transitions
errors    what is refused, with its place
Ends with `N passed, N failed`.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import groups  # noqa: E402
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))

# Clients 1 and 2 go in and out, for ever; client 0 stops before it goes in. mine is 0, 1, 2.
CLIENTS = """#define N 3
typedef record { byte i }
byte inside[N], i = 7, v = 9;
record r[N];
byte nobody;
active [N] proctype client() {
	byte mine = _pid;
wait:	_pid > 0;
	do
	:: inside[_pid] = 1;
crit:	   inside[_pid] = 0
	od
}
"""

VERDICTS = [
    ("forall (i : 0 .. N-1) [] (inside[i] < 2)", "holds"),
    ("forall (i : 0 .. N-1) <> (inside[i] == 1)", "violated"),      # client 0 never is
    ("exists (i : 0 .. N-1) [] (inside[i] == 0)", "holds"),         # client 0
    ("exists (i : 1 .. N-1) [] (inside[i] == 0)", "violated"),      # both can go in
    ("exists (i : 1 .. N-1) []<> (inside[i] == 1)", "holds"),       # somebody moves for ever
    ("forall (i : 1 .. N-1) []<> (inside[i] == 1)", "violated"),    # without fairness
    ("[] (exists (i : 0 .. N-1) inside[i] == 0)", "holds"),         # inside of a state formula
    ("[] (exists (i : 1 .. N-1) inside[i] == 0)", "violated"),      # both at once
    ("<> (forall (i : 1 .. N-1) inside[i] == 1)", "violated"),
    ("[] client[0]@wait", "holds"),
    ("forall (k : 0 .. N-1) [] client[k]@wait", "violated"),
    ("forall (k : 0 .. N-1) [] (client[k]:mine == k)", "holds"),
    ("exists (i : 2 .. 1) true", "violated"),
    ("forall (i : 2 .. 1) false", "holds"),
    ("forall (i : -1 .. 1) [] (i + 1 >= nobody)", "holds"),
    ("! forall (i : 0 .. 2) <> (inside[i] == 1)", "holds"),         # because of client 0
    ("! forall (i : 1 .. 2) <> (inside[i] == 1)", "violated"),
    ("forall (i : 0 .. N-1) forall (j : i .. N-1) i <= j", "holds"),
    ("forall (i : 0 .. N-1) exists (j : 0 .. N-1) i + j == 2", "holds"),
    ("exists (j : 0 .. N-1) forall (i : 0 .. N-1) i + j == 2", "violated"),
    ("(forall (i : 0 .. 1) i < 2) && i == 7", "holds"),             # outside, i is the variable
    ("forall (i : 1 .. 2) [] (r[i].i == 0)", "holds"),              # a field keeps its name
]

SAME = [
    ("forall (i : 0 .. N-1) [] (client[i]@wait -> <> (inside[i] == 1))",
     "([] (client[0]@wait -> <> (inside[0] == 1))) && ([] (client[1]@wait -> <> (inside[1] == 1))) && "
     "([] (client[2]@wait -> <> (inside[2] == 1)))"),
    ("[] ((exists (i : 1 .. 2) inside[i] == 1) -> <> (forall (i : 1 .. 2) inside[i] == 0))",
     "[] (((inside[1] == 1) || (inside[2] == 1)) -> <> ((inside[1] == 0) && (inside[2] == 0)))"),
    ("<> (exists (a : 1 .. 2) inside[a] == 1 U inside[3-a] == 1)",
     "<> ((inside[1] == 1 U inside[2] == 1) || (inside[2] == 1 U inside[1] == 1))"),
]

ERRORS = [
    ("forall i", "<formula>:1:8: error: expected `(` after `forall`, found `i`"),
    ("forall (3 : 0 .. 1) true", ":1:9: error: expected a name for the values, found `3`"),
    ("forall (k ; 0 .. 1) true", ":1:11: error: expected `:` after the name"),
    ("exists (k : 0 .. inside[0]) true", ":1:18: error: the ends of this range must be numbers"),
    ("exists (k : 0 , 1) true", ":1:15: error: expected `..` between the ends of the range"),
    ("exists (k : 0 .. 1 true", ":1:20: error: expected `)` after the range"),
    ("forall (k : 0 .. 256) true", ":1:1: error: `forall` over 257 values: 256 are the most"),
    ("forall (k : 0 .. 1)", "error: expected a formula after the range of `forall`"),
    ("forall (k : 0 .. 1) forall (k : 0 .. 1) true", ":1:29: error: `k` has a value here already"),
    ("forall (k : 0 .. 1) inside[k", "error: expected `]`"),
]


def run(folder, formula, *options):
    path = os.path.join(folder, "clients.pml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CLIENTS)
    done = subprocess.run([GYRE, path, "--check", "liveness", "--ltl", formula, *options],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


def verify(folder, formula, *options):
    status, out, err = run(folder, formula, "--json", *options)
    if status not in (0, 1):
        return {"verdict": err.strip() or out}
    return next(p for p in schema.report(out)["properties"] if p["kind"] == "ltl")


def verdicts(folder):
    for formula, expected in VERDICTS:
        found = verify(folder, formula)["verdict"]
        yield formula, [] if found == expected else [found]
    # In the model, too.
    path = os.path.join(folder, "block.pml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("ltl p { forall (k : 0 .. 2) [] (inside[k] < 2) }\n" + CLIENTS +
                   "ltl q { exists (k : 1 .. N-1)\n  [] (inside[k] == 0) }\n")
    done = subprocess.run([GYRE, path, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300, check=False)
    found = {p["name"]: p["verdict"] for p in schema.report(done.stdout.decode())["properties"]}
    good = found.get("p") == "holds" and found.get("q") == "violated"
    yield "ltl blocks", [] if good else [found, done.stderr]
    with open(path, "w", encoding="utf-8") as file:
        file.write("byte forall = 1, exists = 2;\nactive proctype P() { skip }\n"
                   "ltl p { [] (forall + exists == 3) }\n")
    done = subprocess.run([GYRE, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                          check=False)
    yield "variables of these names", [] if done.returncode == 0 else [done.stderr]


def same(folder):
    for formula, written_out in SAME:
        for options in (["--exact"], []):
            found, expected = verify(folder, formula, *options), verify(folder, written_out, *options)
            keys = ("verdict", "states", "transitions")
            equal = all(found.get(k) == expected.get(k) for k in keys) and "states" in found
            yield formula, [] if equal else [[(found.get(k), expected.get(k)) for k in keys]]


def errors(folder):
    for formula, words in ERRORS:
        status, _, err = run(folder, formula)
        yield formula, [] if status == 2 and words in err else ["%d %s" % (status, err[:300])]
    path = os.path.join(folder, "block.pml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CLIENTS + "ltl p { forall (k : 2 .. 1) false }\n")
    done = subprocess.run([GYRE, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                          check=False)
    err = done.stderr.decode()
    told = "warning: the range of this `forall` is empty: it is true" in err
    yield "an empty range is told", [] if told else [err]


def main():
    with tempfile.TemporaryDirectory() as folder:
        return groups.run((verdicts, same, errors), folder)


if __name__ == "__main__":
    sys.exit(main())
