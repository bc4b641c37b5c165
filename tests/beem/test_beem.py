#!/usr/bin/env python3
# check: cli: a benchmark set beside its records; seconds 10
"""gyre beem over a made-up set (tests/beem/set) whose records were worked out by hand.

    test_beem.py [answers] [select] [resume] [limits] [errors]

Ends with `N passed, N failed`.
"""
import csv
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import at_work  # noqa: E402
import groups  # noqa: E402
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
SET = os.path.join(ROOT, "tests/beem/set")

# instance, kind, property: status, found, states of the search of counts
EXPECTED = {
    ("courier.1", "counts", ""): ("equal", "complete", 2),
    ("courier.1", "reach", "1"): ("equal", "yes", None),
    ("courier.2", "counts", ""): ("differs", "complete", 2),
    ("courier.2", "reach", "1"): ("differs", "yes", None),
    ("lamp.1", "counts", ""): ("equal", "complete", 6),
    ("lamp.1", "reach", "1"): ("equal", "yes", None),
    ("lamp.1", "ltl", "2"): ("equal", "no", None),
    ("lamp.1", "ltl", "3"): ("equal", "yes", None),
    ("lamp.2", "counts", ""): ("equal", "complete", 5),
    ("lamp.2", "reach", "1"): ("equal", "no", None),
    ("lamp.2", "ltl", "2"): ("equal", "no", None),
    ("lamp.2", "ltl", "3"): ("equal", "yes", None),
    ("lamp.3", "counts", ""): ("unrecorded", "complete", 400),
    ("lamp.3", "reach", "1"): ("unrecorded", "yes", None),
}


def gyre(*arguments):
    done = subprocess.run([GYRE, "beem", *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def key(row):
    return row["instance"], row["kind"], row["property"]


def compare(rows, expected):
    wrong = []
    found = {key(row): row for row in rows}
    if len(found) != len(rows) or set(found) != set(expected):
        wrong.append("rows %s" % sorted(found))
    for name, (status, answer, states) in expected.items():
        row = found.get(name)
        if row and (row["status"], row["found"]) != (status, answer):
            wrong.append("%s: %s %s" % (name, row["status"], row["found"]))
        if row and states and int(row["states"]) != states:
            wrong.append("%s: %s states" % (name, row["states"]))
    return wrong


def answers():
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "t.csv")
        status, out, _ = gyre(SET, "--csv", table)
        yield "exit status of differences", [] if status == 1 else [status]
        yield "table", compare(read(table), EXPECTED)
        said = "differs: courier.2 counts: states 2, recorded 3; transitions 1, recorded 4" in out
        yield "differences are told", [] if said else [out]
        said = "10 equal, 2 differs, 2 unrecorded, 0 limit, 0 error; 13 states as recorded" in out
        yield "summary", [] if said else [out]
    status, out, _ = gyre(SET, "--json")
    report = schema.report(out)
    yield "JSON", compare(report["rows"], EXPECTED)
    totals = {"equal": 10, "differs": 2, "unrecorded": 2, "limit": 0, "error": 0, "states": 13}
    yield "JSON totals", [] if report["totals"] == totals and report["complete"] else [report["totals"]]
    status, out, _ = gyre(os.path.join(SET, "lamp") + "/", "--select", "recorded=yes")
    yield "one model, all equal", [] if status == 0 and "8 equal" in out else [out]


def select():
    cases = {
        "type=controller": {"lamp.1", "lamp.2", "lamp.3"},
        "type!=controller": {"courier.1", "courier.2"},
        "class=simple|toy,states<5": {"courier.1", "courier.2"},
        "states>=5,states<=6": {"lamp.1", "lamp.2"},
        "instance=*.1": {"courier.1", "lamp.1"},
        "model=lamp, states==5": {"lamp.2"},
        "states>6": {"lamp.3"},
        "recorded=no": {"lamp.3"},
    }
    for conditions, expected in cases.items():
        _, out, _ = gyre(SET, "--json", "--properties", "none", "--select", conditions)
        found = {row["instance"] for row in schema.report(out)["rows"]}
        yield conditions, [] if found == expected else [sorted(found)]
    for words, kinds in (("reach", {"counts", "reach"}), ("ltl", {"counts", "ltl"}),
                         ("none", {"counts"}), ("reach,ltl", {"counts", "reach", "ltl"})):
        _, out, _ = gyre(SET, "--json", "--properties", words)
        found = {row["kind"] for row in schema.report(out)["rows"]}
        yield "--properties " + words, [] if found == kinds else [sorted(found)]
    for options, expected in ((["--no-counts"], 9), (["--recorded"], 12),
                              (["--recorded", "--no-counts"], 8)):
        _, out, _ = gyre(SET, "--json", *options)
        rows = schema.report(out)["rows"]
        yield " ".join(options), [] if len(rows) == expected else [len(rows)]


def resume():
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "t.csv")
        gyre(SET, "--csv", table)
        with open(table, encoding="utf-8") as file:
            lines = file.readlines()
        # What is missing, cut off, or was no answer is run (again), and nothing else.
        lines[1] = lines[1].replace(",equal,", ",limit,")
        lines[5] = lines[5].replace("complete,6,6", "complete,66,6")  # no run gives this
        with open(table, "w", encoding="utf-8") as file:
            file.writelines(lines[:9] + [lines[9][:20]])
        _, out, _ = gyre(SET, "--resume", table, "--json")
        rows = schema.report(out)["rows"]
        earlier = {key(row) for row in rows if row["earlier"]}
        wrong = [] if len(rows) == 14 else ["%d rows" % len(rows)]
        expected = {(f[0], f[3], f[4]) for f in (line.split(",") for line in lines[2:9])}
        yield "what is taken over", wrong + ([] if earlier == expected else [sorted(earlier)])
        again = read(table)
        kept = [row for row in again if row["states"] == "66"]
        yield "the table is whole again", [] if len(again) == 14 and kept else [len(again)]
        status, out, _ = gyre(SET, "--resume", table, "--select", "instance=lamp.1|lamp.2")
        good = status == 0 and out.startswith("lamp.1") and "8 compared or tried: 8 equal" in out
        yield "rows of others do not count", [] if good else [status, out]
        yield "but are kept", [] if len(read(table)) == 14 else [len(read(table))]
        other = os.path.join(folder, "other.csv")
        with open(other, "w", encoding="utf-8") as file:
            file.write("a,b\n")
        status, _, err = gyre(SET, "--resume", other)
        yield "another table", [] if status == 2 and "not a table" in err else [err]
        status, _, err = gyre(SET, "--resume", os.path.join(folder, "none.csv"))
        yield "no table", [] if status == 2 and "cannot read" in err else [err]


# Four independent counters: 2^32 states.
LARGE = "byte a, b, c, d;\n" + "".join(
    "process P%s { state s; init s; trans s -> s { guard %s < 255; effect %s = %s + 1; },"
    " s -> s { guard %s > 0; effect %s = %s - 1; }; }\n" % ((x,) * 7) for x in "abcd") + "system async;\n"


def large_set(folder):
    path = os.path.join(folder, "set")
    shutil.copytree(SET, path)
    with open(os.path.join(path, "lamp/generated_files/lamp.1.dve"), "w", encoding="utf-8") as file:
        file.write(LARGE)
    return path


def limits():
    with tempfile.TemporaryDirectory() as folder:
        path, table = large_set(folder), os.path.join(folder, "t.csv")
        for option, value in (("--time", "1.5"), ("--memory", "60M")):
            status, out, _ = gyre(path, "--select", "instance=lamp.*", "--properties", "none", "--csv",
                                  table, option, value)
            rows = {row["instance"]: row["status"] for row in read(table)}
            good = status == 3 and rows == {"lamp.1": "limit", "lamp.2": "equal",
                                            "lamp.3": "unrecorded"}
            yield option + " bounds one run", [] if good else [status, rows, out]
        process = subprocess.Popen([GYRE, "beem", path, "--properties", "none", "--csv", table],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # Only the large one takes long.
        at_work.until(lambda: any(at_work.processor_time(child) > 0.3 for child in at_work.children(process.pid)))
        process.send_signal(signal.SIGINT)  # to it alone: it passes it on
        out, _ = process.communicate(timeout=300)
        rows = {row["instance"]: row["status"] for row in read(table)}
        good = process.returncode in (1, 3) and b"interrupted" in out and set(rows) == {
            "courier.1", "courier.2"}
        yield "an interrupted run is no row", [] if good else [process.returncode, rows, out]


def errors():
    status, _, err = gyre("/no/such/folder")
    yield "no folder", [] if status == 2 and "cannot read /no/such/folder" in err else [err]
    status, out, _ = gyre("/no/such/folder", "--json")
    yield "no folder, in JSON", [] if status == 2 and schema.report(out)["verdict"] == "error" else [out]
    for text, words in (("stats<3", "a similar name exists: `states`"), ("states>=x", "a number"),
                        ("type<mutex", "only states"), ("type", "nothing to compare")):
        status, _, err = gyre(SET, "--select", text)
        yield "--select " + text, [] if status == 2 and words in err else [err]
    status, _, err = gyre(SET, "--properties", "reachability")
    yield "--properties", [] if status == 2 and "reach|ltl" in err else [err]
    status, _, err = gyre(SET, "--csv", "/no/such/folder/t.csv")
    yield "--csv", [] if status == 2 and "cannot write" in err else [err]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "set")
        shutil.copytree(SET, path)
        records = os.path.join(path, "lamp/generated_files/results.xml")
        with open(records, "a", encoding="utf-8") as file:
            file.write("<")
        status, _, err = gyre(path)
        good = status == 2 and "results.xml:27" in err
        yield "malformed XML", [] if good else [err]
        shutil.copy(os.path.join(SET, "lamp/generated_files/results.xml"), records)
        os.remove(os.path.join(path, "lamp/generated_files/lamp.2.dve"))
        with open(os.path.join(path, "lamp/generated_files/lamp.1.dve"), "w", encoding="utf-8") as file:
            file.write("byte x\n")
        status, out, _ = gyre(path, "--properties", "none", "--json", "--select", "model=lamp")
        rows = {row["instance"]: row["status"] for row in schema.report(out)["rows"]}
        good = status == 2 and rows == {"lamp.1": "error", "lamp.2": "error", "lamp.3": "unrecorded"}
        yield "models that cannot be read", [] if good else [status, rows]


if __name__ == "__main__":
    sys.exit(groups.run((answers, select, resume, limits, errors)))
