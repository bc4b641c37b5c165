#!/usr/bin/env python3
"""Random programs in which some statements read _last, in all the ways there are, between others that
have nothing to do with it.

    last_programs.py SEED          prints one

As a module: program(seed) -> text. What they are for: _last is part of the state, and orders steps,
only while somebody is about to read it. What was read goes to variables that assertions look at, so
that the set of values that can be read is part of the answer.
"""
import random
import sys


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed * 32452843 + 5)
        rng = self.rng
        self.processes = rng.choice((2, 3, 3, 4))
        self.readers = {p for p in range(self.processes) if rng.random() < 0.45} or {0}
        self.channels = rng.choice(((), (), ("rv",), ("box",), ("rv", "box")))
        self.starts = rng.random() < 0.3
        self.number = 0

    def pid(self):
        return self.rng.choice([str(p) for p in range(self.processes)] + ["_pid"])

    def question(self):
        return f"_last {self.rng.choice(('==', '!='))} {self.pid()}"

    def work(self):
        """Nothing about _last."""
        rng = self.rng
        kind = rng.random()
        if self.channels and kind < 0.2:
            name = rng.choice(self.channels)
            return rng.choice((f"{name}!{rng.randrange(2)}", f"{name}?x", f"{name}?{rng.randrange(2)}"))
        if kind < 0.5:
            return rng.choice(("x = 1 - x", "x = 0", "y = x", "y = 1"))
        if kind < 0.7:
            return rng.choice(("g = 1 - g", "h = g", "g = 0", "h = 1"))
        if kind < 0.8:
            return rng.choice(("(g == 0)", "(h == 1)", "(g != h)", "(x == 0)"))
        if kind < 0.9:
            return "if :: g == 0 -> y = 1 :: else -> x = 1 fi"
        return rng.choice(("atomic { g = 1; h = 1 - h }", "d_step { x = g; g = 1 }", "atomic { (h == 0); x = 1 }"))

    def read(self):
        rng = self.rng
        ways = ["seen = _last", "x = (_last == 1)", f"({self.question()})", f"assert({self.question()})",
                f"if :: {self.question()} -> seen = 1 :: else -> seen = 2 fi",
                f"if :: {self.question()} -> {self.work()} :: g == 1 -> seen = _last :: else fi",
                f"({self.question()} && g == {rng.randrange(2)})",
                "atomic { g = 1 - g; seen = _last }", "atomic { seen = _last; h = 1 }",
                f"atomic {{ ({self.question()}); x = 1; (h == 0); seen = _last }}",
                "d_step { seen = _last; g = 0 }", "d_step { g = 1; seen = _last }",
                f"{{ {self.work()}; {self.work()} }} unless {{ {self.question()} }}"]
        for name in self.channels:
            ways += [f"{name}!_last", f"{name}?eval(_last)", f"{name}?seen; assert(seen != 1)"]
        return rng.choice(ways)

    def body(self, number):
        rng = self.rng
        self.number = number
        steps = [self.work() for _ in range(rng.randint(2, 5))]
        if number in self.readers:
            for _ in range(rng.choice((1, 1, 2))):
                steps.insert(rng.randint(0, len(steps)), self.read())
        if self.starts and number == 0:
            steps.insert(rng.randint(0, len(steps)), "run child()")
        text = "; ".join(steps)
        if rng.random() < 0.25:  # some go round
            text = f"do :: {steps[0]} :: {'; '.join(steps[1:])} od" if not self.starts else text
        return f"active proctype p{number}() {{ byte x, y; {text} }}\n"

    def program(self):
        text = "byte g, h, seen;\n"
        text += "".join(f"chan {name} = [{0 if name == 'rv' else 1}] of {{ byte }};\n" for name in self.channels)
        text += "".join(self.body(p) for p in range(self.processes))
        if self.starts:
            text += f"proctype child() {{ byte x, y; {self.read()}; {self.work()} }}\n"
        looks = "; ".join(f"assert(seen != {v})" for v in range(1, 4))
        return text + f"active proctype probe() {{ (seen != 0); atomic {{ {looks} }} }}\n"


def program(seed):
    return Maker(seed).program()


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
