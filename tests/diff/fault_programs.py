#!/usr/bin/env python3
"""Random programs whose steps have several errors at once: choices in a D_proctype, events that a trace assertion does
not allow, failing assertions in the midst of a d_step, with enabled() after them, inside atomic and in options.

    fault_programs.py SEED          prints one

All errors are of the kind after which a run goes on, so that Spin has the same states. (In a D_proctype nobody
offers a rendezvous, and no send is an event of one: to Spin, an offer that is not taken may be an error.)
"""
import random
import sys


class Maker:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed * 86028121 + 5)
        self.processes = rng.randint(2, 3)
        self.kinds = [rng.choice(("", "D_", "D_")) for _ in range(self.processes)]
        self.asks = rng.random() < 0.5  # enabled(): Spin knows it without rendezvous alone
        self.assertion = rng.choice(("trace", "notrace", "notrace", ""))

    def value(self):
        return self.rng.choice(("0", "1", "x", "v"))

    def condition(self):
        rng = self.rng
        return f"{rng.choice(('x', 'y', 'v', 'len(b)'))} {rng.choice(('!=', '==', '<'))} {rng.randint(0, 2)}"

    def simple(self, me):
        rng = self.rng
        kind = rng.random()
        if kind < 0.35:
            return f"assert({self.condition()})"
        if kind < 0.5 and self.asks:
            return f"v = enabled({(me + rng.randint(1, self.processes - 1)) % self.processes})"
        if kind < 0.75:
            name = rng.choice(("x", "y", "v"))
            return f"{name} = ({rng.choice(('x', 'y', 'v'))} + {rng.randint(0, 1)}) % 3"
        return f"v = {self.value()}"

    def event(self, me):
        rng = self.rng
        kinds = ["b!{}", "b?v", "b?{}"] + (["a?v"] if self.kinds[me] else ["a!{}", "a?v", "a?{}"])
        return rng.choice(kinds).format(rng.randint(0, 1))

    def d_step(self, me, count):
        """Where there is a rendezvous, not an assertion first: Spin executes such a d_step in the midst of one. And in
        a D_proctype no enabled(): Spin then blames the process that it is about."""
        parts = []
        while len(parts) <= count:
            one = self.simple(me)
            if not (one.startswith("assert") and not parts and not self.asks or "enabled" in one and self.kinds[me]):
                parts.append(one)
        return "d_step { " + "; ".join(parts) + " }"

    def statement(self, me, depth=1):
        rng = self.rng
        kind = rng.random()
        if kind < 0.2:
            return self.simple(me)
        if kind < 0.45:
            return self.event(me)
        if kind < 0.6:
            return self.d_step(me, rng.randint(1, 3))
        if kind < 0.7:
            first = rng.choice((self.event(me), self.condition()))
            return f"atomic {{ {first}; {self.simple(me)}; {rng.choice((self.simple(me), self.event(me)))} }}"
        if depth == 0 or kind < 0.75:
            return f"({self.condition()})"
        options = [rng.choice((self.event(me), self.condition(), self.d_step(me, 1), self.simple(me))) for _ in range(rng.randint(2, 3))]
        return "if " + " ".join(f":: {one}; {self.statement(me, 0)}" for one in options) + " fi"

    def automaton(self):
        rng = self.rng
        sends = ["a!_"] if self.asks else []  # a rendezvous without
        events = sends + ["b!_", "b?_", "b!1", "b?0", "a?_"]
        if self.assertion == "notrace":
            return "notrace { " + "; ".join(rng.choice(events) for _ in range(rng.randint(1, 3))) + " }\n"
        return "trace { do :: " + " :: ".join(rng.sample(sends + ["b!_", "b?_", "a?_"], rng.randint(1, 2))) + " od }\n"

    def program(self):
        rng = self.rng
        text = f"byte x, y;\nchan a = [{int(self.asks)}] of {{ byte }};\nchan b = [1] of {{ byte }};\n"
        for me in range(self.processes):
            body = "; ".join(self.statement(me) for _ in range(rng.randint(1, 4)))
            text += f"active {self.kinds[me]}proctype P{me}() {{ byte v; {body} }}\n"
        return text + (self.automaton() if self.assertion else "")


def program(seed):
    return Maker(seed).program()


if __name__ == "__main__":
    print(program(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
