#!/usr/bin/env python3
"""Compares Gyre with the results that are recorded with BEEM, a set of models in DVE.

    beem_counts.py FOLDER [--most STATES] [--properties] [--goals] [--gyre PROGRAM] [MODEL ...]

FOLDER holds one folder per model (MODEL/generated_files/results.xml, *.dve, *.stat.xml). The set has
no licence and is not part of Gyre: without the folder there is nothing to do, and that is said.

Compared are, for every instance whose recorded search was complete and has at most STATES states:
states (results.xml), transitions and depth (stat.xml), with --properties the verdict of each
property process (MODEL.K.propP.dve), and with --goals whether each goal (MODEL.xml, expanded by m4)
is reachable. Exit status 1 if anything differs.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402



def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--most", type=float, default=1e5)
    parser.add_argument("--properties", action="store_true")
    parser.add_argument("--goals", action="store_true")
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
    return schema.report(done.stdout)


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


MACROS = r"""changecom(`//')dnl
define(`bool', `byte')
define(`default', `ifdef(`$1', `', `define(`$1', `$2')')')
define(`again', `$4`'ifelse(eval($1 >= $3), 1, `', `$5`'define(`$1', incr($1))again(`$1', `$2', `$3', `$4', `$5')')')
define(`myloop', `pushdef(`$1', eval($2))again(`$1', `$2', eval($3), `$4', `$5')popdef(`$1')')
define(`forloop', `myloop(`$1', `$2', `$3', `$4', `')')
"""


def goals(stem):
    """{property: expression} of an instance, as the description of its model states them.

    Names of atoms are replaced by their text, without parentheses: the recorded answers were made
    that way. (In brp2, `not rb1` so became `not (triple & 4) == 4`, which is never true, and its
    first goal is recorded as out of reach; with parentheses it is reachable.)
    """
    folder = os.path.dirname(os.path.dirname(stem))
    model, _, number = os.path.basename(stem).rpartition(".")
    description = ElementTree.parse(os.path.join(folder, model + ".xml")).getroot()
    instance = next((i for i in description.iter("instance") if i.get("id") == number), None)
    if instance is None:
        return {}
    with open(os.path.join(folder, model + ".mdve"), encoding="latin-1") as file:
        template = file.read()
    parameters = re.findall(r"\w+=[^,\s]+", instance.findtext("parameters") or "")
    atoms = {ap.findtext("ap-name").strip(): ap.findtext("ap-expression").strip()
             for ap in description.iter("ap")}
    found = {}
    for prop in description.iter("property"):
        if prop.get("prop-type") == "reachability":
            formula = re.sub(r"\w+", lambda m: atoms.get(m.group(), m.group()),
                             prop.findtext("formula"))
            text = MACROS + template + "\ndivert(0)\nGOAL " + formula
            done = subprocess.run(["m4", *("-D" + p for p in parameters)], input=text, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            found[prop.get("id")] = " ".join(done.stdout.rpartition("GOAL ")[2].split())
    return found


def check_goal(args, path, goal, answer):
    if not goal:
        return ["the goal is not known"]
    found = run(args, path, "--check", "liveness", "--ltl", "! <> (%s)" % goal)["verdict"]
    expected = "violated" if answer == "yes" else "holds"
    return [] if found == expected else ["`%s`: %s, recorded %s" % (goal, found, expected)]


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
                sought = [(e.get("prop-id"), e.get("answer")) for e in instance
                          if e.tag.startswith("reach-goal") and e.get("answer") in ("yes", "no")]
                yield stem, states, properties, sought


def main():
    args = arguments()
    if not os.path.isdir(args.folder):
        print("skipped: there is no folder %s" % args.folder)
        return 0
    totals = {"instances": 0, "states": 0, "structures": 0, "properties": 0,
              "goals": 0, "wrong": 0}
    start = time.time()
    for stem, states, properties, sought in instances(args):
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
        known = goals(stem) if args.goals and sought else {}
        for number, answer in sought if args.goals else []:
            totals["goals"] += 1
            try:
                differences = check_goal(args, stem + ".dve", known.get(number), answer)
            except (RuntimeError, subprocess.TimeoutExpired, ValueError, KeyError) as problem:
                differences = [str(problem)]
            wrong += [("%s goal %s" % (name, number), d) for d in differences]
        totals["wrong"] += len(wrong)
        print("%-22s %10d %s" % (name, states, "ok" if not wrong else "DIFFERS"), flush=True)
        for where, difference in wrong:
            print("    %s: %s" % (where, difference), flush=True)
    print("%(instances)d instances, %(states)d states, %(structures)d with recorded structure, "
          "%(properties)d properties, %(goals)d goals; %(wrong)d differences" % totals,
          "(%.0f s)" % (time.time() - start))
    return 1 if totals["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
