#!/usr/bin/env python3
"""Random RISCAL systems, and Gyre compared with the interpreter in riscal_reference.py on them.

    riscal_random.py [--count N] [--seed S] [--gyre PROGRAM] [--keep FOLDER]
    riscal_random.py --print SEED

Compared are, for every system that the interpreter explores completely within some states: states
and transitions of an exact search by the virtual machine and by compiled code, whether there are
run-time errors, which invariants fail, and which formulas □(p ⇒ ◇q), quantified and with fairness,
hold.
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
import riscal_reference  # noqa: E402

MOST_STATES = 600
BOOL = ("bool",)


class Generator:
    """Expressions of a wanted type. What may fail (an index that is computed, a quotient, an argument
    that may not fit) is kept out of sets, lists and conditions of quantifiers, where nobody says what
    is computed when."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.ascii = self.some(0.3)
        self.numbers = 0

    def some(self, chance):
        return self.r.random() < chance

    def sign(self, unicode, plain):
        return plain if self.ascii else unicode

    def fresh(self, letter):
        self.numbers += 1
        return "%s%d" % (letter, self.numbers)

    # ---- types: as the interpreter has them, with a text

    def scalar(self):
        choice = self.r.random()
        if choice < 0.25:
            return BOOL
        if choice < 0.7:
            return ("int", 0, self.r.choice([1, 2, 2, 3]))
        if choice < 0.8:
            return ("int", self.r.choice([-2, -1]), self.r.choice([0, 1, 2]))
        return self.enum

    def type(self, depth=2):
        choice = self.r.random()
        if depth == 0 or choice < 0.5:
            return self.scalar()
        if choice < 0.65:
            return ("array", self.r.choice([2, 2, 3]), self.type(depth - 1))
        if choice < 0.75:
            return ("set", self.r.choice([("int", 0, 2), ("int", -1, 1), self.enum]))
        if choice < 0.82:
            return ("map", self.r.choice([self.enum, ("int", 1, 2)]), self.type(0))
        if choice < 0.91:
            return ("tuple", [self.type(depth - 1), self.type(0)])
        return ("record", [("p", self.type(0)), ("q", self.type(depth - 1))])

    def text(self, kind):
        if kind == BOOL:
            return "Bool"
        if kind[0] == "int":
            if kind[1] == 0:
                return "%s[%d]" % (self.sign("ℕ", "Nat"), kind[2])
            return "%s[%d,%d]" % (self.sign("ℤ", "Int"), kind[1], kind[2])
        if kind[0] == "enum":
            return kind[1]
        if kind[0] == "array":
            return "Array[%d,%s]" % (kind[1], self.text(kind[2]))
        if kind[0] == "map":
            return "Map[%s,%s]" % (self.text(kind[1]), self.text(kind[2]))
        if kind[0] == "set":
            return "Set[%s]" % self.text(kind[1])
        if kind[0] == "tuple":
            return "Tuple[%s]" % ",".join(map(self.text, kind[1]))
        return "Record[%s]" % ",".join("%s:%s" % (n, self.text(k)) for n, k in kind[1])

    def same(self, a, b):
        """Of one sort?"""
        if a[0] != b[0]:
            return False
        if a[0] in ("bool", "int"):
            return True
        if a[0] == "set":
            return self.same(a[1], b[1])
        return a == b

    # ---- expressions

    def literal(self, kind):
        if kind == BOOL:
            return self.r.choice(["true", "false"])
        if kind[0] == "int":
            value = self.r.randint(kind[1], kind[2])
            return str(value) if value >= 0 else "(%d)" % value
        if kind[0] == "enum":
            return "%s!%s" % (kind[1], self.r.choice(kind[2]))
        if kind[0] in ("array", "map"):
            return "%s(%s)" % (self.text(kind), self.literal(kind[2]))
        if kind[0] == "set":
            if self.some(0.4):
                return "%s[%s]" % (self.sign("∅", "{}"), self.text(kind[1]))
            return "{%s}" % ", ".join(self.literal(kind[1]) for _ in range(self.r.randint(1, 2)))
        parts = ([self.literal(k) for k in kind[1]] if kind[0] == "tuple" else
                 ["%s:%s" % (n, self.literal(k)) for n, k in kind[1]])
        return "%s%s%s" % (self.sign("⟨", "<<"), ", ".join(parts), self.sign("⟩", ">>"))

    def selections(self, name, kind, scope, safe, depth):
        """(text, type) of all that can be read off a name, with random indices."""
        yield name, kind
        if kind[0] in ("array", "map"):
            if kind[0] == "map":
                index = self.literal(kind[1])
                if self.some(0.4):
                    index = self.fitting(kind[1], scope, depth - 1) or index
            elif self.some(0.6) or depth <= 0:
                index = str(self.r.randrange(kind[1]))
            elif safe or self.some(0.7):
                inner = self.fitting(("int", 0, kind[1] - 1), scope, depth - 1)
                index = inner or str(self.r.randrange(kind[1]))
            else:
                index = self.expr(("int", 0, kind[1]), scope, depth - 1, False)
            yield from self.selections("%s[%s]" % (name, index), kind[2], scope, safe, depth)
        elif kind[0] == "tuple":
            for i, part in enumerate(kind[1]):
                yield from self.selections("%s.%d" % (name, i + 1), part, scope, safe, depth)
        elif kind[0] == "record":
            for part, k in kind[1]:
                yield from self.selections("%s.%s" % (name, part), k, scope, safe, depth)

    def fitting(self, kind, scope, depth):
        """A name whose values all are of this type, or None."""
        found = [n for n, k in scope if k[0] == kind[0] and (
            k == kind if k[0] != "int" else kind[1] <= k[1] and k[2] <= kind[2])]
        return self.r.choice(found) if found else None

    def read(self, kind, scope, safe, depth):
        found = [text for name, k in scope for text, of in
                 self.selections(name, k, scope, safe, depth) if self.same(of, kind)]
        return self.r.choice(found) if found else None

    def expr(self, kind, scope, depth, safe):
        if depth <= 0 or self.some(0.25):
            read = self.read(kind, scope, safe, depth) if self.some(0.75) else None
            return read or self.literal(kind)
        if self.some(0.06):
            return "(if %s then %s else %s)" % (self.expr(BOOL, scope, depth - 1, safe),
                                                self.expr(kind, scope, depth - 1, safe),
                                                self.expr(kind, scope, depth - 1, safe))
        if self.some(0.04):
            name, of = self.fresh("l"), self.scalar()
            return "(let %s = %s in %s)" % (name, self.expr(of, scope, depth - 1, safe),
                                            self.expr(kind, scope + [(name, of)], depth - 1, safe))
        if kind == BOOL:
            return self.truth(scope, depth, safe)
        if kind[0] == "int":
            return self.number(kind, scope, depth, safe)
        if kind[0] == "set":
            return self.set(kind, scope, depth)
        read = self.read(kind, scope, True, depth - 1)
        if read and kind[0] in ("array", "map") and self.some(0.4):
            by = self.literal(("int", 0, kind[1] - 1) if kind[0] == "array" else kind[1])
            return "(%s with [%s] = %s)" % (read, by, self.literal(kind[2]))
        if read and kind[0] == "record" and self.some(0.4):
            name, of = self.r.choice(kind[1])
            return "(%s with .%s = %s)" % (read, name, self.literal(of))
        return read or self.literal(kind)

    def quantified(self, scope, depth):
        """The text of what is bound, and the scope with it."""
        name = self.fresh("b")
        of = self.r.choice([("int", 0, 1), ("int", 0, 2), ("int", -1, 1), self.enum])
        members = self.read(("set", of), scope, True, depth - 1) if self.some(0.4) else None
        if members:
            # Bounds of the members are those of the variable, which may be others.
            text = "%s %s %s" % (name, self.sign("∈", "isin"), members)
        else:
            text = "%s:%s" % (name, self.text(of))
        inner = scope + [(name, of)]
        if members and of[0] == "int":
            inner = scope + [(name, ("int", -9, 9))]
        if self.some(0.4):
            text += " with " + self.expr(BOOL, inner, depth - 1, True)
        return text, inner

    def truth(self, scope, depth, safe):
        choice = self.r.random()
        both = self.r.choice([self.sign("∧", "/\\"), self.sign("∨", "\\/"), self.sign("⇒", "=>"),
                              self.sign("⇔", "<=>")])
        if choice < 0.3:
            return "(%s %s %s)" % (self.expr(BOOL, scope, depth - 1, safe), both,
                                   self.expr(BOOL, scope, depth - 1, safe))
        if choice < 0.36:
            return "%s(%s)" % (self.sign("¬", "~"), self.expr(BOOL, scope, depth - 1, safe))
        if choice < 0.7:
            sign = self.r.choice(["=", "<", ">", self.sign("≤", "<="), self.sign("≥", ">="),
                                  self.sign("≠", "~=")])
            of = ("int", 0, 2)
            return "(%s %s %s)" % (self.expr(of, scope, depth - 1, safe), sign,
                                   self.expr(of, scope, depth - 1, safe))
        if choice < 0.78:
            of = self.r.choice([self.enum, ("set", self.enum), ("set", ("int", 0, 2))] + [
                k for _, k in scope])
            return "(%s = %s)" % (self.expr(of, scope, depth - 1, True),
                                  self.expr(of, scope, depth - 1, True))
        if choice < 0.88:
            of = self.r.choice([("int", 0, 2), self.enum])
            sign = self.r.choice([self.sign("∈", "isin"), self.sign("⊆", "subseteq")])
            left = self.expr(("set", of) if "sub" in sign or sign == "⊆" else of, scope, depth - 1,
                             True)
            return "(%s %s %s)" % (left, sign, self.expr(("set", of), scope, depth - 1, True))
        text, inner = self.quantified(scope, depth)
        return "(%s%s. %s)" % (self.r.choice([self.sign("∀", "forall "), self.sign("∃", "exists ")]),
                               text, self.expr(BOOL, inner, depth - 1, safe and True))

    def number(self, kind, scope, depth, safe):
        choice = self.r.random()
        if choice < 0.45:
            return "(%s%s%s)" % (self.expr(kind, scope, depth - 1, safe), self.r.choice("+-+-*"),
                                 self.expr(("int", 0, 2), scope, depth - 1, safe))
        if choice < 0.6:
            by = str(self.r.randint(1, 3))
            if not safe and self.some(0.3):
                by = self.expr(("int", 0, 2), scope, depth - 1, False)
            return "(%s%s%s)" % (self.expr(kind, scope, depth - 1, safe), self.r.choice("/%"), by)
        if choice < 0.68:
            of = self.r.choice([("int", 0, 2), self.enum])
            return "|%s|" % self.expr(("set", of), scope, depth - 1, True)
        if choice < 0.78:
            text, inner = self.quantified(scope, depth)
            if self.some(0.4):
                return "(#%s)" % text
            sign = self.sign("∑", "sum ")
            if not safe: # there may be nothing that counts
                sign = self.r.choice([sign, "min ", "max "])
            return "(%s%s. %s)" % (sign, text, self.expr(("int", 0, 1), inner, depth - 1, safe))
        if choice < 0.86 and not safe and self.functions:
            name, params = self.r.choice(self.functions)
            return "%s(%s)" % (name, ", ".join(self.expr(k, scope, depth - 1, False)
                                               for k in params))
        if choice < 0.9:
            return "(-%s)" % self.expr(kind, scope, depth - 1, safe)
        return self.read(kind, scope, safe, depth - 1) or self.literal(kind)

    def set(self, kind, scope, depth):
        choice = self.r.random()
        if choice < 0.35:
            sign = self.r.choice([self.sign("∪", "union"), "\\", self.sign("∩", "intersect")])
            return "(%s %s %s)" % (self.expr(kind, scope, depth - 1, True), sign,
                                   self.expr(kind, scope, depth - 1, True))
        if choice < 0.6:
            return "{%s}" % ", ".join(self.expr(kind[1], scope, depth - 2, True)
                                      for _ in range(self.r.randint(1, 2)))
        if choice < 0.75:
            text, inner = self.quantified(scope, depth - 1)
            member = self.read(kind[1], inner[-1:], True, 0) or self.literal(kind[1])
            return "{%s | %s}" % (member, text)
        if choice < 0.85 and kind[1][0] == "int":
            return "(%d..%s)" % (kind[1][1], self.expr(kind[1], scope, depth - 2, True))
        return self.read(kind, scope, True, depth - 1) or self.literal(kind)

    # ---- commands

    def value(self, kind, scope, depth):
        """Something to assign: mostly what fits."""
        if kind[0] == "int" and self.some(0.7):
            read = self.fitting(kind, scope, depth)
            if read and self.some(0.3):
                return read
            if kind[1] == 0:
                inner = self.expr(kind, scope, depth - 1, False)
                return "((%s)%%%d+%d)%%%d" % (inner, kind[2] + 1, kind[2] + 1, kind[2] + 1)
            return self.literal(kind)
        if kind[0] not in ("int", "bool", "set") or (kind[0] == "set" and self.some(0.3)):
            return self.expr(kind, scope, 1, True)
        return self.expr(kind, scope, depth, kind[0] == "set")

    def assignment(self, scope, targets):
        name, kind = self.r.choice(targets)
        found = list(self.selections(name, kind, scope, False, 1))
        text, of = self.r.choice(found)
        return "%s %s %s;" % (text, self.sign("≔", ":="), self.value(of, scope, 2))

    def command(self, scope, targets, depth):
        choice = self.r.random()
        if depth <= 0 or choice < 0.55:
            return self.assignment(scope, targets)
        if choice < 0.7:
            text = "if %s then %s" % (self.expr(BOOL, scope, 2, False),
                                      self.block(scope, targets, depth - 1))
            if self.some(0.5):
                text += " else " + self.block(scope, targets, depth - 1)
            return text
        if choice < 0.8:
            text, inner = self.quantified(scope, 2)
            return "for %s do %s" % (text, self.block(inner, targets, depth - 1))
        if choice < 0.88:
            name, of = self.fresh("c"), self.r.choice([("int", 0, 2), self.enum, BOOL])
            inner = scope + [(name, of)]
            text = "choose %s:%s with %s" % (name, self.text(of), self.expr(BOOL, inner, 2, True))
            return "%s then %s else %s" % (text, self.block(inner, targets, depth - 1),
                                           self.block(scope, targets, depth - 1))
        name = self.fresh("v")
        return "for var %s:%s := 0; %s < 2; %s := %s+1 do %s" % (
            name, self.text(("int", 0, 2)), name, name, name,
            self.block(scope + [(name, ("int", 0, 1))], targets, depth - 1))

    def block(self, scope, targets, depth):
        lines, scope, targets = [], list(scope), list(targets)
        for _ in range(self.r.randint(1, 2)):
            choice = self.r.random()
            if choice < 0.12:
                name, of = self.fresh("v"), self.type(1)
                lines.append("var %s:%s := %s;" % (name, self.text(of), self.value(of, scope, 1)))
                scope.append((name, of))
                targets.append((name, of))
            elif choice < 0.2:
                name, of = self.fresh("c"), self.r.choice([("int", 0, 2), self.enum, BOOL])
                inner = scope + [(name, of)]
                lines.append("choose %s:%s with %s;" % (name, self.text(of),
                                                        self.expr(BOOL, inner, 1, True)))
                scope.append((name, of))
            lines.append(self.command(scope, targets, depth))
        return "{ %s }" % " ".join(lines)

    # ---- the system

    def generate(self):
        self.enum = ("enum", "E", ["e%d" % i for i in range(self.r.choice([2, 2, 3]))])
        self.functions = []
        self.lines.append("enumtype E = %s;" % " | ".join(self.enum[2]))
        for _ in range(self.r.randrange(3)):
            name, params = self.fresh("f"), [self.r.choice([BOOL, ("int", 0, 2), self.enum])
                                             for _ in range(self.r.randint(1, 2))]
            scope = [(self.fresh("p"), k) for k in params]
            self.lines.append("fun %s(%s):%s = %s;" % (
                name, ", ".join("%s:%s" % (n, self.text(k)) for n, k in scope),
                self.text(("int", -1, 3)), self.value(("int", 0, 3), scope, 2)))
            self.functions.append((name, params))
        self.lines.append("shared system s\n{")
        scope = []
        for _ in range(self.r.randint(2, 4)):
            name, kind = self.fresh("x"), self.type()
            self.lines.append("  var %s:%s = %s;" % (name, self.text(kind), self.literal(kind)))
            scope.append((name, kind))
        if self.some(0.15):
            name = self.fresh("i")
            inner = scope + [(name, ("int", 0, 2))]
            self.lines.append("  init(%s:%s) with %s; %s" % (
                name, self.text(("int", 0, 2)), "true" if self.some(0.5) else "%s > 0" % name,
                self.block(inner, scope, 0)))
        for _ in range(self.r.randint(2, 4)):
            self.action(scope)
        for _ in range(self.r.randrange(3)):
            self.lines.append("  invariant %s;" % self.expr(BOOL, scope, 3, True))
        for _ in range(self.r.randrange(3)):
            self.formula(scope)
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"

    def action(self, scope):
        params = [(self.fresh("a"), self.r.choice([("int", 0, 1), ("int", 0, 2), self.enum, BOOL]))
                  for _ in range(self.r.choice([0, 0, 1, 1, 2]))]
        inner = scope + params
        text = "  action %s(%s)" % (self.fresh("A"), ", ".join(
            "%s:%s" % (n, self.text(k)) for n, k in params))
        if self.some(0.8):
            text += " with %s;" % self.expr(BOOL, inner, 3, self.some(0.8))
        if self.some(0.5):
            text += " fairness %s;" % self.r.choice(["weak", "strong", "weak_all", "strong_all"])
        self.lines.append(text + "\n  " + self.block(inner, scope, 2))

    def formula(self, scope):
        fair = "[fairness]" if self.some(0.7) else ""
        head, inner = "", scope
        if self.some(0.5):
            name, of = self.fresh("b"), self.r.choice([("int", 0, 1), self.enum])
            head = "%s%s:%s. " % (self.sign("∀", "forall "), name, self.text(of))
            inner = scope + [(name, of)]
        left, right = self.sign("⟦", "[["), self.sign("⟧", "]]")
        self.lines.append("  ltl%s %s%s(%s%s%s %s %s%s%s%s);" % (
            fair, head, self.sign("□", "[]"), left, self.expr(BOOL, inner, 2, True), right,
            self.sign("⇒", "=>"), self.sign("◇", "<>"), left, self.expr(BOOL, inner, 2, True),
            right))


# ---- comparing -----------------------------------------------------------------------------


def run(gyre, path, *options):
    done = subprocess.run([gyre, path, "--json", *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
    if done.returncode not in (0, 1):
        return "exit status %d: %s%s" % (done.returncode, done.stdout.decode()[-500:],
                                         done.stderr.decode()[-1500:])
    return schema.report(done.stdout)


def compare(gyre, path, text, backends=("vm", "native")):
    """None: nothing to compare; else a list of differences."""
    try:
        facts = riscal_reference.explore(riscal_reference.System(text), MOST_STATES)
    except riscal_reference.Fault:
        return None
    if not facts:
        return None
    wrong = []
    for backend in backends:
        report = run(gyre, path, "--exact", "--all-errors", "--backend", backend)
        if isinstance(report, str):
            return ["%s: %s" % (backend, report)]
        found = {p["name"]: p for p in report["properties"]}
        safety = found["safety"]
        if safety["states"] != facts["states"]:
            wrong.append("%s: states %d, not %d" % (backend, safety["states"], facts["states"]))
        if safety["transitions"] != facts["transitions"]:
            wrong.append("%s: transitions %d, not %d" % (backend, safety["transitions"],
                                                         facts["transitions"]))
        if (safety["verdict"] == "violated") != bool(facts["faults"]):
            wrong.append("%s: %s, but faults %s" % (backend, safety["verdict"], facts["faults"]))
        expected = {"invariant%d" % (i + 1): v for i, v in enumerate(facts["invariants"])}
        if not facts["faults"]: # where all runs fail, any formula holds of the others
            expected.update({"ltl%d" % (i + 1): v for i, v in enumerate(facts["ltl"])})
        for name, holds in expected.items():
            if holds is not None and (found[name]["verdict"] == "holds") != holds:
                wrong.append("%s: %s %s" % (backend, name, found[name]["verdict"]))
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gyre", default="build/gyre")
    parser.add_argument("--keep", default="")
    parser.add_argument("--print", type=int)
    parser.add_argument("--vm", action="store_true", help="no compiled code")
    given = parser.parse_args()
    if given.print is not None:
        print(Generator(given.print).generate(), end="")
        return 0
    compared = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.seed, given.seed + given.count):
            text = Generator(seed).generate()
            path = os.path.join(given.keep or folder, "random%d.riscal" % seed)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            wrong = compare(given.gyre, path, text, ("vm",) if given.vm else ("vm", "native"))
            compared += wrong is not None
            if wrong:
                failed += 1
                print("seed %d: %s" % (seed, "; ".join(wrong)))
    print("%d compared, %d differ" % (compared, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
