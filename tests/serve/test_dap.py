#!/usr/bin/env python3
# check: cli: debug adapter; seconds 4
"""gyre dap, asked by a strict client (dap_client.py).

Counterexamples of the example models are walked both ways: every step must be the one of the JSON
report of `gyre MODEL --json`, and every state what a second reading of that report gives (the
initial values with the changes of each step). Simulations must be those of `gyre sim`. Breakpoints
are tried on models whose runs can be counted by hand. Then all that a client can do wrong.
Ends with `N passed, N failed`.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from dap_client import Broken, Client, Refused  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
EXAMPLES = os.path.join(ROOT, "examples")

passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {name}\n{detail}"[:3000])


def same(name, got, wanted):
    check(name, got == wanted, f"got    {got}\nwanted {wanted}")


def gyre(*arguments, text=None):
    done = subprocess.run([GYRE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, input=text,
                          timeout=300)
    return done.stdout


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


# ---- a second reading of the report ---------------------------------------------------------

def word(value):
    return "true" if value is True else "false" if value is False else str(value)


def flat(values):
    """{name: value} of JSON as {name of a scalar: text}; channels are looked at by themselves."""
    found = {}
    for name, value in values.items():
        for index, one in enumerate(value if isinstance(value, list) else [value]):
            found[f"{name}[{index}]" if isinstance(value, list) else name] = word(one)
    return found


class Reading:
    """The state, from the initial values and the changes that steps tell."""

    def __init__(self, initial):
        self.globals = flat(initial["globals"])
        self.channels = {c["name"]: c["values"] for c in initial["channels"]}
        self.locals = {p["pid"]: flat(p["locals"]) for p in initial["processes"]}
        self.names = {p["pid"]: f"{p['process']}({p['pid']})" for p in initial["processes"]}

    def apply(self, step):
        for change in step["changes"]:
            name = change["name"]
            process = re.fullmatch(r"\w+\((\d+)\)", name)
            local = re.fullmatch(r"\w+\((\d+)\):(.*)", name)
            if change.get("event") == "starts":
                self.names[int(process[1])] = name
                self.locals[int(process[1])] = flat(change["locals"])
            elif change.get("event") == "ends":
                del self.names[int(process[1])], self.locals[int(process[1])]
            elif change.get("event") == "removed":
                del self.channels[name]
            elif change.get("event") == "renamed":
                self.channels[change["to"]] = self.channels.pop(name)
            elif change.get("event"):
                self.channels[name] = change["values"]
            elif "new_messages" in change:
                self.channels[name] = change["new_messages"]
            elif local:
                self.locals[int(local[1])][local[2]] = word(change["new"])
            else:
                self.globals[name] = word(change["new"])


def leaves(tree, path=""):
    """{name of a scalar: value} of what the client shows; not the insides of channels."""
    found = {}
    for name, (value, kind, inside) in tree.items():
        whole = path + ("." if path and not name.startswith("[") else "") + name
        if kind and kind.startswith("chan"):
            continue
        found.update(leaves(inside, whole) if inside else {whole: value})
    return found


def without_channels(values, types):
    return {name: value for name, value in values.items() if name not in types}


def messages(tree):
    return {name: [[field[0] for field in inside.values()] for _, _, inside in messages_.values()]
            for name, (_, kind, messages_) in tree.items()}


# ---- walking through a counterexample -------------------------------------------------------

def seen_state(client):
    """(threads, globals, channels, {pid: locals}) as a client shows them."""
    threads = client.threads()
    everything = ({}, {}, {})
    inside = {}
    for thread in threads:
        if thread == 1000:
            continue
        scopes = client.scopes(client.frames(thread)[0]["id"])
        everything = (scopes["Globals"], scopes.get("Channels", {}))
        inside[thread - 1] = scopes["Locals"]
    return threads, everything, inside


def compare_state(name, client, reading):
    threads, everything, inside = seen_state(client)
    if threads == {1000: "no process exists"}:
        same(f"{name}: no process is left", {}, reading.names)
        return None
    same(f"{name}: threads", threads, {pid + 1: text for pid, text in reading.names.items()})
    shown = leaves(everything[0])
    same(f"{name}: globals", shown, {k: v for k, v in reading.globals.items() if k in shown})
    # What is not shown as a value must be a channel.
    hidden = set(reading.globals) - set(shown)
    check(f"{name}: only channels are no values", all(h.split("[")[0] in str(everything[0]) for h in hidden), hidden)
    same(f"{name}: channels", messages(everything[1]),
         {c: [[word(v) for v in m] for m in contents] for c, contents in reading.channels.items()})
    for pid, values in reading.locals.items():
        shown = leaves(inside[pid])
        if values is None:
            reading.locals[pid] = shown
        else:
            same(f"{name}: locals of {pid}", shown, {k: v for k, v in values.items() if k in shown})
    return threads, everything, inside


STOPS = {"assertion": "Assertion violated", "invalid-end-state": "Invalid end state",
         "acceptance-cycle": "The cycle closes"}


def walk_both_ways(name, program, launch, found):
    """`found` is the counterexample of the report."""
    steps, client = found["steps"], Client(GYRE)
    client.start(program=program, **launch)
    stop = client.stop()
    same(f"{name}: entry", (stop["reason"], stop["position"]["step"], stop["position"]["total"],
                            stop["position"]["cycleStart"]),
         ("entry", 0, len(steps), found["cycle_start"]))
    same(f"{name}: its steps", client.call("gyre/steps")["steps"], steps)
    reading, states = Reading(found["initial"]), []
    for number in range(len(steps) + 1):
        states.append(compare_state(f"{name}: after step {number}", client, reading))
        if number < len(steps):
            step = steps[number]
            frame = client.frames(stop["threadId"])[0]
            same(f"{name}: before step {number + 1}",
                 (stop["threadId"] - 1, frame["line"], frame["column"], frame["source"]["path"]),
                 (step["pid"], step["line"], step["column"], os.path.realpath(step["file"])))
            choices = client.call("gyre/choices")["choices"]
            same(f"{name}: the only choice at {number}", [(c["pid"], c["text"], c["next"]) for c in choices],
                 [(step["pid"], step["text"], True)])
            stop = client.move("stepIn", threadId=stop["threadId"])
            same(f"{name}: at step {number + 1}", stop["position"]["step"], number + 1)
            reading.apply(step)
    same(f"{name}: its end", stop.get("description"), STOPS.get(found["kind"], "The end"))
    state = client.call("gyre/state")["state"]
    if found["final"]["ending"] == state["ending"]:
        same(f"{name}: the final state", state, found["final"])
    for number in range(len(steps) - 1, -1, -1):
        stop = client.move("stepBack", threadId=1)
        same(f"{name}: back at {number}", stop["position"]["step"], number)
        same(f"{name}: the state there", client.threads() and seen_state(client), states[number])
    same(f"{name}: no way back from the start", client.move("stepBack", threadId=1)["description"], "The start")
    stop = client.move("gyre/goto", step=len(steps) // 2)
    same(f"{name}: a jump", (stop["reason"], seen_state(client)), ("goto", states[len(steps) // 2]))
    same(f"{name}: ends well", client.end(), (0, ""))


def counterexample(report):
    return next(p["counterexample"] for p in report["properties"] if p.get("counterexample"))


def walks(folder):
    safety = ["bank_transfer", "broken_mutex", "philosophers"]
    others = ["producer_consumer", "readers_writers", "traffic_light", "river_crossing", "needham_schroeder"]
    for name in safety + others:
        program = os.path.join(EXAMPLES, name + ".pml")
        trail = os.path.join(folder, name + ".trail")
        report = json.loads(gyre(program, "--json", "--deterministic", "--trail", trail))
        found = counterexample(report)
        launch = {"trail": trail} if name in safety else {"options": {"deterministic": True}}
        walk_both_ways(name, program, launch, found)
    # A trail of Spin's form, replayed by gyre replay, is the same walk.
    program, trail = os.path.join(EXAMPLES, "treiber_stack.pml"), os.path.join(folder, "treiber.trail")
    gyre(program, "--json", "--trail", trail)
    replayed = json.loads(gyre("replay", program, trail, "--json"))
    client = Client(GYRE)
    client.start(program=program, trail=trail)
    client.stop()
    same("a replayed trail", client.call("gyre/steps")["steps"], replayed["steps"])
    stop = client.move("continue", threadId=1)
    same("a replayed trail: its end", (stop["position"]["step"], stop["reason"]), (replayed["length"], "exception"))
    same("a replayed trail: the final state", client.call("gyre/state")["state"], replayed["final"])
    client.end()


def lasso():
    """Round and round, and back."""
    client = Client(GYRE)
    client.start(program=os.path.join(EXAMPLES, "readers_writers.pml"), options={"deterministic": True})
    first = client.stop()["position"]
    begin, total = first["cycleStart"], first["total"]
    states = {}
    stop = client.move("continue", threadId=1)
    same("lasso: stops where the cycle begins", (stop["description"], stop["position"]["step"]),
         ("The cycle begins", begin))
    while stop["position"]["step"] < total:
        states[stop["position"]["step"]] = seen_state(client)
        stop = client.move("stepIn", threadId=1)
    same("lasso: the cycle closes", (stop["description"], seen_state(client)), ("The cycle closes", states[begin]))
    for round_ in (1, 2):
        for number in range(begin + 1, total + 1):
            stop = client.move("stepIn", threadId=1)
            place = (stop["position"]["step"], stop["position"]["round"])
            same(f"lasso: round {round_}", place, (number, round_))
            if number < total:
                same(f"lasso: the same states in round {round_}", seen_state(client), states[number])
    for round_ in (2, 1):
        for number in range(total - 1, begin, -1):
            stop = client.move("stepBack", threadId=1)
            same(f"lasso: back in round {round_}", (stop["position"]["step"], stop["position"]["round"]),
                 (number, round_))
        stop = client.move("stepBack", threadId=1)
        same("lasso: the start of a round is the end of the one before",
             (stop["position"]["step"], stop["position"]["round"]), (total, round_ - 1))
    stop = client.move("continue", threadId=1)
    same("lasso: continue goes round once", (stop["description"], stop["position"]["round"]), ("The cycle closes", 1))
    client.call("setExceptionBreakpoints", filters=["assertion"])
    number = client.ask("continue", threadId=1)
    client.answer(number)  # it goes round for ever now
    check("lasso: a walk that goes on cannot be looked at", "is running" in client.refused("stackTrace", threadId=1))
    stop = client.move("pause", threadId=1)
    same("lasso: pause", stop["reason"], "pause")
    client.move("stepBack", threadId=1)
    same("lasso: ends well", client.end(), (0, ""))


# ---- simulations ----------------------------------------------------------------------------

def simulation(folder):
    program = os.path.join(EXAMPLES, "alternating_bit.pml")
    lines = gyre("sim", program, "--seed", "5", "--steps", "60", "--json").splitlines()
    wanted = [json.loads(line) for line in lines[1:-1]]
    client = Client(GYRE)
    client.start(program=program, simulate=True, seed=5, maxSteps=60)
    client.stop()
    stop = client.move("continue", threadId=1)
    same("simulation: as many steps as were asked for", (stop["position"]["step"], stop["description"]),
         (60, "Enough steps for now"))
    steps = client.call("gyre/steps", count=60)["steps"]
    for step in steps + wanted:  # the last one cannot know what follows
        step.pop("atomic", None)
    same("simulation: the same as gyre sim", steps, wanted)
    client.move("reverseContinue", threadId=1)
    client.move("continue", threadId=1)
    again = client.call("gyre/steps", count=60)["steps"]
    for step in again:
        step.pop("atomic", None)
    same("simulation: going back and on is the same way", again, wanted)
    client.end()
    choose_steps(program)
    stops_at_choices(program)
    save_trail(program, folder)


def choose_steps(program):
    """The same choices by gyre sim --json --interactive, by gyre/choose, and by targets of stepIn."""
    picks = [2, 1, 1, 3, 1, 2, 1, 1, 1, 2]
    client = Client(GYRE)
    client.start(program=program, simulate=True)
    client.stop()
    talk = "".join(json.dumps({"do": "choose", "choice": pick}) + "\n" for pick in picks)
    replies = [json.loads(line) for line in gyre("sim", program, "--json", "--interactive", text=talk).splitlines()]
    for number, pick in enumerate(picks):
        offered = client.call("gyre/choices")["choices"]
        same(f"choices before step {number + 1}", [(c["id"], c["pid"], c["line"], c["text"]) for c in offered],
             [(c["choice"], c["pid"], c["line"], c["text"]) for c in replies[number]["choices"]])
        targets = client.call("stepInTargets", frameId=1)["targets"]
        same(f"targets before step {number + 1}", [(t["id"], t["line"]) for t in targets],
             [(c["id"], c["line"]) for c in offered])
        if pick > len(offered):
            check("a choice that is not there", "no choice" in client.refused("gyre/choose", id=pick))
            same("is none in gyre sim", replies[number + 1]["ok"], False)
        elif number % 2:
            client.move("gyre/choose", id=pick)
        else:
            client.move("stepIn", threadId=1, targetId=pick)
        same(f"state after choice {number + 1}", client.call("gyre/state")["state"], replies[number + 1]["state"])
    at = client.call("gyre/state")["step"]
    client.move("stepBack", threadId=1)
    client.move("stepBack", threadId=1)
    client.move("gyre/choose", id=1)
    same("another step can be chosen after going back", client.call("gyre/state")["step"], at - 1)
    client.move("stepIn", threadId=1)
    # A process that can move does so when it is told to.
    for choice in client.call("gyre/choices")["choices"]:
        before = client.call("gyre/state")["step"]
        client.move("next", threadId=choice["threadId"])
        last = client.call("gyre/steps", start=before + 1, count=1)["steps"][0]
        check("next moves this process", choice["pid"] in (last["pid"], last.get("partner", {}).get("pid")), last)
        client.move("stepBack", threadId=1)
    target = client.call("gotoTargets", source={"path": program}, line=client.frames(1)[0]["line"])["targets"]
    check("goto has targets", len(target) > 0, target)
    client.move("goto", threadId=1, targetId=target[0]["id"])
    check("a goto target of before", "no goto target" in client.refused("goto", threadId=1, targetId=target[0]["id"]))
    client.end()


def stops_at_choices(program):
    client = Client(GYRE)
    client.start(program=program, simulate=True, seed=3, stopOnEntry=False,
                 configure=lambda c: c.call("setExceptionBreakpoints", filters=["choice"]))
    for _ in range(10):
        stop = client.stop()
        number = len(client.call("gyre/choices")["choices"])
        same("a stop at a choice", (stop["description"], stop["text"], number > 1),
             ("Choice", f"{number} steps are possible", True))
        client.call("continue", threadId=1)
    client.stop()
    client.end()


def save_over_included(folder):
    """What is in an included file after a trail was to be saved there."""
    including, included = os.path.join(folder, "including.pml"), os.path.join(folder, "included.pml")
    with open(including, "w", encoding="utf-8") as out:
        out.write('#include "included.pml"\nactive proctype P() { x = 1 }\n')
    with open(included, "w", encoding="utf-8") as out:
        out.write("byte x;\n")
    client = Client(GYRE)
    client.start(program=including, simulate=True, cwd=folder)
    client.stop()
    client.refused("gyre/saveTrail", file="included.pml")
    client.end()
    with open(included, encoding="utf-8") as text:
        return text.read()


def save_trail(program, folder):
    client = Client(GYRE)
    client.start(program=program, simulate=True, seed=9, maxSteps=20, cwd=folder)
    client.stop()
    client.move("continue", threadId=1)
    same("a trail is saved", client.call("gyre/saveTrail", file="mine.trail"), {"steps": 20})
    check("not over the model", "the model" in client.refused("gyre/saveTrail", file=program))
    check("not over what it includes", save_over_included(folder) == "byte x;\n")
    check("not where there is no folder", "cannot write" in client.refused("gyre/saveTrail", file="/nowhere/x"))
    replayed = json.loads(gyre("replay", program, os.path.join(folder, "mine.trail"), "--json"))
    same("and is the same walk", [(s["pid"], s["text"]) for s in replayed["steps"]],
         [(s["pid"], s["text"]) for s in client.call("gyre/steps")["steps"]])
    client.end()


# ---- breakpoints ----------------------------------------------------------------------------

COUNTER = """\
mtype = { req, ack };
typedef pair { byte a; short b[2] };
chan q = [2] of { mtype, byte };
byte total;
pair p[2];
inline twice(v) {
    total = total + v;
    total = v + total
}

active proctype main() {
    byte i;
    do
    :: i < 5 ->
        i++;
        p[1].b[0] = 10 * i;
        q!req(i);
        q?ack,eval(i)
    :: else -> break
    od;
    skip;
    d_step {
        total = total + 1;
        p[0].a = 7
    }
    twice(1);
    run child(i);
    assert(total == 100)
}

active proctype echo() {
    byte x;
end:
    do
    :: atomic { q?req,x -> total = total + x; q!ack(x) }
    od
}

proctype child(byte n) {
    printf("child %d\\n", n)
}
"""
LINE = {text.strip(): number for number, text in enumerate(COUNTER.split("\n"), 1)}


def breakpoints_of(client, program, *rows):
    return client.call("setBreakpoints", source={"path": program}, breakpoints=list(rows))["breakpoints"]


def counting(program, configure, **more):
    """A walk through the counterexample of the counter: 5 rounds, then the assertion fails."""
    client = Client(GYRE)
    client.start(program=program, configure=configure, options={"deterministic": True}, **more)
    return client


def value(client, expression, thread=1):
    return client.evaluate(expression, frameId=client.frames(thread)[0]["id"])


def lines(program):
    line = LINE["i++;"]
    told = []
    client = counting(program, lambda c: told.extend(breakpoints_of(
        c, program, {"line": line}, {"line": 10}, {"line": 4000}, {"line": LINE["total = total + 1;"]},
        {"line": LINE["twice(1);"], "condition": "i == 5"})))
    same("a breakpoint is where it was set", (told[0]["verified"], told[0]["line"]), (True, line))
    # Line 10 is empty: what follows is not a statement before `i < 5`.
    same("a line without a statement", (told[1]["verified"], told[1]["line"], "moved" in told[1]["message"]),
         (True, LINE[":: i < 5 ->"], True))
    same("a line behind the end", (told[2]["verified"], "no statement" in told[2]["message"]), (False, True))
    client.stop()
    stop = client.move("continue", threadId=1)
    for count in range(1, 6):
        if stop["hitBreakpointIds"] == [told[1]["id"]]:
            stop = client.move("continue", threadId=1)
        same(f"before i++ for the {count}th time", (stop["reason"], stop["hitBreakpointIds"], value(client, "i")),
             ("breakpoint", [told[0]["id"]], str(count - 1)))
        stop = client.move("continue", threadId=1)
    # (else is a step of the same do, on a line of its own)
    same("before the d_step, by a line inside", (stop["hitBreakpointIds"], value(client, "p[0].a"), value(client, "total")),
         ([told[3]["id"]], "0", "15"))
    stop = client.move("continue", threadId=1)
    frames = client.frames(1)
    same("at the call of an inline", (stop["hitBreakpointIds"], [f["name"].split(":")[0] for f in frames],
                                      [f["line"] for f in frames]),
         ([told[4]["id"]], ["twice()", "main(0)"], [LINE["total = total + v;"], LINE["twice(1);"]]))
    stop = client.move("continue", threadId=1)
    same("the assertion", (stop["reason"], client.call("exceptionInfo", threadId=1)["exceptionId"],
                           client.frames(1)[0]["line"]),
         ("exception", "assertion", LINE["assert(total == 100)"]))
    stop = client.move("reverseContinue", threadId=1)
    same("back to the inline", stop["hitBreakpointIds"], [told[4]["id"]])
    stop = client.move("reverseContinue", threadId=1)
    same("back to the d_step", stop["hitBreakpointIds"], [told[3]["id"]])
    breakpoints_of(client, program, {"line": line})
    for count in range(5, 0, -1):
        stop = client.move("reverseContinue", threadId=1)
        same(f"back to round {count}", (stop["reason"], value(client, "i")), ("breakpoint", str(count - 1)))
    same("back to the start", client.move("reverseContinue", threadId=1)["description"], "The start")
    locations = client.call("breakpointLocations", source={"path": program}, line=1, endLine=200)["breakpoints"]
    check("places for breakpoints", {line, LINE["p[0].a = 7"], LINE["twice(1);"]} <= {b["line"] for b in locations}
          and not {1, 2, 3, LINE["byte i;"]} & {b["line"] for b in locations}, locations)
    client.end()


def conditions(program):
    """Conditions, hits, log points; each against a count by hand."""
    line, client = LINE["i++;"], Client(GYRE)
    client.start(program=program, options={"deterministic": True})
    client.stop()
    for row, wanted in [({"condition": "i == 3"}, ["3"]), ({"condition": "i % 2 == 1 && len(q) == 0"}, ["1", "3"]),
                        ({"hitCondition": "2"}, ["1"]), ({"hitCondition": ">= 4"}, ["3", "4"]),
                        ({"hitCondition": "> 4"}, ["4"]), ({"hitCondition": "% 2"}, ["1", "3"]),
                        ({"condition": "total > 2", "hitCondition": "== 2"}, ["3"])]:
        told = breakpoints_of(client, program, {"line": line, **row})[0]
        check(f"{row} is verified", told["verified"], told)
        seen = []
        stop = client.move("continue", threadId=1)
        while stop["reason"] == "breakpoint":
            seen.append(value(client, "i"))
            stop = client.move("continue", threadId=1)
        same(f"{row}", seen, wanted)
        back = []
        stop = client.move("reverseContinue", threadId=1)
        while stop["reason"] == "breakpoint":
            back.append(value(client, "i"))
            stop = client.move("reverseContinue", threadId=1)
        same(f"{row}, backwards", back, wanted[::-1])
    for row, text in [({"condition": "nothing == 1"}, "nothing"), ({"condition": "i +"}, "expected"),
                      ({"hitCondition": "often"}, "hit condition"), ({"hitCondition": "% 0"}, "hit condition")]:
        told = breakpoints_of(client, program, {"line": line, **row})[0]
        same(f"{row} is refused", (told["verified"], text in told["message"]), (False, True))
    breakpoints_of(client, program, {"line": line, "logMessage": "i is {i}, total {total}, {1/0} {"})
    client.events.clear()
    client.move("gyre/goto", step=0)
    client.call("continue", threadId=1)
    said = []
    while True:
        client.hear()
        said += [e["body"]["output"] for e in client.events if e["event"] == "output"]
        if client.events and client.events.pop()["event"] == "stopped":
            break
        client.events.clear()
    same("a log point", [s for s in said if s.startswith("i is")],
         [f"i is {i}, total {i * (i + 1) // 2}, ? {{\n" for i in range(5)])
    client.end()


def named(program):
    """Messages, processes, conditions that become true, values that change."""
    client = Client(GYRE)
    client.start(program=program, options={"deterministic": True})
    client.stop()

    def run(*names, back=False):
        stops = []
        stop = client.move("reverseContinue" if back else "continue", threadId=1)
        while stop["reason"] == "function breakpoint":
            stops.append((stop["position"]["step"], stop["text"]))
            stop = client.move("reverseContinue" if back else "continue", threadId=1)
        return stops

    def functions(*names):
        return client.call("setFunctionBreakpoints", breakpoints=[{"name": n} for n in names])["breakpoints"]

    steps = client.call("gyre/steps")["steps"]
    sends = [s["step"] - 1 for s in steps if s.get("message", {}).get("kind") == "send"]
    receives = [s["step"] - 1 for s in steps if s.get("message", {}).get("kind") == "receive"]
    same("ten messages are sent and received", (len(sends), len(receives)), (10, 10))
    for name, wanted in [("send q", sends), ("send", sends), ("receive q", receives)]:
        check(f"{name} is verified", functions(name)[0]["verified"])
        same(name, [step for step, _ in run()], wanted)
        same(f"{name}, backwards", [step for step, _ in run(back=True)], wanted[::-1])
    starts = [s["step"] for s in steps if ("child(2)", "starts") in [(c["name"], c.get("event")) for c in s["changes"]]]
    functions("start child")
    same("start child", run(), [(starts[0], "start child")])
    run(back=True)
    functions("child")
    same("a process type alone means the same", run(), [(starts[0], "start child")])
    run(back=True)
    functions("twice")
    calls = [s["step"] - 1 for s in steps if s["line"] == LINE["total = total + v;"]]
    same("an inline", (run(), len(calls)), ([(calls[0], "twice")], 1))
    run(back=True)
    functions("total >= 6")
    same("a condition that becomes true, once", len(run()), 1)
    same("there it is true", client.move("reverseContinue", threadId=1)["reason"], "function breakpoint")
    same("before that it was not", value(client, "total"), "3")
    client.move("gyre/goto", step=0)
    told = functions("send nothing", "start nobody", "total +", "len(q) == 1")
    same("names that are not there", [b["verified"] for b in told], [False, False, False, True])
    functions()
    data(client)
    client.end()


def data(client):
    globals_ = client.call("scopes", frameId=1)["scopes"][1]["variablesReference"]
    local = client.call("scopes", frameId=1)["scopes"][0]["variablesReference"]
    total = client.call("dataBreakpointInfo", variablesReference=globals_, name="total")
    i = client.call("dataBreakpointInfo", variablesReference=local, name="i")
    same("what a data breakpoint looks at", (total["dataId"], i["dataId"]), ("total", "main[0]:i"))
    same("a structure has no one value",
         client.call("dataBreakpointInfo", variablesReference=globals_, name="p")["dataId"], None)
    for info, count in [(total, 8), (i, 5)]:
        check("is verified", client.call("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
              ["breakpoints"][0]["verified"])
        seen = []
        stop = client.move("continue", threadId=1)
        while stop["reason"] == "data breakpoint":
            seen.append(stop["position"]["step"])
            stop = client.move("continue", threadId=1)
        same(f"{info['dataId']} changes", len(seen), count)
        back = []
        stop = client.move("reverseContinue", threadId=1)
        while stop["reason"] == "data breakpoint":
            back.append(stop["position"]["step"] + 1)
            stop = client.move("reverseContinue", threadId=1)
        same(f"{info['dataId']}, backwards: before the same steps", back, seen[::-1])
    client.call("setDataBreakpoints", breakpoints=[])


def expressions(program):
    client = counting(program, lambda c: breakpoints_of(c, program, {"line": LINE["q?ack,eval(i)"]}))
    client.stop()
    client.move("continue", threadId=1)
    main, echo = client.frames(1)[0]["id"], client.frames(2)[0]["id"]
    for expression, frame, wanted in [
            ("i", main, "1"), ("i + 1", main, "2"), ("i == 1", main, "true"), ("main:i * 2", echo, "2"),
            ("main[0]:i", 0, "1"), ("x", echo, "1"), ("p[1].b[0]", 0, "10"), ("p[1].b", 0, "[10, 0]"),
            ("p", 0, "[{a: 0, b: [0, 0]}, {a: 0, b: [10, 0]}]"), ("p[1]", 0, "{a: 0, b: [10, 0]}"),
            (" p [ 1 ] . b [ 0 ] ", 0, "10"), ("len(q)", 0, "1"), ("q", main, "1 of 2: [ack,1]"),
            ("q?[ack,1]", 0, "true"), ("q?[req,1]", 0, "false"), ("full(q)", 0, "false"), ("nempty(q)", 0, "true"),
            ("req", 0, "2"), ("_nr_pr", 0, "2"), ("_pid", echo, "1"), ("echo@end", 0, "true"),
            ("(i > 0 -> 5 : 6)", main, "5"), ("echo", 0, "echo(1) waits to receive from q (holds [ack,1]) (valid end state)")]:
        try:
            got = client.evaluate(expression, **({"frameId": frame} if frame else {}))
        except Refused as problem:
            got = str(problem)
        if expression == "echo":  # the words are those of blocked.c; who waits for what is ours
            check("hover over a process type", got.startswith("echo(1) waits") and "q" in got, got)
        else:
            same(f"the value of {expression}", got, wanted)
    for expression in ["_last", "1 + _last", "nothing", "i", "x", "1/0", "i = 2", "i +", "run child(1)", "p[2].a", "", "  ", "#include </etc/passwd>",
                       "c_expr { puts(\"x\") }", "((((", "child(1)", "x" * 20000, "\u00e4", "assert(0)", "goto end"]:
        try:
            client.evaluate(expression, context="hover")
            check(f"{expression[:20]} has no value", False)
        except Refused as problem:
            check(f"{expression[:20]} has no value", str(problem) != "", problem)
    check("setVariable is refused", "cannot be set" in client.refused("setVariable", variablesReference=1, name="x", value="1"))
    why = client.evaluate("why")
    check("why", "main(0) enabled: q?ack,eval(i)" in why and "echo(1) waits" in why, why)
    told = {p["pid"]: p for p in client.call("gyre/why")["processes"]}
    same("gyre/why", (told[0]["canMove"], told[1]["canMove"], told[1]["mayRest"]), (True, False, True))
    for text, column, wanted in [("to", 3, ["total"]), ("1 + tot", 8, ["total"]), ("p[1].", 6, ["a", "b"]), ("p[0].b", 7, ["b"]),
                                 ("ec", 3, ["echo"]), ("re", 3, ["req"]), ("i", 2, ["i"]), ("zzz", 4, []), (".", 2, [])]:
        found = client.call("completions", text=text, column=column, frameId=main)["targets"]
        same(f"completions of {text}", [t["label"] for t in found], wanted)
    channels = client.scopes(main)["Channels"]["q"]
    same("a channel as a tree", (channels[0], channels[1], {n: (m[0], [f[:2] for f in m[2].values()])
                                                          for n, m in channels[2].items()}),
         ("1 of 2: [ack,1]", "chan = [2] of { mtype, byte }", {"[0]": ("[ack,1]", [("ack", "mtype"), ("1", "byte")])}))
    scopes = client.call("scopes", frameId=main)["scopes"]
    page = client.call("variables", variablesReference=scopes[1]["variablesReference"], start=1, count=1)["variables"]
    same("a page of variables", [v["name"] for v in page], ["total"])
    same("the console", client.evaluate("choices", context="repl"), "1  main(0): q?ack,eval(i)")
    check("a trail has one way", "one way" not in client.evaluate("help", context="repl"))
    client.end()


# ---- launching ------------------------------------------------------------------------------

def launches(folder, program):
    good = write(folder, "good.pml", "byte x; active proctype P() { x = 1; assert(x == 1) } ltl p { <> (x == 1) }")
    client = Client(GYRE)
    client.start(program=good)
    same("a model that holds: its status", client.event("exited")["exitCode"], 0)
    client.event("terminated")
    check("nothing to step through", "nothing to step through" in client.refused("next", threadId=1))
    check("and is looked at no more", "nothing to step" in client.refused("stackTrace", threadId=1))
    same("but ends well", client.end(), (0, ""))
    client = Client(GYRE)
    client.start(program=good, property="[] (x == 0)", options={"shortest": True})
    same("a formula", client.stop()["position"]["total"], 1)
    client.end()
    both = write(folder, "both.pml", "byte x; active proctype P() { x = 1; x = 2; assert(x == 1) } ltl p { [] (x == 0) }")
    for wish, steps in (({"property": "p"}, 1), ({}, 3), ({"property": "p", "counterexample": 2}, 3)):
        client = Client(GYRE)
        client.start(program=both, **wish)
        same(f"the counterexample with {wish}", client.stop()["position"]["total"], steps)
        client.end()
    client = Client(GYRE)
    client.start(program="models/../good.pml", cwd=folder + "/.", defines=["N=3"], property="[] (x == 0)")
    client.stop()
    client.end()
    refused = [({}, "program"), ({"program": 3}, "program"), ({"program": folder + "/none.pml"}, "none.pml"),
               ({"program": good, "trail": "none"}, "cannot read"), ({"program": good, "trail": good}, "trail"),
               ({"program": good, "simulate": True, "trail": "x"}, "only one"),
               ({"program": good, "options": 3}, "options"), ({"program": good, "options": {"trail": "x"}}, "trail"),
               ({"program": good, "options": {"nosuch": "x"}}, "nosuch"), ({"program": good, "defines": 3}, "defines"),
               ({"program": good, "defines": [3]}, "defines"), ({"program": good, "simulate": True, "seed": "x"}, "seed"),
               ({"program": good, "counterexample": 0}, "counterexample"),
               ({"program": write(folder, "wrong.pml", "active proctype P() { y = 1 }")}, "wrong.pml:1: "),
               ({"program": write(folder, "c.pml", "active proctype P() { c_code { ; } }")}, "embedded C"),
               ({"program": folder}, "")]
    for arguments, text in refused:
        client = Client(GYRE)
        client.call("initialize", adapterID="x")
        check(f"a launch with {arguments}", text in client.refused("launch", **arguments))
        client.call("launch", program=good, simulate=True)  # a second try is possible
        same("ends well", client.end(), (0, ""))
    client = Client(GYRE)
    client.start(program=os.path.join(folder, "c.pml"), simulate=True, embeddedC=True)
    client.stop()
    client.end()
    noisy_c(folder)
    terminate_verification(folder)
    restart(folder)
    before_launch(program)
    without_debugging(folder, program)


def terminate_verification(folder):
    """Who has ended it does not want the counterexample that was found before."""
    model = write(folder, "found.pml", "int a, b, c;\nactive proctype A() { do :: a++; assert(a != 1) :: b++ :: c++ od }\n")
    client = Client(GYRE)
    client.start(program=model, options={"all-errors": True})
    client.event("progressUpdate")  # 2^96 states; the error is among the first
    client.call("terminate")
    ends = None
    while ends not in ("stopped", "terminated"):
        while not client.events:
            client.hear()
        ends = client.events.pop(0)["event"]
    same("terminate while a verification goes on", ends, "terminated")
    client.end()


def noisy_c(folder):
    """What C code prints is output of the step; what it writes by itself does not get into the protocol. Files that only call inlines have lines, too."""
    noisy = write(folder, "noisy.pml", 'c_decl { \\#include <stdio.h>\n\\#include <unistd.h>\n}; byte x; active proctype P() '
                  '{ c_code { puts("noise"); fflush(stdout); write(1, "raw", 3); }; x = 1 }'.replace("\\\\", "\\"))
    client = Client(GYRE, "--allow-c")
    client.start(program=noisy, simulate=True, stopOnEntry=False)
    while not any(e["event"] == "stopped" for e in client.events):
        client.hear()
    output = client.output()
    client.call("disconnect")
    status, errors = client.wait()
    check("C code that prints", status == 0 and output.count("noise") == 1 and "raw" in errors, (status, output, errors))
    write(folder, "inlines.h", "byte x;\ninline one() {\n  x++;\n  x++\n}\ninline two() {\n  one();\n  one()\n}\n")
    caller = write(folder, "caller.pml", '#include "inlines.h"\nactive proctype P() {\n  two();\n  one()\n}\n')
    client = Client(GYRE)
    told = []
    client.start(program=caller, simulate=True, configure=lambda c: told.extend(breakpoints_of(
        c, caller, {"line": 3}, {"line": 4})))
    client.stop()
    same("lines with nothing but calls", [(b["verified"], b["line"]) for b in told], [(True, 3), (True, 4)])
    same("a file that is no part of it",
         breakpoints_of(client, os.path.join(folder, "good.pml"), {"line": 1})[0]["message"],
         "this file is not part of the model")
    # two() is x++ four times in two calls of one(), then one() twice more.
    client.move("stepIn", threadId=1)
    stop = client.move("continue", threadId=1)
    same("the second call in the caller", (stop["hitBreakpointIds"], value(client, "x")), ([told[1]["id"]], "4"))
    frames_ = [(f["name"].split(":")[0], f["line"], os.path.basename(f["source"]["path"])) for f in client.frames(1)]
    same("its frames", frames_, [("one()", 3, "inlines.h"), ("P(0)", 4, "caller.pml")])
    client.move("gyre/goto", step=0)
    breakpoints_of(client, caller)
    client.call("setFunctionBreakpoints", breakpoints=[{"name": "one"}])
    seen = []
    while client.move("continue", threadId=1)["reason"] == "function breakpoint":
        seen.append(value(client, "x"))
    same("each call of an inline, not that of the first step", seen, ["2", "4"])
    client.end()


def without_debugging(folder, program):
    for launch, status in [({"program": program}, 1), ({"program": os.path.join(folder, "good.pml")}, 0),
                           ({"program": program, "simulate": True}, 1),
                           ({"program": os.path.join(folder, "good.pml"), "simulate": True}, 0)]:
        client = Client(GYRE)
        client.start(noDebug=True, configure=lambda c: breakpoints_of(c, program, {"line": LINE["i++;"]}), **launch)
        same(f"without debugging: {launch}", client.event("exited")["exitCode"], status)
        client.event("terminated")
        client.end()


def restart(folder):
    program = write(folder, "changing.pml", "byte x; active proctype P() {\nx = 1;\nx = 2 }")
    client = Client(GYRE)
    client.start(program=program, simulate=True,
                 configure=lambda c: breakpoints_of(c, program, {"line": 3}))
    client.stop()
    client.move("continue", threadId=1)
    write(folder, "changing.pml", "byte x; active proctype P() {\nx = 5;\n\n\nx = 6 }")
    client.call("restart")
    client.stop()
    stop = client.move("continue", threadId=1)
    same("restart reads the model again", (stop["reason"], value(client, "x"), client.frames(1)[0]["line"]),
         ("breakpoint", "5", 5))
    write(folder, "changing.pml", "oops")
    check("restart tells what is wrong", "changing.pml" in client.refused("restart"))
    client.event("terminated")
    check("there is no model then", "nothing was launched" in client.refused("stackTrace", threadId=1))
    breakpoints_of(client, program, {"line": 1})
    write(folder, "changing.pml", "byte x; active proctype P() {\nx = 7 }")
    client.call("restart")
    client.stop()
    client.call("terminate")
    client.event("terminated")
    same("restart: ends well", client.end(), (0, ""))


def before_launch(program):
    """Breakpoints that are set before there is a model; lines and columns from 0."""
    client = Client(GYRE)
    client.call("initialize", adapterID="x", linesStartAt1=False, columnsStartAt1=False)
    told = breakpoints_of(client, program, {"line": LINE["i++;"] - 1})[0]
    same("not known yet", told["verified"], False)
    client.call("launch", program=program, simulate=True, stopOnEntry=False)
    changed = client.event("breakpoint")["breakpoint"]
    same("known after the launch", (changed["id"], changed["verified"], changed["line"]),
         (told["id"], True, LINE["i++;"] - 1))
    client.event("initialized")
    client.call("configurationDone")
    stop = client.stop()
    same("stops there", (stop["reason"], client.frames(1)[0]["line"]), ("breakpoint", LINE["i++;"] - 1))
    client.end()
    # Columns are in units of UTF-16.
    comment = "/* \u00e4\u20ac\U0001d11e */"
    wide = write(os.path.dirname(program), "wide.pml", "byte x;\nactive proctype P() { " + comment + " x = 1 }\n")
    client = Client(GYRE)
    client.start(program=wide, simulate=True)
    client.stop()
    before = "active proctype P() { " + comment + " "
    same("a column behind wide characters", client.frames(1)[0]["column"], len(before.encode("utf-16-le")) // 2 + 1)
    client.end()
    # The very first step can be one to stop before.
    client = Client(GYRE)
    client.start(program=program, simulate=True, stopOnEntry=False,
                 configure=lambda c: breakpoints_of(c, program, {"line": LINE[":: i < 5 ->"]}))
    same("before the first step", client.stop()["position"]["step"], 0)
    client.end()


# ---- clients that mean ill ------------------------------------------------------------------

COMMANDS = """completions initialize launch attach configurationDone restart cancel terminate setBreakpoints
setFunctionBreakpoints setDataBreakpoints dataBreakpointInfo setExceptionBreakpoints breakpointLocations continue
reverseContinue next stepIn stepOut stepBack stepInTargets gotoTargets goto pause threads stackTrace exceptionInfo
loadedSources scopes variables evaluate setVariable setExpression gyre/choices gyre/choose gyre/goto gyre/state
gyre/steps gyre/why gyre/saveTrail nosuch""".split()
JUNK = [None, 3, "x", [], {}, {"threadId": "x"}, {"threadId": 77}, {"threadId": -1}, {"threadId": 2**62}, {"frameId": 10**9},
        {"frameId": -5}, {"variablesReference": 10**9}, {"variablesReference": -1}, {"targetId": 0}, {"targetId": 99},
        {"source": {"path": 3}, "breakpoints": [{"line": 1}]}, {"source": {"path": "/x"}, "breakpoints": 3},
        {"source": {"path": "/x"}, "breakpoints": [{"line": "x"}]}, {"source": {"path": "/x"}, "breakpoints": [3, None]},
        {"source": {"path": "/x"}, "line": 1, "endLine": 2**31 - 2}, {"breakpoints": [{"name": ""}, {"dataId": ""}]},
        {"filters": ["nosuch"]}, {"filters": 3}, {"filterOptions": [3]}, {"expression": 3}, {"text": "x.", "column": 99}, {"text": 3, "column": 1}, {"expression": "x", "frameId": 1},
        {"name": "x", "variablesReference": 1}, {"id": 99}, {"step": 99}, {"start": 10**12, "count": 1}, {"count": 10**9},
        {"file": ""}, {"file": "/nowhere/at/all"}, {"progressId": "x"}, {"arguments": 3}]


def raw(client, command, arguments):
    client.seq += 1
    client.asked[client.seq] = command
    client.send({"seq": client.seq, "type": "request", "command": command, "arguments": arguments})
    return client.seq


def junk(program):
    """Everything with every argument, before a launch, before the configuration and while walking."""
    for stage in range(3):
        client = Client(GYRE)
        if stage:
            client.call("initialize", adapterID="x")
            client.call("launch", program=program, simulate=True)
        if stage == 2:
            client.call("configurationDone")
        for command in COMMANDS:
            if command in ("restart", "terminate") and stage == 2:
                continue
            for arguments in JUNK:
                raw(client, command, arguments)
            while client.asked:
                client.hear()
        number = client.ask("threads")
        try:
            client.answer(number)
        except Refused as problem:
            same("before initialize", (stage, str(problem)), (0, "`initialize` comes first"))
        same(f"junk in stage {stage}: every request was answered", client.asked, {})
        same(f"junk in stage {stage}: ends well", client.end(), (0, ""))


def frames():
    for text, status in [(b"", 0), (b"Content-Length: 5\r\n", 0), (b"Content-Length: 10\r\n\r\n{}", 0),
                         (b"GET / HTTP/1.1\r\n\r\n", 2), (b"Content-Length: x\r\n\r\n{}", 2),
                         (b"Content-Length: -1\r\n\r\n{}", 2), (b"Content-Length: 99999999999999999999\r\n\r\n{}", 2),
                         (b"x" * 100000, 2), (b"Content-Length: 3\r\n\r\n{x}Content-Length: 2\r\n\r\n[]", 0),
                         (b"Content-Length: 2\r\n\r\n{}", 0), (b"Content-Length: 4\r\n\r\nnull", 0),
                         (b'Content-Length: 19\r\n\r\n{"type":"response"}', 0)]:
        done = subprocess.run([GYRE, "dap"], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        same(f"a client that sends {text[:60]}", (done.returncode, done.stderr), (status, b""))


def terminal():
    """A person who starts it is told who should."""
    import pty
    ours, theirs = pty.openpty()
    process = subprocess.Popen([GYRE, "dap"], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(theirs)
    os.write(ours, b"\x04")  # end of the input
    _, errors = process.communicate(timeout=300)
    os.close(ours)
    same("on a terminal", (process.returncode, b"docs/dap.md" in errors), (0, True))


def long_ones(folder):
    """A hundred thousand steps, and what never ends."""
    program = write(folder, "long.pml", "int x;\nactive proctype P() {\n  do\n  :: x < 50000 -> x++\n"
                    "  :: else -> break\n  od;\n  assert(false)\n}\n")
    client = Client(GYRE)
    client.start(program=program)
    total = client.stop()["position"]["total"]
    same("a long run", total, 100002)
    stop = client.move("continue", threadId=1)
    same("to its end", (stop["reason"], stop["position"]["step"]), ("exception", total))
    breakpoints_of(client, program, {"line": 4, "condition": "x == 10", "hitCondition": "2"})
    stop = client.move("reverseContinue", threadId=1)
    same("a condition far back", (value(client, "x"), stop["position"]["step"]), ("10", 21))
    client.move("gyre/goto", step=total - 1)
    same("a jump over all of it", value(client, "x"), "50000")
    client.end()
    endless = write(folder, "endless.pml", "int x, y;\nactive proctype P() { do :: x++; assert(x + y != -1) od }\n"
                    "active proctype Q() { do :: y++ od }\n")
    client = Client(GYRE)
    client.start(program=endless, options={"threads": 1})  # 2^64 states
    check("while it is verified", "still running" in client.refused("next", threadId=1))
    same("there is a thread", client.threads(), {1000: "verification"})
    check("a verification cannot be paused", "cancel" in client.refused("pause", threadId=1))
    client.call("cancel", progressId="verification")
    same("cancelled: inconclusive", client.event("exited")["exitCode"], 3)
    same("cancelled: ends well", client.end(), (0, ""))
    client = Client(GYRE)
    client.start(program=endless)
    same("gone in the middle of a verification", client.end(), (0, ""))
    client = Client(GYRE)
    client.start(program=endless, simulate=True, maxSteps=500000)  # bounded, for machines that are slow to pause
    client.stop()
    client.call("continue", threadId=1)
    stop = client.move("pause", threadId=1)
    same("pause", stop["reason"], "pause")
    client.call("continue", threadId=1)
    same("gone in the middle of a run", client.end(), (0, ""))
    same("no files are left", glob.glob(os.path.join(os.environ["TMPDIR"], "gyre-*")), [])


def main():
    if not os.path.exists(GYRE):
        print(f"{GYRE} is not there: run make first")
        return 2
    with tempfile.TemporaryDirectory(prefix="dap-") as folder:
        os.environ["TMPDIR"] = folder
        os.mkdir(os.path.join(folder, "models"))
        program = write(folder, "counter.pml", COUNTER)
        tests = {"walks": lambda: walks(folder), "lasso": lasso, "simulation": lambda: simulation(folder),
                 "lines": lambda: lines(program), "conditions": lambda: conditions(program),
                 "named": lambda: named(program), "expressions": lambda: expressions(program),
                 "launches": lambda: launches(folder, program), "junk": lambda: junk(program), "frames": frames, "terminal": terminal,
                 "long": lambda: long_ones(folder)}
        for name, run in tests.items():
            if len(sys.argv) > 1 and name not in sys.argv[1:]:
                continue
            try:
                run()
            except (Broken, Refused, EOFError, KeyError, IndexError, OSError) as problem:
                import traceback
                check(f"{name} runs to its end", False, f"{problem!r}\n{traceback.format_exc()}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
