#!/usr/bin/env python3
"""Make a failing program small, keeping what is wrong with it.

    shrink.py FILE --gyre build/gyre [--out SMALL]

Delta debugging: lines and balanced blocks are taken out, blocks are unwrapped,
expressions are cut down, as long as Spin still accepts the program and the
difference is still of the same sort.  The result is printed, and written to
--out (default: FILE with .small before the suffix).

The difference is the one compare.py finds: Gyre against Spin, or against itself
with --variant given twice, or Spin against itself (--check-spin).
"""

import argparse
import os
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare                                                      # noqa: E402

TOKEN = re.compile(r'"[^"]*"|\w+|\?\?|!!|->|::|\.\.|<<|>>|[<>=!]=|&&|\|\||\+\+|--|\S')
OPEN = {"{": "}", "if": "fi", "do": "od", "(": ")", "[": "]"}
CLOSE = {v: k for k, v in OPEN.items()}


def split_lines(text):
    """One statement per line, so that taking out a line takes out a statement."""
    out = []
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            out.append(line.strip())
            continue
        words, depth = [], 0
        for token in TOKEN.findall(re.sub(r"//.*", "", line)):
            if token in "([":
                depth += 1
            elif token in ")]":
                depth -= 1
            if token in ("::", "}", "fi", "od", "if", "do") and depth == 0 and words:
                out.append(" ".join(words))
                words = []
            words.append(token)
            if token in (";", "->", "{") and depth == 0:
                out.append(" ".join(words))
                words = []
        if words:
            out.append(" ".join(words))
    return out


def balance(line):
    level = 0
    for token in TOKEN.findall(line):
        if token in ("{", "if", "do"):
            level += 1
        elif token in ("}", "fi", "od"):
            level -= 1
    return level


def blocks(lines):
    """(first, last) of every balanced block of lines, big ones first."""
    out = []
    for i, line in enumerate(lines):
        if balance(line) <= 0:
            continue
        level = 0
        for j in range(i, len(lines)):
            level += balance(lines[j])
            if level <= 0:
                out.append((i, j))
                break
    return sorted(out, key=lambda b: b[0] - b[1])


class Shrinker:
    def __init__(self, fails, seconds):
        self.fails, self.deadline = fails, time.monotonic() + seconds
        self.tried, self.seen = 0, set()

    def late(self):
        return time.monotonic() > self.deadline

    def test(self, lines):
        text = "\n".join(lines) + "\n"
        if text in self.seen or self.late():
            return False
        self.seen.add(text)
        self.tried += 1
        return self.fails(text)

    def chunks(self, lines):
        """Contiguous runs of lines, from half of the program down to one line."""
        size = max(1, len(lines) // 2)
        while True:
            i = 0
            while i < len(lines):
                candidate = lines[:i] + lines[i + size:]
                if candidate and self.test(candidate):
                    lines = candidate
                else:
                    i += size
            if size == 1:
                return lines
            size = max(1, size // 2)

    def structure(self, lines):
        """Take out a block, or only what is around it."""
        again = True
        while again and not self.late():
            again = False
            for i, j in blocks(lines):
                inner = [l for l in lines[i + 1:j]]
                body = [l for l in inner]
                plain = [re.sub(r"^:: ?", "", l) for l in body]
                for candidate in (lines[:i] + lines[j + 1:],
                                  lines[:i] + ["skip ;"] + lines[j + 1:],
                                  lines[:i] + body + [";"] + lines[j + 1:],
                                  lines[:i] + plain + [";"] + lines[j + 1:]):
                    if self.test(candidate):
                        lines, again = candidate, True
                        break
                if again:
                    break
        return lines

    def tokens(self, lines):
        """Shorter lines: drop or replace a few tokens."""
        i = 0
        while i < len(lines) and not self.late():
            words = TOKEN.findall(lines[i])
            if lines[i].startswith("#") or len(words) < 2:
                i += 1
                continue
            better = self.shorter(lines, i, words)
            if better:
                lines = better
            else:
                i += 1
        return lines

    def shorter(self, lines, i, words):
        for size in range(min(len(words) - 1, 12), 0, -1):
            for at in range(len(words) - size + 1):
                gone = words[at:at + size]
                for instead in ([], ["1"], ["0"]):
                    if instead == gone or instead and (size == 1 and gone[0] in "01;:"):
                        continue
                    if instead and size == 1 and not re.match(r"\w", gone[0]):
                        continue
                    candidate = words[:at] + instead + words[at + size:]
                    if len(candidate) == len(words) and gone[0].isdigit() \
                            and int(gone[0]) <= int(instead[0]):
                        continue
                    if self.test(lines[:i] + [" ".join(candidate)] + lines[i + 1:]):
                        return lines[:i] + [" ".join(candidate)] + lines[i + 1:]
        return None

    def run(self, text):
        lines = split_lines(text)
        if not self.test(lines):
            lines = [l for l in text.splitlines() if l.strip()]
        before = None
        while before != lines and not self.late():
            before = lines
            lines = self.chunks(lines)
            lines = self.structure(lines)
            lines = self.tokens(lines)
        return pretty(lines)


def pretty(lines):
    out, level = [], 0
    for line in lines:
        words = TOKEN.findall(line)
        first = words[0] if words else ""
        here = level - (1 if first in ("}", "fi", "od") else 0)
        out.append("\t" * max(0, here) + line)
        level += balance(line)
    return "\n".join(out) + "\n"


def sort_of(case):
    """What must stay the same while shrinking."""
    if case.outcome != "mismatch":
        return None
    whats = sorted({what for what, _, _ in case.found})
    if "run" in whats:
        return ("run", case.found[0][2])
    if "verdict" in whats and any("error" in map(str, f[1:]) for f in case.found):
        return ("rejected",)
    return ("result",)


def main(argv=None):
    parser = argparse.ArgumentParser(description="Make a failing program small.")
    parser.add_argument("file")
    parser.add_argument("--gyre", default="build/gyre")
    parser.add_argument("--out")
    parser.add_argument("--seconds", type=float, default=300, help="for the whole work")
    parser.add_argument("--time", type=float, default=10, help="for one run of a tool")
    parser.add_argument("--variant", action="append", default=[])
    parser.add_argument("--check-spin", action="store_true")
    parser.add_argument("--option", action="append", default=[])
    own = parser.parse_args(argv)
    words = ["--gyre", own.gyre, "--time", str(own.time), "--no-cache"]
    for variant in own.variant:
        words += ["--variant=" + variant]
    for option in own.option:
        words += ["--option=" + option]
    given = compare.arguments(words)
    work = compare.against_itself if given.variants else compare.against_spin
    if own.check_spin:
        work = compare.spin_itself
    with tempfile.TemporaryDirectory(prefix="gyre-shrink-") as folder:
        path = os.path.join(folder, "small.pml")

        def outcome(text):
            with open(path, "w") as handle:
                handle.write(text)
            return sort_of(work(compare.Case("", path), given))

        with open(own.file) as handle:
            text = handle.read()
        sort = outcome(text)
        if sort is None:
            print(f"shrink.py: nothing is wrong with {own.file}", file=sys.stderr)
            return 2
        shrinker = Shrinker(lambda t: outcome(t) == sort, own.seconds)
        small = shrinker.run(text)
        case = compare.Case("", path)
        with open(path, "w") as handle:
            handle.write(small)
        case = work(case, given)
    out = own.out or re.sub(r"(\.\w+)?$", r".small\1", own.file, count=1)
    with open(out, "w") as handle:
        handle.write(small)
    sys.stdout.write(small)
    print(f"{shrinker.tried} programs tried; {case.note}; kept as {out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
