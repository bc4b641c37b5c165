#!/usr/bin/env python3
# check: reduce: priorities put nothing on the slow path; seconds 5
"""Priorities put nothing on the slow path: compiled code, merging, partial order and symmetry work with
them, and change no answer. States are compared with Spin's on random programs (diff/compare.py
--priorities); here it is seen that the reductions are there, and what is known of the answers.

GYRE names another binary. Ends with `N passed, N failed`.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))

# Those of priority 2 go first, each with variables of its own: 11 places and the end for each of
# them, in any order. Then the other may look.
WORKERS = """byte done; byte own[3];
active [3] proctype worker() priority 2 {
  byte i;
  do :: i < 10 -> i++; own[_pid] = i :: else -> break od;
  done++
}
active proctype boss() priority 1 { assert(done == WANTED) }
"""
# The middle one keeps the low one from giving back what the high one waits for.
INVERSION = """bit lock;
active proctype low() priority 1 { lock == 0 -> lock = 1; lock = 0 }
active proctype middle() priority 5 { byte i; lock == 1; do :: i < 50 -> i++ :: else -> break od; assert(lock == 0) }
active proctype high() priority 9 { lock == 1; lock == 0; lock = 1; lock = 0 }
"""
SAME = "byte g; active [2] proctype p() { assert(_priority == 1 && get_priority(0) == 1); g++; g-- }\n"

passed = failed = 0


def check(name, good, seen=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAILED {name}\n{seen}")


def run(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pml")
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run([GYRE, path, "--json", *options], timeout=300, stdout=subprocess.PIPE)
    return schema.report(done.stdout)


def uses(report):
    return {r if isinstance(r, str) else r.get("key", r.get("name")) for r in report["stats"]["reductions"]}


def states(report):
    return report["properties"][0]["states"]


def main():
    exact = run(WORKERS, "-DWANTED=3", "--exact")
    check("lower ones wait", exact["verdict"] == "holds", exact["verdict"])
    check("else they would not", run(WORKERS.replace("priority 2", "").replace("priority 1", ""), "-DWANTED=3")
          ["verdict"] == "violated")
    check("and it is no other number", run(WORKERS, "-DWANTED=2")["verdict"] == "violated")
    reduced = run(WORKERS, "-DWANTED=3")
    check("reductions hold", reduced["verdict"] == "holds", reduced["verdict"])
    check("and are used", {"merging", "partial-order"} <= uses(reduced), uses(reduced))
    check("and pay", states(reduced) * 10 < states(exact), (states(reduced), states(exact)))
    for backend in ("vm", "native"):
        same = run(WORKERS, "-DWANTED=3", "--exact", "--backend", backend)
        check(f"{backend} sees the same", states(same) == states(exact) and
              same["stats"]["backend"] == backend, (states(same), same["stats"]["backend"]))
    for options in (["--exact"], [], ["--no-por"], ["--no-merge"]):
        check(f"inversion {options}", run(INVERSION, *options)["verdict"] == "violated")
    same = run(SAME, "--backend", "native")
    check("all the same: none", same["verdict"] == "holds" and same["stats"]["backend"] == "native",
          (same["verdict"], same["stats"]["backend"]))
    check("with symmetry", "symmetry" in uses(run(WORKERS.replace("own[_pid] = i", "skip"), "-DWANTED=3",
                                                  "--no-por")), "")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
