#!/usr/bin/env python3
"""The search on a device against the search by the virtual machine: verdicts, states, transitions.

    compare.py [MODEL ...]     all models of tests/models and bench/models, or those named

GYRE_DEVICE=host (the default here) runs the device's kernels on this machine; GYRE_DEVICE=cuda runs
them on a graphics processor. Ends with one line: N equal, N different, N left to the processors.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GYRE = os.environ.get("GYRE", str(ROOT / "build" / "gyre"))


def figures(model, backend):
    """Verdict, states and transitions of an exhaustive search, and whether a device did it."""
    command = [GYRE, str(model), "--check", "safety", "--exact", "--json", "--all-errors", "--time", "60", "--backend", backend]
    environment = dict(os.environ, GYRE_DEVICE=os.environ.get("GYRE_DEVICE", "host"))
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode not in (0, 1):
        return ("status %d" % done.returncode, 0, 0), False
    report = json.loads(done.stdout)
    safety = report["properties"][0]
    return (report["verdict"], safety.get("states"), safety.get("transitions")), report["stats"]["backend"] == "cuda"


def main():
    models = [pathlib.Path(name) for name in sys.argv[1:]]
    if not models:
        models = sorted((ROOT / "tests/models").glob("*/*.pml")) + sorted((ROOT / "bench/models").glob("*.pml"))
    equal = different = left = 0
    for model in models:
        truth, _ = figures(model, "vm")
        if truth[0].startswith("status"):
            continue
        told, there = figures(model, "cuda")
        if not there:
            left += 1
            print("left:", model)
        elif told == truth:
            equal += 1
        else:
            different += 1
            print("DIFFERENT:", model, "device", told, "machine", truth)
    print("%d equal, %d different, %d left to the processors" % (equal, different, left))
    return different > 0 or not equal


if __name__ == "__main__":
    sys.exit(main())
