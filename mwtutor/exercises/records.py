"""What a learner has done so far: kept beside the workspaces, for every kernel."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from mwtutor.exceptions import BadInput
from mwtutor.exercises import workspaces
from mwtutor.run.store import Store
from mwtutor.system.files import write_whole


@dataclass(frozen=True)
class Record:
    """What is known of one exercise.

    Attributes:
        solved: whether a check has found it right.
        attempts: checks that have found something, right or wrong.
        hints: how many were shown.
        solution: whether the solution was shown.
    """

    solved: bool = False
    attempts: int = 0
    hints: int = 0
    solution: bool = False


def records() -> dict[str, Record]:
    """Those of this directory's exercises, by id. What cannot be read counts as not done."""
    try:
        found = json.loads(_file().read_text())
    except (OSError, ValueError):
        return {}
    return {
        str(name): _record(data)
        for name, data in (found.items() if isinstance(found, dict) else ())
        if isinstance(data, dict)
    }


def note(exercise: str, change: Callable[[Record], Record]) -> tuple[Record, str]:
    """Change what is known of an exercise.

    Returns:
        What is known now, and why it could not be kept, as a sentence; empty if it was.
    """
    why = ""
    with contextlib.ExitStack() as held:
        try:
            # No run's name begins like that.
            held.enter_context(Store(workspaces.home()).claim(".progress"))
        except BadInput:
            why = "Your progress is not kept: this directory cannot be written."
        known = records()
        known[exercise] = change(known.get(exercise, Record()))
        if not why:
            why = _save(known)
    return known[exercise], why


def _file() -> Any:
    return Store(workspaces.home()).root / "progress.json"


def _save(known: Mapping[str, Record]) -> str:
    text = json.dumps({name: asdict(one) for name, one in sorted(known.items())}, indent=1)
    try:
        write_whole(_file(), text.encode())
    except OSError as error:
        return f"Your progress is not kept: {error.strerror}."
    return ""


def _record(data: Mapping[str, Any]) -> Record:
    """A record, whatever somebody may have written into the file."""
    fields = {
        name: data[name]
        for name, default in asdict(Record()).items()
        if isinstance(data.get(name), type(default))
    }
    return replace(Record(), **fields)
