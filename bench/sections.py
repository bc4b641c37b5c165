"""What is measured, section by section. Each function takes the bench and gives a dict."""

import cold
import defaults
import live
import rivals
import sets
from measuring import against_spin, mean, memory_gib, say
from peers import PAN_FLAGS, Instance, Spin, write_sizes

NATIVE = ["native-plain-1", "native-tree-1", "native-plain-2", "native-tree-2", "default"]
VM = ["vm-plain-1", "vm-tree-1", "vm-plain-2", "vm-tree-2"]
# The virtual machine is slower and comes second to compiled code in long runs: half the models.
VM_MODELS = ["peterson", "anderson", "bakery", "szymanski", "leader", "sliding_window",
             "alternating_bit", "elevator", "phils", "token_ring", "brp", "producers"]
STORES = [f"native-{store}-1" for store in ("plain", "tree", "compact", "bitstate", "automaton")]
STORE_MODELS = ["peterson", "leader", "phils", "brp"]
GROWTH = {
    "phils": [["-DN=5"], ["-DN=6"], ["-DN=7"], ["-DN=8"]],
    "leader": [["-DN=3", "-DSTEP=2"], ["-DN=4", "-DSTEP=3"], ["-DN=5", "-DSTEP=2"],
               ["-DN=6", "-DSTEP=5"]],
    "sliding_window": [["-DW=1", "-DCAP=1"], ["-DW=1", "-DCAP=3"], ["-DW=2", "-DCAP=1"],
                       ["-DW=2", "-DCAP=2"]],
}
REDUCTIONS = {"dead": "--no-dead", "slice": "--no-slice", "merge": "--no-merge", "por": "--no-por"}
POR_LEAST = 100000  # states: below, a rate is noise
HUGE_GIB = 3.0      # memory that the huge model should find free


def alone(kept):
    """Options that leave one reduction on. (Ranges change bytes, not states: they stay.)"""
    return [option for name, option in REDUCTIONS.items() if name != kept]


# ---- beside Spin, equal counts ----------------------------------------------------------


def speed(bench):
    native, missing = bench.variants(NATIVE)
    vm, no_vm = ([], []) if bench.o.variants else bench.variants(VM)
    rows = [bench.beside_spin(i, native + (vm if i.model in VM_MODELS else []))
            for i in bench.chosen(["large"])]
    result = bench.table(rows, vm + native, missing + no_vm)
    result["threads"] = {
        f"{backend}-{store}": mean([ratio(row, f"{backend}-{store}-1", f"{backend}-{store}-2")
                                    for row in rows])
        for backend in ("vm", "native") for store in ("plain", "tree")}
    return result


def ratio(row, slow, fast):
    """How many times as fast, by the clock on the wall; None if either was not run."""
    tools = row["tools"]
    if slow not in tools or fast not in tools:
        return None
    return tools[slow]["search_wall"] / max(tools[fast]["search_wall"], 1e-4)


def small(bench):
    """End to end. Spin's compile is -O3 or plain cc, whichever is faster in sum."""
    variants, missing = bench.variants(["default"])
    rows = []
    for i in [bench.tiny()] + bench.chosen(["small"]):
        row = bench.beside_spin(i, variants)
        plain = bench.beside_spin(i, [], flags=["-DSAFETY", "-DNOREDUCE"])["tools"]["spin"]
        if plain["end_to_end"] < row["tools"]["spin"]["end_to_end"]:
            row["tools"]["spin"] = plain
            against_spin(row)
        rows.append(row)
    result = bench.table(rows, variants, missing)
    result["means"] = bench.means(rows[1:], ["spin"] + variants)
    return result


def stores(bench):
    variants, missing = bench.variants(STORES)
    medium = bench.chosen(["medium"], STORE_MODELS)
    have = {i.model for i in medium}
    rest = [i for i in bench.chosen(["large"], STORE_MODELS) if i.model not in have]
    return bench.table([bench.beside_spin(i, variants) for i in medium + rest], variants, missing)


# ---- liveness ---------------------------------------------------------------------------


def product(bench):
    rows = []
    for case in live.CASES:
        if bench.o.models and case[0] not in bench.o.models:
            continue
        row = live.measure(bench.meter, bench.gyre, case, bench.o.quick, bench.o.repeat)
        ours, theirs = row["tools"]["gyre"], row["tools"]["pan -a"]
        two = row["tools"]["gyre, two threads"]
        for tool in (ours, theirs):
            clock = "cpu" if bench.clock == "cpu" else "wall"
            tool["seconds"] = max(tool[clock], 1e-3)
            tool["states_per_second"] = round(tool["states"] / tool["seconds"])
        row["ratio"] = round(ours["states_per_second"] / theirs["states_per_second"], 3)
        row["speedup"] = round(ours["wall"] / max(two["wall"], 1e-3), 3)
        if ours["verdict"] != theirs["verdict"]:
            bench.wrong(f"{row['model']}: {ours['verdict']}, Spin says {theirs['verdict']}")
        if (ours["verdict"], ours["states"]) != (two["verdict"], two["states"]):
            bench.wrong(f"{row['model']}: {ours['states']} states, with two threads {two['states']}")
        say(f"  {row['model']}: {row['ratio']:.2f}")
        rows.append(row)
    verdicts = live.measure_verdicts(bench.meter, bench.gyre, bench.o.quick, bench.o.repeat, bench.clock,
                                     bench.o.models)
    for row in verdicts:
        if row["gyre"]["verdict"] != row["verdict"]:
            bench.wrong(f"{row['model']}, {row['formula']}: {row['gyre']['verdict']}")
    of = lambda verdict: [r for r in verdicts if r["verdict"] == verdict]
    return {"rows": rows, "mean": mean([r["ratio"] for r in rows]),
            "speedup": mean([r["speedup"] for r in rows]),
            "bytes_above": max((r["tools"]["gyre"]["tree_bytes"] - r["tools"]["gyre"]["safety_bytes"]
                                for r in rows), default=None),
            "verdicts": verdicts, "by_default": mean([r["ratio"] for r in of("holds")]),
            "least_violated": min((r["ratio"] for r in of("violated")), default=None),
            "shorter": mean([r["spin"]["steps"] / max(r["gyre"]["steps"], 1) for r in of("violated")
                             if r["spin"]["steps"]])}


# ---- reductions -------------------------------------------------------------------------


def spin_count(bench, instance, exact):
    spin = Spin(bench.meter, instance, exact=exact, timeout=bench.o.timeout)
    # with reductions another order, and perhaps a deeper stack
    figures = spin.pan(depth=max(3000000, 3 * instance.depth))
    spin.close()
    return count(figures)


def count(figures):
    return {"states": figures.states, "transitions": figures.transitions,
            "seconds": round(figures.cpu, 3), **({"reductions": figures.extra["reductions"]}
                                                 if "reductions" in figures.extra else {})}


def reduced(bench, instance, ways, spin):
    """States with Spin's and with Gyre's reductions. spin: its full count, or None to ask it."""
    tools = {"spin": spin_count(bench, instance, False),
             "spin full": spin or spin_count(bench, instance, True)}
    for name, options in ways.items():
        tools[name] = count(bench.gyre.run(instance, options, exact=False))
    full, ours = tools["spin full"], tools["exact"]
    bench.compared += 1
    if (full["states"], full["transitions"]) != (ours["states"], ours["transitions"]):
        bench.wrong(f"{instance.name}: --exact has {ours['states']} states, {ours['transitions']} "
                    f"transitions; Spin {full['states']}, {full['transitions']}")
    say(f"  {instance.name}: " + ", ".join(f"{n} {t['states']}" for n, t in tools.items()))
    return {"model": instance.model, "options": instance.options, "tools": tools}


def growth(bench):
    ways = {"exact": ["--exact"], **{name: alone(name) for name in REDUCTIONS}, "all": []}
    return {"rows": [reduced(bench, Instance(model, "", options), ways, None)
                     for model, sizes in GROWTH.items()
                     if not bench.o.models or model in bench.o.models
                     for options in sizes[:1 if bench.o.quick else None]]}


def strength(bench):
    medium = bench.chosen(["medium"])
    have = {i.model for i in medium}
    rest = [] if bench.o.sizes_wanted else [
        i for i in bench.chosen(["large"]) if i.model not in have]
    rows = [reduced(bench, i, {"exact": ["--exact"], "all": []},
                    {"states": i.states, "transitions": i.transitions}) for i in medium + rest]
    ratios = [r["tools"]["all"]["states"] / r["tools"]["spin"]["states"] for r in rows]
    return {"rows": rows, "mean": mean(ratios), "worst": max(ratios, default=None)}


def por(bench):
    """States per second with partial-order reduction, against the same without any reduction.

    The others are off: they leave too few states for a rate."""
    way = ["--backend", "native", "--threads", "1", *alone("por")]
    rows = []
    for i in bench.chosen(["large"]):
        first = bench.gyre.run(i, way, exact=False)  # compiles, and tells whether it is worth it
        if first.states < (0 if bench.o.quick else POR_LEAST) or \
                "partial-order" not in first.extra["reductions"]:
            continue
        runs = bench.rounds({
            "with": lambda i=i: bench.gyre.run(i, way, exact=False),
            "without": lambda i=i: bench.gyre.run(i, way + ["--no-por"], exact=False)})
        if len(runs) < 2:
            continue
        tools = {name: bench.figures_of(f) for name, f in runs.items()}
        rows.append({"model": i.model, "options": i.options, "tools": tools,
                     "ratio": round(tools["with"]["states_per_second"] /
                                    tools["without"]["states_per_second"], 3)})
        say(f"  {i.name}: {rows[-1]['ratio']:.2f}")
    ratios = [r["ratio"] for r in rows]
    return {"rows": rows, "mean": mean(ratios), "worst": min(ratios, default=None)}


# ---- large ------------------------------------------------------------------------------


def huge(bench):
    """The same model at about 10^6, 10^7 and 10^8 states: do time and memory stay flat?"""
    model = next(i.model for i in bench.instances if i.size == "huge")
    wanted = bench.o.sizes_wanted or ["large", "huge"]
    rows = []
    for i in bench.instances:
        if i.model != model or i.size not in wanted:
            continue
        free = memory_gib("MemAvailable")
        if i.states > 10**8 and free < HUGE_GIB:
            say(f"  {i.name}: left out, only {free:.1f} GiB of memory are free")
            continue
        f = bench.gyre.run(i, ["--backend", "native"])
        bench.check(i, "native", f)
        rows.append({"model": i.model, "options": i.options, **bench.figures_of(f)})
        say(f"  {i.name}: {rows[-1]['seconds']:.1f} s")
    return {"rows": rows}


def sizes(bench):
    """Asks Spin for the counts in models/sizes.tsv again."""
    for i in bench.instances:
        if (bench.o.models and i.model not in bench.o.models) or i.size == "huge":
            continue
        if bench.o.sizes_wanted and i.size not in bench.o.sizes_wanted:
            continue
        spin = Spin(bench.meter, i, flags=["-O2"] + PAN_FLAGS[1:], timeout=bench.o.timeout)
        f = spin.pan(depth=i.depth or 5000000)
        spin.close()
        i.states, i.transitions, i.depth = f.states, f.transitions, f.extra["depth"]
        say(f"  {i.name}: {i.states} states, {i.transitions} transitions, vector {f.extra['vector']}")
        write_sizes(bench.instances)


PLAIN = {"speed": speed, "small": small, "stores": stores, "product": product,
         "strength": strength, "growth": growth, "por": por, "huge": huge,
         "defaults": defaults.defaults, "examples": sets.examples, "beem": sets.beem,
         "rivals": rivals.rivals, "features": defaults.features, "cold": cold.cold}
