#!/usr/bin/env python3
"""Print one random, small, well-formed Promela program.

    generate.py --seed N [--size K] [--features a,b,-c] [--claim]

The program depends on nothing but the options: all choices are taken from
random.Random(seed).  Most programs use two to six features of the language (see
FEATURES) and have between ten and a few thousand states.

How it stays finite and well-formed
  * A variable of a wide type is only given constants, `e % k` and other bounded
    variables; a narrow one (bit, bool, unsigned) may be given anything.
  * An index is a constant or `v % n` of a variable that cannot be negative.
  * A loop inside atomic or d_step counts a variable up that nothing else may
    change; a goto inside atomic only goes forward.
  * The number of processes is guarded by _nr_pr wherever `run` is in a loop.
What Spin itself gets wrong is left out; README.md lists it, and why.

As a module: program(seed, size=None, features=None, claim=False) -> text.
"""

import argparse
import random
import re
import sys

# name: how likely it is to be chosen.  A program has all that its features need.
FEATURES = {
    "types": 7, "arrays": 6, "structs": 5, "blocks": 5, "multi": 5,
    "initrun": 6, "dynrun": 5, "params": 5, "goto": 6, "endlabels": 4,
    "for": 5, "select": 4, "atomic": 9, "dstep": 7, "unless": 8, "timeout": 5,
    "badelse": 5, "rendezvous": 10, "buffered": 10, "chanarray": 4,
    "localchan": 4, "chanparam": 4, "chanmsg": 4, "sorted": 5, "randrecv": 5,
    "poll": 5, "match": 5, "probe": 5, "mtypes": 5, "structmsg": 4,
    "provided": 4, "priority": 4, "pids": 5, "last": 3, "pcvalue": 3,
    "remote": 6, "inline": 5, "macro": 4, "cond": 4, "arith": 6, "assert": 6,
    "printf": 4, "trace": 3, "notrace": 2,
}

# a feature that makes no sense without another one
NEEDS = {
    "sorted": "buffered", "randrecv": "buffered", "poll": "buffered",
    "probe": "buffered", "chanarray": "channel", "localchan": "channel",
    "chanparam": "channel", "chanmsg": "buffered", "match": "channel",
    "structmsg": "structs", "trace": "channel", "notrace": "channel",
    "badelse": "channel", 
}

UNSIGNED = ("bit", "bool", "byte", "unsigned", "pid")
NARROW = ("bit", "bool", "unsigned")
RANK = {"bit": 1, "bool": 1, "unsigned": 2, "byte": 3, "pid": 3, "short": 4, "int": 5}

# binding strength of Promela's operators (spin.y)
PREC = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7,
        "<=": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
UNARY, ATOM = 11, 12


class Var:
    """Something that can be read and (unless `fixed`) assigned."""

    def __init__(self, name, typ, size=0, local=False, width=0):
        self.name, self.typ, self.size = name, typ, size
        self.local, self.width, self.fixed = local, width, False
        self.base = re.split(r"[.\[]", name)[0]
        self.inner = False              # declared in an inner block


class Chan:
    def __init__(self, name, capacity, fields, size=0, local=False):
        self.name, self.capacity, self.fields = name, capacity, fields
        self.size, self.local = size, local
        # A bit in a channel of one field is a byte to Spin.  Where `clean` is set,
        # only 0 and 1 are sent and a bit may receive them; else only wider ones may.
        self.clean = True


class Stmt:
    """Lines of one statement, and what it starts with: None, "chan" or "rv"."""

    def __init__(self, lines, lead=None, guard=False, jumps=False, label_ok=True):
        self.lines = [lines] if isinstance(lines, str) else lines
        self.lead, self.guard, self.jumps = lead, guard, jumps
        self.label_ok = label_ok
        self.starts_else = False        # its first state has an else

    def starts_dstep(self):
        return re.match(r"[\s{]*(atomic[\s{]+)?d_step", "\n".join(self.lines)) is not None

    def leaves_loop(self):
        return any(re.search(r"\b(break|for|select|do|goto)\b", line) for line in self.lines)

    def is_constant(self):
        """A condition that always holds: alone in a loop, Spin calls it a self-loop."""
        return re.fullmatch(r"(atomic|d_step)?[\s{]*(skip|true|1)[\s}]*",
                            "\n".join(self.lines)) is not None


class Proc:
    def __init__(self, name):
        self.name = name
        self.decls, self.vars, self.chans, self.params = [], [], [], []
        self.labels, self.pending, self.known = 0, [], []
        self.locals, self.copies, self.pid = 0, 1, None
        self.priority, self.provided, self.role = None, None, {}
        self.immortal = False
        self.low = 1                    # the pids below are alive as long as it is


class Ctx:
    """Where a statement stands."""

    def __init__(self, proc, scope, mode="normal", can_break=False, depth=0, top=False):
        self.proc, self.scope, self.mode = proc, scope, mode
        self.can_break, self.depth, self.top = can_break, depth, top
        self.no_unless = False

    def inside(self, **change):
        new = Ctx(self.proc, list(self.scope), self.mode, self.can_break,
                  self.depth + 1, False)
        new.no_unless = self.no_unless
        for key, value in change.items():
            setattr(new, key, value)
        return new


def indent(lines):
    return ["\t" + line for line in lines]


class Generator:
    def __init__(self, seed, size=None, features=None, claim=False):
        self.rng = random.Random(seed)
        self.coin = random.Random(f"promise {seed}")
        self.seed, self.claim = seed, claim
        self.size = size or self.pick((1, 2, 2, 2, 2, 3, 3, 3))
        self.features = self.choose_features(features or [])
        self.used = set()
        self.globals, self.chans, self.structs = [], [], []
        self.mtypes, self.inlines, self.macros = [], [], []
        self.procs, self.worker = [], None
        self.max_procs = self.copies = 0
        self.todo = []
        self.left = 0                   # statements that this process may still have

    # -- choices ---------------------------------------------------------------

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return items[self.rng.randrange(len(items))]

    def weighted(self, table):
        total = sum(weight for _, weight in table)
        at = self.rng.random() * total
        for item, weight in table:
            at -= weight
            if at < 0:
                return item
        return table[-1][0]

    def has(self, feature):
        return feature in self.features

    def use(self, feature):
        self.used.add(feature)

    def choose_features(self, wanted):
        without = {w[1:] for w in wanted if w.startswith("-")}
        exact = [w for w in wanted if not w.startswith("-")]
        for name in list(without) + exact:
            if name not in FEATURES:
                raise SystemExit(f"generate.py: unknown feature '{name}'")
        table = [(f, w) for f, w in FEATURES.items() if f not in without]
        chosen = list(exact)
        if not exact:
            for _ in range(self.pick((2, 3, 3, 4, 4, 5))):
                left = [(f, w) for f, w in table if f not in chosen]
                chosen.append(self.weighted(left))
        for feature in list(chosen):
            need = NEEDS.get(feature)
            if need == "channel":
                if "buffered" not in chosen and "rendezvous" not in chosen:
                    chosen.append(self.pick(("buffered", "rendezvous")))
            elif need and need not in chosen:
                chosen.append(need)
        if "dynrun" in chosen and "initrun" in chosen and not exact:
            chosen.remove(self.pick(("dynrun", "initrun")))
        if "chanparam" in chosen and "initrun" not in chosen and "dynrun" not in chosen:
            chosen.append("initrun")
        if "params" in chosen and "initrun" not in chosen and "dynrun" not in chosen:
            chosen.append(self.pick(("initrun", "dynrun")))
        if "priority" in chosen and "rendezvous" in chosen:
            chosen.remove("priority")           # Spin refuses the two together
        return chosen

    # -- expressions -----------------------------------------------------------

    def join(self, op, left, right):
        """left op right, with the parentheses that are needed, or some more."""
        level = PREC[op]
        a, la = left
        b, lb = right
        if la < level or self.chance(0.15) and la < ATOM:
            a = f"({a})"
        if lb <= level or self.chance(0.15) and lb < ATOM:
            b = f"({b})"
        return f"{a} {op} {b}", level

    def paren(self, e):
        text, level = e
        return text if level >= ATOM else f"({text})"

    def const(self, limit=3):
        if self.macros and self.has("macro") and self.chance(0.3):
            self.use("macro")
            return "K", ATOM
        return str(self.rng.randint(0, limit)), ATOM

    def index(self, ctx, size, avoid=()):
        """A subscript below `size`; it reads no array and none of `avoid`."""
        if size == 1:
            return "0"
        usable = [v for v in ctx.scope if not v.size and v.typ in UNSIGNED
                  and "[" not in v.name and v.base not in avoid]
        if usable and self.chance(0.6):
            v = self.pick(usable)
            if v.typ in ("bit", "bool") and self.chance(0.6):
                return v.name
            return f"{v.name} % {size}"
        if self.has("pids") and ctx.proc and self.chance(0.4):
            self.use("pids")
            return f"_pid % {size}"
        return str(self.rng.randrange(size))

    def ref(self, ctx, v, constant=False):
        if v.size:
            self.use("arrays")
            at = str(self.rng.randrange(v.size)) if constant \
                else self.index(ctx, v.size, (v.base,))
            return v.name.replace("[]", f"[{at}]", 1) if "[]" in v.name else f"{v.name}[{at}]"
        return v.name

    def numeric(self, ctx):
        return [v for v in ctx.scope if v.typ in RANK]

    def atom(self, ctx):
        table = [("const", 1.2), ("var", 7)]
        if ctx.proc:
            if self.has("pids"):
                table += [("pid", 1.5), ("nrpr", 1)]
            if self.has("priority"):
                table += [("prio", 0.7)]
            if self.has("pcvalue"):
                table += [("pcvalue", 1.5)]
            if self.has("last"):
                table += [("last", 1.5)]
            if self.has("remote") and ctx.mode != "dstep":
                table += [("remote", 3)]
            if self.has("probe"):
                table += [("len", 1.5)]
        what = self.weighted(table)
        if what == "var":
            usable = self.numeric(ctx)
            if usable:
                return self.ref(ctx, self.pick(usable)), ATOM
        elif what == "pid":
            self.use("pids")
            return "_pid", ATOM
        elif what == "nrpr":
            self.use("pids")
            return "_nr_pr", ATOM
        elif what == "prio":
            self.use("priority")
            return (f"get_priority({self.rng.randrange(max(1, self.max_procs))})", ATOM) \
                if self.chance(0.6) else ("_priority", ATOM)
        elif what == "pcvalue":
            self.use("pcvalue")
            return f"pc_value({self.rng.randrange(max(1, self.max_procs))})", ATOM
        elif what == "last":
            self.use("last")
            return "_last", ATOM
        elif what == "remote":
            remote = self.remote_var(ctx)
            if remote:
                return remote
        elif what == "len":
            buffered = [c for c in self.usable_chans(ctx) if c.capacity]
            if buffered:
                self.use("probe")
                return f"len({self.chan_ref(ctx, self.pick(buffered))})", ATOM
        return self.const()

    def expr(self, ctx, depth=2):
        if depth <= 0 or self.chance(0.35):
            return self.atom(ctx)
        table = [("add", 4), ("mod", 2), ("compare", 2)]
        if self.has("arith"):
            table += [("mul", 3), ("div", 2), ("bits", 4), ("shift", 4), ("minus", 2), ("not", 2)]
        if self.has("cond"):
            table += [("cond", 5)]
        if self.has("macro") and self.macros:
            table += [("macro", 3)]
        what = self.weighted(table)
        if what == "add":
            return self.join(self.pick("+-"), self.expr(ctx, depth - 1), self.expr(ctx, depth - 1))
        if what == "mod":
            return self.join("%", self.expr(ctx, depth - 1), (str(self.rng.randint(2, 4)), ATOM))
        if what == "compare":
            return self.compare(ctx, depth - 1)
        if what in ("mul", "div", "bits", "shift", "minus", "not"):
            self.use("arith")
        if what == "mul":
            return self.join("*", self.expr(ctx, depth - 1), (str(self.rng.randint(0, 5)), ATOM))
        if what == "div":
            return self.join("/", self.expr(ctx, depth - 1), (str(self.rng.randint(1, 3)), ATOM))
        if what == "bits":
            return self.join(self.pick("&|^"), self.expr(ctx, depth - 1), self.expr(ctx, depth - 1))
        if what == "shift":
            left = self.atom(ctx)
            if self.chance(0.3):
                left = (str(self.rng.randint(1, 40)), ATOM)
            by = str(self.rng.randint(0, 4))
            usable = [v for v in ctx.scope if not v.size and v.typ in UNSIGNED]
            if usable and self.chance(0.4):
                by = f"({self.pick(usable).name} % 4)"
            return self.join(self.pick(("<<", ">>")), left, (by, ATOM))
        if what == "minus":
            return "-" + self.paren(self.atom(ctx)), UNARY
        if what == "not":
            return "~" + self.paren(self.atom(ctx)), UNARY
        if what == "cond":
            self.use("cond")
            test = self.compare(ctx, depth - 1)
            yes, no = self.expr(ctx, depth - 1), self.expr(ctx, depth - 1)
            return f"({test[0]} -> {yes[0]} : {no[0]})", ATOM
        self.use("macro")
        return f"NEXT({self.expr(ctx, depth - 1)[0]})", ATOM

    def compare(self, ctx, depth=1):
        mtyped = [v for v in ctx.scope if v.typ == "mtype"]
        if mtyped and self.chance(0.35):
            self.use("mtypes")
            v = self.pick(mtyped)
            return f"{self.ref(ctx, v)} {self.pick(('==', '!='))} {self.pick(self.mtypes)}", 6
        if self.has("macro") and self.macros and self.chance(0.15):
            self.use("macro")
            return f"BOTH({self.atom(ctx)[0]}, {self.compare(ctx, 0)[0]})", ATOM
        if self.has("probe") and self.chance(0.12):
            found = self.poll_test(ctx)
            if found:
                return found
        right = self.const() if self.chance(0.6) else self.expr(ctx, depth - 1)
        return self.join(self.pick(("==", "!=", "<", ">", "<=", ">=")),
                         self.expr(ctx, depth), right)

    def condition(self, ctx, depth=1):
        """A guard; may hold probes, which cannot be negated or compared."""
        if self.has("remote") and ctx.proc and ctx.mode != "dstep" and self.chance(0.25):
            label = self.remote_label(ctx)
            if label:
                return label
        if self.has("probe") and ctx.proc and self.chance(0.35):
            probe = self.probe(ctx)
            if probe:
                if self.chance(0.3):
                    return self.join(self.pick(("&&", "||")), probe, self.compare(ctx, depth))
                return probe
        if self.chance(0.2):
            return self.join(self.pick(("&&", "||")), self.compare(ctx, depth),
                             self.compare(ctx, depth))
        if self.chance(0.12):
            return "!" + self.paren(self.atom(ctx)), UNARY
        if self.chance(0.08):
            return self.atom(ctx)
        return self.compare(ctx, depth)

    def probe(self, ctx):
        usable = [c for c in self.usable_chans(ctx) if c.capacity]
        if not usable:
            return None
        self.use("probe")
        name = self.chan_ref(ctx, self.pick(usable))
        return f"{self.pick(('full', 'empty', 'nfull', 'nempty'))}({name})", ATOM

    def poll_test(self, ctx):
        """q?[..] and q??[..], which are expressions"""
        if not ctx.proc:
            return None
        usable = [c for c in self.usable_chans(ctx) if c.capacity and "chan" not in c.fields
                  and not any(f in self.struct_names() for f in c.fields)]
        if not usable:
            return None
        c = self.pick(usable)
        args = self.receive_args(ctx, c, poll=True)
        if args is None:
            return None
        self.use("poll")
        op = "??" if self.has("randrecv") and self.chance(0.5) else "?"
        text = f"{self.chan_ref(ctx, c)}{op}[{args}]"
        # Spin writes a poll without parentheses around it, and as a position: compare it with 0.
        return (f"!({text})", UNARY) if self.chance(0.3) else (f"(({text}) != 0)", ATOM)

    def remote_targets(self, ctx):
        return [p for p in self.procs if p.pid is not None and p is not ctx.proc]

    def remote_var(self, ctx):
        found = [(p, v) for p in self.remote_targets(ctx) for v in p.vars
                 if v.typ in RANK and not v.size and not v.inner and "." not in v.name
                 and v.name not in [w.name for w in ctx.proc.vars if w.size]]
        if not found:
            return None
        self.use("remote")
        p, v = self.pick(found)
        return f"({p.name}[{p.pid + self.rng.randrange(p.copies)}]:{v.name})", ATOM

    def remote_label(self, ctx):
        found = [(p, l) for p in self.remote_targets(ctx) for l in p.known]
        if not found:
            return None
        self.use("remote")
        p, label = self.pick(found)
        if p.copies == 1 and self.chance(0.3):
            return f"({p.name}@{label})", ATOM
        return f"({p.name}[{p.pid + self.rng.randrange(p.copies)}]@{label})", ATOM

    # -- declarations ----------------------------------------------------------

    def scalar_type(self):
        if self.has("types"):
            t = self.pick(("bit", "bool", "byte", "short", "int", "unsigned", "pid"))
            if t not in ("bit", "bool", "byte"):
                self.use("types")
            return t
        return self.pick(("bit", "bool", "byte", "byte"))

    def initial(self, typ, width=0):
        if typ in ("bit", "bool"):
            return self.pick(("0", "1", "true", "false"))
        if typ == "mtype":
            return self.pick(self.mtypes)
        if typ in ("short", "int") and self.chance(0.2):
            return f"-{self.rng.randint(1, 2)}"
        return str(self.rng.randint(0, 2 if typ != "unsigned" else min(2, (1 << width) - 1)))

    def declare(self, name, typ, size=0, local=False, init=None):
        """(text, Var)"""
        width = self.rng.randint(1, 3) if typ == "unsigned" else 0
        text = f"{typ} {name}"
        if width:
            text += f" : {width}"
        if size:
            text += f"[{size}]"
        v = Var(name, typ, size, local, width)
        if init is None and self.chance(0.4):
            init = self.initial(typ, width)
            if size and self.chance(0.5) and typ not in ("mtype",):
                count = self.rng.randint(1, size)
                init = "{" + ", ".join(str(self.rng.randint(0, 1)) for _ in range(count)) + "}"
            elif size and init.startswith("-"):
                init = "1"
        if init:
            text += f" = {init}"
        return text, v

    def make_globals(self):
        out = []
        if self.has("macro"):
            out += [f"#define K {self.rng.randint(2, 3)}",
                    "#define NEXT(v) ((v + 1) % K)", "#define BOTH(a, b) (a && b)"]
            self.macros = ["K"]
        if self.has("mtypes"):
            names = ["red", "green", "blue", "ack", "nak"][:self.rng.randint(2, 5)]
            if self.chance(0.3) and len(names) > 3:
                out += ["mtype = { %s };" % ", ".join(names[:2]),
                        "mtype = { %s };" % ", ".join(names[2:])]
            else:
                out += ["mtype = { %s };" % ", ".join(names)]
            self.mtypes = names
            self.use("mtypes")
        if self.has("structs"):
            out += self.make_struct()
        count = self.rng.randint(1, 2) if self.size < 3 else self.rng.randint(2, 3)
        for i in range(count):
            text, v = self.declare(f"g{i}", self.scalar_type())
            if self.chance(0.05):
                text = "show " + text
            out.append(text + ";")
            self.globals.append(v)
        if self.has("arrays"):
            text, v = self.declare("ga", self.pick(("bit", "bool", "byte", self.scalar_type()))
                                   .replace("unsigned", "byte"), self.pick((2, 2, 2, 3)))
            out.append(text + ";")
            self.globals.append(v)
            self.use("arrays")
        if self.mtypes:
            text, v = self.declare("gm", "mtype")
            out.append(text + ";")
            self.globals.append(v)
        for name in self.structs:
            size = 2 if self.chance(0.3) else 0
            var = f"r{name}"
            out.append(f"{name} {var}{f'[{size}]' if size else ''};")
            self.globals += self.struct_vars(name, var, size)
            self.use("structs")
        out += self.make_chans()
        if self.has("inline"):
            out += self.make_inlines()
        return out

    def make_struct(self):
        fields = []
        for i in range(self.rng.randint(1, 2)):
            t = self.pick(("bit", "byte", "bool", "short" if self.has("types") else "byte"))
            size = 2 if self.has("arrays") and self.chance(0.4) and not self.has("structmsg") else 0
            fields.append((t, f"f{i}", size))
        self.fields = {"S": fields}
        self.structs = ["S"]
        body = "; ".join(f"{t} {n}{f'[{s}]' if s else ''}" for t, n, s in fields)
        out = ["typedef S { %s };" % body]
        if self.chance(0.25) and not self.has("structmsg"):
            inner = self.pick(("S s0", "S s0[2]"))
            out.append("typedef T { %s; bit h };" % inner)
            self.fields["T"] = [("S", "s0", 2 if "[" in inner else 0), ("bit", "h", 0)]
            self.structs = ["T"]
        return out

    def struct_names(self):
        return self.structs

    def struct_vars(self, name, path, size, local=False):
        """The leaves of a struct variable as Vars; arrays of structs by constant index."""
        out = []
        for i in range(size or 1):
            here = f"{path}[{i}]" if size else path
            for t, field, count in self.fields[name]:
                if t in self.fields:
                    out += self.struct_vars(t, f"{here}.{field}", count, local)
                else:
                    v = Var(f"{here}.{field}", t, count, local)
                    v.base = re.split(r"[.\[]", path)[0]
                    out.append(v)
        return out

    def field_types(self):
        table = ["bit", "bool", "byte", "byte"]
        if self.has("types"):
            table += ["short", "int"]
        fields = [self.pick(table) for _ in range(self.pick((1, 1, 2)))]
        if len(fields) == 2 and self.chance(0.7):
            fields[self.rng.randrange(2)] = "bit"
        if self.mtypes and self.chance(0.7):
            fields[0] = "mtype"
        return fields

    def make_chans(self):
        out = []
        kinds = [k for k in ("rendezvous", "buffered") if self.has(k)]
        if not kinds:
            return out
        for i, kind in enumerate(kinds):
            capacity = 0 if kind == "rendezvous" else self.pick((1, 1, 2))
            self.use(kind)
            size = 2 if self.has("chanarray") and (i == 0 or self.chance(0.3)) else 0
            if size:
                self.use("chanarray")
                capacity = min(capacity, 1)
            self.chans.append(Chan(f"q{i}", capacity, self.field_types(), size))
        if self.has("structmsg") and "S" in self.structs:
            self.chans.append(Chan("qs", self.pick((0, 1, 1)) or int(self.has("priority")), ["S"]))
            self.use("structmsg")
        if self.has("chanmsg"):
            self.chans.append(Chan("qc", self.pick((0, 1)) or int(self.has("priority")), ["chan"]))
        for c in self.chans:
            c.clean = not (self.has("arith") and self.chance(0.6))
            out.append(self.chan_decl(c))
        return out

    @staticmethod
    def chan_decl(c):
        size = f"[{c.size}]" if c.size else ""
        return f"chan {c.name}{size} = [{c.capacity}] of {{ {', '.join(c.fields)} }};"

    def make_inlines(self):
        v = self.pick((
            ["inline step(v, k) {", "\tv = (v + k) % 3", "}"],
            ["inline step(v, k) {", "\tif", "\t:: v < 2 -> v++", "\t:: else -> v = k % 2",
             "\tfi", "}"],
            ["inline step(v, k) {", "\tbyte tmp;", "\ttmp = (k * 2) % 3;",
             "\tv = (v + tmp) % 3", "}"],
            ["inline step(v, k) {", "\tv = 0;", "\tif", "\t:: k > 1 -> skip",
             "\t:: else -> v = 1; printf(\"k\\n\")", "\tfi", "}"],
        ))
        self.inlines = ["step"]
        return v

    def new_local(self, proc, typ, init=None, counter=False):
        name = f"l{proc.locals}"
        proc.locals += 1
        text, v = self.declare(name, typ, local=True, init=init)
        proc.decls.append(text)
        proc.vars.append(v)
        v.fixed = counter
        return v

    # -- channels in statements ------------------------------------------------

    def usable_chans(self, ctx):
        return self.chans + (ctx.proc.chans if ctx.proc else [])

    def chan_ref(self, ctx, c, constant=True):
        if not c.size:
            return c.name
        if not constant and self.chance(0.5):
            return f"{c.name}[{self.index(ctx, c.size)}]"
        if self.has("pids") and self.chance(0.3):
            self.use("pids")
            return f"{c.name}[_pid % {c.size}]"
        return f"{c.name}[{self.rng.randrange(c.size)}]"

    def bit_value(self, ctx):
        """An expression that is 0 or 1"""
        bits = [v for v in ctx.scope if v.typ in ("bit", "bool") and not v.size]
        if bits and self.chance(0.4):
            return self.pick(bits).name
        return self.compare(ctx, 1)[0]

    def value_for(self, ctx, typ, clean=True):
        if typ == "mtype":
            self.use("mtypes")
            known = [v for v in ctx.scope if v.typ == "mtype"]
            if known and self.chance(0.25):
                return self.ref(ctx, self.pick(known))
            return self.pick(self.mtypes)
        if self.chance(0.4):
            return str(self.rng.randint(0, 2 if typ not in ("bit", "bool") else 1))
        if typ in ("bit", "bool"):
            return self.bit_value(ctx) if clean else self.expr(ctx, 1)[0]
        e = self.atom(ctx)
        if self.has("arith") and self.chance(0.2):
            self.use("arith")
            return self.join("+", (self.pick(("254", "65534", "127")), ATOM),
                             self.join("%", e, ("3", ATOM)))[0]
        return self.join("%", e, (self.pick("234"), ATOM))[0]

    def send(self, ctx, c):
        if c.fields == ["S"]:
            owner = self.whole_struct(ctx)
            if owner is None:
                return None
            self.use("structmsg")
            return Stmt(f"{self.chan_ref(ctx, c, False)}!{owner}", "chan" if c.capacity else "rv", True)
        if "chan" in c.fields:
            return None
        args = [self.value_for(ctx, f, c.clean) for f in c.fields]
        op = "!"
        if c.capacity and self.has("sorted") and self.chance(0.6):
            op = "!!"
            self.use("sorted")
        text = ", ".join(args)
        if len(args) == 2 and self.chance(0.4):
            text = f"{args[0]}({args[1]})"
        return Stmt(f"{self.chan_ref(ctx, c, False)}{op}{text}",
                    "chan" if c.capacity else "rv", True)

    def whole_struct(self, ctx):
        found = sorted({v.base for v in self.globals if "." in v.name and "[" not in v.name})
        return self.pick(found) if found else None

    def receive_args(self, ctx, c, poll=False):
        """Fields of a receive.  A variable is at least as wide as its field, is
        named once, has no variable index, and isn't read by an eval beside it."""
        taken, args = set(), []
        for typ in c.fields:
            table = [("var", 6), ("any", 1)]
            if self.has("match"):
                table += [("const", 4), ("eval", 4)]
            elif self.has("randrecv") or self.has("mtypes") and typ == "mtype":
                table += [("const", 4)]
            if poll:
                table = [("const", 4), ("eval", 2), ("var", 2)]
            what = self.weighted(table)
            if what == "const":
                self.use("match")
                args.append(self.pick(self.mtypes) if typ == "mtype" else
                            str(self.rng.randint(0, 1 if typ in ("bit", "bool") else 2)))
                continue
            if what == "eval":
                readable = [v for v in ctx.scope if not v.size and v.base not in taken
                            and (v.typ == "mtype") == (typ == "mtype")]
                if readable:
                    v = self.pick(readable)
                    taken.add(v.base)
                    self.use("match")
                    more = self.pick(("", "", " + 1")) if typ != "mtype" else ""
                    args.append(f"eval({v.name}{more})")
                    continue
            if what in ("var", "eval"):
                fits = [v for v in ctx.scope if not v.fixed and v.base not in taken
                        and (v.typ == "mtype" if typ == "mtype" else
                             v.typ in RANK and RANK[v.typ] >= RANK[typ]
                             and (c.clean or RANK[v.typ] >= RANK["byte"]))]
                if fits:
                    v = self.pick(fits)
                    taken.add(v.base)
                    args.append(self.ref(ctx, v, constant=True))
                    continue
            if poll:
                args.append(self.pick(self.mtypes) if typ == "mtype" else "1")
                continue
            args.append("_")
        if len(args) == 2 and not poll and self.chance(0.4):
            return f"{args[0]}({args[1]})"
        return ", ".join(args)

    def receive(self, ctx, c):
        lead = "chan" if c.capacity else "rv"
        if c.fields == ["S"]:
            owner = self.whole_struct(ctx)
            if owner is None:
                return None
            self.use("structmsg")
            return Stmt(f"{self.chan_ref(ctx, c)}?{owner}", lead, True)
        if "chan" in c.fields:
            return None
        args = self.receive_args(ctx, c)
        op = "?"
        if c.capacity and self.has("randrecv") and self.chance(0.6):
            op = "??"
            self.use("randrecv")
        if c.capacity and self.has("poll") and ctx.mode != "dstep" and self.chance(0.4):
            self.use("poll")
            args = f"<{args}>"
        return Stmt(f"{self.chan_ref(ctx, c)}{op}{args}", lead, True)

    def io(self, ctx):
        """A send or receive, by the role that the process has on the channel."""
        usable = self.usable_chans(ctx)
        if ctx.mode == "dstep":
            usable = [c for c in usable if c.capacity]
        if not usable:
            return None
        c = self.pick(usable)
        role = ctx.proc.role.setdefault(c.name, self.pick(("s", "r", "sr")))
        what = role if len(role) == 1 else "s" if self.chance(0.55) else "r"
        return self.send(ctx, c) if what == "s" else self.receive(ctx, c)

    # -- statements ------------------------------------------------------------

    def writable(self, ctx):
        return [v for v in ctx.scope if not v.fixed]

    def bounded(self, ctx, v):
        """An expression for a variable of a wide type, with few values."""
        what = self.weighted([("const", 3), ("mod", 5), ("copy", 1),
                              ("trunc", 3 if self.has("arith") else 0)])
        if what == "mod":
            k = str(self.rng.randint(2, 3))
            return self.join("%", self.expr(ctx, 2), (k, ATOM))[0]
        if what == "copy":
            other = [w for w in ctx.scope if w.typ in RANK and RANK[w.typ] <= RANK[v.typ]
                     and not w.size]
            if other:
                return self.pick(other).name
        if what == "trunc":
            self.use("arith")
            base = {"short": "32766", "int": "70000"}.get(v.typ, "254")
            return self.join("+", (base, ATOM), self.join("%", self.expr(ctx, 1), ("3", ATOM)))[0]
        return self.const(2)[0]

    def assign(self, ctx):
        usable = self.writable(ctx)
        if not usable:
            return Stmt("skip")
        v = self.pick(usable)
        where = self.ref(ctx, v)
        if v.typ == "mtype":
            self.use("mtypes")
            return Stmt(f"{where} = {self.pick(self.mtypes)}")
        # an array of bits is an array of bytes to Spin: don't let it grow
        if v.typ in NARROW and not v.size:
            if self.chance(0.4):
                return Stmt(where + self.pick(("++", "--")))
            return Stmt(f"{where} = {self.expr(ctx, 2)[0]}")
        if v.typ == "pid" and self.chance(0.4):
            return Stmt(f"{where} = _pid")
        if self.chance(0.35):
            return Stmt(f"{where} = ({where} + {self.rng.randint(1, 2)}) % "
                        f"{self.rng.randint(2, 3)}")
        return Stmt(f"{where} = {self.bounded(ctx, v)}")

    def bump(self, ctx):
        """x < 2 -> x++, or the other way round"""
        usable = [v for v in self.writable(ctx) if v.typ in RANK and not v.size]
        if not usable:
            return None
        v = self.pick(usable)
        if self.chance(0.6):
            return [f"{v.name} < {self.rng.randint(1, 2)}", f"{v.name}++"]
        return [f"{v.name} > 0", f"{v.name}--"]

    def simple(self, ctx):
        """One step that never blocks."""
        table = [("assign", 8), ("skip", 0.6)]
        if self.has("printf"):
            table += [("printf", 4)]
        if self.has("assert"):
            table += [("assert", 5)]
        if self.has("inline") and self.inlines:
            table += [("inline", 7)]
        if self.has("priority") and ctx.mode == "normal":
            table += [("priority", 3)]
        what = self.weighted(table)
        if what == "printf":
            self.use("printf")
            mtyped = [v for v in ctx.scope if v.typ == "mtype" and not v.size]
            if mtyped and self.chance(0.5):
                v = self.pick(mtyped).name
                return Stmt(self.pick((f"printm({v})", f'printf("%e\\n", {v})')))
            return Stmt(f'printf("v=%d\\n", {self.atom(ctx)[0]})')
        if what == "assert":
            self.use("assert")
            if self.chance(0.4):                # one that holds, mostly
                return Stmt(f"assert({self.atom(ctx)[0]} < {self.rng.randint(3, 300)})")
            return Stmt(f"assert({self.compare(ctx, 1)[0]})")
        if what == "inline":
            usable = [v for v in self.writable(ctx) if v.typ in ("byte", "short", "int")]
            if usable:
                self.use("inline")
                v = self.ref(ctx, self.pick(usable), constant=True)
                arg = self.join(self.pick("+-"), self.atom(ctx), self.const())[0] \
                    if self.chance(0.4) else self.atom(ctx)[0]
                return Stmt(f"step({v}, {arg})", label_ok=False)
        if what == "priority":
            self.use("priority")
            # never the pid of a process that may be gone: Spin undoes that wrongly
            who = "_pid" if self.chance(0.6) else str(self.rng.randrange(ctx.proc.low))
            level = str(self.rng.randint(1, 4))
            return Stmt(f"set_priority({who}, {level})")
        if what == "skip":
            return Stmt(self.pick(("skip", "true")))
        return self.assign(ctx)

    def guard(self, ctx):
        """What an option or an escape starts with."""
        table = [("cond", 5), ("bump", 3), ("assign", 1.5), ("true", 1)]
        if self.usable_chans(ctx):
            table += [("io", 7)]
        if self.has("timeout") and ctx.mode != "dstep":
            table += [("timeout", 4)]
        if self.worker and ctx.mode == "normal" and ctx.proc is not self.worker:
            table += [("run", 3)]
        if ctx.depth < 3 and ctx.mode == "normal":
            if self.has("atomic"):
                table += [("atomic", 2)]
            if self.has("dstep"):
                table += [("dstep", 2)]
        if self.has("chanmsg") and ctx.mode == "normal":
            table += [("chanmsg", 4)]
        what = self.weighted(table)
        if "run" in self.todo and any(name == "run" for name, _ in table):
            what = "run"
            self.todo.remove("run")
        if what == "io":
            return self.io(ctx)
        if what == "bump":
            pair = self.bump(ctx)
            return Stmt(" -> ".join(pair), None, True) if pair else None
        if what == "assign":
            return self.assign(ctx)
        if what == "true":
            return Stmt(self.pick(("true", "skip", "1")))
        if what == "timeout":
            self.use("timeout")
            return Stmt("timeout", None, True)
        if what == "run":
            return self.run_worker(ctx)
        if what == "atomic":
            return self.s_atomic(ctx)
        if what == "dstep":
            return self.s_dstep(ctx)
        if what == "chanmsg":
            return self.s_chanmsg(ctx)
        return self.guard_cond(ctx)

    def guard_cond(self, ctx):
        text = self.condition(ctx)[0]
        lead = "chan" if re.search(r"\b(n?full|n?empty)\(", text) else None
        return Stmt(text, lead, True)

    def some_guard(self, ctx):
        for _ in range(5):
            g = self.guard(ctx)
            if g:
                return g
        return self.guard_cond(ctx)

    def sequence(self, ctx, count, blocking=True):
        out = []
        for i in range(count):
            s = self.statement(ctx, blocking)
            if s is None:
                continue
            s = self.maybe_label(ctx, s, len(out) > 0)
            out.append(s)
            if s.jumps:
                break
        return out or [self.simple(ctx)]

    def maybe_label(self, ctx, s, later):
        """Labels stand at the top of a body, or inside an atomic but not first."""
        proc = ctx.proc
        if not s.label_ok or s.jumps or ctx.mode == "dstep":
            return s
        if not (ctx.top or later and ctx.mode == "atomic" and ctx.depth <= 2):
            return s
        label = None
        if proc.pending and self.chance(0.5):
            label = proc.pending.pop(0)
        elif self.has("endlabels") and ctx.top and self.chance(0.25):
            self.use("endlabels")
            label = self.new_label(proc, self.pick(("end", "end", "progress", "accept")))
        elif ctx.top and (self.has("goto") or self.has("remote")) and self.chance(0.4):
            label = self.new_label(proc, "L")
        if label:
            if ctx.top:
                proc.known.append(label)
            s.lines = [f"{label}: {s.lines[0]}"] + s.lines[1:]
            s.label_ok = False
        return s

    @staticmethod
    def new_label(proc, stem):
        proc.labels += 1
        return f"{stem}{proc.labels}"

    @staticmethod
    def flat(statements, arrow=False):
        """Statements joined by semicolons, one per line or more."""
        out = []
        for i, s in enumerate(statements):
            if i and s.starts_dstep() and statements[i - 1].leaves_loop():
                out.append("skip;")             # Spin: "jump into d_step sequence"
            lines = list(s.lines)
            if i + 1 < len(statements):
                lines[-1] += " ->" if arrow and i == 0 else ";"
            out += lines
        return out

    def option(self, ctx, statements, arrow):
        lines = self.flat(statements, arrow)
        return [":: " + lines[0]] + ["   " + line for line in lines[1:]]

    def statement(self, ctx, blocking=True):
        table = [("simple", 9)]
        self.left -= 1
        deep = ctx.depth >= 3 or self.left <= 0
        normal = ctx.mode == "normal"
        if blocking and ctx.mode != "dstep":
            table += [("cond", 0.6)]
            if self.usable_chans(ctx):
                table += [("io", 6)]
            if self.worker and ctx.proc is not self.worker and normal:
                table += [("run", 1.5)]
            if self.has("chanmsg"):
                table += [("chanmsg", 2)]
        if not deep:
            table += [("if", 3)]
            if normal:
                table += [("do", 1)]
            if self.has("for"):
                table += [("for", 4)]
            if not normal and self.chance(0.3):
                table += [("count", 2)]
            if normal and self.has("atomic"):
                table += [("atomic", 6)]
            if ctx.mode != "dstep" and self.has("dstep"):
                table += [("dstep", 5)]
            if ctx.mode != "dstep" and self.has("unless") and not ctx.no_unless:
                table += [("unless", 6)]
            if self.has("blocks"):
                table += [("block", 5)]
        if ctx.mode != "dstep" and self.has("select"):
            table += [("select", 3)]
        if self.has("goto") and ctx.mode != "dstep" and ctx.depth:
            table += [("goto", 3)]
        if ctx.can_break and ctx.depth:
            table += [("break", 0.7)]
        urgent = [f for f in self.todo if any(name == f for name, _ in table)]
        what = self.pick(urgent) if urgent and self.chance(0.5) else self.weighted(table)
        if what in self.todo:
            self.todo.remove(what)
        return getattr(self, "s_" + what)(ctx)

    def s_simple(self, ctx):
        return self.simple(ctx)

    def s_cond(self, ctx):
        return self.guard_cond(ctx)

    def s_io(self, ctx):
        return self.io(ctx)

    def s_run(self, ctx):
        return self.run_worker(ctx)

    def s_break(self, ctx):
        return Stmt("break", jumps=True)

    def s_goto(self, ctx):
        proc = ctx.proc
        self.use("goto")
        back = [l for l in proc.known if l.startswith("L")]
        if back and ctx.mode == "normal" and self.chance(0.6):
            return Stmt(f"goto {self.pick(back)}", jumps=True)
        if proc.pending and self.chance(0.5):
            return Stmt(f"goto {self.pick(proc.pending)}", jumps=True)
        label = self.new_label(proc, "F")
        proc.pending.append(label)
        return Stmt(f"goto {label}", jumps=True)

    def choice(self, ctx, word, options, with_else):
        """if or do; `else` is left out where Spin's is dubious, unless asked for."""
        for o in options:
            if o[0].starts_else:                # Spin: "inherits 2 'else' stmnts"
                o.insert(0, Stmt("skip"))
        lead = None
        for o in options:
            if o[0].lead == "rv" or lead is None:
                lead = o[0].lead or lead
        direct = all(len(o[0].lines) == 1 or o[0].lead is None for o in options)
        if with_else and lead:
            if not self.has("badelse") or not direct:
                with_else = False
            else:
                self.use("badelse")
        lines = [word]
        texts = [self.option(ctx, o, o[0].guard and self.chance(0.7)) for o in options]
        if with_else:
            body = with_else if isinstance(with_else, list) else []
            texts.insert(self.rng.randint(0, len(texts)) if self.chance(0.2) else len(texts),
                         self.option(ctx, [Stmt("else")] + body, True))
        for t in texts:
            lines += t
        lines.append({"if": "fi", "do": "od"}[word])
        made = Stmt(lines, lead)
        made.starts_else = bool(with_else) or any(o[0].starts_else for o in options)
        return made

    def branch(self, ctx, longest=2):
        out = [self.some_guard(ctx)]
        count = self.rng.randint(0, longest) if self.left > 0 else 0
        if count and not out[0].jumps:
            out += self.sequence(ctx, count, self.chance(0.4))
        if out[0].is_constant() and len(out) > 1 and out[1].jumps:
            out[0] = self.assign(ctx)           # `true; goto L` at L is a self-loop
        return out

    def dstep_branch(self, ctx):
        g = Stmt(self.compare(ctx, 1)[0], None, True) if self.chance(0.7) else self.simple(ctx)
        return [g] + ([self.simple(ctx)] if self.chance(0.6) else [])

    def s_if(self, ctx):
        inner = ctx.inside()
        if ctx.mode == "dstep":
            options = [self.dstep_branch(inner) for _ in range(self.rng.randint(1, 2))]
            return self.choice(ctx, "if", options, [self.simple(inner)])
        options = [self.branch(inner) for _ in range(self.rng.randint(1, 3))]
        for o in options:
            if not o[0].guard and len(o[0].lines) == 1 and self.has("goto") and self.chance(0.2):
                o[:] = [self.s_goto(inner)]
        other = self.sequence(inner, 1, False) if self.chance(0.6) else True
        often = 0.9 if self.has("badelse") else 0.75
        return self.choice(ctx, "if", options, other if self.chance(often) else None)

    def s_do(self, ctx, options=None, leave=None, moves=False):
        inner = ctx.inside(can_break=True)
        count = options or self.rng.randint(1, 2 if self.left > 0 else 1)
        made = [self.branch(inner, 1 if self.size < 3 else 2) for _ in range(count)]
        if moves:                               # an option that nothing can block
            made.append([self.assign(inner)])
            if self.usable_chans(ctx) and self.chance(0.7):
                s = self.io(inner)
                if s:
                    made.append([s] + ([self.assign(inner)] if self.chance(0.3) else []))
        leave = self.chance(0.8) if leave is None else leave
        if leave:
            made.append([self.some_guard(inner), Stmt("break")] if self.chance(0.7)
                        else [Stmt("break")])
            if made[-1][0].jumps:
                made[-1] = made[-1][:1]
        for o in made:
            if len(o) == 1 and o[0].is_constant():
                o.append(self.assign(inner))
        self.rng.shuffle(made)
        other = None
        if self.chance(0.25):
            other = self.pick(([Stmt("break")], True, [self.simple(inner)]))
        return self.choice(ctx, "do", made, other)

    def counter(self, ctx):
        free = [v for v in ctx.proc.vars if v.typ == "byte" and getattr(v, "counter", False)
                and not v.busy]
        if not free:
            name = f"c{ctx.proc.locals}"
            ctx.proc.locals += 1
            v = Var(name, "byte", local=True)
            v.fixed = v.counter = True
            v.busy = False
            ctx.proc.decls.append(f"byte {name}")
            ctx.proc.vars.append(v)
            ctx.proc.counters.append(v)
            return v
        return self.pick(free)

    def s_for(self, ctx):
        self.use("for")
        v = self.counter(ctx)
        v.busy = True
        inner = ctx.inside(can_break=ctx.mode != "dstep")
        inner.scope = inner.scope + [v]
        if ctx.mode == "dstep":
            body = [self.simple(inner)]
        else:
            body = self.sequence(inner, self.rng.randint(1, 2), self.chance(0.4))
        v.busy = False
        arrays = [g for g in self.globals if g.size and "." not in g.name]
        head = f"for ({v.name} : {self.rng.randint(0, 1)} .. {self.rng.randint(1, 2)})"
        if arrays and self.chance(0.3):
            head = f"for ({v.name} in {self.pick(arrays).name})"
        elif self.chance(0.2):
            upper = [u for u in ctx.scope if u.typ in ("bit", "bool") and not u.size]
            if upper:
                head = f"for ({v.name} : 0 .. {self.pick(upper).name})"
        return Stmt([head + " {"] + indent(self.flat(body)) + ["}"], label_ok=False)

    def s_count(self, ctx):
        """A loop for atomic and d_step: do :: c < 2 -> ...; c++ :: else -> break od"""
        v = self.counter(ctx)
        v.busy = True
        inner = ctx.inside(can_break=False)
        inner.scope = inner.scope + [v]
        body = [self.simple(inner)] if ctx.mode == "dstep" else self.sequence(inner, 1, False)
        v.busy = False
        if body[-1].jumps:
            body = [self.simple(inner)]
        options = [[Stmt(f"{v.name} < {self.rng.randint(1, 2)}", None, True)] + body
                   + [Stmt(f"{v.name}++")]]
        loop = self.choice(ctx, "do", options, [Stmt(f"{v.name} = 0"), Stmt("break")])
        return loop

    def s_select(self, ctx):
        usable = [v for v in self.writable(ctx) if v.typ in ("byte", "short", "int", "bit")
                  and not v.size and "." not in v.name]
        if not usable:
            return None
        self.use("select")
        v = self.pick(usable)
        high = 1 if v.typ == "bit" else self.rng.randint(1, 2)
        top = str(high)
        upper = [u for u in ctx.scope if u.typ in ("bit", "bool") and not u.size and u is not v]
        if upper and v.typ != "bit" and ctx.mode == "normal" and self.chance(0.2):
            top = self.pick(upper).name
        return Stmt(f"select({v.name} : 0 .. {top})", label_ok=False)

    def s_atomic(self, ctx):
        if ctx.mode != "normal":
            return None
        self.use("atomic")
        inner = ctx.inside(mode="atomic")
        first = [self.some_guard(inner)] if self.chance(0.5) else []
        body = first + self.sequence(inner, self.rng.randint(1, 3), self.chance(0.5))
        body = self.cut(body)
        return self.around(["atomic {"], body)

    def around(self, head, body, label_ok=True):
        """A block: it starts with what its first statement starts with."""
        made = Stmt(head + indent(self.flat(body)) + ["}"], body[0].lead, label_ok=label_ok)
        made.starts_else = body[0].starts_else
        return made

    @staticmethod
    def cut(body):
        for i, s in enumerate(body):
            if s.jumps:
                return body[:i + 1]
        return body

    def s_dstep(self, ctx):
        if ctx.mode == "dstep":
            return None
        self.use("dstep")
        inner = ctx.inside(mode="dstep")
        body = []
        what = self.weighted([("cond", 2), ("io", 3 if self.usable_chans(ctx) else 0), ("none", 4)])
        if what == "cond":
            body.append(self.guard_cond(inner))
        elif what == "io":
            s = self.io(inner)
            if s:
                body.append(s)
        for _ in range(self.rng.randint(1, 3)):
            s = self.statement(inner)
            if s and not s.jumps:
                body.append(s)
        body = body or [self.simple(inner)]
        if re.match(r"\s*(assert|print)", body[0].lines[0]):
            body.insert(0, self.guard_cond(inner))  # Spin runs these amid a rendezvous
        return self.around(["d_step {"], body, label_ok=False)

    def s_unless(self, ctx):
        self.use("unless")
        inner = ctx.inside()
        kind = self.weighted([("block", 6), ("do", 3 if ctx.mode == "normal" else 0),
                              ("atomic", 2 if ctx.mode == "normal" and self.has("atomic") else 0),
                              ("dstep", 2 if self.has("dstep") else 0)])
        if kind == "do":
            main = self.s_do(inner)
        elif kind == "atomic":
            main = self.s_atomic(inner)
        elif kind == "dstep":
            main = self.s_dstep(inner)
        else:
            body = self.sequence(inner, self.rng.randint(1, 3))
            main = self.around(["{"], body)
        # Spin remembers one enclosing loop only: no loop-unless inside its escape
        escape_ctx = ctx.inside(no_unless=ctx.no_unless or kind == "do")
        for _ in range(8):
            first = self.some_guard(escape_ctx)
            if first.guard and len(first.lines) == 1 and "timeout" not in first.lines[0]:
                break
        else:
            first = self.guard_cond(escape_ctx)
        rest = self.sequence(escape_ctx, self.rng.randint(0, 1), self.chance(0.5)) \
            if self.chance(0.7) else []
        escape = ["{ " + (l if i == 0 else l) for i, l in
                  enumerate(self.flat([first] + rest, True)[:1])] \
            + indent(self.flat([first] + rest, True)[1:])
        escape[-1] += " }"
        lines = main.lines[:-1] + [main.lines[-1] + " unless " + escape[0]] + escape[1:]
        lead = "rv" if "rv" in (main.lead, first.lead) else main.lead or first.lead
        made = Stmt(lines, lead, label_ok=False)
        made.starts_else = main.starts_else
        return made

    def s_block(self, ctx):
        """{ byte t = 1; ... }: sibling blocks may use one name for two things."""
        self.use("blocks")
        inner = ctx.inside()
        typ = self.scalar_type()
        depth = sum(1 for v in ctx.scope if v.inner)
        name = f"b{depth}"
        decl, v = self.declare(name, typ, local=True)
        v.inner = True
        if "=" not in decl and self.chance(0.4) and typ in NARROW:
            decl += " = " + self.expr(inner, 1)[0]
        inner.scope = inner.scope + [v]
        if ctx.mode == "dstep":
            body = [self.simple(inner) for _ in range(2)]
        else:
            body = self.sequence(inner, self.rng.randint(1, 2), self.chance(0.4))
        return self.around(["{ " + decl + ";"], body, label_ok=False)

    def s_chanmsg(self, ctx):
        """Pass a channel on, or receive one and use it at once."""
        carriers = [c for c in self.chans if c.fields == ["chan"]]
        if not carriers:
            return None
        c = carriers[0]
        lead = "chan" if c.capacity else "rv"
        role = ctx.proc.role.setdefault(c.name, self.pick("sr"))
        payload = [k for k in self.chans if k.fields != ["chan"] and k.fields != ["S"]
                   and k.capacity]
        mine = [k for k in ctx.proc.chans if k.local and ctx.proc.immortal]
        first = [k for k in payload if k.fields == payload[0].fields
                 and k.clean == payload[0].clean] if payload else []
        if not first:
            return None
        self.use("chanmsg")
        if role == "s":
            mine = [k for k in mine if k.fields == first[0].fields]
            k = self.pick(first + mine + mine)
            return Stmt(f"{c.name}!{self.chan_ref(ctx, k)}", lead, True)
        known = [v for v in ctx.proc.vars if v.typ == "chan"]
        if not known:
            v = Var(f"h{ctx.proc.locals}", "chan", local=True)
            ctx.proc.locals += 1
            ctx.proc.decls.append(f"chan {v.name}")
            ctx.proc.vars.append(v)
            known = [v]
        alias = Chan(known[0].name, first[0].capacity, first[0].fields)
        alias.clean = first[0].clean and all(k.clean for k in first)
        use = self.send(ctx, alias) if self.chance(0.5) else self.receive(ctx, alias)
        return Stmt([f"{c.name}?{alias.name};"] + use.lines, lead, True, label_ok=False)

    def run_args(self, ctx, proc):
        args = []
        for kind, typ, chan in proc.params:
            if kind == "chan":
                args.append(self.chan_ref(ctx, chan))
            elif typ == "mtype":
                args.append(self.pick(self.mtypes))
            elif typ in NARROW and self.chance(0.5):
                args.append(self.expr(ctx, 1)[0])
            else:
                args.append(str(self.rng.randint(0, 2)))
        return ", ".join(args)

    def run_worker(self, ctx):
        if not self.worker or ctx.mode == "dstep":
            return None
        self.use("dynrun")
        w = self.worker
        call = f"run {w.name}({self.run_args(ctx, w)})"
        if self.has("priority") and self.chance(0.5):
            self.use("priority")
            call += f" priority {self.rng.randint(1, 4)}"
        limit = f"_nr_pr < {self.max_procs}"
        pids = [v for v in self.writable(ctx) if v.typ in ("byte", "pid", "int") and not v.size]
        if pids and self.chance(0.3):
            call = f"{self.pick(pids).name} = {call}"
        if self.chance(0.5) or not ctx.mode == "normal":
            return Stmt(f"{limit} -> {call}", None, True)
        return Stmt(["atomic { " + limit + " ->", "\t" + call, "}"])

    # -- processes -------------------------------------------------------------

    def add_params(self, proc):
        """Parameters for a process that is started by run."""
        if self.has("params") or self.chance(0.3):
            for _ in range(self.rng.randint(1, 2) if self.has("params") else 1):
                typ = self.pick(("byte", "bit", "bool") +
                                (("short", "int") if self.has("types") else ()) +
                                (("mtype",) if self.mtypes else ()))
                name = f"p{len(proc.params)}"
                proc.params.append(("var", typ, None))
                proc.vars.append(Var(name, typ, local=True))
                self.use("params")
        if self.has("chanparam"):
            plain = [c for c in self.chans if c.fields not in (["chan"], ["S"])]
            if plain:
                c = self.pick(plain)
                proc.params.append(("chan", "chan", c))
                proc.chans.append(Chan(f"p{len(proc.params) - 1}", c.capacity, c.fields))
                proc.chans[-1].clean = c.clean
                self.use("chanparam")

    def head(self, proc):
        pars = []
        for i, (kind, typ, _) in enumerate(proc.params):
            pars.append(f"{'chan' if kind == 'chan' else typ} p{i}")
        return f"proctype {proc.name}({'; '.join(pars)})"

    @staticmethod
    def guard_local(proc):
        """With priorities, Spin leaves _priority (and bits) out of the comparison of
        states unless the proctype has a variable wider than a bit."""
        proc.decls.append("byte wide = 1")

    def make_locals(self, proc):
        proc.counters = []
        if self.has("priority"):
            self.guard_local(proc)
        most = (0, 0, 1, 1) if self.size < 3 or self.copies > 2 else (0, 1, 1, 2)
        for _ in range(self.pick(most)):
            self.new_local(proc, self.scalar_type())
        if self.has("arrays") and self.chance(0.2):
            name = f"l{proc.locals}"
            proc.locals += 1
            text, v = self.declare(name, self.pick(("bit", "byte")), 2, True)
            proc.decls.append(text)
            proc.vars.append(v)
        if self.has("structs") and "S" in self.structs and self.chance(0.2):
            name = f"l{proc.locals}"
            proc.locals += 1
            proc.decls.append(f"S {name}")
            proc.vars += self.struct_vars("S", name, 0, True)
            self.use("structs")
        if self.has("localchan"):
            self.use("localchan")
            fields = self.field_types()
            known = [c for c in self.chans if c.capacity and c.fields not in (["chan"], ["S"])]
            if known:
                fields = known[0].fields
            c = Chan("lq", self.rng.randint(1, 2) if not known else known[0].capacity, fields,
                     local=True)
            proc.decls.append(self.chan_decl(c).rstrip(";"))
            proc.chans.append(c)
            proc.role["lq"] = "sr"

    def body(self, proc, shape):
        scope = self.globals + [v for v in proc.vars if not getattr(v, "counter", False)
                                and v.typ != "chan"]
        ctx = Ctx(proc, scope, top=True)
        statements = []
        if shape == "loop":
            if self.chance(0.3):
                statements += self.sequence(ctx, 1)
            loop = self.s_do(ctx, self.rng.randint(1, 1 + (self.size + 1) // 2),
                             self.chance(0.25), self.chance(0.85))
            if self.has("endlabels") and self.chance(0.6):
                self.use("endlabels")
                loop.lines[0] = f"{self.new_label(proc, 'end')}: do"
            elif self.has("remote") or self.has("goto") and self.chance(0.4):
                label = self.new_label(proc, "L")
                loop.lines[0] = f"{label}: do"
                proc.known.append(label)
            statements.append(loop)
            if self.chance(0.4):
                statements += self.sequence(ctx, 1)
        elif shape == "short":
            statements += self.sequence(ctx, self.rng.randint(1, 2))
        elif shape == "goto":
            self.use("goto")
            label = self.new_label(proc, "L")
            first = self.simple(ctx)
            while not first.label_ok or first.jumps:
                first = self.assign(ctx)
            first.lines[0] = f"{label}: {first.lines[0]}"
            first.label_ok = False
            proc.known.append(label)
            statements.append(first)
            statements += self.sequence(ctx, self.rng.randint(1, 1 + self.size))
            guard = self.guard_cond(ctx)
            statements.append(self.choice(ctx, "if", [[guard, Stmt(f"goto {label}", jumps=True)],
                                                      [Stmt("skip")]], None))
        else:
            statements += self.sequence(ctx, self.rng.randint(2, 3 + (self.size + 1) // 2))
        for label in proc.pending:
            statements.append(Stmt(f"{label}: skip"))
        if proc.immortal:
            statements.append(Stmt("endx: false"))
        decls = [d + ";" for d in proc.decls]
        return decls + self.flat(statements)

    def make_proc(self, proc, prefix, shape):
        self.make_locals(proc)
        self.left = 1 if proc.name == "W" else 1 + 2 * self.size - 2 * (self.copies > 2)
        lines = self.body(proc, shape)
        head = prefix + self.promise(self.head(proc))
        if proc.priority:
            head += f" priority {proc.priority}"
        if proc.provided:
            head += f" provided ({proc.provided})"
        return [head, "{"] + indent(lines) + ["}"]

    def promise(self, head):
        """Now and then a D_proctype, by a coin of its own: the rest of the program stays as it is.
        Not with a rendezvous, where Spin counts offers that nobody takes."""
        if self.coin.random() < 0.9 or any(not c.capacity for c in self.chans):
            return head
        return head.replace("proctype", "D_proctype", 1)

    def shape(self):
        return self.weighted([("loop", 7), ("seq", 3), ("goto", 3 if self.has("goto") else 0)])

    def program(self):
        out = self.make_globals()
        count = self.pick((2, 2, 3))
        if self.has("initrun"):
            count = 1
        elif self.has("dynrun"):
            count = self.pick((1, 2))
        elif self.has("multi"):
            count = self.pick((1, 1, 2))
        multi = self.has("multi")
        self.todo = [f for f in ("atomic", "dstep", "unless", "for", "select", "goto", "blocks",
                                 "io", "chanmsg") if self.has(f) or f == "io" and self.chans]
        self.todo = ["block" if f == "blocks" else f for f in self.todo]
        kinds = ["active"] * count
        if self.has("initrun"):
            kinds += ["run"] * self.rng.randint(1, 2 if count == 1 else 1)
        self.copies = len(kinds) + (1 if multi else 0)
        instances = len(kinds) + (1 if multi else 0) + (1 if self.has("initrun") else 0)
        self.max_procs = instances + (1 if self.has("dynrun") else 0)
        if self.has("dynrun"):
            self.todo.append("run")
        text = []
        if self.has("dynrun"):
            w = Proc("W")
            self.add_params(w)
            w.role = {c.name: self.pick("sr") for c in self.chans}
            text += self.make_proc(w, "", "short")
            self.worker = w
        next_pid = 0
        started = []
        for i, kind in enumerate(kinds):
            p = Proc("ABCDE"[i])
            for c in self.chans:
                p.role[c.name] = "sr"[i % 2] if self.chance(0.7) else "sr"
            if self.has("chanmsg") or self.has("localchan"):
                p.immortal = self.has("localchan") and self.has("chanmsg")
            if self.has("priority") and (self.chance(0.6) or not i):
                self.use("priority")
                p.priority = self.rng.randint(1, 4)
            if self.has("provided") and (self.chance(0.4) or i == len(kinds) - 1):
                self.use("provided")
                p.provided = self.enabler()
            prefix = ""
            if kind == "active":
                p.low = next_pid + 1
                prefix = "active "
                if multi and i == 0:
                    self.use("multi")
                    prefix = "active [2] "
                    p.copies = 2
            else:
                self.add_params(p)
                started.append(p)
            text += self.make_proc(p, prefix, "loop" if self.worker and not i else self.shape())
            if kind == "active":
                if not self.has("dynrun"):
                    p.pid = next_pid
                next_pid += p.copies
            self.procs.append(p)
        if self.has("initrun"):
            text += self.make_init(started)
        out += text
        if self.has("trace") or self.has("notrace"):
            out += self.make_trace("trace" if self.has("trace") else "notrace")
        if self.claim:
            out += self.make_claim()
        head = f"/* generate.py --seed {self.seed} --size {self.size}"
        head += ": " + " ".join(sorted(self.used)) + " */"
        return "\n".join([head] + out) + "\n"

    def enabler(self):
        """A provided clause: over globals, and true at first more often than not."""
        simple = [v for v in self.globals if not v.size and v.typ in RANK]
        if self.chance(0.7):
            return f"{self.pick(simple).name} {self.pick(('!=', '<='))} {self.rng.randint(1, 2)}"
        return self.compare(Ctx(None, simple), 0)[0]

    def make_init(self, started):
        self.use("initrun")
        init = Proc("init")
        init.counters = []
        ctx = Ctx(init, list(self.globals), top=False)
        calls = []
        for p in started:
            call = f"run {p.name}({self.run_args(ctx, p)})"
            if self.has("priority") and self.chance(0.4):
                call += f" priority {self.rng.randint(1, 4)}"
            calls.append(Stmt(call))
        if self.chance(0.6):
            lines = ["atomic {"] + indent(self.flat(calls)) + ["}"]
        else:
            lines = self.flat(calls)
        if self.chance(0.4):
            ctx.top = True
            more = self.sequence(ctx, self.rng.randint(1, 2))
            more += [Stmt(f"{label}: skip") for label in init.pending]
            lines[-1] += ";"
            lines += self.flat(more)
        if self.has("priority"):
            self.guard_local(init)
        lines = [d + ";" for d in init.decls] + lines
        head = "init"
        if self.has("priority") and self.chance(0.3):
            head += f" priority {self.rng.randint(1, 4)}"
        return [head + " {"] + indent(lines) + ["}"]

    # -- automata over events and states ---------------------------------------

    def make_trace(self, word):
        """Deterministic: the options of a loop are events on different channels,
        directions, or first fields.  It stands last (Spin needs that)."""
        usable = [c for c in self.chans if c.fields != ["S"] and c.fields != ["chan"]
                  and not c.size]
        # Spin takes a rendezvous that nobody answers for an event: over such a channel only a
        # trace that allows everything is compared.
        if word == "notrace":
            usable = [c for c in usable if c.capacity]
        if not usable:
            return []
        self.use(word)
        c = self.pick(usable)
        rest = "".join(", _" for _ in c.fields[1:])

        def event(op, value):
            return f"{c.name}{op}{value}{rest}"

        some = self.pick(self.mtypes) if c.fields[0] == "mtype" else \
            str(self.rng.randint(0, 1))
        if word == "trace":
            body = self.pick((
                ["do", f":: {event('!', '_')}", f":: {event('?', '_')}", "od"],
                ["do", f":: {event('!', '_')}; {event('?', '_')}", "od"],
                ["do", f":: {event('!', some)}", "od"],
                [f"{event('?', '_')};", "do", f":: {event('?', '_')}", "od"],
                ["do", f":: {event('!', '_')} -> if :: {event('!', '_')} :: {event('?', '_')} fi",
                 f":: {event('?', '_')}", "od"],
            ) if c.capacity else (["do", f":: {event('!', '_')}", f":: {event('?', '_')}", "od"],))
        else:
            body = self.pick((
                [f"{event('!', '_')}; {event('?', '_')}; {event('!', some)}"],
                [f"{event('!', '_')}; {event('!', '_')}; {event('!', '_')}"],
                ["do", f":: {event('!', '_')}", f":: {event('?', some)} -> break", "od"],
            ))
        return [word + " {"] + indent(body) + ["}"]

    def make_claim(self):
        """A never claim over the globals (a hook: compare.py doesn't use it yet)."""
        ctx = Ctx(None, [v for v in self.globals])
        first, second = self.compare(ctx, 1)[0], self.compare(ctx, 1)[0]
        return ["never {", "\tdo", f"\t:: {first} -> break", "\t:: true", "\tod;",
                "accept0:", "\tdo", f"\t:: {second}", "\tod", "}"]


def program(seed, size=None, features=None, claim=False):
    return Generator(seed, size, features, claim).program()


def main(argv=None):
    parser = argparse.ArgumentParser(description="Print a random Promela program.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, help="1 (small) to 5; default: from the seed")
    parser.add_argument("--features", help="names from --list; -name leaves one out")
    parser.add_argument("--claim", action="store_true", help="add a never claim")
    parser.add_argument("--list", action="store_true", help="print the features")
    given = parser.parse_args(argv)
    if given.list:
        print("\n".join(FEATURES))
        return 0
    wanted = [w for w in (given.features or "").split(",") if w]
    sys.stdout.write(program(given.seed, given.size, wanted, given.claim))
    return 0


if __name__ == "__main__":
    sys.exit(main())
