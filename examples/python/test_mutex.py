#!/usr/bin/env python3
"""Models in a test suite: `python3 -m unittest test_mutex.py`, or `pytest test_mutex.py`."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "python"))
import gyre  # noqa: E402


def example(name: str) -> str:
    """The file of a model that is shipped."""
    return os.path.join(HERE, "..", name)


class Mutex(unittest.TestCase):
    """Two locks: one that works, one that does not."""

    def test_peterson_is_safe(self) -> None:
        gyre.verify(example("peterson.pml"), time=60).check()  # a failure shows the counterexample

    def test_the_broken_lock_lets_two_in(self) -> None:
        found = gyre.verify(example("broken_mutex.pml")).counterexample
        assert found is not None
        self.assertEqual(found.kind, "assertion")
        self.assertEqual(found.states[-1]["inside"], 2)

    def test_nobody_enters_a_held_lock(self) -> None:
        """A property that is easier to say in Python than as a formula."""
        with gyre.load(example("broken_mutex.pml")) as model:
            for state, transitions in model.explore(limit=10_000):
                for transition in transitions:
                    if transition.steps[0].text == "(!held)":
                        self.assertFalse(state["held"])


if __name__ == "__main__":
    unittest.main()
