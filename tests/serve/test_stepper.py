#!/usr/bin/env python3
# check: ui: the steppers: every state is the one that is replayed; seconds 40
"""The steppers: the page of `gyre --html` and that of `gyre ui` show, step by step, the states that the
Python module's replay() executes: every value, every process and where it is, and the automaton's state.

All examples, each with a run that violates a formula where nothing else does, and models in which
processes and channels come and go. Ends with `N passed, N failed`.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.join(ROOT, "tests")]
import gyre  # noqa: E402
from browser import Browser  # noqa: E402
from followed import contents, word  # noqa: E402
from test_ui import OVERLAPS, Server  # noqa: E402

counts = [0, 0]

# A formula that every run of a model violates, so that there is one to step through.
NEVER = {"pml": "<> (_nr_pr > 200)", "mutex.dve": "<> (turn == 7)", "alternating_bit.if": "<> ({transmitter}0.m == 7)",
         "client_server.riscal": "<> (given < 0)"}

COME_AND_GO = {
    # init runs three nodes, which end; step 0 has none of them.
    "ring.pml": """chan link[3] = [1] of { byte };
byte leader;
proctype node(byte me) {
    byte best = me, got;
    link[(me + 1) % 3]!me;
    do
    :: link[me]?got ->
       if
       :: got > best -> best = got; link[(me + 1) % 3]!got
       :: got < best -> skip
       :: else -> leader = me; break
       fi
    od
}
init { atomic { run node(0); run node(1); run node(2) } }
""",
    # A pid is used again by another type; the channel of a process goes with it; two variables of one name.
    "again.pml": """chan back = [1] of { byte };
proctype P(byte k) { chan c = [1] of { byte }; { byte x = 1; x = x + k } ; { byte x = 5; c!x; c?x; x++ }; k = 0 }
proctype Q(chan to) { byte z[2] = 3; z[1] = 4; to!z[1] }
init { run P(3); (_nr_pr == 1); run Q(back); (_nr_pr == 1); run P(4); (_nr_pr == 1); assert(false) }
""",
    # Variables get other channels: names of channels move from one to another.
    "renamed.pml": """chan a = [2] of { byte }; chan b = [2] of { byte }; chan t;
mtype = { one, two }; mtype m = one; bool done[2];
active proctype P() {
    a!1; b!2; t = a; a = b; b = t; a!3; d_step { t = a; a = b; b = t }; b!4; a = t; m = two; done[1] = true; assert(false)
}
""",
}

# All that a stepper shows: after each step {name: value}, the processes and the marks at the text.
WALK = """
const panel = document.querySelector(arguments[0]), states = [];
const steps = panel.querySelectorAll(".steps > div").length, next = panel.querySelector("#trace-next");
panel.querySelector("#trace-first").click();
for (let n = 0; n < steps; n++) {
  states.push({
    at: panel.querySelector(".where").textContent,
    values: Object.fromEntries([...panel.querySelectorAll(".values tr[data-name]")].map(r => [r.dataset.name, r.cells[1].textContent])),
    processes: [...panel.querySelectorAll(".values tr.group")].map(r => [r.cells[0].textContent, r.cells[1].textContent]),
    automata: [...document.querySelectorAll("#panel-automata .automaton")].map(a => [a.dataset.process, [...a.querySelectorAll(".node.now")].map(g => g.querySelector("text").textContent)])
  });
  next.click();
}
return states;
"""


def check(name, good, detail=""):
    counts[0 if good else 1] += 1
    if not good:
        print(f"FAILED: {name}\n    {str(detail)[:1500]}")


def wanted(state):
    """What a page has to show of a state of the module: channels by what they hold, unless they can't."""
    values = {}
    for name, value in state.items():
        channel = state.channels.get(name)
        if channel:
            if channel.capacity:
                values[name] = contents(value)
        elif isinstance(value, tuple):
            values.update({f"{name}[{index}]": word(one) for index, one in enumerate(value)})
        else:
            values[name] = word(value)
    return values, [[p.who, f"line {p.line}" if p.line else ""] for p in state.processes]


def compare(name, shown, states):
    check(f"{name}: as many states as there are steps, and one", len(shown) == len(states), (len(shown), len(states)))
    for number, (page, state) in enumerate(zip(shown, states)):
        values, processes = wanted(state)
        check(f"{name}: step {number} is told", page["at"] == f"step {number} of {len(states) - 1}", page["at"])
        check(f"{name}: the values after step {number}", page["values"] == values, (page["values"], values))
        check(f"{name}: the processes after step {number}", page["processes"] == processes, (page["processes"], processes))


def models(folder):
    """(path, formula or None) of all that is stepped through."""
    for pattern in ("examples/*.pml", "examples/tutorial/*.pml", "examples/dve/*.dve", "examples/if/*.if", "examples/riscal/*.riscal"):
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            base = os.path.basename(path)
            yield path, NEVER.get(base, NEVER.get(base.rsplit(".", 1)[1]))
    for base, text in COME_AND_GO.items():
        path = os.path.join(folder, base)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        yield path, NEVER["pml"]


def reports(browser, folder):
    """The page that --html writes, for each counterexample; returns how many models have one."""
    found = {}
    for path, formula in models(folder):
        base = os.path.basename(path)
        options = ["--ltl", formula] if formula else []
        done = subprocess.run([GYRE, path, "--html", "r.html", "--json", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=300, cwd=folder)
        report = json.loads(done.stdout)
        if not formula and report["verdict"] == "holds":
            continue
        model = gyre.load(path)
        browser.open(os.path.join(folder, "r.html"))
        buttons = browser.run("return document.querySelectorAll('#properties [data-walk]').length")
        told = [(p["name"], p["counterexample"]) for p in report["properties"] if p.get("counterexample")]
        check(f"{base}: a button for each counterexample", told and buttons == len(told), (buttons, len(told)))
        for number, (name, walk) in enumerate(told):
            browser.click(f"#properties [data-walk='{number}']")
            compare(f"{base}, {name}, report", browser.run(WALK, "#viewer"), gyre.verification.Counterexample(walk, model.source).replay(model))
            found.setdefault(base, (path, formula))
    return found


def page(browser, folder, found):
    """The same model in `gyre ui`: the page runs the verification; the automata follow."""
    for base, (path, _) in found.items():
        if not os.path.exists(os.path.join(folder, base)):
            shutil.copy(path, os.path.join(folder, base))
    with Server(folder) as server:
        for base, (_, formula) in found.items():
            options = [["ltl", formula]] if formula else []
            view = server.verify(base, *options)
            browser.visit(f"{server.address}#{base}")
            browser.reload()
            browser.wait("document.body.dataset.ready === 'yes' && document.body.dataset.checked === 'good'")
            browser.run("document.querySelector('#tab-history').click()")
            browser.wait("document.querySelector('#panel-history .link')")
            browser.run("document.querySelector('#panel-history .link').click()")
            browser.wait("document.querySelectorAll('#result .trace').length")
            model = gyre.load(path_of(folder, base))
            told = [(p["name"], p["counterexample"]) for p in view["result"]["properties"] if p.get("counterexample")]
            for name, walk in told:
                browser.run("[...document.querySelectorAll('#result tr')].find(r => r.dataset.property === arguments[0]).querySelector('.trace').click()", name)
                browser.run("document.querySelector('#tab-automata').click()")
                states = gyre.verification.Counterexample(walk, model.source).replay(model)
                shown = browser.run(WALK, "#panel-trace")
                compare(f"{base}, {name}, page", shown, states)
                automata(f"{base}, {name}", shown, states)
                apart = browser.run(OVERLAPS)
                check(f"{base}, {name}: labels of automata lie apart", apart == [], apart)


def automata(name, shown, states):
    """One for each process, at the state of its automaton that the library says it is in."""
    for number, (drawn, state) in enumerate(zip(shown, states)):
        places = [[f"{p['process']}({p['pid']})", [str(p["state"])]] for p in state._tell().get("processes", ())]
        check(f"{name}: automata after step {number}", drawn["automata"] == places, (drawn["automata"], places))


def path_of(folder, base):
    return os.path.join(folder, base)


def main():
    with tempfile.TemporaryDirectory() as folder, Browser(1400, 900) as browser:
        found = reports(browser, folder)
        check("most examples have a run to step through", len(found) > 30, sorted(found))
        page(browser, folder, found)
        complaints = [c["message"] for c in browser.complaints() if c["level"] == "SEVERE"]
        check("the browser has nothing to complain about", not complaints, complaints)
    print(f"{counts[0]} passed, {counts[1]} failed")
    return 1 if counts[1] or not counts[0] else 0


if __name__ == "__main__":
    sys.exit(main())
