"""The runs of a directory as a table."""

from __future__ import annotations

import time
from collections.abc import Sequence
from html import escape

from mwtutor.run.run import Run
from mwtutor.sanitize import harmless

_HEADER = ("name", "state", "program", "tasks", "launched", "id")


class Listing:
    """What ``%mw_runs`` returns."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.rows = [_row(run) for run in runs]

    def __repr__(self) -> str:
        if not self.rows:
            return "No runs here yet."
        table = [_HEADER, *self.rows]
        widths = [max(len(row[i]) for row in table) for i in range(len(_HEADER))]
        return "\n".join(
            "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in table
        )

    def _repr_html_(self) -> str:
        if not self.rows:
            return "<div>No runs here yet.</div>"
        head = "".join(f"<th>{name}</th>" for name in _HEADER)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(run: Run) -> tuple[str, ...]:
    spec = run.spec
    launched = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(spec.created))
    state = run.state.status
    if run.is_foreign and run.outcome is not None:
        state = f"{state} (foreign)"
    tasks = str(spec.request.size.tasks)
    cells = (spec.name, state, spec.program.title, tasks, launched, spec.id)
    return tuple(map(harmless, cells))
