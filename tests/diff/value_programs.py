#!/usr/bin/env python3
"""Random programs about values of shared variables: flags that are set to constants, counters that
are added to, locks, tickets and timers, guards of several conjuncts and disjuncts, some of which
can fail to have a value.

    value_programs.py SEED          prints one

What they are for: reductions that look at which values statements store and wait for.
"""
import random
import sys


class Maker:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed * 104729 + 3)
        self.processes = rng.randint(2, 4)
        self.flags = [f"f{i}" for i in range(rng.randint(1, 3))]
        self.counters = [f"c{i}" for i in range(rng.randint(1, 2))]
        self.array = rng.random() < 0.5
        self.locks = ["lock"] if rng.random() < 0.5 else []
        self.timers = ["t0", "t1"][: rng.randint(0, 2)] if rng.random() < 0.4 else []
        self.faults = rng.random() < 0.25

    def place(self):
        """Something that constants are stored into."""
        rng = self.rng
        if self.array and rng.random() < 0.4:
            return f"a[{rng.choice(('_pid', '(_pid + 1) % 4', '0', '1', 'x'))}]"
        return rng.choice(self.flags + self.locks + self.timers)

    def counter(self):
        return self.rng.choice(self.counters + self.timers)

    def test(self):
        rng = self.rng
        choice = rng.random()
        if self.faults and choice < 0.1:
            return rng.choice((f"4 / {self.place()} == 2", f"4 % {self.place()} == 1",
                               f"b[{self.place()}] == 0", "len(ch) == 0", "nfull(ch)"))
        if choice < 0.2:
            return rng.choice((self.place(), f"!{self.place()}"))
        if choice < 0.3:
            return f"{self.place()} {rng.choice(('==', '!=', '<='))} {self.place()}"
        left, right = rng.choice((self.place, self.counter))(), rng.randint(0, 3)
        comparison = rng.choice(("==", "==", "!=", "<", ">", "<=", ">="))
        return f"{right} {comparison} {left}" if rng.random() < 0.1 else f"{left} {comparison} {right}"

    def guard(self, depth=2):
        rng = self.rng
        choice = rng.random()
        if not depth or choice < 0.5:
            return self.test()
        if choice < 0.75:
            return f"({self.guard(depth - 1)} && {self.guard(depth - 1)})"
        if choice < 0.93:
            return f"({self.guard(depth - 1)} || {self.guard(depth - 1)})"
        return f"!({self.guard(depth - 1)})"

    def store(self):
        rng = self.rng
        choice = rng.random()
        if self.faults and choice < 0.03:
            return f"ch = {rng.choice(('none', 'other'))}"
        if choice < 0.55:
            return f"{self.place()} = {rng.choice((0, 0, 1, 1, 2, 3))}"
        if choice < 0.75:
            return f"{self.counter()}{rng.choice(('++', '++', '--'))}"
        if choice < 0.8:
            name = self.counter()
            return rng.choice((f"{name} = {name} + 2", f"{name} = 1 + {name}"))
        if choice < 0.9:
            return f"x = {rng.choice((self.place(), self.counter()))} & 3"
        return f"{self.place()} = x"

    def step(self):
        rng = self.rng
        choice = rng.random()
        if choice < 0.4:
            return self.store()
        if choice < 0.55:
            return f"({self.guard()})"
        if choice < 0.65:
            kind = rng.choice(("atomic", "d_step"))
            return f"{kind} {{ ({self.guard()}) -> " + "; ".join(
                self.store() for _ in range(rng.randint(1, 3))) + " }"
        if choice < 0.75 and self.locks:
            kind = rng.choice(("atomic", "d_step"))
            return f"{kind} {{ lock == 0 -> lock = {rng.choice(('1', '_pid + 1'))} }}; " + \
                "; ".join(self.store() for _ in range(rng.randint(1, 2))) + "; lock = 0"
        if choice < 0.85:
            options = [f":: {self.guard()} -> {self.store()}" for _ in range(rng.randint(1, 2))]
            options += [f":: else -> {rng.choice(('skip', self.store()))}"] if rng.random() < 0.5 else []
            return "if " + " ".join(options) + " fi"
        if choice < 0.9:
            return f"assert({self.guard(1)})"
        return rng.choice(("skip", "x = 0", "x = (x + 1) & 3"))

    def body(self, number):
        rng = self.rng
        steps = ";\n  ".join(self.step() for _ in range(rng.randint(1, 4)))
        if rng.random() < 0.5:
            options = [f":: {self.guard()} -> {self.store()}" for _ in range(rng.randint(0, 2))]
            end = "end:" if rng.random() < 0.5 else ""
            steps = f"{end} do\n  :: {steps}\n  " + "\n  ".join(options) + \
                rng.choice(("", "\n  :: break")) + "\n  od"
        copies = 2 if number == 0 and rng.random() < 0.3 else 1
        clause = f" provided ({self.test()})" if rng.random() < 0.04 else ""
        return f"active [{copies}] proctype p{number}(){clause} {{\n  byte x;\n  {steps}\n}}\n"

    def program(self):
        rng = self.rng
        lines = []
        for name in self.flags + self.locks:
            lines.append(f"{rng.choice(('bit', 'byte', 'short'))} {name}{rng.choice(('', '', ' = 1'))};")
        for name in self.counters + self.timers:  # they wrap soon
            lines.append(f"unsigned {name} : {rng.choice((1, 2, 2, 3))}{rng.choice(('', '', ' = 1'))};")
        if self.array:
            lines.append("byte a[4];")
        if self.faults:
            lines.append("byte b[2];\nchan ch = [1] of { bit };\nchan other = [1] of { bit };\nchan none;")
        return "\n".join(lines) + "\n" + "\n".join(self.body(i) for i in range(self.processes))


def program(seed):
    return Maker(seed).program()


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
