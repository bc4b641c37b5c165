#!/usr/bin/env python3
# check: reduce: provisos cost nothing; seconds 2
"""What it costs to put nothing off for ever, on a system with a load balancer.

Evangelista and Pajault, "Some solutions to the ignoring problem" (SPIN 2007), Table 1: on their load
balancing system the usual proviso of a depth-first search (a state whose reduced successors are all
on the stack is expanded fully) makes 8.75 times the states of a reduction without any proviso,
which would be unsound; theirs makes none more. Their models are Petri nets that the paper does not
show, so the cells cannot be had, but the relations can. build/tools/reduce_check tells the numbers
without a proviso and with the plain ones; it shares nothing with Gyre's engines.

GYRE names another binary, TOOLS the folder of the tools. Ends with `N passed, N failed`.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
TOOL = os.path.join(ROOT, os.environ.get("TOOLS", "build/tools"), "reduce_check")

# Clients ask the balancer, who sends them to the server with the least load.
LOAD_BALANCING = """chan ask = [0] of { byte };
chan serve[SERVERS] = [CLIENTS] of { byte };
chan answer[CLIENTS] = [1] of { bit };
byte load[SERVERS];
active [CLIENTS] proctype client() {
  do :: ask!_pid; answer[_pid]?_; skip od
}
active [SERVERS] proctype server() {
  byte c;
  do :: serve[_pid - CLIENTS]?c; skip; load[_pid - CLIENTS]--; answer[c]!1 od
}
active proctype balancer() {
  byte c, i, best;
  do
  :: ask?c;
     d_step {
       best = 0; i = 1;
       do
       :: i < SERVERS -> if :: load[i] < load[best] -> best = i :: else fi; i++
       :: else -> break
       od;
       i = 0; load[best]++
     }
     serve[best]!c
  od
}
"""
STATEMENTS = ["--no-merge", "--no-dead", "--no-slice", "--no-symmetry"]  # as the tool


def gyre(path, *options):
    done = subprocess.run([GYRE, path, "--json", *STATEMENTS, *options], timeout=300,
                          stdout=subprocess.PIPE)
    return schema.report(done.stdout)["properties"][0]["states"]


def same_states():
    """Processes that come and go, states of many lengths: some successors come from compiled code and
    are taken in many states at a time, some from the machine. Counts are the same however they come."""
    path = os.path.join(ROOT, "bench", "models", "spawn.pml")
    ways = [["--backend", "vm", "--threads", "1"], ["--backend", "native", "--threads", "1"],
            ["--backend", "native", "--threads", "2"],
            ["--backend", "native", "--threads", "2", "--store", "plain"]]
    return len({gyre(path, "-DCLIENTS=3", "-DLIMIT=8", "--check", "safety", *way) for way in ways}) == 1


def tool(path, *options):
    """States: all, by levels, depth-first, without a proviso."""
    done = subprocess.run([TOOL, "--limit", "1000000", *options, path], timeout=300, text=True,
                          stdout=subprocess.PIPE)
    return [int(word) for word in done.stdout.split(": ")[1].split()[:4]]


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "load_balancing.pml")
        with open(path, "w") as f:
            f.write(LOAD_BALANCING)
        size = ["-DCLIENTS=4", "-DSERVERS=2"]
        full, _, _, bound = tool(path, *size)
        _, levels, stack, _ = tool(path, "--plain", *size)
        checks = [("all states", gyre(path, "--no-por", *size) == full),
                  ("the reduction is worth it", full > 5 * bound),
                  ("the stack proviso costs", stack > 3 * bound),
                  ("so does that of levels", levels > 3 * bound),
                  ("the same states by all ways", same_states())]
        for options in (["--threads", "1"], ["--threads", "2"], ["--search", "dfs", "--threads", "1"]):
            states = gyre(path, *options, *size)
            checks.append((f"no state more {options}: {states}, {bound}", states == bound))
        states = gyre(path, "--search", "dfs", "--threads", "3", *size)  # may depend on the order
        checks.append((f"depth-first with three threads: {states}", bound <= states < full))
        for name, good in checks:
            passed += good
            failed += not good
            if not good:
                print(f"FAILED: {name} (all {full}, plain: levels {levels}, stack {stack}; none {bound})")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
