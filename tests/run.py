#!/usr/bin/env python3
"""Runs the test suite and ends with one line: N passed, N failed.

    tests/run.py                everything but the long runs
    tests/run.py unit cli       only the groups named (and the builds that they need)
    tests/run.py --quick        a sample: what one runs before every commit
    tests/run.py --long         only the long runs: many more random programs, longer fuzzing
    tests/run.py --times        also says how much processor time each check took

Checks of all groups run side by side, one on each processor, the longest first. Each runs in a
process of its own; its output is kept and shown, in one piece, if it fails.

A script says in its head (`# check:`, see `declared`) under which names it runs here; those with arguments are listed below.
"""
import argparse
import glob
import os
import re
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORES = os.cpu_count() or 1


PIPELINES = ("CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "TF_BUILD", "TEAMCITY_VERSION")


class Check:
    """A command, what it needs to be built, and how its output is to be read."""

    def __init__(self, group, name, command, read, needs=("gcc",), seconds=10, timeout=1500, env=None):
        self.group, self.name, self.command, self.read = group, name, command, read
        self.needs, self.seconds, self.timeout = set(needs), seconds, timeout
        # Checks run beside each other, so none of them need be parallel in itself.
        # What says that this is a pipeline changes what the program prints: tests that want it set it themselves.
        here = {name: value for name, value in os.environ.items() if name not in PIPELINES}
        self.env = dict(here, GYRE_TEST_JOBS="1", **(env or {}))
        self.makes = None       # for a build: which
        self.cores = 1
        self.results = []       # (name, passed, output)
        self.processor_time = 0


# ---- how to read what a check says: a list of (name, passed, output) ----------------------


def by_status(check, status, output):
    return [(check.name, status == 0, output)]


def by_count(check, status, output):
    """The last 'N passed, N failed' line counts as that many checks."""
    found = re.findall(r"^(\d+) passed, (\d+) failed", output, re.M)
    skipped = re.findall(r"^skipped: (.+)", output, re.M)
    for reason in skipped:
        print(f"skipped: {check.group}: {check.name}: {reason}")
    if skipped and not status and found and set(found[-1]) == {"0"}:
        return [(check.name, True, "")]  # what all of it needs is not there
    if not found:
        return [(check.name, False, output)]
    passed, failed = map(int, found[-1])
    results = [(check.name, True, "")] * passed
    if failed or status != 0 or not passed:
        results += [(check.name, False, output)] + [(check.name, False, "")] * max(0, failed - 1)
    return results


def by_unit_tests(check, status, output):
    """cmocka's exit status is the number of tests that failed: what a group takes down behind them may fail beside
    it, and a program that ends in the midst of a test has a status of its own."""
    passed = re.findall(r"\[\s*OK\s*\] (\S+)", output)
    failed = re.findall(r"\[\s*(?:FAILED|ERROR)\s*\]", output)
    results = [(f"{check.name}: {name}", True, "") for name in passed]
    ended = set(passed + re.findall(r"\[\s*SKIPPED\s*\] (\S+)", output))
    if status != 0 or failed or not passed or set(re.findall(r"\[\s*RUN\s*\] (\S+)", output)) - ended:
        results.append((check.name, False, output))
    return results


# ---- the checks ------------------------------------------------------------------------------

CC = os.environ.get("CC", "gcc")
TSAN_PROGRAMS = ["test_team", "test_vm_threads", "test_native", "test_state_layout", "test_node_table",
                 "test_cleary", "test_signatures", "test_store", "test_reach", "test_space", "test_space_packed", "test_verify",
                 "test_hunt"]
# Kinds of build: arguments of make, and about how long it takes on one processor.
BUILDS = {
    "gcc": (["all", "unit", "tools", "man", "html", "CC=" + CC], 100),
    # By the other compiler: what it warns of and how it computes is tested along with memory.
    "sanitize": (["SANITIZE=1", "BUILD=build/sanitize-clang", "build/sanitize-clang/gyre", "unit", "CC=clang"], 180),
    "tsan": (["TSAN=1", "build/tsan/gyre", *["build/tsan/unit/" + program for program in TSAN_PROGRAMS]], 90),
    "fuzz": (["-f", "tests/fuzz/Makefile"], 50),
    # Only for long runs.
    "clang": (["BUILD=build/clang", "build/clang/gyre", "unit", "CC=clang", "OPT=-O2"], 100),
    "sanitize-gcc": (["SANITIZE=1", "build/sanitize/gyre", "unit", "CC=gcc"], 120),
}


def build_check(kind):
    arguments, seconds = BUILDS[kind]
    alone = kind == "gcc"  # nearly everything waits for it
    command = ["make", "-j" + str(CORES if alone else 1), "--no-print-directory", *arguments]
    check = Check("build", f"build: {kind}", command, by_status, needs=() if alone else ("gcc",),
                  seconds=seconds + 1000, timeout=1800)
    check.makes, check.cores = kind, CORES if alone else 1
    return check


# Scripts by their names: in which folder one is says what it tests, and need not be said again here.
PATHS = sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "tests/**/*.py"), recursive=True))
SCRIPTS = {os.path.basename(path): path for path in PATHS}


def script(group, name, path, *arguments, read=by_count, **more):
    file = SCRIPTS[path] if "/" not in path else "tests/" + path
    return Check(group, name, [sys.executable, file, *arguments], read, **more)


HEAD = re.compile(r"# check: (\w+): ([^;]+)((?:; [^;]+)*)$")


def declared(text):
    """What the head of a script says, each line one check without arguments: (group, name, {word: value}).

        # check: GROUP: NAME[; seconds N][; by status][; without a build][; quick]

    Seconds: of one processor, about; long ones begin early. By status: the script prints no counts. Quick: it is part of
    the sample, too."""
    for line in text.splitlines():
        found = HEAD.match(line)
        if found:
            words = [word.strip() for word in found.group(3).split(";") if word.strip()]
            yield found.group(1), found.group(2), {
                word.split()[0] if word.startswith("seconds ") else word: word.split()[-1] for word in words}
        elif not line.startswith("#"):
            return


def declared_checks(quick=False):
    for path in PATHS:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            heads = list(declared(file.read()))
        for group, name, words in heads:
            unknown = set(words) - {"seconds", "by status", "without a build", "quick"}
            if unknown:
                raise ValueError(f"{path}: {', '.join(sorted(unknown))}")
            if quick and "quick" not in words:
                continue
            yield Check(group, name, [sys.executable, path], by_status if "by status" in words else by_count,
                        needs=() if "without a build" in words else ("gcc",), seconds=int(words.get("seconds", 10)))


def forgotten():
    """Scripts named test_*.py that nothing runs."""
    run = {word for check in (*quick_checks(), *all_checks(), *long_checks()) for word in check.command}
    by_hand = {"test_deb.py", "test_oracle.py"}  # in a fresh Debian; a helper of tests/diff
    tests = [path for path in PATHS if os.path.basename(path).startswith("test_")]
    return [path for path in tests if os.path.basename(path) not in by_hand and path not in run]


def units(group, kind, folder, programs=None, seconds=2, env=None):
    """Each program is a check of its own. Some take long: they begin early."""
    slow = {"test_ranks": 8, "test_rank_cycles": 7, "test_reach": 6, "test_checkpoint_resume": 5, "test_search": 5, "test_native": 5, "test_checkpoint": 4, "test_space": 4,
            "test_foreign": 3, "test_hunt": 3, "test_store": 3, "test_cleary": 3, "test_numbered": 3}
    for program in sorted(os.path.basename(path)[:-2] for path in glob.glob(os.path.join(ROOT, "tests/unit/*/test_*.c"))):
        if programs is None or program in programs:
            yield Check(group, program, [f"{folder}/{program}"], by_unit_tests, needs=(kind,),
                        seconds=seconds * slow.get(program, 1), timeout=900, env=env)


def fuzz_targets():
    return sorted(os.path.basename(path)[len("fuzz_"):-2]
                  for path in glob.glob(os.path.join(ROOT, "tests/fuzz/fuzz_*.c")))


def fuzzing(seconds, runs=None):
    """`runs`: at most so many inputs for each target, the same ones every time."""
    for target in fuzz_targets():
        most = [str(runs.get(target, 2000))] if runs is not None else []
        yield Check("fuzz", f"fuzz: {target}", ["sh", "tests/fuzz/run.sh", target, str(seconds), *most],
                    by_status, needs=("fuzz",), seconds=10 if runs else seconds, timeout=seconds + 300)


def quick_checks():
    """Two minutes: build, unit tests, command line, and a sample of the rest."""
    yield from declared_checks(quick=True)
    yield from units("unit", "gcc", "build/unit", env={"GYRE_TEST_SAMPLE": "8"})
    yield script("models", "models", "test_models.py", "--quick", seconds=30)
    yield script("reduce", "Cartesian reduction", "test_cartesian.py")
    yield script("diff", "C memory against Spin", "diff/compare.py", "--gyre", "build/gyre",
                 "--embedded", "--count", "12", read=by_status, seconds=6)
    yield script("diff", "random programs against Spin", "diff/compare.py", "--gyre", "build/gyre",
                 "--count", "5", "--seed", "1", read=by_status)


def all_checks():
    yield from declared_checks()
    yield from units("unit", "gcc", "build/unit")
    yield script("cli", "calls of spin and pan, line by line: a sample", "diff/spin_calls.py", "--sample", seconds=20)
    yield script("dve", "random DVE models converted to Promela", "diff/dve_convert.py", "--count", "60",
                 "--spin", "2", seconds=10)
    yield script("dve", "DVE models of the tests converted to Promela", "diff/dve_convert.py",
                 *sorted(glob.glob(os.path.join(ROOT, "tests/dve/models/*.dve"))), seconds=5)
    yield script("liveness", "random systems and formulas against brute force",
                 "diff/brute_compare.py", seconds=5)
    yield script("liveness", "random fairness against brute force", "diff/fair_compare.py",
                 read=by_status, seconds=5)
    yield script("liveness", "what is enabled between statements, executed by the test", "diff/enabling_compare.py",
                 "--count", "120", seconds=12)
    yield script("reduce", "what is possible because something else is not, executed by the test",
                 "diff/enabling_compare.py", "--safety", "--seed", "100", "--count", "60", seconds=8)
    yield script("liveness", "fairness of more than 64 processes against brute force", "diff/fair_compare.py",
                 "--wide", "--count", "12", read=by_status, seconds=10)
    yield script("liveness", "fairness beside claims that assign against brute force", "diff/fair_compare.py",
                 "--claims", "--count", "80", read=by_status, seconds=10)
    yield script("liveness", "symmetry and random formulas", "diff/symmetry_live.py", "--count", "15", seconds=15)
    yield script("liveness", "random never claims, formulas and progress labels against Spin",
                 "diff/live_compare.py", "--modes", "a,c,v,l,t,f,s", read=by_status, seconds=20)
    yield script("diff", "hidden variables and C in steps against Spin", "diff/compare.py", "--gyre", "build/gyre",
                 "--steps", "--count", "12", read=by_status, seconds=3)
    yield script("diff", "random programs against Spin", "diff/compare.py", "--gyre", "build/gyre",
                 "--count", "100", "--seed", "1", read=by_status, seconds=6)
    yield script("diff", "several errors in one step against Spin", "diff/compare.py", "--gyre", "build/gyre",
                 "--faults", "--count", "15", read=by_status, seconds=4)
    yield script("diff", "programs with priorities against Spin", "diff/compare.py", "--gyre",
                 "build/gyre", "--priorities", "--count", "12", "--seed", "1", read=by_status, seconds=15)
    yield script("diff", "programs with an else in the middle against Spin", "diff/compare.py", "--gyre",
                 "build/gyre", "--elses", "--count", "12", "--seed", "1", read=by_status, seconds=15)
    yield script("diff", "random programs: native code against the virtual machine",
                 "diff/native_compare.py", "--count", "200", read=by_status, seconds=4)
    yield script("diff", "random programs with and without partial-order reduction",
                 "diff/por_compare.py", "--count", "2000", read=by_status, seconds=7)
    yield script("dist", "the jobs of swarms see every state together, random programs",
                 "diff/swarm_compare.py", "--count", "5", seconds=8)
    yield script("device", "formulas on a device, against the virtual machine", "diff/device_ltl.py", "--count", "6",
                 read=by_status, seconds=8)
    yield script("device", "a device's kernels, as plain C, against the virtual machine",
                 "diff/device_compare.py", "--count", "6", read=by_status, seconds=15)
    yield script("device", "reductions on a device, against the virtual machine's", "diff/device_compare.py",
                 "--reduced", "--count", "4", read=by_status, seconds=10)
    yield script("reduce", "states and answers of trace covers, random programs",
                 "diff/cover_compare.py", "--count", "100", seconds=20)
    yield script("reduce", "reductions change no answer", "diff/reduce_compare.py", "--count", "75", seconds=15)
    yield script("reduce", "features side by side, by default and exactly", "diff/soak.py", "--makers", "mix,mixlive",
                 "--count", "24", "--spin", "3", seconds=8)
    yield script("reduce", "compiled code with partial-order reduction, against exact searches",
                 "diff/por_native_compare.py", "--count", "30", seconds=10)
    yield script("reduce", "reductions change no answer on the test models",
                 "diff/reduce_compare.py", "--models", seconds=36)
    yield script("reduce", "symmetry changes no answer", "diff/symmetry_compare.py", "--count", "100", seconds=10)
    yield script("reduce", "reduced models: native code against the virtual machine",
                 "diff/native_compare.py", "--models", read=by_status, seconds=5)
    yield script("accept", "shipped examples of Spin", "diff/accept.py", "--shipped", seconds=12)
    yield script("shipped", "exact counts of Spin's examples", "diff/shipped_counts.py", seconds=15)
    yield script("formulas", "formulas against Spin and on random words", "diff/ltl_compare.py", "--all",
                 read=by_status, seconds=20)
    yield from sanitized()
    yield from units("tsan", "tsan", "build/tsan/unit", TSAN_PROGRAMS, seconds=5, env={"GYRE_TEST_SAMPLE": "4"})
    yield script("tsan", "models (thread sanitizer)", "test_tsan.py", needs=("gcc", "tsan"), seconds=12)
    yield from fuzzing(200, {"checkpoint": 250, "format": 1000, "lower": 1000, "swarm": 150, "trail": 50000})


def sanitized():
    # Memory that was freed stays forbidden until 32 MB more were; with the usual 256, half of the time
    # of some tests is spent on getting fresh pages.
    # Every model is searched by every engine without them; with them, some are.
    env = {"ASAN_OPTIONS": "detect_leaks=1:quarantine_size_mb=32", "GYRE": "build/sanitize-clang/gyre",
           "GYRE_TEST_SAMPLE": "4"}
    more = {"needs": ("gcc", "sanitize"), "env": env}
    yield from units("sanitize", "sanitize", "build/sanitize-clang/unit", seconds=4, env=env)
    yield script("sanitize", "command line (sanitizers)", "cli/test_cli.py", seconds=50, **more)
    yield script("sanitize", "models (sanitizers)", "test_models.py", "--quick", seconds=12, **more)
    hostile = dict(env, GYRE_HOSTILE="1")
    yield script("sanitize", "models (sanitizers, hostile tables)", "test_models.py", "--quick", seconds=14,
                 needs=("gcc", "sanitize"), env=hostile)
    yield script("sanitize", "liveness (sanitizers)", "test_liveness.py", seconds=45, **more)
    yield script("sanitize", "counterexamples of liveness (sanitizers)", "test_lassos.py", seconds=20, **more)


def long_checks():
    """Hours if need be: for the night, or before a release."""
    seed = str(int(time.time()) // 86400)  # other programs every day, the same ones all day
    for name, path, arguments in (
            ("random programs against Spin", "diff/compare.py",
             ["--gyre", "build/gyre", "--count", "1000", "--seed", seed]),
            ("several errors in one step against Spin", "diff/compare.py",
             ["--gyre", "build/gyre", "--faults", "--count", "1000", "--seed", seed]),
            ("programs with priorities against Spin", "diff/compare.py",
             ["--gyre", "build/gyre", "--priorities", "--count", "300", "--seed", seed]),
            ("programs with an else in the middle against Spin", "diff/compare.py",
             ["--gyre", "build/gyre", "--elses", "--count", "300", "--seed", seed]),
            ("random programs: native code against the virtual machine", "diff/native_compare.py",
             ["--count", "3000"]),
            ("random programs with and without partial-order reduction", "diff/por_compare.py",
             ["--count", "20000"]),
            ("random programs about values, with and without partial-order reduction", "diff/por_compare.py",
             ["--values", "--count", "10000"]),
            ("compiled code with partial-order reduction, against exact searches", "diff/por_native_compare.py",
             ["--count", "5000", "--seed", seed]),
            ("random never claims, formulas and progress labels against Spin", "diff/live_compare.py",
             ["--modes", "a,c,v,l,t,f,s", "--count", "600", "--seed", seed]),
            ("what is enabled between statements, executed by the test", "diff/enabling_compare.py",
             ["--count", "20000", "--seed", seed + "00000", "--spin", "20"]),
            ("what is possible because something else is not, executed by the test", "diff/enabling_compare.py",
             ["--safety", "--count", "5000", "--seed", seed + "00000"]),
            ("reductions change no answer", "diff/reduce_compare.py", ["--count", "3000", "--seed", seed]),
            ("programs of all kinds, by default and exactly", "diff/soak.py",
             ["--count", "20000", "--spin", "16", "--seed", seed + "00000"]),
            ("symmetry changes no answer", "diff/symmetry_compare.py", ["--count", "4000", "--seed", seed]),
            ("exclusive channels (xr, xs) beside Spin", "test_exclusive.py", ["--count", "4000", "--seed", seed]),
            ("states on disk, all models, many random programs", "test_disk.py", ["--long"]),
            ("a thousand edits in the language server", "test_lsp.py", ["--long"]),
            ("the jobs of swarms see every state together", "diff/swarm_compare.py", ["--count", "500", "--seed", seed]),
            ("swarms on Slurm", "test_slurm.py", []),
            ("swarms: fifty faults of each kind", "test_swarm.py", ["--only-faults", "--faults", "50"]),
            ("every model over ranks and by one process", "diff/mpi_compare.py", ["--exact"]),
            ("random formulas and claims over ranks and by one process", "diff/mpi_live.py", ["--count", "200", "--seed", seed]),
            ("searches over ranks: faults, and a delay", "test_mpi.py", ["--long", "50"]),
            ("200 calls of spin and pan, line by line", "diff/spin_calls.py", []),
            ("searches for errors that are stopped and go on: all", "test_checkpoint.py", ["--all"]),
            ("every error within --depth", "test_depth.py", ["--count", "2000", "--seed", seed]),
            ("random DVE models converted to Promela", "diff/dve_convert.py",
             ["--count", "2000", "--seed", seed, "--spin", "100"])):
        yield script("long", name, path, *arguments, read=by_status, seconds=2000, timeout=14400)
    yield script("long", "models (sanitizers)", "test_models.py", needs=("gcc", "sanitize"), seconds=1500,
                 timeout=14400, env={"ASAN_OPTIONS": "detect_leaks=1", "GYRE": "build/sanitize-clang/gyre"})
    for kind, folder in (("sanitize", "build/sanitize-clang"), ("tsan", "build/tsan")):
        yield script("long", f"language server ({kind})", "test_lsp.py", needs=("gcc", kind), seconds=300,
                     timeout=14400, env={"GYRE": f"{folder}/gyre"})
    yield Check("long", "searches for cycles: a thousand schedules (tsan)",
                ["build/tsan/unit/test_space", "schedules", "1000", seed], by_unit_tests, needs=("tsan",),
                seconds=1500, timeout=14400)
    yield Check("long", "every search, stopped at many states, goes on to the same figures",
                ["build/unit/test_checkpoint_resume"], by_unit_tests, seconds=60, timeout=14400, env={"GYRE_TEST_SAMPLE": "1"})
    yield from units("clang", "clang", "build/clang/unit")
    yield from units("sanitize-gcc", "sanitize-gcc", "build/sanitize/unit", seconds=4)
    yield from units("tsan", "tsan", "build/tsan/unit", TSAN_PROGRAMS, seconds=5)
    yield from fuzzing(600)


# ---- running them -------------------------------------------------------------------------------


def excerpt(output):
    """What failed, with what was said about it, if the check marks that; else the end."""
    lines = output.splitlines()
    marked = [i for i, line in enumerate(lines) if line.startswith("FAIL")]
    shown = sorted({k for i in marked for k in range(i, i + 4) if k < len(lines)})
    return [lines[k] for k in shown[:80]] if marked else lines[-60:]


class Runner:
    """Hands checks to threads, longest first, as soon as what they need is built."""

    def __init__(self, checks, show_times):
        self.waiting = sorted(checks, key=lambda check: -check.seconds)
        self.left = {}  # checks that are not done, by group
        for check in checks:
            self.left.setdefault(check.group, []).append(check)
        self.show_times = show_times
        self.built, self.broken = set(), set()
        self.free = CORES
        self.changed = threading.Condition()
        self.running = set()
        self.passed = self.failed = 0

    def next_check(self):
        """One that can begin now, or None."""
        for check in self.waiting:
            if check.needs & self.broken:
                return check  # will be told as not run
            if check.needs <= self.built and check.cores <= self.free:
                return check
        return None

    def execute(self, check):
        begin = time.time()
        process = subprocess.Popen(check.command, cwd=ROOT, env=check.env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.running.add(process.pid)
        late = threading.Event()

        def stop():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(check.timeout, stop)
        timer.start()
        output = process.stdout.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        self.running.discard(process.pid)
        if late.is_set():
            output += f"\n(stopped after {time.time() - begin:.0f} s)"
        check.processor_time = usage.ru_utime + usage.ru_stime
        return check.read(check, process.returncode, output)

    def work(self, check):
        try:
            results = self.execute(check)
        except OSError as problem:
            results = [(check.name, False, f"{check.command[0]}: {problem}")]
        with self.changed:
            self.finish(check, results)
            self.free += check.cores
            self.changed.notify()

    def finish(self, check, results):
        check.results = results
        good = all(ok for _, ok, _ in results)
        if check.makes:
            (self.built if good else self.broken).add(check.makes)
        for name, ok, output in results:
            if not ok:
                print(f"FAILED: {check.group}: {name}")
                for line in excerpt(output):
                    print("    " + line)
        if self.show_times:
            print(f"    {check.processor_time:7.1f} s  {check.group}: {check.name}")
        group = self.left[check.group]
        if all(c.results for c in group):
            counts = [ok for c in group for _, ok, _ in c.results]
            seconds = sum(c.processor_time for c in group)
            print(f"{check.group}: {counts.count(True)} passed, {counts.count(False)} failed ({seconds:.0f} s)")
            self.passed += counts.count(True)
            self.failed += counts.count(False)
        sys.stdout.flush()

    def run(self):
        with self.changed:
            while self.waiting or self.free < CORES:
                check = self.next_check()
                if check is None:
                    self.changed.wait()
                    continue
                self.waiting.remove(check)
                missing = check.needs & self.broken
                if missing:
                    self.finish(check, [(check.name, False, f"not run: the {min(missing)} build failed")])
                    continue
                self.free -= check.cores
                threading.Thread(target=self.work, args=(check,), daemon=True).start()

    def stop(self):
        for pid in list(self.running):
            os.killpg(pid, signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--times", action="store_true")
    given = parser.parse_args()
    checks = list(quick_checks() if given.quick else long_checks() if given.long else all_checks())
    unknown = set(given.groups) - {check.group for check in checks} - {"build"}
    if unknown:
        parser.error("no such group: " + ", ".join(sorted(unknown)))
    if given.groups:
        checks = [check for check in checks if check.group in given.groups]
    kinds = set().union(*[check.needs for check in checks], {"gcc"})
    checks += [build_check(kind) for kind in BUILDS if kind in kinds]
    begin = time.time()
    runner = Runner(checks, given.times)
    try:
        runner.run()
    except KeyboardInterrupt:
        runner.stop()
        print("stopped")
        return 130
    seconds = sum(check.processor_time for check in checks)
    print(f"({time.time() - begin:.0f} s; {seconds:.0f} s of processor time)")
    print(f"{runner.passed} passed, {runner.failed} failed")
    return 1 if runner.failed or not runner.passed else 0


if __name__ == "__main__":
    sys.exit(main())
