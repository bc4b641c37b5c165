#!/usr/bin/env python3
# check: cli: Spin's command line beside Spin; seconds 8
"""gyre spin beside spin: the same command lines, what they print and what they return."""
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import at_work  # noqa: E402
import quick_cc  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
import harness  # noqa: E402
from harness import check  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
GYRE = os.path.join(ROOT, "build", "gyre")

MODELS = {
    "mutex.pml": """
bool held; byte inside;
active [2] proctype P() {
    do :: !held -> held = true; inside++; assert(inside == 1); inside--; held = false od }
""",
    "dead.pml": """
chan a = [0] of {byte}; chan b = [1] of {byte}; int n;
active proctype A() { byte x; a!3; b?x; n++ }
active proctype B() { byte y; a?y; printf("got %d\\n", y); atomic { n = y; n++ }; a?y }
proctype C(int z) { d_step { z = 1; z++ } skip }
init { run C(3) }
""",
    "right.pml": """
bool wants[2]; byte turn, inside;
active [2] proctype P() {
    byte other = 1 - _pid;
    do
    :: wants[_pid] = true; turn = other; (!wants[other] || turn == _pid);
       inside++; assert(inside == 1); inside--; wants[_pid] = false
    od }
""",
    "live.pml": """
bool p, q;
active proctype A() { do :: p = !p :: q = 1 od }
ltl answered { [] (p -> <> q) }
ltl apart { [] !(p && q) }
ltl sure { [] (p || !p) }
""",
    "fair.pml": """
bool p, x;
active proctype A() { do :: x = !x od }
active proctype B() { p = true }
ltl done { <> p }
""",
    "labels.pml": """
bool x;
active proctype A() { do :: x = !x; accept: skip :: x = 0; progress: skip :: x = 1 od }
""",
    "never.pml": """
int n;
active proctype A() { do :: n < 3 -> n++ :: else -> n = 0 od }
never { do :: n < 2 :: n == 2 -> break od }
""",
    "full.pml": """
chan q = [2] of {byte};
active proctype A() { q!1 }
""",
    "size.pml": """
active proctype A() { assert(N < 3) }
""",
    "dead_code.pml": """
int x;
active proctype A() { if :: x == 0 -> x = 1 :: x == 5 -> x = 2; x = 3 fi; x = 4 }
proctype B() { x = 9; x = 8 }
""",
    "queue.pml": """
mtype = {req, ack};
chan q = [2] of {mtype, byte}; bool b; int a[2]; mtype m;
active proctype A() { byte y = 2; q!req,3; b = 1; a[1] = 4; m = ack; y = 5; q!ack,4; assert(b == 0) }
""",
    "index.pml": """
byte a[2], i;
active proctype A() { i = 2; a[i] = 1 }
""",
    "syntax.pml": "active proctype A() { x = 3 }\n",
}

# Command lines; all are given to both. (-n: their lists of unreached states are compared apart.)
SAME = [
    "-run mutex.pml", "-search mutex.pml", "-run -safety mutex.pml", "-run -A mutex.pml",
    "-run -E mutex.pml", "-run -m5000 -w20 mutex.pml", "-run -i mutex.pml", "-run -bfs mutex.pml",
    "-run -noreduce mutex.pml", "-run -DNOREDUCE mutex.pml", "-run -collapse mutex.pml",
    "-run dead.pml", "-run -E dead.pml", "-run -e -c0 dead.pml", "-run -q full.pml",
    "-run full.pml", "-run right.pml", "-run -bitstate right.pml", "-run -hc right.pml",
    "-run -a -f right.pml", "-o3 -run right.pml", "-run -ltl apart live.pml",
    "-run -ltl answered live.pml", "-run -ltl sure live.pml", "-run -a live.pml",
    "-run live.pml", "-run -a fair.pml", "-run -a -f fair.pml", "-run -noclaim fair.pml",
    "-run -a labels.pml", "-run -l labels.pml", "-run labels.pml", "-run never.pml",
    "-run -a never.pml", "-DN=2 -run size.pml", "-DN=3 -run size.pml",
    "-run index.pml", "-run dead_code.pml", "-run -n dead_code.pml", "-run syntax.pml", "-a syntax.pml",
    "-run missing.pml", "-run", "-V",
]

def call(command, folder, **more):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=300, **more)


def make_folder():
    folder = tempfile.TemporaryDirectory()
    for name, text in MODELS.items():
        with open(os.path.join(folder.name, name), "w", encoding="utf-8") as out:
            out.write(text)
    return folder


def verdict(output):
    """What scripts look for: the number of errors, the kind of the first, what was searched for."""
    errors = re.search(r"errors: (\d+)", output)
    first = re.search(r"pan:1: (invalid end state|assertion violated|acceptance cycle|"
                      r"non-progress cycle|end state in claim reached)", output)
    block = re.search(r"search for:\n((?:\t.*\n)*)", output)
    lines = [re.sub(r"\s+", " ", line) for line in block.group(1).splitlines()] if block else []
    # Gyre looks for cycles and failing assertions whether the claim allows for that or not.
    lines = [line.replace(" (if within scope of claim)", "") for line in lines
             if "cycle" not in line]
    return {"errors": min(int(errors.group(1)), 1) if errors else None,
            "kind": first.group(1) if first else None, "for": lines,
            "wrote": re.findall(r"pan: wrote (\S+)", output)[:1]}


def unreached(output):
    """By proctype; claims are Spin's own."""
    blocks = re.findall(r"unreached in ((?:proctype \w+|init))\n((?:\t.*\n)*)", output)
    return {name: sorted(lines.splitlines()) for name, lines in blocks}


def replay(name, line, folder):
    """A trail of Gyre's, in the hands of Spin."""
    model = line.split()[-1]
    for trail in [f for f in os.listdir(folder) if f.endswith(".trail")]:
        with open(os.path.join(folder, trail), encoding="utf-8") as file:
            steps = len([t for t in file if re.match(r"\d", t)])
        defines = [w for w in line.split() if w.startswith("-DN=")]
        told = call(["spin", *defines, "-t", "-p", "-k", trail, model], folder).stdout
        check(f"{name}: spin replays {trail}", f"trail ends after {steps} steps" in told, told)


def compare(line):
    name = f"spin {line}"
    with make_folder() as theirs, make_folder() as ours:
        spin = call(["spin", *line.split()], theirs, env=quick_cc.ENVIRONMENT)
        gyre = call([GYRE, "spin", *line.split()], ours)
        both = f"--- spin\n{spin.stdout}{spin.stderr}\n--- gyre\n{gyre.stdout}{gyre.stderr}"
        check(f"{name}: status", spin.returncode == gyre.returncode, both)
        check(f"{name}: verdict", verdict(spin.stdout) == verdict(gyre.stdout), both)
        if "errors: 0" in spin.stdout:
            check(f"{name}: unreached", unreached(spin.stdout) == unreached(gyre.stdout), both)
        check(f"{name}: the same trails",
              sorted(f for f in os.listdir(theirs) if f.endswith(".trail")) ==
              sorted(f for f in os.listdir(ours) if "trail" in f), both)
        if "errors: 1" in gyre.stdout:
            replay(name, line, ours)


def figures_are_true():
    """With no reduction on either side the numbers of states are the same."""
    with make_folder() as folder:
        call(["spin", "-a", "-o1", "-o2", "-o3", "right.pml"], folder)
        call(["gcc", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], folder, env=quick_cc.ENVIRONMENT)
        spin = call(["./pan"], folder).stdout
        exact = call([GYRE, "right.pml", "--exact", "--json"], folder).stdout
        stored = re.search(r"(\d+) states, stored", spin).group(1)
        check("states of pan are those of gyre --exact", f'"states": {stored},' in exact)
        gyre = call([GYRE, "spin", "-run", "right.pml"], folder).stdout
        numbers = [int(re.search(rf"(\d+) {what}", gyre).group(1))
                   for what in ("states, stored", "states, matched", "transitions")]
        check("transitions are stored and matched", numbers[0] + numbers[1] == numbers[2], gyre)
        check("no figure that there is not", "hash conflicts" not in gyre)


# No end but the error: that of the claim, or that of an assertion beside a claim that holds.
ENDLESS = """
int n;
active proctype P() { do :: n++ od }
ltl p { [] (n < 5) }
"""
ENDLESS_BESIDE = """
int n, m;
active proctype P() { do :: n++; assert(n < 3) :: m++ od }
ltl p { [] (n < 40 || m >= 0 || m < 0) }
"""
# Three assertions that fail, and no claim.
THREE = """
active proctype P() { assert(0); assert(false); assert(1 > 2) }
"""


def started(folder, *arguments):
    return subprocess.Popen([GYRE, "spin", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def stops_at_errors():
    """pan stops at the first error whatever kind it is of, and at none with -e or -c0."""
    with make_folder() as folder:
        for name, text in (("endless.pml", ENDLESS), ("beside.pml", ENDLESS_BESIDE), ("three.pml", THREE)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write(text)
        spin = call(["spin", "-run", "endless.pml"], folder, env=quick_cc.ENVIRONMENT).stdout
        gyre = call([GYRE, "spin", "-run", "endless.pml"], folder).stdout
        states = [re.search(r"(\d+) states, stored", told).group(1) for told in (spin, gyre)]
        check("an endless model: the claim's error ends it, after as many states", states == ["6", "6"] and
              verdict(gyre)["errors"] == verdict(spin)["errors"] == 1, gyre)
        for line in ("-run -a endless.pml", "-run -c2 endless.pml", "-run -a beside.pml", "-run beside.pml"):
            told = call([GYRE, "spin", *line.split()], folder)
            check(f"an endless model ends: {line}", "errors: 1" in told.stdout and
                  "Warning: Search not completed" in told.stdout, told)
        for line in ("-run -e three.pml", "-run -c1 -e three.pml", "-run -e -c1 three.pml", "-run three.pml",
                     "-run -c2 three.pml", "-run -e -c2 three.pml", "-run -c0 three.pml"):
            spin = call(["spin", *line.split()], folder, env=quick_cc.ENVIRONMENT).stdout
            gyre = call([GYRE, "spin", *line.split()], folder).stdout
            found = [(re.search(r"errors: (\d+)", told).group(1), re.findall(r"wrote (\S+)", told)) for told in (spin, gyre)]
            check(f"as many errors, and trails: {line}", found[0] == found[1], (found, gyre))


def interrupted():
    with make_folder() as folder:
        with open(os.path.join(folder, "endless.pml"), "w", encoding="utf-8") as out:
            out.write(ENDLESS)
        process = started(folder, "-run", "-c0", "endless.pml")
        at_work.has_run(process, signal.SIGINT)
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=at_work.PATIENCE)
        left = [name for name in os.listdir(folder) if name.startswith("endless.pml.")]
        check("an interrupted search reports what is known", "states, stored" in told and "not completed" in told, told)
        check("and leaves nothing behind", not left, left)


def pan():
    """spin -a; cc; ./pan, with the calls of courses."""
    calls = [("mutex.pml", [], []), ("mutex.pml", ["-DSAFETY"], ["-m100000", "-w22"]),
             ("dead.pml", ["-DSAFETY", "-DNOREDUCE"], []), ("labels.pml", ["-DNP"], ["-l"]),
             ("fair.pml", [], ["-a"]), ("fair.pml", [], ["-a", "-f"]),
             ("live.pml", ["-O2"], ["-a", "-N", "apart"]), ("right.pml", ["-DMEMLIM=1024"], ["-n"]),
             ("right.pml", [], ["-Z"]), ("right.pml", [], ["-V"])]
    for model, macros, options in calls:
        name = f"pan of {model} {macros} {options}"
        with make_folder() as theirs, make_folder() as ours:
            call(["spin", "-a", model], theirs)
            made = call([GYRE, "spin", "-a", model], ours)
            check(f"{name}: made", made.returncode == 0, made.stdout)
            call(["gcc", *macros, "-o", "pan", "pan.c"], theirs, env=quick_cc.ENVIRONMENT)
            built = call(["cc", "-Wall", "-Wextra", "-Werror", *macros, "-o", "pan", "pan.c"], ours)
            check(f"{name}: compiles without warnings", built.returncode == 0, built.stderr)
            spin = call(["./pan", *options], theirs)
            gyre = call(["./pan", *options], ours, env=dict(os.environ, GYRE=GYRE))
            both = f"--- spin\n{spin.stdout}\n--- gyre\n{gyre.stdout}"
            check(f"{name}: status", spin.returncode == gyre.returncode, both)
            check(f"{name}: verdict", verdict(spin.stdout) == verdict(gyre.stdout), both)
    with make_folder() as folder:
        call([GYRE, "spin", "-a", "-DN=7", "size.pml"], folder)
        call(["cc", "-o", "pan", "pan.c"], folder)
        told = call(["./pan"], folder, env={"PATH": "/nowhere"}).stdout
        check("pan remembers -D, and who wrote it", "errors: 1" in told, told)
        copy = os.path.join(folder, "gyre")
        call(["cp", GYRE, copy], folder)
        call([copy, "spin", "-a", "right.pml"], folder)
        call(["cc", "-o", "pan", "pan.c"], folder)
        os.remove(copy)
        gone = call(["./pan"], folder, env={"PATH": "/nowhere"})
        check("pan says that there is no gyre",
              gone.returncode == 1 and "no gyre to run" in gone.stdout, gone.stdout)


def lines_of(text):
    """What both print: not the claim's moves, not what is inside a d_step, nor its lapses (`1
    processes`, and `newer` within the same second)."""
    return [line.replace("1 processes", "1 process") for line in text.splitlines()
            if not re.match(r"ltl |starting claim|spin: couldn't find claim|Never claim moves|"
                            r"spin: warning, .* is newer|.*proc  - |.*\[z = \(z\+1\)\]", line)]


def simulation():
    """Spin's trails and Gyre's, followed by both."""
    shows = [["-t"], ["-t", "-p"], ["-t", "-p", "-g", "-l"], ["-t", "-p", "-g", "-l", "-r", "-s"],
             ["-t", "-p", "-u3"], ["-t", "-b"], ["-t", "-B"], ["-t", "-T"]]
    for model, options in [("mutex.pml", []), ("dead.pml", []), ("queue.pml", []),
                           ("labels.pml", ["-l"]), ("labels.pml", ["-a"]), ("never.pml", [])]:
        for maker in (["spin"], [GYRE, "spin"]):
            with make_folder() as folder:
                call([*maker, "-run", *options, model], folder, env=quick_cc.ENVIRONMENT)
                for show in shows:
                    if model == "dead.pml" and "-l" in show:
                        continue  # the values inside a d_step
                    spin = call(["spin", *show, model], folder)
                    gyre = call([GYRE, "spin", *show, model], folder)
                    check(f"{' '.join(show)} {model}, a trail by {os.path.basename(maker[0])}",
                          lines_of(spin.stdout) == lines_of(gyre.stdout) and
                          spin.returncode == gyre.returncode,
                          f"--- spin\n{spin.stdout}\n--- gyre\n{gyre.stdout}")
    with make_folder() as folder:
        told = call([GYRE, "spin", "-t", "mutex.pml"], folder)
        check("no trail", told.returncode == 1 and "cannot find trail file" in told.stdout)
        spin = call(["spin", "-n1", "dead.pml"], folder)  # all runs end alike
        gyre = call([GYRE, "spin", "-n1", "dead.pml"], folder)
        ends = [re.sub(r"(?m)^ *\d+:", "", told.stdout) for told in (spin, gyre)]  # d_step: 1, not 2
        check("a simulation", ends[0] == ends[1] and gyre.returncode == spin.returncode,
              f"{spin.stdout}---\n{gyre.stdout}")
        seeds = {call([GYRE, "spin", "-p", "-u40", f"-n{n}", "right.pml"], folder).stdout
                 for n in (1, 1, 2)}
        check("a seed decides", len(seeds) == 2)
        told = call([GYRE, "spin", "-n5", "mutex.pml"], folder)
        check("an assertion fails in a simulation", told.returncode == 1 and
              "text of failed assertion: assert((inside==1))" in told.stdout, told.stdout)


def refusals():
    with make_folder() as folder:
        for line in ("-run -bcs right.pml",
                     "-run -DNOSTUTTER right.pml", "-e right.pml", "-A right.pml"):
            told = call([GYRE, "spin", *line.split()], folder)
            option = [w for w in line.split() if w.startswith("-") and w != "-run"][0]
            check(f"refused: {line}", told.returncode == 1 and option in told.stdout, told.stdout)
        os.symlink(GYRE, os.path.join(folder, "spin"))
        told = call(["./spin", "-run", "right.pml"], folder)
        check("a link called spin", "errors: 0" in told.stdout, told.stdout)
        call([GYRE, "spin", "-run", "mutex.pml"], folder)
        with open(os.path.join(folder, "mutex.pml.trail"), "w", encoding="utf-8") as out:
            out.write("mine\n")
        call([GYRE, "spin", "-run", "-x", "mutex.pml"], folder)
        with open(os.path.join(folder, "mutex.pml.trail"), encoding="utf-8") as kept:
            check("-x keeps a trail", kept.read() == "mine\n")


def habits():
    with make_folder() as folder:
        for words, status, text in [
                ("-a right.pml", 2, "`gyre MODEL`"), ("-run right.pml", 2, "`gyre MODEL`"),
                ("-t right.pml", 2, "`gyre replay MODEL`"), ("-t3 right.pml", 2, "gyre spin -t3"),
                ("-c right.pml", 2, "--msc"), ("simulate right.pml", 2, "`gyre sim`"),
                ("-k x right.pml", 2, "`gyre replay MODEL FILE`"), ("-o3 right.pml", 2, "--exact"),
                ("-j5 right.pml", 2, "`gyre sim MODEL`"), ("-X right.pml", 2, "gyre spin -X"),
                ("--sim right.pml", 2, "`gyre sim`"), ("right.pml --simulate", 2, "`gyre sim`"),
                ("--replay right.pml", 2, "`gyre replay`"), ("statss right.pml", 2, "`gyre stats`"),
                ("convrt x.dve", 2, "`gyre convert`"), ("help stats", 0, "gyre stats"),
                ("help hunt", 0, "gyre hunt"), ("help spin", 0, "accepts Spin's command line"),
                ("help simulate", 2, "`gyre help sim`"), ("- -", 2, "one model only"),
                ("sim - --interactive", 2, "standard input"),
                ("replai right.pml", 2, "`gyre replay`"), ("help", 0, "gyre [verify] MODEL"),
                ("help sim", 0, "gyre sim"), ("help nothing", 2, "no help on `nothing`"),
                ("verify right.pml", 0, "holds"), ("check mutex.pml", 1, "violated"),
                ("missing.pml", 2, "missing.pml"), ("right.pml -DX --quiet", 0, "holds")]:
            told = call([GYRE, *words.split()], folder)
            check(f"gyre {words}", told.returncode == status and text in told.stdout + told.stderr,
                  f"{told.returncode}\n{told.stdout}{told.stderr}")


def standard_input():
    """`-` is a model for every subcommand that takes one."""
    with make_folder() as folder:
        def ask(words, name):
            return call([GYRE, *words], folder, input=MODELS[name])
        for words, status, text in [(["-"], 1, "<stdin>: violated"), (["verify", "-"], 1, "<stdin>:4"),
                                    (["check", "-", "--quiet"], 1, "violated"),
                                    (["sim", "-", "--steps", "2"], 0, "held"),
                                    (["info", "-"], 0, "<stdin> (promela)"),
                                    (["stats", "-"], 0, "states"), (["hunt", "-"], 1, "violated"),
                                    (["replay", "-"], 1, "held"),
                                    (["-", "right.pml"], 1, "2 models"), (["-", "--json"], 1, '"<stdin>"')]:
            told = ask(words, "mutex.pml")
            check(f"gyre {' '.join(words)} < mutex.pml", told.returncode == status and text in told.stdout,
                  f"{told.returncode}\n{told.stdout}{told.stderr}")
        told = ask(["-"], "right.pml")
        check("gyre - < right.pml", told.returncode == 0 and "holds" in told.stdout, told.stdout)
        told = ask(["-"], "syntax.pml")
        check("gyre - < syntax.pml", told.returncode == 2 and "<stdin>:1" in told.stderr, told.stderr)


def chart():
    """-M writes the script for wish that Spin writes."""
    env = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    for model in ("dead.pml", "queue.pml", "full.pml"):
        with make_folder() as theirs, make_folder() as ours:
            call(["spin", "-n3", "-M", model], theirs, env=env)
            told = call([GYRE, "spin", "-n3", "-M", model], ours, env=env)
            texts = []
            for folder in (theirs, ours):
                with open(os.path.join(folder, model + ".tcl"), encoding="utf-8") as file:
                    texts.append(file.read())
            check(f"-M {model}", texts[0] == texts[1] and told.returncode == 0 and "-n3" in told.stderr,
                  told.stderr)


def main():
    standard_input()
    chart()
    for line in SAME:
        compare(line)
    figures_are_true()
    stops_at_errors()
    interrupted()
    pan()
    simulation()
    refusals()
    habits()
    return harness.end()


if __name__ == "__main__":
    sys.exit(main())
