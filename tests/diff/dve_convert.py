#!/usr/bin/env python3
"""DVE models and what `gyre convert` makes of them: the same verdicts, and the same states.

    dve_convert.py [--count N] [--seed S] [--spin N] [--gyre PROGRAM] [FILE.dve ...]
    dve_convert.py --beem FOLDER [--most STATES]

Random models (dve_random.py), or the files that are named. Each property of the Promela has the
verdict of the property in DVE. An exact search has as many states, unless a rendezvous stays one:
Promela has states in the middle of those. Of a model that has run-time errors, only that it has some
is compared. With --spin N, N of the models are also verified by Spin. Ends with `N passed, N failed`.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dve_random  # noqa: E402
import dve_reference  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REFUSED = ("a synchronous system cannot be converted",
           "a property process with variables cannot be converted")


def run(*command, cwd=None):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=600, check=False, cwd=cwd)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def verify(program, path, *options):
    status, out, err = run(program, path, "--json", *options)
    if status not in (0, 1):
        raise RuntimeError("gyre %s: status %d: %s" % (path, status, err[:300]))
    return schema.report(out)


def verdicts(report):
    """{name: verdict}; what has no name in both languages is called by its kind."""
    return {p["name"] if p["kind"] == "ltl" else p["kind"]: p["verdict"] for p in report["properties"]}


def has_errors(report):
    """Run-time errors, which are no failed assertions of the model: DVE has none of those."""
    return any(p["kind"] == "safety" and p["verdict"] == "violated" for p in report["properties"])


def compare(program, source, target):
    with open(target, encoding="utf-8") as file:
        plain = "= [0] of" not in file.read()
    before, after = verify(program, source), verify(program, target)
    if has_errors(before) or has_errors(after):
        same = has_errors(before) == has_errors(after)
        return [] if same else ["run-time errors: %s, converted %s" % (has_errors(before), has_errors(after))]
    wrong = []
    if verdicts(before) != verdicts(after):
        wrong.append("%s, converted %s" % (verdicts(before), verdicts(after)))
    if plain:
        counts = []
        for path in (source, target):
            report = verify(program, path, "--exact", "--check", "safety")
            counts.append(report["properties"][0]["states"])
        if counts[0] != counts[1]:
            wrong.append("%d states, converted %d" % tuple(counts))
    return wrong


# ---- Spin -----------------------------------------------------------------------------------

def spin_verdict(folder, name, flags, options):
    status, out, err = run("spin", "-a", name, cwd=folder)
    if status != 0 or not os.path.exists(os.path.join(folder, "pan.c")):
        raise RuntimeError("spin: " + (out + err)[:400])
    status, out, err = run("gcc", "-w", "-O0", "-DNOREDUCE", *flags, "-o", "pan", "pan.c", cwd=folder)
    if status != 0:
        raise RuntimeError("gcc: " + err[:400])
    status, out, err = run("./pan", "-m100000", *options, cwd=folder)
    if status == -8:
        return None  # a division by zero, which ends it
    found = re.search(r"errors: (\d+)", out)
    if not found:
        raise RuntimeError("pan: " + (out + err)[:400])
    return "violated" if int(found.group(1)) else "holds"


def compare_with_spin(program, source, target):
    expected = verdicts(verify(program, source))
    folder, name = os.path.split(target)
    wrong = []
    for prop, verdict in expected.items():
        if prop == "safety":
            found = spin_verdict(folder, name, ["-DSAFETY", "-DNOCLAIM"], [])
        elif expected["safety"] == "violated":
            continue  # what comes behind an error means nothing
        else:
            claim = "never_0" if prop == "never" else prop
            choice = ["-N", claim] if len(expected) > 2 else []
            found = spin_verdict(folder, name, [], ["-a", *choice])
        if found and found != verdict:
            wrong.append("%s: %s, Spin: %s" % (prop, verdict, found))
    return wrong


def is_undefined(program, source):
    """A division by zero, or a formula that cannot be evaluated: Spin's verifier may do anything."""
    text = json.dumps(verify(program, source))
    return "division-by-zero" in text or "cannot be evaluated" in text


# ---- models ---------------------------------------------------------------------------------

def check(program, source, folder, with_spin):
    target = os.path.join(folder, "converted.pml")
    status, _, err = run(program, "convert", source, "-o", target)
    if status == 2 and any(words in err for words in REFUSED):
        return "refused"
    if status != 0:
        return ["convert: status %d: %s" % (status, err[:400])]
    try:
        wrong = compare(program, source, target)
        if with_spin and not wrong and not is_undefined(program, source):
            wrong = compare_with_spin(program, source, target)
    except RuntimeError as problem:
        wrong = [str(problem)]
    return wrong


def random_models(args, folder):
    for seed in range(args.seed, args.seed + args.count):
        text = dve_random.Generator(seed).model()
        try:
            if dve_reference.explore(dve_reference.Model(text), dve_random.MOST_STATES) is None:
                continue
        except dve_reference.Malformed:
            continue
        path = os.path.join(folder, "model.dve")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        yield "seed %d" % seed, path


def beem_models(args):
    for path in sorted(glob.glob(os.path.join(args.beem, "*/generated_files/*.dve"))):
        results = os.path.join(os.path.dirname(path), "results.xml")
        number = os.path.basename(path).split(".")[1]
        with open(results, encoding="latin-1") as file:
            found = re.search(r'id="%s">.*?complete="(\w+)".*?<states>(\d+)' % number, file.read(), re.S)
        if found and found.group(1) == "yes" and int(found.group(2)) <= args.most:
            yield path, path


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--spin", type=int, default=0)
    parser.add_argument("--beem")
    parser.add_argument("--most", type=float, default=1e5)
    parser.add_argument("--gyre", default=os.path.join(ROOT, os.environ.get("GYRE", "build/gyre")))
    return parser.parse_args()


def main():
    args = arguments()
    args.gyre = os.path.abspath(args.gyre)
    passed = failed = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        models = beem_models(args) if args.beem else \
            [(path, path) for path in args.files] or random_models(args, folder)
        for name, path in models:
            wrong = check(args.gyre, path, folder, passed < args.spin)
            if wrong == "refused":
                refused += 1
                continue
            passed += not wrong
            failed += bool(wrong)
            for line in wrong:
                print("%s: %s" % (name, line), flush=True)
    print("%d refused" % refused)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
