"""Models as test cases of pytest: `pytest test_protocols.py`.

Each version of a protocol is a case; what goes wrong in the broken ones is looked at state by state."""
import os
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "python"))
import gyre  # noqa: E402


def verify(name: str, *defines: str) -> gyre.Verification:
    """A model that is shipped, with these macros."""
    return gyre.verify(os.path.join(HERE, "..", name), defines=list(defines), time=60, memory="2G")


@pytest.mark.parametrize("model, define", [
    ("two_phase_commit.pml", None), ("firmware_update.pml", None), ("bank_transfer.pml", "ORDERED"),
    ("needham_schroeder.pml", "LOWE"), ("treiber_stack.pml", "TAGGED")])
def test_holds(model: str, define: "str | None") -> None:
    verify(model, *([define] if define else [])).check()  # a failure shows the counterexample


@pytest.fixture(name="torn")
def torn_update() -> gyre.Counterexample:
    """How an update that is announced too early goes wrong."""
    found = verify("firmware_update.pml", "EAGER").counterexample
    assert found is not None
    return found


def test_power_failed(torn: gyre.Counterexample) -> None:
    assert torn.kind == "assertion"
    last = torn.replay()[-1]
    assert last["slot"][last["running"]] == "torn"


def test_the_report_is_in_the_failure(torn: gyre.Counterexample) -> None:
    with pytest.raises(gyre.Violation, match="assertion"):
        verify("firmware_update.pml", "EAGER").check()
    assert len(torn) == len(torn.steps) > 0
