#!/usr/bin/env python3
"""Do reductions change an answer? Gyre against itself, with every reduction off and on.

    reduce_compare.py [--gyre PROGRAM] [--count N] [--seed N] [--makers general,flow,values,looks,last,live,priority,elses,channels]
    reduce_compare.py --models [FOLDER…]      the test models instead of random programs

For each program, `--exact` is the reference. All reductions together, each one alone and all but
one must give the same verdict of every property and, for safety with --all-errors, the same set of
faults (kind, place, statement) and the same set of invalid end states (seen as where each process
stands). A counterexample that is called shortest must be as short as that of
--exact --shortest, and no other may be shorter.

The last line is `N passed, N failed`. A failing program is kept in build/reduce-failures.
"""

import argparse
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import channel_programs                                             # noqa: E402
import else_programs                                                # noqa: E402
import flow_programs                                                # noqa: E402
import generate                                                     # noqa: E402
import live_compare                                                 # noqa: E402
import last_programs                                                # noqa: E402
import look_programs                                                # noqa: E402
import priority_programs                                            # noqa: E402
import value_programs                                               # noqa: E402
from tally import Tally  # noqa: E402

# One line for each switch of a reduction.
SWITCHES = [
    "--no-por",
    "--no-merge",
    "--no-dead",
    "--no-slice",
    "--no-ranges",
]

CARTESIAN = ["--reduce", "cartesian"]  # for safety only, and not in place of --no-por

MOST_KEPT = 1000  # counterexamples that a report lists
TOO_MANY = 50_000  # states: such a program tells nothing that a small one would not


def combinations():
    """Lists of options: everything on, all but one, one alone; then other searches and backends."""
    yield []
    for switch in SWITCHES:
        yield [switch]
        yield [other for other in SWITCHES if other != switch]
    yield ["--search", "dfs", "--threads", "3"]
    yield [*CARTESIAN]
    yield [*CARTESIAN, "--no-merge", "--no-dead", "--no-slice", "--no-ranges"]


def ask(gyre, path, options, seconds=60):
    """(report, problem)"""
    argv = [gyre, path, "--json", "--time", str(seconds), *options]
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=4 * seconds)
    except subprocess.TimeoutExpired:
        return None, "time-out"
    if done.returncode not in (0, 1, 3):
        return None, f"exit status {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"
    try:
        return schema.report(done.stdout), None
    except ValueError:
        return None, "no JSON"


def standing(example):
    """Where each process stands at the end."""
    return tuple((p["process"], p["pid"], p["line"]) for p in example["final"]["processes"])


def facts(report):
    """What must not depend on reductions."""
    found = {"verdicts": [(p["name"], p["verdict"]) for p in report["properties"]]}
    for item in report["properties"]:
        if item["kind"] != "safety":
            continue
        examples = item.get("counterexamples", [])
        if len(examples) >= MOST_KEPT:
            continue
        found["faults"] = sorted({(e["kind"], e["steps"][-1]["line"] if e["steps"] else 0,
                                   e["steps"][-1]["text"] if e["steps"] else "")
                                  for e in examples if e["kind"] != "invalid-end-state"})
        found["end states"] = sorted({standing(e) for e in examples
                                      if e["kind"] == "invalid-end-state"})
    return found


def wrong_length(gyre, path, ways, extra=()):
    """What is wrong with the lengths of counterexamples found in these ways, or None."""
    least, *others = (lengths(ask(gyre, path, [*options])[0] or {"properties": []})
                      for options in [["--exact", "--shortest", *extra], *ways])
    for found in others:
        if len(found) != len(least) or any(
                f[0] < k[0] or (f[1] and f[0] != k[0]) or not k[1] for f, k in zip(found, least)):
            return f"counterexample of length {found}, the least is {least}"
    return None


def lengths(report):
    """(length, is that known to be the least) of the counterexamples to safety."""
    return [(p["counterexample"]["length"], p["counterexample"]["shortest"]) for p in report["properties"]
            if p["kind"] == "safety" and "counterexample" in p]


def difference(left, right):
    for key in sorted(left.keys() & right.keys()):
        if left[key] != right[key]:
            return f"{key}: {left[key]} exactly, but {right[key]}"
    return None


def check(given, path, extra):
    """None if all is well, else what is wrong; 'skip' for a program that is wrong or too big."""
    exact, problem = ask(given.gyre, path, ["--exact", "--all-errors", "--witnesses", "0", *extra])
    if problem:
        return "skip" if problem.startswith("exit status 2") else f"--exact: {problem}"
    if exact["verdict"] == "inconclusive" or any(p["states"] > TOO_MANY
                                                 for p in exact["properties"]):
        return "skip"
    want = facts(exact)
    safety_alone = all(p["kind"] == "safety" for p in exact["properties"])
    for options in combinations():
        if not safety_alone and options[:2] == CARTESIAN:
            continue
        report, problem = ask(given.gyre, path, ["--all-errors", "--witnesses", "0", *options, *extra])
        if options[:2] == CARTESIAN and problem and "--reduce cartesian cannot be used" in problem:
            continue
        wrong = problem or difference(want, facts(report))
        if wrong:
            return f"[{' '.join(options + extra)}] {wrong}"
        more = [p["states"] for p, q in zip(report["properties"], exact["properties"])
                if p["kind"] == "safety" and p["states"] > q["states"]]
        if more:
            return f"[{' '.join(options + extra)}] {more[0]} states, more than without reductions"
    if exact["verdict"] == "violated":
        return wrong_length(given.gyre, path, [["--exact", *extra], extra], extra)
    return None


# -- programs ---------------------------------------------------------------------

def live_program(seed):
    maker = live_compare.Maker(seed)
    kind = seed % 3
    text = maker.system(("progress", "", "")[kind])
    if kind == 1:
        text += maker.claim()
    if kind == 2:
        text += f"ltl p {{ {maker.formula()} }}\n"
    text = text.replace("empty(q)", "len(q) == 0").replace("nlen(q) == 0", "len(q) != 0")
    fair = ["--fairness", "weak"] if maker.rng.random() < 0.3 else []
    return text, (["--check", "safety,progress"] if kind == 0 else []) + fair


MAKERS = {
    "general": lambda seed: (generate.program(seed), []),
    "flow": lambda seed: (flow_programs.program(seed), []),
    "values": lambda seed: (value_programs.program(seed), []),
    "channels": lambda seed: (channel_programs.program(seed), []),
    "looks": lambda seed: (look_programs.program(seed), []),
    "last": lambda seed: (last_programs.program(seed), []),
    "live": live_program,
    "elses": lambda seed: (else_programs.program(seed), []),
    "priority": lambda seed: (priority_programs.program(seed), []),
}


def random_programs(given, folder):
    for number in range(given.count):
        seed = given.seed + number
        name = given.makers[seed % len(given.makers)]
        text, extra = MAKERS[name](seed)
        path = os.path.join(folder, f"{name}{seed}.pml")
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        yield path, extra


def test_models(folders):
    for folder in folders or [os.path.join(ROOT, "tests", "models")]:
        for path in sorted(glob.glob(os.path.join(folder, "**", "*.pml"), recursive=True)):
            yield path, []


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gyre", default=os.path.join(ROOT, os.environ.get("GYRE", "build/gyre")))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1)))
    parser.add_argument("--makers", default="general,flow,looks,last,live,priority,elses,channels", type=lambda t: t.split(","))
    parser.add_argument("--models", nargs="*", metavar="FOLDER")
    parser.add_argument("--keep", default=os.path.join(ROOT, "build", "reduce-failures"))
    return parser.parse_args()


def main():
    given = arguments()
    tally = Tally(given.keep if given.models is None else None)
    with tempfile.TemporaryDirectory(prefix="gyre-reduce-") as folder, \
            concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        programs = list(random_programs(given, folder) if given.models is None
                        else test_models(given.models))
        answers = pool.map(lambda item: check(given, *item), programs)
        for (path, _), wrong in zip(programs, answers):
            tally.add(path, wrong)
    tally.few_skipped(max(5, len(programs) // 3))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
