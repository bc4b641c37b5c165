"""Turns the figures of run.py into Markdown."""

import os

import bars
import cold
import commands
import defaults
import plots
import rivals
import sets
from bars import name_of

TITLES = {
    "speed": "Speed and memory",
    "small": "Small models, end to end",
    "stores": "Every store",
    "huge": "From 10^6 to 10^8 states",
    "product": "Liveness: the product search",
    "strength": "States explored by default",
    "growth": "Growth with and without reductions",
    "por": "Speed with partial-order reduction",
    "defaults": "Default against default: models made here",
    "examples": "Default against default: the examples that come with Spin",
    "beem": "Default against default: BEEM, converted",
    "rivals": "Spin's other searches",
    "features": "What features cost",
    "cold": "Cold start",
}
LOADED = 0.3  # processors in other hands: above it, times are marked
TIMELESS = ("growth", "strength")  # counts, no times


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |",
             "|" + "|".join("---" if i == 0 else "---:" for i in range(len(head))) + "|"]
    lines += ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def grouped(n):
    return f"{n:,}"


def millions(n):
    return f"{n / 1e6:.2f}"


def times(x):
    return "–" if x is None else f"{x:.2f}×" if x < 10 else f"{x:.1f}×"


def mib(n):
    return f"{n / 2**20:.1f} MiB"


def clock_text(s):
    clock = ("CPU seconds of the process that searches (wall-clock for several threads)"
             if s["clock"] == "cpu" else "wall-clock seconds of the search")
    text = f"Times: {clock}; the fastest of {s['repeat']}, on both sides. "
    if s["load"]["mean"] > LOADED:
        text += f"**The machine was not quiet: other work used {s['load']['mean']:.1f} of its {s['machine']['cores']} " \
            "cores on average. Trust ratios to about 1.3×, and those of several threads not at all.** "
    return text


def origin_text(s):
    """Which program, when, by which command, how long, beside what."""
    build, load = s["build"], s["load"]
    commit = build["commit"] + (", changed" if build["changed"] else "")
    return f"`{s['command']}`, {s['date']}, {duration(s['took'])}; commit {commit}, program {build['program']}; " \
        f"other work used {load['mean']:.2f} cores on average, {load['most']:.2f} at most.\n\n"


def duration(seconds):
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min {seconds % 60} s"


def counts_text(s):
    """What came of comparing counts; nothing where none were compared."""
    if s.get("mismatches"):
        return "**Not in order:** " + "; ".join(s["mismatches"]) + ". "
    if s.get("compares") == "verdicts":
        return f"Verdicts are equal wherever both decide ({bars.models(s['compared'])}). "
    if s.get("compares") == "states":
        return f"States equal Spin's in every search ({s['compared']}), but for hashes of states. "
    if s.get("compared"):
        return f"States and transitions equal Spin's in every exact search ({s['compared']}). "
    return ""


def missing_text(s):
    missing = s.get("missing")
    return f"Not in this build: {', '.join(missing)}. " if missing else ""


def by_tool(s, columns, head):
    rows = []
    for row in s["rows"]:
        name = name_of(row)
        for tool in ["spin"] + s["variants"]:
            if tool in row["tools"]:
                rows.append([name, tool] + columns(row["tools"][tool]))
                name = ""
    return table(["model", "tool"] + head, rows)


def means_table(s, keys, head):
    rows = [[tool, m["models"]] + [f(m.get(k)) for k, f in keys] for tool, m in s["means"].items()]
    return "Geometric means:\n\n" + table(["tool", "models"] + head, rows)


def bytes_text(x):
    return "–" if x is None else f"{x:.1f}"


def beside_spin(s):
    def columns(t):
        return [grouped(t["states"]), grouped(t["transitions"]), f"{t['seconds']:.2f}", times(t.get("spread")),
                millions(t["states_per_second"]), times(t.get("speed_ratio")),
                f"{t['bytes_per_state']:.1f}", mib(t["peak_bytes"]), f"{t['end_to_end']:.2f}",
                times(t.get("end_ratio"))]

    head = ["states", "transitions", "s", "slowest to fastest", "M states/s", "to Spin", "bytes/state", "peak",
            "end to end s", "to Spin"]
    return by_tool(s, columns, head) + "\n" + means_table(
        s, [("speed_ratio", times), ("end_ratio", times), ("bytes_per_state", bytes_text)],
        ["states/s to Spin", "end to end to Spin", "bytes/state"])


def threads(s):
    rows = [[key, times(x)] for key, x in s["threads"].items() if x]
    return "\nTwo threads to one, wall-clock time of the search, geometric means:\n\n" + \
        table(["backend, store", "speed-up"], rows) if rows else ""


def successors(s):
    """The virtual machine and compiled code by successors, from the same runs."""
    tools = [t for t in ("spin", "vm-plain-1", "vm-tree-1", "native-plain-1", "native-tree-1")
             if t == "spin" or t in s["variants"]]
    rows = [[name_of(r)] + [f"{1e9 / r['tools'][t]['transitions_per_second']:.0f}"
                            if t in r["tools"] else "–" for t in tools]
            for r in s["rows"] if any(t.startswith("vm") for t in r["tools"])]
    return "\nNanoseconds per successor, storing included:\n\n" + \
        table(["model"] + tools, rows) if rows else ""


def speed(s):
    return beside_spin(s) + threads(s) + successors(s)


def small(s):
    def columns(t):
        return [grouped(t["states"]), f"{t['end_to_end'] * 1000:.0f} ms", times(t.get("end_ratio")),
                mib(t["peak_bytes"])]

    return by_tool(s, columns, ["states", "command to verdict", "to Spin", "peak memory"]) + "\n" + \
        "Spin's figure is `spin -a && cc && ./pan`, with `cc -O3` or plain `cc`, whichever is " \
        "faster in sum. The mean is without `tiny`.\n\n" + \
        means_table(s, [("end_ratio", times)], ["end to end to Spin"])


def huge(s):
    if not s["rows"]:
        return "Not run: too little memory was free.\n"
    first = s["rows"][0]
    return "Gyre alone, compiled code, all cores; how the expected counts are known is in " \
        "[README.md](README.md).\n\n" + table(
            ["model", "states", "transitions", "s", "M states/s", "ns per state", "to the first",
             "bytes/state", "peak"],
            [[name_of(r), grouped(r["states"]), grouped(r["transitions"]), f"{r['seconds']:.1f}",
              millions(r["states_per_second"]), f"{1e9 / r['states_per_second']:.0f}",
              times(first["states_per_second"] / r["states_per_second"]),
              f"{r['bytes_per_state']:.1f}", f"{r['peak_bytes'] / 2**30:.2f} GiB"]
             for r in s["rows"]])


def product(s):
    rows = []
    for r in s["rows"]:
        ours, theirs = r["tools"]["gyre"], r["tools"]["pan -a"]
        rows.append([name_of(r), f"`{r['formula'].replace('|', chr(92) + '|')}`",
                     grouped(ours["states"]), f"{ours['seconds']:.2f}",
                     millions(ours["states_per_second"]), grouped(theirs["states"]),
                     f"{theirs['seconds']:.2f}", millions(theirs["states_per_second"]),
                     times(r["ratio"]), times(r["speedup"]) if "speedup" in r else ""])
    return "One thread, no reduction, properties that hold; Spin has the claim that `gyre ltl` " \
        "makes, and `cc -O3 -DNOREDUCE`. Times are of the whole process that searches, without " \
        "compiling. Verdicts agree.\n\n" + table(
            ["model", "formula", "Gyre: states", "s", "M states/s", "`pan -a`: states", "s",
             "M states/s", "to Spin", "two threads"], rows) + \
        f"\nGeometric mean: {times(s['mean'])}" + \
        (f"; two threads to one: {times(s['speedup'])}" if s.get("speedup") else "") + ".\n" + verdicts(s)


def verdicts(s):
    if not s.get("verdicts"):
        return ""
    rows = [[name_of(r), f"`{r['formula'].replace('|', chr(92) + '|')}`", r["verdict"],
             f"{r['gyre']['wall']:.2f}", grouped(r["gyre"]["steps"]), f"{r['spin']['wall']:.2f}",
             grouped(r["spin"]["steps"]), grouped(r["spin_shorter"]) if r.get("spin_shorter") else "–", times(r["ratio"])]
            for r in s["verdicts"]]
    return "\nDefault against default, from command to verdict, nothing compiled before: `gyre`, and `spin -a`, " \
        "`cc -O2`, `pan -a -m1000000`. Steps are of the counterexample; with `-i`, Spin (`-DREACH`) searches on for " \
        "shorter ones, for a minute at most.\n\n" + table(
            ["model", "formula", "verdict", "Gyre: s", "steps", "Spin: s", "steps", "with `-i`", "to Spin"], rows) + \
        (f"\nSpin's counterexamples are {s['shorter']:.1f} times as long on average.\n" if s.get("shorter") else "")


def growth(s):
    heads = {"spin full": "Spin, full", "spin": "Spin, default", "exact": "Gyre, none",
             "dead": "dead variables", "slice": "slicing", "merge": "merging",
             "por": "partial order", "all": "Gyre, all"}
    rows = [[name_of(r)] + [grouped(r["tools"][t]["states"]) for t in heads] for r in s["rows"]]
    return "States stored: without reductions (`--exact`), with one of them alone, with all " \
        "(the default).\n\n" + table(["model"] + list(heads.values()), rows)


def strength(s):
    rows = []
    for r in s["rows"]:
        ours, theirs = r["tools"]["all"]["states"], r["tools"]["spin"]["states"]
        rows.append([name_of(r), grouped(r["tools"]["spin full"]["states"]), grouped(theirs),
                     grouped(ours), f"{ours / theirs:.3f}"])
    mean = "" if s["mean"] is None else f"\nGeometric mean of the last column: {s['mean']:.3f}.\n"
    return "States stored without options: `spin -a`, `cc -O2 -DSAFETY`, and `gyre`.\n\n" + \
        table(["model", "without reductions", "Spin", "Gyre", "Gyre to Spin"], rows) + mean


def por(s):
    rows = []
    for r in s["rows"]:
        on, off = r["tools"]["with"], r["tools"]["without"]
        rows.append([name_of(r), grouped(off["states"]), millions(off["states_per_second"]),
                     grouped(on["states"]), millions(on["states_per_second"]),
                     f"{100 * r['ratio']:.0f} %", f"{off['seconds']:.2f}", f"{on['seconds']:.2f}"])
    mean = "" if s["mean"] is None else \
        f"\nGeometric mean of the ratio: {100 * s['mean']:.0f} %; the least: {100 * s['worst']:.0f} %.\n"
    return "Compiled code, tree store, one thread, the other reductions off (they would leave too " \
        "few states for a rate); models that keep at least 10^5 states.\n\n" + table(
            ["model", "without: states", "M states/s", "with: states", "M states/s", "ratio",
             "without: s", "with: s"], rows) + mean


BODIES = {"speed": speed, "stores": beside_spin, "small": small, "huge": huge, "product": product,
          "growth": growth, "strength": strength, "por": por,
          "defaults": lambda s: commands.render(s, table, times, grouped),
          "examples": lambda s: sets.render(s, table, times, grouped),
          "beem": lambda s: sets.render(s, table, times, grouped),
          "rivals": lambda s: rivals.render(s, table, times, grouped, name_of),
          "features": lambda s: defaults.render_features(s, table, times, grouped),
          "cold": lambda s: cold.render(s, by_tool, means_table, times, grouped)}


def section(name, s):
    head = ("" if name in TIMELESS else clock_text(s)) + counts_text(s) + missing_text(s)
    return f"## {TITLES[name]}\n\n{origin_text(s)}{head.strip()}\n\n{BODIES[name](s)}"


def bars_table(results):
    rows = [[what, bar, measured, "yes" if met else "**no**", note]
            for what, bar, measured, met, note in bars.of(results)]
    return "## The bars\n\n" + table(["what", "bar", "measured", "met", "how"], rows)


def worst_cases(results):
    """(what, model, ratio) of every ratio to Spin, the least first: where Gyre is worst, in every section that has any."""
    found = []
    for name in ("defaults", "examples", "beem"):
        for r in results.get(name, {}).get("rows", []):
            if not commands.is_cut_off(r):
                found.append((r["ratios"]["pan"], f"{TITLES[name]}, beside `pan` alone", name_of(r)))
    for name in ("speed", "small", "cold"):
        for r in results.get(name, {}).get("rows", []):
            found += [(t["end_ratio"], f"{TITLES[name]}, command to verdict, {tool}", name_of(r))
                      for tool, t in r["tools"].items() if tool != "spin" and t.get("end_ratio")]
    for r in results.get("product", {}).get("rows", []):
        found.append((r["ratio"], f"{TITLES['product']}, states/s", name_of(r)))
    return sorted(found)


def worst_table(results, most=10):
    rows = [[name, what, times(ratio)] for ratio, what, name in worst_cases(results)[:most]]
    return f"## The {len(rows)} worst cases\n\nOf all ratios to Spin on this page, the least.\n\n" + \
        table(["model", "where", "to Spin"], rows) if rows else ""


def machines(results):
    """One line for each machine; usually one."""
    seen = {}
    for name in TITLES:
        if name in results:
            seen.setdefault(tuple(results[name]["machine"].items()), []).append(name)
    for key, names in seen.items():
        m = dict(key)
        which = "" if len(seen) == 1 else "; ".join(TITLES[n] for n in names) + ": "
        yield f"{which}{m['cpu']}, {m['cores']} cores, {m['memory_gib']} GiB, {m['system']}, {m['compiler']}, " \
              f"tcc: {m['tcc']}, {m['spin']}, {m['gyre']}.\n"


def builds(results):
    """All sections are to be of one program. Where they are not, that is said, and which are not of the newest."""
    seen = {}
    for name in TITLES:
        if name in results:
            build, date = results[name]["build"], results[name]["date"]
            seen.setdefault(build["program"], (build, date, []))[2].append(TITLES[name])
    if len(seen) == 1:
        (build, _, _), = seen.values()
        return f"All sections are of one program, {build['program']}, made from commit {build['commit']}.\n"
    lines = [f"- program {build['program']}, commit {build['commit']}, {date}: {'; '.join(names)}\n"
             for build, date, names in seen.values()]
    return "**Sections are of different programs**, so figures of two sections are not of one run:\n\n" + "".join(lines)


def write(folder, results):
    """results.md and the plots."""
    parts = ["# Gyre compared with Spin\n",
             "Written by `bench/run.py` (`make bench`); [README.md](README.md) says how it measures. "
             "Spin: `spin -a -o1 -o2 -o3`, `cc -O3 -DNOFAIR -DSAFETY -DNOREDUCE`, `pan -w` and `-m` "
             "made to fit; Gyre: `--exact`, unless stated otherwise. A tool is "
             "`backend-store-threads`, and finds the model compiled, as in a second run; `default` "
             "is Gyre with `--exact` as only option and nothing compiled before, so only its time from "
             "command to verdict can be compared with Spin's. Bytes per state are each tool's own "
             "accounting: Spin's without its hash table and stack, Gyre's with everything; the peak "
             "is of the whole process.\n"]
    parts += machines(results)
    parts.append(builds(results))
    parts.append(bars_table(results))
    parts.append(worst_table(results))
    parts += [f"![{title}]({file})\n" for file, title in plots.write(folder, results)]
    parts += [section(name, results[name]) for name in TITLES if name in results]
    with open(os.path.join(folder, "results.md"), "w") as f:
        f.write("\n".join(parts))
