#!/usr/bin/env python3
"""Compares the control-flow graphs that `gyre info --json` prints with those of `pan -d`.

    graphs.py [--gyre build/gyre] MODEL…

Spin's verifier prints, for every state of every proctype, its transitions: number, target
state, atomicity, end/accept/progress marks. All of that must be the same in Gyre's graph:
state counts, trails and pc_value depend on it. Ends with `N passed, N failed`.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402
from tally import Tally  # noqa: E402

LINE = re.compile(r"\s*state\s+(\d+) -\(tr\s+(\d+)\)-> state\s+(\d+)\s+"
                  r"\[id\s+(\d+) tp[^\]]*\] \[(.)(.)(.)(.)(.)\]")


def spin_graphs(model):
    """{process: {(from, id, to, atomic): True}}, {process: {state: marks}} or None."""
    folder = os.path.dirname(os.path.abspath(model))
    with tempfile.TemporaryDirectory() as work:
        # Spin writes pan.* into the current folder, yet includes are relative to the model.
        done = subprocess.run(["spin", "-a", "-o1", "-o2", "-o3", os.path.abspath(model)], cwd=work,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        pan = os.path.join(work, "pan.c")
        if done.returncode != 0 or not os.path.exists(pan):
            return None
        if subprocess.run(["tcc", "-w", "-o", "pan", "pan.c", "-I" + folder], cwd=work,
                          stderr=subprocess.DEVNULL).returncode != 0 and \
           subprocess.run(["cc", "-w", "-o", "pan", "pan.c", "-I" + folder], cwd=work,
                          stderr=subprocess.DEVNULL).returncode != 0:
            return None
        text = subprocess.run(["./pan", "-d"], cwd=work, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=300).stdout.decode(errors="replace")
    graphs, marks, name = {}, {}, None
    for line in text.splitlines():
        if line.startswith("proctype "):
            name = line.split()[1]
        elif line.startswith("claim "):
            name = "claim " + line.split()[1]
        elif line.strip() == "init":
            name = ":init:"
        elif line.startswith(("trace", "notrace")):
            name = ":trace:"
        found = LINE.match(line)
        if not found or name is None:
            continue
        state, _, to, number = (int(found.group(i)) for i in (1, 2, 3, 4))
        graphs.setdefault(name, set()).add((state, number, to, found.group(5) == "A"))
        marks.setdefault(name, {})[state] = "".join(found.group(i) for i in (6, 7, 8))
    return graphs, marks


def gyre_graphs(gyre, model):
    done = subprocess.run([gyre, "info", model, "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)
    if done.returncode != 0:
        return None
    graphs, marks = {}, {}
    for process in schema.report(done.stdout)["processes"]:
        name = process["name"]
        if process["kind"] in ("trace", "notrace"):
            name = ":trace:"
        elif process["kind"] == "init":
            name = ":init:"
        elif process["kind"] == "never":
            name = "claim " + name
        state = {n["id"]: n["spin_state"] for n in process["states"]}
        edges = set()
        for edge in process["edges"]:
            to = 0 if edge["to"] is None else state[edge["to"]]
            edges.add((state[edge["from"]], edge["spin_transition"], to,
                       "atomic" in edge["flags"]))
        # Two init blocks share a name, and Spin numbers the states of each from 1.
        graphs.setdefault(name, set()).update(edges)
        marks.setdefault(name, {})
        for node in process["states"]:
            flags = node["flags"]
            marks[name][node["spin_state"]] = (("a" if "accept" in flags else "-") +
                                               ("e" if "end" in flags or "final" in flags else "-") +
                                               ("p" if "progress" in flags else "-"))
    return graphs, marks


def compare(gyre, model):
    """None if equal, else what differs."""
    spin = spin_graphs(model)
    if spin is None:
        return "skip"
    ours = gyre_graphs(gyre, model)
    if ours is None:
        return "Gyre rejects the model"
    problems = []
    for name, edges in spin[0].items():
        mine = ours[0].get(name)
        if mine is None and name.startswith("claim "):
            continue  # the automaton of an ltl formula: Gyre makes its own
        if mine is None:
            problems.append(f"{name}: not there")
        elif mine != edges:
            problems.append(f"{name}: only Spin {sorted(edges - mine)}, only Gyre {sorted(mine - edges)}")
        else:
            for state, mark in spin[1][name].items():
                if ours[1][name].get(state) != mark:
                    problems.append(f"{name} state {state}: Spin {mark}, Gyre {ours[1][name].get(state)}")
    return "; ".join(problems) or None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gyre", default=os.environ.get("GYRE", "build/gyre"))
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    tally = Tally()
    for model in options.models:
        try:
            problem = compare(options.gyre, model)
        except subprocess.TimeoutExpired:
            problem = "time-out"
        tally.add(model, problem)
    print(f"{tally.skipped} skipped")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
