"""Executed statements: who moved, where, which statement, and what it did."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Tuple, Union

Scalar = Union[int, bool, str]  # a name (of an mtype, of a channel) is a str
Value = Union[Scalar, Tuple[Any, ...]]  # an array, or the messages of a channel


def as_value(item: Any) -> Value:
    """What JSON has as a list is a tuple here."""
    return tuple(map(as_value, item)) if isinstance(item, list) else item


@dataclass(frozen=True)
class Actor:
    """A process and a statement of it. `line` and `column` begin at 1; 0: not known."""

    process: str  # the name of its type; "" in a system without processes
    pid: int
    text: str
    file: str
    line: int
    column: int = 0
    edge: int = field(default=-1, compare=False, repr=False)  # its id in `gyre info --json`

    @property
    def who(self) -> str:
        """user(1)"""
        return f"{self.process}({self.pid})"

    @property
    def place(self) -> str:
        """model.pml:12"""
        return f"{self.file}:{self.line}" if self.line else self.file

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> Actor:
        """Of a step, or of its partner, in a report."""
        return cls(item.get("process") or "", item["pid"], item["text"], item.get("file") or "",
                   item.get("line") or 0, item.get("column") or 0, item.get("edge", -1))


@dataclass(frozen=True)
class Fault:
    """What went wrong: `kind` is a word such as "assertion" or "index-out-of-bounds"."""

    kind: str
    message: str


@dataclass(frozen=True)
class Change:
    """A variable or channel and its values before and after; or an event: a process that "starts"
    or "ends", a channel that was "created", "removed" or "renamed"."""

    name: str
    old: Optional[Value] = None
    new: Optional[Value] = None
    event: Optional[str] = None

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> Change:
        """One of `changes` in a report."""
        old = item.get("old_messages", item.get("old"))
        new = item.get("new_messages", item.get("new"))
        return cls(item["name"], as_value(old), as_value(new), item.get("event"))


@dataclass(frozen=True)
class Message:
    """What a step sent ("send"), received ("receive") or both ("rendezvous")."""

    kind: str
    channel: str
    fields: Tuple[Scalar, ...]


@dataclass(frozen=True)
class Step(Actor):
    """One executed statement, or two that are a rendezvous: then `partner` is the receiver.

    `changes`, `message`, `output` and `atomic` are those of counterexamples only."""

    partner: Optional[Actor] = None
    fault: Optional[Fault] = None
    changes: Tuple[Change, ...] = ()
    message: Optional[Message] = None
    output: Tuple[str, ...] = ()  # what printf and printm wrote
    atomic: bool = False          # the process must go on alone after it

    def __str__(self) -> str:
        return f"{self.who}  {self.place}: {self.text}" if self.process else self.text

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> Step:
        """One of `steps` in a report."""
        actor = Actor.from_json(item)
        moved, fault = item.get("message"), item.get("fault")
        return cls(
            actor.process, actor.pid, actor.text, actor.file, actor.line, actor.column,
            actor.edge, Actor.from_json(item["partner"]) if item.get("partner") else None,
            Fault(fault["kind"], fault["message"]) if fault else None,
            tuple(map(Change.from_json, item.get("changes", ()))),
            Message(moved["kind"], moved["channel"], tuple(moved["fields"])) if moved else None,
            tuple(item.get("output", ())), bool(item.get("atomic", False)))
