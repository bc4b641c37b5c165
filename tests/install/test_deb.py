#!/usr/bin/env python3
"""The Debian packages in build/deb, tried in a fresh Debian: lintian, installation, use, purge.

    tests/install/test_deb.py                   what make deb has built
    tests/install/test_deb.py first-verdict     something else: from the sources to a first verdict on a fresh machine, by
                                        the README's `make run`, and how long that takes
    tests/install/test_deb.py container         the steps of the Containerfile, in fresh systems instead of images

Needs root (debootstrap, chroot) and Debian's mirror. `make test-deb` calls it. Ends with `N passed, N failed`."""
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEBS = os.path.join(ROOT, "build/deb")
NAMES = ["gyre", "libgyre1", "libgyre-dev", "python3-gyre"]
EXAMPLES = "/usr/share/doc/gyre/examples"
counts = {True: 0, False: 0}


def check(name, good, detail=""):
    counts[bool(good)] += 1
    print(f"{'ok   ' if good else 'FAILED'} {name}" + ("" if good else f"\n{str(detail)[-3000:]}"), flush=True)


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, timeout=1800, **more)
    return done.returncode, done.stdout


def sources_of_apt():
    """This machine's mirror and release: the fresh one is to be the same."""
    release = run("sh", "-c", ". /etc/os-release; echo $VERSION_CODENAME")[1].strip()
    mirror = "http://deb.debian.org/debian"
    for path in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*")]:
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            for found in re.findall(r"^(?:URIs: |deb (?:\[.*?\] )?)(\S+/debian)/?(?:\s|$)", file.read(), re.M):
                mirror = found
    return release, mirror


class Fresh:
    """A new Debian in a folder."""

    def __init__(self, folder):
        self.folder = folder
        release, mirror = sources_of_apt()
        status, output = run("debootstrap", "--variant=minbase", release, folder, mirror)
        if status:
            raise SystemExit(f"debootstrap: {output[-2000:]}")
        os.makedirs(os.path.join(folder, "home/user"))
        self.environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/home/user", "LC_ALL": "C.UTF-8",
                            "DEBIAN_FRONTEND": "noninteractive"}

    def run(self, command):
        return run("chroot", self.folder, "sh", "-c", command, env=self.environment)

    def files(self):
        """All but logs, caches and what apt and dpkg keep of their own."""
        found = self.run("find / -xdev -path /proc -prune -o -path /sys -prune -o -path /home -prune -o -path /tmp -prune "
                         "-o -path /var/cache -prune -o -path /var/lib/apt -prune -o -path /var/log -prune -o -print")
        return set(found[1].splitlines())


def lint():
    changes = glob.glob(os.path.join(DEBS, "*.changes"))
    check("one set of packages", len(changes) == 1, changes)
    status, output = run("lintian", "--allow-root", "--fail-on", "error", changes[0])
    check("lintian finds no error", status == 0 and not re.search(r"^E:", output, re.M), output)
    print(output, end="")


def use(fresh):
    def expect(name, command, status, text=""):
        found, output = fresh.run(command)
        check(name, found == status and re.search(text, output), f"status {found}\n{output}")

    expect("the program runs", "gyre --version", 0, r"^gyre \d")
    expect("holds", f"gyre {EXAMPLES}/peterson.pml", 0, "holds")
    expect("violated", f"gyre {EXAMPLES}/broken_mutex.pml", 1, "assertion failed")
    expect("all examples", f"cd {EXAMPLES} && gyre test . --quiet", 0, r"\d+ passed, 0 failed")
    expect("pages of the manual", "zcat /usr/share/man/man1/gyre-sim.1.gz", 0, "SYNOPSIS")
    expect("the manual for a browser", "ls /usr/share/doc/gyre/html/index.html", 0)
    expect("completion", "bash -c '. /usr/share/bash-completion/completions/gyre; "
           f"COMP_WORDS=(gyre {EXAMPLES}/traffic_light.pml --ltl no); COMP_CWORD=3; _gyre; echo ${{COMPREPLY[@]}}'", 0, "no_wait")
    expect("Python", f"cd /tmp && python3 -c 'import gyre; print(gyre.verify(\"{EXAMPLES}/peterson.pml\").verdict)'", 0, "holds")
    expect("a compiler for programs", "apt-get install -qq -y --no-install-recommends gcc libc6-dev pkg-config", 0)
    for kind, flags in (("shared", "$(pkg-config --libs gyre)"),
                        ("static", "-l:libgyre.a $(pkg-config --libs --static gyre | sed 's/-lgyre//')")):
        expect(f"a program with the {kind} library", f"cd /tmp && gcc -o check {EXAMPLES}/embed/check.c $(pkg-config --cflags gyre) "
               f"{flags} && ./check {EXAMPLES}/broken_mutex.pml", 1, "violated")
    expect("compiled models", f"gyre {EXAMPLES}/peterson.pml --backend native", 0, "backend native")


def packages(folder):
    fresh = Fresh(folder)
    status, output = fresh.run("apt-get update -qq")
    check("the fresh system reaches its mirror", status == 0, output)
    before = fresh.files()
    for name in NAMES:
        files = glob.glob(os.path.join(DEBS, name + "_*.deb"))
        check(f"package {name}", len(files) == 1, files)
        shutil.copy(files[0], os.path.join(folder, "tmp", name + ".deb"))
    status, output = fresh.run("cd /tmp && apt-get install -qq -y --no-install-recommends "
                               + " ".join(f"./{name}.deb" for name in NAMES))
    check("they install", status == 0, output)
    use(fresh)
    status, output = fresh.run("apt-get purge -qq -y " + " ".join(NAMES) + " gcc libc6-dev pkg-config && apt-get autoremove --purge -qq -y")
    check("they are purged", status == 0, output)
    left = sorted(name for name in fresh.files() - before if "gyre" in name)
    check("nothing of them is left", not left, left)
    print(f"(of other packages: {len(fresh.files() - before)} files more than before)")


def first_verdict(folder):
    """By the README, with what a person has who has fetched the sources: make."""
    fresh = Fresh(folder)
    fresh.run("apt-get update -qq && apt-get install -qq -y --no-install-recommends make")
    to = os.path.join(folder, "home/user/gyre")
    os.makedirs(to)
    subprocess.run(f"tar -c --exclude=./build --exclude=./.git . | tar -x -C {to}", shell=True, cwd=ROOT, check=True)
    begin, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    status, output = fresh.run("cd ~/gyre && make run")
    seconds, after = time.time() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    check("make run on a fresh machine", status == 0 and "assertion failed" in output, output)
    check("it says what it installs before it does", re.search(r"will be installed now: apt-get install \w+", output), output)
    print(f"(from the sources to the first verdict: {seconds:.0f} s by the clock, {work:.0f} s of processor time)")


def container(folder):
    """The steps of the Containerfile, in fresh systems instead of images."""
    with open(os.path.join(ROOT, "Containerfile"), encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M)
    stages = [stage.strip().splitlines()[1:] for stage in re.split(r"^(?=FROM )", text, flags=re.M) if stage.strip()]
    check("two stages", len(stages) == 2, stages)
    systems = []
    for number, steps in enumerate(stages):
        fresh = Fresh(folder + str(number))
        systems.append(fresh)
        for step in steps:
            word, _, rest = step.partition(" ")
            if word == "RUN":
                status, output = fresh.run(rest)
                check(f"stage {number}: {rest[:60]}", status == 0, output)
            elif step == "COPY . /src":
                os.makedirs(fresh.folder + "/src")
                subprocess.run(f"tar -c --exclude=./build --exclude=./.git . | tar -x -C {fresh.folder}/src", shell=True,
                               cwd=ROOT, check=True)
            elif word == "COPY" and rest.startswith("--from=build "):
                source, to = rest.split()[1:]
                subprocess.run(["cp", "-a", systems[0].folder + source + "/.", fresh.folder + to], check=True)
            else:
                check(f"known step: {step}", word in ("WORKDIR", "ENTRYPOINT", "CMD"))
    os.makedirs(systems[1].folder + "/work")
    for model in ("peterson.pml", "broken_mutex.pml", "lock_free_queue.pml"):
        shutil.copy(os.path.join(ROOT, "examples", model), systems[1].folder + "/work")
    for model, status in (("peterson.pml", 0), ("broken_mutex.pml", 1), ("lock_free_queue.pml --backend native", 0)):
        found = systems[1].run(f"cd /work && gyre {model}")
        check(f"the image: {model}", found[0] == status, found)


def main():
    if os.geteuid() != 0:
        raise SystemExit("this needs root: debootstrap and chroot")
    with tempfile.TemporaryDirectory(prefix="gyre-deb-") as folder:
        if sys.argv[1:] == ["first-verdict"]:
            first_verdict(os.path.join(folder, "root"))
        elif sys.argv[1:] == ["container"]:
            container(os.path.join(folder, "root"))
        else:
            lint()
            packages(os.path.join(folder, "root"))
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
