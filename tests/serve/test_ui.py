#!/usr/bin/env python3
# check: ui: the page of gyre ui: Chromium as a person, strangers, limits; seconds 15
"""`gyre ui`: Chromium uses the page as a person would; strangers ask for what they must not get.

    test_ui.py [--shots DIR]    with pictures of what there is to see

Ends with `N passed, N failed`.
"""
import argparse
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import at_work  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from browser import Browser  # noqa: E402

SECRET = "the-secret-of-another-folder"
MUTEX = """\
bool held;
byte inside;
active [2] proctype P() {
    !held -> held = true;
    inside++;
    assert(inside == 1);
    inside--;
    held = false
}
"""
ENDLESS = """\
int a, b;
active proctype P() { do :: a++ :: b++ :: assert(a != -1 || b != -1) od }
"""
EMBEDDED = """\
c_code { #include <stdio.h> };
active proctype P() { c_code { FILE *f = fopen("%s", "w"); if (f) fclose(f); } }
"""
SCRATCH = None  # where servers put what is soon removed
passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {name}\n    {str(detail)[:1500]}")


class Server:
    """with Server(path, options…) as s: s.get("folder")"""

    def __init__(self, path, *options):
        self.process = subprocess.Popen([GYRE, "ui", path, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=dict(os.environ, TMPDIR=SCRATCH or tempfile.gettempdir()))
        self.address = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.address)
        self.port, self.token = parts.port, urllib.parse.parse_qs(parts.query)["token"][0]

    def ask(self, method, path, body=None, **headers):
        """(status, text) of one request; a header None is left out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        sent = {"X-Gyre-Token": self.token, "Host": f"127.0.0.1:{self.port}"}
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        if data is not None:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        connection.close()
        return answer.status, text

    def get(self, path, **query):
        return self.ask("GET", f"/api/{path}?" + urllib.parse.urlencode(query))

    def post(self, path, body=None, **query):
        return self.ask("POST", f"/api/{path}?" + urllib.parse.urlencode(query), {} if body is None else body)

    def verify(self, name, *options):
        """The view of a job that has ended."""
        status, text = self.post("verify", {"name": name, "options": list(options)})
        if status != 200:
            return {"refused": status, "error": text}
        return self.ended(json.loads(text)["id"])

    def ended(self, job):
        for _ in range(10000):
            view = json.loads(self.get("job", id=job)[1])
            if view["ended"]:
                return view
            time.sleep(0.02)
        raise TimeoutError(view)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=300)
        self.process.stdout.close()
        self.process.stderr.close()


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


# ---- who may ask ----------------------------------------------------------------------------------


def test_who(server):
    page = "/?token=" + server.token
    part = f"/page/{server.token}/app.js"
    for path in ("/", page, part, "/api/folder"):
        good = path != "/"
        status, _ = server.ask("GET", path)
        check(f"{path} with the token", (status == 200) == good or path == "/", status)
    wrong = server.token[:-1] + ("0" if server.token[-1] != "0" else "1")
    for name, path, headers in (
            ("no token", "/", {}), ("no token", "/api/folder", {}), ("no token", "/page//app.js", {}), ("no token", "/page/app.js", {}),
            ("a wrong token", "/?token=" + wrong, {}), ("a wrong token", f"/page/{wrong}/app.js", {}),
            ("a wrong token", "/api/folder", {"X_Gyre_Token": wrong}), ("an empty token", "/?token=", {}),
            ("the token where it does not count", "/api/folder?token=" + server.token, {})):
        status, text = server.ask("GET", path, **{"X_Gyre_Token": None, **headers})
        check(f"{name}: {path}", status == 403 and server.token not in text, (status, text))
    for name, headers in (
            ("a foreign Host", {"Host": "evil.example"}), ("a name bound to 127.0.0.1", {"Host": f"evil.example:{server.port}"}),
            ("another port", {"Host": "127.0.0.1:1"}), ("no Host", {"Host": None}), ("a foreign Origin", {"Origin": "http://evil.example"}),
            ("another server of this machine", {"Origin": "http://127.0.0.1:1"}), ("no origin", {"Origin": "null"}),
            ("https", {"Origin": f"https://127.0.0.1:{server.port}"}), ("another site", {"Sec-Fetch-Site": "cross-site"})):
        for path in (page, part, "/api/folder"):
            status, _ = server.ask("GET", path, **headers)
            check(f"{name}: {path}", status in (400, 403), status)
    status, _ = server.ask("GET", "/api/folder", Origin=f"http://127.0.0.1:{server.port}", **{"Sec-Fetch-Site": "same-origin"})
    check("its own page", status == 200, status)
    with open("/proc/net/tcp", encoding="ascii") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A" and line.split()[1].endswith(f":{server.port:04X}")]
    check("it listens on the loopback alone", listening == [f"0100007F:{server.port:04X}"], listening)


def test_paths(server, folder, outside):
    """Nothing outside is read or written, whatever the name."""
    names = ["../secret.pml", "sub/../../secret.pml", "..\\secret.pml", os.path.join(outside, "secret.pml"), "//etc/passwd", "/etc/passwd",
             "./model.pml", "sub//x.pml", "sub/", "", ".", "..", ".hidden.pml", ".gyre/history", "link.pml", "linked/secret.pml", "sub/up/secret.pml",
             "model.pml\0", "model.pml/../../secret.pml", "a" * 3000 + ".pml", "x.so", "Makefile", "pipe.pml", "sub"]
    raw = ["..%2fsecret.pml", "%2e%2e/secret.pml", "%2e%2e%2fsecret.pml", "..%252fsecret.pml", "%c0%ae%c0%ae/secret.pml", "sub/%2e%2e/%2e%2e/secret.pml"]
    for query in [urllib.parse.quote(name, safe="") for name in names] + raw:
        status, text = server.ask("GET", "/api/file?name=" + query)
        check(f"reading {query[:60]}", status in (400, 403, 404) and SECRET not in text, (status, text[:200]))
    before = snapshot(outside)
    for name in names + [urllib.parse.unquote(name) for name in raw]:
        for base in ("", "0" * 16):
            status, text = server.ask("PUT", "/api/file", {"name": name, "text": "byte x;", "base": base})
            check(f"writing {name[:60]!r}", status in (400, 403, 404, 409, 500), (status, text[:200]))
        for path in ("check", "verify", "sim"):
            status, text = server.post(path, {"name": name, "text": f'#include "{name[:200]}"', "options": []})
            good = status in (400, 403, 404) or path == "check"
            check(f"{path} {name[:60]!r}", good and SECRET not in text, (status, text[:300]))
        server.get("history", name=name), server.get("record", name=name, record="../../x")
    for path in (f"/page/{server.token}/../../../etc/passwd", f"/page/{server.token}/%2e%2e/%2e%2e/etc/passwd", f"/page/{server.token}/", "/api/", "/api/../x"):
        status, text = server.ask("GET", path)
        check(path, status in (403, 404) and "root:" not in text, status)
    for job in json.loads(server.get("jobs")[1])["jobs"]:
        view = server.ended(job["id"])
        check(f"verifying {job['name']} tells nothing", SECRET not in json.dumps(view), view)
    check("nothing outside has changed", snapshot(outside) == before, snapshot(outside))
    check("the model is as it was", open(os.path.join(folder, "model.pml"), encoding="utf-8").read() == MUTEX)


def snapshot(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, encoding="utf-8") as text:
                found[path] = text.read()
    return found


def test_includes(server, outside):
    """A model cannot bring in what is elsewhere."""
    for name in (os.path.join(outside, "secret.h"), f"../{os.path.basename(outside)}/secret.h", "link.h", "linked/secret.h"):
        model = f'#include "{name}"\nactive proctype P() {{ skip }}\n'
        status, text = server.post("check", {"name": "t.pml", "text": model})
        report = json.loads(text)
        check(f"check: #include {name[:20]}", status == 200 and report["verdict"] == "error" and SECRET not in text, text)
        server.ask("PUT", "/api/file", {"name": "t.pml", "text": model, "base": ""})
        view = server.verify("t.pml")
        check(f"verify: #include {name[:20]}", view["result"]["verdict"] == "error" and SECRET not in json.dumps(view), view)
        status, text = server.post("sim", {"name": "t.pml"})
        check(f"sim: #include {name[:20]}", status == 200 and "reply" not in json.loads(text)["answer"] and SECRET not in text, text)
        os.unlink(os.path.join(server.folder, "t.pml"))
    # What other processes have open and has no place in any folder.
    memory = os.memfd_create("other")
    os.write(memory, f"byte {SECRET.replace('-', '_')}; ??\n".encode())
    reading, writing = os.pipe()
    os.write(writing, b"??\n")
    os.close(writing)
    for name, file in (("a file in memory", memory), ("a pipe", reading)):
        status, text = server.post("check", {"name": "t.pml", "text": f'#include "/proc/{os.getpid()}/fd/{file}"\nactive proctype P() {{ skip }}\n'})
        check(f"{name} of another process", status == 200 and "cannot read" in text and SECRET.replace("-", "_") not in text, text)
        os.close(file)
    status, text = server.post("check", {"name": "t.pml", "text": '#include "sub/own.h"\nactive proctype P() { own = 1 }'})
    check("what is in the folder can be included", json.loads(text)["report"] == "info", text)


def test_options(server, folder):
    table = json.loads(subprocess.run([GYRE, "--print-options"], capture_output=True, text=True, check=True).stdout)["options"]
    others = {option["name"][2:] for option in table if option["name"].startswith("--")} - \
        {option["name"][2:] for option in table if "page" in option["set_by"]}
    check("there are such", {"trail", "html", "json", "checkpoint", "resume", "ef-file", "disk", "sarif", "events"} <= others, others)
    for option in sorted(others) + ["stdin-name", "../x", "--exact", "D", "I", ""]:
        view = server.verify("model.pml", [option, os.path.join(folder, "written")])
        check(f"--{option} cannot be given", view.get("refused") == 403, view)
    for option in ("ltl", "seed", "D", "time", "memory"):  # what follows would be its value
        check(f"--{option} needs a value", server.verify("model.pml", [option, True]).get("refused") in (400, 403))
    check("nothing was written", not os.path.exists(os.path.join(folder, "written")))
    view = server.verify("model.pml", ["exact", True], ["define", "N=3"], ["memory", "100M"], ["time", "20"])
    check("other options can", view["result"]["verdict"] == "violated" and view["result"]["stats"]["reductions"] == [], view)
    view = server.verify("model.pml", ["search", "sideways"])
    check("an option that is wrong is told", view["result"]["verdict"] == "error", view)


def test_c(folder):
    """C inside a model runs only if the command line says so."""
    for allowed in (False, True):
        witness = os.path.join(folder, f"witness-{allowed}")
        write(folder, "embedded.pml", EMBEDDED % witness)
        with Server(folder, *(["--allow-c"] if allowed else [])) as server:
            view = server.verify("embedded.pml", ["backend", "vm"])
            status, text = server.post("sim", {"name": "embedded.pml"})
            if allowed:
                check("C runs if it is allowed", view["result"]["verdict"] == "holds" and os.path.exists(witness), view)
            else:
                check("C does not run", view["result"]["verdict"] == "error" and not os.path.exists(witness), view)
                check("nor in a simulation", "reply" not in json.loads(text)["answer"] and not os.path.exists(witness), (status, text))


# ---- how much -------------------------------------------------------------------------------------


def test_bodies(server):
    status, _ = server.ask("POST", "/api/check", None, Content_Length=str(100 << 20))
    check("a body of 100 MB that is announced", status == 413, status)
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=300)
    connection.sendall(f"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Gyre-Token: {server.token}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
    chunk, sent = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n", 0
    try:
        while sent < 100:
            connection.sendall(chunk)
            sent += 1
    except OSError:
        pass
    check("a body of 100 MB that is not", sent < 100, sent)
    connection.close()
    for body in (b"", b"{", b"[]", b"null", b'{"name": 3}', b'{"name": "model.pml", "text": 7}', b"[" * 100000, b"\xff\xfe\x00", b'{"name":"model.pml","options":[["exact"]]}'):
        for path in ("/api/check", "/api/format", "/api/verify", "/api/sim", "/api/ask?id=1", "/api/stop?id=x"):
            status, text = server.ask("POST", path, body)
            check(f"POST {path} {body[:30]!r}", 400 <= status < 500 or (path in ("/api/verify", "/api/sim") and b"model.pml" in body), (status, text[:200]))
        status, text = server.ask("PUT", "/api/file", body)
        check(f"PUT {body[:30]!r}", 400 <= status < 500, (status, text[:200]))
    status, text = server.ask("PUT", "/api/file", {"name": "large.pml", "text": "x" * (5 << 20), "base": ""})
    check("a model of 5 MB", status == 413, (status, text[:100]))
    for method, path in (("DELETE", "/api/file"), ("GET", "/api/verify"), ("POST", "/api/folder"), ("POST", "/?token=" + server.token), ("OPTIONS", "/api/file")):
        status, _ = server.ask(method, path)
        check(f"{method} {path[:12]}", status in (403, 404, 405), status)


def test_gone(server, folder):
    """Whoever asks and goes leaves nothing behind: only some checks and simulations may run at a time."""
    slow = "byte x; active proctype P() {\n" + "x = x + 1;\n" * 3000 + "skip }\n"
    write(folder, "slow.pml", slow)
    for path in ("check", "sim"):
        body = json.dumps({"name": "slow.pml", "text": slow}).encode()
        for _ in range(10):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=300)
            connection.sendall(f"POST /api/{path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Gyre-Token: {server.token}\r\n"
                               f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            time.sleep(0.02)  # it is read, and the answer takes longer
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.close()
        for _ in range(6000):  # those that run may still be at it
            status, text = server.post(path, {"name": "model.pml", "text": MUTEX})
            if status == 200:
                break
            time.sleep(0.02)
        check(f"after some that went: {path}", status == 200, (status, text))


class Crowd:
    """200 connections that send too little, or nothing."""

    def __init__(self, server):
        self.server = server
        self.sockets = [socket.create_connection(("127.0.0.1", server.port), timeout=300) for _ in range(200)]
        for i, s in enumerate(self.sockets):
            if i % 4 == 1:
                s.sendall(b"GET / HTTP/1.1\r\n")
            elif i % 4 == 2:
                s.sendall(f"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Gyre-Token: {server.token}\r\nContent-Length: 1000\r\n\r\n{{".encode())
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.drip, daemon=True)
        self.thread.start()

    def drip(self):
        """Some send a byte now and then: never idle, never finished."""
        while not self.done.wait(1):
            for i, s in enumerate(self.sockets):
                if i % 4 in (1, 2):
                    try:
                        s.sendall(b"X")
                    except OSError:
                        pass

    def check_served(self):
        for _ in range(20):
            status, _ = self.server.get("folder")
            check("served beside 200 slow connections", status == 200, status)

    def check_closed(self):
        closed = 0
        for s in self.sockets:
            try:
                while s.recv(4096):
                    pass
                closed += 1
            except ConnectionError:
                closed += 1
            except TimeoutError:
                pass
            s.close()
        self.done.set()
        self.thread.join()
        check("slow connections are ended", closed == 200, closed)


def test_endless(server):
    """A model that never ends: looked at, stopped; not more of them than are allowed."""
    ids = [json.loads(server.post("verify", {"name": "endless.pml", "options": [["no-por", True]]})[1])["id"] for _ in range(2)]
    status, text = server.post("verify", {"name": "endless.pml", "options": []})
    check("a third verification has to wait", status == 429, (status, text))
    for _ in range(3000):
        view = json.loads(server.get("job", id=ids[0])[1])
        if view["now"]["states"]:
            break
        time.sleep(0.02)
    check("its figures are told", view["now"]["states"] > 0 and not view["ended"], view)
    for job in ids:
        server.post("stop", id=job)
    for job in ids:
        view = server.ended(job)
        check("it is stopped", view["stopped"] and view["result"]["verdict"] == "inconclusive", str(view)[:300])
    view = server.verify("endless.pml", ["time", "0.3"])
    check("its time is limited", view["result"]["stats"]["limit"] == "time", str(view)[:300])
    view = server.verify("endless.pml", ["memory", "20M"])
    check("its memory is limited", view["result"]["stats"]["limit"] == "memory", str(view)[:300])


def is_gyre(pid):
    """Does this process run gyre?"""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            return os.path.basename(file.read().split("\0")[0]) == "gyre"
    except OSError:
        return False  # it has ended


def test_stop(folder):
    """Ctrl-C ends what runs, too."""
    server = Server(folder)
    server.post("verify", {"name": "endless.pml", "options": [["no-por", True]]})
    server.post("sim", {"name": "model.pml"})
    # The verification begins when its thread does.
    children = at_work.until(lambda: len(found := [c for c in at_work.children(server.process.pid) if is_gyre(c)]) == 2 and found)
    check("children run", children, children)
    children += at_work.children(server.process.pid)  # and those that see to it that they end
    server.process.send_signal(signal.SIGINT)
    check("Ctrl-C ends it well", server.process.wait(timeout=300) == 0)
    check("and its children", at_work.until(lambda: not any(map(at_work.is_running, children))), children)
    server.process.stdout.close()
    server.process.stderr.close()


# ---- what it answers ------------------------------------------------------------------------------


def test_answers(server, folder):
    """What the page gets is what the commands print."""
    for text in (MUTEX, "byte x", "active proctype P() { y = 1; z! }", "int é; active proctype P() { /* ö */ é = q }", "", "\n\n", "proctype P() { skip }",
                 "active proctype P() { byte x; x = 300 }", "ltl p { [] nothing }"):
        path = write(folder, "same.pml", text)
        told = subprocess.run([GYRE, "info", "same.pml", "--json"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        status, answer = server.post("check", {"name": "same.pml", "text": text})
        check(f"check is gyre info: {text[:30]!r}", status == 200 and json.loads(answer) == json.loads(told), answer[:600])
        os.unlink(path)
    status, answer = server.post("format", {"name": "same.pml", "text": "active proctype P(){byte x;\nx=1}"})
    told = subprocess.run([GYRE, "format", "-", "--stdout"], input=b"active proctype P(){byte x;\nx=1}", stdout=subprocess.PIPE).stdout.decode()
    check("format is gyre format", status == 200 and json.loads(answer)["text"] == told and told, answer)
    check("what cannot be read is not laid out", server.post("format", {"name": "same.pml", "text": "proctype ( {"})[0] == 422)
    named = "active [N] proctype P() { assert(N == 3) }"
    for defines, report in (([], "error"), (["N=3"], "info")):
        status, answer = server.post("check", {"name": "same.pml", "text": named, "defines": defines})
        check(f"check with -D {defines}", status == 200 and json.loads(answer)["report"] == report, answer)
    write(folder, "named.pml", named)
    status, answer = server.post("sim", {"name": "named.pml", "defines": ["N=3"]})
    check("sim with -D", len(json.loads(answer)["answer"]["choices"]) == 3, answer)
    check("-D needs a text", server.post("check", {"name": "same.pml", "text": named, "defines": [3]})[0] == 400)
    status, first = server.get("file", name="model.pml")
    version = json.loads(first)["version"]
    answers = [server.ask("PUT", "/api/file", {"name": "model.pml", "text": MUTEX + tail, "base": version})[0] for tail in ("/* a */\n", "/* b */\n")]
    check("of two that save at once, one is told", answers == [200, 409], answers)
    check("and the other's text stays", open(os.path.join(folder, "model.pml"), encoding="utf-8").read() == MUTEX + "/* a */\n")
    write(folder, "model.pml", MUTEX)
    kept = write(folder, "kept.pml", MUTEX)
    version = json.loads(server.get("file", name="kept.pml")[1])["version"]
    os.chmod(kept, 0o666)
    server.ask("PUT", "/api/file", {"name": "kept.pml", "text": "byte x;", "base": version})
    check("who may read and write a file stays as it was", os.stat(kept).st_mode & 0o777 == 0o666, oct(os.stat(kept).st_mode))
    latin = os.path.join(os.fsencode(folder), b"f\xe9.pml")
    with open(latin, "w", encoding="utf-8") as out:
        out.write(MUTEX)
    status, text = server.ask("GET", "/api/file?name=f%E9.pml")
    check("a name that is not UTF-8", status == 200 and text.strip() and json.loads(text)["text"] == MUTEX, (status, text))
    os.unlink(latin)
    view = server.verify("model.pml")
    records = json.loads(server.get("history", name="model.pml")[1])["records"]
    check("a verification is in the history", records[0]["record"] == view["record"] and records[0]["verdict"] == "violated", records)
    status, page = server.get("record", name="model.pml", record=view["record"])
    check("with its report", status == 200 and "<!DOCTYPE html>" in page, status)
    server.post("forget", name="model.pml", record=view["record"])
    check("and can be forgotten", server.get("record", name="model.pml", record=view["record"])[0] == 404)
    status, text = server.post("sim", {"name": "model.pml"})
    sim = json.loads(text)
    check("a simulation begins", sim["answer"]["step"] == 0 and len(sim["answer"]["choices"]) == 2, text)
    status, text = server.post("ask", {"do": "choose", "choice": 1}, id=sim["id"])
    check("and takes a step", json.loads(text)["answer"]["step"] == 1, text)
    check("but saves no files", server.post("ask", {"do": "save", "file": "x.trail"}, id=sim["id"])[0] == 400)
    check("and is left", server.post("leave", id=sim["id"])[0] == 200 and server.post("ask", {"do": "state"}, id=sim["id"])[0] == 410)
    many = [json.loads(server.post("sim", {"name": "model.pml"})[1])["id"] for _ in range(9)]
    check("the ninth simulation ends the first", server.post("ask", {"do": "state"}, id=many[0])[0] == 410 and server.post("ask", {"do": "state"}, id=many[8])[0] == 200)


def test_history_full(server, folder):
    """The oldest records go when there are too many; what somebody else has put there stays."""
    place = os.path.join(folder, ".gyre/history/kept.pml")
    old = [f"20000101-000000-{i:06}" for i in range(50)]
    for name in [*old, "0-notes", "notes"]:
        write(place, name + ".json", "{}")
        write(place, name + ".html", "")
    write(place, old[0] + ".txt", "")
    record = server.verify("kept.pml")["record"]
    files = set(os.listdir(place))
    check("the oldest record is forgotten", old[0] + ".json" not in files and old[0] + ".html" not in files and old[1] + ".json" in files
          and record + ".json" in files, sorted(files)[:5])
    check("other files are not", {"0-notes.json", "0-notes.html", "notes.json", "notes.html", old[0] + ".txt"} <= files, sorted(files)[:5])
    shown = json.loads(server.get("history", name="kept.pml")[1])["records"]
    check("nor shown", len(shown) == 50 and all(r["record"] in [*old, record] for r in shown), [r["record"] for r in shown][-3:])
    shutil.rmtree(place)
    os.unlink(os.path.join(folder, "kept.pml"))


def test_killed(folder):
    """Whatever ends the server ends what it has started."""
    write(folder, "stuck.pml", "int x; active proctype P() { d_step { x = 1; do :: x > 0 -> x = x + 2 - 2 :: x < 0 -> break od } }\n")
    server = Server(folder)
    sim = json.loads(server.post("sim", {"name": "stuck.pml"})[1])["id"]
    body = b'{"do": "choose", "choice": 1}'
    asking = socket.create_connection(("127.0.0.1", server.port), timeout=300)
    asking.sendall(f"POST /api/ask?id={sim} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Gyre-Token: {server.token}\r\n"
                   f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
    child = [c for c in at_work.children(server.process.pid) if is_gyre(c)]
    server.process.kill()
    server.process.wait(timeout=300)
    check("a simulation ends when the server is killed", len(child) == 1 and at_work.until(lambda: not at_work.is_running(child[0])), child)
    asking.close()
    server.process.stdout.close()
    server.process.stderr.close()


def test_history_link(outside):
    """A `.gyre` that leads elsewhere is not followed."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "m.pml", MUTEX)
        os.symlink(outside, os.path.join(folder, ".gyre"))
        before = snapshot(outside)
        with Server(folder) as server:
            view = server.verify("m.pml")
        check("it verifies without a history", view["result"]["verdict"] == "violated" and view["record"] is None, view)
        check("nothing was written there", snapshot(outside) == before, snapshot(outside))


def test_without(folder):
    """Without libmicrohttpd the command says what to install."""
    program = os.path.join(folder, "without.c")
    with open(program, "w", encoding="utf-8") as out:
        out.write('#include "serve/ui/http.c"\n#include <stdio.h>\n'
                  "int main(void) { gy_text why = {0}; void *none = gy_http_start(NULL, 0, &why); puts(gy_text_str(&why)); return none != NULL; }\n")
    built = subprocess.run(["cc", "-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-Isrc", "-Iinclude", "-o", program[:-2], program,
                            "build/libgyre.a", "-ljansson", "-lxxhash", "-lpthread", "-ldl", "-lm"], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    check("it is built without libmicrohttpd", built.returncode == 0, built.stderr)
    if built.returncode == 0:
        done = subprocess.run([program[:-2]], stdout=subprocess.PIPE, text=True)
        check("and says what to install", done.returncode == 0 and "libmicrohttpd-dev" in done.stdout, done.stdout)


# ---- a person ---------------------------------------------------------------------------------------

CTRL, NONE, ENTER, END, RIGHT, LEFT, ESCAPE, HOME = "\ue009", "\ue000", "\ue007", "\ue010", "\ue014", "\ue012", "\ue00c", "\ue011"


# Labels of the automata that overlap with something, or are not wholly in the picture.
OVERLAPS = """
const bad = [], hit = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
for (const picture of document.querySelectorAll("#panel-automata svg.graph")) {
  const frame = picture.getBoundingClientRect(), box = e => e.getBoundingClientRect();
  const labels = [...picture.querySelectorAll(".edge text")], shapes = [...picture.querySelectorAll(".node .shape")];
  labels.forEach((label, i) => {
    const l = box(label);
    if (l.left < frame.left || l.right > frame.right || l.top < frame.top || l.bottom > frame.bottom) bad.push("outside: " + label.textContent);
    for (const other of [...labels.slice(i + 1), ...shapes]) if (hit(l, box(other))) bad.push(label.textContent + " on " + (other.textContent || "a state"));
  });
}
return bad;
"""


# Words that are too long for their place and go on in the next line.
BROKEN = """
const bad = [], range = document.createRange(), walker = document.createTreeWalker(document.querySelector(arguments[0]), NodeFilter.SHOW_TEXT);
for (let node; (node = walker.nextNode());) {
  if (!node.parentElement.getClientRects().length || node.parentElement.closest("svg, option, .mono")) continue;
  for (const word of node.data.matchAll(/[^\\s-]+/g)) {
    range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) bad.push(word[0]);
  }
}
return bad;
"""


class Person:
    def __init__(self, browser, shots):
        self.b, self.shots = browser, shots

    def shot(self, name):
        if self.shots:
            time.sleep(0.3)
            self.b.screenshot(os.path.join(self.shots, name + ".png"))

    def write(self, text):
        """In place of what is in the editor, which closes brackets and indents lines by itself."""
        self.b.type(".cm-content", CTRL + "a" + NONE + "\ue017")
        lines = [line.strip() for line in text.splitlines() if line != "}"]
        self.b.type(".cm-content", ENTER.join(lines))

    def panel(self):
        return self.b.run("return document.body.dataset.panel")

    def listed(self):
        """[property, verdict] of the list."""
        return self.b.run("return [...document.querySelectorAll('#result tbody tr')].map(r => [r.dataset.property, r.cells[0].title])")

    def steps(self):
        return self.b.run("return [...document.querySelectorAll('#panel-trace .steps > div')].map(e => e.children[2]?.textContent ?? '')")[1:]

    def values(self):
        return self.b.run("return Object.fromEntries([...document.querySelectorAll('#panel-trace .values tr[data-name]')].map(r => [r.dataset.name, r.cells[1].textContent]))")


def test_person(server, folder, shots):
    wrong = MUTEX.replace("bool held;\n", "")
    with Browser(1360, 900) as b:
        me = Person(b, shots)
        b.visit(server.address)
        check("the page opens with the model", b.wait("document.body.dataset.ready === 'yes'") and b.text("#file option:checked") == "model.pml", b.text("#file"))
        check("what the model states is listed before anything ran", me.listed() == [["safety", "not verified yet"]] and b.run("return document.querySelectorAll('#result .run').length") == 1, me.listed())
        me.write(wrong)
        found = b.wait("document.querySelector('.cm-lintRange-error')?.textContent")
        check("a wrong word is underlined", found == "held", found)
        check("and told", b.wait("document.querySelector('#problem-list .error')?.textContent.includes('undeclared')"), b.text("#problems"))
        check("nothing is saved yet", open(os.path.join(folder, "model.pml"), encoding="utf-8").read() == MUTEX and b.wait("document.getElementById('saved').textContent === 'not saved'"))
        me.shot("problem")
        b.type(".cm-content", CTRL + HOME + NONE + "bool held;" + ENTER)
        check("mended, it is not underlined any more", b.wait("document.body.dataset.checked === 'good' && !document.querySelector('.cm-lintRange-error')"), b.text("#problems"))
        b.type(".cm-content", CTRL + ENTER + NONE)
        check("Ctrl Enter verifies", b.wait("document.getElementById('verdict')?.textContent.includes('violated')"), b.text("#panel-verify"))
        check("the text was saved", "bool held;" in open(os.path.join(folder, "model.pml"), encoding="utf-8").read() and b.wait("document.getElementById('saved').textContent === ''"))
        check("the property and why", b.wait("document.querySelector('[data-property=safety] .why')?.textContent.startsWith('assertion failed: inside == 1')"), b.text("#result"))
        # A process alone gets to its end before two meet: five lines with statements, and the last one.
        check("coverage is shown", b.wait("document.querySelectorAll('.cm-covered.cm-reached').length === 6"), b.run("return document.querySelectorAll('.cm-covered').length"))
        me.shot("violated")

        # The shortest way to it takes seven steps: both test, both set, both count, one asserts.
        b.click(".trace")
        check("the trace opens", at_work.until(lambda: me.panel() == "trace" and b.text("#panel-trace .where") == "step 0 of 7"), b.text("#panel-trace .bar"))
        check("its steps", sorted(me.steps()) == sorted(["!held", "!held", "held = true", "held = true", "inside++", "inside++", "assert(inside == 1)"])
              and me.steps()[-1] == "assert(inside == 1)", me.steps())
        for step in range(7):
            b.key(RIGHT)
        check("→ goes on", at_work.until(lambda: b.text("#panel-trace .where") == "step 7 of 7"), b.text("#panel-trace .where"))
        check("the values at the end", at_work.until(lambda: me.values() == {"held": "true", "inside": "2"}), me.values())
        check("the line is marked", at_work.until(lambda: b.text(".cm-now").strip() == "assert(inside == 1);"), b.run("return document.querySelector('.cm-now')?.textContent"))
        for step in range(3):
            b.key(LEFT)
        check("← goes back", at_work.until(lambda: b.text("#panel-trace .where") == "step 4 of 7" and me.values()["inside"] in ("0", "1")), me.values())
        me.shot("trace")
        said = b.run("return [...document.querySelectorAll('#panel-trace .said')].map(e => e.textContent)")
        check("what changes stands beside each step", sorted(said) == sorted(["", "", "held: false → true", "", "inside: 0 → 1", "inside: 1 → 2", ""]), said)
        check("no pane for messages where there are none", b.run("return document.querySelector('#panel-trace .chart').getClientRects().length") == 0)
        b.key("g")
        check("the state graph is there, and the way through it", at_work.until(lambda: me.panel() == "states" and b.run("return document.querySelectorAll('#panel-states .node.path').length") == 8
              and b.run("return document.querySelectorAll('#panel-states .node.now').length") == 1), b.run("return document.querySelectorAll('#panel-states .node.path').length"))
        me.shot("states")
        b.key("a")
        check("the automaton", at_work.until(lambda: me.panel() == "automata" and b.run("return document.querySelectorAll('#panel-automata .edge').length") == 2 * 6), b.text("#panel-automata"))
        check("of each process, where it is after four steps", b.run("return [...document.querySelectorAll('#panel-automata .automaton')].map(a => [a.dataset.process, a.querySelectorAll('.node.now').length])") ==
              [["P(0)", 1], ["P(1)", 1]], b.text("#panel-automata"))
        check("the statement of the last step is marked in one of them", b.run("return document.querySelectorAll('#panel-automata .edge.passed').length") == 1)
        b.key(RIGHT)
        check("→ goes on there, too", at_work.until(lambda: b.text("#panel-automata .where") == "step 5 of 7" == b.text("#panel-trace .where")), b.text("#panel-automata .where"))
        apart = b.run(OVERLAPS)
        check("no label lies on another, or on a state, or outside of the picture", apart == [], apart)
        me.shot("automata")

        person_simulates(b, me)
        person_mends(b, me, folder)
        person_asks(b, me, server)
        person_looks(b, me, server)
        complaints = [c["message"] for c in b.complaints() if c["level"] == "SEVERE"]
        check("the browser has nothing to complain about", not complaints, complaints)


def person_asks(b, me, server):
    """Properties one by one, a formula that is not in the model, another model meanwhile."""
    b.visit(server.address + "#asking.pml")
    b.reload()
    b.wait("document.body.dataset.ready === 'yes' && document.body.dataset.checked === 'good'")
    check("formulas are listed", me.listed() == [["safety", "not verified yet"], ["soon", "not verified yet"], ["stays", "not verified yet"]], me.listed())
    b.click("[data-property=soon] .run")
    check("one of them is verified", b.wait("document.querySelector('[data-property=soon]').cells[0].title === 'holds' && !document.querySelector('[data-property=soon] .run').disabled"), me.listed())
    check("and no other", me.listed() == [["safety", "not verified yet"], ["soon", "holds"], ["stays", "not verified yet"]], me.listed())
    b.type("[name=formula]", "[] (x < 2)" + ENTER)
    check("a formula that is not in the model", b.wait("document.querySelectorAll('#result tbody tr').length === 4 && document.querySelector('#result tbody tr:last-child').cells[0].title === 'violated'"), me.listed())
    check("what was known of the others is still there", me.listed()[1] == ["soon", "holds"], me.listed())
    b.type("[name=formula]", "(" + ENTER)
    check("what is wrong with a formula is told", b.wait("document.getElementById('verdict')?.textContent.includes('error')"), b.text("#panel-verify"))
    b.type(".cm-content", CTRL + HOME + NONE + " ")
    check("after a change of the text, verdicts are those of another one", b.wait("document.querySelector('[data-property=soon]').className === 'old'"), me.listed())
    b.run("const f = document.getElementById('file'); f.value = 'endless.pml'; f.dispatchEvent(new Event('change'))")
    b.wait("document.title === 'endless.pml' && document.body.dataset.checked === 'good' && !document.getElementById('verify').disabled")
    b.click("#verify")
    b.wait("document.querySelector('.live:not([hidden])')")
    b.run("const f = document.getElementById('file'); f.value = 'messages.pml'; f.dispatchEvent(new Event('change'))")
    check("a search that runs stays in sight with another model", b.wait("document.title === 'messages.pml' && document.querySelector('#running .link')?.textContent === 'endless.pml'"), b.text("#running"))
    me.shot("running")
    b.run("document.querySelector('#running .quiet').click()")
    check("and can be stopped there", b.wait("document.querySelector('#running strong')?.textContent === 'inconclusive'"), b.text("#running"))
    b.run("document.querySelector('#running .quiet').click()")
    check("and is put away", b.wait("document.getElementById('running').hidden"))


def person_simulates(b, me):
    b.key("\ue039")  # F9
    check("F9 simulates", b.wait("document.querySelectorAll('#panel-simulate .choice').length === 2"), b.text("#panel-simulate"))
    b.key("1")
    check("1 takes a step", b.wait("document.querySelector('#panel-simulate .where').textContent === '1 step'"), b.text("#panel-simulate"))
    b.key("2")
    check("2 takes another", b.wait("document.querySelector('#panel-simulate .where').textContent === '2 steps'"))
    check("processes are marked in the text", b.wait("[...document.querySelectorAll('.cm-place')].some(e => e.textContent.startsWith('▸'))"))
    me.shot("simulate")
    b.key(LEFT)
    check("← undoes it", b.wait("document.querySelector('#panel-simulate .where').textContent === '1 step'"))
    b.type("#panel-simulate input", "inside + 5" + ENTER)
    check("an expression is watched", b.wait("document.querySelector('.watches dd')?.textContent === '5'"), b.text("#panel-simulate"))


def person_mends(b, me, folder):
    b.run("document.activeElement.blur()")
    b.key("e")
    check("e goes to the editor", b.wait("!!document.activeElement.closest('.cm-editor')"))
    me.write(MUTEX.replace("!held -> held = true;", "atomic { !held -> held = true };").replace("inside--", "inside   --"))
    b.type(".cm-content", "\ue008\ue00a" + "f" + NONE)
    check("Shift Alt F lays it out", b.wait("[...document.querySelectorAll('.cm-line')].some(l => l.textContent === '    inside--;')"), b.text(".cm-content"))
    check("the mended model is fine", b.wait("document.body.dataset.checked === 'good' && document.getElementById('saved').textContent === 'not saved'"))
    b.type(".cm-content", CTRL + ENTER + NONE)
    check("now it holds", b.wait("document.getElementById('verdict')?.textContent.includes('holds')"), b.text("#panel-verify"))
    check("and there is no counterexample", b.wait("document.querySelector('#panel-trace').textContent.includes('No counterexample')"))
    me.shot("holds")
    b.run("document.activeElement.blur()")
    b.key("h")
    check("both are in the history", b.wait("document.querySelectorAll('#panel-history tbody tr').length === 2"), b.text("#panel-history"))
    me.shot("history")
    b.click("#panel-history tbody tr:last-child .link")
    check("the first one can be opened again", b.wait("document.getElementById('verdict')?.textContent.includes('violated')"), b.text("#panel-verify"))
    files = os.listdir(os.path.join(folder, ".gyre/history/model.pml"))
    check("beside the model", len([f for f in files if f.endswith(".html")]) == 2, files)


def person_looks(b, me, server):
    """Another page on the same model, a search that takes long, messages, dark and narrow."""
    b.visit(server.address + "#endless.pml")
    b.reload()
    b.wait("document.body.dataset.ready === 'yes' && document.getElementById('file').value === 'endless.pml'")
    b.click("#verify")
    check("a long search shows its figures", b.wait("[...document.querySelectorAll('.live strong')].some(e => /^[1-9]/.test(e.textContent))"), b.text("#panel-verify"))
    if me.shots:
        time.sleep(3)
    me.shot("live")
    b.reload()
    b.wait("document.body.dataset.ready === 'yes'")
    check("another page finds the search", b.wait("document.getElementById('stop') && !document.querySelector('.live').hidden"), b.text("#panel-verify"))
    b.key("x")
    check("x stops it", b.wait("document.getElementById('verdict')?.textContent.includes('inconclusive')"), b.text("#panel-verify"))
    b.run("const f = document.getElementById('file'); f.value = 'messages.pml'; f.dispatchEvent(new Event('change'))")
    check("another model", b.wait("document.title === 'messages.pml' && document.body.dataset.checked === 'good'"), b.run("return document.title"))
    b.run("const f = document.getElementById('file'); f.value = 'including.pml'; f.dispatchEvent(new Event('change'))")
    b.wait("document.querySelector('#problem-list button')")
    b.click("#problem-list button")
    check("a problem in an included file opens it", b.wait("document.title === 'part.h' && document.querySelector('.cm-activeLine')?.textContent === 'wrong;'"), b.run("return document.title"))
    b.run("const f = document.getElementById('file'); f.value = 'messages.pml'; f.dispatchEvent(new Event('change'))")
    b.wait("document.title === 'messages.pml' && document.body.dataset.checked === 'good' && !document.getElementById('verify').disabled")
    b.click("#verify")
    b.wait("document.querySelector('.trace')")
    b.click(".trace")
    b.key(END)
    check("messages are arrows", at_work.until(lambda: b.run("return document.querySelectorAll('#panel-trace .sequence .message').length") == 2), b.text("#panel-trace .chart"))
    me.shot("messages")
    def prefers(scheme):
        b._do("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-color-scheme", "value": scheme}]}})
        return b.wait(f"document.documentElement.dataset.theme === '{scheme}'")

    check("it follows the system into the dark, and back", prefers("dark") and prefers("light"))
    b.key("d")
    check("d makes it dark", b.wait("document.documentElement.dataset.theme === 'dark'"))
    me.shot("dark")
    b.key("?")
    check("? lists the keys", b.wait("document.getElementById('keys').open"))
    b.click("#keys button")
    b._do("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}})
    for tab in ("model", "verify", "trace", "simulate", "automata", "states", "history"):
        b.run(f"document.getElementById('tab-{tab}').click()")
        check(f"a phone, {tab}: no scrolling to the side", b.wait("document.documentElement.scrollWidth <= 390 && innerWidth === 390"), b.run("return [document.documentElement.scrollWidth, innerWidth]"))
        broken = b.run(BROKEN, f"#panel-{tab}" if tab != "model" else "header")
        check(f"a phone, {tab}: no word is broken", broken == [], broken)
        me.shot("phone-" + tab)
    unnamed = b.run("return [...document.querySelectorAll('button, select, input')].filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length || e.title)).map(e => e.outerHTML)")
    check("every control has a name", not unnamed, unnamed)


def main():
    global SCRATCH
    parser = argparse.ArgumentParser()
    parser.add_argument("--shots")
    shots = parser.parse_args().shots
    base = tempfile.mkdtemp(prefix="gyre-ui-")
    folder, outside = os.path.join(base, "models"), os.path.join(base, "outside")
    SCRATCH = os.path.join(base, "scratch")
    os.mkdir(SCRATCH)
    write(outside, "secret.pml", f"/* {SECRET} */ byte x = {SECRET.replace('-', '_')};\n")
    write(outside, "secret.h", f"byte {SECRET.replace('-', '_')}; /* {SECRET} */ ??\n")
    write(base, "secret.pml", SECRET)
    write(folder, "model.pml", MUTEX)
    write(folder, "endless.pml", ENDLESS)
    write(folder, "messages.pml", "chan q = [1] of { byte };\nchan r = [0] of { byte };\nactive proctype A() { byte x; q!1; r?x; assert(x == 3) }\nactive proctype B() { byte y; q?y; r!y + 1 }\n")
    write(folder, "asking.pml", "byte x;\nactive proctype P() { x = 1; x = 2 }\nltl soon { <> (x == 2) }\nltl stays { [] (x != 2) }\n")
    write(folder, "sub/own.h", "byte own;\n")
    write(folder, "including.pml", '#include "part.h"\nactive proctype P() { skip }\n')
    write(folder, "part.h", "byte part;\nwrong;\n")
    os.symlink(os.path.join(outside, "secret.pml"), os.path.join(folder, "link.pml"))
    os.symlink(os.path.join(outside, "secret.h"), os.path.join(folder, "link.h"))
    os.symlink(outside, os.path.join(folder, "linked"))
    os.symlink("..", os.path.join(folder, "sub/up"))
    os.mkfifo(os.path.join(folder, "pipe.pml"))
    if shots:
        os.makedirs(shots, exist_ok=True)
    try:
        with Server(os.path.join(folder, "model.pml"), "--jobs", "2", "--time", "300") as server:
            server.folder = folder
            crowd = Crowd(server)
            test_person(server, folder, shots)
            write(folder, "model.pml", MUTEX)
            test_who(server)
            test_paths(server, folder, outside)
            check("nothing beside the folder has changed", sorted(os.listdir(base)) == ["models", "outside", "scratch", "secret.pml"], os.listdir(base))
            test_includes(server, outside)
            test_options(server, folder)
            test_answers(server, folder)
            test_history_full(server, folder)
            crowd.check_served()
            test_bodies(server)
            test_endless(server)
            test_gone(server, folder)
            crowd.check_closed()
        test_c(folder)
        test_without(base)
        test_stop(folder)
        test_history_link(outside)
        left = [name for name in os.listdir(SCRATCH) if name.startswith(("gyre-ui-", "cc"))]
        check("servers that were ended leave nothing behind, nor the compilers of what they ended", left == [], left)
        test_killed(folder)
    finally:
        shutil.rmtree(base)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
