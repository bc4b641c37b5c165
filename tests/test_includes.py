#!/usr/bin/env python3
# check: includes: includes point one way; by status; without a build; quick
"""Fails where a room sees what it must not see (see ARCHITECTURE.md):

- an #include that points the wrong way between rooms, by itself or through other headers;
- a header of a sub-room that is included from another room, unless it is a door of the sub-room;
- a file name that occurs in two rooms, unless there is a reason for it;
- an expression of MODEL in a room that knows predicates by their numbers (gy_atom).
"""
import os
import re
import sys
import tempfile

# What each room may see, itself included.
ALLOWED = {
    "base": {"base"},
    "model": {"base", "model"},
    "lang": {"base", "model", "lang"},
    "device": {"base", "device", "public"},
    "exec": {"base", "model", "device", "exec", "public"},
    "load": {"base", "model", "lang", "exec", "load", "public"},
    "store": {"base", "store"},
    "reduce": {"base", "model", "exec", "reduce", "public"},
    "graph": {"base", "store", "graph", "public"},
    "search": {"base", "store", "device", "reduce", "search", "public"},
    "dist": {"base", "model", "store", "exec", "reduce", "search", "dist", "public"},
    "verify": {"base", "model", "exec", "load", "store", "reduce", "search", "dist", "verify", "public"},
    "report": {"base", "model", "lang", "exec", "load", "graph", "verify", "report", "public"},
    "serve": {"base", "model", "lang", "exec", "load", "graph", "search", "verify", "report", "serve", "public"},
    "cli": {"base", "model", "lang", "device", "exec", "load", "graph", "search", "dist", "verify", "report", "serve", "cli", "public"},
    "spin": {"base", "model", "lang", "exec", "search", "verify", "report", "cli", "spin", "public"},
    "main": {"cli", "spin", "main"},
    "public": {"public"},
}

# The headers of sub-rooms that other rooms may include. All other headers of a sub-room are
# private to the room it belongs to; each language below `lang` counts as a room of its own.
DOORS = {
    "dist/mpi": {"launch.h", "rank_product.h", "ranks.h", "transport.h"},
    "exec/describe": {"blocked.h", "naming.h", "unblockers.h"},
    "exec/embedded": {"trap.h"},
    "exec/native": {"native.h"},
    "exec/observe": {"observe.h"},
    "exec/vm": {"bytecode.h", "inline_fields.h", "state_layout.h"},
    "lang/common": {"expression.h", "names.h", "source_text.h", "token_reader.h", "variable_parts.h"},
    "lang/ltl": {"ltl.h"},
    "lang/dve": {"dve_front_end.h"},
    "lang/riscal": {"rsc_front_end.h"},
    "lang/if": {"if_front_end.h"},
    "lang/promela": {"front_end.h"},
    "lang/promela/read": {"scan.h"},
    "lang/promela/lower": {"flow.h", "spin_text.h"},
    "serve/dap": {"dap.h"},
    "serve/format": {"format.h"},
    "serve/lsp": {"lsp.h"},
    "model/passes": {"passes.h", "scratch.h", "overflow_checks.h"},
    "report/info": {"info.h"},
    "report/structure": {"structure_report.h"},
    "report/page": {"page_files.h"},
    "report/steps": {"chart.h", "msc.h", "shown_values.h", "counterexample_text.h", "watches.h"},
    "serve/ui": {"folder.h", "http.h"},
    "dist/swarm": {"swarm.h", "swarm_job.h", "journal.h"},
    "search/hunt": {"hunt.h", "record.h", "trials.h"},
    "search/liveness": {"emptiness.h", "lasso_writer.h", "product.h", "multi_formula.h", "product_maker.h"},
    "search/cover": {"cover.h"},
    "search/safety": {"level_proviso.h"},
    "verify/explain": {"explain.h"},
    "verify/trail": {"found_trails.h", "trail.h"},
}

# File names that may occur in several rooms, and why.
TWICE = {
    "format.c": "a file of src/cli is named for its subcommand",
    "hunt.c": "a file of src/cli is named for its subcommand",
    "info.c": "a file of src/cli is named for its subcommand",
    "lsp.c": "a file of src/cli is named for its subcommand",
    "replay.c": "a file of src/cli is named for its subcommand",
    "verify.c": "a file of src/cli is named for its subcommand",
    "front_end.h": "what a front end is, and the one of each language",
    "automaton.c": "the field has one word for what formulas become and for a set as a graph",
}

# Where no expression of MODEL is named: predicates have numbers there.
BY_NUMBER = ("include", "src/device", "src/lang/ltl", "src/store", "src/graph", "src/search", "src/dist",
             "src/verify", "src/report", "src/serve", "src/cli", "src/spin", "src/exec/system.h")
EXPRESSION = re.compile(r"\b(gy_expr|GY_E_[A-Z_]+)\b")


def room_of(path):
    """base/vec.h -> base; gyre/gyre.h -> public."""
    first = path.split("/")[0]
    return "public" if first == "gyre" else first


def owner_of(folder):
    """The folder whose files may include the private headers of `folder`."""
    parts = folder.split("/")
    return "/".join(parts[:2]) if parts[0] == "lang" else parts[0]


def read_tree(root):
    """{path as an #include would write it: [(line, target)]} of all sources."""
    tree = {}
    for top in ("src", "include"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in sorted(files):
                if not name.endswith((".c", ".h", ".def")):
                    continue
                path = os.path.join(folder, name)
                lines = []
                with open(path, encoding="utf-8") as source:
                    for number, line in enumerate(source, 1):
                        match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
                        if match:
                            lines.append((number, match.group(1)))
                tree[os.path.relpath(path, os.path.join(root, top))] = lines
    return tree


def check_arrows(tree):
    for path, lines in tree.items():
        room = room_of(path)
        if room not in ALLOWED:
            yield f"{path}: unknown room {room}"
            continue
        for line, target in lines:
            if "/" not in target:
                yield f'{path}:{line}: "{target}": write the room in the path'
            elif room_of(target) not in ALLOWED[room]:
                yield f"{path}:{line}: {room} must not include {room_of(target)} ({target})"


def check_transitive(tree):
    """A header that includes another room's drags that room along to whoever includes it."""
    told = set()
    for path in tree:
        room, seen, todo = room_of(path), {path}, [path]
        while room in ALLOWED and todo:
            at = todo.pop()
            for line, target in tree.get(at, ()):
                if target in seen:
                    continue
                seen.add(target)
                todo.append(target)
                arrow = (room, at, target)
                if at != path and room_of(target) not in ALLOWED[room] and arrow not in told:
                    told.add(arrow)
                    yield (f"{at}:{line}: includes {target}, which {room} must not see "
                           f"but gets through it (in {path})")


def check_doors(tree):
    used = set()
    for path, lines in tree.items():
        for line, target in lines:
            folder, name = os.path.split(target)
            owner = owner_of(folder)
            inside = path.startswith(owner + "/")
            if inside or folder == room_of(target) or room_of(target) == "public":
                continue
            if name in DOORS.get(folder, ()):
                used.add((folder, name))
            else:
                yield f"{path}:{line}: {target} is private to {owner}"
    for folder, names in DOORS.items():
        for name in names:
            if (folder, name) not in used:
                yield f"{folder}/{name} is a door that nobody uses: take it off the list"


def check_names(tree):
    rooms = {}
    for path in tree:
        rooms.setdefault(os.path.basename(path), []).append(path)
    for name, paths in sorted(rooms.items()):
        if len(paths) > 1 and name not in TWICE:
            yield f"{name}: the same name in {', '.join(sorted(paths))}"


def sources_under(root, place):
    if place.endswith(".h"):
        return [os.path.join(root, place)]
    return [os.path.join(folder, name) for folder, _, files in os.walk(os.path.join(root, place))
            for name in sorted(files) if name.endswith((".c", ".h", ".def"))]


def interfaces_of_reduce(tree):
    """Headers of reduce that other rooms see."""
    return sorted({"src/" + target for path, lines in tree.items() for _, target in lines
                   if room_of(target) == "reduce" and room_of(path) != "reduce"})


def check_expressions(root, tree):
    for place in (*BY_NUMBER, *interfaces_of_reduce(tree)):
        for path in sources_under(root, place):
            if not os.path.exists(path):
                continue
            with open(path, encoding="utf-8") as source:
                for number, line in enumerate(source, 1):
                    match = EXPRESSION.search(line)
                    if match:
                        shown = os.path.relpath(path, root)
                        yield f"{shown}:{number}: names {match.group()}: predicates have numbers here"


def check(root):
    tree = read_tree(root)
    for part in (check_arrows, check_transitive, check_doors, check_names):
        yield from part(tree)
    yield from check_expressions(root, tree)


def check_table(text):
    """Where the table of ARCHITECTURE.md does not say what ALLOWED does."""
    told = {}
    for room, _, may in re.findall(r"^\| `src/(\w+)` \|(.*)\|([^|]*)\|$", text, re.M):
        told[room] = {word.strip() for word in may.split(",")} - {"–"}
    for room, allowed in ALLOWED.items():
        if room not in ("public", "lang") and told.get(room) != allowed - {room}:
            yield f"ARCHITECTURE.md: src/{room} may include {', '.join(sorted(allowed - {room}))}"


def check_the_check():
    """Each kind of fault, once, in a small tree of its own."""
    files = {
        "src/base/a.h": '#include "model/m.h"\n',             # up
        "src/model/m.h": "",
        "src/exec/e.h": '#include "model/m.h"\n',
        "src/reduce/r.h": '#include "exec/e.h"\n',
        "src/search/s.c": '#include "reduce/r.h"\n',          # sees exec and model
        "src/verify/v.c": "const struct gy_expr *guard;\n",   # not
        "src/reduce/own.h": "const gy_expr *e;\n",            # may: nobody else sees it
        "src/report/t.c": "return expr->op == GY_E_NOT;\n",   # not
        "src/exec/vm/secret.h": "",
        "src/exec/vm/own.c": '#include "exec/vm/secret.h"\n',  # may
        "src/load/l.c": '#include "exec/vm/secret.h"\n',      # not
        "src/lang/ltl/x.h": "",
        "src/lang/promela/y.c": '#include "lang/ltl/x.h"\n',  # not
        "src/model/same.c": "",
        "src/exec/same.c": '#include "plain.h"\n',            # twice, and no room
    }
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as out:
                out.write(text)
        found = [line for line in check(root) if "nobody uses" not in line]
    expected = ["base must not include model", "which search must not see",
                "exec/vm/secret.h is private to exec", "lang/ltl/x.h is private to lang/ltl",
                "same.c: the same name", "write the room in the path",
                "v.c:1: names gy_expr", "t.c:1: names GY_E_NOT"]
    for words in expected:
        if not any(words in line for line in found):
            yield f"this test does not notice: {words}"
    if any("own.c" in line or "own.h" in line for line in found):
        yield "this test complains about a room's own header"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    wrong = list(check_the_check()) + list(check(root))
    with open(os.path.join(root, "ARCHITECTURE.md"), encoding="utf-8") as file:
        text = file.read()
    wrong += check_table(text)
    if len(list(check_table(text.replace("base, public |", "base |")))) < 5:
        wrong.append("this test does not read the table of ARCHITECTURE.md")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
