#!/usr/bin/env python3
# check: includes: rows are asked, not names; by status; without a build; quick
"""Fails where a source outside of the rooms of languages tests for the name of one, or outside of the room of stores for a
kind of store. What is to be known is a member of its row (src/lang/front_end.h, gy_store_traits), so that a new row needs
no change elsewhere."""
import os
import re
import sys

LANGUAGES = "promela|dve|mdve|riscal|pml|if"
STORES = "tree|plain|compact|bitstate|automaton"
# What a test for one looks like, and the rooms where it may be. Comments do not count.
FORBIDDEN = {
    "the name of a language": (rf'"(?:{LANGUAGES.replace("|if", "")})"', ("lang", "load")),
    "a comparison with the name of a language": (r"str\w*cmp\([^;]*\blanguage\b", ("lang", "load")),
    "the ending of a language's files": (rf'"[^"\s]*\.(?:{LANGUAGES})"', ("lang", "load")),
    "the front end of one language": (r"\b(?:pml|dve|rsc|if)_front_end\b(?!\.h)", ("lang", "load")),
    "a kind of store": (rf"\bGY_STORE_(?:{STORES.upper()})\b|\bgy_\w*store_kind_named\b", ("store",)),
    "the name of a kind of store": (rf'"(?:{STORES})"', ("store",)),
    "a comparison with a kind of store": (r"[!=]=\s*\(?gy_store_kind_(?:dense|quick)\b", ("store",)),
}
# file: what may be in it, and why
ALLOWED = {
    "cli/beem/beem_set.c": ('"%s.dve"', '"%s.prop%s.dve"', '"%s/%s.mdve"'),  # BEEM's own files, which are DVE by definition
    "spin/pan_options.c": ('"bitstate"', '"tree"', '"automaton"', '"compact"'),  # pan's options and the stores that they ask for
    "search/hunt/strategies.def": ('"bitstate"',),  # a strategy of hunts is called so, too
    "cli/swarm_blind.c": ('"bitstate"',),
}
COMMENT = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|//[^\n]*|/\*.*?\*/", re.S)


def without_comments(text):
    return COMMENT.sub(lambda m: m.group() if m.group()[0] == '"' else re.sub(r"[^\n]", " ", m.group()), text)


def check(path, text):
    """Lines about one file; its path below src."""
    text = without_comments(text)
    for words in ALLOWED.get(path, ()):
        if words not in text:
            yield f"{path}: {words} is allowed, but not there"
        text = text.replace(words, '""')
    for what, (pattern, rooms) in FORBIDDEN.items():
        if path.split("/")[0] in rooms:
            continue
        for found in re.finditer(pattern, text):
            yield f"{path}:{text.count(chr(10), 0, found.start()) + 1}: {what}: {found.group()}"


def check_the_check():
    """What has to be found, and what is no fault."""
    wrong = ('if (strcmp(model->language, "promela") != 0)', 'x = !strcmp(language, name);', 'ends_with(name, ".pml")',
             "front_end == &dve_front_end", "options->store == GY_STORE_TREE", 'strcmp(store, "plain")',
             "store != gy_store_kind_dense()")
    right = ("if (!front_end->formats)", '// strcmp(language, "dve")', 'is_word(at, end, "if")', '#include "lang/dve/dve_front_end.h"',
             "answer == GY_STORE_FULL", "store = gy_store_kind_dense()")
    for text in wrong:
        if not list(check("serve/x.c", text)) or list(check("load/x.c" if "store" not in text else "store/x.c", text)):
            yield f"this test does not see {text}"
    for text in right:
        yield from (f"this test is wrong about {line}" for line in check("serve/x.c", text))


def main():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src")
    found = list(check_the_check())
    files = 0
    for folder, _, names in os.walk(root):
        for name in sorted(names):
            if name.endswith((".c", ".h", ".def")):
                files += 1
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as source:
                    found += check(os.path.relpath(path, root), source.read())
    if files < 500:
        found.append(f"only {files} files were found: this test does not read them right")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
