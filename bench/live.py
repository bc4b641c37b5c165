#!/usr/bin/env python3
"""Liveness: Gyre's product search beside `pan -a`, every reduction off; and with two threads.

    bench/live.py [MODEL…]       a table on standard output
    bench/live.py --quick        smaller sizes: does it run, do the verdicts agree?
    bench/live.py --verdicts     default against default, from command to verdict: the same models, and
                                 ten formulas that are violated

Both search the whole product, for the properties hold. Spin is given the claim that `gyre ltl`
makes (its own differ in size); so states of the two products may differ a little where Gyre's
automaton has acceptance on transitions. Runs take turns. Times are of the process that searches,
without compiling. bench/run.py --product puts the same into results.md.

The models are of 10^5 to 10^7 product states, and large enough that the start of a process (some 5 ms)
is not what is measured. Gyre's store is the one that it chooses by itself here, which is the plain
one; bytes per state are of the tree store.
"""
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

from peers import MODELS, Failed, Gyre, Meter

PAN = ["-O3", "-w", "-DNOREDUCE", "-DMEMLIM=8000"]

CASES = [  # model, options, smaller options, formula
    ("peterson", ["-DN=4"], ["-DN=3"], "[]<> (inside == 1) -> []<> (inside == 0)"),
    ("leader", ["-DN=6", "-DSTEP=5"], ["-DN=5", "-DSTEP=2"], "<> (leaders == 1)"),
    ("elevator", ["-DFLOORS=5"], ["-DFLOORS=2"], "[] (open -> <> !open)"),
    ("readers_writers", ["-DR=3", "-DWR=3"], ["-DR=2", "-DWR=2"],
     "[] (writers == 1 -> <> (writers == 0))"),
    ("token_ring", ["-DN=5"], ["-DN=3"], "[]<> (used == 0) || <>[] (given > 0)"),
    ("mcs", ["-DN=4"], ["-DN=3"], "[] (inside == 1 -> <> (inside == 0))"),
    ("anderson", ["-DN=3", "-DWORK=5"], ["-DN=3"], "[] (inside == 1 -> <> (inside == 0))"),
    ("szymanski", ["-DN=4"], ["-DN=3"], "[]<> (inside == 1) -> []<> (inside == 0)"),
    ("lamport", ["-DN=4"], ["-DN=2"], "[] (inside == 1 -> <> (inside == 0))"),
    ("elevator", ["-DFLOORS=4"], ["-DFLOORS=2"], "[]<> open -> []<> !open"),
]

# Formulas that are violated, all of sizes that neither searches through at once.
VIOLATED = [
    ("peterson", ["-DN=4"], ["-DN=3"], "<>[] (inside == 1)"),
    ("peterson", ["-DN=4"], ["-DN=3"], "<>[] (inside == 0)"),
    ("elevator", ["-DFLOORS=5"], ["-DFLOORS=2"], "[]<> open"),
    ("readers_writers", ["-DR=3", "-DWR=3"], ["-DR=2", "-DWR=2"], "[]<> (writers == 1)"),
    ("token_ring", ["-DN=5"], ["-DN=3"], "<>[] (used == 0)"),
    ("mcs", ["-DN=4"], ["-DN=3"], "<>[] (inside == 0)"),
    ("anderson", ["-DN=3", "-DWORK=5"], ["-DN=3"], "<>[] (inside == 0)"),
    ("szymanski", ["-DN=4"], ["-DN=3"], "[]<> (inside == 1)"),
    ("lamport", ["-DN=3"], ["-DN=2"], "<>[] (inside == 0)"),
    ("leader", ["-DN=6", "-DSTEP=5"], ["-DN=5", "-DSTEP=2"], "[] (leaders == 0)"),
]


class Pan:
    """pan -a for one model and formula, in a folder of its own."""

    def __init__(self, meter, gyre, name, options, formula):
        self.meter, self.folder = meter, tempfile.mkdtemp(dir=meter.folder)
        model = name + ".pml"
        shutil.copy(os.path.join(MODELS, model), self.folder)
        with open(os.path.join(self.folder, "claim.never"), "wb") as out:
            subprocess.run([gyre.program, "ltl", f"!({formula})"], stdout=out, check=True)
        for command in (["spin", "-a", "-o1", "-o2", "-o3", *options, "-N", "claim.never", model],
                        ["cc", *PAN, "-o", "pan", "pan.c"]):
            made = meter.run(command, cwd=self.folder)
            if made.status != 0:
                raise Failed(f"{name}: {command[0]} failed: {made.output}{made.errors}")
        # a first run for options that fit, so that Spin does not pay for room it does not need
        out = meter.run(["./pan", "-a", "-n", "-m10000000", "-w24"], cwd=self.folder).output
        depth = int(re.search(r"depth reached (\d+)", out).group(1))
        states = int(re.search(r"(\d+) states, stored", out).group(1))
        self.sizes = [f"-m{depth + depth // 10 + 1000}", f"-w{max(states.bit_length(), 16)}"]

    def run(self):
        used = self.meter.run(["./pan", "-a", "-n", *self.sizes], cwd=self.folder)
        return {"states": int(re.search(r"(\d+) states, stored", used.output).group(1)),
                "verdict": "holds" if "errors: 0" in used.output else "violated",
                "cpu": used.cpu, "wall": used.wall}

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def search_product(meter, gyre, name, options, formula, threads=1, more=()):
    used = meter.run([gyre.program, os.path.join(MODELS, name + ".pml"), *options, "--exact",
                      "--backend", "native", "--threads", str(threads), "--check", "liveness", "--ltl",
                      formula, "--json", "--quiet", *more], env={"GYRE_CACHE": gyre.cache})
    try:
        report = json.loads(used.output)
        found = report["properties"][0]
    except (ValueError, KeyError, IndexError):
        raise Failed(f"{name}: {used.output[:300]}{used.errors}")
    return {"states": found["states"], "verdict": found["verdict"], "cpu": used.cpu,
            "wall": used.wall, "bytes_per_state": report["stats"]["bytes_per_state"]}


def safety_bytes(meter, gyre, name, options):
    """Of the tree store, for each state of the system."""
    used = meter.run([gyre.program, os.path.join(MODELS, name + ".pml"), *options, "--exact", "--backend",
                      "native", "--threads", "1", "--check", "safety", "--search", "bfs", "--store", "tree",
                      "--json", "--quiet"], env={"GYRE_CACHE": gyre.cache})
    try:
        return json.loads(used.output)["stats"]["bytes_per_state"]
    except (ValueError, KeyError):
        raise Failed(f"{name}: {used.output[:300]}{used.errors}")


# ---- from command to verdict ------------------------------------------------------------


def spin_verdict(meter, name, options, formula):
    """Spin's own translation, nothing but what everybody types: (seconds, verdict, steps of the trail)."""
    folder = tempfile.mkdtemp(dir=meter.folder)
    with open(os.path.join(MODELS, name + ".pml")) as model, open(os.path.join(folder, "m.pml"), "w") as out:
        out.write(model.read() + f"\nltl p {{ {formula} }}\n")
    wall, cpu, used = 0.0, 0.0, None
    for command in (["spin", "-a", *options, "m.pml"], ["cc", "-O2", "-w", "-o", "pan", "pan.c"],
                    ["./pan", "-a", "-m1000000"]):
        used = meter.run(command, cwd=folder)
        wall, cpu = wall + used.wall, cpu + used.cpu + used.cpu_below
    steps = steps_of(os.path.join(folder, "m.pml.trail"))
    shutil.rmtree(folder, ignore_errors=True)
    verdict = "violated" if "errors: 1" in used.output else "holds" if "errors: 0" in used.output else "none"
    return {"wall": wall, "cpu": cpu, "verdict": verdict, "steps": steps}


def spin_shorter(meter, name, options, formula):
    """Steps of the counterexample that `pan -a -i` ends with, which searches on for shorter ones; None: not within a minute."""
    folder = tempfile.mkdtemp(dir=meter.folder)
    with open(os.path.join(MODELS, name + ".pml")) as model, open(os.path.join(folder, "m.pml"), "w") as out:
        out.write(model.read() + f"\nltl p {{ {formula} }}\n")
    try:
        for command in (["spin", "-a", *options, "m.pml"], ["cc", "-O2", "-DREACH", "-w", "-o", "pan", "pan.c"],
                        ["./pan", "-a", "-i", "-m1000000"]):
            meter.run(command, cwd=folder, timeout=60)
        return steps_of(os.path.join(folder, "m.pml.trail"))
    except Failed:
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def steps_of(trail):
    if not os.path.exists(trail):
        return 0
    with open(trail) as lines:  # every other line is a move of the claim
        return sum(1 for line in lines if not line.startswith("-")) // 2


def gyre_verdict(meter, gyre, name, options, formula):
    cache = tempfile.mkdtemp(dir=meter.folder)
    used = meter.run([gyre.program, os.path.join(MODELS, name + ".pml"), *options, "--check", "liveness",
                      "--ltl", formula, "--json", "--quiet"], env={"GYRE_CACHE": cache})
    shutil.rmtree(cache, ignore_errors=True)
    try:
        found = json.loads(used.output)["properties"][0]
    except (ValueError, KeyError, IndexError):
        raise Failed(f"{name}: {used.output[:300]}{used.errors}")
    return {"wall": used.wall, "cpu": used.cpu + used.cpu_below, "verdict": found["verdict"],
            "steps": found["counterexample"]["length"] if "counterexample" in found else 0}


def measure_verdicts(meter, gyre, quick, rounds, clock="wall", wanted=()):
    """Rows of both lists: the best of some runs of each."""
    rows = []
    for expected, cases in (("holds", CASES), ("violated", VIOLATED)):
        for name, large, small, formula in cases:
            if wanted and name not in wanted:
                continue
            options = small if quick else large
            runs = [(gyre_verdict(meter, gyre, name, options, formula),
                     spin_verdict(meter, name, options, formula)) for _ in range(rounds)]
            ours, theirs = (min(side, key=lambda run: run[clock]) for side in zip(*runs))
            shorter = spin_shorter(meter, name, options, formula) if expected == "violated" else None
            rows.append({"model": name, "options": options, "formula": formula, "verdict": expected,
                         "gyre": ours, "spin": theirs, "spin_shorter": shorter,
                         "ratio": round(theirs[clock] / max(ours[clock], 1e-3), 3)})
    return rows


def measure(meter, gyre, case, quick, rounds):
    """A row with the best of some runs of `gyre` and `pan -a`."""
    name, large, small, formula = case
    options = small if quick else large
    pan = Pan(meter, gyre, name, options, formula)
    search_product(meter, gyre, name, options, formula)  # compiles; the cache has it from now on
    runs = {"gyre": [], "gyre, two threads": [], "pan -a": []}
    for _ in range(rounds):
        runs["gyre"].append(search_product(meter, gyre, name, options, formula))
        runs["gyre, two threads"].append(search_product(meter, gyre, name, options, formula, 2))
        runs["pan -a"].append(pan.run())
    pan.close()
    runs["gyre"][0]["tree_bytes"] = search_product(meter, gyre, name, options, formula,
                                                   more=["--store", "tree"])["bytes_per_state"]
    runs["gyre"][0]["safety_bytes"] = safety_bytes(meter, gyre, name, options)
    tools = {tool: {**found[0], "cpu": min(run["cpu"] for run in found),
                    "wall": min(run["wall"] for run in found)} for tool, found in runs.items()}
    return {"model": name, "options": options, "formula": formula, "tools": tools}


def main_verdicts(meter, gyre, quick, wanted):
    print("| model | formula | verdict | Gyre: s | steps | Spin: s | steps | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    wrong = 0
    rows = measure_verdicts(meter, gyre, quick, 1 if quick else 3, wanted=wanted)
    for r in rows:
        wrong += r["gyre"]["verdict"] != r["verdict"]
        print(f"| {r['model']} | {r['formula'].replace('|', chr(92) + '|')} | {r['gyre']['verdict']} | {r['gyre']['wall']:.2f} | "
              f"{r['gyre']['steps']} | {r['spin']['wall']:.2f} | {r['spin']['steps']} | {r['ratio']:.1f} |")
    for verdict in ("holds", "violated"):
        ratios = [r["ratio"] for r in rows if r["verdict"] == verdict]
        if ratios:
            print(f"{verdict}: geometric mean {math.prod(ratios) ** (1 / len(ratios)):.2f}, least {min(ratios):.2f}")
    return 1 if wrong else 0


def main():
    quick = "--quick" in sys.argv
    wanted = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    program = os.path.join(os.path.dirname(MODELS), "..", os.environ.get("GYRE", "build/gyre"))
    agree = True
    ratios, speedups = [], []
    with Meter() as meter:
        gyre = Gyre(meter, program)
        if "--verdicts" in sys.argv:
            return main_verdicts(meter, gyre, quick, wanted)
        print("| model | Gyre: states | CPU s | states/s | pan -a: states | CPU s | states/s | ratio | two threads: s | bytes above safety's |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        for case in CASES:
            if wanted and case[0] not in wanted:
                continue
            row = measure(meter, gyre, case, quick, 1 if quick else 3)
            ours, theirs = row["tools"]["gyre"], row["tools"]["pan -a"]
            two = row["tools"]["gyre, two threads"]
            rates = [run["states"] / max(run["cpu"], 1e-3) for run in (ours, theirs)]
            ratios.append(rates[0] / rates[1])
            speedups.append(ours["wall"] / max(two["wall"], 1e-3))
            print(f"| {case[0]} | {ours['states']:,} | {ours['cpu']:.2f} | {rates[0]:,.0f} | "
                  f"{theirs['states']:,} | {theirs['cpu']:.2f} | {rates[1]:,.0f} | "
                  f"{ratios[-1]:.1f} | {two['wall']:.2f} ({speedups[-1]:.2f} times) | "
                  f"{ours['tree_bytes'] - ours['safety_bytes']:.1f} |", flush=True)
            if (ours["verdict"], ours["states"]) != (two["verdict"], two["states"]):
                agree = False
                print(f"{case[0]}: {ours['states']} states, with two threads {two['states']}", file=sys.stderr)
            if ours["verdict"] != theirs["verdict"]:
                agree = False
                print(f"{case[0]}: {ours['verdict']}, Spin says {theirs['verdict']}",
                      file=sys.stderr)
    for what, list_ in (("to `pan -a`", ratios), ("two threads to one", speedups)):
        print(f"Geometric mean, {what}: {math.prod(list_) ** (1 / len(list_)):.2f}")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
