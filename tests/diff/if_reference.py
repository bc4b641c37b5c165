#!/usr/bin/env python3
"""An interpreter of IF without time: small, slow, and independent of Gyre.

    if_reference.py FILE [NAME=VALUE]...

It follows docs/if.md: states are told by values of Python, steps are made by executing the text. Prints
the numbers of states, transitions and states without a successor, and whether a step can fail.
"""
import itertools
import re
import sys

TOKEN = re.compile(r"""\s+|//[^\n]*|/\*.*?\*/|(?P<t>"[^"\n]*"|\d+|[A-Za-z_]\w*|\{\#|\#\}|:=|\.\.|<>|<=|>=|==|!=|&&|\|\||.)""",
                   re.S)
WORDS = {"&&": "and", "||": "or", "!": "not", "!=": "<>"}
NUMBERS = ("range", -2**31, 2**31 - 1)


class Fault(Exception):
    """A step that fails leads nowhere."""


class Ended(Exception):
    """The instance that moves has killed itself."""


class Unread(Exception):
    """Something that this interpreter does not know."""


# ---- reading -----------------------------------------------------------------------------


class Parser:
    def __init__(self, text, given):
        self.tokens = [m.group("t") for m in TOKEN.finditer(text) if m.group("t")] + ["", ""]
        self.at = 0
        self.given = given
        self.code = False
        self.enums = {}

    @property
    def next(self):
        return self.tokens[self.at]

    def take(self, *expected):
        token = self.next
        if expected and token not in expected:
            raise Unread("%s instead of %s" % (token, " ".join(expected)))
        self.at += 1
        return token

    def accept(self, *tokens):
        if self.next in tokens:
            return self.take()
        return None

    def listed(self, read, end=None):
        found = []
        if end and self.next == end:
            return found
        found.append(read())
        while self.accept(","):
            found.append(read())
        return found

    # expressions: ("op", …)

    LEVELS = [("or",), ("and",), ("=", "<>", "<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%")]

    def expr(self, level=0):
        if level == len(self.LEVELS):
            return self.unary()
        left = self.expr(level + 1)
        while True:
            op = WORDS.get(self.next, self.next)
            if self.code and op == "=":
                break
            op = "=" if op == "==" else op
            if op not in self.LEVELS[level]:
                break
            self.take()
            left = (op, left, self.expr(level + 1))
        if level == 0 and self.accept("?"):
            second = self.expr()
            self.take(":")
            left = ("?", left, second, self.expr())
        return left

    def unary(self):
        token = WORDS.get(self.next, self.next)
        if token in ("not", "-", "+", "active"):
            self.take()
            return ("neg" if token == "-" else token, self.unary())
        if token == "{":
            self.take()
            name = self.take()
            self.take("}")
            return self.selected(("cast", name, self.unary()))
        if self.accept("("):
            inner = self.expr()
            self.take(")")
            return self.selected(inner)
        token = self.take()
        if token.isdigit():
            return ("value", int(token))
        if token in ("true", "false"):
            return ("value", token == "true")
        if token == "nil":
            return ("value", None)
        return ("self",) if token == "self" else self.selected(("name", token))

    def selected(self, expr):
        while self.next in (".", "["):
            if self.take() == ".":
                expr = ("field", expr, self.take())
            else:
                expr = ("index", expr, self.expr())
                self.take("]")
        return expr

    def arguments(self):
        self.take("(")
        found = self.listed(self.expr, ")")
        self.take(")")
        return found

    # statements

    def block(self):
        found = []
        while self.next not in ("nextstate", "stop", "else", "endif", "endwhile", "endprocedure"):
            found.append(self.statement())
        return found

    def statement(self):
        word = self.next
        if word in ("skip", "informal", "output", "call", "fork", "kill", "if", "while", "return", "task"):
            self.take()
        made = self.known(word)
        if word in ("if", "while"):
            self.accept(";")
        else:
            self.take(";")
        return made

    def known(self, word):
        if word == "skip":
            return ("skip",)
        if word == "informal":
            self.take()
            return ("skip",)
        if word == "output":
            name, args = self.take(), self.arguments()
            via = self.unary() if self.accept("via") else None
            return ("output", name, args, via, self.expr() if self.accept("to") else None)
        if word in ("call", "fork"):
            return (word, None, self.take(), self.arguments())
        if word == "kill":
            return ("kill", self.expr())
        if word == "return":
            return ("return", None if self.next == ";" else self.expr())
        if word == "if":
            condition = self.expr()
            self.take("then")
            first = self.block()
            second = self.block() if self.accept("else") else []
            self.take("endif")
            return ("if", condition, first, second)
        if word == "while":
            condition = self.expr()
            self.take("do")
            body = self.block()
            self.take("endwhile")
            return ("while", condition, body)
        target = self.unary()
        self.take(":=")
        if self.next in ("call", "fork"):
            return (self.take(), target, self.take(), self.arguments())
        return ("task", target, self.expr())

    def c_block(self, scope):
        if self.accept("{"):
            found = []
            while not self.accept("}"):
                found.append(self.c_statement(scope))
            return found
        return [self.c_statement(scope)]

    def c_statement(self, scope):
        if self.next in ("if", "while"):
            word = self.take()
            self.take("(")
            condition = self.expr()
            self.take(")")
            first = self.c_block(scope)
            if word == "while":
                return ("while", condition, first)
            return ("if", condition, first, self.c_block(scope) if self.accept("else") else [])
        if self.accept("return"):
            made = ("return", None if self.next == ";" else self.expr())
        else:
            made = ("skip",)
            if self.tokens[self.at + 1] not in ("=", "[", "."):
                kind = self.take()
                name = self.next
                scope[name] = ({"int": NUMBERS, "bool": ("boolean",)}.get(kind) or self.types[kind], None)
                if self.tokens[self.at + 1] == ";":
                    self.take()
            if self.next != ";":
                target = self.unary()
                self.take("=")
                made = ("task", target, self.expr())
        self.take(";")
        return made

    # declarations

    def constant(self):
        found = self.fold(self.expr())
        return found

    def fold(self, expr):
        kind = expr[0]
        if kind == "value":
            return expr[1]
        if kind == "name":
            return self.consts[expr[1]] if expr[1] in self.consts else self.members[expr[1]]
        if kind == "neg":
            return -self.fold(expr[1])
        return binary(kind, self.fold(expr[1]), lambda: self.fold(expr[2]))

    def type_of(self):
        if self.accept("enum"):
            names = self.listed(self.take)
            self.take("endenum")
            made = ("enum", tuple(names))
            for name in names:
                self.members[name] = (name, len(self.enums))
            self.enums[made] = tuple((n, len(self.enums)) for n in names)
            return ("enum", self.enums[made])
        if self.accept("range"):
            low = self.constant()
            self.take("..")
            return ("range", low, self.constant())
        if self.accept("array"):
            self.take("[")
            low = self.constant()
            self.take("..")
            high = self.constant()
            self.take("]")
            self.take("of")
            return ("array", low, high, self.types[self.take()])
        if self.accept("record"):
            fields = []
            while not self.accept("endrecord"):
                name = self.take()
                fields.append((name, self.types[self.take()]))
                self.take(";")
            return ("record", tuple(fields))
        return self.types[self.take()]

    def declaration(self, word, scope):
        if word == "const":
            name = self.take()
            if self.accept("="):
                self.consts[name] = self.constant()
            if name in self.given:
                self.consts[name] = self.given[name]
        elif word == "type":
            name = self.take()
            self.take("=")
            self.types[name] = self.type_of()
        else:
            name = self.take()
            kind = self.types[self.take()]
            scope[name] = (kind, self.constant() if self.accept(":=") else None)
            self.accept("public", "private")
        self.take(";")

    def parameters(self, scope):
        found = []
        if not self.accept("fpar"):
            return found
        for way, name, kind in self.listed(lambda: (self.accept("in", "inout", "out"), self.take(), self.take())):
            found.append((name, way or "in"))
            scope[name] = (self.types[kind], None)
        self.take(";")
        return found

    def procedure(self):
        name = self.take()
        self.take(";")
        scope = {}
        params = self.parameters(scope)
        result = None
        if self.accept("returns"):
            result = self.types[self.take()]
            self.take(";")
        while self.accept("var"):
            self.declaration("var", scope)
        if self.accept("{#"):
            self.code = True
            body = []
            while not self.accept("#}"):
                body.append(self.c_statement(scope))
            self.code = False
        else:
            body = self.block()
        self.take("endprocedure")
        self.take(";")
        self.procedures[name] = dict(params=params, scope=scope, result=result, body=body)

    def process(self):
        made = dict(name=self.take(), scope={}, states=[], queue=4, most=None)
        self.take("(")
        made["count"] = self.constant()
        self.take(")")
        while self.accept("#"):
            option = self.take()
            self.take("[")
            made["queue" if option == "queue" else "most"] = self.constant()
            self.take("]")
        self.take(";")
        made["params"] = [name for name, _ in self.parameters(made["scope"])]
        while not self.accept("endprocess"):
            word = self.take()
            if word == "state":
                made["states"].append(self.state())
            elif word == "procedure":
                self.procedure()
            else:
                self.declaration(word, made["scope"])
        self.take(";")
        return made

    def state(self):
        made = dict(name=self.take(), flags=set(), transitions=[])
        while self.accept("#"):
            made["flags"].add(self.take())
        self.take(";")
        while not self.accept("endstate"):
            t = dict(provided=None, input=None)
            if self.accept("provided"):
                t["provided"] = self.expr()
                self.take(";")
            if self.accept("input"):
                t["input"] = (self.take(), self.arguments())
                self.take(";")
            t["body"] = self.block()
            t["target"] = self.take() if self.accept("nextstate") else self.take("stop") and None
            self.take(";")
            made["transitions"].append(t)
        self.take(";")
        return made

    def route(self):
        made = dict(name=self.take(), options=set(), size=4)
        self.take("(")
        made["count"] = self.constant()
        self.take(")")
        while self.accept("#"):
            option = self.take()
            made["options"].add(option)
            if option == "size":
                self.take("[")
                made["size"] = self.constant()
                self.take("]")
        self.take("from")
        made["from"] = self.take()
        self.take("to")
        made["to"] = self.take()
        self.take("with")
        made["signals"] = self.listed(self.take)
        self.take(";")
        return made

    def system(self):
        self.consts, self.members, self.procedures = dict(self.given), {}, {}
        self.types = {"boolean": ("boolean",), "integer": NUMBERS, "pid": ("pid",)}
        self.signals, self.routes, self.processes, self.scope = {}, [], [], {}
        self.take("system")
        self.take()
        self.take(";")
        while not self.accept("endsystem"):
            word = self.take()
            if word == "process":
                self.processes.append(self.process())
            elif word == "signalroute":
                self.routes.append(self.route())
            elif word == "procedure":
                self.procedure()
            elif word == "signal":
                name = self.take()
                self.take("(")
                self.signals[name] = [self.types[t] for t in self.listed(self.take, ")")]
                self.take(")")
                self.take(";")
            elif word in ("const", "type", "var"):
                self.declaration(word, self.scope)
            else:
                raise Unread(word)


# ---- values ------------------------------------------------------------------------------


def default(kind):
    if kind[0] == "boolean":
        return False
    if kind[0] == "range":
        return 0 if kind[1] <= 0 <= kind[2] else kind[1]
    if kind[0] == "enum":
        return kind[1][0]
    if kind[0] == "pid":
        return None
    if kind[0] == "array":
        return (default(kind[3]),) * (kind[2] - kind[1] + 1)
    return tuple(default(k) for _, k in kind[1])


def fit(kind, value):
    """The value, if it is one of this type."""
    if kind[0] == "range" and not kind[1] <= value <= kind[2]:
        raise Fault("range")
    if kind[0] == "array":
        return tuple(fit(kind[3], v) for v in value)
    if kind[0] == "record":
        return tuple(fit(k, v) for (_, k), v in zip(kind[1], value))
    return value


def binary(op, a, rest):
    if op == "and":
        return a and rest()
    if op == "or":
        return a or rest()
    b = rest()
    if op == "/" or op == "%":
        if b == 0:
            raise Fault("division")
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if op == "/" else a - b * quotient
    return {"=": lambda: a == b, "<>": lambda: a != b, "<": lambda: a < b, "<=": lambda: a <= b,
            ">": lambda: a > b, ">=": lambda: a >= b, "+": lambda: a + b, "-": lambda: a - b,
            "*": lambda: a * b}[op]()


def order(value):
    """Buffers are sorted; by what does not matter."""
    return repr(value)


# ---- worlds ------------------------------------------------------------------------------

DEAD = "dead"


class World:
    """shared: {name: value}; at: [location]; vars: [{name: value}]; queues, buffers: [[message]]"""

    def __init__(self, shared, at, variables, queues, buffers):
        self.shared, self.at, self.vars, self.queues, self.buffers = shared, at, variables, queues, buffers

    def copy(self):
        return World(dict(self.shared), list(self.at), [dict(v) for v in self.vars],
                     [list(q) for q in self.queues], [list(b) for b in self.buffers])

    def key(self):
        return (tuple(sorted(self.shared.items())), tuple(self.at),
                tuple(tuple(sorted(v.items())) for v in self.vars),
                tuple(map(tuple, self.queues)), tuple(map(tuple, self.buffers)))


class System:
    def __init__(self, text, given=None):
        p = Parser(text, given or {})
        p.system()
        self.p = p
        forked = set(re.findall(r"\bfork\s+(\w+)", text))
        self.instances, self.buffers = [], []
        for process in p.processes:
            count = process["most"] if process["most"] is not None else max(process["count"], 4)
            if process["name"] not in forked:
                count = process["count"]
            process["most"] = count
            self.instances += [(process, n) for n in range(count)]
        for route in p.routes:
            if "multiset" in route["options"]:
                self.buffers += [(route, n) for n in range(route["count"])]
        self.numbers = {(pr["name"], n): i for i, (pr, n) in enumerate(self.instances)}

    def fresh(self, process):
        return {name: default(kind) if first is None else first
                for name, (kind, first) in process["scope"].items()}

    def start_of(self, process):
        return next(i for i, s in enumerate(process["states"]) if "start" in s["flags"])

    def initial(self):
        shared = {n: default(k) if first is None else first for n, (k, first) in self.p.scope.items()}
        return World(shared,
                     [(self.start_of(p), ()) if n < p["count"] else DEAD for p, n in self.instances],
                     [self.fresh(p) for p, _ in self.instances],
                     [[] for _ in self.instances], [[] for _ in self.buffers])

    def bury(self, w, i):
        w.at[i] = DEAD
        w.vars[i] = self.fresh(self.instances[i][0])
        w.queues[i] = []

    # expressions

    def evaluate(self, w, i, local, e):
        kind = e[0]
        if kind == "value":
            return e[1]
        if kind == "self":
            return (self.instances[i][0]["name"], self.instances[i][1])
        if kind == "name":
            for scope in (local, w.vars[i], w.shared, self.p.members, self.p.consts):
                if scope is not None and e[1] in scope:
                    return scope[e[1]]
            raise Unread(e[1])
        if kind == "cast":
            value = self.evaluate(w, i, local, e[2])
            if e[1] in self.p.types:
                return fit(self.p.types[e[1]], value)
            if isinstance(value, int):
                if not 0 <= value < next(p["most"] for p in self.p.processes if p["name"] == e[1]):
                    raise Fault("instance")
                return (e[1], value)
            return value
        if kind == "field":
            if e[1][0] == "cast" and e[1][1] not in self.p.types:
                pid = self.evaluate(w, i, local, e[1])
                if pid is None or pid[0] != e[1][1]:
                    raise Fault("instance")
                return w.vars[self.numbers[pid]][e[2]]
            of = self.kind_of(i, local, e[1])
            return self.evaluate(w, i, local, e[1])[[n for n, _ in of[1]].index(e[2])]
        if kind == "index":
            of = self.kind_of(i, local, e[1])
            array = self.evaluate(w, i, local, e[1])
            at = self.evaluate(w, i, local, e[2])
            if not of[1] <= at <= of[2]:
                raise Fault("index")
            return array[at - of[1]]
        if kind == "?":
            return self.evaluate(w, i, local, e[2] if self.evaluate(w, i, local, e[1]) else e[3])
        if kind == "not":
            return not self.evaluate(w, i, local, e[1])
        if kind == "neg":
            return -self.evaluate(w, i, local, e[1])
        if kind == "+" and len(e) == 2:
            return self.evaluate(w, i, local, e[1])
        if kind == "active":
            pid = self.evaluate(w, i, local, e[1])
            return pid is not None and w.at[self.numbers[pid]] != DEAD
        return binary(kind, self.evaluate(w, i, local, e[1]), lambda: self.evaluate(w, i, local, e[2]))

    def kind_of(self, i, local, e):
        """The type of a variable or of a part of one."""
        if e[0] == "name":
            if local is not None and e[1] in local.kinds:
                return local.kinds[e[1]]
            scope = self.instances[i][0]["scope"]
            return (scope if e[1] in scope else self.p.scope)[e[1]][0]
        if e[0] == "field" and e[1][0] == "cast":
            process = next(p for p in self.p.processes if p["name"] == e[1][1])
            return process["scope"][e[2]][0]
        of = self.kind_of(i, local, e[1])
        return of[3] if e[0] == "index" else dict(of[1])[e[2]]

    def assign(self, w, i, local, target, value):
        kind = self.kind_of(i, local, target)
        self.put(w, i, local, target, fit(kind, value))

    def put(self, w, i, local, target, value):
        if target[0] == "name":
            for scope in (local, w.vars[i], w.shared):
                if scope is not None and target[1] in scope:
                    scope[target[1]] = value
                    return
            raise Unread(target[1])
        of = self.kind_of(i, local, target[1])
        whole = list(self.evaluate(w, i, local, target[1]))
        if target[0] == "index":
            at = self.evaluate(w, i, local, target[2])
            if not of[1] <= at <= of[2]:
                raise Fault("index")
            whole[at - of[1]] = value
        else:
            whole[[n for n, _ in of[1]].index(target[2])] = value
        self.put(w, i, local, target[1], tuple(whole))

    # statements without outputs: change the world; True: a procedure returns

    def execute(self, w, i, local, s):
        kind = s[0]
        if kind == "task":
            self.assign(w, i, local, s[1], self.evaluate(w, i, local, s[2]))
        elif kind == "if":
            return self.execute_all(w, i, local, s[2] if self.evaluate(w, i, local, s[1]) else s[3])
        elif kind == "while":
            for _ in range(10000):
                if not self.evaluate(w, i, local, s[1]):
                    return False
                if self.execute_all(w, i, local, s[2]):
                    return True
            raise Fault("loop")
        elif kind == "return":
            if s[1] is not None:
                local.result = fit(local.procedure["result"], self.evaluate(w, i, local, s[1]))
            return True
        elif kind == "call":
            self.call(w, i, local, s)
        elif kind == "fork":
            self.fork(w, i, s)
        elif kind == "kill":
            pid = self.evaluate(w, i, local, s[1])
            # `kill {P}e` is for instances of P
            if pid is not None and (s[1][0] != "cast" or pid[0] == s[1][1]):
                self.bury(w, self.numbers[pid])
                if self.numbers[pid] == i:
                    raise Ended()
        return False

    def execute_all(self, w, i, local, block):
        return any(self.execute(w, i, local, s) for s in block)

    def call(self, w, i, outer, s):
        procedure = self.p.procedures[s[2]]
        local = Local(procedure)
        for (name, way), arg in zip(procedure["params"], s[3]):
            if way != "out":
                local[name] = fit(local.kinds[name], self.evaluate(w, i, outer, arg))
        self.execute_all(w, i, local, procedure["body"])
        for (name, way), arg in zip(procedure["params"], s[3]):
            if way != "in":
                self.assign(w, i, outer, arg, local[name])
        if s[1] is not None:
            self.assign(w, i, outer, s[1], local.result)

    def fork(self, w, i, s):
        process = next(p for p in self.p.processes if p["name"] == s[2])
        for n in range(process["most"]):
            k = self.numbers[s[2], n]
            if w.at[k] != DEAD:
                continue
            values = [fit(process["scope"][name][0], self.evaluate(w, i, None, arg))
                      for name, arg in zip(process["params"], s[3])]
            w.vars[k].update(zip(process["params"], values))
            w.at[k] = (self.start_of(process), ())
            if s[1] is not None:
                self.assign(w, i, None, s[1], (s[2], n))
            return
        self.failed = True # and goes on
        if s[1] is not None:
            self.assign(w, i, None, s[1], None)

    # signals: the worlds in which it is delivered; none: there is no room

    def into(self, w, k, message):
        if len(w.queues[k]) >= self.instances[k][0]["queue"]:
            return []
        w = w.copy()
        w.queues[k].append(message)
        return [w]

    def deliver(self, w, route, n, message, to=None, named=False):
        """`to` counts if `named`."""
        if route and route["to"] == "env":
            return [w.copy()]
        of = [k for k, (p, _) in enumerate(self.instances) if not route or p["name"] == route["to"]]
        alive = [k for k in of if w.at[k] != DEAD]
        options = route["options"] if route else ()
        if named:
            alive = [k for k in alive if to is not None and k == self.numbers[to]]
        elif "peer" in options:
            alive = [k for k in alive if self.instances[k][1] == n]
        elif "multicast" in options:
            if any(len(w.queues[k]) >= self.instances[k][0]["queue"] for k in alive):
                return []
            w = w.copy()
            for k in alive:
                w.queues[k].append(message)
            return [w]
        if not alive:
            return [w.copy()]
        return [found for k in alive for found in self.into(w, k, message)]

    def send(self, w, route, n, message, to=None, named=False, may_lose=True):
        lossy = route and "lossy" in route["options"] and may_lose
        if route and "multiset" in route["options"]:
            found = []
            b = next(b for b, (r, m) in enumerate(self.buffers) if r is route and m == n)
            if len(w.buffers[b]) < route["size"]:
                found = [w.copy()]
                found[0].buffers[b] = sorted(w.buffers[b] + [message], key=order)
        else:
            found = self.deliver(w, route, n, message, to, named)
        return found + ([w.copy()] if lossy else [])

    def output(self, w, i, s):
        via, n = s[3], 0
        name = self.instances[i][0]["name"]
        if via is None and s[4] is None:
            route = next(r for r in self.p.routes if r["from"] == name and s[1] in r["signals"])
        elif via is None:
            # `to {P}e` is for instances of P
            route = None
        else:
            route = next(r for r in self.p.routes if r["name"] == via[1])
            n = self.p.fold(via[2]) if via[0] == "cast" else 0
        to = self.evaluate(w, i, None, s[4]) if s[4] is not None else None
        if route is None and s[4][0] == "cast" and to is not None and to[0] != s[4][1]:
            to = None
        message = (s[1],)
        try:
            message += tuple(fit(k, self.evaluate(w, i, None, a))
                             for k, a in zip(self.p.signals[s[1]], s[2]))
        except Fault:
            if self.send(w, route, n, message, to, s[4] is not None):
                raise
            return [] # computed once there is room
        return self.send(w, route, n, message, to, s[4] is not None)

    # transitions: a continuation is a tuple of (block, position); blocks are told by their numbers

    def waits(self, s):
        return s[0] == "output" or (s[0] in ("if", "while") and
                                    any(self.waits(t) for block in s[2:] for t in block))

    def block(self, path, i):
        """The statements that a path leads to: state, transition, then (position, branch)."""
        t = self.instances[i][0]["states"][path[0]]["transitions"][path[1]]
        block = t["body"]
        for position, branch in path[2:]:
            block = block[position][branch]
        return block

    def finish(self, w, i, path):
        process = self.instances[i][0]
        t = process["states"][path[0]]["transitions"][path[1]]
        if t["target"] is None:
            self.bury(w, i)
            yield w
            return
        names = [s["name"] for s in process["states"]]
        target = path[0] if t["target"] == "-" else names.index(t["target"])
        w.at[i] = (target, ())
        moved = self.fault_count
        if "unstable" in process["states"][target]["flags"]:
            for after in self.fire(w, i):
                moved = -1
                yield after
        if moved == self.fault_count: # not even a step that fails
            yield w

    def run(self, w, i, stack, started):
        """stack: ((path, position), …), the innermost last. Worlds where it waits or has ended."""
        w = w.copy()
        while True:
            if not stack:
                raise Unread("stack")
            path, position = stack[-1]
            block = self.block(path, i)
            if position == len(block):
                stack = stack[:-1]
                if not stack:
                    yield from self.finish(w, i, path)
                    return
                continue
            s = block[position]
            if not self.waits(s):
                try:
                    self.execute(w, i, None, s)
                except Ended:
                    yield w
                    return
                stack = stack[:-1] + ((path, position + 1),)
            elif s[0] == "output":
                found = self.output(w, i, s)
                after = stack[:-1] + ((path, position + 1),)
                for other in found:
                    yield from self.guarded(self.run(other, i, after, True))
                if not found and started:
                    w.at[i] = (path[0], stack)
                    yield w
                return
            elif self.evaluate(w, i, None, s[1]):
                rest = position if s[0] == "while" else position + 1
                stack = stack[:-1] + ((path, rest), (path + ((position, 2),), 0))
            elif s[0] == "if":
                stack = stack[:-1] + ((path, position + 1), (path + ((position, 3),), 0))
            else:
                stack = stack[:-1] + ((path, position + 1),)
            started = True

    def fire(self, w, i):
        """The worlds that the instance can lead to; a Fault in place of one."""
        if w.at[i] == DEAD:
            return
        state, stack = w.at[i]
        if stack:
            yield from self.guarded(self.run(w, i, stack, False))
            return
        for n, t in enumerate(self.instances[i][0]["states"][state]["transitions"]):
            try:
                if t["provided"] is not None and not self.evaluate(w, i, None, t["provided"]):
                    continue
                now = w
                if t["input"]:
                    name, targets = t["input"]
                    if not w.queues[i] or w.queues[i][0][0] != name:
                        continue
                    now = w.copy()
                    values = now.queues[i].pop(0)[1:]
                    for target, value in zip(targets, values):
                        self.assign(now, i, None, target, value)
            except Fault:
                self.fault_count += 1
                continue
            yield from self.guarded(self.run(now, i, (((state, n), 0),), bool(t["input"])))

    def guarded(self, worlds):
        try:
            yield from worlds
        except Fault:
            self.fault_count += 1

    def successors(self, w):
        found = []
        for i in range(len(self.instances)):
            found += list(self.fire(w, i))
        for b, (route, n) in enumerate(self.buffers):
            for message in sorted(set(w.buffers[b]), key=order):
                for after in self.deliver(w, route, n, message):
                    rest = list(after.buffers[b])
                    rest.remove(message)
                    after.buffers[b] = rest
                    found.append(after)
        for route in self.p.routes:
            if route["from"] != "env":
                continue
            each = route["count"] if route["options"] & {"peer", "multiset"} else 1
            for n, signal in itertools.product(range(each), route["signals"]):
                for values in itertools.product(*map(values_of, self.p.signals[signal])):
                    found += self.send(w, route, n, (signal,) + values, may_lose=False)
        return found


class Local(dict):
    """The variables of a procedure that is being called."""

    def __init__(self, procedure):
        super().__init__()
        self.procedure = procedure
        self.kinds = {n: k for n, (k, _) in procedure["scope"].items()}
        for name, (kind, first) in procedure["scope"].items():
            self[name] = default(kind) if first is None else first
        self.result = default(procedure["result"]) if procedure["result"] else None


def values_of(kind):
    if kind[0] == "boolean":
        return [False, True]
    return list(kind[1]) if kind[0] == "enum" else list(range(kind[1], kind[2] + 1))


def explore(system, most=10**9):
    """states, transitions, deadlocks (errors: those in which somebody is alive); faults: a step can
    fail; failed: a fork found no room."""
    system.fault_count, system.failed = 0, False
    first = system.initial()
    seen, todo = {first.key()}, [first]
    transitions = deadlocks = errors = 0
    while todo:
        w = todo.pop()
        faults = system.fault_count
        found = system.successors(w)
        transitions += len(found)
        stuck = not found and faults == system.fault_count
        deadlocks += not found
        errors += stuck and any(at != DEAD for at in w.at)
        for after in found:
            key = after.key()
            if key not in seen:
                if len(seen) >= most:
                    return None
                seen.add(key)
                todo.append(after)
    return {"states": len(seen), "transitions": transitions, "deadlocks": deadlocks, "errors": errors,
            "faults": system.fault_count > 0, "failed": system.failed}


def main():
    given = {n: int(v) for n, v in (a.split("=") for a in sys.argv[2:])}
    with open(sys.argv[1], encoding="utf-8") as file:
        print(explore(System(file.read(), given)))


if __name__ == "__main__":
    main()
