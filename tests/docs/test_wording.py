#!/usr/bin/env python3
# check: docs: wording of the documentation; seconds 2
"""The documents speak the field's language, and of what there is.

words      none of the words that CONTRIBUTING.md's style note rules out, in prose outside of code, in comments
           of the public headers and the examples, and in the Python module's documentation
terms      every term of the glossary is in a row of its own, with a meaning and all columns
options    an option that a page gives to gyre is one of the program; every option is on a page
variables  the environment variables that the sources read are those of docs/gyre.md
files      a source file that a page about the inside names is there

Ends with `N passed, N failed`."""
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))

# What is not written any more, and what is meant.
RULED_OUT = {
    r"again and again": "infinitely often",
    r"off for ever": "ignored (the ignoring problem)",
    r"blind to": "stutter-invariant",
    r"how often a state is repeated": "stutter-sensitive",
    r"(?:could|can|cannot) move|may rest|never moves": "enabled, blocked, in a valid end state",
    r"premises?": "antecedent",
    r"way (?:to|into) (?:it|an error|the error|there)|a way there": "path",
    r"(?:is|are|was|were|be) told|tells (?:of|about)|\btold\b(?! apart)": "reported, printed, explained",
    r"walk(?:s|ed|ing)? (?:through|along)": "step through, replay",
    r"graphics processors?|all processors|the processors": "GPU, CPU, cores",
    r"snapshots?": "checkpoint",
    r"folders?": "directory",
    r"blanks?": "space",
    r"table of names|a name of a state|names wait": "root table, state reference",
    r"beside": "in parallel with, in addition to, compared with, next to",
    r"in front of": "before",
    r"stands|stood": "is, appears",
    r"somebody|nobody|everybody|whoever": "no process, another thread, a user",
    r"an(?:ew)|likewise|at hand|now and then|as a rule|all the same": "again, also, current, sometimes, usually",
    r"lays? out|laid out": "format",
    r"mend(?:s|ed)?|dearest": "fix; most expensive",
    r"waists?|the desk|the rooms": "interfaces, IDE services, modules",
    r"can't|don't|doesn't|isn't|won't": "cannot, do not",
    r"run again from": "replayed",
    r"made short(?:er)?": "shortened",
    r"facts of a state space": "statistics",
}
# Where such a word is right: in a page, the text around it.
EXCEPTIONS = {
    "CONTRIBUTING.md": ["Style"],  # it quotes them
}
OTHER_TOOLS = {  # options of other programs, on the pages that name them
    "docs/editors.md": {"--install-extension"}, "docs/embedding.md": {"--cflags", "--libs", "--static"},
    "docs/mpi.md": {"--map-by", "--size"}, "docs/swarm.md": {"--requeue"}, "docs/ci.md": {"--rm"},
    "docs/performance.md": {"--defaults", "--examples", "--beem", "--features", "--cold"},
    "docs/glossary.md": {"--invariant", "--por", "--proviso", "--state", "--trace"},
}
HIDDEN = {"--print-options"}  # for share/manual and completion
OWN = {"-D", "-I", "-o", "--never", "--stdio"}  # short ones; a default; what editors pass
BUILD = {"GYRE_HOSTILE"}  # read by a test of the sources only
SYSTEM = {"HOME", "PATH", "TERM", "DISPLAY", "XDG_CACHE_HOME", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"}  # of the system and launchers

counts = {True: 0, False: 0}


def check(name, good, detail=""):
    counts[bool(good)] += 1
    if not good:
        print(f"FAILED: {name}: {detail}")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def pages():
    found = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    for pattern in ("docs/**/*.md", "examples/**/*.md", "bench/*.md"):
        found += sorted(glob.glob(pattern, root_dir=ROOT, recursive=True))
    return found


def prose(text):
    """The page without code blocks, code and targets of links, one paragraph or row to a line."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    text = "\n".join(line for line in text.split("\n") if not line.startswith("    "))
    text = re.sub(r"`[^`]*`", "CODE", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"\n(?!\s*\n|\||[-*] |\d+\. |#)", " ", text)
    return text.split("\n")


def words(page, text):
    excepted = EXCEPTIONS.get(page, [])
    wrong = []
    heading = ""
    for line in prose(text):
        heading = line.lstrip("# ") if line.startswith("#") else heading
        for pattern, better in RULED_OUT.items():
            for hit in re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", line, re.I):
                around = line[max(0, hit.start() - 40):hit.end() + 40]
                if not any(each == heading or each in line for each in excepted):
                    wrong.append(f"`{hit[0]}` (better: {better}) in: …{around}…")
    check(f"{page}: words", not wrong, "\n  ".join(wrong))


def comments():
    """(file, its comments as a page) of what users read in sources."""
    kinds = {"include/gyre/*.h": r"//([^\n]*)", "examples/**/*.pml": r"/\*(.*?)\*/", "examples/**/*.c": r"//([^\n]*)",
             "python/gyre/*.py": r'"""(.*?)"""'}
    for pattern, form in kinds.items():
        for path in sorted(glob.glob(pattern, root_dir=ROOT, recursive=True)):
            found = re.findall(form, read(path), re.S)
            yield path, re.sub(r"\s+[*#]?\s*", " ", " ".join(found))


def terms():
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in read("docs/glossary.md").splitlines() if line.startswith("| **")]
    check("glossary: forty terms", len(rows) >= 40, len(rows))
    for row in rows:
        check(f"glossary: {row[0]}", len(row) == 5 and all(row), row)
    for page in ("README.md", "docs/tutorial.md", "docs/verify.md"):
        check(f"{page}: leads to the glossary", "glossary.md" in read(page))


def options(texts):
    table = json.loads(subprocess.run([GYRE, "--print-options"], capture_output=True, text=True, check=True).stdout)
    known = {option["name"] for option in table["options"]}
    used = set()
    for page, text in texts.items():
        if not page.startswith(("README", "docs/", "examples/")):
            continue
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text))
        strange = named - known - HIDDEN - OTHER_TOOLS.get(page, set())
        check(f"{page}: options", not strange, f"not options of gyre: {sorted(strange)}")
        used |= named
    missing = known - used - OWN
    check("every option is on a page", not missing, sorted(missing))


def variables():
    read_here = set()
    for pattern in ("src/**/*.[ch]", "python/**/*.py"):
        for path in glob.glob(pattern, root_dir=ROOT, recursive=True):
            read_here |= set(re.findall(r'(?:getenv\(|environ(?:\.get\(|\[))"(\w+)"', read(path)))
    page = read("docs/gyre.md").partition("## Environment")[2].partition("\n## ")[0]
    listed = {name for row in page.splitlines() if row.startswith("| `") for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    check("variables", read_here - BUILD - SYSTEM <= listed, f"docs/gyre.md lacks {sorted(read_here - BUILD - SYSTEM - listed)}")
    unread = {name for name in listed - read_here - {"GYRE"} if not any(
        name in read(path) for path in glob.glob("src/**/*.[ch]", root_dir=ROOT, recursive=True))}
    check("listed variables are read", not unread, sorted(unread))


def files(texts):
    """`store/plain_table.h` is the end of some path; a page may name only what exists."""
    there = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split() or [
        os.path.relpath(os.path.join(at, name), ROOT) for at, _, names in os.walk(ROOT) for name in names]
    for page, text in texts.items():
        if not (page.startswith(("docs/internals/", "bench/")) or page in ("ARCHITECTURE.md", "CONTRIBUTING.md")):
            continue
        named = set(re.findall(r"`([\w/-]+(?:/|\.)[\w/-]*\.?(?:c|h|def|py))`", text))
        gone = [name for name in named if re.search(r"\.(?:c|h|def|py)$", name)
                and not any(("/" + path).endswith("/" + name) for path in there)]
        check(f"{page}: files", not gone, sorted(gone))


def main():
    texts = {page: read(page) for page in pages()}
    for page, text in texts.items():
        words(page, text)
    for path, text in comments():
        words(path, text)
    terms()
    options(texts)
    variables()
    files(texts)
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
