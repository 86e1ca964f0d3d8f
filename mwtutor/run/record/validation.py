"""A run's ``run.json`` as found: anyone may have written or damaged it."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from mwtutor.cluster import TaskId
from mwtutor.exceptions import NoRun
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.request.option_kinds import Variables
from mwtutor.run.request.options import is_name
from mwtutor.system.files import open_file

#: Larger than any number in a ``run.json``: counts, pids, and start times, which are hundredths of
#: a second since the epoch where Linux's clock ticks are missing.
_TOO_MUCH = 1 << 40


def read_spec(directory: Path | str) -> RunSpec:
    """The run in a directory.

    Raises:
        NoRun: there is none, or no readable one.
    """
    try:
        spec = RunSpec.load(Path(directory))
        vouch(spec)
        # The run's names become parts of paths; see mwtutor.board.
        _demand(is_name(spec.name) and (not spec.id or is_name(spec.id, longest=200)))
        list(map(TaskId.parse, spec.task_env))
        list(map(Variables().fit, spec.task_env.values()))
        with contextlib.suppress(FileNotFoundError):  # the run has not begun
            open_file(spec.events).close()
    except (FileNotFoundError, NotADirectoryError):
        raise NoRun(f"There is no run in {directory}.", "Look at @mw_runs.") from None
    except OSError as error:
        raise NoRun(
            f"The run in {directory} cannot be read: {error.strerror}.",
            "Ask its owner for access, or remove the directory if it is yours.",
        ) from None
    except Exception:  # the file may contain anything, and decoding it may raise anything
        raise NoRun(
            f"The run.json in {directory} is damaged, or was written by another version of"
            " mwtutor.",
            "Look at the run with the version that wrote it, or remove the directory.",
        ) from None
    return spec


def vouch(made: Any) -> None:
    """Raise :class:`ValueError` unless every field of a dataclass matches its annotation."""
    # Python 3.10 rejects the marker KW_ONLY among the hints; no value has this type.
    hints = get_type_hints(type(made), localns={"KW_ONLY": object})
    for field in dataclasses.fields(made):
        _check(getattr(made, field.name), hints[field.name])


def _check(value: Any, kind: Any) -> None:
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return
    if origin in (Union, types.UnionType):
        _demand(any(_is(value, one) for one in inner))
    elif origin is Literal:
        _demand(any(value is one or (type(value) is str and value == one) for one in inner))
    elif origin is Sequence:
        _demand(isinstance(value, tuple))
        for one in value:
            _check(one, inner[0])
    elif origin is tuple:
        _demand(isinstance(value, tuple))
        kinds = [inner[0]] * len(value) if inner[1:] == (...,) else inner
        for one, its_kind in zip(value, kinds, strict=True):
            _check(one, its_kind)
    elif origin is not None:
        _demand(isinstance(value, Mapping) and len(inner) == 2)
        for key, one in value.items():
            _check(key, inner[0])
            _check(one, inner[1])
    elif dataclasses.is_dataclass(kind):
        _demand(isinstance(value, kind))  # type: ignore[arg-type]
        vouch(value)
    else:
        _check_plain(value, kind)


def _is(value: Any, kind: Any) -> bool:
    try:
        _check(value, kind)
    except ValueError:
        return False
    return True


def _check_plain(value: Any, kind: Any) -> None:
    if kind is float:
        kind = (int, float)
    _demand(isinstance(value, kind) and isinstance(value, bool) == (kind is bool))
    if isinstance(value, str):
        os.fsencode(value)  # the text may be part of a path
        _demand("\0" not in value)
    elif isinstance(value, (int, float)):
        _demand(0 <= value < _TOO_MUCH)


def _demand(holds: bool) -> None:
    if not holds:
        raise ValueError("not what its annotation says")
