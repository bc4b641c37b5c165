#!/usr/bin/env python3
"""Does compiled code with partial-order reduction give the exact answer?

    por_native_compare.py [--gyre PROGRAM] [--count N] [--seed N]

For each random program, `--exact` on the virtual machine is the reference. With compiled code and
partial-order reduction, alone and with all other reductions, the verdict must be the same. Where
nothing is wrong, the reduction alone must reach the same statements, and its states and transitions
must be those of the virtual machine, with one thread and with two. Depth-first with one thread and
with three, where states may depend on the order, the verdict and the statements must be the same.

Compiles with tcc if it is there. The last line is `N passed, N failed`. A failing program is kept in
build/reduce-failures.
"""

import argparse
import concurrent.futures
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import flow_programs                                                # noqa: E402
import generate                                                     # noqa: E402
import reduce_compare                                               # noqa: E402
import value_programs                                               # noqa: E402
from tally import Tally  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAKERS = [generate.program, flow_programs.program, value_programs.program]
ALONE = [switch for switch in reduce_compare.SWITCHES if switch != "--no-por"]
NATIVE, ONE, TWO = ["--backend", "native"], ["--threads", "1"], ["--threads", "2"]
DEEP = ["--search", "dfs"]


def unreached(report):
    return sorted(str(item) for item in report["coverage"].get("unreached", []))


def counts(report):
    return [(p["states"], p["transitions"]) for p in report["properties"]]


def check(gyre, path):
    """(what is wrong or None, was compiled code used?); 'skip' for a program that tells nothing."""
    safety = ["--check", "safety"]
    exact, problem = reduce_compare.ask(gyre, path, ["--exact", "--backend", "vm", *safety])
    if problem:
        return "skip" if problem.startswith("exit status 2") else f"--exact: {problem}", False
    if exact["verdict"] == "inconclusive" or exact["properties"][0]["states"] > reduce_compare.TOO_MANY:
        return "skip", False
    seen, compiled = {}, False
    for name, options in {"vm": [*ALONE, "--backend", "vm", *TWO], "one": [*ALONE, *NATIVE, *ONE],
                          "two": [*ALONE, *NATIVE, *TWO], "all": [*NATIVE, *ONE],
                          "deep": [*ALONE, *NATIVE, *DEEP, *ONE],
                          "deep, three": [*ALONE, "--backend", "vm", *DEEP, "--threads", "3"]}.items():
        report, problem = reduce_compare.ask(gyre, path, [*options, *safety])
        if problem or report["verdict"] != exact["verdict"]:
            return f"[{' '.join(options)}] {problem or report['verdict']}, exactly {exact['verdict']}", compiled
        seen[name] = report
        compiled = compiled or report["stats"]["backend"] == "native"
    if exact["verdict"] != "holds":
        return None, compiled
    for name in ("one", "two"):
        if counts(seen[name]) != counts(seen["vm"]):
            return f"[{name}] {counts(seen[name])}, on the virtual machine {counts(seen['vm'])}", compiled
    for name in ("vm", "one", "deep", "deep, three"):
        if unreached(seen[name]) != unreached(exact):
            return f"[{name}] not reached: {unreached(seen[name])}, exactly {unreached(exact)}", compiled
    return None, compiled


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gyre", default=os.path.join(ROOT, os.environ.get("GYRE", "build/gyre")))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1)))
    parser.add_argument("--keep", default=os.path.join(ROOT, "build", "reduce-failures"))
    given = parser.parse_args()
    tally, by_code = Tally(given.keep), 0
    with tempfile.TemporaryDirectory(prefix="gyre-reduce-") as folder, \
            concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        os.environ["GYRE_CACHE"] = os.path.join(folder, "cache")
        if shutil.which("tcc"):
            os.environ["GYRE_CC"] = "tcc"
        paths = []
        for seed in range(given.seed, given.seed + given.count):
            paths.append(os.path.join(folder, f"alone{seed}.pml"))
            with open(paths[-1], "w", encoding="utf-8") as out:
                out.write(MAKERS[seed % len(MAKERS)](seed))
        for path, (wrong, compiled) in zip(paths, pool.map(lambda p: check(given.gyre, p), paths)):
            by_code += compiled
            tally.add(path, wrong)
    tally.few_skipped(max(5, given.count // 3))
    if by_code < tally.passed // 2:
        tally.fail(f"{by_code} of {given.count} programs compiled: that tells too little")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
