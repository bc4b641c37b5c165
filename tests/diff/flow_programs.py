#!/usr/bin/env python3
"""Random Promela programs that are all about data flow: locals that die and come back, variables
that nobody reads, values that only an index or a divisor sees, d_steps with choices, escapes,
messages whose fields are ignored, remote references, formulas over locals.

    flow_programs.py SEED

As a module: program(seed) -> text. What is computed can fail (index out of bounds, division by
zero, assertion); values stay small, so that the programs do too.
"""

import random
import sys


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.globals = ["g", "h", "w"]
        self.array = "arr"
        self.remote = None
        self.labels = 0

    def pick(self, items):
        return items[self.rng.randrange(len(items))]

    def chance(self, p):
        return self.rng.random() < p

    # -- expressions

    def value(self, names, depth=2):
        """A small expression; may fail in one of many."""
        kind = self.rng.random()
        if depth == 0 or kind < 0.35:
            return self.pick(names) if self.chance(0.7) else str(self.rng.randrange(3))
        a, b = self.value(names, depth - 1), self.value(names, depth - 1)
        if kind < 0.55:
            return f"(({a} + {b}) % 3)"
        if kind < 0.65:
            return f"({a} -> {b} : {self.value(names, depth - 1)})"
        if kind < 0.72:
            return f"({a} & {b})"
        if kind < 0.80:
            return f"arr[{a if self.chance(0.5) else a + ' % 3'}]"
        if kind < 0.85:
            return f"({a} / {b if self.chance(0.4) else '2'})"
        if kind < 0.92:
            return f"({a} == {b})"
        if kind < 0.95 and self.remote:
            return self.remote
        return f"({a} && {b})"

    def condition(self, names):
        op = self.pick(["==", "!=", "<", ">="])
        return f"({self.pick(names)} {op} {self.value(names, 1)})"

    # -- statements

    def simple(self, names, targets):
        kind = self.rng.random()
        to = self.pick(targets)
        if kind < 0.45:
            return f"{to} = {self.value(names)} % 3"
        if kind < 0.55:
            return f"{to} = ({to} + 1) % 3"
        if kind < 0.62:
            return f"arr[{self.pick(names)} % 3] = {self.value(names, 1)} % 3"
        if kind < 0.68:
            return f"w = {self.value(names)}"
        if kind < 0.74:
            return f'printf("%d", {self.value(names)})'
        if kind < 0.80:
            return f"loc[{self.rng.randrange(2)}] = {self.value(names, 1)} % 3"
        if kind < 0.84:
            return f"assert({self.condition(names)} || {self.pick(names)} < 3)"
        if kind < 0.87:
            return f"assert({self.condition(names)})"
        return f"{to} = loc[{self.pick(['0', '1', self.pick(names) + ' & 1'])}]"

    def message(self, names, targets):
        n = self.rng.random()
        if n < 0.25:
            return f"q!{self.value(names, 1)} % 3, {self.value(names, 1)} % 3"
        if n < 0.40:
            return f"q?{self.pick(targets)}, _"
        if n < 0.50:
            return f"q?{self.pick(targets)}, {self.pick(targets)}"
        if n < 0.60:
            return f"q?eval({self.pick(names)}), {self.pick(targets)}"
        if n < 0.75:
            return f"r!{self.value(names, 1)} % 3"
        if n < 0.9:
            return f"r?{self.pick(targets)}"
        return f"q?[{self.pick(names)}, _]" if self.chance(0.5) else f"q?<{self.pick(targets)}, _>"

    def choice(self, names, targets, word, depth):
        options = []
        for _ in range(self.rng.randrange(1, 4)):
            guard = self.condition(names) if self.chance(0.7) else self.simple(names, targets)
            options.append(f":: {guard} -> {self.sequence(names, targets, depth)}")
        if self.chance(0.4):
            options.append(f":: else -> {self.pick(['skip', self.simple(names, targets)])}")
        if word == "do":
            options.append(":: break")
        return f"{word} {' '.join(options)} {'od' if word == 'do' else 'fi'}"

    def block(self, names, targets, word):
        inside = [self.simple(names, targets) for _ in range(self.rng.randrange(1, 4))]
        if word == "d_step" and self.chance(0.5):
            inside.append(f"if :: {self.condition(names)} -> {self.simple(names, targets)} "
                          f":: else -> {self.simple(names, targets)} fi")
            inside.append(self.simple(names, targets))
        if word == "atomic" and self.chance(0.4):
            inside.insert(1, self.message(names, targets))
        return f"{word} {{ {'; '.join(inside)} }}"

    def statement(self, names, targets, depth):
        kind = self.rng.random()
        if depth == 0 or kind < 0.5:
            return self.simple(names, targets)
        if kind < 0.66:
            return self.message(names, targets)
        if kind < 0.76:
            return self.choice(names, targets, "if", depth - 1)
        if kind < 0.84:
            return self.choice(names, targets, "do", depth - 1)
        if kind < 0.90:
            return self.block(names, targets, "d_step")
        if kind < 0.95:
            return self.block(names, targets, "atomic")
        return (f"{{ {self.sequence(names, targets, depth - 1)} }} unless "
                f"{{ {self.condition(names)} -> {self.simple(names, targets)} }}")

    def sequence(self, names, targets, depth):
        return "; ".join(self.statement(names, targets, depth)
                         for _ in range(self.rng.randrange(1, 4)))

    # -- the whole

    def process(self, head, params):
        """Locals, then a few statements, perhaps in a loop."""
        locals_ = ["a", "b", "c"]
        names = locals_ + params + self.rng.sample(["g", "h"], self.rng.randrange(1, 3))
        targets = locals_ + params + ([self.pick(["g", "h"])] if self.chance(0.7) else [])
        values = [f" = {self.rng.randrange(3)}" if self.chance(0.4) else "" for _ in locals_]
        declared = ", ".join(n + v for n, v in zip(locals_, values))
        body = self.sequence(names, targets, 2)
        if self.chance(0.45):
            body = f"end: do :: {body} {':: break' if self.chance(0.5) else ''} od"
        if self.chance(0.5):
            body += f"; {self.simple(names, targets)}"
        return f"{head} {{ byte {declared}, loc[2]; {body} }}"

    def program(self):
        if self.chance(0.15):
            self.remote = "P0:a"
        head = ["byte g, h, w, arr[3];", "chan q = [1] of { byte, byte };", "chan r = [0] of { byte };"]
        if self.chance(0.3):
            head[0] = f"byte g = {self.rng.randrange(3)}, h = {self.rng.randrange(3)}, w, arr[3];"
        provided = f" provided (h != {self.rng.randrange(3)})" if self.chance(0.06) else ""
        parts = [self.process(f"active proctype P0(){provided}", [])]
        if self.chance(0.5):
            parts.append(self.process("proctype P1(byte m)", ["m"]))
            runs = [f"run P1({self.rng.randrange(3)})" for _ in range(self.rng.randrange(1, 3))]
            parts.append(f"init {{ byte k = 1; {'; '.join(runs)}; k = (k + 1) % 3; w = k }}")
        else:
            parts.append(self.process("active proctype P1()", []))
        if self.chance(0.3):
            watched = self.pick(["g", "h", "w", "P0:a", "P0:b"])
            shape = self.pick(["[] ({0} != 2)", "<> ({0} == 1)", "[] <> ({0} == 0)",
                               "[] (({0} == 1) -> <> ({0} == 0))", "<> [] ({0} < 2)", "X ({0} == 0)"])
            parts.append(f"ltl f {{ {shape.format(watched)} }}")
        return "\n".join(head + parts) + "\n"


def program(seed):
    return Maker(seed).program()


if __name__ == "__main__":
    print(program(int(sys.argv[1])))
