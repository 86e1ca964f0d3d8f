"""A run as HTML, for notebooks. Everything that comes from outside is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mwtutor.display.status import Report, Row
from mwtutor.markup import badge, css_class, panel, row, table


def render(report: Report) -> str:
    """The whole report, one element."""
    facts = " · ".join(map(escape, report.facts))
    parts = [
        f"<div><b>{escape(report.name)}</b> {badge(report.state)} "
        f'<span class="mw-faint">{facts}</span></div>',
        _tasks(report),
    ]
    parts += [f"<div>{escape(line)}</div>" for line in report.attempts]
    if report.problem:
        parts.append(
            f'<div class="{css_class(report.state)}"><b>{escape(report.problem)}</b></div>'
        )
    if report.evidence:
        text = escape("\n".join(report.evidence))
        parts.append(f"<pre>{text}</pre>")
    parts += [f'<div class="mw-faint">{escape(hint)}</div>' for hint in report.hints]
    return panel(*parts)


def _tasks(report: Report) -> str:
    if not report.rows:
        return ""
    last = len(report.header) - 1  # the remark: below its task, however long it is
    used = [i for i in range(last) if any(task.cells[i] for task in report.rows)]
    header = [report.header[i] for i in used]
    return table(header, [_task(task, used) for task in report.rows])


def _task(task: Row, used: Sequence[int]) -> str:
    head, *cells = (
        badge(task.cells[i], task.state) if i == 1 else escape(task.cells[i]) for i in used
    )
    return row(head, *cells, message=task.cells[-1])
