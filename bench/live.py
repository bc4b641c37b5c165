#!/usr/bin/env python3
"""Liveness: Gyre's product search beside `pan -a`, one thread, every reduction off.

    bench/live.py [MODEL…]       a table on standard output
    bench/live.py --quick        smaller sizes: does it run, do the verdicts agree?

Both search the whole product, for the properties hold. Spin is given the claim that `gyre ltl`
makes (its own differ in size); so states of the two products may differ a little where Gyre's
automaton has acceptance on transitions. Times are CPU seconds of the search (user + system, best
of three, runs take turns), without compiling: for a machine that others use too.
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GYRE = os.path.join(HERE, "..", os.environ.get("GYRE", "build/gyre"))
PAN = ["-O3", "-w", "-DNOREDUCE", "-DMEMLIM=8000"]

CASES = [  # model, options, smaller options, formula
    ("peterson", ["-DN=4"], ["-DN=3"], "[]<> (inside == 1) -> []<> (inside == 0)"),
    ("leader", ["-DN=6", "-DSTEP=5"], ["-DN=5", "-DSTEP=2"], "<> (leaders == 1)"),
    ("elevator", ["-DFLOORS=5"], ["-DFLOORS=2"], "[] (open -> <> !open)"),
    ("readers_writers", ["-DR=3", "-DWR=3"], ["-DR=2", "-DWR=2"],
     "[] (writers == 1 -> <> (writers == 0))"),
    ("token_ring", ["-DN=5"], ["-DN=3"], "[]<> (used == 0) || <>[] (given > 0)"),
]


def timed(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout.decode(), seconds


def gyre(model, options, formula, folder):
    """(states of the product, verdict, CPU seconds)"""
    out, seconds = timed([os.path.abspath(GYRE), model, *options, "--exact", "--backend", "native",
                          "--threads", "1", "--check", "liveness", "--ltl", formula, "--json",
                          "--quiet"], folder)
    found = json.loads(out)["properties"][0]
    return found["states"], found["verdict"], seconds


def build_pan(model, options, formula, folder):
    claim = os.path.join(folder, "claim.never")
    with open(claim, "wb") as out:
        out.write(subprocess.run([os.path.abspath(GYRE), "ltl", f"!({formula})"],
                                 stdout=subprocess.PIPE, check=True).stdout)
    subprocess.run(["spin", "-a", "-o1", "-o2", "-o3", *options, "-N", claim, model], cwd=folder,
                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
    subprocess.run(["cc", *PAN, "-o", "pan", "pan.c"], cwd=folder, check=True)


def pan_sizes(folder):
    """Options that fit the search, so that Spin does not pay for room that it does not need."""
    out, _ = timed(["./pan", "-a", "-n", "-m10000000", "-w24"], folder)
    depth = int(re.search(r"depth reached (\d+)", out).group(1))
    states = int(re.search(r"(\d+) states, stored", out).group(1))
    return [f"-m{depth + depth // 10 + 1000}", f"-w{max(states.bit_length(), 16)}"]


def pan(folder, sizes):
    out, seconds = timed(["./pan", "-a", "-n", *sizes], folder)
    states = int(re.search(r"(\d+) states, stored", out).group(1))
    return states, "holds" if "errors: 0" in out else "violated", seconds


def measure(name, options, formula, rounds):
    with tempfile.TemporaryDirectory() as folder:
        model = name + ".pml"
        with open(os.path.join(HERE, "models", model), "rb") as source:
            with open(os.path.join(folder, model), "wb") as copy:
                copy.write(source.read())
        build_pan(model, options, formula, folder)
        sizes = pan_sizes(folder)
        gyre(model, options, formula, folder)  # compiles; the cache has it from now on
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(gyre(model, options, formula, folder))
            theirs.append(pan(folder, sizes))
    return min(ours, key=lambda run: run[2]), min(theirs, key=lambda run: run[2])


def main():
    quick = "--quick" in sys.argv
    wanted = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    agree = True
    print("| model | Gyre: states | CPU s | states/s | pan -a: states | CPU s | states/s | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for name, large, small, formula in CASES:
        if wanted and name not in wanted:
            continue
        ours, theirs = measure(name, small if quick else large, formula, 1 if quick else 3)
        agree = agree and ours[1] == theirs[1]
        rates = [run[0] / max(run[2], 1e-3) for run in (ours, theirs)]
        print(f"| {name} | {ours[0]:,} | {ours[2]:.2f} | {rates[0]:,.0f} | {theirs[0]:,} | "
              f"{theirs[2]:.2f} | {rates[1]:,.0f} | {rates[0] / rates[1]:.1f} |", flush=True)
        if ours[1] != theirs[1]:
            print(f"{name}: {ours[1]}, Spin says {theirs[1]}", file=sys.stderr)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
