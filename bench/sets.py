"""Models that were not chosen here: the examples that come with Spin, and a folder of BEEM, converted to Promela."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree

import commands
from measuring import say
from peers import Failed

EXAMPLES = "/usr/share/doc/spin/examples"
CONVERSION = 60        # seconds
RECORDED = 10**6       # states of an instance of BEEM, by the set's own figures
LARGEST = 2**20        # bytes of a converted model: what Spin's compiler can still be asked to do


def has_claim(path):
    with open(path, errors="replace") as f:
        return re.search(r"^\s*(never\b|ltl\b)", f.read(), re.M) is not None


def run_set(bench, cases):
    """A row for each; a model that one of the two refuses is left out, and said to be."""
    rows, left_out = [], []
    for name, path in cases:
        if bench.o.models and os.path.basename(name) not in bench.o.models:
            continue
        try:
            row = commands.row_of(bench, name, path, [], claim=not has_claim(path))
        except Failed as failure:
            left_out.append(f"{name}: {' '.join(str(failure).split())[:200]}")
            say("  left out: " + left_out[-1])
            continue
        rows.append(row)
        bench.compared += 1
        said = row["verdict"], row["tools"]["pan"]["verdict"]
        if sorted(said) == ["holds", "violated"]:
            bench.wrong(f"{name}: {said[0]}, Spin says {said[1]}")
    return {**commands.summary(rows), "left_out": left_out}


def examples(bench):
    """All of them that are whole models: a file of which `spin -a` makes a verifier without further options."""
    paths = sorted(glob.glob(os.path.join(bench.o.examples_folder, "**", "*.pml"), recursive=True))
    if not paths:
        say(f"  left out: no models in {bench.o.examples_folder}; --examples FOLDER")
    if bench.o.quick:
        paths = paths[:2]
    return run_set(bench, [(os.path.splitext(os.path.relpath(p, bench.o.examples_folder))[0], p) for p in paths])


# ---- BEEM -------------------------------------------------------------------------------


def converted(bench, source, folder):
    """The path of a model in Promela, or why there is none."""
    name = os.path.splitext(os.path.basename(source))[0]
    there = os.path.join(folder, name)
    os.makedirs(there, exist_ok=True)
    path = os.path.join(there, name + ".pml")
    try:
        made = subprocess.run([bench.gyre.program, "convert", source, "-o", path], capture_output=True, text=True,
                              timeout=CONVERSION)
    except subprocess.TimeoutExpired:
        return None, f"not converted within {CONVERSION} s"
    if made.returncode != 0:
        return None, made.stderr.strip()[:200]
    if os.path.getsize(path) > LARGEST:
        return None, "the converted model is larger than 1 MiB"
    return path, None


def recorded_states(source):
    """What the set says of an instance NAME.ID.dve, in `results.xml` beside it; None if it says nothing."""
    name, number = os.path.basename(source)[:-len(".dve")].rpartition(".")[::2]
    try:
        root = xml.etree.ElementTree.parse(os.path.join(os.path.dirname(source), "results.xml")).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        return None
    for instance in root.iter("instance"):
        if (instance.get("name"), instance.get("id")) == (name, number) and instance.findtext("states"):
            return int(instance.findtext("states"))
    return None


def instances(folder):
    """Those without a property process, of at most RECORDED states. The choice is made by the set's figures alone."""
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.dve"), recursive=True)):
        states = recorded_states(path)
        if not re.search(r"\.prop\d+\.dve$", path) and states and states <= RECORDED:
            yield path


def beem(bench):
    """The instances below the folder that --beem names, converted."""
    if not bench.o.beem_folder:
        say("  left out: no folder; --beem FOLDER")
        return {**commands.summary([]), "left_out": []}
    folder, cases, refused = tempfile.mkdtemp(dir=bench.meter.folder), [], []
    for source in instances(bench.o.beem_folder):
        name = os.path.splitext(os.path.basename(source))[0]
        if bench.o.models and name not in bench.o.models:
            continue
        path, reason = converted(bench, source, folder)
        if path:
            cases.append((name, path))
        else:
            refused.append(f"{name}: {reason}")
    found = run_set(bench, cases)
    shutil.rmtree(folder, ignore_errors=True)
    return {**found, "left_out": refused + found["left_out"]}


def render(s, table, times, grouped):
    if not s["rows"]:
        return "Not run: the models are not here.\n"
    text = commands.render(s, table, times, grouped)
    if s["left_out"]:
        text += "\nLeft out, since one of the tools refuses them:\n\n" + \
            "".join(f"- {reason}\n" for reason in s["left_out"])
    return text
