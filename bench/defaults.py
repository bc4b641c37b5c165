"""Default against default on models that were made here, and what features of the language cost."""

import os

import commands
from measuring import say
from peers import Instance

# Complete searches: of these models, the medium size, or else the large one.
HOLDING = ["peterson", "anderson", "bakery", "lamport", "mcs", "szymanski", "leader", "sliding_window",
           "go_back_n", "alternating_bit", "elevator", "brp", "spawn", "token_ring", "producers"]
# models/wrong: each has an error.
WRONG = ["clocks", "counter", "deep_deadlock", "philosophers", "locks", "lost_update", "wakeup",
         "no_retransmit", "two_leaders", "inversion", "pool", "cells", "readers", "timer", "sorting"]

# -D of models/features.pml: what it is called.
FEATURES = {
    "SAME_PRIORITY": "`_priority` is read, all are 1", "PRIORITY": "`priority` clauses",
    "PROVIDED": "`provided` clauses", "UNLESS": "`unless`", "TIMEOUT": "`timeout`",
    "ENABLED": "`enabled()`", "LAST": "`_last`", "PC_VALUE": "`pc_value()`", "TRACE": "trace",
    "NOTRACE": "notrace", "HIDDEN": "a hidden variable", "EMBEDDED_C": "`c_expr`, plain",
    "C_CODE": "`c_expr` that is run as C",
    "DYNAMIC": "processes that come and go", "LONG": "a state of 1,000 bytes more",
}

# Those that are no matter of a statement: what it is called, its model, what it has beside the other.
PAIRS = {
    "THIN": ("levels of two states", "thin", [], ["-DWIDE"], []),
    "CLAIM": ("a claim with a variable", "features", ["-DCLAIM_VARIABLE"], ["-DCLAIM"], ["--check", "liveness"]),
}


# ---- default against default ------------------------------------------------------------


def default_cases(bench):
    for model in HOLDING:
        sizes = {i.size: i for i in bench.instances if i.model == model}
        size = "small" if bench.o.quick else "medium" if "medium" in sizes else "large"
        if size in sizes:
            yield sizes[size], "holds"
    for model in WRONG:
        yield Instance(os.path.join("wrong", model), "", []), "violated"


def defaults(bench):
    rows = []
    for instance, verdict in default_cases(bench):
        if bench.o.models and os.path.basename(instance.model) not in bench.o.models:
            continue
        row = commands.row_of(bench, os.path.basename(instance.model), instance.path, instance.options)
        rows.append(row)
        bench.compared += 1
        if row["verdict"] != verdict:
            bench.wrong(f"{instance.name}: {row['verdict']}, should be {verdict}")
    return commands.summary(rows)


# ---- features ---------------------------------------------------------------------------


# Those that a single process can use by itself, once (-DONCE).
CONFINED = ["SAME_PRIORITY", "PRIORITY", "PROVIDED", "UNLESS", "TIMEOUT", "ENABLED", "LAST", "PC_VALUE", "HIDDEN",
            "EMBEDDED_C", "C_CODE"]


def feature_run(bench, defines):
    size = ["-DK=5" if bench.o.quick else "-DK=6"]
    return run_both_ways(bench, Instance("features", "", size + [f"-D{d}" for d in defines if d]), [])


def run_both_ways(bench, instance, options):
    """One thread, compiled code found ready: all reductions, and none."""
    way = ["--threads", "1", *options]
    bench.gyre.run(instance, way, exact=False)  # compiles
    best = bench.rounds({"gyre": lambda: bench.gyre.run(instance, way, exact=False)})["gyre"]
    exact = bench.rounds({"gyre": lambda: bench.gyre.run(instance, ["--exact", *way], exact=False)})["gyre"]
    return {"states": best.states, "seconds": round(bench.time_of(best), 3), "exact_states": exact.states,
            "exact_seconds": round(bench.time_of(exact), 3), "backend": best.extra["backend"],
            "reductions": best.extra["reductions"]}


def factors(row, base):
    """Beside the model without the feature; more states even without reductions are the feature's own."""
    exact = row["exact_states"] / base["exact_states"]
    own = max(exact, 1)
    total = row["seconds"] / max(base["seconds"], 1e-4)
    return {"total": round(total, 2), "states_factor": round(row["states"] / base["states"] / own, 2),
            "time_factor": round(total / own, 2),
            "per_state": round(row["exact_seconds"] / max(base["exact_seconds"], 1e-4) / exact, 2)}


def features(bench):
    """The same model with and without: in every walker, and once."""
    rows, base, once = [], None, None
    for define, name in {None: "none of these", **FEATURES}.items():
        if define and bench.o.models and define not in bench.o.models:
            continue
        row = {"feature": name, "define": define, **feature_run(bench, [define])}
        base = base or row
        row.update(factors(row, base))
        if define is None or define in CONFINED:
            row["once"] = feature_run(bench, [define, "ONCE"])
            once = once or row["once"]
            row["once"].update(factors(row["once"], once))
        rows.append(row)
        say(f"  {name}: {row['time_factor']}, a state {row['per_state']}")
    rows += pairs(bench)
    return {"rows": rows, "worst": max((r["time_factor"] for r in rows[1:]), default=None),
            "worst_per_state": max((r["per_state"] for r in rows[1:]), default=None)}


def pairs(bench):
    """Beside the model that is the same but for that."""
    for define, (name, model, with_it, without, options) in PAIRS.items():
        if bench.o.models and define not in bench.o.models:
            continue
        size = [("-DS=100" if bench.o.quick else "-DS=632") if model == "thin" else "-DK=5" if bench.o.quick else "-DK=6"]
        base = run_both_ways(bench, Instance(model, "", size + without), options)
        row = {"feature": name, "define": define, **run_both_ways(bench, Instance(model, "", size + with_it), options)}
        row.update(factors(row, base))
        say(f"  {name}: {row['time_factor']}, a state {row['per_state']}")
        yield row


# ---- how it is told ---------------------------------------------------------------------


def render_features(s, table, times, grouped):
    rows = []
    for r in s["rows"]:
        once = r.get("once")
        rows.append([r["feature"], grouped(r["exact_states"]), times(r["per_state"]), grouped(r["states"]),
                     f"{r['seconds']:.2f}", times(r["states_factor"]), times(r["time_factor"]),
                     times(once["states_factor"]) if once else "", times(once["time_factor"]) if once else "",
                     r["backend"]])
    return "`models/features.pml` with one feature at a time, one thread. *A state*: time per state without " \
        "reductions, relative to the model without the feature. Then all reductions, the feature in a guard of every " \
        "process; the factors set aside what the feature itself adds to the states of the exact search. Last, " \
        "where one more process uses it once and ends: what it costs all others. The last two rows are relative to models " \
        "of their own: the same states in wide levels (`models/thin.pml`), the same claim without a variable.\n\n" + table(
            ["feature", "exact states", "a state", "states", "s", "states", "time", "once: states", "time",
             "backend"], rows)
