#!/usr/bin/env python3
"""Check the formula room (src/lang/ltl) with an oracle of its own and with Spin.

    ltl_compare.py --count 300 --seed 1        random formulas against the oracle
    ltl_compare.py --spin 200 --seed 1         the same against `spin -f`, with sizes
    ltl_compare.py --formats 40                HOA is well formed, `dot` draws, `spin -a` accepts
    ltl_compare.py --families                  sizes and times of the pattern families
    ltl_compare.py --limits                    large and hostile input ends, and soon
    ltl_compare.py --all                       everything, at the size of the test suite

The oracle evaluates a formula on an ultimately periodic word by the definition of its
operators; it shares no code and no idea with the translator.  For each random formula f,
random words are given to the automata of f and !f (with acceptance on states, on
transitions, and as a never claim): exactly one of f and !f must accept, the one the oracle
says, and the product of the two must be empty.

The program under test is tests/tools/ltl_tool.c, compiled here with `cc` against
build/libgyre.a (--library FILE for another one, --tool FILE for a ready program).
The exit status is 0 if all is well, 1 if not, 2 on wrong use.
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


# -- formulas -----------------------------------------------------------------------
# A formula is a tuple: ("p",) for an atom, ("true",), ("!", f), ("U", f, g) ...

UNARY = ["!", "X", "[]", "<>"]
BINARY = ["U", "V", "W", "M", "&&", "||", "->", "<->"]


def show(f):
    """Spin's notation, with all parentheses."""
    if len(f) == 1:
        return f[0]
    if len(f) == 2:
        return f"{f[0]} ({show(f[1])})" if len(f[1]) > 1 else f"{f[0]} {show(f[1])}"
    return f"({show(f[1])}) {f[0]} ({show(f[2])})"


def generate(rng, length, atoms, temporal=("X", "<>", "[]", "U", "V", "W", "M"), share=0.5):
    """A formula of exactly this length (operators and atoms)."""
    if length == 1:
        return (rng.choice(["true", "false"]),) if rng.random() < 0.03 else (rng.choice(atoms),)
    if length == 2:
        return (rng.choice([op for op in temporal if op in UNARY] + ["!"]),
                generate(rng, 1, atoms, temporal, share))
    op = rng.choice(list(temporal) if rng.random() < share
                    else ["!", "&&", "||", "&&", "||", "->", "<->"])
    if op in UNARY:
        return (op, generate(rng, length - 1, atoms, temporal, share))
    left = rng.randint(1, length - 2)
    return (op, generate(rng, left, atoms, temporal, share),
            generate(rng, length - 1 - left, atoms, temporal, share))


# -- words and the oracle -------------------------------------------------------------
# A word is (letters, loop): letters[loop:] repeats; a letter is a set of names.

def random_word(rng, atoms):
    stem, loop = rng.randint(0, 4), rng.randint(1, 4)
    bias = rng.choice([0.15, 0.5, 0.5, 0.85])
    letters = [{a for a in atoms if rng.random() < bias} for _ in range(stem + loop)]
    if rng.random() < 0.3:                       # repetitions, as stuttering systems have them
        letters = [letter for letter in letters for _ in range(2)]
        stem *= 2
    return letters, stem


def truth(f, word, memo):
    """The truth of f at each position."""
    if f in memo:
        return memo[f]
    letters, loop = word
    n = len(letters)
    after = [i + 1 if i + 1 < n else loop for i in range(n)]
    op = f[0]
    if len(f) == 1:
        now = [op == "true" or (op != "false" and op in letters[i]) for i in range(n)]
        memo[f] = now
        return now
    a = truth(f[1], word, memo)
    b = truth(f[2], word, memo) if len(f) > 2 else None

    def path(i):
        """Positions from i on, until they repeat."""
        seen = []
        while i not in seen:
            seen.append(i)
            i = after[i]
        return seen

    def until(x, y, i):
        for k in path(i):
            if y[k]:
                return True
            if not x[k]:
                return False
        return False

    true = [True] * n
    no_a = [not v for v in a]
    no_b = [not v for v in b] if b else None
    now = []
    for i in range(n):
        if op == "!":
            v = not a[i]
        elif op == "X":
            v = a[after[i]]
        elif op == "<>":
            v = any(a[k] for k in path(i))
        elif op == "[]":
            v = all(a[k] for k in path(i))
        elif op == "U":
            v = until(a, b, i)
        elif op == "W":
            v = until(a, b, i) or all(a[k] for k in path(i))
        elif op == "V":
            v = not until(no_a, no_b, i)
        elif op == "M":
            v = (not until(no_a, no_b, i)) and until(true, a, i)
        elif op == "&&":
            v = a[i] and b[i]
        elif op == "||":
            v = a[i] or b[i]
        elif op == "->":
            v = not a[i] or b[i]
        else:
            v = a[i] == b[i]
        now.append(v)
    memo[f] = now
    return now


def holds(f, word):
    return truth(f, word, {})[0]


# -- automata -----------------------------------------------------------------------

class Automaton:
    """initial, edges {state: [(condition, target, sets)]}, sets: how many."""

    def __init__(self):
        self.initial, self.edges, self.sets, self.accepting = None, {}, 0, set()

    def accepts(self, word):
        letters, loop = word
        n = len(letters)
        index, low, on, stack, number = {}, {}, set(), [], [0]
        successors = {}

        def moves(node):
            if node not in successors:
                state, i = node
                k = i + 1 if i + 1 < n else loop
                successors[node] = [((to, k), sets) for condition, to, sets in
                                    self.edges.get(state, []) if condition(letters[i])]
            return successors[node]

        work = [((self.initial, 0), iter(moves((self.initial, 0))))]
        index[work[0][0]] = low[work[0][0]] = 0
        stack.append(work[0][0])
        on.add(work[0][0])
        while work:
            node, rest = work[-1]
            for to, _ in rest:
                if to not in index:
                    number[0] += 1
                    index[to] = low[to] = number[0]
                    stack.append(to)
                    on.add(to)
                    work.append((to, iter(moves(to))))
                    break
                if to in on:
                    low[node] = min(low[node], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    members = set()
                    while True:
                        member = stack.pop()
                        on.discard(member)
                        members.add(member)
                        if member == node:
                            break
                    inside = [sets for m in members for to, sets in moves(m) if to in members]
                    if inside and len(set().union(*inside)) == self.sets:
                        return True
        return False


def condition(text):
    """A Boolean expression over names, in C's or HOA's notation."""
    python = text.replace("&&", " and ").replace("||", " or ")
    python = re.sub(r"!(?!=)", " not ", python)
    names = set(re.findall(r"[A-Za-z_]\w*", python)) - {"and", "or", "not"}
    python = re.sub(r"\b1\b", " True ", re.sub(r"\b0\b", " False ", python))
    python = python.replace("true", "True").replace("false", "False")
    code = compile("(" + python.strip() + ")", "label", "eval")
    names -= {"true", "false"}
    return lambda letter: eval(code, {name: name in letter for name in names})


class Malformed(Exception):
    pass


def read_hoa(text):
    """Reads HOA v1 as strictly as our output has to be."""
    head, _, body = text.partition("--BODY--\n")
    if not body.endswith("--END--\n"):
        raise Malformed("no --END--")
    fields = {}
    for line in head.splitlines():
        match = re.fullmatch(r"([A-Za-z-]+): ?(.*)", line)
        if not match or match[1] in fields:
            raise Malformed("header: " + line)
        fields[match[1]] = match[2]
    if list(fields)[0] != "HOA" or fields["HOA"] != "v1":
        raise Malformed("first line")
    states = int(fields["States"])
    names = re.findall(r'"((?:[^"\\]|\\.)*)"', fields["AP"])
    if int(fields["AP"].split()[0]) != len(names):
        raise Malformed("AP")
    result = Automaton()
    result.initial = int(fields["Start"])
    count, formula = fields["Acceptance"].split(" ", 1)
    result.sets = int(count)
    expected = "&".join(f"Inf({i})" for i in range(result.sets)) or "t"
    named = ["all", "Buchi"][result.sets] if result.sets < 2 else f"generalized-Buchi {count}"
    if formula != expected or fields["acc-name"] != named:
        raise Malformed("acceptance")
    properties = fields["properties"].split()
    if ("state-acc" in properties) == ("trans-acc" in properties):
        raise Malformed("properties")
    state, own = None, frozenset()
    for line in body.splitlines()[:-1]:
        match = re.fullmatch(r"State: (\d+)(?: \{([\d ]+)\})?", line)
        if match:
            state = int(match[1])
            own = frozenset(map(int, (match[2] or "").split()))
            if state in result.edges or state >= states:
                raise Malformed("state " + match[1])
            if own:
                result.accepting.add(state)
            result.edges[state] = []
            continue
        match = re.fullmatch(r"\[([^\]]+)\] (\d+)(?: \{([\d ]+)\})?", line)
        if not match or int(match[2]) >= states:
            raise Malformed("edge: " + line)
        marks = frozenset(map(int, (match[3] or "").split())) | own
        if any(mark >= result.sets for mark in marks):
            raise Malformed("set: " + line)
        label = re.sub(r"\d+", lambda m: "v" + m[0] + "v", match[1]).replace("|", "||")
        label = label.replace("&", "&&").replace("t", "true") if match[1] == "t" else \
            label.replace("&", "&&")
        label = re.sub(r"v(\d+)v", lambda m: names[int(m[1])], label)
        result.edges[state].append((condition(label), int(match[2]), marks))
    if len(result.edges) != states or result.initial >= states:
        raise Malformed("number of states")
    return result


def read_never(text):
    """A never claim of ours or of spin -f."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    body = text[text.index("{") + 1:text.rindex("}")]
    result = Automaton()
    result.sets = 1
    names, state, pending = {}, None, []
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    for line in lines:
        match = re.fullmatch(r"(\w+):", line)
        if match:
            pending.append(match[1])
            state = pending[0]
            names[match[1]] = state
            if result.initial is None:
                result.initial = state
            result.edges.setdefault(state, [])
            continue
        pending = []
        if line == "skip":
            result.edges[state].append((condition("1"), state, None))
        elif line.startswith(":: atomic"):
            match = re.match(r":: atomic \{ \((.*)\) -> assert\(!\(.*\)\) \}$", line)
            result.edges[state].append((condition(match[1]), "accept_all", None))
        elif line.startswith("::") and line != ":: false":
            match = re.fullmatch(r":: (.*) -> goto (\w+)", line)
            result.edges[state].append((condition(match[1]), match[2], None))
        elif line not in ("do", "od;", "false;", ":: false"):
            raise Malformed("never claim: " + line)
    for state, edges in result.edges.items():
        own = any(n.startswith("accept") for n in names if names[n] == state)
        if own:
            result.accepting.add(state)
        result.edges[state] = [(c, names[to], frozenset([0] if own else [])) for c, to, _ in edges]
    return result


# -- the program under test -------------------------------------------------------------

class Tool:
    def __init__(self, path, seconds=20):
        self.process = subprocess.Popen([path, str(seconds)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, what, argument):
        self.process.stdin.write(f"{what} {argument}\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line == ".\n":
                return "".join(lines)
            lines.append(line)
        raise SystemExit(f"the tool died on: {what} {argument[:2000]}")


def build_tool(library):
    path = os.path.join(tempfile.mkdtemp(prefix="ltl-tool-"), "ltl_tool")
    subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-O2", "-D_GNU_SOURCE",
                    "-I" + os.path.join(ROOT, "src"), "-I" + os.path.join(ROOT, "include"),
                    "-o", path, os.path.join(ROOT, "tests", "tools", "ltl_tool.c"), library,
                    "-lxxhash", "-lm", "-lpthread", "-ldl"] +
                   os.environ.get("LTL_TOOL_FLAGS", "").split(), check=True)
    return path


class Report:
    def __init__(self):
        self.wrong = 0

    def expect(self, fine, message):
        if not fine:
            self.wrong += 1
            if self.wrong <= 20:
                print("WRONG " + message)
        return fine


# -- the checks -------------------------------------------------------------------------

def check_random(tool, count, seed, report):
    """Random formulas against the oracle."""
    words = stutter = unknown = 0
    start = time.time()
    for i in range(count):
        rng = random.Random(f"{seed}/{i}")
        atoms = ["p", "q", "r", "s"][:rng.randint(1, 4)]
        f = generate(rng, rng.randint(1, 16), atoms)
        text, negated = show(f), f"!({show(f)})"
        said = tool.ask("disjoint", text).strip()
        unknown += said == "unknown"
        report.expect(said in ("yes", "unknown"), f"f and !f meet ({said}): {text}")
        try:
            automata = [(kind, polarity, reader(tool.ask(kind, text if polarity else negated)))
                        for kind, reader in (("hoa", read_hoa), ("tgba", read_hoa),
                                             ("never", read_never)) for polarity in (True, False)]
        except Malformed as problem:
            report.expect(False, f"{problem}: {text}")
            continue
        invariant = tool.ask("stutter", text).strip()
        stutter += invariant == "no"
        satisfiable, valid = tool.ask("sat", text)[:3], tool.ask("valid", text)[:3]
        for _ in range(10):
            word = random_word(rng, atoms)
            words += 1
            expected = holds(f, word)
            report.expect(satisfiable == "yes" or not expected, f"satisfiable, said no: {text}")
            report.expect(valid == "no\n" or valid == "no " or expected, f"not valid: {text}")
            for kind, polarity, automaton in automata:
                report.expect(automaton.accepts(word) == (expected == polarity),
                              f"{kind} of {'' if polarity else '!'}({text}) on {word}: {expected}")
            if invariant == "yes":
                letters, loop = word
                times = [rng.randint(1, 3) for _ in letters]
                longer = ([x for x, k in zip(letters, times) for _ in range(k)],
                          sum(times[:loop]))
                report.expect(holds(f, longer) == expected, f"not stutter-invariant: {text}")
    print(f"random: {count} formulas, {words} words, {stutter} not stutter-invariant, "
          f"{unknown} beyond a limit, {time.time() - start:.1f} s")


def spin_claim(text, seconds):
    try:
        done = subprocess.run(["spin", "-f", text], capture_output=True, text=True,
                              timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if "never" in done.stdout else None


def check_spin(tool, count, seed, report, seconds=20):
    """Random formulas against `spin -f`: the same words, and how large."""
    ours, theirs, ours_edges, theirs_edges, better, worse, lost = [], [], [], [], 0, 0, 0
    ours_ms, theirs_ms = [], []
    for i in range(count):
        rng = random.Random(f"spin{seed}/{i}")
        atoms = ["p", "q", "r"][:rng.randint(1, 3)]
        f = generate(rng, rng.randint(5, 18), atoms, temporal=("<>", "[]", "U", "V"))
        text = show(f)
        start = time.time()
        claim = spin_claim(text, seconds)
        theirs_ms.append(1000 * (time.time() - start))
        answer = tool.ask("stats", text).split()
        ours_ms.append(float(answer[4]))
        if claim is None:
            lost += 1
            continue
        mine = read_never(tool.ask("never", text))
        spins = read_never(claim)
        for _ in range(8):
            word = random_word(rng, atoms)
            mine_says, spin_says = mine.accepts(word), spins.accepts(word)
            report.expect(mine_says == holds(f, word), f"our claim, on {word}: {text}")
            if mine_says != spin_says:
                report.expect(spin_says != holds(f, word), f"spin is right, on {word}: {text}")
                print(f"note: spin -f is wrong on {word}: {text}")
        ours.append(len(mine.edges))
        theirs.append(len(spins.edges))
        ours_edges.append(sum(map(len, mine.edges.values())))
        theirs_edges.append(sum(map(len, spins.edges.values())))
        better += ours[-1] < theirs[-1]
        worse += ours[-1] > theirs[-1]
        if ours[-1] > theirs[-1]:
            print(f"note: {ours[-1]} states, spin {theirs[-1]}: {text}")
    mean = statistics.mean
    ratio = sum(ours) / sum(theirs)
    print(f"spin: {len(ours)} formulas compared, {lost} without an answer of spin -f in "
          f"{seconds} s\n"
          f"      states {mean(ours):.2f} (spin {mean(theirs):.2f}, ratio {ratio:.2f}), "
          f"edges {mean(ours_edges):.2f} (spin {mean(theirs_edges):.2f}), "
          f"smaller {better}, larger {worse}\n"
          f"      time, mean {mean(ours_ms):.2f} ms, worst {max(ours_ms):.1f} ms "
          f"(spin, with its start: {mean(theirs_ms):.1f} ms, {max(theirs_ms):.0f} ms)")
    if len(ours) >= 50:
        report.expect(ratio <= 0.5, f"more than half the size of spin -f's: {ratio:.2f}")


def check_formats(tool, count, seed, report):
    """Spin accepts our claims, dot draws our automata."""
    special = ["false", "true", "[] (x == 1)", "<> (a[1] > 2 && pr@here) ", "p U (x + 1 == y)"]
    with tempfile.TemporaryDirectory() as folder:
        for i in range(count):
            rng = random.Random(f"formats{seed}/{i}")
            f = generate(rng, rng.randint(1, 12), ["p", "q", "r"])
            text = special[i] if i < len(special) else show(f)
            model = os.path.join(folder, "m.pml")
            with open(model, "w", encoding="utf-8") as out:
                out.write("bool p, q, r; byte x, y, a[3];\n"
                          "active proctype pr() { here: do :: p = !p :: q = !q :: r = !r od }\n")
                out.write(tool.ask("never", text))
            done = subprocess.run(["spin", "-a", model], cwd=folder, capture_output=True,
                                  text=True, check=False)
            report.expect(done.returncode == 0 and "rror" not in done.stdout,
                          f"spin -a rejects the claim of {text}: {done.stdout}{done.stderr}")
            for kind in ("hoa", "tgba"):
                try:
                    read_hoa(tool.ask(kind, text))
                except (Malformed, SyntaxError) as problem:
                    report.expect(i < len(special) and isinstance(problem, SyntaxError),
                                  f"HOA of {text}: {problem}")
            done = subprocess.run(["dot", "-Tsvg"], input=tool.ask("dot", text), text=True,
                                  capture_output=True, check=False)
            report.expect(done.returncode == 0 and "<svg" in done.stdout, f"dot: {text}")
    print(f"formats: {count} formulas")


# -- families (digest of Rozier and Vardi, SPIN 2007) -------------------------------------

def next_(k, text):
    return "X " * k + f"({text})"


def counter(n):
    m1 = " && ".join(next_(k, "!m") for k in range(1, n)) or "true"
    one = f"m && [](m -> ({m1} && {next_(n, 'm')}))"
    two = " && ".join(next_(k, "!b") for k in range(n))
    stay = f"(!m && (b -> {next_(n, 'b')}) && (!b -> {next_(n, '!b')}))"
    three = f"[]((m && !b) -> ({next_(n, 'b')} && X ({stay} U m)))"
    four = (f"[]((m && b) -> ({next_(n, '!b')} && X ((b && !m && {next_(n, '!b')}) U "
            f"(m || (!m && !b && {next_(n, 'b')} && X ({stay} U m))))))")
    return f"({one}) && ({two}) && ({three}) && ({four})"


def counter_carry(n):
    m1 = " && ".join(next_(k, "!m") for k in range(1, n)) or "true"
    one = f"m && [](m -> ({m1} && {next_(n, 'm')}))"
    two = " && ".join(next_(k, "!b") for k in range(n))
    three = f"[]((m && !b) -> (!c && {next_(n, 'b')}))"
    four = f"[]((m && b) -> (c && {next_(n, '!b')}))"
    five = (f"[]((!c && X !m) -> (X !c && ((X b) -> {next_(n + 1, 'b')}) && "
            f"((X !b) -> {next_(n + 1, '!b')})))")
    six = (f"[](c -> (((X !b) -> (X !c && {next_(n + 1, 'b')})) && "
           f"((X b) -> (X c && {next_(n + 1, '!b')}))))")
    return " && ".join(f"({part})" for part in (one, two, three, four, five, six))


def linear(n):
    one = "m"
    two = "!b"
    for _ in range(n - 1):
        one, two = f"!m && X ({one})", f"!b && X ({two})"
    stay = f"(!m && (b -> {next_(n, 'b')}) && (!b -> {next_(n, '!b')}))"
    three = f"[]((m && !b) -> ({next_(n, 'b')} && X ({stay} U m)))"
    four = (f"[]((m && b) -> ({next_(n, '!b')} && X ((b && !m && {next_(n, '!b')}) U "
            f"(m || (!m && !b && {next_(n, 'b')} && X ({stay} U m))))))")
    return f"m && [](m -> X ({one})) && ({two}) && ({three}) && ({four})"


def left_until(n):
    text = "p1"
    for i in range(2, n + 1):
        text = f"({text}) U p{i}"
    return text


def right_until(n):
    text = f"p{n}"
    for i in range(n - 1, 0, -1):
        text = f"p{i} U ({text})"
    return text


def each(n, template, glue):
    return glue.join("(" + template.replace("#+", f"p{i + 1}").replace("#", f"p{i}") + ")"
                     for i in range(1, n + 1))


FAMILIES = {
    "E": lambda n: each(n, "<> #", " && "),
    "U": left_until,
    "U2": right_until,
    "R": lambda n: each(n, "[]<> # || <>[] #+", " && "),
    "C1": lambda n: each(n, "[]<> #", " || "),
    "C2": lambda n: each(n, "[]<> #", " && "),
    "Q": lambda n: each(n, "<> # || [] #+", " && "),
    "S": lambda n: each(n, "[] #", " && "),
    "counter": counter,
    "counter-carry": counter_carry,
    "counter-linear": linear,
}
SIZES = {"E": (2, 4, 6, 8), "U": (3, 5, 7), "U2": (5, 10, 15), "R": (2, 3, 4, 5, 6),
         "C1": (5, 10, 20), "C2": (3, 5, 8, 12), "Q": (2, 3, 4, 5), "S": (5, 10, 20),
         "counter": (1, 2, 4, 6), "counter-carry": (1, 2, 4, 6), "counter-linear": (2, 4, 6)}


def check_counter_word(tool, n, report):
    """The only word of Counter(n): m at multiples of n, block j the binary of j."""
    lasso = tool.ask("sat", counter(n))
    report.expect(lasso.startswith("yes"), f"counter({n}): {lasso[:200]}")
    letters = lasso[4:].replace("{", "").replace("}", "").split(";")
    for i, letter in enumerate(letters):
        words = {w.strip() for w in letter.split("&")}
        bit = (i // n % 2 ** n) >> (i % n) & 1
        report.expect(("m" in words) == (i % n == 0) and ("b" in words) == bool(bit),
                      f"counter({n}) at {i}: {letter}")
    report.expect(len(letters) >= n * 2 ** n, f"counter({n}): {len(letters)} letters")


def check_families(tool, report, spin_seconds=20, largest=99):
    print("family          n   states  edges   TGBA states  edges       ms   spin -f: states      s")
    for name, make in FAMILIES.items():
        spin_dead = name.startswith("counter")          # Debian's spin -f has no X
        for n in SIZES[name]:
            if n > largest:
                continue
            answer = tool.ask("stats", make(n))
            fine = report.expect(not answer.startswith("formula"), f"{name}({n}): {answer}")
            cells = answer.split() if fine else ["-"] * 5
            spin, seconds = "-", 0.0
            if not spin_dead:
                start = time.time()
                claim = spin_claim(make(n), spin_seconds)
                seconds = time.time() - start
                spin = str(len(read_never(claim).edges)) if claim else "timeout"
                spin_dead = claim is None
            print(f"{name:14} {n:2} {cells[0]:>8} {cells[1]:>6} {cells[2]:>10} {cells[3]:>9} "
                  f"{cells[4]:>12} {spin:>12} {seconds:>10.2f}", flush=True)
    for n in (1, 2, 3):
        check_counter_word(tool, n, report)


def check_limits(tool, report):
    """Large and hostile input: an answer or a message, soon."""
    cases = {
        "deep parentheses": "never " + "(" * 200000 + "p" + ")" * 200000,
        "deep negation": "never " + "!" * 500001 + "p",
        "deep next": "never " + "X " * 300000 + "p",
        "long conjunction": "never " + " && ".join(f"p{i % 40}" for i in range(150000)),
        "many names": "never " + " || ".join(f"n{i}" for i in range(100000)),
        "long until": "never " + " U ".join(["p"] * 100000),
        "long equivalence": "never " + " <-> ".join(f"p{i % 30}" for i in range(3000)),
        "3,900 next": "never " + "X " * 3900 + "p",
        "3,900 until": "never " + "".join(f"p{i % 5} U (" for i in range(3900)) + "q" + ")" * 3900,
        "1,900 always-or": "never " + "[](p || <>(q && " * 950 + "r" + "))" * 950,
        "1,900 equivalence": "stutter " + "(p <-> X (" * 1900 + "q" + "))" * 1900,
        "E(40)": "never " + FAMILIES["E"](40),
        "U(30)": "never " + left_until(30),
        "R(20)": "never " + FAMILIES["R"](20),
        "Q(30)": "never " + FAMILIES["Q"](30),
        "open": "never " + "(p && " * 100000,
        "bytes": "never " + "".join(chr(33 + i * 7 % 90) for i in range(100000)),
    }
    for name, line in cases.items():
        what, argument = line.split(" ", 1)
        start = time.time()
        answer = tool.ask(what, argument)
        seconds = time.time() - start
        last = answer.strip().splitlines()[0][:90] if answer.strip() else ""
        print(f"limits: {name:18} {seconds:6.2f} s  {last}", flush=True)
        report.expect(seconds < 60 and answer, f"{name}: {seconds:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--spin", type=int, default=0)
    parser.add_argument("--formats", type=int, default=0)
    parser.add_argument("--families", action="store_true")
    parser.add_argument("--limits", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20, help="limit for spin -f and for us")
    parser.add_argument("--library", default=os.path.join(ROOT, "build", "libgyre.a"))
    parser.add_argument("--tool", help="a ready ltl_tool")
    options = parser.parse_args()
    if options.all:
        options.count, options.spin, options.formats = 300, 100, 30
        options.families = options.limits = True
    if not (options.count or options.spin or options.formats or options.families or
            options.limits):
        parser.error("nothing to do")
    if options.all:
        options.seconds = 3
    tool = Tool(options.tool or build_tool(options.library), options.seconds)
    report = Report()
    if options.count:
        check_random(tool, options.count, options.seed, report)
    if options.spin:
        check_spin(tool, options.spin, options.seed, report, options.seconds)
    if options.formats:
        check_formats(tool, options.formats, options.seed, report)
    if options.families:
        check_families(tool, report, options.seconds, 5 if options.all else 99)
    if options.limits:
        check_limits(tool, report)
    print(f"{report.wrong} wrong")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
