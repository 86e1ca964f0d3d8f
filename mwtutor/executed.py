"""The cells that a shell has executed; checks compare evidence with them."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from typing import Any

from mwtutor.exceptions import MwtutorError

#: Characters of an error that are kept.
_LONGEST = 200


def in_cells() -> bool:
    """Whether this process executes cells, not a program."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and ipython.get_ipython() is not None


@dataclass(frozen=True)
class ExecutedCell:
    """One execution of a cell.

    Attributes:
        source: its text, with its magics.
        at: when it began, in seconds since the epoch.
        place: the id of the notebook's cell; empty if the front end does not say.
        error: the exception that it raised; empty if it succeeded or is running.
    """

    source: str
    at: float
    place: str = ""
    error: str = ""


class Executed(list[ExecutedCell]):
    """The cells that this process's shell has executed or is executing, the latest last."""

    def __init__(self) -> None:
        super().__init__()
        self._running: list[tuple[Any, int]] = []

    def begin(self, info: Any) -> None:
        """Record a cell that is about to run; IPython calls this with its text."""
        source = getattr(info, "raw_cell", None)
        if isinstance(source, str) and source.strip():
            self._running.append((info, len(self)))
            place = str(getattr(info, "cell_id", None) or "")
            self.append(ExecutedCell(source, time.time(), place))

    def end(self, result: Any) -> None:
        """Record how a cell ended; IPython calls this with its result."""
        info = getattr(result, "info", None)
        if not any(one is info for one, _ in self._running):
            self.begin(info)  # the cell that loaded the extension
        while self._running:
            one, at = self._running.pop()
            if one is info:
                error = _sentence(result.error_before_exec or result.error_in_exec)
                self[at] = replace(self[at], error=error)
                return


def _sentence(error: BaseException | None) -> str:
    if error is None:
        return ""
    if isinstance(error, MwtutorError):
        return error.problem[:_LONGEST]
    try:
        return f"{type(error).__name__}: {error}"[:_LONGEST].rstrip(": ")
    except Exception:  # a learner's exception may raise in ``__str__``
        return type(error).__name__
