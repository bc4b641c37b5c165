"""What can go wrong, as exceptions that say where."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Optional

if TYPE_CHECKING:
    from .verification import Verification

HEADLINE = re.compile(r"(?:(?P<file>\S.*?):(?P<line>\d+):(?P<column>\d+): |(?P<name>\S.*?): )?"
                      r"(?P<severity>error|warning|note): (?P<message>.*)")


@dataclass(frozen=True)
class Diagnostic:
    """An error, a warning or a note. `line` and `column` (in bytes) begin at 1; 0: not known."""

    severity: str
    message: str
    file: Optional[str] = None
    line: int = 0
    column: int = 0
    hint: Optional[str] = None
    code: Optional[str] = None  # a word for programs, where there is one
    excerpt: str = ""           # source lines with carets, and how the text got there

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file and self.line else ""
        hint = f" (hint: {self.hint})" if self.hint else ""
        return f"{place}{self.severity}: {self.message}{hint}"

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> Diagnostic:
        """One of `diagnostics` in a report."""
        return cls(item["severity"], item["message"], item.get("file"), item.get("line", 0),
                   item.get("column", 0), item.get("hint"), item.get("code"))

    @classmethod
    def parse(cls, text: str) -> List[Diagnostic]:
        """Those in a text of the form that gyre.h describes at gy_load."""
        found: List[Diagnostic] = []
        block: List[str] = []
        for line in text.splitlines() + [""]:
            if block and not line.startswith(" "):
                found.append(cls._of_block(block))
                block = []
            if line.strip():
                block.append(line)
        return found

    @classmethod
    def _of_block(cls, lines: List[str]) -> Diagnostic:
        head, rest = HEADLINE.fullmatch(lines[0]), lines[1:]
        if head is None:
            return cls("error", lines[0], excerpt="\n".join(rest))
        hints = [line.strip()[len("hint: "):] for line in rest if line.strip().startswith("hint: ")]
        about = [line for line in rest if not line.strip().startswith("hint: ")]
        return cls(head["severity"], head["message"], head["file"] or head["name"],
                   int(head["line"] or 0), int(head["column"] or 0), hints[0] if hints else None,
                   excerpt="\n".join(about))


class GyreError(Exception):
    """What all errors of this package have in common."""


class LibraryError(GyreError, OSError):
    """The library is missing, or it is too old."""


class ModelError(GyreError):
    """A model, formula or expression is wrong: `diagnostics` says where and why."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        self.errors = tuple(each for each in self.diagnostics if each.severity == "error")
        super().__init__("\n".join(map(str, self.errors or self.diagnostics)) or "cannot be used")

    @property
    def line(self) -> int:
        """Of the first error; 0: not known."""
        return self.errors[0].line if self.errors else 0

    @property
    def column(self) -> int:
        """Of the first error; 0: not known."""
        return self.errors[0].column if self.errors else 0

    @property
    def hint(self) -> Optional[str]:
        """What could help, where the first error has such a hint."""
        return self.errors[0].hint if self.errors else None


class OptionError(GyreError, ValueError):
    """The option is unknown, or it cannot have this value."""


class EvaluationError(GyreError, ArithmeticError):
    """An expression that has no value in a state: a division by zero, an index out of bounds."""


class ReplayError(GyreError):
    """A counterexample that this model cannot follow."""


class TooManyStates(GyreError):
    """There are more states than was allowed for."""


class _Unmet(GyreError, AssertionError):
    def __init__(self, verification: Verification) -> None:
        self.verification = verification
        super().__init__(verification.render("text").rstrip())


class Violation(_Unmet):
    """A property is violated. Also an AssertionError: test runners show its report."""


class Inconclusive(_Unmet):
    """A search has ended before there was a verdict. Also an AssertionError."""
