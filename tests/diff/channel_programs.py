#!/usr/bin/env python3
"""Random programs about channels: made by processes, passed as parameters and in messages,
with trace or notrace assertions about some of them.

    channel_programs.py SEED          prints one

What they are for: reductions that tell channels apart, and which sends and receives a trace sees.
"""
import random
import sys


class Maker:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed * 15485863 + 11)
        # name: capacity, all of { byte }
        self.chans = {name: rng.choice((0, 1, 1, 2)) for name in ("a", "b", "c")[: rng.randint(1, 3)]}
        self.array = rng.random() < 0.4
        if self.array:
            self.chans.update({"q[0]": 1, "q[1]": 1})
        self.carries = rng.random() < 0.5
        self.holds = rng.random() < 0.25  # a global variable that holds a channel
        self.children = rng.random() < 0.6
        self.assertion = rng.choice(("", "trace", "notrace", "trace"))
        self.fails = rng.random() < 0.3
        other = self.other = random.Random(seed * 32452843 + 7)  # what was added leaves the rest as it was
        self.claims = other.random() < 0.25

    # ---- processes ------------------------------------------------------------------

    def channel(self, own):
        names = list(self.chans) + own * 2
        if self.array and self.rng.random() < 0.2:
            return self.rng.choice(("q[_pid % 2]", "q[v % 2]"))
        if self.holds and self.rng.random() < 0.2:
            return "held"
        return self.rng.choice(names)

    def value(self):
        return self.rng.choice(("0", "1", "2", "v", "x"))

    def statement(self, own, depth):
        rng = self.rng
        choice = rng.random()
        if choice < 0.3:
            return f"{self.channel(own)}!{self.value()}"
        if choice < 0.6:
            return f"{self.channel(own)}?{rng.choice(('v', 'v', '_', '1', 'x'))}"
        if choice < 0.66:
            return f"x = {self.value()}"
        if choice < 0.7:
            return f"v = {rng.choice(('x', 'v + 1', '0'))}"
        if choice < 0.74 and self.carries:
            return f"pass!{self.channel(own)}" if rng.random() < 0.5 or "you" not in own else "pass?you"
        if choice < 0.77 and self.holds and own:
            return f"held = {rng.choice(own)}"
        if choice < 0.8:
            return rng.choice(("nempty", "nfull", "empty")) + f"({self.buffered(own)})"
        if choice < 0.83 and self.fails:
            return f"assert({rng.choice(('x', 'v'))} != {rng.randint(0, 2)})"
        if choice < 0.86:
            return "skip"
        if depth == 0:
            return f"{self.channel(own)}!{self.value()}"
        if choice < 0.93:
            options = " ".join(f":: {self.body(own, depth - 1, 2)}" for _ in range(rng.randint(1, 3)))
            return f"if {options}{rng.choice(('', ' :: else'))} fi"
        kind = rng.choice(("atomic", "atomic", "d_step"))
        inner = f"v = {rng.choice(('1', 'x'))}; x = v" if kind == "d_step" else self.body(own, 0, 3)
        return f"{kind} {{ {inner} }}"

    def buffered(self, own):
        full = [name for name, capacity in self.chans.items() if capacity] or ["spare"]
        return self.rng.choice(full)

    def body(self, own, depth, most):
        return "; ".join(self.statement(own, depth) for _ in range(self.rng.randint(1, most)))

    def claim(self, names):
        """Only this process is to receive from, or to send to, the channel that a variable holds."""
        if not self.claims or not names or self.other.random() < 0.4:
            return ""
        return f"  {self.other.choice(('xr', 'xs'))} {self.other.choice(names)};\n"

    def locals(self):
        rng = self.rng
        own, text = [], "  byte v;\n"
        if rng.random() < 0.6:
            own.append("me")
            text += f"  chan me = [{rng.choice((0, 1, 1, 2))}] of {{ byte }};\n"
        if self.carries:
            own.append("you")
            text += "  chan you;\n"
        return own, text + self.claim(own)

    def process(self, number, head):
        own, text = self.locals()
        body = self.body(own, 2, 5)
        if self.carries:
            body = f"{self.rng.choice(('pass?you', 'you = a', 'you = a', 'pass?you'))}; {body}"
        if self.children and "me" in own and head.startswith("active"):
            body = f"run Child(me); {body}"
        if self.rng.random() < 0.2:
            body = f"end: do :: {body} od"
        return f"{head} {{\n{text}  {body}\n}}\n"

    def child(self):
        own, text = self.locals()
        names = own + ["up", "up"]
        text += self.claim(["up"])
        if "you" in own:
            text += "  you = up;\n"
        return (f"proctype Child(chan up) {{\n{text}  "
                f"{self.body(names, 1, 4)}\n}}\n")

    # ---- events ---------------------------------------------------------------------

    def events(self):
        """Deterministic: no two of them match the same send or receive."""
        names = [n for n in self.chans] + (["held"] if self.holds and self.rng.random() < 0.3 else [])
        if "held" in names:
            names = ["held"]  # which channel that is changes
        every = [f"{name}{way}" for name in names for way in "!?"]
        self.rng.shuffle(every)
        return every[: self.rng.randint(1, min(3, len(every)))]

    def options(self, depth):
        rng = self.rng
        text = ""
        for event in self.events():
            values = rng.choice((["_"], ["_"], ["0", "1"], ["1"]))
            for value in values:
                go_on = f"; {self.option(depth - 1)}" if depth and rng.random() < 0.4 else ""
                text += f" :: {event}{value}{go_on}"
        return text

    def option(self, depth):
        event = self.events()[0] + "_"
        if depth <= 0 or self.rng.random() < 0.5:
            return event
        return f"if{self.options(depth)} fi"

    def automaton(self):
        rng = self.rng
        if self.assertion == "trace":
            return f"trace {{\n  {rng.choice(('', self.option(1) + '; '))}end0: do{self.options(1)} od\n}}\n"
        loop = f"do{self.options(1)} :: {rng.choice(('a?9', 'a!9'))} -> break od"
        return "notrace {\n  " + rng.choice((f"{self.option(1)}; {self.option(1)}",
                                             f"{self.option(1)}; {self.option(1)}; {self.option(0)}",
                                             loop)) + "\n}\n"

    def program(self):
        rng = self.rng
        text = "byte x;\nchan spare = [1] of { byte };\n"
        for name, capacity in self.chans.items():
            if "[" not in name:
                text += f"chan {name} = [{capacity}] of {{ byte }};\n"
        if self.array:
            text += "chan q[2] = [1] of { byte };\n"
        if self.carries:
            text += f"chan pass = [{rng.choice((0, 1))}] of {{ chan }};\n"
        if self.holds:
            text += "chan held = [1] of { byte };\n"
        for i in range(rng.randint(2, 3)):
            text += self.process(i, f"active proctype P{i}()")
        if self.children:
            text += self.child()
        return text + (self.automaton() if self.assertion else "")


def program(seed):
    return Maker(seed).program()


if __name__ == "__main__":
    print(program(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
