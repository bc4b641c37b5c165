#!/usr/bin/env python3
"""A small interpreter of RISCAL's shared systems, independent of Gyre: values are Python's, nothing is
expanded or translated. For tests; slow.

    riscal_reference.py FILE [NAME=VALUE ...]

Prints what explore() finds: states, transitions, levels, initial states, deadlocks, faults, which
invariants fail, and for each `ltl` of the form □(⟦p⟧ ⇒ ◇⟦q⟧), quantified or not, whether it holds.
"""
import itertools
import re
import sys


class Fault(Exception):
    """A run-time error: index, range, division, choice, assertion, endless."""


class Unread(Exception):
    """Something that this interpreter does not know."""


# ---- tokens ------------------------------------------------------------------------------

SIGNS = {"≔": ":=", "ℕ": "Nat", "ℤ": "Int", "⊤": "true", "⊥": "false", "∀": "forall", "∃": "exists",
         "∑": "sum", "¬": "~", "∧": "/\\", "∨": "\\/", "⇒": "=>", "⇔": "<=>", "≠": "~=", "≤": "<=",
         "≥": ">=", "∈": "isin", "∉": "notin", "⊆": "subseteq", "∪": "union", "∩": "intersect",
         "×": "times", "⟨": "<<", "⟩": ">>", "⟦": "[[", "⟧": "]]", "□": "[]", "◇": "<>", "∅": "{}"}
TOKEN = re.compile(r"\s+|//[^\n]*|/\*.*?\*/|(\d+|[A-Za-z_]\w*|<=>|=>|<=|>=|~=|:=|\.\.|/\\|\\/|<>|<<|>>"
                   r"|[%s]|.)" % "".join(SIGNS), re.S)


def tokens(text):
    found = []
    for match in TOKEN.finditer(text):
        word = match.group(1)
        if word is None:
            if found:
                found[-1] = (found[-1][0], True)
        else:
            found.append((SIGNS.get(word, word), False))
    return found + [("", False)] * 3


# ---- syntax ------------------------------------------------------------------------------

LEVELS = [["<=>"], ["=>"], ["\\/"], ["/\\"],
          ["=", "~=", "<", "<=", ">", ">=", "isin", "notin", "subseteq"], [".."],
          ["union", "\\"], ["intersect", "times"], ["+", "-"], ["*", "/", "%"], ["^"]]
COMPARE, RANGE, POWER = 4, 5, 10


class Parser:
    def __init__(self, text):
        self.all, self.i = tokens(text), 0

    def peek(self, ahead=0):
        return self.all[self.i + ahead][0]

    def next(self):
        self.i += 1
        return self.all[self.i - 1][0]

    def take(self, word):
        if self.peek() == word:
            self.i += 1
            return True
        return False

    def need(self, word):
        if not self.take(word):
            raise Unread("%r expected, but here is %r" % (word, self.peek()))

    def several(self, one, end):
        found = []
        if not self.take(end):
            found.append(one())
            while self.take(","):
                found.append(one())
            self.need(end)
        return found

    # types

    def type(self):
        word = self.next()
        if word == "Bool":
            return ("bool",)
        if word == "Nat":
            self.need("[")
            high = self.level(RANGE)
            self.need("]")
            return ("int", ("number", 0), high)
        if word == "Int":
            self.need("[")
            low = self.level(RANGE)
            self.need(",")
            high = self.level(RANGE)
            self.need("]")
            return ("int", low, high)
        if word in ("Array", "Map"):
            self.need("[")
            by = self.level(RANGE) if word == "Array" else self.type()
            self.need(",")
            item = self.type()
            self.need("]")
            return (word.lower(), by, item)
        if word == "Set":
            self.need("[")
            item = self.type()
            self.need("]")
            return ("set", item)
        if word == "Tuple":
            self.need("[")
            return ("tuple", self.several(self.type, "]"))
        if word == "Record":
            self.need("[")
            return ("record", self.several(self.param, "]"))
        return ("named", word)

    def param(self):
        name = self.next()
        self.need(":")
        return (name, self.type())

    def bound(self):
        found = []
        while True:
            name = self.next()
            if self.take("isin"):
                found.append((name, None, self.level(RANGE)))
            else:
                self.need(":")
                found.append((name, self.type(), None))
            if not self.take(","):
                break
        return found, self.expr() if self.take("with") else ("bool", True)

    # expressions

    def expr(self):
        return self.level(0)

    def level(self, level):
        if level > POWER:
            return self.selection()
        if self.peek() == "~":
            self.i += 1
            left = ("not", self.level(COMPARE))
        elif self.peek() == "-":
            self.i += 1
            left = ("neg", self.level(POWER))
        elif self.peek() == "<>" or (self.peek() == "[" and self.peek(1) == "]") or \
                self.peek() == "[]":
            self.i += 2 if self.peek() == "[" else 1
            box = self.all[self.i - 1][0] != "<>"
            left = ("box" if box else "diamond", self.level(COMPARE))
        else:
            left = self.level(level + 1)
        while True:
            at = next((k for k in range(level, POWER + 1) if self.peek() in LEVELS[k]), None)
            if at is None:
                return left
            sign = self.next()
            right = self.level(at if sign in ("=>", "^") else at + 1)
            left = ("op", sign, left, right)

    def selection(self):
        of = self.primary()
        while True:
            if self.peek() == "[" and self.peek(1) != "]":
                self.i += 1
                of = ("index", of, self.expr())
                self.need("]")
            elif self.peek() == "." and not self.all[self.i][1] and of[0] != "number" and \
                    re.match(r"\w", self.peek(1)):
                self.i += 1
                of = ("part", of, self.next())
            elif self.peek() == "with" and self.peek(1) in ("[", ".") and self.peek(2) != "]":
                self.i += 2
                if self.peek(-1) == "[":
                    by = self.expr()
                    self.need("]")
                else:
                    by = self.next()
                    by = ("name of part", by)
                self.need("=")
                of = ("update", of, by, self.level(RANGE))
            else:
                return of

    def primary(self):
        word = self.next()
        if word.isdigit():
            return ("number", int(word))
        if word in ("true", "false"):
            return ("bool", word == "true")
        if word == "(":
            inner = self.expr()
            self.need(")")
            return inner
        if word == "|":
            inner = self.expr()
            self.need("|")
            return ("size", inner)
        if word in ("forall", "exists", "sum", "min", "max"):
            bound, cond = self.bound()
            self.need(".")
            return (word, bound, cond, self.expr())
        if word == "#":
            return ("count", *self.bound())
        if word == "choose":
            return ("choose", *self.bound())
        if word == "if":
            cond = self.expr()
            self.need("then")
            yes = self.expr()
            self.need("else")
            return ("if", cond, yes, self.expr())
        if word == "let":
            pairs = []
            while True:
                name = self.next()
                self.need("=")
                pairs.append((name, self.expr()))
                if not self.take(","):
                    break
            self.need("in")
            return ("let", pairs, self.expr())
        if word == "{}" or (word == "{" and self.take("}")):
            self.need("[")
            self.type()
            self.need("]")
            return ("set", [])
        if word == "{":
            first = self.expr()
            if self.take("|"):
                bound, cond = self.bound()
                self.need("}")
                return ("build", first, bound, cond)
            rest = [first]
            while self.take(","):
                rest.append(self.expr())
            self.need("}")
            return ("set", rest)
        if word == "<<":
            if self.peek(1) == ":":
                return ("record", self.several(self.named_value, ">>"))
            return ("tuple", self.several(self.expr, ">>"))
        if word in ("Array", "Map"):
            self.i -= 1
            kind = self.type()
            self.need("(")
            value = self.expr()
            self.need(")")
            return ("fill", kind, value)
        if word == "Set":
            self.need("(")
            inner = self.expr()
            self.need(")")
            return ("powerset", inner)
        if word == "[[" or (word == "[" and self.take("[")):
            inner = self.expr()
            if not self.take("]]"):
                self.need("]")
                self.need("]")
            return ("state", inner)
        if self.take("!"):
            return ("enum", word, self.next())
        if self.take("("):
            return ("call", word, self.several(self.expr, ")"))
        return ("name", word)

    def named_value(self):
        name = self.next()
        self.need(":")
        return (name, self.expr())

    # commands

    def simple(self):
        if self.peek() == ";":
            return ("block", [])
        if self.peek() in ("var", "val"):
            self.i += 1
            name = self.next()
            kind = self.type() if self.take(":") else None
            value = self.expr() if self.take(":=") or self.take("=") else None
            return ("local", name, kind, value)
        if self.take("assert"):
            return ("assert", self.expr())
        target = self.selection()
        if not self.take(":="):
            self.need("=")
        return ("assign", target, self.expr())

    def command(self):
        if self.take("{"):
            found = []
            while not self.take("}"):
                found.append(self.command())
            return ("block", found)
        if self.take("if"):
            cond = self.expr()
            self.need("then")
            yes = self.command()
            return ("if", cond, yes, self.command() if self.take("else") else ("block", []))
        if self.take("while"):
            cond = self.expr()
            self.need("do")
            return ("while", cond, self.command())
        if self.take("do"):
            body = self.command()
            self.need("while")
            cond = self.expr()
            self.need(";")
            return ("block", [body, ("while", cond, body)])
        if self.take("for"):
            if self.peek(1) in (":", "isin"):
                bound, cond = self.bound()
                self.need("do")
                return ("each", bound, cond, self.command())
            first = self.simple()
            self.need(";")
            cond = self.expr()
            self.need(";")
            step = self.simple()
            self.need("do")
            return ("block", [first, ("while", cond, ("block", [self.command(), step]))])
        if self.peek() == "choose":
            self.i += 1
            bound, cond = self.bound()
            if self.take("then"):
                yes = self.command()
                self.need("else")
                return ("choose", bound, cond, yes, self.command())
            self.need(";")
            return ("choose", bound, cond, None, None)
        found = self.simple()
        self.need(";")
        return found


# ---- the system --------------------------------------------------------------------------


class System:
    def __init__(self, text, given=None):
        self.globals, self.types, self.functions = {}, {}, {}
        self.vars, self.actions, self.invariants, self.ltls, self.init = [], [], [], [], None
        given = given or {}
        p = Parser(text)
        while p.peek():
            word = p.next()
            if word == "val":
                name = p.next()
                if p.take(":") and p.peek() in ("Nat", "Int") and p.peek(1) != "[":
                    p.next()
                elif p.peek() not in ("=", ";"):
                    p.type()
                value = self.value(p.expr(), {}) if p.take("=") else None
                self.globals[name] = given.get(name, value)
                p.need(";")
            elif word == "type":
                name = p.next()
                p.need("=")
                self.types[name] = self.resolve(p.type())
                p.need(";")
            elif word == "enumtype":
                name = p.next()
                p.need("=")
                members = [p.next()]
                while p.take("|"):
                    members.append(p.next())
                self.types[name] = ("enum", name, members)
                p.need(";")
            elif word in ("fun", "pred"):
                name = p.next()
                p.need("(")
                params = [(n, self.resolve(t)) for n, t in p.several(p.param, ")")]
                result = ("bool",)
                if word == "fun":
                    p.need(":")
                    result = self.resolve(p.type())
                p.i += 1
                self.functions[name] = (params, result, p.expr())
                p.need(";")
            elif word == "shared":
                self.read_system(p)
            else:
                raise Unread(word)

    def read_system(self, p):
        p.need("system")
        p.next()
        p.need("{")
        while not p.take("}"):
            word = p.next()
            if word == "var":
                name, kind = p.param()
                value = p.expr() if p.take("=") or p.take(":=") else None
                self.vars.append((name, self.resolve(kind), value))
                p.need(";")
            elif word == "invariant":
                self.invariants.append(p.expr())
                p.need(";")
            elif word == "ltl":
                fair = p.peek() == "[" and p.peek(1) == "fairness"
                if fair:
                    p.i += 3
                self.ltls.append((fair, p.expr()))
                p.need(";")
            elif word in ("init", "action"):
                name = p.next() if word == "action" else "init"
                p.need("(")
                params = [(n, self.resolve(t)) for n, t in p.several(p.param, ")")]
                cond, fairness = ("bool", True), None
                while p.peek() in ("with", "fairness"):
                    if p.next() == "with":
                        cond = p.expr()
                    else:
                        fairness = p.next()
                    p.need(";")
                action = (name, params, cond, fairness, p.command())
                if word == "init":
                    self.init = action
                else:
                    self.actions.append(action)
            else:
                raise Unread(word)

    # types

    def resolve(self, kind):
        if kind[0] == "named":
            return self.types[kind[1]]
        if kind[0] == "int" and not isinstance(kind[1], int):
            return ("int", self.value(kind[1], {}), self.value(kind[2], {}))
        if kind[0] == "array" and not isinstance(kind[1], int):
            return ("array", self.value(kind[1], {}), self.resolve(kind[2]))
        if kind[0] == "map":
            return ("map", self.resolve(kind[1]), self.resolve(kind[2]))
        if kind[0] == "set":
            return ("set", self.resolve(kind[1]))
        if kind[0] == "tuple":
            return ("tuple", [self.resolve(k) for k in kind[1]])
        if kind[0] == "record":
            return ("record", [(n, self.resolve(k)) for n, k in kind[1]])
        return kind

    def all_of(self, kind):
        """All values of a type, the least first."""
        if kind[0] == "bool":
            return [False, True]
        if kind[0] == "int":
            return list(range(kind[1], kind[2] + 1))
        if kind[0] == "enum":
            return [("enum", kind[1], m) for m in kind[2]]
        if kind[0] in ("array", "map"):
            keys = self.keys(kind)
            return [("list", keys, v) for v in itertools.product(self.all_of(kind[2]),
                                                                 repeat=len(keys))]
        if kind[0] == "set":
            members = self.all_of(kind[1])
            return [frozenset(s) for n in range(len(members) + 1)
                    for s in itertools.combinations(members, n)]
        return [("parts", self.names(kind), v)
                for v in itertools.product(*(self.all_of(k) for k in self.parts(kind)))]

    def keys(self, kind):
        """What selects the elements of an array or map."""
        return tuple(range(kind[1]) if kind[0] == "array" else self.all_of(kind[1]))

    @staticmethod
    def names(kind):
        """What selects the parts of a tuple or record."""
        return tuple(str(i + 1) if kind[0] == "tuple" else k[0] for i, k in enumerate(kind[1]))

    @staticmethod
    def parts(kind):
        return kind[1] if kind[0] == "tuple" else [k for _, k in kind[1]]

    def check(self, value, kind):
        """The value, if it is one of the type; else a fault."""
        if kind[0] == "int":
            if not kind[1] <= value <= kind[2]:
                raise Fault("range")
        elif kind[0] in ("array", "map"):
            for item in value[2]:
                self.check(item, kind[2])
        elif kind[0] == "set":
            for item in value:
                self.check(item, kind[1])
        elif kind[0] in ("tuple", "record"):
            for item, k in zip(value[2], self.parts(kind)):
                self.check(item, k)
        return value

    # expressions

    def each(self, bound, cond, env):
        """Environments with what is bound, for which the condition holds."""
        if not bound:
            if self.value(cond, env):
                yield env
            return
        name, kind, members = bound[0]
        values = self.all_of(self.resolve(kind)) if kind else self.ordered(
            self.value(members, env))
        for v in values:
            yield from self.each(bound[1:], cond, {**env, name: v})

    @staticmethod
    def ordered(members):
        return sorted(members, key=repr) if not all(
            isinstance(m, int) for m in members) else sorted(members)

    def operate(self, sign, e, env):
        a = self.value(e[2], env)
        if sign == "/\\":
            return a and self.value(e[3], env)
        if sign == "\\/":
            return a or self.value(e[3], env)
        if sign == "=>":
            return not a or self.value(e[3], env)
        b = self.value(e[3], env)
        if sign in ("/", "%"):
            if b == 0:
                raise Fault("division")
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if sign == "/" else a - b * quotient
        return {"<=>": lambda: a == b, "=": lambda: a == b, "~=": lambda: a != b,
                "<": lambda: a < b, "<=": lambda: a <= b, ">": lambda: a > b, ">=": lambda: a >= b,
                "isin": lambda: a in b, "notin": lambda: a not in b, "subseteq": lambda: a <= b,
                "..": lambda: frozenset(range(a, b + 1)), "union": lambda: a | b,
                "\\": lambda: a - b, "intersect": lambda: a & b,
                "times": lambda: frozenset(("parts", ("1", "2"), p) for p in itertools.product(a, b)), "+": lambda: a + b,
                "-": lambda: a - b, "*": lambda: a * b, "^": lambda: a ** b}[sign]()

    def value(self, e, env):
        kind = e[0]
        if kind in ("number", "bool"):
            return e[1]
        if kind == "name":
            return env[e[1]] if e[1] in env else self.globals[e[1]]
        if kind == "op":
            return self.operate(e[1], e, env)
        if kind == "not":
            return not self.value(e[1], env)
        if kind == "neg":
            return -self.value(e[1], env)
        if kind == "state":
            return self.value(e[1], env)
        if kind == "if":
            return self.value(e[2] if self.value(e[1], env) else e[3], env)
        if kind == "index":
            return self.select(self.value(e[1], env), self.value(e[2], env))
        if kind == "part":
            return self.select(self.value(e[1], env), e[2])
        if kind == "update":
            of = self.value(e[1], env)
            by = e[2][1] if e[2][0] == "name of part" else self.value(e[2], env)
            return self.updated(of, by, self.value(e[3], env))
        if kind == "enum":
            return e
        if kind == "call":
            params, result, body = self.functions[e[1]]
            values = [self.value(a, env) for a in e[2]]
            inner = {n: self.check(v, t) for (n, t), v in zip(params, values)}
            return self.check(self.value(body, inner), result)
        if kind == "let":
            for name, v in e[1]:
                env = {**env, name: self.value(v, env)}
            return self.value(e[2], env)
        return self.composite(kind, e, env)

    def composite(self, kind, e, env):
        if kind == "forall":
            return all(self.value(e[3], inner) for inner in self.each(e[1], e[2], env))
        if kind == "exists":
            return any(self.value(e[3], inner) for inner in self.each(e[1], e[2], env))
        if kind == "sum":
            return sum(self.value(e[3], inner) for inner in self.each(e[1], e[2], env))
        if kind in ("min", "max"):
            found = [self.value(e[3], inner) for inner in self.each(e[1], e[2], env)]
            if not found:
                raise Fault("nothing counts")
            return min(found) if kind == "min" else max(found)
        if kind == "count":
            return sum(1 for _ in self.each(e[1], e[2], env))
        if kind == "build":
            return frozenset(self.value(e[1], inner) for inner in self.each(e[2], e[3], env))
        if kind == "set":
            return frozenset(self.value(x, env) for x in e[1])
        if kind == "tuple":
            names = tuple(str(i + 1) for i in range(len(e[1])))
            return ("parts", names, tuple(self.value(x, env) for x in e[1]))
        if kind == "record":
            return ("parts", tuple(n for n, _ in e[1]), tuple(self.value(x, env) for _, x in e[1]))
        if kind == "size":
            return len(self.value(e[1], env))
        if kind == "powerset":
            members = self.value(e[1], env)
            return frozenset(frozenset(s) for n in range(len(members) + 1)
                             for s in itertools.combinations(members, n))
        if kind == "fill":
            to = self.resolve(e[1])
            item = self.check(self.value(e[2], env), to[2])
            keys = self.keys(to)
            return ("list", keys, (item,) * len(keys))
        raise Unread(kind)

    @staticmethod
    def select(of, by):
        if by not in of[1]:
            raise Fault("index")
        return of[2][of[1].index(by)]

    @staticmethod
    def updated(of, by, new):
        if by not in of[1]:
            raise Fault("index")
        at = of[1].index(by)
        return (of[0], of[1], of[2][:at] + (new,) + of[2][at + 1:])

    # commands: env holds the state and the locals; `choices` is the sequence to follow

    def execute(self, c, env, kinds, choices):
        kind = c[0]
        if kind == "block":
            inner = dict(kinds)
            for one in c[1]:
                self.execute(one, env, inner, choices)
        elif kind == "assign":
            value = self.chosen(c[2], env, choices)
            root, path = c[1], []
            while root[0] in ("index", "part"):
                path.insert(0, self.value(root[2], env) if root[0] == "index" else root[2])
                root = root[1]
            env[root[1]] = self.check(self.stored(env[root[1]], path, value), kinds[root[1]])
        elif kind == "local":
            to = self.resolve(c[2]) if c[2] else None
            value = self.all_of(to)[0] if c[3] is None else self.chosen(c[3], env, choices)
            kinds[c[1]] = to or ("any",)
            env[c[1]] = self.check(value, to) if to else value
        elif kind == "if":
            self.execute(c[2] if self.value(c[1], env) else c[3], env, kinds, choices)
        elif kind == "while":
            rounds = 0
            while self.value(c[1], env):
                self.execute(c[2], env, dict(kinds), choices)
                rounds += 1
                if rounds > 10000:
                    raise Fault("endless")
        elif kind == "each":
            for inner in list(self.each(c[1], c[2], env)):
                for name, _, _ in c[1]:
                    env[name] = inner[name]
                self.execute(c[3], env, dict(kinds), choices)
        elif kind == "choose":
            found = list(self.each(c[1], c[2], env))
            if not found and c[4]:
                self.execute(c[4], env, kinds, choices)
                return
            taken = choices.take(found)
            for name, _, _ in c[1]:
                env[name] = taken[name]
            if c[3]:
                self.execute(c[3], env, kinds, choices)
        elif kind == "assert":
            if not self.value(c[1], env):
                raise Fault("assertion")
        else:
            raise Unread(kind)

    def chosen(self, e, env, choices):
        if e[0] != "choose":
            return self.value(e, env)
        name = e[1][0][0]
        return choices.take([inner[name] for inner in self.each(e[1], e[2], env)])

    def stored(self, old, path, value):
        if not path:
            return value
        return self.updated(old, path[0], self.stored(self.select(old, path[0]), path[1:], value))

    # runs

    def outcomes(self, command, env):
        """The environments that a command may leave, and the faults on the way."""
        choices = Choices()
        kinds = {name: kind for name, kind, _ in self.vars}
        while True:
            inner = dict(env)
            choices.at = 0
            try:
                self.execute(command, inner, dict(kinds), choices)
                yield inner, None
            except Fault as fault:
                yield None, fault.args[0]
            if not choices.advance():
                return

    def state(self, env):
        return tuple(env[name] for name, _, _ in self.vars)

    def env(self, state):
        return {name: v for (name, _, _), v in zip(self.vars, state)}

    def initial(self):
        env = {}
        for name, kind, value in self.vars:
            env[name] = self.all_of(kind)[0] if value is None else self.check(
                self.value(value, env), kind)
        if not self.init:
            return [(self.state(env), None)]
        _, params, cond, _, body = self.init
        found = []
        for inner in self.each([(n, t, None) for n, t in params], cond, env):
            found += [(self.state(after) if after else None, fault)
                      for after, fault in self.outcomes(body, inner)]
        return found

    def steps(self, state):
        """(action, values, next state or None, fault or None)"""
        env = self.env(state)
        for name, params, cond, _, body in self.actions:
            for values in itertools.product(*(self.all_of(t) for _, t in params)):
                inner = {**env, **dict(zip((n for n, _ in params), values))}
                try:
                    if not self.value(cond, inner):
                        continue
                except Fault as fault:
                    yield name, values, None, fault.args[0]
                    continue
                for after, fault in self.outcomes(body, inner):
                    yield name, values, self.state(after) if after else None, fault


class Choices:
    def __init__(self):
        self.list, self.at = [], 0

    def take(self, among):
        if not among:
            raise Fault("choice")
        if self.at == len(self.list):
            self.list.append([0, len(among)])
        self.at += 1
        return among[self.list[self.at - 1][0]]

    def advance(self):
        while self.list:
            self.list[-1][0] += 1
            if self.list[-1][0] < self.list[-1][1]:
                return True
            self.list.pop()
        return False


# ---- what there is to know -----------------------------------------------------------------


def explore(system, most=100000):
    """None: more states than that, or ten times as many transitions."""
    faults, graph, levels, failing = set(), {}, 0, {}
    first = system.initial()
    faults.update(fault for _, fault in first if fault)
    level = list(dict.fromkeys(state for state, _ in first if state is not None))
    seen = set(level)
    transitions = 0
    while level:
        levels += 1
        following = []
        for state in level:
            graph[state] = []
            for name, values, after, fault in system.steps(state):
                if transitions > 10 * most:
                    return None
                if fault:
                    faults.add(fault)
                    failing.setdefault(state, set()).add((name, values))
                if after is None:
                    continue
                transitions += 1
                graph[state].append((name, values, after))
                if after not in seen:
                    seen.add(after)
                    following.append(after)
        if len(seen) > most:
            return None
        level = following
    facts = {"states": len(seen), "transitions": transitions, "levels": levels, "faults": faults,
             "initial": len({s for s, _ in first if s is not None}),
             "deadlocks": sum(not out for out in graph.values())}
    facts["invariants"] = [holds_everywhere(system, e, graph) for e in system.invariants]
    facts["ltl"] = [leads_to(system, e, graph, fair, failing) for fair, e in system.ltls]
    return facts


def holds_everywhere(system, e, graph):
    try:
        return all(system.value(e, system.env(state)) for state in graph)
    except Fault:
        return False


def marks(system, action, fair):
    """Which fairness a step of (action, values) is about: (key, strong) or None."""
    kind = next(a[3] for a in system.actions if a[0] == action[0]) if fair else None
    if not kind:
        return None
    return (action if kind.endswith("_all") else action[0], kind.startswith("strong"))


def has_fair_run(system, graph, nodes, fair, failing):
    """Is there an infinite run within `nodes` that is fair, or one that ends in a state without steps?
    A step that fails is possible all the same: a run does not rest in front of it, and fairness may
    ask for it. Gives all states of `nodes` from which such a run begins."""
    good = {s for s in nodes if not graph[s] and s not in failing}
    work = [frozenset(nodes)]
    while work:
        for part in components(graph, work.pop()):
            inside = [(a, v, t) for s in part for a, v, t in graph[s] if t in part]
            if not inside:
                continue
            taken = {marks(system, (a, v), fair) for a, v, _ in inside}
            enabled = {s: {marks(system, step, fair) for step in [
                (a, v) for a, v, _ in graph[s]] + list(failing.get(s, ()))} for s in part}
            bad = {m for s in part for m in enabled[s] if m and m not in taken}
            if any(not m[1] and all(m in enabled[s] for s in part) for m in bad):
                continue
            strong = {m for m in bad if m[1]}
            if strong:
                work.append(frozenset(s for s in part if not enabled[s] & strong))
            else:
                good |= part
    while True: # those that lead there
        more = {s for s in nodes if s not in good and any(t in good for _, _, t in graph[s])}
        if not more:
            return good
        good |= more


def components(graph, nodes):
    """Strongly connected components, by forward and backward reachability: small graphs only."""
    back = {s: set() for s in nodes}
    for s in nodes:
        for _, _, t in graph[s]:
            if t in nodes:
                back[t].add(s)
    left = set(nodes)
    while left:
        seed = next(iter(left))
        ahead = reach(seed, lambda s: [t for _, _, t in graph[s] if t in left])
        behind = reach(seed, lambda s: [t for t in back[s] if t in left])
        part = ahead & behind
        left -= part
        yield part


def reach(seed, following):
    seen, work = {seed}, [seed]
    while work:
        for t in following(work.pop()):
            if t not in seen:
                seen.add(t)
                work.append(t)
    return seen


def leads_to(system, e, graph, fair, failing):
    """Of □(p ⇒ ◇q), perhaps under ∀; None if it is another formula."""
    def instances(e, env):
        if e[0] == "forall":
            for inner in system.each(e[1], e[2], env):
                yield from instances(e[3], inner)
        else:
            yield e, env
    for one, env in instances(e, {}):
        if one[0] != "box" or one[1][0] != "op" or one[1][1] != "=>" or \
                one[1][3][0] != "diamond":
            return None
        p, q = one[1][2], one[1][3][1]
        try:
            waiting = {s for s in graph if not system.value(q, {**system.env(s), **env})}
            asked = {s for s in waiting if system.value(p, {**system.env(s), **env})}
        except Fault:
            return None
        if asked & has_fair_run(system, graph, waiting, fair, failing):
            return False
    return True


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        given = {n: int(v) for n, v in (a.split("=") for a in sys.argv[2:])}
        facts = explore(System(file.read(), given))
    for name, value in facts.items():
        print(name, value)


if __name__ == "__main__":
    main()
