#!/usr/bin/env python3
"""Measures Gyre beside Spin, in one run on one machine.

    bench/run.py                  everything below, into results.md, results.json, *.svg
    bench/run.py --speed          states per second and bytes per state, models above 10^6 states
    bench/run.py --small          end to end on models below 10^5 states, and a 40-state one
    bench/run.py --vm             successors per second of the virtual machine on five models
    bench/run.py --stores         every store on four models
    bench/run.py --growth         states against size, with and without reductions
    bench/run.py --strength       states explored by default, Gyre's and Spin's, all models
    bench/run.py --huge           Gyre alone on a model with more than 10^8 states
    bench/run.py --quick          a smoke test of a few seconds; writes nothing
    bench/run.py --sizes          asks Spin for the counts in models/sizes.tsv again

Counts that differ from Spin's are an error (exit status 1). Runs of Gyre and Spin on the same
model take turns, so that a load on the machine hits both.
"""

import argparse
import json
import math
import os
import platform
import re
import subprocess
import sys
import time

import render
from peers import (HERE, PAN_FLAGS, Failed, Gyre, Instance, Meter, Spin, best, read_sizes,
                   write_sizes)

VARIANTS = ["vm-plain-1", "vm-tree-1", "vm-tree-2", "native-plain-1", "native-tree-1",
            "native-plain-2", "native-tree-2", "default"]
STORES = ["plain", "tree", "compact", "automaton"]
LOSSY = ("compact", "bitstate")
VM_MODELS = ["peterson", "leader", "phils", "elevator", "token_ring"]
STORE_MODELS = ["peterson", "leader", "phils", "brp"]
QUICK_MODELS = ["peterson", "leader", "spawn", "snoopy"]
GROWTH = {
    "phils": [["-DN=5"], ["-DN=6"], ["-DN=7"], ["-DN=8"]],
    "phils_atomic": [["-DN=6"], ["-DN=8"], ["-DN=10"], ["-DN=12"]],
    "leader": [["-DN=3", "-DSTEP=2"], ["-DN=4", "-DSTEP=3"], ["-DN=5", "-DSTEP=2"],
               ["-DN=6", "-DSTEP=5"]],
    "sliding_window": [["-DW=1", "-DCAP=1"], ["-DW=1", "-DCAP=3"], ["-DW=2", "-DCAP=1"],
                       ["-DW=2", "-DCAP=2"]],
}
GROWTH_GYRE = {"default": [], "--no-por": ["--no-por"], "--no-dead": ["--no-dead"],
               "--no-merge": ["--no-merge"], "--exact": ["--exact"]}
REPEAT_BELOW = 5.0  # seconds: longer runs are done once


def say(text):
    print(text, file=sys.stderr, flush=True)


def mean(ratios):
    ratios = [r for r in ratios if r and r > 0]
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios)) if ratios else None


def others_load():
    """What else keeps the machine busy: share of its cores over one second, now."""

    def busy():
        with open("/proc/stat") as f:
            parts = [int(x) for x in f.readline().split()[1:9]]
        return sum(parts) - parts[3] - parts[4], sum(parts)

    b0, t0 = busy()
    time.sleep(1.0)
    b1, t1 = busy()
    return (b1 - b0) / max(1, t1 - t0) * os.cpu_count()


def first_line(command):
    try:
        out = subprocess.run(command, capture_output=True, text=True)
        return (out.stdout or out.stderr).strip().splitlines()[0]
    except (OSError, IndexError):
        return "unknown"


def machine(gyre, load):
    def grep(path, pattern):
        with open(path) as f:
            found = re.search(pattern, f.read())
        return found.group(1).strip() if found else "unknown"

    return {
        "cpu": grep("/proc/cpuinfo", r"model name\s*:\s*(.*)"),
        "cores": os.cpu_count(),
        "memory_gib": round(int(grep("/proc/meminfo", r"MemTotal:\s*(\d+)")) / 2**20, 1),
        "system": platform.system() + " " + platform.release(),
        "compiler": first_line(["cc", "--version"]),
        "spin": first_line(["spin", "-V"]),
        "gyre": gyre.version(),
        "load_of_others": round(load, 2),
        "date": time.strftime("%Y-%m-%d"),
    }


class Bench:
    def __init__(self, options, meter):
        self.o, self.meter = options, meter
        self.gyre = Gyre(meter, options.gyre, options.timeout)
        self.instances = read_sizes()
        self.load = others_load()
        self.clock = options.clock
        if self.clock == "auto":
            self.clock = "cpu" if self.load > 0.3 else "wall"
        self.mismatches = []
        self.machine = machine(self.gyre, self.load)

    # ---- choosing ------------------------------------------------------------------

    def chosen(self, sizes, models=None):
        models = self.o.models or models
        return [i for i in self.instances
                if i.size in (self.o.sizes_wanted or sizes) and (not models or i.model in models)]

    def tiny(self):
        return next(i for i in self.instances if i.model == "tiny")

    def variants(self, wanted):
        wanted = self.o.variants or wanted
        kept = [v for v in wanted if self.gyre.supports(v, self.tiny())]
        return kept, [v for v in wanted if v not in kept]

    # ---- measuring -----------------------------------------------------------------

    def check(self, instance, what, figures, lossy=False):
        got, want = (figures.states, figures.transitions), (instance.states, instance.transitions)
        if want != (0, 0) and got != want:
            text = f"{instance.name}: {what} has {got[0]} states, {got[1]} transitions; " \
                   f"expected {want[0]}, {want[1]}"
            say(("note: " if lossy else "MISMATCH: ") + text)
            if not lossy:
                self.mismatches.append(text)

    def time_of(self, figures, threads=1):
        """Seconds of the search. CPU time says nothing about several threads."""
        if self.clock == "cpu" and threads == 1:
            return figures.cpu
        return figures.seconds if self.clock == "wall" and figures.seconds > 0.05 else figures.wall

    def end_of(self, figures, threads=1):
        return figures.end_cpu if self.clock == "cpu" and threads == 1 else figures.end_wall

    def rounds(self, jobs):
        """jobs: name -> function. All take turns; short ones up to --repeat times."""
        runs = {}
        for turn in range(self.o.repeat):
            for name, job in jobs.items():
                if turn == 0 or (name in runs and min(r.wall for r in runs[name]) < REPEAT_BELOW):
                    try:
                        runs.setdefault(name, []).append(job())
                    except Failed as failure:
                        say(f"{name}: {failure}")
                        self.mismatches.append(str(failure))
                        runs.pop(name, None)
        return {name: best(r) for name, r in runs.items() if r}

    def beside_spin(self, instance, variants, flags=None):
        """Figures of Spin and of each variant on one instance, as a row of a table."""
        spin = Spin(self.meter, instance, flags=flags, timeout=self.o.timeout)
        jobs = {"spin": spin.pan}
        for v in variants:
            jobs[v] = lambda v=v: self.gyre.run(instance, self.gyre.options(v))
        figures = self.rounds(jobs)
        spin.close()
        row = {"model": instance.model, "size": instance.size, "options": instance.options,
               "states": instance.states, "transitions": instance.transitions, "tools": {}}
        for name, f in figures.items():
            self.check(instance, name, f, any(s in name for s in LOSSY))
            threads = f.extra.get("threads", 1)
            seconds = max(self.time_of(f, threads), 1e-4)
            row["tools"][name] = {
                "states": f.states, "transitions": f.transitions, "seconds": round(seconds, 4),
                "states_per_second": round(f.states / seconds),
                "transitions_per_second": round(f.transitions / seconds),
                "bytes_per_state": round(f.bytes_per_state, 2),
                "end_to_end": round(self.end_of(f, threads), 4),
                "wall": round(f.wall, 4), "cpu": round(f.cpu, 4),
                "search_wall": round(f.seconds, 4),
                "end_wall": round(f.end_wall, 4), "end_cpu": round(f.end_cpu, 4),
                "peak_bytes": f.peak, **f.extra}
        if "spin" in row["tools"]:
            base = row["tools"]["spin"]
            for tool in row["tools"].values():
                tool["speed_ratio"] = round(tool["states_per_second"] / base["states_per_second"], 3)
                tool["end_ratio"] = round(base["end_to_end"] / max(tool["end_to_end"], 1e-4), 3)
        say("  " + instance.name + ": " + ", ".join(
            f"{n} {t['seconds']:.2f}s" for n, t in row["tools"].items()))
        return row

    def means(self, rows, variants):
        out = {}
        for v in variants:
            tools = [r["tools"][v] for r in rows if v in r["tools"]]
            out[v] = {"speed_ratio": mean([t.get("speed_ratio") for t in tools]),
                      "end_ratio": mean([t.get("end_ratio") for t in tools]),
                      "bytes_per_state": mean([t["bytes_per_state"] for t in tools])}
        return out

    # ---- sections ------------------------------------------------------------------

    def speed(self):
        variants, missing = self.variants(VARIANTS)
        rows = [self.beside_spin(i, variants) for i in self.chosen(["large"])]
        return {"rows": rows, "variants": variants, "missing": missing,
                "means": self.means(rows, ["spin"] + variants)}

    def small(self):
        """End to end. Spin's compile is -O3 or plain cc, whichever is faster in sum."""
        variants, missing = self.variants(["default"])
        rows = []
        for i in [self.tiny()] + self.chosen(["small"]):
            row = self.beside_spin(i, variants)
            plain = self.beside_spin(i, [], flags=["-DSAFETY", "-DNOREDUCE"])
            if plain["tools"]["spin"]["end_to_end"] < row["tools"]["spin"]["end_to_end"]:
                row["tools"]["spin"] = plain["tools"]["spin"]
                for tool in row["tools"].values():
                    tool["end_ratio"] = round(row["tools"]["spin"]["end_to_end"] /
                                              max(tool["end_to_end"], 1e-4), 2)
            rows.append(row)
        return {"rows": rows, "variants": variants, "missing": missing,
                "means": self.means(rows[1:], ["spin"] + variants)}

    def vm(self):
        variants, missing = self.variants(["vm-plain-1", "vm-tree-1"])
        rows = [self.beside_spin(i, variants) for i in self.chosen(["large"], VM_MODELS)]
        return {"rows": rows, "variants": variants, "missing": missing,
                "means": self.means(rows, ["spin"] + variants)}

    def stores(self):
        variants, missing = self.variants(
            [f"{b}-{s}-1" for b in ("vm", "native") for s in STORES])
        rows = [self.beside_spin(i, variants)
                for i in self.chosen(["medium"] if not self.o.sizes_wanted else [], STORE_MODELS)]
        have = {r["model"] for r in rows}
        rows += [self.beside_spin(i, variants) for i in self.chosen(["large"], STORE_MODELS)
                 if i.model not in have]
        return {"rows": rows, "variants": variants, "missing": missing,
                "means": self.means(rows, ["spin"] + variants)}

    def count_pair(self, instance):
        """Counts of Spin with and without its reductions."""
        out = {}
        for name, exact in (("spin", False), ("spin exact", True)):
            spin = Spin(self.meter, instance, exact=exact, timeout=self.o.timeout)
            # with reductions another order, and perhaps a deeper stack
            figures = spin.pan(depth=max(3000000, 3 * instance.depth))
            spin.close()
            out[name] = {"states": figures.states, "transitions": figures.transitions,
                         "seconds": round(figures.cpu, 3)}
        return out

    def reduced(self, instance, ways):
        row = {"model": instance.model, "options": instance.options,
               "tools": self.count_pair(instance)}
        for name, options in ways.items():
            figures = self.gyre.run(instance, options, exact=False)
            row["tools"]["gyre " + name] = {
                "states": figures.states, "transitions": figures.transitions,
                "seconds": round(figures.cpu, 3), "reductions": figures.extra["reductions"]}
        exact, ours = row["tools"]["spin exact"], row["tools"].get("gyre --exact")
        if ours and (exact["states"], exact["transitions"]) != (ours["states"], ours["transitions"]):
            self.mismatches.append(f"{instance.name}: --exact has {ours['states']}, "
                                   f"Spin {exact['states']} states")
        say(f"  {instance.name}: " + ", ".join(f"{n} {t['states']}" for n, t in row["tools"].items()))
        return row

    def growth(self):
        return {"rows": [self.reduced(Instance(model, "", options), GROWTH_GYRE)
                         for model, sizes in GROWTH.items()
                         if not self.o.models or model in self.o.models for options in sizes]}

    def strength(self):
        medium = self.chosen(["medium"])
        have = {i.model for i in medium}
        rest = [] if self.o.sizes_wanted else [
            i for i in self.chosen(["large"]) if i.model not in have]
        rows = [self.reduced(i, {"default": [], "--exact": ["--exact"]}) for i in medium + rest]
        ratio = mean([r["tools"]["gyre default"]["states"] / r["tools"]["spin"]["states"]
                      for r in rows])
        return {"rows": rows, "mean_to_spin": ratio}

    def huge(self):
        variants, missing = self.variants(["default"])
        rows = []
        for i in [i for i in self.instances if i.size == "huge"]:
            for v in variants:
                f = self.gyre.run(i, self.gyre.options(v))
                self.check(i, v, f)
                rows.append({"model": i.model, "options": i.options, "variant": v,
                             "states": f.states, "transitions": f.transitions,
                             "seconds": round(self.time_of(f), 1), "peak_bytes": f.peak,
                             "states_per_second": round(f.states / self.time_of(f)),
                             "bytes_per_state": round(f.bytes_per_state, 2)})
        return {"rows": rows, "variants": variants, "missing": missing}

    def quick(self):
        self.o.repeat = 1
        variants, missing = self.variants(VARIANTS)
        models = self.o.models or QUICK_MODELS
        rows = [self.beside_spin(i, variants) for i in self.instances
                if i.size == "small" and i.model in models]
        return {"rows": rows, "variants": variants, "missing": missing,
                "means": self.means(rows, ["spin"] + variants)}

    def sizes(self):
        for i in self.instances:
            if (self.o.models and i.model not in self.o.models) or i.size == "huge":
                continue
            if self.o.sizes_wanted and i.size not in self.o.sizes_wanted:
                continue
            spin = Spin(self.meter, i, flags=["-O2"] + PAN_FLAGS[1:], timeout=self.o.timeout)
            f = spin.pan(depth=i.depth or 5000000)
            spin.close()
            i.states, i.transitions, i.depth = f.states, f.transitions, f.extra["depth"]
            say(f"  {i.name}: {i.states} states, {i.transitions} transitions, "
                f"vector {f.extra['vector']}")
            write_sizes(self.instances)


SECTIONS = ["speed", "small", "vm", "stores", "growth", "strength"]  # what a plain run does
EXTRA = ["huge", "quick", "sizes"]


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in SECTIONS + EXTRA:
        p.add_argument("--" + name, action="store_true")
    p.add_argument("--gyre", default=os.path.join(HERE, "..", "build", "gyre"), help="the program")
    words = lambda text: [w for w in text.split(",") if w]
    p.add_argument("--models", type=words, help="only these, with commas")
    p.add_argument("--size", type=words, dest="sizes_wanted", metavar="SIZES",
                   help="of small, medium, large")
    p.add_argument("--variants", type=words,
                   help="BACKEND-STORE-THREADS such as native-tree-2, or default; with commas")
    p.add_argument("--repeat", type=int, default=3, help="best of N for short runs (default 3)")
    p.add_argument("--clock", choices=["auto", "wall", "cpu"], default="auto",
                   help="auto: cpu if something else keeps the machine busy")
    p.add_argument("--timeout", type=float, default=3600, help="seconds for one run")
    p.add_argument("--dry", action="store_true", help="print, but write no files")
    return p.parse_args()


def main():
    options = arguments()
    wanted = [s for s in SECTIONS + EXTRA if getattr(options, s)] or SECTIONS
    with Meter() as meter:
        bench = Bench(options, meter)
        path = os.path.join(HERE, "results.json")
        results = {}
        if os.path.exists(path):
            with open(path) as f:
                results = json.load(f)
        for name in wanted:
            say(f"{name} (clock: {bench.clock}, load of others: {bench.load:.2f} cores)")
            started = time.time()
            section = getattr(bench, name)()
            if not section:
                continue
            section.update(machine=bench.machine, clock=bench.clock, repeat=options.repeat,
                           took=round(time.time() - started))
            print(render.section(name, section))
            if name == "quick" or options.dry:
                continue
            results[name] = section
            with open(path, "w") as f:
                json.dump(results, f, indent=1)
                f.write("\n")
            render.write(HERE, results)
    for text in bench.mismatches:
        say("MISMATCH: " + text)
    return 1 if bench.mismatches else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        say(str(failure))
        sys.exit(1)
