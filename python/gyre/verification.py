"""Verification: a question with options, verdicts for each property, counterexamples."""
from __future__ import annotations

import ctypes
import enum
import json
import os
import threading
import weakref
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union

from . import _native
from .errors import (Diagnostic, Inconclusive, ModelError, OptionError, ReplayError, Violation)
from .model import Model, State, Transition
from .source import Defines, Path, Source
from .steps import Actor, Step

Scalar = Union[str, int, float, bool, None]
Option = Union[Scalar, Sequence[Scalar]]


class Verdict(str, enum.Enum):
    """Of a property, or of all of them together."""

    HOLDS = "holds"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"  # of a property that cannot be checked

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Figures:
    """What a search did."""

    states: int
    transitions: int
    depth: int
    seconds: float


class Counterexample:
    """A run that violates a property. `report` is what `gyre --json` prints of it."""

    def __init__(self, report: Mapping[str, Any], source: Source) -> None:
        self.report = report
        self.source = source
        self.kind: str = report["kind"]
        self.message: str = report["message"]
        self.length: int = report["length"]
        self.steps: Tuple[Step, ...] = tuple(map(Step.from_json, report["steps"]))
        self.cycle_start: Optional[int] = report["cycle_start"]  # steps before the cycle begins
        self.explanation: str = report.get("explanation") or ""
        self.shortest: bool = bool(report.get("shortest"))

    @property
    def stem(self) -> Tuple[Step, ...]:
        """The steps before the cycle; all of a finite run."""
        return self.steps if self.cycle_start is None else self.steps[:self.cycle_start]

    @property
    def cycle(self) -> Tuple[Step, ...]:
        """The steps that an infinite run repeats for ever; none of a finite one."""
        return () if self.cycle_start is None else self.steps[self.cycle_start:]

    def replay(self, model: Optional[Model] = None) -> List[State]:
        """Executes the steps again, one statement at a time: the state before the first one and
        those after each. A step that fails and leads nowhere leaves the state as it was.

        Without a model, that which was verified is loaded. ReplayError if it cannot go this way."""
        return _Replay(model or Model(self.source), self).states()

    @property
    def states(self) -> List[State]:
        """replay() of the model that was verified."""
        return self.replay()

    def __len__(self) -> int:
        return self.length

    def __str__(self) -> str:
        lines = [self.message]
        for number, step in enumerate(self.steps):
            if number == self.cycle_start:
                lines.append("  the cycle:")
            lines.append(f"{number + 1:4}  {step}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<gyre.Counterexample {self.kind}, {self.length} steps>"


class _Replay:
    """Follows a counterexample. Statements are known by process, place and text, and by their
    numbers where these are the same. Where a statement chooses a value, it fits several
    transitions, and the values at the end show which it was."""

    def __init__(self, model: Model, followed: Counterexample) -> None:
        self.model, self.followed = model, followed
        # After each step: the states it may have led to, and where each came from.
        self.levels: List[Dict[State, Optional[State]]] = [dict.fromkeys(model.initial_states())]

    def states(self) -> List[State]:
        """From the first state to the last."""
        if "cut" in self.followed.report:
            raise ReplayError(f"not all steps are known: {self.followed.report['cut']}")
        initial = self.followed.report.get("initial")
        if initial:
            self._keep({state: None for state in self.levels[0] if self._fits(state, initial)}, 0)
        for number, step in enumerate(self.followed.steps, 1):
            self._follow(step, number)
        final = self.followed.report["final"]
        ends = [state for state in self.levels[-1] if self._fits(state, final)]
        if not ends:
            raise ReplayError(f"{self.model.name}: the run ends with other values")
        return self._way_to(ends[0])

    def _keep(self, level: Dict[State, Optional[State]], number: int) -> None:
        if not level:
            what = f"step {number} cannot be taken: {self.followed.steps[number - 1]}" if number \
                else "it begins with other values"
            raise ReplayError(f"{self.model.name}: {what}")
        if number:
            self.levels.append(level)
        else:
            self.levels[0] = level

    def _follow(self, step: Step, number: int) -> None:
        found = [(transition, state) for state in self.levels[-1]
                 for transition in state.single_steps() if self._same(step, transition)]
        # Several statements of one text in a line: those that were executed, if it is that model.
        level: Dict[State, Optional[State]] = {}
        for transition, state in [pair for pair in found if _same_edges(step, pair[0])] or found:
            level.setdefault(transition.state or state, state)
        self._keep(level, number)

    def _way_to(self, last: State) -> List[State]:
        way = [last]
        for level in reversed(self.levels[1:]):
            before = level[way[-1]]
            assert before is not None
            way.append(before)
        return way[::-1]

    def _same(self, step: Step, transition: Transition) -> bool:
        taken, fault = transition.steps[-1], transition.fault
        if (step.fault and step.fault.kind) != (fault and fault.kind):
            return False
        partners = step.partner, taken.partner
        return _same_actor(step, taken) and (partners[0] is None) == (partners[1] is None) and (
            partners[0] is None or partners[1] is None or _same_actor(partners[0], partners[1]))

    @staticmethod
    def _fits(state: State, told: Mapping[str, Any]) -> bool:
        here = state._tell()
        places = [[(item["pid"], item["process"], item["line"], item["locals"])
                   for item in each.get("processes", ())] for each in (here, told)]
        return places[0] == places[1] and all(here.get(name) == told.get(name)
                                              for name in ("globals", "channels"))


def _same_edges(told: Step, transition: Transition) -> bool:
    taken = transition.steps[-1]
    return told.edge == taken.edge and (told.partner is None or taken.partner is None
                                        or told.partner.edge == taken.partner.edge)


def _same_actor(told: Actor, taken: Actor) -> bool:
    """Of a foreign system, there is no place but only the text."""
    return told.pid == taken.pid and told.text == taken.text and (
        not taken.line or (told.line, told.process) == (taken.line, taken.process))


class Property:
    """A property and its verdict. `report` is what `gyre --json` prints of it."""

    def __init__(self, report: Mapping[str, Any], source: Source) -> None:
        self.report = report
        self.name: str = report["name"]
        self.kind: str = report["kind"]  # "safety", "ltl", "never", "progress" …
        self.verdict = Verdict(report["verdict"])
        reason = report.get("reason") or {}
        self.reason: str = reason.get("text") or ""  # why it does not hold, or why it is not known
        self.vacuous: bool = bool(report.get("vacuous"))
        self.figures = Figures(report.get("states") or 0, report.get("transitions") or 0,
                               report.get("depth") or 0, report.get("seconds") or 0.0)
        told = report.get("counterexamples") or [report.get("counterexample")]
        self.counterexamples: Tuple[Counterexample, ...] = tuple(
            Counterexample(item, source) for item in told if item)

    @property
    def holds(self) -> bool:
        """Certainly."""
        return self.verdict is Verdict.HOLDS

    @property
    def counterexample(self) -> Optional[Counterexample]:
        """The first one."""
        return self.counterexamples[0] if self.counterexamples else None

    def __repr__(self) -> str:
        return f"<gyre.Property {self.name}: {self.verdict}>"


class Verification:
    """The answer. `report` is that of `gyre MODEL --json` (docs/json.md).

    It owns memory of the library, for render(): until close(), the end of the `with` block, or
    when it is not used any more."""

    def __init__(self, outcome: int, report: Mapping[str, Any], source: Source) -> None:
        library = _native.library()
        self._outcome = outcome
        self._end = weakref.finalize(self, library.gy_outcome_free, outcome)
        self.report = report
        self.source = source
        self.verdict = Verdict(report["verdict"])
        self.properties: Tuple[Property, ...] = tuple(
            Property(item, source) for item in report["properties"])
        self.diagnostics: Tuple[Diagnostic, ...] = tuple(
            map(Diagnostic.from_json, report["diagnostics"]))
        self.stats: Mapping[str, Any] = report.get("stats") or {}

    @property
    def holds(self) -> bool:
        """Every property, certainly."""
        return self.verdict is Verdict.HOLDS

    @property
    def counterexamples(self) -> Tuple[Counterexample, ...]:
        """Those of all properties."""
        return tuple(found for each in self.properties for found in each.counterexamples)

    @property
    def counterexample(self) -> Optional[Counterexample]:
        """The first one."""
        return next(iter(self.counterexamples), None)

    def check(self) -> Verification:
        """Raises Violation or Inconclusive (both AssertionErrors) unless every property holds."""
        if self.verdict is Verdict.VIOLATED:
            raise Violation(self)
        if not self.holds:
            raise Inconclusive(self)
        return self

    def render(self, form: str = "text") -> str:
        """The report in a form that gyre knows: "text", "json", "html", "junit" …"""
        if not self._end.alive:
            raise ValueError("the verification was closed")
        found = _native.library().gy_outcome_render(self._outcome, form.encode())
        if not found:
            raise OptionError(f"unknown form of report: {form!r}")
        return _native.take(found)

    def close(self) -> None:
        """Frees what the library holds; all but render() still works."""
        self._end()

    def __enter__(self) -> Verification:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __getitem__(self, name: str) -> Property:
        for each in self.properties:
            if each.name == name:
                return each
        raise KeyError(name)

    def __iter__(self) -> Iterator[Property]:
        return iter(self.properties)

    def __len__(self) -> int:
        return len(self.properties)

    def __bool__(self) -> bool:
        raise TypeError("a verification is neither true nor false: ask for .holds or .verdict")

    def __repr__(self) -> str:
        return f"<gyre.Verification {self.report['model']}: {self.verdict}>"


def verify(model: Union[Path, Model], *, defines: Defines = (), **options: Option) -> Verification:
    """Verifies a file, or a model that was loaded (Model.verify does the same).

    Options are those of `gyre MODEL` with _ for -: ltl="[] p", check=["safety", "progress"],
    fairness="weak", time=60, memory="2G", threads=4, all_errors=True, exact=True … A list sets an
    option several times; None and False do not set it. Raises OptionError for a wrong option and
    ModelError for a wrong model or formula. Ctrl-C ends the search."""
    if isinstance(model, Model):
        if defines:
            raise OptionError("defines: the model was loaded without them")
        return run(model.source, options)
    return run(Source.of(model, defines=defines), options)


def run(source: Source, options: Mapping[str, Option]) -> Verification:
    """Verifies what is in the source."""
    library = _native.library()
    request = library.gy_request_new()
    try:
        _ask(library, request, source, options)
        outcome = _wait(library, request)
    finally:
        library.gy_request_free(request)
    report = json.loads(_native.take(library.gy_outcome_render(outcome, b"json")))
    if report["verdict"] == "error":
        library.gy_outcome_free(outcome)
        raise ModelError(map(Diagnostic.from_json, report["diagnostics"]))
    return Verification(outcome, report, source)


def _ask(library: Any, request: int, source: Source, options: Mapping[str, Option]) -> None:
    name = os.fsencode(source.name)
    if source.text is None:
        library.gy_request_file(request, name)
    else:
        text = source.text.encode("utf-8", errors="surrogateescape")
        library.gy_request_text(request, name, text, len(text))
    own: Dict[str, Option] = {"D": source.defines, "I": source.include, "lossy": source.lossy,
                              "no-c": source.no_c, "no-exclusive": not source.check_exclusive}
    for option, value in own.items():
        _set(library, request, option, value)
    for option, value in options.items():
        if option.replace("_", "-") in own:
            raise OptionError(f"{option}: load the model with it, then verify that")
        _set(library, request, option.replace("_", "-"), value)


def _set(library: Any, request: int, option: str, value: Option) -> None:
    if isinstance(value, (list, tuple)):
        for each in value:
            _set(library, request, option, each)
        return
    if value is None or value is False:
        return
    problem = ctypes.c_void_p()
    text = None if value is True else str(value).encode("utf-8", errors="surrogateescape")
    if not library.gy_request_set(request, option.encode(), text, problem):
        raise OptionError(_native.take(problem.value).strip())


def _wait(library: Any, request: int) -> int:
    """gy_verify in a thread of its own, so that Ctrl-C is heard meanwhile."""
    outcomes: List[int] = []
    ended = threading.Event()  # Thread.join, interrupted, may take a thread for ended that is not

    def work() -> None:
        try:
            outcomes.append(library.gy_verify(request))
        finally:
            ended.set()

    thread = threading.Thread(target=work)
    try:
        thread.start()
        ended.wait()
    except BaseException:
        library.gy_request_stop(request)
        while thread.ident is not None and not ended.is_set():  # it uses the request
            try:
                ended.wait()
            except KeyboardInterrupt:
                continue
        for outcome in outcomes:
            library.gy_outcome_free(outcome)
        raise
    return outcomes[0]
