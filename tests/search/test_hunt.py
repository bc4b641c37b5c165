#!/usr/bin/env python3
# check: search: hunting for errors; seconds 10
"""gyre hunt as a user meets it: verdicts beside those of a full search, what it never says, goals,
heuristics, strategies, experiments, bad input. All is bounded by counts, nothing by the clock.
"""
import csv
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from harness import ROOT, check, counts, expect, gyre  # noqa: E402

HUNT = os.path.join(ROOT, "bench", "hunt")
EXAMPLES = os.path.join(ROOT, "examples")


def model(name, *defines):
    return [os.path.join(HUNT, name), *(part for each in defines for part in ("-D", each))]


def example(name):
    return os.path.join(EXAMPLES, name)


def written(folder, text):
    path = os.path.join(folder, "m.pml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def verdicts():
    """Where a hunt can see everything, its verdict is that of a full search; never another one."""
    for path in sorted(glob.glob(os.path.join(EXAMPLES, "*.pml"))):
        name = os.path.basename(path)
        full = gyre(path, "--json").json
        hunt = gyre("hunt", path, "--json", "--effort", "3000000", "--threads", "2")
        told = hunt.json
        check(f"{name}: no contradiction", told["verdict"] in (full["verdict"], "inconclusive"),
              f"{full['verdict']}, hunt: {hunt}")
        check(f"{name}: errors are found", full["verdict"] != "violated" or told["verdict"] == "violated", hunt)
        for before, after in zip(full["properties"], told["properties"]):
            check(f"{name}: {before['name']}", after["verdict"] in (before["verdict"], "inconclusive"), hunt)


# The errors of these are those of the literature: every row of its tables has one.
def ports():
    for arguments in (model("reorder.pml", "S=1", "C=1"), model("reorder.pml", "S=5", "C=1"), model("wronglock.pml", "X=1", "Y=1"),
                      model("wronglock.pml", "X=1", "Y=10"), model("twostage.pml", "W=2", "R=1")):
        expect(f"{arguments}", gyre("hunt", *arguments), 1, r"violated: assertion failed")
    for arguments in (model("piper.pml", "I=2", "U=2", "A=2"), model("clean.pml"), model("producer_consumer.pml", "P=1", "C=8")):
        expect(f"{arguments}", gyre("hunt", *arguments), 1, r"violated: invalid end state")


def hints():
    """Options that are told are those of the command that has them."""
    result = expect("a way that was made shorter", gyre("hunt", os.path.join(HUNT, "deep", "window.pml"), "--strategy", "bitstate"), 1,
                    r"shortened from \S+ with limited effort; gyre MODEL --shortest finds a shortest one")
    check("--shortest is no option of a hunt", "; --shortest" not in result.out, result)


def no_proof():
    big = model("reorder.pml", "S=9", "C=1")
    result = expect("a hunt that saw little says nothing", gyre("hunt", *big, "--effort", "20", "--strategy", "dfs"), 3,
                    r"inconclusive: no error found, but the hunt has not seen every state")
    check("it never says holds", "holds" not in result.out, result)
    # random walks alone prove nothing, however small the model is
    expect("walks prove nothing", gyre("hunt", example("peterson.pml"), "--strategy", "random-walk,pct", "--effort", "20000"), 3,
           r"no error found")
    result = expect("guarantee", gyre("hunt", example("two_phase_commit.pml"), "--strategy", "pct", "--effort", "20000"), 3,
                    r"[\d,]+ pct runs?: a bug of depth 3 would have been found with probability at least \S+ \(\d+ processes, at most [\d,]+ steps\)")
    found = re.search(r"([\d,]+) pct runs?: .* probability at least (\S+) \((\d+) processes, at most ([\d,]+) steps\)", result.out)
    if found:
        runs, processes, steps = (int(found[i].replace(",", "")) for i in (1, 3, 4))
        wanted = 1 - (1 - 1 / (processes * steps ** 2)) ** runs
        check("the guarantee is what it should be", abs(float(found[2]) - wanted) <= 0.06 * wanted, f"{found[0]}: {wanted}")
    # walks store nothing: 38 states are visited again and again
    visits = gyre("hunt", example("peterson.pml"), "--strategy", "pct", "--effort", "20000").out
    check("visits are not states, and there is no store", re.search(r"^[\d,]+ states visited, ", visits, re.M) and "store" not in visits, visits)
    one = gyre("hunt", example("peterson.pml"), "--effort", "20000", "--threads", "1")
    check("a complete hunt has states", re.search(r"^38 states, ", one.out, re.M), one)
    report = gyre("hunt", example("two_phase_commit.pml"), "--strategy", "pct", "--effort", "20000", "--json").json
    check("guarantee in JSON", 0 <= report["stats"]["guarantee"]["probability"] <= 1, report["stats"])
    # a truncated queue must not be called complete
    expect("truncated", gyre("hunt", example("two_phase_commit.pml"), "--strategy", "guided", "--queue-limit", "3", "--effort", "4000"), 3,
           r"no error found")
    expect("truncated best", gyre(example("two_phase_commit.pml"), "--search", "best", "--queue-limit", "3"), 3, r"queue limit was reached")
    expect("complete best", gyre(example("two_phase_commit.pml"), "--search", "best", "--queue-limit", "100000"), 0, r"holds")


def claims_that_change():
    """Spin's pan finds no error in it: with y = 3 from the start, x is never 2."""
    with tempfile.TemporaryDirectory() as folder:
        path = written(folder, "byte x, y;\n"
                       "active proctype A() { x = 1; do :: y == 0 -> x = 2; break :: y == 3 -> x = 3; break od }\n"
                       "never { y = 3; do :: (x == 2) -> break :: (x < 2) od }\n")
        expect("a claim that changes variables", gyre("hunt", path, "--effort", "2000"), 0, r"holds")
        wrong = path.replace("m.pml", "w.pml")
        with open(path) as text, open(wrong, "w") as out:
            out.write(text.read().replace("y == 3 -> x = 3", "y == 3 -> x = 2"))
        expect("such a claim, violated", gyre("hunt", wrong, "--effort", "2000"), 1, r"violated")
        expect("no trials of it", gyre("hunt", path, "--trials", "2", "--check", "liveness"), 2,
               err=r"changes variables")
        loop = written(folder, "byte x; byte y;\nactive proctype Q() { y = 1; y = 2 }\n"
                       "active proctype P() { (y == 2); atomic { do :: x = 1 - x od } }\n")
        for way in (["hunt"], ["--search", "best"]):
            expect(f"an endless atomic sequence, {way[-1]}", gyre(*way, loop), 0, r"never ends")


def goals():
    sliding = example("peterson.pml")
    with tempfile.TemporaryDirectory() as folder:
        path = written(folder, "byte x, y;\nactive proctype P() { do :: x < 30 -> x++ :: x > 0 -> x-- :: y < 9 -> y++ od }\n")
        for heuristic in ("formula", "novelty", "enabled"):
            result = expect(f"goal by {heuristic}", gyre("hunt", path, "--goal", "x == 12 && y == 3", "--heuristic", heuristic,
                                                         "--strategy", "guided", "--json"), 1)
            steps = result.json["properties"][0]["counterexample"]
            check(f"goal by {heuristic}: the last state", {"x": 12, "y": 3}.items() <= steps["final"]["globals"].items(), steps["final"])
            # x and y change by one in a step: no fewer than 15
            check(f"goal by {heuristic}: its length", steps["length"] >= 15, steps["length"])
        expect("a goal that cannot be", gyre("hunt", path, "--goal", "x > 30"), 0, "holds")
        expect("a goal of a plain search", gyre(path, "--goal", "y == 9"), 1, "violated")
        claim = written(folder, "byte x;\nactive proctype P() { do :: x < 200 -> x++ :: x > 0 -> x-- od }\n"
                                "never { T0: do :: x == 40 -> break :: else od }\n")
        expect("a claim", gyre("hunt", claim, "--check", "liveness", "--heuristic", "accepting"), 1, "violated")
        labels = written(folder, "byte x;\nactive proctype P() { do :: x < 9 -> x++ :: x == 9 -> break od;\nerror_here: x = 0 }\n")
        expect("a label", gyre("hunt", labels, "--goal", "P@error_here", "--strategy", "guided"), 1, "violated")
        expect("a distance to labels", gyre("hunt", labels, "--heuristic", "distance,distance-sum"), 0, "holds")
    expect("a formula beside errors", gyre("hunt", example("needham_schroeder.pml"), "--heuristic", "formula"), 1, "authentic.*violated")
    expect("an expression that is none", gyre("hunt", sliding, "--goal", "nobody == 1"), 2, err=r"--goal: `nobody == 1` is not an expression")
    expect("not even one", gyre("hunt", sliding, "--goal", "1 +"), 2, err="--goal")


def all_errors():
    with tempfile.TemporaryDirectory() as folder:
        path = written(folder, "byte x;\nactive [2] proctype P() { if :: assert(x < 3) :: x = 5; assert(x == 4) :: x = 9; assert(x != 9)\n"
                               ":: skip fi }\n")
        report = gyre("hunt", path, "--all-errors", "--json").json
        full = gyre(path, "--all-errors", "--json").json

        def lines(which):
            return sorted({each["steps"][-1]["line"] for each in which["properties"][0]["counterexamples"]})
        check("all errors", lines(report) == lines(full), f"{lines(report)} {lines(full)}")


def heuristics():
    for name in ("assertions", "distance", "distance-sum", "most-blocked", "interleaving", "interleaving:3", "novelty", "choose-free", "enabled"):
        expect(f"--heuristic {name}", gyre("hunt", example("treiber_stack.pml"), "--strategy", "guided", "--heuristic", name), 1, "violated")
        expect(f"--search best --heuristic {name}", gyre(example("treiber_stack.pml"), "--search", "best", "--heuristic", name), 1, "violated")
    expect("--prefer", gyre(*model("reorder.pml", "S=5", "C=1"), "--search", "best", "--prefer", "Checker"), 1, "violated")
    expect("--prefer pids", gyre("hunt", *model("reorder.pml", "S=5", "C=1"), "--heuristic", "prefer", "--prefer", "1,6"), 1, "violated")
    # the reader is looked for first: few states do
    blind = gyre(*model("wronglock.pml", "X=1", "Y=8"), "--search", "best", "--json", "--seed", "3").json["stats"]
    led = gyre(*model("wronglock.pml", "X=1", "Y=8"), "--search", "best", "--heuristic", "assertions", "--json", "--seed", "3").json["stats"]
    check("a heuristic that fits needs fewer states", led["search_memory_bytes"] <= blind["search_memory_bytes"], f"{led} {blind}")
    for ties in ("insertion", "uniform", "none"):
        expect(f"--random-ties {ties}", gyre("hunt", *model("reorder.pml", "S=3", "C=1"), "--random-ties", ties, "--explore", "10"), 1)


def trial_figures(*arguments):
    report = gyre("hunt", *arguments, "--json").json
    return [[{key: value for key, value in trial.items() if key != "seconds"} for trial in each["trials"]] for each in report["strategies"]]


def experiments():
    small = [*model("reorder.pml", "S=5", "C=1"), "--trials", "12", "--effort", "3000"]
    compare = ["--compare", "guided,random-dfs,portfolio"]
    one, two = trial_figures(*small, *compare, "--threads", "1"), trial_figures(*small, *compare, "--threads", "3")
    check("the same for any number of threads", one == two, f"{one}\n{two}")
    check("other seeds, other orders", len({trial["states"] for trial in one[1]}) > 1, one[1])
    for number, name in enumerate(("guided", "random-dfs", "portfolio")):
        trial = one[number][7]
        again = trial_figures(*model("reorder.pml", "S=5", "C=1"), "--effort", "3000", "--trials", "1", "--seed", str(trial["seed"]),
                              "--compare", name)
        check(f"{name}: a trial is repeated by its seed", again == [[trial]], f"{again} {trial}")
    report = gyre("hunt", *small, *compare, "--json").json
    for each in report["strategies"]:
        found = [trial for trial in each["trials"] if trial["found"]]
        check(f"{each['strategy']}: density", each["density"] == len(found) / 12 and each["errors"] == len(found), each)
        if found:
            values = [trial["states"] for trial in found]
            check(f"{each['strategy']}: least, mean, most",
                  (each["states"]["min"], each["states"]["max"]) == (min(values), max(values))
                  and abs(each["states"]["mean"] - sum(values) / len(values)) < 1e-6, each["states"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trials.csv")
        result = expect("text and CSV", gyre("hunt", *small, *compare, "--csv", path), 1, r"error found in \d+/12 trials, path error density")
        with open(path, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        check("CSV has a row for each trial", len(rows) == 36 and rows[0]["strategy"] == "guided", rows[:2])
        check("CSV agrees with JSON", [int(row["states"]) for row in rows[:12]] == [trial["states"] for trial in one[0]], rows[:3])
        check("normalised", "normalised" in result.out, result)
    best_trail(small)
    # Rows come with the trials: memory for all of them at once is more than there is.
    limits = gyre("hunt", *model("reorder.pml", "S=5", "C=1"), "--trials", "10000000000000", "--effort", "10", "--time", "0.3",
                  "--compare", "dfs")
    expect("more trials than there is memory for", limits, 3, r"10,000,000,000,000 trials of each.*(\n.*)*\d+ not finished")
    expect("no error in any trial", gyre("hunt", *model("reorder.pml", "S=9", "C=1"), "--trials", "2", "--effort", "30", "--compare", "dfs"), 3,
           r"no error found \(search incomplete: not a proof\).*\n.*\n.* - +- +- +- ")
    expect("complete", gyre("hunt", example("peterson.pml"), "--trials", "2", "--compare", "guided"), 0, r"no error; state space complete")
    expect("a truncated trial is not complete", gyre("hunt", example("two_phase_commit.pml"), "--trials", "2", "--compare", "guided",
                                                     "--queue-limit", "3", "--heuristic", "novelty"), 3, r"not a proof")


def best_trail(small):
    """Of an experiment: Spin comes to the error along it, in as many statements as are told."""
    with tempfile.TemporaryDirectory() as folder:
        path, source = os.path.join(folder, "best.trail"), written(folder, open(small[0], encoding="utf-8").read())
        told = expect("the best trail", gyre("hunt", *small, "--trail", path, "--json"), 1).json
        with open(path, encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("-")]
        least = min(trial["length"] for each in told["strategies"] for trial in each["trials"] if trial["found"])
        check("its length", len(lines) == least and told["trail"] == path, f"{len(lines)} {least}")
        spin = subprocess.run(["spin", "-DS=5", "-DC=1", "-t", "-k", path, source], capture_output=True, text=True, cwd=folder)
        check("Spin comes to the error", "assertion violated" in spin.stdout, spin.stdout)
        goal = gyre("hunt", source, "--trials", "2", "--goal", "a == 1", "--trail", path, "--compare", "dfs")
        expect("the trail of a goal", goal, 1, r"Its trail was written to ")
        check("is there", os.path.getsize(path) > 0)
        os.remove(path)
        expect("no error, no trail", gyre("hunt", source, "--trials", "1", "--effort", "3", "--trail", path), 3)
        check("is not there", not os.path.exists(path))


def bad_input():
    path = example("peterson.pml")
    for name, arguments, message in (
            ("heuristic", ["--heuristic", "most-bloked"], r"unknown heuristic `most-bloked` \(prefer\|.*enabled\)\n.*a similar name exists: `most-blocked`"),
            ("argument of a heuristic", ["--heuristic", "interleaving:x"], r"interleaving:K needs a number"),
            ("argument of another", ["--heuristic", "novelty:3"], r"takes no argument after a colon"),
            ("heuristic that says nothing", ["--heuristic", "formula"], r"--heuristic formula: it needs --goal"),
            ("prefer without names", ["--heuristic", "prefer"], r"it needs --prefer"),
            ("process", ["--prefer", "Nobody"], r"unknown process `Nobody` \(.*pid from 0 to 255"),
            ("pid", ["--prefer", "999"], r"unknown process `999`"),
            ("queue limit", ["--queue-limit", "0"], r"--queue-limit needs a whole number above 0, not `0`"),
            ("ties", ["--random-ties", "often"], r"`often` is not a value of --random-ties \(insertion\|uniform\|none\)"),
            ("trials", ["--trials", "many"], r"--trials needs a whole number above 0, not `many`"),
            ("no trials", ["--trials", "0"], r"--trials needs a whole number above 0"),
            ("strategy", ["--strategy", "gided"], r"unknown strategy `gided` \(guided\|.*\)\n.*a similar name exists: `guided`"),
            ("compare", ["--trials", "2", "--compare", "portfolo"], r"unknown strategy `portfolo` \(.*\|portfolio\)\n.*a similar name exists: `portfolio`"),
            ("compare twice", ["--trials", "2", "--compare", "guided,guided"], r"`guided` is given twice"),
            ("compare alone", ["--compare", "guided"], r"--compare needs an experiment\n.*add --trials N"),
            ("effort", ["--effort", "0"], r"--effort needs a whole number above 0"),
            ("explore", ["--explore", "101"], r"--explore 101: at most 100"),
            ("an option of another command", ["--checkpoint", "f"], r"--checkpoint is not an option of gyre hunt"),
            ("no such model", ["--trials", "2", "-D", "X("], r"error")):
        expect(name, gyre("hunt", path, *arguments), 2, err=message)
    expect("of a plain search", gyre(path, "--heuristic", "novelty"), 2, err=r"--heuristic needs gyre hunt or --search best")
    expect("effort of a plain search", gyre(path, "--effort", "5"), 2, err=r"--effort is not an option of gyre MODEL")
    result = expect("in JSON", gyre("hunt", path, "--heuristic", "nothing", "--json"), 2)
    check("the JSON says so", result.json["verdict"] == "error", result)


if __name__ == "__main__":
    for part in (verdicts, ports, no_proof, hints, claims_that_change, goals, all_errors, heuristics, experiments, bad_input):
        part()
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] > 0)
