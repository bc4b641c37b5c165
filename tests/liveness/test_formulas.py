#!/usr/bin/env python3
# check: liveness: several formulas; seconds 15
"""Several formulas: checked together, on one graph, they have the verdicts and figures that each has alone.

    test_formulas.py [--count N] [--seed N]

random    models with several random formulas: without reduction, verdicts and, of those that hold, states
          and transitions are those of --formulas apart; with it, verdicts are. For several numbers of
          threads, stores and tables that grow at every chance
words     what the plan and the report say of it, and what is refused
limits    where memory is short for a graph, formulas are searched one by one
many      more propositions than fit into a word, in parts without temporal operators

GYRE names another binary. Ends with `N passed, N failed`.
"""
import argparse
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import live_compare  # noqa: E402

GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
GRID = """byte a, b, c; bool l;
active proctype A() { do :: a = (a + 1) % 30 od }
active proctype B() { do :: b = (b + 1) % 30 od }
active proctype C() { do :: c = (c + 1) % 20; l = !l od }
ltl p { [] (a < 30) }
ltl q { []<> (a == 3) -> []<> (a == 4) }
ltl r { [] (l -> <> (c < 20)) }
ltl s { <>[] (b == 1) }
ltl t { <> ((a == 3) && X (a == 3)) }
"""


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, good, *text):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print("FAILED:", *(str(t)[:300] for t in text), flush=True)


def ask(path, *options, env=None):
    done = subprocess.run([GYRE, path, "--json", "--verbose", "--check", "liveness", "--backend", "vm",
                           *options],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
                          env=dict(os.environ, **(env or {})))
    try:
        report = schema.report(done.stdout)
        return {p["name"]: p for p in report["properties"]}, report
    except ValueError:
        return {}, {"status": done.returncode, "error": done.stderr.decode()}


def figures(found, counts):
    holds = found["verdict"] == "holds"
    return (found["verdict"], found["vacuous"]) + ((found["states"], found["transitions"]) if holds and counts else ())


def random_case(tally, folder, seed):
    maker = live_compare.Maker(seed)
    text = maker.system()
    count = maker.rng.randrange(2, 6)
    for i in range(count):
        formula = maker.formula(maker.rng.randrange(1, 4))
        if maker.rng.random() < 0.15:
            formula = f"<> (({maker.condition()}) && X ({formula}))"
        text += f"ltl p{i} {{ {formula} }}\n"
    path = live_compare.write_model(folder, seed, text)
    apart, _ = ask(path, "--exact", "--formulas", "apart")
    ways = [(("--exact", "--threads", "1"), {}), (("--exact", "--threads", "3"), {"GYRE_HOSTILE": "1"}),
            (("--exact", "--threads", "2", "--store", "tree"), {}), (("--threads", "2"), {})]
    for options, env in ways:
        counts = "--exact" in options
        found, report = ask(path, *options, "--formulas", "together", env=env)
        for name, alone in apart.items():
            tally.check(name in found and figures(found[name], counts) == figures(alone, counts), f"seed {seed}", name,
                        options, env, found.get(name) and figures(found[name], counts), figures(alone, counts),
                        report.get("error"))
    return sum("together" in p for p in found.values())


def random_models(tally, folder, first, count):
    together = sum(random_case(tally, folder, seed) for seed in range(first, first + count))
    tally.check(together > count, f"hardly any formula was checked on a common graph: {together}")


def words(tally, folder):
    path = os.path.join(folder, "grid.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(GRID)
    found, report = ask(path, "--formulas", "together", "--no-por")
    plan = {(c["what"], c["choice"]) for c in report["plan"]}
    tally.check(("formulas", "together") in plan, plan)
    tally.check(all(p["together"] == 5 for p in found.values()), found)
    tally.check(found["p"]["states"] == 30 * 30 * 20 * 2, found["p"])  # c and l change one after the other
    tally.check([found[n]["verdict"] for n in "pqrst"] == ["holds", "violated", "holds", "violated", "violated"], found)
    # With reductions, a formula with X is in a group of its own, and so by itself here.
    found, _ = ask(path, "--formulas", "together")
    tally.check([found[n].get("together") for n in "pqrst"] == [4, 4, 4, 4, None], found)
    found, report = ask(path, "--formulas", "apart")
    tally.check(not any("together" in p for p in found.values()), found)
    for options, word in ((["--fairness", "weak"], "fairness"), (["--shortest"], "--shortest"),
                          (["--cycles", "owcty"], "--cycles"), (["--depth", "100"], "--depth")):
        _, refused = ask(path, "--formulas", "together", *options)
        tally.check(refused.get("status") == 2 or refused.get("verdict") == "error", options, refused)
        _, report = ask(path, *options, "--time", "20")
        said = [c for c in report["plan"] if c["what"] == "formulas"]
        tally.check(said and said[0]["choice"] == "one by one" and word in said[0]["reason"], options, said)
    found, _ = ask(path, "--formulas", "together", "--no-por", "--deterministic")
    tally.check("together" in found["p"] and "together" not in found["s"] and found["s"]["verdict"] == "violated",
                found)


def limits(tally, folder):
    path = os.path.join(folder, "large.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write("".join(line for line in GRID.replace("30", "250").splitlines(True) if line[:5] not in
                          ("ltl q", "ltl r", "ltl t")))
    found, report = ask(path, "--formulas", "together", "--exact", "--memory", "40M")
    said = [c["reason"] for c in report["plan"] if c["what"] == "formulas"]
    tally.check(len(said) == 2 and "memory" in said[1], said)
    tally.check(found["s"]["verdict"] == "violated", found["s"])


def many(tally, folder):
    """All 70 cells become 1 one after the other, then 0, for ever."""
    size = 70
    ones, zeros, some = (sign.join(f"(x[{k}] == {v})" for k in range(size)) for sign, v in
                         ((" && ", 1), (" && ", 0), (" || ", 1)))
    cases = {"filled": (f"[] (({zeros}) -> <> ({ones}))", "holds"), "kept": (f"<>[] ({some})", "violated"),
             "opposite": (f"[] (({zeros}) <-> !({some}))", "holds"), "begun": (f"[] ({some})", "violated"),
             "early": (f"({zeros}) && X ({some}) && <> (i == 69)", "holds"),
             "implied": (f"[] (({ones}) -> (({some}) && !({zeros})))", "holds"),
             "apart": (" && ".join(f"[]<> (x[{k}] == 1)" for k in range(size)), "inconclusive")}
    path = os.path.join(folder, "many.pml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"byte x[{size}]; byte i;\n"
                  f"active proctype P() {{ do :: d_step {{ x[i] = 1 - x[i]; i = (i + 1) % {size} }} od }}\n")
        for name, (formula, _) in cases.items():
            out.write(f"ltl {name} {{ {formula} }}\n")
    for options in ([], ["--exact"], ["--shortest"]):
        found, report = ask(path, *options)
        for name, (_, expected) in cases.items():
            tally.check(found.get(name, {}).get("verdict") == expected, name, options, found.get(name, report))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        random_models(tally, folder, given.seed, given.count)
        words(tally, folder)
        limits(tally, folder)
        many(tally, folder)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
