#!/usr/bin/env python3
"""Trace covers beside other searches, on the protocols of Kashyap, Garg (ASE 2005) at their sizes, each
right and with an error: bench/cover.md.

    bench/cover.py [--gyre PROGRAM] [--seconds N] [NAME...]

Spin runs without and with partial-order reduction, its property an assertion in a process that watches, as
in the paper; `gyre` is the default search, `gyre --cover` the cover, both with the states that must not be
reached as --ef or --ef-sum. Seconds are those of all processors together, so that other work on the machine
counts little; making pan is left out. Memory is that of the process at its peak.
"""
import argparse
import json
import os
import resource
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "cover")
PHILOSOPHERS = [word for i in range(6) for word in ("--ef", f"phil[{i}]:eats && phil[{(i + 1) % 6}]:eats")]
# name, model, what is asked for; the paper's states and seconds of the cover, right and wrong
ROWS = [("Chandy-Misra philosophers, 6", "philosophers.pml", PHILOSOPHERS, ("83", "0.03"), ("81", "0.03")),
        ("Dolev-Klawe-Rodeh election, 6", "election.pml", ["--ef-sum", "node leads > 1"], ("118,971", "75.02"), ("87,435", "53.53")),
        ("Ricart-Agrawala mutex, 5", "ricart_agrawala.pml", ["--ef-sum", "P incs > 1"], ("187", "0.05"), ("181", "0.01"))]
MEMORY = 4000  # megabytes for each


def run(command, seconds, **more):
    """(output or None if it was ended, seconds of the processors, peak of memory in bytes)"""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, text=True, **more,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1)))
        until = time.monotonic() + 5 * seconds
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = -9 if os.WIFSIGNALED(status) else 0
                break
            if time.monotonic() > until:
                process.kill()
                _, _, used = os.wait4(process.pid, 0)
                process.returncode = -9
                break
            time.sleep(0.002)
        out.seek(0)
        text = out.read() if process.returncode == 0 else None
        return text, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def number_before(text, what):
    for line in text.splitlines():
        if what in line:
            return int(line.split(what)[0].split()[-1].replace(",", ""))
    return None


def spin(model, defines, flags, seconds):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["spin", "-a", "-DMONITOR", *defines, os.path.join(MODELS, model)], cwd=folder, check=True, capture_output=True)
        subprocess.run(["gcc", "-O2", "-w", "-DSAFETY", f"-DMEMLIM={MEMORY}", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True)
        text, spent, memory = run(["./pan", "-m100000", "-E"], seconds, cwd=folder)
    if text is None or "errors:" not in text or "memory" in text and "exceeded" in text:
        return None, None, spent, memory
    return "errors: 0" not in text, number_before(text, "states, stored"), spent, memory


def gyre(program, model, defines, options, seconds):
    command = [program, os.path.join(MODELS, model), *[word for d in defines for word in ("-D", d[2:])], "--no-deadlock", "--json", *options,
               "--threads", "1", "--memory", f"{MEMORY}M"]
    text, spent, memory = run(command, seconds)
    report = json.loads(text) if text else {"verdict": "none"}
    if report["verdict"] not in ("holds", "violated"):
        return None, None, spent, memory
    figures = report["stats"]["reduced"].get("trace-cover")
    states = max(p["states"] for p in report["properties"])
    return report["verdict"] == "violated", states, spent, memory, figures


def cell(result):
    if result[0] is None:
        return f"> {result[2]:.0f} s, {result[3] / 1e6:,.0f} MB"
    return f"{result[1]:,} / {result[2]:.2f} s / {result[3] / 1e6:,.0f} MB"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gyre", default=os.path.join(HERE, "..", "build", "gyre"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--out", default=os.path.join(HERE, "cover.md"))
    parser.add_argument("names", nargs="*", help="models without .pml")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.gyre)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    lines, bad = [], []
    for name, model, asked, right, wrong in ROWS:
        if arguments.names and model[:-4] not in arguments.names:
            continue
        for error, paper in ((False, right), (True, wrong)):
            defines = ["-DERROR"] if error else []
            full = spin(model, defines, ["-DNOREDUCE"], arguments.seconds)
            reduced = spin(model, defines, [], arguments.seconds)
            plain = gyre(program, model, defines, asked, arguments.seconds)
            cover = gyre(program, model, defines, ["--cover", *asked], arguments.seconds)
            title = name + (", with an error" if error else "")
            traces = f"{cover[4]['traces']:,}" if len(cover) > 4 else "-"
            lines.append(f"| {title} | {cell(full)} | {cell(reduced)} | {cell(plain)} | {cell(cover)} | {traces} | {paper[0]} / {paper[1]} s |")
            print(f"{title}: spin {cell(full)}; reduced {cell(reduced)}; gyre {cell(plain)}; cover {cell(cover)}, {traces} traces", flush=True)
            bad += [title for each in (full, reduced, plain, cover) if each[0] is not None and each[0] != error]
            if "election" in name and (cover[0] is None or cover[1] > 11897 or cover[2] > 7.5):
                bad.append(title + ": more than a tenth of the paper's")
    text = ["# Trace covers", "", "States / CPU seconds / peak memory; `>`: not decided in that time. Made by `bench/cover.py`, which says",
            f"what is measured, with at most {arguments.seconds:g} s and {MEMORY:,} MB each. The last column has the paper's results for its own tool and models.",
            "The election covers all identities (the start of the ring does not matter: 5! orders), the mutex all",
            "choices of two time stamps (2^5): each is one trace.", "",
            "| model | Spin without reduction | Spin | gyre | gyre --cover | traces | paper's cover |", "|---|---|---|---|---|---|---|", *lines, ""]
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write("\n".join(text))
    print("wrong: " + ", ".join(bad) if bad else "all as it should be")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
