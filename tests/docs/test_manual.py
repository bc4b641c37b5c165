#!/usr/bin/env python3
# check: docs: the manual for browsers and man; seconds 10
"""The manual in its other forms.

man      a page for the program and for each command, with all sections; mandoc has nothing to say against them
links    in the pages for a browser, every link, anchor and picture is there, and none of the network
browser  search finds, keys work, nothing is wider than a phone, light and dark differ

Ends with `N passed, N failed`."""
import html
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
sys.path.insert(0, os.path.join(ROOT, "share/manual"))
sys.dont_write_bytecode = True

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from browser import Browser  # noqa: E402
import roff  # noqa: E402
import sources  # noqa: E402
import web  # noqa: E402

counts = {True: 0, False: 0}


def check(name, good, detail=""):
    counts[bool(good)] += 1
    if not good:
        print(f"FAILED: {name}\n{str(detail)[:3000]}")


def man_pages(folder):
    tables = sources.tables(GYRE)
    made = roff.write(GYRE, folder)
    names = ["gyre"] + ["gyre-" + (command["name"] or "verify") for command in tables["commands"]]
    check("a page for each command", made == names, f"{made}, not {names} (docs/NAME.md is missing?)")
    for name in made:
        path = os.path.join(folder, name + ".1")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        wanted = ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "EXIT STATUS", "SEE ALSO"]
        wanted += [] if name == "gyre-spin" else ["OPTIONS", "ENVIRONMENT"]
        found = re.findall(r"^\.SH (.*)$", text, re.M)
        check(f"{name}.1: its sections", set(wanted) <= set(found), f"{wanted}, but there are {found}")
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True, text=True).stdout
        lint = [line for line in lint.splitlines() if "missing date" not in line]
        check(f"{name}.1: mandoc", not lint, "\n".join(lint))
        shown = subprocess.run(["mandoc", "-T", "utf8", path], capture_output=True, text=True).stdout
        shown = re.sub(".\b", "", shown)
        own = [option["name"] for option in tables["options"] if name == "gyre" or name.removeprefix("gyre-") in
               [each or "verify" for each in option["commands"]]]
        check(f"{name}.1: all its options", all(option in shown for option in own), own)


def links(folder):
    pages = web.write(GYRE, folder)
    check("pages", len(pages) > 30, pages)
    whole_tables(pages)
    listed = {os.path.relpath(os.path.join(at, name), ROOT) for at, _, names in os.walk(os.path.join(ROOT, "docs"))
              for name in names if name.endswith(".md")}
    check("every page is in the table of contents", listed <= set(pages), listed - set(pages))
    text = {name: open(os.path.join(folder, name), encoding="utf-8").read()
            for name in os.listdir(folder) if name.endswith(".html")}
    anchors = {name: set(re.findall(r' id="([^"]+)"', page)) for name, page in text.items()}
    for name, page in sorted(text.items()):
        wrong = []
        for link in re.findall(r'(?:href|src)="([^"]+)"', page):
            file, _, anchor = html.unescape(link).partition("#")
            if re.match(r"https?:", file):
                continue
            file = file or name
            if not os.path.exists(os.path.join(folder, file)) or anchor and anchor not in anchors.get(file, ()):
                wrong.append(link)
        check(f"{name}: links", not wrong, wrong)
        taken = re.findall(r'<(?:script|link|img|iframe)[^>]*"(?:\w+:)?//[^>]*>', page)
        check(f"{name}: nothing is taken from the network", not taken, taken)


def whole_tables(pages):
    """A `|` inside of a cell needs a backslash: rows have as many cells as their heads."""
    for path in pages:
        wrong, cells = [], None
        for line in sources.read(path).splitlines():
            count = len(re.split(r"(?<!\\)\|", line)) if line.startswith("|") else None
            if cells and count and count != cells:
                wrong.append(line)
            cells = count and (cells or count)
        check(f"{path}: tables", not wrong, wrong)


def in_browser(folder):
    with Browser(1200, 900) as browser:
        def media(scheme, width):
            for command, what in (("Emulation.setEmulatedMedia",
                                   {"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
                                  ("Emulation.setDeviceMetricsOverride",
                                   {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600})):
                browser._do("POST", "/goog/cdp/execute", {"cmd": command, "params": what})

        grounds = {}
        for scheme in ("light", "dark"):
            media(scheme, 390)
            for page in ("index", "tutorial", "verify", "json", "glossary", "internals-beem", "stats"):
                browser.open(os.path.join(folder, page + ".html"))
                wide = browser.run("return document.documentElement.scrollWidth")
                check(f"{page}, {scheme}: fits a phone", wide <= 390, wide)
                cut = browser.run("return [...document.querySelectorAll('table')].filter("
                                  "table => table.querySelectorAll('th').length < 6).flatMap("
                                  "table => [...table.querySelectorAll('td')]).filter("
                                  "cell => cell.getBoundingClientRect().right > innerWidth).length")
                check(f"{page}, {scheme}: no table is cut", cut == 0, cut)
            grounds[scheme] = browser.run("return getComputedStyle(document.body).backgroundColor")
        check("light and dark", grounds["light"] != grounds["dark"], grounds)
        browser.click("#menu")
        check("contents on a phone", browser.run("return document.getElementById('contents').offsetHeight > 0"))
        media("light", 1200)
        browser.open(os.path.join(folder, "index.html"))
        browser.key("/")
        for letter in "bitstate":
            browser.key(letter)
        hits = browser.run("return [...document.querySelectorAll('#found a')].map(a => a.getAttribute('href'))")
        check("search finds", any(hit.startswith("verify.html") for hit in hits), hits)
        browser.key("\ue007")  # Enter
        here = browser.run("return location.pathname + location.hash")
        check("Enter goes there", here.endswith(hits[0]), (here, hits[:1]))
        browser.run("const f = document.getElementById('search'); f.value = 'xyzzy'; f.dispatchEvent(new Event('input'))")
        check("and finds nothing where there is nothing", "Nothing" in browser.text("#found"))
        # The pages that explain an option, as docs/README.md lists them.
        for option, pages in (("--fairness", "verify-liveness"), ("--shortest", "verify-liveness"), ("--symmetry", "verify-reductions"),
                              ("--threads", "verify-search"), ("--trail", "verify-report trails"), ("--disk", "disk"), ("--mpi", "mpi"),
                              ("--junit", "reports ci"), ("--sarif", "reports ci"), ("--expect", "reports ci test"), ("--strategy", "hunt")):
            browser.run(f"const f = document.getElementById('search'); f.value = '{option}'; f.dispatchEvent(new Event('input'))")
            first = browser.run("return document.querySelector('#found a').getAttribute('href')")
            check(f"the page for {option} is found first", first.split(".")[0] in pages.split(), first)
        browser.open(os.path.join(folder, "promela.html"))
        words = browser.run("return [...document.querySelectorAll('pre .keyword, pre .type')].map(w => w.textContent)")
        check("Promela is coloured", {"active", "proctype", "do", "od", "byte", "chan", "mtype"} <= set(words) and "count" not in words, set(words))
        plain = browser.run("return [...document.querySelectorAll('pre')].map(p => p.textContent).join('\\n')")
        check("the text is what it was", "    :: count < 3 -> count++\n    :: count == 3 -> break\n" in plain and "<span" not in plain)
        colours = browser.run("return ['keyword', 'type', 'comment', 'number'].map(c => getComputedStyle(document.querySelector('pre .' + c)).color)")
        check("by what they are", len(set(colours)) == 4, colours)
        browser.open(os.path.join(folder, "swarm.html"))
        check("commands are not Promela", browser.run("return document.querySelectorAll('pre .keyword').length") == 0)
        browser.open(os.path.join(folder, "sim.html"))
        sizes = browser.run("return [...document.images].map(i => i.naturalWidth)")
        check("pictures", sizes and all(sizes), sizes)


def main():
    for part in (man_pages, links):
        with tempfile.TemporaryDirectory(prefix="gyre-manual-") as folder:
            part(folder)
            if part is links:
                in_browser(folder)
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
