#!/usr/bin/env python3
"""Measures Gyre beside Spin, in one run on one machine.

    bench/run.py                  everything below, into results.md, results.json, *.svg
    bench/run.py --speed          states per second and bytes per state, models above 10^6 states
    bench/run.py --small          end to end on models below 10^5 states, and a 40-state one
    bench/run.py --stores         every store on four models
    bench/run.py --product        liveness: the product search beside pan -a
    bench/run.py --strength       states explored by default, Gyre's and Spin's, all models
    bench/run.py --growth         states against size, with each reduction alone and with all
    bench/run.py --por            speed with partial-order reduction and without
    bench/run.py --defaults       from command to verdict, beside four ways to run Spin; half have an error
    bench/run.py --examples       the same on the examples that come with Spin
    bench/run.py --beem           the same on a folder of BEEM, named by --beem-folder
    bench/run.py --rivals         Spin with COLLAPSE, with -DBFS_PAR and with -DNCORE=2
    bench/run.py --features       what features of the language cost
    bench/run.py --cold           nothing compiled before, beside Spin's search; a million states
    bench/run.py --huge           Gyre alone at 10^6, 10^7 and 10^8 states
    bench/run.py --quick          a smoke test: every section, small; writes nothing
    bench/run.py --render         results.md and the plots again, from results.json
    bench/run.py --sizes          asks Spin for the counts in models/sizes.tsv again

Several may be named. A section replaces the one in results.json; without a name, only those are measured
that are not there from this very program (--again: all). So a run that was ended goes on where it was, and
results.md says which commit each section is from. Counts that differ from Spin's are an error (exit
status 1). With --repeat, the runs of a tool on a model come in pairs, in turns with the
other tools', and the best counts; all tools are done with a model before the next one comes, so that
a load on the machine hits all.
"""

import argparse
import json
import os
import sys
import tempfile
import time

import render
import sections
import sets
from measuring import Bench, say
from peers import HERE, Failed, Meter
from watch import Watch

RESULTS = os.path.join(HERE, "results.json")
QUICK = {  # what a smoke test takes of each section
    "speed": {"models": ["peterson"], "sizes_wanted": ["small"]},
    "small": {"models": ["bank"]},
    "stores": {"models": ["peterson"], "sizes_wanted": ["small"]},
    "product": {"models": ["readers_writers"]},
    "strength": {"models": ["bank"], "sizes_wanted": ["small"]},
    "growth": {"models": ["leader"]},
    "por": {"models": ["lamport"], "sizes_wanted": ["small"]},
    "huge": {"models": [], "sizes_wanted": ["small"]},
    "defaults": {"models": ["bakery", "pool"]},
    "features": {"models": ["PRIORITY"]},
    "cold": {"models": ["brp"]},
    "rivals": {"models": ["peterson"], "sizes_wanted": ["small"]},
    "examples": {"models": []},
    "beem": {"models": []},
}


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in [*sections.PLAIN, "quick", "render", "sizes"]:
        p.add_argument("--" + name, action="store_true")
    p.add_argument("--gyre", default=os.path.join(HERE, "..", "build", "gyre"), help="the program")
    words = lambda text: [w for w in text.split(",") if w]
    p.add_argument("--models", type=words, help="only these, with commas")
    p.add_argument("--size", type=words, dest="sizes_wanted", metavar="SIZES",
                   help="of small, medium, large")
    p.add_argument("--variants", type=words,
                   help="BACKEND-STORE-THREADS such as native-tree-2, or default; with commas")
    p.add_argument("--repeat", type=int, default=2, help="best of N (default 2)")
    p.add_argument("--clock", choices=["auto", "wall", "cpu"], default="auto",
                   help="auto: cpu if something else keeps the machine busy")
    p.add_argument("--timeout", type=float, default=1800, help="seconds for one run")
    p.add_argument("--dry", action="store_true", help="print, but write no files")
    p.add_argument("--again", action="store_true", help="measure also what results.json has from this program")
    p.add_argument("--examples-folder", default=sets.EXAMPLES, metavar="FOLDER", help="Spin's examples")
    p.add_argument("--beem-folder", metavar="FOLDER", help="the benchmark set BEEM, or a part of it")
    return p.parse_args()


def measure(bench, name):
    say(f"{name} (clock: {bench.clock}, load of others: {bench.load:.2f} cores)")
    bench.mismatches, bench.compared, started = [], 0, time.time()
    with Watch() as watch:
        section = sections.PLAIN[name](bench)
    section.update(machine=bench.machine, build=bench.build, date=time.strftime("%Y-%m-%d"),
                   command=command_of(bench.o, name), clock=bench.clock, repeat=bench.o.repeat,
                   load={"mean": watch.mean, "most": watch.most}, mismatches=bench.mismatches,
                   compared=bench.compared, took=round(time.time() - started))
    print(render.section(name, section), flush=True)
    return section


def command_of(options, name):
    """What one types for this section as it was measured."""
    words = ["bench/run.py", "--" + name, f"--repeat {options.repeat}"]
    if name == "beem":
        words.append("--beem-folder FOLDER")
    for option, given in (("--models", options.models), ("--size", options.sizes_wanted), ("--variants", options.variants)):
        words += [f"{option} {','.join(given)}"] if given else []
    return " ".join(words)


def is_measured(results, name, bench):
    """From this very program, as a whole?"""
    old = results.get(name, {})
    return old.get("build", {}).get("program") == bench.build["program"] and \
        old.get("command") == command_of(bench.o, name)


def save(folder, results):
    with open(os.path.join(folder, "results.json"), "w") as f:
        json.dump(results, f, indent=1)
        f.write("\n")
    render.write(folder, results)


def quick(options):
    """Every section, small, once, into a folder that goes away."""
    options.repeat = 1
    results = {}
    with Meter() as meter, tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, meter)
        for name, choice in QUICK.items():
            options.models, options.sizes_wanted = choice["models"], choice.get("sizes_wanted")
            results[name] = measure(bench, name)
            if not results[name]["rows"] and choice["models"]:
                results[name]["mismatches"].append(f"{name}: nothing was measured")
        save(folder, results)
        print(render.bars_table(results))
        print("These bars mean nothing: small models, one run each. It was a test of the program that measures.")
    return results


def full(options, wanted):
    results = {}
    if os.path.exists(RESULTS):
        with open(RESULTS) as f:
            results = json.load(f)
    done = {}
    with Meter() as meter:
        bench = Bench(options, meter)
        for name in wanted or list(sections.PLAIN):
            if not wanted and not options.again and is_measured(results, name, bench):
                say(f"{name}: is there, from this program")
                continue
            results[name] = done[name] = measure(bench, name)
            if not options.dry:
                save(HERE, results)
    print(render.bars_table(done))
    return done


def main():
    options = arguments()
    if options.sizes:
        with Meter() as meter:
            sections.sizes(Bench(options, meter))
        return 0
    if options.render:
        with open(RESULTS) as f:
            render.write(HERE, json.load(f))
        return 0
    started = time.time()
    if options.quick:
        results = quick(options)
    else:
        results = full(options, [s for s in sections.PLAIN if getattr(options, s)])
    say(f"took {time.time() - started:.0f} s")
    wrong = [text for section in results.values() for text in section["mismatches"]]
    for text in wrong:
        say("MISMATCH: " + text)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        say(str(failure))
        sys.exit(1)
