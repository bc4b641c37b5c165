#!/usr/bin/env python3
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

import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
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


def main():
    with tempfile.TemporaryDirectory() as folder:
        two_clients(folder)
        four_clients(folder)
    print(f"{sum(results)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
