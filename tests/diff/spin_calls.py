#!/usr/bin/env python3
"""Two hundred calls of spin and pan over the models that are shipped: what Gyre prints and returns,
line by line beside what Spin prints and returns.

    tests/diff/spin_calls.py              all of them
    tests/diff/spin_calls.py --sample     every eighth
    tests/diff/spin_calls.py --only TEXT  those whose name holds TEXT, with the differences

A call is a list of commands; each is made in a folder of its own with a copy of the model, once with
Spin and once with a link called `spin` that is Gyre. Differences that are meant have a rule here
(RULES, which is the list in docs/spin.md), or a line in MEANT where a whole call differs.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
GYRE = os.path.join(ROOT, "build", "gyre")
sys.path.insert(0, os.path.join(ROOT, "tests"))
import quick_cc  # noqa: E402

EXAMPLES = ["alternating_bit", "bank_transfer", "broken_mutex", "client_server", "leader_election",
            "needham_schroeder", "peterson", "philosophers", "producer_consumer", "readers_writers",
            "sliding_window", "traffic_light", "treiber_stack", "two_phase_commit"]
PLAIN = ["control/atomic_basic", "control/d_step_basic", "control/if_else", "control/goto_label",
         "control/do_break", "channels/rendezvous_basic", "channels/fifo_basic", "types/arrays",
         "processes/run_basic", "timeout/timeout_basic"]

# ---- the calls ------------------------------------------------------------------------------


def models():
    """Paths of the models, those of the suite that are there."""
    found = [f"examples/{name}.pml" for name in EXAMPLES]
    for folder in ("control", "channels", "types", "processes", "timeout", "errors", "trace"):
        base = os.path.join(ROOT, "tests", "models", folder)
        names = sorted(n for n in os.listdir(base) if n.endswith(".pml"))
        found += [f"tests/models/{folder}/{n}" for n in names[::9]]
    return found


def calls():
    """(name, model, commands, input)"""
    every = models()
    examples = [m for m in every if m.startswith("examples")]
    others = [m for m in every if not m.startswith("examples")]
    shows = ["-u80", "-u200 -p", "-u120 -p -g -l", "-u120 -s -r", "-u120 -c", "-u90 -p -s -r -l -g -v",
             "-u60 -X -p -s -r -v -l -g", "-u100 -p -w -g", "-u50 -b -T", "-u70 -B", "-u40 -j20 -p"]
    for number, model in enumerate(examples):  # 14 * 3
        for turn in range(3):
            show = shows[(3 * number + turn) % len(shows)]
            yield f"spin -n{number + 1} {show}", model, [f"spin -n{number + 1} {show} MODEL"], ""
    for number, model in enumerate(others[:30]):  # 30
        show = shows[number % len(shows)]
        yield f"spin -n{number + 50} {show}", model, [f"spin -n{number + 50} {show} MODEL"], ""
    for number, model in enumerate(examples[:8]):  # 8
        yield "spin -i", model, ["spin -i -u12 MODEL"], "1\n2\n1\n3\n1\n2\n1\n1\n1\nq\n"
    for model in examples[:10]:  # 10
        yield "spin -run", model, ["spin -run -m100000 MODEL"], ""
    for model in examples[4:12]:  # 8
        yield "spin -search -bfs", model, ["spin -search -bfs -n MODEL"], ""
    options = [("-DSAFETY", ""), ("", "-a"), ("-DSAFETY -DNOREDUCE", "-c0"), ("-DBITSTATE", "-n"),
               ("-DCOLLAPSE -DSAFETY", "-E"), ("-DHC4", "-A"), ("-DNP", "-l"), ("-DBFS", ""),
               ("-O2", "-a -f"), ("-DMEMLIM=1024 -DXUSAFE -DSAFETY -w", "-m10000 -i")]
    for number, model in enumerate(examples + others[::2]):  # about 30
        macros, runs = options[number % len(options)]
        yield (f"pan {macros} {runs}", model,
               ["spin -a MODEL", f"gcc {macros} -o pan pan.c", f"./pan {runs}"], "")
    for model in others[1::3]:  # about 11: no reduction at all
        yield ("pan, exact", model, ["spin -a -o1 -o2 -o3 MODEL",
                                     "gcc -DSAFETY -DNOREDUCE -o pan pan.c", "./pan -m100000"], "")
    for model in WITH_ERRORS:  # 6 * 5: trails of Spin's, in the hands of both
        for show in ("-t", "-t -p", "-t -p -g -l -s -r", "-t -c", "-t -u5 -p -v"):
            yield f"spin {show}", model, [f"spin {show} MODEL"], "trail"
    for model in WITH_ERRORS:  # 6 * 3
        for show in ("-r", "-C", "-S"):
            yield (f"pan {show}", model,
                   ["spin -a MODEL", "gcc -o pan pan.c", f"./pan {show}"], "trail")
    for model in [m for m in examples if "ltl" not in open(os.path.join(ROOT, m)).read()][:5]:
        yield "pan -D", model, ["spin -a -o3 MODEL", "gcc -o pan pan.c", "./pan -D"], ""
    for line in ("spin -V", "spin missing.pml", "spin -a missing.pml", "spin -t MODEL",
                 "spin -run missing.pml", "spin", "spin -k missing.trail -t MODEL",
                 "spin -M -p MODEL"):
        yield line, "examples/peterson.pml", [line], ""


WITH_ERRORS = ["examples/broken_mutex.pml", "examples/philosophers.pml",
               "bench/models/wrong/lost_update.pml", "tests/models/errors/assert_expression.pml",
               "bench/models/wrong/wakeup.pml", "examples/needham_schroeder.pml"]

# ---- what is meant to differ -----------------------------------------------------------------

# (name, what is done to a line: None drops it). Applied to both sides.
RULES = [
    ("version", r"Spin Version 6\.5\.2 -- .*?(\)|$)", r"Spin Version 6.5.2\1"),
    ("folder", r"/tmp/\S*?/", ""),
    ("figures only pan has", r"^ *[\d.e+]+ atomic steps$|^hash conflicts:.*|^.*memory used for .*|"
     r"^.*equivalent memory usage.*|^.*memory lost to .*|^.*state-vector as stored.*|"
     r"^hash factor.*|^bits set per state.*|^nr of templates.*|^.*used for (hash|DFS).*|"
     r"^\s*[\d.e+]+ nominal states.*|^\s*\d+ rvs succeeded|^collapse counts.*|^.*stats: .*|^Stats on memory usage.*|^.*\(visited\)$|"
     r"^Depth= .*|^.*used for other data.*|^.*other \(proc and chan stacks\).*|"
     r"^pan: reducing search depth.*|^pan: rate .*|^.*hash table$", None),
    ("sizes", r"^State-vector \d+ byte, depth reached \d+", "State-vector N byte, depth reached N"),
    ("states", r"^ *[\d.e+]+ (states, stored|states, matched|transitions)( \(.*)?$", r"N \1"),
    ("memory and time", r"^ *[\d.]+\t(actual memory usage for states|total actual memory usage).*$|"
     r"^pan: elapsed time .*$|^pan: rate .*$", None),
    ("depth of an error", r"\(at depth -?\d+\)", "(at depth N)"),
    ("text of an assertion", r"^(pan:\d+: assertion violated) .* \(at depth N\)", r"\1 (at depth N)"),
    ("reductions", r"^\t\+ (Partial Order Reduction|Compression|FullStack Matching|Breadth-First "
     r"Search|Graph Encoding.*)$", None),
    ("kind of the store", r"^(Full statespace|Bit statespace|Hash-Compact \d*|Hash-Compact) search for:",
     "search for:"),
    ("cycles", r"^\t(cycle checks       |acceptance   cycles )\t.*", None),
    ("scope of the claim", r" \(if within scope of claim\)", ""),
    ("formulas are told first", r"^ltl \w+: ", None),
    ("unused variables", r"variable is never used \(other than in print stmnts\)", None),
    ("dubious else", r"dubious use of 'else' combined with i/o", None),
    ("merging", r"\t<merge \d+ now @-?\d+>$", ""),
    ("moves of a formula's claim", r"^Never claim moves to line|_spin_nvr.tmp|^MSC: ~G|"
     r"^(spin: text of failed assertion: assert\(!\(!)", None),
    ("headings without variables", r"^local vars proc \d+ \(\w+\):$", None),
    ("several claims", r"^  (the model contains|only one claim|choose which one|or use e\.g\.).*", None),
    ("states of claims", r"^@claim ", None),
    ("advice to compile otherwise", r"^.*(hint: |this search is more efficient|to avoid this use|use of rendezvous with BFS|-i and -I need -DREACH|"
     r"consider compiling|warning: (for p\.o\.|never claim)|pan: warning|resize the hash|"
     r"error: max search depth|(max|reduce|increase) .*depth|use ./pan|-DNOFAIR|-DMA=|"
     r"\(disabled, use|p\.o\. reduction|with p\.o\.|partial order|NFAIR|\(fairness enabled\)).*", None),
    ("further errors", r"^pan:([2-9]|\d\d+): .*$", None),
    ("number of errors", r"errors: [1-9]\d*", "errors: N"),
    ("empty lines", r"^\s*$", None),
]

# Calls that differ as a whole, by a part of their name or model, and why.
MEANT = [
    ("pan -r examples/needham", "the claim of a formula is Spin's, and not replayed"),
    ("pan -C examples/needham", "the claim of a formula is Spin's, and not replayed"),
    ("pan -S examples/needham", "the claim of a formula is Spin's, and not replayed"),
    ("-X -p -s -r -v -l -g examples/two_phase", "where a join inside a d_step is, before text left out by #ifdef"),
    ("-p -w -g examples/two_phase", "where a join inside a d_step is, before text left out by #ifdef"),
    ("missing.pml", "Spin shows what its preprocessor says about a file that is not there"),
    ("end_label_in_atomic", "pan notes a state as reached when a statement there is tried"),
    ("pan -DHC4 -A examples/needham", "a claim is verified in full, its assertion too"),
    ("for_channel", "Spin's name of the hidden counter"),
    ("inline_parameters", "a statement of an inline that begins with a parameter is told at the argument"),
    ("division_by_zero", "Spin is killed by SIGFPE; Gyre tells the error"),
    ("remainder_by_zero", "Spin is killed by SIGFPE; Gyre tells the error"),
]


def mark_claims(lines):
    """What is told of the states of a claim or trace gets a mark."""
    inside, marked = False, []
    for line in lines:
        inside = line.startswith(("unreached in claim", "unreached in trace")) or (inside and line[:1] == "\t")
        marked.append("@claim " + line if inside else line)
    return marked


def apply(lines, rules):
    used = set()
    lines = mark_claims(lines)
    for name, pattern, replacement in rules:
        kept = []
        for line in lines:
            if replacement is None:
                if re.search(pattern, line):
                    used.add(name)
                    continue
                kept.append(line)
            else:
                changed = re.sub(pattern, replacement, line)
                if changed != line:
                    used.add(name)
                kept.append(changed)
        lines = kept
    return lines, used


# ---- comparing -------------------------------------------------------------------------------


def run_call(model, commands, text, folder, gyre):
    """(output of all but the compiler, statuses)"""
    path = folder + ":" + quick_cc.ENVIRONMENT["PATH"] if gyre else quick_cc.ENVIRONMENT["PATH"]
    env = dict(os.environ, PATH=path, GYRE=GYRE)
    output, statuses = "", []
    for command in commands:
        words = command.replace("MODEL", os.path.basename(model)).split()
        told = subprocess.run(words, cwd=folder, env=env, input=text if text != "trail" else "",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                              encoding="utf-8", errors="replace")
        if words[0] != "gcc":
            output += told.stdout
        statuses.append(told.returncode)
    return output.splitlines(), statuses


def make_trail(model, folder, cache={}):
    """Spin's own trail of the model."""
    if model not in cache:
        with tempfile.TemporaryDirectory() as maker:
            shutil.copy(os.path.join(ROOT, model), maker)
            for command in (["spin", "-a", os.path.basename(model)], ["gcc", "-o", "pan", "pan.c"],
                            ["./pan", "-m100000"]):
                subprocess.run(command, cwd=maker, env=quick_cc.ENVIRONMENT, timeout=300,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            trail = os.path.join(maker, os.path.basename(model) + ".trail")
            with open(trail, encoding="utf-8") as file:
                cache[model] = file.read()
    with open(os.path.join(folder, os.path.basename(model) + ".trail"), "w", encoding="utf-8") as out:
        out.write(cache[model])


def compare(call):
    name, model, commands, text = call
    results = []
    for gyre in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copy(os.path.join(ROOT, model), folder)
            os.utime(copy, (1e9, 1e9))  # Spin looks whether it is newer than the trail
            if text == "trail":
                make_trail(model, folder)
            if gyre:
                os.symlink(GYRE, os.path.join(folder, "spin"))
            results.append(run_call(model, commands, text, folder, gyre))
    (spin, spin_status), (gyre, gyre_status) = results
    if spin == gyre and spin_status == gyre_status:
        return "identical", set(), spin, gyre
    spin_left, used = apply(spin, RULES)
    gyre_left, more = apply(gyre, RULES)
    if spin_left == gyre_left and spin_status == gyre_status:
        return "meant", used | more, spin, gyre
    for part, reason in MEANT:
        if part in f"{name} {model}":
            return "meant", {reason}, spin, gyre
    return "differs", set(), spin_left + [f"status {spin_status}"], gyre_left + [f"status {gyre_status}"]


def show(spin, gyre):
    import difflib
    for line in difflib.unified_diff(spin, gyre, "spin", "gyre", lineterm="", n=1):
        print("    " + line)


def main():
    chosen = list(calls())
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else None
    if "--sample" in sys.argv:
        chosen = chosen[::8]
    counts, rules = {"identical": 0, "meant": 0, "differs": 0}, {}
    for call in chosen:
        if only and only not in f"{call[0]} {call[1]}":
            continue
        kind, used, spin, gyre = compare(call)
        counts[kind] += 1
        for rule in used:
            rules[rule] = rules.get(rule, 0) + 1
        if kind == "differs" or (only and kind != "identical"):
            print(f"{'FAIL' if kind == 'differs' else kind} {call[0]} {call[1]}")
            show(spin, gyre)
    total = sum(counts.values())
    print(f"{total} calls: {counts['identical']} print the same to the letter, {counts['meant']} but "
          f"for what is meant to differ, {counts['differs']} differ")
    for rule, count in sorted(rules.items(), key=lambda item: -item[1]):
        print(f"    {count:4} {rule}")
    print(f"{counts['identical'] + counts['meant']} passed, {counts['differs']} failed")
    return 1 if counts["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
