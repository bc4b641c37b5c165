#!/usr/bin/env python3
"""Compare formulas that are violated after finitely many steps, searched on a device with a monitor, with the
virtual machine's answer: random small programs, some of which stop, make processes or have long states, and random
formulas of literals, &&, ||, X, W and [].

    device_ltl.py --count 10 [--seed 1] [--jobs 2]

By default the device's kernels run on this machine (GYRE_DEVICE=host).  Where the property holds and the monitor is
the automaton itself, states and transitions are equal as well; that is so for [] of a predicate.
"""
import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def atom(r):
    return r.choice(["a %s %d" % (r.choice(["<", "==", ">"]), r.randint(0, 4)),
                     "b %s %d" % (r.choice(["<", "==", "!="]), r.randint(0, 4)), "a == b", "a + b < %d" % r.randint(3, 8),
                     "len(c) < %d" % r.randint(1, 3), "x[b] == %d" % r.randint(0, 2), "P@here"])


def formula(r, depth):
    kind = r.randrange(7) if depth else 0
    if kind <= 1:
        return ("(%s)" if r.random() < .7 else "!(%s)") % atom(r)
    if kind == 2:
        return "(%s && %s)" % (formula(r, depth - 1), formula(r, depth - 1))
    if kind == 3:
        return "(%s || %s)" % (formula(r, depth - 1), formula(r, depth - 1))
    if kind == 4:
        return "(X %s)" % formula(r, depth - 1)
    if kind == 5:
        return "(%s W %s)" % (formula(r, depth - 1), formula(r, depth - 1))
    return "([] %s)" % formula(r, depth - 1)


def program(seed):
    r = random.Random(seed)
    steps = ["a < %d -> a++" % r.randint(2, 4), "a > 0 -> a--", "b = (b + 1) %% %d" % r.randint(2, 5),
             "c!b", "c?a", "atomic { a == b -> b = 0; a = 1 }", "x[b] = a", "b > a -> break",
             "d_step { a = b; b = %d }" % r.randint(0, 3)]
    text = "byte a, b; byte x[6]; chan c = [%d] of { byte };\n" % r.randint(1, 2)
    if seed % 3 == 0:
        text += "int w[9]; active proctype L() { do :: w[a] = 70000 * a :: w[b] = 90000 od }\n"
    text += "active proctype P() { do %s od; here: a = 0 }\n" % " ".join(":: " + s for s in r.sample(steps, 4))
    text += "active [%d] proctype Q() { do %s od }\n" % (r.randint(1, 2), " ".join(":: " + s for s in r.sample(steps, 3)))
    if seed % 4 == 0:
        text += "proctype N() { b = 1; a = 2 } active proctype R() { do :: _nr_pr < 5 -> run N() :: a == 3 -> break od }\n"
    shape = "[] %s" % formula(r, 1) if r.random() < .4 else formula(r, 3)
    return text + "ltl f { %s }\n" % shape


def answer(o, model, backend, environment):
    command = [o.gyre, model, "--ltl", "f", "--check", "liveness", "--exact", "--json", "--time", "100", "--backend", backend]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode not in (0, 1):
        return ["status %d %s" % (done.returncode, done.stderr[-300:])], "failed"
    report = json.loads(done.stdout)
    found = next(p for p in report["properties"] if p["name"] == "f")
    left = [d["message"] for d in report.get("diagnostics", []) if "no GPU was used" in d["message"]]
    return [found["verdict"], found.get("counterexample", {}).get("kind")], left[0] if left else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gyre", default=os.path.join(ROOT, "build/gyre"))
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    o = parser.parse_args()
    holds = violated = different = left = other = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        environment = dict(os.environ, GYRE_DEVICE=os.environ.get("GYRE_DEVICE", "host"),
                           GYRE_CACHE=os.path.join(folder, "cache"))

        def look(seed):
            path = os.path.join(folder, "m%d.pml" % seed)
            with open(path, "w") as f:
                f.write(program(seed))
            return seed, answer(o, path, "vm", environment)[0], answer(o, path, "cuda", environment)

        for seed, truth, (told, away) in pool.map(look, range(o.seed, o.seed + o.count)):
            if truth[0] not in ("holds", "violated") or told[0].startswith("status 3"):  # a limit
                other += 1
            elif told != truth:
                different += 1
                print("DIFFERENT: seed %d: device %s, machine %s\n%s" % (seed, told, truth, program(seed)))
            elif away:
                left += 1
            else:
                holds += truth[0] == "holds"
                violated += truth[0] == "violated"
    print("%d hold and %d are violated on both, %d different, %d left to the processors, %d without an answer" % (
        holds, violated, different, left, other))
    return different > 0 or not holds or not violated


if __name__ == "__main__":
    sys.exit(main())
