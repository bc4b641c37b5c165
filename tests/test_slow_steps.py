#!/usr/bin/env python3
"""--time holds where single steps of a model take long. Ends with `N passed, N failed`.

The clock is looked at before each state if there are only a few in a second; and who compiles in the background, which
means to execute some thousand steps first, gives up when nobody waits for it any more.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))

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
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "slow_steps.pml")
        with open(path, "w", encoding="utf-8") as out:
            out.write(MODEL)
        for options in WAYS:
            done = subprocess.run([GYRE, path, "--time", "1", "--json", *options], capture_output=True, text=True,
                                  timeout=600, env=dict(os.environ, GYRE_CACHE=folder))
            # Ended by the watchdog, it would have no figures; all states would take long enough.
            try:
                report = json.loads(done.stdout)
                states, limit = report["properties"][0]["states"], report["stats"]["limit"]
            except (ValueError, KeyError, IndexError):
                states, limit = None, None
            good = done.returncode == 3 and limit == "time" and states is not None and states < 150
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"FAILED: {options}: status {done.returncode}, {states} states, limit {limit}\n{done.stdout}{done.stderr}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
