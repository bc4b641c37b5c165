#!/usr/bin/env python3
# check: dve: DVE converted to Promela: the command; seconds 3
"""gyre convert: from DVE to Promela. Verdicts and counts are compared by tests/diff/dve_convert.py.

    test_convert.py [forms] [errors] [names]

Ends with `N passed, N failed`.
"""
import os
import shutil
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import groups  # noqa: E402
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
MUTEX = os.path.join(ROOT, "examples/dve/mutex.dve")
MODELS = os.path.join(ROOT, "tests/dve/models")


def gyre(*arguments):
    done = subprocess.run([GYRE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


def forms():
    status, text, _ = gyre("convert", MUTEX)
    wanted = ["active proctype A()", "end_wait: wait:", ":: wants[0] = 1; goto set",
              ":: wants[1] == 0 || turn == 0 -> goto critical",
              "ltl assert_B_critical { [] (!(B@critical) || (!A@critical)) }"]
    yield "printed", [line for line in wanted if status != 0 or line not in text]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mutex.pml")
        status, out, _ = gyre("convert", MUTEX, "-o", path)
        with open(path, encoding="utf-8") as file:
            written = file.read()
        yield "-o", [] if status == 0 and out == "" and written == text else [out]
        status, out, _ = gyre("convert", MUTEX, "-o", path, "--json")
        report = schema.report(out)
        yield "-o and --json", [] if report["file"] == path and report["text"] is None else [out]
        template = os.path.join(folder, "t.mdve")
        with open(template, "w", encoding="utf-8") as file:
            file.write("default(N, 2)\nbyte x[N];\nprocess P { state s; init s; }\nsystem async;\n")
        _, out, _ = gyre("convert", template, "-D", "N=5")
        yield "a template", [] if "byte x[5];" in out else [out]
    _, out, _ = gyre("convert", MUTEX, "--json")
    yield "--json", [] if schema.report(out)["text"] == text else [out]
    _, text, _ = gyre("convert", os.path.join(MODELS, "rendezvous_order.dve"))
    joint = r"R_got = x;\s+R_at = R_b;\s+seen = x;\s+y = 2;\s+S_at = S_b;\s+x = y;\s+y = 5\s"
    yield "receiver before sender", [] if re.search(joint, text) else [text]
    _, text, _ = gyre("convert", os.path.join(MODELS, "exchange_effect.dve"))
    yield "values before stores", [] if re.search(r"got = y;\s+got_2 = x;\s+x = got;", text) else [text]


PLAIN = """channel c, d;
process S { state a, b; init a; trans a -> b { sync c!7; }, b -> a { sync d!; }; }
process R { byte got; state a, b; init a; trans a -> b { sync c?got; }, b -> a { sync d?; }; }
system async;
"""


def names():
    _, text, _ = gyre("convert", os.path.join(MODELS, "foreign_names.dve"))
    wanted = ["active proctype proctype_2()", "byte len_2;", "byte while_2 = 1;", "byte run_2[2] = {1, 0};",
              "#define N 1", "end_at_accept_it: at_accept_it:", "end_N_2: N_2:"]
    yield "names", [line for line in wanted if line not in text]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plain.dve")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PLAIN)
        _, text, _ = gyre("convert", path)
        wanted = ["chan c = [0] of { int };", "chan d = [0] of { bit };", ":: c!7 -> goto b",
                  ":: c?got -> goto b", ":: d!0 -> goto a", ":: d?_ -> goto a"]
        yield "messages and nothing else", [line for line in wanted if line not in text]


def errors():
    for name, place, words in (
            ("synchronous.dve", ":7:1:", "a synchronous system cannot be converted"),
            ("property_variable.dve", ":6:8:", "a property process with variables cannot be converted")):
        path = os.path.join(MODELS, name)
        status, out, err = gyre("convert", path)
        good = status == 2 and not out and place in err and words in err and "hint:" in err
        yield name, [] if good else [err]
        status, out, _ = gyre("convert", path, "--json")
        report = schema.report(out)
        good = status == 2 and report["verdict"] == "error" and \
            any(words in d["message"] for d in report["diagnostics"])
        yield name + ", in JSON", [] if good else [out]
    status, _, err = gyre("convert", os.path.join(ROOT, "examples/peterson.pml"))
    yield "Promela", [] if status == 2 and "is in Promela; only DVE can be converted" in err else [err]
    with tempfile.TemporaryDirectory() as folder:
        path, link = os.path.join(folder, "m.dve"), os.path.join(folder, "link.pml")
        shutil.copy(MUTEX, path)
        os.symlink(path, link)
        for target in (path, link):
            status, _, err = gyre("convert", path, "-o", target)
            with open(path, "rb") as now, open(MUTEX, "rb") as before:
                kept = now.read() == before.read()
            good = status == 2 and kept and "would overwrite the model itself" in err
            yield "not onto itself", [] if good else [err]
    status, _, err = gyre("convert", MUTEX, "-o", "/no/such/folder/x.pml")
    yield "-o", [] if status == 2 and "cannot write" in err else [err]
    status, _, err = gyre("convert", os.path.join(ROOT, "tests/dve/rejected/missing_semicolon.dve"))
    yield "a model with an error", [] if status == 2 and ": error: " in err else [err]


if __name__ == "__main__":
    sys.exit(groups.run((forms, names, errors)))
