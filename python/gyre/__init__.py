"""Gyre for Python: load models, explore their states, verify them.

    import gyre

    with gyre.load("model.pml", defines={"N": 3}) as model:
        for state in model.initial_states():
            for transition in state.successors():
                print(transition.steps, transition.state)

    result = gyre.verify("model.pml", ltl="[] (x < 3)", time=60)
    for found in result.counterexamples:
        print(found)

Everything is done by libgyre.so.1 through its public functions (gyre/gyre.h, gyre/verify.h). The
library is the one that GYRE_LIBRARY names, that of the source tree or prefix which this package is
in, or the system's. docs/python.md describes it.
"""
from .errors import (Diagnostic, EvaluationError, GyreError, Inconclusive, LibraryError, ModelError,
                     OptionError, ReplayError, TooManyStates, Violation)
from .model import (Channel, Expression, Model, Process, State, Transition, load, loads)
from .source import Source
from .steps import Actor, Change, Fault, Message, Step, Value
from .verification import (Counterexample, Figures, Property, Verdict, Verification, verify)

__version__ = "0.1.0"
__all__ = [
    "Actor", "Change", "Channel", "Counterexample", "Diagnostic", "EvaluationError", "Expression",
    "Fault", "Figures", "GyreError", "Inconclusive", "LibraryError", "Message", "Model", "ModelError",
    "OptionError", "Process", "Property", "ReplayError", "Source", "State", "Step", "TooManyStates",
    "Transition", "Value", "Verdict", "Verification", "Violation", "load", "loads", "verify",
]
