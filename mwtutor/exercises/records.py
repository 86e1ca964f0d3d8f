"""A learner's record so far, stored next to the workspaces for every kernel."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mwtutor.exceptions import BadInput
from mwtutor.exercises import workspaces
from mwtutor.run.record.store import Store
from mwtutor.run.record.validation import vouch
from mwtutor.system.files import read, set_aside, write_whole

#: Seconds to wait until another notebook has written.
_PATIENCE = 5.0


@dataclass(frozen=True)
class Record:
    """What is known about one exercise.

    Attributes:
        solved: whether a check has judged it right.
        attempts: checks whose verdict was right or wrong.
        hints: how many were shown.
        solution: whether the solution was shown.
    """

    solved: bool = False
    attempts: int = 0
    hints: int = 0
    solution: bool = False


def records() -> dict[str, Record]:
    """The records of this directory's exercises, by id.

    Raises:
        BadInput: the file cannot be read, or is damaged.
    """
    known, why = _known()
    if why:
        raise BadInput(
            f"Your progress cannot be read: {_file()} {why}.",
            "Correct the file or move it away; the next %mw_check or %mw_hint keeps a damaged one"
            " under another name.",
        )
    return known


def note(exercise: str, change: Callable[[Record], Record]) -> tuple[Record, str]:
    """Change the record of an exercise. A damaged file is kept under another name.

    Returns:
        The new record, and sentences on what could not be stored or read; empty if all could.
    """
    with contextlib.ExitStack() as held:
        try:
            # No run's name begins with this.
            held.enter_context(Store(workspaces.home()).claim(".progress", _PATIENCE))
            known, why = _known()
            changed = change(known.get(exercise, Record()))
            said = _set_aside(why) if why else ""
            write_whole(_file(), _text({**known, exercise: changed}))
        except BadInput as error:
            return change(Record()), f"Your progress is not kept. {error}"
        except OSError as error:
            known, _ = _known()
            changed = change(known.get(exercise, Record()))
            return changed, f"Your progress is not kept: {error.strerror}."
    return changed, said


def _file() -> Path:
    return Store(workspaces.home()).root / "progress.json"


def _known() -> tuple[dict[str, Record], str]:
    """The readable records, and what is wrong with the file, as a clause; empty if nothing is."""
    try:
        found = json.loads(read(_file()))
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, f"cannot be read ({error.strerror})"
    except (ValueError, RecursionError):
        return {}, "is not JSON"
    entries = found.items() if isinstance(found, dict) else ()
    known = {name: made for name, data in entries if (made := _record(data)) is not None}
    whole = isinstance(found, dict) and len(known) == len(found)
    return known, "" if whole else "does not hold what mwtutor writes"


def _set_aside(why: str) -> str:
    kept = set_aside(_file())
    return f"{_file()} {why}. It is now {kept.name}; your progress begins with what was legible."


def _text(known: Mapping[str, Record]) -> bytes:
    made = {name: asdict(one) for name, one in sorted(known.items())}
    return json.dumps(made, indent=1).encode()


def _record(data: Any) -> Record | None:
    """A record, unless the file contains something else."""
    try:
        record = Record(**data)
        vouch(record)
    except (TypeError, ValueError):
        return None
    return record
