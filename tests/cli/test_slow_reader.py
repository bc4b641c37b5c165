#!/usr/bin/env python3
# check: cli: reports that are read slowly; seconds 1
"""Who reads a report slowly changes nothing of it: no limit of time is watched while it is written.

The report is written into a pipe that is too small for it and that nobody reads yet. Once there is
something in it, the thread that watches the limit must be gone; read at last, the report is whole and
the status that of the verdict. Ends with `N passed, N failed`.
"""
import fcntl
import os
import select
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
MODEL = "byte n; active proctype P() { do :: n < 200 -> n++ :: else -> break od; assert(n == 0) }\n"


def check(path, options):
    """What is wrong, or None."""
    argv = [GYRE, path, "--time", "1000", "--exact", "--backend", "vm", "--threads", "1", *options]
    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, 4096)  # while there is nothing in it
    with os.fdopen(reading, "rb") as pipe, \
            subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.DEVNULL) as running:
        os.close(writing)
        select.select([pipe], [], [])
        threads = len(os.listdir(f"/proc/{running.pid}/task"))
        text = pipe.read()
    if len(text) <= 4096:
        return f"{len(text)} bytes: that fits into the pipe"
    if threads != 1:
        return f"{threads} threads while the report is written"
    if running.returncode != 1:
        return f"exit status {running.returncode}"
    if "--json" in options and schema.report(text)["verdict"] != "violated":
        return "another verdict"
    return None


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "long.pml")
        with open(path, "w", encoding="utf-8") as out:
            out.write(MODEL)
        for options in (["--json"], [], ["--all-errors"]):
            wrong = check(path, options)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"{options}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
