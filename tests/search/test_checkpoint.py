#!/usr/bin/env python3
# check: search: searches for errors that are stopped and go on; seconds 30
"""Searches for errors that are stopped and go on: figures are those of a run that was left alone.

    test_checkpoint.py [--all] [GROUP]…

kills     SIGKILL and SIGTERM after a checkpoint was written: searches, stores, reductions, arrays and channels
addresses  C memory that has addresses of other C memory: in the process that goes on, it is somewhere else
limits    --memory and --time leave a file to go on from
ranks     the same over MPI ranks (with --all)
bad       files that are cut short, damaged, or of another model are refused
Without --all, a sample of the combinations. (Every place to stop in is tried by tests/unit/search/test_checkpoint_resume.c.)

GYRE names another binary. Ends with `N passed, N failed`.
"""
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import groups  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
ALL = "--all" in sys.argv
MODELS = {
    "arrays": """byte c[3]; active [3] proctype C() {
end: do :: c[_pid - 0] < 12 -> c[_pid - 0]++ :: c[_pid - 0] > 3 -> c[_pid - 0] = 0 od }
""",
    "channels": """mtype = { data, ack }; chan up[2] = [2] of { mtype, byte }; chan down = [0] of { byte }; byte got[2];
active [2] proctype S() { byte k; do :: up[_pid]!data,k; k = (k + 1) % 6 :: down?eval(_pid); up[_pid]!ack,0 od }
active proctype R() { byte v; do :: up[0]?data,v; got[0] = v :: up[1]?data,v; got[1] = v
:: up[0]?ack,_ :: up[1]?ack,_ :: down!0 :: down!1 od }
""",
    "processes": """byte n; bit used; chan q = [2] of { byte }; proctype W(byte k) { byte i;
do :: i < 9 -> i++ :: i == 9 -> break od; atomic { !used -> used = 1 }; n++; used = 0; q!i + k }
init { byte x, k; run W(1); run W(1); run W(1); run W(1);
do :: k < 4 -> q?x; k++ :: k == 4 -> break od; assert(n == 4 && x == 10) }
""",
}
SEARCHES = ["bfs", "dfs", None]
STORES = ["tree", "plain", "compact", "bitstate", "automaton"]
REDUCTIONS = [["--exact"], [], ["--no-por"], ["--no-symmetry"], ["--no-merge", "--no-symmetry"]]
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def start(model, *arguments, pause=300, before=()):
    return subprocess.Popen([*before, GYRE, model, "--json", *arguments], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=dict(ENVIRONMENT, GYRE_CHECKPOINT=str(pause)))


def end(process):
    out, err = process.communicate(timeout=600)
    try:
        return process.returncode, json.loads(out), err.decode()
    except ValueError:
        return process.returncode, None, out.decode() + err.decode()


def gyre(model, *arguments, **more):
    return end(start(model, *arguments, **more))


def figures(report):
    return [(p["name"], p["verdict"], p.get("states"), p.get("transitions"), p.get("depth"))
            for p in report["properties"]]


def clear():
    for name in os.listdir("."):
        if name.startswith("ck"):
            shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)


def wait_for_file(process, name):
    """True: it is there, or the search is over."""
    for _ in range(60000):
        if os.path.exists(name) or process.poll() is not None:
            return True
        time.sleep(0.005)
    return False


def put_down_and_go_on(model, arguments, how):
    """Killed after each of three checkpoints, then left alone."""
    resume = []
    for _ in range(3):
        if os.path.exists("ck") and resume:
            shutil.copy("ck", "ck.from")
            os.unlink("ck")
            resume = ["--resume", "ck.from"]
        process = start(model, *arguments, "--checkpoint", "ck", *resume, pause=1e-6)
        if not wait_for_file(process, "ck"):
            process.kill()
            return None, "no checkpoint was ever written"
        if process.poll() is None:
            process.send_signal(how)
        status, report, told = end(process)
        if status in (2, 4):
            return None, told
        if report and report["verdict"] != "inconclusive":
            return report, told
        if os.path.exists("ck"):
            resume = ["--resume", "ck"]
    status, report, told = gyre(model, *arguments, "--checkpoint", "ck", *resume)
    return report, told


def compare(arguments, whole, report, told):
    if report is None:
        return [f"{' '.join(arguments)}: {told.strip()}"]
    if figures(report) != figures(whole):
        return [f"{' '.join(arguments)}: {figures(report)}, uninterrupted {figures(whole)}"]
    return []


def kills():
    cases = list(itertools.product(MODELS, SEARCHES, STORES, range(len(REDUCTIONS)), (signal.SIGKILL, signal.SIGTERM)))
    if not ALL:
        cases = random.Random(7).sample(cases, 14)
    for name, search, store, reduction, how in cases:
        # Where a store gives states back once, who comes first decides with several threads.
        threads = "2" if store in ("tree", "plain") else "1"
        arguments = ["--store", store, "--threads", threads, "--bitstate-size", "1M", *REDUCTIONS[reduction]]
        arguments += ["--search", search] if search else []
        clear()
        _, whole, told = gyre(name + ".pml", *arguments, "--checkpoint", "ck")
        clear()
        if whole is None:
            yield name, [f"{' '.join(arguments)}: {told}"]
            continue
        report, told = put_down_and_go_on(name + ".pml", arguments, how)
        yield name, compare([how.name, *arguments], whole, report, told)
        clear()


# Spin: no error, 22,767 states, 64,293 transitions.
ADDRESSES = """c_code { int ring[2]; int *at; }
c_track "at" "sizeof(int)" c_track "&at" "sizeof(int *)" c_track "ring" "2 * sizeof(int)"
c_state "int *first" "Global" "ring"
byte n[3];
init { c_code { at = &ring[1]; }; run C(0); run C(1); run C(2) }
proctype C(byte me) { do :: n[me] < 12 -> n[me]++
:: n[me] == 12 -> c_code [at == &ring[1] && now.first == ring] { *at = 1; }; break od }
"""


def addresses():
    for search, store, backend in (("bfs", "tree", "auto"), ("dfs", "plain", "vm")):
        arguments = ["--exact", "--search", search, "--store", store, "--backend", backend, "--threads", "1"]
        clear()
        report, told = put_down_and_go_on("addresses.pml", arguments, signal.SIGKILL)
        found = figures(report)[0][1:4] if report else told
        yield search, [] if found == ("holds", 22767, 64293) else [f"{arguments}: {found}"]
    clear()
    with open("heap.pml", "w", encoding="utf-8") as file:
        file.write('c_code { int *at; } c_track "at" "sizeof(int)" c_track "&at" "sizeof(int *)"\n'
                   "init { c_code { at = malloc(sizeof(int)); *at = 1; } }\n")
    status, _, told = gyre("heap.pml", "--checkpoint", "ck")
    yield "memory from malloc", [] if status == 2 and "`malloc`" in told else [f"{status}: {told}"]


BIG = """byte c[3]; active [3] proctype C() {
end: do :: c[_pid - 0] < 34 -> c[_pid - 0]++ :: c[_pid - 0] > 3 -> c[_pid - 0] = 0 od }
"""


def limits():
    """Stopped by memory, with more of it each time, and left alone in the end; by the time, which may be enough."""
    cases = list(itertools.product(["bfs", "dfs"], ["tree", "plain", "compact", "automaton"], [["--exact"], []]))
    for search, store, reduction in cases if ALL else [c for c in cases if c[1] in ("tree", "plain")]:
        if search == "dfs" and not ALL:
            continue
        arguments = ["--search", search, "--store", store, "--threads", "2" if store in ("tree", "plain") else "1",
                     *reduction]
        clear()
        _, whole, _ = gyre("big.pml", *arguments, "--checkpoint", "ck")
        clear()
        status, report, told = gyre("big.pml", *arguments, "--checkpoint", "ck", "--memory", "12M")
        wrong = []
        if status != 3 or report["properties"][0]["reason"]["code"] != "memory":
            wrong.append(f"--memory 12M: status {status}, {told}")
        if not os.path.exists("ck"):
            wrong.append(f"{' '.join(arguments)}: no file was left at --memory")
        else:
            _, report, told = gyre("big.pml", *arguments, "--resume", "ck")
            wrong += compare(arguments, whole, report, told)
        yield "memory", wrong
    clear()
    arguments = ["--threads", "1"]
    _, whole, _ = gyre("big.pml", *arguments, "--checkpoint", "ck")
    clear()
    gyre("big.pml", *arguments, "--checkpoint", "ck", "--time", "0.5")
    resume = ["--resume", "ck"] if os.path.exists("ck") else []
    _, report, told = gyre("big.pml", *arguments, *resume)
    yield "time", compare(arguments, whole, report, told)


def ranks():
    if not ALL or not shutil.which("mpirun.openmpi") or not os.path.exists(os.path.join(ROOT, "build/gyre-mpi-openmpi.so")):
        return
    for name, reduction in itertools.product(MODELS, [["--exact"], []]):
        arguments = ["--mpi", "--threads", "1", *reduction]
        before = ["mpirun.openmpi", "--oversubscribe", "-q", "-n", "2"]
        clear()
        _, whole, told = gyre(name + ".pml", *arguments, before=before)
        gyre(name + ".pml", *arguments, "--checkpoint", "ck", pause=1e-6, before=before)
        if not os.path.exists("ck/manifest"):
            yield name, ["not a checkpoint"]
            continue
        _, report, told = gyre(name + ".pml", *arguments, "--resume", "ck", before=before)
        if reduction:  # states that must be expanded fully may be others
            yield name, [] if report and report["verdict"] == whole["verdict"] else [told]
        else:
            yield name, compare(arguments, whole, report, told)
    clear()


def bad():
    for name, arguments in itertools.product(MODELS, (["--search", "dfs"], [], ["--exact", "--store", "compact"])):
        clear()
        gyre(name + ".pml", "--threads", "1", "--checkpoint", "ck", *arguments, pause=1e-6)
        with open("ck", "rb") as file:
            good = file.read()
        chance = random.Random(len(good))
        wrong = []
        for what in ("cut", "flip", "model") * (10 if ALL else 2):
            at = chance.randrange(len(good))
            bytes_there = good
            if what == "cut":
                bytes_there = good[:at]
            elif what == "flip":
                bytes_there = good[:at] + bytes([good[at] ^ 1 << chance.randrange(8)]) + good[at + 1:]
            with open("ck.bad", "wb") as file:
                file.write(bytes_there)
            model = "big.pml" if what == "model" else name + ".pml"
            status, _, told = gyre(model, "--threads", "1", "--resume", "ck.bad", *arguments)
            if status != 2 or "ck.bad" not in told:
                wrong.append(f"{what} at {at}: status {status}: {told}")
        yield name, wrong
    clear()


def main():
    sys.argv = [a for a in sys.argv if a != "--all"]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in [*MODELS.items(), ("big", BIG), ("addresses", ADDRESSES)]:
            with open(name + ".pml", "w", encoding="utf-8") as file:
                file.write(text)
        status = groups.run([kills, addresses, limits, ranks, bad])
        os.chdir("/")
    return status


if __name__ == "__main__":
    sys.exit(main())
