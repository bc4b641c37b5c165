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
    bench/run.py --defaults       from command to verdict, both as they come; half have an error
    bench/run.py --features       what features of the language cost
    bench/run.py --cold           nothing compiled before, beside Spin's search; a million states
    bench/run.py --huge           Gyre alone at 10^6, 10^7 and 10^8 states
    bench/run.py --quick          a smoke test: every section, small; writes nothing
    bench/run.py --render         results.md and the plots again, from results.json
    bench/run.py --sizes          asks Spin for the counts in models/sizes.tsv again

Several may be named. A section replaces the one in results.json. Counts that differ from Spin's are
an error (exit status 1). With --repeat, the runs of a tool on a model come in pairs, in turns with the
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
from measuring import Bench, say
from peers import HERE, Failed, Meter

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
    return p.parse_args()


def measure(bench, name):
    say(f"{name} (clock: {bench.clock}, load of others: {bench.load:.2f} cores)")
    bench.mismatches, bench.compared, started = [], 0, time.time()
    section = sections.PLAIN[name](bench)
    section.update(machine=bench.machine, clock=bench.clock, repeat=bench.o.repeat,
                   mismatches=bench.mismatches, compared=bench.compared,
                   took=round(time.time() - started))
    print(render.section(name, section), flush=True)
    return section


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
            if not results[name]["rows"]:
                results[name]["mismatches"].append(f"{name}: nothing was measured")
        save(folder, results)
        print(render.bars_table(results))
    return results


def full(options, wanted):
    results = {}
    if os.path.exists(RESULTS):
        with open(RESULTS) as f:
            results = json.load(f)
    done = {}
    with Meter() as meter:
        bench = Bench(options, meter)
        for name in wanted:
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
        wanted = [s for s in sections.PLAIN if getattr(options, s)] or list(sections.PLAIN)
        results = full(options, wanted)
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
