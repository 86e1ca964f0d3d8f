"""Panels that keep updating after their cell has returned, by one thread per process.

A frame depends only on the run's records. It is computed once for all panels of that run, and sent
if it differs from the previous one. The thread ends with the last panel.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import deque
from dataclasses import replace
from typing import Protocol

from mwtutor import style_sheet
from mwtutor.display.panel.panel import Panel
from mwtutor.display.panel.report import Report
from mwtutor.display.panel.watched import Watched
from mwtutor.run.run import Run

#: Seconds between two frames, the share of a processor that drawing them may use (with many tasks
#: on a slow machine, frames are drawn less often), and the longest pause.
PAUSE, SHARE, LONGEST = 0.5, 0.005, 5.0

#: Seconds after which an unchanged frame is sent, so the page does not report that updates stopped.
AGAIN = style_sheet.FORGOTTEN / 3

#: Maximum number of live panels per run; an older panel says where the run is shown.
_PANELS = 3

#: Maximum number of ended runs whose panels can still be stored with the notebook.
_REMEMBERED = 8


class Output(Protocol):
    """A place that shows one panel."""

    def show(self, panel: Panel, *, now: bool = False) -> None:
        """Replace the previous panel.

        Args:
            now: whether a cell that is being executed requested it.
        """


class LivePanels:
    """The live panels of this process. Every method may be called from any thread.

    Args:
        pause: seconds between two frames.
    """

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause = pause
        self._reset()
        os.register_at_fork(after_in_child=self._reset)  # the panels belong to the parent

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._shows: list[_Show] = []
        self._over: deque[_Show] = deque(maxlen=_REMEMBERED)
        self._thread: threading.Thread | None = None

    def open(self, run: Run, output: Output, *, ask: bool = False) -> None:
        """Show a run in a new panel, and update it until the run ends.

        Args:
            ask: whether to ask long-silent tasks where they are in the code, for the first frame.
        """
        with self._lock:
            show = self._of(run) or _Show(run)
        goes_on = show.open(output, ask=ask)
        with self._lock:
            if goes_on and show not in self._shows:
                self._shows.append(show)
            if self._shows and self._thread is None:
                self._thread = threading.Thread(
                    target=self._serve, name="mwtutor-panels", daemon=True
                )
                self._thread.start()

    def refresh(self, run: Run) -> None:
        """Update the panels of a run for a cell that is being executed.

        Changes made by a cell are stored with the notebook, whichever program executes the
        notebook.
        """
        with self._lock:
            show = self._of(run)
        if show is not None:
            show.refresh(now=True)

    def close(self) -> None:
        """Mark every panel as no longer updated, because this process is about to end."""
        with self._lock:
            shows, self._shows = self._shows, []
        for show in shows:
            show.leave("No longer updated: the kernel that showed it has exited.")

    def _of(self, run: Run) -> _Show | None:
        shows = (*self._shows, *self._over)
        return next((show for show in shows if show.directory == run.spec.directory), None)

    def _serve(self) -> None:
        pause = self._pause
        while True:
            time.sleep(pause)
            before = time.thread_time()
            with self._lock:
                shows = list(self._shows)
            over = [show for show in shows if not show.refresh()]
            with self._lock:
                self._shows = [show for show in self._shows if show not in over]
                self._over.extend(over)
                if not self._shows:
                    self._thread = None
                    return
            pause = min(max(self._pause, (time.thread_time() - before) / SHARE), LONGEST)


class _Show:
    """One run, and its outputs."""

    def __init__(self, run: Run) -> None:
        self.directory = run.spec.directory
        self._watched = Watched(run)
        self._lock = threading.Lock()
        self._outputs: list[Output] = []
        self._shown: Report | None = None
        self._sent = time.monotonic()
        self._over = False
        self._stored = False

    def open(self, output: Output, *, ask: bool) -> bool:
        """Show the run in another output; return whether more updates will follow."""
        with self._lock:
            self._shown = self._watched.report(ask=ask)
            output.show(Panel(self._shown, live=True), now=True)
            self._over = self._shown.ended
            self._outputs.append(output)
            for old in self._outputs[:-_PANELS]:
                _put(old, _with_hint(self._shown, "No longer updated: see the newer panels."))
            self._outputs = self._outputs[-_PANELS:]
            return not self._over

    def refresh(self, *, now: bool = False) -> bool:
        """Show changes; return whether more updates will follow."""
        with self._lock:
            if self._over and (self._stored or not now):
                return False
            try:
                report = self._watched.report()
            except Exception as error:  # nobody would see an exception in this thread
                report = _with_hint(self._shown, f"No longer updated: {type(error).__name__}.")
                self._over = True
            if now or report != self._shown or time.monotonic() - self._sent > AGAIN:
                self._sent = time.monotonic()
                for output in self._outputs:
                    _put(output, report, now=now)
            self._shown = report
            self._over = self._over or report.ended
            self._stored = self._over and now
            return not self._over

    def leave(self, hint: str) -> None:
        """Show why no more updates will follow."""
        if self._lock.acquire(timeout=1.0):  # nothing may hang when the process ends
            for output in self._outputs:
                _put(output, _with_hint(self._shown, hint))
            self._lock.release()


def _put(output: Output, report: Report, *, now: bool = False) -> None:
    with contextlib.suppress(Exception):  # the front end is gone
        output.show(Panel(report, live=True), now=now)


def _with_hint(report: Report | None, hint: str) -> Report:
    assert report is not None, "a show begins with a frame"
    return replace(report, hints=(*report.hints, hint))
