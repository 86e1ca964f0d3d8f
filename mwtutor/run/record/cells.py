"""The activity of a session's tasks, cell by cell, as far as the log shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mwtutor.run.record.events import Executing, Idle

#: The status of a session whose collectives no longer work.
BROKEN = "collectives broken"


@dataclass(frozen=True)
class Cells:
    """Whether one task, or the session as a whole, executes a cell or waits for one.

    Attributes:
        since: when that activity began (seconds since the epoch).
        executing: whether it executes a cell; otherwise it waits for one.
        number: the number of that cell in its notebook; 0 if unknown.
        background: whether the notebook is free in the meantime.
        lost: why collectives no longer work, in TensorFlow's words; empty if they work.
        released: whether mwtutor has released a task from a collective that other tasks did not
            join.
    """

    since: float
    executing: bool = False
    number: int = 0
    background: bool = False
    lost: str = ""
    released: bool = False

    @property
    def status(self) -> str:
        if self.lost:
            return BROKEN
        return "executing" if self.executing else "idle"

    @property
    def words(self) -> str:
        """The activity, in words for a table."""
        return f"executing {self.cell}" if self.executing else "idle"

    @property
    def cell(self) -> str:
        """The cell that is being executed, in words."""
        name = f"cell {self.number}" if self.number else "a cell"
        return f"{name} in the background" if self.background else name


def next_cells(cells: Cells | None, event: Executing | Idle) -> Cells:
    """The task's activity after an event; lost collectives stay lost."""
    before = cells or Cells(event.t)
    if isinstance(event, Executing):
        return Cells(event.t, True, event.cell, event.background, before.lost, before.released)
    released = event.released or before.released
    return Cells(event.t, lost=event.lost or before.lost, released=released)


def merge(tasks: Iterable[Cells | None]) -> Cells | None:
    """A session's activity: executing as long as any task is, broken as soon as any task is."""
    known = [cells for cells in tasks if cells is not None]
    if not known:
        return None
    lost = next((cells.lost for cells in known if cells.lost), "")
    released = any(cells.released for cells in known)
    busy = [cells for cells in known if cells.executing]
    shown = min(busy, key=lambda cells: cells.since) if busy else max(known, key=lambda c: c.since)
    return replace(shown, lost=lost, released=released)
