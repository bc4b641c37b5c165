#!/usr/bin/env python3
# check: dist: one search over several processes (MPI); seconds 25
"""One search over several processes: mpirun -n N gyre MODEL --mpi.

What is said between ranks is tested by tests/unit/dist/test_ranks.c, in every order; here it is real
processes, over each kind of MPI that is installed, and the command line.

    test_mpi.py [--long [N]]

--long: over a network with a delay; N runs each (50) with a rank killed at a random moment, with a snapshot cut short,
and on a disk that is full.
"""
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
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
LIVE = ["tests/models/liveness/ltl_remote.pml", "tests/models/liveness/ltl_remote.pml", "tests/models/liveness/ltl_several.pml"]
STRONG, COUNTING = "tests/models/liveness/ltl_strong_premises.pml", "tests/models/liveness/never_counts.pml"
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
passed = failed = 0


def check(what, good, detail=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAILED {what} {detail}")


def launchers():
    """{name: command before the program, for so many ranks}"""
    found = {}
    if shutil.which("mpirun.openmpi") and os.path.exists(os.path.join(ROOT, "build/gyre-mpi-openmpi.so")):
        found["Open MPI"] = lambda n: ["mpirun.openmpi", "--oversubscribe", "-q", "-n", str(n)]
    if shutil.which("mpiexec.mpich") and os.path.exists(os.path.join(ROOT, "build/gyre-mpi-mpich.so")):
        found["MPICH"] = lambda n: ["mpiexec.mpich", "-n", str(n)]
    return found


def run(command, env_more=None, **more):
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300, env=dict(ENVIRONMENT, **(env_more or {})), **more)


def told(result):
    try:
        return schema.report(result.stdout)
    except Exception as problem:  # not what the schema says, either
        return {"verdict": f"{problem}: {result.stdout[-300:]} {result.stderr[-500:]}", "properties": []}


def figures(report):
    """What must be the same over any number of ranks."""
    rows = []
    for p in report["properties"]:
        counts = (p["states"], p["transitions"], p["depth"]) if p["verdict"] == "holds" else ()
        ways = [(c["kind"], c["length"]) for c in p.get("counterexamples", [p["counterexample"]] if p.get("counterexample") else [])]
        rows.append((p["name"], p["verdict"], counts, ways))
    return report["verdict"], rows


def compare(model, options, ranks, launcher):
    alone = run([GYRE, model, "--json", *options])
    together = run([*launcher(ranks), GYRE, model, "--mpi", "--json", "--threads", str(1 + ranks % 2), *options])
    report = told(together)
    check(f"{model} {options} on {ranks}: status", alone.returncode == together.returncode,
          f"{alone.returncode} {together.returncode} {together.stderr[-300:]}")
    check(f"{model} {options} on {ranks}", figures(told(alone)) == figures(report),
          f"{figures(told(alone))} {figures(report)}")
    return report


def test_models(name, launcher):
    for ranks, model, options in [
            (2, "examples/peterson.pml", ["--exact", "--check", "safety"]),
            (4, "examples/raft_election.pml", ["--exact", "--check", "safety"]),
            (3, "examples/philosophers.pml", ["--exact", "--check", "safety"]),
            (3, "examples/broken_mutex.pml", ["--exact"]),
            (2, "tests/models/trace/incomplete.pml", ["--exact", "--check", "safety"]),
            (3, "examples/peterson.pml", ["--exact"]),
            (2, "tests/models/liveness/ltl_strong_premises.pml", ["--check", "safety"])]:
        report = compare(model, options, ranks, launcher)
        spread = report.get("stats", {}).get("ranks", {})
        check(f"{name}: {model} tells of ranks", spread.get("count") == ranks, str(report.get("stats")))


def test_neighbours(name, launcher):
    """Many states: most successors stay where they were found, and ranks are even all the same. The counts are Spin's (bench/models/sizes.tsv)."""
    report = told(run([*launcher(4), GYRE, "bench/models/producers.pml", "-DC=2", "-DCAP=3", "--exact", "--check", "safety", "--mpi",
                       "--json", "--threads", "1"]))
    search, ranks = report["properties"][0], report["stats"]["ranks"]
    check(f"{name}: counts of many states", (search["states"], search["transitions"]) == (1637820, 7111369), str(search))
    check(f"{name}: few successors are sent", ranks["sent_states"] < search["transitions"] / 3, str(ranks))
    check(f"{name}: ranks are even", (ranks["states_most"] - ranks["states_fewest"]) * 4 * 20 <= search["states"], str(ranks))


def test_liveness(name, launcher):
    """Verdicts are those of one process; a lasso was run again before it is told."""
    for ranks, model, options in [(3, LIVE[0], []), (2, LIVE[1], ["--fairness", "weak"]), (3, LIVE[2], ["--fairness", "strong"]),
                                  (2, LIVE[0], ["--cycles", "map"]), (3, STRONG, []), (2, COUNTING, [])]:
        alone = told(run([GYRE, model, "--json", *options]))
        together = told(run([*launcher(ranks), GYRE, model, "--mpi", "--json", *options]))
        verdicts = [(p["name"], p["verdict"]) for p in alone["properties"]]
        check(f"{name}: {model} {options}", [(p["name"], p["verdict"]) for p in together["properties"]] == verdicts,
              f"{verdicts} {together}")
    # A premise that one rank has met and another has not.
    premises = run([*launcher(3), GYRE, "tests/models/liveness/ltl_words.pml", "--mpi", "--threads", "1", "--quiet"])
    check(f"{name}: premises", premises.returncode == 0 and "3 properties hold" in premises.stdout, premises.stdout + premises.stderr)
    with tempfile.TemporaryDirectory() as folder:  # most processes never move: marks are for those that do
        path = os.path.join(folder, "many.pml")
        with open(path, "w", encoding="ascii") as file:
            file.write(MANY)
        many = run([*launcher(3), GYRE, path, "--mpi", "--threads", "1", "--check", "liveness", "--fairness", "weak", "--quiet"])
        check(f"{name}: many processes", many.returncode == 1 and "accepting cycle" in many.stdout, many.stdout + many.stderr)


def test_command_line(name, launcher):
    # Rank 0 alone tells.
    text = run([*launcher(3), GYRE, "examples/broken_mutex.pml", "--mpi"])
    check(f"{name}: one report", text.stdout.count("Counterexample: 7 steps") == 1 and text.returncode == 1, text.stdout)
    check(f"{name}: ranks are told", "3 ranks" in text.stdout, text.stdout)
    # What cannot be understood, or cannot be, is told once: by the rank that has it, if only one has.
    for command in [[*launcher(3), GYRE, "examples/peterson.pml", "--mpi", "--bogus"],
                    [*launcher(1), GYRE, "examples/peterson.pml", "--mpi", ":", "-n", "2", GYRE, "examples/peterson.pml", "--mpi", "--bogus"]]:
        bad = run(command)
        check(f"{name}: a wrong command line", bad.returncode == 2 and bad.stderr.count("unknown option `--bogus`") == 1 and not bad.stdout,
              bad.stdout + bad.stderr)
    for options, why in [(["--json", "--events"], "--json and --events cannot be combined"),
                         (["examples/peterson.pml", "--trail", "x"], "--trail supports one model only"),
                         (["--threads", "9999"], "--threads 9999: at most 1024"),
                         (["--search", "dfs"], "--search and --mpi cannot be combined"),
                         (["--store", "bitstate"], "--store tree or --store plain")]:
        bad = run([*launcher(2), GYRE, "examples/peterson.pml", "--mpi", "--check", "safety", *options])
        check(f"{name}: {options}", bad.returncode == 2 and bad.stderr.count(why) == 1, bad.stderr)
    for options, why in [([], "gyre needs a model"), (["-", "-"], "standard input can be used for one model only")]:
        bad = run([*launcher(3), GYRE, *options, "--mpi"], stdin=subprocess.DEVNULL)
        check(f"{name}: {why}", bad.returncode == 2 and bad.stderr.count(why) == 1, bad.stderr)
    one = run([*launcher(2), GYRE, "examples/peterson.pml", "--mpi", ":", "-n", "1", GYRE, "examples/peterson.pml", "--mpi", "--threads", "9999"])
    check(f"{name}: a value that one rank cannot use", one.returncode == 2 and one.stderr.count("rank 2 cannot") == 1, one.stdout + one.stderr)
    wrong = run([*launcher(2), GYRE, "tests/models/rejected/array_parameter.pml", "--mpi"])
    check(f"{name}: a wrong model", wrong.returncode == 2 and wrong.stderr.count("a parameter cannot be an array") == 1, wrong.stderr)
    # A limit of one is the limit of all.
    limit = run([*launcher(2), GYRE, "bench/models/elevator.pml", "--mpi", "--memory", "1M", "--check", "safety"])
    check(f"{name}: --memory", limit.returncode == 3 and "memory limit" in limit.stdout, limit.stdout + limit.stderr)
    command = [GYRE, "bench/models/elevator.pml", "--mpi", "--check", "safety", "--memory"]
    limit = run([*launcher(1), *command, "1G", ":", "-n", "1", *command, "1M"])
    check(f"{name}: --memory of one rank", limit.returncode == 3 and "memory limit of 1.0 MB" in limit.stdout, limit.stdout + limit.stderr)


MANY = """bit x, y;
proctype W() { x == 1 }
proctype V() { y = 1 }
active proctype A() { byte k; do :: k = (k + 1) % 4 od }
init { byte i; atomic { do :: i < 63 -> run W(); i++ :: else -> break od; run V(); i = 0 } }
ltl p { []<> (y == 0) }
"""  # violated, by fairness too; V is the 66th process, and there are 64 marks


def test_refused(name, launcher):
    """What a search over ranks cannot do it does not seem to do."""
    for model, options, why in [(LIVE[0], ["--cycles", "ufscc"], "use --cycles owcty or --cycles map"), (LIVE[0], ["--shortest"], "paths to safety errors only")]:
        bad = run([*launcher(2), GYRE, model, "--mpi", *options])
        check(f"{name}: {options}", bad.returncode == 2 and bad.stderr.count(why) == 1, bad.stdout + bad.stderr)
    # Nothing to hand on: MPICH's launcher may die of input that nobody reads.
    bad = run([*launcher(2), GYRE, "-", "--mpi"], stdin=subprocess.DEVNULL)
    check(f"{name}: standard input", bad.returncode == 2 and "read by rank 0 alone" in bad.stderr, bad.stdout + bad.stderr)


def test_foreign(name, launcher):
    """Files in a folder of snapshots that are none stay as they are: those that would be overwritten are told, others are left alone."""
    model = ["tests/models/liveness/ltl_several.pml", "--exact"]
    own = "0123456789abcdef-0-0-found.states"
    for file in ["manifest", "manifest.tmp", "property-1", "property-1/manifest", "property-1/manifest.tmp", own, own + ".tmp"]:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as text:
                text.write("somebody's")
            result = run([*launcher(2), GYRE, *model, "--mpi", "--checkpoint", folder], env_more={"GYRE_CHECKPOINT": "0.000001"})
            with open(path, encoding="ascii", errors="replace") as text:
                kept = text.read() == "somebody's"
            refused = result.returncode == 2 and result.stderr.count(path) >= 1 and result.stderr.count("cannot write checkpoints") == 1
            check(f"{name}: {file} is somebody's", kept and refused == (own not in file), f"{result.returncode} {result.stdout} {result.stderr}")
    with tempfile.TemporaryDirectory() as folder:  # what a kill left behind goes, and a snapshot is replaced
        for turn in range(2):
            with open(os.path.join(folder, own + ".tmp"), "w", encoding="ascii"):
                pass
            result = run([*launcher(2), GYRE, *model, "--mpi", "--checkpoint", folder], env_more={"GYRE_CHECKPOINT": "0.000001"})
            there = os.listdir(folder)
            check(f"{name}: files of snapshots, {turn}", result.returncode in (0, 1) and "manifest" in there and own + ".tmp" not in there,
                  f"{there} {result.stdout} {result.stderr}")


def test_objects(name, launcher):
    """A shared object is a model over ranks, too; another one is another model, even if its steps have the same names."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"philosophers{i}.so") for i in range(2)]
        for i, path in enumerate(paths):
            subprocess.run(["cc", "-O1", f"-DVARIANT={i}", *(["-g"] if i else []), "-shared", "-fPIC", "-Iinclude", "-o", path,
                            "examples/embed/philosophers.c"], cwd=ROOT, check=True)
        for options in [["--all-errors"], ["--ltl", "[] !(eating0 && eating1)", "--check", "liveness"], ["--ltl", "[]<> eating0", "--check", "liveness"]]:
            alone = told(run([GYRE, paths[0], "--json", *options]))
            together = told(run([*launcher(3), GYRE, paths[0], "--mpi", "--json", *options]))
            verdicts = [[(p["name"], p["verdict"], p["states"] if p["verdict"] == "holds" else 0) for p in r["properties"]] for r in (alone, together)]
            check(f"{name}: a shared object, {options}", verdicts[0] and verdicts[0] == verdicts[1], str(verdicts))
        both = run([*launcher(1), GYRE, paths[0], "--mpi", ":", "-n", "1", GYRE, paths[1], "--mpi"])
        check(f"{name}: two shared objects", both.returncode == 2 and both.stderr.count("different models") == 1, both.stdout + both.stderr)


def test_different(name, launcher):
    """Ranks that were started with other options, or have read something else, do not search together."""
    with tempfile.TemporaryDirectory() as folder:
        ends = []
        for label in ["end1:", "last:"]:  # the same statements, on the same lines
            ends.append(os.path.join(folder, label[:-1] + ".pml"))
            with open(ends[-1], "w", encoding="ascii") as file:
                file.write(f"bit x;\nactive proctype P() {{\n{label} x == 1\n}}\n")
        broken = "examples/broken_mutex.pml"
        for first, second in [([broken], [broken, "--no-assert"]), ([broken], [broken, "--no-por"]),
                              ([broken], [broken, "--checkpoint", folder]), ([ends[0]], [ends[1]]),
                              ([LIVE[0], "--ltl", "safe"], [LIVE[0], "--ltl", "live"])]:
            both = run([*launcher(1), GYRE, *first, "--mpi", ":", "-n", "1", GYRE, *second, "--mpi"])
            check(f"{name}: {first} and {second}", both.returncode == 2 and both.stderr.count("different models") == 1,
                  both.stdout + both.stderr)


def test_other_program(name, launcher):
    """Another build may pack states otherwise. Folders of the same name are not the same on all machines."""
    with tempfile.TemporaryDirectory() as folder:
        other = os.path.join(folder, "gyre")
        shutil.copy(GYRE, other)
        with open(other, "ab") as file:  # behind all that is loaded
            file.write(b"other")
        model = os.path.join(ROOT, "examples/peterson.pml")
        both = run([*launcher(1), GYRE, model, "--mpi", ":", "-n", "1", other, model, "--mpi"],
                   env_more={"GYRE_MPI_DIR": os.path.dirname(GYRE)})
        check(f"{name}: another program", both.returncode == 2 and both.stderr.count("versions of Gyre") == 1, both.stdout + both.stderr)
        places = [os.path.join(folder, place) for place in ("here", "there")]
        for place in places:
            os.mkdir(place)
        command = [GYRE, model, "--mpi", "--checkpoint", "files"]
        both = run([*launcher(1), "-wdir", places[0], *command, ":", "-n", "1", "-wdir", places[1], *command])
        check(f"{name}: folders of the same name", both.returncode == 2 and both.stderr.count("that all machines share") == 1,
              both.stdout + both.stderr)
        check(f"{name}: nothing is left there", not any(os.listdir(os.path.join(place, "files")) for place in places), places)


def descendants(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as children:
            for child in children.read().split():
                found += [int(child), *descendants(child)]
    return found


def ranks_of(pid):
    """Processes of gyre below a launcher."""
    found = []
    try:
        for child in descendants(pid):
            if os.path.basename(os.readlink(f"/proc/{child}/exe")) == "gyre":
                found.append(child)
    except OSError:
        pass
    return found


BIG = ["bench/models/elevator.pml", "-D", "FLOORS=3", "--check", "safety", "--exact", "--backend", "vm", "--json"]
BIG_COUNTS = (287630, 779133)  # as in bench/models/sizes.tsv
# The formula's automaton has one state where it can go on: as many nodes.
BIG_CYCLES = [*BIG[:3], "--check", "liveness", "--ltl", "[]<> (at <= 2)", "--fairness", "weak", *BIG[5:]]
SEARCHES = [BIG, BIG_CYCLES]


def manifest_of(folder, search):
    return os.path.join(folder, "manifest" if search == BIG else "property-0/manifest")


def go_on(what, launcher, ranks, folder, search=None):
    """A search that ended early goes on from its last snapshot, and counts what the whole does."""
    search = search or BIG
    command = [*launcher(ranks), GYRE, *search, "--mpi"]
    if os.path.exists(manifest_of(folder, search)):
        command += ["--resume", folder]
    report = told(run(command))
    counts = [(p["states"], p["transitions"]) for p in report["properties"]]
    check(what, report["verdict"] == "holds" and counts == [BIG_COUNTS], f"{report['verdict']} {counts}")


def interrupt(launcher, ranks, folder, number, delay, seed, search=None):
    """Sends a signal to one rank (SIGKILL) or to the launcher (SIGTERM) once there is a snapshot, or after a while."""
    environment, search = dict(ENVIRONMENT, GYRE_CHECKPOINT="0.02"), search or BIG
    with subprocess.Popen([*launcher(ranks), GYRE, *search, "--mpi", "--threads", "1", "--checkpoint", folder], cwd=ROOT,
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not (os.path.exists(manifest_of(folder, search)) if delay is None
                                              else len(ranks_of(process.pid)) == ranks):
            time.sleep(0.01)
        time.sleep(delay or 0)
        if number == signal.SIGTERM:
            process.terminate()
        else:
            alive = ranks_of(process.pid)
            if alive:
                try:
                    os.kill(alive[seed % len(alive)], number)
                except OSError:
                    pass  # it has ended
        out, err = process.communicate(timeout=300)
        return process.returncode, out, err


def test_interrupted(name, launcher):
    with tempfile.TemporaryDirectory() as folder:
        status, out, _ = interrupt(launcher, 2, folder, signal.SIGKILL, None, 1)
        check(f"{name}: no verdict with a rank killed, unless it was done", status != 0 or '"holds"' in out, out)
        go_on(f"{name}: a rank was killed", launcher, 3, folder)
    with tempfile.TemporaryDirectory() as folder:
        status, out, err = interrupt(launcher, 3, folder, signal.SIGTERM, None, 0)
        if out.startswith("{"):  # MPICH's launcher may end first, and with status 0
            check(f"{name}: SIGTERM", json.loads(out)["verdict"] in ("holds", "inconclusive"), f"{status} {out} {err[-300:]}")
        go_on(f"{name}: it was ended", launcher, 2, folder)


def kill_at_random(name, launcher, dice, n):
    with tempfile.TemporaryDirectory() as folder:
        ranks, search = dice.choice([2, 3, 4]), SEARCHES[n % len(SEARCHES)]
        status, out, err = interrupt(launcher, ranks, folder, signal.SIGKILL, dice.random() * 3, dice.randrange(100), search)
        check(f"{name}: killed at random, {n}: no verdict, unless it was done", status != 0 or '"holds"' in out, f"{status} {out[-300:]} {err[-300:]}")
        go_on(f"{name}: killed at random, {n}", launcher, dice.choice([1, 2, 4]), folder, search)


def cut_at_random(name, launcher, dice, folder, n, search):
    files = [os.path.join(where, file) for where, _, found in os.walk(folder) for file in found]
    path = dice.choice(sorted(files))
    with open(path, "rb") as file:
        whole = file.read()
    os.truncate(path, dice.randrange(len(whole)))
    bad = run([*launcher(dice.choice([1, 2, 3])), GYRE, *search, "--mpi", "--resume", folder])
    check(f"{name}: {path} cut short, {n}", bad.returncode == 2 and told(bad)["verdict"] == "error" and folder in bad.stdout + bad.stderr,
          bad.stdout[-300:] + bad.stderr[-300:])
    with open(path, "wb") as mended:
        mended.write(whole)


def fill_disk(name, launcher, dice, n):
    """The search goes on without, and says so; what there was before is whole. False: it cannot be tried here."""
    search = SEARCHES[n % len(SEARCHES)]
    with tempfile.TemporaryDirectory() as folder:
        size = f"size={dice.randrange(4, 300)}k"
        if subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", folder], check=False).returncode:
            print("no full disk was tried: a file system cannot be mounted here")
            return False
        try:
            full = subprocess.run([*launcher(dice.choice([2, 3])), GYRE, *search, "--mpi", "--threads", "1", "--checkpoint", folder],
                                  capture_output=True, text=True, cwd=ROOT, env=dict(ENVIRONMENT, GYRE_CHECKPOINT="0.02"), timeout=300)
            check(f"{name}: full disk, {n}", told(full)["verdict"] == "holds" and "No space left" in full.stdout + full.stderr,
                  full.stdout[-500:] + full.stderr[-300:])
            go_on(f"{name}: what there was before the disk was full, {n}", launcher, 2, folder, search)
        finally:
            subprocess.run(["umount", folder], check=True)
    return True


# Holds back what is written to a network by a millisecond.
DELAY = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
static void hold(int fd)
{
    struct sockaddr_storage to;
    socklen_t n = sizeof to;
    if (!getpeername(fd, (struct sockaddr *)&to, &n) && (to.ss_family == AF_INET || to.ss_family == AF_INET6))
        nanosleep(&(struct timespec){0, 1000000}, 0);
}
#define DELAYED(name, declared, given) \\
    ssize_t name declared { hold(fd); return ((ssize_t(*) declared)dlsym(RTLD_NEXT, #name)) given; }
DELAYED(writev, (int fd, const struct iovec *parts, int n), (fd, parts, n))
DELAYED(send, (int fd, const void *bytes, size_t n, int flags), (fd, bytes, n, flags))
DELAYED(sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
"""


def test_delayed():
    """For --long, Open MPI over TCP: counts do not depend on when messages come."""
    with tempfile.TemporaryDirectory() as folder:
        source, delay = os.path.join(folder, "delay.c"), os.path.join(folder, "delay.so")
        with open(source, "w", encoding="ascii") as file:
            file.write(DELAY)
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", delay, source, "-ldl"], check=True)
        for search in [*SEARCHES, ["examples/raft_election.pml", "--check", "safety", "--json"]]:
            alone = told(run([GYRE, *search]))
            expected = [(p["verdict"], p["states"], p["transitions"]) for p in alone["properties"]]
            for ranks in (1, 2, 4, 8):
                report = told(run(["mpirun.openmpi", "--oversubscribe", "-q", "--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "-x",
                                   f"LD_PRELOAD={delay}", "-n", str(ranks), GYRE, *search, "--mpi", "--threads", "1"]))
                counts = [(p["verdict"], p["states"], p["transitions"]) for p in report["properties"]]
                check(f"{search} on {ranks}, delayed", counts == expected, f"{report['verdict']} {counts} {expected}")
                print(f"delayed, {ranks} ranks: {counts}", flush=True)


def test_many_faults(found, count):
    """For --long. Kinds of MPI take turns."""
    dice, kinds = random.Random(7), list(found.items())
    for n in range(count):
        kill_at_random(*kinds[n % len(kinds)], dice, n)
        print(f"killed {n + 1}: {passed} passed, {failed} failed", flush=True)
    for search in SEARCHES:
        with tempfile.TemporaryDirectory() as folder:
            interrupt(kinds[0][1], 2, folder, signal.SIGTERM, None, 0, search)
            for n in range(count // len(SEARCHES)):
                cut_at_random(*kinds[n % len(kinds)], dice, folder, n, search)
            go_on("as it was before it was cut short", kinds[0][1], 2, folder, search)
        print(f"cut short: {passed} passed, {failed} failed", flush=True)
    for n in range(count):
        if not fill_disk(*kinds[n % len(kinds)], dice, n):
            break
        print(f"full {n + 1}: {passed} passed, {failed} failed", flush=True)


def test_alone():
    one = run([GYRE, "examples/peterson.pml", "--mpi", "--check", "safety", "--json", "--exact"])
    check("without mpirun", told(one)["stats"]["ranks"]["count"] == 1 and one.returncode == 0, one.stderr)
    srun = subprocess.run([GYRE, "examples/peterson.pml", "--mpi"], capture_output=True, text=True, cwd=ROOT, timeout=300,
                          env=dict(ENVIRONMENT, SLURM_STEP_NUM_TASKS="2"))
    check("srun without MPI", srun.returncode == 2 and "do not know of each other" in srun.stderr, srun.stdout)
    with tempfile.TemporaryDirectory() as folder:  # a program without the objects beside it
        lonely = os.path.join(folder, "gyre")
        shutil.copy(GYRE, lonely)
        for variable, package in [("OMPI_COMM_WORLD_SIZE", "libopenmpi-dev"), ("PMI_SIZE", "libmpich-dev")]:
            environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI", "PMI"))}
            environment[variable] = "1"
            result = subprocess.run([lonely, "examples/peterson.pml", "--mpi"], capture_output=True, text=True, cwd=ROOT,
                                    env=environment, timeout=300)
            check(f"without {package}", result.returncode == 2 and f"install {package}" in result.stderr, result.stderr)
        for name, launcher in launchers().items():  # told once on a machine
            result = run([*launcher(3), lonely, "examples/peterson.pml", "--mpi"])
            check(f"without {name}", result.returncode == 2 and result.stderr.count("and rebuild Gyre") == 1, result.stderr)


def test_alone_with_cycles():
    """A single rank looks for cycles as a search without ranks does, unless its checkpoints are to be those of ranks."""
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "rounds.pml")
        with open(model, "w", encoding="utf-8") as out:
            out.write("byte x[3]; active [3] proctype P() { do :: x[_pid] < 4 -> x[_pid]++ :: x[_pid] == 4 -> x[_pid] = 0 od }\n"
                      "ltl l { [] <> (x[0] == 3) }\n")
        asked = [GYRE, model, "--check", "liveness", "--fairness", "weak", "--json"]
        plain, alone, kept = (json.loads(run([*asked, *more]).stdout)["properties"][0]
                              for more in ([], ["--mpi"], ["--mpi", "--checkpoint", os.path.join(folder, "checkpoint")]))
    check("alone: the same search for cycles", plain == {**alone, "seconds": plain.get("seconds")}, (plain, alone))
    check("alone: that of ranks with a checkpoint", kept["cycles"] == "owcty" and kept["verdict"] == plain["verdict"], kept)


def test_endless():
    """What was noticed before a snapshot is told by the search that goes on from it."""
    with tempfile.TemporaryDirectory() as folder:
        path, files = os.path.join(folder, "endless.pml"), os.path.join(folder, "files")
        with open(path, "w", encoding="ascii") as file:
            file.write("short n;\nactive proctype A() { bit b; if :: atomic { n == 0 -> do :: b = 1 - b od } :: n == 0 fi }\n"
                       "active proctype B() { do :: n < 3000 -> n++ :: n == 3000 -> break od }\n")
        command = [GYRE, path, "--exact", "--no-deadlock", "--mpi", "--threads", "1"]
        subprocess.run([*command, "--checkpoint", files], capture_output=True, cwd=ROOT, timeout=300, check=False,
                       env=dict(ENVIRONMENT, GYRE_CHECKPOINT="0.000001"))
        rest = run([*command, "--resume", files])
        check("a snapshot remembers endless loops", rest.returncode == 0 and "never ends" in rest.stdout + rest.stderr,
              rest.stdout + rest.stderr)


def test_file_limit():
    """A file that may not grow is as good as a full disk."""
    with tempfile.TemporaryDirectory() as folder:
        command = [GYRE, *BIG, "--mpi", "--threads", "1", "--checkpoint", folder]
        result = run(["sh", "-c", 'ulimit -f 8; exec "$@" 2>&1', "sh", *command], env_more={"GYRE_CHECKPOINT": "0.000001"})
        check("a limit of files", result.returncode == 0 and "File too large" in result.stdout, result.stdout + result.stderr)


def main():
    found = launchers()
    test_alone()
    test_alone_with_cycles()
    test_file_limit()
    test_endless()
    for name, launcher in found.items():
        test_models(name, launcher)
        if name == list(found)[0]:
            test_neighbours(name, launcher)
        test_liveness(name, launcher)
        test_command_line(name, launcher)
        test_refused(name, launcher)
        test_different(name, launcher)
        test_other_program(name, launcher)
        if name == list(found)[-1]:  # the quicker one
            test_foreign(name, launcher)
        test_objects(name, launcher)
        test_interrupted(name, launcher)
    if found and "--long" in sys.argv:
        if "Open MPI" in found:
            test_delayed()
        test_many_faults(found, int(sys.argv[2]) if len(sys.argv) > 2 else 50)
    if not found:
        print("no MPI is installed (libopenmpi-dev or libmpich-dev): ranks as processes were not tested")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
