#!/usr/bin/env python3
# check: docs: what the program says; seconds 5
"""What the program says, read as a style guide would.

words    none of the words that the documents do without is in a message either, nor "did you mean" and
         "leave one of the two out"; so for the pages of the report and of gyre ui, and VS Code's extension
help     lines of help begin with a verb, have at most 70 characters and no full stop; no default is in
         words of its own
prefix   an error of the program's own begins with `gyre: error: `, a note with `gyre: note: `

Ends with `N passed, N failed`."""
import glob
import json
import os
import re
import subprocess
import sys

from test_wording import GYRE, ROOT, RULED_OUT

# Texts for other readers: Spin's own words, generated code, what only a developer of a front end sees.
LEFT_OUT = ("src/spin/", "src/cli/completion/", "src/model/", "src/exec/native/gen",
            "src/exec/device/", "src/exec/embedded/", "src/lang/dve/convert/", "src/lang/dve/dve_template.c")
NOT_IN_MESSAGES = {
    **RULED_OUT,
    r"did you mean": "a similar name exists: `…`",
    r"leave one of the two out|leave it out": "use only one of them; drop …",
    r"is no (?!longer)\w+": "is not a …",
    r"there is no (?:process|variable|label|type|option|command|property) `": "unknown …, undefined …",
    r"gave up|given up": "cancelled, ended",
    r"\w+n't": "cannot, do not",
    r"met an error|error (?:was |is )?met": "found",
    r"the machine": "the VM, this computer",
}
EXCEPTIONS = {"premises?", r"an(?:ew)|likewise|at hand|now and then|as a rule|all the same",
              r"(?:is|are|was|were|be) told|tells (?:of|about)|\btold\b(?! apart)"}  # by name: see the rows below
FINE = ("--worker-folder", "random walk", "walk of --search", "'1:folder", "goes round", "stands for",
        "#include", "run given up", "runs given up", "no process can move", "there is no clock")
VERBS = """accept allow also assume begin break check choose colour compare continue cut decide define describe disable divide do draw
edit end execute explore find fold follow format generate indent keep limit list listen look lose make measure move name pass plan prefer
print read refuse report require reset run save search seed serve set show simulate skip start step stop store take test
translate treat use verify write""".split()

counts = {True: 0, False: 0}


def check(name, good, detail=""):
    counts[bool(good)] += 1
    if not good:
        print(f"FAILED: {name}\n  {detail}")


TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[^\s"\'/]+|\s+|/', re.S)


def strings(text):
    """The string literals of a C file, those that follow each other as one."""
    text = re.sub(r"^#include.*$", "", text, flags=re.M)
    whole = None
    for token in TOKEN.findall(text):
        if token.startswith('"'):
            whole = (whole or "") + token[1:-1]
        elif not token.isspace() and whole is not None:
            yield whole
            whole = None
    if whole is not None:
        yield whole


SCRIPT_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\'(?:\\.|[^\'\\\n])*\'|>[^<>{}()=;]+<', re.S)


def script_messages():
    """Of pages for the browser and of the extension: strings and text between tags."""
    for pattern in ("src/report/page/*.js", "src/report/page/*.html", "src/serve/ui/page/*.js", "src/serve/ui/page/*.html",
                    "editors/vscode/src/*.ts", "editors/vscode/package.json"):
        for path in sorted(glob.glob(pattern, root_dir=ROOT)):
            if path.endswith("codemirror.js"):
                continue
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                found = [token[1:-1] for token in SCRIPT_TOKEN.findall(file.read()) if not token.startswith(("//", "/*"))]
            yield path, [re.sub(r"\$\{[^}]*\}", "…", s) for s in found if re.search(r"[a-z]{2,} |…", s)]


def messages():
    files = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    for path in files:
        if re.search(r"\.(c|h|def)$", path) and not path.startswith(LEFT_OUT):
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                yield path, [s for s in strings(file.read()) if re.search(r"[a-z]{2,} ", s)]


def words():
    seen = 0
    for path, found in [*messages(), *script_messages()]:
        wrong = []
        for message in found:
            seen += 1
            for pattern, better in NOT_IN_MESSAGES.items():
                hit = re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", message.replace("’", "'"), re.I)
                if hit and pattern not in EXCEPTIONS and not any(fine in message for fine in FINE):
                    wrong.append(f"`{hit[0]}` (better: {better}) in: {message[:200]}")
        check(f"{path}: words", not wrong, "\n  ".join(wrong))
    check("messages are read", seen > 2000, seen)


def help_lines():
    tables = json.loads(subprocess.run([GYRE, "--print-options"], capture_output=True, text=True, check=True).stdout)
    for entry in tables["options"] + tables["commands"]:
        name, line = entry.get("synopsis") or entry["name"], entry["help"]
        check(f"{name}: at most 70 characters", len(line) <= 70, line)
        check(f"{name}: begins with a verb", re.match(r"[a-z]+", line) and re.match(r"[a-z]+", line)[0] in VERBS, line)
        check(f"{name}: no full stop", not line.endswith("."), line)
        check(f"{name}: a default is named so", "default" in line or "without it" not in line and "otherwise" not in line, line)
    check("options are there", len(tables["options"]) > 90 and len(tables["commands"]) > 10, len(tables["options"]))


def prefix():
    for arguments in (["--nonsense"], ["missing.pml"], ["sim"], ["hunt", "missing.pml", "--strategy", "x"],
                      ["examples/peterson.pml", "--symmetry", "--exact"], ["ltl"], ["replay", "examples/peterson.pml", "none"]):
        done = subprocess.run([GYRE, *arguments], cwd=ROOT, capture_output=True, text=True)
        first = (done.stderr.splitlines() or [""])[0]
        check(f"gyre {' '.join(arguments)}: the prefix", done.returncode == 2 and
              re.match(r"gyre: error: |[^:]+:\d+:\d+: error: ", first) and "\n  hint" not in first, done.stderr)


if __name__ == "__main__":
    for part in (words, help_lines, prefix):
        part()
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(counts[False] > 0)
