"""Models and their states: what can happen first, what can happen next, what holds where."""
from __future__ import annotations

import ctypes
import json
import os
import threading
import weakref
from collections import deque
from dataclasses import dataclass
from types import MappingProxyType, TracebackType
from typing import (TYPE_CHECKING, Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping,
                    Optional, Tuple, Type, Union)

from . import _native
from .errors import (Diagnostic, EvaluationError, GyreError, ModelError, TooManyStates)
from .source import Defines, Path, Source
from .steps import Actor, Fault, Scalar, Step, Value, as_value

if TYPE_CHECKING:
    from .verification import Option, Verification


def load(path: Path, *, defines: Defines = (), include: Iterable[Path] = (), lossy: bool = False,
         no_c: bool = False, check_exclusive: bool = True) -> Model:
    """The model in a file, or in a shared object (.so).

    `defines`: {"N": 3, "FAST": True} or ["N=3", "FAST"]; `include`: directories for #include; `lossy`:
    messages to full channels get lost; `no_c`: embedded C and shared objects are refused. Raises
    ModelError."""
    return Model(Source.of(path, defines=defines, include=include, lossy=lossy, no_c=no_c,
                           check_exclusive=check_exclusive))


def loads(text: str, name: str = "model.pml", *, defines: Defines = (),
          include: Iterable[Path] = (), lossy: bool = False, no_c: bool = False,
          check_exclusive: bool = True) -> Model:
    """The same for a model in a string. The suffix of `name` decides the language; messages call the file so."""
    return Model(Source.of(name, text, defines=defines, include=include, lossy=lossy, no_c=no_c,
                           check_exclusive=check_exclusive))


def _release(library: Any, system: int, worker: int) -> None:
    library.gy_worker_free(worker)
    library.gy_system_free(system)


def _open(library: Any, source: Source) -> Tuple[int, List[Diagnostic]]:
    options = _native.LoadOptions(_native.strings(list(source.defines)),
                                  _native.strings(list(source.include)), source.lossy,
                                  not source.check_exclusive, source.no_c)
    problem = ctypes.c_void_p()
    if source.text is None:
        system = library.gy_load(os.fsencode(source.name), options, problem)
    else:
        text = source.text.encode("utf-8", errors="surrogateescape")
        system = library.gy_load_text(os.fsencode(source.name), text, len(text), options, problem)
    diagnostics = Diagnostic.parse(_native.take(problem.value))
    if not system:
        raise ModelError(diagnostics)
    return system, diagnostics


class Model:
    """A model that was loaded: made by load() and loads().

    It ends with close(), with the `with` block, or when neither it nor a state of it is used any
    more. Threads may share it: one at a time is served."""

    def __init__(self, source: Source) -> None:
        self._library = _native.library()
        system, diagnostics = _open(self._library, source)
        worker = self._library.gy_worker_new(system)
        self.source = source
        self.diagnostics: Tuple[Diagnostic, ...] = tuple(diagnostics)  # warnings and notes
        self.name: str = _native.text(self._library.gy_system_name(system))
        self._system, self._worker = system, worker
        self._lock = threading.RLock()
        self._expressions: Dict[str, Expression] = {}
        self._end = weakref.finalize(self, _release, self._library, system, worker)

    def close(self) -> None:
        """Frees what the library holds; neither the model nor its states can be asked then."""
        with self._lock:
            self._end()

    def __enter__(self) -> Model:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<gyre.Model {self.name}>"

    def initial_states(self) -> List[State]:
        """All of them: more than one only where the model chooses its first values."""
        found = self._visit(self._library.gy_initial)
        if not found:
            raise GyreError(f"{self.name} has no initial state")
        for transition in found:
            if transition.state is None:
                what = transition.fault.message if transition.fault else "it cannot begin"
                raise GyreError(f"{self.name}: {what}")
        return [transition.state for transition in found if transition.state is not None]

    def explore(self, limit: Optional[int] = None) -> Iterator[Tuple[State, List[Transition]]]:
        """Each reachable state once, breadth first, with its transitions.

        More than `limit` states: TooManyStates. For models that are small: verify() is what counts
        millions of states."""
        waiting: Deque[State] = deque(dict.fromkeys(self.initial_states()))
        seen = set(waiting)
        while waiting:
            state = waiting.popleft()
            transitions = state.successors()
            for transition in transitions:
                if transition.state is not None and transition.state not in seen:
                    seen.add(transition.state)
                    waiting.append(transition.state)
            if limit is not None and len(seen) > limit:
                raise TooManyStates(f"{self.name} has more than {limit} states")
            yield state, transitions

    def expression(self, text: str) -> Expression:
        """An expression over global variables and remote references (P:x, P@label), to be asked
        for in any state. Raises ModelError."""
        with self._lock:
            self._check()
            if text not in self._expressions:
                problem = ctypes.c_void_p()
                number = self._library.gy_predicate(self._system, text.encode(), problem)
                diagnostics = Diagnostic.parse(_native.take(problem.value))
                if number < 0:
                    raise ModelError(diagnostics)
                self._expressions[text] = Expression(text, number)
            return self._expressions[text]

    def state(self, data: bytes) -> State:
        """The state that bytes() was made of, in this or in another process. ValueError if it is
        not one of this model."""
        with self._lock:
            self._check()
            words, length = _words(data)
            if len(data) % 4 or not self._library.gy_is_state(self._worker, words, length):
                raise ValueError(f"not a state of {self.name}")
        return State(self, data)

    def verify(self, **options: Option) -> Verification:
        """As gyre.verify(): the file or text is read again."""
        from .verification import run
        return run(self.source, options)

    def _check(self) -> None:
        if not self._end.alive:
            raise GyreError(f"{self.name} was closed")

    def _visit(self, function: Callable[..., int], *arguments: Any,
               single: bool = False) -> List[Transition]:
        found: List[Transition] = []
        errors: List[BaseException] = []

        def visit(_: Any, pointer: Any) -> int:
            try:
                found.append(self._transition(pointer.contents, single))
            except BaseException as error:  # it cannot pass through C
                errors.append(error)
            return len(errors)

        with self._lock:
            self._check()
            function(self._worker, *arguments, _native.VISIT(visit), None)
        if errors:
            raise errors[0]
        return found

    def _transition(self, given: Any, single: bool) -> Transition:
        steps = [self._step(given.steps[i]) for i in range(given.step_count)]
        state = fault = None
        if given.state:
            state = State(self, ctypes.string_at(given.state, given.words * 4),
                          given.exclusive if single else -1)
        if given.fault:
            kind = _native.text(given.fault.contents.row.contents.name)
            fault = Fault(kind, _native.text(given.fault.contents.message))
        return Transition(tuple(steps), state, fault)

    def _actor(self, pid: int, edge: int) -> Optional[Actor]:
        facts = _native.EdgeFacts()
        if not self._library.gy_edge_info(self._system, edge, facts):
            return None
        process = _native.text(facts.process)
        return Actor("init" if process == ":init:" else process, pid,
                     " ".join(_native.text(facts.text).split()), _native.text(facts.file),
                     facts.line, edge=edge)

    def _step(self, step: Any) -> Step:
        actor = self._actor(step.pid, step.edge)
        if actor is None:
            text = _native.take(self._library.gy_step_text(self._worker, step))
            actor = Actor("", step.pid, text, "", 0)
        partner = self._actor(step.partner, step.partner_edge) if step.partner >= 0 else None
        return Step(actor.process, actor.pid, actor.text, actor.file, actor.line, edge=actor.edge,
                    partner=partner)


def _words(data: bytes) -> Tuple[Any, int]:
    length = len(data) // 4
    return (ctypes.c_uint32 * length).from_buffer_copy(data), length


@dataclass(frozen=True)
class Expression:
    """An expression of a model; State.value() and State.holds() take it."""

    text: str
    number: int


@dataclass(frozen=True)
class Transition:
    """The statements executed (one, or those of an atomic sequence) and the state that they lead
    to: None if something went wrong and left none. A failed assertion has both."""

    steps: Tuple[Step, ...]
    state: Optional[State]
    fault: Optional[Fault] = None

    def __str__(self) -> str:
        said = "; ".join(step.text for step in self.steps)
        return f"{said} -> {self.fault.message}" if self.fault else said


@dataclass(frozen=True)
class Channel:
    """A channel and the messages in it, the oldest first."""

    name: str
    capacity: int
    messages: Tuple[Tuple[Scalar, ...], ...]


@dataclass(frozen=True)
class Process:
    """A process in a state: where it is, its variables, and what it waits for if it is blocked."""

    process: str  # the name of its type
    pid: int
    file: str
    line: int
    column: int
    locals: Mapping[str, Value]
    can_move: bool
    may_rest: bool  # the system may stop while it is here
    waits: Optional[str] = None
    waits_for: Tuple[str, ...] = ()

    @property
    def who(self) -> str:
        """user(1)"""
        return f"{self.process}({self.pid})"

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> Process:
        """One of `processes` of a state in a report."""
        variables = {name: as_value(value) for name, value in item["locals"].items()}
        return cls(item["process"], item["pid"], item.get("file") or "", item.get("line") or 0,
                   item.get("column") or 0, MappingProxyType(variables), item["can_move"],
                   item["may_rest"], item.get("waits"), tuple(item.get("waits_for", ())))


class State(Mapping[str, Value]):
    """A state: a mapping from names to values.

    Names are those of global variables (x, t.f), of local ones with their process (user(1):x) and
    of channels (q, user(1):reply), whose value is the messages in them. Numbers are int, bool
    variables bool, mtype values and channels str, arrays tuples.

    Two states are equal, and have the same hash, if they are the same state of the same model."""

    __slots__ = ("model", "_data", "exclusive", "_told", "_names")

    def __init__(self, model: Model, data: bytes, exclusive: int = -1) -> None:
        self.model = model
        self._data = data
        self.exclusive = exclusive  # of single_steps(): the process that must go on alone, or -1
        self._told: Optional[Dict[str, Any]] = None
        self._names: Optional[Dict[str, Value]] = None

    # ---- what is next ----

    def successors(self) -> List[Transition]:
        """What can happen next. An atomic sequence is one transition."""
        return self.model._visit(self.model._library.gy_successors, *_words(self._data))

    def single_steps(self) -> List[Transition]:
        """The same one statement at a time: states inside atomic sequences are shown, too."""
        return self.model._visit(self.model._library.gy_single_steps, *_words(self._data),
                                 self.exclusive, single=True)

    # ---- what is true ----

    def value(self, expression: Union[str, Expression]) -> int:
        """The value of an expression (see Model.expression). Raises EvaluationError."""
        if isinstance(expression, str):
            expression = self.model.expression(expression)
        value = ctypes.c_int32()
        if not self._ask("gy_evaluate", expression.number, value):
            raise EvaluationError(f"{expression.text} has no value in this state")
        return value.value

    def holds(self, expression: Union[str, Expression]) -> bool:
        """Is the expression true? One without a value is not."""
        if isinstance(expression, str):
            expression = self.model.expression(expression)
        return bool(self._ask("gy_holds", expression.number))

    def _ask(self, function: str, *arguments: Any) -> Any:
        model = self.model
        with model._lock:
            model._check()
            return getattr(model._library, function)(model._worker, *_words(self._data), *arguments)

    # ---- what it consists of ----

    def _tell(self) -> Dict[str, Any]:
        if self._told is None:
            self._told = json.loads(_native.take(self._ask("gy_state_names", self.exclusive)))
        return self._told

    @property
    def globals(self) -> Mapping[str, Value]:
        """Global variables alone; one that holds a channel has its name."""
        found = self._tell().get("globals", {})
        return MappingProxyType({name: as_value(value) for name, value in found.items()})

    @property
    def channels(self) -> Mapping[str, Channel]:
        """All channels by name."""
        return MappingProxyType({
            item["name"]: Channel(item["name"], item["capacity"],
                                  tuple(tuple(message) for message in item["values"]))
            for item in self._tell().get("channels", ())})

    @property
    def processes(self) -> Tuple[Process, ...]:
        """The live processes, in the order of their pids."""
        return tuple(map(Process.from_json, self._tell().get("processes", ())))

    @property
    def ending(self) -> str:
        """"not-at-end": some process is enabled; "finished": all processes have ended; "end-state":
        every process is in a valid end state; "invalid-end-state": a deadlock."""
        return str(self._tell()["ending"])

    @property
    def is_deadlock(self) -> bool:
        """No process is enabled, and some process is not in a valid end state."""
        return self.ending == "invalid-end-state"

    @property
    def text(self) -> str:
        """The state for people, one variable to a line."""
        return _native.take(self._ask("gy_state_text"))

    def _all(self) -> Dict[str, Value]:
        if self._names is None:
            names: Dict[str, Value] = dict(self.globals)
            for process in self.processes:
                names.update((f"{process.who}:{name}", value)
                             for name, value in process.locals.items())
            names.update((name, channel.messages) for name, channel in self.channels.items())
            self._names = names
        return self._names

    def __getitem__(self, name: str) -> Value:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __bool__(self) -> bool:
        return True

    def __bytes__(self) -> bytes:
        """To be kept or sent: Model.state() makes a state of it again."""
        return self._data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (self._data == other._data and self.exclusive == other.exclusive
                and self.model is other.model)

    def __hash__(self) -> int:
        return hash((self._data, self.exclusive))

    def __repr__(self) -> str:
        return f"<gyre.State {', '.join(f'{name}={value!r}' for name, value in self.items())}>"
