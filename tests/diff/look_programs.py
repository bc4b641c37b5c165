#!/usr/bin/env python3
"""Random programs whose statements look at more than variables: enabled(), pc_value(), _last, and
C expressions, beside statements about values and a few channels.

    look_programs.py SEED          prints one

What they are for: reductions are kept, but for what looks that far.
"""
import random
import sys

import value_programs


class Maker(value_programs.Maker):
    def __init__(self, seed):
        super().__init__(seed)
        rng = self.looks_rng = random.Random(seed * 15485863 + 11)
        self.looks = rng.sample(("enabled", "pc_value", "_last", "c"), 1 if rng.random() < 0.7 else 2)
        self.often = rng.choice((0.05, 0.1, 0.3))
        self.channels = [name for name in rng.choice(((), ("rv",), ("box",), ("rv", "box"), ()))
                         if name != "rv" or "enabled" not in self.looks]  # Spin allows no such thing
        self.starts = rng.random() < 0.2
        self.number = 0

    def look(self):
        rng = self.looks_rng
        what = rng.choice(self.looks)
        pid = rng.choice([str(p) for p in range(self.processes) if p != self.number] +
                         [f"(_pid + 1) % {self.processes}"])
        if what == "enabled":  # of earlier ones: two that ask for each other have no answer
            if self.number == 0:
                return super().test()
            pid = rng.randrange(self.number)
            return f"{rng.choice(('', '!'))}enabled({pid})"
        if what == "pc_value":
            return f"pc_value({pid}) {rng.choice(('==', '<', '>', '!='))} {rng.randint(1, 5)}"
        if what == "_last":
            return f"_last {rng.choice(('==', '!='))} {rng.choice(('_pid', '0', '1', '2'))}"
        name = rng.choice(self.flags + self.counters)
        return rng.choice((f"c_expr {{ now.{name} {rng.choice(('==', '<', '!='))} {rng.randint(0, 3)} }}",
                           f"c_expr {{ !now.{name} || now.{self.flags[0]} > 1 }}"))

    def test(self):
        return self.look() if self.looks_rng.random() < self.often else super().test()

    def store(self):
        rng = self.looks_rng
        if "c" in self.looks and rng.random() < 0.1:
            name = rng.choice(self.flags)
            return rng.choice((f"c_code {{ now.{name} = {rng.randint(0, 1)}; }}",
                               f"c_code {{ now.{name} = !now.{name}; }}"))
        return super().store()

    def step(self):
        rng = self.looks_rng
        if self.channels and rng.random() < 0.25:
            name = rng.choice(self.channels)
            return rng.choice((f"{name}!{rng.randint(0, 1)}", f"{name}?x", f"{name}?{rng.randint(0, 1)}"))
        return super().step()

    def body(self, number):
        self.number = number
        text = super().body(number)
        if self.starts and number == 1:  # once: the states stay few
            text = text.replace("byte x;", "byte x; run child();", 1)
        return text

    def program(self):
        text = "".join(f"chan {name} = [{0 if name == 'rv' else 1}] of {{ byte }};\n" for name in self.channels)
        text += super().program()
        return text + ("proctype child() { byte x; x = 1; (f0 == 0); f0 = 1 }\n" if self.starts else "")


def program(seed):
    return Maker(seed).program()


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
