#!/usr/bin/env python3
# check: cli: files of strangers; seconds 30
"""What a model, a directory of a swarm or a benchmark set from a stranger can do: nothing runs, nothing else is
read or overwritten, nothing is left behind, and no text of it drives a terminal or a pipeline."""
import csv
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from harness import GYRE, ROOT, check, counts, expect, gyre, on_terminal  # noqa: E402
import dap_client  # noqa: E402

PRECIOUS = "precious\n"
# By hand, from what the manual says of each: they read or write files, start programs or decide about success.
NEVER = {"--ef-file", "--mpi", "--disk", "--checkpoint", "--resume", "-I", "--trail", "--expect", "--min-coverage", "--launcher",
         "--sbatch", "--dir", "--allow-c", "-o", "--svg", "--csv", "--junit", "--sarif", "--html", "--code-quality", "--port",
         "--stdout", "--interactive", "--json", "--events"}
# Some that have to be possible.
ALWAYS = {"--exact", "--no-por", "--fairness", "--ltl", "--check", "-D", "--store", "--depth", "--time", "--memory", "--no-c"}
VALUES = {"N": "2", "SECONDS": "50", "SIZE": "900M", "NAME[=VALUE]": "N=2", "PERCENT": "5", "EXPRESSION": "false", "EXPR": "false"}


def written(folder, text, name):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path


def content(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def options():
    return json.loads(gyre("--print-options").out)["options"]


def example(option, folder):
    """Something to put after an option."""
    argument = option["argument"]
    return VALUES.get(argument, argument.split("|")[0] if "|" in argument else os.path.join(folder, "written"))


# ---- every option, and who may set it ---------------------------------------------------------


def the_table(table):
    setters = {}
    for option in table:
        setters.setdefault(option["name"], set()).update(option["set_by"])
    for name in NEVER:
        allowed = setters[name] - ({"journal"} if name in ("-I", "--json") else set())
        check(f"{name} is the user's", not allowed, allowed)
    for name in ALWAYS:
        check(f"{name} may be set by a model, too", "comment" in setters[name], setters[name])
    for option in table:
        path = option["argument"] in ("FILE", "DIR") and option["name"] != "-I"
        check(f"{option['name']} names a file", not (path and option["set_by"]), option)


def comments(table, folder):
    precious = written(folder, PRECIOUS, "written")
    for option in table:
        if option["name"] == "--check" and not option["set_by"]:
            continue  # of gyre format: the name is another option's here
        value = " " + example(option, folder).replace("[NAME=]", "") if option["argument"] and not option["optional"] else ""
        text = f"// gyre: with {option['name']}{value} expect holds\nint N; active proctype P() {{ skip }}\n"
        result = gyre("test", written(folder, text, "comment.pml"))
        refused = re.search("cannot be set in a comment|unknown setting|after `gyre:`", result.out)
        if option["set_by"] and "comment" in option["set_by"]:
            check(f"a comment with {option['name']}", not refused, result)
        else:
            check(f"a comment with {option['name']} is refused", result.status == 1 and refused, result)
        check(f"{option['name']}: nothing is overwritten", content(precious) == PRECIOUS)
    expect("a verdict is of the same line", gyre("test", written(folder, "// gyre: expect \nholds\n// */ active proctype P() { skip }\n", "line.pml")), 1,
           "after `gyre:`")
    written(folder, "// gyre: with --time 1e9 --memory 900G expect holds\nactive proctype P() { skip }\n", "limits.pml")
    expect("limits can be lowered only", gyre("test", "--time", "60", "--memory", "500M", os.path.join(folder, "limits.pml")), 0)
    written(folder, "// gyre: with --threads 3 expect holds\nactive proctype P() { skip }\n", "threads.pml")
    expect("and so can threads", gyre("test", "--threads", "1", os.path.join(folder, "threads.pml")), 0, "1 passed")
    loop = "// gyre: with --time 1e9 expect inconclusive\nint n; active proctype P() { do :: n++; assert(n != -5) od }\n"
    expect("the user's limit holds", gyre("test", "--time", "0.5", "--memory", "2G", written(folder, loop, "loop.pml")), 0, "1 passed")


def launches(table, folder):
    model = written(folder, "int N; active proctype P() { skip; skip }\n", "launch.pml")
    for option in table:
        name = option["name"].lstrip("-")
        if option["set_by"] or not option["name"].startswith("--") or option["name"] == "--check":
            continue
        client = dap_client.Client(GYRE, cwd=folder)
        client.call("initialize", adapterID="gyre", pathFormat="path")
        why = client.refused("launch", program=model, options={name: example(option, folder) if option["argument"] else True})
        check(f"a launch with --{name} is refused", re.search("cannot be set in the options of a launch|unknown setting", str(why)), why)
        client.end()


# ---- swarms -----------------------------------------------------------------------------------

WORK = "byte a[3]; active [3] proctype P() { do :: a[_pid] < 30 -> a[_pid]++ od }"
FEW = ["--check", "safety", "--no-deadlock", "--guide", "none", "--backend", "vm"]


def begun(folder, name, model, *more, status=3):
    """A swarm that has not come to an end."""
    there = os.path.join(folder, name)
    expect(f"a swarm is begun: {name}", gyre("swarm", model, *FEW, "--job-states", "1", "--dir", there, *more), status)
    return there


def journals(folder):
    model = written(folder, WORK, "work.pml")
    page = os.path.join(folder, "page.html")
    there = begun(folder, "reports", model, "--html", page)
    written(folder, PRECIOUS, "page.html")
    result = expect("a report of the journal", gyre("swarm", "--resume", there, "--job-states", "2"), 3, err="not taken from the journal.*--html")
    check("is not written", content(page) == PRECIOUS, result)
    expect("unless it is asked for", gyre("swarm", "--resume", there, "--job-states", "2", "--html", page), 3)
    check("then it is", content(page) != PRECIOUS)

    there = begun(folder, "slurm", model, "--launcher", "slurm", "--sbatch=--wait; touch " + folder + "/ran", status=3)
    if os.path.exists(os.path.join(folder, "ran")):
        os.unlink(os.path.join(folder, "ran"))
    expect("a launcher of the journal", gyre("swarm", "--resume", there), 2, err="--launcher slurm.*not taken from its journal")
    expect("another launcher", gyre("swarm", "--resume", there, "--launcher", "local", "--job-states", "100000"), 0)
    check("options for sbatch did not run", not os.path.exists(os.path.join(folder, "ran")))

    witness = os.path.join(folder, "witness")
    code = written(folder, 'c_code { \\#include <stdio.h>\n };\n'.replace("\\#", "#") + WORK.replace(
        "do ::", f'c_code {{ fclose(fopen("{witness}", "w")); }}; do ::'), "code.pml")
    there = begun(folder, "code", code)
    check("embedded C has run", os.path.exists(witness))
    os.unlink(witness)
    expect("code that a journal names", gyre("swarm", "--resume", there), 2, err="embedded C.*(.|\n)*gyre swarm MODEL --resume DIR")
    check("does not run", not os.path.exists(witness))
    expect("another model", gyre("swarm", model, "--resume", there), 2, err="is one of .*code.pml")
    expect("the model that is named", gyre("swarm", code, "--resume", there, "--job-states", "2"), 3)
    check("may run", os.path.exists(witness))


def journal_options(table, folder):
    """Each option that a swarm can be begun with, and what `--resume` makes of it. Others are no words of a journal."""
    model = written(folder, WORK, "work.pml")
    of_the_run = {"--dir", "--resume", "--job-states"}  # not recorded, or given anew below
    kept, dropped = set(), set()
    for option in table:
        name = option["name"]
        if "swarm" not in option["commands"] or name in of_the_run | {"--launcher"}:  # which has a test of its own
            continue
        value = [example(option, folder).replace("[NAME=]", "")] if option["argument"] and not option["optional"] else []
        there = tempfile.mkdtemp(dir=folder)
        begin = gyre("swarm", model, *FEW, "--job-states", "1", "--time", "1", "--dir", there, *([f"{name}={value[0]}"] if value and name[1] == "-" else [name, *value]))
        if begin.status != 3 or not os.path.exists(os.path.join(there, "journal")):
            continue  # cannot be in one
        precious = written(folder, PRECIOUS, "written")
        result = gyre("swarm", "--resume", there, "--time", "0.1")  # what it does not take, it says first
        told = re.search("not taken from the journal of the swarm: (.*)", result.err)
        left_out = bool(told) and name in re.split("[ ,]+", told.group(1))
        check(f"a journal with {name}", left_out == ("journal" not in option["set_by"]), result)
        check(f"a journal with {name}: nothing is overwritten", content(precious) == PRECIOUS, result)
        (dropped if left_out else kept).add(name)
    check("some options are taken from a journal", {"--exact", "--job-memory", "-D"} <= kept, kept)
    check("others are not", {"--html", "--junit", "--sarif", "--trail"} <= dropped, dropped)


def parameters(folder):
    """Of a benchmark set: definitions of macros, whatever they look like."""
    for number, text in enumerate(("--trail=written", "-I/etc", "--html written", "X=1 --checkpoint written", "--allow-c", "-o written")):
        there = os.path.join(folder, f"set-{number}")
        os.makedirs(os.path.join(there, "m"))
        written(os.path.join(there, "m"), "byte n;\nprocess P { state a, b; init a; trans a -> b { effect n = 1; }; }\nsystem async;\n", "m.mdve")
        written(os.path.join(there, "m"), '<?xml version="1.0"?><model><instance id="1"><parameters>' + text +
                "</parameters></instance></model>", "m.xml")
        precious = written(there, PRECIOUS, "written")
        before = sorted(os.listdir(there))
        result = gyre("beem", there, "--time", "60", cwd=there)
        check(f"parameters {text!r} write nothing", content(precious) == PRECIOUS and sorted(os.listdir(there)) == before, result)


def many_workers(folder):
    """As many processes as a stranger likes."""
    model = written(folder, WORK, "work.pml")
    there = begun(folder, "workers", model, "--workers", "99999")
    expect("workers of the journal", gyre("swarm", "--resume", there, "--job-states", "2"), 3, err="not taken from the journal.*--workers 99999")
    expect("unless they are asked for", gyre("swarm", "--resume", there, "--job-states", "2", "--workers", "3"), 3, "3 threads")


def odd_files(folder):
    """What is no file, where a swarm has its files: nothing waits for it, and nothing is written where it leads."""
    model = written(folder, WORK, "work.pml")
    there = begun(folder, "odd", model)
    journal, answer = os.path.join(there, "journal"), os.path.join(there, "job-0.answer")
    os.unlink(answer)
    os.mkfifo(answer)
    expect("a pipe as an answer", gyre("swarm", "--resume", there, "--job-states", "2"), 3)
    elsewhere = os.path.join(folder, "elsewhere")
    os.rename(journal, elsewhere)
    before = content(elsewhere)
    os.symlink(elsewhere, journal)
    expect("a link as a journal", gyre("swarm", "--resume", there, "--job-states", "2"), 2, err="no swarm in")
    check("is not written through", content(elsewhere) == before)
    os.unlink(journal)
    os.mkfifo(journal)
    expect("a pipe as a journal", gyre("swarm", "--resume", there), 2, err="no swarm in")


def pipes(folder):
    """Pipes under names that nobody gave to Gyre are not waited for; the limit of time is a sign that they were."""
    os.mkdir(os.path.join(folder, "set"))
    generated = os.path.join(folder, "set", "generated_files")
    os.mkdir(generated)
    for name in ("generated_files/results.xml", "set.xml", "generated_files/set.1.stat.xml", "generated_files/set.1.dve"):
        written(generated, '<?xml version="1.0"?><results><instance id="1"><states>1</states></instance></results>', "results.xml")
        path = os.path.join(folder, "set", name)
        if os.path.exists(path):
            os.unlink(path)
        os.mkfifo(path)
        result = gyre("beem", os.path.join(folder, "set"))
        check(f"a pipe as {name} of a benchmark", result.status == 2 and
              f"cannot read {path}: it is not a regular file" in result.out + result.err, result)
        os.unlink(path)
    model = written(folder, WORK, "work.pml")
    os.mkfifo(model + ".trail")
    for command in (("replay", model), ("spin", "-t", model), ("spin", "-replay", model)):
        result = gyre(*command)
        check(f"gyre {command[0]} {command[1]}: a pipe as the trail that pan leaves", re.search(r"cannot (read|find)", result.out + result.err) and
              result.status == (2 if command[0] == "replay" else 1), result)
    pipe = os.path.join(folder, "pipe.pml")
    os.mkfifo(pipe)
    expect("a server's child and a pipe as a model", gyre("info", pipe, env={"GYRE_WITHIN": folder}), 2, err="it is not a regular file")


def links(folder):
    """Files of the directory that lead elsewhere."""
    model = written(folder, WORK, "work.pml")
    there = begun(folder, "links", model)
    precious = written(folder, PRECIOUS, "precious")
    for job in range(200):
        for kind in ("log", "task.tmp", "answer.tmp", "seeds.tmp", "known.tmp", "states.tmp"):
            path = os.path.join(there, f"job-{job}.{kind}")
            if not os.path.lexists(path):
                os.symlink(precious, path)
    result = gyre("swarm", "--resume", there, "--job-states", "3000")
    check("links in the directory of a swarm are not followed", content(precious) == PRECIOUS, result)


# ---- disks that are full ----------------------------------------------------------------------


def full_disks(folder):
    """No file may become longer than so many bytes, as on a disk that is full: some compilers end well all the same."""
    for compiler in filter(shutil.which, ("gcc", "tcc", "clang")):
        for most in (1 << 12, 1 << 14, 36 << 10, 44 << 10, 60 << 10):
            cache = tempfile.mkdtemp(dir=folder)
            done = subprocess.run([GYRE, os.path.join(ROOT, "bench", "models", "directory.pml"), "--check", "safety", "--search", "bfs"],
                                  env={**os.environ, "XDG_CACHE_HOME": cache, "GYRE_CC": compiler}, capture_output=True, text=True, timeout=600,
                                  preexec_fn=lambda size=most: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
            check(f"{compiler}, {most} bytes: the machine goes on", done.returncode == 0, done)
            left = [name for _, folders, files in os.walk(cache) for name in folders + files if name.startswith("tmp-")]
            check(f"{compiler}, {most} bytes: nothing stays behind", not left, left)


# ---- what is shown ----------------------------------------------------------------------------

RAW = b'active proctype P() { printf("a\033[31mred \302\233 \342\200\256 \177 \377\\n"); assert(false) }\n'
ORDERS = "active proctype P() { printf(\"%s\\n\"); printf(\"##[group]x ##vso[task.x]y ##teamcity[z]\\n\"); assert(false) }\n" % "::error title=x::boo"


def controls(text):
    """Those that are not the ends of lines, colours or links of the report, or the line of progress that is wiped out."""
    text = text.replace("\r\x1b[K", "")
    text = re.sub(r"\x1b\[(0|1|2|36|1;3[1-36])?m|\x1b\]8;;(file://[!-~]*)?\x1b\\", "", text.replace("\r\n", "\n"))
    return re.findall(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]", text)


def shown(folder):
    raw = written(folder, RAW, "raw.pml")
    name = written(folder, RAW, "e\033[2J\033[31m.pml")
    line = written(folder, b'#line 3 "a\033[2Jb\033[31m.pml"\nactive proctype P() { x = 1 }\n', "line.pml")
    for model in (raw, name, line):
        for command in ([model], ["sim", model], [model, "--json"], ["info", model], ["replay", model], ["sim", model, "--msc"],
                        [model, "--verbose"], ["test", model], ["hunt", model, "--time", "5"], ["spin", "-p", model], ["stats", model]):
            words = " ".join(command).encode("unicode_escape").decode()
            if command[0] != "replay":  # which would wait for keys
                check(f"on a terminal: {words}", not controls(on_terminal(*command)), repr(on_terminal(*command)))
            if command[0] != "spin":
                result = gyre(*command)
                check(f"in a pipe: {words}", not controls(result.out + result.err), result)
    steps = gyre(raw, "--json").json["properties"][0]["counterexample"]["steps"]
    check("JSON has the characters as they are", steps[0]["output"][0].startswith("a\x1b[31mred \x9b \u202e \x7f "), steps)


def pipelines(folder):
    model = written(folder, ORDERS, "orders.pml")
    odd = written(folder, ORDERS, "o\n::error::x.pml")
    for where in ({"GITHUB_ACTIONS": "true", "CI": "true"}, {"TF_BUILD": "True"}, {"TEAMCITY_VERSION": "1"}):
        for command in ([model], ["sim", model], ["sim", model, "--quiet"], [model, "--json"], [model, "--events"], ["spin", model], [odd], ["sim", odd]):
            result = gyre(*command, env=where)
            text = result.out + result.err
            own = [line for line in text.split("\n") if re.match(r"\s*::(\S|$)", line) and not re.match(r"::(error|warning) file=", line)]
            check(f"{where}: {command}: no line begins with an order", not own, result)
            check(f"{where}: {command}: no older order", not re.search(r"##\w*\[", text), result)
            if "--json" in command:
                check(f"{where}: JSON stays JSON", "##vso[task.x]" in json.dumps(result.json), result)
        result = gyre("format", written(folder, b"init   { skip }", "f\n::error::x.pml"), env=where)
        check(f"{where}: the name of a file that was formatted is no order", "error" in result.out and "\n::error" not in result.out, result)


def well_formed(folder):
    model = written(folder, RAW, "bad\377.pml".encode("latin-1").decode("latin-1"))
    junit, svg = os.path.join(folder, "junit.xml"), os.path.join(folder, "stats.svg")
    for name in (model, os.path.join(os.fsencode(folder), b"bad\xff\x01.pml")):
        shutil.copy(model, name) if name != model else None
        subprocess.run([GYRE, name, "--junit", junit], capture_output=True, timeout=300)
        xml.dom.minidom.parse(junit)
        subprocess.run([GYRE, "stats", name, "--svg", svg], capture_output=True, timeout=300)
        xml.dom.minidom.parse(svg)
        done = subprocess.run([GYRE, "sim", name, "--chart", "svg"], capture_output=True, timeout=300)
        xml.dom.minidom.parseString(done.stdout)
        done = subprocess.run([GYRE, "test", name, "--junit", junit], capture_output=True, timeout=300)
        xml.dom.minidom.parse(junit)
    check("XML is well-formed, whatever the model is called and prints", True)


def tables(folder):
    """A benchmark set with words that a spreadsheet would compute, and with names that have commas."""
    there = os.path.join(folder, "set")
    shutil.copytree(os.path.join(ROOT, "tests", "beem", "set", "courier"), os.path.join(there, "courier"))
    path, table = os.path.join(there, "courier", "courier.xml"), os.path.join(folder, "table.csv")
    words = {"type": '=1+1,"x"', "classification": "@SUM(A1)"}
    text = content(path).replace('"communication-protocol"', "'=1+1,&quot;x&quot;'").replace('"simple"', '"@SUM(A1)"')
    written(os.path.dirname(path), text, "courier.xml")
    for more in ([], ["--resume", table]):
        gyre("beem", there, "--csv", table, *more)
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        cells = {cell for row in rows for cell in row.values()}
        check("cells are text", rows and not [cell for cell in cells if cell and cell[0] in "=@+-\t"], cells)
        check("the words are there", {"'" + word for word in words.values()} <= cells, cells)


# ---- code -------------------------------------------------------------------------------------


def objects(folder):
    witness = os.path.join(folder, "loaded")
    source = written(folder, '#include <stdio.h>\n__attribute__((constructor)) static void run(void) { fclose(fopen("%s", "w")); }\n' % witness, "e.c")
    path = os.path.join(folder, "e.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", path, source], check=True)
    for command, status in ((["info", path], 2), (["spin", "-a", path], 1), (["convert", path], 2), (["test", folder], None), (["lsp"], None)):
        result = gyre(*command, cwd=folder)
        check(f"{command[0]} loads no shared object", not os.path.exists(witness) and status in (None, result.status), result)
    expect("verification does", gyre(path), 2)
    check("on request", os.path.exists(witness))


def main():
    table = options()
    the_table(table)
    for part in (comments, launches, journal_options):
        with tempfile.TemporaryDirectory() as folder:
            part(table, folder)
    for part in (journals, parameters, many_workers, odd_files, pipes, links, full_disks, shown, pipelines, well_formed, tables, objects):
        with tempfile.TemporaryDirectory() as folder:
            part(folder)
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 0 if counts[False] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
