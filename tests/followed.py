"""The states of a counterexample, from its report alone: the first one, and what each step changes."""


def word(value):
    """As pages write it."""
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def flat(values):
    """{name: text} of the variables of a report; arrays by their elements."""
    found = {}
    for name, value in values.items():
        if isinstance(value, list):
            found.update({f"{name}[{index}]": word(one) for index, one in enumerate(value)})
        else:
            found[name] = word(value)
    return found


class Followed:
    """Values by name, processes by pid, as they are after the steps that were applied (docs/json.md)."""

    def __init__(self, initial):
        self.globals = flat(initial["globals"])
        self.channels = {c["name"]: (c["capacity"], c["values"]) for c in initial["channels"]}
        self.locals = {p["pid"]: flat(p["locals"]) for p in initial["processes"]}
        self.places = {p["pid"]: self._place(p) for p in initial["processes"]}
        self.names = {p["pid"]: p["process"] for p in initial["processes"]}

    @staticmethod
    def _place(item):
        return item["file"], item["line"], item.get("column"), item["state"]

    def apply(self, step):
        renamed = {c["name"]: c["to"] for c in step["changes"] if c.get("event") == "renamed"}
        gone = {c["name"] for c in step["changes"] if c.get("event") == "removed"}
        self.channels = {renamed.get(name, name): held for name, held in self.channels.items() if name not in gone}
        for change in step["changes"]:
            self._apply(change, change["name"], change.get("pid"), change.get("event"))
        for item in step["positions"]:
            self.places[item["pid"]] = self._place(item)

    def _apply(self, change, name, pid, event):
        if event == "starts":
            self.names[pid] = name[:name.rindex("(")]
            self.locals[pid], self.places[pid] = flat(change["locals"]), self._place(change)
        elif event == "ends":
            del self.names[pid], self.locals[pid], self.places[pid]
        elif event == "created":
            self.channels[name] = change["capacity"], change["values"]
        elif "new_messages" in change:
            self.channels[name] = self.channels[name][0], change["new_messages"]
        elif event is None:
            values, own = (self.globals, name) if pid is None else (self.locals[pid], name.split(":", 1)[1])
            assert values[own] == word(change["old"]), (change, values[own])
            values[own] = word(change["new"])

    def values(self):
        """{name: text} of all variables and channels: the latter by what they hold."""
        found = dict(self.globals)
        for pid, values in self.locals.items():
            found.update({f"{self.names[pid]}({pid}):{name}": value for name, value in values.items()})
        found.update({name: contents(held) for name, (_, held) in self.channels.items()})
        return found


def contents(messages):
    return " ".join("[" + ",".join(map(word, message)) + "]" for message in messages) or "empty"


def replayed(state):
    """The same of a gyre.State: what the library says of the state itself."""
    found = {}
    for name, value in state.items():
        if name in state.channels:
            found[name] = contents(value)
        elif isinstance(value, tuple):
            found.update({f"{name}[{index}]": word(one) for index, one in enumerate(value)})
        else:
            found[name] = word(value)
    return found


def places(state):
    return {p.pid: (p.process, p.line, p.column or None) for p in state.processes}
