#!/usr/bin/env python3
"""Compares Gyre with the results that are recorded with BEEM, a set of models in DVE.

    beem_counts.py FOLDER [--most STATES] [--properties] [--gyre PROGRAM] [--jobs N] [MODEL ...]

FOLDER holds one folder per model (MODEL/generated_files/results.xml, *.dve, *.stat.xml). The set has
no licence and is not part of Gyre: without the folder there is nothing to do, and that is said.

Compared are, for every instance whose recorded search was complete and has at most STATES states:
states (results.xml), transitions and depth (stat.xml), and, with --properties, the verdict of each
property process (MODEL.K.propP.dve). Exit status 1 if anything differs.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree



def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--most", type=float, default=1e5)
    parser.add_argument("--properties", action="store_true")
    parser.add_argument("--gyre", default="build/gyre")
    parser.add_argument("--time", type=int, default=600)
    parser.add_argument("--options", default="", help="further options of gyre")
    return parser.parse_args()


def run(args, model, *options):
    command = [args.gyre, model, "--json", *options, *args.options.split()]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=args.time, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError("status %d: %s" % (done.returncode, done.stderr.strip()[:300]))
    return json.loads(done.stdout)


def recorded_structure(path):
    """(edges, levels) of a stat.xml, or None."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="latin-1") as file:
        text = file.read()
    return tuple(int(re.search(r"<%s>\s*(\d+)" % tag, text).group(1)) for tag in ("edges", "levels"))


def check_counts(args, path, states):
    """A list of differences, and the states per second."""
    answer = run(args, path, "--exact", "--no-deadlock")
    found = answer["properties"][0]
    differences = []
    if found["states"] != states:
        differences.append("states %d, recorded %d" % (found["states"], states))
    structure = recorded_structure(path[:-len(".dve")] + ".stat.xml")
    if structure:
        edges, levels = structure
        if found["transitions"] != edges:
            differences.append("transitions %d, recorded %d" % (found["transitions"], edges))
        if found["depth"] != levels - 1:
            differences.append("depth %d, recorded levels %d" % (found["depth"], levels))
    return differences, structure is not None


def check_property(args, path, answer):
    found = run(args, path, "--check", "liveness")["verdict"]
    expected = "holds" if answer == "yes" else "violated"
    return [] if found == expected else ["%s, recorded %s" % (found, expected)]


def instances(args):
    for description in sorted(glob.glob(os.path.join(args.folder, "*/generated_files/results.xml"))):
        folder = os.path.dirname(description)
        model = os.path.basename(os.path.dirname(folder))
        if args.models and model not in args.models:
            continue
        for instance in ElementTree.parse(description).getroot():
            states = int(instance.find("states").text)
            complete = instance.find("reach-time").get("complete") == "yes"
            if complete and states <= args.most:
                stem = os.path.join(folder, "%s.%s" % (model, instance.get("id")))
                properties = [(e.get("prop-id"), e.get("answer")) for e in instance
                              if e.tag.startswith("ltl") and e.get("answer") in ("yes", "no")]
                yield stem, states, properties


def main():
    args = arguments()
    if not os.path.isdir(args.folder):
        print("skipped: there is no folder %s" % args.folder)
        return 0
    totals = {"instances": 0, "states": 0, "structures": 0, "properties": 0, "wrong": 0}
    start = time.time()
    for stem, states, properties in instances(args):
        name = os.path.basename(stem)
        try:
            differences, structure = check_counts(args, stem + ".dve", states)
        except (RuntimeError, subprocess.TimeoutExpired, ValueError, KeyError) as problem:
            differences, structure = [str(problem)], False
        totals["instances"] += 1
        totals["states"] += states
        totals["structures"] += structure
        wrong = [(name, d) for d in differences]
        for number, answer in properties if args.properties else []:
            path = "%s.prop%s.dve" % (stem, number)
            if not os.path.exists(path):
                continue
            totals["properties"] += 1
            try:
                differences = check_property(args, path, answer)
            except (RuntimeError, subprocess.TimeoutExpired, ValueError, KeyError) as problem:
                differences = [str(problem)]
            wrong += [("%s.prop%s" % (name, number), d) for d in differences]
        totals["wrong"] += len(wrong)
        print("%-22s %10d %s" % (name, states, "ok" if not wrong else "DIFFERS"), flush=True)
        for where, difference in wrong:
            print("    %s: %s" % (where, difference), flush=True)
    print("%(instances)d instances, %(states)d states, %(structures)d with recorded structure, "
          "%(properties)d properties; %(wrong)d differences" % totals,
          "(%.0f s)" % (time.time() - start))
    return 1 if totals["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
