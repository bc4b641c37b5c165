#!/usr/bin/env python3
"""Fails on an #include that points the wrong way between rooms (see ARCHITECTURE.md)."""
import os
import re
import sys

ALLOWED = {
    "base": {"base"},
    "model": {"base", "model"},
    "lang": {"base", "model", "lang"},
    "exec": {"base", "model", "exec", "public"},
    "load": {"base", "model", "lang", "exec", "load", "public"},
    "store": {"base", "store"},
    "reduce": {"base", "model", "exec", "reduce", "public"},
    "search": {"base", "store", "reduce", "search", "public"},
    "verify": {"base", "model", "exec", "load", "store", "reduce", "search", "verify", "public"},
    "report": {"base", "model", "lang", "exec", "load", "search", "verify", "report", "public"},
    "cli": {"base", "model", "lang", "exec", "load", "search", "verify", "report", "cli", "public"},
    "public": {"public"},
}


def room_of(path):
    return path.split("/")[0]


def includes(path):
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if match:
                yield number, match.group(1)


def check(root):
    """All arrows that point the wrong way, as text."""
    wrong = []
    for top, prefix in (("src", None), ("include/gyre", "public")):
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in sorted(files):
                if not name.endswith((".c", ".h")):
                    continue
                path = os.path.join(folder, name)
                room = prefix or room_of(os.path.relpath(path, os.path.join(root, "src")))
                if room not in ALLOWED:
                    wrong.append(f"{path}: unknown room {room}")
                    continue
                for line, target in includes(path):
                    if target.startswith("gyre/"):
                        to = "public"
                    elif "/" in target:
                        to = room_of(target)
                    else:
                        wrong.append(f'{path}:{line}: "{target}": write the room in the path')
                        continue
                    if to not in ALLOWED[room]:
                        wrong.append(f"{path}:{line}: {room} must not include {to} ({target})")
    return wrong


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    wrong = check(root)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
