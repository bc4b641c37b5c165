#!/usr/bin/env python3
"""Time to the error of `gyre hunt` beside Spin, on models with a seeded deep error whose state space is
far beyond 10^9: bench/hunt/deep.md.

    bench/hunt.py [--gyre PROGRAM] [--seconds N] [MODEL...]

Spin's default search is one depth-first search (pan -m1000000); its swarm is two of them at once with
-DBITSTATE, -DP_RAND and -DT_RAND and seeds of their own (-RS), begun again with other seeds for as long
as there is time. All have two cores and the same time. For Spin the time of `spin -a` and of the
compiler is told apart and does not count. For Gyre all of it counts, from the command to its end: making
the counterexample short and telling it are part of that.
"""
import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CC = ["gcc", "-O2", "-w", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=4000"]


def hunt(gyre, model, seconds):
    """(seconds in all or None, those of the search alone, which search, steps told)"""
    begun = time.monotonic()
    done = subprocess.run([gyre, "hunt", model, "--threads", "2", "--time", str(seconds), "--json"], capture_output=True, text=True)
    total = time.monotonic() - begun
    report = json.loads(done.stdout)
    if report["verdict"] != "violated":
        return None, total, "", 0
    stats = report["stats"]
    who = [each["strategy"] + (" by " + each["heuristic"] if each["heuristic"] else "") for each in stats["hunt"] if each["errors"]]
    steps = report["properties"][0]["counterexample"]["length"]
    return total, stats["search_seconds"], ", ".join(who), steps


def build(folder, model, flags):
    begun = time.monotonic()
    subprocess.run(["spin", "-a", model], cwd=folder, check=True, capture_output=True)
    subprocess.run(CC + flags + ["-o", "pan", "pan.c"], cwd=folder, check=True)
    return time.monotonic() - begun


def has_error(output):
    return "errors: 0" not in output and "errors:" in output


def spin_default(model, seconds):
    with tempfile.TemporaryDirectory() as folder:
        made = build(folder, model, [])
        begun = time.monotonic()
        try:
            done = subprocess.run(["./pan", "-m1000000"], cwd=folder, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return None, made
        spent = time.monotonic() - begun
        return (spent if has_error(done.stdout) else None), made


def spin_swarm(model, seconds, cores=2):
    with tempfile.TemporaryDirectory() as folder:
        made = build(folder, model, ["-DBITSTATE", "-DP_RAND", "-DT_RAND"])
        places = []
        for core in range(cores):
            place = os.path.join(folder, str(core))
            os.mkdir(place)
            shutil.copy(os.path.join(folder, "pan"), place)
            places.append(place)
        begun, seed, running, found = time.monotonic(), 0, {}, None
        while found is None and time.monotonic() - begun < seconds:
            for place in places:
                if place not in running:
                    seed += 1
                    log = open(os.path.join(place, "log"), "w+", encoding="utf-8")
                    running[place] = (subprocess.Popen(["./pan", "-m100000", "-w24", f"-RS{seed}"], cwd=place, stdout=log,
                                                       stderr=subprocess.DEVNULL), log)
            time.sleep(0.005)
            for place in list(running):
                process, log = running[place]
                if process.poll() is None:
                    continue
                log.seek(0)
                if has_error(log.read()):
                    found = time.monotonic() - begun
                log.close()
                del running[place]
        for process, log in running.values():
            process.kill()
            process.wait()
            log.close()
        return found, made


def told(seconds):
    return "-" if seconds is None else f"{seconds:.2f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gyre", default=os.path.join(HERE, "..", "build", "gyre"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--out", default=os.path.join(HERE, "hunt", "deep.md"))
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    folder = os.path.join(HERE, "hunt", "deep")
    names = arguments.models or sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".pml"))
    lines, found, first = [], 0, 0
    for name in names:
        model = os.path.abspath(os.path.join(folder, name + ".pml"))
        mine, total, who, steps = hunt(os.path.abspath(arguments.gyre), model, arguments.seconds)
        plain, made = spin_default(model, arguments.seconds)
        swarm, _ = spin_swarm(model, arguments.seconds)
        found += mine is not None
        ahead = mine is not None and all(other is None or mine < other for other in (plain, swarm))
        first += ahead
        lines.append(f"| {name} | {told(mine)} | {who} | {steps:,} | {told(total)} | {told(plain)} | {told(swarm)} | {told(made)} |")
        print(f"{name:12} gyre {told(mine):>9} ({who}), spin {told(plain):>9}, swarm {told(swarm):>9}{'  first' if ahead else ''}", flush=True)
    text = ["# Seeded deep errors", "", f"Two cores, {arguments.seconds:g} s each; made by `bench/hunt.py`, which says what is measured. `-`: nothing found in that",
            "time. Spin's times are without those of `spin -a` and of the compiler, which are in the last column.", "",
            "| model | gyre hunt | found by | steps told | search alone | Spin, default | Spin, bitstate swarm of two | making pan |",
            "|---|---|---|---|---|---|---|---|", *lines, "",
            f"`gyre hunt` found {found} of {len(names)} and was first on {first}.", ""]
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    print(f"found {found} of {len(names)}, first on {first}")
    return 0 if found == len(names) and first >= min(10, len(names)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
