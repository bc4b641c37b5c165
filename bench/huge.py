#!/usr/bin/env python3
"""One model at 10^7, 10^8, 10^9 and 10^10 states, in memory and with --disk: do time and bytes per state stay flat?

    huge.py [--threads N] [--disk DIR] [--consumers N] [--items N] [CAP[:MEMORY] …]

Each CAP is a size of bench/models/producers.pml (-DC=2 -DITEMS=2 -DCAP=…, unless options say otherwise): without MEMORY in memory, with one (60M, 2G …) on disk
with that limit. Prints a row of bench/huge.md for each, and says if counts of the same size differ. GYRE names another binary.
"""
import argparse
import json
import os
import resource
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
ROWS = ["6", "9", "16", "6:60M", "9:400M", "16:4G"]
HEAD = """| size | where | states | transitions | levels | search, s | CPU, ns/state | ns/state | memory, MB | bytes/state | disk, MB | bytes/state there | written, MB | read, MB | memory full |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"""


def row(size, memory, o):
    command = [GYRE, "bench/models/producers.pml", f"-DC={o.consumers}", f"-DITEMS={o.items}", f"-DCAP={size}", "--exact", "--check", "safety",
               "--backend", "native", "--json", "--threads", str(o.threads)]
    if memory:
        command += ["--disk", o.disk, "--memory", memory]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(done.stdout)
    p, stats = report["properties"][0], report["stats"]
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    states, seconds = p["states"], stats["search_seconds"]
    disk = stats.get("disk", {"bytes": 0, "states": 0, "written_bytes": 0, "read_bytes": 0, "emptied": 0})
    there = disk["bytes"] / disk["states"] if disk["states"] else 0
    print(f"| -DCAP={size} | {'disk, ' + memory if memory else 'memory'} | {states:,} | {p['transitions']:,} | {p['depth']} | "
          f"{seconds:.1f} | {busy / states * 1e9:.0f} | {seconds / states * 1e9:.1f} | {stats['memory_bytes'] / 1e6:,.0f} | "
          f"{stats['memory_bytes'] / states:.2f} | {disk['bytes'] / 1e6:,.0f} | {there:.2f} | {disk['written_bytes'] / 1e6:,.0f} | "
          f"{disk['read_bytes'] / 1e6:,.0f} | {disk['emptied']} |", flush=True)
    return report["verdict"], states, p["transitions"], p["depth"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--disk", default="/tmp")
    parser.add_argument("--consumers", type=int, default=2)
    parser.add_argument("--items", type=int, default=2)
    parser.add_argument("rows", nargs="*", default=ROWS)
    o = parser.parse_args()
    seen, wrong = {}, 0
    print(HEAD)
    for text in o.rows:
        size, _, memory = text.partition(":")
        told = row(size, memory, o)
        if seen.setdefault(size, told) != told:
            wrong += 1
            print(f"DIFFERENT: {seen[size]} and {told}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
