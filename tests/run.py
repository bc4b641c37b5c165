#!/usr/bin/env python3
"""Runs the whole test suite and ends with one line: N passed, N failed.

    tests/run.py            everything
    tests/run.py unit cli   only the groups named

Each group yields (name, passed, output). Output is shown for what failed.
"""
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
JOBS = str(os.cpu_count() or 1)


def run(command, timeout=1200, env=None, **extra):
    """(status, output) of a command run from the root; a time-out is status 124."""
    environment = dict(os.environ, **(env or {}))
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, timeout=timeout,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, **extra)
    except subprocess.TimeoutExpired as late:
        return 124, (late.stdout or b"").decode(errors="replace") + "\n(time-out)"
    return done.returncode, done.stdout.decode(errors="replace")


def make(*arguments):
    return run(["make", "-j" + JOBS, "--no-print-directory", *arguments])


def check_command(name, command, timeout=1200, env=None):
    status, output = run(command, timeout, env)
    return name, status == 0, output


def counted(name, command, timeout=1200, env=None):
    """A command whose last 'N passed, N failed' line counts as that many checks."""
    status, output = run(command, timeout, env)
    found = re.findall(r"^(\d+) passed, (\d+) failed", output, re.M)
    if not found:
        return [(name, False, output)]
    passed, failed = map(int, found[-1])
    results = [(name, True, "")] * passed
    if failed or status != 0:
        results += [(name, False, output)] + [(name, False, "")] * max(0, failed - 1)
    return results


# ---- the groups --------------------------------------------------------------------------


def build():
    yield "build with gcc", *reverse_status(make("all", "unit", "tools", "CC=gcc"))


def reverse_status(result):
    status, output = result
    return status == 0, output


def clang():
    yield "build with clang", *reverse_status(make("BUILD=build/clang", "all", "CC=clang"))


def includes():
    yield check_command("includes point one way", ["python3", "tests/test_includes.py"])


def unit_tests(folder, programs=None):
    programs = programs or sorted(os.listdir(os.path.join(ROOT, folder)))
    for program in programs:
        path = os.path.join(folder, program)
        if program.endswith(".d") or not os.access(os.path.join(ROOT, path), os.X_OK):
            continue
        status, output = run([path], 600)
        passed = re.findall(r"\[\s*OK\s*\] (\S+)", output)
        failed = re.findall(r"\[\s*FAILED\s*\] (\S+)$", output, re.M)
        for name in passed:
            yield f"{program}: {name}", True, ""
        if status != 0 or failed or not passed:
            yield program, False, output


def unit():
    yield from unit_tests("build/unit")


def cli():
    yield from counted("command line", ["python3", "tests/cli/test_cli.py"])
    yield from counted("the library as others use it", ["python3", "tests/test_embedding.py"])


def docs():
    yield from counted("documentation", ["python3", "tests/test_docs.py"])
    yield from counted("shipped examples", ["python3", "tests/test_examples.py"])
    yield from counted("mistakes of beginners", ["python3", "tests/test_beginners.py"])


def dve():
    yield from counted("DVE: models, malformed ones, formulas, random ones against an interpreter",
                       ["python3", "tests/test_dve.py"])


def shipped():
    yield from counted("exact counts of Spin's examples", ["python3", "tests/diff/shipped_counts.py"])


def formulas():
    yield check_command("formulas against Spin and on random words",
                        ["python3", "tests/diff/ltl_compare.py", "--all"])


def models():
    yield from counted("models", ["python3", "tests/test_models.py"])


def liveness():
    yield from counted("liveness", ["python3", "tests/test_liveness.py"])
    yield from counted("fairness labels", ["python3", "tests/test_fairness.py"])
    yield check_command("random fairness against brute force", ["python3", "tests/diff/fair_compare.py"])
    yield from counted("counterexamples of liveness", ["python3", "tests/test_lassos.py"])
    yield from counted("random systems and formulas against brute force",
                       ["python3", "tests/diff/brute_compare.py"])
    yield check_command("random never claims, formulas and progress labels against Spin",
                        ["python3", "tests/diff/live_compare.py", "--modes", "a,l,t,f,s"])


def diff():
    yield check_command("random programs against Spin",
                        ["python3", "tests/diff/compare.py", "--gyre", "build/gyre",
                         "--count", "100", "--seed", "1"], 1500)
    yield check_command("random programs: native code against the virtual machine",
                        ["python3", "tests/diff/native_compare.py", "--count", "200"], 600)
    yield check_command("random programs with and without partial-order reduction",
                        ["python3", "tests/diff/por_compare.py", "--count", "2000"], 900)


def exclusive():
    yield from counted("exclusive channels (xr, xs) beside Spin", ["python3", "tests/test_exclusive.py"])


def reduce():
    yield from counted("Cartesian reduction", ["python3", "tests/test_cartesian.py"])
    yield from counted("provisos cost nothing", ["python3", "tests/test_provisos.py"])
    yield from counted("reductions change no answer", ["python3", "tests/diff/reduce_compare.py"])
    yield from counted("reductions change no answer on the test models",
                       ["python3", "tests/diff/reduce_compare.py", "--models"])
    yield from counted("symmetry changes no answer", ["python3", "tests/diff/symmetry_compare.py"])
    yield check_command("reduced models: native code against the virtual machine",
                        ["python3", "tests/diff/native_compare.py", "--models"])


def accept():
    yield from counted("shipped examples of Spin", ["python3", "tests/diff/accept.py", "--shipped"])


def bench():
    yield from counted("benchmark driver", ["python3", "tests/test_bench.py"])


def sanitize():
    yield "sanitizer build", *reverse_status(make("SANITIZE=1", "all", "unit"))
    options = {"ASAN_OPTIONS": "detect_leaks=1", "GYRE": "build/sanitize/gyre"}
    yield from unit_tests("build/sanitize/unit")
    yield from counted("command line (sanitizers)", ["python3", "tests/cli/test_cli.py"],
                       1500, options)
    yield from counted("models (sanitizers)", ["python3", "tests/test_models.py", "--quick"],
                       1500, options)
    yield from counted("liveness (sanitizers)", ["python3", "tests/test_liveness.py"], 1500,
                       options)
    yield from counted("counterexamples of liveness (sanitizers)",
                       ["python3", "tests/test_lassos.py"], 1500, options)


def tsan():
    """Unit tests that run threads, under the thread sanitizer."""
    programs = ["test_team", "test_threads", "test_native", "test_state_layout", "test_rows", "test_cleary", "test_pile",
                "test_reach"]
    yield "thread sanitizer build", *reverse_status(
        make("TSAN=1", "all", *["build/tsan/unit/" + program for program in programs]))
    yield from unit_tests("build/tsan/unit", programs)


def fuzz():
    yield check_command("fuzz the parser", ["sh", "tests/fuzz/run.sh", "30"], 300)


GROUPS = [build, includes, unit, cli, docs, models, dve, liveness, diff, reduce, exclusive, accept, shipped, formulas, bench, clang,
          sanitize, tsan, fuzz]


def main():
    wanted = sys.argv[1:]
    passed, failed = 0, 0
    for group in GROUPS:
        name = group.__name__
        if wanted and name not in wanted:
            continue
        start, good, bad = time.time(), 0, 0
        for check, ok, output in group():
            if ok:
                good += 1
                continue
            bad += 1
            print(f"FAILED: {name}: {check}")
            for line in output.splitlines()[-60:]:
                print("    " + line)
        print(f"{name}: {good} passed, {bad} failed ({time.time() - start:.0f} s)", flush=True)
        passed += good
        failed += bad
        if name == "build" and bad:
            break
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
