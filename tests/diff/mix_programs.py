#!/usr/bin/env python3
"""Random programs that put side by side what the other generators keep apart: identical processes that
are started in guards and inside `atomic`, arrays of channels handed over as parameters, `xr` and `xs`,
structures with arrays, slots of `_pid`, C beside Promela, `unless` inside `atomic` and around `d_step`,
`timeout` in escapes, jumps into and out of `atomic`, labels in inlines, loops over arrays and channels,
sorted sends and random receives with `eval`, hidden and local variables, remote references.

    mix_programs.py SEED          prints one

As a module: program(seed) -> (text, options).
"""
import random
import sys

FEATURES = ["c", "struct", "slots", "chans", "rv", "run", "unless", "jump", "inline", "loop", "sorted",
            "hidden", "remote", "xrs", "timeout", "provided", "dstep", "priority", "labels", "wide"]


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed * 86028121 + 17)
        rng = self.rng
        self.has = set(rng.sample(FEATURES, rng.randint(3, 6)))
        if "priority" in self.has:
            self.has -= {"rv", "provided"}
        self.types = rng.choice((1, 2, 2, 3))
        self.labels = 0
        self.kind = 0          # of the process at hand
        self.open = []         # labels that something jumps to, and that are not there yet
        self.marks = []        # (type, label)
        self.copies = [rng.choice((1, 1, 2, 2, 3)) if self.types < 3 else rng.choice((1, 1, 2)) for _ in range(self.types)]
        self.used_inline = False
        self.own = False       # formulas may hold what Spin has not
        self.chan_param = "chans" in self.has and rng.random() < 0.5
        self.reader = rng.randrange(self.types)   # of the exclusive channel
        self.writer = rng.randrange(self.types)

    def pick(self, *items):
        return self.rng.choice(items)

    def chance(self, p):
        return self.rng.random() < p

    def pid(self, kind):
        """Of the first process of a type; init comes before those that it starts."""
        return sum(self.copies[:kind]) + self.chan_param

    # -- expressions

    def place(self):
        """Something small that is read and written: 0 to 2."""
        names = ["g", "h", "x", "x", "y"]
        if "struct" in self.has:
            names += ["s.f", f"s.a[{self.pick('0', '1', 'h')}]", f"t[{self.pick('0', '1')}].f"]
        if "slots" in self.has:
            names += ["slot[_pid]", f"slot[{self.rng.randrange(3)}]"]
        if "hidden" in self.has:
            names += ["loc"]
        if "wide" in self.has:
            names += ["wide"]
        return self.rng.choice(names)

    def value(self):
        rng = self.rng
        if rng.random() < 0.4:
            return str(rng.randrange(3))
        choices = [self.place(), f"({self.place()} + {rng.randrange(1, 3)}) % 3", f"({self.place()} -> 1 : {self.place()})"]
        if "chans" in self.has:
            choices.append(f"len({self.channel()})")
        return rng.choice(choices)

    def condition(self):
        rng = self.rng
        choices = [f"{self.place()} {self.pick('==', '!=', '<', '>')} {rng.randrange(3)}" for _ in range(3)]
        choices += [f"{self.place()} == {self.place()}", f"({self.place()} == 0 || {self.place()} > 1)"]
        if "c" in self.has:
            choices += [f"c_expr {{ now.g {self.pick('==', '<', '!=')} {rng.randrange(3)} }}",
                        f"c_expr {{ now.h || P{self.kind}->x > 1 }}".replace("P%d->" % self.kind, f"PT{self.kind}->")]
        if "chans" in self.has:
            choices += [f"{self.pick('empty', 'nempty', 'full', 'nfull')}({self.channel()})",
                        f"{self.channel()}?[{rng.randrange(2)}]", f"{self.channel()}??[eval(x % 2)]"]
        if "run" in self.has:
            choices.append(f"_nr_pr {self.pick('<', '>')} {rng.randint(2, 4)}")
        if "remote" in self.has and self.marks:
            kind, label = rng.choice(self.marks)
            if kind != self.kind:
                choices += [f"T{kind}[{self.pid(kind)}]@{label}"] * 2
        if "remote" in self.has and self.kind:
            choices.append(f"T0[{self.pid(0)}]:x == {rng.randrange(3)}")
        return rng.choice(choices)

    def channel(self):
        if self.chan_param and self.chance(0.6):
            return "p"
        return f"q[{self.pick('0', '1', 'h')}]"

    # -- statements

    def assign(self):
        place = self.place()
        if "c" in self.has and self.chance(0.15):
            return self.pick(f"c_code {{ now.g = {self.rng.randrange(3)}; }}", "c_code { now.h = !now.h; }",
                             f"c_code {{ PT{self.kind}->x = now.g; }}")
        if "wide" in self.has and self.chance(0.1):
            return self.pick("wide = -1", "wide = 70000", "wide = wide / 2", "wide = 32767")
        return f"{place} = {self.value()}"

    def message(self):
        rng, q = self.rng, self.channel()
        bit = rng.randrange(2)
        choices = [f"{q}!{bit}", f"{q}!{self.place()} % 2", f"{q}?x", f"{q}?{bit}", f"{q}?eval({self.place()})", f"{q}?_"]
        if "sorted" in self.has:
            choices += [f"{q}!!{self.place()}", f"{q}??{bit}", f"{q}??eval({self.place()})", f"{q}?<x>", f"{q}??<{bit}>"]
        return rng.choice(choices)

    def plain(self):
        """A single statement."""
        rng, kind = self.rng, self.rng.random()
        if "chans" in self.has and kind < 0.25:
            return self.message()
        if "rv" in self.has and kind < 0.4:
            return self.pick("r!1", f"r!{self.place()}", "r?x", "r?1", f"r?eval({self.place()})")
        if "xrs" in self.has and kind < 0.5:
            if self.kind == self.reader and self.copies[self.kind] == 1:
                return self.pick("ex?x", "ex?_", "ex?1")
            if self.kind == self.writer and self.copies[self.kind] == 1:
                return self.pick("ex!1", f"ex!{self.place()}")
        if "priority" in self.has and kind < 0.5:
            return f"set_priority(_pid, {rng.randint(1, 3)})"
        if kind < 0.6:
            return f"({self.condition()})"
        if kind < 0.7:
            return f"assert({self.condition()} || {self.condition()})"
        return self.assign()

    def free(self):
        """One that does not wait."""
        return self.pick(self.assign(), self.assign(), f"assert({self.condition()} || {self.condition()})", 'printf("%d", x)')

    def dstep(self):
        inner = "; ".join(self.free() for _ in range(self.rng.randint(1, 2)))
        more = self.pick("", "", f"; if :: {self.condition()} -> {self.free()} :: else -> {self.free()} fi",
                         f"; if :: {self.condition()} -> {self.free()} :: x = 1 fi")
        # Spin lets one that begins with assert or printf in between the halves of a rendezvous.
        first = self.pick(self.condition() + " -> ", "x = x; " if "rv" in self.has or "xrs" in self.has else "")
        return f"d_step {{ {first}{inner}{more} }}"

    def atomic(self, depth):
        steps = [self.plain() for _ in range(self.rng.randint(1, 3))]
        if depth and self.chance(0.3):
            steps.append(self.choice(depth - 1, "if"))
        if "unless" in self.has and self.chance(0.3):
            steps.append(f"{{ {self.plain()}; {self.plain()} }} unless {{ {self.condition()} -> {self.plain()} }}")
        if "jump" in self.has and len(steps) > 1 and self.chance(0.5):
            if self.open:
                steps[1] = f"{self.open.pop()}: {steps[1]}"
            elif self.chance(0.5):
                steps.append(f"if :: {self.condition()} -> goto {self.new_label()} :: else fi")
        if "labels" in self.has and len(steps) > 1 and self.chance(0.3):
            self.labels += 1
            steps[-1] = f"{self.pick('end', 'accept', 'progress')}{self.labels}: {steps[-1]}"
        return f"atomic {{ {'; '.join(steps)} }}"

    def new_label(self):
        self.labels += 1
        self.open.append(f"L{self.labels}")
        return self.open[-1]

    def escape(self, depth):
        main = self.pick(f"{{ {self.plain()}; {self.plain()} }}", f"{self.atomic(0)}", f"{{ {self.dstep()}; {self.plain()} }}",
                         f"{{ {self.choice(depth, 'if')} }}")
        guards = [f"{self.condition()}"]
        if "timeout" in self.has:
            guards += ["timeout"] * 2
        if "chans" in self.has:
            guards.append(self.message())
        if "rv" in self.has:
            guards.append("r?1")
        end = self.pick("{ %s -> %s }", "atomic { %s -> %s }") % (self.rng.choice(guards), self.free())
        return f"{main if main[0] == '{' else '{ ' + main + ' }'} unless {end if end[0] == '{' else '{ ' + end + ' }'}"

    def choice(self, depth, word):
        options = []
        for _ in range(self.rng.randint(1, 3)):
            guard = self.pick(self.condition(), self.plain(), self.condition())
            if "run" in self.has and self.chance(0.15):
                guard = "run W(x % 2)"
                if word == "do":
                    guard = "_nr_pr < 4 -> " + guard
            options.append(f":: {guard} -> {self.sequence(depth)}")
        if self.chance(0.35):
            options.append(f":: else{self.pick('', ' -> ' + self.free())}")
        if word == "do" and self.chance(0.6):
            options.append(f":: {self.condition()} -> break")
        return f"{word} {' '.join(options)} {'od' if word == 'do' else 'fi'}"

    def statement(self, depth):
        ways = [self.plain] * 4 + [lambda: self.choice(depth - 1, "if"), lambda: self.atomic(depth)]
        if depth <= 0:
            return self.plain()
        if "dstep" in self.has:
            ways += [lambda: "skip; " + self.dstep()] * 2
        if "unless" in self.has or "timeout" in self.has:
            ways += [lambda: self.escape(depth - 1)] * 2
        if "timeout" in self.has:
            ways.append(lambda: "timeout")
        if "run" in self.has:
            ways += [lambda: f"atomic {{ {self.plain()}; _nr_pr < 4; run W({self.pick('0', '1', 'x % 2')}) }}",
                     lambda: "if :: _nr_pr < 4 -> x = run W(1); x = 0 :: else fi"]
        if "loop" in self.has:
            ways += [lambda: f"for (i : 0 .. {self.rng.randrange(1, 3)}) {{ {self.free()} }}", lambda: "select (x : 0 .. 2)",
                     lambda: f"for (i in v) {{ v[i] = {self.value()} }}"]
        if "inline" in self.has and not self.used_inline:
            ways.append(self.call)
        if "jump" in self.has:
            ways.append(lambda: f"if :: {self.condition()} -> goto {self.new_label()} :: else fi")
        return self.rng.choice(ways)()

    def call(self):
        self.used_inline = True
        return f"work({self.pick('g', 'x')}, {self.value()})"

    def sequence(self, depth):
        return "; ".join(self.statement(depth) for _ in range(self.rng.randint(1, 2)))

    def body(self):
        steps = []
        for _ in range(self.rng.randint(1, 3)):
            text = self.statement(2)
            plain = not text.startswith(("skip; d_step", "for", "select", "work"))
            if self.open and plain and self.chance(0.6):
                text = f"{self.open.pop()}: {text}"
            elif plain and self.chance(0.3):
                self.labels += 1
                name = f"{self.pick('M', 'end') if 'labels' in self.has else 'M'}{self.labels}"
                self.marks.append((self.kind, name))
                text = f"{name}: {text}"
            steps.append(text)
        text = "; ".join(steps)
        if self.chance(0.4) and "skip; d_step" not in text:
            text = f"{self.pick('', 'end: ')}do :: {text} {self.pick('', ':: ' + self.condition() + ' -> break')} od"
        while self.open:
            text += f"; skip; {self.open.pop()}: skip"
        return text

    def process(self, kind):
        self.kind, self.used_inline = kind, False
        exclusive = ""
        if "xrs" in self.has and self.copies[kind] == 1:
            exclusive = ("xr ex; " if kind == self.reader else "") + ("xs ex; " if kind == self.writer else "")
        body = self.body()
        head = "byte x, y, i; " + ("byte v[2]; " if "loop" in self.has else "") + exclusive
        clause = f" provided ({self.pick('g != 2', 'h == 0 || _pid == 0', 'g < 2')})" if "provided" in self.has and self.chance(0.5) else ""
        level = f" priority {self.rng.randint(1, 3)}" if "priority" in self.has else ""
        if self.chan_param:
            return f"proctype T{kind}(chan p){clause} {{ {head}{body} }}\n"
        return f"active [{self.copies[kind]}] proctype T{kind}(){level}{clause} {{ {head}{body} }}\n"

    def program(self):
        lines = ["byte g; bit h;"]
        if "struct" in self.has:
            lines.append("typedef S { byte f; byte a[2] }; S s; S t[2];")
        if "slots" in self.has:
            lines.append("byte slot[8];")
        if "hidden" in self.has:
            lines.append("local byte loc;")
        if "wide" in self.has:
            lines.append("short wide;")
        if "chans" in self.has:
            lines.append(f"chan q[2] = [{self.pick(1, 1, 2)}] of {{ byte }};")
        if "rv" in self.has:
            lines.append("chan r = [0] of { byte };")
        if "xrs" in self.has:
            lines.append(f"chan ex = [{self.pick(0, 1, 1) if 'priority' not in self.has else 1}] of {{ byte }};")
        if "inline" in self.has:
            lines.append("inline work(a, b) { a = (a + b) % 3; if :: a == 0 -> goto over :: else fi; a = 1; over: skip }")
        if "run" in self.has:
            lines.append(f"proctype W(byte k) {{ byte x; {self.pick('g = k', 'x = g; h = k', 'h = 1 - h', '(g == k)', 'g = (g + k) % 3')} }}")
        processes = [self.process(kind) for kind in range(self.types)]
        text = "\n".join(lines) + "\n" + "".join(processes)
        if self.chan_param:
            runs = [f"run T{kind}(q[{self.rng.randrange(2)}])" + (f" priority {self.rng.randint(1, 3)}" if "priority" in self.has else "")
                    for kind in range(self.types) for _ in range(self.copies[kind])]
            text += f"init {{ {self.pick('atomic { %s }', '%s') % '; '.join(runs)} }}\n"
        return text

    # -- formulas

    def atom(self):
        rng = self.rng
        choices = [f"g {self.pick('==', '!=', '<')} {rng.randrange(3)}", "h", f"g == {rng.randrange(3)} && h == 0"]
        if self.marks:
            kind, label = rng.choice(self.marks)
            choices += [f"T{kind}[{self.pid(kind)}]@{label}"] * 2
        if not self.chan_param:
            choices.append(f"T0[0]:x == {rng.randrange(3)}")
        if "slots" in self.has:
            choices.append(f"slot[{rng.randrange(3)}] == {rng.randrange(3)}")
        if "chans" in self.has:
            choices.append(f"len(q[{rng.randrange(2)}]) > 0")
        if rng.random() < 0.1:
            choices = [self.pick("np_", "_last == 0", "enabled(0)", "timeout") if self.own else "h"]
        return f"({rng.choice(choices)})"

    def formula(self, depth=3):
        rng = self.rng
        if depth == 0 or rng.random() < 0.12:
            return self.atom()
        if rng.random() < 0.5:
            ops = ["[]", "<>", "!", "[]<>", "<>[]"] + (["X "] if self.own else [])
            return f"{rng.choice(ops)}({self.formula(depth - 1)})"
        op = self.pick("U", "W", "V", "&&", "||", "->", "<->", "->")
        return f"(({self.formula(depth - 1)}) {op} ({self.formula(depth - 1)}))"

    def premise(self):
        """Strong fairness as a premise, nested."""
        pairs = [f"([]<>({self.atom()}) -> []<>({self.atom()}))" for _ in range(self.rng.randint(1, 2))]
        return f"(({' && '.join(pairs)}) -> {self.formula(2)})"


def program(seed):
    return Maker(seed).program(), []


def live_program(seed):
    """With formulas; every other one has what only Gyre knows in a formula, or fairness."""
    maker = Maker(seed)
    maker.own = seed // 20 % 2 == 1
    text = maker.program()
    for number in range(maker.rng.choice((1, 1, 2, 3))):
        text += f"ltl f{number} {{ {maker.premise() if maker.chance(0.15) else maker.formula()} }}\n"
    fair = maker.rng.choice((["--fairness", "weak"], ["--fairness", "strong"], ["--fairness", "actions"], [])) if maker.own else []
    return text, ["--check", "liveness", *fair]


if __name__ == "__main__":
    print(program(int(sys.argv[1]))[0], end="")
