#!/usr/bin/env python3
# check: cli: a simulation that a program drives; seconds 3
"""A client of `gyre sim --json --interactive`: walks, goes back, stops, saves. Ends with `N passed, N failed`."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import GYRE, ROOT, check, gyre, run_all, schema, write  # noqa: E402

MODEL = """\
mtype = { req, ack };
chan q = [1] of { mtype, byte };
chan r = [0] of { byte };
byte got, n;
active proctype S() {
    q!req,7;
    n = 1;
    r!5;
    n = 2
}
active proctype R() {
    byte x;
    q?_,got;
    r?x;
    assert(x == 5);
    got == 9
}
"""


class Client:
    """One session. Every reply is checked against the schema."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([GYRE, *arguments, "--json", "--interactive"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.last = self.read()
        self.number = 0

    def read(self):
        return schema.report(self.process.stdout.readline())

    def do(self, name, **more):
        self.number += 1
        self.process.stdin.write(json.dumps({"do": name, "id": self.number, **more}) + "\n")
        self.process.stdin.flush()
        self.last = self.read()
        check(f"the reply is to {name}", self.last["reply"] == name and self.last["id"] == self.number, self.last)
        return self.last

    def pick(self, text):
        """Takes the choice with this statement."""
        for choice in self.last["choices"]:
            if choice["text"] == text:
                return self.do("choose", choice=choice["choice"])
        raise ValueError(f"{text} is not among {self.last['choices']}")

    def raw(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.read()

    def end(self):
        reply = self.do("quit")
        rest = self.process.stdout.read()
        self.process.stdin.close()
        return reply, schema.lines(rest), self.process.wait(timeout=300)


def walking():
    write("m.pml", MODEL)
    client = Client("sim", "m.pml")
    first = client.last
    check("versions and the model", first["report"] == "session" and first["model"] == "m.pml" and first["schema"] == 1, first)
    check("the start", first["step"] == 0 and first["state"]["globals"]["got"] == first["state"]["globals"]["n"] == 0 and
          first["state"]["channels"][0]["values"] == [], first["state"])
    check("one choice, with its place", [(c["process"], c["pid"], c["line"], c["column"], c["text"]) for c in first["choices"]] ==
          [("S", 0, 6, 5, "q!req,7")], first["choices"])
    waiting = first["state"]["processes"][1]
    check("who is blocked, and why", waiting["waits_for"] == ["receive"] and "q is empty" in waiting["waits"], waiting)
    reply = client.do("choose", choice=1)
    check("a step was taken", reply["ok"] and reply["step"] == 1 and reply["taken"][0]["message"]["fields"] == ["req", 7], reply)
    check("the state after it", reply["state"]["channels"][0]["values"] == [["req", 7]], reply["state"])
    check("two choices now", sorted(c["text"] for c in reply["choices"]) == ["n = 1", "q?_,got"], reply["choices"])
    reply = client.do("forward")
    check("which one?", not reply["ok"] and reply["error"]["code"] == "several-choices" and reply["step"] == 1, reply)
    client.pick("q?_,got")
    reply = client.do("undo")
    check("undone", reply["ok"] and (reply["step"], reply["ahead"], reply["state"]["globals"]["got"]) == (1, 1, 0), reply)
    reply = client.do("forward")
    check("and done again", reply["step"] == 2 and reply["state"]["globals"]["got"] == 7 and reply["taken"][0]["text"] == "q?_,got", reply)
    client.pick("n = 1")
    meeting = client.last["choices"]
    check("a rendezvous has a partner", len(meeting) == 1 and meeting[0]["text"] == "r!5" and meeting[0]["partner"]["process"] == "R", meeting)
    reply = client.do("restart")
    check("back to the start", reply["step"] == 0 and reply["ahead"] == 3, reply)
    reply = client.do("jump", step=3)
    check("a jump over what was undone", reply["step"] == 3 and reply["state"]["globals"]["got"] == 7 and len(reply["taken"]) == 3, reply)
    client.pick("r!5")
    reply = client.do("random", steps=10)
    check("random steps up to the end", reply["ok"] and reply["choices"] == [] and reply["state"]["ending"] == "invalid-end-state", reply)
    stuck = [p for p in reply["state"]["processes"] if p["process"] == "R"][0]
    check("what it waits for", stuck["waits_for"] == ["condition"] and "got == 9" in stuck["waits"] and "got = 7" in stuck["waits"], stuck)
    check("no more", client.do("random")["error"]["code"] == "end")
    reply = client.do("save", file="saved.trail")
    check("saved", reply["ok"] and os.path.getsize("saved.trail") > 0, reply)
    steps = client.last["step"]
    reply, rest, status = client.end()
    check("the last line sums up", reply["ok"] and rest[-1]["steps"] == steps and rest[-1]["final"]["ending"] == "invalid-end-state", rest)
    check("the status is that of the end", status == 1, status)
    replayed = gyre("replay", "m.pml", "saved.trail", "--json").json
    check("the trail leads there", replayed["length"] == steps and replayed["final"]["ending"] == "invalid-end-state", replayed)


def stops():
    write("loop.pml", "byte n;\nactive proctype P() {\n    do\n    :: n < 100 ->\n        n = n + 1\n    :: n == 100 -> break\n    od;\n    assert(n == 3)\n}\n")
    client = Client("sim", "loop.pml")
    reply = client.do("watch", expression="n * 2")
    check("a watch", reply["watches"] == [{"expression": "n * 2", "value": 0}], reply)
    client.do("break", when="n == 7")
    reply = client.do("run")
    check("stopped where the condition became true", reply["stopped"] == "breakpoint" and reply["state"]["globals"]["n"] == 7, reply)
    check("the watch follows", reply["watches"][0]["value"] == 14 and len(reply["taken"]) == 14, reply["watches"])
    reply = client.do("break", line=6)
    check("breakpoints are listed", reply["breakpoints"] == {"lines": [6], "conditions": ["n == 7"]}, reply["breakpoints"])
    reply = client.do("run")
    check("stopped at the line", reply["stopped"] == "breakpoint" and reply["taken"][-1]["line"] == 6 and reply["state"]["globals"]["n"] == 100, reply["stopped"])
    check("none any more", client.do("clear")["breakpoints"] == {"lines": [], "conditions": []})
    reply = client.do("run")
    check("on to the fault", reply["stopped"] == "fault" and reply["state"]["ending"] == "fault" and reply["state"]["kind"] == "assertion", reply)
    check("no watches any more", client.do("unwatch")["watches"] == [])
    _, _, status = client.end()
    check("a fault is status 1", status == 1, status)


def mistakes():
    client = Client("sim", "m.pml")
    for line, code in (("", None), ("nonsense", "bad-request"), ("[1]", "bad-request"), ("{}", "bad-request"), ('{"do": 3}', "bad-request"),
                       ('{"do": "fly"}', "unknown-command"), ('{"do": "choose"}', "bad-request"), ('{"do": "choose", "choice": 0}', "no-such-choice"),
                       ('{"do": "choose", "choice": 9}', "no-such-choice"), ('{"do": "undo"}', "start"), ('{"do": "jump", "step": -1}', "bad-request"),
                       ('{"do": "break", "when": "nowhere == 1"}', "bad-expression"), ('{"do": "watch", "expression": "1 +"}', "bad-expression"),
                       ('{"do": "break"}', "bad-request"), ('{"do": "save", "file": "/nowhere/x"}', "file"), ('{"do": "save"}', "bad-request")):
        if code is None:
            client.process.stdin.write("\n")
            continue
        reply = client.raw(line)
        check(f"{line}: {code}", not reply["ok"] and reply["error"]["code"] == code and reply["step"] == 0, reply)
    client.process.stdin.close()
    rest = schema.lines(client.process.stdout.read())
    check("the end of the input ends it", rest[-1]["steps"] == 0 and client.process.wait(timeout=300) == 0, rest)


def replaying():
    model = os.path.join(ROOT, "examples/broken_mutex.pml")
    gyre(model, "--trail", "mutex.trail")
    wanted = [s["text"] for s in gyre("replay", model, "mutex.trail", "--json").json["steps"]]
    client = Client("replay", model, "mutex.trail")
    check("from the start", client.last["step"] == 0 and client.last["ahead"] == len(wanted), client.last)
    seen = []
    while client.last["choices"]:
        check("one way", len(client.last["choices"]) == 1)
        seen.append(client.do("forward")["taken"][0]["text"])
    check("the steps of the trail", seen == wanted, seen)
    check("and not beyond", client.do("forward")["error"]["code"] == "end" and client.do("random")["error"]["code"] == "replay")
    client.do("restart")
    check("on to the end", client.do("run")["stopped"] == "fault")
    client.end()


if __name__ == "__main__":
    sys.exit(run_all([walking, stops, mistakes, replaying]))
