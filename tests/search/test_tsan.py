#!/usr/bin/env python3
"""Real models through the parallel engines under the thread sanitizer.

    test_tsan.py        with build/tsan/gyre and build/gyre

Each model is searched by four threads with the tree and the plain table, with reductions and
without; and once more with tables that grow at every chance; small ones are hunted through, too. No data race may be reported; verdicts
(and without reductions, states) are those of one thread of the ordinary build. Ends with `N passed,
N failed`.
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
JOBS = int(os.environ.get("GYRE_TEST_JOBS", os.cpu_count() or 1))
MODELS = [
    "tests/models/protocols/alternating_bit.pml", "tests/models/protocols/bakery2.pml",
    "tests/models/protocols/leader_ring.pml", "tests/models/protocols/peterson3.pml",
    "tests/models/protocols/peterson2_broken.pml", "tests/models/protocols/philosophers_deadlock.pml",
    "tests/models/protocols/sleeping_barber.pml", "tests/models/protocols/sliding_window.pml",
    "tests/models/protocols/semaphore_rendezvous.pml", "tests/models/protocols/two_phase_commit.pml",
    "examples/readers_writers.pml", "examples/msi_coherence.pml", "examples/treiber_stack.pml",
]
LIVE = [  # tables that grow at every chance, and all threads and the reduction from the start
    ("ltl_response.pml", []), ("ltl_infinitely_often.pml", []), ("ltl_leader.pml", []),
    ("ltl_philosophers.pml", []), ("ltl_strong_premises.pml", []), ("never_counts_holds.pml", []),
    ("never_accept_cycle.pml", []), ("fair_peterson.pml", ["--fairness", "weak"]),
    ("fair_abp.pml", ["--fairness", "strong"]), ("accept_in_atomic.pml", []),
    ("ltl_leader.pml", ["--formulas", "together"]), ("ltl_channel.pml", ["--formulas", "together"]),
]
HUNTED = [  # small, so that a hunt ends by itself
    "tests/models/protocols/peterson3.pml", "tests/models/protocols/peterson2_broken.pml",
    "tests/models/protocols/philosophers_deadlock.pml",
]
WAYS = [["--exact"], ["--exact", "--store", "plain"], [], ["--store", "plain"], ["--search", "dfs"]]


def search(gyre, model, options, hostile=False, check="safety"):
    """(what it says of safety or liveness, complaint)"""
    env = dict(os.environ, TSAN_OPTIONS="halt_on_error=1 exitcode=66")
    if hostile:
        env["GYRE_HOSTILE"] = "1"
    done = subprocess.run([os.path.join(ROOT, gyre), os.path.join(ROOT, model), "--check", check, "--json",
                           "--backend", "vm", "--all-errors", *options],
                          env=env, capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1):
        return None, f"status {done.returncode}: {done.stderr[-3000:]}"
    report = schema.report(done.stdout)
    found = {p["name"]: (p["verdict"], p["states"] if "--exact" in options and
                         (check == "safety" or p["verdict"] == "holds") else None)
             for p in report["properties"]}
    return found, None


def case(what):
    model, options, hostile = what
    expected, complaint = search("build/gyre", model, options + ["--threads", "1"])
    if complaint:
        return complaint
    found, complaint = search("build/tsan/gyre", model, options + ["--threads", "4"], hostile)
    if complaint:
        return complaint
    return None if found == expected else f"{found} with four threads, {expected} with one"


def live_case(what):
    model, options = what
    model = "tests/models/liveness/" + model
    alone = [o for o in options if o not in ("--formulas", "together")]  # one by one, and one thread
    expected, complaint = search("build/gyre", model, alone + ["--threads", "1", "--cycles", "components"],
                                 check="liveness")
    if complaint:
        return complaint
    engines = ["auto", "cndfs", "ufscc", "owcty", "map"]
    if "--fairness" in options:
        engines = ["auto", "ufscc"]
    elif "--formulas" in options:  # which has no choice of them
        engines = ["auto"]
    for cycles in engines:
        found, complaint = search("build/tsan/gyre", model, options + ["--threads", "4", "--cycles", cycles], True,
                                  "liveness")
        if complaint or found != expected:
            return f"--cycles {cycles}: " + (complaint or f"{found} with four threads, {expected} with one")
    return None


def hunt_case(model):
    """A hunt of four threads finds an error, or the proof, that the ordinary search does."""
    env = dict(os.environ, TSAN_OPTIONS="halt_on_error=1 exitcode=66")
    expected, complaint = search("build/gyre", model, ["--threads", "1"])
    if complaint:
        return complaint
    done = subprocess.run([os.path.join(ROOT, "build/tsan/gyre"), "hunt", os.path.join(ROOT, model), "--json",
                           "--check", "safety", "--backend", "vm", "--all-errors", "--threads", "4"],
                          env=env, capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1):
        return f"status {done.returncode}: {done.stderr[-3000:]}"
    found = {p["name"]: p["verdict"] for p in schema.report(done.stdout)["properties"]}
    wanted = {name: verdict for name, (verdict, _) in expected.items()}
    return None if found == wanted else f"{found}, not {wanted}"


def main():
    live = [(model, options + exact) for model, options in LIVE for exact in ([], ["--exact", "--store", "tree"])]
    cases = [(model, options, False) for model in MODELS for options in WAYS]
    cases += [(model, options, True) for model in MODELS[:4] for options in WAYS]
    passed = failed = 0
    with ThreadPoolExecutor(JOBS) as pool:
        for what, wrong in zip(cases, pool.map(case, cases)):
            if wrong:
                failed += 1
                print(f"FAILED: {what[0]} {' '.join(what[1])}{' (hostile)' if what[2] else ''}: {wrong}")
            else:
                passed += 1
        for what, wrong in zip(live, pool.map(live_case, live)):
            passed += not wrong
            failed += bool(wrong)
            if wrong:
                print(f"FAILED: {what[0]} {' '.join(what[1])}: {wrong}")
        for model, wrong in zip(HUNTED, pool.map(hunt_case, HUNTED)):
            passed += not wrong
            failed += bool(wrong)
            if wrong:
                print(f"FAILED: hunt {model}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
