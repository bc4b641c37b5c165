#!/usr/bin/env python3
# check: bench: benchmark driver; seconds 24
"""The benchmark driver works, notices wrong counts, and its results are what it wrote.

Ends with `N passed, N failed`.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(ROOT, "bench")
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
sys.path.insert(0, BENCH)

import bars  # noqa: E402
import render  # noqa: E402


def drive(folder, *arguments):
    """(exit status, output) of the driver in `folder`."""
    done = subprocess.run([sys.executable, os.path.join(folder, "run.py"), "--gyre", GYRE, *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    return done.returncode, done.stdout.decode(errors="replace")


def copy_of_bench(folder):
    there = os.path.join(folder, "bench")
    shutil.copytree(BENCH, there, ignore=shutil.ignore_patterns("__pycache__"))
    return there


def smoke():
    """Every section runs on small models, and the table of bars names what was measured."""
    status, output = drive(BENCH, "--quick")
    if status != 0:
        return output[-3000:]
    for title in render.TITLES.values():
        if f"## {title}" not in output:
            return f"no section {title}"
    table = output[output.index("## The bars"):]
    return None if table.count("\n| ") >= 10 else table


def wrong_count():
    """A count that is not Spin's ends with an error."""
    with tempfile.TemporaryDirectory() as folder:
        there = copy_of_bench(folder)
        sizes = os.path.join(there, "models", "sizes.tsv")
        with open(sizes) as f:
            text = f.read()
        with open(sizes, "w") as f:
            f.write(text.replace("\t2077\t5411\t", "\t2078\t5411\t"))
        status, output = drive(there, "--strength", "--models", "bank", "--size", "small", "--dry")
    return None if status == 1 and "MISMATCH" in output else f"exit status {status}: {output}"


def results_are_rendered():
    """results.md and the plots are what --render makes of results.json."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(BENCH, "results.json")) as f:
            render.write(folder, json.load(f))
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name)) as made, open(os.path.join(BENCH, name)) as kept:
                if made.read() != kept.read():
                    return f"bench/{name} is not what bench/run.py --render makes"
    return None


def row(model, **tools):
    return {"model": model, "options": [], "states": 2 * 10**6, "tools": tools}


def bars_are_judged():
    """On figures made up for the purpose: which bars are met is known."""
    def states(n):
        return {"states": n}

    means = {"native-plain-1": {"models": 2, "speed_ratio": 5.0},
             "native-tree-1": {"models": 2, "speed_ratio": 3.9},
             "default": {"models": 2, "end_ratio": 6.0}}
    results = {
        "speed": {"means": means, "threads": {"native-tree": 1.9, "native-plain": 1.7},
                  "rows": [row("a", **{"native-tree-1": {"bytes_per_state": 9.0}}),
                           row("b", **{"native-tree-1": {"bytes_per_state": 10.5}})]},
        "small": {"means": {"default": {"models": 2, "end_ratio": 9.0}}},
        "product": {"mean": 6.5, "rows": [{}]},
        "strength": {"mean": 0.4, "rows": [row("a", spin=states(100), all=states(101)),
                                           row("b", spin=states(100), all=states(16))]},
        "por": {"mean": 0.7, "worst": 0.5, "rows": [{**row("a"), "ratio": 0.5}]},
    }
    met = [judged[3] for judged in bars.of(results)]
    wanted = [True, False, True, False, True, False, False, True, False, True, False, True]
    return None if met == wanted else str(bars.of(results))


def main():
    failed = 0
    checks = [bars_are_judged, results_are_rendered, wrong_count, smoke]
    for check in checks:
        trouble = check()
        if trouble:
            failed += 1
            print(f"FAILED: {check.__name__}: {trouble}")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
