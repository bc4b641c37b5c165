#!/usr/bin/env python3
"""Time to the error of `gyre hunt` beside Spin, on models with a seeded deep error whose state space is
beyond 10^9 (bench/hunt_space.py): bench/hunt/deep.md.

    bench/hunt.py [--gyre PROGRAM] [--seconds N] [--runs N] [MODEL...]

Spin's default search is one depth-first search, run with each of several depths (pan -m200, -m10000, which is Spin's own
default, -m1000000): the fastest of them is told, with its depth. Its swarm is two of them at once with
-DBITSTATE, -DP_RAND and -DT_RAND and seeds of their own (-RS), begun again with other seeds for as long
as there is time. All have two cores and the same time. The runs of one model follow one another, each time
with other seeds; the middle one of them is told. What has found nothing is not run again.

From the model to the error: for Spin `spin -a`, the compiler and pan, for Gyre the whole command, which reads
the model, makes the counterexample short and tells it. The run of pan alone is told as well. Beside each time
that has passed stands that of the processors, over all cores, which other work on the machine changes less.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CC = ["gcc", "-O2", "-w", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=4000"]
CORES = 2
DEPTHS = (200, 10000, 1000000)


class Spent:
    """Seconds that have passed, and those of the processors."""

    def __init__(self, wall=0.0, cpu=0.0, how=""):
        self.wall, self.cpu, self.how = wall, cpu, how

    def __add__(self, other):
        return Spent(self.wall + other.wall, self.cpu + other.cpu, self.how or other.how)

    def __str__(self):
        return f"{self.wall:.2f} s ({self.cpu:.2f})" + (f" {self.how}" if self.how else "")


def used_by(process):
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return used.ru_utime + used.ru_stime


def call(command, **more):
    """(output, what it took)"""
    begun = time.monotonic()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, text=True, **more)
        cpu = used_by(process)
        out.seek(0)
        return out.read(), Spent(time.monotonic() - begun, cpu)


def hunt(gyre, model, seconds, seed):
    """(what it took or None, seconds of the search alone, which search, steps told)"""
    text, spent = call([gyre, "hunt", model, "--threads", str(CORES), "--time", str(seconds), "--seed", str(seed), "--json"])
    report = json.loads(text)
    if report["verdict"] != "violated":
        return None
    stats = report["stats"]
    who = [each["strategy"] + (" by " + each["heuristic"] if each["heuristic"] else "") for each in stats["hunt"] if each["errors"]]
    return spent, stats["search_seconds"], ", ".join(who), report["properties"][0]["counterexample"]["length"]


def build(folder, model, flags):
    _, made = call(["spin", "-a", model], cwd=folder)
    return made + call(CC + flags + ["-o", "pan", "pan.c"], cwd=folder)[1]


def has_error(output):
    return "errors: 0" not in output and "errors:" in output


def end(process):
    process.kill()
    return used_by(process)


class Pan:
    """A run of pan whose output goes to a file."""

    def __init__(self, folder, *options):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(["./pan", *options], cwd=folder, stdout=self.log, stderr=subprocess.DEVNULL)
        self.cpu = 0.0

    def is_over(self):
        pid, _, used = os.wait4(self.process.pid, os.WNOHANG)
        if pid:
            self.process.returncode = 0
            self.cpu = used.ru_utime + used.ru_stime
        return bool(pid)

    def found(self):
        self.log.seek(0)
        return has_error(self.log.read())


def spin_default(folder, seconds, depth):
    begun = time.monotonic()
    pan = Pan(folder, f"-m{depth}")
    while not pan.is_over():
        if time.monotonic() - begun > seconds:
            end(pan.process)
            return None
        time.sleep(0.001)
    return Spent(time.monotonic() - begun, pan.cpu, f"-m{depth}") if pan.found() else None


def fastest(spents):
    return min((spent for spent in spents if spent), key=lambda spent: spent.wall, default=None)


def spin_swarm(folder, seconds, seed):
    places = []
    for core in range(CORES):
        place = os.path.join(folder, str(core))
        shutil.rmtree(place, ignore_errors=True)
        os.mkdir(place)
        shutil.copy(os.path.join(folder, "pan"), place)
        places.append(place)
    begun, running, found, cpu = time.monotonic(), {}, None, 0.0
    while found is None and time.monotonic() - begun < seconds:
        for place in places:
            if place not in running:
                seed += 1
                running[place] = Pan(place, "-m100000", "-w24", f"-RS{seed}")
        time.sleep(0.001)
        for place in list(running):
            pan = running[place]
            if pan.is_over():
                cpu += pan.cpu
                found = time.monotonic() - begun if pan.found() else found
                del running[place]
    cpu += sum(end(pan.process) for pan in running.values())
    return Spent(found, cpu) if found is not None else None


def middle(runs):
    return sorted(runs, key=lambda spent: spent.wall)[len(runs) // 2] if all(runs) and runs else None


def told(spent):
    return "-" if spent is None else str(spent)


def first(mine, others):
    return mine is not None and all(other is None or mine.wall < other.wall for other in others)


def again(runs, run):
    """Another run, unless one has found nothing."""
    if not runs or runs[-1]:
        runs.append(run())


def measure(gyre, model, seconds, runs):
    hunts, swarms, by_depth = [], [], {depth: [] for depth in DEPTHS}
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        made, made_swarm = build(one, model, []), build(other, model, ["-DBITSTATE", "-DP_RAND", "-DT_RAND"])
        for number in range(runs):
            hunts.append(hunt(gyre, model, seconds, number + 1))
            for depth, plain in by_depth.items():
                again(plain, lambda d=depth: spin_default(one, seconds, d))
            again(swarms, lambda n=number: spin_swarm(other, seconds, 1000 * n))
    found = all(hunts)
    mine = middle([each[0] for each in hunts]) if found else None
    typical = next(each for each in hunts if each and each[0] is mine) if found else (None, 0, "", 0)
    worst = max((each[0].wall for each in hunts), default=0) if found else None
    plain, swarm = fastest(middle(plain) for plain in by_depth.values()), middle(swarms)
    return {"mine": mine, "worst": worst, "search": statistics.median(each[1] for each in hunts) if found else None,
            "who": typical[2], "steps": typical[3], "plain": plain, "swarm": swarm, "made": made,
            "plain_all": plain and plain + made, "swarm_all": swarm and swarm + made_swarm}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gyre", default=os.path.join(HERE, "..", "build", "gyre"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--out", default=os.path.join(HERE, "hunt", "deep.md"))
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    folder = os.path.join(HERE, "hunt", "deep")
    names = arguments.models or sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".pml"))
    lines, found, ahead, ahead_alone = [], 0, 0, 0
    for name in names:
        model = os.path.abspath(os.path.join(folder, name + ".pml"))
        m = measure(os.path.abspath(arguments.gyre), model, arguments.seconds, arguments.runs)
        is_first = first(m["mine"], (m["plain_all"], m["swarm_all"]))
        is_first_alone = first(m["mine"], (m["plain"], m["swarm"]))
        found += m["mine"] is not None and m["worst"] <= 60
        ahead += is_first
        ahead_alone += is_first_alone
        search = "-" if m["search"] is None else f"{m['search']:.2f} s"
        lines.append(f"| {name} | {told(m['mine'])} | {search} | {m['who']} | {m['steps']:,} | {told(m['plain_all'])} | {told(m['swarm_all'])} | "
                     f"{told(m['plain'])} | {told(m['swarm'])} |")
        print(f"{name:12} gyre {told(m['mine']):>16} ({m['who']}), spin {told(m['plain_all']):>16}, swarm {told(m['swarm_all']):>16}; "
              f"pan alone {told(m['plain']):>16}, {told(m['swarm']):>16}{'  first' if is_first else ''}{', of pan alone too' if is_first_alone else ''}",
              flush=True)
    count = len(names)
    summary = (f"`gyre hunt` found {found} of {count} within a minute and was first on {ahead}; against the run of pan alone, without "
               f"`spin -a` and the compiler, on {ahead_alone}.")
    how = "one run" if arguments.runs == 1 else f"the middle one of {arguments.runs} runs"
    text = ["# Seeded deep errors", "", f"Two cores, {arguments.seconds:g} s each, {how}; made by `bench/hunt.py`, which says what is measured. `-`: nothing",
            "found in that time. Wall-clock seconds, and CPU seconds in parentheses. How large the models are: [space.md](space.md).", "",
            "| model | gyre hunt | its search alone | found by | steps | Spin, best depth | Spin, bitstate swarm of two | pan alone, best depth | pan alone, swarm |",
            "|---|---|---|---|---|---|---|---|---|", *lines, "", summary, ""]
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    print(summary)
    return 0 if found == count and ahead >= min(10, count) else 1


if __name__ == "__main__":
    raise SystemExit(main())
