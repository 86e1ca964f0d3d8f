"""The end of a task's log, as a panel shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mwtutor.cluster import TaskId
from mwtutor.run.logs import logs
from mwtutor.run.run import Run

#: Lines to show of a log, and bytes to read for them, from its end.
_LINES, _BYTES = 40, 1 << 16

#: Characters of a line to show.
_WIDTH = 400


@dataclass(frozen=True)
class Tail:
    """Lines of a log.

    Attributes:
        count: how many there are.
        cut: whether the log has earlier ones.
    """

    text: str
    count: int
    cut: bool


def read_tail(
    run: Run, task: TaskId, count: int = _LINES, within: int = _BYTES, search: str = ""
) -> Tail:
    """The last lines of a task's log.

    Args:
        count: at most this many.
        within: only those in this many bytes at its end.
        search: only those that contain this text.

    Raises:
        NoRun: the log is not readable.
        OSError: it does not exist.
    """
    log = run.spec.log(task)
    found = logs.lines(run.spec, [task], last=count + 1, within=within, grep=re.escape(search))
    hint = f"%mw_logs {task} {run.name} --raw shows them"
    shown = [
        line.text.replace("see --raw", hint) if line.folded else line.text[:_WIDTH]
        for line in found[-count:]
    ]
    cut = len(found) > count or log.stat().st_size > within
    return Tail("\n".join(shown), len(shown), cut)
