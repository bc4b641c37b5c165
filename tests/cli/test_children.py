#!/usr/bin/env python3
# check: cli: children end with their parent; seconds 10
"""Every child process of Gyre ends with it, and all that the child has started, whatever ends Gyre.

    test_children.py [one_place] [compilers] [embedded] [every_command] [beem] [workers] [pages] [editors] [ranks] [devices] [commands]

one_place  programs are started in src/base/child_process.c and nowhere else
the rest   each kind of child, beside each end: a limit, Ctrl-C, SIGTERM, SIGKILL

Processes are found by a mark in their environment. Ends with `N passed, N failed`.
"""
import glob
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import uuid

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "device"))
import groups  # noqa: E402
from test_device_faults import DRIVER  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))

# A search that goes on for hours, in little memory.
LONG = """byte a, b, c, d, e, f;
active [2] proctype P() { do :: a++ :: b++ :: c++ :: d++ :: e++ :: f++ :: assert(a + b + c + d + e + f < 9999) od }
"""
LONG_DVE = """byte a, b, c, d, e;
process P { state s; init s; trans
  s -> s { guard a < 200; effect a = a + 1; }, s -> s { guard b < 200; effect b = b + 1; },
  s -> s { guard c < 200; effect c = c + 1; }, s -> s { guard d < 200; effect d = d + 1; },
  s -> s { guard e < 200; effect e = e + 1; }, s -> s { guard a + b + c + d + e == 9999; }; }
system async;
"""
# Has a child of its own, as compilers do, and no end.
HANGS = "#!/bin/sh\nsleep 987654 &\nsleep 987654\n"


def marked(mark):
    """{pid: command line} of the processes that have this in their environment."""
    found = {}
    for name in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(name, "rb") as file:
                if mark.encode() not in file.read():
                    continue
            with open(os.path.join(os.path.dirname(name), "cmdline"), "rb") as file:
                words = file.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if words:  # else it has ended and was not waited for
            found[int(name.split("/")[2])] = words
    return found


def wait_for(good):
    """Minutes, which is far more than it takes."""
    for _ in range(6000):
        if good():
            return True
        time.sleep(0.05)
    return False


class Run:
    """A command of Gyre, with a mark that all of its children have, too."""

    def __init__(self, folder, *command, before=(), stdin=subprocess.DEVNULL, **environment):
        self.mark = "GYRE_TEST_MARK=" + uuid.uuid4().hex
        name, value = self.mark.split("=")
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([*before, GYRE, *command], cwd=folder, stdin=stdin, stdout=subprocess.PIPE, stderr=self.log,
                                        text=True, start_new_session=True, env=dict(os.environ, **{name: value}, **environment))

    def children(self, words):
        return [pid for pid, line in marked(self.mark).items() if pid != self.process.pid and words in line]

    def left(self):
        return marked(self.mark)

    def ends(self, words, count, how):
        """What is wrong if it is ended so (a signal; None: by itself) as soon as `count` such children run."""
        wrong = []
        begun = wait_for(lambda: len(self.children(words)) >= count or self.process.poll() is not None)
        if not begun or self.process.poll() is not None:
            self.log.seek(0)
            wrong.append("no child: status %s, %s, %s" % (self.process.poll(), self.left(), self.log.read()))
        if how is not None:
            self.process.send_signal(how)
        if not wait_for(lambda: self.process.poll() is not None):
            wrong.append("it goes on")
        if not wait_for(lambda: not self.left()):
            wrong.append("left behind: %s" % self.left())
        for pid in self.left():
            os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        if self.process.stdin:
            self.process.stdin.close()
        self.log.close()
        return wrong


def written(folder, name, text, mode=0o644):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


def one_place():
    pattern = re.compile(r"\b(v?fork|_Fork|exec[vl]p?e?|execvpe|popen|system|posix_spawnp?|clone3?|prctl)\s*\(")
    places = []
    for path in sorted(glob.glob(os.path.join(ROOT, "src/**/*.[ch]"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                code = re.sub(r'"(\\.|[^"\\])*"', '""', line).split("//")[0]
                if pattern.search(code) and not re.search(r"\bgy_\w*\s*\(", code):
                    places.append("%s:%d: %s" % (os.path.relpath(path, ROOT), number, line.strip()))
    elsewhere = [place for place in places if not place.startswith("src/base/child_process.c:")]
    yield "programs are started in one place", elsewhere
    yield "and there they are", [] if len(places) >= 4 else places


def compilers():
    """In the background of a search; it ends by its limit, too, and does not wait for the compiler."""
    with tempfile.TemporaryDirectory() as folder:
        written(folder, "m.pml", LONG)
        compiler = written(folder, "cc", HANGS, 0o755)
        for how in [*SIGNALS, None]:
            run = Run(folder, "m.pml", *(["--time", "3"] if how is None else []), GYRE_CC=compiler, XDG_CACHE_HOME=folder)
            yield "a compiler, %s" % how, run.ends("sleep 987654", 2, how)


def embedded():
    """Before the search, which waits for the compiler."""
    with tempfile.TemporaryDirectory() as folder:
        written(folder, "m.pml", "c_decl { int x; };\nactive proctype P() { c_code { x = 1; } }\n")
        compiler = written(folder, "cc", HANGS, 0o755)
        for how in [*SIGNALS, None]:
            run = Run(folder, "m.pml", *(["--time", "1"] if how is None else []), GYRE_CC=compiler, XDG_CACHE_HOME=folder)
            yield "a compiler of embedded C, %s" % how, run.ends("sleep 987654", 2, how)


def every_command():
    """Whatever command it is that compiles a model's C."""
    with tempfile.TemporaryDirectory() as folder:
        written(folder, "m.pml", "c_decl { int x; };\nactive proctype P() { c_code { x = 1; } }\n")
        compiler = written(folder, "cc", HANGS, 0o755)
        for command in (["hunt", "m.pml"], ["stats", "m.pml"], ["sim", "m.pml"], ["replay", "m.pml"], ["test", "m.pml"], ["spin", "-run", "m.pml"]):
            for how in SIGNALS:
                run = Run(folder, *command, GYRE_CC=compiler, XDG_CACHE_HOME=folder)
                yield "a compiler of gyre %s, %s" % (" ".join(command), how), run.ends("sleep 987654", 2, how)


def beem():
    """A run is a child, and has a compiler as a child."""
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "m", "generated_files"))
        written(folder, "m/generated_files/m.1.dve", LONG_DVE)
        written(folder, "m/m.xml", '<?xml version="1.0"?><model><instance id="1"><parameters></parameters></instance></model>')
        written(folder, "m/generated_files/results.xml", '<?xml version="1.0"?><results><instance id="1"><states>3</states>'
                '<reach-time complete="yes">1</reach-time></instance></results>')
        compiler = written(folder, "cc", HANGS, 0o755)
        for how in [*SIGNALS, None]:
            run = Run(folder, "beem", "m", *(["--time", "3"] if how is None else []), GYRE_CC=compiler, XDG_CACHE_HOME=folder)
            yield "a run of a benchmark, %s" % how, run.ends("sleep 987654", 2, how)


def workers():
    """Of a swarm: children, and grandchildren by a launcher that starts them in the background."""
    with tempfile.TemporaryDirectory() as folder:
        written(folder, "m.pml", LONG)
        written(folder, "mpirun", '#!/bin/sh\nshift 2\n"$@" &\nwait\n', 0o755)
        path = folder + ":" + os.environ["PATH"]
        for launcher in "local", "mpi":
            for how in [*SIGNALS, None]:
                where = os.path.join(folder, "swarm-%s-%s" % (launcher, how))
                run = Run(folder, "swarm", "m.pml", "--dir", where, "--workers", "2", "--backend", "vm", "--launcher", launcher,
                          *(["--time", "3"] if how is None else []), PATH=path)
                yield "a worker of a swarm, by %s, %s" % (launcher, how), run.ends("--worker-folder", 1, how)


def ask(address, path, body):
    parts = urllib.parse.urlsplit(address)
    connection = http.client.HTTPConnection("127.0.0.1", parts.port)
    token = urllib.parse.parse_qs(parts.query)["token"][0]
    connection.request("POST", "/api/" + path, json.dumps(body), {"X-Gyre-Token": token})
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return [] if answer.status == 200 else ["status %d: %s" % (answer.status, text)]


def pages():
    """Jobs of the page: verifications, with their compiler, and simulations."""
    with tempfile.TemporaryDirectory() as folder:
        written(folder, "m.pml", LONG)
        compiler = written(folder, "cc", HANGS, 0o755)
        for what, body, words, count in (("verify", {"name": "m.pml", "options": []}, "sleep 987654", 2),
                                         ("sim", {"name": "m.pml"}, "--interactive", 1)):
            for how in SIGNALS:
                run = Run(folder, "ui", "m.pml", GYRE_CC=compiler, XDG_CACHE_HOME=folder)
                wrong = ask(run.process.stdout.readline().strip(), what, body)
                yield "%s of the page, %s" % (what, how), wrong + run.ends(words, count, how)


def commands():
    """Of a batch system. What it may have accepted is cancelled then."""
    with tempfile.TemporaryDirectory() as folder:
        written(folder, "m.pml", LONG)
        written(folder, "sbatch", HANGS, 0o755)
        written(folder, "scancel", '#!/bin/sh\necho "$@" >>%s/cancelled\n' % folder, 0o755)
        for how in [*SIGNALS, None]:
            where = os.path.join(folder, "swarm-%s" % how)
            run = Run(folder, "swarm", "m.pml", "--dir", where, "--launcher", "slurm", "--backend", "vm",
                      *(["--time", "3"] if how is None else []), PATH=folder + ":" + os.environ["PATH"])
            wrong = run.ends("sleep 987654", 2, how)
            said = os.path.join(folder, "cancelled")
            if how != signal.SIGKILL and not (os.path.exists(said) and os.stat(said).st_size):
                wrong.append("nothing was cancelled")
            if os.path.exists(said):
                os.unlink(said)
            yield "sbatch, %s" % how, wrong


def opened(folder, *command, **environment):
    """A program that an editor talks to: its standard input stays open."""
    return Run(folder, *command, stdin=subprocess.PIPE, **environment)


def tell(run, *messages):
    for message in messages:
        content = json.dumps(message).encode()
        run.process.stdin.buffer.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
    run.process.stdin.flush()


def editors():
    """Verifications that an editor starts: of the language server a child, of the debugger a thread; each has a compiler."""
    with tempfile.TemporaryDirectory() as folder:
        model = written(folder, "m.pml", LONG)
        compiler = written(folder, "cc", HANGS, 0o755)
        uri = "file://" + model
        for how in SIGNALS:
            run = opened(folder, "lsp", GYRE_CC=compiler, XDG_CACHE_HOME=folder)
            tell(run, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}},
                 {"jsonrpc": "2.0", "method": "textDocument/didOpen",
                  "params": {"textDocument": {"uri": uri, "languageId": "promela", "version": 1, "text": LONG}}},
                 {"jsonrpc": "2.0", "id": 2, "method": "workspace/executeCommand", "params": {"command": "gyre.server.verify", "arguments": [{"uri": uri}]}})
            yield "a verification of the language server, %s" % how, run.ends("sleep 987654", 2, how)
            run = opened(folder, "dap", GYRE_CC=compiler, XDG_CACHE_HOME=folder)
            tell(run, {"seq": 1, "type": "request", "command": "initialize", "arguments": {"adapterID": "gyre"}},
                 {"seq": 2, "type": "request", "command": "launch", "arguments": {"program": model}},
                 {"seq": 3, "type": "request", "command": "configurationDone"})
            yield "a verification of the debugger, %s" % how, run.ends("sleep 987654", 2, how)


def ranks():
    """A rank's compilers end with it, also if it alone is killed; the launcher is none of ours."""
    if not shutil.which("mpirun"):
        print("left out: no mpirun is installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        written(folder, "m.pml", LONG)
        compiler = written(folder, "cc", HANGS, 0o755)
        for how in SIGNALS:
            run = Run(folder, "m.pml", "--mpi", before=["mpirun", "-n", "2"], GYRE_CC=compiler, XDG_CACHE_HOME=folder,
                      OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
            wrong = [] if wait_for(lambda: len(run.children("sleep 987654")) >= 4) else ["no compilers: %s" % run.left()]
            for pid in run.children("--mpi"):
                if os.path.realpath("/proc/%d/exe" % pid) == os.path.realpath(GYRE):
                    os.kill(pid, how)
            if not wait_for(lambda: not run.children("sleep 987654")):
                wrong.append("left behind: %s" % run.left())
            yield "compilers of ranks, %s" % how, wrong + run.ends("", 0, signal.SIGTERM)


def devices():
    """nvcc, in the background of a search; the driver is a small library in NVIDIA's place."""
    with tempfile.TemporaryDirectory() as folder:
        written(folder, "m.pml", LONG)
        compiler = written(folder, "nvcc", HANGS, 0o755)
        subprocess.run(["cc", "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", os.path.join(folder, "libcuda.so.1")], input=DRIVER, text=True,
                       check=True)
        for how in [*SIGNALS, None]:
            run = Run(folder, "m.pml", "--backend", "cuda", *(["--time", "3"] if how is None else []), GYRE_DEVICE="cuda", GYRE_NVRTC="",
                      GYRE_NVCC=compiler, LD_LIBRARY_PATH=folder, GYRE_CACHE=folder)
            yield "nvcc, %s" % how, run.ends("sleep 987654", 2, how)


if __name__ == "__main__":
    sys.exit(groups.run([one_place, compilers, embedded, every_command, beem, workers, pages, editors, ranks, devices, commands]))
