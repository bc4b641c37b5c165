#!/usr/bin/env python3
"""Random programs whose steps have an inside: hidden variables that live as long as an atomic sequence
or a d_step, and C that is run as C, beside channels, choices and processes that come and go.

    step_programs.py SEED          prints one

What they are for: compiled code of such steps does as the machine does.
"""
import random
import sys

HELPERS = """c_decl {
  \\#define TWICE(a) (2 * (a))
  static int helper(int a) { return a > 2 ? a - 2 : a + 1; }
  static int blend(const unsigned char *a, int n) { int s = 0, i; for (i = 0; i < n; i++) s += a[i]; return s; }
}
"""


class Maker:
    def __init__(self, seed, brief):
        """`brief`: no hidden value can be there when a step ends. (Else it is a part of the state, as in no
        other tool.)"""
        self.rng = random.Random(seed * 7919 + 5)
        self.brief = brief
        self.hidden = ["h", "s"] if brief else ["h", "s", "g[i % 2]", "g[1]"]
        self.c = self.rng.random() < 0.5
        self.dynamic = self.rng.random() < 0.3

    def value(self, hidden):
        rng = self.rng
        names = ["x", "y", "a[i % 3]", "i", str(rng.randint(0, 5))] + (self.hidden if hidden else [])
        one, two = rng.choice(names), rng.choice(names)
        return rng.choice((one, f"({one} + {two}) % 4", f"{one} * {rng.choice((1, 3, 300))}", f"({two} - {one})"))

    def test(self, hidden):
        rng = self.rng
        if self.c and rng.random() < 0.4:
            return rng.choice(("c_expr { (helper(now.x)) > 1 }", "c_expr { (blend(now.a, 3)) % 2 }",
                               "c_expr { (TWICE(now.y)) < Pp->i + 4 }", "c_expr { now.x / 2 == Pp->i % 2 }"))
        return f"({self.value(hidden)}) {rng.choice(('<', '>=', '==', '!='))} {rng.randint(0, 3)}"

    def store(self):
        rng = self.rng
        if self.c and rng.random() < 0.3:
            return rng.choice(("c_code { now.x = helper(now.y) & 3; }", "c_code { Pp->i = (Pp->i + 1) % 3; }",
                               "c_code { now.a[Pp->i % 3] = TWICE(now.x) & 3; }"))
        return f"{rng.choice(('x', 'y', 'i', 'a[i % 3]', 'a[1]'))} = ({self.value(True)} + 8) & 3"

    def hide(self):
        return f"{self.rng.choice(self.hidden)} = {self.value(True)}"

    def inside(self, depth=0):
        """Statements of a step. The first of a choice can always be executed, so that nobody sees what is hidden."""
        rng, parts = self.rng, []
        for _ in range(rng.randint(1, 3)):
            kind = rng.random()
            if kind < 0.4:
                parts.append(self.hide())
            elif kind < 0.75 or depth > 1:
                parts.append(self.store())
            else:
                options = [f":: {self.store()}; {self.inside(depth + 1)}"]
                options += [f":: {self.test(True)} -> {self.inside(depth + 1)}" for _ in range(rng.randint(0, 2))]
                rng.shuffle(options)
                parts.append(f"if {' '.join(options)} fi")
        return "; ".join(parts)

    def fresh(self):
        """All that is hidden gets a value: none comes from another step."""
        return "; ".join(f"{name} = {self.value(False)}" for name in (("h", "s") if self.brief else ("h", "s", "g[0]", "g[1]")))

    def option(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.45:
            return f":: atomic {{ {self.test(False)} -> {self.fresh()}; {self.inside()}; i = 0; h = 0; s = 0 }}"
        if kind < 0.6:
            return (f":: d_step {{ {self.fresh()}; h = 0; do :: h < i -> h++; {self.store()} :: else -> break od;"
                    f" {self.store()} }}")
        if kind < 0.7:
            return f":: atomic {{ rv?i -> {self.fresh()}; {self.inside()}; i = 0; h = 0; s = 0 }}"
        if kind < 0.8:
            return f":: rv!({self.value(False)} + 8) & 3"
        if kind < 0.85 and not self.brief:
            return f":: atomic {{ nfull(box) -> {self.fresh()}; box!h & 3; {self.inside()} }}"
        if kind < 0.9:
            return ":: atomic { box?s -> x = s & 1; h = s; if :: h > 1 -> y = h & 3 :: y = 0 fi }"
        if self.dynamic and kind < 0.95:
            return ":: atomic { _nr_pr < 4 -> i = 0; run child() }"
        return f":: {self.test(False)} -> x = ({self.value(False)} + 8) & 3"

    def program(self):
        rng = self.rng
        text = HELPERS if self.c else ""
        text += "hidden int h = 1; hidden short s; hidden byte g[2];\n".replace(
            "hidden ", "" if self.brief and self.c else "hidden ")  # C might look at them: they would be kept
        text += "byte x, y, a[3];\n"
        text += "chan rv = [0] of { byte }; chan box = [1] of { byte };\n"
        if self.dynamic:
            text += "proctype child() { x = (x + 1) % 3; y = 0 }\n"
        options = "\n  ".join(self.option() for _ in range(rng.randint(3, 5)))
        text += f"active [{rng.choice((1, 2, 2))}] proctype p() {{\n  byte i;\n  do\n  {options}\n  :: i = (i + 1) % 3\n  od\n}}\n"
        return text


def program(seed, brief=False):
    return Maker(seed, brief).program()


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
