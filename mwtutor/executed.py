"""The cells that a shell has executed: what a check compares its evidence with."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

#: Characters of an error that are kept.
_LONGEST = 200


@dataclass(frozen=True)
class ExecutedCell:
    """One execution of a cell.

    Attributes:
        source: its text, with its magics.
        at: when it ended, in seconds since the epoch.
        place: the id of the notebook's cell; empty if the front end does not say.
        error: what it raised; empty if it succeeded.
    """

    source: str
    at: float
    place: str = ""
    error: str = ""


class Executed(list[ExecutedCell]):
    """Those of this process's shell, the latest at the end."""

    def note(self, result: Any) -> None:
        """Note a cell that has ended; IPython calls this with the cell's result."""
        info = getattr(result, "info", None)
        source = getattr(info, "raw_cell", None)
        if isinstance(source, str) and source.strip():
            error = result.error_before_exec or result.error_in_exec
            place = getattr(info, "cell_id", None) or ""
            self.append(ExecutedCell(source, time.time(), str(place), _sentence(error)))


def _sentence(error: BaseException | None) -> str:
    if error is None:
        return ""
    try:
        return f"{type(error).__name__}: {error}"[:_LONGEST].rstrip(": ")
    except Exception:  # an exception of the learner's may fail to describe itself
        return type(error).__name__
