"""Where a model comes from, and how it is to be read."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Iterable, Mapping, Optional, Tuple, Union

Path = Union[str, "os.PathLike[str]"]
Defines = Union[Mapping[str, object], Iterable[str]]


def _as_words(defines: Defines) -> Tuple[str, ...]:
    """NAME for None and True, NAME=VALUE for others; what is False is not defined."""
    if isinstance(defines, str):
        raise TypeError("defines: a mapping, or a list of NAME and NAME=VALUE")
    if not isinstance(defines, Mapping):
        return tuple(defines)
    return tuple(name if value is None or value is True else f"{name}={value}"
                 for name, value in defines.items() if value is not False)


@dataclass(frozen=True)
class Source:
    """A file, or a string with a name for it in messages."""

    name: str
    text: Optional[str] = None      # None: it is in the file of that name
    defines: Tuple[str, ...] = ()   # NAME or NAME=VALUE
    include: Tuple[str, ...] = ()   # directories
    lossy: bool = False             # a send to a full channel succeeds and the message is lost
    no_c: bool = False              # refuse embedded C, and shared objects
    check_exclusive: bool = True    # `xr` and `xs` must be kept

    @classmethod
    def of(cls, name: Path, text: Optional[str] = None, *, defines: Defines = (),
           include: Iterable[Path] = (), lossy: bool = False, no_c: bool = False,
           check_exclusive: bool = True) -> Source:
        """The same from what people write: defines as a mapping, paths of any kind."""
        return cls(os.fspath(name), text, _as_words(defines),
                   tuple(os.fspath(folder) for folder in include), lossy, no_c, check_exclusive)
