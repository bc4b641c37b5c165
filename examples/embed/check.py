#!/usr/bin/env python3
"""Verifies a model through libgyre.so: what check.c does, in Python.

    ./check.py ../broken_mutex.pml [OPTION=VALUE ...]      (ltl='[] p', time=10, exact= …)

GYRE_LIBRARY names the library if it is neither installed nor in build/ of this repository."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
import gyre  # noqa: E402


def main() -> int:
    """The exit status of `gyre MODEL`."""
    options = {name: value or True for name, _, value in
               (word.partition("=") for word in sys.argv[2:])}
    try:
        result = gyre.verify(sys.argv[1], **options)
    except gyre.GyreError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{sys.argv[1]}: {result.verdict}")
    for item in result.properties:
        print(item.name, item.verdict)
        for number, step in enumerate(item.counterexample.steps if item.counterexample else (), 1):
            print(f"{number:3}  {step.who}  line {step.line}: {step.text}")
    for diagnostic in result.diagnostics:
        print(diagnostic)
    return {"holds": 0, "violated": 1}.get(result.verdict, 3)


if __name__ == "__main__":
    sys.exit(main())
