"""What the manual is made of: the pages under docs/ and next to it, parsed by cmark-gfm, and the tables of
commands and options, which the program prints itself."""
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = "cmark-gfm"
SPACE = "{http://commonmark.org/xml/1.0}"
# Pages that are not under docs/, by the names that they have in the manual.
OTHERS = {"README.md": "readme", "examples/README.md": "examples", "examples/python/README.md": "examples-python",
          "examples/embed/README.md": "examples-embed", "bench/results.md": "results", "bench/gpu.md": "results-gpu", "bench/swarm.md": "results-swarm",
          "ARCHITECTURE.md": "architecture", "CHANGELOG.md": "changelog"}


def need_tool():
    if not shutil.which(TOOL):
        sys.exit(f"manual: {TOOL} is not installed (Debian: apt-get install {TOOL})")


def cmark(text, form):
    done = subprocess.run([TOOL, "-e", "table", "--unsafe", "-t", form], input=text.encode(), capture_output=True)
    if done.returncode:
        sys.exit(f"manual: {TOOL}: {done.stderr.decode()}")
    return done.stdout.decode()


def tree(text):
    """The page as elements, without the name space."""
    root = ElementTree.fromstring(cmark(text, "xml").encode())
    for element in root.iter():
        element.tag = element.tag.removeprefix(SPACE)
    return root


def plain(element):
    """The text of an element without its form."""
    parts = []
    for each in element.iter():
        if each.tag in ("text", "code", "code_block", "html_inline"):
            parts.append(each.text or "")
        elif each.tag in ("softbreak", "linebreak"):
            parts.append(" ")
        elif each.tag in ("paragraph", "table_cell", "item", "table_row"):
            parts.append(" ")
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def pages():
    """Paths of all pages, from the table of contents: [(heading, [(path, title)])]."""
    parts = []
    for element in tree(read("docs/README.md")):
        if element.tag == "heading" and element.get("level") == "2":
            parts.append((plain(element), []))
        for link in element.iter("link"):
            path = os.path.normpath(os.path.join("docs", link.get("destination").partition("#")[0]))
            if parts and path.endswith(".md") and path not in [p for p, _ in parts[-1][1]]:
                parts[-1][1].append((path, plain(tree(read(path)).find("heading"))))
    return parts


def name_of(path):
    """What a page is called in the manual."""
    if path in OTHERS:
        return OTHERS[path]
    return "index" if path == "docs/README.md" else path.removeprefix("docs/").removesuffix(".md").replace("/", "-")


def tables(gyre):
    done = subprocess.run([gyre, "--print-options"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"manual: {gyre} does not print its options: {done.stderr}")
    return json.loads(done.stdout)


def page_of(command):
    """The page of a command; that of `gyre MODEL` is verify."""
    return f"docs/{command or 'verify'}.md"


def parts_of(command):
    """The pages that a command's page is divided into: docs/COMMAND/*.md, in the order in which it links to them."""
    page = page_of(command)
    folder = page.removesuffix(".md") + "/"
    links = [os.path.join("docs", link.get("destination").partition("#")[0]) for link in tree(read(page)).iter("link")]
    return list(dict.fromkeys(path for path in links if path.startswith(folder) and path.endswith(".md")))


def sections(root):
    """[(heading element or None, [elements])] at headings of the second level."""
    found = [(None, [])]
    for element in root:
        if element.tag == "heading" and element.get("level") == "1":
            continue
        if element.tag == "heading" and element.get("level") == "2":
            found.append((element, []))
        else:
            found[-1][1].append(element)
    return found


def environment(command):
    """Rows (variable, meaning) of docs/gyre.md that concern a command; None: all."""
    for heading, elements in sections(tree(read("docs/gyre.md"))):
        if heading is None or plain(heading) != "Environment":
            continue
        rows = [list(row) for table in elements for row in table.iter("table_row")]
        return [(row[0], row[2]) for row in rows
                if command is None or (command or "verify") in plain(row[1]).split(", ")]
    return []
