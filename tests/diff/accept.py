#!/usr/bin/env python3
"""Does Gyre accept what `spin -a` accepts, and reject what it rejects?

    accept.py [--gyre PROGRAM] [--compile] FILE...
    accept.py [--gyre PROGRAM] --table tests/diff/shipped.tsv [--write]
    accept.py [--gyre PROGRAM] --snippets tests/diff/snippets.txt
    accept.py [--gyre PROGRAM] --shipped            both of them, as the test suite does

A file is accepted by Spin if `spin -a` exits with 0 and leaves a pan.c; with --compile,
pan.c must also compile where Gyre rejects the file. It is accepted by Gyre if `gyre info FILE` exits with 0, and
rejected if it exits with 2. Both run in the folder of the file, because of #include; Spin
writes into a temporary copy of that folder.

With --snippets, the models are in one file, each after a line `--- name`; `differs: reason`
behind the name marks one on which the two are known to differ. As with --compile.

With --table, the files are those that the Debian package ships; the table holds one line
for each: file, Spin's answer, Gyre's answer, reason for a difference. The run fails if an
answer is not as the table says, or if there is a difference without a reason. --write
renews the table, and keeps the reasons.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

ANSWERS = ("accept", "reject")
EXAMPLES = "/usr/share/doc/spin/examples/Examples"


def spin_answer(path, compile_c):
    with tempfile.TemporaryDirectory() as work:
        folder, name = os.path.split(os.path.abspath(path))
        for entry in os.listdir(folder):
            source = os.path.join(folder, entry)
            if os.path.isfile(source) and os.path.getsize(source) < 10_000_000:
                shutil.copy(source, work)
        try:
            run = subprocess.run(["spin", "-a", name], cwd=work, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=300)
        except subprocess.TimeoutExpired:
            return "reject", "spin does not end"
        text = run.stdout.decode(errors="replace").strip().split("\n")
        said = next((l for l in text if "rror" in l), text[0] if text else "")
        if run.returncode != 0:
            return "reject", said or f"exit status {run.returncode}"
        if not os.path.exists(os.path.join(work, "pan.c")):
            return "reject", said or "no pan.c"
        if compile_c:
            cc = subprocess.run(["cc", "-w", "-fsyntax-only", "pan.c"], cwd=work,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if cc.returncode != 0:
                return "reject", "pan.c does not compile"
        return "accept", said


def gyre_answer(gyre, path):
    folder, name = os.path.split(os.path.abspath(path))
    try:
        run = subprocess.run(gyre + [name], cwd=folder, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, timeout=300)
    except subprocess.TimeoutExpired:
        return "timeout", ""
    text = run.stderr.decode(errors="replace")
    said = next((l for l in text.split("\n") if " error: " in l or l.startswith("error")), "")
    answers = {0: "accept", 2: "reject"}
    return answers.get(run.returncode, f"status {run.returncode}"), said


def shipped():
    for folder, _, files in sorted(os.walk(EXAMPLES)):
        for name in sorted(files):
            if name.endswith(".pml"):
                yield os.path.join(folder, name)


def write_snippets(path, folder):
    """Yields (file, known to differ) for each model in the file."""
    with open(path) as text:
        parts = re.split(r"^--- ", text.read(), flags=re.M)[1:]
    for part in parts:
        title, body = part.split("\n", 1)
        # A folder each, because Spin gets a copy of all that is beside the model.
        name = title.split()[0]
        os.mkdir(os.path.join(folder, name))
        target = os.path.join(folder, name, name + ".pml")
        with open(target, "w") as model:
            model.write(body)
        yield target, "differs:" in title


def read_table(path):
    rows = {}
    if os.path.exists(path):
        with open(path) as table:
            for line in table:
                if line.startswith("#") or not line.strip():
                    continue
                name, spin, gyre, reason = (line.rstrip("\n").split("\t") + [""] * 4)[:4]
                rows[name] = (spin, gyre, reason)
    return rows


def both(gyre):
    passed, failed = 0, 0
    for kind in (["--table", "tests/diff/shipped.tsv"], ["--snippets", "tests/diff/snippets.txt"]):
        run = subprocess.run([sys.executable, __file__, "--gyre", gyre] + kind,
                             stdout=subprocess.PIPE, text=True)
        print(run.stdout, end="")
        numbers = re.search(r"(\d+) as expected, (\d+) not", run.stdout)
        passed += int(numbers[1]) if numbers else 0
        failed += int(numbers[2]) if numbers else 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gyre", default="build/gyre info", help="program and first arguments")
    parser.add_argument("--compile", action="store_true", help="pan.c must compile, too")
    parser.add_argument("--table", help="check the shipped examples against this table")
    parser.add_argument("--snippets", help="check the small models in this file")
    parser.add_argument("--shipped", action="store_true", help="table and snippets of this folder")
    parser.add_argument("--write", action="store_true", help="write the table")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if options.shipped:
        return both(options.gyre)
    gyre = options.gyre.split()
    gyre[0] = os.path.abspath(gyre[0])

    scratch = tempfile.TemporaryDirectory()
    differs = {}
    if options.table:
        files = list(shipped())
    elif options.snippets:
        differs = dict(write_snippets(options.snippets, scratch.name))
        files, options.compile = list(differs), True
    else:
        files = options.files
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1))) as pool:
        gyres = list(pool.map(lambda f: gyre_answer(gyre, f), files))
        spins = list(pool.map(lambda f, g: spin_answer(f, options.compile and g[0] == "reject"),
                              files, gyres))

    if not options.table:
        bad = 0
        for path, spin, ours in zip(files, spins, gyres):
            if (spin[0] != ours[0]) != differs.get(path, False) or ours[0] not in ANSWERS:
                bad += 1
                print(f"{path}: spin {spin[0]} ({spin[1]}), gyre {ours[0]} ({ours[1]})")
        print(f"{len(files) - bad} as expected, {bad} not")
        return 1 if bad else 0

    old = read_table(options.table)
    rows, bad = [], 0
    for path, spin, ours in zip(files, spins, gyres):
        name = os.path.relpath(path, EXAMPLES)
        known = old.get(name, ("", "", ""))
        reason = known[2] if spin[0] != ours[0] else ""
        rows.append((name, spin[0], ours[0], reason))
        wrong = not options.write and known[:2] != (spin[0], ours[0])
        if wrong or (spin[0] != ours[0] and not reason):
            bad += 1
            print(f"{name}: spin {spin[0]} ({spin[1]}), gyre {ours[0]} ({ours[1]})"
                  + (f"; the table says {known[0]}, {known[1]}" if wrong else "; no reason given"))
    if options.write:
        with open(options.table, "w") as table:
            table.write("# The models that Debian's spin package ships: accepted or rejected.\n")
            table.write("# file\tspin -a\tgyre\treason for a difference\n")
            for row in rows:
                table.write("\t".join(row).rstrip("\t") + "\n")
    print(f"{len(files) - bad} as expected, {bad} not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
