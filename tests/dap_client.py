"""A strict client of the Debug Adapter Protocol, for tests.

Every message is checked as it comes: framing, sequence numbers, one response to each request, events
with the fields that the protocol wants. Nothing depends on how fast the adapter is: the client waits
for what must come, and TIMEOUT is only there to end a test that hangs.
"""
import json
import os
import select
import subprocess

TIMEOUT = 120  # seconds; far more than anything takes

NEEDED = {  # fields of event bodies, with their types
    "stopped": {"reason": str, "threadId": int, "allThreadsStopped": bool},
    "output": {"output": str, "category": str},
    "exited": {"exitCode": int},
    "breakpoint": {"reason": str, "breakpoint": dict},
    "progressStart": {"progressId": str, "title": str},
    "progressUpdate": {"progressId": str},
    "progressEnd": {"progressId": str},
    "gyre/position": {"step": int, "total": int, "round": int},
    "initialized": {}, "terminated": {},
}


class Broken(Exception):
    """The adapter does not keep to the protocol."""


class Refused(Exception):
    """A request was answered with an error."""


class Client:
    def __init__(self, gyre, *options, cwd=None):
        self.process = subprocess.Popen([gyre, "dap", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=cwd)
        self.bytes = b""
        self.seq = 0
        self.heard = 0  # the adapter's last seq
        self.responses = {}
        self.events = []
        self.asked = {}  # seq -> command, of requests without a response

    # ---- messages

    def send_bytes(self, raw):
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def send(self, message):
        text = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(text) + text)

    def fill(self, timeout=TIMEOUT):
        out = self.process.stdout.fileno()
        if not select.select([out], [], [], timeout)[0]:
            raise Broken("nothing comes any more")
        got = os.read(out, 1 << 16)
        if not got:
            raise EOFError
        self.bytes += got

    def message(self):
        while b"\r\n\r\n" not in self.bytes:
            self.fill()
        head, rest = self.bytes.split(b"\r\n\r\n", 1)
        if not head.startswith(b"Content-Length: "):
            raise Broken(f"header {head!r}")
        length = int(head[len("Content-Length: "):])
        while len(rest) < length:
            self.fill()
            rest = self.bytes.split(b"\r\n\r\n", 1)[1]
        self.bytes = rest[length:]
        return json.loads(rest[:length].decode())

    def hear(self):
        message = self.message()
        self.heard += 1
        if message["seq"] != self.heard:
            raise Broken(f"seq {message['seq']} instead of {self.heard}")
        if message["type"] == "response":
            command = self.asked.pop(message["request_seq"], None)
            if command is None or command != message["command"]:
                raise Broken(f"a response to nothing: {message}")
            if not isinstance(message["success"], bool) or (not message["success"] and not message["message"]):
                raise Broken(f"a response without sense: {message}")
            self.responses[message["request_seq"]] = message
        elif message["type"] == "event":
            if message["event"] not in NEEDED:
                raise Broken(f"unknown event {message}")
            for name, kind in NEEDED[message["event"]].items():
                if not isinstance(message.get("body", {}).get(name), kind):
                    raise Broken(f"{message}: no {name}")
            self.events.append(message)
        else:
            raise Broken(f"neither response nor event: {message}")

    # ---- requests

    def ask(self, command, **arguments):
        """Sends a request without waiting; its number."""
        self.seq += 1
        self.asked[self.seq] = command
        self.send({"seq": self.seq, "type": "request", "command": command, "arguments": arguments})
        return self.seq

    def answer(self, number):
        while number not in self.responses:
            self.hear()
        response = self.responses.pop(number)
        if not response["success"]:
            raise Refused(response["message"])
        return response.get("body", {})

    def call(self, command, **arguments):
        return self.answer(self.ask(command, **arguments))

    def refused(self, command, **arguments):
        """The message of the error that this must give."""
        try:
            body = self.call(command, **arguments)
        except Refused as problem:
            return str(problem)
        raise Broken(f"{command} {arguments} was not refused: {body}")

    def event(self, name):
        """The next event of this name; those before it are taken off."""
        while True:
            while self.events:
                event = self.events.pop(0)
                if event["event"] == name:
                    return event.get("body", {})
            self.hear()

    def output(self):
        """What was said so far."""
        text = "".join(e["body"]["output"] for e in self.events if e["event"] == "output")
        self.events = [e for e in self.events if e["event"] != "output"]
        return text

    # ---- what clients do

    def start(self, configure=None, **launch):
        """From initialize to the first stop."""
        capabilities = self.call("initialize", adapterID="gyre", linesStartAt1=True, columnsStartAt1=True,
                                 pathFormat="path", supportsProgressReporting=True)
        number = self.ask("launch", **launch)
        self.answer(number)
        self.event("initialized")
        if configure:
            configure(self)
        self.call("configurationDone")
        return capabilities

    def stop(self):
        """Waits for the next stop; what it says, with the position that was told just before."""
        while True:
            place = self.event("gyre/position")
            while not self.events:
                self.hear()
            if self.events[0]["event"] != "stopped":
                raise Broken("no stop beside the position")
            return {**self.events.pop(0)["body"], "position": place}

    def move(self, command, **arguments):
        self.call(command, **arguments)
        return self.stop()

    def threads(self):
        return {t["id"]: t["name"] for t in self.call("threads")["threads"]}

    def frames(self, thread):
        body = self.call("stackTrace", threadId=thread)
        if body["totalFrames"] != len(body["stackFrames"]):
            raise Broken(f"frames {body}")
        return body["stackFrames"]

    def tree(self, reference):
        """All that is below a reference, as {name: (value, type, {…})}."""
        if not reference:
            return {}
        return {v["name"]: (v["value"], v.get("type"), self.tree(v["variablesReference"]))
                for v in self.call("variables", variablesReference=reference)["variables"]}

    def scopes(self, frame):
        return {s["name"]: self.tree(s["variablesReference"]) for s in self.call("scopes", frameId=frame)["scopes"]}

    def evaluate(self, expression, **more):
        return self.call("evaluate", expression=expression, **more)["result"]

    def end(self):
        """Disconnects: the adapter must end, with nothing to complain about."""
        self.call("disconnect")
        status, errors = self.wait()
        if status != 0 or errors:
            raise Broken(f"ends with status {status}: {errors}")
        return status, errors

    def wait(self):
        self.process.stdin.close()
        status = self.process.wait(TIMEOUT)
        errors = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, errors
