#!/usr/bin/env python3
# check: riscal: RISCAL: systems, malformed ones, formulas, random ones against an interpreter; seconds 9
"""RISCAL: systems with results worked out by hand, malformed ones, and random ones.

    test_riscal.py [models] [rejected] [formulas] [told] [beside] [documented] [random]

models    tests/riscal/models: `// expect: VERDICT [KIND]; states N, transitions N, deadlocks N`, worked
          out by hand. The virtual machine, compiled code and the interpreter in
          tests/diff/riscal_reference.py must all agree with it. `// options:` for the command line.
rejected  tests/riscal/rejected: exit status 2 and each `// error:` (and `// hint:`), with its place.
formulas  formulas and predicates from the command line.
told      what a counterexample looks like.
beside    tests/riscal/beside: states, transitions and verdicts of the same systems in Promela.
documented  the system of docs/riscal.md.
random    tests/diff/riscal_random.py.
Ends with `N passed, N failed`.
"""
import glob
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import groups  # noqa: E402
import language  # noqa: E402
from language import GYRE, gyre, read  # noqa: E402
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "diff"))
import riscal_random  # noqa: E402
import riscal_reference  # noqa: E402

FOLDER = os.path.join(ROOT, "tests", "riscal")


# ---- models ------------------------------------------------------------------------------


def check_reference(path, options, figures):
    given = {n: int(v) for n, v in (o[2:].split("=") for o in options)}
    try:
        facts = riscal_reference.explore(riscal_reference.System(read(path), given))
    except riscal_reference.Unread: # a formula that it does not know
        return []
    return language.compare_facts(facts, figures)


def models():
    for path in sorted(glob.glob(os.path.join(FOLDER, "models", "*.riscal"))):
        expected = verdict, _, figures = language.expectation(language.notes(path, "expect")[0])
        options = language.options(path)
        wrong = check_reference(path, options, figures)
        wrong += language.check(path, options, expected, "vm") + language.check(path, options, expected, "native")
        if "deadlocks" in figures:
            status, _, errors = gyre(path, *options, "--check", "deadlock")
            if status != bool(figures["deadlocks"]):
                wrong.append("deadlocks: exit status %d: %s" % (status, errors))
        status, _, errors = gyre(path, *options)
        if status != (verdict == "violated"):
            wrong.append("reduced: exit status %d: %s" % (status, errors))
        for command in ("sim", "info"):
            status, _, errors = gyre(command, path, *options, *(["--steps", "5"]
                                                                if command == "sim" else []))
            if status not in (0, 1):
                wrong.append("%s: exit status %d: %s" % (command, status, errors))
        yield os.path.basename(path), wrong


# ---- malformed models --------------------------------------------------------------------


def rejected():
    for path in sorted(glob.glob(os.path.join(FOLDER, "rejected", "*.riscal"))):
        yield os.path.basename(path), language.check_refusal(path)


# ---- formulas ----------------------------------------------------------------------------


def formulas():
    counter = os.path.join(FOLDER, "models", "counter.riscal")
    cases = [
        ("□◇⟦x = 3⟧", 0), ("[] <> [[x = 3]]", 0), ("□(x = 3 ⇒ ○(x = 0))", 0), ("◇□⟦x = 3⟧", 1),
        ("∀n:ℕ[3]. ◇⟦x = n⟧", 0), ("∃n:ℕ[3]. □⟦x ≠ n⟧", 1), ("⟦x < 3⟧ U ⟦x = 3⟧", 0),
        ("forall n:Nat[3] with n < 3. [] ([[x = n]] => <> [[x = n+1]])", 0),
        ("□⟦∃n:ℕ[1]. x = 2*n ∨ x = 2*n+1⟧", 0), ("⟦x = 3⟧ R ⟦x ≤ 3⟧", 0), ("⟦x = 0⟧ W ⟦x = 2⟧", 1),
        ("◇⟦y = 3⟧", 2), ("◇⟦x⟧", 2), ("◇", 2),
    ]
    for text, expected in cases:
        status, _, errors = gyre(counter, "--ltl", text)
        yield "formula %s" % text, [] if status == expected else [
            "exit status %d: %s" % (status, errors)]


# ---- what is told ------------------------------------------------------------------------


TOLD = [
    # The values that are chosen, and the initial state, must be those that violate the formula.
    ("""shared system choice
{
  var x:ℕ[3] = 0;
  invariant x ≠ 2;
  action up() with x = 0; { choose y:ℕ[3] with y > 0; x ≔ y; }
}""", ["x: 0 → 2", "No process is enabled"], ["invalid end state"]),
    ("""shared system choice
{
  var x:ℕ[3];
  invariant x ≠ 2;
  init(i:ℕ[3]) { x ≔ i; }
  action up() with x = 3; { x ≔ 0; }
}""", ["x = 2"], ["x = 0"]),
    ("""shared system choice
{
  var x:ℕ[3] = 0; var n:ℕ[9] = 0;
  ltl ¬□◇⟦x = 2⟧;
  action go() { choose y:ℕ[3]; x ≔ y; }
}""", ["x: 0 → 2"], ["x: 0 → 1"]),
    # One of the initial states fails, another one violates the invariant.
    ("""shared system start
{
  var x:ℕ[2];
  invariant x ≠ 1;
  init(i:ℕ[3]) { x ≔ 3-i; }
  action stay() { x ≔ x; }
}""", ["the value 3 is out of its range (0..2)", "x = 1"], []),
    ("""shared system none
{
  var x:ℕ[3] = 0;
  action up() { choose y:ℕ[3] with y > x; x ≔ 3; }
}""", ["no value can be chosen for y"], []),
    ("""shared system parameters
{
  var s:Array[2,Bool] = Array[2,Bool](false);
  invariant ¬(s[0] ∧ s[1]);
  action set(i:ℕ[1], t:Tuple[Bool,ℕ[1]]) with ¬s[i] ∧ t.1; { s[i] ≔ t.1; }
}""", ["set(0, ⟨true,0⟩)", "set(1, ⟨true,0⟩)", "s[1]: false → true"], []),
    # Sets, maps and records as values, by the names of their members.
    ("""enumtype Colour = red | green | blue;
shared system show
{
  var s:Set[Colour] = ∅[Colour];
  var q:Array[2,Set[ℤ[-1,1]]] = Array[2,Set[ℤ[-1,1]]](∅[ℤ[-1,1]]);
  var m:Map[Colour,ℕ[3]] = Map[Colour,ℕ[3]](0);
  var r:Record[of:ℕ[2], c:Colour] = ⟨of:0,c:Colour!red⟩;
  invariant |s| < 2 ∨ q[1] = ∅[ℤ[-1,1]];
  action a(c:Colour) with c ∉ s ∧ c ≠ Colour!green; { s ≔ s ∪ {c}; m[c] ≔ 3; q[1] ≔ {-1,1}; r.c ≔ c; }
}""", ["s: {} → {red}", "s: {red} → {red, blue}", "q[1]: {} → {-1, 1}", "m[red]: 0 → 3", "a(blue)",
       "r.c: red → blue", "s = {red, blue}", "q[0] = {}", "m[green] = 0"], []),
    ("""type P = Tuple[Bool,ℕ[1]];
shared system stranger
{
  var f:Set[P] = ∅[P];
  var n:ℕ[2] = 0;
  action a() { f ≔ f ∪ {⟨true,n⟩}; n ≔ n+1; }
}""", ["a member of a set is not of the type of its members", "f: {⟨true,0⟩} → {⟨true,0⟩, ⟨true,1⟩}"], []),
]


def told():
    with tempfile.TemporaryDirectory() as folder:
        for i, (text, expected, not_expected) in enumerate(TOLD):
            path = os.path.join(folder, "told%d.riscal" % i)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            status, out, errors = gyre(path)
            wrong = [] if status == 1 else ["exit status %d: %s" % (status, errors)]
            wrong += ["%s is not in %s" % (e, out) for e in expected if e not in out]
            wrong += ["%s is in %s" % (e, out) for e in not_expected if e in out]
            yield "told %d" % i, wrong


# ---- beside Promela ----------------------------------------------------------------------


def figures_of(path):
    status, out, errors = gyre(path, "--json", "--exact")
    if status not in (0, 1):
        return None, ["%s: exit status %d: %s" % (path, status, errors)]
    report = schema.report(out)
    return (report["properties"][0]["states"], report["properties"][0]["transitions"],
            [(p["name"], p["verdict"]) for p in report["properties"]]), []


def beside():
    """The same systems in Promela: a process with one location, whose steps are d_steps."""
    for path in sorted(glob.glob(os.path.join(FOLDER, "beside", "*.riscal"))):
        here, wrong = figures_of(path)
        there, also_wrong = figures_of(path.replace(".riscal", ".pml"))
        wrong += also_wrong
        # Spin counts the arrival in the initial state as a transition.
        if not wrong and (here[0], here[1] + 1, here[2]) != there:
            wrong.append("%s, but in Promela %s" % (here, there))
        for expected in language.notes(path, "expect"):
            wrong += check_reference(path, [], language.expectation(expected)[2])
        yield "beside " + os.path.basename(path), wrong


def documented():
    """The system of docs/riscal.md: three clients, each started and finished in some order."""
    with open(os.path.join(ROOT, "docs", "riscal.md"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    start, end = lines.index(next(s for s in lines if s.startswith("    val N:"))), lines.index("    }")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "documented.riscal")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(line[4:] for line in lines[start:end + 1]) + "\n")
        status, out, errors = gyre(path, "-DN=2", "--json", "--exact")
    states = status == 0 and schema.report(out)["properties"][0]["states"]
    # Idle: nothing done yet; else some set is done, and the last one is in it: 1 + 3*1 + 3*2 + 1*3.
    # Busy with one that is not done: 3 + 3*2 + 3*1.
    yield "documentation", [] if states == 25 else ["exit status %d, %s states: %s" % (
        status, states, errors)]


def sums():
    """As long as expressions may be, and longer than any stack."""
    model = "shared system S { var x: ℕ[3] = 0; action a() with %s = 0; { x := 0; } }\n"
    yield from language.long_sums(".riscal", lambda text: model % text, "x")


def random_systems():
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(40):
            text = riscal_random.Generator(seed).generate()
            path = os.path.join(folder, "random%d.riscal" % seed)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            backends = ("vm", "native") if seed % 8 == 0 else ("vm",) # a compiler takes its time
            wrong = riscal_random.compare(GYRE, path, text, backends)
            if wrong is not None:
                yield "random %d" % seed, wrong


GROUPS = {"models": models, "rejected": rejected, "formulas": formulas, "told": told,
          "beside": beside, "documented": documented, "sums": sums, "random": random_systems}


if __name__ == "__main__":
    sys.exit(groups.run(GROUPS))
