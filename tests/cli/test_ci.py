#!/usr/bin/env python3
# check: cli: in continuous integration; seconds 10
"""In continuous integration: expectations, thresholds, several models, annotations, progress without a
terminal, events. Ends with `N passed, N failed`."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import at_work  # noqa: E402
from harness import GYRE, check, expect, gyre, run_all, schema, write  # noqa: E402

GOOD = "byte x;\nactive proctype P() { x = 1; x = 2; assert(x == 2) }\n"
BAD = "byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n"
MIXED = "byte x;\nactive proctype P() { x = 1; x = 2 }\nltl rises { <> (x == 2) }\nltl stays { [] (x < 2) }\n"
FOREVER = "int a, b, c;\nactive proctype P() { do :: a++ od }\nactive proctype Q() { do :: b++ od }\nactive proctype R() { do :: c++ od }\n"
UNREACHED = "byte x;\nactive proctype P() {\n    x = 1;\n    if\n    :: x == 1 -> x = 2\n    :: x == 2 -> x = 3\n    fi\n}\n"


def models():
    for name, text in (("good", GOOD), ("bad", BAD), ("mixed", MIXED), ("forever", FOREVER), ("unreached", UNREACHED)):
        write(name + ".pml", text)
    write("wrong.pml", "active proctype P() {\n    y = 1\n}\n")


def expectations():
    expect("violated as expected", gyre("bad.pml", "--expect", "violated"), 0, r"\nas expected\n")
    expect("violated, by the name of the property", gyre("bad.pml", "--expect", "safety=violated"), 0, r"\nas expected\n")
    expect("holds where violated was expected", gyre("good.pml", "--expect", "violated"), 1,
           r"not as expected: the model: expected violated, got holds")
    expect("one property", gyre("mixed.pml", "--expect", "stays=violated"), 0, r"as expected")
    expect("those that are not named are to hold", gyre("mixed.pml", "--expect", "rises=holds"), 1, r"stays: expected holds, got violated")
    expect("the wrong one", gyre("mixed.pml", "--expect", "stays=violated", "--expect", "rises=violated"), 1,
           r"rises: expected violated, got holds")
    expect("inconclusive as expected", gyre("forever.pml", "--exact", "--depth", "9", "--expect", "inconclusive"), 0)
    expect("a limit kept it from being met", gyre("forever.pml", "--exact", "--depth", "9", "--expect", "violated"), 3)
    expect("--quiet says what is not as expected", gyre("good.pml", "--quiet", "--expect", "violated"), 1, r"not as expected")
    expect("no such property, with those that there are", gyre("mixed.pml", "--expect", "rise=holds"), 2, None, r"there are: safety, rises, stays")
    expect("no such verdict", gyre("good.pml", "--expect", "fine"), 2, None, r"`fine` is not a verdict")
    expect("two that contradict each other", gyre("good.pml", "--expect", "holds", "--expect", "violated"), 2, None, r"cannot be combined")
    expect("twice of one property", gyre("mixed.pml", "--expect", "stays=holds", "--expect", "stays=violated"), 2, None, r"cannot be combined")
    write("names.pml", "byte x;\nactive proctype P() { x = 1; x = 2 }\nltl v { [] (x < 2) }\n")
    expect("the whole and a property with the same first letter", gyre("names.pml", "--expect", "v=violated", "--expect", "violated"), 0, r"as expected")
    expect("no name at all", gyre("good.pml", "--expect", "=violated"), 2, None, r"no property ``")
    # P alone is done before the limit is met: it is violated, and nothing is known of the other formula.
    write("open.pml", FOREVER + "ltl early { [] (a == 0) }\nltl late { [] (a >= -1 && b >= -1) }\n")
    open_ = ("open.pml", "--exact", "--depth", "9", "--expect", "safety=inconclusive", "--expect", "late=violated", "--expect")
    expect("one is violated as expected, a limit kept the other from being so", gyre(*open_, "early=violated"), 3, r"late: expected violated, got inconclusive")
    expect("one is not as expected, whatever the limit", gyre(*open_, "early=holds"), 1, r"early: expected holds, got violated")
    r = gyre("mixed.pml", "--json", "--expect", "stays=violated").json
    check("in JSON", r["as_expected"] and [p["expected"] for p in r["properties"]] == ["holds", "holds", "violated"] and
          all(p["as_expected"] for p in r["properties"]), r)
    r = gyre("mixed.pml", "--json", "--expect", "rises=violated").json
    check("not as expected in JSON", not r["as_expected"] and [p["as_expected"] for p in r["properties"]] == [True, False, False], r)
    gyre("mixed.pml", "--expect", "stays=violated", "--junit", "r.xml")
    suite = xml.etree.ElementTree.parse("r.xml").getroot()[0]
    check("JUnit: what is expected is no failure", (suite.get("tests"), suite.get("failures")) == ("3", "0") and
          not suite.findall(".//failure"), suite.attrib)
    gyre("mixed.pml", "--expect", "rises=violated", "--junit", "r.xml")
    suite = xml.etree.ElementTree.parse("r.xml").getroot()[0]
    failing = [case.get("name") for case in suite if case.find("failure") is not None]
    check("JUnit: what is not expected is", suite.get("failures") == "2" and failing == ["rises", "stays"], failing)


def coverage():
    # By hand: x = 1, x == 1, x = 2, x == 2, x = 3 and the end: six statements, two of them never executed.
    r = expect("below the threshold", gyre("unreached.pml", "--min-coverage", "95%"), 1, r"less than the 95% required by --min-coverage")
    check("with the list", re.search(r"unreached in P\n.*unreached\.pml:6.*x == 2.*\n.*unreached\.pml:6.*x = 3", r.out), r.out)
    check("4 of 6", "4 of 6 statements reached (66%)" in r.out, r.out)
    expect("above it", gyre("unreached.pml", "--min-coverage", "66"), 0)
    expect("a fraction of a percent counts", gyre("unreached.pml", "--min-coverage", "66.67"), 1)
    expect("all of it", gyre("good.pml", "--min-coverage", "100%"), 0)
    expect("violated stays violated", gyre("bad.pml", "--min-coverage", "10%"), 1, r"violated")
    for wrong in ("95 %", "101%", "-1", "most", ""):
        expect(f"not `{wrong}`", gyre("good.pml", "--min-coverage", wrong), 2)
    expect("not where nothing tells it", gyre("mixed.pml", "--check", "liveness", "--ltl", "rises", "--min-coverage", "50%"), 2, None, r"add safety to --check")
    r = gyre("unreached.pml", "--min-coverage", "95%", "--json").json["coverage"]
    check("in JSON", (r["least"], r["enough"]) == (95, False), r)


def report_names():
    """Models of one name in several folders, or in several languages: no report is lost."""
    paths = ["names/leader.pml", "names/net/leader.pml", "names/net/deep/leader.pml", "names/other.pml", "names/other.prom", "./names/net/last.pml"]
    for i, path in enumerate(paths):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, f"byte x;\nactive proctype P{i}() {{ x = 1; assert(x == 2) }}\n")
    expect("models of the same name", gyre(*paths, "--junit", "names/r-%.xml", "--html", "names/%.html", "--quiet"), 1)
    names = {"names-leader": "P0", "net-leader": "P1", "deep-leader": "P2", "names-other.pml": "P3", "names-other.prom": "P4", "last": "P5"}
    names = {name.replace("names-other", "other"): process for name, process in names.items()}
    found = {f for f in os.listdir("names") if f.endswith((".xml", ".html"))}
    check("a report of each, by a name of its own", found == {f"r-{n}.xml" for n in names} | {f"{n}.html" for n in names}, found)
    for name, process in names.items():
        with open(f"names/r-{name}.xml") as report:
            check(f"{name} is about {process}", process + "(" in report.read())
    r = expect("two reports in one file", gyre(*paths, "--junit", "names/z-%", "--sarif", "names/z-%"), 2, r"\A\Z", r"would be written twice, as --junit of \S+ and --sarif of ")
    check("nothing was verified", not [f for f in os.listdir("names") if f.startswith("z-")], r)
    expect("also of one model", gyre("good.pml", "--junit", "one", "--html", "one"), 2, r"\A\Z", r"one would be written twice, as --junit of good.pml and --html of good.pml")
    expect("a report and a trail", gyre("bad.pml", "--trail", "names/both", "--html", "./names//both"), 2, r"\A\Z", r"would be written twice, as --trail|would be written twice, as --html")
    expect("a report and a checkpoint", gyre("bad.pml", "--checkpoint", "names/both", "--junit", "names/both"), 2, r"\A\Z", r"would be written twice")
    check("nothing was written", not os.path.exists("names/both"))
    expect("a checkpoint goes on in its own file", gyre("good.pml", "--exact", "--checkpoint", "names/ck", "--resume", "names/ck"), 2, r"\A\Z", r"names/ck(?!.*written twice)")
    expect("one model has its name, too", gyre("names/net/leader.pml", "--html", "names/page-%.html", "--quiet"), 1)
    check("in the file", os.path.exists("names/page-leader.html"), os.listdir("names"))
    for path in "names/a-b/c.pml", "names/a/b/c.pml":
        os.makedirs(os.path.dirname(path))
        write(path, f"byte x;\nactive proctype P{len(path)}() {{ x = 1; assert(x == 2) }}\n")
    expect("a dash is no folder", gyre("names/a/b/c.pml", "names/a-b/c.pml", "--junit", "names/dash-%.xml", "--quiet"), 1)
    check("a report for each", os.path.exists("names/dash-b-c.xml") and os.path.exists("names/dash-a-b-c.xml"), os.listdir("names"))
    paths = ["names/x/net-leader.pml", "names/x/net/leader.pml", "names/x/leader.pml", "names/x/net/net-leader.pml",
             "names/x/net-leader.pml-2", "./names/x/net/leader.pml"]
    for i, path in enumerate(paths[:5]):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, f"byte x;\nactive proctype P{i}() {{ x = 1; assert(x == 2) }}\n")
    for models in paths[:3], paths[:4], paths, paths[::-1]:
        os.makedirs("names/twins")
        expect("names that directories cannot tell apart", gyre(*models, "--junit", "names/twins/%.xml", "--quiet"), 1)
        about = [open(f"names/twins/{f}").read() for f in os.listdir("names/twins")]
        check("no report is lost", [sum(f"P{i}(" in text for text in about) for i in range(min(len(models), 5))] == [1] * min(len(models), 5), about)
        shutil.rmtree("names/twins")
    expect("the same model twice is the same report", gyre("good.pml", "./good.pml", "--junit", "names/same-%.xml", "--quiet"), 0)


def several():
    r = expect("the worst status counts", gyre("good.pml", "bad.pml", "mixed.pml"), 1, r"\n3 models: 1 holds, 2 violated; ")
    check("one summary, in order", re.search(r"\n  holds +good\.pml\n  violated +bad\.pml\n  violated +mixed\.pml\n\Z", r.out), r.out)
    check("each has its report", [r.out.count(f"\n{n}.pml: ") + r.out.startswith(f"{n}.pml: ") for n in ("good", "bad", "mixed")] == [1, 1, 1], r.out)
    expect("all hold", gyre("good.pml", "unreached.pml"), 0, r"\n2 models: 2 hold; ")
    expect("one cannot be read, the others are verified", gyre("good.pml", "wrong.pml", "bad.pml"), 2, r"1 holds, 1 violated, 1 with errors", r"undeclared")
    expect("expectations are for each", gyre("bad.pml", "bad.pml", "--expect", "violated", "--quiet"), 0, r"violated +bad\.pml \(as expected\)")
    r = gyre("good.pml", "wrong.pml", "bad.pml", "--json").json
    check("one JSON report", r["verdict"] == "error" and [m["verdict"] for m in r["models"]] == ["holds", "error", "violated"], r)
    expect("a page supports one model only", gyre("good.pml", "bad.pml", "--html", "r.html"), 2, None, r"--html supports one model only\n.*report-%\.html")
    expect("a trail, too", gyre("good.pml", "bad.pml", "--trail", "x%"), 2, None, r"--trail supports one model only")
    gyre("good.pml", "bad.pml", "--junit", "r-%.xml")
    check("a report for each", os.path.exists("r-good.xml") and os.path.exists("r-bad.xml"))
    report_names()
    process = subprocess.Popen([GYRE, "forever.pml", "mixed.pml", "--exact", "--memory", "2G"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = at_work.interrupt(process, signal.SIGTERM)
    check("SIGTERM ends the others, too", process.returncode == 3 and b"2 models: 2 inconclusive" in out and
          re.search(rb"stays +ltl +inconclusive: interrupted", out), (process.returncode, out, err))
    expect("one model is as always", gyre("good.pml"), 0, r"\Agood\.pml: holds(?!(.|\n)*models)")


def github():
    env = {"GITHUB_ACTIONS": "true"}
    r = gyre("bad.pml", env=env)
    check("an error at the line that fails", "::error file=bad.pml,line=2,col=30,title=safety::assertion failed: x == 2 (x = 1)\n" in r.err, r)
    check("nothing without GitHub", "::" not in gyre("bad.pml", env={"GITHUB_ACTIONS": ""}).err)
    r = gyre("bad.pml", "--json", env=env)
    check("standard output stays JSON", r.json["verdict"] == "violated" and "::error" in r.err, r)
    check("an error in the model", "::error file=wrong.pml,line=2,col=5,title=model::undeclared variable `y`" in gyre("wrong.pml", env=env).err,
          gyre("wrong.pml", env=env))
    check("what is expected is not marked", "::" not in gyre("bad.pml", "--expect", "violated", env=env).err)
    check("a limit is a warning", "::warning file=forever.pml,title=safety::" in gyre("forever.pml", "--exact", "--depth", "9", env=env).err)
    r = gyre("unreached.pml", "--min-coverage", "100%", env=env)
    check("what is not reached is marked", len(re.findall(r"::warning file=unreached\.pml,line=6", r.err)) == 2, r)
    write("odd,name:%.pml", BAD)
    check("names are escaped", "file=odd%2Cname%3A%25.pml," in gyre("odd,name:%.pml", env=env).err)


def gitlab():
    gyre("bad.pml", "--code-quality", "q.json")
    found = json.load(open("q.json"))
    check("one problem, by GitLab's format", len(found) == 1 and set(found[0]) == {"description", "check_name", "fingerprint", "severity", "location"}, found)
    check("at its line", found[0]["location"] == {"path": "bad.pml", "lines": {"begin": 2}} and found[0]["severity"] == "critical", found)
    gyre("bad.pml", "--code-quality", "q2.json")
    check("the same problem has the same fingerprint", json.load(open("q2.json"))[0]["fingerprint"] == found[0]["fingerprint"])
    gyre("good.pml", "--code-quality", "q.json")
    check("nothing to find fault with", json.load(open("q.json")) == [])
    gyre("wrong.pml", "--code-quality", "q.json")
    check("an error in the model", json.load(open("q.json"))[0]["location"]["lines"]["begin"] == 2)
    gyre("mixed.pml", "--expect", "rises=violated", "--code-quality", "q.json")
    prints = [p["fingerprint"] for p in json.load(open("q.json"))]
    check("each problem has its own fingerprint", len(prints) == len(set(prints)) == 2, prints)
    expect("a file that cannot be written", gyre("bad.pml", "--code-quality", "/nowhere/q"), 2, None, r"cannot write")


def sarif_validator():
    import jsonschema
    part = json.load(open(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "sarif_schema.json")))
    return jsonschema.Draft202012Validator(part)


def uploads(log):
    """What GitHub's documentation on SARIF for code scanning asks of a file, beyond the standard: [what is not so]."""
    wrong = []
    ids = [run["automationDetails"]["id"] for run in log["runs"]]
    if len(set(ids)) < len(ids) or not all(re.fullmatch(r"gyre/.+/", i) for i in ids):
        wrong.append(f"a category for each run: {ids}")
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        if len({r["id"] for r in rules}) < len(rules):
            wrong.append("a rule is there twice")
        for rule in rules:
            if not (rule["shortDescription"]["text"] and rule["fullDescription"]["text"] and rule["help"]["text"]):
                wrong.append(f"descriptions of {rule['id']}")
        for result in run["results"]:
            if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
                wrong.append(f"the rule of {result}")
            region = result["locations"][0]["physicalLocation"]["region"]
            if region["startLine"] < 1 or region["startColumn"] < 1 or len(result["locations"]) != 1:
                wrong.append(f"the place of {result}")
            if result.get("kind") == "pass":
                wrong.append("what holds would be shown as an alert")
            for flow in result.get("codeFlows", []):
                if len(flow["threadFlows"][0]["locations"]) > 10000:
                    wrong.append("a flow is too long")
        prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
        if len(set(prints)) < len(prints):
            wrong.append(f"two results with one fingerprint: {prints}")
    return wrong


def sarif_of(*arguments):
    gyre(*arguments, "--sarif", "r.sarif")
    log = json.load(open("r.sarif"))
    problems = [e.message for e in sarif_validator().iter_errors(log)] + uploads(log)
    check(f"SARIF of {' '.join(arguments)}", not problems, problems)
    return log


def sarif():
    for arguments in (("good.pml",), ("bad.pml",), ("mixed.pml",), ("wrong.pml",), ("forever.pml", "--exact", "--depth", "9"), ("mixed.pml", "--expect", "stays=violated"),
                      ("bad.pml", "--all-errors"), ("unreached.pml", "--min-coverage", "100%"), ("good.pml", "--expect", "violated"), ("mixed.pml", "--expect", "rises=violated")):
        log = sarif_of(*arguments)
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    check("the schema refuses what is wrong", not sarif_validator().is_valid(log))
    rules = [[x["ruleId"] for x in sarif_of(*a)["runs"][0]["results"]] for a in (
        ("good.pml",), ("bad.pml",), ("mixed.pml", "--expect", "stays=violated"), ("mixed.pml", "--expect", "rises=violated"), ("good.pml", "--expect", "violated"),
        ("wrong.pml",), ("unreached.pml", "--min-coverage", "100%"))]
    check("what is expected is no result, what is not expected is", rules == [[], ["assertion"], [], ["unexpected", "ltl-violation"], ["unexpected"], ["model"],
                                                                              ["unreached", "unreached"]], rules)
    write("long.pml", "int n;\nactive proctype P() { do :: n < 9000 -> n++ :: n == 9000 -> assert(n < 9000) od }\n")
    flow = sarif_of("long.pml", "--no-merge")["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    orders = [x["executionOrder"] for x in flow]
    # Each round has two statements, the last one its guard and the assertion.
    check("a long flow has its beginning and its end", orders == [*range(1, 1001), *range(18002 - 9000 + 1, 18003)], (len(orders), orders[:3], orders[-3:]))


def fingerprints():
    """The same problem has the same one wherever its line is, others have others."""
    def of(text, *arguments):
        write("print.pml", text)
        return {x["message"]["text"].split(":")[0] + x["ruleId"]: x["partialFingerprints"]["primaryLocationLineHash"]
                for x in sarif_of("print.pml", *arguments)["runs"][0]["results"]}
    text = "byte x, y;\nactive proctype P() {\n    x = 1;\n    assert(x == 2)\n}\n"
    first = of(text)
    check("lines before it do not count", of("/* more\n\n */\n" + text) == first and of(text.replace("    x = 1", "x = 3")) == first, first)
    check("its own text does", of(text.replace("x == 2", "x == 2 && y == 0")) != first, first)
    write("print.pml", "byte x; active proctype P() { do :: x < 4 -> x++; assert(x != 1); assert(x != 2); assert(x != 3) :: else -> break od }")
    check("three of them", len(sarif_of("print.pml", "--all-errors")["runs"][0]["results"]) == 3)
    two = of("byte x;\nactive proctype P() { x = 1; x = 2 }\nltl a { [] (x < 2) }\nltl b { [] (x < 2) }\n")
    check("two formulas that are violated at one place", len(two) == len(set(two.values())) == 2, two)


def one_file():
    """Reports of several models in one file: the same parts as in files of their own, and whole while the next one is verified."""
    names = ["good", "bad", "mixed", "wrong", "forever"]
    files = [n + ".pml" for n in names]
    gyre(*files, "--exact", "--depth", "9", "--sarif", "all.sarif", "--junit", "all.xml", "--code-quality", "all.json", "--quiet")
    gyre(*files, "--exact", "--depth", "9", "--sarif", "one-%.sarif", "--junit", "one-%.xml", "--code-quality", "one-%.json", "--quiet")
    log = json.load(open("all.sarif"))
    check("SARIF has a run for each", [r["automationDetails"]["id"] for r in log["runs"]] == [f"gyre/{f}/" for f in files], log)
    problems = [e.message for e in sarif_validator().iter_errors(log)] + uploads(log)
    check("that can be uploaded", not problems, problems)
    check("the same runs", log["runs"] == [json.load(open(f"one-{n}.sarif"))["runs"][0] for n in names], log)
    quality = json.load(open("all.json"))
    check("the same problems for GitLab", quality and quality == sum((json.load(open(f"one-{n}.json")) for n in names), []), quality)
    suites = xml.etree.ElementTree.parse("all.xml").getroot()
    check("the same suites", [(s.get("name"), s.get("tests"), s.get("failures"), s.get("errors")) for s in suites] ==
          [(s.get("name"), s.get("tests"), s.get("failures"), s.get("errors")) for n in names for s in xml.etree.ElementTree.parse(f"one-{n}.xml").getroot()], suites)
    gyre("good.pml", "good.pml", "--code-quality", "none.json")
    check("nothing of any", json.load(open("none.json")) == [])
    expect("a pipe has no end to be put off", gyre("good.pml", "bad.pml", "--sarif", "/dev/stdout"), 2, None, r"not a regular file")
    expect("one model can be written to it", gyre("good.pml", "--quiet", "--sarif", "/dev/stdout"), 0, r'"runs": \[')
    # The second model never ends: what is known of the first one is there, and whole.
    for name in ("part.sarif", "part.xml"):
        if os.path.exists(name):
            os.remove(name)
    process = subprocess.Popen([GYRE, "bad.pml", "forever.pml", "--exact", "--memory", "2G", "--sarif", "part.sarif", "--junit", "part.xml"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ends = {"part.sarif": "\n  ]\n}\n", "part.xml": "</testsuites>\n"}
    at_work.until(lambda: process.poll() is not None or all(os.path.exists(f) and open(f).read().endswith(e) for f, e in ends.items()))
    process.kill()
    process.wait()
    check("a command that is killed leaves whole files", len(json.load(open("part.sarif"))["runs"]) == 1 and
          len(xml.etree.ElementTree.parse("part.xml").getroot()) == 1)


def junit():
    def body(*arguments):
        gyre(*arguments, "--junit", "r.xml")
        return [(f.get("message"), f.text) for f in xml.etree.ElementTree.parse("r.xml").getroot().iter("failure")]
    message, text = body("bad.pml")[0]
    check("a failure tells the counterexample", re.search(r"^Counterexample: 2 steps.*\n +1 +P\(0\) +bad\.pml:2:23 +x = 1 +x: 0 → 1\n +2 +P\(0\) .*assert\(x == 2\)\n", text) and
          "\nLast state\n  x = 1\n" in text and message == "assertion failed: x == 2 (x = 1)", text)
    text = body("mixed.pml")[0][1]
    check("of a formula, with the formula", re.search(r"^Counterexample to ltl `stays`.*\nstays: \[\] \(x < 2\)\n", text), text)
    write("lasso.pml", "bit x;\nactive proctype P() { do :: x = 1 - x od }\nltl p { <> [] (x == 1) }\n")
    check("with its cycle", "--- cycle starts here, repeats for ever ---\n" in body("lasso.pml")[0][1])
    write("long.pml", "int n;\nactive proctype P() { do :: n < 900 -> n++ :: n == 900 -> assert(n < 900) od }\n")
    text = body("long.pml", "--no-merge")[0][1]
    check("a long one is folded", "steps not shown" in text and text.count("\n") < 100, text)


SUITE = {
    "met.pml": "/* gyre: expect violated */\n" + BAD,
    "unmet.pml": BAD,
    "too good.pml": "/* gyre: expect violated */\n" + GOOD,
    "one.pml": "/* gyre: expect rises violated */\n/* gyre: with -D X expect stays violated */\n/* gyre: with -D X expect rises holds */\n" + MIXED,
    "broken.pml": "/* gyre: expect error */\nactive proctype P() { y = 1 }\n",
    "wrong.pml": "active proctype P() { y = 1 }\n",
    "unread.pml": "/* gyre: expect fine */\n" + GOOD,
}


def suites_in_pipelines():
    """gyre test marks what is not as expected, and no more."""
    for name, text in SUITE.items():
        write("pipe/" + name, text)
    r = gyre("test", "pipe", "--junit", "t.xml", "--sarif", "t.sarif", env={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": os.path.abspath("suite.md")})
    marks = sorted(re.findall(r"^::error file=(.*?)(?:,line=(\d+))?(?:,col=\d+)?,title=(.*?)::", r.err, re.M))
    check("annotations", marks == sorted([("pipe/unmet.pml", "2", "safety"), ("pipe/too good.pml", "", "model"), ("pipe/one.pml", "", "rises"),
                                          ("pipe/one.pml", "5", "stays"), ("pipe/wrong.pml", "1", "model"), ("pipe/unread.pml", "1", "model")]), (marks, r))
    check("nothing else on standard error", all(line.startswith("::error ") for line in r.err.splitlines()), r.err)
    log = json.load(open("t.sarif"))
    check("SARIF", not [e.message for e in sarif_validator().iter_errors(log)] + uploads(log), uploads(log))
    check("a run for each run", {run["automationDetails"]["id"]: [x["ruleId"] for x in run["results"]] for run in log["runs"]} ==
          {"gyre/pipe/met.pml/": [], "gyre/pipe/unmet.pml/": ["assertion"], "gyre/pipe/too good.pml/": ["unexpected"], "gyre/pipe/one.pml/": ["unexpected", "ltl-violation"],
           "gyre/pipe/one.pml -D X/": [], "gyre/pipe/broken.pml/": [], "gyre/pipe/wrong.pml/": ["model"]}, log)
    cases = {c.get("name"): c.find("failure") for c in xml.etree.ElementTree.parse("t.xml").getroot().iter("testcase")}
    check("JUnit tells the counterexample", "Counterexample: 2 steps" in cases["pipe/unmet.pml holds"].text and
          "Counterexample to ltl `stays`" in cases["pipe/one.pml stays holds"].text and cases["pipe/met.pml violated"] is None, cases)
    text = open("suite.md").read()
    heads = re.findall(r"^### (.*)$", text, re.M)
    check("a summary of each run", sorted(heads) == sorted([
        "pipe/met.pml: violated, as expected", "pipe/unmet.pml: violated, not as expected", "pipe/too good.pml: holds, not as expected",
        "pipe/one.pml: violated, not as expected", "pipe/one.pml with \\-D X: violated, as expected", "pipe/broken.pml: error, as expected",
        "pipe/wrong.pml: error, not as expected", "pipe/unread.pml: error"]), heads)
    check("counterexamples of what is not expected alone", text.count("<details>") == text.count("</details>") == 2, text)


def step_summary():
    path = os.path.abspath("step.md")
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": path}
    write("odd|name_`1`.pml", "byte x;\nactive proctype P() { x = 1; assert(x == 2) }\nltl p { [] (x == 0 || x == 1) }\n")
    gyre("odd|name_`1`.pml", "--ltl", "p", "--ltl", "[] (x == 0 || x > 2)", env=env)
    text = open(path).read()
    rows = re.findall(r"^\| .* \|$", text, re.M)
    check("a table of properties", len(rows) == 4 and all(len(re.findall(r"(?<!\\)\|", row)) == 4 for row in rows), rows)
    check("names mean themselves", r"### odd\|name\_\`1\`.pml: violated" in text, text)
    check("a fence that the name does not end", re.search(r"</summary>\n\n```text\n(?:(?!```).*\n)*```\n\n</details>", text), text)
    gyre("good.pml", env=env)
    check("the next command adds to it", open(path).read().startswith(text) and "### good.pml: holds" in open(path).read())
    gyre("wrong.pml", env=env)
    check("errors with their places", "\n- wrong.pml:2: undeclared variable \\`y\\`\n" in open(path).read(), open(path).read())
    with open(path, "w") as file:
        file.write("x" * 950 * 1024)
    gyre("bad.pml", env=env)
    tail = open(path).read()[950 * 1024:]
    check("near the end of what GitHub takes, a heading alone", tail == "\n### bad.pml: violated\n", tail)
    with open(path, "w") as file:
        file.write("x" * 1024 * 1024)
    gyre("bad.pml", env=env)
    check("and then nothing", os.path.getsize(path) == 1024 * 1024)
    check("nothing without GitHub", gyre("bad.pml", env={"GITHUB_ACTIONS": "", "GITHUB_STEP_SUMMARY": path}).status == 1 and os.path.getsize(path) == 1024 * 1024)
    expect("a summary that cannot be written is no verdict", gyre("good.pml", env={**env, "GITHUB_STEP_SUMMARY": "/nowhere/x"}), 0, None, r"warning: cannot write the summary")
    expect("nor one that finds no room", gyre("good.pml", env={**env, "GITHUB_STEP_SUMMARY": "/dev/full"}), 0, None, r"warning: cannot write the summary")


def without_terminal():
    r = gyre("forever.pml", "--exact", "--time", "2.5", "--verbose", env={"GYRE_PROGRESS": "0.5"})
    lines = re.findall(r"^gyre: safety: [\d.]+ m?s: [\d,]+ states, [\d,]+ pending, depth [\d,]+, [\d,]+ states/s, .*B$", r.err, re.M)
    check("progress lines with --verbose", 1 <= len(lines) <= 5, r.err)
    r = gyre("forever.pml", "--check", "liveness", "--ltl", "[] (a + b + c >= 0)", "--time", "2.5", "--verbose",
             "--cycles", "components", env={"GYRE_PROGRESS": "0.5"})
    lines = re.findall(r"^gyre: .*$", r.err, re.M)
    check("a search for cycles does not know how many are pending", lines and all(
        line.startswith("gyre: [] (a + b + c >= 0): ") and "pending" not in line for line in lines), r.err)
    r = gyre("forever.pml", "--exact", "--time", "1.5", env={"GYRE_PROGRESS": "0.5"})
    check("none without it", "pending" not in r.err, r.err)
    r = gyre("forever.pml", "--exact", "--time", "1.5", "--verbose")
    check("not before half a minute", "pending" not in r.err, r.err)


def events():
    r = gyre("mixed.pml", "--events")
    lines = r.lines
    check("begin, verdicts, end", [e["event"] for e in lines] == ["begin", "verdict", "verdict", "verdict", "end"], lines)
    check("each property once", sorted((e["property"], e["verdict"]) for e in lines[1:-1]) ==
          [("rises", "holds"), ("safety", "holds"), ("stays", "violated")], lines)
    check("the report is the last", lines[-1]["verdict"] == "violated" and lines[-1]["status"] == r.status == 1 and
          [p["verdict"] for p in lines[-1]["result"]["properties"]] == ["holds", "holds", "violated"], lines[-1])
    write("same.pml", "byte x;\nactive proctype P() { x = 1; x = 2 }\nltl safety { [] (x < 2) }\n")
    check("a formula called safety has its own verdict", [(e["kind"], e["verdict"]) for e in gyre("same.pml", "--events").lines if e["event"] == "verdict"] ==
          [("safety", "holds"), ("ltl", "violated")], gyre("same.pml", "--events"))
    r = gyre("forever.pml", "--exact", "--time", "2.5", "--events", env={"GYRE_PROGRESS": "0.3"})
    progress = [e for e in r.lines if e["event"] == "progress"]
    check("progress", len(progress) >= 2 and progress[0]["states"] < progress[-1]["states"] and
          progress[0]["seconds"] < progress[-1]["seconds"], r.out[:2000])
    check("nothing else on standard error", r.err == "", r.err)
    r = gyre("wrong.pml", "--events")
    check("a model with errors", r.status == 2 and schema.lines(r.out)[-1]["verdict"] == "error", r)
    r = gyre("good.pml", "--events", "--bogus")
    check("a wrong option", r.status == 2 and schema.lines(r.out)[-1]["verdict"] == "error", r)
    for arguments in (("good.pml", "--bogus", "--events"), ("--bogus", "good.pml", "--events"), ("-run", "good.pml", "--events")):
        r = gyre(*arguments)
        check(f"one line, wherever it stands: {' '.join(arguments)}", r.status == 2 and r.out.count("\n") == 1 and json.loads(r.out)["verdict"] == "error", r)
    expect("one form at a time", gyre("good.pml", "--events", "--json"), 2, None, r"--json and --events cannot be combined")


if __name__ == "__main__":
    sys.exit(run_all([models, expectations, coverage, several, github, gitlab, sarif, fingerprints, one_file, junit, suites_in_pipelines, step_summary, without_terminal, events]))
