"""Tests in groups, for scripts that are told which of them to run.

A group is a function that yields (case, what is wrong with it: a list of lines). For the scripts of
this folder.
"""

import sys


def run(groups, *given):
    """Runs the groups that the command line names, or all, and prints what is wrong and how many passed; the status
    to exit with. `groups`: functions, or functions by name; `given`: what each is called with."""
    by_name = groups if isinstance(groups, dict) else {group.__name__: group for group in groups}
    passed = failed = 0
    for name in sys.argv[1:] or by_name:
        for case, wrong in by_name[name](*given):
            passed += not wrong
            failed += bool(wrong)
            for line in wrong:
                print(f"{name}: {case}: {line}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
