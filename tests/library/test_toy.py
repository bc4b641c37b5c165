#!/usr/bin/env python3
# check: cli: a system without a MODEL: all that Gyre does, against a count of its own; seconds 25
"""A system that is no MODEL: toy/queue.c, a shared object, with its own words and its own faults. Here the same system is
written a second time, and its states, runs and fair cycles are counted by brute force; Gyre has to say the same, with and
without reduction and fairness, within limits, from checkpoints and in every report. What it cannot do without a MODEL it
has to refuse with a reason."""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "tests/serve")]
from browser import Browser  # noqa: E402
from dap_client import Client  # noqa: E402

counts = [0, 0]


def check(name, good, detail=""):
    counts[0 if good else 1] += 1
    if not good:
        print(f"FAILED: {name}\n    {str(detail)[:1500]}")


# ---- the system, a second time ------------------------------------------------------------------------------------------


class Queue:
    """A state: (items in the queue, (what producer 0 does, producer 1), what the consumer has, items handled)."""
    start = ((), ("rests", "rests"), "nothing", 0)

    def __init__(self, slots=2, hasty=0, tired=0, seen=0):
        self.slots, self.hasty, self.tired, self.seen = slots, hasty, tired, seen

    def steps(self, state):
        """(process, words, the next state, or None after a fault)."""
        items, producers, has, handled = state
        for who, does in enumerate(producers):
            def become(what, who=who):
                return tuple(what if i == who else p for i, p in enumerate(producers))
            room = len(items) < self.slots
            if does == "rests":
                yield who, f"producer {who} makes an item", (items, become("wants"), has, handled)
            elif does == "wants" and self.hasty:
                if room:
                    yield who, f"producer {who} sees room", (items, become("hurries"), has, handled)
            elif room:
                yield who, f"producer {who} puts its item", (items + (who,), become("rests"), has, handled)
            elif does == "hurries":
                yield who, f"producer {who} puts its item", None
        if has in (0, 1):
            yield 2, "the consumer is done with it", (items, producers, "nothing", min(handled + 1, self.seen))
        if has == "nothing" and items:
            yield 2, "the consumer takes an item", (items[1:], producers, items[0], handled)
        if has == "nothing" and self.tired:
            yield 2, "the consumer goes home", (items, producers, "home", handled)

    def graph(self):
        """{state: its steps}, in the order in which they are found, and how far each state is."""
        found, depth, todo = {}, {self.start: 0}, [self.start]
        for state in todo:
            found[state] = list(self.steps(state))
            for _, _, after in found[state]:
                if after is not None and after not in depth:
                    depth[after] = depth[state] + 1
                    todo.append(after)
        return found, depth

    def build(self, folder, name):
        path = os.path.join(folder, name + ".so")
        subprocess.run([os.environ.get("CC", "gcc").split()[-1], "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-I" + os.path.join(ROOT, "include"),
                        *[f"-D{what.upper()}={getattr(self, what)}" for what in ("slots", "hasty", "tired", "seen")],
                        os.path.join(ROOT, "tests/library/toy/queue.c"), "-o", path], check=True)
        return path


TRUE_IN = {"wants0": lambda s: s[1][0] != "rests", "wants1": lambda s: s[1][1] != "rests", "served0": lambda s: s[2] == 0,
           "served1": lambda s: s[2] == 1, "items": lambda s: bool(s[0]), "idle": lambda s: s[2] == "nothing"}


def components(states, arcs):
    """Maximal sets of states that reach each other, by closure: slow and plain."""
    reach = {}
    for state in states:
        seen, todo = {state}, [state]
        while todo:
            for after in arcs[todo.pop()]:
                if after in states and after not in seen:
                    seen.add(after)
                    todo.append(after)
        reach[state] = seen
    left = set(states)
    while left:
        state = left.pop()
        part = {other for other in reach[state] if state in reach[other]}
        left -= part
        yield part


def has_fair_run(graph, states, fairness):
    """Is there an infinite run that stays in these states and is fair to each process? One that stops repeats its state."""
    if any(not graph[state] for state in states):
        return True
    arcs = {s: [after for _, _, after in graph[s]] for s in states}
    for part in components(states, arcs):
        moving = {who for s in part for who, _, after in graph[s] if after in part}
        if not moving:
            continue
        can = {s: {who for who, _, _ in graph[s]} for s in part}
        starved = {who for who in range(3) if who not in moving and fairness != "none" and
                   (any(who in can[s] for s in part) if fairness == "strong" else all(who in can[s] for s in part))}
        if not starved:
            return True
        rest = {s for s in part if not starved & can[s]} if fairness == "strong" else set()
        if rest and has_fair_run(graph, rest, fairness):
            return True
    return False


def is_violated(graph, premise, conclusion, fairness):
    """[] (premise -> <> conclusion)"""
    p, q = TRUE_IN[premise], TRUE_IN[conclusion]
    without = {s for s in graph if not q(s)}
    begin = [s for s in without if p(s)]
    seen, todo = set(begin), list(begin)
    while todo:
        for _, _, after in graph[todo.pop()]:
            if after in without and after not in seen:
                seen.add(after)
                todo.append(after)
    return bool(seen) and has_fair_run(graph, seen, fairness)


# ---- Gyre ------------------------------------------------------------------------------------------------------------------


def gyre(*arguments, text=None, folder=None):
    done = subprocess.run([GYRE, *arguments], input=text or "", capture_output=True, text=True, check=False, timeout=600, cwd=folder)
    return done.returncode, done.stdout, done.stderr


def report(*arguments):
    status, out, err = gyre(*arguments, "--json")
    try:
        told = json.loads(out)
    except ValueError:
        told = {}
    if not told.get("properties"):
        check(f"a report: {arguments}", False, out + err)
        told = {"properties": [{}], "stats": {}, "verdict": None, "diagnostics": []}
    return status, told


def is_run(system, words):
    """Do these steps lead from the start to a fault or a state without steps? 'fault', 'stop', 'run', or None: no run."""
    states = {system.start}
    for number, word in enumerate(words):
        after = {then for s in states for _, said, then in system.steps(s) if said == word}
        if after == {None}:
            return "fault" if number == len(words) - 1 else None
        states = after - {None}
    return None if not states else "stop" if all(not list(system.steps(s)) for s in states) else "run"


def count_states(folder):
    for number, options in enumerate([{}, {"slots": 1}, {"slots": 3}, {"tired": 1}, {"seen": 3}, {"slots": 3, "tired": 1, "seen": 5}]):
        system = Queue(**options)
        path = system.build(folder, f"count{number}")
        graph, depth = system.graph()
        edges = sum(map(len, graph.values()))
        for way in ([], ["--search", "dfs"], ["--store", "plain"], ["--store", "automaton"], ["--threads", "2"], ["--mpi"]):
            status, told = report(path, "--exact", "--no-deadlock", *way)
            safety = told["properties"][0]
            check(f"{options} {way}: it holds", status == 0 and safety.get("verdict") == "holds", told)
            check(f"{options} {way}: states and transitions", (safety.get("states"), safety.get("transitions")) == (len(graph), edges + 1),
                  (safety.get("states"), safety.get("transitions"), len(graph), edges + 1))
        _, out, _ = gyre("stats", path)
        check(f"{options}: statistics", f"states              {len(graph):,}\n" in out and f"edges               {edges:,}\n" in out, out)
        check(f"{options}: levels", f"levels              {max(depth.values()) + 1}," in out, out)
        status, told = report(path, "--no-deadlock")
        safety = told["properties"][0]
        check(f"{options}: reduced", status == 0 and safety["states"] < len(graph) and told["stats"]["reductions"] == ["partial-order"],
              (safety["states"], len(graph), told["stats"]))
        status, told = report(path, "--no-deadlock", "--check-reduction")
        check(f"{options}: the reduction is checked", status == 0, told)


def find_errors(folder):
    for name, system, kind in (("hasty", Queue(hasty=1), "queue-overflow"), ("tired", Queue(tired=1), "invalid-end-state")):
        path = system.build(folder, name)
        graph, depth = system.graph()
        wrong = [depth[s] + 1 for s, steps in graph.items() for _, _, after in steps if after is None] + [depth[s] for s in graph if not graph[s]]
        for way in ([], ["--exact"], ["--search", "dfs", "--exact"], ["--shortest"], ["--threads", "2", "--no-por"]):
            status, told = report(path, *way)
            found = told["properties"][0].get("counterexample", {})
            words = [step["text"] for step in found.get("steps", [])]
            check(f"{name} {way}: found", status == 1 and found.get("kind") == kind, told)
            check(f"{name} {way}: a run of the system", is_run(system, words) == ("fault" if name == "hasty" else "stop"), words)
            check(f"{name} {way}: shortest, if it says so", len(words) == min(wrong) if found.get("shortest") else len(words) >= min(wrong),
                  (len(words), min(wrong)))
            check(f"{name} {way}: the processes", all(f"producer {step['pid']} " in step["text"] or step["pid"] == 2 for step in found["steps"]), words)
        status, told = report("hunt", path)
        check(f"{name}: hunted", status == 1 and told["properties"][0]["counterexample"]["kind"] == kind, told)


def check_formulas(folder):
    seen = set()
    for name, system in (("plain", Queue()), ("small", Queue(slots=1)), ("leaves", Queue(tired=1))):
        path = system.build(folder, name)
        graph, _ = system.graph()
        for premise, conclusion in (("wants0", "served0"), ("items", "idle"), ("wants0", "items"), ("served0", "idle"), ("items", "served1")):
            for fairness in ("none", "weak", "strong"):
                wanted = is_violated(graph, premise, conclusion, fairness)
                seen.add((wanted, fairness))
                for way in ([], ["--exact"], ["--threads", "2"]):
                    _, told = report(path, "--no-deadlock", "--fairness", fairness, "--ltl", f"[] ({premise} -> <> {conclusion})", *way)
                    verdict = told["properties"][-1].get("verdict")
                    check(f"{name}, {premise} -> {conclusion}, {fairness} {way}", verdict == ("violated" if wanted else "holds"), (wanted, verdict))
    check("each kind of fairness has both verdicts", len(seen) == 6, seen)
    status, _, err = gyre(os.path.join(folder, "plain.so"), "--ltl", "[] wants2")
    check("a name that there is not", status == 2 and "wants2" in err, err)


def keep_limits(folder):
    system = Queue(seen=9)
    path = system.build(folder, "limited")
    _, depth = system.graph()
    status, told = report(path, "--exact", "--depth", "7")
    near = sum(d <= 7 for d in depth.values())
    check("a limit of depth", status == 3 and told["verdict"] == "inconclusive" and told["stats"]["limit"] == "depth", told)
    check("the states within it", told["properties"][0]["states"] == near, (told["properties"][0]["states"], near))
    # A count for so many states is that of a straight line through two that are small.
    few, more = ([len(g), sum(map(len, g.values())) + 1] for g in (Queue(seen=n).graph()[0] for n in (3, 8)))
    enough = 20000
    line = [a + (b - a) // 5 * (enough - 3) for a, b in zip(few, more)]
    check("a straight line", all((b - a) % 5 == 0 for a, b in zip(few, more)), (few, more))
    path, other = Queue(seen=enough).build(folder, "long"), Queue(seen=enough, tired=1).build(folder, "other")
    kept = os.path.join(folder, "kept")
    for limit in range(12, 17):
        status, told = report(path, "--exact", "--memory", f"{limit}M", "--checkpoint", kept)
        check("a limit of memory", status == 3 and told["stats"]["limit"] == "memory", told)
        if os.path.exists(kept):
            break
        # two threads may use up what was reserved for saving, and then this is said
        check("or why it is not kept", "out of memory before the search reached" in json.dumps(told), told)
    status, told = report(path, "--exact", "--resume", kept)
    safety = told["properties"][0]
    check("a checkpoint goes on", status == 0 and [safety.get("states"), safety.get("transitions")] == line, (safety, line))
    check("and the note is there", "as many items" in json.dumps(told["diagnostics"]) or "as many items" in json.dumps(told), told)
    status, out, err = gyre(other, "--exact", "--resume", kept)
    check("not in another object", status == 2 and "this checkpoint belongs to another model" in err, out + err)


def read_reports(folder):
    path = os.path.join(folder, "hasty.so")
    status, out, err = gyre("hasty.so", "--html", "r.html", "--sarif", "r.sarif", "--junit", "r.xml", "--shortest", folder=folder)
    words = re.findall(r"^ +\d+   process \d +(.+)$", out, re.M)
    check("text: the run", status == 1 and is_run(Queue(hasty=1), words) == "fault", out + err)
    check("text: the words of the fault and of the state", "the queue is full: an item is lost" in out and "\nconsumer = " in out, out)
    with open(os.path.join(folder, "r.sarif"), encoding="utf-8") as file:
        run = json.load(file)["runs"][0]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    result = run["results"][0]
    check("SARIF: a rule of its own", rules["queue-overflow"]["name"] == "QueueOverflow" and
          rules["queue-overflow"]["help"]["text"] == "Look for room and put the item in one step." and
          rules["many-items"]["defaultConfiguration"]["level"] == "warning", rules.get("queue-overflow"))
    check("SARIF: the error, at the file of the object", result["ruleId"] == "queue-overflow" and
          result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "hasty.so", result["locations"])
    flow = [one["location"]["message"]["text"].split(": ", 1)[1] for one in result["codeFlows"][0]["threadFlows"][0]["locations"]]
    check("SARIF: the run", flow == words, (flow, words))
    with open(os.path.join(folder, "r.xml"), encoding="utf-8") as file:
        text = file.read()
    check("JUnit: the error", 'type="queue-overflow"' in text and all(word in text for word in words), text)
    status, out, err = gyre(path, "--json")
    check("JSON: the file", json.loads(out)["model"] == path, out)
    noted = Queue(seen=2).build(folder, "noted")
    status, out, err = gyre(noted)
    check("a note of its own violates nothing and is told", status == 0 and "The consumer has handled as many items as it counts." in out + err, out + err)
    with Browser() as browser:
        browser.open(os.path.join(folder, "r.html"))
        browser.click("#properties [data-walk='0']")
        shown = browser.run("""
            const panel = document.querySelector("#viewer"), found = [];
            for (const step of panel.querySelectorAll(".steps > div")) found.push(step.textContent);
            return found;""")
        check("the page: a row for each step, and one for the start", len(shown) == len(words) + 1 and
              all(word in row for word, row in zip(words, shown[1:])), (shown, words))
        browser.run("document.querySelector('#viewer #trace-first').click()")
        at = []
        for _ in shown:
            at.append(browser.run("return document.querySelector('#viewer .where').textContent"))
            browser.run("document.querySelector('#viewer #trace-next').click()")
        check("the page: stepping", at == [f"step {n} of {len(words)}" for n in range(len(words) + 1)], at)


def step_by_hand(folder):
    path = os.path.join(folder, "hasty.so")
    system, state, words = Queue(hasty=1), Queue.start, []
    commands = []
    while state is not None:        # always the last of the menu: there, producer 1 and the consumer go first
        menu = list(system.steps(state))
        commands.append(str(len(menu)) if len(words) % 3 else "1")
        _, word, state = menu[int(commands[-1]) - 1]
        words.append(word)
        if len(words) == 40:
            break
    _, out, err = gyre("sim", path, "--interactive", text="".join(f"{c}\n" for c in commands) + "l\nv\nq\n")
    listed = [line for line in out.splitlines() if any(word in line for word in words)]
    check("the stepper takes the steps that were chosen", all(any(word in line for line in listed) for word in words), out + err)
    check("the stepper shows the state in the object's words", "consumer = " in out and "length = " in out, out)
    status, out, err = gyre("sim", path, "--interactive", text="w length\nt trail\nq\n", folder=folder)
    check("unknown names and trails are refused with a reason", "unknown predicate `length`: the shared object has `wants0`, " in out and
          "a shared object has no trails" in out and not os.path.exists(os.path.join(folder, "trail")), out + err)
    names = {"wants1": lambda s: s[1][1] != "rests", "items": lambda s: bool(s[0]), "idle": lambda s: s[2] == "nothing"}
    _, out, err = gyre("sim", path, "--interactive", "--show", ";".join(names), text="".join(f"{c}\n" for c in commands) + "q\n")
    shown, state, expected = re.findall(r"wants1 = \S+, items = \S+, idle = \d", out), system.start, []
    for command in commands:
        state = list(system.steps(state))[int(command) - 1][2]
        if state is not None:
            expected.append(", ".join(f"{name} = {int(is_true(state))}" for name, is_true in names.items()))
    check("predicates are shown after every step", len(set(expected)) > 3 and shown[:len(expected)] == expected, (expected[:6], shown[:6], err))
    client = Client(GYRE)
    client.call("initialize", adapterID="gyre")
    refusal = client.refused("launch", program=path)
    check("the debugger refuses an object with a reason", "a shared object has no statements to step through" in json.dumps(refusal), refusal)
    client.call("disconnect")


def refuse(folder):
    path = os.path.join(folder, "plain.so")
    for arguments, reason in (
            ([path, "--symmetry"], "--symmetry is not possible: the model is a shared object"),
            ([path, "--cover"], "--cover cannot be used: the model is a shared object"),
            ([path, "--reduce", "cartesian"], "--reduce cartesian cannot be used: the model is a shared object"),
            ([path, "--partial-deadlock"], "--partial-deadlock cannot be used with a shared object"),
            ([path, "--ef", "items"], "--ef cannot be used with a shared object"),
            ([path, "--trail", "t"], "--trail cannot be used with a shared object"),
            ([path, "--no-c"], "a shared object is compiled code"),
            (["replay", path], "a shared object has no trails"),
            (["info", path], "is a shared object, which can only be verified or simulated"),
            (["convert", path], "is a shared object, which is in no language")):
        status, out, err = gyre(*arguments, folder=folder)
        check(f"{arguments[:2]} is refused with a reason", status == 2 and reason in err, out + err)


def main():
    with tempfile.TemporaryDirectory(prefix="gyre-toy-") as folder:
        for part in (count_states, find_errors, check_formulas, keep_limits, read_reports, step_by_hand, refuse):
            part(folder)
    print(f"{counts[0]} passed, {counts[1]} failed")
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
