#!/usr/bin/env python3
# check: docs: shipped examples; seconds 3
"""The shipped examples do what their comments promise.

Each row: a model, its options, and the properties that are violated (`safety` for assertions and
end states). Spin gives the same verdicts (pan -DSAFETY; pan -a, with -f where fairness is asked
for). Besides, every call that a model's comment shows must be a row here, so that no comment
promises what nobody has looked at. Ends with `N passed, N failed`.
"""
import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import schema  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GYRE = os.path.join(ROOT, os.environ.get("GYRE", "build/gyre"))

ROWS = [
    ("alternating_bit", "", []),
    ("alternating_bit", "-D TRUSTING", ["safety"]),
    ("bank_transfer", "", ["safety"]),
    ("bank_transfer", "-D ORDERED", []),
    ("broken_mutex", "", ["safety"]),
    ("client_server", "--fairness weak", []),
    ("client_server", "--fairness none", ["served"]),
    ("firmware_update", "", []),
    ("firmware_update", "-D EAGER", ["safety"]),
    ("leader_election", "", []),
    ("leader_election", "-D POLITE", ["safety"]),
    ("lock_free_queue", "", []),
    ("lock_free_queue", "-D PLAIN_STORE", ["safety"]),
    ("lock_free_queue", "-D NO_HELP", ["safety"]),
    ("msi_coherence", "", []),
    ("msi_coherence", "-D FORGETFUL", ["safety"]),
    ("needham_schroeder", "", ["authentic"]),
    ("needham_schroeder", "-D LOWE", []),
    ("peterson", "", []),
    ("peterson", "-D SWAPPED", ["safety"]),
    ("philosophers", "", ["safety"]),
    ("philosophers", "-D LEFT_HANDED", []),
    ("priority_inversion", "", ["served"]),
    ("priority_inversion", "-D INHERIT", []),
    ("producer_consumer", "", ["safety"]),
    ("producer_consumer", "-D WAKE_ALL", []),
    ("raft_election", "", []),
    ("raft_election", "-D AMNESIA", ["safety"]),
    ("readers_writers", "--fairness weak", ["fed"]),
    ("readers_writers", "--fairness weak -D POLITE", []),
    ("river_crossing", "", ["stuck"]),
    ("river_crossing", "-D HUNGRY", []),
    ("sliding_window", "", []),
    ("sliding_window", "-D NUMBERS=2", ["safety"]),
    ("traffic_light", "", ["no_wait"]),
    ("traffic_light", "--fairness weak", []),
    ("treiber_stack", "", ["safety"]),
    ("treiber_stack", "-D TAGGED", []),
    ("treiber_stack", "-D TAGGED -D TAGS=3", ["safety"]),
    ("two_phase_commit", "", []),
    ("two_phase_commit", "-D HASTY", ["safety"]),
    ("two_phase_commit", "-D CRASH", ["safety"]),
]


def violated(model, options):
    """(exit status, names of the violated properties)"""
    command = [GYRE, f"examples/{model}.pml", *options.split(), "--json"]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=300)
    report = schema.report(done.stdout)
    return done.returncode, [p["name"] for p in report["properties"] if p["verdict"] != "holds"]


def promised():
    """(model, options) of the calls in the comments of the models."""
    for path in sorted(glob.glob(os.path.join(ROOT, "examples/*.pml"))):
        with open(path, encoding="utf-8") as source:
            for call in re.findall(r"^ \*     gyre (.*)$", source.read(), re.M):
                words = re.split(r"\s{2,}", call)[0].split()
                yield words[0].removesuffix(".pml"), " ".join(words[1:])


def main():
    passed = failed = 0
    for model, options, wanted in ROWS:
        status, found = violated(model, options)
        if found == wanted and status == (1 if wanted else 0):
            passed += 1
        else:
            failed += 1
            print(f"{model} {options}: violated {found} (status {status}), expected {wanted}")
    rows = {(model, options) for model, options, _ in ROWS}
    for call in promised():
        if call in rows:
            passed += 1
        else:
            failed += 1
            print(f"{call[0]}.pml: its comment shows `{call[1]}`, which no row checks")
    suite = subprocess.run([GYRE, "test", "examples"], cwd=ROOT, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, timeout=300)
    if suite.returncode == 0:
        passed += 1
    else:
        failed += 1
        print(suite.stdout.decode(errors="replace"))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
