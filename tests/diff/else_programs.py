#!/usr/bin/env python3
"""Random programs about `else` in the middle: an `if` that begins an option of a `do` shares the
node with the options that follow, for which its `else` does not wait.

    else_programs.py SEED          prints one

All variables are small, so that every program is finite; nothing can fail but assertions.
"""
import random
import sys


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed * 6151 + 3)
        self.has_else = False  # of the node at hand: Spin has one at most

    def condition(self):
        rng = self.rng
        return f"{rng.choice('xfgy')} {rng.choice(('==', '!=', '<', '>'))} {rng.randint(0, 2)}"

    def statement(self):
        rng = self.rng
        kind = rng.randrange(5)
        if kind == 0:
            return f"{rng.choice('xfgy')} = {rng.randint(0, 2)}"
        if kind == 1:
            return f"{rng.choice('xfy')} = {rng.choice('xfgy')}"
        if kind == 2:
            return f"{rng.choice('xf')} = ({rng.choice('xfg')} + 1) % 3"
        if kind == 3:
            return "assert(" + " || ".join(self.condition() for _ in range(3)) + ")"
        return "skip"

    def some(self):
        return "; ".join(self.statement() for _ in range(self.rng.randint(1, 2)))

    def option(self):
        rng = self.rng
        if self.has_else or rng.random() >= 0.45:
            return f"{self.condition()} -> {self.some()}" + rng.choice(("", "", "; break"))
        inner = [f"{self.condition()} -> {self.some()}" for _ in range(rng.randint(1, 2))]
        self.has_else = rng.random() < 0.8
        if self.has_else:
            inner.append(f"else -> {self.some()}")
        return "if " + " ".join(f":: {o}" for o in inner) + f" fi; {self.some()}"

    def loop(self):
        self.has_else = False
        options = [self.option() for _ in range(self.rng.randint(1, 3))] + ["g > 1 -> break"]
        return "\tdo\n" + "".join(f"\t:: {o}\n" for o in options) + "\tod;\n"

    def process(self, number):
        begin = f"active proctype P{number}()\n{{\n\tbyte x, f, y;\n\t{self.statement()}; {self.statement()};\n"
        return begin + "".join(self.loop() for _ in range(self.rng.randint(1, 2))) + f"\t{self.some()}\n}}\n"


def program(seed):
    maker = Maker(seed)
    return "byte g;\n" + "".join(maker.process(i) for i in range(2))


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
