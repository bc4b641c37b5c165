#!/usr/bin/env python3
"""Measures the search on a graphics processor, beside the native backend on all processors and Spin.

    bench/gpu.py [--gyre PATH] [--native SECONDS] [--spin SECONDS] [--verifiers FOLDER]
    bench/gpu.py --prepare FOLDER      where Spin is: the sources of its verifiers, for a machine without it

For each model: states, transitions and levels, seconds from command to verdict with nothing in the
cache, seconds of it for the compiler, states a second of the rest, bytes of the device's memory per
state. The others get a time limit, and their rates are what counts: the native backend's without its
compiling, Spin's (-O3 -DSAFETY -DNOREDUCE, one core) by what it had stored when it was interrupted.
Prints bench/gpu.md's table and what is to be seen in it. Exit status 1: a bar is missed.
"""
import argparse
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Eight of 10^8 to 10^10 states each, then larger ones.
EIGHT = """anderson -DN=5
szymanski -DN=5
phils -DN=14
lamport -DN=5
peterson -DN=5
mcs -DN=5
alternating_bit -DCAP=8
sliding_window -DW=3 -DCAP=4""".splitlines()
LARGER = """anderson -DN=5 -DWORK=3
bakery -DN=4 -DMAX=29""".splitlines()
PARTS = ["pan.c", "pan.h", "pan.m", "pan.t", "pan.b", "pan.p"]


def model_of(row):
    model, *options = row.split()
    return os.path.join(ROOT, "bench/models", model + ".pml"), options


def gyre(o, row, backend, limit, cache):
    model, options = model_of(row)
    command = [o.gyre, model, *options, "--check", "safety", "--exact", "--json", "--backend", backend,
               "--time", str(limit)]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**os.environ, "GYRE_CACHE": cache})
    seconds = time.monotonic() - start
    found = re.search(r"code for it (?:from the cache )?in ([0-9.]+) s", done.stderr)
    return json.loads(done.stdout), seconds, float(found.group(1)) if found else 0


def native_rate(o, row, cache):
    """Twice, the second time with the code in the cache."""
    gyre(o, row, "native", 0.01, cache)
    report, seconds, _ = gyre(o, row, "native", o.native, cache)
    return report["properties"][0]["states"] / seconds / 1e6


# ---- Spin ------------------------------------------------------------------------------------


def folder_of(row):
    return re.sub(r"[^a-z0-9]+", "_", row.lower())


def make_sources(row, folder):
    model, options = model_of(row)
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["spin", "-a", *options, model], cwd=folder, check=True, capture_output=True)
    for name in os.listdir(folder):
        if name not in PARTS:
            os.remove(os.path.join(folder, name))


def spin_rate(o, row, room):
    """None: neither Spin nor sources made by it are here."""
    folder = os.path.join(room, folder_of(row))
    if o.verifiers:
        shutil.copytree(os.path.join(o.verifiers, folder_of(row)), folder)
    elif shutil.which("spin"):
        make_sources(row, folder)
    else:
        return None
    subprocess.run(["cc", "-O3", "-march=native", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=60000", "-o", "pan",
                    "pan.c"], cwd=folder, check=True)
    with subprocess.Popen(["./pan", "-m10000000", "-w28", "-n"], cwd=folder, stdout=subprocess.PIPE,
                          text=True) as pan:
        start = time.monotonic()
        try:
            pan.wait(o.spin)
        except subprocess.TimeoutExpired:
            pan.send_signal(signal.SIGINT)
        seconds = time.monotonic() - start
        out = pan.communicate()[0]
    found = re.search(r"([0-9.e+]+) states, stored", out)
    return float(found.group(1)) / seconds / 1e6 if found else None


# ---- the table ---------------------------------------------------------------------------------


def shown(rate):
    return "–" if rate is None else "%.1f" % rate


def row_of(o, row, room):
    cache = tempfile.mkdtemp(dir=room)
    os.chmod(cache, 0o700)
    report, seconds, compiling = gyre(o, row, "cuda", o.limit, cache)
    safety, stats = report["properties"][0], report["stats"]
    on_device = stats["backend"] == "cuda"
    rate = safety["states"] / max(seconds - compiling, 1e-9) / 1e6
    native = native_rate(o, row, cache) if o.native else None
    spin = spin_rate(o, row, room) if o.spin else None
    print("| %s | %s | %s | %s | %d | %.2f | %.2f | %.0f | %.1f | %s | %s |" % (
        row, report["verdict"] if on_device else "NOT ON THE DEVICE", f"{safety['states']:,}",
        f"{safety['transitions']:,}", safety["depth"], seconds, compiling, rate, stats["bytes_per_state"],
        shown(native), shown(spin)), flush=True)
    good = on_device and report["verdict"] == "holds"
    return {"row": row, "states": safety["states"] if good else 0, "rate": rate if good else 1e-9,
            "seconds": seconds, "bytes": stats["bytes_per_state"]}


def bars(eight, larger):
    """What the table is to show: (is it so, in words)."""
    mean = math.exp(sum(math.log(r["rate"]) for r in eight) / len(eight))
    fast = max((r for r in eight + larger if r["states"] > 1e9), key=lambda r: r["rate"], default=None)
    most = max(eight + larger, key=lambda r: r["states"])
    soon = min((r["seconds"] for r in eight if r["states"] >= 1e8), default=math.inf)
    late = max((r["seconds"] for r in eight if 1e8 <= r["states"] < 1e9), default=math.inf)
    yield mean >= 250, "geometric mean of the first eight: %.0f million states a second (250 wanted)" % mean
    yield bool(fast and fast["rate"] >= 1000), "fastest above 10^9 states: %s at %.0f million states a second (1,000)" % (
        fast["row"] if fast else "none", fast["rate"] if fast else 0)
    yield most["states"] > 1e10, "largest: %s with %s states, complete, in %.1f s, at %.1f bytes per state (10^10)" % (
        most["row"], f"{most['states']:,}", most["seconds"], most["bytes"])
    yield soon < 5, "command to verdict of 10^8 states, compiling included: %.2f s at best, %.2f s at worst (5)" % (soon, late)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gyre", default=os.path.join(ROOT, "build/gyre"))
    parser.add_argument("--native", type=float, default=6, help="seconds for the native backend; 0: not at all")
    parser.add_argument("--spin", type=float, default=6, help="seconds for Spin; 0: not at all")
    parser.add_argument("--limit", type=float, default=60, help="seconds for the device")
    parser.add_argument("--verifiers", help="sources that --prepare has made")
    parser.add_argument("--prepare", metavar="FOLDER")
    parser.add_argument("--models", default="", help="only rows that contain this")
    o = parser.parse_args()
    wanted = [[r for r in rows if o.models in r] for rows in (EIGHT, LARGER)]
    if o.prepare:
        for row in wanted[0] + wanted[1]:
            make_sources(row, os.path.join(os.path.abspath(o.prepare), folder_of(row)))
        return 0
    print("| model | verdict | states | transitions | levels | command to verdict, s | compiling, s | million states/s"
          " | bytes/state | native, all cores | Spin |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as room:
        eight, larger = [[row_of(o, row, room) for row in rows] for rows in wanted]
    missed = False
    for good, text in bars(eight, larger) if eight else []:
        missed = missed or not good
        print("\n%s: %s" % ("reached" if good else "MISSED", text))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
