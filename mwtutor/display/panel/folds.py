"""A fold per task and the commands below a live panel, where ipywidgets is not installed.

Redrawing the panel would close folds in it. So the folds are a separate output that is not redrawn.
Unfolding one shows a part of the panel, because a style sheet links the two.
"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Sequence
from html import escape
from typing import Any, Protocol

from mwtutor.cluster import TASK_TYPES
from mwtutor.display.panel.report import Report, Row
from mwtutor.display.panel.tails import Tails
from mwtutor.exceptions import NoRun
from mwtutor.markup import panel
from mwtutor.run.run import Run

#: Maximum number of tasks whose logs can be shown.
_TASKS = 16


class Below(Protocol):
    """The output below a live panel."""

    def bundle(self, *, ended: bool = False) -> dict[str, Any]:
        """The content to display, by MIME type.

        Args:
            ended: whether the run has ended, so there is no command to type.
        """

    def update(self, report: Report, made: float = 0.0) -> None:
        """Show the run's state.

        Args:
            made: when the panel above was made (seconds since the epoch).
        """

    def inside(self) -> str:
        """HTML to add to the panel."""


class Folds:
    """The end of each task's log, and the commands to type."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._id = f"mw-{uuid.uuid4().hex}"
        self._rows: list[Row] = []
        self._tails = Tails(run)

    def update(self, report: Report, made: float = 0.0) -> None:
        self._rows = [] if report.ended else chosen(report.table.rows)

    def bundle(self, *, ended: bool = False) -> dict[str, Any]:
        if ended:
            return {"text/plain": "", "text/html": ""}
        words = commands(self._run.name)
        folds = (
            f'<details class="{self._id}-{place}"><summary>{row.task}: the end of its log, above'
            "</summary></details>"
            for place, row in enumerate(self._rows)
        )
        shown = panel(f'<div class="mw-faint">{escape(words)}</div>', *folds)
        return {"text/plain": words, "text/html": shown}

    def inside(self) -> str:
        return "".join(self._log(place, row) for place, row in enumerate(self._rows))

    def _log(self, place: int, row: Row) -> str:
        text = ""
        with contextlib.suppress(OSError, NoRun):  # the log is gone or unreadable
            text = self._tails.read(row.task).text
        name = f"{self._id}-{place}"
        return (
            f"<style>body:has(.{name}[open]) .{name}-log{{display:block!important}}</style>"
            f'<div class="{name}-log" data-mw-log="{row.task}" hidden><b>{row.task}</b>'
            f'<pre class="mw-log">{escape(text) or "(it printed nothing)"}</pre></div>'
        )


def commands(name: str) -> str:
    """The commands to type about a run."""
    kind = name.partition(":")[0]
    named = f"--name {name}" if kind in TASK_TYPES else name  # chief alone would be a task
    return f"%mw_stop {name} · %mw_logs {named} · %mw_stacks {named}"


def chosen(rows: Sequence[Row]) -> list[Row]:
    """The tasks whose logs can be shown: the first ones, and always a failed one."""
    failed = [row for row in rows if row.state == "failed"]
    kept = [*failed, *(row for row in rows if row not in failed)][:_TASKS]
    return [row for row in rows if row in kept]
