#!/usr/bin/env python3
"""The oracle's own test: does it read Spin's answers correctly?

Runs Spin on small models whose answers can be counted by hand."""

import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import oracle  # noqa: E402

MODELS = os.path.join(HERE, "..", "models")


class OracleTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.rest = {"cache": os.path.join(self.folder.name, "cache")}

    def write(self, text, name="m.pml"):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as handle:
            handle.write(text)
        return path

    def test_counts_by_hand(self):
        # one step, one end: three states in a row
        answer = oracle.safety(self.write("init { skip }"), **self.rest)
        self.assertEqual((answer["verdict"], answer["states"], answer["transitions"],
                          answer["errors"]), ("holds", 3, 3, 0))

    def test_kinds(self):
        cases = {
            "byte n; init { assert(n == 1) }": "assertion",
            "byte n; init { n == 1 }": "invalid-end-state",
            "byte a[2], i = 2; init { a[i] = 1 }": "index-out-of-bounds",
            "byte a, b; init { a = 1 / b }": "division-by-zero",
            "byte n; init { d_step { n = 1; n == 2 } }": "d_step-blocks",
            "proctype P() { end: false } init { do :: run P() od }": "too-many-processes",
        }
        for text, kind in cases.items():
            answer = oracle.safety(self.write(text), **self.rest)
            self.assertEqual(answer["verdict"], "violated", text)
            self.assertEqual(answer["kinds"][0], kind, text)

    def test_rejected(self):
        answer = oracle.safety(self.write("init { x = 1 }"), **self.rest)
        self.assertFalse(answer["accepted"])
        self.assertEqual(answer["problem"], "rejected")
        self.assertIn("undeclared variable", "\n".join(answer["messages"]))
        crash = oracle.safety(self.write("byte n; init { return n }"), **self.rest)
        self.assertFalse(crash["accepted"])

    def test_cache_key_sees_includes(self):
        part = self.write("byte n = 1;", "part.h")
        model = self.write('#include "part.h"\ninit { assert(n == 1) }')
        self.assertEqual(oracle.safety(model, **self.rest)["verdict"], "holds")
        self.write("byte n = 2;", os.path.basename(part))
        self.assertEqual(oracle.safety(model, **self.rest)["verdict"], "violated")

    def test_cache_is_used(self):
        model = self.write("init { skip }")
        first = oracle.safety(model, **self.rest)
        spin, oracle.SPIN = oracle.SPIN, "/nonexistent"
        try:
            self.assertEqual(oracle.safety(model, **self.rest), first)
        finally:
            oracle.SPIN = spin

    def test_depth_is_raised(self):
        model = self.write("int n; init { do :: n < 20000 -> n++ :: else -> break od }")
        answer = oracle.safety(model, **self.rest)
        self.assertEqual((answer["verdict"], answer["states"]), ("holds", 40003))

    def test_compilers_agree(self):
        model = os.path.join(MODELS, "protocols", "peterson3.pml")
        answers = [oracle.safety(model, compiler=c, **self.rest)
                   for c in ("tcc", "gcc", "clang")]
        figures = [(a["verdict"], a["states"], a["transitions"]) for a in answers]
        self.assertEqual(figures[0], figures[1])
        self.assertEqual(figures[0], figures[2])

    def test_shortest_and_replay(self):
        model = os.path.join(MODELS, "protocols", "test_then_set.pml")
        best = oracle.shortest(model, **self.rest)
        self.assertEqual((best["kind"], best["length"]), ("assertion", 7))
        good = oracle.replay(model, best["trail"])
        self.assertTrue(good["ok"], good["output"])
        self.assertTrue(good["assertion"])
        broken = best["trail"].replace(":1:", ":7:")
        self.assertFalse(oracle.replay(model, broken)["ok"])

    def test_initial_deadlock_has_length_zero(self):
        best = oracle.shortest(self.write("init { false }"), **self.rest)
        self.assertEqual((best["kind"], best["length"]), ("invalid-end-state", 0))

    def test_claim_is_left_out_of_safety(self):
        text = "byte n; init { do :: n = 1 - n od } never { do :: n == 1 -> break :: else od }"
        model = self.write(text)
        self.assertEqual(oracle.safety(model, **self.rest)["verdict"], "holds")
        kept = oracle.safety(model, claim=True, **self.rest)
        self.assertEqual((kept["verdict"], kept["kinds"]), ("violated", ["claim-end"]))

    def test_liveness(self):
        model = self.write("bit b; init { do :: b = 1 - b od } "
                           "ltl p { []<> b } ltl q { <>[] b }")
        self.assertEqual(oracle.liveness(model, "-a", "p", **self.rest)["verdict"], "holds")
        bad = oracle.liveness(model, "-a", "q", **self.rest)
        self.assertEqual((bad["verdict"], bad["kinds"]), ("violated", ["acceptance-cycle"]))
        loop = self.write("bit b; init { do :: b = 1 - b od }", "l.pml")
        self.assertEqual(oracle.liveness(loop, "-l", **self.rest)["kinds"],
                         ["non-progress-cycle"])

    def test_unreached(self):
        model = self.write("byte n;\ninit {\n\tgoto out;\n\tn = 1;\nout:\tskip }")
        rows = oracle.safety(model, **self.rest)["unreached"]
        self.assertEqual([(r["line"], r["text"]) for r in rows], [(4, "n = 1")])


if __name__ == "__main__":
    unittest.main()
