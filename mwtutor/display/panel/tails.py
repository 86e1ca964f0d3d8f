"""The end of a task's log, as a panel shows it."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from mwtutor.cluster import TaskId
from mwtutor.run.logs import logs
from mwtutor.run.logs.logs import LogEnd, LogLine
from mwtutor.run.run import Run

#: Lines of a log to show, and bytes at its end to read for them.
_LINES, _BYTES = 40, 1 << 16

#: Characters of a line to show.
_WIDTH = 400


@dataclass(frozen=True)
class Tail:
    """Lines of a log.

    Attributes:
        count: the number of lines.
        cut: whether the log has earlier lines.
    """

    text: str = ""
    count: int = 0
    cut: bool = False


class Tails:
    """The ends of a run's logs. Each read takes only new lines, and can be made by any thread."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._lock = threading.Lock()
        self._ends: dict[TaskId, LogEnd] = {}
        self._shown: dict[TaskId, Tail] = {}

    def read(self, task: TaskId) -> Tail:
        """The end of a task's log; the same object as before if there are no new lines.

        Raises:
            NoRun: the log is not readable.
        """
        with self._lock:
            if task not in self._ends:
                self._ends[task] = LogEnd(self._run.spec.log(task), task, _BYTES)
                self._shown[task] = Tail()
            end = self._ends[task]
            if end.update():
                found = end.lines(_LINES + 1)
                self._shown[task] = _tail(self._run, task, found, _LINES, end.begins_later)
            return self._shown[task]


def read_lines(run: Run, task: TaskId, count: int, within: int, search: str) -> Tail:
    """The last lines of a task's log.

    Args:
        count: the maximum number of lines.
        within: how many bytes at the end of the log to read.
        search: return only lines that contain this text.

    Raises:
        NoRun: the log is not readable.
        OSError: the log does not exist.
    """
    found = logs.lines(run.spec, [task], last=count + 1, within=within, grep=re.escape(search))
    return _tail(run, task, found, count, run.spec.log(task).stat().st_size > within)


def _tail(run: Run, task: TaskId, found: Sequence[LogLine], count: int, cut: bool) -> Tail:
    hint = f"%mw_logs {task} {run.name} --raw shows them"
    shown = [
        line.text.replace("see --raw", hint) if line.folded else line.text[:_WIDTH]
        for line in found[-count:]
    ]
    return Tail("\n".join(shown), len(shown), cut or len(found) > count)
