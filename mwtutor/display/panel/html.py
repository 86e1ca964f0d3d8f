"""A run as HTML, for notebooks. All untrusted text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mwtutor import markup
from mwtutor.display.panel.report import Bar, Fold, Report, Row
from mwtutor.display.panel.training import curve_words, scale
from mwtutor.markup import badge, css_class, panel, row, table


def render(report: Report, *, made: float = 0.0, live: bool = False, inside: str = "") -> str:
    """The whole report, as one element.

    Args:
        made: when it was made (seconds since the epoch); 0 if the page shows the time elsewhere.
        live: whether later reports will replace it until the run ends.
        inside: HTML to add at its end.
    """
    facts = " · ".join(map(escape, report.facts))
    parts = [
        f"<div><b>{escape(report.name)}</b> {badge(report.state)} "
        f'<span class="mw-faint">{facts}</span></div>',
    ]
    if report.bar is not None:
        parts.append(_bar(report.bar))
    parts.append(_tasks(report))
    parts += [f"<div>{escape(line)}</div>" for line in report.attempts]
    if report.problem:
        parts.append(
            f'<div class="{css_class(report.state)}"><b>{escape(report.problem)}</b></div>'
        )
    if report.evidence and not _is_unfolded(report):
        text = escape("\n".join(report.evidence))
        parts.append(f"<pre>{text}</pre>")
    parts += [f'<div class="mw-faint">{escape(hint)}</div>' for hint in report.hints]
    parts += map(_fold, report.folds)
    if made and not report.ended:
        parts.append(markup.forgotten(made) if live else markup.as_of(made))
    return panel(*parts, inside, run=report.name, state=report.state)


def _bar(bar: Bar) -> str:
    drawn = markup.bar(bar.done, "training") if bar.done is not None else ""
    return f"<div>{drawn}{escape(bar.words)}</div>"


def _is_unfolded(report: Report) -> bool:
    """Whether an unfolded log below the report already contains the evidence."""
    unfolded = [fold.lines for fold in report.folds if fold.open]
    return any(set(report.evidence) <= set(lines) for lines in unfolded)


def _fold(fold: Fold) -> str:
    summary = f"{escape(str(fold.task))} {badge(fold.state)}: the end of its log"
    text = "\n".join(fold.lines) or "(it printed nothing)"
    return markup.fold(summary, text, unfolded=fold.open, log=str(fold.task))


def _tasks(report: Report) -> str:
    if not report.table.rows:
        return ""
    last = len(report.table.header) - 1  # the remark, which is shown below its task
    used = [i for i in range(last) if any(task.cells[i] for task in report.table.rows)]
    header = [report.table.header[i] for i in used]
    spare = sum(place < report.table.spare for place in used)
    return table(header, [_task(report, task, used, spare) for task in report.table.rows], spare)


def _task(report: Report, task: Row, used: Sequence[int], spare: int) -> str:
    head, *cells = (_cell(report, task, i) for i in used)
    said = {"task": str(task.task), "state": task.state}
    return row(head, *cells, message=task.cells[-1], spare=spare, **said)


def _cell(report: Report, task: Row, place: int) -> str:
    metric, drawn = report.table.drawn
    if place == 1:
        return badge(task.cells[place], task.state)
    if task.curve and place == drawn:
        label = f"{metric} of {task.task}: {curve_words(task.curve)}"
        return markup.curve(scale(task.curve), label)
    return escape(task.cells[place])
