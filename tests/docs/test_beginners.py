#!/usr/bin/env python3
# check: docs: mistakes of beginners; seconds 10
"""What Gyre tells about the mistakes of beginners: see tests/beginners/README.md.

Ends with `N passed, N failed`.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
FOLDER = os.path.join(ROOT, "tests/beginners")


def rows():
    with open(os.path.join(FOLDER, "expected.tsv"), encoding="utf-8") as table:
        for line in table:
            if not line.startswith("#"):
                name, status, errors, warnings, words = line.rstrip("\n").split("\t")
                yield name, int(status), int(errors), int(warnings), words


def problem(name, status, errors, warnings, words):
    done = subprocess.run([GYRE, f"{name}.pml"], cwd=FOLDER, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    output = done.stdout.decode(errors="replace")
    found = (done.returncode, len(re.findall(r"(?:^|: )error: ", output, re.M)),
             len(re.findall(r": warning: ", output)))
    if found != (status, errors, warnings):
        return f"(status, errors, warnings) is {found}, not {(status, errors, warnings)}\n{output}"
    return None if words in output else f"`{words}` is not in\n{output}"


def main():
    passed = failed = 0
    seen = set()
    for row in rows():
        seen.add(row[0])
        message = problem(*row)
        passed, failed = passed + (message is None), failed + (message is not None)
        if message:
            print(f"{row[0]}: {message}")
    for path in glob.glob(os.path.join(FOLDER, "*.pml")):
        name = os.path.basename(path).removesuffix(".pml")
        if name not in seen:
            failed += 1
            print(f"{name}: not in expected.tsv")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
