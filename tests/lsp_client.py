"""A client of the language server: for tests. Strict: whatever the server sends must be what the protocol says."""
import json
import os
import queue
import subprocess
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GYRE = os.environ.get("GYRE", os.path.join(ROOT, "build", "gyre"))
PATIENCE = 120          # seconds until a server that says nothing counts as hung

ABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True},
                  "workspaceEdit": {"documentChanges": True}},
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True},
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
        "signatureHelp": {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": True}}},
        "rename": {"prepareSupport": True},
    },
}


class Hung(Exception):
    pass


class Refused(Exception):
    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.message = error["code"], error["message"]


def check_range(value):
    for end in ("start", "end"):
        for member in ("line", "character"):
            number = value[end][member]
            assert isinstance(number, int) and number >= 0, value
    assert (value["start"]["line"], value["start"]["character"]) <= (value["end"]["line"], value["end"]["character"]), value


def check_ranges(value):
    """Wherever there is a range, it is one."""
    if isinstance(value, dict):
        if set(value) == {"start", "end"} and isinstance(value["start"], dict):
            check_range(value)
        for one in value.values():
            check_ranges(one)
    elif isinstance(value, list):
        for one in value:
            check_ranges(one)


class Client:
    def __init__(self, *arguments, env=None, gyre=GYRE):
        self.process = subprocess.Popen([gyre, "lsp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=env)
        self.errors = []
        self.messages = queue.Queue()
        self.next_id = 0
        self.answers = {}       # id: message
        self.cancelled = set()
        self.notifications = []  # in order
        self.requests = []      # of the server
        self.diagnostics = {}   # uri: params
        self.versions = {}
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=lambda: self.errors.append(self.process.stderr.read()), daemon=True).start()

    # ---- below ---------------------------------------------------------------------------

    def read(self):
        stream = self.process.stdout
        try:
            while True:
                line = stream.readline()
                if not line:
                    break
                assert line.lower().startswith(b"content-length: ") and line.endswith(b"\r\n"), line
                length = int(line.split(b":")[1])
                assert stream.readline() == b"\r\n"
                content = stream.read(length)
                assert len(content) == length
                self.messages.put(json.loads(content.decode("utf-8")))
        except Exception as problem:    # told to whoever waits
            self.messages.put(problem)
        self.messages.put(None)

    def write(self, message):
        content = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(content) + content)

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def take(self, patience=PATIENCE):
        """One message of the server, looked at. False: it has ended."""
        try:
            message = self.messages.get(timeout=patience)
        except queue.Empty:
            raise Hung("the server says nothing") from None
        if message is None:
            self.messages.put(None)
            return False
        if isinstance(message, Exception):
            raise message
        assert message.get("jsonrpc") == "2.0", message
        check_ranges(message)
        if "method" in message and "id" in message:
            self.requests.append(message)
            self.write({"jsonrpc": "2.0", "id": message["id"], "result": None})
        elif "method" in message:
            self.notifications.append(message)
            if message["method"] == "textDocument/publishDiagnostics":
                params = message["params"]
                for one in params["diagnostics"]:
                    assert one["severity"] in (1, 2, 3, 4) and one["message"] and one["source"] == "gyre", one
                self.diagnostics[params["uri"]] = params
        else:
            assert ("result" in message) != ("error" in message), message
            assert message["id"] not in self.answers, message
            self.answers[message["id"]] = message
        return True

    # ---- messages ------------------------------------------------------------------------

    def send(self, method, params=None):
        """A request: its id."""
        self.next_id += 1
        message = {"jsonrpc": "2.0", "id": self.next_id, "method": method}
        if params is not None:
            message["params"] = params
        self.write(message)
        return self.next_id

    def answer(self, number):
        while number not in self.answers:
            if not self.take():
                raise AssertionError("the server has ended: " + b"".join(self.errors).decode())
        message = self.answers.pop(number)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def ask(self, method, params=None):
        return self.answer(self.send(method, params))

    def tell(self, method, params=None):
        self.write({"jsonrpc": "2.0", "method": method, "params": params if params is not None else {}})

    # ---- what editors do -----------------------------------------------------------------

    def start(self, abilities=None, **options):
        result = self.ask("initialize", {"processId": os.getpid(), "rootUri": None,
                                         "capabilities": abilities if abilities is not None else ABILITIES,
                                         "initializationOptions": options})
        self.tell("initialized", {})
        self.capabilities = result["capabilities"]
        return result

    def open(self, uri, text, language="promela"):
        self.versions[uri] = 1
        self.diagnostics.pop(uri, None)
        self.tell("textDocument/didOpen",
                  {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})

    def change(self, uri, *changes):
        """Each a text, or (start, end, text) with ends (line, character)."""
        self.versions[uri] += 1
        content = []
        for one in changes:
            if isinstance(one, str):
                content.append({"text": one})
            else:
                (a, b), (c, d), text = one
                content.append({"range": {"start": {"line": a, "character": b}, "end": {"line": c, "character": d}},
                                "text": text})
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]},
                                             "contentChanges": content})

    def close(self, uri):
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def problems(self, uri):
        """Those of the newest version, once they are told."""
        while uri not in self.diagnostics or self.diagnostics[uri].get("version") != self.versions[uri]:
            if not self.take():
                raise AssertionError("the server has ended: " + b"".join(self.errors).decode())
        return self.diagnostics[uri]["diagnostics"]

    def at(self, method, uri, line, character, **more):
        return self.ask("textDocument/" + method, {"textDocument": {"uri": uri},
                                                   "position": {"line": line, "character": character}, **more})

    def of(self, method, uri, **more):
        return self.ask("textDocument/" + method, {"textDocument": {"uri": uri}, **more})

    def end(self):
        """shutdown and exit: the status."""
        assert self.ask("shutdown") is None
        self.tell("exit")
        self.process.stdin.close()
        return self.process.wait(timeout=PATIENCE)
