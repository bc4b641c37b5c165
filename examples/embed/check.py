#!/usr/bin/env python3
"""Verifies a model through libgyre.so: what check.c does, from Python, without any binding.

    ./check.py ../broken_mutex.pml [OPTION=VALUE ...]      (ltl='[] p', time=10, exact= …)

GYRE_LIBRARY names the library if it is neither installed nor in build/ of this repository."""
import ctypes
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def load():
    built = os.path.join(HERE, "..", "..", "build", "libgyre.so")
    name = os.environ.get("GYRE_LIBRARY") or (built if os.path.exists(built) else "libgyre.so.1")
    library = ctypes.CDLL(name)
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for function, result, *arguments in (
            ("gy_request_new", pointer), ("gy_request_free", None, pointer),
            ("gy_request_file", None, pointer, text),
            ("gy_request_set", ctypes.c_bool, pointer, text, text, ctypes.POINTER(pointer)),
            ("gy_verify", pointer, pointer), ("gy_outcome_free", None, pointer),
            ("gy_outcome_render", pointer, pointer, text), ("gy_free", None, pointer)):
        getattr(library, function).restype = result
        getattr(library, function).argtypes = arguments
    return library


GYRE = load()


def take(pointer):
    """A string that the library has made, as Python's own."""
    value = ctypes.string_at(pointer).decode()
    GYRE.gy_free(pointer)
    return value


def verify(model, **options):
    """The report of `gyre MODEL --json` as a dictionary. Raises ValueError on a wrong option."""
    request = GYRE.gy_request_new()
    try:
        GYRE.gy_request_file(request, os.fsencode(model))
        for name, value in options.items():
            problem = ctypes.c_void_p()
            value = str(value).encode() if value not in (None, True, "") else None
            if not GYRE.gy_request_set(request, name.replace("_", "-").encode(), value,
                                       ctypes.byref(problem)):
                raise ValueError(take(problem.value))
        outcome = GYRE.gy_verify(request)
        report = json.loads(take(GYRE.gy_outcome_render(outcome, b"json")))
        GYRE.gy_outcome_free(outcome)
        return report
    finally:
        GYRE.gy_request_free(request)


def main():
    report = verify(sys.argv[1], **dict(word.split("=", 1) for word in sys.argv[2:]))
    print(f"{report['model']}: {report['verdict']}")
    for item in report["properties"]:
        print(item["name"], item["verdict"])
        for step in item.get("counterexample", {}).get("steps", []):
            print(f"{step['step']:3}  {step['process']}({step['pid']})  line {step['line']}: "
                  f"{step['text']}")
    for diagnostic in report["diagnostics"]:
        print(f"{diagnostic['severity']}: {diagnostic['message']}")
    return {"holds": 0, "violated": 1, "inconclusive": 3}.get(report["verdict"], 2)


if __name__ == "__main__":
    sys.exit(main())
