#!/usr/bin/env python3
"""Random IF systems, and Gyre compared with the interpreter in if_reference.py on them.

    if_random.py [--count N] [--seed S] [--gyre PROGRAM] [--keep FOLDER]
    if_random.py --print SEED

Compared are, for every system that the interpreter explores completely within some states: states
and transitions of an exact search by the virtual machine and by compiled code, whether there are
states without a successor, and whether a step can fail; then the verdicts with all reductions.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import if_reference  # noqa: E402

MOST_STATES = 500


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.indent = 1

    def some(self, chance):
        return self.r.random() < chance

    def add(self, text):
        self.lines.append("  " * self.indent + text)

    # ---- what there is

    def plan(self):
        r = self.r
        self.types = {"boolean": "bool", "small": "num", "colour": "enum", "pid": "pid"}
        self.signals = {}
        for n in range(r.randint(1, 3)):
            self.signals["s%d" % n] = [r.choice(["boolean", "small", "colour", "pid", "pair"])
                                       for _ in range(r.randint(0, 2))]
        self.processes = ["P", "Q", "R"][:r.choice([1, 2, 2, 3])]
        self.counts = {p: r.choice([1, 1, 1, 2]) for p in self.processes}
        self.forks = {p for p in self.processes if self.some(0.25)}
        self.kills = self.some(0.25)
        self.most = {p: self.counts[p] + (self.r.randint(0, 1) if p in self.forks else 0)
                     for p in self.processes}
        for p in self.forks:
            if self.some(0.5):
                self.counts[p] = 0
                self.most[p] = max(1, self.most[p])
        if not any(self.counts.values()):
            self.counts[self.processes[0]] = self.most[self.processes[0]] = 1
        self.params = {p: [("p%d" % n, r.choice(["small", "pid"])) for n in range(r.randint(0, 2))]
                       if p in self.forks else [] for p in self.processes}
        self.routes = []
        for n in range(r.randint(0, 3)):
            source = r.choice(self.processes + ["env"])
            target = r.choice(self.processes + (["env"] if source != "env" else []))
            options = [o for o in (r.choice(["", "#fifo", "#multiset #size[%d]" % r.randint(1, 2)]),
                                   r.choice(["", "#reliable", "#lossy"]),
                                   r.choice(["", "#unicast", "#multicast", "#peer"])) if o]
            signals = [s for s in self.signals if self.some(0.7) and
                       (source != "env" or not {"pid", "pair"} & set(self.signals[s]))]
            if signals:
                self.routes.append(("r%d" % n, r.randint(1, 2), options, source, target, signals))

    # ---- expressions

    def number(self, depth=0):
        choice = self.r.random()
        if choice < 0.35 or depth > 2:
            return str(self.r.randint(0, 2))
        if choice < 0.7 and self.names("small"):
            return self.r.choice(self.names("small"))
        if choice < 0.75:
            return "a[%s]" % self.r.choice(["0", "1", "x", "g"])
        if choice < 0.8:
            return "(%s ? %s : %s)" % (self.truth(depth + 1), self.number(depth + 1), self.number(depth + 1))
        if choice < 0.84:
            return "pr.n"
        op = self.r.choice(["+", "-", "*", "+", "-", "%", "/"])
        return "(%s %s %s)" % (self.number(depth + 1), op, self.number(depth + 1))

    def names(self, kind):
        return [n for n, k in self.scope.items() if k == kind]

    def truth(self, depth=0):
        choice = self.r.random()
        if choice < 0.1 or depth > 2:
            return self.r.choice(["true", "false"] + self.names("boolean"))
        if choice < 0.3:
            return self.r.choice(self.names("boolean"))
        if choice < 0.4:
            return "not (%s)" % self.truth(depth + 1)
        if choice < 0.55:
            return "(%s %s %s)" % (self.truth(depth + 1), self.r.choice(["and", "or"]), self.truth(depth + 1))
        if choice < 0.65:
            return "c %s %s" % (self.r.choice(["=", "<>"]), self.colour())
        if choice < 0.75:
            return "%s %s %s" % (self.pid(), self.r.choice(["=", "<>"]), self.pid())
        if choice < 0.8:
            return "active %s" % self.pid()
        if choice < 0.83:
            return "pr = pr2"
        op = self.r.choice(["=", "<>", "<", "<=", ">", ">="])
        return "%s %s %s" % (self.number(depth + 1), op, self.number(depth + 1))

    def colour(self):
        return self.r.choice(["red", "green", "c"])

    def pid(self):
        choice = self.r.random()
        if choice < 0.3:
            return "self"
        if choice < 0.4:
            return "nil"
        if choice < 0.7:
            return self.r.choice(self.names("pid"))
        p = self.r.choice(self.processes)
        return "{%s}%d" % (p, self.r.randrange(self.counts[p])) if self.counts[p] else "nil"

    def of(self, kind):
        return {"boolean": self.truth, "small": self.number, "colour": self.colour, "pid": self.pid,
                "pair": lambda: self.r.choice(["pr", "pr2"])}[kind]()

    def target(self, kind):
        if kind == "small" and self.some(0.2):
            return self.r.choice(["a[%s]" % self.r.choice(["0", "1", "x"]), "pr.n"])
        if kind == "colour":
            return "c"
        if kind == "pair":
            return self.r.choice(["pr", "pr2"])
        return self.r.choice(self.names(kind))

    # ---- statements

    def statements(self, count, depth=0):
        for _ in range(count):
            self.statement(depth)

    def arguments(self, kinds):
        return ", ".join(self.of(k) for k in kinds)

    def output(self):
        routes = [r for r in self.routes if r[3] == self.process]
        if routes and self.some(0.75):
            name, count, options, _, _, signals = self.r.choice(routes)
            signal = self.r.choice(signals)
            text = "output %s(%s) via %s" % (signal, self.arguments(self.signals[signal]),
                                             self.r.choice([name, "{%s}%d" % (name, self.r.randrange(count))]))
            if self.some(0.2) and not any("multiset" in o for o in options):
                text += " to %s" % self.pid()
            self.add(text + ";")
            return
        signal = self.r.choice(list(self.signals))
        self.add("output %s(%s) to %s;" % (signal, self.arguments(self.signals[signal]), self.pid()))

    def statement(self, depth):
        choice = self.r.random()
        if choice < 0.33:
            kind = self.r.choice(["boolean", "small", "small", "colour", "pid", "pair"])
            self.add("task %s := %s;" % (self.target(kind), self.of(kind)))
        elif choice < 0.6:
            self.output()
        elif choice < 0.72 and depth < 2:
            self.add("if %s then" % self.truth())
            self.indent += 1
            self.statements(self.r.randint(0, 2), depth + 1)
            if self.some(0.6):
                self.indent -= 1
                self.add("else")
                self.indent += 1
                self.statements(self.r.randint(0, 2), depth + 1)
            self.indent -= 1
            self.add("endif")
        elif choice < 0.76 and depth < 1:
            self.add("task k := 0;")
            self.add("while k < %d do" % self.r.randint(1, 2))
            self.indent += 1
            self.add("task k := k + 1;")
            self.statements(self.r.randint(0, 2), 2)
            self.indent -= 1
            self.add("endwhile;")
        elif choice < 0.86:
            name = self.r.choice(["add", "swap", "least"])
            if name == "swap":
                self.add("call swap(%s, %s);" % (self.target("small"), self.target("small")))
            else:
                self.add("%s := call %s(%s, %s);" % (self.target("small"), name, self.number(), self.number()))
        elif choice < 0.93 and self.forks:
            p = self.r.choice(sorted(self.forks))
            text = "fork %s(%s);" % (p, ", ".join(self.of(k) for _, k in self.params[p]))
            self.add(("%s := " % self.target("pid") if self.some(0.5) else "") + text)
        elif choice < 0.97 and self.kills:
            self.add("kill %s;" % self.pid())
        else:
            self.add(self.r.choice(["skip;", 'informal "nothing";']))

    def transition(self, state, states, unstable):
        if self.some(0.6):
            self.add("provided %s;" % self.truth())
        if self.some(0.5):
            signal = self.r.choice(list(self.signals))
            self.add("input %s(%s);" % (signal, ", ".join(self.target(k) for k in self.signals[signal])))
        self.indent += 1
        self.statements(self.r.choice([0, 1, 1, 2, 3]))
        # Nothing goes round inside of one step.
        later = [s for s in states if s not in unstable or states.index(s) > states.index(state)]
        if self.some(0.1) or not later:
            self.add("stop;")
        elif self.some(0.2) and state not in unstable:
            self.add("nextstate -;")
        else:
            self.add("nextstate %s;" % self.r.choice(later))
        self.indent -= 1

    # ---- the system

    def make_process(self, p):
        self.process = p
        options = "".join([" #queue[%d]" % self.r.randint(1, 2),
                           " #instances[%d]" % self.most[p] if p in self.forks else ""])
        self.add("process %s(%d)%s;" % (p, self.counts[p], options))
        self.indent += 1
        self.scope = {"g": "small", "h": "boolean", "x": "small", "y": "boolean", "q": "pid"}
        if self.params[p]:
            self.add("fpar %s;" % ", ".join("in %s %s" % v for v in self.params[p]))
            self.scope.update(self.params[p])
        self.add("var x small%s;" % (" public" if self.some(0.5) else ""))
        self.add("var y boolean%s;" % self.r.choice(["", " := true"]))
        for text in ("var q pid;", "var k small;", "var c colour;", "var a numbers;", "var pr pair;",
                     "var pr2 pair private;"):
            self.add(text)
        states = ["S%d" % n for n in range(self.r.randint(1, 3))]
        unstable = {s for s in states[1:] if self.some(0.3)}
        for s in states:
            flags = (" #start" if s == states[0] else "") + (
                " #unstable" if s in unstable else " #stable" if self.some(0.2) else "")
            self.add("state %s%s;" % (s, flags))
            self.indent += 1
            for _ in range(self.r.choice([0, 1, 1, 2, 2, 3])):
                self.transition(s, states, unstable)
            self.indent -= 1
            self.add("endstate;")
        self.indent -= 1
        self.add("endprocess;")

    def system(self):
        self.plan()
        self.lines.append("system s;")
        low = self.r.choice([0, 0, -1, 1])
        self.add("const TOP = %d;" % self.r.choice([2, 3]))
        self.add("type small = range %d .. TOP;" % min(low, 0))
        self.add("type colour = enum red, green endenum;")
        self.add("type numbers = array [0 .. 1] of small;")
        self.add("type pair = record n small; t boolean; endrecord;")
        self.add("var g small;")
        self.add("var h boolean;")
        for name, kinds in self.signals.items():
            self.add("signal %s(%s);" % (name, ", ".join(kinds)))
        for name, count, options, source, target, signals in self.routes:
            self.add("signalroute %s(%d) %s from %s to %s with %s;" % (
                name, count, " ".join(options), source, target, ", ".join(signals)))
        self.lines.append("""  procedure add; fpar in a small, in b small; returns small;
    {# if (a + b > TOP) return TOP; return a + b; #}
  endprocedure;
  procedure swap; fpar inout a small, inout b small;
    var t small;
    task t := a; task a := b; task b := t;
  endprocedure;
  procedure least; fpar a small, b small; returns small;
    {# int m = a; if (b < m) { m = b; } return m; #}
  endprocedure;""")
        for p in self.processes:
            self.make_process(p)
        self.lines.append("endsystem;")
        return "\n".join(self.lines) + "\n"


def run(gyre, path, *options):
    done = subprocess.run([gyre, path, "--json", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300, check=False)
    if done.returncode not in (0, 1):
        return None, "exit status %d: %s" % (done.returncode, done.stderr.decode(errors="replace"))
    return schema.report(done.stdout.decode()), None


def kinds_of(report):
    return {c["kind"] for p in report["properties"]
            for c in p.get("counterexamples", []) + [p.get("counterexample") or {"kind": None}]} - {None}


def check(gyre, seed, folder, native=False):
    """None: too large; else what is wrong."""
    text = Generator(seed).system()
    path = os.path.join(folder, "%d.if" % seed)
    facts = if_reference.explore(if_reference.System(text), MOST_STATES)
    if facts is None:
        return None
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    wrong = []
    fails = facts["faults"] or facts["failed"]
    for options in [("--backend", "vm")] + [("--backend", "native")] * native:
        report, problem = run(gyre, path, "--exact", "--all-errors", *options)
        if problem and ("is outside of" in problem or "division by zero" in problem):
            return None # constants that cannot be: told before anything runs
        if problem:
            return [problem]
        safety = report["properties"][0]
        for name in ("states", "transitions"):
            if safety[name] != facts[name]:
                wrong.append("%s: %s %d instead of %d" % (options[1], name, safety[name], facts[name]))
        kinds = kinds_of(report)
        if ("invalid-end-state" in kinds) != (facts["errors"] > 0):
            wrong.append("%s: %s, but %d deadlocks" % (options[1], sorted(kinds), facts["errors"]))
        if bool(kinds - {"invalid-end-state"}) != fails:
            wrong.append("%s: %s, but faults: %s" % (options[1], sorted(kinds), fails))
    report, problem = run(gyre, path)
    if problem:
        return [problem]
    if (report["verdict"] == "violated") != (fails or facts["errors"] > 0):
        wrong.append("reduced: %s" % report["verdict"])
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gyre", default="build/gyre")
    parser.add_argument("--keep")
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--print", type=int)
    options = parser.parse_args()
    if options.print is not None:
        print(Generator(options.print).system(), end="")
        return 0
    compared = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            wrong = check(options.gyre, seed, options.keep or folder, options.native)
            compared += wrong is not None
            failed += bool(wrong)
            for line in wrong or ():
                print("seed %d: %s" % (seed, line), flush=True)
    print("%d compared, %d differ" % (compared, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
