#!/usr/bin/env python3
# check: docs: reports in files and in a browser; seconds 20
"""Reports in files: JUnit, SARIF, and the page, which is driven in a real browser.

What they say is compared with what --json says. Ends with `N passed, N failed`.
"""
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from browser import Browser  # noqa: E402

GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
RIGHT, LEFT, HOME, END = "\ue014", "\ue012", "\ue011", "\ue010"
counts = [0, 0]


def check(name, good, detail=""):
    counts[0 if good else 1] += 1
    if not good:
        print(f"FAILED: {name}\n{str(detail)[:3000]}")


def gyre(*arguments, **extra):
    return subprocess.run([GYRE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=300, **extra)


def report(model, *options):
    return schema.report(gyre(model, "--json", *options).stdout)


def example(name):
    return os.path.join(ROOT, "examples", name)


# ---- JUnit ------------------------------------------------------------------------------


def junit():
    model = example("traffic_light.pml")
    done = gyre(model, "--junit", "r.xml")
    check("the status is the verdict's", done.returncode == 1, done)
    suite = xml.etree.ElementTree.parse("r.xml").getroot()[0]
    check("three properties, one fails", (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0"),
          suite.attrib)
    failing = [case.get("name") for case in suite if case.find("failure") is not None]
    check("no_wait fails", failing == ["no_wait"], failing)
    gyre(example("leader_election.pml"), "--store", "bitstate", "--junit", "r.xml")
    suite = xml.etree.ElementTree.parse("r.xml").getroot()[0]
    check("no verdict is an error, not a success", suite.get("errors") == "1" and suite[0].find("error").get("message"), suite[0])
    with open("bad.pml", "w") as bad:
        bad.write("active proctype P() { x = \"<&>\" }\n")
    done = gyre("bad.pml", "--junit", "r.xml")
    suite = xml.etree.ElementTree.parse("r.xml").getroot()[0]
    check("a model with errors is an error", done.returncode == 2 and suite.get("errors") == "1", done)
    check("with its place", "bad.pml:1:" in suite[0].find("error").get("message"), suite[0].find("error").attrib)
    done = gyre(model, "--junit", "/nowhere/r.xml")
    check("a file that cannot be written", done.returncode == 2 and "cannot write /nowhere/r.xml" in done.stderr, done)
    if os.path.exists("/dev/full"):
        done = gyre(model, "--junit", "/dev/full")
        check("a full disk", done.returncode == 2 and "cannot write /dev/full" in done.stderr, done)


# ---- SARIF ------------------------------------------------------------------------------


def sarif_location(item):
    physical = item["physicalLocation"]
    check("a location has a file", physical["artifactLocation"]["uri"], item)
    if "region" in physical:
        check("lines are counted from 1", physical["region"]["startLine"] >= 1, item)


def sarif_shape(log):
    """The constraints of SARIF 2.1.0 on what we write (sections 3.13 to 3.38 of the standard)."""
    check("the version", log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json"), log)
    for run in log["runs"]:
        check("a tool with a name", run["tool"]["driver"]["name"] == "Gyre", run["tool"])
        check("invocations", isinstance(run["invocations"][0]["executionSuccessful"], bool), run)
        for result in run["results"]:
            kind = result.get("kind", "fail")
            check("a message", result["message"]["text"], result)
            check("a kind", kind in ("pass", "fail", "open", "review", "informational", "notApplicable"), result)
            check("a level that goes with the kind", result["level"] in ("error", "warning", "note") if kind == "fail"
                  else result["level"] == "none", result)
            for location in result.get("locations", []):
                sarif_location(location)
            for flow in result.get("codeFlows", []):
                for thread in flow["threadFlows"]:
                    check("a thread flow has locations", len(thread["locations"]) >= 1, thread)
                    for step in thread["locations"]:
                        sarif_location(step["location"])


def sarif():
    model = example("treiber_stack.pml")
    gyre(model, "--sarif", "r.sarif")
    log = json.load(open("r.sarif"))
    sarif_shape(log)
    walk = report(model)["properties"][0]["counterexample"]
    result = log["runs"][0]["results"][0]
    flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
    check("the flow has the steps of the counterexample",
          [step["line"] for step in walk["steps"]] == [x["location"]["physicalLocation"]["region"]["startLine"] for x in flow], flow)
    check("the rule is the kind of error", result["ruleId"] == "assertion", result)
    gyre(example("peterson.pml"), "--sarif", "r.sarif")
    log = json.load(open("r.sarif"))
    sarif_shape(log)
    check("what holds is no result, but told", log["runs"][0]["results"] == [] and
          log["runs"][0]["properties"] == {"verdict": "holds", "verdicts": {"safety": "holds"}}, log)
    with open("odd name#1.pml", "w") as odd:
        odd.write("byte x = 300;\nactive proctype P() { assert(x == 44) }\n")
    gyre("odd name#1.pml", "--sarif", "r.sarif")
    log = json.load(open("r.sarif"))
    sarif_shape(log)
    uris = {location["physicalLocation"]["artifactLocation"]["uri"] for r in log["runs"][0]["results"] for location in r["locations"]}
    check("names are written as URIs", uris == {"odd%20name%231.pml"}, uris)
    check("a warning about the model", any(r["level"] == "warning" for r in log["runs"][0]["results"]), log)


# ---- the page ---------------------------------------------------------------------------


def values(browser):
    return dict(browser.run("return [...document.querySelectorAll('#viewer .values tr[data-name]')].map(r => [r.dataset.name, r.cells[1].textContent])"))


def page():
    model = example("tutorial/3_resend.pml")
    gyre(model, "--html", "r.html")
    walk = report(model)["properties"][0]["counterexample"]
    text = open("r.html", encoding="utf-8").read()
    check("nothing comes from elsewhere", "src=" not in text and "@import" not in text and "fetch(" not in text)
    with Browser() as browser:
        browser.open("r.html")
        check("the verdict", browser.text("#verdict") == "violated", browser.text("#verdict"))
        check("begins at the start", browser.text("#viewer .where") == f"step 0 of {walk['length']}", browser.text("#viewer .where"))
        check("the first values", values(browser)["Receiver(1):expected"] == "0", values(browser))
        for number, step in enumerate(walk["steps"], 1):
            browser.key(RIGHT)
            now = browser.text("#viewer .steps .now")
            check(f"step {number}", now.startswith(str(number)) and step["text"] in now, now)
            said = browser.text("#viewer .steps .now .said")
            check(f"what step {number} changes stands beside it", all(f"{str(change['old']).lower()} → {str(change['new']).lower()}" in said
                                                              for change in step["changes"] if "new" in change), (said, step))
            line = browser.run("return document.querySelector('#source .now .n').textContent")
            check(f"line of step {number}", line == str(step["line"]), (line, step))
            for change in step["changes"]:
                if "new" in change:
                    check(f"{change['name']} after step {number}", values(browser)[change["name"]] == str(change["new"]).replace("True", "true"),
                          (values(browser), change))
        browser.key(LEFT)
        check("back", browser.text("#viewer .where") == "step 8 of 9", browser.text("#viewer .where"))
        browser.key(HOME)
        check("Home", browser.text("#viewer .where") == "step 0 of 9")
        browser.click("#trace-last")
        check("a click on the end", browser.text("#viewer .where") == "step 9 of 9")
        check("two messages, both in the past", browser.run("return [document.querySelectorAll('#viewer .message').length, document.querySelectorAll('#viewer .future').length]") == [2, 0])
        before = browser.run("return getComputedStyle(document.body).backgroundColor")
        browser.click("#theme")
        check("light and dark", browser.run("return getComputedStyle(document.body).backgroundColor") != before)
        browser.resize(420, 800)
        check("fits a phone", browser.run("return document.documentElement.scrollWidth <= window.innerWidth"),
              browser.run("return [document.documentElement.scrollWidth, window.innerWidth]"))

        gyre(example("tutorial/4_bit.pml"), "--html", "r.html")
        browser.open("r.html")
        check("a lasso has a mark where its cycle begins", browser.run("return document.querySelectorAll('#viewer .steps .cycle').length") == 1)
        check("why the formula is violated", "delivered" in browser.text("#trace-because"), browser.text("#trace-because"))
        check("what was never executed", browser.run("return document.querySelectorAll('#coverage .cut').length") >= 1)

        with open("odd.pml", "w") as odd:
            odd.write('/* </script><b>"&amp; */ active proctype P() { printf("<i>%d</i>\\n", 1); assert(false) }\n')
        gyre("odd.pml", "--html", "r.html")
        browser.open("r.html")
        check("text of the model is text", browser.run("return [document.querySelectorAll('b, i.x').length, document.querySelector('#source').textContent.includes('</script><b>')]") == [0, True])

        gyre(example("peterson.pml"), "--html", "r.html")
        browser.open("r.html")
        check("what holds has nothing to step through", browser.text("#verdict") == "holds" and browser.run("return document.querySelector('#viewer').hidden"))


def graph_values(text):
    """The variables in the text of a state, one to a line."""
    return dict(line.split(" = ", 1) for line in text.splitlines() if " = " in line)


def graph_following(browser, model, walk):
    """Step by step, the node that is marked has the values that the JSON tells."""
    browser.key(HOME)
    now = {name: str(value) for name, value in walk["initial"]["globals"].items() if not isinstance(value, list)}
    for number, step in enumerate([None, *walk["steps"]]):
        if step:
            browser.key(RIGHT)
            for change in step["changes"]:
                if "new" in change and change["name"] in now:
                    now[change["name"]] = str(change["new"])
        shown = browser.run("const n = document.querySelectorAll('#graph .node.now'); return [n.length, n[0].querySelector('title').textContent]")
        values_there = graph_values(shown[1])
        wanted = {k: {"True": "true", "False": "false"}.get(v, v) for k, v in now.items()}
        check(f"{model}: the node of step {number}", shown[0] == 1 and wanted.items() <= values_there.items(), (shown, wanted))
        passed = browser.run("return document.querySelectorAll('#graph .edge.passed').length")
        check(f"{model}: edges passed by step {number}", passed == number, passed)
        check(f"{model}: the state is told", browser.text("#graph .state").splitlines()[1:] == shown[1].splitlines(), browser.text("#graph .state"))


def state_graph():
    # Without atomic sequences, a state of the graph is one of the exact search: another engine counts them.
    model = example("broken_mutex.pml")
    exact = report(model, "--exact", "--no-assert")["properties"][0]
    walk = report(model)["properties"][0]["counterexample"]
    gyre(model, "--html", "r.html")
    with Browser() as browser:
        browser.open("r.html")
        nodes = browser.run("return document.querySelectorAll('#graph .node').length")
        check("as many states as the exact search has", nodes == exact["states"] and f"{nodes} states" in browser.text("#graph strong"), (nodes, exact["states"]))
        edges = browser.run("return JSON.parse(document.getElementById('data').textContent).graph.edges.length")
        check("and as many steps", edges == exact["transitions"] - 1, (edges, exact["transitions"]))  # Spin counts the way in
        check("one of them is where it begins", browser.run("return document.querySelectorAll('#graph .node.is-initial').length") == 1)
        check("nodes lie apart", browser.run("""const seen = new Set([...document.querySelectorAll('#graph .node')].map(n => n.getAttribute('transform')));
            return seen.size""") == nodes)
        check("the way of the counterexample", browser.run("return document.querySelectorAll('#graph .edge.path').length") == walk["length"])
        graph_following(browser, "broken_mutex", walk)
        check("it ends where something is wrong", browser.run("return document.querySelector('#graph .node.now').classList.contains('is-bad')"))
        browser.run("document.querySelector('#graph .node.is-initial').dispatchEvent(new MouseEvent('click'))")
        check("a click on a node goes there", browser.text("#viewer .where") == f"step 0 of {walk['length']}", browser.text("#viewer .where"))
        browser.run("[...document.querySelectorAll('#graph .node')].find(n => !n.classList.contains('path')).dispatchEvent(new MouseEvent('click'))")
        check("elsewhere it tells the state", browser.text("#viewer .where") == f"step 0 of {walk['length']}" and "state 2" in browser.text("#graph .state"),
              browser.text("#graph .state"))
        for dark in (False, True):
            colours = browser.run("const s = e => getComputedStyle(document.querySelector(e)); return [s('#graph .node.path:not(.now) .shape').fill, s('#graph .node:not(.path) .shape').fill, s('#graph .node text').fill, s('.pane').backgroundColor]")
            check(f"the way stands out, and numbers can be read ({'dark' if dark else 'light'})", colours[0] != colours[1] and colours[2] != colours[3], colours)
            browser.click("#theme")
        browser.resize(420, 800)
        check("fits a phone", browser.run("return document.documentElement.scrollWidth <= window.innerWidth"))
        browser.resize(1200, 900)

        # A cycle, a channel, an atomic sequence, a step that fails and leads nowhere.
        with open("small.pml", "w") as small:
            small.write("byte x, a[2]; chan q = [1] of { byte };\nactive proctype P() { atomic { x = 1; q!7 }; x = 2; a[x] = 1 }\n"
                        "active proctype Q() { byte y; q?y }\n")
        walk = report("small.pml")["properties"][0]["counterexample"]
        gyre("small.pml", "--html", "r.html")
        browser.open("r.html")
        browser.key(END)
        check("a step that leads nowhere has a node", browser.run("return document.querySelector('#graph .node.now title').textContent") == walk["message"],
              browser.run("return document.querySelector('#graph .node.now title').textContent"))
        gyre(example("peterson.pml"), "--html", "r.html")
        browser.open("r.html")
        check("a model that holds has a graph, too", browser.run("return [document.querySelector('#graph').hidden, document.querySelectorAll('#graph .node.path').length]") ==
              [report(example("peterson.pml"), "--exact")["properties"][0]["states"] > 200, 0])
        gyre(example("leader_election.pml"), "--html", "r.html")
        browser.open("r.html")
        check("a large one has none", browser.run("return document.querySelector('#graph').hidden") and browser.text("#verdict") == "holds")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        junit()
        sarif()
        page()
        state_graph()
        os.chdir(ROOT)
    print(f"{counts[0]} passed, {counts[1]} failed")
    return 1 if counts[1] or not counts[0] else 0


if __name__ == "__main__":
    sys.exit(main())
