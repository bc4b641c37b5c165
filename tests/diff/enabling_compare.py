#!/usr/bin/env python3
"""Random systems in which it matters what is enabled in each state, against an interpreter of their own.

    enabling_compare.py [--gyre PROGRAM] [--count N] [--seed N] [--jobs N] [--keep FOLDER] [--spin SHARE] [--safety]

A system is a few processes with local variables, rendezvous, a buffered channel, `timeout`, `else`, `unless`,
`provided`, atomic sequences and d_steps, accept and progress labels, statements labelled `wfair` or `sfair`; most
statements touch local variables alone, so that there is much to merge. It is executed here, by the definition:
all states are made, and a formula (or a label) is decided under a fairness by taking components apart.
Nothing is shared with the program: no Spin is needed either.

For each system Gyre must give the oracle's verdict of safety and of the liveness property, by default, with
--exact and in one other way in turn; where safety holds, --exact must also have its number of states.
--spin: ask Spin, too, about one in SHARE of those that it has the same meaning for.

Seeds are independent of each other, and of --jobs: ranges of them can be run on several machines. Ends with
`N passed, N failed`; systems that differ are kept in build/enabling-failures.
"""
import argparse
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST_STATES, TRIES = 1000, 12
GLOBALS = ("x", "y", "z")

SWITCHES = ["--no-merge", "--no-dead", "--no-slice", "--no-ranges", "--no-por", "--no-symmetry"]
STORES = ["tree", "plain"]
FAIR_CYCLES = ["auto", "auto", "components", "ufscc"]  # the others know no fairness
ALL_CYCLES = FAIR_CYCLES + ["nested", "cndfs", "owcty", "map"]
# Some of safety may be refused: these with what they do not know.
OF_SAFETY = [
    ["--reduce", "cartesian"], ["--cover"], ["--search", "dfs"], ["--search", "dfs", "--threads", "3"], ["--no-merge"],
    ["--no-por"], ["--no-dead", "--no-slice"], ["--reduce", "cartesian", "--no-merge"], ["--cover", "--no-merge"],
    ["--backend", "native", "--threads", "2"], ["--shortest"], ["--no-symmetry"], ["--search", "deepening"],
    ["--store", "automaton"], ["--search", "dfs", "--store", "plain", "--backend", "native"], ["--check-reduction"],
    ["--search", "best"], ["--threads", "1"],
]


def switches(rng):
    """Each reduction alone, all but one, or any."""
    kind, one = rng.randrange(3), rng.choice(SWITCHES)
    return [s for s in SWITCHES if (s != one if kind == 0 else s == one if kind == 1 else rng.random() < 0.5)]


def may_be_refused(options):
    """Not every system is one for these."""
    return bool(set(options) & {"--cover", "cartesian", "--check-reduction", "nested", "cndfs", "owcty", "map", "--shortest"})


def way_of_liveness(rng, fair):
    options = switches(rng) + ["--threads", rng.choice("123"), "--store", rng.choice(STORES)]
    options += ["--cycles", rng.choice(FAIR_CYCLES if fair else ALL_CYCLES)]
    if rng.random() < 0.15:
        options += ["--backend", "native"]
    return options + (["--shortest"] if not fair and rng.random() < 0.1 else [])


def way_of_safety(rng):
    options = switches(rng) + ["--threads", rng.choice("123"), "--store", rng.choice(STORES)]
    return options + rng.choice([[], ["--search", "dfs"], ["--search", "deepening"], ["--backend", "native"]])

# ---- systems ----------------------------------------------------------------------------------


class Edge:
    """One statement. guard(env, timeout): may it fire; sync: None or ("send" or "receive", channel); value(env): of
    a send; takes(env, message): does a receive fit; effect(env, message); stays: goes on inside an atomic sequence."""

    def __init__(self, text, guard=None, effect=None, sync=None, value=None, takes=None, is_else=False):
        self.text, self.guard, self.effect = text, guard, effect
        self.sync, self.value, self.takes, self.is_else = sync, value, takes, is_else
        self.asserts, self.private = None, False
        self.to, self.stays, self.label, self.escape = None, False, None, False


class Endless(Exception):
    """Two atomic sequences hand over to each other for ever."""


class Env(dict):
    """Globals, the buffered channel `q` as a tuple, and the locals v and l of the process at hand."""


class Kind:
    """A process type: nodes are lists of edges."""

    def __init__(self, number):
        self.number, self.nodes, self.text, self.copies = number, [], "", 1
        self.provided, self.accepting, self.progress, self.ends = None, set(), set(), set()
        self.deterministic, self.priority = False, 1
        self.marks = []  # (label, node) that formulas may ask about

    def node(self):
        self.nodes.append([])
        return len(self.nodes) - 1


class System:
    def __init__(self, seed, safety=False):
        rng = self.rng = random.Random(seed)
        self.fairness, self.safety = "none", safety  # that is asked about
        self.labelled = rng.random() < 0.5
        self.question = rng.choice(["ltl"] * 6 + ["accept", "progress"])
        self.features = {name for name, share in (
            ("rendezvous", 0.7), ("buffered", 0.3), ("timeout", 0.4), ("else", 0.4), ("unless", 0.25), ("atomic", 0.3),
            ("provided", 0.12), ("assert", 0.2), ("end", 0.4), ("np_", 0.1), ("crowd", 0.25), ("remote", 0.15),
            ("count", 0.12), ("inside", 0.5), ("deterministic", 0.06), ("enabled", 0.12), ("priority", 0.15))
            if rng.random() < share}
        if "priority" in self.features:  # Spin has no such rendezvous, and what is enabled is asked without `else`
            self.features -= {"rendezvous", "deterministic", "enabled"}
        if "enabled" in self.features:
            self.features -= {"rendezvous", "else"}
        if safety:  # what is possible because something else is not
            self.question, self.labelled = "ltl", False
            self.features |= {"assert", rng.choice(["else", "unless", "timeout"])}
            if not self.features & {"priority", "enabled"}:
                self.features.add("rendezvous")
            elif "enabled" in self.features:
                self.features.discard("else")
        if "rendezvous" in self.features and rng.random() < 0.3:  # atomic sequences that send, to one that is busy
            self.features |= {"atomic", "blocked", "inside"}
        self.labels = 0
        # Three in four: one type comes to `z = 1` behind a statement that it must be let through; nobody else does.
        self.goal = self.question == "ltl" and not safety and rng.random() < 0.75
        self.assigned = "xy" if self.goal else "xyz"
        self.lively = self.goal or safety  # loops over private statements, rendezvous on one channel
        self.kinds = []
        for number in range(rng.randrange(1, 4)):
            self.kinds.append(self.kind(number))
        self.pids = [kind for kind in self.kinds for _ in range(kind.copies)]
        self.formula = self.property() if self.question == "ltl" else None
        self.text = self.print()

    # ---- expressions: (text, function of env) ----

    def constant(self):
        value = self.rng.randrange(3)
        return str(value), lambda env: value

    def condition(self, local=True):
        rng = self.rng
        name = rng.choice("xyzvl" if local else "xyz")
        if name == "l":
            value = rng.randrange(2)
        else:
            value = rng.randrange(3)
        op = rng.choice(["==", "!="])
        if "buffered" in self.features and rng.random() < 0.15:
            name, op, value = "len(q)", op, rng.randrange(2)
            return f"{name} {op} {value}", lambda env: (len(env["q"]) == value) == (op == "==")
        if "count" in self.features and rng.random() < 0.2:
            value = rng.randrange(1, 4)
            return f"_nr_pr {op} {value}", lambda env: (env["_nr_pr"] == value) == (op == "==")
        if self.kinds and self.features & {"remote", "enabled"} and rng.random() < 0.3:
            return self.about_another()
        return f"{name} {op} {value}", lambda env: (env[name] == value) == (op == "==")

    def about_another(self):
        """Of a process of a type that is declared before."""
        rng = self.rng
        number = rng.randrange(len(self.kinds))
        pid = sum(kind.copies for kind in self.kinds[:number])
        if "enabled" in self.features and not self.asking(number):
            return f"enabled({pid})", lambda env: self.is_enabled(env["_state"], pid, env["_timeout"])
        label, node = rng.choice(self.kinds[number].marks)
        return (f"P{number}[{pid}]@{label}",
                lambda env: pid < len(env["_state"][2]) and env["_state"][2][pid][0] == node)

    def asking(self, number):
        """No process asks about one that asks itself."""
        return "enabled(" in self.kinds[number].text

    def operand(self):
        if self.rng.random() < 0.6:
            return self.constant()
        name = self.rng.choice("xyzvl")
        return name, lambda env: env[name]

    def assignment(self, private):
        rng = self.rng
        name = rng.choice("vlll" if private else self.assigned)
        if name == "l":
            text, value = rng.choice([("1 - l", lambda env: 1 - env["l"]), ("1 - l", lambda env: 1 - env["l"]),
                                      ("0", lambda env: 0), ("1", lambda env: 1)])
        elif private:
            text, value = rng.choice([self.constant(), ("(v + 1) % 3", lambda env: (env["v"] + 1) % 3)])
        else:
            text, value = rng.choice([self.constant(), self.operand(), (f"1 - ({name} % 2)", lambda env: 1 - env[name] % 2)])

        def effect(env, _):
            env[name] = value(env)
        edge = Edge(f"{name} = {text}", effect=effect)
        edge.private = private
        return edge

    # ---- statements ----

    def message(self):
        rng, kinds = self.rng, [k for k in ("rendezvous", "buffered") if k in self.features]
        channel = {"rendezvous": rng.choice("r" if self.lively else "rrs"), "buffered": "q"}[rng.choice(kinds)]
        if rng.random() < 0.5:
            text, value = self.operand()
            return Edge(f"{channel}!{text}", sync=("send", channel), value=value)
        if rng.random() < 0.35:
            text, value = self.constant()
            return Edge(f"{channel}?{text}", sync=("receive", channel), takes=lambda env, m: m == value(env))
        name = rng.choice("vvx")

        def store(env, m):
            env[name] = m
        return Edge(f"{channel}?{name}", sync=("receive", channel), takes=lambda env, m: True, effect=store)

    def waiting(self):
        """A condition, or one with `timeout`."""
        rng = self.rng
        text, test = self.condition()
        if "timeout" in self.features and rng.random() < (0.8 if self.lively else 0.5):
            kind = rng.randrange(8)
            if kind < 5:
                return Edge("timeout", guard=lambda env, timeout: timeout)
            if kind < 6:
                return Edge(f"(timeout || {text})", guard=lambda env, timeout: timeout or test(env))
            if kind < 7:
                return Edge(f"(timeout && {text})", guard=lambda env, timeout: timeout and test(env))
            return Edge(f"(!timeout && {text})", guard=lambda env, timeout: not timeout and test(env))
        return Edge(f"({text})", guard=lambda env, timeout: test(env))

    def d_step(self):
        rng = self.rng
        text, test = self.condition()
        while "@" in text or "enabled" in text:  # refused there
            text, test = self.condition()
        parts = [self.assignment(rng.random() < 0.3) for _ in range(rng.randrange(1, 3))]

        def effect(env, message):
            for part in parts:
                part.effect(env, message)
        inside = "; ".join(part.text for part in parts)
        return Edge(f"d_step {{ ({text}) -> {inside} }}", guard=lambda env, timeout: test(env), effect=effect)

    def assertion(self):
        text, test = self.condition()
        edge = Edge(f"assert({text})")
        edge.asserts = test
        return edge

    def statement(self, first=False):
        """Spin's flow of control passes over a `skip` that is not the first of an option."""
        rng = self.rng
        kind = rng.random()
        talks = "rendezvous" in self.features or "buffered" in self.features
        private, shared, messages, waits = (0.55, 0.6, 0.85, 0.92) if self.lively else (0.4, 0.55, 0.75, 0.88)
        if kind < private:
            return self.assignment(True)
        if kind < shared:
            return self.assignment(False)
        if kind < messages and talks:
            return self.message()
        if kind < waits:
            return self.waiting()
        if kind < 0.92:
            return self.d_step()
        if kind < 0.94 and "assert" in self.features:
            return self.assertion()
        return Edge("skip") if first else self.assignment(True)

    def label(self, edge, share=0.25):
        if not self.labelled or self.rng.random() > share:
            return edge.text
        self.labels += 1
        edge.label = f"{self.rng.choice(['wfair', 'wfair', 'sfair'])}{self.labels}"
        return f"{edge.label}: {edge.text}"

    # ---- processes ----

    def chain(self, kind, start, edges, to):
        """These edges, one behind the other, from node start to node to."""
        at = start
        for k, edge in enumerate(edges):
            edge.to = to if k == len(edges) - 1 else kind.node()
            kind.nodes[at].append(edge)
            at = edge.to

    def option(self, kind, start, to, first=None):
        rng = self.rng
        edges = [first or self.statement(True)] + [self.statement() for _ in range(rng.choice([0, 0, 1, 1, 2]))]
        if self.safety and rng.random() < (0.6 if first else 0.15):
            edges.append(self.assertion())
        if "blocked" in self.features and rng.random() < 0.6 and not first:
            edges = self.interrupted(edges)
        often = 0.8 if "blocked" in self.features else 0.4
        if "atomic" in self.features and rng.random() < often and len(edges) > 1 and not first:
            for edge in edges[:-1]:
                edge.stays = True
            if "inside" in self.features:
                text = self.atomic(kind, start, edges, to)
                if text:
                    return text
            text = "atomic { " + "; ".join(edge.text for edge in edges) + " }"
        else:
            text = "; ".join(self.label(edge) if edge.text != "else" else "else" for edge in edges)
        self.chain(kind, start, edges, to)
        return text

    def interrupted(self, edges):
        """With a send in the middle."""
        rng = self.rng
        text, value = self.operand()
        send = Edge(f"r!{text}", sync=("send", "r"), value=value)
        if rng.random() < 0.6:
            return [self.assignment(False), send] + edges[1:2]
        edges.insert(rng.randrange(1, len(edges) + 1), send)
        return edges

    def atomic(self, kind, start, edges, to):
        """Labels inside, or a choice at the end: None for neither. After a choice the sequence ends with a `goto` of
        its own: a process that lost control by its last statement, a rendezvous, is in front of it."""
        rng = self.rng
        front = self.label(edges[0])[:-len(edges[0].text)]  # its label stands in front of the sequence
        texts = [edges[0].text] + [self.label(edge) for edge in edges[1:]]
        if rng.random() < 0.5:
            self.chain(kind, start, edges, to)
            return f"{front}atomic {{ {'; '.join(texts)} }}"
        at = kind.node()
        for edge in edges:
            edge.stays = True
        begin = "; ".join(texts)
        self.chain(kind, start, edges, at)
        ways, end, leave = [], kind.node(), Edge("goto")
        leave.private = True
        self.chain(kind, end, [leave], to)
        for _ in range(rng.choice([1, 2])):
            edge = self.statement(True)
            if edge.sync and "else" in self.features:
                edge = self.waiting()
            edge.stays = True
            ways.append(":: " + self.label(edge))
            self.chain(kind, at, [edge], end)
        if "else" in self.features and rng.random() < 0.6:
            last = [Edge("else", is_else=True), self.assignment(rng.random() < 0.5)]
            last[0].stays = last[1].stays = True
            self.chain(kind, at, last, end)
            ways.append(f":: else -> {last[1].text}")
        return f"{front}atomic {{ {begin}; if {' '.join(ways)} fi }}"

    def answers(self, kind, name, start, targets):
        """Ready for a rendezvous but for a moment: only then others do without."""
        rng = self.rng
        blocks = "blocked" in self.features
        channel = "r" if blocks else rng.choice(["r", "r", "s"])
        if blocks or rng.random() < 0.7:
            name_of = rng.choice("vx") if blocks else "v"
            edges = [Edge(f"{channel}?{name_of}", sync=("receive", channel), takes=lambda env, m: True,
                          effect=lambda env, m: env.update({name_of: m}))]
        else:
            edges = [Edge(f"{channel}!1", sync=("send", channel), value=lambda env: 1)]
        edges += [self.assignment(True) for _ in range(rng.randrange(1, 3))]
        self.chain(kind, start, edges, start)
        return f"{name}: if :: {'; '.join(edge.text for edge in edges)}; goto {name} fi;"

    def choice(self, kind, name, start, targets):
        rng, ways = self.rng, []
        for _ in range(rng.choice([1, 1, 2, 2, 3])):
            to, label = rng.choice(targets)
            ways.append(f":: {self.option(kind, start, to)}; goto {label}")
        if "else" in self.features and rng.random() < 0.4:
            to, label = rng.choice(targets)
            ways.append(f":: {self.option(kind, start, to, Edge('else', is_else=True))}; goto {label}")
        if self.goal and kind.number == 0 and start == 0:
            if rng.random() < 0.6 and ways[0].count("::") == 1 and len(ways) == 1:
                kind.nodes[start].clear()  # nothing else can be done here
                ways = []
            ways.insert(0, self.goal_option(kind, start, targets))
            kind.nodes[start].insert(0, kind.nodes[start].pop())
        return f"{name}: if {' '.join(ways)} fi;"

    def goal_option(self, kind, start, targets):
        """What is waited for, perhaps something private, and `z = 1`."""
        rng = self.rng
        talks = "rendezvous" in self.features or "buffered" in self.features
        what = rng.random()
        edges = [self.message()] if talks and what < 0.5 else [self.waiting()] if what < 0.85 else []
        edges += [self.assignment(True) for _ in range(rng.choice([0, 0, 1]))]

        def reach(env, _):
            env["z"] = 1
        edges.append(Edge("z = 1", effect=reach))
        to, label = rng.choice(targets)
        text = "; ".join(self.label(edge, 0.7) for edge in edges)
        self.chain(kind, start, edges, to)
        return f":: {text}; goto {label}"

    def unless(self, kind, name, start, targets):
        rng = self.rng
        to, label = rng.choice(targets)
        first = len(kind.nodes)
        main = [self.statement() for _ in range(rng.randrange(1, 3))]
        if self.safety and rng.random() < 0.6:
            main.append(self.assertion())
        texts = [main[0].text] + [self.label(edge) for edge in main[1:]]  # no label may stand first there
        self.chain(kind, start, main, to)
        talks = "rendezvous" in self.features or "buffered" in self.features
        escape = self.message() if talks and rng.random() < 0.5 else self.waiting()
        rest = [self.assignment(True)] if rng.random() < 0.3 else []
        inside = [start] + list(range(first, len(kind.nodes)))
        behind = kind.node() if rest else to
        if rest:
            self.chain(kind, behind, rest, to)
        for node in inside:
            copy = Edge(escape.text, escape.guard, escape.effect, escape.sync, escape.value, escape.takes)
            copy.to, copy.escape = behind, True
            kind.nodes[node].append(copy)
        escapes = "; ".join([escape.text] + [edge.text for edge in rest])
        return f"{name}: {{ {'; '.join(texts)} }} unless {{ {escapes} }}; goto {label};"

    def kind(self, number):
        rng, kind = self.rng, Kind(number)
        count = rng.choice([1, 1, 2, 2, 3] if self.lively else [1, 2, 3])
        if "crowd" in self.features and rng.random() < 0.5:
            kind.copies = 2
        kind.deterministic = "deterministic" in self.features and rng.random() < 0.6
        kind.priority = rng.choice([1, 1, 2, 3]) if "priority" in self.features else 1
        if "provided" in self.features and rng.random() < (0.3 if self.lively else 0.6):
            kind.provided = self.condition(local=False)
            while any(word in kind.provided[0] for word in ("@", "enabled", "_nr_pr")):  # refused there
                kind.provided = self.condition(local=False)
        targets = []
        for k in range(count):
            word = "L"
            if self.question in ("accept", "progress") and rng.random() < 0.4:
                word = self.question + "_L"
                (kind.accepting if self.question == "accept" else kind.progress).add(k)
            elif "np_" in self.features and rng.random() < 0.4:
                word = "progress_L"
                kind.progress.add(k)
            elif rng.random() < 0.4:
                word = "end_L"
                kind.ends.add(k)
            node = kind.node()
            targets.append((node, f"{word}{k}"))
            kind.marks.append((f"{word}{k}", node))
        if "end" in self.features and rng.random() < 0.5:
            last = kind.node()
            targets.append((last, "done"))
        else:
            last = None
        lines = []
        for k in range(count):
            goal = self.goal and number == 0 and k == 0
            ready = number == 0 and k == 0 and not goal and \
                ("blocked" in self.features or self.safety and "rendezvous" in self.features)
            make = self.answers if ready else self.unless if "unless" in self.features and rng.random() < 0.4 and not goal else self.choice
            lines.append(make(kind, targets[k][1], k, targets))
        if last is not None:
            edge = Edge("x = 2", effect=lambda env, _: env.update(x=2))
            edge.to = kind.node()  # without edges: the process is over
            kind.nodes[last].append(edge)
            kind.final = edge.to
            lines.append("done: x = 2")
        else:
            kind.final = None
        clause = f" priority {kind.priority}" if kind.priority > 1 else ""
        clause += f" provided ({kind.provided[0]})" if kind.provided else ""
        body = "\n  ".join(lines)
        word = "D_proctype" if kind.deterministic else "proctype"
        kind.text = f"active [{kind.copies}] {word} P{number}(){clause} {{\n  byte v; bit l;\n  {body}\n}}"
        return kind

    def print(self):
        out = ["byte x, y, z;"]
        if "rendezvous" in self.features:
            out.append("chan r = [0] of { byte }; chan s = [0] of { byte };")
        if "buffered" in self.features:
            out.append("chan q = [1] of { byte };")
        out += [kind.text for kind in self.kinds]
        if self.formula:
            out.append(f"ltl p {{ {self.formula[0]} }}")
        return "\n".join(out) + "\n"

    # ---- properties: an atom is (text, function of a state) ----

    def atom(self):
        rng, kind = self.rng, self.rng.random()
        pid = rng.randrange(len(self.pids))
        if kind < 0.2:
            of = self.pids[pid]
            label, node = rng.choice(of.marks)
            return (f"(P{of.number}[{pid}]@{label})",
                    lambda state: pid < len(state[2]) and state[2][pid][0] == node)
        if kind < 0.28 and "timeout" in self.features:
            return "timeout", lambda state: self.successors(state)[1]
        if kind < 0.6 and "np_" in self.features:
            return "np_", lambda state: bool(self.successors(state)[0]) and not self.at(state, "progress")
        if kind < 0.4 and "rendezvous" not in self.features:  # with it, enabled() is refused
            return f"enabled({pid})", lambda state: self.is_enabled(state, pid)
        text, test = self.condition(local=False)
        return f"({text})", lambda state: test(self.env(state, 0, self.successors(state)[1]))

    def property(self):
        (a, is_a), (b, is_b) = self.atom(), self.atom()
        kind = self.rng.choice(["F", "F", "GF", "GF", "FG", "GFimplies", "U"])
        if self.goal:
            kind = self.rng.choice(["F", "F", "F", "GFimplies"])
            goal = "(z == 1)", lambda state: state[0][2] == 1
            a, is_a = goal if kind == "F" else (a, is_a)
            b, is_b = goal
        text = {"F": f"<> {a}", "GF": f"[] <> {a}", "FG": f"<> [] {a}", "GFimplies": f"[] ({a} -> <> {b})",
                "U": f"{a} U {b}"}[kind]
        return text, kind, is_a, is_b

    # ---- execution: a state is (globals, q, processes), a process (node, v, l) ----

    def initial(self):
        return (0, 0, 0), (), tuple((0, 0, 0) for _ in self.pids)

    def env(self, state, pid, timeout=False):
        env = Env(zip(GLOBALS, state[0]))
        env["q"] = state[1]
        env["_nr_pr"], env["_state"], env["_timeout"] = len(state[2]), state, timeout
        if pid < len(state[2]):
            _, env["v"], env["l"] = state[2][pid]
        return env

    def put(self, state, pid, env, to):
        processes = list(state[2])
        processes[pid] = (to, env["v"], env["l"])
        return tuple(env[name] for name in GLOBALS), env["q"], tuple(processes)

    def is_provided(self, state, pid):
        provided = self.pids[pid].provided
        return not provided or provided[1](self.env(state, pid))

    def may_move(self, state, pid, timeout=False):
        """Is it provided, and nobody of higher priority can move?"""
        if not self.is_provided(state, pid):
            return False
        if "priority" not in self.features:
            return True
        return not any(self.pids[other].priority > self.pids[pid].priority and self.is_provided(state, other) and
                       self.is_enabled(state, other, timeout) for other in range(len(state[2])))

    def offers(self, state, sender, channel, message):
        """Who can take it: (pid, edge)."""
        found = []
        for pid in range(len(state[2])):
            if pid != sender and self.may_move(state, pid):
                found += [(pid, edge) for edge, _ in self.only(pid, self.fireable(
                    state, pid, False, lambda e, env: e.sync == ("receive", channel) and e.takes(env, message)))]
        return found

    def only(self, pid, edges):
        """These can be executed: of a D_proctype, it should be one (or others that Spin does not look at)."""
        if self.pids[pid].deterministic and \
                any(edge.text != "skip" and not edge.text.startswith("d_step") for edge, _ in edges[1:]):
            self.undecided = True
        return edges

    def fireable(self, state, pid, timeout, receives=None):
        """Edges of this process: (edge, partners). `receives`: only those that answer an offer."""
        node = state[2][pid][0]
        edges = self.pids[pid].nodes[node]
        found = []
        for escape in (True, False):
            for edge in edges:
                if edge.escape != escape or edge.is_else:
                    continue
                partners = self.can_fire(state, pid, edge, timeout, receives)
                if partners is not None:
                    found.append((edge, partners))
            if found:
                return found
        return [(edge, [None]) for edge in edges if edge.is_else and not receives]

    def can_fire(self, state, pid, edge, timeout, receives):
        """None, or with whom: [None] if alone."""
        env = self.env(state, pid, timeout)
        if receives:
            return [None] if receives(edge, env) else None
        if edge.guard and not edge.guard(env, timeout):
            return None
        if not edge.sync:
            return [None]
        what, channel = edge.sync
        if channel == "q":
            if what == "send":
                return [None] if not env["q"] else None
            return [None] if env["q"] and edge.takes(env, env["q"][0]) else None
        if what == "receive":
            return None
        return self.offers(state, pid, channel, edge.value(env)) or None

    def fire(self, state, pid, edge, partner):
        """(state, who is exclusive, names of what moved)."""
        moved = {f"process@{pid}"} | ({f"{edge.label}@{pid}"} if edge.label else set())
        env, message, alone = self.env(state, pid), None, pid if self.goes_on(pid, edge) else None
        if edge.asserts and not edge.asserts(env):
            self.asserted = True
        if edge.sync:
            what, channel = edge.sync
            if what == "send":
                message = edge.value(env)
                if channel == "q":
                    env["q"] = (message,)
            elif channel == "q":
                message, env["q"] = env["q"][0], ()
        if edge.effect:
            edge.effect(env, message)
        state = self.put(state, pid, env, edge.to)
        if partner:
            other, answer = partner
            moved |= {f"process@{other}"} | ({f"{answer.label}@{other}"} if answer.label else set())
            env = self.env(state, other)
            if answer.effect:
                answer.effect(env, message)
            state = self.put(state, other, env, answer.to)
            alone = other if self.goes_on(other, answer) else None
        return state, alone, moved

    def moves(self, state, pid, timeout):
        if not self.may_move(state, pid, timeout):
            return
        node = state[2][pid][0]
        if node == self.pids[pid].final:
            if pid == len(state[2]) - 1:
                yield (state[0], state[1], state[2][:-1]), None, {f"process@{pid}"}
            return
        for edge, partners in self.only(pid, self.fireable(state, pid, timeout)):
            for partner in partners:
                yield self.fire(state, pid, edge, partner)

    def settle(self, state, alone, moved, depth=0):
        """Goes on inside an atomic sequence; yields (state, what moved)."""
        if depth > 50:
            raise Endless
        onward = list(self.moves(state, alone, False)) if alone is not None else []
        if not onward:
            yield state, moved
        for after, still, more in onward:
            yield from self.settle(after, still, moved | more, depth + 1)

    def successors(self, state):
        """(list of (state, what moved, what was enabled), is it by timeout)"""
        if state in self.known:
            return self.known[state]
        found, late = [], False
        for late in (False, True):
            for pid in reversed(range(len(state[2]))):
                for after, alone, first in self.moves(state, pid, late):
                    found += [(end, moved, first) for end, moved in self.settle(after, alone, first)]
            if found:
                break
        self.known[state] = found, late
        return self.known[state]

    def explore(self, eager=False):
        """False: there are too many states. `eager`: see goes_on."""
        self.eager = eager
        try:
            return self.explore_all()
        except Endless:
            return False

    def goes_on(self, pid, edge):
        """Is the process alone behind this statement? An eager one does not stop where it can only do something
        private: what others could do there, or not do, is lost. (Systems for which that makes a difference are
        the ones that are looked for.)"""
        if edge.stays or not self.eager:
            return edge.stays
        edges = self.pids[pid].nodes[edge.to]
        return bool(edges) and all(e.private and not e.escape for e in edges)

    def explore_all(self):
        self.known, self.asserted, self.undecided = {}, False, False
        todo = [self.initial()]
        while todo:
            state = todo.pop()
            if state in self.known:
                continue
            if len(self.known) >= MOST_STATES:
                return False
            todo += [after for after, _, _ in self.successors(state)[0]]
        return True

    def is_enabled(self, state, pid, timeout=None):
        """Of the statements alone: `provided` is not asked."""
        if timeout is None:
            timeout = self.successors(state)[1]
        if pid >= len(state[2]):
            return False
        if state[2][pid][0] == self.pids[pid].final:
            return pid == len(state[2]) - 1
        return bool(self.fireable(state, pid, timeout))

    # ---- verdicts ----

    def may_rest(self, state):
        return all(node == self.pids[pid].final or node in self.pids[pid].ends
                   for pid, (node, _, _) in enumerate(state[2]))

    def is_unsafe(self):
        return self.asserted or self.undecided or any(not found and not self.may_rest(state) for state, (found, _) in self.known.items())

    def before(self, states):
        """These, and all from which one of them can be reached."""
        back = {state: [] for state in self.known}
        for state, (found, _) in self.known.items():
            for after, _, _ in found:
                back[after].append(state)
        seen, todo = set(), list(states)
        while todo:
            state = todo.pop()
            if state not in seen:
                seen.add(state)
                todo += back[state]
        return seen

    def is_partly_stuck(self):
        """Is there a state, and a process that can never do anything from there on and may not stay where it is,
        although there is a run that goes on for ever?"""
        self.stutters = False
        endless = self.before([state for part, _ in self.components(set(self.known)) for state in part])
        for pid, kind in enumerate(self.pids):
            lively = self.before([state for state, (found, _) in self.known.items()
                                  if any(f"process@{pid}" in moved for _, moved, _ in found)])
            if any(pid < len(state[2]) and state[2][pid][0] != kind.final and state[2][pid][0] not in kind.ends
                   for state in endless - lively):
                return True
        return False

    def strength(self, agent):
        if agent.startswith("process"):
            return self.fairness if self.fairness in ("weak", "strong") else None
        if self.fairness == "none":
            return None
        return "weak" if agent.startswith("wfair") else "strong"

    def reachable(self, start, inside):
        seen, todo = set(), [s for s in start if s in inside]
        while todo:
            state = todo.pop()
            if state not in seen:
                seen.add(state)
                todo += [after for after, _, _ in self.known[state][0] if after in inside]
        return seen

    def components(self, inside):
        """Strongly connected ones with a step, by Kosaraju; a state that has stopped stays there."""
        order, seen = [], set()
        for root in inside:
            if root in seen:
                continue
            seen.add(root)
            stack = [(root, iter(self.known[root][0]))]
            while stack:
                state, rest = stack[-1]
                for after, _, _ in rest:
                    if after in inside and after not in seen:
                        seen.add(after)
                        stack.append((after, iter(self.known[after][0])))
                        break
                else:
                    order.append(state)
                    stack.pop()
        back = {state: [] for state in inside}
        for state in inside:
            for after, _, _ in self.known[state][0]:
                if after in inside:
                    back[after].append(state)
        done = set()
        for root in reversed(order):
            if root in done:
                continue
            part, todo = set(), [root]
            while todo:
                state = todo.pop()
                if state not in done:
                    done.add(state)
                    part.add(state)
                    todo += back[state]
            steps = [step for state in part for step in self.known[state][0] if step[0] in part]
            if steps or (not self.known[root][0] and self.stutters):
                yield part, steps

    def has_fair_cycle(self, inside, accepting=None):
        for part, steps in self.components(inside):
            if accepting and not any(accepting(state) for state in part):
                continue
            moved = set().union(*[step[1] for step in steps])
            able = {state: set().union(*[step[2] for step in self.known[state][0]]) for state in part}
            weak, strong = set.intersection(*able.values()) - moved, set().union(*able.values()) - moved
            if any(self.strength(agent) for agent in weak):
                continue
            bad = {agent for agent in strong if self.strength(agent) == "strong"}
            if not bad:
                return True
            if self.has_fair_cycle({state for state in part if not able[state] & bad}, accepting):
                return True
        return False

    def at(self, state, which):
        return any(node in getattr(self.pids[pid], which) for pid, (node, _, _) in enumerate(state[2]))

    def is_violated_with(self, fairness):
        before, self.fairness = self.fairness, fairness
        violated = self.is_violated()
        self.fairness = before
        return violated

    def is_violated(self):
        start, everything = [self.initial()], set(self.known)
        self.stutters = self.question != "progress"
        if self.question == "accept":
            return self.has_fair_cycle(everything, lambda state: self.at(state, "accepting"))
        if self.question == "progress":
            return self.has_fair_cycle({s for s in everything if not self.at(s, "progress")})
        _, kind, is_a, is_b = self.formula
        a = {state for state in everything if is_a(state)}
        b = {state for state in everything if is_b(state)}
        if kind == "F":
            return self.has_fair_cycle(self.reachable(start, everything - a))
        if kind == "GF":
            return self.has_fair_cycle(everything - a)
        if kind == "FG":
            return self.has_fair_cycle(everything, lambda state: state not in a)
        if kind == "GFimplies":
            return self.has_fair_cycle(self.reachable(a, everything - b))
        before = self.reachable(start, everything - b)  # U: a finite run can always go on fairly
        within = self.reachable(start, a - b)
        if start[0] in everything - a - b or \
                any(after in before - a for state in within for after, _, _ in self.known[state][0]):
            return True
        return self.has_fair_cycle(within)


# ---- Gyre -------------------------------------------------------------------------------------


def ask(given, path, *options, which=0):
    """The first property, or the last."""
    argv = [given.gyre, path, "--json", "--time", "120", *options]
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600,
                          check=False)
    try:
        properties = schema.report(done.stdout)["properties"]
        # No accept label can be reached: there is nothing to check.
        return properties[which] if properties or done.returncode else {"verdict": "holds"}
    except (ValueError, KeyError, IndexError):  # there is none
        return {"verdict": f"status {done.returncode}: {done.stderr.decode()[-300:]}"}


def word(violated):
    return "violated" if violated else "holds"


def check_safety(given, path, system, others, tally):
    expected = word(system.is_unsafe())
    for options in ([], ["--exact"], *others):
        found = ask(given, path, "--check", "safety", *options)
        if found["verdict"].startswith("status 2") and may_be_refused(options):
            tally["refused"] += 1
        elif found["verdict"] != expected:
            return f"safety: {found['verdict']} with {' '.join(options) or 'reductions'} instead of {expected}"
        if options == ["--exact"] and expected == "holds" and found["states"] != len(system.known):
            return f"{found['states']} states instead of {len(system.known)}"
    return None


def check_states(given, path, system, rng, tally):
    """Of the states: partial deadlocks, and one in which a condition holds."""
    text, test = system.condition(local=False)
    if "enabled" in text:
        text, test = "x == 1", lambda env: env["x"] == 1
    reached = any(test(system.env(state, 0)) for state in system.known)
    for expected, asked, ways in (
            (word(system.is_partly_stuck()), ["--partial-deadlock", "--check", "safety"], ([], way_of_safety(rng))),
            (word(reached), ["--ef", text], ([], way_of_safety(rng), ["--cover"]))):
        for options in ways:
            found = ask(given, path, *asked, *options, which=-1)
            if found["verdict"].startswith("status 2") and may_be_refused(options):
                tally["refused"] += 1
            elif found["verdict"] != expected:
                return f"{' '.join([*asked, *options])}: {found['verdict']} instead of {expected}"
    return None


def check_liveness(given, path, system, rng, tally):
    check = ["--check", "progress" if system.question == "progress" else "liveness"]
    for system.fairness in system.asked:
        expected = word(system.is_violated())
        fair = system.fairness in ("weak", "strong") or system.fairness == "actions" and system.labels
        other = way_of_liveness(rng, fair)
        for options in ([], ["--exact"], other):
            argv = [*check, "--fairness", system.fairness, *options]
            found = ask(given, path, *argv)
            if found["verdict"].startswith("status 2") and may_be_refused(options):
                tally["refused"] += 1
                continue
            if found["verdict"] != expected:
                return f"{' '.join(argv)}: {found['verdict']} instead of {expected}"
            problem = wrong_note(found, system)
            if problem:
                return f"{' '.join(argv)}: {problem}"
        tally["holds by fairness" if expected == "holds" and system.is_violated_with("none") else expected] += 1
    return None


def wrong_note(found, system):
    """Is what is said of fairness beside a counterexample so?"""
    note = (found.get("counterexample") or {}).get("unfair")
    if not note or note["verdict"] not in ("holds", "violated"):
        return None
    right = word(system.is_violated_with(note["fairness"]))
    return None if right == note["verdict"] else f"note: with {note['fairness']} {note['verdict']} instead of {right}"


def check_spin(path, system, tally):
    import oracle
    mode = {"ltl": "-a", "accept": "-a", "progress": "-l"}[system.question]
    spin = oracle.liveness(path, mode, "p" if system.question == "ltl" else None, use_cache=False)
    if spin["problem"] or not spin["complete"] and spin["verdict"] != "violated" or \
            set(spin["kinds"]) - {"acceptance-cycle", "claim-end", "non-progress-cycle"}:
        return None
    tally["asked Spin"] += 1
    expected = word(system.is_violated_with("none"))
    return None if spin["verdict"] == expected else f"Spin {mode}: {spin['verdict']} {spin['kinds']} instead of {expected}"


def of_spin(system):
    """Has Spin the same meaning for it? (docs/differences-from-spin.md)"""
    return "timeout" not in (system.formula or [""])[0]


def verdicts(system, modes):
    return [system.is_unsafe()] + [system.is_violated_with(mode) for mode in modes]


def choose(seed, safety):
    """Mostly a system in which it matters what is enabled between two statements, or one whose verdict hangs on
    fairness: of a few tries, the first that does, or the last that is small."""
    some, rng = None, random.Random(seed)
    for attempt in range(rng.choice([1, TRIES, TRIES, TRIES])):
        system = System(seed * TRIES + attempt, safety)
        modes = [] if safety else ["none", "weak", "strong"] + (["actions"] if system.labels else [])
        eager = verdicts(system, modes) if system.explore(eager=True) else None
        if not system.explore():
            continue
        exact = verdicts(system, modes)
        differ = [mode for k, mode in enumerate(modes) if eager and eager[k + 1] != exact[k + 1]]
        system.asked = sorted({rng.choice(differ or modes), rng.choice(modes)}) if modes else []
        if differ or eager and eager[0] != exact[0]:
            return system, True
        if not some or len(set(exact[1:])) > 1:
            some = system
    return some, False


def case(given, folder, seed, tally):
    system, differs = choose(seed, given.safety)
    if not system:
        tally["too large"] += 1
        return None
    tally["eagerly wrong"] += differs
    path = os.path.join(folder, f"enabling{seed}.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(system.text)
    rng = random.Random(seed)
    some = [*(OF_SAFETY if given.safety else [OF_SAFETY[seed % len(OF_SAFETY)]]), way_of_safety(rng)]
    problem = check_safety(given, path, system, some, tally) or \
        seed % 3 == 0 and check_states(given, path, system, rng, tally)
    if given.safety:
        tally[word(system.is_unsafe())] += 1
    else:
        problem = problem or check_liveness(given, path, system, rng, tally)
    if not problem and not given.safety and given.spin and seed % given.spin == 0 and of_spin(system):
        problem = check_spin(path, system, tally)
    if problem:
        os.makedirs(given.keep, exist_ok=True)
        shutil.copy(path, given.keep)
    os.remove(path)
    return problem


def run_range(given, seeds):
    """In a process of its own: the interpreter takes as long as Gyre."""
    tally = dict.fromkeys(("holds", "violated", "holds by fairness", "eagerly wrong", "too large", "refused",
                           "asked Spin"), 0)
    with tempfile.TemporaryDirectory(prefix="gyre-enabling-") as folder:
        os.environ["GYRE_CACHE"] = os.path.join(folder, "cache")
        if shutil.which("tcc"):
            os.environ["GYRE_CC"] = "tcc"
        problems = [(seed, case(given, folder, seed, tally)) for seed in seeds]
    return tally, [(seed, problem) for seed, problem in problems if problem]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gyre", default=os.path.join(ROOT, os.environ.get("GYRE", "build/gyre")))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1)))
    parser.add_argument("--keep", default=os.path.join(ROOT, "build", "enabling-failures"))
    parser.add_argument("--spin", type=int, default=0, metavar="SHARE")
    parser.add_argument("--safety", action="store_true", help="safety alone, in all ways")
    parser.add_argument("--print", action="store_true", help="the system of --seed, and nothing else")
    given = parser.parse_args()
    if given.print:
        print(choose(given.seed, given.safety)[0].text, end="")
        return 0
    seeds = range(given.seed, given.seed + given.count)
    parts = [seeds[k:k + 20] for k in range(0, len(seeds), 20)]
    total, failed, done = {}, 0, 0
    with concurrent.futures.ProcessPoolExecutor(given.jobs) as pool:
        for tally, problems in pool.map(run_range, [given] * len(parts), parts):
            for what, n in tally.items():
                total[what] = total.get(what, 0) + n
            for seed, problem in problems:
                failed += 1
                print(f"seed {seed}: {problem}", flush=True)
            done += 1
            if done % 25 == 0:
                print(f"{20 * done} done, {failed} failed", flush=True)
    print(", ".join(f"{n} {what}" for what, n in total.items()))
    print(f"{given.count - total['too large'] - failed} passed, {failed} failed")
    few = given.count >= 100 and (3 * total["too large"] > given.count or not total["eagerly wrong"] or
                                  total["refused"] > total["holds"] + total["violated"] and not given.safety)
    return 1 if failed or few else 0


if __name__ == "__main__":
    sys.exit(main())
