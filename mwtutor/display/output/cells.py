"""Show the output of a cell on several workers as the output of one cell."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from mwtutor.cluster import TaskId
from mwtutor.display.output.by_task import ByTask, Place
from mwtutor.display.output.figures import in_tabs, is_figure
from mwtutor.display.output.merge import Item, Lines, Merger
from mwtutor.display.panel.text import RESET, SHARED, color_of
from mwtutor.display.words import columns
from mwtutor.run.record.spec import RunSpec
from mwtutor.sessions.result import ANSI, Output, list_names

#: Seconds after which to name the workers still executing a cell that others have finished.
LONG = 10.0

#: Seconds that a worker may take longer than the first one before it is named.
_SOON = 2.0

#: Seconds between two redraws of a progress bar, and the bar's maximum length in characters.
_REDRAW, _LONGEST_BAR = 0.1, 200


#: The workers that displayed a figure, and the figure.
_Figure = tuple[Sequence[TaskId], Output]


class Screen(Place, Protocol):
    """A destination of output: IPython's display, or a test's."""

    def write(self, stream: str, text: str) -> None: ...

    def clear(self, *, wait: bool) -> None: ...

    def length(self, text: str) -> int:
        """The number of blanks needed to overwrite a line."""
        ...

    @property
    def folds(self) -> bool:
        """Whether this screen can unfold text."""
        ...


class IPythonScreen:
    """A screen that shows output in the running cell."""

    def __init__(self) -> None:
        from IPython import get_ipython

        self._last = ""
        self._is_terminal = not hasattr(get_ipython().display_pub, "session")

    def write(self, stream: str, text: str) -> None:
        if self._last not in ("", stream):  # keep the order of the two streams
            getattr(sys, self._last).flush()
        self._last = stream
        getattr(sys, stream).write(text)

    def display(self, output: Output, key: str) -> None:
        from IPython.display import publish_display_data

        self._flush()
        transient = {"display_id": key} if key else {}
        publish_display_data(
            dict(output.data),
            dict(output.metadata),
            transient=transient,
            update=output.kind == "update",
        )

    def clear(self, *, wait: bool) -> None:
        from IPython.display import clear_output

        self._flush()
        clear_output(wait=wait)

    def length(self, text: str) -> int:
        # A notebook overwrites all characters that were sent, including color sequences.
        return columns(ANSI.sub("", text)) if self._is_terminal else len(text)

    @property
    def folds(self) -> bool:
        return not self._is_terminal

    def _flush(self) -> None:
        sys.stdout.flush()
        sys.stderr.flush()


class CellDisplay:
    """Shows the workers' output while a cell runs: a ``Listener`` of ``sessions.result``.

    Args:
        tasks: the workers that execute the cell.
        screen: where to show it.
        color: whether labels are colored.
        logs: the file with each worker's complete output, named where output is cut.
    """

    def __init__(
        self,
        tasks: Sequence[TaskId],
        screen: Screen,
        *,
        color: bool = True,
        logs: Mapping[TaskId, str] | None = None,
    ) -> None:
        self._tasks = tuple(tasks)
        self._screen = screen
        self._color = color
        self._merger = Merger(self._tasks, logs=logs)
        self._lines = {(task, name): Lines() for task in tasks for name in ("stdout", "stderr")}
        self._width = max(map(len, (self._label(self._tasks), *map(str, tasks))))
        self._held: list[str] = []  # lines that are about to be written, and their stream
        self._held_for = ""
        self._drawn = 0  # the length of the progress shown on the last line, and its stream
        self._drawn_on = "stdout"
        self._redraw_at = 0.0
        self._by_task = ByTask(tasks, screen) if screen.folds else None
        self._running = list(tasks)
        self._shared = self._prefix(self._tasks)
        self._tell_at = time.monotonic() + LONG

    def output(self, task: TaskId, output: Output) -> None:
        if output.kind in ("stdout", "stderr"):
            fed = self._lines[task, output.kind].feed(output.text)
            self._add(task, *(Item(output.kind, line) for line in fed))
            return
        self._finish_line(task)
        plain = output.data.get("text/plain", "")
        if (
            output.kind == "display"
            and not output.display_id
            and set(output.data) == {"text/plain"}
        ):
            for line in str(plain).split("\n"):
                self._add(task, Item("stdout", line))
        else:
            self._add(task, Item("", "", output))

    def ended(self, task: TaskId) -> None:
        self._finish_line(task)
        self._merger.end(task)
        if len(self._running) == len(self._tasks):
            self._tell_at = max(self._tell_at, time.monotonic() + _SOON)
        self._running.remove(task)
        self._show(time.monotonic())
        if not self._running:
            self._erase_progress()
            if self._by_task is not None:
                self._by_task.end()

    def tick(self) -> None:
        now = time.monotonic()
        self._show(now)
        if self._by_task is not None:
            self._by_task.show(now)
        if now >= self._redraw_at:
            self._draw_progress()
            self._redraw_at = now + _REDRAW
        if now >= self._tell_at and 0 < len(self._running) < len(self._tasks):
            self._tell_at = math.inf
            self._tell_who_is_awaited()

    def _tell_who_is_awaited(self) -> None:
        self._erase_progress()
        late = self._running
        done = [task for task in self._tasks if task not in late]
        verb = "has" if len(done) == 1 else "have"
        self._screen.write(
            "stderr",
            f"Waiting for {list_names(late)}: {list_names(done)} {verb} finished the cell."
            f" In a terminal: mwtutor stacks {late[0]}\n",
        )

    def _add(self, task: TaskId, *items: Item) -> None:
        self._merger.add(task, *items, now=time.monotonic())

    def _finish_line(self, task: TaskId) -> None:
        for name in ("stdout", "stderr"):
            if line := self._lines[task, name].take_partial():
                self._add(task, Item(name, line))

    def _show(self, now: float) -> None:
        figures: list[_Figure] = []
        for tasks, item in self._merger.rows(now):
            self._erase_progress()
            if figures and not self._goes_with(figures, tasks, item):
                self._show_figures(figures)
                figures = []
            if item.output is not None and is_figure(item.output):
                figures.append((tasks, item.output))
                continue
            prefix = self._shared if tasks is self._tasks else self._prefix(tasks)
            folds = self._by_task if item.output is None and not item.late else None
            if folds is not None and folds.takes(tasks, item.text):
                continue
            if item.output is None:
                self._write(item.stream, f"{prefix} {item.text}".rstrip() + "\n")
            elif item.output.kind == "clear":
                self._write_held()
                self._screen.clear(wait=item.output.wait)
            else:
                self._display(tasks, item.output, prefix)
        self._show_figures(figures)
        self._write_held()

    def _write(self, stream: str, line: str) -> None:
        """Write a line together with those that follow immediately; each write costs time."""
        if stream != self._held_for:
            self._write_held()
            self._held_for = stream
        self._held.append(line)

    def _write_held(self) -> None:
        if self._held:
            self._screen.write(self._held_for, "".join(self._held))
            self._held = []

    def _goes_with(self, figures: Sequence[_Figure], tasks: Sequence[TaskId], item: Item) -> bool:
        """Whether the item is a figure of workers that have none in ``figures`` yet."""
        others = {task for those, _ in figures for task in those}
        return self._screen.folds and is_figure(item.output) and others.isdisjoint(tasks)

    def _show_figures(self, figures: Sequence[_Figure]) -> None:
        if len(figures) > 1:
            self._write_held()
            labeled = [(self._label(tasks), output) for tasks, output in figures]
            self._screen.display(in_tabs(labeled), "")
            return
        for tasks, output in figures:
            self._display(tasks, output, self._prefix(tasks))

    def _display(self, tasks: Sequence[TaskId], output: Output, prefix: str) -> None:
        key = f"{tasks[0]}-{output.display_id}" if output.display_id else ""
        if output.kind == "display":
            self._write("stdout", f"{prefix}\n")
        self._write_held()
        self._screen.display(output, key)

    def _draw_progress(self) -> None:
        """Draw the line that the first worker is still writing; the others' are similar."""
        for (task, stream), lines in self._lines.items():
            if not self._merger.is_full(task) and (text := lines.partial):
                plain = ANSI.sub("", text)
                if len(plain) > _LONGEST_BAR:
                    text = plain[:_LONGEST_BAR]
                if stream != self._drawn_on:
                    self._erase_progress()
                line = f"{self._prefix((task,))} {text}"
                length = self._screen.length(line)
                blanks = " " * (self._drawn - length)  # to cover the previous line
                self._screen.write(stream, f"\r{line}{blanks}")
                self._drawn, self._drawn_on = length, stream
                return

    def _erase_progress(self) -> None:
        if self._drawn:
            self._screen.write(self._drawn_on, "\r" + " " * self._drawn + "\r")
            self._drawn = 0

    def _label(self, tasks: Sequence[TaskId]) -> str:
        if len(tasks) == len(self._tasks) > 1:
            workers = all(task.type == "worker" for task in tasks)
            return f"all {len(tasks)} {'workers' if workers else 'tasks'}"
        return ", ".join(map(str, tasks))

    def _prefix(self, tasks: Sequence[TaskId]) -> str:
        text = f"{self._label(tasks):>{self._width}} |"
        if not self._color:
            return text
        return f"{color_of(tasks[0]) if len(tasks) == 1 else SHARED}{text}{RESET}"


def show_in_cell(tasks: Sequence[TaskId], spec: RunSpec, *, color: bool = True) -> Any:
    """A listener that shows everything in the running cell.

    Args:
        spec: the session's run.
        color: whether labels are colored.
    """
    return CellDisplay(tasks, IPythonScreen(), color=color, logs=logs_of(tasks, spec))


def logs_of(tasks: Sequence[TaskId], spec: RunSpec) -> dict[TaskId, str]:
    """The path of each task's log."""
    return {task: str(spec.log(task)) for task in tasks}
