#!/usr/bin/env python3
"""One search over ranks against one process, on the same processors.

    bench/mpi.py [--size small|large] [--ranks 4] [--launcher mpirun.mpich]

Runs bench/models/producers.pml in one process with as many threads as there are processors, then over ranks with one
thread each, and prints wall and processor times of both, their ratios, and how even the ranks are. large: 111,699,324
states, about a minute where nothing else runs, and 2 GB; small: 13,866,876. To be run on a machine that is quiet.
"""
import argparse
import os
import resource
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
CAPACITY = {"small": 6, "large": 9}
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def measure(title, command):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT, check=False)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {result.returncode}\n{result.stdout}{result.stderr}")
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    told = [line for line in result.stdout.splitlines() if " states, " in line or "a rank has stored" in line]
    print(f"{title}: {wall:.1f} s, {processor:.1f} s of processor time", *told, sep="\n  ", flush=True)
    return wall, processor


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", choices=sorted(CAPACITY), default="small")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--launcher", default="mpirun.mpich")
    arguments = parser.parse_args()
    model = [GYRE, "bench/models/producers.pml", "-DC=2", f"-DCAP={CAPACITY[arguments.size]}", "--exact"]
    model += ["--check", "safety", "--backend", "native", "--verbose"]
    more = ["--oversubscribe"] if "openmpi" in arguments.launcher else []
    alone = measure("one process", model)
    ranks = measure(
        f"{arguments.ranks} ranks",
        [arguments.launcher, *more, "-n", str(arguments.ranks), *model, "--mpi", "--threads", "1"],
    )
    print(f"ratio: {ranks[0] / alone[0]:.2f} of the time, {ranks[1] / alone[1]:.2f} of the processor time")


if __name__ == "__main__":
    main()
