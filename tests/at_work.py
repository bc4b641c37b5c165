"""Signals for programs that are at work. How long that takes from their start depends on the machine and
on what else runs there, so nothing here waits for a number of seconds: a program is at work when it hears
signals and has had so much of a processor."""
import glob
import os
import time

PATIENCE = 300  # seconds, for what always comes: only for when something is broken
TICKS = os.sysconf("SC_CLK_TCK")


def until(good, patience=PATIENCE, pause=0.01):
    """Waits until good() is true, and returns what it is then; or what it is in the end."""
    end = time.monotonic() + patience
    while not (found := good()) and time.monotonic() < end:
        time.sleep(pause)
    return found


def processor_time(pid):
    """Seconds that all threads of a process have had, without those of its children."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0  # it has ended
    return (int(fields[11]) + int(fields[12])) / TICKS


def children(pid):
    """Of all its threads."""
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue  # it has ended
        if parent == pid:
            found.append(int(path.split("/")[2]))
    return found


def is_running(pid):
    """There, and not waiting for somebody to take its status."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def masks(pid):
    """Sets of signals, as numbers, by their names in /proc."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            lines = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    except OSError:
        lines = {}  # it has ended
    return {name: int(lines.get(name, "0"), 16) for name in ("SigPnd", "ShdPnd", "SigCgt")}


def has_run(process, number, seconds=0.5):
    """Waits until a program hears a signal and has run for so many seconds of a processor. False: it has ended,
    or never does."""
    until(lambda: process.poll() is not None or (masks(process.pid)["SigCgt"] >> (number - 1) & 1
                                                 and processor_time(process.pid) >= seconds))
    return process.poll() is None


def send(process, number):
    """Sends a signal and waits until it has come: two that come at the same time are one."""
    def come():
        waiting = masks(process.pid)
        return not (waiting["ShdPnd"] | waiting["SigPnd"]) >> (number - 1) & 1

    process.send_signal(number)
    until(come)


def interrupt(process, number, seconds=0.5):
    """Sends a signal to a program that is at work; (what it wrote, what it wrote as errors)."""
    has_run(process, number, seconds)
    process.send_signal(number)
    try:
        return process.communicate(timeout=PATIENCE)
    finally:
        if process.poll() is None:
            process.kill()
