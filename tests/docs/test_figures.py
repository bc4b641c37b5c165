#!/usr/bin/env python3
# check: docs: figures come from a measurement; without a build
"""A figure for speed or memory in the documents is one of bench/results.md, or its section names the command that gave it.

Figures that explain an old decision (docs/internals/speed.md) are left out: they are not claims about the program of
today. Ends with `N passed, N failed`.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NUMBER = r"\d+(?:[.,]\d+)*"
FIGURE = re.compile(rf"({NUMBER})(?:\s*(?:×|ns\b|µs\b)|\s+(?:times (?:as|faster|Spin|the speed)|(?:`?bytes (?:per|a) state|states/s|states (?:per|a) second)))")
COMMAND = re.compile(r"bench/\w+\.py|\bgyre \S+\.pml|`perf |--exact --|mpirun")
LEFT_OUT = {"docs/internals/speed.md"}


def sections(text):
    """(line, text) from heading to heading."""
    start, part = 1, []
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced:
            yield start, "\n".join(part)
            start, part = number, []
        part.append(line)
    yield start, "\n".join(part)


def pages():
    for path in ["README.md", "CHANGELOG.md", *sorted(glob.glob("docs/**/*.md", root_dir=ROOT, recursive=True))]:
        if path not in LEFT_OUT:
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                yield path, file.read()


def strange(path, text, measured):
    """Figures that nothing vouches for: a command does for its own paragraph, table or item, and for the next one (not in
    a changelog, whose entries stand alone)."""
    for start, part in sections(text):
        before = ""
        for unit in re.split(r"\n(?=- )|\n\n", part):
            vouched = COMMAND.search(before + unit) or "Assumed:" in unit
            before = "" if path == "CHANGELOG.md" else unit
            if vouched:
                continue
            for found in FIGURE.finditer(unit):
                exact = len(re.sub(r"\D", "", found.group(1))) > 2 or "." in found.group(1)  # 7 stands somewhere, always
                if not exact or not re.search(rf"(?<![\d.,]){re.escape(found.group(1))}(?![\d,]|\.\d)", measured):
                    yield f"{path}:{start + part[:part.index(unit) + found.start()].count(chr(10))}: {found.group(0)}"


def main():
    with open(os.path.join(ROOT, "bench/results.md"), encoding="utf-8") as file:
        measured = file.read()
    found = [line for path, text in pages() for line in strange(path, text, measured)]
    for line in found:
        print(f"FAILED: no measurement behind it: {line}")
    # The test itself: one figure that is measured, one with a command, one with neither.
    cases = {"x has 9.80 bytes per state": 0, "`gyre a.pml --exact` takes 77.7 ns": 0, "77.7 times as fast": 1}
    for text, count in cases.items():
        if len(list(strange("docs/x.md", text, "| 9.80 |"))) != count:
            found.append(text)
            print(f"FAILED: judged wrongly: {text}")
    print(f"{len(cases) + 1 - bool(found)} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
