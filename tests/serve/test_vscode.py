#!/usr/bin/env python3
# check: editors: the extension for VS Code; seconds 8
"""The extension for VS Code: its types, its own tests (with real clients of the language server and the debug
adapter), the package that `make vsix` makes, and the trace view in a browser. Needs node and the packages that
`make deps` fetches; without them it says so."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from browser import Browser  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "editors", "vscode")
GYRE = os.path.join(ROOT, "build", "gyre")
counts = {True: 0, False: 0}


def check(name, good, detail=""):
    counts[bool(good)] += 1
    if not good:
        print(f"FAILED: {name}\n{str(detail)[:3000]}")


def run(*command, cwd=HERE):
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False,
                          stdin=subprocess.DEVNULL, text=True, env=dict(os.environ, NO_COLOR="1"))


def what_is_missing():
    if not shutil.which("node"):
        return "node is not installed"
    if not os.path.exists(os.path.join(HERE, "node_modules", "esbuild")):
        return "the packages in editors/vscode/node_modules are not there (make deps fetches them with npm)"
    return None


def own_tests():
    result = run("node", "node_modules/typescript/bin/tsc", "--noEmit")
    check("types", result.returncode == 0, result.stdout)
    result = run("node", "build.mjs", "--tests")
    check("bundled", result.returncode == 0, result.stdout)
    result = run("node", "--test", "out/test")
    for state, name, more in re.findall(r"^(ok|not ok) \d+ - (.*?)( # SKIP.*)?$", result.stdout, re.M):
        if more:
            print(f"skipped: {name}: {more[8:].strip()}")
        elif state == "ok":
            check(name, True)
    passed = re.search(r"^# pass (\d+)$", result.stdout, re.M)
    failed = result.stdout[result.stdout.find("\nnot ok"):]
    check("its own tests", result.returncode == 0 and passed and int(passed[1]) > 20, failed)


def package():
    """What VS Code wants to find in it; made twice, it is the same."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "gyre.vsix")
        check("packed", run(sys.executable, "pack.py", path).returncode == 0)
        first = open(path, "rb").read()
        run(sys.executable, "pack.py", path)
        check("packing is repeatable", open(path, "rb").read() == first)
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
            ElementTree.fromstring(archive.read("[Content_Types].xml"))
            about = json.loads(archive.read("extension/package.json"))
        space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
        identity = manifest.find(".//v:Identity", space)
        check("identity", identity is not None and identity.get("Id") == about["name"] and
              identity.get("Version") == about["version"])
        assets = {asset.get("Path") for asset in manifest.findall(".//v:Asset", space)}
        check("all assets are there", assets and assets <= names, assets - names)
        offered = about["contributes"]
        used = [about["main"], offered["languages"][0]["configuration"], offered["grammars"][0]["path"],
                offered["snippets"][0]["path"]]
        for name in used:
            check(f"{name} is packed", os.path.normpath("extension/" + name) in names, names)
        check("nothing else is packed", len(names) == 9, names)


def trace_view():
    """The page in a browser, with a stand-in for the editor that keeps what it is told."""
    if not shutil.which("chromedriver"):
        print("skipped: the trace view in a browser: chromedriver is not installed")
        return
    script = """
      const { tracePage } = require(process.argv[1]);
      const page = tracePage(require("fs").readFileSync(process.argv[2], "utf8"), "abc");
      const editor = '<script nonce="abc">window.told = []; window.kept = undefined; function acquireVsCodeApi() { return {' +
        ' postMessage: m => told.push(m), setState: s => { window.kept = s; }, getState: () => ({ at: 2 }) }; }</scr' + 'ipt>';
      require("fs").writeFileSync(process.argv[3], page.replace("<title>", editor + "<title>"));
    """
    with tempfile.TemporaryDirectory() as folder:
        report, page = os.path.join(folder, "report.html"), os.path.join(folder, "page.html")
        subprocess.run([GYRE, "examples/broken_mutex.pml", "--html", report], cwd=ROOT, stdout=subprocess.DEVNULL, timeout=300,
                       check=False)
        result = run("node", "-e", script, os.path.join(HERE, "out", "page.js"), report, page)
        check("a page is made", result.returncode == 0, result.stdout)
        with Browser() as browser:
            browser.open(page)
            check("it goes on where it was", browser.text(".where") == "step 2 of 7", browser.text(".where"))
            check("nothing is told before something is done", browser.run("return told.length") == 0)
            browser.key("\ue014")  # right
            told = browser.run("return told")
            check("a step is told with its place", len(told) == 1 and told[0] == {
                "type": "step", "step": 3, "total": 7, "file": "examples/broken_mutex.pml", "line": 12}, told)
            browser.click("#trace-first")
            told = browser.run("return told")
            check("the start has no place", told[-1]["step"] == 0 and not told[-1].get("line"), told)
            check("where it is, is kept", browser.run("return window.kept.at") == 0)
            check("other scripts are not run", browser.run(
                "const s = document.createElement('script'); s.textContent = 'window.foreign = 1';"
                "document.body.append(s); return window.foreign === undefined"))


missing = what_is_missing()
if missing:
    print(f"skipped: {missing}\n0 passed, 0 failed")
    sys.exit(0)
own_tests()
package()
trace_view()
print(f"{counts[True]} passed, {counts[False]} failed")
sys.exit(counts[False] > 0)
