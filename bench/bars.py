"""The bars that Gyre sets itself beside Spin, each with the figure that was measured."""

import cold as cold_start
import commands

MANY = 10**6  # states: from here on memory per state is judged


def at_least(x, bar, unit="×"):
    return f"≥ {bar:g}{unit}", f"{x:.2f}{unit}", x >= bar


def at_most(x, bar):
    return f"≤ {bar:g}", f"{x:.2f}", x <= bar


def name_of(row):
    return " ".join([row["model"]] + [o[2:] for o in row["options"]])


def models(n):
    return "1 model" if n == 1 else f"{n} models"


def within(ratios, bar):
    return f"{sum(x <= bar for x in ratios)} of {len(ratios)} are within"


def speed(s):
    means = s["means"]
    for variant, bar, what in (
            ("native-plain-1", 5, "states/s, plain store, 1 thread, to Spin"),
            ("native-tree-1", 4, "states/s, tree store, 1 thread, to Spin")):
        if means.get(variant, {}).get("speed_ratio"):
            yield what, *at_least(means[variant]["speed_ratio"], bar), \
                f"geometric mean of {models(means[variant]['models'])}"
    if means.get("default", {}).get("end_ratio"):
        yield "large models, command to verdict, to Spin", \
            *at_least(means["default"]["end_ratio"], 5), \
            f"geometric mean of {models(means['default']['models'])}; nothing compiled before, all cores"
    trees = [(r["tools"]["native-tree-1"]["bytes_per_state"], r) for r in s["rows"]
             if r["states"] >= MANY and "native-tree-1" in r["tools"]]
    if trees:
        most, row = max(trees, key=lambda pair: pair[0])
        yield "bytes per state, tree store, models above 10^6 states", *at_most(most, 10), \
            f"the largest, {name_of(row)}; {within([b for b, _ in trees], 10)}"
    for key in ("native-tree", "native-plain"):
        if s["threads"].get(key):
            yield f"two threads to one, {key.split('-')[1]} store", \
                *at_least(s["threads"][key], 1.8), "geometric mean, wall-clock time of the search"


def small(s):
    m = s["means"].get("default", {})
    if m.get("end_ratio"):
        yield "small models, command to verdict, to Spin", *at_least(m["end_ratio"], 10), \
            f"geometric mean of {models(m['models'])} below 10^5 states"


def product(s):
    if s["mean"]:
        yield "liveness: states of the product per second, to `pan -a`", *at_least(s["mean"], 6), \
            f"geometric mean of {models(len(s['rows']))}, 1 thread"
    if s.get("speedup"):
        yield "liveness: two threads to one", *at_least(s["speedup"], 1.7), \
            f"geometric mean of {models(len(s['rows']))}"
    if s.get("bytes_above") is not None:
        yield "liveness: bytes per state of the product, above those of the safety store", \
            *at_most(s["bytes_above"], 2), "the largest, tree store"
    if s.get("by_default"):
        yield "liveness by default, command to verdict, to Spin", *at_least(s["by_default"], 10), \
            "geometric mean, properties that hold"
    if s.get("least_violated"):
        yield "liveness, violated: command to verdict, to Spin, every model", \
            *at_least(s["least_violated"], 1), "the least"


def strength(s):
    if not s["rows"]:
        return
    ratios = [(r["tools"]["all"]["states"] / r["tools"]["spin"]["states"], r) for r in s["rows"]]
    worst, row = max(ratios, key=lambda pair: pair[0])
    yield "states by default, to Spin's default, every model", *at_most(worst, 1), \
        f"the largest, {name_of(row)}; {within([x for x, _ in ratios], 1)}"
    yield "states by default, to Spin's default, on average", *at_most(s["mean"], 0.5), \
        "geometric mean"


def por(s):
    if s["mean"]:
        yield "states/s with partial-order reduction, to without", \
            *at_least(100 * s["mean"], 75, " %"), f"geometric mean of {models(len(s['rows']))}"
        yield "the same, on every model", *at_least(100 * s["worst"], 40, " %"), \
            f"the least, {name_of(min(s['rows'], key=lambda r: r['ratio']))}"


def huge(s):
    for row in s["rows"]:
        if row["states"] > 10**8:
            yield "a model above 10^8 states", "explored", f"{row['states']:,} states", True, \
                f"{row['seconds']:.0f} s, {row['bytes_per_state']:.1f} bytes per state"
            first = s["rows"][0]["bytes_per_state"]
            yield "bytes per state there, to those at 10^6 states", \
                *at_most(row["bytes_per_state"] / first, 1.1), "flat, within a tenth"


# From command to verdict: which models, beside which way to run Spin, on average, on every model.
COMMANDS = {
    "defaults": ("models made here", [("-O2", 25, 1)]),
    "beem": ("BEEM, converted", [("-run", 30, 2.5), ("pan", 5, 0.8)]),
    "examples": ("Spin's examples", [("-run", 90, 2.5), ("pan", 12, 0.8)]),
}


def commands_of(section):
    def judge(s):
        where, wanted = COMMANDS[section]
        for way, average, least in wanted:
            if s["means"].get(way):
                what = f"command to verdict, {where}, to {commands.COLUMNS[way]}"
                worst = s["least"][way]
                yield what, *at_least(s["means"][way], average), f"geometric mean of {models(s['decided'])}"
                yield what + ", every model", *at_least(worst["ratio"], least), f"the least, {name_of(worst)}"
    return judge


def cold(s):
    yield from cold_start.bars(s, at_least)


SECTIONS = {**{name: commands_of(name) for name in COMMANDS}, "speed": speed, "small": small, "product": product, "strength": strength, "por": por,
            "cold": cold, "huge": huge}


def of(results):
    """A list of (what, bar, measured, met, note)."""
    found = []
    for name, judge in SECTIONS.items():
        if name in results:
            found += list(judge(results[name]))
    return found
