"""Cold start: nothing compiled before, models of about a million states, beside Spin's search."""

from measuring import mean
from peers import Instance

# Sizes that no other section runs, from 0.6 to 1.6 million states, with what Spin says of them.
MODELS = [
    Instance("elevator", "cold", ["-DFLOORS=4"], 905295, 2430286, 58914),
    Instance("bakery", "cold", ["-DN=3", "-DMAX=5"], 929830, 2631624, 50630),
    Instance("collision", "cold", ["-DN=4", "-DBACKOFF=3"], 606008, 2523817, 243887),
    Instance("brp", "cold", ["-DLEN=4", "-DMAX=4"], 665857, 1447586, 106097),
    Instance("producers", "cold", ["-DC=2", "-DCAP=2"], 764316, 3288745, 352560),
    Instance("go_back_n", "cold", ["-DW=2", "-DM=4", "-DCAP=4"], 728711, 2649748, 186407),
    Instance("anderson", "cold", ["-DN=3", "-DWORK=8"], 1566322, 5786203, 645561),
    Instance("sorting", "cold", ["-DN=4", "-DV=3"], 1336218, 4761619, 144),
    Instance("mcs", "cold", ["-DN=4"], 1072705, 3966077, 173944),
    Instance("heartbeat", "cold", ["-DN=3"], 1305808, 5223233, 6892),
]
MANY = 10**6  # states: from here on two threads are judged


def cold(bench):
    """One thread and two, with an empty cache each time; the time from command to verdict is what counts."""
    variants, missing = bench.variants(["cold-tree-1", "cold-plain-1", "cold-tree-2", "cold-plain-2"])
    chosen = [i for i in MODELS if not bench.o.models or i.model in bench.o.models]
    rows = [bench.beside_spin(i, variants) for i in chosen]
    for row in rows:
        pan = row["tools"].get("spin")
        for name, tool in row["tools"].items():
            # Spin's search alone, beside everything that Gyre does from command to verdict
            if pan and name != "spin":
                tool["search_ratio"] = round(pan["seconds"] / max(tool["end_to_end"], 1e-4), 3)
        for store in ("tree", "plain"):
            one, two = (row["tools"].get(f"cold-{store}-{n}") for n in (1, 2))
            if one and two:
                two["speedup"] = round(one["end_wall"] / max(two["end_wall"], 1e-4), 3)
    result = bench.table(rows, variants, missing)
    for name in variants:
        tools = [(r["states"], r["tools"][name]) for r in rows if name in r["tools"]]
        result["means"][name]["search_ratio"] = mean([t.get("search_ratio") for _, t in tools])
        result["means"][name]["speedup"] = mean([t.get("speedup") for n, t in tools if n >= MANY])
    return result


def bars(s, at_least):
    for name in ("cold-tree-1", "cold-plain-1"):
        m = s["means"].get(name, {})
        if m.get("search_ratio"):
            yield f"cold start, {name.split('-')[1]} store, 1 thread: command to verdict, to Spin's search alone", \
                *at_least(m["search_ratio"], 6), f"geometric mean of {m['models']} models, nothing compiled before"
    for name in ("cold-tree-2", "cold-plain-2"):
        m = s["means"].get(name, {})
        if m.get("speedup"):
            yield f"cold start, {name.split('-')[1]} store, two threads to one", *at_least(m["speedup"], 1.8), \
                "geometric mean, models above 10^6 states, command to verdict"


def render(s, by_tool, means_table, times, grouped):
    def columns(t):
        return [grouped(t["states"]), f"{t['seconds']:.2f}", f"{t['end_to_end']:.2f}", times(t.get("search_ratio")),
                times(t.get("end_ratio")), times(t["speedup"]) if "speedup" in t else ""]

    head = ["states", "s", "end to end s", "to Spin's search", "to Spin, end to end", "two threads"]
    return "An empty cache each time: the search begins in the VM, code comes from the quick compiler. *To Spin's " \
        "search*: the time of `pan` alone, its compiler not counted, compared with Gyre's time from command to verdict, " \
        "with everything. Two threads to one in wall-clock time.\n\n" + by_tool(s, columns, head) + "\n" + \
        means_table(s, [("search_ratio", times), ("end_ratio", times), ("speedup", times)],
                    ["to Spin's search", "to Spin, end to end", "two threads, above 10^6 states"])
