#!/usr/bin/env python3
# check: liveness: searches for cycles that are killed and go on; seconds 12
"""Searches for cycles that are killed and go on: verdicts and figures are those of a run that was left alone.

    test_live_checkpoint.py [--kills N] [--seed N]

kills     SIGKILL and SIGTERM at random moments, for formulas, claims with variables, progress labels, fairness,
          reductions; then one run to the end
limits    the time and the memory limit leave a file to go on from
files     which property has which file, and what is refused
foreign   files that are no checkpoints stay as they are

GYRE names another binary. Ends with `N passed, N failed`.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
SYSTEM = """byte a[3]; byte t;
active [3] proctype P() { byte v;
  do :: a[_pid] < 5 -> a[_pid]++; v = 1 - v
     :: a[_pid] > 0 -> progress: a[_pid]--; t = (t + 1) % 3
  od }
"""
FORMULAS = "ltl f { []<>(t < 3) }\nltl g { [](a[0] == 4 -> <>(a[1] <= 5)) }\n"
CLAIM = "never { byte n; S: do :: a[0] < 7 -> n = (n + 1) % 3 :: a[0] > 7 -> goto accept_T od; accept_T: do :: true od }\n"
# What is asked, and how. Without interruption, figures are those of the same search with a checkpoint that is
# never due: partial order is decided in another way where searches are not written down.
CASES = [
    (FORMULAS, ["--exact"]),
    (FORMULAS, ["--exact", "--fairness", "weak", "--threads", "3"]),
    (FORMULAS, ["--exact", "--fairness", "strong", "--store", "plain"]),
    (FORMULAS, ["--no-slice", "--no-symmetry"]),
    (CLAIM, ["--exact"]),
    ("", ["--exact", "--check", "progress"]),
]
passed = failed = 0


def check(what, good, shown=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAILED: {what}: {shown}")


def start(*arguments, pause="300"):
    return subprocess.Popen([GYRE, "m.pml", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=dict(os.environ, GYRE_CHECKPOINT=pause))


def gyre(*arguments, pause="300"):
    p = start(*arguments, pause=pause)
    out, err = p.communicate(timeout=600)
    return p.returncode, out.decode(), err.decode()


def figures(out):
    return [(p["name"], p["verdict"], p.get("states"), p.get("transitions")) for p in json.loads(out)["properties"]]


def write(text):
    with open("m.pml", "w", encoding="utf-8") as model:
        model.write(text)


def clear():
    for name in os.listdir("."):
        if name.startswith("ck"):
            os.unlink(name)


def there():
    return any(name.startswith("ck") and not name.endswith(".tmp") for name in os.listdir("."))


def kills(count, rng):
    for text, options in CASES:
        write(SYSTEM + text)
        clear()
        options = [*options, *([] if "--check" in options else ["--check", "liveness"]), "--json", "--checkpoint", "ck"]
        status, out, err = gyre(*options)
        check(f"{options}: it comes to an end", status in (0, 1), err)
        whole = figures(out)
        for _ in range(count):
            p = start(*options, *(["--resume", "ck"] if there() else []), pause="0.02")
            try:
                p.wait(rng.uniform(0.02, 0.6))
            except subprocess.TimeoutExpired:
                p.send_signal(signal.SIGKILL if rng.random() < 0.7 else signal.SIGTERM)
            _, err = p.communicate(timeout=600)
            check(f"{options}: nothing is refused", p.returncode != 2, err.decode())
        status, out, err = gyre(*options, *(["--resume", "ck"] if there() else []))
        check(f"{options}: figures after {count} kills", status in (0, 1) and figures(out) == whole,
              (out and figures(out), whole, err))


def limits():
    write(SYSTEM + FORMULAS)
    options = ["--exact", "--check", "liveness", "--ltl", "f", "--json"]
    whole = figures(gyre(*options)[1])
    for name in ("time", "memory"):
        clear()
        for tried in range(12):  # on a slow machine the time may be over before the formula has been read
            limit = ["--time", str(0.01 * 2 ** tried)] if name == "time" else ["--memory", "8M"]
            status, out, err = gyre(*options, *limit, "--checkpoint", "ck")
            if status != 3 or there():
                break
        check(f"{limit}: it is ended and written", status == 3 and there(), (status, out, err))
        status, out, err = gyre(*options, "--resume", "ck")
        check(f"{limit}: it goes on", status == 0 and figures(out) == whole, (status, out, err))


def files():
    write(SYSTEM + FORMULAS)
    clear()
    names = []
    for tried in range(12):  # on a slow machine the time may be over before the last has begun
        status, out, err = gyre("--exact", "--time", str(0.03 * 2 ** tried), "--checkpoint", "ck")
        names = sorted(name for name in os.listdir(".") if name.startswith("ck"))
        if status != 3 or "ck.3" in names:
            break
    check("a file for each search", status == 3 and names[-1] == "ck.3", (names, out, err))
    status, out, err = gyre("--exact", "--check", "liveness", "--ltl", "g", "--resume", "ck.3", "--json")
    check("one of them alone is its own", status == 0, (status, out, err))
    status, out, err = gyre("--exact", "--check", "liveness", "--ltl", "f", "--resume", "ck.3")
    check("another property's is refused", status == 2 and "other options" in err, (status, out, err))
    status, out, err = gyre("--exact", "--check", "liveness", "--ltl", "g", "--fairness", "weak", "--resume", "ck.3")
    check("another fairness is refused", status == 2 and "other options" in err, (status, out, err))
    status, out, err = gyre("--exact", "--resume", "cknot")
    check("files that are not there", status == 2 and "cknot" in err, (status, out, err))
    with open("ck.3", "r+b") as damaged:
        damaged.seek(1000)
        damaged.write(b"?!?!")
    status, out, err = gyre("--exact", "--check", "liveness", "--ltl", "g", "--resume", "ck.3")
    check("a damaged one is refused", status == 2 and "ck.3" in err, (status, out, err))
    clear()
    status, out, err = gyre("--exact", "--check", "liveness", "--ltl", "g", "--cycles", "cndfs", "--checkpoint", "ck", "--json")
    check("who cannot be written down says who can", status == 0 and "not by cndfs" in out + err and
          "components can" in out + err, (status, out, err))


def foreign():
    """What is there and no checkpoint is somebody's; what a kill left behind, and an empty file, are not."""
    write(SYSTEM + FORMULAS)
    for name in ("ck", "ck.tmp", "ck.2", "ck.3", "ck.3.tmp"):
        clear()
        with open(name, "w", encoding="utf-8") as text:
            text.write("somebody's")
        status, out, err = gyre("--exact", "--time", "0.3", "--checkpoint", "ck")
        with open(name, encoding="utf-8", errors="replace") as text:
            kept = text.read() == "somebody's"
        check(f"{name} is not overwritten", status == 2 and kept and f"the file {name} is not a checkpoint" in err, (status, out, err))
    clear()
    for name in ("ck.2", "ck.3.tmp"):
        with open(name, "w", encoding="utf-8"):
            pass
    with open("ck.4", "w", encoding="utf-8") as text:
        text.write("of no property")
    status, out, err = gyre("--exact", "--time", "0.3", "--checkpoint", "ck")
    check("empty files and those of nobody are no obstacle", status in (0, 3), (status, out, err))
    status, out, err = gyre("--exact", "--time", "0.3", "--checkpoint", "ck")
    check("checkpoints are overwritten", status in (0, 3), (status, out, err))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        kills(given.kills, random.Random(given.seed))
        limits()
        files()
        foreign()
        os.chdir(ROOT)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
