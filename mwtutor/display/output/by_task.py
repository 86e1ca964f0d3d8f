"""A cell's lines by worker, if many of them differ: shown in tabs once the cell has ended.

An update replaces the whole display. It would open the first tab again, whichever tab the reader
had opened. So until the cell has ended, the workers' lines are shown one below the other.
"""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from mwtutor import markup
from mwtutor.cluster import TaskId
from mwtutor.sessions.result import ANSI, Output

#: Differing lines to show side by side before the rest is shown in tabs.
APART = 30

#: Lines to keep per worker.
KEPT = 1000

#: Minimum and maximum seconds between updates: each update scrolls to the end again.
_PAUSE, _LONGEST = 1.0, 5.0


class Place(Protocol):
    """A destination of displays."""

    def display(self, output: Output, key: str) -> None: ...


class ByTask:
    """The lines of a cell that differ between workers, once there are many.

    Args:
        tasks: the workers that execute the cell.
        place: where to show them.
    """

    def __init__(self, tasks: Sequence[TaskId], place: Place) -> None:
        self._lines: dict[TaskId, deque[str]] = {task: deque(maxlen=KEPT) for task in tasks}
        self._counts = dict.fromkeys(tasks, 0)
        self._place = place
        self._key = uuid.uuid4().hex
        self._apart = 0
        self._begun = self._changed = False
        self._next, self._pause = 0.0, _PAUSE

    def takes(self, tasks: Sequence[TaskId], line: str) -> bool:
        """Keep a line that these workers printed, if it belongs in their tabs."""
        if len(tasks) == len(self._lines):
            return False
        self._apart += 1
        if self._apart <= APART:
            return False
        self._changed = True
        for task in tasks:
            self._lines[task].append(ANSI.sub("", line))
            self._counts[task] += 1
        return True

    def show(self, now: float) -> None:
        """Show the kept lines, but not too often."""
        if not self._changed or now < self._next:
            return
        self._display(ended=False)
        self._changed = False
        self._next = now + self._pause
        self._pause = min(1.5 * self._pause, _LONGEST)

    def end(self) -> None:
        """Show the kept lines in tabs."""
        if self._begun or self._changed:
            self._display(ended=True)

    def _display(self, *, ended: bool) -> None:
        kind: Literal["update", "display"] = "update" if self._begun else "display"
        self._place.display(Output(kind, data=self._bundle(ended=ended)), self._key)
        self._begun = True

    def _bundle(self, *, ended: bool) -> Mapping[str, Any]:
        pages = [self._page(task) for task, count in self._counts.items() if count]
        lines = markup.tabs(pages) if ended else "".join(f"{title}{page}" for title, page in pages)
        text = [f"{task} | {line}" for task in self._lines for line in self._kept(task)]
        return {"text/html": markup.panel(lines), "text/plain": "\n".join(text)}

    def _page(self, task: TaskId) -> tuple[str, str]:
        count = self._counts[task]
        words = "1 more line" if count == 1 else f"{count} more lines"
        return f"<b>{task}</b> {words}", markup.tail("\n".join(self._kept(task)), log=str(task))

    def _kept(self, task: TaskId) -> list[str]:
        """The last lines of a task, and how much is missing before them."""
        left_out = self._counts[task] - len(self._lines[task])
        head = [f"… {left_out} earlier lines: %mw_logs {task} -n 0 shows all lines"] * bool(
            left_out
        )
        return [*head, *self._lines[task]]
