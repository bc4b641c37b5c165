"""Runs tools on instances one after the other, checks their counts and makes rows of figures of it."""

import hashlib
import math
import os
import platform
import re
import subprocess
import sys
import time

from peers import HERE, Failed, Gyre, Spin, best, read_sizes
from watch import TICKS, busy_ticks

LOSSY = ("compact", "bitstate")


def say(text):
    print(text, file=sys.stderr, flush=True)


def mean(ratios):
    """Geometric mean; None of nothing."""
    ratios = [r for r in ratios if r and r > 0]
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios)) if ratios else None


def others_load():
    """What else keeps the machine busy: cores in use over one second, now, in which nothing is measured."""
    before = busy_ticks()
    time.sleep(1.0)
    return (busy_ticks() - before) / TICKS


def memory_gib(what):
    with open("/proc/meminfo") as f:
        found = re.search(what + r":\s*(\d+)", f.read())
    return int(found.group(1)) / 2**20 if found else 0.0


def first_line(command):
    try:
        out = subprocess.run(command, capture_output=True, text=True)
        return (out.stdout or out.stderr).strip().splitlines()[0]
    except (OSError, IndexError):
        return "none"


def build_of(gyre):
    """Which program was measured: the commit that the working tree is at, whether it differs from it, and the hash of
    the program itself, which is what binds: figures of two hashes are not of one build."""
    def git(*command):
        done = subprocess.run(["git", "-C", HERE, *command], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    with open(gyre.program, "rb") as f:
        program = hashlib.sha256(f.read()).hexdigest()
    changed = bool(git("status", "--porcelain", "--untracked-files=no", "--", "../src", "../include", "../make", "../Makefile"))
    return {"commit": git("rev-parse", "--short=12", "HEAD") or "unknown", "changed": changed, "program": program[:16]}


def machine(gyre):
    with open("/proc/cpuinfo") as f:
        cpu = re.search(r"model name\s*:\s*(.*)", f.read())
    return {
        "cpu": cpu.group(1).strip() if cpu else platform.machine(),
        "cores": os.cpu_count(),
        "memory_gib": round(memory_gib("MemTotal"), 1),
        "system": platform.system() + " " + platform.release(),
        "compiler": first_line(["cc", "--version"]),
        "spin": first_line(["spin", "-V"]),
        "tcc": first_line(["tcc", "-v"]),
        "gyre": gyre.version(),
    }


class Bench:
    """What the sections share: options, tools, instances, and what went wrong."""

    def __init__(self, options, meter):
        self.o, self.meter = options, meter
        self.gyre = Gyre(meter, options.gyre, options.timeout)
        self.instances = read_sizes()
        self.load = others_load()
        self.clock = options.clock
        if self.clock == "auto":
            self.clock = "cpu" if self.load > 0.3 else "wall"
        self.mismatches = []  # of the section under way
        self.compared = 0     # runs whose counts were compared with Spin's
        self.machine = machine(self.gyre)
        self.build = build_of(self.gyre)

    # ---- choosing ------------------------------------------------------------------

    def chosen(self, sizes, models=None):
        models = self.o.models or models
        return [i for i in self.instances
                if i.size in (self.o.sizes_wanted or sizes) and (not models or i.model in models)]

    def tiny(self):
        return next(i for i in self.instances if i.model == "tiny")

    def variants(self, wanted):
        """Those that this build has, and those that it has not."""
        wanted = self.o.variants or wanted
        kept = [v for v in wanted if self.gyre.supports(v, self.tiny())]
        return kept, [v for v in wanted if v not in kept]

    # ---- measuring -----------------------------------------------------------------

    def wrong(self, text):
        say("MISMATCH: " + text)
        self.mismatches.append(text)

    def check(self, instance, what, figures):
        got, want = (figures.states, figures.transitions), (instance.states, instance.transitions)
        text = f"{instance.name}: {what} has {got[0]} states, {got[1]} transitions; " \
               f"expected {want[0]}, {want[1]}"
        if any(s in what for s in LOSSY):
            if got != want:
                say("note: " + text)
            return
        self.compared += 1
        if got != want:
            self.wrong(text)

    def time_of(self, figures, threads=1):
        """Seconds of the search. CPU time says nothing about several threads."""
        if self.clock == "cpu" and threads == 1:
            return figures.cpu
        return figures.seconds if figures.seconds > figures.resolution * 5 else figures.wall

    def end_of(self, figures, threads=1):
        return figures.end_cpu if self.clock == "cpu" and threads == 1 else figures.end_wall

    def rounds(self, jobs):
        """jobs: name -> function. Each is done as often as the others.

        A tool is run twice in a row, so that one of the runs finds memory that the system has at
        hand: on a virtual machine, memory that nobody used lately has to come from the host, and
        whoever is first pays for that. Then it is the others' turn: other loads on the machine come
        and go within seconds, and should not meet all runs of one tool."""
        runs = {name: [] for name in jobs}
        failed = set()
        for done in range(0, self.o.repeat, 2):
            for name, job in jobs.items():
                if name in failed:
                    continue
                try:
                    runs[name] += [job() for _ in range(min(2, self.o.repeat - done))]
                except Failed as failure:
                    failed.add(name)
                    self.wrong(f"{name}: {failure}")
        return {name: best(r) for name, r in runs.items() if r and name not in failed}

    def figures_of(self, f):
        threads = f.extra.get("threads", 1)
        seconds = max(self.time_of(f, threads), 1e-4)
        return {
            "states": f.states, "transitions": f.transitions, "seconds": round(seconds, 4),
            "states_per_second": round(f.states / seconds),
            "transitions_per_second": round(f.transitions / seconds),
            "bytes_per_state": round(f.bytes_per_state, 2),
            "end_to_end": round(self.end_of(f, threads), 4),
            "wall": round(f.wall, 4), "cpu": round(f.cpu, 4), "search_wall": round(f.seconds, 4),
            "end_wall": round(f.end_wall, 4), "end_cpu": round(f.end_cpu, 4),
            "spread": f.spread, "peak_bytes": f.peak, **f.extra}

    def beside_spin(self, instance, variants, flags=None):
        """Figures of Spin and of each variant on one instance, as a row of a table."""
        spin = Spin(self.meter, instance, flags=flags, timeout=self.o.timeout)
        jobs = {"spin": spin.pan}
        for v in variants:
            jobs[v] = lambda v=v: self.gyre.run(instance, self.gyre.options(v),
                                                fresh=self.gyre.is_fresh(v))
        if any(v.startswith("native") for v in variants):
            self.gyre.run(instance, ["--backend", "native"])  # compiles; later runs find it
        figures = self.rounds(jobs)
        spin.close()
        row = {"model": instance.model, "size": instance.size, "options": instance.options,
               "states": instance.states, "transitions": instance.transitions, "tools": {}}
        for name, f in figures.items():
            self.check(instance, name, f)
            row["tools"][name] = self.figures_of(f)
        against_spin(row)
        say("  " + instance.name + ": " + ", ".join(
            f"{n} {t['seconds']:.2f}s" for n, t in row["tools"].items()))
        return row

    def means(self, rows, variants):
        out = {}
        for v in variants:
            tools = [r["tools"][v] for r in rows if v in r["tools"]]
            out[v] = {"models": len(tools),
                      "speed_ratio": mean([t.get("speed_ratio") for t in tools]),
                      "end_ratio": mean([t.get("end_ratio") for t in tools]),
                      "bytes_per_state": mean([t["bytes_per_state"] for t in tools])}
        return out

    def table(self, rows, variants, missing):
        return {"rows": rows, "variants": variants, "missing": missing,
                "means": self.means(rows, ["spin"] + variants)}


def against_spin(row):
    """Ratios of a row to its `spin`: of speed, and of the time from command to verdict."""
    if "spin" not in row["tools"]:
        return
    base = row["tools"]["spin"]
    for tool in row["tools"].values():
        tool["speed_ratio"] = round(tool["states_per_second"] / base["states_per_second"], 3)
        tool["end_ratio"] = round(base["end_to_end"] / max(tool["end_to_end"], 1e-4), 3)
