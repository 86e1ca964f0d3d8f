"""Open an exercise whose stub is a whole program, such as a broken cluster."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

from mwtutor.exceptions import BadInput, message_of
from mwtutor.exercises import catalogue, workspaces
from mwtutor.exercises.exercise import Exercise
from mwtutor.exercises.notebooks import notebook_of
from mwtutor.exercises.records import EXERCISES, Record
from mwtutor.exercises.sources import read


@dataclass(frozen=True)
class Opened:
    """An exercise whose program is in the workspace.

    Attributes:
        file: the program.
        program: its text.
        is_new: whether this call wrote the stub and started the clock.
        note: why the time could not be recorded, as a sentence; empty if it was.
    """

    exercise: Exercise
    file: Path
    program: str
    is_new: bool
    note: str = ""


def open_exercise(exercise: str, *, new: bool = False) -> Opened:
    """Write the program of an exercise into the workspace, and record the time.

    An existing program and its recorded time are kept; its repair is timed from then.

    Args:
        new: replace the program, and restart the clock.

    Raises:
        BadInput: there is no such exercise, it is not a program, or it cannot be written.
    """
    wanted = catalogue.find(exercise)
    if not wanted.launch:
        raise BadInput(
            f"Exercise {wanted.id} is a cell of its notebook, not a program to open.",
            f"Open {notebook_of(wanted.id) or 'its notebook'}.",
        )
    stub = read(wanted.stub)
    file = workspaces.folder() / stub.file
    try:
        if file.exists() and not new:
            return Opened(wanted, file, file.read_text(), is_new=False)
        program = stub.body.rstrip("\n") + "\n"
        file.write_text(program)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{file} cannot be read or written: {message_of(error)}.",
            "Make it readable and its folder writable, or delete it.",
        ) from None
    now = time.time()
    _, lost = EXERCISES.note(wanted.id, lambda known: _started(known, now, new))
    return Opened(wanted, file, program, is_new=True, note=lost)


def _started(known: Record, now: float, new: bool) -> Record:
    if new or not known.solved:
        return replace(known, opened=now, seconds=0.0)
    return known
