"""The record of a learner's work, stored next to the workspaces and shared by all kernels."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from mwtutor.exceptions import BadInput
from mwtutor.exercises import workspaces
from mwtutor.run.record.store import Store
from mwtutor.run.record.validation import vouch
from mwtutor.system.files import read, set_aside, write_whole

_Entry = TypeVar("_Entry")

#: Seconds to wait while another notebook writes.
_PATIENCE = 5.0


@dataclass(frozen=True)
class Record:
    """The record of one exercise.

    Attributes:
        solved: whether a check judged it right.
        attempts: checks whose verdict was right or wrong.
        tries: the number of attempts up to the first right one; 0 if there was none.
        misconceptions: the one that each wrong verdict shows, the latest last; an empty text if it
            fits no known one.
        hints: how many hints were shown.
        solution: whether the solution was shown.
        opened: when it was opened, in seconds since the epoch; 0 if it was not, see
            :func:`mwtutor.exercises.open_exercise`.
        seconds: the time from then to the first right verdict; 0 if there was none.
    """

    solved: bool = False
    attempts: int = 0
    hints: int = 0
    solution: bool = False
    opened: float = 0.0
    seconds: float = 0.0
    tries: int = 0
    misconceptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Notes(Generic[_Entry]):
    """A file with one entry for each id.

    Attributes:
        name: the file's name.
        kind: the dataclass of an entry; its defaults mean that nothing is known.
    """

    name: str
    kind: Callable[..., _Entry]

    def all(self, home: Path | None = None) -> dict[str, _Entry]:
        """The entries, by id.

        Args:
            home: the directory of the notebooks; by default, that of this process.

        Raises:
            BadInput: the file cannot be read, or is damaged.
        """
        known, why = self._known(home)
        if why:
            raise BadInput(
                f"Your progress cannot be read: {self._file(home)} {why}.",
                "Correct the file or move it away; otherwise, mwtutor renames it when it stores the"
                " next entry.",
            )
        return known

    def note(self, key: str, change: Callable[[_Entry], _Entry]) -> tuple[_Entry, str]:
        """Change an entry. A damaged file is kept under another name.

        Returns:
            The new entry, and sentences on what could not be stored or read; empty if all could.
        """
        with contextlib.ExitStack() as held:
            try:
                # No run's name begins with this.
                held.enter_context(Store(workspaces.home()).claim(".progress", _PATIENCE))
                known, why = self._known()
                changed = change(known.get(key, self.kind()))
                said = self._set_aside(why) if why else ""
                write_whole(self._file(), _text({**known, key: changed}))
            except BadInput as error:
                return change(self.kind()), f"Your progress is not stored. {error}"
            except OSError as error:
                known, _ = self._known()
                changed = change(known.get(key, self.kind()))
                return changed, f"Your progress is not stored: {error.strerror}."
        return changed, said

    def _file(self, home: Path | None = None) -> Path:
        return Store(home or workspaces.home()).root / self.name

    def _known(self, home: Path | None = None) -> tuple[dict[str, _Entry], str]:
        """The readable entries, and a clause about the problem with the file, if there is one."""
        try:
            found = json.loads(read(self._file(home)))
        except FileNotFoundError:
            return {}, ""
        except OSError as error:
            return {}, f"cannot be read ({error.strerror})"
        except (ValueError, RecursionError):
            return {}, "is not JSON"
        entries = found.items() if isinstance(found, dict) else ()
        known = {key: made for key, data in entries if (made := self._entry(data)) is not None}
        whole = isinstance(found, dict) and len(known) == len(found)
        return known, "" if whole else "has entries that mwtutor did not write"

    def _set_aside(self, why: str) -> str:
        file = self._file()
        kept = set_aside(file)
        return (
            f"{file} {why}. It was renamed to {kept.name}; the entries that could be read are kept."
        )

    def _entry(self, data: Any) -> _Entry | None:
        """An entry, unless the file contains something else."""
        try:
            fields = {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in data.items()
            }
            made = self.kind(**fields)
            vouch(made)
        except (AttributeError, TypeError, ValueError):
            return None
        return made


#: The records of all exercises.
EXERCISES = Notes("progress.json", Record)


def _text(known: Mapping[str, Any]) -> bytes:
    made = {key: asdict(one) for key, one in sorted(known.items())}
    return json.dumps(made, indent=1).encode()
