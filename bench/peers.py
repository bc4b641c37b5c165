"""Runs Spin and Gyre on a model and says what each used: times, memory, counts.

Figures of a run: `seconds` of the search as the tool itself reports it, `wall` and `cpu` of
the process, `peak` bytes, `states`, `transitions`, `bytes_per_state` in the tool's own
accounting. The end-to-end time of Spin has three parts: spin -a, cc, pan.
"""

import json
import math
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "models")

SPIN_EXACT = ["-o1", "-o2", "-o3"]
PAN_FLAGS = ["-O3", "-DNOFAIR", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=12000"]


class Failed(Exception):
    pass


@dataclass
class Instance:
    """A model at one size, with what Spin says of it."""

    model: str
    size: str
    options: list
    states: int = 0
    transitions: int = 0
    depth: int = 0

    @property
    def path(self):
        return os.path.join(MODELS, self.model + ".pml")

    @property
    def name(self):
        return " ".join([self.model] + [o[2:] for o in self.options])


def read_sizes():
    instances = []
    with open(os.path.join(MODELS, "sizes.tsv")) as lines:
        for line in lines:
            if line.startswith("#") or not line.strip():
                continue
            model, size, options, states, transitions, depth = line.rstrip("\n").split("\t")
            instances.append(
                Instance(model, size, options.split(), int(states), int(transitions), int(depth)))
    return instances


def write_sizes(instances):
    path = os.path.join(MODELS, "sizes.tsv")
    with open(path) as lines:
        head = [line for line in lines if line.startswith("#")]
    with open(path, "w") as out:
        out.writelines(head)
        for i in instances:
            out.write("\t".join([i.model, i.size, " ".join(i.options), str(i.states),
                                 str(i.transitions), str(i.depth)]) + "\n")


@dataclass
class Usage:
    status: int
    wall: float
    cpu: float
    cpu_below: float
    peak: int
    output: str = ""
    errors: str = ""


class Meter:
    """Runs commands and measures them. Use as a context: it has a temporary folder."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="gyre-bench-")
        self.program = os.path.join(self.folder, "measure")
        subprocess.run(["cc", "-O1", "-o", self.program, os.path.join(HERE, "measure.c")], check=True)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, command, cwd=None, timeout=None, env=None):
        report = os.path.join(self.folder, "usage")
        if os.path.exists(report):
            os.remove(report)
        child = subprocess.Popen([self.program, report] + command, cwd=cwd or self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 errors="replace", start_new_session=True,
                                 env=dict(os.environ, **(env or {})))
        try:
            output, errors = child.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.communicate()
            raise Failed(f"no answer within {timeout} s: {os.path.basename(command[0])}")
        with open(report) as f:
            status, wall, cpu, below, peak = f.read().split()
        return Usage(int(status), float(wall), float(cpu), float(below), int(peak) * 1024,
                     output, errors)


@dataclass
class Figures:
    states: int
    transitions: int
    seconds: float  # of the search, by the tool's own clock
    wall: float     # of the process that searches
    cpu: float      # of the process that searches
    end_wall: float  # from command to verdict
    end_cpu: float
    peak: int
    bytes_per_state: float
    resolution: float  # of `seconds`
    extra: dict = field(default_factory=dict)
    spread: float = 1.0  # the slowest run to the fastest


def best(runs):
    """The least of each time, the most memory, the rest from the first run."""
    figures = Figures(**vars(runs[0]))
    figures.spread = round(max(r.wall for r in runs) / max(min(r.wall for r in runs), 1e-4), 3)
    for name in ("seconds", "wall", "cpu", "end_wall", "end_cpu"):
        setattr(figures, name, min(getattr(r, name) for r in runs))
    for name in ("peak", "bytes_per_state"):
        setattr(figures, name, max(getattr(r, name) for r in runs))
    return figures


def log2_up(n):
    return max(1, math.ceil(math.log2(max(2, n))))


class Spin:
    """Generates, compiles and runs a pan verifier for one instance."""

    def __init__(self, meter, instance, exact=True, flags=None, timeout=3600):
        self.meter, self.instance, self.timeout = meter, instance, timeout
        self.folder = tempfile.mkdtemp(dir=meter.folder)
        if flags is None:
            flags = PAN_FLAGS if exact else ["-O2", "-DSAFETY", "-DNOFAIR", "-DMEMLIM=12000"]
        shutil.copy(instance.path, os.path.join(self.folder, "model.pml"))
        options = SPIN_EXACT if exact else []
        generated = self.step(["spin", "-a"] + options + instance.options + ["model.pml"])
        compiled = self.step(["cc"] + flags + ["-w", "-o", "pan", "pan.c"])
        self.prepare_wall = generated.wall + compiled.wall
        self.prepare_cpu = sum(u.cpu + u.cpu_below for u in (generated, compiled))
        self.compile_wall = compiled.wall

    def step(self, command):
        usage = self.meter.run(command, cwd=self.folder, timeout=self.timeout)
        if usage.status != 0:
            raise Failed(f"{self.instance.name}: {command[0]} failed: {usage.output}{usage.errors}")
        return usage

    def pan(self, depth=None, states=None):
        depth = depth or self.instance.depth or 3000000
        states = states or self.instance.states or 1 << 22
        slots = min(28, max(16, log2_up(states) + 1))
        usage = self.step(["./pan", "-n", f"-m{depth + 1000}", f"-w{slots}"])
        text = usage.output

        def number(pattern, default=None):
            found = re.search(pattern, text)
            if not found and default is None:
                raise Failed(f"{self.instance.name}: pan says: {text}")
            return float(found.group(1)) if found else default

        if number(r"errors: (\d+)") or "Search not completed" in text or "too small" in text:
            raise Failed(f"{self.instance.name}: pan found an error or a limit: {text}")
        states = int(number(r"([\d.e+]+) states, stored"))
        transitions = int(number(r"([\d.e+]+) transitions"))
        kept = number(r"([\d.]+)\s+actual memory usage for states", -1)
        if kept < 0:
            kept = number(r"([\d.]+)\s+equivalent memory usage for states", 0)
        table = number(r"([\d.]+)\s+memory used for hash table", 0)
        total = number(r"([\d.]+)\s+total actual memory usage", 0)
        return Figures(
            states, transitions, number(r"elapsed time ([\d.e+]+) seconds", 0), usage.wall,
            usage.cpu, self.prepare_wall + usage.wall, self.prepare_cpu + usage.cpu, usage.peak,
            kept * 2**20 / states, 0.01,
            {"vector": int(number(r"State-vector (\d+) byte")),
             "depth": int(number(r"depth reached (\d+)")),
             "with_table": (kept + table) * 2**20 / states,
             "total": total * 2**20 / states, "compile": self.compile_wall})

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Gyre:
    """Runs gyre. Compiled models are kept in a cache of this benchmark's own, empty at first."""

    def __init__(self, meter, program, timeout=3600):
        self.meter, self.program, self.timeout = meter, os.path.abspath(program), timeout
        self.cache = os.path.join(meter.folder, "cache")
        os.mkdir(self.cache)

    def version(self):
        usage = self.meter.run([self.program, "--version"])
        return usage.output.strip().splitlines()[0] if usage.output else "unknown"

    def options(self, variant):
        """`vm-tree-2` stands for --backend vm --store tree --threads 2; `default` for none.
        `cold-tree-2`: the backend is left to Gyre, and nothing was compiled before."""
        if variant == "default":
            return []
        backend, store, threads = variant.split("-")
        return ([] if backend == "cold" else ["--backend", backend]) + ["--store", store, "--threads", threads]

    @staticmethod
    def is_fresh(variant):
        return variant == "default" or variant.startswith("cold")

    def report(self, instance, options, fresh=False):
        return self.report_of(instance.path, instance.options + options, fresh)

    def report_of(self, path, options, fresh=False):
        """`fresh`: with nothing compiled before, so that the time to compile is part of it."""
        cache = tempfile.mkdtemp(dir=self.meter.folder) if fresh else self.cache
        usage = self.meter.run([self.program, path] + options + ["--json"], timeout=self.timeout, env={"GYRE_CACHE": cache})
        if fresh:
            shutil.rmtree(cache, ignore_errors=True)
        try:
            report = json.loads(usage.output)
            report["properties"][0], report["stats"]
        except (ValueError, KeyError, IndexError):
            raise Failed(f"{os.path.basename(path)} {' '.join(options)}: {usage.output[:300]}{usage.errors}")
        return usage, report

    def run(self, instance, options, exact=True, fresh=False):
        wanted = [] if "--check" in options else ["--check", "safety"]
        usage, report = self.report(instance, options + (["--exact"] if exact else []) + wanted, fresh)
        safety, stats = report["properties"][0], report["stats"]
        if report["verdict"] != "holds" and stats["store"] not in ("compact", "bitstate"):
            raise Failed(f"{instance.name} {' '.join(options)}: {report['verdict']}")
        return Figures(
            safety["states"], safety["transitions"], stats["search_seconds"], usage.wall, usage.cpu,
            usage.wall, usage.cpu + usage.cpu_below, usage.peak, stats["bytes_per_state"],
            1e-4,
            {"backend": stats["backend"], "store": stats["store"], "threads": stats["threads"],
             "reductions": stats.get("reductions", [])})

    def supports(self, variant, instance):
        """Does this build do what the variant asks for? Found out by trying."""
        try:
            used = self.run(instance, self.options(variant)).extra
        except Failed:
            return False
        if variant == "default":
            return True
        backend, store, threads = variant.split("-")
        return backend in ("cold", used["backend"]) and (used["store"], str(used["threads"])) == (store, threads)
