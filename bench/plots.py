"""SVG plots of the results: horizontal bars, readable on light and dark pages."""

import math
import os

from bars import name_of

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


def log_steps(top):
    """1, 2, 5, 10 …, or powers of ten alone, up to just above the top."""
    digits = (1, 2, 5) if top < 2000 else (1,)
    steps = [d * 10**e for e in range(12) for d in digits]
    return [s for s in steps if s < top] + [next(s for s in steps if s >= top)]


def bars(title, unit, rows, tools, value, mark_one, logarithmic):
    """Horizontal bars: one group per row, one bar per tool."""
    thick, gap, left, width = 9, 10, 210, 560
    tools = [t for t in tools if any(t in r["tools"] for r in rows)]
    numbers = [value(r["tools"][t]) or 0 for r in rows for t in tools if t in r["tools"]]
    top = max(numbers + [1])
    steps = log_steps(max(top, 2)) if logarithmic else nice_steps(top)

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
                   f'{step:,}{unit}</text>')
    y = head
    for row in rows:
        out.append(f'<text x="{left - 8}" y="{y + thick * len(tools) / 2 + 4:.1f}" '
                   f'text-anchor="end">{escape(name_of(row))}</text>')
        for i, tool in enumerate(tools):
            if tool in row["tools"]:
                v = value(row["tools"][tool]) or 0
                out.append(f'<rect class="c{i % 8}" x="{left}" y="{y}" width="{along(v):.1f}" '
                           f'height="{thick - 1}"><title>{escape(tool)}: {v:,.2f}{unit}</title></rect>')
            y += thick
        y += gap
    out.append("</svg>")
    return "\n".join(out) + "\n"


def ratio_to_spin(rows):
    return [{**r, "tools": {"gyre": r["tools"]["all"]["states"] / r["tools"]["spin"]["states"]}}
            for r in rows]


def write(folder, results):
    """Writes what the results allow. Gives (file, title) of each."""
    found = []
    if "speed" in results:
        rows = results["speed"]["rows"]
        tools = ["spin", "native-plain-1", "native-tree-1", "native-tree-2"]
        found += [
            ("speed.svg", "States per second, as a multiple of Spin's", "×", rows, tools,
             lambda t: t.get("speed_ratio"), True, False),
            ("memory.svg", "Bytes per state (logarithmic)", "", rows, tools[:3],
             lambda t: t["bytes_per_state"], False, True)]
    if "growth" in results:
        found.append(("growth.svg", "States: Spin without and with its reductions, Gyre with all "
                      "(logarithmic)", "", results["growth"]["rows"], ["spin full", "spin", "all"],
                      lambda t: t["states"], False, True))
    if "strength" in results:
        found.append(("strength.svg", "States by default, as a multiple of Spin's by default", "×",
                      ratio_to_spin(results["strength"]["rows"]), ["gyre"], lambda t: t, True,
                      False))
    found = [plot for plot in found if plot[3]]
    for file, title, *rest in found:
        with open(os.path.join(folder, file), "w") as f:
            f.write(bars(title, *rest))
    return [plot[:2] for plot in found]
