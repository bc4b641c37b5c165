#!/usr/bin/env python3
# check: cli: --time where steps take long; seconds 8
"""--time holds where single steps of a model take long. Ends with `N passed, N failed`.

The clock is looked at before each state if there are only a few in a second; and who compiles in the background, which
means to execute some thousand steps first, gives up when nobody waits for it any more.
"""
import os
import sys
import tempfile

import harness
from harness import check, gyre

# 253 states; each step takes some hundredths of a second, or more.
MODEL = """\
int n;
byte turns;
active proctype p()
{
    do
    :: turns < 250 ->
        d_step {
            n = 0;
            do :: n < 4000000 -> n++ :: else -> break od;
            turns++
        }
    :: turns >= 250 -> break
    od
}
"""
WAYS = (["--backend", "vm"], ["--backend", "vm", "--search", "dfs", "--threads", "3"],
        ["--backend", "vm", "--search", "dfs", "--depth", "2000"],
        ["--backend", "vm", "--check", "liveness", "--ltl", "<> (turns == 255)"], ["--exact"], [],
        ["--backend", "vm", "--search", "best"])
STRATEGIES = ("guided", "random-dfs", "dfs", "bitstate", "random-walk", "pct", "context", "delay")


def is_ended_by_time(done, most=150):
    """By the search itself: ended by the watchdog it would have no figures; all states would take longer than that."""
    return done.status == 3 and done.json["stats"]["limit"] == "time" and done.json["properties"][0]["states"] < most


def hunts(path):
    """Each strategy has a loop of its own. Together they share the time, and none of them may be late."""
    for strategy in STRATEGIES:
        done = gyre("hunt", path, "--time", "1", "--json", "--backend", "vm", "--threads", "1", "--strategy", strategy)
        check(f"--time: slow steps, hunt, {strategy}", is_ended_by_time(done), done)
    done = gyre("hunt", path, "--time", "1", "--json", "--backend", "vm", "--threads", "3")
    check("--time: slow steps, hunt", is_ended_by_time(done), done)
    done = gyre("hunt", path, "--time", "1", "--json", "--backend", "vm", "--trials", "3", "--threads", "1")
    moves = [trial["states"] for strategy in done.json["strategies"] for trial in strategy["trials"]]
    check("--time: slow steps, trials", done.status == 3 and not done.json["finished"] and sum(moves) < 150, done)


def others(path, folder):
    """Commands that search in ways of their own."""
    done = gyre("stats", path, "--time", "1", "--json", "--backend", "vm")
    report = done.json
    check("--time: slow steps, stats", done.status == 3 and report["limit"] == "time" and report["states"] < 150, done)
    swarm = os.path.join(folder, "swarm")
    done = gyre("swarm", path, "--time", "1", "--json", "--dir", swarm, "--workers", "1")
    good = done.status == 3 and done.json["stats"]["limit"] == "time" and done.json["stats"]["swarm"]["jobs"] == 0
    check("--time: slow steps, swarm: no time to choose a guide", good, done)
    with open(path, encoding="utf-8") as source:  # the same model, where a step takes next to no time
        fast = source.read().replace("4000000", "20")
    with open(path, "w", encoding="utf-8") as out:
        out.write(fast)
    done = gyre("swarm", "--resume", swarm, "--json", "--time", "600")
    check("--time: slow steps, swarm: it goes on from there", done.status == 0 and done.json["properties"][0]["states"] == 253,
          done)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "slow_steps.pml")
        with open(path, "w", encoding="utf-8") as out:
            out.write(MODEL)
        os.environ["GYRE_CACHE"] = folder
        for options in WAYS:
            done = gyre(path, "--time", "1", "--json", *options)
            most = 150 if "vm" in options or "best" in options else 300  # compiled, a step takes some thousandths of a second
            check(f"--time: slow steps, {options}", is_ended_by_time(done, most), done)
        hunts(path)
        others(path, folder)
    return harness.end()


if __name__ == "__main__":
    sys.exit(main())
