#!/usr/bin/env python3
"""How large are the models of bench/hunt/deep? bench/hunt/space.md.

    bench/hunt_space.py [--gyre PROGRAM] [--seconds N] [MODEL...]

No search goes through any of them. Of each, smaller ones of the same text are counted exactly (--exact,
without assertions, so that nothing ends the search): numbers in it are made smaller, and one of them grows
again up to its value in the model. A smaller one is a part of a larger one, where the processes that were
added have not moved yet, or the places, rounds and values that were added are not used; so what is counted
can only grow. The last count, times the last factor for each step that is left, is a size of the one whose
other numbers are still small; where factors fall from one step to the next, they are taken to go on falling
in the same way. A search that was begun and not finished has met some states, which is less than there are:
that is taken for the next count if it makes for a larger factor than the one before. The model itself is
larger still.
"""
import argparse
import json
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DEEP = os.path.join(HERE, "hunt", "deep")
# model: what grows, its sizes up to that of the model, and other numbers that are made smaller, or go with it
MODELS = {
    "allocator": ("CLIENTS", range(1, 9), {"BLOCKS": 4}),
    "bank": ("CLERKS", range(1, 11), {}),
    "commit": ("N", range(1, 8), {"ROUNDS": 1}),
    "directory": ("N", range(2, 9), {}),
    "election": ("N", range(2, 7), {"CAP": 1}),
    "lift": ("PEOPLE", range(1, 7), {"FLOORS": 3, "RIDES": 1}),
    "queues": ("P", range(1, 5), {"C": 2, "ITEMS": 2}),
    "raft": ("TERMS", range(1, 5), {"N": 3, "MAJORITY": 2}),
    "ricart": ("N", range(2, 6), {"T": 2}),
    "snoopy": ("N", range(1, 6), {"LINES": 2, "V": 3}),
    "szymanski": ("N", range(2, 7), {}),
    "window": ("W", range(1, 6), {"D": lambda w: 2 * w + 1, "CAP": 2}),
}


def write(name, size, folder):
    key, _, others = MODELS[name]
    with open(os.path.join(DEEP, name + ".pml"), encoding="utf-8") as file:
        text = file.read()
    for macro, value in [(key, size), *((macro, make(size) if callable(make) else make) for macro, make in others.items())]:
        text, count = re.subn(rf"^#define {macro} \S+$", f"#define {macro} {value}", text, flags=re.M)
        assert count == 1, (name, macro)
    path = os.path.join(folder, f"{name}{size}.pml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def count(gyre, path, seconds, memory):
    done = subprocess.run([gyre, path, "--exact", "--no-assert", "--no-deadlock", "--check", "safety", "--json",
                           "--time", str(seconds), "--memory", memory], capture_output=True, text=True)
    report = json.loads(done.stdout)
    if report["verdict"] == "error":
        raise SystemExit(f"{path}: {report['diagnostics']}")
    states = report["properties"][0]["states"]
    return states, report["stats"]["limit"] is None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gyre", default=os.path.join(HERE, "..", "build", "gyre"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--memory", default="3G")
    parser.add_argument("--out", default=os.path.join(HERE, "hunt", "space.md"))
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    lines, small = [], []
    for name in arguments.models or sorted(MODELS):
        key, sizes, _ = MODELS[name]
        counts = []
        with tempfile.TemporaryDirectory() as folder:
            for size in sizes:
                states, complete = count(os.path.abspath(arguments.gyre), write(name, size, folder), arguments.seconds, arguments.memory)
                if not complete:
                    break
                counts.append((size, states))
        exact = len(counts)
        if not complete and (exact < 2 or states / counts[-1][1] > counts[-1][1] / counts[-2][1]):
            counts.append((counts[-1][0] + 1, states))
        left = sizes[-1] - counts[-1][0]
        factors = [after / before for (_, before), (_, after) in zip(counts, counts[1:])]
        factor, fall = (factors[-1], min(1, factors[-1] / factors[-2])) if len(factors) > 1 else (factors[-1], 1) if factors else (1, 1)
        estimate = counts[-1][1]
        for _ in range(left):
            factor *= fall
            estimate *= factor
        if estimate < 1e9:
            small.append(name)
        told = ", ".join(f"{size}: {'' if i < exact else 'more than '}{states:,}" for i, (size, states) in enumerate(counts))
        made = ", ".join(f"{macro} = {value}" for macro, value in MODELS[name][2].items() if not callable(value)) or "as they are"
        lines.append(f"| {name} | {key} = {sizes[-1]} | {made} | {told} | {', '.join(f'{f:.1f}' for f in factors)} | {estimate:.1e} |")
        print(lines[-1], flush=True)
    text = ["# How large the models with deep errors are", "",
            "Made by `bench/hunt_space.py`, which says how. Counts of smaller models are exact; the last column is the last of them times the",
            "last factor for each step that is left, with the other numbers still small: the model itself is larger.", "",
            "| model | grows up to | other numbers | states of smaller ones | factors | at full growth, about |",
            "|---|---|---|---|---|---|", *lines, ""]
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    print("not shown to exceed 10^9: " + ", ".join(small) if small else "all exceed 10^9")
    return 1 if small else 0


if __name__ == "__main__":
    raise SystemExit(main())
