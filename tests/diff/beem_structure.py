#!/usr/bin/env python3
"""`gyre stats` beside the structure files of BEEM (MODEL.K.stat.xml): every figure but random walks.

    beem_structure.py FOLDER [--gyre PROGRAM] [INSTANCE ...]

The set has no licence and is not part of Gyre; docs/internals/beem.md says what was found. Ends with the number
of files, of those with a difference, and of each kind of difference; exit status 1 if there is any.
"""
import argparse
import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402


def figures(report):
    """{name in the structure file: what Gyre has}"""
    wide, degrees, parts = report["breadth_first"], report["degrees"], report["components"]
    deep, local = report["depth_first"], report["local"]
    place = ["initial"] if parts["largest_is_initial"] else []
    if parts["largest_is_terminal"]:
        place.append("the only terminal" if parts["terminal"] == 1 else "terminal")
    return {
        "states": report["states"], "edges": report["edges"], "levels": wide["levels"],
        "max-level": wide["largest_level"], "back-level-edges": wide["back_level_edges"],
        "max-back-level-edge": wide["longest_back_level"],
        "avg-back-level-edge": wide["average_back_level"] if wide["back_level_edges"] else "nan",
        "avg": degrees["average"], "max-in": degrees["most_in"], "max-out": degrees["most_out"],
        "count": parts["count"], "height": parts["height"],
        "nontrivial-height": parts["nontrivial_height"], "trivial": parts["trivial"],
        "terminal": parts["terminal"], "largest": parts["largest"], "largest-position": " ".join(place),
        "max-stack": deep["largest_stack"], "front-edges": deep["front_edges"],
        "back-edges": deep["back_edges"], "cross-edges": deep["cross_edges"],
        "shortest-cycle": deep["shortest_cycle"] or -1, "diamonds": local["diamonds"],
        "neighborhood": int(local["neighbourhood"]), "clustering": local["clustering"],
    }


def same(found, recorded):
    """Recorded numbers have six digits."""
    try:
        return str(found) == recorded or abs(float(found) - float(recorded)) <= 5.1e-6 * max(
            1, abs(float(recorded)))
    except ValueError:
        return False


def profiles(report, text):
    """(name, what Gyre has, what is recorded) of each list."""
    wide, degrees = report["breadth_first"], report["degrees"]
    count = max(len(degrees["in"]), len(degrees["out"]))
    pairs = [tuple(l[i] if i < len(l) else 0 for l in (degrees["in"], degrees["out"])) for i in range(count)]
    yield "level profile", [(l["states"], l["edges"]) for l in wide["profile"]], [
        (int(a), int(b)) for a, b in re.findall(r'<level id="\d+"><states>(\d+)</states><edges>(\d+)', text)]
    yield "degrees", pairs, [(int(a), int(b)) for a, b in re.findall(r"<in>(\d+)</in><out>(\d+)", text)]
    yield "edge labels", sorted(s["count"] for s in report["statements"]), sorted(
        int(n) for n in re.findall(r"<edge-label id=\"[^\"]*\">(\d+)", text))
    recorded = [sorted(int(n) for n in re.findall(r'<label id="[^"]*">(\d+)', part))
                for part in re.findall(r'<state-labels procid="\d+">(.*?)</state-labels>', text, re.S)]
    yield "local states", [sorted(l["states"]) for l in report["local_states"]], recorded
    recorded = re.findall(r'stack-size id="(\d+)">([^<]*)', text)
    found = [(s["states"], s["percent"]) for s in report["depth_first"]["stack"]]
    close = len(found) == len(recorded) and all(
        f[0] == int(r[0]) and abs(f[1] - float(r[1])) < 1e-3 for f, r in zip(found, recorded))
    yield "stack profile", close, True
    recorded = [float(n) for n in re.findall(r'back-level-length id="\d+">([^<]*)', text)]
    total = wide["back_level_edges"] or 1
    close = all(abs(100 * f / total - r) < 1e-3 for f, r in zip(wide["back_level_lengths"], recorded))
    yield "back-level lengths", close, True


def compare(program, path):
    done = subprocess.run([program, "stats", path.replace(".stat.xml", ".dve"), "--json", "--full"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        return [("error", done.stderr[:200], "")]
    report = schema.report(done.stdout)
    with open(path, encoding="latin-1") as file:
        text = file.read()
    wrong = []
    for name, found in figures(report).items():
        recorded = re.search(r"<%s(?: [^>]*)?>\s*([^<]*?)\s*<" % name, text).group(1)
        if not same(found, recorded):
            wrong.append((name, found, recorded))
    return wrong + [p for p in profiles(report, text) if p[1] != p[2]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("instances", nargs="*")
    parser.add_argument("--gyre", default="build/gyre")
    args = parser.parse_args()
    files, kinds = [0, 0], {}
    for path in sorted(glob.glob(os.path.join(args.folder, "*/generated_files/*.stat.xml"))):
        name = os.path.basename(path)[:-len(".stat.xml")]
        if args.instances and name not in args.instances:
            continue
        wrong = compare(args.gyre, path)
        files[0] += 1
        files[1] += bool(wrong)
        for kind, found, recorded in wrong:
            kinds[kind] = kinds.get(kind, 0) + 1
            print("%s: %s: %s, recorded %s" % (name, kind, str(found)[:60], str(recorded)[:60]), flush=True)
    print("%d files, %d with differences: %s" % (*files, kinds))
    return 1 if files[1] else 0


if __name__ == "__main__":
    sys.exit(main())
