#!/usr/bin/env python3
# check: dist: swarms: verdicts, reports, faults; seconds 8
"""gyre swarm as a user meets it: the examples of the paper, verdicts, counterexamples, reports, options
that are wrong; and faults: workers and managers that are killed, disks that are full, files that are
damaged. Nothing here depends on how long anything takes.

    test_swarm.py [--faults N]      so many runs for each kind of fault (default 3)
"""
import argparse
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "diff"))
from harness import GYRE, ROOT, Result, check, counts, expect, gyre, on_terminal  # noqa: E402
from swarm_compare import Killer, union  # noqa: E402

TRANSFER = os.path.join(ROOT, "bench", "swarm", "transfer.pml")
SMALL = [TRANSFER, "-D", "LINES=2", "-D", "SHORT=1", "-D", "LEN=4", "--backend", "vm"]
DIVIDED = ["--job-states", "1500", "--guide", "sender(0)"]
CELLS = ["--job-states", "4000", "--guide", "none"]  # no part of the guide is smaller than all
EXHAUSTIVE = ["--no-por", "--no-symmetry", "--search", "bfs", "--check", "safety"]

# A beverage machine and a snack machine that have nothing to do with each other: three states each.
MACHINES = """
active proctype beverage() {
    if :: true -> goto coffee :: true -> goto tea fi;
coffee: do :: skip od;
tea: do :: skip od
}
active proctype snack() {
    if :: true -> goto bar :: true -> goto crisps fi;
bar: do :: skip od;
crisps: do :: skip od
}
"""

# A user who wants two drinks, tea (2) or coffee (1) each time, and a machine that has one of each.
DRINKS = """
chan button = [0] of { byte }; chan cup = [0] of { byte };
active proctype user() {
    if :: button!2; cup?2 :: button!1; cup?1 fi;
    if :: button!2; cup?2 :: button!1; cup?1 fi
}
active proctype machine() {
    if :: button?2; cup!2; button?1; cup!1 :: button?1; cup!1; button?2; cup!2 fi
}
"""


def written(folder, text, name="m.pml"):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def states_of_jobs(folder):
    sizes = []
    for name in sorted(glob.glob(os.path.join(folder, "job-*.states"))):
        sizes.append((os.path.getsize(name) - 16) // 8)
    return sizes


def paper(folder):
    """Its examples. Exactly these: nothing is merged or left out of states."""
    path = written(folder, MACHINES)
    exact = ["--exact", "--no-deadlock", "--backend", "vm"]
    everything = gyre(path, *exact, "--json").json["properties"][0]["states"]
    for guide in ("beverage", "snack"):
        there = os.path.join(folder, guide)
        told = gyre("swarm", path, *exact, "--guide", guide, "--stage", "0", "--intervals", "2",
                    "--keep-states", "--dir", there, "--json").json
        sizes = states_of_jobs(there)
        check(f"two traces of the {guide} machine", told["stats"]["swarm"]["traces"] == "2", told["stats"])
        check("each job sees six of the nine states", sizes == [6, 6], sizes)
        check("together they see all", len(union(there)) == 9, union(there))
    check("nine states", everything == 9, everything)
    drinks = written(folder, DRINKS, "drinks.pml")
    there = os.path.join(folder, "drinks")
    told = gyre("swarm", drinks, "--exact", "--no-deadlock", "--guide", "user", "--stage", "0", "--intervals", "4",
                "--workers", "1", "--keep-states", "--dir", there, "--backend", "vm", "--json").json
    swarm = told["stats"]["swarm"]
    check("the user has four traces", swarm["traces"] == "4", swarm)
    check("and there is a verdict", told["verdict"] == "holds", told)
    full = gyre(drinks, "--exact", "--no-deadlock", "--json", "--backend", "vm").json["properties"][0]["states"]
    check("all states of the product", len(union(there)) == full, (len(union(there)), full))


def verdicts(folder):
    for name in ("two_phase_commit", "bank_transfer", "needham_schroeder", "treiber_stack", "broken_mutex",
                 "philosophers", "leader_election"):
        path = os.path.join(ROOT, "examples", name + ".pml")
        full = gyre(path, "--check", "safety", "--json").json["verdict"]
        result = gyre("swarm", path, "--check", "safety", "--json", "--job-states", "3000", "--workers", "2")
        told = result.json
        check(f"{name}: {full}", told["verdict"] == full, result)
        check(f"{name}: status", result.status == {"holds": 0, "violated": 1}[full], result)
        if full == "violated":
            trail = os.path.join(folder, name + ".trail")
            expect(f"{name}: a trail", gyre("swarm", path, "--check", "safety", "--trail", trail, "--job-states", "3000"), 1)
            expect(f"{name}: that can be followed", gyre("replay", path, trail), 1)
    expect("it says so", gyre("swarm", os.path.join(ROOT, "examples", "two_phase_commit.pml")), 0,
           r"holds: .* \(cumulatively exhaustive, \d+ jobs?\)\n")
    # An error behind several cuts: the way is put together from several jobs.
    deep = written(folder, "byte i, x; active proctype G() { do :: i < 40 -> i++ :: else -> break od; assert(x < 3) }"
                           "active proctype P() { do :: x < 5 -> x++ :: x > 0 -> x-- od }", "deep.pml")
    result = gyre("swarm", deep, "--guide", "G", "--stage", "1", "--json", "--workers", "1", "--exact")
    told = result.json
    check("violated behind cuts", told["verdict"] == "violated", result)
    check("many stages", told["stats"]["swarm"]["stages"] > 20, told["stats"])
    expect("by a run-time error at once", gyre("swarm", written(folder, "byte z; init { z = 1 / z }", "z.pml")), 1,
           "division")


def reports(folder):
    result = gyre("swarm", *SMALL, *DIVIDED, "--json", "--workers", "1")
    full = gyre(*SMALL, *EXHAUSTIVE, "--json").json["properties"][0]["states"]
    told = result.json
    swarm = told["stats"]["swarm"]
    check("as many states as an exhaustive search", told["properties"][0]["states"] == full and swarm["exact"], result)
    check("jobs are small", swarm["largest_job_states"] <= 1600 and swarm["jobs"] > 5, swarm)
    check("redundancy", 1 <= swarm["redundancy"] < 2, swarm)
    check("all settled", swarm["settled"] == 1, swarm)
    check("the folder is gone", not os.path.exists(swarm["folder"]), swarm)
    shown = on_terminal("swarm", *SMALL, *DIVIDED, "--workers", "2", timeout=300)
    check("a verdict on a terminal", "cumulatively exhaustive" in shown, shown)
    expect("why these processes", gyre("swarm", *SMALL), 0, r"guide: .*this one divides a sample")


def cells(folder):
    """Processes that go round and round: rounds of jobs, each with some cells of the one part."""
    path = os.path.join(ROOT, "examples", "sliding_window.pml")
    full = gyre(path, *EXHAUSTIVE, "--json").json["properties"][0]["states"]
    for number, more in enumerate((["--workers", "1"], ["--workers", "3"], ["--workers", "2", "--guide", "none"])):
        there = os.path.join(folder, f"cells-{number}")
        result = gyre("swarm", path, "--check", "safety", "--backend", "vm", "--json", "--job-states", "500", "--keep-states",
                      "--dir", there, *more)
        told, swarm = result.json, result.json["stats"]["swarm"]
        check("cells divide the only part", swarm["parts"] == 1 and swarm["divided_parts"] == 1 and swarm["jobs"] > 3, swarm)
        check("no state is visited twice", swarm["visited"] == full and told["properties"][0]["states"] == full, result)
        check("and none is missed", sum(states_of_jobs(there)) == len(union(there)) == full, (states_of_jobs(there), full))
        check("jobs are small", swarm["largest_job_states"] < 520, swarm)
    # A step leads to three states at most; what others have left is read up to the limit too, and no further.
    seeds = written(folder, "byte a, b; active proctype P() { do :: a < 15 -> a++ :: b < 15 -> b++ od }"
                            "active proctype G() { skip; end: do :: a > 15 -> skip od }", "seeds.pml")
    result = gyre("swarm", seeds, "--no-deadlock", "--guide", "G", "--workers", "1", "--job-states", "300", "--backend", "vm", "--json")
    check("seeds are within the limit", result.json["verdict"] == "holds" and
          result.json["stats"]["swarm"]["largest_job_states"] <= 304, result)
    deep = written(folder, "byte x; active proctype P() { do :: x < 60 -> x++ :: x > 0 -> x-- od }"
                           "active proctype Q() { byte y; do :: y = (y + 1) % 5 :: y == 3 && x == 50 -> assert(false) od }",
                   "round.pml")
    trail = os.path.join(folder, "round.trail")
    result = expect("an error behind many rounds", gyre("swarm", deep, "--job-states", "60", "--workers", "1", "--backend", "vm",
                                                        "--trail", trail), 1, "assertion failed")
    expect("with a trail", gyre("replay", deep, trail), 1)
    check("in many rounds", int(re.search(r"(\d+) jobs in", result.out).group(1)) > 4, result)


def options(folder):
    path = os.path.join(ROOT, "examples", "peterson.pml")
    expect("no such process", gyre("swarm", path, "--check", "safety", "--guide", "Nobody"), 2, err="unknown process `Nobody`")
    expect("two models", gyre("swarm", path, path), 2, err="one model")
    expect("standard input", gyre("swarm", "-", stdin="init { skip }"), 2, err="standard input")
    expect("nothing to go on with", gyre("swarm", "--resume", folder + "/none"), 2, err="no swarm in")
    expect("no model", gyre("swarm"), 2, err="needs a model")
    expect("a budget alone", gyre("swarm", path, "--budget", "3"), 2, err="--blind")
    expect("a model with an error", gyre("swarm", written(folder, "init { x = 1 }", "bad.pml")), 2)
    result = expect("too small a job", gyre("swarm", *SMALL, "--job-states", "1", "--guide", "none"), 3,
                    "too large for a job")
    kept = re.search(r"--resume (\S+) to continue it", result.err)
    check("and where it is kept", kept and os.path.exists(os.path.join(kept.group(1), "journal")), result)
    if kept:
        expect("with more it goes on", gyre("swarm", "--resume", kept.group(1), "--job-states", "1000000"), 0,
               "cumulatively exhaustive")
        shutil.rmtree(kept.group(1), ignore_errors=True)
    there = os.path.join(folder, "twice")
    expect("in a folder", gyre("swarm", path, "--check", "safety", "--dir", there), 0)
    expect("twice in a folder", gyre("swarm", path, "--check", "safety", "--dir", there), 2, err="contains a swarm")
    expect("blindly in it", gyre("swarm", path, "--blind", "--budget", "1", "--dir", there), 2, err="contains a swarm")
    expect("go on blindly", gyre("swarm", "--resume", there, "--blind"), 2, err="cannot be resumed")
    expect("done, and asked again", gyre("swarm", "--resume", there), 0, "cumulatively exhaustive")
    changed = written(folder, "byte x; active proctype G() { x = 1; x = 2 }", "changed.pml")
    there = os.path.join(folder, "changed")
    expect("a model", gyre("swarm", changed, "--dir", there), 0)
    written(folder, "byte x; active proctype G() { x = 1; x = 2; assert(x == 1) }", "changed.pml")
    expect("that was changed since", gyre("swarm", "--resume", there), 1, "violated")


def other_options(folder):
    """Answers to another question are no answers."""
    lossy = written(folder, "chan c = [1] of { bit }; active proctype S() { c!1; end: c!1; assert(false) }", "lossy.pml")
    ends = written(folder, "chan c = [1] of { bit }; active proctype S() { c!1 }", "ends.pml")
    for path, option, error in (lossy, "--lossy", "assertion failed"), (ends, "--end-empty", "invalid end state"):
        there = path + ".swarm"
        expect("without " + option, gyre("swarm", path, "--dir", there), 0)
        expect("then with " + option, gyre("swarm", "--resume", there, option), 1, error)
    path = written(folder, "typedef T { bit x }; T t; active proctype P() { t.x = 3; assert(t.x < 2) }", "type.pml")
    there = path + ".swarm"
    expect("a bit", gyre("swarm", path, "--dir", there), 0)
    written(folder, "typedef T { int x }; T t; active proctype P() { t.x = 3; assert(t.x < 2) }", "type.pml")
    expect("that became a number", gyre("swarm", "--resume", there), 1, "assertion failed")


def nothing_again(folder):
    """Feedback takes traces away from jobs that wait. Those that were done since are not done again."""
    test = " ".join(f":: x == {n} -> skip" for n in range(4))
    path = written(folder, f"byte x; active proctype G() {{ if {test} fi; if {test} :: x == 7 -> skip fi;"
                           " if :: x == 0 -> skip :: x == 5 -> skip :: x == 6 -> skip fi }"
                           "active proctype P() { x = 1; x = 2; x = 1; x = 0; x = 3; x = 0 }", "feedback.pml")
    for intervals in range(2, 10):
        there = path + f".{intervals}"
        first = gyre("swarm", path, "--exact", "--no-deadlock", "--guide", "G", "--stage", "0", "--intervals",
                     str(intervals), "--workers", "1", "--dir", there)
        expect(f"{intervals} jobs", first, 0)
        again = expect("again", gyre("swarm", "--resume", there), 0)
        check("none is done again", "done again" not in again.out, again)


def foreign_folders(folder):
    """What is not ours stays as it is."""
    path = written(folder, "init { skip }", "small.pml")
    for name in ("job-0.task", "job-0.answer", "notes"):
        there = os.path.join(folder, "foreign-" + name)
        os.mkdir(there)
        written(there, "precious", name)
        for more in [], ["--blind", "--budget", "1"]:
            expect("a folder with " + name, gyre("swarm", path, "--dir", there, *more), 2, err="is not empty")
        with open(os.path.join(there, name), encoding="utf-8") as file:
            check("it is as it was", file.read() == "precious" and os.listdir(there) == [name], os.listdir(there))
    there = os.path.join(folder, "foreign-journal")
    os.mkdir(there)
    written(there, "dear diary", "journal")
    expect("somebody's journal", gyre("swarm", "--resume", there), 2, err="damaged at its beginning")
    with open(os.path.join(there, "journal"), encoding="utf-8") as file:
        check("which is as it was", file.read() == "dear diary")
    quoted = os.path.join(folder, "it's; $(touch x)")
    os.mkdir(quoted)
    expect("a place with an odd name", gyre("swarm", path, env=dict(os.environ, TMPDIR=quoted)), 0)
    check("where nothing is left", os.listdir(quoted) == [], os.listdir(quoted))


# Counts up to its only error, whose kind is the last of more than any model has.
MANY_ROWS = r"""
#include <gyre/gyre.h>
enum { ROWS = 200, LAST = 40 };
static gy_fault_row rows[ROWS];
static int initial(void *scratch, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    gy_word start = 0;
    return emit(user, &(gy_foreign_step){.state = &start});
}
static int successors(void *scratch, const gy_word *state, gy_foreign_emit *emit, void *user)
{
    (void)scratch;
    gy_word next = *state + 1;
    if (next > LAST + 1)
        return 0;
    return emit(user, &(gy_foreign_step){.state = &next, .fault_row = ROWS, .fault = next == LAST + 1 ? "the last one" : 0});
}
__attribute__((constructor)) static void fill(void)
{
    for (int i = 0; i < ROWS; i++)
        rows[i] = (gy_fault_row){i == ROWS - 1 ? "last-row" : "row", "Row", "Something is wrong.", 0, 0};
}
const struct gy_foreign gyre_system = {.abi = GY_ABI_VERSION, .name = "rows", .words = 1, .initial = initial,
    .successors = successors, .fault_count = ROWS, .faults = rows};
"""


def foreign_faults(folder):
    """A shared object brings what can go wrong: the numbers of its kinds are not those of models."""
    source, path = written(folder, MANY_ROWS, "rows.c"), os.path.join(folder, "rows.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-I", os.path.join(ROOT, "include"), "-o", path, source], check=True)
    result = expect("an error of a kind that no model has", gyre("swarm", path, "--job-states", "10", "--json"), 1)
    found = result.json["properties"][0].get("counterexample", {})
    check("its kind and its path", (found.get("kind"), found.get("length")) == ("last-row", 41), found)


def formulas(folder):
    for name, text in ("ltl", "byte x; ltl p { [] (x < 1) } active proctype G() { x = 1 }"), \
            ("never", "byte x; never { do :: x == 1 -> break :: else od } active proctype G() { x = 1 }"), \
            ("accept", "byte x; active proctype G() { accept: do :: x = 1 - x od }"):
        path = written(folder, text, name + ".pml")
        expect(f"{name}: what is not checked is said", gyre("swarm", path, "--quiet"), 2, err="gyre swarm cannot check")
        expect(f"{name}: and left out if asked", gyre("swarm", path, "--check", "safety"), 0, "cumulatively exhaustive")
        check(f"{name}: nothing holds blindly",
              gyre("swarm", path, "--blind", "--budget", "0.2", "--workers", "1").status == 3)
    expect("liveness alone", gyre("swarm", path, "--check", "liveness"), 2, err="gyre swarm cannot check acceptance")


def blind(folder):
    path = os.path.join(ROOT, "examples", "bank_transfer.pml")
    expect("errors found blindly", gyre("swarm", path, "--blind", "--budget", "60", "--workers", "2", timeout=200), 1,
           "violated")
    big = written(folder, "int x, y; active [3] proctype P() { do :: x++ :: y++ :: x = x - 3 od }", "big.pml")
    expect("as expected", gyre("swarm", path, "--blind", "--budget", "60", "--workers", "1", "--expect", "violated",
                               timeout=200), 0, "violated")
    expect("not as expected", gyre("swarm", path, "--blind", "--budget", "60", "--workers", "1", "--expect", "holds",
                                   timeout=200), 1, "not as expected")
    expect("of a property", gyre("swarm", path, "--blind", "--expect", "safety=holds"), 2, err="one verdict")
    expect("nothing found proves nothing", gyre("swarm", big, "--blind", "--budget", "0.3", "--workers", "1",
                                                timeout=200), 3, "prove nothing")


def blind_files(folder):
    """Each search has files of its own; those of the one that is told are put where they were asked for."""
    path = os.path.join(ROOT, "examples", "bank_transfer.pml")
    names = {kind: os.path.join(folder, "blind." + kind) for kind in ("junit", "html", "sarif", "trail")}
    asked = [word for kind, name in names.items() for word in ("--" + kind, name)]
    for more in [], ["--json"]:
        result = expect("files of a blind swarm", gyre("swarm", path, "--blind", "--budget", "60", "--workers", "3", *asked, *more,
                                                       timeout=200), 1)
        check("are named as asked", names["trail"] in result.out and "gyre-swarm-" not in result.out, result)
        for kind, name in names.items():
            text = open(name, encoding="utf-8").read()
            check(f"{kind}: of one search, whole", text and "gyre-swarm-" not in text and "job-" not in text, text[:500])
            os.rename(name, name + ".before")
    import xml.etree.ElementTree as tree
    suite = tree.parse(names["junit"] + ".before").getroot()
    check("one failure", len(suite.findall(".//failure")) == 1, suite)
    expect("the trail", gyre("replay", path, names["trail"] + ".before"), 1)
    big = written(folder, "int x, y; active [3] proctype P() { do :: x++ :: y++ :: x = x - 3 od }", "big.pml")
    expect("nothing found", gyre("swarm", big, "--blind", "--budget", "0.3", "--workers", "1", *asked, timeout=200), 3)
    check("is told there, too", "inconclusive" in open(names["junit"], encoding="utf-8").read() and
          not os.path.exists(names["trail"]))
    expect("nowhere to write", gyre("swarm", path, "--blind", "--budget", "60", "--workers", "1", "--junit",
                                    os.path.join(folder, "no", "where"), timeout=200), 2, err="cannot write")


def notes(folder):
    """What other searches say beside the verdict."""
    path = written(folder, "byte x; active proctype A() { byte i; do :: i < 3 -> i++ :: else -> break od;"
                           " atomic { x = 1; do :: x = 3 - x od } }", "endless.pml")
    pattern = "atomic"
    expect("an endless atomic sequence, told by one search", gyre(path, "--check", "safety"), 0, pattern)
    expect("and by a swarm", gyre("swarm", path, "--guide", "A", "--stage", "1", "--exact"), 0, pattern)


def says_what_it_leaves_out(folder):
    """71 states with partial-order reduction, more than a thousand without."""
    leader = ("swarm", os.path.join(ROOT, "bench", "models", "leader.pml"), "-D", "N=5", "--dir", os.path.join(folder, "leader"))
    expect("many jobs, and no partial-order reduction", gyre(*leader, "--job-states", "200"), 0, r"\nnote: a swarm uses no partial-order reduction")
    alone = gyre(*leader[:4], "--dir", os.path.join(folder, "leader_alone"))
    check("a few jobs: nothing is said", alone.status == 0 and "partial-order" not in alone.out, alone)


def processes_of(folder):
    found = []
    for name in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(name, "rb") as file:
                words = file.read()
        except OSError:
            continue
        if folder.encode() in words and b"--worker-folder" in words:
            found.append(int(name.split("/")[2]))
    return found


def wait_for(good):
    """Five minutes at least, which is far more than it takes."""
    for _ in range(30000):
        if good():
            return True
        time.sleep(0.01)
    return False


# Adopts what its children leave behind, until nothing is left. Its own environment is not theirs.
ADOPTS = """import ctypes, os, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
subprocess.run(sys.argv[2:], check=True, env=dict(os.environ, GYRE_SWARM_MANAGER=sys.argv[1]))
print("it has ended", flush=True)
try:
    while True:
        os.wait()
except ChildProcessError:
    pass
"""


def too_late(folder, big):
    """A worker whose mpirun was killed between starting it and its first instruction. Its shell has ended when it starts:
    it waits for a file that is written only then. Whoever adopts it then is not taken for mpirun."""
    swarm, go = os.path.join(folder, "late"), os.path.join(folder, "go")
    job = [GYRE, "swarm", big, "--exact", "--job-memory", "4G", "--workers", "1", "--backend", "vm"]
    with subprocess.Popen([*job, "--dir", swarm], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as begun:
        check("a job that takes long", wait_for(lambda: processes_of(swarm)), swarm)
        begun.kill()
    check("killed, its manager leaves none behind", wait_for(lambda: not processes_of(swarm)), swarm)
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        mark = f"{file.read().strip()} {os.getpid()}"
    with subprocess.Popen([sys.executable, "-c", ADOPTS, mark, "sh", "-c",
                           f'(until [ -e "{go}" ]; do sleep 0.01; done; rm "{go}"; exec "$@") >/dev/null 2>&1 &', "sh",
                           *job, "--launcher", "mpi", "--worker-folder", swarm, "--worker-job", "0"], stdout=subprocess.PIPE, text=True) as adopter:
        check("a shell that has ended", adopter.stdout.readline() == "it has ended\n", swarm)
        open(go, "w").close()
        check("a worker", wait_for(lambda: not os.path.exists(go)), swarm)
        check("started too late, it ends", wait_for(lambda: not processes_of(swarm)), processes_of(swarm))
        for pid in processes_of(swarm):
            os.kill(pid, signal.SIGKILL)


def apart(folder):
    """A worker that cannot see who started it, as in a container with processes of its own, is not taken for one that
    was left behind."""
    alone = ["unshare", "--pid", "--fork"]
    if not shutil.which("unshare") or subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        print("left out: no processes of their own can be had here (unshare)")
        return
    there = os.path.join(folder, "apart")
    os.mkdir(there)
    os.chmod(written(there, f'#!/bin/sh\nshift 2\nexec {" ".join(alone)} "$@"\n', "mpirun"), 0o755)
    result = gyre("swarm", *SMALL, *DIVIDED, "--workers", "2", "--launcher", "mpi", "--json", timeout=300,
                  env={**os.environ, "PATH": there + ":" + os.environ["PATH"]})
    check("workers that cannot see who started them", result.status == 0 and result.json["stats"]["swarm"]["failed"] == 0, result)


def launched_by_mpirun(folder):
    """The real ones, as many as there are."""
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    path = os.path.join(ROOT, "examples", "sliding_window.pml")
    full = gyre(path, *EXHAUSTIVE, "--json").json["properties"][0]["states"]
    big = written(folder, "int x, y; active [3] proctype P() { do :: x++ :: y++ :: x = x - 3 od }", "big.pml")
    some = False
    for program in ("mpirun.openmpi", "mpirun.mpich"):
        if not shutil.which(program):
            continue
        some = True
        there = os.path.join(folder, program)
        os.mkdir(there)
        starter = written(there, f'#!/bin/sh\nexec {program} "$@"\n', "mpirun")
        os.chmod(starter, 0o755)
        env = {**os.environ, **allowed, "PATH": there + ":" + os.environ["PATH"]}
        swarm = os.path.join(there, "swarm")
        result = gyre("swarm", path, "--check", "safety", "--backend", "vm", "--job-states", "900", "--workers", "2", "--launcher",
                      "mpi", "--keep-states", "--dir", swarm, "--json", env=env, timeout=300)
        told = result.json
        check(f"{program}: a verdict", told["verdict"] == "holds" and told["properties"][0]["states"] == full, result)
        check(f"{program}: of several jobs, none of which has failed", told["stats"]["swarm"]["jobs"] > 2 and
              told["stats"]["swarm"]["failed"] == 0, told["stats"]["swarm"])
        check(f"{program}: all states", len(union(swarm)) == full, len(union(swarm)))
        for how in (signal.SIGINT, signal.SIGKILL):
            swarm = os.path.join(there, f"ended-{how}")
            run = subprocess.Popen([GYRE, "swarm", big, "--exact", "--job-memory", "4G", "--launcher", "mpi", "--workers",
                                    "1", "--dir", swarm, "--backend", "vm"],
                                   env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            check(f"{program}: a worker", wait_for(lambda: len(processes_of(swarm)) > 1), swarm)
            run.send_signal(how)
            said = run.communicate(timeout=300)[0]
            check(f"{program}: leaves none behind", wait_for(lambda: not processes_of(swarm)), said)
            for pid in processes_of(swarm):
                os.kill(pid, signal.SIGKILL)
    too_late(folder, big)
    apart(folder)
    if not some:
        print("left out: no mpirun is installed (libopenmpi-dev or libmpich-dev)")


# ---- faults -----------------------------------------------------------------------------------------

def manager(rng, folder, *more):
    way = rng.choice((DIVIDED, CELLS))
    return subprocess.Popen([GYRE, "swarm", *SMALL, *way, "--dir", folder, "--json", "--keep-states", *more],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def good_end(name, result, full, folder):
    """The right verdict, with all states."""
    told = json.loads(result.out) if result.out.startswith("{") else None
    check(name, told and told["verdict"] == "holds", result)
    check(f"{name}: all states", len(union(folder)) == full, (len(union(folder)), full))
    if told and told["stats"]["swarm"]["exact"]:
        check(f"{name}: as it says", told["properties"][0]["states"] == full, result)


def killed_workers(rng, folder, full):
    there = os.path.join(folder, "workers")
    run = manager(rng, there, "--workers", str(rng.randint(1, 4)))
    killer = Killer(run.pid, rng.random())
    killer.start()
    out, err = run.communicate(timeout=300)
    killer.over = True
    killer.join()
    good_end("workers were killed", Result(run.returncode, out, err), full, there)
    shutil.rmtree(there, ignore_errors=True)


def killed_manager(rng, folder, full):
    """Killed when the journal has come to some length; what was recorded is not searched again."""
    there = os.path.join(folder, "manager")
    run = manager(rng, there, "--workers", "2")
    wanted, journal = rng.randint(0, 500), os.path.join(there, "journal")
    while run.poll() is None and not (os.path.exists(journal) and os.path.getsize(journal) >= wanted):
        time.sleep(0.001)
    time.sleep(rng.random() * 0.02)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    lines = open(journal, encoding="utf-8").read().split("\n")[:-1] if os.path.exists(journal) else []
    if not lines:
        check("too early: there is no swarm", gyre("swarm", "--resume", there).status == 2)
        shutil.rmtree(there, ignore_errors=True)
        return
    before = {}
    for line in lines[1:]:
        answer = os.path.join(there, f"job-{line.split()[2]}.answer")
        before[answer] = os.stat(answer).st_mtime_ns
    more = ["--workers", str(rng.randint(1, 5))] if rng.random() < 0.5 else []
    good_end("the manager was killed", gyre("swarm", "--resume", there, *more, timeout=300), full, there)
    for answer, when in before.items():
        check("what was done stays done", os.stat(answer).st_mtime_ns == when, answer)
    shutil.rmtree(there, ignore_errors=True)


def broken_files(rng, folder, full):
    """A swarm that has ended, with something cut off or changed: it says so, or does it again."""
    there = os.path.join(folder, "files")
    manager(rng, there, "--workers", "2").communicate()
    names = sorted(os.listdir(there))
    name = rng.choice(["journal"] + [n for n in names if n.endswith((".answer", ".seeds", ".known", ".task"))])
    path = os.path.join(there, name)
    size = os.path.getsize(path)
    with open(path, "r+b") as file:
        if rng.random() < 0.5:
            file.truncate(rng.randrange(size))
        else:
            at = rng.randrange(size)
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ (1 << rng.randrange(8))]))
    result = gyre("swarm", "--resume", there, timeout=300)
    if result.status == 2:
        check(f"{name}: told", "damaged" in result.err or "no swarm" in result.err, result)
    elif name.endswith(".answer") or name == "journal":
        good_end(f"{name} was damaged", result, full, there)
    else:
        told = json.loads(result.out)
        check(f"{name} was damaged", told["verdict"] == "holds" or
              (told["verdict"] == "inconclusive" and result.status == 3), result)
    shutil.rmtree(there, ignore_errors=True)


def lost_seeds(rng, folder, full):
    """Seeds that a running swarm still needs go: their job is done again."""
    there = os.path.join(folder, "seeds")
    run = manager(rng, there, "--workers", "1")
    journal = os.path.join(there, "journal")
    wanted = rng.randint(200, 500)
    while run.poll() is None and not (os.path.exists(journal) and os.path.getsize(journal) >= wanted):
        time.sleep(0.001)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    seeds = sorted(glob.glob(os.path.join(there, "*.seeds")), key=os.path.getmtime)
    if seeds:
        os.truncate(seeds[-1], os.path.getsize(seeds[-1]) // 2)
    good_end("seeds were lost", gyre("swarm", "--resume", there, timeout=300), full, there)
    shutil.rmtree(there, ignore_errors=True)


def full_disk(rng, folder, full):
    there = os.path.join(folder, "disk")
    os.makedirs(there, exist_ok=True)
    kilobytes = rng.choice([16, 32, 48, 64, 96])
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", there],
                                           capture_output=True, check=False).returncode:
        return "small file systems cannot be mounted here"
    try:
        run = manager(rng, os.path.join(there, "s"), "--workers", "2")
        out, err = run.communicate(timeout=300)
        told = json.loads(out) if out else None
        check("a full disk", told and told["verdict"] in ("holds", "inconclusive") and
              (told["verdict"] == "holds" or re.search("No space|cannot write|failed [0-9]+ times", out + err)), out + err)
        if told and told["verdict"] == "inconclusive":
            subprocess.run(["mount", "-o", "remount,size=64m", there], check=True)
            good_end("with more room it goes on", gyre("swarm", "--resume", os.path.join(there, "s"), timeout=300), full,
                     os.path.join(there, "s"))
    finally:
        subprocess.run(["umount", "-l", there], check=False)
    return None


def hanging_worker(rng, folder, full):
    """A worker that is stopped never answers; in time it is ended, and its job is handed out again."""
    there = os.path.join(folder, "hanging")
    run = manager(rng, there, "--workers", "2", "--job-time", "1")
    stopped = None
    while stopped is None and run.poll() is None:
        for pid in processes_of(there):
            try:
                os.kill(pid, signal.SIGSTOP)
                stopped = pid
                break
            except OSError:
                pass
    out, err = run.communicate(timeout=600)
    told = json.loads(out)
    good_end("a worker hung", Result(run.returncode, out, err), full, there)
    check("and was ended", not os.path.exists(f"/proc/{stopped}"), stopped)
    check("its job was handed out again", told["stats"]["swarm"]["failed"] >= 1, told["stats"]["swarm"])
    shutil.rmtree(there, ignore_errors=True)
    return "once is enough"  # it takes a minute


def faults(folder, runs):
    full = gyre(*SMALL, *EXHAUSTIVE, "--json").json["properties"][0]["states"]
    kinds = [killed_workers, killed_manager, broken_files, lost_seeds, full_disk]
    for kind in kinds + [hanging_worker] * (runs >= 10):
        rng = random.Random(kind.__name__)
        for _ in range(runs):
            skipped = kind(rng, folder, full)
            if skipped:
                print(f"left out: {kind.__name__}: {skipped}")
                break


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--faults", type=int, default=3)
    parser.add_argument("--only-faults", action="store_true")
    arguments = parser.parse_args()
    if "libgmp" in gyre("swarm", os.path.join(ROOT, "examples", "peterson.pml")).err:
        check("it says what to install", True)
        print("left out: Gyre was built without libgmp")
    else:
        with tempfile.TemporaryDirectory() as folder:
            for part in () if arguments.only_faults else (
                    paper, verdicts, reports, cells, options, other_options, nothing_again, foreign_folders, foreign_faults, formulas, blind,
                    blind_files, notes, says_what_it_leaves_out, launched_by_mpirun):
                part(folder)
            faults(folder, arguments.faults)
    print(f"{counts[True]} passed, {counts[False]} failed")
    return counts[False] != 0


if __name__ == "__main__":
    sys.exit(main())
