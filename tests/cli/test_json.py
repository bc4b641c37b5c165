#!/usr/bin/env python3
# check: cli: JSON for programs; seconds 10
"""JSON for programs: reports by the schema, errors of use, values, events, and the protocol by which a
program drives a simulation. Ends with `N passed, N failed`."""
import glob
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import ROOT, check, expect, gyre, run_all, schema, write  # noqa: E402

QUEUE = ("mtype = { req, ack };\nchan q = [2] of { mtype, byte, bool };\nbyte got;\n"
         "active proctype S() { q!req,7,true; q!ack,8,false }\n"
         "active proctype R() { q?_,got,_; q?_,got,_; assert(got == 7) }\n")


def refuses(value):
    try:
        schema.validate(value)
    except ValueError:
        return True
    return False


def the_check_itself():
    """A schema that lets everything pass would be no check."""
    write("m.pml", "byte x;\nactive proctype P() { x = 1; assert(x == 2) }\n")
    good = gyre("m.pml", "--json").json
    check("a good report passes", not refuses(good))
    for path in (("extra",), ("properties", 0, "extra"), ("properties", 0, "counterexample", "steps", 0, "extra"),
                 ("properties", 0, "counterexample", "final", "processes", 0, "extra"), ("stats", "extra")):
        bad = json.loads(json.dumps(good))
        at = bad
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = 1
        check(f"an unknown name at {path} is refused", refuses(bad), path)
    for path, value in ((("verdict",), "fine"), (("schema",), 2), (("properties", 0, "states"), -1), (("properties", 0, "seconds"), "1")):
        bad = json.loads(json.dumps(good))
        at = bad
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
        check(f"{value!r} at {path} is refused", refuses(bad), path)
    for name in ("gyre", "schema", "report", "verdict", "model", "properties", "diagnostics"):
        bad = {k: v for k, v in good.items() if k != name}
        check(f"a report without {name} is refused", refuses(bad) or name == "report", name)


def versions():
    write("m.pml", "active proctype P() { skip }\n")
    version = gyre("--version").out.split()[1]
    for arguments, kind in ((("m.pml",), "verification"), (("info", "m.pml"), "info"), (("ltl", "<>p"), "ltl"),
                            (("ltl", "--sat", "<>p"), "ltl"), (("test", "m.pml"), "test"), (("stats", "m.pml"), "stats")):
        r = gyre(*arguments, "--json").json
        check(f"{arguments}: versions come first", list(r)[:3] == ["gyre", "schema", "report"] and
              (r["gyre"], r["schema"], r["report"]) == (version, 1, kind), r)
    head = gyre("sim", "m.pml", "--json").lines[0]
    check("a simulation: versions and the initial state", head["gyre"] == version and head["report"] == "simulation" and
          head["initial"]["processes"][0]["process"] == "P", head)


def errors_of_use():
    write("m.pml", "active proctype P() { skip }\n")
    write("bad.pml", "active proctype P() {\n    byte count;\n    cuont = 3 +\n}\n")
    for arguments in (("--bogus",), ("m.pml", "--bogus"), ("m.pml", "--time"), ("m.pml", "--time", "soon"), ("m.pml", "--search", "bf"),
                      ("-a",), ("smi",), (), ("sim",), ("ltl",), ("ltl", "p &&"), ("ltl", "p", "q"), ("nowhere.pml",), ("sim", "nowhere.pml"),
                      ("replay", "nowhere.pml"), ("info", "nowhere.pml"), ("test", "nowhere"), ("bad.pml",), ("sim", "bad.pml"),
                      ("info", "bad.pml"), ("m.pml", "--ltl", "[] ("), ("m.pml", "--threads", "0"), ("replay", "m.pml", "no.trail"),
                      ("sim", "m.pml", "--msc"), ("m.pml", "--resume", "none"), ("stats", "nowhere.pml")):
        r = gyre(*arguments, "--json")
        try:
            report = schema.report(r.out)
        except ValueError as problem:
            report = {"diagnostics": [], "problem": str(problem)}
        check(f"{' '.join(arguments)}: JSON, status 2", r.status == 2 and report.get("verdict") == "error" and
              any(d["severity"] == "error" for d in report["diagnostics"]) and r.err, f"{report}\n{r}")
        before = gyre("--json", *arguments)
        check(f"--json {' '.join(arguments)}: JSON as well", before.status == 2 and before.json["verdict"] == "error", before)
    d = gyre("bad.pml", "--json").json["diagnostics"][0]
    check("the range of a mistake", (d["line"], d["column"], d["end_line"], d["end_column"]) == (3, 5, 3, 10), d)
    d = gyre("m.pml", "--serach", "bfs", "--json").json["diagnostics"][0]
    check("a hint is apart from the message", d["hint"] == "a similar name exists: `--search`" and "hint" not in d["message"], d)


def values():
    write("q.pml", QUEUE)
    c = gyre("q.pml", "--json", "--exact").json["properties"][0]["counterexample"]
    sends = [s["message"] for s in c["steps"] if s.get("message", {}).get("kind") == "send"]
    check("messages as values", [m["fields"] for m in sends] == [["req", 7, True], ["ack", 8, False]], sends)
    check("and as text", sends[0]["contents"] == "req,7,true", sends)
    received = [s["message"]["fields"] for s in c["steps"] if s.get("message", {}).get("kind") == "receive"]
    check("what is received", received == [["req", 7, True], ["ack", 8, False]], received)
    change = [x for s in c["steps"] for x in s["changes"] if x["name"] == "q"][0]
    check("contents of a channel, before and after", (change["old_messages"], change["new_messages"]) == ([], [["req", 7, True]]), change)
    check("the initial state", c["initial"]["globals"]["got"] == 0 and c["initial"]["channels"][0]["values"] == [] and
          [p["line"] for p in c["initial"]["processes"]] == [4, 5], c["initial"])
    write("dead.pml", QUEUE.replace("; assert(got == 7)", "; q?_,got,_; got == 1").replace("byte got;", "byte got;\nchan r = [0] of { byte };")
          .replace("q!ack,8,false", "q!ack,8,false; r!1"))
    c = gyre("dead.pml", "--json").json["properties"][0]["counterexample"]
    check("why processes wait, as codes", [p["waits_for"] for p in c["final"]["processes"]] == [["rendezvous"], ["receive"]], c["final"])
    write("more.pml", "chan q = [1] of { byte };\nactive proctype A() { q!1; q!2 }\nactive proctype B() { byte x; len(q) == 3 }\n")
    c = gyre("more.pml", "--json").json["properties"][0]["counterexample"]
    check("a full channel, a condition", [p["waits_for"] for p in c["final"]["processes"]] == [["send"], ["condition"]], c["final"])
    check("a full channel as values", c["final"]["channels"][0]["values"] == [[1]], c["final"])


def reasons():
    write("m.pml", "byte x;\nactive proctype P() { do :: x++ od }\nltl p { [] (x < 3) }\n")
    r = gyre("m.pml", "--json", "--exact").json["properties"]
    check("why a property is violated", [p["reason"] and p["reason"]["code"] for p in r] == [None, "ltl-violation"], r)
    check("seconds per property", all(p["seconds"] >= 0 for p in r) and sum(p["seconds"] for p in r) > 0, r)
    r = gyre("m.pml", "--json", "--exact", "--depth", "3").json["properties"][0]
    check("why there is not a verdict", r["verdict"] == "inconclusive" and r["reason"]["code"] == "depth" and "depth limit" in r["reason"]["text"], r)


def shipped_examples():
    """Also what no other test asks for in JSON."""
    for model in sorted(glob.glob(os.path.join(ROOT, "examples", "*.pml"))):
        name = os.path.basename(model)
        for arguments in (("info", model), ("sim", model, "--steps", "40"), (model, "--verbose", "--time", "5", "--depth", "12")):
            r = gyre(*arguments, "--json")
            try:
                schema.lines(r.out) if arguments[0] == "sim" else schema.report(r.out)
                check(f"{name} {arguments[0][:4]}", True)
            except ValueError as problem:
                check(f"{name} {arguments}", False, problem)
    expect("gyre test --json", gyre("test", "--json", os.path.join(ROOT, "examples/tutorial")), 0)
    r = gyre("test", "--json", os.path.join(ROOT, "examples/tutorial")).json
    check("each expectation is there", len(r["tests"]) == r["passed"] == 5 and r["failed"] == 0, r)


if __name__ == "__main__":
    sys.exit(run_all([the_check_itself, versions, errors_of_use, values, reasons, shipped_examples]))
