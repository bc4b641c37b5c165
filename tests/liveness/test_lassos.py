#!/usr/bin/env python3
# check: liveness: counterexamples of liveness; seconds 30
"""Counterexamples of liveness: their trails, their length, what is said about them.

    test_lassos.py [trails|shortest|graphs|stores|words|faults]

trails    every violated formula of tests/models/liveness: Spin replays the trail of --trail with
          the claim beside it, to its end, and meets the cycle where there is one
shortest  --shortest never gives more statements than the default, and says that it proved it
graphs    --shortest on random graphs, written as Promela, against a naive search for the minimum
stores    verdicts, states and transitions do not depend on the store
words     the reason given, and premises that are never met, on small models
faults    atoms that cannot be evaluated in premises of strong fairness: they count where they make a difference

GYRE names another binary. Ends with `N passed, N failed`.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
FOLDER = os.path.join(ROOT, "tests", "models", "liveness")
SPIN_COMPLAINS = re.compile(r"no matching stmnt|stop error|invalid statement|transition failed|"
                            r"no process|cannot find|\(\?\)|couldn't find|doesn't match|syntax")


def rows():
    with open(os.path.join(FOLDER, "expected.tsv"), encoding="utf-8") as table:
        head = table.readline().rstrip("\n").split("\t")
        return [dict(zip(head, line.rstrip("\n").split("\t"))) for line in table]


def report(model, *options):
    done = subprocess.run([GYRE, model, "--json", "--exact", "--backend", "vm", *options],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)
    return schema.report(done.stdout)


def violated(found):
    return [p for p in found["properties"] if p["verdict"] == "violated" and p["kind"] != "safety"]


def spin_replays(model, trail, claim):
    """In a folder of its own: with -N, Spin writes beside the model."""
    where = os.path.dirname(trail)
    shutil.copy(model, where)
    done = subprocess.run(["spin", "-t", "-p", "-k", trail, "-N", claim, os.path.basename(model)],
                          cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return done.stdout.decode("utf-8", "replace")


def last_depth(trail):
    with open(trail, encoding="ascii") as lines:
        depths = [int(line.split(":")[0]) for line in lines]
    return max(depths), -1 in depths


def trail_problems(model, example):
    if example["kind"] == "formula-fault":
        return
    text = spin_replays(model, example["trail"], example["claim"])
    if "saw 'X'" in text:  # Spin, as it is usually built, cannot read the formulas of this model
        return
    depth, cycle = last_depth(example["trail"])
    if SPIN_COMPLAINS.search(text):
        yield SPIN_COMPLAINS.search(text).group(0)
    if f"trail ends after {depth} steps" not in text:
        yield f"does not end after {depth} steps: {text[-300:]}"
    if ("START OF CYCLE" in text) != cycle or (cycle and example["cycle_start"] is None):
        yield "no cycle, or one too many"
    if "never_" not in text:
        yield "Spin did not start the claim"


def trails():
    """Each model once, all its formulas."""
    seen = 0
    for path in sorted({row["path"] for row in rows() if row["verdict"] == "violated"}):
        model = os.path.join(FOLDER, path)
        with tempfile.TemporaryDirectory() as where:
            found = report(model, "--check", "liveness", "--trail", os.path.join(where, "t"))
            for p in violated(found):
                if p["kind"] == "ltl":
                    seen += 1
                    for problem in trail_problems(model, p["counterexample"]):
                        yield f"{path} {p['name']}: {problem}"
                    yield None
    yield None if seen > 10 else "hardly any formula was violated"


def statements(example):
    return sum(2 if "partner" in step else 1 for step in example["steps"])


def shortest():
    better = 0
    for path in sorted({row["path"] for row in rows() if row["verdict"] == "violated"}):
        for check in ("liveness", "progress"):
            model = os.path.join(FOLDER, path)
            plain = violated(report(model, "--check", check))
            short = violated(report(model, "--check", check, "--shortest"))
            if [p["name"] for p in plain] != [p["name"] for p in short]:
                yield f"{path} {check}: other verdicts"
            for a, b in zip(plain, short):
                a, b = a["counterexample"], b["counterexample"]
                better += statements(b) < statements(a)
                yield (None if b["shortest"] and b["cost"] == statements(b) <= statements(a) else
                       f"{path} {check}: {statements(b)} (cost {b['cost']}) for {statements(a)}")
    yield None if better > 3 else f"only {better} became shorter"
    with tempfile.TemporaryDirectory() as where:
        model = os.path.join(where, "larger.pml")
        with open(model, "w", encoding="ascii") as out:
            out.write(LARGER_AUTOMATON)
        found = violated(report(model, "--check", "liveness", "--shortest"))[0]["counterexample"]
        yield None if (found["cost"], found["cycle_start"], found["shortest"]) == (1, 0, True) else \
            f"a shorter one in the model than in the product: cost {found['cost']}"
        yield from what_matters(where)
    # What is found first is made shorter within some tens of thousands of states: here, to the minimum.
    mcs = [os.path.join(ROOT, "bench", "models", "mcs.pml"), "-DN=4", "--check", "liveness", "--threads", "1",
           "--ltl", "<>[] (inside == 0)"]
    first, least = (violated(report(*mcs, how))[0]["counterexample"] for how in ("--deterministic", "--shortest"))
    yield None if statements(first) == statements(least) else \
        f"mcs: {statements(first)} statements by default, {statements(least)} are the least"


# A round of two statements brings l back, and y is not read: Q may take one step in each round. With --exact it takes
# two, as y is a part of the state. The stem: 20 times two statements, and else. Without fairness, Q is enough.
UNREAD = """byte x, y; bit l;
active proctype P() { do :: x < 20 -> x++ :: else -> break od; end: do :: l = 1 - l od }
active proctype Q() { do :: y = 1 - y od }
ltl q { [] <> (l == 2) }
"""


def what_matters(where):
    """A lasso returns to the values that matter; with --exact, to all values."""
    model = os.path.join(where, "unread.pml")
    with open(model, "w", encoding="ascii") as out:
        out.write(UNREAD)
    for fairness, cost, exact_cost in (("none", 1, 2), ("weak", 41 + 3, 41 + 4)):
        options = [GYRE, model, "--check", "liveness", "--fairness", fairness]
        for more, least, said in (
                ([], cost, ""), (["--shortest"], cost, "(no shorter one exists)"), (["--exact"], exact_cost, ""),
                (["--exact", "--shortest"], exact_cost, "(no shorter one returns to the values of all variables)")):
            text = subprocess.run([*options, *more], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                  timeout=300).stdout.decode()
            line = re.search(r"; (\d+) steps?, then (\d+) that repeats? for ever ?(.*)", text)
            got = (sum(map(int, line.groups()[:2])), line.group(3)) if line else text
            right = line and (got == (least, said) or (not said and got[0] >= least and "no shorter" not in got[1]))
            yield None if right else f"unread {fairness} {more}: {got} instead of {least} {said}"


# The automaton of the formula changes its state along the shortest counterexample, P1 alone.
LARGER_AUTOMATON = """byte z;
active proctype P0() { S0: z != 0; S1: skip }
active proctype P1() { do :: z == 0 od }
active proctype P2() { skip; skip; S2: false }
ltl f { <>[](([](P0@S0)) <-> (z == 2)) }
"""


def minimum(edges, accepting):
    """Floyd and Warshall, then all pairs of an accepting node and a node where the stem ends."""
    n, far = len(edges), 10**6
    d = [[0 if i == j else 1 if j in edges[i] else far for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i][j] = min(d[i][j], d[i][k] + d[k][j])
    around = [[min((1 + d[t][s] for t in edges[r]), default=far) for s in range(n)]
              for r in range(n)]
    best = min((d[0][s] + d[s][r] + around[r][s] for r in accepting for s in range(n)), default=far)
    return best if best < far else None


def promela(edges, accepting):
    lines = ["byte v;", "active proctype P() {"]
    lines.append("  goto " + name(0, accepting) + ";")
    for i, targets in enumerate(edges):
        lines.append(f"{name(i, accepting)}:")
        options = [f"  :: v = {t} -> goto {name(t, accepting)}" for t in targets]
        lines += ["  if", *(options or ["  :: false"]), "  fi;"]
    return "\n".join([*lines, "}"]) + "\n"


def name(i, accepting):
    return f"{'accept' if i in accepting else 'S'}_{i}"


def graphs():
    chosen = random.Random(11)
    answers = set()
    with tempfile.TemporaryDirectory() as where:
        model = os.path.join(where, "graph.pml")
        for number in range(60):
            n = chosen.randrange(3, 13)
            edges = [sorted({chosen.randrange(n) for _ in range(chosen.choice((1, 1, 2, 2, 3)))})
                     for _ in range(n)]
            accepting = {i for i in range(n) if chosen.random() < 0.25}
            with open(model, "w", encoding="ascii") as out:
                out.write(promela(edges, accepting))
            expected = minimum(edges, accepting)
            answers.add(expected)
            if number % 2:  # where it is heard: all threads from the start
                os.environ["GYRE_HOSTILE"] = "1"
            for options in ([], ["--threads", "3"], ["--threads", "2", "--cycles", "owcty"])[:1 + 2 * (number % 3 == 0)]:
                found = violated(report(model, "--check", "liveness", "--shortest", *options))
                got = found[0]["counterexample"]["cost"] if found else None
                yield None if got == expected else f"graph {number} {options}: {got} instead of {expected}"
            os.environ.pop("GYRE_HOSTILE", None)
    yield None if len(answers) > 5 else "too few different answers"


def stores():
    """The product is the same whatever keeps its states."""
    for path in sorted({row["path"] for row in rows()})[::3]:
        model = os.path.join(FOLDER, path)
        found = {}
        for store in ("tree", "plain", "automaton", None):
            chosen = ["--store", store] if store else []
            properties = report(model, "--check", "liveness", *chosen)["properties"]
            found[store] = [(p["name"], p["verdict"], p["states"], p["transitions"])
                            for p in properties]
        yield (None if all(f == found[None] for f in found.values()) else f"{path}: {found}")


TRAFFIC = """
bool p, q; byte x;
active proctype P() { x = 1; p = true; do :: x = 2 :: x = 3 od }
"""

# formula, what is said; the states: x=0; x=1; x=1 and p; then x is 2 or 3 in each round
REASONS = [
    ("[] (p -> <> q)", "`p` holds after step 2, and `q` never holds from there on"),
    ("[] !p", "`p` holds after step 2"),
    ("[] (x < 2 || q)", "`x < 2 || q` does not hold after step 3"),
    ("<> q", "`q` never holds, from the start"),
    ("!p U q", "`q` never holds|`p` holds after step 2, and `q` does not hold there"),
    ("[] (p -> X q)", "`p` holds after step 2, and `q` does not hold after step 3"),
    ("<> [] !p", r"`\[\] !p` never holds, from the start, and `p` holds after step [23] in each round"),
    ("p", "`p` does not hold in the initial state"),
    ("[] !p && <> (x == 1)", "`p` holds after step 2"),
    ("!<> p", "`p` holds after step 2"),
]

PREMISES = [
    ("[] (q -> <> p)", ["q"]),
    ("[] (p -> (x >= 1))", []),
    ("[] (x == 0 -> !p)", []),
    ("p -> [] q", ["p"]),
    ("[] ((p && q) -> (x == 0))", ["p && q"]),
    ("[] ((p && x == 1) -> <> (x > 1))", []),
    ("[] (p -> (q -> x == 0))", ["q"]),
    ("[] ((<> q) -> p)", ["<> q"]),
    ("<> (q -> p)", []),
    ("[] ((q -> p) -> (x < 4))", []),
    ("[] (x < 4) && [] (q -> p)", ["q"]),
]


def words():
    with tempfile.TemporaryDirectory() as where:
        model = os.path.join(where, "words.pml")
        with open(model, "w", encoding="ascii") as out:
            out.write(TRAFFIC)
        for formula, expected in REASONS:
            found = violated(report(model, "--check", "liveness", "--ltl", formula))
            said = found[0]["counterexample"]["explanation"] if found else "holds"
            pattern = expected if "\\" in expected or "|`" in expected else re.escape(expected)
            yield None if re.fullmatch(pattern, said) else f"{formula}: {said}"
        for formula, expected in PREMISES:
            found = report(model, "--check", "liveness", "--ltl", formula)["properties"][0]
            got = found["unmet_premises"] if found["verdict"] == "holds" else None
            wrong = got != expected or (got is not None and found["vacuous"] != bool(got))
            yield f"{formula}: {found['verdict']}, {got}" if wrong else None


# arr[x + 2] cannot be evaluated anywhere. `holds` does whatever it is, as its conclusion is true of all states;
# `idle`, as its second premise is false of all runs. In `fault` it decides.
FAULTS = """byte x, a, b, z; byte arr[2];
active proctype P() { do :: x = 1 - x :: a = (a + 1) % 3 :: b = (b + 1) % 3 :: x == 7 -> z = 1 - z od }
ltl holds { ([]<>(a == 0) -> []<>(b == 0)) && ([]<>(a == 1) -> []<>(b == 1)) && ([]<>(arr[x + 2] == 1) -> []<>(b == 2)) -> []<>(x < 2) }
ltl idle { ([]<>(arr[x + 2] == 1) -> []<>(b == 0)) && ([]<>(z == 0) -> []<>(z == 1)) && ([]<>(a == 1) -> []<>(b == 1)) -> <>(z == 1) }
ltl fault { ([]<>(a == 0) -> []<>(b == 0)) && ([]<>(a == 1) -> []<>(b == 1)) && ([]<>(arr[x + 2] == 1) -> []<>(b == 5)) -> []<>(x == 5) }
"""


def faults():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "faults.pml")
        with open(path, "w", encoding="utf-8") as out:
            out.write(FAULTS)
        for options in ([], ["--shortest"]):
            found = report(path, *options)
            for p in found["properties"]:
                if p["kind"] == "ltl":
                    kind = p.get("counterexample", {}).get("kind", p["verdict"])
                    expected = "formula-fault" if p["name"] == "fault" else "holds"
                    yield None if kind == expected else f"{p['name']} {options}: {kind} instead of {expected}"


def main():
    chosen = [globals()[name] for name in sys.argv[1:] or ("trails", "shortest", "graphs", "stores", "words", "faults")]
    passed = failed = 0
    for part in chosen:
        for problem in part():
            if problem:
                failed += 1
                print(f"FAILED: {part.__name__}: {problem}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
