"""What the tests of the command line share: running gyre, on a pipe or on a terminal of some width,
and counting checks."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.abspath(os.environ.get("GYRE", os.path.join(ROOT, "build", "gyre")))
counts = {True: 0, False: 0}


def check(name, good, detail=""):
    counts[bool(good)] += 1
    if not good:
        print(f"FAILED: {name}\n{str(detail)[:3000]}")


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def __str__(self):
        return f"status {self.status}\n--- out\n{self.out}--- err\n{self.err}"

    @property
    def json(self):
        return schema.report(self.out)

    @property
    def lines(self):
        """Of a stream: one JSON value in each line."""
        return schema.lines(self.out)


def gyre(*arguments, stdin="", timeout=300, env=None, cwd=None):
    run = subprocess.run([GYRE, *arguments], input=stdin.encode(), capture_output=True, cwd=cwd,
                         timeout=timeout, env={**os.environ, **(env or {})})
    return Result(run.returncode, run.stdout.decode("utf-8", "replace"), run.stderr.decode("utf-8", "replace"))


def expect(name, result, status, out=None, err=None):
    good = result.status == status and (out is None or re.search(out, result.out)) \
        and (err is None or re.search(err, result.err))
    check(name, good, f"expected status {status}, out {out!r}, err {err!r}\n{result}")
    return result


def on_terminal(*arguments, columns=80, timeout=300):
    """What a terminal of that width is sent, line ends as \\n."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        os.environ.pop("NO_COLOR", None)
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execv(GYRE, [GYRE, *arguments])
    seen = b""
    while True:
        try:
            ready, _, _ = select.select([fd], [], [], timeout)
            data = os.read(fd, 65536) if ready else b""
        except OSError:
            break
        if not data:
            break
        seen += data
    os.waitpid(pid, 0)
    os.close(fd)
    return seen.decode("utf-8", "replace").replace("\r\n", "\n")


def plain(text):
    """Without colours, links, and lines that were wiped out again."""
    text = re.sub(r"[^\n]*\r\033\[K", "", text)
    return re.sub(r"\033\]8;;.*?\033\\|\033\[[0-9;]*[A-Za-z]", "", text)


def write(name, text):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "w", encoding="utf-8") as out:
        out.write(text)
    return name


def end():
    """Tells the counts. Exit status."""
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] or not counts[True] else 0


def run_all(tests, prepare=None):
    """In a folder of its own, which `prepare` may fill. Exit status."""
    if not os.path.exists(GYRE):
        print(f"{GYRE} is not there: run make first")
        return 2
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="gyre-reports-") as where:
        os.chdir(where)
        if prepare:
            prepare()
        for function in tests:
            if wanted and not any(w in function.__name__ for w in wanted):
                continue
            try:
                function()
            except Exception as problem:  # a test that breaks is a test that fails
                check(f"{function.__name__} runs to its end", False, repr(problem))
        os.chdir(ROOT)
    return end()
