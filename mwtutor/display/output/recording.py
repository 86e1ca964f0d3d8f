"""The output of a cell in the background, kept until somebody asks for it."""

from __future__ import annotations

import io
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mwtutor.cluster import TaskId
from mwtutor.display.output.cells import CellDisplay, IPythonScreen, Screen, logs_of
from mwtutor.run.record.spec import RunSpec
from mwtutor.sessions.result import Output

#: Seconds between two checks of whether the cell has ended.
_LOOK = 0.1


@dataclass(frozen=True)
class Step:
    """One call of a screen's ``write``, ``display`` or ``clear``."""

    stream: str = ""
    text: str = ""
    output: Output | None = None
    key: str = ""

    @property
    def draws(self) -> bool:
        """Whether the step draws progress, which the next step overwrites."""
        return self.text.startswith("\r") and bool(self.text.strip())

    def show(self, screen: Screen) -> None:
        if self.output is None:
            screen.write(self.stream, self.text)
        elif self.output.kind == "clear":
            screen.clear(wait=self.output.wait)
        else:
            screen.display(self.output, self.key)


class Recording:
    """A screen that keeps everything written to it, except text that is overwritten later.

    One thread writes to it; any thread may read the steps.

    Args:
        like: the screen that will show the recording.
    """

    def __init__(self, like: Screen) -> None:
        self._like = like
        self._steps: list[Step] = []
        self._text = io.StringIO()  # the text written after the last step
        self._stream = ""  # the stream that it was written to
        self._progress: Step | None = None  # the progress drawn on the last line
        self._takers: list[queue.SimpleQueue[Step]] = []
        self._lock = threading.Lock()

    def write(self, stream: str, text: str) -> None:
        with self._lock:
            step = Step(stream, text)
            self._progress = step if step.draws else None
            if not text.startswith("\r"):  # such text only draws progress, or erases it
                if stream != self._stream:
                    self._end_text()
                    self._stream = stream
                self._text.write(text)
            self._tell(step)

    def display(self, output: Output, key: str) -> None:
        with self._lock:
            self._end_text()
            step = Step(output=output, key=key)
            if output.kind == "display" or not self._updated(output, key):
                self._steps.append(step)
            self._tell(step)

    def clear(self, *, wait: bool) -> None:
        with self._lock:
            self._end_text()
            if not wait:
                self._steps.clear()
            step = Step(output=Output("clear", wait=wait))
            self._steps.append(step)
            self._tell(step)

    def length(self, text: str) -> int:
        return self._like.length(text)

    @property
    def folds(self) -> bool:
        return self._like.folds

    def steps(self) -> queue.SimpleQueue[Step]:
        """A queue of all steps so far, which also receives all later steps."""
        taker: queue.SimpleQueue[Step] = queue.SimpleQueue()
        with self._lock:
            self._end_text()
            for step in (*self._steps, self._progress):
                if step is not None:
                    taker.put(step)
            self._takers.append(taker)
        return taker

    def leave(self, taker: queue.SimpleQueue[Step]) -> None:
        """Add no more steps to that queue."""
        with self._lock:
            self._takers.remove(taker)

    def _updated(self, output: Output, key: str) -> bool:
        """Whether there was a display with this key; only its latest content is kept."""
        found = False
        for at, one in enumerate(self._steps):
            if one.output is not None and one.key == key:
                self._steps[at] = Step(output=replace(output, kind=one.output.kind), key=key)
                found = True
        return found

    def _end_text(self) -> None:
        if text := self._text.getvalue():
            self._steps.append(Step(self._stream, text))
            self._text = io.StringIO()

    def _tell(self, step: Step) -> None:
        for taker in self._takers:
            taker.put(step)


class RecordedDisplay(CellDisplay):
    """Records the display of a cell instead of showing it."""

    def __init__(
        self, tasks: Sequence[TaskId], spec: RunSpec, like: Screen, *, color: bool
    ) -> None:
        self.recording = Recording(like)
        super().__init__(tasks, self.recording, color=color, logs=logs_of(tasks, spec))


def record(tasks: Sequence[TaskId], spec: RunSpec, *, color: bool = True) -> RecordedDisplay:
    """A listener that keeps the output of :func:`mwtutor.display.output.cells.show_in_cell`."""
    return RecordedDisplay(tasks, spec, IPythonScreen(), color=color)


def show(
    recording: Recording, screen: Screen, wait: Callable[[float], bool], seconds: float
) -> bool:
    """Show the recorded output in the running cell, and for some seconds new output.

    Args:
        wait: given seconds, waits that long for the recorded cell to end; returns whether it did.

    Returns:
        Whether everything was shown, because the cell had ended.
    """
    until = time.monotonic() + seconds
    steps, drawn = recording.steps(), False
    try:
        while True:
            over = wait(_LOOK)
            late = time.monotonic() >= until
            for _ in range(steps.qsize()):
                step = steps.get()
                step.show(screen)
                drawn = step.draws
            if over or late:
                return over
    finally:
        recording.leave(steps)
        if drawn:  # later output begins on its own line
            screen.write("stdout", "\n")
