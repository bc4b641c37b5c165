#!/usr/bin/env python3
"""Compare Gyre with Spin, with itself, or with a table of expected results.

    compare.py --gyre build/gyre --count 100 --seed 1      random programs, against Spin
    compare.py --gyre build/gyre --priorities --count 20   programs in which priorities matter
    compare.py --gyre build/gyre --elses --count 20        programs with an else in the middle
    compare.py --gyre build/gyre --steps --count 20        with hidden variables and C in steps
    compare.py --gyre build/gyre --embedded --count 20     with C memory of every kind
    compare.py --gyre build/gyre --faults --count 20       with several errors in one step
    compare.py --gyre build/gyre --files a.pml b.pml       given models, against Spin
    compare.py --gyre build/gyre --corpus tests/models     models with an expected.tsv
    compare.py --gyre build/gyre --backends vm,native      random programs, Gyre against
               --stores plain,tree --threads 1,2           itself (all combinations)
    compare.py --gyre build/gyre --reductions              the same, over reductions
    compare.py --gyre build/gyre --variant '--search dfs' --variant '--search bfs'
    compare.py --check-spin --count 300                    Spin against itself: no Gyre

Against Spin, the states stored, the transitions, the verdict and the kinds of
errors must be equal.  A program on which Spin itself gives another count when it
searches in another order (-DP_REVERSE, pan -t_reverse) proves nothing about Gyre:
it is skipped, but only after a difference was found. (Not so with --elses: the other
order is that of the options, and what an else in the middle means hangs on it.)

The last line is `N compared, M mismatches, K skipped`.  The exit status is 0
without a mismatch, 1 with one or when more than 5 % were skipped, 2 on wrong use.
A failing program is kept as build/diff-failures/seedN.pml, with what both said
beside it; shrink.py makes it small.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import embedded_programs                                            # noqa: E402
import else_programs                                                # noqa: E402
import fault_programs                                               # noqa: E402
import generate                                                     # noqa: E402
import oracle                                                       # noqa: E402
import priority_programs                                            # noqa: E402
import step_programs                                                # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
EXACT = ["--exact", "--all-errors", "--check", "safety"]
MAX_STATES = 200_000
MAX_SKIPPED = 0.05

REDUCTIONS = [EXACT, [], ["--no-por"], ["--no-merge"], ["--no-dead"], ["--no-slice"],
              ["--no-por", "--no-merge"], ["--search", "dfs"]]

EXIT_STATUS = {"holds": 0, "violated": 1, "error": 2, "inconclusive": 3}


# -- asking Spin ------------------------------------------------------------------

def ask_spin(path, seconds=60, use_cache=True, claim=False):
    """Spin's exact answer; `skip` says why it cannot be used, or is None."""
    found = oracle.safety(path, claim=claim, unreached=False, seconds=seconds,
                          use_cache=use_cache)
    skip = None
    if not found["accepted"]:
        skip = "spin rejects it: " + " ".join(found["messages"][-1:])
    elif found["problem"]:
        skip = f"spin: {found['problem']} {' '.join(found['raw'][:1])}"
    elif not found["complete"]:
        skip = "spin's search ended early: " + " ".join(found["raw"][-1:])
    elif found["states"] > MAX_STATES:
        skip = f"too big for this test ({found['states']} states)"
    found["skip"] = skip
    return found


def spin_orders(path, seconds=60, use_cache=True):
    """Spin's answers when it searches in other orders."""
    flags = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"]
    rest = {"seconds": seconds, "use_cache": use_cache}
    yield oracle._mode("order", path, flags + ["-DP_REVERSE"], ["-c0", "-n"], **rest)
    yield oracle._mode("order", path, flags, ["-c0", "-n", "-t_reverse"], **rest)


def facts(found):
    return (found["states"], found["transitions"], found["verdict"], sorted(found["kinds"]))


def spin_is_stable(path, found, seconds=60, use_cache=True):
    """Does Spin's answer depend on the order of its search?  Then it is a bug of
    Spin's, mostly in how it takes a step back."""
    return all(facts(other) == facts(found)
               for other in spin_orders(path, seconds, use_cache))


# -- asking Gyre ------------------------------------------------------------------

def ask_gyre(gyre, path, options, seconds=60):
    """What Gyre said, in the words of the oracle, with the raw output beside it."""
    argv = [gyre, path, *options, "--json"]
    result = {"argv": argv, "status": None, "output": "", "problem": None, "verdict": None,
              "states": None, "transitions": None, "kinds": [], "all_kinds": False}
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=seconds)
    except subprocess.TimeoutExpired:
        result["problem"] = "time-out"
        return result
    except OSError as error:
        result["problem"] = str(error)
        return result
    text = done.stdout.decode("utf-8", "replace")
    result["status"] = done.returncode
    result["output"] = text + done.stderr.decode("utf-8", "replace")
    if done.returncode < 0:
        result["problem"] = f"died on signal {-done.returncode}"
        return result
    try:
        report = schema.report(text)
    except ValueError:
        result["problem"] = "no JSON"
        return result
    read_report(report, result)
    wanted = EXIT_STATUS.get(result["verdict"])
    if wanted is not None and wanted != done.returncode:
        result["problem"] = f"verdict {result['verdict']} with exit status {done.returncode}"
    return result


def read_report(report, result):
    """Take the figures of the safety property out of a JSON report."""
    result["verdict"] = report.get("verdict")
    properties = report.get("properties") or []
    chosen = [p for p in properties if p.get("kind") == "safety"] or properties[:1]
    if not chosen:
        return
    safety = chosen[0]
    result["verdict"] = safety.get("verdict", result["verdict"])
    result["states"] = safety.get("states")
    result["transitions"] = safety.get("transitions")
    kinds = []
    several = safety.get("counterexamples") or safety.get("errors")
    if isinstance(several, list):
        result["all_kinds"] = True
        kinds += [c.get("kind") for c in several if isinstance(c, dict)]
    if isinstance(safety.get("counterexample"), dict):
        kinds.append(safety["counterexample"].get("kind"))
    result["kinds"] = sorted({k for k in kinds if k})


# -- differences ------------------------------------------------------------------

def differences(spin, gyre):
    """List of (what, Spin's, Gyre's); empty where both agree."""
    if gyre["problem"]:
        return [("run", "ok", gyre["problem"])]
    out = []
    for key in ("verdict", "states", "transitions"):
        if spin[key] != gyre[key]:
            out.append((key, spin[key], gyre[key]))
    here, there = set(spin["kinds"]), set(gyre["kinds"])
    if (here != there) if gyre["all_kinds"] else not (there <= here and bool(there) == bool(here)):
        out.append(("kinds", ",".join(sorted(here)) or "-", ",".join(sorted(there)) or "-"))
    return out


def self_differences(first, other, exact):
    if first["problem"] or other["problem"]:
        return [("run", first["problem"] or "ok", other["problem"] or "ok")] \
            if first["problem"] != other["problem"] or first["problem"] else []
    keys = ("verdict", "states", "transitions", "kinds") if exact else ("verdict",)
    return [(k, first[k], other[k]) for k in keys if first[k] != other[k]]


def describe(found):
    return "; ".join(f"{what}: {ours} and {theirs}" for what, ours, theirs in found)


# -- the cases --------------------------------------------------------------------

class Case:
    """One program and what came out: same, mismatch or skip."""

    def __init__(self, name, path):
        self.name, self.path = name, path
        self.outcome, self.note, self.found = "same", "", []
        self.answers = {}
        self.states, self.features = None, []


def against_spin(case, given):
    spin = ask_spin(case.path, given.time, not given.no_cache)
    case.answers["spin"] = spin
    case.states = spin["states"]
    if spin["skip"]:
        case.outcome, case.note = "skip", spin["skip"]
        return case
    gyre = ask_gyre(given.gyre, case.path, EXACT + given.option, given.time)
    case.answers["gyre"] = gyre
    case.found = differences(spin, gyre)
    if case.found:
        case.outcome, case.note = "mismatch", "Spin and Gyre: " + describe(case.found)
        if not (given.elses or spin_is_stable(case.path, spin, given.time, not given.no_cache)):
            case.outcome = "skip"
            case.note = "Spin's own count depends on its search order; " + case.note
    return case


def against_itself(case, given):
    runs = [(options, ask_gyre(given.gyre, case.path, options + given.option, given.time))
            for options in given.variants]
    first_options, first = runs[0]
    case.states = first["states"]
    case.answers[" ".join(first_options)] = first
    for options, other in runs[1:]:
        exact = "--exact" in first_options and "--exact" in options
        found = self_differences(first, other, exact)
        if found:
            case.outcome, case.found = "mismatch", found
            case.answers[" ".join(options)] = other
            case.note = f"[{' '.join(first_options)}] and [{' '.join(options)}]: {describe(found)}"
            break
    else:
        if first["problem"]:
            case.outcome, case.note = "mismatch", first["problem"]
    return case


def spin_itself(case, given):
    spin = ask_spin(case.path, given.time, not given.no_cache)
    case.answers["spin"] = spin
    case.states = spin["states"]
    if spin["skip"]:
        case.outcome, case.note = "skip", spin["skip"]
        return case
    for other in spin_orders(case.path, given.time, not given.no_cache):
        if facts(other) != facts(spin):
            case.outcome = "mismatch"
            case.note = f"Spin in two orders: {facts(spin)} and {facts(other)}"
            case.answers["other"] = other
            break
    return case


def against_table(case, given):
    """case.row is a line of expected.tsv"""
    row = case.row
    wanted = "error" if row["verdict"] == "rejected" else row["verdict"]
    gyre = ask_gyre(given.gyre, case.path, EXACT + given.option, given.time)
    case.answers["gyre"] = gyre
    case.states = gyre["states"]
    if wanted == "error" and gyre["status"] == 2:
        return case
    if gyre["problem"]:
        case.outcome, case.note = "mismatch", gyre["problem"]
        return case
    found = []
    if gyre["verdict"] != wanted:
        found.append(("verdict", wanted, gyre["verdict"]))
    for key in ("states", "transitions"):
        if row.get(key, "-") not in ("-", "") and str(gyre[key]) != row[key]:
            found.append((key, row[key], gyre[key]))
    if row.get("kind", "-") not in ("-", "") and row["kind"] not in gyre["kinds"]:
        found.append(("kind", row["kind"], ",".join(gyre["kinds"]) or "-"))
    if found:
        case.outcome, case.found = "mismatch", found
        case.note = "table and Gyre: " + describe(found)
    return case


def read_table(path):
    if os.path.isdir(path):
        path = os.path.join(path, "expected.tsv")
    with open(path) as handle:
        lines = [line.rstrip("\n").split("\t") for line in handle
                 if line.strip() and not line.startswith("#")]
    head = lines[0]
    for number, cells in enumerate(lines[1:]):
        row = dict(zip(head, cells))
        case = Case(row["path"], os.path.join(os.path.dirname(path), row["path"]))
        case.row = row
        yield case


def random_cases(given, folder):
    wanted = [w for w in (given.features or "").split(",") if w]
    for seed in range(given.seed, given.seed + given.count):
        path = os.path.join(folder, f"seed{seed}.pml")
        text = priority_programs.program(seed) if given.priorities else \
            else_programs.program(seed) if given.elses else \
            step_programs.program(seed, brief=True) if given.steps else \
            fault_programs.program(seed) if given.faults else \
            embedded_programs.program(seed) if given.embedded else generate.program(seed, given.size, wanted)
        with open(path, "w") as handle:
            handle.write(text)
        case = Case(f"seed {seed}", path)
        if not (given.priorities or given.steps or given.embedded):
            case.features = text.split("*/")[0].split(": ", 1)[-1].split()
        yield case


# -- running and reporting --------------------------------------------------------

def keep(case, folder):
    """Save the program and what was said about it."""
    os.makedirs(folder, exist_ok=True)
    stem = os.path.join(folder, os.path.splitext(os.path.basename(case.path))[0])
    if os.path.abspath(case.path) != os.path.abspath(stem + ".pml"):
        shutil.copyfile(case.path, stem + ".pml")
    with open(stem + ".txt", "w") as handle:
        handle.write(case.note + "\n")
        for who, answer in case.answers.items():
            handle.write(f"\n== {who or 'default'} ==\n")
            for key, value in answer.items():
                if key not in ("output", "unreached", "trail"):
                    handle.write(f"{key}: {value}\n")
            if answer.get("output"):
                handle.write(answer["output"])
    return stem + ".pml"


def run_all(cases, work, given):
    """Run `work` on each case, a few at a time, and yield them in order."""
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        waiting = collections.deque()
        for case in cases:
            waiting.append(pool.submit(work, case, given))
            while len(waiting) >= 4 * given.jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def statistics(cases):
    sizes = sorted(c.states for c in cases if c.states is not None)
    if sizes:
        print(f"states: least {sizes[0]}, median {sizes[len(sizes) // 2]}, most {sizes[-1]}; "
              f"{sum(10 <= s <= 5000 for s in sizes)} of {len(sizes)} between 10 and 5000")
    seen = collections.Counter(f for c in cases for f in c.features)
    for feature, count in seen.most_common():
        print(f"{count:6d} {feature}")
    missing = [f for f in generate.FEATURES if f not in seen]
    if missing and seen:
        print("never: " + " ".join(missing))


def variants(given):
    """Lists of options, from --variant, --reductions and the three lists."""
    out = [shlex.split(v) for v in given.variant]
    if given.reductions:
        out += REDUCTIONS
    axes = []
    for option, names in (("--backend", given.backends), ("--store", given.stores),
                          ("--threads", given.threads)):
        if names:
            axes.append([[option, name] for name in names.split(",")])
    if axes:
        out += [EXACT + sum(chosen, []) for chosen in itertools.product(*axes)]
    return out


def arguments(argv):
    parser = argparse.ArgumentParser(description="Compare Gyre with Spin or with itself.")
    parser.add_argument("--gyre", default="build/gyre")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int)
    parser.add_argument("--features", help="see generate.py --list")
    parser.add_argument("--priorities", action="store_true", help="programs of priority_programs.py")
    parser.add_argument("--elses", action="store_true", help="programs of else_programs.py")
    parser.add_argument("--embedded", action="store_true", help="programs of embedded_programs.py")
    parser.add_argument("--faults", action="store_true", help="programs of fault_programs.py")
    parser.add_argument("--steps", action="store_true", help="programs of step_programs.py")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1)))
    parser.add_argument("--time", type=float, default=20, help="seconds for one run of a tool")
    parser.add_argument("--files", nargs="+", default=[], help="models instead of random ones")
    parser.add_argument("--corpus", help="a folder with expected.tsv, or the table itself")
    parser.add_argument("--variant", action="append", default=[],
                        help="options of Gyre; give two or more to compare them")
    parser.add_argument("--reductions", action="store_true")
    parser.add_argument("--backends", help="vm,native")
    parser.add_argument("--stores", help="plain,tree")
    parser.add_argument("--threads", help="1,2")
    parser.add_argument("--option", action="append", default=[],
                        help="one more word for every run of Gyre")
    parser.add_argument("--check-spin", action="store_true",
                        help="Spin against itself, in other search orders")
    parser.add_argument("--keep", default=os.path.join(ROOT, "build", "diff-failures"))
    parser.add_argument("--no-cache", action="store_true", help="ask Spin again")
    parser.add_argument("--stats", action="store_true", help="sizes and features at the end")
    parser.add_argument("--quiet", action="store_true", help="say nothing about skipped ones")
    given = parser.parse_args(argv)
    given.variants = variants(given)
    if given.variants and len(given.variants) < 2:
        given.variants.insert(0, EXACT)
    if given.variants and given.corpus:
        parser.error("--corpus compares with the table; leave the variants out")
    return given


def main(argv=None):
    given = arguments(argv)
    if not given.check_spin and not (os.path.isfile(given.gyre) and os.access(given.gyre, os.X_OK)):
        print(f"compare.py: there is no program {given.gyre}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="gyre-diff-") as folder:
        if given.corpus:
            cases, work = read_table(given.corpus), against_table
        elif given.files:
            cases = (Case(path, path) for path in given.files)
            work = against_spin
        else:
            cases, work = random_cases(given, folder), against_spin
        if given.check_spin:
            work = spin_itself
        elif given.variants:
            work = against_itself
        done, counts = [], collections.Counter()
        for case in run_all(cases, work, given):
            counts[case.outcome] += 1
            done.append(case)
            if case.outcome == "mismatch":
                path = keep(case, given.keep)
                print(f"MISMATCH {case.name}: {case.note} ({os.path.relpath(path)})", flush=True)
            elif case.outcome == "skip" and not given.quiet:
                print(f"skipped {case.name}: {case.note}", flush=True)
    if given.stats:
        statistics(done)
    total = len(done)
    many = counts["skip"] > max(1, MAX_SKIPPED * total)
    if many:
        print(f"too many skipped (more than {MAX_SKIPPED:.0%})")
    print(f"{total - counts['skip']} compared, {counts['mismatch']} mismatches, "
          f"{counts['skip']} skipped")
    return 1 if counts["mismatch"] or many else 0


if __name__ == "__main__":
    sys.exit(main())
