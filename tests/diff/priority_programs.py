#!/usr/bin/env python3
"""Random programs in which priorities matter: processes of several priorities that wait for each
other, wake each other up, change their own priority now and then, and check what they see.

    priority_programs.py SEED          prints one

Loops are bounded and few, so that processes of low priority get their turn.
"""
import random
import sys


class Maker:
    def __init__(self, seed, rendezvous=False):
        """`rendezvous`: some channels are; of a part of these programs, Spin makes C that no compiler takes."""
        self.rendezvous = rendezvous
        self.rng = random.Random(seed * 7919 + 1)
        rng = self.rng
        self.globals = [f"g{i}" for i in range(rng.randint(2, 4))]
        self.channels = [f"q{i}" for i in range(rng.randint(0, 2))]
        self.sets = rng.random() < 0.3           # priorities are set …
        self.sets_others = self.sets and rng.random() < 0.3
        self.asks = rng.random() < 0.2           # … or asked for
        self.levels = rng.choice(([1, 2], [1, 2, 3], [2, 3], [1, 1, 2], [2, 2, 5]))

    def value(self):
        rng = self.rng
        return rng.choice([str(rng.randint(0, 3)), rng.choice(self.globals), "x"])

    def condition(self):
        rng = self.rng
        choice = rng.random()
        if self.channels and choice < 0.2:
            return f"{rng.choice(('empty', 'nempty', 'full', 'nfull'))}({rng.choice(self.channels)})"
        if self.asks and choice < 0.3:
            return f"get_priority({rng.randint(0, 3)}) {rng.choice(('>', '==', '<'))} {rng.randint(0, 3)}"
        if choice < 0.35:
            return f"_priority {rng.choice(('>', '==', '<='))} {rng.choice(self.levels)}"
        return f"{rng.choice(self.globals)} {rng.choice(('==', '!=', '>', '<'))} {rng.randint(0, 3)}"

    def simple(self):
        rng = self.rng
        choice = rng.random()
        if choice < 0.25:
            return f"{rng.choice(self.globals)} = {self.value()}"
        if choice < 0.4:
            name = rng.choice(self.globals)
            return f"{name} = ({name} + 1) % 4"
        if choice < 0.6:
            return f"x = ({self.value()} + {rng.randint(0, 2)}) % 4"
        if choice < 0.7:
            return f"({self.condition()})"
        if self.channels and choice < 0.85:
            return f"{rng.choice(self.channels)}{rng.choice(('!x', '?x'))}"
        if self.sets and choice < 0.93:
            who = rng.randint(0, 3) if self.sets_others and rng.random() < 0.5 else "_pid"
            return rng.choice((f"set_priority({who}, {rng.choice(self.levels)})",
                               f"_priority = {rng.choice(self.levels)}"))
        if choice < 0.96:
            return f"assert({self.condition()})"
        return "skip"

    def statement(self, depth):
        rng = self.rng
        choice = rng.random()
        if depth == 0 or choice < 0.7:
            return [self.simple()]
        if choice < 0.8:
            inner = [line for _ in range(rng.randint(1, 3)) for line in self.statement(0)]
            inner = [line for line in inner if "?" not in line and "!" not in line and line[0] != "("]
            # A loop may not lead to a d_step.
            return [rng.choice(("atomic { ", "atomic { ", "skip; d_step { ")) +
                    "; ".join([*inner, "skip"]) + " }"]
        if choice < 0.92:
            options = []
            for _ in range(rng.randint(1, 3)):
                guard = rng.choice((self.condition(), self.condition(), "true"))
                options.append(f":: {guard} -> " + "; ".join(
                    line for _ in range(rng.randint(1, 2)) for line in self.statement(depth - 1)))
            if rng.random() < 0.5:
                options.append(":: else -> skip")
            return ["if " + " ".join(options) + " fi"]
        return [f"do :: n < {rng.randint(1, 3)} -> n++; {'; '.join(self.statement(depth - 1))} "
                ":: else -> n = 0; break od; skip"]

    def process(self, name, head):
        body = [line for _ in range(self.rng.randint(2, 5)) for line in self.statement(2)]
        return [f"{head} {name}() {self.level}{{", "  byte wide = 1; byte x; byte n;",
                *(f"  {line};" for line in body), "  wide = 1", "}"]

    def program(self):
        rng = self.rng
        lines = [f"byte {name} = {rng.randint(0, 1)};" for name in self.globals]
        lines += [f"chan {name} = [{rng.randint(0 if self.rendezvous else 1, 2)}] of {{ byte }};" for name in self.channels]
        started = rng.random() < 0.4
        kinds = rng.randint(2, 3)
        for i in range(kinds):
            self.level = "" if started else f"priority {rng.choice(self.levels)} "
            count = rng.choice((1, 1, 2))
            lines += self.process(f"p{i}", "proctype" if started else f"active [{count}] proctype")
        if started:
            runs = "; ".join(f"run p{rng.randrange(kinds)}() priority {rng.choice(self.levels)}"
                             for _ in range(rng.randint(2, 4)))
            # Of the highest, so that all are there before any of them moves.
            lines.append(f"init {{ byte wide = 1; _priority = 9; {runs}; _priority = 1; wide = 1 }}"
                         if self.sets or rng.random() < 0.5 else
                         f"init {{ byte wide = 1; atomic {{ {runs} }}; wide = 1 }}")
        return "\n".join(lines) + "\n"


def program(seed, rendezvous=False):
    return Maker(seed, rendezvous).program()


if __name__ == "__main__":
    sys.stdout.write(program(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
