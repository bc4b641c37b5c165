#!/usr/bin/env python3
# check: cli: scripts that call spin, gcc and pan; seconds 20
"""Real scripts that call spin, gcc and pan, typed as people and tools type them, with a `spin` on the
PATH that is a link to gyre: a project's Makefile, a course's grading script, the calls of iSpin and
of jSpin. Each is run beside Spin's own; what the script makes of it must be the same."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import quick_cc  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import harness  # noqa: E402
from harness import check  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
GYRE = os.path.join(ROOT, "build", "gyre")

MODELS = {
    "good.pml": """
bool wants[2]; byte turn, inside;
active [2] proctype P() {
    byte other = 1 - _pid;
    do
    :: wants[_pid] = true; turn = other; (!wants[other] || turn == _pid);
       inside++; assert(inside == 1); inside--; wants[_pid] = false
    od }
""",
    "bad.pml": """
bool held; byte inside;
active [2] proctype P() {
    do :: !held -> held = true; inside++; assert(inside == 1); inside--; held = false od }
""",
    "dead.pml": """
chan a = [0] of {byte};
active proctype A() { byte x; a!3; a?x }
active proctype B() { byte y; a?y; printf("MSC: got %d\\n", y); a?y }
""",
    "live.pml": """
bool p, q;
#define ready p
active proctype A() { do :: p = !p :: q = 1 od }
ltl answered { [] (p -> <> q) }
ltl sure { [] (p || !p) }
""",
    "loop.pml": "byte x;\nactive proctype A() { do :: x = 1 - x od }\n",
}

MAKEFILE = """
MODELS = good bad dead
CFLAGS = -O2 -DSAFETY -DMEMLIM=512
all: $(MODELS:%=%.result)
%.result: %.pml
\tspin -a $<
\tgcc $(CFLAGS) -o pan pan.c
\t./pan -m100000 > $*.out
\tif grep -q 'errors: 0' $*.out; then echo ok > $@; else spin -t -p $< > $*.steps; echo failed > $@; fi
clean:
\trm -f pan pan.* *.trail *.result *.out
"""

GRADING = """#!/bin/sh
# 10 points for each model without errors, 5 if it says where the error is
points=0
for f in good bad dead loop; do
    spin -a $f.pml > /dev/null || { echo "$f: does not compile"; continue; }
    gcc -o pan pan.c 2> /dev/null
    ./pan > $f.txt 2>&1
    if grep 'errors: 0' $f.txt > /dev/null; then
        points=$((points + 10))
        echo "$f: verified"
    elif grep -E 'pan: ?[0-9]*:? ?(assertion violated|invalid end state)' $f.txt > /dev/null; then
        points=$((points + 5))
        echo "$f: `sed -n 's/^pan:1: \\([a-z ]*[a-z]\\).*/\\1/p' $f.txt`"
    fi
    awk '/states, stored/ { if ($1 <= 0) print "no states" }' $f.txt
    test -f $f.pml.trail && echo "$f: `spin -t $f.pml | grep -c 'trail ends after'` trail" && rm $f.pml.trail
done
for p in answered sure; do
    spin -a live.pml > /dev/null; gcc -o pan pan.c; ./pan -a -N $p | grep -o 'errors: [0-9]*'
done
spin -run -ltl sure live.pml | grep -o 'errors: [0-9]*'
echo points $points
"""

# What iSpin (ispin.tcl of Spin 6) puts together for its buttons: syntax check, symbol table left out,
# simulation (random, interactive, guided), verification with its check boxes, automata.
ISPIN = [
    "spin -a good.pml",
    "spin -p -s -r -X -v -n123 -l -g -u10000 dead.pml",
    "spin -p -s -r -X -v -n123 -l -g -k dead.pml.trail -u10000 dead.pml",
    "spin -p -s -r -X -v -n123 -l -g -u500 -j10 good.pml",
    "spin -a dead.pml", "gcc -DMEMLIM=1024 -O2 -DXUSAFE -DSAFETY -w -o pan pan.c", "./pan -m10000",
    "spin -a bad.pml", "gcc -DMEMLIM=1024 -O2 -DXUSAFE -DSAFETY -DNOCLAIM -w -o pan pan.c",
    "./pan -m10000 -c1",
    "spin -a good.pml", "gcc -DMEMLIM=1024 -O2 -DXUSAFE -DNOREDUCE -w -o pan pan.c",
    "./pan -m10000 -a -n",
    "spin -a loop.pml", "gcc -DMEMLIM=1024 -O2 -DXUSAFE -DNP -DNOCLAIM -w -o pan pan.c",
    "./pan -m10000 -l",
    "spin -a live.pml", "gcc -DMEMLIM=1024 -O2 -DXUSAFE -w -o pan pan.c",
    "./pan -m10000 -a -N answered",
    "spin -o3 -a good.pml", "gcc -o pan pan.c", "./pan -D",
]

# jSpin's config file: its defaults for each button, as they stand there.
JSPIN = [
    "spin -a -v good.pml",
    "spin -g -l -p -r -s -X -u250 good.pml",
    "spin -i -X -u250 good.pml",
    "spin -t -g -l -p -r -s -X -u250 dead.pml",
    "spin -a dead.pml", "gcc -DSAFETY -o pan pan.c", "./pan -m2000 -X",
    "spin -a live.pml", "gcc -o pan pan.c", "./pan -a -X -m2000 -N answered",
    "spin -a live.pml", "gcc -o pan pan.c", "./pan -a -f -X -m2000 -N sure",
    "spin -a loop.pml", "gcc -DNP -o pan pan.c", "./pan -l -X -m2000",
    "spin -a -F claim.ltl live.pml", "gcc -o pan pan.c", "./pan -a",
    "spin -a -f <>ready live.pml", "gcc -o pan pan.c", "./pan -a",
]

def environment(folder, gyre):
    path = quick_cc.ENVIRONMENT["PATH"]
    if gyre:
        links = os.path.join(folder, "links")
        os.makedirs(links, exist_ok=True)
        if not os.path.islink(os.path.join(links, "spin")):
            os.symlink(GYRE, os.path.join(links, "spin"))
        path = links + ":" + path
    return dict(os.environ, PATH=path, GYRE=GYRE)


def make_folder():
    folder = tempfile.TemporaryDirectory()
    texts = dict(MODELS, Makefile=MAKEFILE, grade=GRADING)
    texts["claim.ltl"] = "<> ready\n"
    for name, text in texts.items():
        path = os.path.join(folder.name, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.utime(path, (1e9, 1e9))
    return folder


def call(words, folder, gyre, text=""):
    return subprocess.run(words, cwd=folder, env=environment(folder, gyre), input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="replace", timeout=300)


def makefile():
    results = []
    for gyre in (False, True):
        with make_folder() as folder:
            told = call(["make", "-s"], folder, gyre)
            found = {}
            for name in sorted(os.listdir(folder)):
                if name.endswith(".result"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        found[name] = file.read()
                if name.endswith(".steps"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        found[name] = "trail ends after" in file.read()
            results.append((told.returncode, found))
            check(f"make, gyre {gyre}", told.returncode == 0 and len(found) == 5, told.stdout)
    check("a Makefile comes to the same", results[0] == results[1], results)


def grading():
    told = []
    for gyre in (False, True):
        with make_folder() as folder:
            told.append(call(["sh", "grade"], folder, gyre).stdout)
    check("a grading script gives the same points", told[0] == told[1] and "points 30" in told[0],
          f"--- spin\n{told[0]}--- gyre\n{told[1]}")


def facts(output):
    """What a tool reads: errors, the kind of the first, whether a trail was written."""
    errors = re.search(r"errors: (\d+)", output)
    kind = re.search(r"pan:1: ([a-z -]*[a-z])", output)
    return (min(int(errors.group(1)), 1) if errors else None, kind and kind.group(1),
            re.findall(r"pan: wrote (\S+)", output))


def session(name, commands):
    """One after another in one folder, as a tool does; simulations to the letter."""
    with make_folder() as theirs, make_folder() as ours:
        for command in commands:
            words = [w.replace("<>ready", "<> ready") for w in command.split()]
            if words[0] == "spin" and ("-k" in words or "-t" in words):  # both follow Spin's trail
                with open(os.path.join(theirs, "dead.pml.trail"), "w", encoding="utf-8") as out:
                    out.write(call_trail())
                with open(os.path.join(ours, "dead.pml.trail"), "w", encoding="utf-8") as out:
                    out.write(call_trail())
            text = "1\n1\nq\n" if "-i" in words else ""
            spin, gyre = call(words, theirs, False, text), call(words, ours, True, text)
            both = f"--- spin\n{spin.stdout}\n--- gyre\n{gyre.stdout}"
            check(f"{name}: {command}: status", spin.returncode == gyre.returncode, both)
            if words[0] == "spin" and "-a" not in words:
                seeded = any(w.startswith("-n") for w in words) or "-t" in words or "-i" in words
                if seeded:
                    check(f"{name}: {command}: the same lines",
                          strip(spin.stdout) == strip(gyre.stdout), both)
                else:
                    check(f"{name}: {command}: runs", "depth-limit" in gyre.stdout, gyre.stdout)
            elif words[0] == "./pan":
                check(f"{name}: {command}: the same facts", facts(spin.stdout) == facts(gyre.stdout),
                      both)


def strip(output):
    return [line for line in output.splitlines() if "variable is never used" not in line]


def call_trail(cache=[]):
    if not cache:
        with make_folder() as folder:
            for words in (["spin", "-a", "dead.pml"], ["gcc", "-o", "pan", "pan.c"], ["./pan"]):
                call(words, folder, False)
            with open(os.path.join(folder, "dead.pml.trail"), encoding="utf-8") as file:
                cache.append(file.read())
    return cache[0]


def main():
    makefile()
    grading()
    session("iSpin", ISPIN)
    session("jSpin", JSPIN)
    return harness.end()


if __name__ == "__main__":
    sys.exit(main())
