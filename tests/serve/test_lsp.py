#!/usr/bin/env python3
# check: cli: language server; seconds 12
"""gyre lsp as an editor uses it, and as none should.

    test_lsp.py            all of it, with a few dozen random edits
    test_lsp.py --long     a thousand random edits
    test_lsp.py NAME...    only the checks whose names contain NAME
"""
import argparse
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from lsp_client import ABILITIES, GYRE, PATIENCE, ROOT, Client, Refused  # noqa: E402

FOLDER = tempfile.mkdtemp(prefix="gyre-lsp-")
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def uri_of(name):
    return "file://" + os.path.join(FOLDER, name)


def write(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        file.write(text)
    return uri_of(name)


def served(text, name="model.pml", **options):
    """A client with this text open, and where."""
    client = Client()
    client.start(**options)
    uri = uri_of(name)
    client.open(uri, text)
    return client, uri


def refused(code, call, *arguments, **more):
    try:
        result = call(*arguments, **more)
    except Refused as refusal:
        assert refusal.code == code, refusal
        return refusal.message
    raise AssertionError(f"not refused: {result}")


def place(text, word, nth=1):
    """(line, character) of the nth occurrence of a word."""
    at = -1
    for _ in range(nth):
        at = text.index(word, at + 1)
    line = text.count("\n", 0, at)
    return line, len(text[text.rfind("\n", 0, at) + 1:at].encode("utf-16-le")) // 2


def marked(text, ranges):
    """The texts of ranges, with their lines."""
    lines = text.split("\n")
    return [(r["start"]["line"], lines[r["start"]["line"]].encode("utf-16-le")
             [2 * r["start"]["character"]:2 * r["end"]["character"]].decode("utf-16-le")) for r in ranges]


# ---- the life of a server -------------------------------------------------------------------


@check
def life_and_death():
    client = Client()
    assert "not initialized" in refused(-32002, client.ask, "shutdown")
    refused(-32002, client.ask, "textDocument/hover", {})
    client.tell("textDocument/didOpen", {"textDocument": {"uri": uri_of("a.pml"), "text": "x", "version": 1}})
    result = client.start()
    assert result["serverInfo"]["name"] == "gyre" and result["capabilities"]["positionEncoding"] == "utf-16"
    refused(-32600, client.ask, "initialize", {"capabilities": {}})
    refused(-32601, client.ask, "textDocument/noSuchThing", {})
    refused(-32601, client.ask, "exit")
    refused(-32602, client.ask, "textDocument/hover", {"textDocument": {"uri": uri_of("a.pml")}})
    client.tell("noSuchNotification", {"a": 1})
    client.tell("$/cancelRequest", {"id": 77})
    assert client.ask("shutdown") is None
    refused(-32600, client.ask, "textDocument/hover", {})
    client.tell("exit")
    assert client.process.wait(timeout=PATIENCE) == 0
    # exit without shutdown, and a client that is gone
    for last in ("exit", None):
        client = Client()
        client.start()
        if last:
            client.tell(last)
        client.process.stdin.close()
        assert client.process.wait(timeout=PATIENCE) == 1
    client = Client()
    client.tell("exit")
    assert client.process.wait(timeout=PATIENCE) == 1


@check
def command_line():
    run = subprocess.run([GYRE, "lsp", "model.pml"], capture_output=True, check=False, text=True, stdin=subprocess.DEVNULL)
    assert run.returncode == 2 and "unexpected argument `model.pml`" in run.stderr, run
    run = subprocess.run([GYRE, "lsp"], capture_output=True, check=False, text=True, stdin=subprocess.DEVNULL)
    assert run.returncode == 1 and run.stdout == "" and run.stderr == "", run


@check
def messages_that_are_none():
    client, uri = served("init { skip }\n")
    client.problems(uri)
    for content in (b"{", b"\xff\xff", b"", b"nul"):
        client.raw(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        while None not in client.answers:
            client.take()
        assert client.answers.pop(None)["error"]["code"] == -32700
    for message in (1, [], [1], {}, {"id": 1.5, "method": "shutdown"}, {"id": {}, "method": "x"}, {"method": 3},
                    {"id": None, "method": "shutdown"}, {"id": 9}, "x", None, {"method": 3, "id": "q"}):
        client.write(message)
        number = message["id"] if isinstance(message, dict) and message.get("id") in (9, "q") else None
        while number not in client.answers:
            client.take()
        assert client.answers.pop(number)["error"]["code"] == -32600, message
    # parameters of any kind
    methods = ["initialized", "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
               "textDocument/hover", "textDocument/definition", "textDocument/references", "textDocument/rename",
               "textDocument/completion", "textDocument/documentSymbol", "textDocument/codeAction",
               "textDocument/inlayHint", "textDocument/foldingRange", "textDocument/semanticTokens/full",
               "textDocument/formatting", "textDocument/rangeFormatting", "textDocument/signatureHelp",
               "textDocument/codeLens", "textDocument/prepareRename", "workspace/executeCommand",
               "workspace/didChangeConfiguration", "$/cancelRequest", "textDocument/documentHighlight"]
    document = {"textDocument": {"uri": uri, "version": 2}}
    kinds = [None, [], 3, "x", {}, {"textDocument": 3}, {"textDocument": {"uri": 4}}, {"textDocument": {"uri": "%%%"}},
             document, {**document, "position": 3}, {**document, "position": {"line": -1, "character": 0}},
             {**document, "position": {"line": 10 ** 12, "character": 10 ** 12}},
             {**document, "position": {"line": 0, "character": 3}, "newName": 4, "context": 3, "range": []},
             {**document, "range": {"start": {"line": 5, "character": 5}, "end": {"line": 0, "character": 0}},
              "context": {"diagnostics": [1, {}]}, "options": 3},
             {**document, "contentChanges": [1, {}, {"text": 3}, {"text": "x", "range": 3}]},
             {"command": "gyre.verify", "arguments": 3}, {"command": 3}, {"settings": {"gyre": {"defines": 3}}}]
    for method in methods:
        for params in kinds:
            if method == "textDocument/didClose" and params and isinstance(params, dict) and "textDocument" in params:
                continue
            try:
                client.ask(method, params)
            except Refused:
                pass
            client.tell(method, params)
    client.versions[uri] = 5
    client.change(uri, "init { assert(tru) }\n")
    assert "undeclared" in client.problems(uri)[0]["message"]
    assert client.end() == 0


@check
def other_schemes():
    """What an editor shows need not be a file."""
    for uri in ("untitled:Untitled-1", "vscode-vfs://github/a//b/../model.pml", "git:/tmp/model.pml?%7B%22ref%22%3A%22~%22%7D", "file:", "x:/../..", "x"):
        client = Client()
        client.start()
        client.open(uri, "byte x;\ninit { y = 1 }\n")
        assert "undeclared" in client.problems(uri)[0]["message"], client.diagnostics
        found = client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}})
        assert "byte x" in found["contents"]["value"], found
        client.ask("workspace/executeCommand", {"command": "gyre.server.verify", "arguments": [{"uri": uri}]})
        client.change(uri, "byte x;\ninit { x = 1 }\n")
        assert not client.problems(uri)
        assert client.end() == 0


@check
def broken_headers():
    for header in (b"Content-Length: x\r\n\r\n{}", b"GET / HTTP/1.1\r\n\r\n", b"a" * 5000):
        client = Client()
        client.start()
        client.raw(header)
        while client.take():
            pass
        assert client.process.wait(timeout=PATIENCE) == 1
        assert client.answers[None]["error"]["code"] == -32700


# ---- problems: those of gyre info ----------------------------------------------------------------


def info_problems(path, text, *options):
    """What gyre info says about this text, as if it was in the file."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    run = subprocess.run([GYRE, "info", path, "--json", *options], capture_output=True, check=False, timeout=PATIENCE)
    assert run.returncode in (0, 2), (run.returncode, run.stderr)
    return json.loads(run.stdout)["diagnostics"]


def as_info(problems, uri, text):
    """Diagnostics of the protocol in the words of gyre info."""
    lines = text.split("\n")

    def place_of(where, this):
        start = where["start"]
        line = lines[start["line"]] if this and start["line"] < len(lines) else ""
        column = len(line.encode("utf-16-le")[:2 * start["character"]].decode("utf-16-le").encode()) + 1
        return start["line"] + 1, column

    found = []
    for one in problems:
        words, _, hint = one["message"].partition("\nhint: ")
        severity = {1: "error", 2: "warning", 3: "note"}[one["severity"]]
        found.append((severity, words, hint or None, place_of(one["range"], True)))
        for note in one.get("relatedInformation", ()):
            words, _, hint = note["message"].partition("\nhint: ")
            found.append(("note", words, hint or None, place_of(note["location"]["range"], True)))
    return found


def from_info(diagnostics):
    return [(one["severity"], one["message"], one.get("hint"),
             (one["line"], one["column"]) if "line" in one else (1, 1)) for one in diagnostics]


def compare(client, uri, text):
    path = uri[len("file://"):]
    told, wanted = as_info(client.problems(uri), uri, text), from_info(info_problems(path, text))
    assert told == wanted, f"the server says\n  {told}\ngyre info says\n  {wanted}\nabout\n{text}"


WRONG = [
    "",
    "init { skip",
    "byte x\ninit { x = y }\n",
    "active proctype P() { byte 日本; assert(tru) }\n",
    "active proctype P() { /* 日本 𝄞 */ assert(tru) }\n",
    "#define M(x) x + yy\ninit { int a; a = M(1) }\n",
    "inline f(x) { x = nothing }\ninit { int a; f(a) }\n",
    "chan q = [1] of { byte }\ninit { q!1,2 }\n",
    "byte x; byte x;\nactive proctype P() { goto nowhere }\n",
    "#include \"missing.h\"\ninit { skip }\n",
    "#if 1\ninit { skip }\n",
    "proctype P() { skip }\nproctype P() { skip }\ninit { run Q() }\n",
    "init { c_code { x = 1; } }\r\nbyte y\r\n",
]


@check
def problems_are_those_of_info():
    client = Client()
    client.start()
    for number, text in enumerate(WRONG):
        uri = uri_of(f"wrong{number}.pml")
        client.open(uri, text)
        compare(client, uri, text)
        client.close(uri)
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/models/errors/*.pml")))[:25]:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        uri = uri_of(os.path.basename(path))
        client.open(uri, text)
        compare(client, uri, text)
        client.close(uri)
    # clients that know of no related places get notes of their own
    plain = Client()
    plain.start({})
    uri = uri_of("twice.pml")
    text = "byte x; byte x;\ninit { skip }\n"
    plain.open(uri, text)
    compare(plain, uri, text)
    assert [one["severity"] for one in plain.problems(uri)] == [1, 3]
    assert client.end() == 0 and plain.end() == 0


@check
def other_languages():
    client = Client()
    client.start()
    for name, text in (("a.dve", "byte x;\nprocess P { state a; init a; trans a -> a { effect y = 1; }; }\nsystem async;\n"),
                       # lines and columns of a template are those of its text, not of what it expands to
                       ("t.mdve", "divert(-1)\ndefine(`MANY', `x = 1, x = 2, x = 3')\ndivert(0)dnl\nbyte x;\n"
                        "process P { state a; init a; trans a -> a { effect MANY;\n }, a -> a { effect y = 1; }; }\nsystem async;\n"),
                       ("b.rsc", "shared system S { init () { } }\n"), ("c.if", "system s;\n")):
        uri = uri_of(name)
        client.open(uri, text)
        problems = client.problems(uri)
        wanted = info_problems(uri[len("file://"):], text)
        assert [one["message"].split("\nhint: ")[0] for one in problems] == [one["message"] for one in wanted], (name, problems, wanted)
        assert [one["range"]["start"]["line"] + 1 for one in problems] == [one.get("line", 1) for one in wanted]
    assert client.end() == 0


@check
def included_texts():
    """A text that an open model includes is read as part of it, as it is in the editor."""
    part = write("part.h", "byte wrong_on_disk\n")
    main = write("main.pml", "#include \"part.h\"\nactive proctype P() { level = 1 }\n")
    client = Client()
    client.start()
    client.open(main, "#include \"part.h\"\nactive proctype P() { level = 1 }\n")
    assert "undeclared variable `level`" in client.problems(main)[0]["message"]
    client.open(part, "byte level;\n")
    while client.problems(main):
        client.take()
    assert client.at("definition", main, 1, 23)[0]["uri"] == part
    assert [one["uri"] for one in client.at("references", part, 0, 6)] == [main, part]
    client.change(part, "byte level = wrong;\n")
    while not client.diagnostics.get(part, {}).get("diagnostics"):
        client.take()
    assert "undeclared variable `wrong`" in client.diagnostics[part]["diagnostics"][0]["message"]
    client.close(part)      # the file counts again
    while not client.diagnostics[main]["diagnostics"]:
        client.take()
    assert client.end() == 0


@check
def files_that_include_each_other():
    """Whoever is asked about one of them gets an answer."""
    texts = {name: f"#ifndef {name}_\n#define {name}_\n#include \"{other}.pml\"\nbyte {name};\n#endif\nactive proctype P{name}() {{ a = 1; b = 1 }}\n"
             for name, other in (("a", "b"), ("b", "a"))}
    uris = {name: write(name + ".pml", text) for name, text in texts.items()}
    client = Client()
    client.start()
    for name, text in texts.items():
        client.open(uris[name], text)
    for _ in range(5):
        waiting = []
        for name, uri in uris.items():
            client.change(uri, ((3, 0), (3, 0), " "))
            waiting += [client.send("textDocument/" + method, {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 7}})
                        for method in ("hover", "definition", "documentSymbol")]
        for number in waiting:
            client.answer(number)
    client.close(uris["a"])
    assert client.of("documentSymbol", uris["b"])
    assert client.end() == 0


@check
def settings():
    text = "#ifndef N\nwrong\n#endif\ninit { skip }\n"
    client, uri = served(text, defines=["N=1"])
    assert client.problems(uri) == []
    client.tell("workspace/didChangeConfiguration", {"settings": {"gyre": {"defines": []}}})
    while not client.problems(uri):
        client.take()
    assert client.end() == 0
    client = Client("-DN", "--stdio")
    client.start()
    client.open(uri, text)
    assert client.problems(uri) == []
    assert client.end() == 0


# ---- names ------------------------------------------------------------------------------------------

MODEL = """// Whose move it is.
byte turn = 1;
#define N 3
#define below(a, b) ((a) < (b))
mtype = { request, reply }
typedef Pair { byte left; bool right[2] }
chan q = [2] of { mtype, byte }      // the wire
Pair p;

/* Counts up. */
inline bump(x) {
  x = x + 1;
  turn = 0
}

proctype Worker(byte id; chan c) {
  byte k = 2; mtype m;
again:
  do
  :: below(k, N) -> bump(k); p.left = k
  :: c?m(k) -> goto again
  :: timeout -> break
  od;
  q!request(id); /* 𝄞 */ turn = id
}

init { run Worker(1, q) }
ltl safe { [] (turn < N) }
"""


@check
def definitions_and_references():
    client, uri = served(MODEL)
    assert client.problems(uri) == [], client.problems(uri)

    def definition(word, nth=1):
        return marked(MODEL, [one["range"] for one in client.at("definition", uri, *place(MODEL, word, nth))])

    def references(word, nth=1, declared=True):
        found = client.at("references", uri, *place(MODEL, word, nth), context={"includeDeclaration": declared})
        return marked(MODEL, [one["range"] for one in found])

    assert definition("turn", 2) == [(1, "turn")]
    assert definition("id)") == [(15, "id")]
    assert definition("again", 2) == [(17, "again")]
    assert definition("below", 2) == [(3, "below")]
    assert definition("bump(k") == [(10, "bump")]
    assert definition("Worker(1") == [(15, "Worker")]
    assert definition("left =") == [(5, "left")]
    assert definition("request(") == [(4, "request")]
    assert definition("N)") == [(2, "N")]
    assert definition("x = x") == [(10, "x")]
    assert definition("m(k)") == [(16, "m")]
    # `turn` of the inline's body, of the process, and of the formula
    assert references("turn") == [(1, "turn"), (12, "turn"), (23, "turn"), (27, "turn")]
    assert references("turn", declared=False) == [(12, "turn"), (23, "turn"), (27, "turn")]
    assert references("k = 2") == [(16, "k"), (19, "k"), (19, "k"), (19, "k"), (20, "k")]
    assert references("N") == [(2, "N"), (19, "N"), (27, "N")]
    kinds = [one["kind"] for one in client.at("documentHighlight", uri, *place(MODEL, "turn"))]
    assert kinds == [3, 3, 3, 2]
    assert client.at("definition", uri, 0, 0) == []
    assert marked(MODEL, [one["range"] for one in client.at("typeDefinition", uri, *place(MODEL, "p;"))]) == [(5, "Pair")]
    # a position in UTF-16 behind a character of two units
    line, character = place(MODEL, "turn = id")
    assert client.at("definition", uri, line, character)[0]["range"]["start"]["line"] == 1
    assert client.at("definition", uri, line, character - 2) == []
    assert client.end() == 0
    client = Client()
    client.start({"general": {"positionEncodings": ["utf-8", "utf-16"]}})
    assert client.capabilities["positionEncoding"] == "utf-8"
    client.open(uri, MODEL)
    assert client.at("definition", uri, line, character + 2)[0]["range"]["start"]["line"] == 1
    assert client.end() == 0


@check
def outline():
    client, uri = served(MODEL)
    tree = {one["name"]: one for one in client.of("documentSymbol", uri)}
    assert list(tree) == ["turn", "N", "below", "request", "reply", "Pair", "q", "p", "bump", "Worker", "init", "safe"], list(tree)
    assert [one["name"] for one in tree["Worker"]["children"]] == ["id", "c", "k", "m", "again"]
    assert [one["name"] for one in tree["Pair"]["children"]] == ["left", "right"]
    whole = tree["Worker"]["range"]
    assert (whole["start"]["line"], whole["end"]["line"], whole["end"]["character"]) == (15, 24, 1)
    assert tree["q"]["detail"] == "chan = [2] of { mtype, byte }"
    assert client.end() == 0


@check
def symbols_of_all():
    """Names of all open models and of what they include, by letters in their order."""
    part = write("shared_part.h", "byte shared_level;\n")
    client, a = served("#include \"shared_part.h\"\nactive proctype Sender() { byte count; shared_level = count }\n", "all_a.pml")
    b = uri_of("all_b.pml")
    client.open(b, "#include \"shared_part.h\"\nactive proctype Receiver() { byte count; shared_level = count }\n")
    client.problems(a), client.problems(b)

    def found(query):
        return sorted((one["name"], one["location"]["uri"], one["location"]["range"]["start"]["line"], one.get("containerName"))
                      for one in client.ask("workspace/symbol", {"query": query}))

    assert found("sender") == [("Sender", a, 1, None)]
    assert found("count") == [("count", a, 1, "Sender"), ("count", b, 1, "Receiver")]
    assert found("shlev") == [("shared_level", part, 0, None)], found("shlev")
    assert found("zebra") == []
    names = [one[0] for one in found("")]
    assert names.count("shared_level") == 1 and {"Sender", "Receiver", "count"} <= set(names), names
    assert client.end() == 0


@check
def hover():
    client, uri = served(MODEL)

    def told(word, nth=1):
        found = client.at("hover", uri, *place(MODEL, word, nth))
        return found and found["contents"]["value"]

    assert "```promela\nbyte turn = 1\n```" in told("turn") and "Whose move it is." in told("turn")
    assert "`Worker` (line 13, 24)" in told("turn")
    assert "chan q = [2] of { mtype, byte }" in told("q!") and "the wire" in told("q!")
    assert "**Sent to by** `Worker` (line 24)" in told("q!")
    assert "Counts up." in told("bump(k") and "inline bump(x)" in told("bump(k")
    assert "#define N 3" in told("N)")
    assert "mtype reply = 1" in told("reply")
    assert "In `Worker`" in told("k = 2")
    assert "until a `break`" in told("do\n")
    assert told("/* Counts") is None
    assert client.end() == 0
    # the values that a variable can hold, by hand: 0, then 1 or 2
    client, uri = served("active proctype P() { byte n; if :: n = 1 :: n = 2 fi; assert(n < 3) }\n")
    found = client.at("hover", uri, 0, 27)["contents"]["value"]
    assert "0 … 2" in found, found
    hints = client.of("inlayHint", uri, range={"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}})
    assert [(one["label"], one["position"]["character"]) for one in hints] == [("0…2", 28)], hints
    assert client.end() == 0


@check
def hints_for_arguments():
    client, uri = served(MODEL)
    hints = client.of("inlayHint", uri, range={"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}})
    found = [(one["position"]["line"], one["label"]) for one in hints if one["kind"] == 2]
    assert sorted(found) == [(19, "x:"), (23, "byte:"), (23, "mtype:"), (26, "c:"), (26, "id:")], found
    assert client.end() == 0


# ---- while it is being written ----------------------------------------------------------------------------


def complete(client, uri, text, cursor="|"):
    """Labels that are offered at the cursor in a text."""
    line, character = place(text, cursor)
    client.change(uri, text.replace(cursor, "", 1))
    result = client.at("completion", uri, line, character)
    assert result["isIncomplete"] is False
    return {one["label"]: one for one in result["items"]}


@check
def completion():
    client, uri = served(MODEL)
    client.problems(uri)

    def offered(old, new):
        assert old in MODEL
        return complete(client, uri, MODEL.replace(old, new, 1))

    body = offered("p.left = k", "tu|")
    assert {"turn", "k", "m", "id", "c", "request", "bump", "below", "do", "assert", "_pid"} <= set(body), set(body)
    assert "proctype" not in body and "left" not in body and "again" not in body
    assert body["bump"]["insertText"] == "bump(${1:x})" and body["bump"]["detail"] == "inline bump(x)"
    assert "Whose move" in body["turn"]["documentation"]["value"]
    assert body["k"]["sortText"] < body["turn"]["sortText"] < body["do"]["sortText"]
    assert set(offered("p.left = k", "p.|")) == {"left", "right"}
    assert set(offered("p.left = k", "p.le| = k")) == {"left", "right"}
    assert set(offered("goto again", "goto |")) == {"again"}
    assert offered("run Worker(1, q)", "run |")["Worker"]["insertText"] == "Worker(${1:id}, ${2:c})"
    assert set(offered("[] (turn < N)", "[] (Worker@|)")) == {"again"}
    formula = offered("[] (turn < N)", "[] (tu| < N)")
    assert {"turn", "N", "eventually", "len"} <= set(formula) and "do" not in formula
    between = offered("init {", "pro|\ninit {")
    assert {"proctype", "ltl", "chan", "Pair"} <= set(between) and "assert" not in between and "turn" not in between
    assert "#ifdef" in offered("#define N 3", "#|")
    assert offered("// Whose", "// |") == {} and offered("Counts", "|") == {}
    # the text is wrong from here on: what it had before is still offered
    assert "Worker" in offered("init { run Worker(1, q) }", "init { ( run |")
    assert client.end() == 0


@check
def signatures():
    client, uri = served(MODEL)

    def shown(old, new):
        text = MODEL.replace(old, new, 1)
        line, character = place(text, "|")
        client.change(uri, text.replace("|", "", 1))
        found = client.at("signatureHelp", uri, line, character)
        if not found:
            return None
        one = found["signatures"][0]
        start, end = one["parameters"][found["activeParameter"]]["label"]
        return one["label"], one["label"][start:end]

    assert shown("run Worker(1, q)", "run Worker(|)") == ("proctype Worker(byte id; chan c)", "byte id")
    assert shown("run Worker(1, q)", "run Worker(1, |)") == ("proctype Worker(byte id; chan c)", "chan c")
    assert shown("run Worker(1, q)", "run Worker((1, 2), |)") == ("proctype Worker(byte id; chan c)", "chan c")
    assert shown("bump(k)", "bump(|)") == ("inline bump(x)", "x")
    assert shown("below(k, N)", "below(k, |)") == ("#define below(a, b) ((a) < (b))", "b")
    assert shown("q!request(id)", "q!|") == ("chan q = [2] of { mtype, byte }", "mtype")
    assert shown("q!request(id)", "q!request(|)") == ("chan q = [2] of { mtype, byte }", "byte")
    assert shown("q!request(id)", "q!request,|") == ("chan q = [2] of { mtype, byte }", "byte")
    assert shown("turn = id", "turn = |id") is None
    assert client.end() == 0


@check
def folds_and_colours():
    client, uri = served(MODEL)
    folds = {(one["startLine"], one["endLine"]) for one in client.of("foldingRange", uri)}
    assert folds == {(10, 12), (15, 23), (18, 21)}, folds
    legend = client.capabilities["semanticTokensProvider"]["legend"]

    def colours(data):
        found, line, character = [], 0, 0
        lines = MODEL.split("\n")
        for i in range(0, len(data), 5):
            down, right, length, kind, marks = data[i:i + 5]
            line, character = line + down, right if down else character + right
            word = lines[line].encode("utf-16-le")[2 * character:2 * (character + length)].decode("utf-16-le")
            found.append((word, legend["tokenTypes"][kind], [m for i, m in enumerate(legend["tokenModifiers"]) if marks >> i & 1]))
        return found

    all_of_them = colours(client.of("semanticTokens/full", uri)["data"])
    assert all_of_them[0] == ("// Whose move it is.", "comment", [])
    assert ("turn", "variable", ["declaration", "static"]) in all_of_them
    assert ("turn", "variable", ["static", "modification"]) in all_of_them
    assert ("Worker", "class", ["declaration"]) in all_of_them and ("Worker", "class", []) in all_of_them
    assert ("request", "enumMember", ["readonly"]) in all_of_them
    assert ("q", "event", ["static"]) in all_of_them and ("left", "property", ["modification"]) in all_of_them
    assert ("again", "label", []) in all_of_them and ("below", "macro", []) in all_of_them
    assert ("byte", "type", []) in all_of_them and ("do", "keyword", []) in all_of_them
    assert ("init", "keyword", []) in all_of_them
    some = client.of("semanticTokens/range", uri, range={"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}})
    assert [one[0] for one in colours(some["data"])] == ["byte", "turn", "1"]
    assert client.end() == 0


# ---- changes ----------------------------------------------------------------------------------------


def applied(text, edits):
    """A text after edits of the protocol."""
    lines = text.split("\n")

    def offset(position):
        if position["line"] >= len(lines):
            return len(text)
        before = sum(len(line) + 1 for line in lines[:position["line"]])
        units = lines[position["line"]].encode("utf-16-le")[:2 * position["character"]]
        return before + len(units.decode("utf-16-le"))

    for one in sorted(edits, key=lambda edit: offset(edit["range"]["start"]), reverse=True):
        text = text[:offset(one["range"]["start"])] + one["newText"] + text[offset(one["range"]["end"]):]
    return text


def same_model(one, other):
    """Do two texts make the same model, names of variables aside?"""
    found = []
    for name, text in (("one.pml", one), ("other.pml", other)):
        path = write(name, text)[len("file://"):]
        run = subprocess.run([GYRE, path, "--json", "--exact"], capture_output=True, check=False, timeout=PATIENCE)
        report = json.loads(run.stdout)
        found.append((report["verdict"], [(p["verdict"], p["states"], p["transitions"]) for p in report["properties"]]))
    return found[0] == found[1] and found[0][0] != "error"


@check
def renaming():
    client, uri = served(MODEL)

    def renamed(word, new, nth=1):
        changes = client.at("rename", uri, *place(MODEL, word, nth), newName=new)["changes"]
        assert set(changes) <= {uri}
        return applied(MODEL, changes.get(uri, []))

    def no(word, new, nth=1):
        return refused(-32803, client.at, "rename", uri, *place(MODEL, word, nth), newName=new)

    prepared = client.at("prepareRename", uri, *place(MODEL, "turn"))
    assert prepared["placeholder"] == "turn" and marked(MODEL, [prepared["range"]]) == [(1, "turn")]
    assert renamed("turn", "whose") == MODEL.replace("turn", "whose")
    assert renamed("turn", "turn") == MODEL
    assert renamed("N 3", "LIMIT") == MODEL.replace("N 3", "LIMIT 3").replace("(k, N)", "(k, LIMIT)").replace("< N)", "< LIMIT)")
    assert renamed("bump(k", "grow") == MODEL.replace("bump", "grow")
    assert renamed("x = x", "y") == MODEL.replace("bump(x)", "bump(y)").replace("x = x + 1", "y = y + 1")
    assert renamed("again", "once_more", 2) == MODEL.replace("again", "once_more")
    assert renamed("left", "first") == MODEL.replace("left", "first")
    assert renamed("request", "asked") == MODEL.replace("request", "asked")
    assert same_model(MODEL, renamed("id)", "number"))
    # names that are taken, here or where it matters
    assert "declared already" in no("turn", "q") or "would have errors" in no("turn", "q")
    no("k = 2", "turn")
    no("k = 2", "id")
    no("id)", "N")
    no("turn", "bump")
    assert "word of the language" in no("turn", "byte")
    assert "not a name" in no("turn", "2x") and "not a name" in no("turn", "") and "not a name" in no("turn", "a b")
    assert "labels that begin with `end`" in no("again", "end_here")
    assert "no name here" in no("= 1", "x")
    refused(-32803, client.at, "prepareRename", uri, *place(MODEL, "= 1"))
    refused(-32803, client.at, "rename", uri, *place(MODEL, "init"), newName="start")
    assert client.end() == 0


@check
def renaming_through_inlines_and_macros():
    # the `i` of the inline is that of two processes: both are renamed, or the model would be another
    text = ("inline step() { i = i + 1 }\n#define small (i < 3)\n"
            "active proctype A() { byte i; do :: small -> step() :: else -> break od }\n"
            "active proctype B() { byte i; do :: small -> step() :: else -> break od }\n"
            "active proctype C() { byte i = 2; assert(i == 2) }\n")
    client, uri = served(text)
    changed = applied(text, client.at("rename", uri, *place(text, "i;"), newName="n")["changes"][uri])
    lines = changed.split("\n")
    assert lines[0] == "inline step() { n = n + 1 }" and lines[1] == "#define small (n < 3)"
    assert "byte n;" in lines[2] and "byte n;" in lines[3] and "byte i = 2; assert(i == 2)" in lines[4]
    assert same_model(text, changed)
    assert client.end() == 0
    for wrong, word, why in (
            ("#define field(n) pre##n\nbyte prex; init { field(x) = 1; prex = 2 }\n", "prex", "made by a macro"),
            ("byte x; init { c_code { now.x = 1; }; x = 2 }\n", "x", "embedded C in line 1"),
            ("inline set() {\n#ifdef A\n  x = 1\n#else\n  skip\n#endif\n}\nactive proctype P() { byte x; set(); x = 2 }\n",
             "x;", "with -D A: undeclared variable `x`"),
            ("init { assert(_pid == 0) }\n", "_pid", "predefined")):
        client, uri = served(wrong)
        message = refused(-32803, client.at, "rename", uri, *place(wrong, word), newName="other")
        assert why in message, (wrong, message)
        assert client.end() == 0
    # what #if leaves out, and what nobody uses
    text = ("byte x;\n#define unused(a) (a + x)\n#ifdef OTHER\nproctype Q() { byte y = x; y++ }\n#endif\n"
            "active proctype P() {\n#if 0\n x = 3\n#endif\n x = 1 }\nproctype R(byte k) { k++ }\n")
    client, uri = served(text)
    changed = applied(text, client.at("rename", uri, *place(text, "x;"), newName="value")["changes"][uri])
    assert changed == re.sub(r"\bx\b", "value", text), changed
    client.change(uri, text.replace("byte y", "byte value"))     # the new name is taken there
    message = refused(-32803, client.at, "rename", uri, *place(text, "x;"), newName="value")
    assert "with -D OTHER" in message, message
    assert client.end() == 0
    # a parameter of a macro that has the same name is another thing
    text = "#define twice(x) ((x) + (x))\nbyte x;\ninit { x = twice(x) }\n"
    client, uri = served(text)
    changed = applied(text, client.at("rename", uri, *place(text, "x;"), newName="value")["changes"][uri])
    assert changed == "#define twice(x) ((x) + (x))\nbyte value;\ninit { value = twice(value) }\n"
    assert client.end() == 0


def fresh_name(text, length):
    """A name of this length that the text does not have as a word, nor as a part of one."""
    for letters in ("qzxjwvkQZXJWVK", "abcdefghijklmnopqrstuvwxyz"):
        for letter in letters:
            name = letter * length
            if name not in text and name not in ("do", "od", "if", "fi"):
                return name
    return None


def symbols_below(tree):
    for one in tree:
        yield one
        yield from symbols_below(one.get("children", []))


def information(path, text):
    """All that gyre info tells of a model: its names, edges, layout, with their places."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    run = subprocess.run([GYRE, "info", path, "--json"], capture_output=True, check=False, timeout=PATIENCE, text=True)
    assert run.returncode == 0, run.stdout
    return run.stdout


@check
def renaming_keeps_the_model():
    """Each name of an example, spelled differently but as long: the same model, letter by letter, but for that name."""
    examples = sorted(glob.glob(os.path.join(ROOT, "examples", "*.pml")))
    changed = told = 0
    for example in examples if LONG else examples[::9]:
        with open(example, encoding="utf-8") as file:
            text = file.read()
        client, uri = served(text, "renamed.pml")
        path = uri[len("file://"):]
        before = information(path, text)
        for one in symbols_below(client.of("documentSymbol", uri)):
            name, start = one["name"], one["selectionRange"]["start"]
            prefix = re.match(r"(end|accept|progress|wfair|sfair)?", name).group()     # such labels mean something
            new = fresh_name(text, len(name) - len(prefix))
            if not new or name == "init":
                continue
            new = prefix + new
            try:
                edits = client.at("rename", uri, start["line"], start["character"], newName=new)["changes"][uri]
            except Refused as refusal:
                assert refusal.code == -32803, (example, name, refusal)
                told += 1
                continue
            changed += 1
            after = information(path, applied(text, edits))
            assert re.sub(rf"\b{new}\b", name, after) == before or \
                json.loads(re.sub(new, name, after)) == json.loads(before), (example, name)
        assert client.end() == 0
    assert changed > 4 * told and changed >= 20, (changed, told)
    if LONG:
        print(f"{changed} names of {len(examples)} examples were changed, {told} refused")


@check
def renaming_over_files():
    part = write("multi_formula.h", "byte level;\n")
    text = "#include \"multi_formula.h\"\ninit { level = 1 }\n"
    client, uri = served(text, "over.pml")
    changes = client.at("rename", uri, *place(text, "level"), newName="height")["changes"]
    assert applied(text, changes[uri]) == text.replace("level", "height")
    assert applied("byte level;\n", changes[part]) == "byte height;\n" and len(changes) == 2
    assert client.end() == 0


@check
def actions():
    """What a hint says can be done at once, and leaves fewer errors."""
    for text, title in (
            ("byte count;\ninit { cuont = 1 }\n", "Change `cuont` to `count`"),
            ("init { goto don;\ndone: skip }\n", "Change `don` to `done`"),
            ("#defin X 1\ninit { skip }\n", "Change `defin` to `#define`"),
            ("byte x;\ninit { (x = 1) }\n", "Compare: `==`"),
            ("byte x;\ninit { x := 1 }\n", "Assign: `=`"),
            ("byte x, y;\ninit { do :: x = y -> skip :: else -> break od }\n", "Compare: `==`"),
            ("byte x[2], y;\ninit { x[y] = 1 -> skip }\n", "Compare: `==`"),
            ("typedef T { byte a byte b }\ninit { skip }\n", "Add the missing `;`"),
            ("#include <part.h>\ninit { skip }\n", "Search next to this file"),
            ("proctype P() { skip }\ninit { skip }\n", "Start it with the model: `active`"),
            ("proctype P() { skip }\n", "Start `P` with the model"),
            ("byte y;\nproctype P() { skip }\ninit { run P(); zebra = 1 }\n", "Declare `byte zebra`")):
        write("part.h", "byte something;\n")
        client, uri = served(text, "fix.pml")
        before = client.problems(uri)
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        found = client.of("codeAction", uri, range=whole, context={"diagnostics": before})
        action = [one for one in found if one["title"] == title]
        assert len(action) == 1 and action[0]["kind"] == "quickfix", (title, [one["title"] for one in found], before)
        assert action[0]["diagnostics"][0]["message"] in [one["message"] for one in before]
        changed = applied(text, action[0]["edit"]["changes"][uri])
        client.change(uri, changed)
        after = client.problems(uri)
        assert len(after) < len(before), (title, changed, after)
        assert client.of("codeAction", uri, range=whole, context={"diagnostics": [], "only": ["refactor"]}) == []
        assert client.end() == 0


@check
def formatting():
    text = "init{\nbyte x;\n  do\n::x<3->x++\n::else->break\nod}\n"
    client, uri = served(text)
    spaces = {"tabSize": 4, "insertSpaces": True}
    changed = applied(text, client.of("formatting", uri, options=spaces))
    path = write("laid_out.pml", text)[len("file://"):]
    wanted = subprocess.run([GYRE, "format", "--stdout", path], capture_output=True, check=True, text=True).stdout
    assert changed == wanted != text
    tabs = applied(text, client.of("formatting", uri, options={"tabSize": 8, "insertSpaces": False}))
    assert "\n\tbyte x;" in tabs
    lines = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 1}}
    some = applied(text, client.of("rangeFormatting", uri, options=spaces, range=lines)).split("\n")
    assert some[3] != text.split("\n")[3] and some[0] == "init{"
    client.change(uri, "init { ( }\n")
    refused(-32803, client.of, "formatting", uri, options=spaces)
    # a line of the protocol ends with \r alone, too; the last one need not end
    for text in ("byte x;\r byte y;\ninit {\n\tx=1\n}\n", "// one\r// two\r\ninit {\r\nskip\r\n}", "init {\nskip\n  }"):
        client.change(uri, text)
        path = uri[len("file://"):]
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        wanted = subprocess.run([GYRE, "format", "--stdout", "--indent", "4", path], capture_output=True, check=True).stdout.decode()
        starts = [0] + [at.end() for at in re.finditer("\r\n|\r|\n", text)]
        changed = text
        for edit in reversed(client.of("formatting", uri, options=spaces)):
            start, end = (starts[at["line"]] + at["character"] for at in (edit["range"]["start"], edit["range"]["end"]))
            changed = changed[:start] + edit["newText"] + changed[end:]
        assert changed == wanted != text, (changed, wanted)
    assert client.end() == 0


# ---- verifying ----------------------------------------------------------------------------------------

BROKEN = """byte inside;
active [2] proctype P() {
  inside++;
  assert(inside == 1);
  inside--;
  if
  :: inside > 100 -> skip
  :: else
  fi
}
ltl fine { [] (inside <= 2) }
ltl wrong { <> (inside == 2) }
"""


def lenses(client, uri):
    return [(one["range"]["start"]["line"], one["command"]["title"], one["command"]) for one in client.of("codeLens", uri)]


def click(client, lens):
    return client.ask("workspace/executeCommand", {"command": lens[2]["command"], "arguments": lens[2]["arguments"]})


def lens_when(client, uri, line, ready):
    """The lenses of a line, as soon as one of them says what is waited for."""
    while True:
        found = [one for one in lenses(client, uri) if one[0] == line]
        if any(ready(one[1]) for one in found):
            return found
        before = len(client.requests)
        while len(client.requests) == before:
            client.take()
        assert client.requests[-1]["method"].endswith("/refresh"), client.requests[-1]


def children(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += file.read().split()
        except (FileNotFoundError, ProcessLookupError):     # a thread that has just ended
            pass
    return set(found)


@check
def lenses_verify():
    client, uri = served(BROKEN, "broken.pml")
    found = lenses(client, uri)
    assert [one[:2] for one in found] == [(1, "▶ Verify all that the model states"), (10, "▶ Verify"), (11, "▶ Verify")], found
    assert click(client, found[1]) is None
    done = lens_when(client, uri, 10, lambda title: title[0] in "✓✗")
    assert done[0][1].startswith("✓ holds · ") and " states · " in done[0][1] and len(done) == 1, done
    assert [one[1] for one in lenses(client, uri) if one[0] == 11] == ["▶ Verify"]
    click(client, found[0])
    done = lens_when(client, uri, 1, lambda title: title[0] in "✓✗")
    assert done[0][1].startswith("✗ violated: assertion failed: inside == 1"), done
    assert "Counterexample: " in done[1][1] and done[1][2]["command"] == "gyre.server.counterexample"
    # all of the properties are known from the whole
    wrong = [one for one in lenses(client, uri) if one[0] == 11]
    assert wrong[0][1].startswith("✗ violated") and "Counterexample: " in wrong[1][1], wrong
    # the counterexample is that of gyre --json
    path = write("broken.pml", BROKEN)[len("file://"):]
    run = subprocess.run([GYRE, path, "--json", "--no-c"], capture_output=True, check=False, timeout=PATIENCE)
    wanted = [one for one in json.loads(run.stdout)["properties"] if one["name"] == "safety"][0]["counterexample"]
    shown = click(client, done[1])
    assert shown["length"] == wanted["length"] == len(shown["steps"]) and shown["kind"] == "assertion"
    assert [(one["pid"] >= 0, one["line"]) for one in shown["steps"]][-1] == (True, 4)
    asked = [one for one in client.requests if one["method"] == "window/showDocument"]
    with open(asked[-1]["params"]["uri"][len("file://"):], encoding="utf-8") as file:
        told = file.read()
    assert "assertion failed: inside == 1" in told and told.count("  P (") == shown["length"], told
    # what cannot be reached is told where the mouse rests
    line, character = place(BROKEN, "inside > 100")
    reached = client.at("hover", uri, line, character)["contents"]["value"]
    assert "Not reached" in reached or "Cannot be reached" in reached, reached
    assert "Reached in the last verification" in client.at("hover", uri, 2, 3)["contents"]["value"]
    # another text: nothing of this is true any more
    client.change(uri, ((0, 0), (0, 0), "// another\n"))
    assert [one[1] for one in lenses(client, uri)] == ["▶ Verify all that the model states", "▶ Verify", "▶ Verify"]
    refused(-32803, client.ask, "workspace/executeCommand", {"command": "gyre.server.counterexample", "arguments": [{"uri": uri}]})
    assert not os.path.exists(asked[-1]["params"]["uri"][len("file://"):])
    assert client.end() == 0


# 2^96 states, none of which can be left out: all variables are looked at.
ENDLESS = """int a, b, c;
active proctype A() { do :: a++; assert(a + b + c != -1) od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c++ od }
"""


@check
def verifications_are_stopped():
    client, uri = served(ENDLESS, "endless.pml")
    pid = client.process.pid
    click(client, lenses(client, uri)[0])
    running = lens_when(client, uri, 1, lambda title: title.startswith("verifying …"))
    assert running[0][2]["command"] == "gyre.server.stop"
    while not children(pid):                                            # a thread starts it, soon; it does not end by itself
        client.of("foldingRange", uri)
    assert client.at("hover", uri, 0, 4)["contents"]["value"]            # it answers all the same
    client.change(uri, ((0, 0), (0, 0), "\n"))                           # a keystroke ends it
    assert [one[1] for one in lenses(client, uri)] == ["▶ Verify all that the model states"]
    while children(pid):
        client.of("foldingRange", uri)
    click(client, lenses(client, uri)[0])
    running = lens_when(client, uri, 2, lambda title: title.startswith("verifying …"))
    click(client, running[0])                                           # stopped by hand: it tells what it knows
    done = lens_when(client, uri, 2, lambda title: title.startswith("?"))
    assert "inconclusive" in done[0][1] or "stopped" in done[0][1], done
    click(client, lenses(client, uri)[0])
    assert client.end() == 0                                            # ends what still runs


@check
def embedded_c_is_not_run():
    text = "c_decl { int x; }\ninit { c_code { system(\"touch %s/ran\"); } }\n" % FOLDER
    client, uri = served(text, "c.pml")
    client.problems(uri)
    click(client, lenses(client, uri)[0])
    done = lens_when(client, uri, 1, lambda title: title[0] in "✓✗?")
    assert "embedded C" in done[0][1], done
    assert not os.path.exists(os.path.join(FOLDER, "ran"))
    assert client.end() == 0


# ---- a large model ------------------------------------------------------------------------------------


def large_model(lines=10000):
    text = ["#define N 4", "mtype = { req, ack }", "typedef Msg { byte id; short val }",
            "chan q = [4] of { mtype, byte }", "byte total; bool flag; int sum",
            "inline bump(x) {", "  x = x + 1;", "  if", "  :: x > 200 -> x = 0", "  :: else", "  fi", "}"]
    number = 0
    while len(text) < lines - 22:
        text += [f"byte g{number};", f"proctype P{number}(byte id) {{", "  byte a, b; mtype m; Msg s;", "  do",
                 "  :: q!req(id); a++", f"  :: q?m(b) -> g{number} = b; bump(a)",
                 "  :: atomic { flag && a < N -> flag = false; s.val = a + b; sum = sum + s.val }",
                 "  :: (a > 2 || b == 3) -> break", "  od;", "  total = total + a;", "  bump(total);", "  if",
                 "  :: total > 100 -> total = 0", "  :: else -> skip", "  fi;", "  assert(total < 250)", "}", ""]
        number += 1
    return "\n".join(text + ["init { run P0(1); run P1(2) }", "ltl p { [] (total < 250) }", ""])


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@check
def a_large_model():
    """It answers while somebody types; how fast is told, and not judged, by --long."""
    text = large_model()
    client, uri = served(text, "large.pml")
    assert len(client.of("documentSymbol", uri)) > 500
    client.problems(uri)
    figures = {"names": [], "completion": [], "problems": []}
    keys, before = 12 if LONG else 1, processor_seconds(client.process.pid)
    for key in range(keys):
        line = 5000 + key
        began = time.monotonic()
        client.change(uri, ((line, 0), (line, 0), "tot"))
        found = client.at("definition", uri, *place(text, "req(id)"))
        figures["names"].append(time.monotonic() - began)
        assert found[0]["range"]["start"]["line"] == 1
        client.problems(uri)
        figures["problems"].append(time.monotonic() - began)
        client.change(uri, ((line, 0), (line, 3), ""))
        client.problems(uri)
        began = time.monotonic()
        client.change(uri, ((line, 0), (line, 0), " "))
        client.at("completion", uri, line, 1)
        figures["completion"].append(time.monotonic() - began)
        client.problems(uri)
    used = processor_seconds(client.process.pid) - before
    assert client.end() == 0
    if LONG:
        print(f"processor time for a keystroke and its answers: {used / keys / 3 * 1000:.0f} ms")
        for what, seconds in figures.items():
            seconds.sort()
            print(f"{len(text.splitlines())} lines, after a keystroke: {what} in {seconds[len(seconds) // 2] * 1000:.0f} ms (median), "
                  f"{seconds[-1] * 1000:.0f} ms (slowest of {len(seconds)})")


# ---- random edits ---------------------------------------------------------------------------------

PIECES = ["", " ", "\n", ";", "{", "}", "(", ")", "::", "->", "x", "byte x;", "do", "od", "if", "fi", "/*", "*/", "//",
          "#define ", "#if 0\n", "#endif\n", "\"", "'", "ü", "𝄞", "\r\n", "goto l;", "l:", "run ", "!", "?", "[", "]",
          "inline f(a) { a = 1 }\n", "c_code { x", "0", "4294967296", "ltl p { [] ", "\\", "\t", "else", "select(x:1..3);"]


def offsets_to_position(text, offset):
    line = text.count("\n", 0, offset)
    return line, len(text[text.rfind("\n", 0, offset) + 1:offset].encode("utf-16-le")) // 2


def random_edit(rng, text):
    """Where, and what instead: offsets of characters."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice([0, 0, 0, 1, 1, 3, 10, 60]))
    if rng.random() < 0.3 and len(text) > 20:
        at = rng.randrange(len(text) - 10)
        piece = text[at:at + rng.randrange(1, 40)]
    else:
        piece = rng.choice(PIECES)
    return start, end, piece


ASKED = ["hover", "definition", "references", "documentHighlight", "completion", "signatureHelp",
         "prepareRename", "rename"]
WHOLE = ["documentSymbol", "foldingRange", "semanticTokens/full", "inlayHint", "codeAction", "formatting", "codeLens"]


def edit_randomly(client, models, edits, seed):
    rng = random.Random(seed)
    compared = 0
    while compared < edits:
        path = rng.choice(models)
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        uri = uri_of(f"edited{compared}.pml")
        client.open(uri, text)
        for _ in range(10):
            waiting = []
            for _ in range(rng.choice([1, 1, 1, 2, 5])):        # typing faster than anybody reads
                start, end, piece = random_edit(rng, text)
                a, b = offsets_to_position(text, start), offsets_to_position(text, end)
                text = text[:start] + piece + text[end:]
                client.change(uri, (a, b, piece))
                line, character = offsets_to_position(text, rng.randrange(len(text) + 1))
                document = {"textDocument": {"uri": uri}}
                at = {**document, "position": {"line": line, "character": character}, "newName": "renamed"}
                waiting.append(client.send("textDocument/" + rng.choice(ASKED), at))
                waiting.append(client.send("textDocument/" + rng.choice(WHOLE), document))
                if rng.random() < 0.2:
                    client.tell("$/cancelRequest", {"id": rng.choice(waiting)})
            for number in waiting:
                try:
                    client.answer(number)
                except Refused as refusal:
                    assert refusal.code in (-32800, -32803), refusal
            if "\r" not in text.replace("\r\n", ""):
                compare(client, uri, text)
            compared += 1
        client.close(uri)


LONG = False


@check
def random_edits():
    models = sorted(glob.glob(os.path.join(ROOT, "examples", "*.pml")))
    assert len(models) >= 5
    client = Client()
    client.start()
    edit_randomly(client, models, 1000 if LONG else 30, 20261)
    assert client.end() == 0


# ------------------------------------------------------------------------------------------------------


def main():
    global LONG
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    LONG = options.long
    passed = failed = 0
    for function in CHECKS:
        if options.names and not any(name in function.__name__ for name in options.names):
            continue
        try:
            function()
            passed += 1
        except Exception:
            failed += 1
            print(f"FAILED: {function.__name__}")
            traceback.print_exc(file=sys.stdout)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
