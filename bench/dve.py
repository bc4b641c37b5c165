#!/usr/bin/env python3
"""DVE beside Promela: the same models, compiled, with all their states, in one thread.

    dve.py [--gyre PROGRAM] [--rounds N] [MODEL ...]

Each model of published.tsv in a larger size, as it is and as `gyre convert` writes it in Promela (both
have the same states). Runs alternate; the least processor time of each counts. The aim: in DVE at most
1.2 times that of Promela. Exit status 1 if a model misses it.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = {"peterson": ["N=4"], "bakery": ["N=3"], "szymanski": ["N=4"], "lamport": ["N=4"],
         "anderson": ["N=5"], "phils": ["N=12"], "elevator2": ["N=12"], "loyd": ["WIDE=3", "HIGH=3"]}
AIM = 1.2


def run(program, arguments):
    """(processor seconds, states)"""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(write, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execv(program, [program, *arguments])
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as out:
        report = json.loads(out.read())
    _, _, usage = os.wait4(child, 0)
    return usage.ru_utime + usage.ru_stime, report["properties"][0]["states"]


def measure(args, model, folder):
    source = os.path.join(ROOT, "bench/models", model + ".mdve")
    target = os.path.join(folder, model + ".pml")
    sizes = [word for size in SIZES[model] for word in ("-D", size)]
    subprocess.run([args.gyre, "convert", source, "-o", target, *sizes], check=True)
    options = ["--exact", "--check", "safety", "--json", "--backend", "native", "--threads", "1"]
    calls = [[source, *sizes, *options], [target, *options]]
    times, states = [[], []], [0, 0]
    for attempt in range(args.rounds + 1):
        for i, call in enumerate(calls):
            seconds, states[i] = run(args.gyre, call)
            if attempt > 0:  # the first one compiles
                times[i].append(seconds)
    return states, [min(t) for t in times]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*", default=sorted(SIZES))
    parser.add_argument("--gyre", default=os.path.join(ROOT, "build/gyre"))
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    missed = 0
    print("| model | states | DVE, s | Promela, s | ratio |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for model in args.models:
            states, seconds = measure(args, model, folder)
            ratio = seconds[0] / seconds[1]
            missed += ratio > AIM or states[0] != states[1]
            print("| %s %s | %s | %.2f | %.2f | %.2f |" % (
                model, " ".join(SIZES[model]), format(states[0], ","), *seconds, ratio), flush=True)
            if states[0] != states[1]:
                print("%s: %d states in Promela" % (model, states[1]))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
