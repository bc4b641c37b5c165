#!/usr/bin/env python3
"""Fairness of labelled statements and processes, on random graphs, against brute force.

    fair_compare.py [--gyre PROGRAM] [--count N] [--seed N] [--wide] [--claims] [--keep FOLDER]

A graph of a few nodes becomes a model: the variable s is the node, each edge a d_step of some
process, with a label wfair…, sfair… or none, alone, under a labelled choice, or as a rendezvous of
two processes. Whether a fair run violates a formula is decided here by looking at all sets of
nodes that a run could visit infinitely often, which shares nothing with the program. --wide: more processes
than fit into a word of marks, most of them a crowd of the same type. --claims: in place of a formula, a never
claim that assigns to s; its product with the graph has a node before and one behind each move of the claim.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

import fair_lasso  # noqa: E402

LASSOS = {"shortest": 0, "least": 0, "longer": 0}  # of --shortest: known to be, or just so, or not
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Case:
    """edges: (from, to, set of agents); an agent is a process or a labelled statement of one.
    strength: of each agent, "weak" or "strong"."""

    def __init__(self, seed, wide=False):
        rng = self.rng = random.Random(seed)
        self.nodes = rng.randrange(2, 7)
        self.fairness = rng.choice(["actions", "actions", "weak", "strong", "none"])
        self.edges, self.strength, self.labels = [], {}, 0
        self.details = []  # of each edge: the processes that move, and how many statements it has
        self.instances = []  # of processes: the type of each
        bodies = []
        kinds = rng.randrange(1, 4) + wide
        crowd = rng.randrange(kinds) if wide else None
        for kind in range(kinds):
            copies = rng.randrange(60, 140) if kind == crowd else rng.choice([1, 1, 1, 2])
            first = len(self.instances)
            pids = list(range(first, first + copies))
            self.instances += [kind] * copies
            bodies.append(f"active [{copies}] proctype P{kind}() {{ do {self.options(pids)} od }}")
        if rng.random() < 0.4:
            bodies += self.rendezvous()
        self.text = "\n".join(["byte s; chan r = [0] of { byte };"] + bodies + [self.property()]) + "\n"

    def label(self, targets):
        """A label, and for each of the statements behind it its name, if it has one."""
        word = self.rng.choice(["", "", "wfair", "sfair", "sfair"])
        if not word:
            return "", [[] for _ in targets]
        self.labels += 1
        return f"{word}{self.labels}: ", [[f"{word}{self.labels}.{i}"] for i in range(len(targets))]

    def agents(self, names, pid):
        found = set()
        if self.fairness == "none":
            return found
        for name in names:
            agent = f"{name}@{pid}"
            self.strength[agent] = "strong" if name.startswith("sfair") else "weak"
            found.add(agent)
        if self.fairness in ("weak", "strong"):
            agent = f"process@{pid}"
            self.strength[agent] = self.fairness
            found.add(agent)
        return found

    def edge_pair(self):
        return self.rng.randrange(self.nodes), self.rng.randrange(self.nodes)

    def options(self, pids):
        rng, out = self.rng, []
        for _ in range(rng.randrange(1, 5)):
            group = [self.edge_pair() for _ in range(rng.choice([1, 1, 1, 2, 3]))]
            label, names = self.label(group)
            steps = [rng.choice(["d_step", "atomic"]) + f" {{ s == {a} -> s = {b} }}" for a, b in group]
            for (a, b), name, step in zip(group, names, steps):
                for pid in pids:
                    self.edges.append((a, b, self.agents(name, pid)))
                    self.details.append(((pid,), 1 if step.startswith("d_step") else 2))
            if len(group) == 1:
                out.append(f":: {label}{steps[0]}")
            else:
                out.append(f":: {label}if :: {' :: '.join(steps)} fi")
        return " ".join(out)

    def rendezvous(self):
        """A sender and a receiver that are always ready; the message is the next node."""
        sender, receiver = len(self.instances), len(self.instances) + 1
        target = self.rng.randrange(self.nodes)
        send, send_names = self.label([0])
        receive, receive_names = self.label([0])
        self.instances += ["S", "R"]
        agents = self.agents(send_names[0], sender) | self.agents(receive_names[0], receiver)
        for node in range(self.nodes):
            self.edges.append((node, target, agents))
            self.details.append(((sender, receiver), 2))
        return [f"active proctype S() {{ do :: {send}r!{target} od }}",
                f"active proctype R() {{ do :: {receive}r?s od }}"]

    def property(self):
        a, b = self.edge_pair()
        kind = self.rng.randrange(4)
        self.question = (kind, a, b)
        return "ltl p { " + [f"<> (s == {a})", f"[] <> (s == {a})", f"<> [] (s == {a})",
                             f"[] ((s == {a}) -> <> (s == {b}))"][kind] + " }"

    # ---- brute force ----

    def reachable(self, start, avoid):
        seen, todo = set(), [n for n in start if n not in avoid]
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += [b for a, b, _ in self.edges if a == node and b not in avoid]
        return seen

    def enabled(self, node):
        return set().union(*[agents for a, _, agents in self.edges if a == node], set())

    def is_fair(self, nodes):
        """Is there a fair run that visits exactly these nodes infinitely often?"""
        inside = [edge for edge in self.edges if edge[0] in nodes and edge[1] in nodes]
        if not inside:  # the run stops
            only, = nodes if len(nodes) == 1 else (None,)
            return only is not None and not any(a == only for a, _, _ in self.edges)
        for node in nodes:
            seen, todo = set(), [node]
            while todo:
                here = todo.pop()
                for a, b, _ in inside:
                    if a == here and b not in seen:
                        seen.add(b)
                        todo.append(b)
            if seen != set(nodes):
                return False
        moved = set().union(*[agents for _, _, agents in inside])
        able = [self.enabled(node) for node in nodes]
        for agent, strength in self.strength.items():
            asked = any(agent in e for e in able) if strength == "strong" else all(agent in e for e in able)
            if asked and agent not in moved:
                return False
        return True

    def violated(self):
        kind, a, b = self.question
        everywhere = self.reachable([0], set())
        where, needs = {0: (self.reachable([0], {a}), None),
                        1: (everywhere - {a}, None),
                        2: (everywhere, a),
                        3: (self.reachable([a], {b}) if a in everywhere else set(), None)}[kind]
        for size in range(1, len(where) + 1):
            for nodes in combinations(sorted(where), size):
                if needs is not None and set(nodes) == {needs}:
                    continue
                if self.is_fair(nodes):
                    return True
        return False


class ClaimCase(Case):
    def property(self):
        rng, size = self.rng, self.rng.randrange(2, 4)
        self.moves, places = [], [f"{rng.choice(['accept', 'T'])}{i}" for i in range(size)]
        self.accepting = {i for i in range(size) if places[i].startswith("accept")}
        text = []
        for place in range(size):
            options = []
            for _ in range(rng.randrange(1, 4)):
                (node, target), to = self.edge_pair(), rng.randrange(size)
                kind = rng.choice(["true", "is", "not", "assign"])
                does = {"true": "true", "is": f"s == {node}", "not": f"s != {node}", "assign": f"s = {target}"}[kind]
                options.append(f":: {does} -> goto {places[to]}")
                for s in range(self.nodes):
                    if kind in ("true", "assign") or (s == node) == (kind == "is"):
                        self.moves.append(((s, place), (target if kind == "assign" else s, to)))
            text.append(f"{places[place]}: if {' '.join(options)} fi")
        return "never { " + "; ".join(text) + " }"

    def violated(self):
        after = {}  # of (s, claim) behind a move: what the system does then, and who moves
        for _, (s, place) in self.moves:
            steps = [((b, place), agents) for a, b, agents in self.edges if a == s]
            after[s, place] = steps or [((s, place), set())]
        graph = {}
        for before, behind in self.moves:
            graph.setdefault(("before", before), []).append((("behind", behind), set()))
        for behind, steps in after.items():
            graph["behind", behind] = [(("before", to), agents) for to, agents in steps]
        seen, todo = set(), [("before", (0, 0))]
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += [to for to, _ in graph.get(node, [])]
        return self.has_cycle(graph, seen)

    def has_cycle(self, graph, nodes):
        """Is there a fair and accepting one within these nodes?"""
        reach = {}
        for node in nodes:
            found, todo = set(), [node]
            while todo:
                for to, _ in graph.get(todo.pop(), []):
                    if to in nodes and to not in found:
                        found.add(to)
                        todo.append(to)
            reach[node] = found
        done = set()
        for node in nodes:
            part = {n for n in reach[node] if node in reach[n]}
            if node in done or not part:
                continue
            done |= part
            inside = [agents for n in part for to, agents in graph[n] if to in part]
            moved = set().union(*inside)
            able = {n: self.enabled(n[1][0]) for n in part if n[0] == "behind"}
            lost = {a for a, strength in self.strength.items() if a not in moved and
                    (any if strength == "strong" else all)(a in e for e in able.values())}
            if any(self.strength[a] == "weak" for a in lost) or not any(n[1][1] in self.accepting for n in part
                                                                         if n[0] == "before"):
                continue
            if not lost or self.has_cycle(graph, part - {n for n, e in able.items() if e & lost}):
                return True
        return False


def look_at_lassos(given, case, path, options):
    """Is what is told a fair lasso that violates the formula? Is one that is called shortest just that?"""
    try:
        least = fair_lasso.minimum(case)
    except fair_lasso.TooLarge:
        least = None
    for more in ([], ["--shortest"], ["--exact"]):
        done = subprocess.run([given.gyre, path, "--json", "--check", "liveness", *more, *options],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        told = schema.report(done.stdout)["properties"][0]
        lasso = told["counterexample"]
        wrong = fair_lasso.complaint(case, lasso)
        if wrong:
            return f"a run that is none: {wrong} ({' '.join(more)})"
        if more == ["--shortest"] and least is not None:
            if lasso["cost"] < least or (lasso["shortest"] and lasso["cost"] != least):
                return f"a lasso of cost {lasso['cost']} (shortest: {lasso['shortest']}), the least is {least}"
            LASSOS["shortest" if lasso["shortest"] else "least" if lasso["cost"] == least else "longer"] += 1
    return "violated"


def check(given, folder, seed):
    make = ClaimCase if given.claims else Case
    case = make(seed, given.wide)
    path = os.path.join(folder, f"fair{seed}.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(case.text)
    options = ["--fairness", case.fairness] if seed % 2 or case.fairness != "actions" else []
    expected = "violated" if case.violated() else "holds"
    for cycles in ("auto", "components", "ufscc"):
        done = subprocess.run([given.gyre, path, "--json", "--check", "liveness", "--cycles", cycles, "--threads", "3",
                               *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=300)
        try:
            found = schema.report(done.stdout)["properties"][0]["verdict"]
        except (ValueError, KeyError, IndexError):
            found = f"status {done.returncode}: {done.stderr.decode()[-300:]}"
        if found != expected:
            found += f" (--cycles {cycles})"
            break
    if found == expected == "violated" and not given.wide and not given.claims:
        found = look_at_lassos(given, case, path, options)
    plain = make(seed, given.wide)
    plain.strength = {}
    return seed, expected, found, case.fairness, plain.violated() and expected == "holds"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gyre", default=os.path.join(ROOT, "build/gyre"))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--claims", action="store_true")
    parser.add_argument("--keep", help="folder for the models on which the two differ")
    given = parser.parse_args()
    tally, wrong = {"holds": 0, "violated": 0, "holds by fairness": 0}, 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1))) as pool:
        seeds = range(given.seed, given.seed + given.count)
        for seed, expected, found, fairness, by_fairness in pool.map(lambda s: check(given, folder, s), seeds):
            if found == expected:
                tally["holds by fairness" if by_fairness else expected] += 1
                continue
            wrong += 1
            print(f"seed {seed}: --fairness {fairness}: {found} instead of {expected}")
            if given.keep:
                os.makedirs(given.keep, exist_ok=True)
                os.replace(os.path.join(folder, f"fair{seed}.pml"), os.path.join(given.keep, f"fair{seed}.pml"))
    if not given.wide and not given.claims:
        print("lassos with --shortest: " + ", ".join(f"{n} {what}" for what, n in LASSOS.items()))
        wrong += not LASSOS["shortest"]
    print(f"{wrong} wrong; " + ", ".join(f"{n} {what}" for what, n in tally.items()))
    return 1 if wrong or not all(tally.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
