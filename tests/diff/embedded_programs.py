#!/usr/bin/env python3
"""Random programs about C of the model's own: c_state of every scope with and without initial values, which
may name other variables; c_track of objects, arrays and pointers, which may be null for a while; memory
that is not matched; addresses of strings and functions; conditions, preconditions and functions in C.

    embedded_programs.py SEED          prints one

Nothing depends on memory that is not matched, and memory that nothing tracks is never written: the number
of states does not depend on the order of the search. Spin takes the call of a function in c_expr for a side
effect, but not in parentheses.
"""
import random
import sys

TYPES = "typedef struct Pair { int a, b; } Pair; typedef struct Padded { char c; int i; char d; } Padded; "


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed * 7907 + 11)
        rng = self.rng
        self.units, self.reads, self.writes = [], ["now.x", "now.y", "now.a[1]"], ["now.x", "now.y", "now.a[2]"]
        self.locals = {"P": (["PP->i"], ["PP->i"]), "Q": (["PQ->k", "PQ->m"], ["PQ->m"]),
                       "init": (["Pinit->n"], ["Pinit->n"])}
        self.pointer, self.moves = None, []
        self.objects = ["int level;", "int unseen;", "Pair pair;", "int ring[3];", "int *where;", "Padded s;",
                        "int pid, v, begin;", 'const char letters[] = "ab";', 'const char *word = letters;', "int (*p)(int);"]
        for unit in (self.global_state, self.local_state, self.hidden, self.tracks, self.pointers, self.unmatched,
                     self.hiding, self.addresses):
            if rng.random() < 0.65:
                unit()

    def unit(self, *strings):
        self.units.append(" ".join(["c_track" if strings[1].startswith("sizeof") else "c_state"]
                                   + [f'"{s}"' for s in strings]))

    def initial(self, names):
        """The third string of a c_state, if there is one."""
        rng = self.rng
        if rng.random() < 0.3:
            return []
        name = rng.choice(names)
        return [rng.choice((str(rng.randint(0, 3)), name, f"{name} + 1", f"next({name})"))]

    def global_state(self):
        for number in range(self.rng.randint(1, 2)):
            earlier = [f"now.c{n}" for n in range(number)] + ["now.x", "now.a[0]", "now.y"]
            self.unit(f"{self.rng.choice(('int', 'short', 'unsigned char'))} c{number}", "Global", *self.initial(earlier))
            self.reads.append(f"now.c{number}")
            self.writes.append(f"now.c{number}")
        if self.rng.random() < 0.4:
            self.unit("Pair at", "Global")
            self.reads += ["now.at.a", "now.at.b"]
            self.writes += ["now.at.a", "now.at.b"]

    def local_state(self):
        for process in self.rng.sample(["P", "Q", "init"], self.rng.randint(1, 3)):
            reads, writes = self.locals[process]
            owner = ":init:" if process == "init" else process  # Spin forgets the initial values of "Local init"
            for name in ("u", "w")[:self.rng.randint(1, 2)]:
                others = ["now.x", "now.y", reads[0]] + [r for r in self.reads if r.startswith("now.c")]
                self.unit(f"int {name}", f"Local {owner}", *self.initial(others))
            self.locals[process] = (reads + [f"P{process}->{name}"], writes + [f"P{process}->{name}"])

    def hidden(self):
        self.unit("int fixed", "Hidden", str(self.rng.randint(1, 3)))
        self.reads.append("fixed")

    def tracks(self):
        matched = ["Matched"] if self.rng.random() < 0.3 else []
        if self.rng.random() < 0.6:
            self.unit("&level", "sizeof(int)", *matched)
            self.reads.append("level")
            self.writes.append("level")
        if self.rng.random() < 0.6:
            self.unit("&pair", "sizeof(Pair)", *matched)
            self.reads += ["pair.a", "pair.b"]
            self.writes += ["pair.a", "pair.b"]

    def pointers(self):
        """A pointer into an array: what it leads to is tracked where it is, the pointer itself behind it."""
        self.unit("ring", "sizeof(int) * 3")
        self.unit("where", "sizeof(int)")
        self.unit("&where", "sizeof(int *)")
        self.reads.append("ring[1]")
        self.writes += ["ring[0]", "ring[1]"]
        self.pointer = "where"

    def hiding(self):
        """Objects that have the names of parameters and locals, as they are usual in generated code."""
        self.unit("&s", "sizeof(Padded)")
        self.reads += ["s.i", "s.d"]
        self.writes += ["s.c", "s.i", "s.d"]
        for name in self.rng.sample(("pid", "v", "begin"), 2):
            self.unit(f"&{name}", "sizeof(int)")
            self.reads.append(name)
            self.writes.append(name)

    def addresses(self):
        """Of strings and functions. (Whether two literals are one is the compiler's choice.)"""
        self.unit("&word", "sizeof(char *)")
        self.unit("&p", "sizeof(void *)")
        self.reads += ["(*word == 'b')", "(p == next)"]
        self.moves = ['word = letters + 1;', 'word = letters;', "p = next;", "p = 0;", "if (p) now.x = p(now.x) & 1;"]

    def unmatched(self):
        self.unit("&unseen", "sizeof(int)", self.rng.choice(("UnMatched", "unMatched", "StackOnly")))

    # -- statements --------------------------------------------------------------------------------

    def value(self, process):
        rng = self.rng
        names = self.reads + self.locals[process][0] + [str(rng.randint(0, 3))]
        one, two = rng.choice(names), rng.choice(names)
        return rng.choice((one, f"{one} + {two}", f"next({one})", f"3 - {one}", f"{one} * 2"))

    def code(self, process, may_fail=False):
        """`may_fail`: where a precondition that is false leaves another way to go on. (To Spin, a process that has
        none is blocked then; and in a d_step it does not take back what was done before.)"""
        rng, parts = self.rng, []
        for _ in range(rng.randint(1, 2)):
            kind = rng.random()
            if kind < 0.15 and self.pointer:
                parts.append(rng.choice(("where = &ring[now.x & 1];", "where = 0;", "if (where) *where = (*where + 1) & 1;")))
            elif kind < 0.25:
                parts.append("unseen++;")
            elif kind < 0.35 and self.moves:
                parts.append(rng.choice(self.moves))
            else:
                parts.append(f"{rng.choice(self.writes + self.locals[process][1])} = ({self.value(process)}) & 1;")
        before = ""
        if may_fail and rng.random() < 0.15:
            before = rng.choice(("now.x >= 0", "now.y < 2", "now.x != 1"))
        return f"c_code {f'[{before}] ' if before else ''}{{ {' '.join(parts)} }}"

    def test(self, process):
        rng = self.rng
        kind = rng.random()
        if kind < 0.15 and self.pointer:
            return "c_expr { where && *where }"
        if kind < 0.25:
            return "c_expr { (q_len(now.box)) }"
        if kind < 0.4:
            return rng.choice(("x > 0", "y == 0 && c_expr { now.x < 2 }", "nfull(box)"))
        return f"c_expr {{ ({self.value(process)}) {rng.choice(('<', '>=', '==', '!='))} {rng.randint(0, 2)} }}"

    def option(self, process):
        rng = self.rng
        kind = rng.random()
        if kind < 0.1:
            return f":: atomic {{ {self.test(process)} -> {self.code(process)}; {self.code(process)} }}"
        if kind < 0.2:
            return f":: d_step {{ {self.test(process)}; {self.code(process)}; x = 1 - x }}"
        if kind < 0.28:
            return ":: box!x"
        if kind < 0.36:
            return f":: box?y -> {self.code(process)}"
        if kind < 0.42:
            return f":: {self.test(process)} -> assert({self.test(process)})"
        if kind < 0.5:
            return f":: {self.code(process, may_fail=True)}"
        return f":: {self.test(process)} -> {self.code(process)}"

    def loop(self, process, most):
        options = "\n  ".join(self.option(process) for _ in range(self.rng.randint(1, most)))
        return f"do\n  {options}\n  :: break\n  od"

    def program(self):
        rng = self.rng
        loops = {process: self.loop(process, most) for process, most in (("P", 3), ("Q", 2), ("init", 2))}
        text = f"c_decl {{ {TYPES} }}\n"
        text += f"c_code {{ {' '.join(self.objects)} static int next(int a) {{ return (a + 1) & 3; }} }}\n"
        text += "byte x = 1, y, a[3] = 2;\nchan box = [1] of { byte };\n"
        text += "\n".join(self.units) + "\n"
        text += f"{'active ' if rng.random() < 0.7 else ''}proctype P() {{\n  byte i = 1;\n  {loops['P']}\n}}\n"
        text += f"proctype Q(byte k) {{\n  byte m = 3;\n  {loops['Q']}\n}}\n"
        starts = rng.choice(("run Q(2)", "run Q(1); run Q(0)", "run P()", "atomic { run P(); run Q(3) }"))
        text += f"init {{\n  byte n;\n  {self.code('init')}; {starts};\n  {loops['init'] if rng.random() < 0.5 else 'skip'}\n}}\n"
        return text


def program(seed):
    return Maker(seed).program()


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
