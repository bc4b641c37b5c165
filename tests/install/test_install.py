#!/usr/bin/env python3
# check: docs: make install, and what it says; seconds 5
"""What `make install` puts where, and what is said before packages are installed. Ends with `N passed, N failed`."""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
counts = {True: 0, False: 0}


def check(name, good, detail=""):
    counts[bool(good)] += 1
    if not good:
        print(f"FAILED: {name}\n{str(detail)[:3000]}")


def installed(folder):
    done = subprocess.run(["make", "-s", "install", f"DESTDIR={folder}", "PREFIX=/opt/gyre"], cwd=ROOT,
                          capture_output=True, text=True)
    check("make install", done.returncode == 0, done.stderr)
    prefix = os.path.join(folder, "opt/gyre")
    check("nothing beside PREFIX", os.listdir(folder) == ["opt"] and os.listdir(os.path.join(folder, "opt")) == ["gyre"])
    for name in ("bin/gyre", "lib/libgyre.a", "lib/libgyre.so", "lib/libgyre.so.1", "lib/pkgconfig/gyre.pc",
                 "include/gyre/gyre.h", "include/gyre/verify.h", "lib/python3/dist-packages/gyre/__init__.py",
                 "share/man/man1/gyre.1", "share/man/man1/gyre-sim.1", "share/doc/gyre/html/index.html",
                 "share/doc/gyre/examples/peterson.pml", "share/bash-completion/completions/gyre",
                 "share/zsh/site-functions/_gyre", "share/fish/vendor_completions.d/gyre.fish"):
        check(f"installed: {name}", os.path.isfile(os.path.join(prefix, name)))
    for path in glob.glob(os.path.join(ROOT, "build/gyre-mpi-*.so")):  # for each kind of MPI that there is
        check(f"installed: {path}", os.path.isfile(os.path.join(prefix, "lib/gyre", os.path.basename(path))))
    if os.path.exists(os.path.join(ROOT, "build/gyre-mpi-openmpi.so")):  # what is there and no object is found, and told
        spoilt = os.path.join(prefix, "lib/gyre/gyre-mpi-openmpi.so")
        os.remove(spoilt)
        with open(spoilt, "w", encoding="utf-8") as file:
            file.write("nothing")
        done = subprocess.run([os.path.join(prefix, "bin/gyre"), "share/doc/gyre/examples/peterson.pml", "--mpi"], cwd=prefix,
                              capture_output=True, text=True, env=dict(os.environ, OMPI_COMM_WORLD_SIZE="1"))
        check("it looks where they are", done.returncode == 2 and "lib/gyre/gyre-mpi-openmpi.so" in done.stderr, done.stderr)
    done = subprocess.run([os.path.join(prefix, "bin/gyre"), "share/doc/gyre/examples/peterson.pml", "--quiet"],
                          cwd=prefix, capture_output=True, text=True)
    check("the installed one runs", done.returncode == 0 and "holds" in done.stdout, done.stdout + done.stderr)


def packaged(folder):
    """Every file that is installed is in one Debian package, and the packages have the program's version."""
    with open(os.path.join(ROOT, "debian/rules"), encoding="utf-8") as file:
        places = re.search(r"^PLACES := (.*)$", file.read(), re.M)[1].replace("$(DEB_HOST_MULTIARCH)", "here").split()
    done = subprocess.run(["make", "-s", "install", f"DESTDIR={folder}", *places], cwd=ROOT, capture_output=True, text=True)
    check("make install as for packages", done.returncode == 0, done.stderr)
    claimed = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "debian/*.install"))):
        with open(path, encoding="utf-8") as file:
            for pattern in file.read().split():
                found = glob.glob(os.path.join(folder, pattern))
                check(f"{os.path.basename(path)}: {pattern}", found)
                for each in found:
                    claimed.setdefault(each, []).append(os.path.basename(path))
    check("no two packages have the same", all(len(owners) == 1 for owners in claimed.values()), claimed)
    for at, _, names in os.walk(folder):
        rest = [name for name in names if not any(os.path.join(at, name) == each or os.path.join(at, name).startswith(each + "/")
                                                  for each in claimed)]
        if rest:
            check(f"{at} is in a package", False, rest)
    with open(os.path.join(ROOT, "debian/changelog"), encoding="utf-8") as file:
        version = re.match(r"gyre \((\S+)\)", file.read())[1]
    with open(os.path.join(ROOT, "include/gyre/gyre.h"), encoding="utf-8") as file:
        check("the same version", f'#define GY_VERSION "{version}"' in file.read(), version)
    with open(os.path.join(ROOT, "debian/control"), encoding="utf-8") as file:
        control = file.read()
    names = re.findall(r"^Package: (\S+)", control, re.M)
    check("the library is called by its soname", "libgyre1" in names and os.path.exists(folder + "/usr/lib/here/libgyre.so.1"), names)


def without_tool(folder):
    """Where cmark-gfm is not there, the manual says so, and the rest is installed."""
    done = subprocess.run(["make", "-s", "html", "MANUAL=", "-W", "docs/README.md"], cwd=ROOT, capture_output=True, text=True)
    check("make html says what it needs", done.returncode != 0 and "apt-get install python3 cmark-gfm" in done.stdout, done)
    done = subprocess.run(["make", "-s", "install", "MANUAL=", f"DESTDIR={folder}", "PREFIX=/usr"], cwd=ROOT,
                          capture_output=True, text=True)
    check("make install says what is missing", done.returncode == 0 and "no man pages" in done.stdout, done)
    there = [os.path.exists(os.path.join(folder, "usr", name)) for name in ("bin/gyre", "share/man", "share/doc/gyre/html")]
    check("and installs the rest", there == [True, False, False], there)


def announced(folder):
    """With an apt-get, a sudo and a dpkg-query of our own: what is installed is said before it is."""
    log = os.path.join(folder, "log")
    for name, text in (("dpkg-query", "exit 1"), ("id", "echo 1000"), ("sudo", f'echo "$@" >>{log}; echo "called: $@"'),
                       ("apt-get", "exit 1")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(os.path.join(folder, name), 0o755)
    path = folder + os.pathsep + os.environ["PATH"]
    for target in ("build-deps", "deps"):
        done = subprocess.run(["make", "-s", target], cwd=ROOT, capture_output=True, text=True,
                              env={**os.environ, "PATH": path})
        said = done.stdout.splitlines()
        check(f"{target}: said with the command", done.returncode == 0 and len(said) == 1 and
              "will be installed now: sudo apt-get install gcc libc6-dev" in said[0], done)
        with open(log, encoding="utf-8") as file:
            calls = file.read().splitlines()
        check(f"{target}: and done", [call.split()[:2] for call in calls] == [["apt-get", "update"], ["apt-get", "install"]], calls)
        packages = said[0].partition(" install ")[2].split() if said else []
        check(f"{target}: nothing else is installed", packages and calls[1].endswith(" ".join(packages)), calls)
        os.remove(log)
    with open(os.path.join(folder, "sudo"), "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho no network; exit 100\n")
    done = subprocess.run(["make", "-s", "build-deps"], cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "PATH": path})
    check("what goes wrong is shown", done.returncode != 0 and "no network" in done.stdout, done)


def without_headers(folder):
    """As on the nodes of a cluster: a wrapper of the compiler is there, its headers are not. And libraries likewise."""
    for name in ("mpicc.openmpi", "mpicc.mpich", "bare"):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nexec cc -nostdinc "$@"\n')
        os.chmod(path, 0o755)
    for compiler, found in (("cc", "with"), ("bare", "without")):
        done = subprocess.run(["make", "-pn", "CC=" + compiler], cwd=ROOT, capture_output=True, text=True,
                              env={**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]})
        values = dict(re.findall(r"^(MPI_OBJECTS|GMP|EXPAT|MICROHTTPD|CADICAL) := *(.*)$", done.stdout, re.M))
        check(f"{compiler}: no MPI without headers", values.pop("MPI_OBJECTS", None) == "", values)
        check(f"{compiler}: libraries are found by trying", values and set(values.values()) == {found}, values)


def started():
    """What `make run` installs and builds."""
    done = subprocess.run(["make", "-n", "run", "build-deps"], cwd=ROOT, capture_output=True, text=True)
    check("make run installs a compiler that is fast", " tcc;" in done.stdout, done.stdout)
    check("make run builds the library of the Python module", "build/libgyre.so" in done.stdout, done.stdout)


def main():
    started()
    for part in (installed, packaged, without_tool, announced, without_headers):
        with tempfile.TemporaryDirectory(prefix="gyre-install-") as folder:
            part(folder)
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
