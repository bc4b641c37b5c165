#!/usr/bin/env python3
# check: cli: every file that is written, beside full disks, links and files of others; seconds 12
"""Every file that Gyre writes, beside everything that can go wrong with it: a disk that is full, a link in its place, a
file of somebody else next to it.

    test_writes.py [full] [foreign] [links] [adding] [stores] [readers]

full     no room: a clear error, the right status, the verdict all the same, and what was there stays as it was
foreign  whatever else is in the folder stays as it was, and nothing is left behind
links    names that the user gives are followed; names that Gyre makes up are not
adding   a report that finds no room next to those of other models
stores   caches, TMPDIR, folders for states: what is no file that was asked for
readers  standard output, or a report in a pipe, that nobody reads: the verdict all the same, and nothing left behind

A file system of 64 kB is mounted where that is allowed; a limit to the size of files is set everywhere.
Ends with `N passed, N failed`.
"""
import contextlib
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import dap_client  # noqa: E402
import groups  # noqa: E402
from harness import GYRE, Result  # noqa: E402

PRECIOUS = "precious\n"
WRONG = "byte n;\nltl never_two { [] (n != 2) }\nactive [2] proctype P() { byte t; t = n; n = t + 1; assert(n < 2) }\n"
DVE = "byte n;\nprocess P { state a, b; init a; trans a -> b { effect n = 1; }; }\nsystem async;\n"
TO_DEVICE = "No space left on device|File too large"

# What is written, the command, what it still says, and its status when nothing goes wrong. `@` is the file.
NAMED = [
    ("a trail", ["m.pml", "--check", "safety", "--trail", "@"], "violated: assertion", 1),
    ("the trail of a formula", ["m.pml", "--check", "liveness", "--trail", "@"], "violated", 1),
    ("the trail of a partial deadlock", ["stuck.pml", "--partial-deadlock", "--trail", "@"], "violated", 1),
    ("JUnit's report", ["m.pml", "--junit", "@"], "violated", 1),
    ("a SARIF report", ["m.pml", "--sarif", "@"], "violated", 1),
    ("a page", ["m.pml", "--html", "@"], "violated", 1),
    ("GitLab's report", ["m.pml", "--code-quality", "@"], "violated", 1),
    ("the plots of a state space", ["stats", "m.pml", "--svg", "@"], "states", 0),
    ("a converted model", ["convert", "m.dve", "-o", "@"], "", 0),
    ("the table of trials", ["hunt", "m.pml", "--trials", "2", "--csv", "@"], "error found", 1),
    ("the trail of the best trial", ["hunt", "m.pml", "--trials", "2", "--trail", "@"], None, 1),
    ("the report of models", ["test", "m.pml", "--junit", "@"], "1 passed|0 passed", 0),
    ("the trail of a swarm", ["swarm", "m.pml", "--check", "safety", "--backend", "vm", "--trail", "@"], "violated", 1),
    ("the trail of a blind swarm", ["swarm", "m.pml", "--check", "safety", "--blind", "--workers", "1", "--backend", "vm", "--trail", "@"],
     "violated", 1),
    ("the table of a benchmark", ["beem", "set", "--time", "60", "--csv", "@"], None, 0),
]
# The same of Spin's commands, whose names nobody gives: the file, the command, what is said, the status, that on a full disk.
IMPLIED = [
    ("pan.c", ["spin", "-a", "m.pml"], "", 0, 1),
    ("m.pml.trail", ["spin", "-run", "-ltl", "never_two", "m.pml"], "errors: 1|acceptance cycle|assertion violated", 0, 1),
    ("m.pml.trail", ["spin", "-run", "-noclaim", "m.pml"], "assertion violated", 0, 1),
    ("m.pml.tcl", ["spin", "-M", "m.pml"], None, 0, 1),
]
# What prints, and never the same twice only in times.
PRINTED = [["m.pml"], ["m.pml", "--json"], ["m.pml", "--events"], ["m.pml", "--verbose"], ["stuck.pml"], ["sim", "m.pml", "--seed", "1"],
           ["sim", "m.pml", "--seed", "1", "--json"], ["sim", "m.pml", "--seed", "1", "--quiet"], ["replay", "m.pml", "found"],
           ["replay", "m.pml", "found", "--json"], ["info", "m.pml"], ["info", "m.pml", "--json"], ["info", "m.pml", "--dot"],
           ["info", "m.pml", "--c"], ["info", "m.pml", "--model"], ["ltl", "[] p"], ["ltl", "[] p", "--json"], ["test", "m.pml"],
           ["test", "m.pml", "--json"], ["hunt", "m.pml", "--seed", "1"], ["hunt", "m.pml", "--trials", "2", "--seed", "1"],
           ["swarm", "m.pml", "--check", "safety", "--backend", "vm"],
           ["swarm", "m.pml", "--check", "safety", "--blind", "--workers", "1", "--backend", "vm"], ["convert", "m.dve"], ["stats", "m.pml"],
           ["stats", "m.pml", "--json"], ["beem", "set"], ["format", "--stdout", "m.pml"], ["--help"], ["help", "all"], ["--version"],
           ["--print-options"], ["spin", "-n1", "m.pml"], ["spin", "-f", "[] p"], ["spin", "-run", "-noclaim", "m.pml"]]


def written(folder, name, text=PRECIOUS):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def content(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def tree(folder):
    """{name: content} of all files; links are told apart from what they lead to."""
    found = {}
    for base, folders, names in os.walk(folder):
        for name in names + folders:
            path = os.path.join(base, name)
            if os.path.islink(path):
                found[os.path.relpath(path, folder)] = "-> " + os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = file.read()
    return found


def models(folder):
    written(folder, "m.pml", WRONG)
    written(folder, "stuck.pml", "chan c = [0] of { byte };\nbyte n;\nactive proctype A() { n = 1; c!1 }\nactive proctype B() { do :: skip od }\n")
    written(folder, "m.dve", DVE)
    written(folder, "set/m/generated_files/m.1.dve", DVE)
    written(folder, "set/m/m.xml", '<?xml version="1.0"?><model><instance id="1"><parameters></parameters></instance></model>')
    written(folder, "set/m/generated_files/results.xml", '<?xml version="1.0"?><results><instance id="1"><states>2</states>'
            '<reach-time complete="yes">1</reach-time></instance></results>')


def gyre(*arguments, cwd, most=None, **environment):
    """With SIGXFSZ as it is by default, as for a user's command."""
    limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))) if most is not None else None
    run = subprocess.run([GYRE, *arguments], cwd=cwd, capture_output=True, stdin=subprocess.DEVNULL, timeout=600, check=False,
                         env={**os.environ, "DISPLAY": "", **environment}, preexec_fn=limit)
    return Result(run.returncode, run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace"))


def mounted(folder, kilobytes=64):
    return os.geteuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", folder],
                                                capture_output=True, check=False).returncode == 0


@contextlib.contextmanager
def full_folder(folder, most):
    """A folder with a file `precious` and no room; with `most`, commands are limited instead."""
    there = tempfile.mkdtemp(dir=folder)
    if most is None and not mounted(there):
        yield None
        return
    try:
        written(there, "precious")
        if most is None:
            with open(os.path.join(there, "filler"), "wb", buffering=0) as filler:
                with contextlib.suppress(OSError):
                    while True:
                        filler.write(b"x" * 4096)
        yield there
    finally:
        if most is None:
            subprocess.run(["umount", "-l", there], check=False)


def outcome(result, statuses, said, problem):
    wrong = [] if result.status in statuses else [f"status {result.status}, not {statuses}: {result}"]
    if said is not None and not re.search(said, result.out):
        wrong.append(f"nothing about {said!r}: {result}")
    if problem and not re.search(problem, result.out + result.err):
        wrong.append(f"no word about {problem!r}: {result}")
    return wrong


def changes(before, after):
    names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return [f"changed: {name}: {before.get(name, '-')[:100]!r} {after.get(name, '-')[:100]!r}" for name in names]


def full():
    with tempfile.TemporaryDirectory() as folder:
        models(folder)
        for most in (None, 0):
            disk = "a full disk" if most is None else "a limit to the size of files"
            for what, command, said, _ in NAMED:
                if most is not None and command[0] in ("swarm", "beem"):
                    continue  # has files of its own, elsewhere
                for old in (True, False):
                    with full_folder(folder, most) as there:
                        if not there:
                            print(f"left out: {what}: small file systems cannot be mounted here")
                            continue
                        before = tree(there)
                        name = os.path.join(there, "precious" if old else "new")
                        result = gyre(*[name if word == "@" else word for word in command], cwd=folder, most=most)
                        yield (f"{what} on {disk}, {'in place of another file' if old else 'new'}",
                               outcome(result, [2], said, f"cannot write {re.escape(name)}(-2)?: ({TO_DEVICE})") + changes(before, tree(there)))
            for name, command, said, _, status in IMPLIED:
                for old in (True, False):
                    with full_folder(folder, most) as there:
                        if not there:
                            print(f"left out: {name}: small file systems cannot be mounted here")
                            continue
                        if old:
                            os.rename(os.path.join(there, "precious"), os.path.join(there, name))
                        before = tree(there)
                        os.symlink(os.path.join(folder, "m.pml"), os.path.join(there, "m.pml"))
                        result = gyre(*command, cwd=there, most=most)
                        os.unlink(os.path.join(there, "m.pml"))
                        yield (f"{' '.join(command)} on {disk}, {'in place of another file' if old else 'new'}",
                               outcome(result, [status], said, f"{'' if 'trail' in name else re.escape(name)}.*({TO_DEVICE})") +
                               changes(before, tree(there)))


def foreign():
    """Names that a program may think of for its temporary files, taken by other files."""
    with tempfile.TemporaryDirectory() as folder:
        models(folder)
        for what, command, said, status in NAMED:
            there = tempfile.mkdtemp(dir=folder)
            for name in ("out.new", "out.tmp", "out~", ".out.swp", "out.1", "out.0", "out.bak", "out.part", ".gyre-1-0.new"):
                written(there, name)
            before = tree(there)
            result = gyre(*[os.path.join(there, "out") if word == "@" else word for word in command], cwd=folder)
            after = {name: text for name, text in tree(there).items() if name not in ("out", "out.never", "out-2", "out-2.never")}
            wrong = outcome(result, [status, *([0, 1] if status == 0 and command[0] in ("test", "beem") else [])], said, None)
            if not os.path.isfile(os.path.join(there, "out")) or not os.path.getsize(os.path.join(there, "out")):
                wrong.append(f"nothing is written: {result}")
            yield f"{what}, next to other files", wrong + changes(before, after)


def links():
    with tempfile.TemporaryDirectory() as folder:
        models(folder)
        for name, command, said, status, _ in IMPLIED:
            there = tempfile.mkdtemp(dir=folder)
            precious = written(folder, "elsewhere")
            shutil.copy(os.path.join(folder, "m.pml"), there)
            os.symlink(precious, os.path.join(there, name))
            result = gyre(*command, cwd=there)
            wrong = outcome(result, [status], said, None)
            wrong += [] if content(precious) == PRECIOUS else ["written through the link"]
            wrong += [] if not os.path.islink(os.path.join(there, name)) else ["the link is still there"]
            yield f"{' '.join(command)}: a link in place of {name}", wrong
            there = tempfile.mkdtemp(dir=folder)
            shutil.copy(os.path.join(folder, "m.pml"), there)
            os.mkfifo(os.path.join(there, name))
            result = gyre(*command, cwd=there)
            yield f"{' '.join(command)}: a pipe in place of {name} is not waited for", outcome(result, [1], said, "File exists")
        for what, command, said, status in NAMED:
            there = tempfile.mkdtemp(dir=folder)
            target = written(there, "target")
            os.chmod(target, 0o640)
            os.symlink(target, os.path.join(there, "out"))
            result = gyre(*[os.path.join(there, "out") if word == "@" else word for word in command], cwd=folder)
            wrong = [] if os.path.islink(os.path.join(there, "out")) and content(target) != PRECIOUS else [f"not followed: {result}"]
            wrong += [] if os.stat(target).st_mode & 0o777 == 0o640 else ["other permissions"]
            yield f"{what}, through a link that the user names", wrong
        # A file that standard output goes to, under another name: its content is not replaced by another file.
        with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
            subprocess.run([GYRE, "convert", "m.dve", "-o", "/dev/stdout"], cwd=folder, stdout=log, check=False)
            inode = os.fstat(log.fileno()).st_ino
        yield "/dev/stdout is the file that it was", [] if os.stat(os.path.join(folder, "log")).st_ino == inode and \
            "proctype" in content(os.path.join(folder, "log")) else [content(os.path.join(folder, "log"))]


def adding():
    """Reports of two models in one file; there is room for the first."""
    with tempfile.TemporaryDirectory() as folder:
        models(folder)
        written(folder, "n.pml", WRONG)
        for option in ("--junit", "--sarif", "--code-quality"):
            one = os.path.join(folder, "one")
            gyre("m.pml", option, one, cwd=folder)
            first = os.path.getsize(one)
            result = gyre("m.pml", "n.pml", option, "both", cwd=folder, most=first + 100)
            text = content(os.path.join(folder, "both"))
            wrong = outcome(result, [2], "violated(.|\n)*violated", f"cannot write both: ({TO_DEVICE})")
            if re.sub(r"[\s\d.]", "", text) != re.sub(r"[\s\d.]", "", content(one)):  # which has other times
                wrong.append(f"not the first report: {text[-300:]}")
            yield f"{option} of a second model", wrong


def unread(*command, cwd):
    """Standard output is a pipe that nobody reads from any more. SIGPIPE is as shells set it."""
    ends = os.pipe()
    os.close(ends[0])
    run = subprocess.run([GYRE, *command], cwd=cwd, stdout=ends[1], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=600, check=False,
                         preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
    os.close(ends[1])
    return Result(run.returncode, "", run.stderr.decode(errors="replace"))


def readers():
    with tempfile.TemporaryDirectory() as folder:
        models(folder)
        gyre("m.pml", "--check", "safety", "--trail", "found", cwd=folder)
        for command in PRINTED:
            wanted = gyre(*command, cwd=folder)
            before = tree(folder)
            result = unread(*command, cwd=folder)
            statuses = [wanted.status, 0] if command[0] == "sim" else [wanted.status]  # a simulation has no verdict, and ends at once
            same = [] if result.status in statuses and result.err == wanted.err else [f"{result}\n--- and read:\n{wanted}"]
            yield f"{' '.join(command)}: nobody reads it", same + changes(before, tree(folder))
        for what, command, said, status in NAMED:
            before = tree(folder)
            result = unread(*["/dev/stdout" if word == "@" else word for word in command], cwd=folder)
            wrong = [] if result.status == 2 and "cannot write /dev/stdout: Broken pipe" in result.err else [str(result)]
            yield f"{what} to /dev/stdout: nobody reads it", wrong + changes(before, tree(folder))
            # Somebody takes one byte. A short report fits into the pipe before.
            fifo = os.path.join(folder, "fifo")
            os.mkfifo(fifo)
            before = tree(folder)
            reader = subprocess.Popen(["head", "-c", "1", fifo], stdout=subprocess.DEVNULL)
            result = gyre(*[fifo if word == "@" else word for word in command], cwd=folder)
            reader.kill()
            reader.wait()
            wrong = outcome(result, [status, 0, 1, 2], said, None)
            if result.status == 2 and f"cannot write {fifo}: Broken pipe" not in result.err:
                wrong.append(str(result))
            wrong += [] if stat.S_ISFIFO(os.stat(fifo).st_mode) else ["the pipe was replaced"]
            after = {name: text for name, text in tree(folder).items() if name != "fifo.never"}  # the claim of a trail is a file
            yield f"{what} to a pipe whose reader goes away", wrong + changes(before, after)
            if os.path.exists(fifo + ".never"):
                os.unlink(fifo + ".never")
            os.unlink(fifo)


def stores():
    """What is not asked for does not matter; what is, is told before the search, or ends it with a reason."""
    with tempfile.TemporaryDirectory() as folder:
        models(folder)
        written(folder, "holds.pml", "byte a[4];\nactive [4] proctype P() { do :: a[_pid] < 20 -> a[_pid]++ :: else -> break od }\n")
        code = "c_decl { int x; };\nactive proctype P() { c_code { now.x = 1; }; assert(true) }\n".replace("now.x", "x")
        written(folder, "c.pml", code)
        for what, command, environment, statuses, said, problem in (
                ("a cache", ["holds.pml", "--search", "bfs", "--no-por"], "XDG_CACHE_HOME", [0], "holds", None),
                ("TMPDIR, by default", ["holds.pml", "--exact"], "TMPDIR", [0], "holds", None),
                ("TMPDIR, embedded C", ["c.pml"], "TMPDIR", [0, 2], None, None),
                ("TMPDIR, gyre replay", ["replay", "m.pml"], "TMPDIR", [2], None, None),
                ("TMPDIR, spin -run", ["spin", "-run", "-noclaim", "m.pml"], "TMPDIR", [1], "assertion violated", TO_DEVICE),
                ("TMPDIR, a swarm", ["swarm", "holds.pml", "--check", "safety", "--backend", "vm"], "TMPDIR", [0, 2, 3], None, None),
                ("--disk", ["holds.pml", "--exact", "--disk", "@", "--memory", "30M"], None, [0, 3], None, None),
                ("--checkpoint", ["holds.pml", "--exact", "--checkpoint", "@/c"], None, [0, 2], None, None),
                ("--dir", ["swarm", "holds.pml", "--check", "safety", "--backend", "vm", "--dir", "@/s"], None, [0, 2, 3], None, None)):
            with full_folder(folder, None) as there:
                if not there:
                    print(f"left out: {what}: small file systems cannot be mounted here")
                    continue
                before = tree(there)
                result = gyre(*[word.replace("@", there) for word in command], cwd=folder, **({environment: there} if environment else {}))
                wrong = outcome(result, statuses, said, problem)
                if result.status in (2, 3) and not re.search(TO_DEVICE + "|memory|limit", result.out + result.err):
                    wrong.append(f"no reason: {result}")
                after = {name: text for name, text in tree(there).items() if text or not name.startswith("s/")}
                yield f"no room for {what}", wrong + changes(before, after)
        # Saved trails of sessions.
        with full_folder(folder, None) as there:
            if there:
                before = tree(there)
                target = os.path.join(there, "precious")
                run = subprocess.run([GYRE, "sim", "m.pml", "--interactive"], cwd=folder, input=f"1\nt {target}\nq\n", capture_output=True, text=True, check=False,
                                     timeout=600)
                yield "a trail of gyre sim", ([] if re.search(TO_DEVICE, run.stdout) else [run.stdout + run.stderr]) + changes(before, tree(there))
                client = dap_client.Client(GYRE, cwd=folder)
                client.start(program=os.path.join(folder, "m.pml"), simulate=True, seed=9, maxSteps=20, cwd=folder)
                client.stop()
                client.move("continue", threadId=1)
                why = client.refused("gyre/saveTrail", file=target)
                client.end()
                yield "a trail of the debugger", ([] if re.search(TO_DEVICE, str(why)) else [str(why)]) + changes(before, tree(there))


if __name__ == "__main__":
    sys.exit(groups.run([full, foreign, links, adding, stores, readers]))
