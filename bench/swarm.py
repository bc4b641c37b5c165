#!/usr/bin/env python3
"""Swarms: how much a job needs, and how often states are visited. Prints the tables of bench/swarm.md.

    bench/swarm.py [--size small|middle|large] [--workers N] [--only NAME] [--keep]

For each model the swarm's jobs may store at most 1.9 % of its states (counted by one exhaustive search
before, for the small and middle sizes; for the large ones by the swarm itself, whose count is exact where it
says so). `visited` is what all jobs together have expanded, those included that were ended by their limit;
redundancy is visited over states. The last column of the small table is the way of the paper: no cuts, every job begins
at the initial state; with no more than ten intervals, as that is bad enough.
"""
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GYRE = os.environ.get("GYRE", os.path.join(ROOT, "build", "gyre"))
# Defines for each size, and the limit of states where they are not counted first.
MODELS = {
    "transfer": {"small": ("LINES=2 SHORT=2 LEN=60", 0), "middle": ("LINES=2 SHORT=40 LEN=70", 0),
                 "large": ("LINES=3 SHORT=3 LEN=90", 2000000)},
    "commits": {"small": ("N=3 ROUNDS=80", 0), "middle": ("N=4 ROUNDS=80", 0), "large": ("N=5 ROUNDS=55 WORK=4", 2000000)},
    "log": {"small": ("N=2 ENTRIES=60", 0), "middle": ("N=3 ENTRIES=60", 0), "large": ("N=3 ENTRIES=240", 2000000)},
}


def run(*arguments):
    done = subprocess.run([GYRE, *arguments, "--json"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


def measure(name, size, workers, keep):
    defines, limit = MODELS[name][size]
    model = [os.path.join("bench", "swarm", name + ".pml")]
    for define in defines.split():
        model += ["-D", define]
    states = None
    if size != "large":
        full = run(*model, "--no-por", "--no-symmetry", "--check", "safety", "--search", "bfs")
        states = full["properties"][0]["states"]
        limit = states * 19 // 1000
    more = ["--dir", os.path.join(keep, f"{name}-{size}")] if keep else []
    told = run("swarm", *model, "--job-states", str(limit), "--workers", str(workers), *more)
    swarm, found = told["stats"]["swarm"], told["properties"][0]["states"]
    row = {"model": name, "defines": defines, "states": states or found, "exact": swarm["exact"], "verdict": told["verdict"],
           **{key: swarm[key] for key in ("guide", "traces", "jobs", "stages", "largest_job_states", "visited",
                                          "longest_job_seconds")}}
    row["share"] = row["largest_job_states"] / row["states"]
    row["redundancy"] = row["visited"] / row["states"]
    if states and swarm["exact"] and found != states:
        sys.exit(f"{name}: {found} states, not {states}")
    if size == "small":
        paper = run("swarm", *model, "--stage", "0", "--intervals", "10", "--guide",
                    swarm["guide"].split(" with ")[0])
        row["uncut"] = paper["stats"]["swarm"]["visited"] / states
        row["uncut_share"] = paper["stats"]["swarm"]["largest_job_states"] / states
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", default="small")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--keep", help="folder in which swarms are kept")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    print("| model | states | traces of the guide | jobs | stages | largest job | of the states | visited | redundancy |"
          + (" without cuts: redundancy, largest job |" if arguments.size == "small" else ""))
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|" + ("---:|" if arguments.size == "small" else ""))
    for name in MODELS:
        if arguments.only and arguments.only != name:
            continue
        row = measure(name, arguments.size, arguments.workers, arguments.keep)
        print(f"| {name} {row['defines']} | {row['states']:,}{'' if row['exact'] or arguments.size != 'large' else ' (about)'} | {row['traces']} | "
              f"{row['jobs']:,} | {row['stages']:,} | {row['largest_job_states']:,} | {row['share']:.2%} | {row['visited']:,} | "
              f"{row['redundancy']:.2f} |" + (f" {row['uncut']:.2f}, {row['uncut_share']:.1%} |" if "uncut" in row else ""), flush=True)
        if row["verdict"] != "holds":
            print(f"  {name}: {row['verdict']}", file=sys.stderr)


if __name__ == "__main__":
    main()
