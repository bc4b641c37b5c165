#!/usr/bin/env python3
"""Compare the search on a device with the search by the virtual machine: verdict, states, transitions.

    device_compare.py --count 10            random programs, and a model for each construct
    device_compare.py --models              all models of tests/models and bench/models
    device_compare.py MODEL ...

By default the device's kernels run on this machine (GYRE_DEVICE=host); with GYRE_DEVICE=cuda they
run on a graphics processor.  A failing program is kept as build/diff-failures/deviceN.pml.
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import flow_programs                                                # noqa: E402
import generate                                                     # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FAILURES = os.path.join(ROOT, "build", "diff-failures")
# One for each kind of thing that the code for a device does in its own way.
CONSTRUCTS = """control/for_array channels/sorted_send_mixed channels/random_receive channels/copy_receive
channels/rendezvous_ring channels/channel_array_index channels/struct_message control/atomic_loop
control/unless_nested timeout/repeated processes/death_in_stack_order processes/run_in_loop
processes/remote_variable types/self_index"""


def figures(gyre, model, backend, environment):
    """Verdict, states and transitions of an exhaustive search, and whether a device did it."""
    command = [gyre, model, "--check", "safety", "--exact", "--json", "--all-errors", "--time", "100",
               "--backend", backend]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode not in (0, 1):
        return ("status %d" % done.returncode, done.stderr[-300:], 0), False
    report = json.loads(done.stdout)
    safety = report["properties"][0]
    told = (report["verdict"], safety.get("states"), safety.get("transitions"))
    return told, report["stats"]["backend"] == "cuda"


def programs(folder, first, count):
    for seed in range(first, first + count):
        path = os.path.join(folder, f"device{seed}.pml")
        with open(path, "w") as f:
            f.write(flow_programs.program(seed) if seed % 2 else generate.program(seed))
        yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gyre", default=os.path.join(ROOT, "build/gyre"))
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*")
    o = parser.parse_args()
    equal = different = left = 0
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, GYRE_DEVICE=os.environ.get("GYRE_DEVICE", "host"),
                           GYRE_CACHE=os.path.join(folder, "cache"))
        models = o.files or (
            sorted(glob.glob(os.path.join(ROOT, "tests/models/*/*.pml"))) +
            sorted(glob.glob(os.path.join(ROOT, "bench/models/*.pml"))) if o.models else
            [os.path.join(ROOT, "tests/models", name + ".pml") for name in CONSTRUCTS.split()] +
            list(programs(folder, o.seed, o.count)))
        for model in models:
            truth, _ = figures(o.gyre, model, "vm", environment)
            if truth[0] not in ("holds", "violated"):
                continue
            told, there = figures(o.gyre, model, "cuda", environment)
            left += not there
            equal += there and told == truth
            if not there and o.verbose:
                print("left to the processors:", model)
            if told != truth:
                different += 1
                print("DIFFERENT:", model, "device", told, "machine", truth)
                os.makedirs(FAILURES, exist_ok=True)
                shutil.copy(model, FAILURES)
    print("%d equal, %d different, %d left to the processors" % (equal, different, left))
    return different > 0 or not equal


if __name__ == "__main__":
    sys.exit(main())
