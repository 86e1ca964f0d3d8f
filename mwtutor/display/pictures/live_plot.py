"""The curves of a metric, redrawn during the run."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path

from mwtutor import markup
from mwtutor.display.panel.live import AGAIN
from mwtutor.display.panel.panel import NotebookOutput
from mwtutor.display.pictures.plot import Drawing, curves
from mwtutor.exceptions import BadInput
from mwtutor.run.run import Run
from mwtutor.sanitize import harmless

#: Seconds between two frames, and the share of a processor that drawing them may use.
PAUSE, SHARE = 1.0, 0.1


@dataclass(frozen=True)
class Frame:
    """The curves at one moment.

    Attributes:
        drawing: None if no task has reported the metric.
        words: the caption, with the run's name and state.
        over: whether this is the last frame.
        made: when it was drawn (seconds since the epoch).
    """

    drawing: Drawing | None
    words: str
    over: bool
    made: float = field(default_factory=time.time, compare=False)

    def __repr__(self) -> str:
        parts = [repr(self.drawing)] if self.drawing is not None else []
        return "\n".join([*parts, self.words])

    def _repr_html_(self) -> str:
        picture = self.drawing._repr_html_() if self.drawing is not None else ""
        stale = "" if self.over else markup.forgotten(self.made)
        words = f'<div class="mw-faint">{escape(self.words)}</div>'
        return markup.panel(picture, words, stale)


def frame(run: Run, metric: str) -> Frame:
    """The curves now.

    Raises:
        BadInput: tasks have reported metrics, but not this one.
    """
    state = run.state  # read first, so that everything reported before the run's end is drawn
    over = state.outcome is not None
    reported = any(task.metrics for task in state.tasks.values())
    words = f"{harmless(run.name)}: {state.status}" + ", updated until it ends" * (not over)
    try:
        return Frame(curves(run, metric), words, over)
    except BadInput:
        if over or reported:
            raise
        return Frame(None, f"{words}; no task has reported {harmless(metric)} yet", over)


def frames(run: Run, metric: str) -> Iterator[Frame]:
    """The curves now, and each time they may have changed, until the run has ended.

    Raises:
        BadInput: the run has metrics, but not this one.
    """
    while True:
        before = time.thread_time()
        drawn = frame(run, metric)
        yield drawn
        if drawn.over:
            return
        time.sleep(max(PAUSE, (time.thread_time() - before) / SHARE))


class LivePlots:
    """The live plots of this process: each is updated by a thread, which ends with its run.

    A newer plot of the same metric of a run replaces the older one.
    """

    def __init__(self) -> None:
        self._reset()
        os.register_at_fork(after_in_child=self._reset)  # the plots belong to the parent

    def _reset(self) -> None:
        self._newest: dict[tuple[Path, str], NotebookOutput] = {}

    def open(self, run: Run, metric: str, output: NotebookOutput) -> None:
        """Show the curves in a cell's output, and update them after the cell has returned.

        Raises:
            BadInput: the run has metrics, but not this one.
        """
        first = frame(run, metric)
        _put(output, first, now=True)
        self._newest[run.directory, metric] = output
        if not first.over:
            # The thread has its own handle, because the cell may be using this one.
            arguments = (Run.open(run.directory), metric, output, first)
            threading.Thread(
                target=self._update, args=arguments, name="mwtutor-plot", daemon=True
            ).start()

    def _update(self, run: Run, metric: str, output: NotebookOutput, shown: Frame) -> None:
        try:
            for drawn in frames(run, metric):
                if self._newest.get((run.directory, metric)) is not output:
                    words = "No longer updated: see the newer plot."
                    _put(output, replace(shown, words=words, over=True))
                    return
                if drawn != shown or drawn.made - shown.made > AGAIN:
                    _put(output, shown := drawn)
        except Exception as error:  # nobody would see an exception in this thread
            words = f"No longer updated: {str(error).splitlines()[0] or type(error).__name__}"
            _put(output, replace(shown, words=words, over=True))


def _put(output: NotebookOutput, drawn: Frame, *, now: bool = False) -> None:
    with contextlib.suppress(OSError):  # the front end is gone
        output.put({"text/plain": repr(drawn), "text/html": drawn._repr_html_()}, now=now)
