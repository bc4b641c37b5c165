#!/usr/bin/env python3
# check: cli: facts of state spaces; seconds 10
"""gyre stats: facts of state spaces, beside an interpreter of its own and by hand.

    test_stats.py [figures] [published] [local_states] [promela] [limits] [plots] [errors]

figures   models of tests/dve/models whose figures were published (`published_*.dve`): states, edges,
          levels, the largest level, back-level edges, components and the height of their quotient.
published the models of bench/models/published.tsv, likewise.
promela   states and deadlocks of Promela models beside `gyre --exact`; random walks that repeat.
limits    --time, --memory and an interrupt end it with status 3, and what is known is told.
plots     --svg is well-formed, with one plot of each kind.
errors    a model that cannot be read.
Ends with `N passed, N failed`.
"""
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import at_work  # noqa: E402
import groups  # noqa: E402
import schema  # noqa: E402
from language import GYRE, gyre  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def stats(path, *options):
    status, out, err = gyre("stats", path, "--json", *options)
    return status, schema.report(out) if out else {"stderr": err}


PLACES = {"states": ("states",), "transitions": ("edges",), "deadlocks": ("deadlocks",),
          "levels": ("breadth_first", "levels"), "largest_level": ("breadth_first", "largest_level"),
          "back_level_edges": ("breadth_first", "back_level_edges"),
          "components": ("components", "count"), "height": ("components", "height")}


def figures():
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/dve/models/published_*.dve"))):
        with open(path, encoding="utf-8") as file:
            expected = re.search(r"^// expect: \w+;(.*)", file.read(), re.M).group(1)
        _, report = stats(path)
        wrong = []
        for name, value in re.findall(r"(\w+) (\d+)", expected):
            found = report
            for key in PLACES[name]:
                found = found[key]
            if found != int(value):
                wrong.append("%s %d instead of %s" % (name, found, value))
        yield os.path.basename(path), wrong
        yield os.path.basename(path) + ": sums", sums(report)


def published():
    with open(os.path.join(ROOT, "bench/models/published.tsv"), encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    for model, options, instance, *expected in lines:
        _, report = stats(os.path.join(ROOT, "bench/models", model + ".mdve"), *options.split())
        wide, parts = report["breadth_first"], report["components"]
        found = [report["states"], report["edges"], wide["levels"], wide["largest_level"],
                 wide["back_level_edges"], parts["count"], parts["height"]]
        yield instance, [] if found == [int(n) for n in expected] else [found]


def local_states():
    """Peterson's algorithm in DVE (examples/dve/mutex.dve), by hand."""
    _, report = stats(os.path.join(ROOT, "examples/dve/mutex.dve"), "--full")
    # A and B have no variables: four places each, in whose states the figures must add up to all 20.
    # Global: wants twice and turn. With nobody interested, turn is 0 or 1 (0 at first); with one of
    # them, both; with both, both: all eight.
    counts = {(l["process"], l["pid"]): l["count"] for l in report["local_states"]}
    yield "local states", [] if counts == {(None, None): 8, ("A", 0): 4, ("B", 1): 4} else [counts]
    wrong = [l for l in report["local_states"] if sum(l["states"]) != report["states"]]
    yield "each state has one of each", wrong


def sums(report):
    """What must add up, whatever the graph is."""
    states, edges = report["states"], report["edges"]
    wide, deep, parts = report["breadth_first"], report["depth_first"], report["components"]
    ways = [
        ("states of levels", sum(l["states"] for l in wide["profile"]), states),
        ("edges of levels", sum(l["edges"] for l in wide["profile"]), edges),
        ("back-level edges by length", sum(wide["back_level_lengths"]), wide["back_level_edges"]),
        ("states by in-degree", sum(report["degrees"]["in"]), states),
        ("states by out-degree", sum(report["degrees"]["out"]), states),
        ("edges in", sum(i * n for i, n in enumerate(report["degrees"]["in"])), edges),
        ("edges out", sum(i * n for i, n in enumerate(report["degrees"]["out"])), edges),
        ("states of components", sum(c["size"] * c["count"] for c in parts["sizes"]), states),
        ("components by size", sum(c["count"] for c in parts["sizes"]), parts["count"]),
        ("edges of depth-first search",
         deep["front_edges"] + deep["back_edges"] + deep["cross_edges"], edges),
        ("front edges", deep["front_edges"], states - report["initial_states"]),
        ("edges by statement", sum(s["count"] for s in report["statements"]), edges),
    ]
    return ["%s: %d, not %d" % way for way in ways if way[1] != way[2]]


def promela():
    for name in ("peterson.pml", "philosophers.pml", "producer_consumer.pml", "traffic_light.pml"):
        path = os.path.join(ROOT, "examples", name)
        _, report = stats(path)
        _, out, _ = gyre(path, "--exact", "--check", "safety", "--all-errors", "--json")
        expected = schema.report(out)["properties"][0]
        wrong = sums(report)
        if report["states"] != expected["states"]:
            wrong.append("%d states, %d verified" % (report["states"], expected["states"]))
        if report["edges"] + report["initial_states"] != expected["transitions"]:
            wrong.append("%d edges, %d verified" % (report["edges"], expected["transitions"]))
        # a level is one more than a depth: that of the initial state counts
        if expected["depth_unit"] == "transitions" and report["breadth_first"]["levels"] != expected["depth"] + 1:
            wrong.append("%d levels, depth %d" % (report["breadth_first"]["levels"], expected["depth"]))
        yield name, wrong
        again = stats(path, "--backend", "vm")[1]
        yield name + ": the virtual machine", [] if again == report else ["differs"]
    other = stats(path, "--seed", "2")[1]
    yield "another walk", [] if other["random_walk"] != report["random_walk"] else ["is the same"]


# Two counters of a million values each: more than can be explored here.
LARGE = """int x, y;
active proctype P() { do :: x < 1000000 -> x++ :: x > 0 -> x-- od }
active proctype Q() { do :: y < 1000000 -> y++ :: y > 0 -> y-- od }
"""


def limits():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.pml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(LARGE)
        for option, value, name in (("--time", "0.5", "time"), ("--memory", "60M", "memory")):
            status, report = stats(path, option, value)
            wrong = [] if status == 3 else ["status %d" % status]
            if report.get("limit") != name or report.get("complete") is not False:
                wrong.append("limit %s" % report.get("limit"))
            if not report.get("states") or "components" in report:
                wrong.append("what is not known is told, or what is known is not")
            yield option, wrong
        process = subprocess.Popen([GYRE, "stats", path], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        out, _ = at_work.interrupt(process, signal.SIGINT)
        good = process.returncode == 3 and b"incomplete: interrupted" in out
        yield "interrupt", [] if good else ["%s %s" % (process.returncode, out[:200])]


def plots():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plots.svg")
        status, _, _ = gyre("stats", os.path.join(ROOT, "examples/peterson.pml"), "--svg", path)
        root = ElementTree.parse(path).getroot()
        texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
        wrong = [] if status == 0 else ["status %d" % status]
        for word in ("Levels", "Degrees", "Back-level", "Components", "Stack", "random walk"):
            if not any(word in text for text in texts):
                wrong.append("no plot of " + word)
        yield "--svg", wrong
        status, _, err = gyre("stats", os.path.join(ROOT, "examples/peterson.pml"), "--svg",
                              os.path.join(folder, "no/such/folder.svg"))
        yield "--svg: no such folder", [] if status == 2 and "cannot write" in err else [err]


def errors():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bad.pml")
        with open(path, "w", encoding="utf-8") as file:
            file.write("active proctype P() { x = 1 }\n")
        status, report = stats(path)
        good = status == 2 and report["verdict"] == "error" and report["diagnostics"]
        yield "a model with an error", [] if good else [str(report)]
        status, out, err = gyre("stats", path)
        yield "told in its place", [] if status == 2 and "bad.pml:1" in err else [out + err]
    status, _, err = gyre("stats", "a.pml", "b.pml")
    yield "two models", [] if status == 2 and "one model" in err else [err]
    status, _, err = gyre("stats", os.path.join(ROOT, "examples/peterson.pml"), "--exact")
    yield "an option of others", [] if status == 2 and "not an option of gyre stats" in err else [err]
    status, _, err = gyre("stats", os.path.join(ROOT, "examples/peterson.pml"), "--backend", "cuda")
    yield "a backend that makes no graphs", [] if status == 2 and "gyre stats needs vm" in err else [err]


if __name__ == "__main__":
    sys.exit(groups.run((figures, published, local_states, promela, limits, plots, errors)))
