#!/usr/bin/env python3
"""The action for GitHub and the template for GitLab: they are what these services ask for, and their steps do
what docs/ci.md says, run here as the services run them. Ends with `N passed, N failed`."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
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
        check("a step has a shell", step.get("shell") == "bash" and "run" in step, step)
        check("no expression inside a script", "${{" not in step["run"], step["run"])
    ids = {step.get("id") for step in action["runs"]["steps"]}
    for output in action["outputs"].values():
        check("an output comes from a step", re.search(r"steps\.(\w+)\.", output["value"])[1] in ids, output)
    for name, value in action["inputs"].items():
        check(f"input {name}", "description" in value and (value.get("required") or isinstance(value.get("default"), str)), value)
    uses = [step for step in examples()[0]["jobs"]["models"]["steps"] if "gyre" in step.get("uses", "")][0]
    check("the example has its inputs", set(uses["with"]) <= set(action["inputs"]), uses)


def run_action(action, folder, **inputs):
    """The steps with these inputs: (exit status, outputs)."""
    files = {name: os.path.join(folder, name) for name in ("GITHUB_PATH", "GITHUB_OUTPUT")}
    for path in files.values():
        open(path, "w").close()
    given = {name: inputs.get(name, value.get("default", "")) for name, value in action["inputs"].items()}
    for step in action["runs"]["steps"]:
        environment = dict(os.environ, **files, GITHUB_ACTIONS="true", PATH=f"{folder}/bin:" + os.environ["PATH"])
        for name, value in step.get("env", {}).items():
            value = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: given[m[1]], value)
            environment[name] = value.replace("${{ github.action_path }}", ROOT)
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], env=environment,
                              cwd=os.path.join(folder, "work"), capture_output=True, text=True, timeout=300)
        if done.returncode:
            break
    with open(files["GITHUB_OUTPUT"], encoding="utf-8") as file:
        return done, dict(line.strip().split("=", 1) for line in file)


def github():
    action = load("action.yml")
    action_is_one(action)
    with tempfile.TemporaryDirectory(prefix="gyre-ci-") as folder:
        work = workplace(folder)
        done, outputs = run_action(action, folder, models="models/*.pml")
        check("violated: the step fails", done.returncode == 1 and outputs == {"status": "1"}, (done, outputs))
        check("the line is marked", "::error file=models/broken_mutex.pml,line=14" in done.stderr, done.stderr)
        found = sorted(os.path.basename(path) for path in glob.glob(work + "/gyre-reports/*"))
        check("reports of each model", found == [f"{m}.{kind}" for m in ("broken_mutex", "peterson")
                                                 for kind in ("html", "sarif", "xml")], found)
        done, outputs = run_action(action, folder, models="models/peterson.pml")
        check("holds: the step passes", done.returncode == 0 and outputs == {"status": "0"}, (done, outputs))
        done, outputs = run_action(action, folder, models="models", test="true", options="--time 60")
        check("as a test suite", done.returncode == 0 and outputs == {"status": "0"}, (done, outputs))
        suite = xml.etree.ElementTree.parse(work + "/gyre-reports/junit.xml")
        check("with its report", len(list(suite.iter("testcase"))) == 3, done.stdout)
        done, outputs = run_action(action, folder, models="nowhere.pml")
        check("no such model", outputs == {"status": "2"} and done.returncode == 2, (done, outputs))


def gitlab():
    template = load("share/ci/gitlab.yml")
    check("jobs to extend", set(template) == {".gyre", ".gyre-test"}, set(template))
    keywords = {"stage", "image", "variables", "script", "artifacts", "extends"}
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
            done = subprocess.run(["sh", "-ec", "\n".join(template[name]["script"])], cwd=work, capture_output=True,
                                  text=True, timeout=300,
                                  env=dict(os.environ, PATH=f"{folder}/bin:" + os.environ["PATH"], **variables))
            check(f"{name} {models}: status", done.returncode == status, done)
            for kind in template[".gyre"]["artifacts"]["reports"].values():
                there = glob.glob(os.path.join(work, kind))
                check(f"{name} {models}: {kind}", there or name == ".gyre-test" and kind.endswith("json"), os.listdir(work))
            for path in glob.glob(os.path.join(work, "gyre-reports/*.json")):
                with open(path, encoding="utf-8") as file:
                    problems = json.load(file)
                check("a list of problems", isinstance(problems, list) and
                      all({"description", "check_name", "fingerprint", "severity", "location"} <= set(p) for p in problems), problems)


def main():
    github()
    gitlab()
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
