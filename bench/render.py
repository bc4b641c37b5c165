"""Turns the figures of run.py into Markdown tables and SVG plots."""

import math
import os

ORDER = ["speed", "small", "vm", "stores", "huge", "growth", "strength"]
TITLES = {
    "speed": "Speed and memory",
    "small": "Small models, end to end",
    "vm": "The virtual machine: successors per second",
    "stores": "Every store",
    "huge": "More than 10^8 states",
    "growth": "Growth with and without reductions",
    "strength": "States explored by default",
    "quick": "Smoke test",
}


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


def name_of(row):
    return " ".join([row["model"]] + [o[2:] for o in row["options"]])


def kib(n):
    return f"{n / 2**20:.1f} MiB"


def clock_text(section):
    loaded = section["machine"]["load_of_others"]
    clock = ("CPU seconds of the process that searches (wall for several threads)"
             if section["clock"] == "cpu" else "wall-clock seconds of the search")
    text = f"Times: {clock}; best of {section['repeat']} for runs under 5 s. "
    if loaded > 0.3:
        text += (f"**The machine was not quiet: other work used {loaded:.1f} of its "
                 f"{section['machine']['cores']} cores at the start. Trust ratios to about 1.3×.** ")
    return text


def missing_text(section):
    missing = section.get("missing")
    return f"Not in this build: {', '.join(missing)}. " if missing else ""


def by_tool(section, columns, head):
    tools = ["spin"] + section["variants"]
    rows = []
    for row in section["rows"]:
        first = True
        for tool in tools:
            if tool not in row["tools"]:
                continue
            t = row["tools"][tool]
            rows.append([name_of(row) if first else "", tool] + columns(row, t, first))
            first = False
    return table(["model", "tool"] + head, rows)


def means_table(section, keys, head):
    rows = []
    for tool, m in section["means"].items():
        rows.append([tool] + [f(m.get(k)) for k, f in keys])
    return "Geometric means:\n\n" + table(["tool"] + head, rows)


def bytes_text(x):
    return "–" if x is None else f"{x:.1f}"


def speed(s):
    def columns(row, t, first):
        return [grouped(t["states"]), grouped(t["transitions"]), f"{t['seconds']:.2f}",
                millions(t["states_per_second"]), times(t.get("speed_ratio")),
                f"{t['bytes_per_state']:.1f}", f"{t['end_to_end']:.2f}", times(t.get("end_ratio"))]

    head = ["states", "transitions", "s", "M states/s", "to Spin", "bytes/state",
            "end to end s", "to Spin"]
    return by_tool(s, columns, head) + "\n" + means_table(
        s, [("speed_ratio", times), ("end_ratio", times), ("bytes_per_state", bytes_text)],
        ["states/s to Spin", "end to end to Spin", "bytes/state"])


def small(s):
    def columns(row, t, first):
        return [grouped(t["states"]), f"{t['end_to_end'] * 1000:.0f} ms", times(t.get("end_ratio")),
                kib(t["peak_bytes"])]

    return by_tool(s, columns, ["states", "command to verdict", "to Spin", "peak memory"]) + "\n" + \
        "Spin's figure is `spin -a && cc && ./pan`, with `cc -O3` or plain `cc`, whichever is " \
        "faster in sum.\n\n" + means_table(s, [("end_ratio", times)], ["end to end to Spin"])


def vm(s):
    def columns(row, t, first):
        return [grouped(t["transitions"]), f"{t['seconds']:.2f}",
                millions(t["transitions_per_second"]),
                f"{1e9 / t['transitions_per_second']:.0f}", times(t.get("speed_ratio"))]

    return "Storing is part of it on both sides.\n\n" + by_tool(
        s, columns, ["successors", "s", "M successors/s", "ns each", "to Spin"]) + "\n" + \
        means_table(s, [("speed_ratio", times)], ["to Spin"])


def huge(s):
    return table(["model", "variant", "states", "transitions", "s", "M states/s", "bytes/state",
                  "peak"],
                 [[name_of(r), r["variant"], grouped(r["states"]), grouped(r["transitions"]),
                   r["seconds"], millions(r["states_per_second"]), r["bytes_per_state"],
                   f"{r['peak_bytes'] / 2**30:.2f} GiB"] for r in s["rows"]])


def growth(s):
    tools = list(s["rows"][0]["tools"])
    rows = [[name_of(r)] + [grouped(r["tools"][t]["states"]) for t in tools] for r in s["rows"]]
    return "States stored.\n\n" + table(["model"] + tools, rows)


def strength(s):
    rows = []
    for r in s["rows"]:
        t = r["tools"]
        ours, theirs = t["gyre default"]["states"], t["spin"]["states"]
        rows.append([name_of(r), grouped(t["spin exact"]["states"]), grouped(theirs),
                     grouped(ours), f"{ours / theirs:.3f}"])
    return "States stored by default. At most 1 on every model and 0.5 on average is the aim.\n\n" + \
        table(["model", "exact", "spin -a", "gyre", "gyre / spin"], rows) + \
        f"\nGeometric mean of the last column: {s['mean_to_spin']:.3f}.\n"


BODIES = {"speed": speed, "quick": speed, "stores": speed, "small": small, "vm": vm, "huge": huge,
          "growth": growth, "strength": strength}


def section(name, s):
    head = "" if name in ("growth", "strength") else clock_text(s) + missing_text(s) + "\n\n"
    return f"## {TITLES[name]}\n\n{head}{BODIES[name](s)}"


# ---- plots --------------------------------------------------------------------------------

STYLE = """<style>
text { font: 12px sans-serif; fill: #222; } .soft { fill: #666; } .line { stroke: #bbb; }
.one { stroke: #c33; stroke-dasharray: 4 3; } .c0 { fill: #8a8a8a; } .c1 { fill: #3b7dd8; }
.c2 { fill: #1f9e89; } .c3 { fill: #d98a1f; } .c4 { fill: #a05ac8; } .c5 { fill: #c8506e; }
.c6 { fill: #6a8f2d; } .c7 { fill: #2d8fa8; } .back { fill: #fff; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } .soft { fill: #999; }
.line { stroke: #555; } .back { fill: #181a1b; } .c0 { fill: #777; } }
</style>"""


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def nice_steps(top):
    step = 1
    for candidate in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        step = candidate
        if top / candidate <= 8:
            break
    return [i * step for i in range(int(top / step) + 2)]


def bars(title, unit, rows, tools, value, mark_one, logarithmic):
    """Horizontal bars: one group per row, one bar per tool."""
    thick, gap, left, width = 9, 10, 210, 560
    tools = [t for t in tools if any(t in r["tools"] for r in rows)]
    numbers = [value(r["tools"][t]) or 0 for r in rows for t in tools if t in r["tools"]]
    top = max(numbers + [1])
    if logarithmic:
        steps = [n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000) if n < 2.5 * top]
    else:
        steps = nice_steps(top)

    def along(v):
        if logarithmic:
            return width * math.log(max(v, 1)) / math.log(steps[-1])
        return width * v / steps[-1]

    head = 58 + 18 * ((len(tools) + 3) // 4)
    height = head + len(rows) * (thick * len(tools) + gap) + 30
    total = left + width + 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height}" '
           f'width="{total}" height="{height}" role="img">', f"<title>{escape(title)}</title>", STYLE,
           f'<rect class="back" width="{total}" height="{height}"/>',
           f'<text x="12" y="22" style="font-size:15px;font-weight:bold">{escape(title)}</text>']
    for i, tool in enumerate(tools):
        x, y = 12 + (i % 4) * 190, 42 + 18 * (i // 4)
        out.append(f'<rect class="c{i % 8}" x="{x}" y="{y - 9}" width="11" height="11"/>'
                   f'<text x="{x + 17}" y="{y}">{escape(tool)}</text>')
    bottom = height - 26
    for step in steps:
        x = left + along(step)
        kind = "one" if mark_one and step == 1 else "line"
        out.append(f'<line class="{kind}" x1="{x:.1f}" y1="{head - 8}" x2="{x:.1f}" y2="{bottom}"/>'
                   f'<text class="soft" x="{x:.1f}" y="{bottom + 15}" text-anchor="middle">'
                   f'{step}{unit}</text>')
    y = head
    for row in rows:
        out.append(f'<text x="{left - 8}" y="{y + thick * len(tools) / 2 + 4:.1f}" '
                   f'text-anchor="end">{escape(name_of(row))}</text>')
        for i, tool in enumerate(tools):
            if tool in row["tools"]:
                v = value(row["tools"][tool]) or 0
                out.append(f'<rect class="c{i % 8}" x="{left}" y="{y}" width="{along(v):.1f}" '
                           f'height="{thick - 1}"><title>{escape(tool)}: {v:.2f}{unit}</title></rect>')
            y += thick
        y += gap
    out.append("</svg>")
    return "\n".join(out) + "\n"


def plots(folder, results):
    written = []
    if "speed" in results and results["speed"]["rows"]:
        s = results["speed"]
        tools = ["spin"] + s["variants"]
        for file, title, unit, value, mark, logarithmic in (
                ("speed.svg", "States per second, as a multiple of Spin's", "×",
                 lambda t: t.get("speed_ratio"), True, False),
                ("memory.svg", "Bytes per state (logarithmic)", "",
                 lambda t: t["bytes_per_state"], False, True)):
            with open(os.path.join(folder, file), "w") as f:
                f.write(bars(title, unit, s["rows"], tools, value, mark, logarithmic))
            written.append((file, title))
    return written


def write(folder, results):
    m = next(iter(results.values()))["machine"]
    parts = ["# Gyre beside Spin\n",
             "Written by `bench/run.py` (`make bench`); [README.md](README.md) says how it measures. "
             "Spin: `spin -a -o1 -o2 -o3`, `cc -O3 -DNOFAIR -DSAFETY -DNOREDUCE`, `pan -w` and `-m` "
             "made to fit; Gyre: `--exact`. Counts are equal on every line; a difference is an error. "
             "A tool is `backend-store-threads`; `default` is Gyre with no option but `--exact`. Bytes per state "
             "are each tool's own accounting: Spin's without its hash table and stack, Gyre's with "
             "everything.\n"]
    seen = {}
    for name in ORDER:
        if name in results:
            facts = {k: v for k, v in results[name]["machine"].items() if k != "load_of_others"}
            seen.setdefault(tuple(facts.items()), []).append(name)
    for key, names in seen.items():
        m = dict(key)
        parts.append(f"{'; '.join(TITLES[n] for n in names)}: {m['date']}, {m['cpu']}, "
                     f"{m['cores']} cores, {m['memory_gib']} GiB, {m['system']}, {m['compiler']}, "
                     f"{m['spin']}, {m['gyre']}.\n")
    for file, title in plots(folder, results):
        parts.append(f"![{title}]({file})\n")
    parts += [section(name, results[name]) for name in ORDER if name in results]
    with open(os.path.join(folder, "results.md"), "w") as f:
        f.write("\n".join(parts))
