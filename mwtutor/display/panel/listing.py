"""The runs of a directory as a table."""

from __future__ import annotations

import time
from collections.abc import Sequence
from html import escape

from mwtutor.display.words import lined_up
from mwtutor.markup import badge, panel, row, table
from mwtutor.run.run import Run
from mwtutor.sanitize import harmless

_HEADER = ("name", "state", "program", "tasks", "launched", "id")

#: The column that a narrow page leaves out.
_ID = _HEADER.index("id")

#: What is appended to a run's state if only its log is known.
_FOREIGN = " (read-only)"


class Listing:
    """The value of ``%mw_runs``.

    Args:
        hidden: whether there are other runs that this user may not read.
    """

    def __init__(self, runs: Sequence[Run], *, hidden: bool = False) -> None:
        self.rows = [_row(run) for run in runs]
        which = "that you may read" if hidden else "yet"
        self._none = f"There are no runs here {which}."

    def __repr__(self) -> str:
        if not self.rows:
            return self._none
        return "\n".join(lined_up([_HEADER, *self.rows]))

    def _repr_html_(self) -> str:
        if not self.rows:
            return panel(self._none)
        return panel(table(_HEADER, [_html(cells) for cells in self.rows], _ID))


def _html(cells: Sequence[str]) -> str:
    name, state, *rest = cells
    shown = badge(state, state.removesuffix(_FOREIGN))
    return row(escape(name), shown, *map(escape, rest), spare=_ID)


def _row(run: Run) -> tuple[str, ...]:
    spec = run.spec
    launched = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(spec.created))
    state = run.state.status
    if run.is_foreign and run.outcome is not None:
        state = f"{state}{_FOREIGN}"
    tasks = str(spec.request.size.tasks)
    cells = (spec.name, state, spec.program.title, tasks, launched, spec.id)
    return tuple(map(harmless, cells))
