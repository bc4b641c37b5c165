#!/usr/bin/env python3
"""Random DVE models, and Gyre compared with the interpreter in dve_reference.py on them.

    dve_random.py [--count N] [--seed S] [--gyre PROGRAM] [--keep FOLDER]
    dve_random.py --print SEED

Compared are, for every model that the interpreter explores completely within a few thousand
states: states and transitions of an exact search by the virtual machine and by compiled code,
whether there are run-time errors and which kinds, whether an assertion fails, and, with a property
process, whether an accepting cycle exists: exactly, and with all reductions.
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
import dve_reference  # noqa: E402

MOST_STATES = 1500
FAULTS = {"index": "index-out-of-bounds", "range": "out-of-range", "division": "division-by-zero"}


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.globals = []   # (name, size or None, kind)
        self.constants = []
        self.channels = []  # (name, types or None, capacity, values of a message)
        self.processes = []

    def some(self, chance):
        return self.r.random() < chance

    def declare(self, names, where, prefix):
        for name in names:
            kind = self.r.choice(["byte", "byte", "int"])
            size = self.r.choice([None, None, 2, 3])
            initial = ""
            if size and self.some(0.5):
                initial = " = {%s}" % ", ".join(str(self.r.randrange(3)) for _ in range(
                    self.r.randint(1, size)))
            elif not size and self.some(0.5):
                initial = " = %d" % self.r.randrange(3)
            self.lines.append("%s%s %s%s%s;" % (prefix, kind, name, "[%d]" % size if size else "",
                                                initial))
            where.append((name, size, kind))

    # ---- expressions: small values, but for a chance of something larger

    def variable(self, scope):
        name, size, _ = self.r.choice(scope)
        if not size:
            return name
        if self.some(0.75):
            return "%s[%d]" % (name, self.r.randrange(size))
        return "%s[%s %% %d]" % (name, self.expression(scope, 0),
                                 size if self.some(0.9) else size + 1)

    def operand(self, scope):
        choice = self.r.random()
        if choice < 0.35 or not scope:
            return str(self.r.randrange(4))
        if choice < 0.45 and self.constants:
            return self.r.choice(self.constants)
        if choice < 0.55 and self.processes:
            process = self.r.choice(self.processes)
            if process["vars"] and self.some(0.4):
                name, size, _ = self.r.choice(process["vars"])
                return "%s->%s%s" % (process["name"], name,
                                     "[%d]" % self.r.randrange(size) if size else "")
            return "%s.%s" % (process["name"], self.r.choice(process["states"]))
        return self.variable(scope)

    def expression(self, scope, depth):
        if depth <= 0 or self.some(0.3):
            return self.operand(scope)
        a, b = self.expression(scope, depth - 1), self.expression(scope, depth - 1)
        sign = self.r.choice(["+", "-", "*", "/", "%", "|", "&", "^", "<<", ">>", "==", "!=", "<",
                              "<=", ">", ">=", "and", "or", "imply", "&&", "||", "+", "-", "==",
                              "not", "-u", "~"])
        if sign in ("/", "%") and self.some(0.8):
            b = str(self.r.randint(1, 3))
        if sign in ("<<", ">>"):
            b = str(self.r.randrange(3))
        if sign == "not":
            return "not %s" % self.operand(scope) if self.some(0.5) else "not (%s)" % a
        if sign == "-u":
            return "-(%s)" % a
        if sign == "~":
            return "~(%s)" % a
        text = "%s %s %s" % (a, sign, b)
        return "(%s)" % text if self.some(0.6) else text

    def value(self, scope):
        """For an assignment: mostly within a small range."""
        if self.some(0.93):
            return "(%s) & %d" % (self.expression(scope, 2), self.r.choice([1, 1, 3]))
        return self.expression(scope, 2)

    # ---- processes

    def transition(self, process, number):
        scope = self.globals + process["vars"]
        states = process["states"]
        source = states[number % len(states)] if number < len(states) else self.r.choice(states)
        parts = []
        if self.some(0.5):
            guards = [self.expression(scope, 2) for _ in range(1 if self.some(0.9) else 2)]
            parts.append("guard %s;" % ", ".join(guards))
        if self.channels and self.some(0.45):
            parts.append(self.sync(scope))
        if scope and self.some(0.6):
            effects = ["%s = %s" % (self.variable(scope), self.value(scope))
                       for _ in range(self.r.choice([1, 1, 2]))]
            parts.append("effect %s;" % ", ".join(effects))
        return "%s -> %s { %s }" % (source, self.r.choice(states), " ".join(parts))

    def sync(self, scope):
        name, types, _, count = self.r.choice(self.channels)
        if self.some(0.5):
            values = [self.value(scope) for _ in range(count)]
            sign = "!"
        else:
            plain = [v for v in scope if not v[1]]
            if len(plain) < count:
                return "sync %s!%s;" % (name, self.message(["1"] * count))
            values = [v[0] for v in self.r.sample(plain, count)]
            sign = "?"
        return "sync %s%s%s;" % (name, sign, self.message(values))

    @staticmethod
    def message(values):
        return values[0] if len(values) == 1 else "{%s}" % ", ".join(values) if values else ""

    def process(self, process, is_property):
        self.lines.append("process %s {" % process["name"])
        for name, size, kind in process["vars"]:
            self.lines.append("  %s %s%s;" % (kind, name, "[%d]" % size if size else ""))
        states = process["states"]
        self.lines.append("  state %s;" % ", ".join(states))
        self.lines.append("  init %s;" % states[0])
        if is_property:
            self.lines.append("  accept %s;" % ", ".join(
                self.r.sample(states, self.r.randint(1, len(states)))))
        elif self.some(0.25):
            self.lines.append("  commit %s;" % self.r.choice(states))
        if not is_property and self.some(0.25):
            self.lines.append("  assert %s: %s;" % (
                self.r.choice(states), self.expression(self.globals + process["vars"], 2)))
        count = self.r.randint(len(states), len(states) + 3)
        if is_property:
            transitions = ["%s -> %s { %s }" % (
                states[i % len(states)], self.r.choice(states),
                "guard %s;" % self.expression(self.globals, 2) if self.some(0.6) else "")
                for i in range(count)]
        else:
            transitions = [self.transition(process, i) for i in range(count)]
        self.lines.append("  trans\n    %s;\n}" % ",\n    ".join(transitions))

    def model(self):
        for i in range(self.r.choice([0, 1, 2])):
            self.constants.append("K%d" % i)
            self.lines.append("const byte K%d = %d;" % (i, self.r.randrange(4)))
        self.declare(["x%d" % i for i in range(self.r.randint(1, 3))], self.globals, "")
        for i in range(self.r.choice([0, 1, 1, 2])):
            typed = self.some(0.5)
            types = [self.r.choice(["byte", "int"]) for _ in range(self.r.choice([1, 1, 2]))]
            capacity = self.r.choice([0, 1, 2]) if typed else 0
            name = "c%d" % i
            self.channels.append((name, types if typed else None, capacity,
                                  len(types) if typed else self.r.choice([0, 0, 1, 2])))
            self.lines.append("channel {%s} %s[%d];" % (", ".join(types), name, capacity)
                              if typed else "channel %s;" % name)
        for i in range(self.r.choice([1, 2, 2, 3])):
            variables = []
            lines, self.lines = self.lines, []
            self.declare(["l%d" % k for k in range(self.r.choice([0, 1, 1, 2]))], variables, "")
            self.lines = lines
            self.processes.append({"name": "P%d" % i, "vars": variables,
                                   "states": ["s%d" % k for k in range(self.r.randint(1, 4))]})
        with_property = self.some(0.4)
        for process in self.processes:
            self.process(process, False)
        if with_property:
            self.process({"name": "Watch", "vars": [],
                          "states": ["q%d" % k for k in range(self.r.randint(1, 3))]}, True)
        synchronous = self.some(0.12) and not with_property
        self.lines.append("system %s%s;" % ("sync" if synchronous else "async",
                                            " property Watch" if with_property else ""))
        return "\n".join(self.lines) + "\n"


def without_property(text):
    return text.replace(" property Watch", "").split("process Watch")[0] + "system async;\n" \
        if " property Watch" in text else text


def gyre(program, path, *options):
    done = subprocess.run([program, path, "--json", "--threads", "1", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
    if done.returncode not in (0, 1):
        return done.returncode, None, done.stderr.decode(errors="replace")[:600]
    return done.returncode, schema.report(done.stdout), ""


def safety(report):
    return next(p for p in report["properties"] if p["kind"] == "safety")


def compare_safety(program, path, facts):
    wrong = []
    for backend in ("vm", "native"):
        status, report, errors = gyre(program, path, "--check", "safety", "--exact", "--all-errors",
                                      "--backend", backend)
        if report is None:
            return ["%s: exit status %d: %s" % (backend, status, errors)]
        found = safety(report)
        if found["states"] != facts["states"]:
            wrong.append("%s: states %d instead of %d" % (backend, found["states"], facts["states"]))
        if not facts["faults"] and found["transitions"] != facts["transitions"]:
            wrong.append("%s: transitions %d instead of %d" % (
                backend, found["transitions"], facts["transitions"]))
        kinds = {c["kind"] for c in found.get("counterexamples", [])}
        expected = {FAULTS[kind] for kind in facts["faults"]}
        if kinds != expected:
            wrong.append("%s: errors %s instead of %s" % (backend, sorted(kinds), sorted(expected)))
    status, report, errors = gyre(program, path, "--check", "safety")
    if report is None or (status == 1) != bool(facts["faults"]):
        wrong.append("reduced: exit status %d with errors %s %s" % (status, facts["faults"], errors))
    return wrong


def compare_properties(program, path, violated, what):
    wrong = []
    for options in (["--exact"], []):
        status, report, errors = gyre(program, path, "--check", "liveness", *options)
        if report is None:
            return ["%s: exit status %d: %s" % (what, status, errors)]
        if (report["verdict"] == "violated") != violated:
            wrong.append("%s %s: %s instead of %s" % (what, " ".join(options), report["verdict"],
                                                      "violated" if violated else "holds"))
    return wrong


def check(program, seed, folder):
    """What differs on one model, or None if it cannot be used."""
    text = Generator(seed).model()
    try:
        facts = dve_reference.explore(dve_reference.Model(without_property(text)), MOST_STATES)
        whole = dve_reference.Model(text)
        product = dve_reference.explore(whole, 4 * MOST_STATES) if whole.property else None
    except dve_reference.Malformed:
        return None
    if facts is None or (whole.property and product is None):
        return None
    path = os.path.join(folder, "random.dve")
    with open(path, "w", encoding="utf-8") as file:
        file.write(without_property(text))
    wrong = compare_safety(program, path, facts)
    if facts["faults"]:
        return wrong  # what a formula sees behind an error is another question
    if any(p["checks"] for p in whole.processes):
        wrong += compare_properties(program, path, facts["violations"] > 0, "assertions")
    if product and not product["faults"] and not any(p["checks"] for p in whole.processes):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        wrong += compare_properties(program, path, product["accepting_cycle"], "property")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gyre", default="build/gyre")
    parser.add_argument("--keep", help="where models with differences go")
    parser.add_argument("--print", type=int, dest="show")
    args = parser.parse_args()
    if args.show is not None:
        print(Generator(args.show).model(), end="")
        return 0
    passed = failed = 0
    seed = args.seed
    with tempfile.TemporaryDirectory() as folder:
        while passed + failed < args.count:
            wrong = check(args.gyre, seed, folder)
            if wrong is not None:
                passed += not wrong
                failed += bool(wrong)
            if wrong:
                print("seed %d:" % seed, "; ".join(wrong), flush=True)
                if args.keep:
                    with open(os.path.join(args.keep, "seed%d.dve" % seed), "w",
                              encoding="utf-8") as file:
                        file.write(Generator(seed).model())
            seed += 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
