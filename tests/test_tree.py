#!/usr/bin/env python3
# check: includes: only sources are kept, and names of files are right; by status; without a build; quick
"""Fails where the repository keeps what is no source (core files, programs, objects, anything large), where a comment
or a document names a source file that does not exist, and where a unit test is not in the folder of its room."""
import os
import re
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


# A file of ours by its name, with or without folders; and the files of other programs that are spoken of.
NAME = re.compile(r"(?<![\w./*$%{<~-])((?:[\w-]+/)*[\w-]+\.(?:c|h|def|mk|py))(?![\w*(]|\.\w)")
COMMENT = re.compile(r"\"(?:\\\\.|[^\"\\\\\n])*\"|//[^\n]*|/\*.*?\*/", re.S)
FOREIGN = {"cuda.h", "defs.h", "pan.c"}


def spoken(name, text):
    """(offset, words) of what a file says to people."""
    if name.endswith(".md"):
        return [(0, text)]
    return [(found.start(), found.group()) for found in COMMENT.finditer(text) if found.group()[0] == "/"]


def check_names(names, read):
    """Lines for each name of a source file, in `names` of files, that none of them has."""
    have = {os.path.basename(name) for name in names} | FOREIGN
    ends = {"/".join(name.split("/")[k:]) for name in names for k in range(name.count("/") + 1)}
    for name in names:
        if not name.endswith((".c", ".h", ".def", ".md")) or name.startswith("editors/"):
            continue
        text = read(name)
        for at, words in spoken(name, text):
            for found in NAME.finditer(words):
                said = found.group(1)
                if said not in (ends if "/" in said else have):
                    line = text.count("\n", 0, at + found.start()) + 1
                    yield f"{name}:{line}: there is no file {said}"


def check_the_check():
    """The names that have to be found, and those that are none."""
    tree = {"src/a/there.h": '// See gone.c, b/there.h and there.h.\nconst char *s = "lost.c"; /* a/there.h, *.c, x.c.in */\n',
            "docs/page.md": "`src/a/there.h`, not `missing.py`; pan.c is Spin's.\n"}
    expected = ["src/a/there.h:1: there is no file gone.c", "src/a/there.h:1: there is no file b/there.h",
                "docs/page.md:1: there is no file missing.py"]
    found = list(check_names(list(tree), tree.get))
    if found != expected:
        yield f"this test finds {found} instead of {expected}"


def read_text(root, name):
    path = os.path.join(root, name)
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_tree_names(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    names = [name for name in listed.stdout.decode().split("\0") if name]
    yield from check_names(names, lambda name: read_text(root, name))
    yield from check_units(names)


# Programs of examples, and the interface that they use: the sources are not in src.
NO_SOURCE = {"test_system_examples.c"}


def check_units(names):
    """Lines for each unit test that is not in the folder of a room, with a name of its own that begins with that of a source
    there: a file, a part of the language of formulas, a folder, or the public header."""
    seen = {}
    for name in names:
        parts = name.split("/")
        if parts[:2] != ["tests", "unit"] or not parts[-1].endswith(".c"):
            continue
        room, base = "/".join(parts[2:-1]), parts[-1]
        sources = {word for path in names if path.startswith((f"src/{room}/", "include/gyre/"))
                   for word in [*path.split("/")[2:-1], os.path.basename(path).split(".")[0]]}
        stem = base[len("test_"):-2].split("_")
        if not any(path.startswith(f"src/{room}/") for path in names) or "/" in room or not base.startswith("test_"):
            yield f"{name}: a unit test is tests/unit/ROOM/test_SOURCE.c"
        elif base not in NO_SOURCE and not any("_".join(stem[:k]) in sources for k in range(1, len(stem) + 1)):
            yield f"{name}: src/{room} has no source of this name"
        if base in seen:
            yield f"{name}: there is {seen[base]}, too"
        seen[base] = name


def check_the_units():
    tree = ["src/base/map.c", "src/base/deep/heap.h", "src/model/heap.c", "tests/unit/base/test_map.c", "tests/unit/base/test_map_two.c",
            "tests/unit/base/test_deep.c", "tests/unit/toy.h", "tests/unit/base/test_mapped.c", "tests/unit/test_map.c",
            "tests/unit/model/test_heap.c", "tests/unit/base/test_heap.c", "tests/unit/none/test_map_two.c"]
    expected = ["tests/unit/base/test_mapped.c: src/base has no source of this name",
                "tests/unit/test_map.c: a unit test is tests/unit/ROOM/test_SOURCE.c",
                "tests/unit/test_map.c: there is tests/unit/base/test_map.c, too",
                "tests/unit/base/test_heap.c: there is tests/unit/model/test_heap.c, too",
                "tests/unit/none/test_map_two.c: a unit test is tests/unit/ROOM/test_SOURCE.c",
                "tests/unit/none/test_map_two.c: there is tests/unit/base/test_map_two.c, too"]
    found = list(check_units(tree))
    if found != expected:
        yield f"this test finds {found} instead of {expected}"


def main():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    found = [*check_the_check(), *check_the_units(), *check_tree_names(root)]
    found += check(root)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
