#!/usr/bin/env python3
# check: includes: what unit tests say is read well; without a build
"""How tests/run.py reads what unit tests say (real ones of cmocka, of which one fails or something around them does) and
the heads of scripts, all of which it has to run."""
import os
import subprocess
import sys
import tempfile

import run

PROGRAM = r"""
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *how;
static int is(const char *name) { return strcmp(how, name) == 0; }
static void first(void **state) { (void)state; if (is("crash")) abort(); }
static void second(void **state) { (void)state; assert_false(is("test")); if (is("exit")) exit(0); }
static int up(void **state) { (void)state; return -is("setup"); }
static int down(void **state) { (void)state; assert_false(is("assertion")); return -is("teardown"); }

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(first), cmocka_unit_test(second)};
    how = words[count - 1];
    return cmocka_run_group_tests(tests, up, down);
}
"""
# What goes wrong, how many tests are well, and how many are not.
CASES = {"nothing": (2, 0), "test": (1, 1), "setup": (0, 1), "teardown": (2, 1), "assertion": (2, 1), "crash": (0, 1), "exit": (1, 1)}

# What scripts may say in their heads, and below them.
HEADS = """#!/usr/bin/env python3
# check: cli: bad input, by hand: all; seconds 6; quick
# check: long: more of it; by status; without a build
'''What it is for.'''
# check: cli: no head any more
"""
DECLARED = [("cli", "bad input, by hand: all", {"seconds": "6", "quick": "quick"}),
            ("long", "more of it", {"by status": "status", "without a build": "build"})]


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "test_some")
        subprocess.run([run.CC, "-x", "c", "-", "-o", program, "-lcmocka"], input=PROGRAM, text=True, check=True)
        for how, expected in CASES.items():
            check = run.Check("unit", "test_some", [program, how], run.by_unit_tests)
            done = subprocess.run(check.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            results = [good for _, good, _ in check.read(check, done.returncode, done.stdout)]
            found = (results.count(True), results.count(False))
            passed += found == expected
            failed += found != expected
            if found != expected:
                print(f"FAILED: {how}: {found}, not {expected}\n{done.stdout}")
    for what, found, expected in (("heads", list(run.declared(HEADS)), DECLARED), ("not run", run.forgotten(), [])):
        passed += found == expected
        failed += found != expected
        if found != expected:
            print(f"FAILED: {what}: {found}, not {expected}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
