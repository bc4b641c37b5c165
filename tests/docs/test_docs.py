#!/usr/bin/env python3
# check: docs: documentation; seconds 5
"""Runs the examples of the documentation.

In README.md, docs/, examples/ and bench/*.md: a line `$ COMMAND` is run, and the indented lines
under it must be its output, line by line, from the first to the last. A line `…` stands for one or more
lines that are left out, `…` inside a line for a part of it. An indented line that begins with `gyre`, or pipes
into it, and has no placeholder in capitals is run too (model.pml stands for an example); it must not end with
an error, nor be inconclusive, unless that is shown. What is shown of a GPU that is not there is left out where
one is, and a call of Spin where there is none. A block that begins with `>>>` is Python, which
tests/library/test_python.py runs: all pages with such blocks are among its. An indented block that begins with a comment and a
file name in it, `/* name.pml`, is a model that the commands of the page can name. A picture that a
page shows, and that a command on it writes, is what that command writes. A block marked `promela` is
a part of one of the examples. A block below `<!-- printed -->` shows what a command prints that takes too
long, or goes another way each time: any two words of it that follow each other do so in a string of the
sources. Ends with `N passed, N failed`.
"""
import errno
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))


def run(command, folder):
    """(exit status, output) of a shell command with gyre on the path."""
    path = folder + os.pathsep + os.environ["PATH"]
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=dict(os.environ, PATH=path),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=300)
    return done.returncode, done.stdout.decode(errors="replace")


def shown(lines, start):
    """The output that is shown below a command: up to the next command, or line that is not indented."""
    wanted = []
    for number in range(start, len(lines)):
        line = lines[number]
        after_gap = number > start and not lines[number - 1].strip()
        if line.strip() and not line.startswith("    ") or line.startswith("    $"):
            break
        if after_gap and line.startswith(("    gyre ", "    printf ", "    /* ")):
            break
        wanted.append(line[4:].rstrip())
    while wanted and not wanted[-1]:
        wanted.pop()
    return wanted


def as_pattern(wanted):
    """A pattern for output in which `…` marks what is left out."""
    parts = [r"(?:.*\n)+?" if line.strip() == "…" else ".*?".join(map(re.escape, line.split("…"))) + r"\n"
             for line in wanted]
    return "".join(parts)


def first_difference(wanted, printed):
    """The first line that is shown and not printed where it should be."""
    for count in range(1, len(wanted) + 1):
        if not re.match(as_pattern(wanted[:count]), printed):
            return f"`{wanted[count - 1]}` is not what comes there; the output:\n{printed[:3000]}"
    return f"there is more than what is shown (mark it with a line `…`); the output:\n{printed[:3000]}"


def models(lines, page):
    """The models in a page, text by name; each ends before a command or what is not indented."""
    found, name = {}, None
    for line in lines:
        begin = re.match(r"    /\* (\w+\.pml)\b", line)
        if begin:
            name = begin[1]
            if name in found:
                raise SystemExit(f"{page}: two models are called {name}")
            found[name] = ""
        elif line.startswith("    $") or line and not line.startswith("    "):
            name = None
        if name:
            found[name] += line[4:] + "\n"
    return found


def runs_here(command):
    """Not what is said of a computer without a GPU where there is one, nor Spin where it is not installed."""
    if command.startswith("GYRE_DEVICE=cuda"):
        return not os.path.exists("/dev/nvidiactl")
    return not re.search(r"\bspin -", command) or "gyre spin" in command or bool(shutil.which("spin"))


def check_python(page, lines):
    """Blocks of Python are run by the test of the module, if it knows the page."""
    with open(os.path.join(ROOT, "tests/library/test_python.py"), encoding="utf-8") as test:
        if any(line.startswith("    >>> ") for line in lines) and os.path.relpath(page, ROOT) not in test.read():
            yield "tests/library/test_python.py does not run the Python in it"


def cases(lines):
    for number, line in enumerate(lines):
        command = line.strip()
        if line.startswith("    $ "):
            if runs_here(command[2:]):
                yield number + 1, command[2:], shown(lines, number + 1)
        elif line.startswith("    gyre ") or line.startswith("    printf ") and "| gyre " in line:
            command = re.split(r"\s{2,}", command)[0]
            if not re.search(r"\b[A-Z]{2,}\b(?!=)|\b[FG]\b", command.replace("-D N=", "")):
                yield number + 1, command, []


def check(command, wanted, folder):
    status, output = run(command, folder)
    if status == 2 and any(line.startswith("gyre: error") for line in wanted):
        pass
    elif status not in (0, 1) and not (status == 3 and any("inconclusive" in line for line in wanted)):
        return f"exit status {status}: {output[-500:]}"
    printed = "".join(line.rstrip() + "\n" for line in output.splitlines())
    if wanted and not re.fullmatch(as_pattern(wanted), printed):
        return first_difference(wanted, printed)
    return None


def check_excerpts(lines, examples):
    """Problems of the blocks that say that they are Promela of an example."""
    for block in re.findall(r"^```promela\n(.*?)^```", "\n".join(lines) + "\n", re.M | re.S):
        if not any(block in text for text in examples):
            yield f"this is in no example:\n{block}"


def check_picture(command, lines, folder):
    """What the command has written to a file that the page shows."""
    for name in re.findall(r"\(pictures/(\w+\.svg)\)", "\n".join(lines)):
        if name not in command.split():
            continue
        with open(os.path.join(ROOT, "docs/pictures", name)) as shown, open(os.path.join(folder, name)) as made:
            old, new = shown.read(), made.read()
        if "|" in command:  # another program has drawn it: what is written there
            old, new = (sorted(re.findall(r">([^<>]+)</text>", text)) for text in (old, new))
        if old != new or not new:
            return f"docs/pictures/{name} is another picture"
    return None


def word_pairs(text):
    """Words that follow each other, without a figure, a name, or the next column of a table between them."""
    for part in re.split(r"[0-9`:();,.…%/]|\n|  ", text):
        words = re.findall(r"[A-Za-z'-]+", part)
        yield from zip(words, words[1:])


def check_printed(lines, printed_pairs):
    """Problems of the blocks that are marked as printed."""
    units = {"MB", "GB", "kB", "s", "ms"}
    for block in re.findall(r"^<!-- printed -->\n\n((?:    .*\n)+)", "\n".join(lines) + "\n", re.M):
        block = block.replace(os.strerror(errno.ENOSPC), ":")
        strange = [" ".join(pair) for pair in word_pairs(block) if pair not in printed_pairs and not set(pair) & units]
        if strange:
            yield f"nothing in the sources says {strange}, in:\n{block}"


def pairs_of_sources():
    pairs = set()
    for path in glob.glob(os.path.join(ROOT, "src/**/*.[ch]"), recursive=True):
        with open(path, encoding="utf-8") as file:
            for literal in re.findall(r'((?:"(?:[^"\\\n]|\\.)*"\s*)+)', file.read()):
                pairs |= set(word_pairs("".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', literal))))
    # put together from "propert%s open" and "y still", "ies still"
    return pairs | {("property", "still"), ("properties", "still"), ("still", "open")}


def main():
    printed_pairs = pairs_of_sources()
    passed = failed = 0
    pages = [os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(ROOT, "docs/**/*.md"), recursive=True)),
             *sorted(glob.glob(os.path.join(ROOT, "examples/**/*.md"), recursive=True)), *sorted(glob.glob(os.path.join(ROOT, "bench/*.md")))]
    examples = [open(path, encoding="utf-8").read() for path in glob.glob(os.path.join(ROOT, "examples/**/*.pml"), recursive=True)]
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(GYRE, os.path.join(folder, "gyre"))
        os.symlink(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
        os.symlink(os.path.join(ROOT, "examples/broken_mutex.pml"), os.path.join(folder, "model.pml"))
        for page in pages:
            with open(page, encoding="utf-8") as text:
                lines = text.read().splitlines()
            for name, model in models(lines, page).items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(model)
            for problem in [*check_excerpts(lines, examples), *check_printed(lines, printed_pairs),
                            *check_python(page, lines)]:
                failed += 1
                print(f"{os.path.relpath(page, ROOT)}: {problem}")
            for number, command, wanted in cases(lines):
                problem = check(command, wanted, folder) or check_picture(command, lines, folder)
                if problem is None:
                    passed += 1
                else:
                    failed += 1
                    print(f"{os.path.relpath(page, ROOT)}:{number}: {command}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
