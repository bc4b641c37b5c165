"""Spin's other ways to search, beside Gyre's: compressed states, and two cores by two methods.

Times are by the clock on the wall, of the whole process that searches, for all of them: most use several processes."""

import re

from measuring import mean, say
from peers import PAN_FLAGS, Failed, Spin, log2_up

MODELS = ["peterson", "leader", "phils", "brp", "elevator", "bakery"]
WAYS = {  # what it is called: flags of the compiler, of pan
    "spin": ([], []),
    "spin -DCOLLAPSE": (["-DCOLLAPSE"], []),
    "spin -DNCORE=2": (["-DNCORE=2"], []),
    "spin -DBFS_PAR -u2": (["-DBFS_PAR"], ["-u2"]),
}
OURS = ["native-tree-1", "native-tree-2"]
SAMPLED = ("-DBFS_PAR",)  # keeps hashes of states alone: its count may be less


def pan_run(bench, instance, flags, options):
    """Times, states and memory; what is not a whole search is an error."""
    spin = Spin(bench.meter, instance, flags=PAN_FLAGS + flags, timeout=bench.o.timeout)
    try:
        slots = min(28, max(16, log2_up(instance.states) + 1))
        usage = spin.step(["./pan", "-n", f"-m{instance.depth + 1000}", f"-w{slots}", *options])
    finally:
        spin.close()
    found = re.findall(r"(\d+) states, stored", usage.output)
    if not found or re.search(r"errors: [1-9]", usage.output):
        raise Failed(f"{instance.name}: pan {' '.join(flags)}: {(usage.output + usage.errors)[-300:]}")
    kept = re.search(r"([\d.]+)\s+actual memory usage for states", usage.output)
    return {"states": int(found[-1]), "wall": usage.wall, "peak_bytes": usage.peak,
            "bytes_per_state": float(kept.group(1)) * 2**20 / instance.states if kept else None}


def our_run(bench, instance, variant):
    f = bench.gyre.run(instance, bench.gyre.options(variant))
    return {"states": f.states, "wall": f.wall, "peak_bytes": f.peak, "bytes_per_state": f.bytes_per_state}


def fastest(bench, job):
    runs = [job() for _ in range(bench.o.repeat)]
    return {**min(runs, key=lambda r: r["wall"]), "slowest": max(r["wall"] for r in runs)}


def row_of(bench, instance):
    tools = {}
    for name, (flags, options) in WAYS.items():
        try:
            tools[name] = fastest(bench, lambda: pan_run(bench, instance, flags, options))
        except Failed as failure:  # shared memory that the system does not give
            say(f"  {failure}")
    bench.gyre.run(instance, ["--backend", "native"])  # compiles
    for variant in OURS:
        tools[variant] = fastest(bench, lambda: our_run(bench, instance, variant))
    for name, tool in tools.items():
        bench.compared += 1
        if tool["states"] != instance.states and not any(word in name for word in SAMPLED):
            bench.wrong(f"{instance.name}: {name} has {tool['states']} states; expected {instance.states}")
    say(f"  {instance.name}: " + ", ".join(f"{name} {tool['wall']:.2f}s" for name, tool in tools.items()))
    return {"model": instance.model, "options": instance.options, "states": instance.states, "tools": tools}


def rivals(bench):
    rows = [row_of(bench, i) for i in bench.chosen(["large"], MODELS)]
    pairs = {name: [(r["tools"][name]["wall"] / r["tools"]["native-tree-2"]["wall"]) for r in rows if name in r["tools"]]
             for name in WAYS}
    return {"rows": rows, "means": {name: mean(ratios) for name, ratios in pairs.items()}, "compares": "states"}


def render(s, table, times, grouped, name_of):
    lines = []
    for r in s["rows"]:
        name = name_of(r)
        for tool, t in r["tools"].items():
            size = t["bytes_per_state"]
            lines.append([name, tool, grouped(t["states"]), f"{t['wall']:.2f}", f"{t['slowest']:.2f}",
                          f"{size:.1f}" if size else "–", f"{t['peak_bytes'] / 2**20:.0f}"])
            name = ""
    text = "All without reductions (`-DNOREDUCE`, `--exact`), Spin with `-O3`, models found compiled; wall-clock seconds " \
        "of the whole process. `-DBFS_PAR` keeps hashes of states only, and may miss some.\n\n" + table(
            ["model", "tool", "states", "s", "slowest", "bytes/state", "peak MiB"], lines)
    return text + "\nGyre with two threads, in multiples of the speed of each, geometric means:\n\n" + table(
        ["tool", "speed"], [[name, times(x)] for name, x in s["means"].items()])
