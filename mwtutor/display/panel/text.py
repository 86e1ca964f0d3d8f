"""A run as text, for terminals and for ``text/plain``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TextIO

from mwtutor.cluster import TaskId
from mwtutor.colors import terminal_style
from mwtutor.display.output.streams import is_dumb
from mwtutor.display.panel.report import Bar, Report
from mwtutor.display.words import columns, padded
from mwtutor.run.record.state import RunState

#: The width of a progress bar.
_BAR = 30

RESET = "\x1b[0m"

#: The environment variable that turns colors off (https://no-color.org).
_NO_COLOR = "NO_COLOR"

#: The style of a label that several tasks share.
SHARED = "\x1b[1m"
_TASKS = ("\x1b[36m", "\x1b[33m", "\x1b[35m", "\x1b[32m", "\x1b[34m", "\x1b[31m")


def wants_color(stream: TextIO) -> bool:
    """Whether the stream is a terminal that shows colors, and the user allows them."""
    return stream.isatty() and not is_dumb() and not os.environ.get(_NO_COLOR)


def render(report: Report, *, color: bool = False) -> str:
    """The whole report, in several lines."""
    paint = _paint if color else _plain
    head = " · ".join([f"{report.name}: {paint(report.state, report.state)}", *report.facts])
    parts = [head]
    if report.bar is not None:
        parts.append(f"  {_bar(report.bar)}")
    parts += _table(report, color)
    parts += [f"  {line}" for line in report.attempts]
    if report.problem:
        parts.append(f"  {paint(report.problem, report.state)}")
    parts += [f"  | {line}" for line in report.evidence]
    parts += [f"  {hint}" for hint in report.hints]
    return "\n".join(parts)


def log_line(
    tasks: Sequence[TaskId], line: str, width: int, *, color: bool = False, place: str = ""
) -> str:
    """A log line, after the names of the tasks that wrote it, padded to ``width``.

    Args:
        place: the machine of the tasks, if it should be shown.
    """
    prefix = f"{f'{task_names(tasks)} {place}'.rstrip():>{width}} |"
    if color:
        prefix = f"{color_of(tasks[0]) if len(tasks) == 1 else SHARED}{prefix}{RESET}"
    return f"{prefix} {line}"


def task_names(tasks: Sequence[TaskId]) -> str:
    """Tasks in short form: ``worker:0-2``, ``chief:0, worker:0, worker:2``."""
    spans: list[tuple[str, int, int]] = []
    for task in tasks:
        if spans and spans[-1][0] == task.type and spans[-1][2] == task.index - 1:
            spans[-1] = (task.type, spans[-1][1], task.index)
        else:
            spans.append((task.type, task.index, task.index))
    return ", ".join(f"{kind}:{low}" + f"-{high}" * (high > low) for kind, low, high in spans)


def color_of(task: TaskId) -> str:
    """The color of a task's label, as an escape sequence."""
    return _TASKS[(task.index + (task.type != "worker") * 3) % len(_TASKS)]


def change(before: RunState | None, now: RunState) -> Iterable[str]:
    """The changes, one line each, for output that cannot be redrawn."""
    if now.network.kind == "host" and (before is None or not before.network.kind):
        yield now.network.exposure
    if now.pending and (before is None or before.pending != now.pending):
        yield f"{now.pending}."
    for name, task in now.tasks.items():
        old = before.tasks.get(name) if before else None
        if old is None or old.status is not task.status:
            why = f": {task.reason}" if task.reason else ""
            yield f"{name} {task.status.value}{why}"
        if old is not None and task.epoch is not None and task.epoch != old.epoch:
            yield f"{name} epoch {task.epoch}" + (f"/{task.epochs}" if task.epochs else "")


def _bar(bar: Bar) -> str:
    if bar.done is None:
        return bar.words
    full = round(bar.done * _BAR)
    return f"[{'#' * full}{'.' * (_BAR - full)}] {bar.words}"


def _table(report: Report, color: bool) -> list[str]:
    if not report.table.rows:
        return []
    table = [report.table.header, *(row.cells for row in report.table.rows)]
    used = [i for i in range(len(report.table.header)) if any(cells[i] for cells in table[1:])]
    widths = {i: max(columns(cells[i]) for cells in table) for i in used}
    lines = []
    for at, cells in enumerate(table):
        row = [padded(cells[i], widths[i]) for i in used]
        if color and at and 1 in used:
            state = report.table.rows[at - 1].state
            row[used.index(1)] = _paint(row[used.index(1)], state)
        lines.append(f"  {'  '.join(row)}".rstrip())
    return lines


def _paint(text: str, state: str) -> str:
    return f"{terminal_style(state)}{text}{RESET}"


def _plain(text: str, state: str) -> str:
    return text
