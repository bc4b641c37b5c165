#!/usr/bin/env python3
"""Compare the search on a device with the search by the virtual machine: verdict, states, transitions.

    device_compare.py --count 10            random programs, and a model for each construct
    device_compare.py --models              all models of tests/models and bench/models
    device_compare.py MODEL ...
    device_compare.py --reduced ...         with partial-order reduction and symmetry

By default the device's kernels run on this machine (GYRE_DEVICE=host); with GYRE_DEVICE=cuda they
run on a graphics processor.  A failing program is kept as build/diff-failures/deviceN.pml.

The machine's answers can be found beforehand, elsewhere:

    device_compare.py --models --count 1000 --learn FILE
    device_compare.py --models --count 1000 --known FILE --jobs 16
"""
import argparse
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import flow_programs                                                # noqa: E402
import generate                                                     # noqa: E402
import priority_programs                                            # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FAILURES = os.path.join(ROOT, "build", "diff-failures")
# One for each kind of thing that the code for a device does in its own way.
CONSTRUCTS = """control/for_array channels/sorted_send_mixed channels/random_receive channels/copy_receive
channels/rendezvous_ring channels/channel_array_index channels/struct_message control/atomic_loop
control/unless_nested timeout/repeated processes/death_in_stack_order processes/run_in_loop
processes/remote_variable types/self_index"""


# For which partial-order reduction or symmetry does something.
REDUCED = """bench/models/readers_writers bench/models/producers bench/models/bank tests/models/channels/rendezvous_ring
tests/models/control/unless_nested tests/models/timeout/repeated"""


def figures(o, model, backend, environment, memory, seconds=200, exact=False):
    """Verdict, states and transitions of an exhaustive search, and what was said of the device."""
    command = [o.gyre, model, "--check", "safety", "--json", "--time", str(seconds), "--backend", backend]
    command += [] if o.reduced and not exact else ["--exact", "--all-errors"]
    done = subprocess.run(command + (["--memory", memory] if memory else []), capture_output=True, text=True,
                          env=environment, check=False)
    if done.returncode not in (0, 1):
        return ["status %d" % done.returncode, done.stderr[-300:], 0], "failed"
    report = json.loads(done.stdout)
    safety = report["properties"][0]
    if report["stats"]["limit"]:
        return ["status 3", report["stats"]["limit"], 0], "failed"
    told = [report["verdict"], safety.get("states"), safety.get("transitions")]
    if o.reduced and told[0] == "violated":
        told = [told[0], 0, 0]  # with a reduction, when it ends depends on the order
    why = re.search(r"no GPU was used: (.*)", done.stderr)
    return told, None if report["stats"]["backend"] == "cuda" else why.group(1) if why else "no word"


def programs(folder, first, count):
    for seed in range(first, first + count):
        path = os.path.join(folder, f"device{seed}.pml")
        with open(path, "w") as f:
            f.write(priority_programs.program(seed) if seed % 10 == 0 else
                    flow_programs.program(seed) if seed % 2 else generate.program(seed))
        yield path


def key_of(model):
    with open(model, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()[:24] + " " + os.path.basename(model)


def chosen_models(o, folder):
    if o.files:
        return o.files
    models = [path for pattern in ("tests/models/*/*.pml", "bench/models/*.pml")
              for path in sorted(glob.glob(os.path.join(ROOT, pattern)))] if o.models else \
             [os.path.join(ROOT, name + ".pml") for name in REDUCED.split()] if o.reduced else \
             [os.path.join(ROOT, "tests/models", name + ".pml") for name in CONSTRUCTS.split()]
    count = (0 if o.models else 10) if o.count is None else o.count
    return models + list(programs(folder, o.seed, count))


class Comparison:
    def __init__(self, o, environment):
        self.o, self.environment, self.known = o, environment, {}
        self.equal, self.different, self.unknown, self.late, self.between = 0, 0, 0, 0, 0
        self.start = time.monotonic()
        self.left = collections.Counter()
        if o.known:
            with open(o.known) as f:
                self.known = json.load(f)

    def learn(self, model):
        truth, _ = figures(self.o, model, "vm", self.environment, None)
        return key_of(model), truth

    def look(self, model):
        if self.o.seconds and time.monotonic() - self.start > self.o.seconds:
            return model, None, None, "no time"
        truth = self.known.get(key_of(model)) if self.known else self.learn(model)[1]
        if not truth or truth[0] not in ("holds", "violated"):
            return model, truth, None, None
        return (model, truth) + figures(self.o, model, "cuda", self.environment, self.o.memory, self.o.time)

    def judge(self, model, truth, told, left):
        if left == "no time":
            self.late += 1
        elif not told:
            self.unknown += 1
            if self.o.verbose:
                print("no answer of the machine:", model, truth)
        elif told[0] == "status 3":
            self.unknown += 1
            print("met a limit:", model, flush=True)
        elif told != truth and self.is_between(model, truth, told):
            self.between += 1
            if self.o.verbose:
                print("between:", model, "device", told, "machine", truth)
        elif told != truth:
            self.different += 1
            print("DIFFERENT:", model, "device", told, "machine", truth, flush=True)
            os.makedirs(FAILURES, exist_ok=True)
            shutil.copy(model, FAILURES)
        elif left:
            self.left[left] += 1
            if self.o.verbose:
                print("left to the processors:", model, left)
        else:
            self.equal += 1


    def is_between(self, model, truth, told):
        """States that the device hands back are expanded fully, even if they need not be."""
        if not self.o.reduced or told[0] != truth[0]:
            return False
        full, _ = figures(self.o, model, "vm", self.environment, None, exact=True)
        most = full[1] if full[0] in ("holds", "violated") else told[1]
        return truth[1] <= told[1] <= most

    def counts(self):
        return "%d equal, %d different, %s%d left to the processors, %d without an answer%s; %.0f s" % (
            self.equal, self.different,
            "%d between reduced and full, " % self.between if self.o.reduced else "",
            sum(self.left.values()), self.unknown,
            ", %d not tried" % self.late if self.late else "", time.monotonic() - self.start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gyre", default=os.path.join(ROOT, "build/gyre"))
    parser.add_argument("--count", type=int, help="of random programs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--reduced", action="store_true")
    parser.add_argument("--learn", help="write the machine's answers to this file, and compare nothing")
    parser.add_argument("--known", help="the machine's answers are in this file")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--memory", help="of the device, for each of them")
    parser.add_argument("--time", type=int, default=200, help="seconds for each of them on the device")
    parser.add_argument("--seconds", type=float, help="after these, nothing more is begun")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*")
    o = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        environment = dict(os.environ, GYRE_DEVICE=os.environ.get("GYRE_DEVICE", "host"),
                           GYRE_CACHE=os.path.join(folder, "cache"))
        comparison = Comparison(o, environment)
        models = chosen_models(o, folder)
        if o.learn:
            answers = dict(pool.map(comparison.learn, models))
            with open(o.learn, "w") as f:
                json.dump(answers, f, indent=0)
            print("%d answers" % len(answers))
            return 0
        for number, answer in enumerate(pool.map(comparison.look, models)):
            comparison.judge(*answer)
            if number % 100 == 99:
                print("%d of %d: %s" % (number + 1, len(models), comparison.counts()), flush=True)
    print(comparison.counts())
    for reason, count in comparison.left.most_common():
        print("  %4d %s" % (count, reason))
    return comparison.different > 0 or not comparison.equal


if __name__ == "__main__":
    sys.exit(main())
