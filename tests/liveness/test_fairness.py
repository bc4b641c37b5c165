#!/usr/bin/env python3
# check: liveness: fairness labels; seconds 20; quick
"""Fairness of labelled statements on the client/server system; the reasons are Spin's.

With two clients, Spin checks the formula that has the fairness written into it (`assumed`) and the
one without; ours must say of `served`, with the labels, what Spin says of `assumed`. With four,
examples/client_server.pml must hold within seconds, and only with its labels. GYRE names another
binary. Ends with `N passed, N failed`.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
TWO = os.path.join(ROOT, "tests", "models", "fairness", "client_server_2.pml")
FOUR = os.path.join(ROOT, "examples", "client_server.pml")
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import oracle  # noqa: E402

results = []


def check(what, found, expected):
    results.append(found == expected)
    if found != expected:
        print(f"FAILED: {what}: {found} instead of {expected}")


def gyre(model, *options):
    done = subprocess.run([GYRE, model, "--json", "--check", "liveness", *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    return {p["name"]: p for p in schema.report(done.stdout)["properties"]}


def without_labels(model, folder):
    path = os.path.join(folder, "plain.pml")
    with open(model, encoding="utf-8") as given, open(path, "w", encoding="utf-8") as out:
        out.write(given.read().replace("sfair", "unfair"))
    return path


def two_clients(folder):
    spin = {(name, mode): oracle.liveness(TWO, mode, name, use_cache=False)["verdict"]
            for name in ("mutex", "served", "assumed") for mode in ("-a", "-a -f")}
    plain = without_labels(TWO, folder)
    for fairness, mode in (("none", "-a"), ("weak", "-a -f")):
        labelled, bare = gyre(TWO, "--fairness", fairness), gyre(plain, "--fairness", fairness)
        for name in ("mutex", "served", "assumed"):
            check(f"{name} {mode}, no labels", bare[name]["verdict"], spin[name, mode])
        served = spin["assumed", mode] if fairness == "weak" else spin["served", mode]
        check(f"served {mode}, labels", labelled["served"]["verdict"], served)
    check("Spin tells the two formulas apart", spin["served", "-a -f"] != spin["assumed", "-a -f"], True)
    check("labels by default", gyre(TWO)["served"]["fairness"], "actions")
    check("two statements", gyre(TWO)["served"]["fair_statements"], 2)
    check("no labels", gyre(plain)["served"]["fairness"], "none")


def four_clients(folder):
    found = gyre(FOUR, "--fairness", "weak")
    exact = gyre(FOUR, "--fairness", "weak", "--exact")
    check("four clients: served, exactly", exact["served"]["verdict"], "holds")
    check("four clients: mutex", found["mutex"]["verdict"], "holds")
    check("four clients: served", found["served"]["verdict"], "holds")
    check("four clients, no fairness", gyre(FOUR, "--fairness", "none")["served"]["verdict"], "violated")
    plain = without_labels(FOUR, folder)
    for fairness in ("weak", "strong"):
        found = gyre(plain, "--fairness", fairness)["served"]
        check(f"four clients without labels, {fairness}", found["verdict"], "violated")
    for label in ("sfair_accept", "sfair_next"):
        with open(FOUR, encoding="utf-8") as given, open(plain, "w", encoding="utf-8") as out:
            out.write(given.read().replace(label, "w" + label[1:]))
        found = gyre(plain, "--fairness", "weak")["served"]
        check(f"{label} only weakly fair", found["verdict"], "violated")


# Merging, and who asks what is enabled between two statements: (options, verdict, model). All are small enough to
# be followed by hand: the fair run that violates the formula, or why there is none, stands beside it.
BETWEEN = {
    # Q goes round by its first option: behind `l = 1 - l` it is not where the labelled statement begins.
    "a labelled statement that another one leads away from": (
        [], "violated",
        "bit d; active proctype Q() { bit l; do :: l = 1 - l; l = 1 - l :: wfair: d = 1 od } ltl p { <> (d == 1) }"),
    # The only option, and labelled: the process need not move, but where it stands it can take nothing else.
    "a labelled statement that nothing leads away from": (
        [], "holds", "bit d; active proctype Q() { bit l; do :: wfair: d = 1 - d od } ltl p { <> (d == 1) }"),
    # After `x = 1` nobody makes P come to its labelled statement, unless processes are fair.
    "a labelled statement that is still to be reached": (
        [], "violated",
        "bit d, x; active proctype P() { bit l; x = 1; l = 1; l = 0; wfair: d = 1 } "
        "active proctype Q() { do :: skip od } ltl p { [] (x == 1 -> <> (d == 1)) }"),
    "a labelled statement that fair processes reach": (
        ["--fairness", "weak"], "holds",
        "bit d, x; active proctype P() { bit l; x = 1; l = 1; l = 0; wfair: d = 1 } "
        "active proctype Q() { do :: skip od } ltl p { [] (x == 1 -> <> (d == 1)) }"),
    # Q is busy after each timeout.
    "a labelled timeout": (
        [], "violated",
        "bit d; active proctype P() { wfair: timeout; d = 1 } active proctype Q() { bit l; do :: timeout; l = 1 - l od } "
        "ltl p { <> (d == 1) }"),
    "a strongly fair timeout": (
        ["--fairness", "strong"], "holds",
        "bit d; active proctype P() { timeout; d = 1 } active proctype Q() { bit l; do :: timeout; l = 1 - l od } "
        "ltl p { <> (d == 1) }"),
    # B is let through again and again.
    "a strongly fair partner": (
        ["--fairness", "strong"], "holds",
        "chan c = [0] of { byte }; bit d; active proctype A() { do :: c!1 od } active proctype B() { c!2; d = 1 } "
        "active proctype Q() { byte v, l; do :: c?v; l = 1 - l od } ltl p { <> (d == 1) }"),
}

# What is said of fairness beside a counterexample: who could move, and the verdict with fairness; None: nothing.
NOTES = {
    # R is blocked inside its atomic sequence and P before it begins; Q goes on.
    "blocked inside an atomic sequence": (
        None,
        "byte x, y, z; active proctype P() { x == 1 } active proctype Q() { do :: skip od } "
        "active proctype R() { atomic { z = 1; x == 1 } } ltl p { [] (z == 1 -> <> (x == 1)) }"),
    "able to move inside an atomic sequence": (
        ("weak", "holds"),
        "byte x, z; active proctype P() { z == 1; x = 1 } active proctype Q() { do :: skip od } "
        "active proctype R() { atomic { z = 1; x == 1 } } ltl p { [] (z == 1 -> <> (x == 1)) }"),
    # The cycle that is shown leaves B behind its c!2; others, in which it is passed over, are weakly fair.
    "weak fairness is not enough": (
        ("strong", "holds"),
        "chan c = [0] of { byte }; bit d; active proctype A() { do :: c!1 od } active proctype B() { c!2; d = 1 } "
        "active proctype Q() { byte v, l; do :: c?v; l = 1 - l od } ltl p { <> (d == 1) }"),
}


def write(folder, text):
    path = os.path.join(folder, "between.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


def between(folder):
    for what, (options, expected, text) in BETWEEN.items():
        path = write(folder, text)
        for more in ([], ["--exact"], ["--no-merge"], ["--threads", "3", "--cycles", "ufscc"], ["--backend", "native"]):
            check(f"{what} {' '.join(more)}", gyre(path, *options, *more)["p"]["verdict"], expected)
    for what, (expected, text) in NOTES.items():
        path = write(folder, text)
        for more in ([], ["--exact"]):
            for _ in range(20):  # it is not looked for longer than a second
                note = gyre(path, *more)["p"]["counterexample"].get("unfair")
                if not note or note["verdict"] != "inconclusive":
                    break
            check(f"note: {what} {' '.join(more)}", note and (note["fairness"], note["verdict"]), expected)


def shortest():
    """The formulas hold (two_clients): a shortest counterexample is looked for, and there is none."""
    for checks, status in (("safety", 0), ("liveness", 0)):
        done = subprocess.run([GYRE, TWO, "--check", checks, "--shortest"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        check(f"--shortest, {checks}", done.returncode, status)


def main():
    with tempfile.TemporaryDirectory() as folder:
        two_clients(folder)
        four_clients(folder)
        between(folder)
    shortest()
    print(f"{sum(results)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
