#!/usr/bin/env python3
# check: exclusive: exclusive channels (xr, xs) beside Spin; seconds 20
"""Claims that a channel has only one receiver or sender (xr, xs), beside Spin's verifier.

    test_exclusive.py [--count N] [--seed N]

Models with the verdict that each of Gyre and Spin (with its reduction: it checks claims then only)
must give, then random programs. In those of the first kind all processes are started at once and
stay, so that what a claim means is the same to both: the verdicts must agree. In those of the
second kind they come and go: the kinds of faults must be the same with and without reductions
(build/tools/reduce_check), and native code must say what the machine says (native_tool).

GYRE names another binary, TOOLS the folder of the tools. Ends with `N passed, N failed`.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import quick_cc  # noqa: E402
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
TOOLS = os.path.join(ROOT, os.environ.get("TOOLS", "build/tools"))

QR = "chan q = [2] of { byte }; chan r = [2] of { byte };\n"

# name: (model, Gyre's verdict, Spin's verdict). `model`: an error in the model, told before the
# search (exit status 2); `broken`: found by the search; `kept`.
MODELS = {
    "kept: static channels": (QR + """
active proctype A() { xs q; xr r; byte x; q!1; r?x }
active proctype B() { xr q; xs r; byte x; q?x; r!1 }""", "kept", "kept"),
    "static: two receivers": (QR + """
active proctype A() { byte x; xr q; q?x }
active proctype B() { byte x; q!1; q?x }""", "model", "broken"),
    "static: two instances": (QR + "active [2] proctype A() { xs q; q!1 }", "model", "broken"),
    "parameters: the same channel": (QR + """
proctype A(chan c) { xs c; c!1 }
init { atomic { run A(q); run A(q) } }""", "broken", "broken"),
    "parameters: two channels": (QR + """
proctype A(chan c) { xs c; c!1 }
init { atomic { run A(q); run A(r) } }""", "kept", "kept"),
    "parameters: by another name": (QR + """
proctype A(chan c) { xs c; c!1 }
proctype B(chan d) { d!2 }
init { atomic { run A(q); run B(q) } }""", "broken", "broken"),
    "parameters: another channel": (QR + """
proctype A(chan c) { xs c; c!1 }
proctype B(chan d) { d!2 }
init { atomic { run A(q); run B(r) } }""", "kept", "kept"),
    "parameters: receivers": (QR + """
proctype A(chan c) { byte x; xr c; c?x }
proctype B(chan d) { byte x; d?x }
init { q!1; q!2; atomic { run A(q); run B(q) } }""", "broken", "broken"),
    "parameters: the other end": (QR + """
proctype A(chan c) { byte x; xr c; c?x }
proctype B(chan d) { d!1 }
init { atomic { run A(q); run B(q) } }""", "kept", "kept"),
    "arrays: an index that hits": ("""chan q[3] = [1] of { byte };
proctype A(chan c) { xs c; c!1 }
active proctype B() { byte i; run A(q[1]); do :: i < 3 -> q[i]!1; i++ :: else -> break od }""",
                                   "broken", "broken"),
    "arrays: an index that misses": ("""chan q[3] = [1] of { byte };
proctype A(chan c) { xs c; c!1 }
active proctype B() { byte i; run A(q[1]); do :: i < 3 -> q[i]!1; i = i + 2 :: else -> break od }
""", "kept", "kept"),
    "arrays: a ring": ("""chan q[3] = [1] of { byte };
proctype A(chan in, out) { byte x; xr in; xs out; out!1; in?x }
init { byte i; atomic { do :: i < 3 -> run A(q[i], q[(i + 1) % 3]); i++ :: else -> break od } }""",
                       "kept", "kept"),
    "arrays: a ring, off by one": ("""chan q[3] = [1] of { byte };
proctype A(chan in, out) { byte x; xr in; xs out; out!1; in?x }
init { byte i; atomic { do :: i < 3 -> run A(q[i], q[(i + 1) % 2]); i++ :: else -> break od } }""",
                                   "broken", "broken"),
    "received: the channel claimed": (QR + """chan h = [1] of { chan };
active proctype A() { xs q; h!q; q!1 }
active proctype B() { chan d; h?d; d!1 }""", "broken", "broken"),
    "received: another one": (QR + """chan h = [1] of { chan };
active proctype A() { xs q; h!r; q!1 }
active proctype B() { chan d; h?d; d!1 }""", "kept", "kept"),
    "assigned: the channel claimed": (QR + """
active proctype A() { xs q; q!1 }
active proctype B() { chan d = r; if :: d = q :: skip fi; d!1 }""", "broken", "broken"),
    "a receive that is tried in vain": (QR + """
proctype A() { byte x; xr q; end: do :: q?x od }
proctype B(chan c) { byte x; end: c?x }
init { atomic { run A(); run B(q) } }""", "broken", "broken"),
    "a send that is not come to": (QR + """
active proctype A() { xs q; q!1 }
proctype B(chan c) { do :: false -> c!1 :: break od }
init { run B(q) }""", "kept", "kept"),
    "inside a d_step": (QR + """
proctype A(chan c) { xs c; c!1 }
proctype B(chan c) { byte x; d_step { x = 1; c!x } }
init { atomic { run A(q); run B(q) } }""", "broken", "broken"),
    "first in a d_step": (QR + """
proctype A(chan c) { xs c; c!1 }
proctype B(chan c) { byte x; d_step { c!x; x = 1 } }
init { atomic { run A(q); run B(q) } }""", "broken", "broken"),
    "inside an atomic": (QR + """
proctype A(chan c) { xs c; c!1 }
proctype B(chan c) { atomic { skip; c!2 } }
init { atomic { run A(q); run B(q) } }""", "broken", "broken"),
    "used before it was claimed": (QR + """
proctype A() { xs q; q!1 }
init { q!2; run A() }""", "kept", "kept"),
    "claimed in turn, by processes of the same number": (QR + """
proctype A() { xs q; q!1 }
init { run A(); _nr_pr == 1; run A(); _nr_pr == 1 }""", "kept", "kept"),
    # differences: see docs/differences-from-spin.md
    "the one who claimed it is gone": (QR + """
proctype A() { xs q; q!1 }
init { run A(); _nr_pr == 1; q!2 }""", "kept", "broken"),
    "the same process under two numbers": (QR + """
proctype A() { xs q; q!1 }
proctype N() { (false) }
init { if :: run A() :: run N(); run A() fi; end: (false) }""".replace("(false) }\ni", "end: (false) }\ni"),
                                           "kept", "broken"),
    "claimed before it is known": (QR + """
active proctype A() { chan c; xs c; c = q; c!1 }
active proctype B() { r!1 }""", "kept", "broken"),
    "claimed anew": (QR + """
active proctype A() { chan c = q; xs c; c!1; c = r; c!2 }
active proctype B() { r!1 }""", "broken", "kept"),
    "two claims, and no use": (QR + """
proctype A(chan c) { xs c; skip }
init { atomic { run A(q); run A(q) } }""", "kept", "broken"),
    "a rendezvous": ("""chan q = [0] of { byte };
active proctype A() { xs q; q!1 }
active proctype B() { byte x; xr q; q?x }""", "kept", "broken"),
}

# Who else may ask such a question, beside one who claims to be the only receiver or sender?
for question, beside_xr, beside_xs in (("q?[1]", 0, 0), ("len(q) > 0", 0, 0), ("empty(q)", 0, 0),
                                       ("full(q)", 0, 0), ("nempty(q)", 0, 1), ("nfull(q)", 1, 0)):
    for claim, use, fine in (("xr q", "q?x", beside_xr), ("xs q", "q!1", beside_xs)):
        verdict = "kept" if fine else "broken"
        MODELS[f"{question} beside {claim}"] = (
            QR + f"active proctype A() {{ byte x; {claim}; {use} }}\n"
            f"active proctype B() {{ {question} -> skip }}", verdict, verdict)

OPTIONS = [[], ["--exact"], ["--search", "dfs"], ["--no-por"], ["--reduce", "cartesian"],
           ["--store", "plain"], ["--backend", "native"]]

passed = failed = 0


def check(name, good, what=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAILED: {name}\n{what}")


def gyre(path, *options):
    done = subprocess.run([GYRE, path, "--json", *options], timeout=300, capture_output=True,
                          text=True)
    if done.returncode == 2:
        return "model", done.stdout + done.stderr
    report = schema.report(done.stdout)
    trace = report["properties"][0].get("counterexample") if report["properties"] else None
    if done.returncode == 1 and trace:
        return "broken" if trace["kind"] == "exclusive-access" else trace["kind"], done.stdout
    return "kept" if done.returncode == 0 else str(done.returncode), done.stdout


def spin(path, folder, *flags):
    subprocess.run(["spin", "-a", path], cwd=folder, timeout=300, check=True, capture_output=True)
    subprocess.run(["gcc", "-DSAFETY", *flags, "-o", "pan", "pan.c"], cwd=folder, timeout=300, check=True,
                   env=quick_cc.ENVIRONMENT)
    done = subprocess.run(["./pan", "-E", "-m100000"], cwd=folder, timeout=300, capture_output=True,
                          text=True)
    if re.search(r"partial order reduction invalid|x\[rs\] claim|cannot be used for rv", done.stdout):
        return "broken", done.stdout
    return ("kept" if re.search(r"errors: 0\b", done.stdout) else "other"), done.stdout


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def known_models(folder):
    for name, (text, ours, theirs) in MODELS.items():
        path = write(folder, "known.pml", text + "\n")
        for options in OPTIONS:
            verdict, output = gyre(path, "--no-deadlock", *options)
            check(f"{name} {options}", verdict == ours, output)
        verdict, output = gyre(path, "--no-deadlock", "--no-exclusive")
        check(f"{name}: not checked", verdict == "kept", output)
        verdict, output = spin(path, folder)
        check(f"{name}: Spin", verdict == theirs, output)
        verdict, output = spin(path, folder, "-DNOREDUCE")
        check(f"{name}: Spin without reduction does not look", verdict == "kept", output)


def report(folder):
    """What a person reads: the claim, both processes, both statements, and the way there."""
    path = write(folder, "users.pml", "chan q = [2] of { byte };\n"
                 "proctype A(chan c) {\n  xs c;\n  c!1\n}\n"
                 "proctype B(chan d) {\n  d!2\n}\n"
                 "init { atomic { run A(q); run B(q) } }\n")
    done = subprocess.run([GYRE, path], timeout=300, capture_output=True, text=True)
    check("exit status", done.returncode == 1, done.stdout)
    for part in (r"`xs c` \(\S*users\.pml:3\)", r"A\(1\).*by c!1 \(\S*users\.pml:4\)",
                 r"but B\(2\) uses it too: d!2", r"users\.pml:7:3 +d!2"):
        check(f"the report has {part}", re.search(part, done.stdout), done.stdout)
    trail = os.path.join(folder, "users.trail")
    subprocess.run([GYRE, path, "--trail", trail], timeout=300, capture_output=True)
    done = subprocess.run([GYRE, "replay", path, trail], timeout=300, capture_output=True, text=True)
    check("the trail can be replayed", "is not kept" in done.stdout, done.stdout + done.stderr)


def attempts(folder):
    """R tries to receive from b, also while S offers to send to a, from which nobody receives: an offer that is not
    taken is no statement that was executed."""
    path = write(folder, "offer.pml", "chan a = [0] of { byte }; chan b = [1] of { byte };\n"
                 "proctype O(chan q) { xr q; byte v; q?v }\n"
                 "active proctype R() { chan c = b; byte v; run O(b); c?v }\n"
                 "active proctype S() {\n a!1 }\n")
    for options in OPTIONS:
        verdict, output = gyre(path, "--all-errors", *options)
        unreached = [one["text"] for one in schema.report(output)["coverage"]["unreached"]]
        check(f"attempts {options}", verdict == "broken" and "a!1" in unreached, output)


# ---- random programs -----------------------------------------------------------------------


def statement(rng, name, depth=0):
    """One statement of a process whose channel variables are c and d."""
    chan = rng.choice(["c", "d", f"q[{rng.randrange(3)}]", "q[i]"])
    kind = rng.randrange(9 if depth else 12)
    if kind < 3:
        return f"{chan}!{rng.randrange(2)}"
    if kind < 5:
        return f"{chan}?i"
    if kind == 5:
        return f"i = {rng.randrange(3)}"
    if kind == 6:
        return f"h!{rng.choice(['c', 'd'])}"
    if kind == 7:
        return "h?d"
    if kind == 8:
        return f"d = {rng.choice(['c', 'q[1]'])}"
    if kind == 9:
        return rng.choice(["{}?[1]", "len({}) > 0", "nempty({})", "nfull({})", "empty({})"]).format(chan)
    body = "; ".join(statement(rng, name, 1) for _ in range(2))
    if kind == 10:
        return f"{rng.choice(['atomic', 'd_step'])} {{ i = i; {statement(rng, name, 1)} }}"\
            if rng.randrange(2) else f"atomic {{ {body} }}"
    return f"if :: {body} :: i = 1 fi"


def program(seed, stay):
    """`stay`: all processes are started first, and never end, and no two claim the same channel."""
    rng = random.Random(seed)
    text = f"chan q[3] = [{rng.randrange(1, 3) if stay else rng.randrange(3)}] of {{ byte }};\nchan h = [1] of {{ chan }};\n"
    kinds = rng.randrange(1, 4)
    for k in range(kinds):
        claims = "; ".join(f"{rng.choice(['xr', 'xs'])} c" for _ in range(rng.randrange(0, 2)))
        body = "; ".join(statement(rng, k) for _ in range(rng.randrange(1, 4)))
        text += (f"proctype P{k}(chan c) {{ chan d = {rng.choice(['c', 'q[0]'])}; byte i; "
                 f"{claims + '; ' if claims else ''}{body}"
                 f"{'; (false)' if stay else ''} }}\n")
    runs = [f"run P{rng.randrange(kinds)}(q[{rng.randrange(3)}])"
            for _ in range(rng.randrange(2, 4))]
    if stay:
        runs = [f"run P{k}(q[{c}])" for k, c in zip(range(kinds), rng.sample(range(3), kinds))]
    start = f"atomic {{ {'; '.join(runs)} }}" if stay else \
        "; ".join(runs[:1] + [statement(rng, 9).replace("c!", "q[0]!")] * rng.randrange(2) + runs[1:])
    return text + f"init {{ chan c = q[0]; chan d = q[2]; byte i; {start} }}\n"


def random_programs(folder, count, seed):
    broken = 0
    for number in range(seed, seed + count // 10):
        path = write(folder, "stay.pml", program(number, True))
        ours, output = gyre(path, "--no-deadlock")
        if ours not in ("kept", "broken"):
            continue  # another run-time error
        theirs, told = spin(path, folder)
        broken += ours == "broken"
        check(f"random program {number} against Spin", theirs in (ours, "other"),
              program(number, True) + output + told)
    check("some random programs break a claim", broken * 20 > count // 10, str(broken))
    paths = [write(folder, f"move{number}.pml", program(number, False))
             for number in range(seed, seed + count)]
    found = same = 0
    for first in range(0, count, 100):
        some = paths[first:first + 100]
        done = subprocess.run([os.path.join(TOOLS, "reduce_check"), "--limit", "20000", *some],
                              timeout=600, capture_output=True, text=True)
        for line in done.stdout.splitlines():
            same += " same " in line
            found += "different" in line or "DIFFERENT" in line
            check("reduced random program", "different" not in line, line)
        check("reduce_check ends well", done.returncode in (0, 1), done.stderr)
    check("most random programs were compared", same * 2 > count, str(same))
    some = paths[:count // 20]
    for flags in ([], ["-r"]):
        done = subprocess.run([os.path.join(TOOLS, "native_tool"), "check", *flags, *some],
                              timeout=900, capture_output=True, text=True)
        check(f"native code {flags}", done.returncode == 0 and "DIFFERENT" not in done.stdout and
              done.stdout.count(": ok") * 2 > len(some), done.stdout[-2000:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        known_models(folder)
        report(folder)
        attempts(folder)
        random_programs(folder, o.count, o.seed)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
