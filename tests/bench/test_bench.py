#!/usr/bin/env python3
# check: bench: benchmark driver; seconds 24
"""The benchmark driver works, notices wrong counts, and its results are what it wrote.

Ends with `N passed, N failed`.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(ROOT, "bench")
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
sys.path.insert(0, BENCH)

import bars  # noqa: E402
import render  # noqa: E402
import run  # noqa: E402
import watch  # noqa: E402


def drive(folder, *arguments):
    """(exit status, output) of the driver in `folder`."""
    done = subprocess.run([sys.executable, os.path.join(folder, "run.py"), "--gyre", GYRE, *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    return done.returncode, done.stdout.decode(errors="replace")


def copy_of_bench(folder):
    there = os.path.join(folder, "bench")
    shutil.copytree(BENCH, there, ignore=shutil.ignore_patterns("__pycache__"))
    return there


def smoke():
    """Every section runs on small models, and the table of bars names what was measured."""
    status, output = drive(BENCH, "--quick")
    if status != 0:
        return output[-3000:]
    for title in render.TITLES.values():
        if f"## {title}" not in output:
            return f"no section {title}"
    table = output[output.index("## The bars"):]
    return None if table.count("\n| ") >= 10 else table


def wrong_count():
    """A count that is not Spin's ends with an error."""
    with tempfile.TemporaryDirectory() as folder:
        there = copy_of_bench(folder)
        sizes = os.path.join(there, "models", "sizes.tsv")
        with open(sizes) as f:
            text = f.read()
        with open(sizes, "w") as f:
            f.write(text.replace("\t2077\t5411\t", "\t2078\t5411\t"))
        status, output = drive(there, "--strength", "--models", "bank", "--size", "small", "--dry")
    return None if status == 1 and "MISMATCH" in output else f"exit status {status}: {output}"


def results_are_rendered():
    """results.md and the plots are what --render makes of results.json."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(BENCH, "results.json")) as f:
            render.write(folder, json.load(f))
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name)) as made, open(os.path.join(BENCH, name)) as kept:
                if made.read() != kept.read():
                    return f"bench/{name} is not what bench/run.py --render makes"
    return None


RING = """byte turn, steps;
process A { state q; init q; trans q -> q { guard turn == 0; effect turn = 1; }; }
process B { state q; init q; trans q -> q { guard turn == 1; effect turn = 0, steps = 1; }; }
system async;
"""
RECORDED = """<?xml version="1.0"?><instance-list>
<instance name="ring" id="1"><states>4</states></instance>
<instance name="ring" id="2"><states>4000000</states></instance></instance-list>
"""


def foreign_set():
    """A folder like BEEM: the instances whose recorded size is small are converted and given to both tools."""
    with tempfile.TemporaryDirectory() as folder:
        there = os.path.join(folder, "set", "ring")
        os.makedirs(there)
        for name in ("ring.1.dve", "ring.2.dve", "ring.1.prop1.dve"):
            with open(os.path.join(there, name), "w") as out:
                out.write(RING)
        with open(os.path.join(there, "results.xml"), "w") as out:
            out.write(RECORDED)
        status, output = drive(copy_of_bench(folder), "--beem", "--beem-folder", os.path.join(folder, "set"),
                               "--repeat", "1", "--dry")
    if status != 0 or output.count("| ring.1 | holds | holds |") != 1 or "ring.2" in output:
        return f"exit status {status}: {output[-2000:]}"
    return None


def own_work_is_not_others():
    """What this process and its children use is known, whether they still run or have ended."""
    burn = "import time\nwhile time.process_time() < 0.3: pass\n"
    before = watch.own_ticks()
    child = subprocess.Popen([sys.executable, "-c", burn + "print(flush=True)\ninput()"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE)
    child.stdout.readline()
    during = watch.own_ticks()
    child.communicate(b"\n")
    after = watch.own_ticks()
    least = 0.25 * watch.TICKS
    return None if during - before >= least and after >= during else f"{before}, {during}, {after}"


def measured_once():
    """A section that is there from the same program, measured in the same way, need not be measured again."""
    class Given:
        repeat, models, sizes_wanted, variants = 2, None, None, None

    class Bench:
        o, build = Given, {"program": "p"}

    there = {"program": "p"}, run.command_of(Given, "speed")
    cases = [(*there, True), ({"program": "q"}, there[1], False), (there[0], "bench/run.py --speed --repeat 1", False)]
    for build, command, expected in cases:
        if run.is_measured({"speed": {"build": build, "command": command}}, "speed", Bench) != expected:
            return f"{build}, {command}"
    return "an absent one" if run.is_measured({}, "speed", Bench) else None


def programs_are_told_apart():
    """Sections of two programs are never shown as one run."""
    def section(program):
        return {"build": {"program": program, "commit": "c"}, "date": "2026-01-01"}

    one = render.builds({"speed": section("p"), "por": section("p")})
    two = render.builds({"speed": section("p"), "por": section("q")})
    return None if "one program" in one and "different programs" in two and "program q" in two else one + two


def row(model, **tools):
    return {"model": model, "options": [], "states": 2 * 10**6, "tools": tools}


def bars_are_judged():
    """On figures made up for the purpose: which bars are met is known."""
    def states(n):
        return {"states": n}

    means = {"native-plain-1": {"models": 2, "speed_ratio": 5.0},
             "native-tree-1": {"models": 2, "speed_ratio": 3.9},
             "default": {"models": 2, "end_ratio": 6.0}}
    results = {
        "speed": {"means": means, "threads": {"native-tree": 1.9, "native-plain": 1.7},
                  "rows": [row("a", **{"native-tree-1": {"bytes_per_state": 9.0}}),
                           row("b", **{"native-tree-1": {"bytes_per_state": 10.5}})]},
        "small": {"means": {"default": {"models": 2, "end_ratio": 9.0}}},
        "product": {"mean": 6.5, "rows": [{}]},
        "strength": {"mean": 0.4, "rows": [row("a", spin=states(100), all=states(101)),
                                           row("b", spin=states(100), all=states(16))]},
        "beem": {"means": {"-run": 31, "pan": 5.5}, "decided": 2, "least": {
            "-run": {"ratio": 2.4, "model": "a", "options": []}, "pan": {"ratio": 0.9, "model": "b", "options": []}}},
        "por": {"mean": 0.7, "worst": 0.5, "rows": [{**row("a"), "ratio": 0.5}]},
    }
    met = [judged[3] for judged in bars.of(results)]
    wanted = [True, False, True, True, True, False, True, False, True, False, False, True, False, True, False, True]
    return None if met == wanted else str(bars.of(results))


def main():
    failed = 0
    checks = [bars_are_judged, results_are_rendered, own_work_is_not_others, measured_once, programs_are_told_apart,
              wrong_count, foreign_set, smoke]
    for check in checks:
        trouble = check()
        if trouble:
            failed += 1
            print(f"FAILED: {check.__name__}: {trouble}")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
