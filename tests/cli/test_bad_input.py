#!/usr/bin/env python3
# check: cli: bad input, full disks, closed pipes; seconds 6
"""Bad input of every kind, for every subcommand and every option that writes: unknown options, files
that cannot be read, disks that are full, readers that go away. Each has a message that names what is
wrong, and a proper status."""
import os
import subprocess
import sys
import tempfile

import harness
from harness import check

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
GYRE = os.path.join(ROOT, "build", "gyre")

MODELS = {
    "good.pml": "bool x; active proctype A() { do :: x = !x od }\n",
    "bad.pml": "byte n; active proctype A() { n = 1; assert(n == 0) }\n",
    "empty.pml": "",
    "binary.pml": "\0\1\2",
    "good.dve": "byte x; process A { state a; init a; trans a -> a { effect x = 1 - x; }; } system async;\n",
}

# Arguments, what the message holds. The status is 2; that of `spin` is Spin's, 1.
WRONG = [
    # files that cannot be read, as a model
    *[(f"{command} {name}".strip(), text) for command in ("", "sim", "replay", "info", "stats", "hunt", "verify",
                                                          "check")
      for name, text in (("nofile.pml", "nofile.pml"), ("folder", "directory"), ("empty.pml", "no process"),
                         ("binary.pml", "not a text file"))],
    ("/dev/zero", "larger than"), ("convert nofile.dve", "nofile.dve"), ("convert good.pml", "is in Promela"),
    ("test nofile", "nofile"), ("format nofile.pml", "nofile.pml"), ("format good.dve", "only Promela"),
    ("format binary.pml", "not a text"), ("format /dev/zero", "larger than"), ("beem nofile", "nofile"), ("beem good.pml", "good.pml"),
    ("ui nofile.pml", "nofile.pml"), ("ui good.pml bad.pml", "unexpected"), ("ui --port 70000", "at most 65535"),
    ("ui --port x", "--port"), ("ui --jobs 0", "--jobs"), ("ui --jobs 1000", "64"), ("ui --nonsense", "--nonsense"), ("ui --json", "--json"),
    ("ui /dev/null", "not a model"), ("ui good.pml/x", "ot a directory"),
    # as something else
    ("replay bad.pml nofile.trail", "nofile.trail"), ("replay bad.pml folder", "directory"),
    ("replay bad.pml binary.pml", "not a line of a trail"), ("replay bad.pml /dev/zero", "too large"),
    ("sim bad.pml --trail nofile", "nofile"), ("sim bad.pml --trail folder", "directory"),
    ("sim bad.pml --trail /dev/full", "too large"),
    ("good.pml --resume nofile", "nofile"), ("good.pml --resume good.pml", "not a checkpoint"),
    ("good.pml --resume folder", "folder"),
    # what states do not keep
    ("good.pml --ltl [](_last!=1)", "_last is not kept"), ("good.pml --ef _last==1", "_last is not kept"),
    ("sim good.pml --show _last", "_last is not kept"),
    # nothing, or too much
    ("", "usage"), ("sim", "needs a model"), ("replay", "needs a model"), ("info", "needs a model"),
    ("ltl", "needs a formula"), ("test", "needs a"), ("stats", "needs a model"), ("hunt", "needs a model"),
    ("convert", "needs a model"), ("format", "needs a"), ("dap good.pml", "no model"), ("dap --json", "--json"), ("format --check --stdout good.pml", "cannot be combined"),
    ("format --indent 5 good.pml", "5"), ("format --json good.pml", "--json"), ("beem", "needs a directory"), ("info good.pml bad.pml", "unexpected"),
    ("stats good.pml bad.pml", "unexpected"), ("sim good.pml bad.pml", "unexpected"),
    ("replay good.pml a b", "unexpected"), ("ltl a b c", "unexpected"), ("- -", "one model only"),
    # options
    *[(f"{command} --nonsense", "--nonsense") for command in ("good.pml", "sim good.pml", "replay bad.pml",
                                                              "info good.pml", "ltl p", "test .",
                                                              "stats good.pml", "hunt bad.pml",
                                                              "convert good.dve", "format good.pml", "beem .")],
    *[(f"{command} -Q", "-Q") for command in ("good.pml", "sim good.pml", "info good.pml", "stats good.pml")],
    ("good.pml --steps 3", "gyre sim"), ("sim good.pml --store tree", "gyre MODEL"),
    ("good.pml --json=x", "takes no argument"), ("good.pml --time", "needs an argument"),
    ("good.pml --time x", "seconds"), ("good.pml --threads 0", "--threads"), ("good.pml --threads x", "--threads"),
    ("good.pml --memory 1Q", "size"), ("good.pml --store box", "box"), ("good.pml --search up", "up"),
    ("good.pml --check all-of-it", "all-of-it"), ("good.pml --fairness very", "very"),
    ("good.pml --backend abacus", "abacus"), ("good.pml --ltl nosuch", "nosuch"), ("good.pml --ltl [](", "formula"),
    ("good.pml -D", "-D"), ("good.pml -I", "-I"), ("sim good.pml --steps x", "--steps"),
    ("sim good.pml --seed -1", "--seed"), ("--print-completion tcsh", "tcsh"), ("ltl )(", "operand"),
    ("help nothing", "nothing"), ("help stat", "stat"), ("simulate good.pml", "gyre sim"), ("--sim good.pml", "gyre sim"),
    ("-a good.pml", "gyre spin -a"), ("sim good.pml --ef x", "(it belongs to gyre MODEL, gyre hunt)"),
]

# Options that write a file, with what may not be written to.
WRITERS = ["bad.pml --trail", "bad.pml --html", "bad.pml --sarif", "bad.pml --junit", "bad.pml --code-quality",
           "stats good.pml --svg", "convert good.dve -o"]
PLACES = [("/dev/full", "No space left"), ("/nowhere/file", "No such file"), ("folder", "irectory")]
CHECKPOINTS = [("/dev/full", "not a regular file"), ("/nowhere/file", "No such file"), ("folder", "not a regular file")]

# What is printed: (arguments, the status with a reader that goes away).
PRINTERS = [("good.pml", 0), ("bad.pml", 1), ("bad.pml --json", 1), ("bad.pml --events", 1), ("bad.pml --full", 1),
            ("sim good.pml --steps 30000", 0), ("sim good.pml --json --steps 3000", 0), ("replay bad.pml", 1),
            ("info good.pml", 0), ("info good.pml --dot", 0), ("info good.pml --json", 0), ("ltl []p", 0),
            ("ltl []p --never", 0), ("ltl []p --json", 0), ("stats good.pml", 0), ("stats good.pml --json", 0),
            ("test good.pml", 0), ("hunt bad.pml", 1), ("convert good.dve", 0), ("--help", 0), ("--version", 0),
            ("help sim", 0), ("help spin", 0), ("--print-completion bash", 0), ("--print-options", 0),
            ("spin -V", 0), ("spin -p -u20000 good.pml", 0), ("spin -c -u20 good.pml", 0), ("spin -run bad.pml", 0),
            ("spin -f []p", 0)]

# gyre spin: Spin's statuses.
SPIN = [("spin nofile.pml", "nofile.pml"), ("spin folder", "directory"), ("spin -a nofile.pml", "nofile.pml"),
        ("spin -run nofile.pml", "nofile.pml"), ("spin -run empty.pml", "no process"), ("spin -t good.pml", "cannot find"),
        ("spin -k nofile good.pml", "cannot find"), ("spin -N nofile good.pml", "nofile"), ("spin -F nofile", "nofile"),
        ("spin -f )( good.pml", "formula"), ("spin", "no filename"), ("spin -Q good.pml", "unknown option -Q"),
        ("spin -u good.pml", "unknown option"), ("spin -nx good.pml", "unknown option"), ("spin -k", "needs an argument"),
        ("spin -run -Z good.pml", "saw option -Z"), ("spin -run -N nosuch good.pml", "nosuch"),
        ("spin good.pml bad.pml", "more than one"), ("spin -e good.pml", "-e"), ("spin -run -bcs good.pml", "-bcs"),
        ("spin -M -p good.pml", "precludes")]

def call(arguments, folder, **more):
    more.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([GYRE, *arguments.split()], cwd=folder, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          encoding="utf-8", errors="replace", timeout=300, **more)


def told(done):
    return f"status {done.returncode}\n{done.stdout}{done.stderr}"


def wrong(folder):
    for arguments, text in WRONG:
        done = call(arguments, folder)
        check(f"gyre {arguments}", done.returncode == 2 and text in done.stderr, told(done))
    for arguments, text in SPIN:
        done = call(arguments, folder)
        check(f"gyre {arguments}", done.returncode == 1 and text in done.stdout + done.stderr, told(done))


def long_process(folder):
    """What lies ahead of each statement is a bit for each other one: a process of very many does without."""
    with open(os.path.join(folder, "long.pml"), "w", encoding="utf-8") as out:
        out.write("byte x; active proctype P() {" + "x = 1 - x;" * 30000 + "}\nactive proctype Q() { x < 2 }\n")
    done = call("long.pml --verbose --time 100", folder)
    check("a process of 30,000 statements", done.returncode == 0 and "too many statements" in done.stdout + done.stderr,
          told(done))


def unreadable(folder):
    """Files that may not be read, where there are such (root may read everything)."""
    path = os.path.join(folder, "secret.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(MODELS["good.pml"])
    os.chmod(path, 0)
    if not os.access(path, os.R_OK):
        for command in ("", "sim", "info", "stats"):
            done = call(f"{command} secret.pml", folder)
            check(f"gyre {command} secret.pml", done.returncode == 2 and "ermission denied" in done.stderr, told(done))
    done = call("-", folder)
    check("gyre - with nothing", done.returncode == 2 and "no process" in done.stderr, told(done))


def spare_included(folder):
    """What a model includes is not written over, whether the model can be read or not."""
    including, included = os.path.join(folder, "including.pml"), os.path.join(folder, "included.pml")
    with open(including, "w", encoding="utf-8") as out:
        out.write('#include "included.pml"\nactive proctype P() { assert(x == 1) }\n')
    for option in ("--trail", "--html", "--sarif", "--junit", "--code-quality", "--checkpoint"):
        for content in ("byte x;\n", "byte\n"):
            with open(included, "w", encoding="utf-8") as out:
                out.write(content)
            done = call(f"including.pml {option} ./included.pml", folder)
            with open(included, encoding="utf-8") as text:
                kept = text.read() == content
            check(f"gyre including.pml {option} ./included.pml, {content!r}", done.returncode == 2 and kept, told(done))
    os.remove(including)
    os.remove(included)


def full(folder):
    for arguments in [*WRITERS, "hunt bad.pml --trials 1 --csv", "bad.pml --checkpoint"]:
        model = next(word for word in arguments.split() if word in MODELS)
        done = call(f"{arguments} ./{model}", folder)
        with open(os.path.join(folder, model), encoding="utf-8") as text:
            kept = text.read() == MODELS[model]
        check(f"gyre {arguments} ./{model}", done.returncode == 2 and "overwrite the model" in done.stderr and kept,
              told(done))
    spare_included(folder)
    for arguments in WRITERS:
        for place, text in PLACES:
            done = call(f"{arguments} {place}", folder)
            check(f"gyre {arguments} {place}", done.returncode == 2 and text in done.stderr and place in done.stderr,
                  told(done))
    for place, text in CHECKPOINTS:
        done = call(f"good.pml --checkpoint {place}", folder)
        check(f"gyre good.pml --checkpoint {place}", done.returncode == 2 and text in done.stderr, told(done))
    for arguments, _ in PRINTERS:
        with open("/dev/full", "w", encoding="utf-8") as out:
            done = call(arguments, folder, stdout=out)
        check(f"gyre {arguments} > /dev/full", done.returncode == 2 and "No space left" in done.stderr,
              f"status {done.returncode}\n{done.stderr}")
    # Files that `gyre spin` names itself: test_writes.py.


def closed(folder):
    """A reader that goes away is no error: the answer was given, as far as somebody listened."""
    for arguments, status in PRINTERS:
        reading, writing = os.pipe()
        os.close(reading)
        try:
            done = call(arguments, folder, stdout=writing)
        finally:
            os.close(writing)
        check(f"gyre {arguments} | true", done.returncode == status and not done.stderr,
              f"status {done.returncode}\n{done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in MODELS.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write(text)
        os.mkdir(os.path.join(folder, "folder"))
        wrong(folder)
        long_process(folder)
        unreadable(folder)
        closed(folder)
        full(folder)
    return harness.end()


if __name__ == "__main__":
    sys.exit(main())
