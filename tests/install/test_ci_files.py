#!/usr/bin/env python3
# check: cli: files for GitHub and GitLab; seconds 3
"""The action for GitHub and the template for GitLab: they are what these services ask for, and their steps do
what docs/ci.md says, run here as the services run them. Ends with `N passed, N failed`."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))
counts = {True: 0, False: 0}


def check(name, good, detail=""):
    counts[bool(good)] += 1
    if not good:
        print(f"FAILED: {name}\n{str(detail)[:3000]}")


def load(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return yaml.safe_load(file)


def examples():
    """The YAML blocks of docs/ci.md."""
    with open(os.path.join(ROOT, "docs/ci.md"), encoding="utf-8") as file:
        return [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", file.read(), re.S)]


def workplace(folder):
    """A project with two models, and gyre on the path."""
    os.makedirs(os.path.join(folder, "bin"))
    os.symlink(GYRE, os.path.join(folder, "bin/gyre"))
    work = os.path.join(folder, "work")
    os.makedirs(os.path.join(work, "models"))
    for name in ("peterson.pml", "broken_mutex.pml"):
        with open(os.path.join(ROOT, "examples", name), encoding="utf-8") as source:
            with open(os.path.join(work, "models", name), "w", encoding="utf-8") as copy:
                copy.write(source.read())
    return work


def action_is_one(action):
    check("what an action has", {"name", "description", "inputs", "runs"} <= set(action), action)
    check("composite", action["runs"]["using"] == "composite")
    text = json.dumps(action)
    for kind, names in (("inputs", set(action["inputs"])), ("github", {"action_path"})):
        used = set(re.findall(r"\$\{\{ " + kind + r"\.([\w-]+) \}\}", text))
        check(f"{kind} that are used are there", used <= names, used - names)
        check(f"{kind} that are there are used", kind == "github" or used == names, names - used)
    for step in action["runs"]["steps"]:
        if "uses" in step:
            check("an action of others has a version", re.search(r"@v\d+$", step["uses"]), step)
            continue
        check("a step has a shell", step.get("shell") == "bash" and "run" in step, step)
        check("no expression inside a script", "${{" not in step["run"], step["run"])
    ids = {step.get("id") for step in action["runs"]["steps"]}
    for output in action["outputs"].values():
        check("an output comes from a step", re.search(r"steps\.(\w+)\.", output["value"])[1] in ids, output)
    for name, value in action["inputs"].items():
        check(f"input {name}", "description" in value and (value.get("required") or isinstance(value.get("default"), str)), value)
    uses = [step for step in examples()[0]["jobs"]["models"]["steps"] if "gyre" in step.get("uses", "")][0]
    check("the example has its inputs", set(uses["with"]) <= set(action["inputs"]), uses)


def value_of(text, given, outputs, source):
    """What the runner makes of the expressions in a text: of these kinds there are some here."""
    text = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: given[m[1]], text)
    text = re.sub(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}", lambda m: outputs[m[1]].get(m[2], ""), text)
    return text.replace("${{ github.action_path }}", source)


def is_wanted(step, outputs):
    if "if" not in step:
        return True
    condition = re.fullmatch(r"steps\.(\w+)\.outputs\.(\w+) == '(\w+)'", step["if"])
    return outputs[condition[1]].get(condition[2], "") == condition[3]


class Cache:
    """What actions/cache@v4 does with one path: brings back what was saved under the key, saves it after the job."""

    def __init__(self, folder):
        self.folder, self.hit, self.save = folder, None, None

    def restore(self, path, key):
        kept = os.path.join(self.folder, key)
        self.hit = os.path.exists(kept)
        if self.hit:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copy2(kept, path)
        else:
            self.save = lambda: shutil.copy2(path, kept)


def run_action(action, folder, source=ROOT, cache=None, gyre=True, **inputs):
    """The steps with these inputs: (the last process, outputs of the action)."""
    files = {name: os.path.join(folder, name) for name in ("GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    given = {name: inputs.get(name, value.get("default", "")) for name, value in action["inputs"].items()}
    outputs, paths, done = {}, [os.path.join(folder, "bin")] if gyre else [], None
    for path in files.values():
        open(path, "w").close()
    for step in action["runs"]["steps"]:
        if not is_wanted(step, outputs):
            continue
        if "uses" in step:
            cache.restore(*(value_of(step["with"][name], given, outputs, source) for name in ("path", "key")))
            continue
        environment = dict(os.environ, **files, GITHUB_ACTIONS="true", PATH=os.pathsep.join(paths + [os.environ["PATH"]]))
        for name, value in step.get("env", {}).items():
            environment[name] = value_of(value, given, outputs, source)
        open(files["GITHUB_OUTPUT"], "w").close()
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], env=environment,
                              cwd=os.path.join(folder, "work"), capture_output=True, text=True, timeout=600)
        with open(files["GITHUB_OUTPUT"], encoding="utf-8") as file:
            outputs[step.get("id")] = dict(line.strip().split("=", 1) for line in file)
        with open(files["GITHUB_PATH"], encoding="utf-8") as file:
            paths = file.read().split() + ([os.path.join(folder, "bin")] if gyre else [])
        if done.returncode:
            break
    if cache and cache.save and not done.returncode:
        cache.save()
    return done, outputs.get("verify", {})


def builds(action):
    """Without gyre on the machine: it is built once, and taken from the cache until its sources change."""
    with tempfile.TemporaryDirectory(prefix="gyre-ci-") as folder:
        workplace(folder)
        os.mkdir(os.path.join(folder, "kept"))

        def source(name, *parts):
            """A copy of the sources, and of these parts of what was built of them, with their times."""
            tree = os.path.join(folder, name)
            os.mkdir(tree)
            for part in ("Makefile", "make", "include", "src", *parts):
                there, copy = os.path.join(ROOT, part), os.path.join(tree, part)
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                if os.path.isdir(there):
                    shutil.copytree(there, copy)
                else:
                    shutil.copy2(there, copy)
            return tree

        # Its objects are there already, so that a build is short: linking alone.
        first, cache = source("first", "build/obj", "build/libgyre.a"), Cache(os.path.join(folder, "kept"))
        done, outputs = run_action(action, folder, first, cache, gyre=False, models="models/peterson.pml")
        check("a build where nothing is kept", done.returncode == 0 and outputs == {"status": "0"} and cache.hit is False and
              len(os.listdir(cache.folder)) == 1, (done, outputs, cache.hit))
        second, cache = source("second"), Cache(cache.folder)
        done, outputs = run_action(action, folder, second, cache, gyre=False, models="models/peterson.pml")
        check("the next job takes it, and compiles nothing", done.returncode == 0 and cache.hit and
              not os.path.exists(os.path.join(second, "build/obj")), (done, outputs, cache.hit))
        kept = os.path.join(cache.folder, os.listdir(cache.folder)[0])
        with open(os.path.join(second, "src/base/clock.h"), "a", encoding="utf-8") as file:
            file.write("// changed\n")
        cache = Cache(cache.folder)
        key = action_key(action, folder, second)
        cache.restore(os.path.join(second, "build/gyre"), key)
        check("other sources have another key", not cache.hit and key != os.path.basename(kept), key)
        with open(kept, "w", encoding="utf-8") as file:
            file.write("#!/nowhere/at/all\n")  # as a program whose libraries are gone: it cannot be started
        third, cache = source("third", "build/obj", "build/libgyre.a"), Cache(cache.folder)
        done, outputs = run_action(action, folder, third, cache, gyre=False, models="models/peterson.pml")
        check("what cannot be started is built anew", done.returncode == 0 and cache.hit, (done, outputs, cache.hit))


def action_key(action, folder, source):
    step = action["runs"]["steps"][0]
    output = os.path.join(folder, "key")
    open(output, "w").close()
    subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], check=True, timeout=300,
                   env=dict(os.environ, SOURCE=source, GITHUB_OUTPUT=output))
    with open(output, encoding="utf-8") as file:
        return dict(line.strip().split("=", 1) for line in file)["key"]


def github():
    action = load("action.yml")
    action_is_one(action)
    with tempfile.TemporaryDirectory(prefix="gyre-ci-") as folder:
        work = workplace(folder)
        done, outputs = run_action(action, folder, models="models/*.pml")
        check("violated: the step fails", done.returncode == 1 and outputs == {"status": "1"}, (done, outputs))
        check("the line is marked", "::error file=models/broken_mutex.pml,line=14" in done.stderr, done.stderr)
        found = sorted(os.path.basename(path) for path in glob.glob(work + "/gyre-reports/*"))
        check("reports", found == ["broken_mutex.html", "gyre.sarif", "junit.xml", "peterson.html"], found)
        with open(work + "/gyre-reports/gyre.sarif", encoding="utf-8") as file:
            ids = [run["automationDetails"]["id"] for run in json.load(file)["runs"]]
        check("a run for each model", ids == ["gyre/models/broken_mutex.pml/", "gyre/models/peterson.pml/"], ids)
        with open(folder + "/GITHUB_STEP_SUMMARY", encoding="utf-8") as file:
            text = file.read()
        check("a summary", "### models/broken\\_mutex.pml: violated" in text and "### models/peterson.pml: holds" in text, text)
        done, outputs = run_action(action, folder, models="models/peterson.pml")
        check("holds: the step passes", done.returncode == 0 and outputs == {"status": "0"}, (done, outputs))
        check("the page has its name", os.path.exists(work + "/gyre-reports/peterson.html"), os.listdir(work + "/gyre-reports"))
        done, outputs = run_action(action, folder, models="models", test="true", options="--time 60")
        check("as a test suite", done.returncode == 0 and outputs == {"status": "0"}, (done, outputs))
        suite = xml.etree.ElementTree.parse(work + "/gyre-reports/junit.xml")
        check("with its report", len(list(suite.iter("testcase"))) == 3, done.stdout)
        done, outputs = run_action(action, folder, models="nowhere.pml")
        check("no such model", outputs == {"status": "2"} and done.returncode == 2, (done, outputs))


def names_with_blanks(action, template):
    """Lines, patterns and words: what the steps make of them is what gyre is given."""
    with tempfile.TemporaryDirectory(prefix="gyre-ci-") as folder:
        work = workplace(folder)
        os.mkdir(work + "/my models")
        for name in ("one my model.pml", "my models/a b.pml"):
            shutil.copy(work + "/models/peterson.pml", os.path.join(work, name))
        for given, expected in (("one my model.pml", ["one my model.pml"]),
                                ("my models/*.pml\none my model.pml\n", ["my models/a b.pml", "one my model.pml"]),
                                ("models/peterson.pml models/broken*.pml", ["models/peterson.pml", "models/broken_mutex.pml"]),
                                ("models/p*.pml\nmy models/a b.pml", ["models/peterson.pml", "my models/a b.pml"])):
            done, _ = run_action(action, folder, models=given)
            with open(work + "/gyre-reports/gyre.sarif", encoding="utf-8") as file:
                ids = [run["automationDetails"]["id"] for run in json.load(file)["runs"]]
            check(f"GitHub: {given!r}", ids == [f"gyre/{name}/" for name in expected], (ids, done))
            variables = {**template[".gyre"]["variables"], "GYRE_MODELS": given}
            done = subprocess.run(["sh", "-ec", "\n".join(template[".gyre"]["before_script"] + template[".gyre"]["script"])], cwd=work,
                                  capture_output=True, text=True, timeout=300,
                                  env=dict(os.environ, PATH=f"{folder}/bin:" + os.environ["PATH"], **variables))
            suites = [suite.get("name") for suite in xml.etree.ElementTree.parse(work + "/gyre-reports/junit.xml").getroot()]
            check(f"GitLab: {given!r}", suites == expected, (suites, done))
        done, outputs = run_action(action, folder, models="models/peterson.pml", options="--ltl '[] (inside < 2)' --quiet")
        check("options with quotes", outputs == {"status": "0"}, (done, outputs))
        done, outputs = run_action(action, folder, models="models/peterson.pml", options="--ltl '[] (inside < 2)")
        check("a quote that is not closed ends the step", done.returncode != 0 and outputs == {} and "quote" in done.stderr, (done, outputs))
        done, outputs = run_action(action, folder, models="my models", test="true", options="")
        check("a directory of that kind, without options", done.returncode == 0 and "my models/a b.pml holds" in done.stdout and " 0 failed" in done.stdout, (done, outputs))


def gitlab():
    template = load("share/ci/gitlab.yml")
    check("jobs to extend", set(template) == {".gyre", ".gyre-test"}, set(template))
    keywords = {"stage", "image", "variables", "before_script", "script", "artifacts", "extends"}
    for name, job in template.items():
        check(f"{name}: keywords", set(job) <= keywords, set(job) - keywords)
        check(f"{name}: a script of lines", all(isinstance(line, str) for line in job["script"]), job["script"])
    for name, job in examples()[1].items():
        if name != "include":
            check(f"the example extends what is there: {name}", job["extends"] in template, job)
    check("the example includes this file", examples()[1]["include"][0]["file"] == "share/ci/gitlab.yml")
    for name, models, status in ((".gyre", "models/*.pml", 1), (".gyre", "models/peterson.pml", 0), (".gyre-test", "models", 0)):
        with tempfile.TemporaryDirectory(prefix="gyre-ci-") as folder:
            work = workplace(folder)
            variables = {**template[".gyre"]["variables"], **template[name]["variables"], "GYRE_MODELS": models}
            script = template[".gyre"]["before_script"] + template[name]["script"]
            done = subprocess.run(["sh", "-ec", "\n".join(script)], cwd=work, capture_output=True,
                                  text=True, timeout=300,
                                  env=dict(os.environ, PATH=f"{folder}/bin:" + os.environ["PATH"], **variables))
            check(f"{name} {models}: status", done.returncode == status, done)
            for kind in template[".gyre"]["artifacts"]["reports"].values():
                there = glob.glob(os.path.join(work, kind))
                check(f"{name} {models}: {kind}", there or name == ".gyre-test" and kind.endswith("json"), os.listdir(work))
            for path in glob.glob(os.path.join(work, "gyre-reports/quality.json")):
                with open(path, encoding="utf-8") as file:
                    problems = json.load(file)
                check("a list of problems", isinstance(problems, list) and
                      all({"description", "check_name", "fingerprint", "severity", "location"} <= set(p) for p in problems), problems)


def main():
    github()
    gitlab()
    names_with_blanks(load("action.yml"), load("share/ci/gitlab.yml"))
    builds(load("action.yml"))
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
