#!/usr/bin/env python3
# check: search: every error within --depth; seconds 10
"""--depth N: every error within N statements is found, and none beyond, whatever the search, the store, the reductions.

    test_depth.py [--count N] [--seed N]

Small random models, with the fewest statements to a failing assertion counted by brute force here: N of these must
suffice and N - 1 must not. A rendezvous is two statements, as in Spin's trails, and so is each one inside atomic.
GYRE names another binary. Ends with `N passed, N failed`.
"""
import argparse
import heapq
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
GLOBALS, VALUES = 2, 3
WAYS = [
    ["--exact"], [], ["--no-por"], ["--no-slice", "--no-dead"], ["--threads", "2"],
    ["--exact", "--store", "automaton"], ["--exact", "--store", "compact"], ["--exact", "--store", "plain"],
    ["--store", "automaton"], ["--store", "compact"], ["--reduce", "none"],
    ["--exact", "--search", "dfs"], ["--search", "dfs"], ["--search", "dfs", "--store", "plain"],
    ["--exact", "--search", "deepening"], ["--search", "deepening"], ["--search", "best"],
]
REFUSED = [["--search", search, "--store", store] for search in ("dfs", "deepening")
           for store in ("automaton", "compact", "bitstate")]


# A process: for each of its places, some edges (kind, what, value, target). Values of kinds:
#   set   global = value          local  l = value           step  l = (l + value) % VALUES
#   wait  global == value         copy   global = l          assert  assert(global != value)
#   pair  atomic { global == value -> global = 0 }           send, take  rendezvous with that value


def make(chance):
    processes = []
    for _ in range(chance.choice([2, 3])):
        places = chance.randint(3, 6)
        edges = []
        for place in range(places):
            some = []
            for _ in range(chance.choice([1, 1, 1, 2])):
                kind = chance.choice(["set", "set", "local", "local", "step", "step", "wait", "copy", "assert", "pair",
                                      "send", "take"])
                target = place + 1 if place + 1 < places and chance.random() < 0.75 else chance.randrange(places)
                some.append((kind, chance.randrange(GLOBALS), chance.randrange(VALUES), target))
            edges.append(some)
        processes.append(edges)
    return processes


def text_of(kind, what, value):
    return {"set": f"g{what} = {value}", "local": f"l = {value}", "step": f"l = (l + {value}) % {VALUES}",
            "wait": f"g{what} == {value}", "copy": f"g{what} = l", "assert": f"assert(g{what} != {value})",
            "pair": f"atomic {{ g{what} == {value} -> g{what} = 0 }}", "send": f"c!{value}",
            "take": f"c?{value}"}[kind]


def model_of(processes):
    lines = ["chan c = [0] of { byte };"] + [f"byte g{i};" for i in range(GLOBALS)]
    for number, edges in enumerate(processes):
        lines.append(f"active proctype P{number}() {{ byte l;")
        for place, some in enumerate(edges):
            options = " ".join(f":: {text_of(kind, what, value)}; goto L{target}" for kind, what, value, target in some)
            lines.append(f"L{place}: if {options} fi;")
        lines.append("}")
    return "\n".join(lines) + "\n"


def moves(processes, state):
    """(cost, next state); None in place of a state: an assertion fails."""
    places, locals_, globals_ = state
    for p, edges in enumerate(processes):
        for kind, what, value, target in edges[places[p]]:
            there, mine, all_ = list(places), list(locals_), list(globals_)
            there[p] = target
            cost = 1
            if kind == "set":
                all_[what] = value
            elif kind == "local":
                mine[p] = value
            elif kind == "step":
                mine[p] = (mine[p] + value) % VALUES
            elif kind == "copy":
                all_[what] = mine[p]
            elif kind == "assert" and all_[what] == value:
                yield 1, None
                continue
            elif kind in ("wait", "pair") and all_[what] != value:
                continue
            elif kind == "pair":
                all_[what] = 0
                cost = 2
            elif kind == "send":
                for q, others in enumerate(processes):
                    for other, _, wanted, to in others[places[q]]:
                        if q != p and other == "take" and wanted == value:
                            both = list(there)
                            both[q] = to
                            yield 2, (tuple(both), locals_, globals_)
                continue
            elif kind == "take":
                continue
            yield cost, (tuple(there), tuple(mine), tuple(all_))


def fewest(processes):
    """Statements to a failing assertion; None: there is no such run."""
    start = ((0,) * len(processes), (0,) * len(processes), (0,) * GLOBALS)
    known, queue, best = {start: 0}, [(0, start)], None
    while queue:
        cost, state = heapq.heappop(queue)
        if cost > known[state] or (best is not None and cost >= best):
            continue
        for more, to in moves(processes, state):
            if to is None:
                best = cost + more if best is None else min(best, cost + more)
            elif to not in known or cost + more < known[to]:
                known[to] = cost + more
                heapq.heappush(queue, (cost + more, to))
    return best


def gyre(*arguments):
    p = subprocess.run([GYRE, "m.pml", "--no-deadlock", "--json", *arguments], stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=300, check=False)
    try:
        report = json.loads(p.stdout)
        return p.returncode, report["verdict"] if report["verdict"] != "error" else p.stdout.decode()
    except (ValueError, KeyError):
        return p.returncode, (p.stdout + p.stderr).decode()


def try_one(seed, all_ways):
    chance = random.Random(seed)
    processes = make(chance)
    best = fewest(processes)
    if best is None or best < 2:
        return None
    with open("m.pml", "w", encoding="utf-8") as file:
        file.write(model_of(processes))
    wrong = []
    for way in all_ways:
        for depth, status, verdict in (best - 1, 3, "inconclusive"), (best, 1, "violated"):
            got = gyre("--depth", str(depth), *way)
            if depth < best and got == (0, "holds"):  # nothing was cut off: a proof that there is nothing
                wrong.append(f"seed {seed}, {' '.join(way)} --depth {depth}: holds, but there is an error at {best}")
            elif got != (status, verdict):
                wrong.append(f"seed {seed}, {' '.join(way)} --depth {depth}: {got}, expected {verdict}; the error is at {best}")
    return wrong


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=12)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        seed = options.seed * 1000000
        while passed + failed < options.count:
            seed += 1
            wrong = try_one(seed, WAYS)
            if wrong is None:
                continue
            passed += not wrong
            failed += bool(wrong)
            for line in wrong:
                print(line, flush=True)
        for way in REFUSED:
            status, told = gyre("--depth", "5", *way)
            good = status == 2 and "needs a store that returns states" in told
            passed += good
            failed += not good
            if not good:
                print(f"{' '.join(way)} is not refused: {status}, {told}")
        os.chdir("/")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
