"""Buttons and a tab per task below a live panel, where ipywidgets is installed.

They are a separate output: the panel above is HTML that every front end shows and every notebook
stores. A front end without widgets shows the commands to type instead.
"""

from __future__ import annotations

import contextlib
import contextvars
import importlib.util
import threading
import time
from collections.abc import Callable
from html import escape
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.display.panel.folds import chosen, commands
from mwtutor.display.panel.report import Report, Row
from mwtutor.display.panel.tails import Tail, Tails, read_lines
from mwtutor.exceptions import MwtutorError, NoRun
from mwtutor.markup import beat, panel, tail
from mwtutor.run.observations.standing import Standing, awaited_tasks, standings
from mwtutor.run.run import Run

#: Maximum number of a log's lines that "All lines" and a search show, and of bytes at its end that
#: they read.
_LINES, _BYTES = 20_000, 1 << 23

_VIEW = "application/vnd.jupyter.widget-view+json"


def available() -> bool:
    """Whether buttons are possible; a kernel cannot know whether the front end shows them."""
    return importlib.util.find_spec("ipywidgets") is not None


class Controls:
    """The buttons that stop a run and show its logs or stacks, and a tab for each task.

    Slow actions run in a thread, so the kernel stays free.
    """

    def __init__(self, run: Run) -> None:
        import ipywidgets

        self._widgets = ipywidgets
        self._run = run
        # The context tells the kernel to which cell a message belongs.
        self._context = contextvars.copy_context()
        self._stacks = False
        self._still = False  # whether the tabs show text that is not updated with the logs
        self._tails = Tails(run)
        self._shown: dict[TaskId, Tail] = {}
        self._pages: dict[TaskId, Any] = {}
        self._opened = False
        self._ended = False
        self._tabs = ipywidgets.Tab()
        self._note = ipywidgets.HTML()
        self._beat = ipywidgets.HTML()
        self._stop = self._button("Stop", "Stop every task of the run", self._do_stop)
        self._to_logs = self._button("Logs", "What each task printed last", self._show_logs)
        self._to_all = self._button("All lines", "Everything each task printed", self._show_all)
        self._text = ipywidgets.Text(placeholder="Search the logs", continuous_update=False)
        self._text.observe(lambda _: self._in_thread(self._search), "value")
        self._to_stacks = self._button(
            "Stacks", "What each task is executing now", self._show_stacks
        )
        shown = [self._stop, self._to_stacks, self._to_logs, self._to_all, self._text]
        buttons = ipywidgets.HBox(
            [*shown, self._note, self._beat],
            layout=ipywidgets.Layout(flex_flow="row wrap"),
        )
        self._box = ipywidgets.VBox([buttons, self._tabs])
        self._box.add_class("mw-controls")

    def bundle(self, *, ended: bool = False) -> dict[str, Any]:
        """The widgets to display, and the commands to type where there are no widgets.

        Args:
            ended: whether the run has ended, so there is no command to type.
        """
        words = commands(self._run.name)
        shown = panel(f'<span class="mw-faint">{escape(words)}</span>')
        return {
            "text/plain": "" if ended else words,
            "text/html": "" if ended else shown,
            _VIEW: {"version_major": 2, "version_minor": 0, "model_id": self._box.model_id},
        }

    def inside(self) -> str:
        """No HTML is added to the panel."""
        return ""

    def update(self, report: Report, made: float = 0.0) -> None:
        """Show the run's state.

        Args:
            made: when the panel above was made (seconds since the epoch).
        """
        self._context.run(self._update, report, made)

    def _update(self, report: Report, made: float) -> None:
        self._beat.value = beat(made)
        rows = chosen(report.table.rows)
        if [row.task for row in rows] != list(self._pages):
            self._pages = {row.task: self._widgets.HTML() for row in rows}
            self._shown.clear()
            self._tabs.children = tuple(self._pages.values())
        self._tabs.titles = tuple(map(_title, rows))
        self._stacks = self._stacks and not report.ended
        if report.ended and not self._ended:
            self._ended = True
            self._shown.clear()
        for row in rows:
            if not self._stacks and not self._still:
                self._put_log(row.task)
        failed = [place for place, row in enumerate(rows) if row.state == "failed"]
        if failed and not self._opened:
            self._tabs.selected_index, self._opened = failed[0], True
        self._stop.disabled = self._to_stacks.disabled = report.ended
        if len(rows) < len(report.table.rows):
            self._say(
                f"{len(rows)} of {len(report.table.rows)} tasks are shown. To see another:"
                " %mw_logs TASK"
            )

    def _put_log(self, task: TaskId) -> None:
        with contextlib.suppress(OSError, NoRun):  # the log is gone or unreadable
            found = self._tails.read(task)
            if self._shown.get(task) is not found:
                self._shown[task] = found
                note = "Earlier lines are not shown here: see All lines." if found.cut else ""
                # Each update would scroll to the end, so lines of a running task do not scroll.
                lines = f'<pre class="mw-log">{escape(found.text)}</pre>'
                self._put(task, tail(found.text) if self._ended else lines, note)

    def _put(self, task: TaskId, content: str, note: str) -> None:
        head = f'<div class="mw-faint">{escape(note)}</div>' if note else ""
        self._pages[task].value = panel(head, content, log=str(task))

    def _put_lines(self, search: str = "") -> None:
        """Show the whole logs, or the lines that contain a text."""
        self._still, self._stacks = True, False
        for task in list(self._pages):
            found = read_lines(self._run, task, _LINES, _BYTES, search)
            self._put(task, tail(found.text), self._of(task, found, search))

    def _of(self, task: TaskId, found: Tail, search: str) -> str:
        """A description of the lines."""
        at = time.strftime("%H:%M:%S")
        which = f"{found.count} line{'s' * (found.count != 1)}"
        which += f" with {search!r}" if search else ""
        rest = f"; %mw_logs {task} {self._run.name} -n 0 shows earlier ones" * found.cut
        return f"{which}, as of {at}{rest}. Logs shows the newest lines."

    def _button(self, name: str, help: str, action: Callable[[], None]) -> Any:
        layout = self._widgets.Layout(width="auto")
        button = self._widgets.Button(description=name, tooltip=help, layout=layout)
        button.add_class(f"mw-{name.lower().replace(' ', '-')}-button")
        button.on_click(lambda _: self._in_thread(action))
        return button

    def _in_thread(self, action: Callable[[], None]) -> None:
        def act() -> None:
            try:
                action()
            except MwtutorError as error:
                self._say(str(error))

        context = contextvars.copy_context()
        threading.Thread(
            target=context.run, args=(act,), name="mwtutor-button", daemon=True
        ).start()

    def _do_stop(self) -> None:
        self._stop.disabled = True
        self._say("")
        self._run.stop()

    def _show_logs(self) -> None:
        self._stacks = self._still = False
        self._shown.clear()
        for task in list(self._pages):
            self._put_log(task)

    def _show_all(self) -> None:
        self._put_lines()

    def _search(self) -> None:
        if self._text.value:
            self._put_lines(self._text.value)
        else:
            self._show_logs()

    def _show_stacks(self) -> None:
        self._say("")
        found = standings(self._run, list(self._pages))
        self._stacks, self._still = True, False
        late = awaited_tasks(found)
        for one in found:
            self._put_stacks(one, awaited=one in late)
        if late:
            self._tabs.selected_index = list(self._pages).index(late[0].task)

    def _put_stacks(self, one: Standing, *, awaited: bool) -> None:
        note = f"{one.task} is in {one.place}." if one.threads else ""
        if awaited:
            note = f"The others wait for {one.task}, which is in {one.place}."
        text = "\n\n".join([*map(str, one.threads), one.why]).strip()
        self._put(one.task, f'<pre class="mw-log">{escape(text)}</pre>', note)

    def _say(self, text: str) -> None:
        self._note.value = panel(escape(text)) if text else ""


def _title(row: Row) -> str:
    mark = "✗ " if row.state == "failed" else ""
    return f"{mark}{row.task}"
