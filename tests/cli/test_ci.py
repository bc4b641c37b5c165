#!/usr/bin/env python3
"""In continuous integration: expectations, thresholds, several models, annotations, progress without a
terminal, events. Ends with `N passed, N failed`."""
import json
import os
import re
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
           r"not as expected: the whole: violated was expected, it is holds")
    expect("one property", gyre("mixed.pml", "--expect", "stays=violated"), 0, r"as expected")
    expect("those that are not named are to hold", gyre("mixed.pml", "--expect", "rises=holds"), 1, r"stays: holds was expected, it is violated")
    expect("the wrong one", gyre("mixed.pml", "--expect", "stays=violated", "--expect", "rises=violated"), 1,
           r"rises: violated was expected, it is holds")
    expect("inconclusive as expected", gyre("forever.pml", "--exact", "--depth", "9", "--expect", "inconclusive"), 0)
    expect("a limit kept it from being met", gyre("forever.pml", "--exact", "--depth", "9", "--expect", "violated"), 3)
    expect("--quiet says what is not as expected", gyre("good.pml", "--quiet", "--expect", "violated"), 1, r"not as expected")
    expect("no such property, with those that there are", gyre("mixed.pml", "--expect", "rise=holds"), 2, None, r"there are: safety, rises, stays")
    expect("no such verdict", gyre("good.pml", "--expect", "fine"), 2, None, r"`fine` is no verdict")
    expect("two that contradict each other", gyre("good.pml", "--expect", "holds", "--expect", "violated"), 2, None, r"only one can count")
    expect("twice of one property", gyre("mixed.pml", "--expect", "stays=holds", "--expect", "stays=violated"), 2, None, r"only one can count")
    write("names.pml", "byte x;\nactive proctype P() { x = 1; x = 2 }\nltl v { [] (x < 2) }\n")
    expect("the whole and a property with the same first letter", gyre("names.pml", "--expect", "v=violated", "--expect", "violated"), 0, r"as expected")
    expect("no name at all", gyre("good.pml", "--expect", "=violated"), 2, None, r"no property ``")
    # P alone is done before the limit is met: it is violated, and nothing is known of the other formula.
    write("open.pml", FOREVER + "ltl early { [] (a == 0) }\nltl late { [] (a >= -1 && b >= -1) }\n")
    open_ = ("open.pml", "--exact", "--depth", "9", "--expect", "safety=inconclusive", "--expect", "late=violated", "--expect")
    expect("one is violated as expected, a limit kept the other from being so", gyre(*open_, "early=violated"), 3, r"late: violated was expected, it is inconclusive")
    expect("one is not as expected, whatever the limit", gyre(*open_, "early=holds"), 1, r"early: holds was expected, it is violated")
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
    r = expect("below the threshold", gyre("unreached.pml", "--min-coverage", "95%"), 1, r"less than the 95% of --min-coverage")
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
    expect("a file is for one model", gyre("good.pml", "bad.pml", "--junit", "r.xml"), 2, None, r"--junit is for one model\n.*report-%\.xml")
    expect("a trail, too", gyre("good.pml", "bad.pml", "--trail", "x%"), 2, None, r"--trail is for one model")
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
    check("an error at the line that fails", "::error file=bad.pml,line=2,col=30,title=safety::assertion violated: x == 2 (x = 1)\n" in r.err, r)
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


def sarif():
    import jsonschema
    part = json.load(open(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "sarif_schema.json")))
    validator = jsonschema.Draft202012Validator(part)
    for arguments in (("good.pml",), ("bad.pml",), ("mixed.pml",), ("wrong.pml",), ("forever.pml", "--exact", "--depth", "9"), ("mixed.pml", "--expect", "stays=violated"),
                      ("bad.pml", "--all-errors")):
        gyre(*arguments, "--sarif", "r.sarif")
        log = json.load(open("r.sarif"))
        problems = [e.message for e in validator.iter_errors(log)]
        check(f"SARIF of {' '.join(arguments)}", not problems, problems)
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    check("the schema refuses what is wrong", not validator.is_valid(log))


def without_terminal():
    r = gyre("forever.pml", "--exact", "--time", "2.5", "--verbose", env={"GYRE_PROGRESS": "0.5"})
    lines = re.findall(r"^gyre: safety: [\d.]+ m?s: [\d,]+ states, [\d,]+ to do, depth [\d,]+, [\d,]+ states/s, .*B$", r.err, re.M)
    check("progress lines with --verbose", 1 <= len(lines) <= 5, r.err)
    r = gyre("forever.pml", "--check", "liveness", "--ltl", "[] (a + b + c >= 0)", "--time", "2.5", "--verbose",
             "--cycles", "components", env={"GYRE_PROGRESS": "0.5"})
    lines = re.findall(r"^gyre: .*$", r.err, re.M)
    check("a search for cycles does not know what is to do", lines and all(
        line.startswith("gyre: [] (a + b + c >= 0): ") and "to do" not in line for line in lines), r.err)
    r = gyre("forever.pml", "--exact", "--time", "1.5", env={"GYRE_PROGRESS": "0.5"})
    check("none without it", "to do" not in r.err, r.err)
    r = gyre("forever.pml", "--exact", "--time", "1.5", "--verbose")
    check("not before half a minute", "to do" not in r.err, r.err)


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
    expect("one form at a time", gyre("good.pml", "--events", "--json"), 2, None, r"one form")


if __name__ == "__main__":
    sys.exit(run_all([models, expectations, coverage, several, github, gitlab, sarif, without_terminal, events]))
