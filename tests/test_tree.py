#!/usr/bin/env python3
"""Fails where the repository keeps what is no source: core files, programs, objects, anything large."""
import os
import subprocess
import sys

MOST_BYTES = 3 << 20
MADE = {b"\x7fELF": "a program, an object or a core file", b"!<arch>": "an archive of objects"}


def check(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode:
        return                                                      # a tree without its history
    names = [name for name in listed.stdout.decode().split("\0") if name]
    if len(names) < 500:
        yield f"only {len(names)} files were found: this test does not read them right"
    for name in names:
        path = os.path.join(root, name)
        if not os.path.isfile(path) or os.path.islink(path):
            continue
        if os.path.getsize(path) > MOST_BYTES:
            yield f"{name}: {os.path.getsize(path)} bytes"
        with open(path, "rb") as file:
            first = file.read(8)
        for magic, what in MADE.items():
            if first.startswith(magic):
                yield f"{name}: {what}"


def main():
    found = list(check(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
