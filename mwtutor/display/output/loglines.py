"""Log lines of several tasks; identical lines are shown once, as in cells."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from mwtutor.cluster import TaskId
from mwtutor.display.output.merge import Item, Merger
from mwtutor.display.panel.text import log_line, task_names
from mwtutor.run.logs.logs import LogLine, is_attempt_mark


def render(
    lines: Iterable[LogLine],
    tasks: Sequence[TaskId],
    *,
    apart: bool = False,
    color: bool = False,
    machines: Mapping[TaskId, str] = MappingProxyType({}),
) -> Iterator[str]:
    """The lines as displayed.

    Args:
        lines: in chronological order.
        tasks: all tasks that may have written lines; labels are as wide as the widest of them.
        apart: show identical lines of several tasks separately.
        color: whether labels are colored.
        machines: the names of the tasks' machines, if the run has machines.
    """
    rows = (((line.task,), line.text) for line in lines) if apart else _merged(lines, tasks)
    labels = [f"{task} {machines.get(task, '')}".rstrip() for task in tasks] + [
        task_names(tasks)
    ] * (not apart)
    width = max(map(len, labels), default=0)
    for whose, text in rows:
        place = machines.get(whose[0], "") if len(whose) == 1 else ""
        yield log_line(whose, text, width, color=color, place=place)


def as_json(
    lines: Iterable[LogLine], starts: Mapping[TaskId, Sequence[tuple[float, int]]]
) -> Iterator[str]:
    """Each line as a JSON object: task, time (seconds since the epoch), attempt and text.

    Args:
        starts: when each task started, and in which attempt.
    """
    for line in lines:
        if is_attempt_mark(line.text):
            continue
        begun = [attempt for at, attempt in starts.get(line.task, ()) if at <= line.time]
        told = {
            "task": str(line.task),
            "time": round(line.time, 3),
            "attempt": begun[-1] if begun else 1,
            "text": line.text,
        }
        yield json.dumps(told, ensure_ascii=False)


def _merged(
    lines: Iterable[LogLine], tasks: Sequence[TaskId]
) -> Iterator[tuple[tuple[TaskId, ...], str]]:
    merger = Merger(tasks, room=sys.maxsize)
    for line in lines:
        merger.add(line.task, Item("stdout", line.text), now=line.time)
        yield from ((whose, item.text) for whose, item in merger.rows(line.time))
    for task in tasks:
        merger.end(task)
    yield from ((whose, item.text) for whose, item in merger.rows(sys.float_info.max))
