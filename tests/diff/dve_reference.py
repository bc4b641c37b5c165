"""A small interpreter of DVE: the second opinion that Gyre's own reader is compared with.

Written from the description of the language alone, for reading and not for speed; it shares
nothing with the C sources. It gives the reachable states, transitions, breadth-first levels,
deadlocks, violated assertions and run-time errors of a model, and, for one with a property process,
whether the product has a reachable accepting cycle.

    dve_reference.py MODEL.dve          prints those facts as JSON

Meaning, as DiVinE has it:
- byte is 0..255, int is 16 bits with a sign; expressions are computed in 32 bits and wrap there.
  Assigning a value that does not fit, an index outside of its array and a division by zero are
  errors: that transition leads nowhere.
- Precedence, weakest first: imply; and, or (the same); | ^ & (the same); == !=; < <= > >=; << >>;
  + -; * / %; then - ~ not. All binary ones associate to the left.
- In a rendezvous the values are computed first, then stored by the receiver, then the effects of
  the receiver take place, then those of the sender. On a buffered channel the message goes first,
  then the effect.
- If some process is in a committed state, only processes in committed states move: in a
  rendezvous both must be.
- In a synchronous system every process makes a step, all looking at the same state; channels do
  not matter there.
- A property process moves with every step of the system, and alone where the system is stuck.
"""
import json
import re
import sys

TOKEN = re.compile(r"""
    (?P<space>(?:\s|//[^\n]*|/\*.*?\*/|\\[ \t]*\n)+)
  | (?P<number>\d+)
  | (?P<name>[A-Za-z_][A-Za-z0-9_$#]*)
  | (?P<sign>->|=>|<<|>>|\|\||&&|<=|>=|==|!=|[-.,;:{}\[\]()?!~=+*/%|&^<>])
""", re.X | re.S)

LEVELS = [["imply"], ["or", "and"], ["|", "&", "^"], ["==", "!="], ["<", "<=", ">", ">="],
          ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]
RANGE = {"byte": (0, 255), "int": (-32768, 32767)}


class Malformed(Exception):
    pass


class Fault(Exception):
    """A run-time error: `kind` is range, index or division."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


def wrap32(value):
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


# ---- reading ------------------------------------------------------------------------------

class Reader:
    def __init__(self, text):
        self.tokens = []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise Malformed("unknown symbol %r" % text[at])
            at = match.end()
            if match.lastgroup != "space":
                word = {"||": "or", "&&": "and"}.get(match.group(), match.group())
                self.tokens.append(word)
        self.tokens.append("")
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, word):
        if self.peek() == word:
            self.at += 1
            return True
        return False

    def expect(self, word):
        if not self.accept(word):
            raise Malformed("%r instead of %r" % (self.peek(), word))

    def name(self):
        word = self.take()
        if not re.match(r"[A-Za-z_]", word):
            raise Malformed("%r instead of a name" % word)
        return word

    def names(self):
        found = [self.name()]
        while self.accept(","):
            found.append(self.name())
        self.expect(";")
        return found

    def separated(self, one):
        found = [one()]
        while self.accept(","):
            found.append(one())
        return found

    # Expressions are tuples: ("number", n), ("name", x), ("element", x, index),
    # ("at", process, location), ("remote", process, x, index or None), ("not", a), (op, a, b).
    def expression(self, level=0):
        if level == len(LEVELS):
            return self.operand()
        left = self.expression(level + 1)
        while self.peek() in LEVELS[level]:
            left = (self.take(), left, self.expression(level + 1))
        return left

    def operand(self):
        word = self.take()
        if word == "(":
            inner = self.expression()
            self.expect(")")
            return inner
        if word in ("not", "!"):
            return ("not", self.operand())
        if word in ("-", "~"):
            return ("unary" + word, self.operand())
        if word in ("true", "false"):
            return ("number", int(word == "true"))
        if word.isdigit():
            return ("number", wrap32(int(word)))
        if not re.match(r"[A-Za-z_]", word):
            raise Malformed("%r instead of an operand" % word)
        if self.accept("."):
            return ("at", word, self.name())
        if self.accept("->"):
            variable = self.name()
            return ("remote", word, variable, self.subscript())
        index = self.subscript()
        return ("element", word, index) if index else ("name", word)

    def subscript(self):
        if not self.accept("["):
            return None
        index = self.expression()
        self.expect("]")
        return index

    def declarations(self, found):
        while self.peek() in ("const", "byte", "int"):
            constant = self.accept("const")
            kind = self.take()
            for name, size, initial in self.separated(self.declarator):
                found.append((name, kind, constant, size, initial))
            self.expect(";")

    def declarator(self):
        name, size, initial = self.name(), self.subscript(), []
        if self.accept("="):
            if self.accept("{"):
                initial = self.separated(self.expression)
                self.expect("}")
            else:
                initial = [self.expression()]
        return name, size, initial

    def channels(self, found):
        types = None
        if self.accept("{"):
            types = self.separated(self.take)
            self.expect("}")
        while True:
            name, size = self.name(), self.subscript()
            found[name] = (types, size)
            if not self.accept(","):
                break
        self.expect(";")

    def process(self):
        name = self.name()
        p = {"name": name, "vars": [], "accept": [], "commit": [], "asserts": [], "trans": []}
        self.expect("{")
        self.declarations(p["vars"])
        self.expect("state")
        p["states"] = self.names()
        while self.peek() in ("init", "accept", "commit"):
            word = self.take()
            if word == "init":
                p["init"] = self.name()
                self.expect(";")
            else:
                p[word] += self.names()
        if self.accept("assert"):
            p["asserts"] = self.separated(self.assertion)
            self.expect(";")
        if self.accept("trans"):
            source = None
            while True:
                source = self.transition(p["trans"], source)
                if not self.accept(","):
                    break
            self.expect(";")
        self.expect("}")
        return p

    def assertion(self):
        location = self.name()
        self.expect(":")
        return location, self.expression()

    def transition(self, found, source):
        if self.peek() != "->":
            source = self.name()
        self.expect("->")
        target = self.name()
        guards, sync, effects = [], None, []
        self.expect("{")
        if self.accept("guard"):
            guards = self.separated(self.expression)
            self.expect(";")
        if self.accept("sync"):
            channel, sign, values = self.name(), self.take(), []
            if self.accept("{"):
                values = self.separated(self.expression)
                self.expect("}")
            elif self.peek() != ";":
                values = [self.expression()]
            sync = (channel, sign, values)
            self.expect(";")
        if self.accept("effect"):
            effects = self.separated(self.assignment)
            self.expect(";")
        self.expect("}")
        found.append({"from": source, "to": target, "guards": guards, "sync": sync,
                      "effects": effects})
        return source

    def assignment(self):
        target = self.operand()
        self.expect("=")
        return target, self.expression()

    def model(self):
        m = {"vars": [], "channels": {}, "processes": [], "property": None}
        while self.peek() in ("const", "byte", "int", "channel"):
            if self.accept("channel"):
                self.channels(m["channels"])
            else:
                self.declarations(m["vars"])
        while self.accept("process"):
            m["processes"].append(self.process())
        self.expect("system")
        m["synchronous"] = self.take() == "sync"
        if self.accept("property"):
            m["property"] = self.name()
        self.expect(";")
        return m


# ---- running ------------------------------------------------------------------------------

def c_divide(a, b):
    if b == 0:
        raise Fault("division")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def shift_left(a, b):
    return wrap32(a << (b & 31))


def shift_right(a, b):
    return a >> (b & 31)


BINARY = {
    "+": lambda a, b: wrap32(a + b), "-": lambda a, b: wrap32(a - b),
    "*": lambda a, b: wrap32(a * b), "/": lambda a, b: wrap32(c_divide(a, b)),
    "%": lambda a, b: a - c_divide(a, b) * b, "<<": shift_left, ">>": shift_right,
    "<": lambda a, b: int(a < b), "<=": lambda a, b: int(a <= b), ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b), "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b), "|": lambda a, b: a | b, "&": lambda a, b: a & b,
    "^": lambda a, b: a ^ b,
}


class Model:
    """States are tuples: a number per scalar, element and location, a tuple per buffered channel."""

    def __init__(self, text):
        tree = Reader(text).model()
        self.tree = tree
        self.initial = []
        self.globals = self.declare(tree["vars"], {})
        self.channels = {}
        for name, (types, size) in tree["channels"].items():
            capacity = self.constant(size, self.globals) if size else 0
            self.channels[name] = (types, capacity, len(self.initial))
            if capacity:
                self.initial.append(())
        self.processes = tree["processes"]
        self.scopes = {}
        for p in self.processes:
            p["slot"] = len(self.initial)
            p["number"] = {name: i for i, name in enumerate(p["states"])}
            self.initial.append(p["number"][p["init"]])
            self.scopes[p["name"]] = self.declare(p["vars"], self.globals)
        for p in self.processes:
            self.prepare(p)
        self.property = next((p for p in self.processes if p["name"] == tree["property"]), None)
        self.movers = [p for p in self.processes if p is not self.property]
        self.synchronous = tree["synchronous"]
        self.initial = tuple(self.initial)
        if self.synchronous:
            self.refuse_conflicts()

    def refuse_conflicts(self):
        """In a synchronous system, two processes may not assign the same variable."""
        owner = {}
        for p in self.movers:
            for t in p["trans"]:
                for target, _ in t["effects"]:
                    entry = self.scopes[p["name"]][target[1]]
                    if owner.setdefault(entry, p["name"]) != p["name"]:
                        raise Malformed("%s is assigned by two processes" % target[1])

    # A scope maps names to ("const", values, is_array) or ("var", slot, size, kind, is_array).
    def declare(self, declarations, outer):
        scope = dict(outer)
        for name, kind, constant, size, initial in declarations:
            count = self.constant(size, scope) if size else 1
            values = [self.constant(e, scope) for e in initial][:count]
            values += [0] * (count - len(values))
            for v in values:
                if not RANGE[kind][0] <= v <= RANGE[kind][1]:
                    raise Malformed("initial value of %s does not fit" % name)
            if constant:
                scope[name] = ("const", values, size is not None)
            else:
                scope[name] = ("var", len(self.initial), count, kind, size is not None)
                self.initial += values
        return scope

    def constant(self, expression, scope):
        return self.compile(expression, scope)(self.initial)

    def prepare(self, p):
        scope = self.scopes[p["name"]]
        p["by_location"] = [[] for _ in p["states"]]
        for number, t in enumerate(p["trans"]):
            t["number"] = number
            t["process"] = p
            t["guard"] = [self.compile(g, scope) for g in t["guards"]]
            t["assign"] = [self.compile_assignment(target, e, scope) for target, e in t["effects"]]
            t["target"] = p["number"][t["to"]]
            t["way"] = None
            if t["sync"]:
                channel, sign, values = t["sync"]
                t["channel"] = channel
                t["way"] = "send" if sign == "!" else "receive"
                t["values"] = [self.compile(e, scope) for e in values] if sign == "!" else \
                              [self.compile_target(e, scope) for e in values]
            p["by_location"][p["number"][t["from"]]].append(t)
        p["committed"] = {p["number"][name] for name in p["commit"]}
        p["accepting"] = {p["number"][name] for name in p["accept"]}
        p["checks"] = [(p["number"][name], self.compile(e, scope)) for name, e in p["asserts"]]

    def compile(self, expression, scope):
        kind = expression[0]
        if kind == "number":
            return lambda s, v=expression[1]: v
        if kind in ("name", "element"):
            return self.compile_variable(scope[expression[1]], expression[2:], scope)
        if kind == "remote":
            index = (expression[3],) if expression[3] else ()
            return self.compile_variable(self.scopes[expression[1]][expression[2]], index, scope)
        if kind == "at":
            p = next(p for p in self.processes if p["name"] == expression[1])
            location = p["states"].index(expression[2])
            return lambda s: int(s[p["slot"]] == location)
        a = self.compile(expression[1], scope)
        if kind == "not":
            return lambda s: int(not a(s))
        if kind == "unary-":
            return lambda s: wrap32(-a(s))
        if kind == "unary~":
            return lambda s: ~a(s)
        b = self.compile(expression[2], scope)
        if kind == "and":
            return lambda s: int(bool(a(s)) and bool(b(s)))
        if kind == "or":
            return lambda s: int(bool(a(s)) or bool(b(s)))
        if kind == "imply":
            return lambda s: int(not a(s) or bool(b(s)))
        return lambda s, f=BINARY[kind]: f(a(s), b(s))

    def compile_variable(self, entry, index, scope):
        if not index:
            if entry[0] == "const":
                return lambda s, v=entry[1][0]: v
            return lambda s, slot=entry[1]: s[slot]
        at = self.compile(index[0], scope)
        size = len(entry[1]) if entry[0] == "const" else entry[2]

        def element(s):
            i = at(s)
            if not 0 <= i < size:
                raise Fault("index")
            return entry[1][i] if entry[0] == "const" else s[entry[1] + i]
        return element

    def compile_target(self, target, scope):
        """A function from a state to (slot, kind of variable)."""
        entry = scope[target[1]]
        if target[0] == "name":
            return lambda s: (entry[1], entry[3])
        at = self.compile(target[2], scope)

        def place(s):
            i = at(s)
            if not 0 <= i < entry[2]:
                raise Fault("index")
            return entry[1] + i, entry[3]
        return place

    def compile_assignment(self, target, expression, scope):
        place = self.compile_target(target, scope)
        value = self.compile(expression, scope)
        return lambda s: store(s, place(s), value(s))

    # ---- steps ----

    def enabled(self, p, state, way):
        """Transitions of p with that kind of synchronisation whose guard holds, or a Fault."""
        for t in p["by_location"][state[p["slot"]]]:
            if t["way"] != way:
                continue
            try:
                if all(g(state) for g in t["guard"]):
                    yield t, None
            except Fault as fault:
                yield t, fault

    def system_steps(self, state):
        """(transitions taken, next state or Fault) for the processes but the property."""
        if self.synchronous:
            yield from self.synchronous_steps(state)
            return
        movers = self.movers
        if any(state[p["slot"]] in p["committed"] for p in self.processes):
            movers = [p for p in movers if state[p["slot"]] in p["committed"]]
        for p in movers:
            for t, fault in self.enabled(p, state, None):
                yield [t], fault or self.attempt(state, lambda s: self.move(s, t))
            for way in ("send", "receive"):
                for t, fault in self.enabled(p, state, way):
                    _, capacity, slot = self.channels[t["channel"]]
                    if capacity and (len(state[slot]) < capacity if way == "send" else state[slot]):
                        yield [t], fault or self.attempt(state, lambda s: self.buffered(s, t))
                    elif way == "send" and not capacity:
                        yield from self.rendezvous(state, t, fault, movers)

    def rendezvous(self, state, t, fault, movers):
        for q in movers:
            if q is t["process"]:
                continue
            for u, other in self.enabled(q, state, "receive"):
                if u["channel"] == t["channel"]:
                    yield [t, u], fault or other or self.attempt(
                        state, lambda s: self.joint(state, s, t, u))

    def attempt(self, state, change):
        new = list(state)
        try:
            change(new)
        except Fault as fault:
            return fault
        return tuple(new)

    def move(self, new, t):
        new[t["process"]["slot"]] = t["target"]
        for assign in t["assign"]:
            assign(new)

    def fit(self, channel, values):
        """What arrives of values: a typed channel cuts them to its types."""
        types = self.channels[channel][0]
        if types is None:
            return values
        return [cut(v, kind) for v, kind in zip(values, types)]

    def joint(self, state, new, t, u):
        values = self.fit(t["channel"], [v(state) for v in t["values"]])
        places = [place(state) for place in u["values"]]
        for where, v in zip(places, values):
            store(new, where, v)
        self.move(new, u)
        self.move(new, t)

    def buffered(self, new, t):
        slot = self.channels[t["channel"]][2]
        if t["way"] == "send":
            new[slot] += (tuple(self.fit(t["channel"], [v(new) for v in t["values"]])),)
        else:
            message, new[slot] = new[slot][0], new[slot][1:]
            places = [place(new) for place in t["values"]]
            for where, v in zip(places, message):
                store(new, where, v)
        self.move(new, t)

    def synchronous_steps(self, state):
        """All processes step at once; each writes what it changes, later processes win."""
        choices = [[]]
        for p in self.movers:
            found = [pair for way in (None, "send", "receive")
                     for pair in self.enabled(p, state, way)]
            choices = [c + [pair] for c in choices for pair in found]
        for choice in choices:
            fault = next((f for _, f in choice if f), None)
            new = list(state)
            for t, _ in choice:
                alone = fault or self.attempt(state, lambda s, t=t: self.move(s, t))
                if isinstance(alone, Fault):
                    fault = alone
                    break
                for i, value in enumerate(alone):
                    if value != state[i]:
                        new[i] = value
            yield [t for t, _ in choice], fault or tuple(new)

    def property_steps(self, state):
        for t, fault in self.enabled(self.property, state, None):
            yield t, fault

    def steps(self, state):
        """As system_steps, in step with the property process if there is one."""
        if not self.property:
            yield from self.system_steps(state)
            return
        own = list(self.property_steps(state))
        stuck = True
        for taken, new in self.system_steps(state):
            stuck = False
            for t, fault in own:
                if fault or isinstance(new, Fault):
                    yield taken + [t], fault or new
                else:
                    yield taken + [t], self.with_property(state, new, t)
        if stuck:
            for t, fault in own:
                yield [t], fault or self.with_property(state, state, t)

    def with_property(self, state, new, t):
        """The property process computes from the state before the step."""
        alone = self.attempt(state, lambda s: self.move(s, t))
        if isinstance(alone, Fault):
            return alone
        merged = list(new)
        for i, value in enumerate(alone):
            if value != state[i]:
                merged[i] = value
        return tuple(merged)

    def violates(self, state):
        for p in self.processes:
            for location, check in p["checks"]:
                try:
                    if state[p["slot"]] == location and not check(state):
                        return True
                except Fault:
                    return True
        return False

    def accepts(self, state):
        return bool(self.property) and state[self.property["slot"]] in self.property["accepting"]


def store(new, where, value):
    slot, kind = where
    if not RANGE[kind][0] <= value <= RANGE[kind][1]:
        raise Fault("range")
    new[slot] = value


def cut(value, kind):
    return value & 255 if kind == "byte" else (value + 32768) % 65536 - 32768


# ---- exploring ----------------------------------------------------------------------------

def explore(model, limit=None):
    """Breadth first. None if there are more than `limit` states."""
    number = {model.initial: 0}
    states = [model.initial]
    edges = []
    level = [0]
    facts = {"transitions": 0, "deadlocks": 0, "violations": 0, "faults": {}}
    at = 0
    while at < len(states):
        state = states[at]
        facts["violations"] += model.violates(state)
        targets = []
        any_step = False
        for _, new in model.steps(state):
            any_step = True
            facts["transitions"] += 1
            if isinstance(new, Fault):
                facts["faults"][new.kind] = facts["faults"].get(new.kind, 0) + 1
                continue
            if new not in number:
                if limit and len(states) >= limit:
                    return None
                number[new] = len(states)
                states.append(new)
                level.append(level[at] + 1)
            targets.append(number[new])
        edges.append(targets)
        facts["deadlocks"] += not any_step
        at += 1
    facts["states"] = len(states)
    facts["levels"] = level[-1] + 1
    facts["largest_level"] = max(level.count(i) for i in range(facts["levels"])) \
        if len(states) < 20000 else None
    facts["back_level_edges"] = sum(level[t] <= level[i] for i, ts in enumerate(edges) for t in ts)
    component = components(edges)
    facts["components"] = max(component) + 1
    facts["height"] = quotient_height(edges, component)
    if model.property:
        facts["accepting_cycle"] = has_accepting_cycle(model, states, edges, component)
    return facts


def components(edges):
    """Tarjan's algorithm without recursion: the component of each state."""
    index, low, found = {}, {}, [None] * len(edges)
    stack, count = [], 0
    for root in range(len(edges)):
        if root in index:
            continue
        work = [(root, 0)]
        index[root] = low[root] = len(index)
        stack.append(root)
        while work:
            v, i = work.pop()
            if i < len(edges[v]):
                work.append((v, i + 1))
                w = edges[v][i]
                if w not in index:
                    index[w] = low[w] = len(index)
                    stack.append(w)
                    work.append((w, 0))
                elif found[w] is None:
                    low[v] = min(low[v], index[w])
                continue
            if low[v] == index[v]:
                while True:
                    w = stack.pop()
                    found[w] = count
                    if w == v:
                        break
                count += 1
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[v])
    return found


def quotient_height(edges, component):
    """Edges on a longest path of the graph of components, from its end backwards."""
    beyond = [set() for _ in range(max(component) + 1)]
    for v, targets in enumerate(edges):
        beyond[component[v]].update(component[t] for t in targets if component[t] != component[v])
    before = [[] for _ in beyond]
    for c, others in enumerate(beyond):
        for other in others:
            before[other].append(c)
    missing = [len(others) for others in beyond]
    height = [0] * len(beyond)
    ready = [c for c, n in enumerate(missing) if n == 0]
    for c in ready:
        for other in before[c]:
            height[other] = max(height[other], height[c] + 1)
            missing[other] -= 1
            if missing[other] == 0:
                ready.append(other)
    return max(height)


def has_accepting_cycle(model, states, edges, component):
    return any(model.accepts(states[v]) and component[v] == component[w]
               and (v == w or on_cycle(edges, component, v))
               for v in range(len(states)) for w in edges[v])


def on_cycle(edges, component, v):
    """v lies on a cycle if another state of its component has an edge to it: it does by then."""
    return any(component[w] == component[v] for w in edges[v])


if __name__ == "__main__":
    with open(sys.argv[1], encoding="latin-1") as file:
        print(json.dumps(explore(Model(file.read()))))
