#!/usr/bin/env python3
"""Every model of the tests by one process and over ranks: the same verdict of every property, and where a
safety property holds and nothing but --exact is asked for, the same states, transitions and levels.

    mpi_compare.py [--ranks 3] [--threads 1] [--every N] [--models GLOB] [--launcher mpich|openmpi|none] [OPTION …]

What --mpi refuses is counted apart. Options that are not known here go to gyre.
"""
import argparse
import glob
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
LAUNCHERS = {"mpich": ["mpiexec.mpich", "-n"], "openmpi": ["mpirun.openmpi", "-q", "--oversubscribe", "-n"]}


def run(command):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=600)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, {"verdict": "no report", "properties": [], "diagnostics": [],
                                 "text": done.stdout[-300:] + done.stderr[-500:]}


def rows(report, counts):
    found = []
    for p in report["properties"]:
        same = counts and p["kind"] == "safety" and p["verdict"] == "holds"
        found.append((p["name"], p["verdict"], (p["states"], p["transitions"], p["depth"]) if same else None))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--models", default="tests/models/*/*.pml")
    parser.add_argument("--launcher", choices=[*LAUNCHERS, "none"], default="mpich")
    arguments, options = parser.parse_known_args()
    before = [] if arguments.launcher == "none" else [*LAUNCHERS[arguments.launcher], str(arguments.ranks)]
    compared = refused = wrong = violated = 0
    for model in sorted(glob.glob(os.path.join(ROOT, arguments.models)))[::arguments.every]:
        model = os.path.relpath(model, ROOT)
        if "/rejected/" in model:
            continue
        status, alone = run([GYRE, model, "--json", *options])
        other_status, together = run([*before, GYRE, model, "--json", "--mpi", "--threads", str(arguments.threads), *options])
        why = [d["message"] for d in together["diagnostics"] if d["severity"] == "error"]
        if alone["verdict"] == "error" or (together["verdict"] == "error" and any("--mpi" in w for w in why)):
            refused += 1
            continue
        compared += 1
        violated += together["verdict"] == "violated"
        if status != other_status or rows(alone, "--exact" in options) != rows(together, "--exact" in options):
            wrong += 1
            print(f"DIFFERS {model}: {status} {rows(alone, True)}\n    over ranks: {other_status} {rows(together, True)} {why} {together.get('text', '')}")
    print(f"{compared} models compared ({violated} violated), {refused} refused, {wrong} differ")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
