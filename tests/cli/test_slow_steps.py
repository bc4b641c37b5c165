#!/usr/bin/env python3
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
            do :: n < 2000000 -> n++ :: else -> break od;
            turns++
        }
    :: turns >= 250 -> break
    od
}
"""
WAYS = (["--backend", "vm"], ["--backend", "vm", "--search", "dfs", "--threads", "3"],
        ["--backend", "vm", "--search", "dfs", "--depth", "2000"],
        ["--backend", "vm", "--check", "liveness", "--ltl", "<> (turns == 255)"], ["--exact"], [])


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "slow_steps.pml")
        with open(path, "w", encoding="utf-8") as out:
            out.write(MODEL)
        os.environ["GYRE_CACHE"] = folder
        for options in WAYS:
            done = gyre(path, "--time", "1", "--json", *options)
            # Ended by the watchdog it would have no figures; all states would take longer than that.
            good = done.status == 3 and done.json["stats"]["limit"] == "time" and done.json["properties"][0]["states"] < 150
            check(f"--time: slow steps, {options}", good, done)
    return harness.end()


if __name__ == "__main__":
    sys.exit(main())
