#!/usr/bin/env python3
# check: search: states on disk; seconds 10
"""--disk: states on disk change no answer, and what goes wrong with the disk is told.

    test_disk.py [--long] [--count N]

Models and random programs are verified in memory and with a memory that has room for a few states only
(--disk-states), so that they leave it after every few steps: verdict, states, transitions and levels
must be the same, with one thread and with two; where there is an error, also the length of a shortest
counterexample, and the number of errors. GYRE names another binary. Ends with `N passed, N failed`.
"""
import argparse
import glob
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "tests/diff")]
import generate  # noqa: E402
import schema  # noqa: E402

# Holds; 1,048,576 states and more: 20 bits, each of which may be set at any time.
BITS = """bit b[20];
active proctype P() { end: do :: b[0] == 0 -> b[0] = 1 %s od }
""" % " ".join(f":: b[{i}] == 0 -> b[{i}] = 1" for i in range(1, 20))
# Each of three counts to 30. Fails where all have got there.
COUNTERS = """byte n[3];
active [3] proctype P() { do :: d_step { n[_pid] < 30 -> n[_pid]++ } :: n[0] + n[1] + n[2] == 90 -> %s od }
"""

MOST = 5000  # states of a program: with one of them in memory, every state costs a pass over all

passed = failed = used = 0


def check(what, good, *why):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAILED", what, *why)


def gyre(model, *options, **how):
    return subprocess.run([GYRE, model, *options], capture_output=True, text=True, cwd=ROOT, timeout=300, **how)


def report(model, *options, **how):
    """What is told of a search for errors, or None: the model is not for it."""
    done = gyre(model, "--json", "--check", "safety", "--no-por", *options, **how)
    try:
        return schema.report(done.stdout)
    except json.JSONDecodeError:
        return {"verdict": f"no report: status {done.returncode}", "stderr": done.stderr}


def length(told):
    return [(p["counterexample"]["shortest"], p["counterexample"]["length"]) for p in told.get("properties", ())]


def counts(told):
    if len(told.get("properties", ())) != 1:
        return told
    return tuple(told["properties"][0][name] for name in ("verdict", "states", "transitions", "depth"))


def compare(model, folder, sizes, threads):
    """In memory and on disk. False: it is not for that."""
    global used
    whole = report(model, "--threads", "1")
    if whole["verdict"] not in ("holds", "violated") or counts(whole)[1] > MOST:
        return False
    tiny = ["--disk", folder, "--disk-states"]
    for size in sizes:
        for n in threads:
            told = report(model, *tiny, str(size), "--threads", str(n))
            used += "disk" in told.get("stats", {})
            # Up to an error, what was seen depends on the order.
            same = counts if whole["verdict"] == "holds" else lambda r: r["verdict"]
            check(f"{model}, {size} states in memory, {n} threads", same(told) == same(whole), same(told), same(whole))
    if whole["verdict"] == "violated":
        size = str(sizes[-1])
        near, far = (report(model, "--shortest", *o) for o in ((), (*tiny, size)))
        check(f"{model}: a shortest counterexample", length(near) == length(far), length(near), length(far))
        near, far = (report(model, "--all-errors", *o) for o in ((), (*tiny, size)))
        check(f"{model}: all errors", counts(near) == counts(far), counts(near), counts(far))
    return True


def test_models(folder, every):
    for model in sorted(glob.glob(os.path.join(ROOT, "tests/models/*/*.pml")))[::every]:
        if "/rejected/" not in model:
            compare(os.path.relpath(model, ROOT), folder, (3, 50), (1, 2))


def test_random(folder, count):
    for seed in range(count):
        with tempfile.NamedTemporaryFile("w", suffix=".pml", dir="/tmp") as file:
            file.write(generate.program(seed))
            file.flush()
            compare(file.name, folder, (1 + seed % 7, 40), (1 + seed % 2,))


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def test_figures(folder, work):
    """States, and bytes, as they must be: counted by hand."""
    model = write(work, "counters.pml", COUNTERS % "assert(false)")
    told = report(model, "--exact", "--disk", folder, "--disk-states", "1000", "--all-errors")
    # 31 * 31 * 31, and seven in which some are about to fail
    check("an error behind all states", counts(told)[:2] == ("violated", 29798), counts(told))
    disk = told["stats"]["disk"]
    check("how often", disk["emptied"] >= 31, disk)
    check("bytes", disk["states"] <= 29798 and disk["bytes"] % 8192 == 0 and disk["written_bytes"] >= disk["bytes"] > 0, disk)
    text = gyre(model, "--exact", "--disk", folder, "--disk-states", "1000", "--verbose").stdout
    check("the plan tells", "when memory is full, states are moved there" in text and "states on disk in" in text, text)
    check("its reason", "--disk: it must look up states that may be on disk" in gyre(model, "--disk", folder, "--verbose").stdout)
    told = report(model, "--disk", folder)
    check("what fits into memory stays there", "disk" not in told["stats"], told["stats"])
    check("nothing is left", os.listdir(folder) == ["gyre-other"], os.listdir(folder))


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_faults(folder, work):
    model = write(work, "counters.pml", COUNTERS % "skip")
    for where, why in (("/nowhere/at/all", "No such file or directory"), (write(work, "file", ""), "Not a directory"), ("", "")):
        done = gyre(model, "--disk", where)
        check(f"--disk {where}", done.returncode == 2 and "--disk" in done.stderr and why in done.stderr, done.stderr)
    for option in (["--search", "dfs"], ["--store", "plain"], ["--depth", "9"], ["--reduce", "stubborn"], ["--mpi"],
                   ["--checkpoint", os.path.join(work, "c")], ["--resume", os.path.join(work, "c")], ["--cover"],
                   ["--check-reduction"], ["--backend", "cuda"]):
        done = gyre(model, "--disk", folder, *option)
        check(f"--disk with {option[0]}", done.returncode == 2 and f"{option[0]} and --disk cannot be combined" in done.stderr.replace(
            " cuda", ""), done)
    for formula in (["--ltl", "[] (n[0] < 31)"], ["--check", "safety", "--ef", "n[0] == 31"]):
        done = gyre(model, "--disk", folder, *formula)
        check("--disk with a formula", done.returncode == 2 and "or drop --disk" in done.stderr, done)
    done = gyre(model, "--disk", folder, "--disk-states", "1000", preexec_fn=limit_files)
    check("a full disk", done.returncode == 3 and "File too large" in done.stdout and folder in done.stdout, done)
    large = write(work, "bits.pml", BITS)
    done = gyre(large, "--disk", folder, "--disk-states", "5000", "--time", "0.3", "--exact")
    check("a time limit", done.returncode == 3 and "time limit" in done.stdout, done)
    done = gyre(large, "--disk", folder, "--memory", "1M", "--exact")
    check("a memory limit that leaves nothing", done.returncode == 3 and "memory limit" in done.stdout, done)
    done = gyre(os.path.join(ROOT, "bench", "models", "producers.pml"), "-DC=2", "-DCAP=6", "--exact", "--memory", "14M")
    check("who runs out of memory is told of it", done.returncode == 3 and "--disk DIR" in done.stdout, done)


# 9 * 10^7 states: more than there is room for.
LARGE = """
byte a[6];
active [6] proctype P() { do :: a[_pid] < 20 -> a[_pid]++ :: a[_pid] >= 20 -> a[_pid] = 0 od }
active proctype M() { assert(!(a[0] == 12 && a[1] == 12 && a[2] == 10 && a[3] == 10 && a[4] == 6 && a[5] == 6)) }
"""


def test_limit(folder, work):
    """Each thread has memory of its own, which no table knows of."""
    path = write(work, "large.pml", LARGE)
    for threads in ("8", "16"):
        done = gyre(path, "--disk", folder, "--memory", "60M", "--threads", threads, "--exact", "--time", "20", "--json")
        stats = json.loads(done.stdout)["stats"]
        check(f"the memory limit holds with {threads} threads", stats["memory_bytes"] <= 60e6 and "disk" in stats, stats)


def test_waiting(folder):
    """States that wait are in a file when memory is short, those too that the check of a reduction puts aside."""
    lamport = os.path.join(ROOT, "bench", "models", "lamport.pml")
    done = gyre(lamport, "-DN=6", "--check", "safety", "--store", "bitstate", "--bitstate-size", "4M", "--memory", "20M",
                "--threads", "2", "--time", "15", "--json")
    stats = json.loads(done.stdout)["stats"]
    # A fast machine comes to the end of what the table lets through.
    check("a queue does not fill memory", stats["limit"] in ("time", "lossy") and stats["memory_bytes"] <= 20e6, stats)
    done = gyre(lamport, "-DN=6", "--check", "safety", "--store", "bitstate", "--memory", "9M", "--threads", "2", "--time", "60")
    check("where memory is too small, the advice is about what fills it", done.returncode == 3 and
          re.search(r"hint: give the pending states more memory, .*[0-9.]+% of the bits of the table were set", done.stdout), done)
    for options, said in (([], True), (["--no-por"], False), (["--exact"], False)):
        done = gyre(lamport, "-DN=4", "--check", "safety", "--disk", folder, *options)
        check(f"a large search on disk says that it does not reduce {options}", ("--disk disables partial-order" in done.stdout) == said,
              done)


def has_file(pid, folder):
    try:
        return any(os.readlink(f"/proc/{pid}/fd/{n}").startswith(folder + "/") for n in os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return False


def test_signals(folder, work):
    """Ended from outside while there are files: none has a name."""
    large = write(work, "bits.pml", BITS)
    for number, status in ((signal.SIGINT, 3), (signal.SIGTERM, 3), (signal.SIGKILL, -9)):
        child = subprocess.Popen([GYRE, large, "--exact", "--disk", folder, "--disk-states", "2000"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(6000):
            if has_file(child.pid, folder) or child.poll() is not None:
                break
            time.sleep(0.01)
        child.send_signal(number)
        out = child.communicate(timeout=300)[0]
        check(f"signal {number}", child.returncode == status, child.returncode, out)
        check(f"signal {number} leaves nothing behind", os.listdir(folder) == ["gyre-other"], os.listdir(folder))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--count", type=int, default=None)
    o = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as work:
        write(folder, "gyre-other", "somebody else's")
        test_figures(folder, work)
        test_faults(folder, work)
        test_signals(folder, work)
        test_limit(folder, work)
        test_waiting(folder)
        test_models(folder, 1 if o.long else 15)
        test_random(folder, o.count or (1000 if o.long else 40))
        check("states did go to disk", used > 20, used)
        with open(os.path.join(folder, "gyre-other")) as file:
            check("what others have there stays", file.read() == "somebody else's")
    print(f"{passed} passed, {failed} failed ({used} searches used the disk)")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
