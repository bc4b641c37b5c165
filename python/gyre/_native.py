"""The shared library: finding it, and the functions and structures that this package uses."""
from __future__ import annotations

import ctypes
import functools
import os
from ctypes import POINTER, Structure, c_bool, c_char_p, c_int, c_int32, c_size_t, c_uint32, c_uint64
from ctypes import c_void_p
from pathlib import Path
from typing import Any, List, Optional, Tuple

from .errors import LibraryError

SONAME = "libgyre.so.1"


class LoadOptions(Structure):
    """gy_load_options"""

    _fields_ = [("defines", POINTER(c_char_p)), ("include_dirs", POINTER(c_char_p)),
                ("lossy", c_bool), ("unchecked_exclusive", c_bool), ("no_c", c_bool)]


class StepStruct(Structure):
    """gy_step"""

    _fields_ = [("pid", c_int32), ("edge", c_int32), ("partner", c_int32),
                ("partner_edge", c_int32), ("choice", c_uint32), ("partner_choice", c_uint32)]


class FaultRowStruct(Structure):
    """gy_fault_row"""

    _fields_ = [("name", c_char_p), ("rule", c_char_p), ("brief", c_char_p), ("help", c_char_p), ("traits", c_uint32)]


class FaultStruct(Structure):
    """gy_fault"""

    _fields_ = [("kind", c_uint32), ("pid", c_int32), ("edge", c_int32), ("message", c_char_p),
                ("row", POINTER(FaultRowStruct))]


class TransitionStruct(Structure):
    """gy_transition"""

    _fields_ = [("state", c_void_p), ("words", c_uint32), ("steps", POINTER(StepStruct)),
                ("step_count", c_uint32), ("fault", POINTER(FaultStruct)), ("exclusive", c_int32),
                ("written", c_uint64)]


class EdgeFacts(Structure):
    """gy_edge_facts"""

    _fields_ = [("process", c_char_p), ("file", c_char_p), ("line", c_uint32), ("text", c_char_p),
                ("from_", c_int32), ("to", c_int32), ("keeps_atomic", c_bool)]


VISIT = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(TransitionStruct))
STATE = (c_void_p, c_void_p, c_uint32)  # worker, words, how many

FUNCTIONS: Tuple[Tuple[Any, ...], ...] = (  # name, result, arguments
    ("gy_free", None, c_void_p),
    ("gy_load", c_void_p, c_char_p, POINTER(LoadOptions), POINTER(c_void_p)),
    ("gy_load_text", c_void_p, c_char_p, c_char_p, c_size_t, POINTER(LoadOptions),
     POINTER(c_void_p)),
    ("gy_system_free", None, c_void_p),
    ("gy_system_name", c_char_p, c_void_p),
    ("gy_worker_new", c_void_p, c_void_p),
    ("gy_worker_free", None, c_void_p),
    ("gy_initial", c_int, c_void_p, VISIT, c_void_p),
    ("gy_successors", c_int, *STATE, VISIT, c_void_p),
    ("gy_single_steps", c_int, *STATE, c_int32, VISIT, c_void_p),
    ("gy_is_state", c_bool, *STATE),
    ("gy_predicate", c_int, c_void_p, c_char_p, POINTER(c_void_p)),
    ("gy_holds", c_bool, *STATE, c_int),
    ("gy_evaluate", c_bool, *STATE, c_int, POINTER(c_int32)),
    ("gy_state_text", c_void_p, *STATE),
    ("gy_state_names", c_void_p, *STATE, c_int32),
    ("gy_step_text", c_void_p, c_void_p, POINTER(StepStruct)),
    ("gy_edge_info", c_bool, c_void_p, c_int32, POINTER(EdgeFacts)),
    ("gy_request_new", c_void_p),
    ("gy_request_free", None, c_void_p),
    ("gy_request_file", None, c_void_p, c_char_p),
    ("gy_request_text", None, c_void_p, c_char_p, c_char_p, c_size_t),
    ("gy_request_set", c_bool, c_void_p, c_char_p, c_char_p, POINTER(c_void_p)),
    ("gy_request_stop", None, c_void_p),
    ("gy_verify", c_void_p, c_void_p),
    ("gy_outcome_free", None, c_void_p),
    ("gy_outcome_render", c_void_p, c_void_p, c_char_p),
)


def candidates() -> List[str]:
    """Names to try, in this order: GYRE_LIBRARY alone if it is set."""
    named = os.environ.get("GYRE_LIBRARY")
    if named:
        return [named]
    here = Path(__file__).resolve().parent
    # In the source tree: python/gyre, build. Installed: lib/python3/dist-packages/gyre, lib.
    beside = [here.parent.parent / "build" / SONAME, here.parent.parent.parent / SONAME]
    return [*(str(path) for path in beside if path.exists()), SONAME]


@functools.lru_cache(maxsize=None)
def library() -> Any:
    """The library, loaded once in a process and ready to be called."""
    problem: Optional[OSError] = None
    for name in candidates():
        try:
            found = ctypes.CDLL(name)
        except OSError as error:
            problem = problem or error
            continue
        for function, result, *arguments in FUNCTIONS:
            try:
                entry = getattr(found, function)
            except AttributeError:
                raise LibraryError(f"{name} is not Gyre's, or too old: it has no {function}") from None
            entry.restype, entry.argtypes = result, arguments
        return found
    raise LibraryError(f"cannot load {SONAME} ({problem}): set GYRE_LIBRARY to its path")


def take(pointer: Optional[int]) -> str:
    """A string that the library has made, as Python's own; "" for NULL."""
    if not pointer:
        return ""
    value = ctypes.string_at(pointer)
    library().gy_free(pointer)
    return value.decode("utf-8", errors="replace")


def text(value: Optional[bytes]) -> str:
    """A string that belongs to the library."""
    return (value or b"").decode("utf-8", errors="replace")


def strings(values: List[str]) -> Any:
    """A NULL-terminated array."""
    return (c_char_p * (len(values) + 1))(*(os.fsencode(value) for value in values), None)
