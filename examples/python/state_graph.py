#!/usr/bin/env python3
"""Draws the states of a small model: prints a graph for Graphviz.

    ./state_graph.py ../broken_mutex.pml | dot -Tsvg > states.svg

States that violate an assertion, and invalid end states, are red."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
import gyre  # noqa: E402

LIMIT = 1000  # states: more are unreadable


def quoted(text: str) -> str:
    """A string of the dot language."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def dot(model: gyre.Model) -> str:
    """The graph of all reachable states."""
    numbers: "dict[gyre.State, int]" = {}
    lines = ["digraph states {", "  node [shape=box];"]
    for state, transitions in model.explore(limit=LIMIT):
        here = numbers.setdefault(state, len(numbers))
        label = "\n".join([*(f"{name} = {value}" for name, value in state.items()),
                           *(f"{each.who} at line {each.line}" for each in state.processes)])
        red = state.is_deadlock or any(each.fault for each in transitions)
        lines.append(f"  {here} [label={quoted(label)}{', color=red' if red else ''}];")
        for transition in transitions:
            if transition.state is None:
                continue
            there = numbers.setdefault(transition.state, len(numbers))
            who = transition.steps[0].who
            lines.append(f"  {here} -> {there} [label={quoted(f'{who}: {transition}')}];")
    return "\n".join([*lines, "}"])


def main() -> int:
    """The exit status: 2 if the model cannot be drawn."""
    if len(sys.argv) != 2:
        print(f"usage: {sys.argv[0]} MODEL", file=sys.stderr)
        return 2
    try:
        with gyre.load(sys.argv[1]) as model:
            print(dot(model))
    except gyre.GyreError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
