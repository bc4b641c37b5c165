#!/usr/bin/env python3
"""Measures the search on a graphics processor, beside the native backend on all processors.

    bench/gpu.py [--gyre PATH] [--native SECONDS]

For each model: states, transitions and levels, seconds from command to verdict, seconds of it for the
compiler, states a second of the rest. The native backend gets a time limit; its rate is what counts.
Prints the rows of bench/gpu.md.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROWS = """anderson -DN=5
szymanski -DN=5
phils -DN=14
lamport -DN=5
peterson -DN=5
mcs -DN=5
alternating_bit -DCAP=8
sliding_window -DW=3 -DCAP=4
anderson -DN=5 -DWORK=3
bakery -DN=4 -DMAX=29"""


def measure(gyre, model, options, backend, limit):
    command = [gyre, os.path.join(ROOT, "bench/models", model + ".pml"), *options, "--check", "safety", "--exact",
               "--json", "--backend", backend, "--time", str(limit)]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    report = json.loads(done.stdout)
    found = re.search(r"code for it (?:from the cache )?in ([0-9.]+) s", done.stderr)
    return report, seconds, float(found.group(1)) if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gyre", default=os.path.join(ROOT, "build/gyre"))
    parser.add_argument("--native", type=float, default=10)
    parser.add_argument("--limit", type=float, default=100)
    o = parser.parse_args()
    print("| model | verdict | states | transitions | levels | command to verdict, s | compiling, s | million states/s"
          " | native, all processors |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in ROWS.splitlines():
        model, *options = row.split()
        report, seconds, compiling = measure(o.gyre, model, options, "cuda", o.limit)
        safety = report["properties"][0]
        rate = safety["states"] / max(seconds - compiling, 1e-9) / 1e6
        native = ""
        if o.native:
            other, spent, _ = measure(o.gyre, model, options, "native", o.native)
            native = "%.1f" % (other["properties"][0]["states"] / spent / 1e6)
        print("| %s | %s | %s | %s | %d | %.2f | %.2f | %.0f | %s |" % (
            row, report["verdict"], f"{safety['states']:,}", f"{safety['transitions']:,}", safety["depth"], seconds,
            compiling, rate, native), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
