#!/usr/bin/env python3
# check: includes: functions are short; by status; without a build; quick
"""Fails on a function of more than 80 lines or more than six parameters in src, unless it is listed
here. The lists only ever get shorter: what is listed without need is told.
"""
import os
import re
import sys

MOST_LINES, MOST_PARAMETERS = 80, 6

# file: functions
LONG = {
    # The loop of the virtual machine: one label per instruction, and the compiler keeps its registers.
    "exec/vm/interp.c": {"gy_vm_run"},
}
MANY = {
    "exec/observe/observe.c": {"acceptance_moves", "progress_moves", "tight_progress_moves"},
    "exec/observe/observe_claim.c": {"claim_from", "claim_moves"},
    "exec/observe/observe_table.c": {"table_moves"},
    "exec/system.c": {"gy_claim_moves"},
    "exec/vm/claim.c": {"gy_vm_claim_moves"},
    "lang/ltl/automaton/tight.c": {"fill"},
    "lang/ltl/formula/formula_parse.c": {"gy_ltl_parse"},
    "lang/promela/read/scan.c": {"pp_scanner_init"},
    "load/explain.c": {"gy_ltl_explain"},
    "load/property.c": {"formula_moves"},
    "load/tight_observer.c": {"tight_moves"},
    "reduce/cartesian.c": {"gy_cartesian_runs"},
    "reduce/proviso.c": {"gy_proviso_leads_on"},
    "search/safety/reach_insert.c": {"arrive_those"},
    # What the library for HTTP calls.
    "serve/ui/http.c": {"handle"},
}


def functions(path):
    """(name, lines, parameters) of each function that is defined in a file."""
    with open(path, encoding="utf-8") as source:
        lines = source.read().split("\n")
    for begin, line in enumerate(lines):
        if line != "{":
            continue
        head = begin
        while head and lines[head - 1] and not lines[head - 1].startswith(("}", "#", "//", "/*", "*")) \
                and not lines[head - 1].endswith((";", "*/")):
            head -= 1
        text = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", " ".join(lines[head:begin]))
        match = re.search(r"(\w+)\s*\((.*)\)\s*$", text)
        if not match:
            continue
        end = begin
        while end < len(lines) and lines[end] != "}":
            end += 1
        inside, depth, parameters = match.group(2).strip(), 0, 1
        for letter in inside:
            depth += {"(": 1, ")": -1}.get(letter, 0)
            parameters += letter == "," and depth == 0
        yield match.group(1), end - head + 1, 0 if inside in ("", "void") else parameters


def check(root):
    long, many, seen = {}, {}, 0
    for folder, _, files in os.walk(os.path.join(root, "src")):
        for name in sorted(files):
            if not name.endswith((".c", ".h")):
                continue
            path = os.path.join(folder, name)
            short = os.path.relpath(path, os.path.join(root, "src"))
            for function, lines, parameters in functions(path):
                seen += 1
                if lines > MOST_LINES:
                    long.setdefault(short, {})[function] = lines
                if parameters > MOST_PARAMETERS:
                    many.setdefault(short, {})[function] = parameters
    if seen < 1000:
        yield f"only {seen} functions were found: this test does not read them right"
    for found, listed, what in ((long, LONG, "lines"), (many, MANY, "parameters")):
        for path in sorted(set(found) | set(listed)):
            for function in sorted(set(found.get(path, {})) - set(listed.get(path, ()))):
                yield f"src/{path}: {function}: {found[path][function]} {what}"
            for function in sorted(set(listed.get(path, ())) - set(found.get(path, {}))):
                yield f"src/{path}: {function} has few enough {what}: take it off the list"


def main():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    found = list(check(root))
    for line in found:
        print(line)
    return 1 if any("take it off" not in line for line in found) else 0


if __name__ == "__main__":
    sys.exit(main())
