"""From command to verdict: `gyre MODEL`, with nothing compiled before, beside four ways to run Spin."""

import os
import re
import shutil
import tempfile

from measuring import mean, say
from peers import Failed

DEEP = "-m1000000"
PATIENCE = 60  # seconds for a search of Spin's; then there is no answer

# What people type: its flags for the compiler. `pan` is the first, compiled before.
WAYS = {"-O2": ["-O2", "-DSAFETY"], "-run": ["-O", "-DSAFETY"], "cc": []}
COLUMNS = {"-O2": "`cc -O2 -DSAFETY`", "-run": "`spin -run`", "cc": "plain `cc`", "pan": "`pan` alone"}


def used(bench, usage):
    return usage.cpu + usage.cpu_below if bench.clock == "cpu" else usage.wall


def of_runs(runs):
    """The fastest of some runs; its `slowest` is the spread."""
    best = min(runs, key=lambda r: r["seconds"])
    return {**best, "slowest": max(r["seconds"] for r in runs)}


# ---- Spin -------------------------------------------------------------------------------


def verdict_of(text):
    errors = re.search(r"errors: (\d+)", text)
    states = re.search(r"([\d.e+]+) states, stored", text)
    if not errors or not states:
        return None, 0
    cut = "too small" in text or "Search not completed" in text
    verdict = "violated" if int(errors.group(1)) else "cut off" if cut else "holds"
    return verdict, int(float(states.group(1)))


def search(bench, folder, program, options=()):
    """Once more with a deeper stack if the default one cut the search off: then that search alone counts."""
    try:
        usage = bench.meter.run([program, *options], cwd=folder, timeout=PATIENCE)
    except Failed:
        return {"seconds": PATIENCE, "verdict": "no answer", "states": 0, "peak_bytes": 0, "deep": bool(options)}
    verdict, states = verdict_of(usage.output)
    if not verdict:
        raise Failed(f"pan says: {usage.output[-300:]}{usage.errors[-300:]}")
    if verdict == "cut off" and not options:
        return search(bench, folder, program, [DEEP])
    return {"seconds": used(bench, usage), "verdict": verdict, "states": states, "peak_bytes": usage.peak,
            "deep": bool(options)}


def step(bench, command, folder):
    usage = bench.meter.run(command, cwd=folder, timeout=10 * PATIENCE)
    if usage.status != 0:
        raise Failed(f"{command[0]}: {(usage.output + usage.errors)[-300:]}")
    return used(bench, usage)


def spin_once(bench, path, options, claim):
    """way -> what was measured. `claim`: False leaves out the never claim that the model has."""
    folder = tempfile.mkdtemp(dir=bench.meter.folder)
    try:
        shutil.copytree(os.path.dirname(path), folder, dirs_exist_ok=True, symlinks=True)
        made = step(bench, ["spin", "-a", *options, os.path.basename(path)], folder)
        found = {}
        for way, wanted in WAYS.items():
            if found and found["pan"]["verdict"] == "no answer":
                break  # nor will the others have one
            flags = wanted + ([] if claim else ["-DNOCLAIM"])
            compiled = step(bench, ["cc", *flags, "-w", "-o", "pan" + way, "pan.c"], folder)
            run = search(bench, folder, "./pan" + way)
            found[way] = {**run, "seconds": made + compiled + run["seconds"]}
            if way == "-O2":
                found["pan"] = run
        return found
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def spin_runs(bench, path, options, claim):
    """As often as asked for; a search that did not end is not run again."""
    runs = [spin_once(bench, path, options, claim)]
    while len(runs) < bench.o.repeat and runs[0]["pan"]["verdict"] != "no answer":
        runs.append(spin_once(bench, path, options, claim))
    return {way: of_runs([run[way] for run in runs if way in run]) for way in runs[0]}


# ---- Gyre -------------------------------------------------------------------------------


def gyre_once(bench, path, options):
    """Nothing compiled before."""
    usage, report = bench.gyre.report_of(path, options + ["--check", "safety"], fresh=True)
    safety = report["properties"][0]
    return {"seconds": used(bench, usage), "peak_bytes": usage.peak, "states": safety["states"],
            "verdict": report["verdict"]}


# ---- both -------------------------------------------------------------------------------


def row_of(bench, name, path, options, claim=True):
    spin = spin_runs(bench, path, options, claim)
    ours = of_runs([gyre_once(bench, path, options) for _ in range(bench.o.repeat)])
    row = {"model": name, "options": options, "verdict": ours["verdict"], "tools": {"gyre": ours, **spin},
           "ratios": {way: round(run["seconds"] / max(ours["seconds"], 1e-4), 2) for way, run in spin.items()}}
    say(f"  {name}: " + ", ".join(f"{way} {ratio}" for way, ratio in row["ratios"].items()))
    return row


def is_cut_off(row):
    """Then Spin has no verdict, and what it took is no time to a verdict."""
    return row["tools"]["pan"]["verdict"] in ("cut off", "no answer")


def summary(rows):
    """Means and least ratios, of those that both have decided."""
    decided = [r for r in rows if not is_cut_off(r)]
    means, least = {}, {}
    for way in COLUMNS:
        ratios = [(r["ratios"][way], r) for r in decided if way in r["ratios"]]
        means[way] = mean([ratio for ratio, _ in ratios])
        if ratios:
            ratio, row = min(ratios, key=lambda pair: pair[0])
            least[way] = {"ratio": ratio, "model": row["model"], "options": row["options"]}
    return {"rows": rows, "decided": len(decided), "means": means, "least": least, "compares": "verdicts"}


def render_rows(rows, table, times, grouped):
    lines = []
    for r in sorted(rows, key=lambda r: r["ratios"]["pan"]):
        spin, ours = r["tools"]["pan"], r["tools"]["gyre"]
        lines.append([" ".join([r["model"]] + r["options"]), ours["verdict"],
                      spin["verdict"] + (f" ({DEEP})" if spin["deep"] else ""),
                      grouped(ours["states"]), grouped(spin["states"]), f"{ours['peak_bytes'] / 2**20:.0f}",
                      f"{spin['peak_bytes'] / 2**20:.0f}", f"{ours['seconds']:.3f}", f"{ours['slowest']:.3f}",
                      *(times(r["ratios"].get(way)) for way in COLUMNS)])
    return table(["model", "Gyre says", "Spin says", "Gyre: states", "Spin: states", "Gyre: MiB", "Spin: MiB",
                  "Gyre: s", "slowest", *COLUMNS.values()], lines)


def render(s, table, times, grouped):
    """Worst first; what Spin did not decide stands apart."""
    text = "`gyre MODEL` with nothing compiled before, beside Spin from `spin -a` on, compiled in three ways, and " \
        "beside `pan` alone, compiled before by `cc -O2 -DSAFETY`. The last four columns: how many times as fast Gyre " \
        f"is; least ratio first. Where Spin's default depth cut the search off, it is run with {DEEP}, and the first " \
        "run does not count.\n\n" + render_rows([r for r in s["rows"] if not is_cut_off(r)], table, times, grouped)
    if s["decided"]:
        text += "\n" + table(["", *COLUMNS.values()], [
            ["geometric mean", *(times(s["means"].get(way)) for way in COLUMNS)],
            ["least", *(times(s["least"].get(way, {}).get("ratio")) for way in COLUMNS)]])
    cut = [r for r in s["rows"] if is_cut_off(r)]
    if cut:
        text += f"\nSpin did not decide these: {DEEP} is too small, too (`cut off`), or the search took more than " \
            f"{PATIENCE} s (`no answer`). They count in no mean.\n\n" + render_rows(cut, table, times, grouped)
    return text
