"""The interface of commands to a notebook, or to IPython in a terminal."""

from __future__ import annotations

import atexit
import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mwtutor.commands.verb import Answer
from mwtutor.display.output.streams import Redrawn
from mwtutor.display.panel import text
from mwtutor.display.panel.folds import Folds
from mwtutor.display.panel.live import LivePanels
from mwtutor.display.panel.panel import Live, NotebookLive, NotebookOutput, Panel, TerminalLive
from mwtutor.display.panel.tabs_and_buttons import Controls, available
from mwtutor.display.pictures.live_plot import LivePlots, frames
from mwtutor.display.pictures.plot import Drawing, show_in_terminal
from mwtutor.display.starting import Starting
from mwtutor.exceptions import Interrupted, RunFailed
from mwtutor.magics.announce import Announcer
from mwtutor.notices import shown_by
from mwtutor.run.run import Run
from mwtutor.singletons import singleton


class NotebookFace:
    """The :class:`mwtutor.commands.verb.Face` for commands typed in a cell.

    Args:
        place: the id of a display that shows what is being started; empty if there is none.
    """

    waits = False
    stop_reason = "it was stopped"

    def __init__(self, shell: Any, place: str = "") -> None:
        self.shell = shell
        self.color = hasattr(shell, "kernel") or text.wants_color(sys.stdout)
        self._announcer = _announcer(shell)
        self._handle: Any = None
        self._output = NotebookOutput(shell.display_pub, place) if place else None
        self._said = False
        self._redrawn = Redrawn()

    def mark_shown(self, run: Run, *, launched: bool = False) -> None:
        if launched:
            self._announcer.watch(run)
        self._announcer.mark_seen(run)
        singleton(LivePanels).refresh(run)

    def panel(self, run: Run, *, ask: bool = False) -> Panel | None:
        if not hasattr(self.shell, "kernel"):  # in a terminal, print nothing unasked
            return Panel.from_run(run, ask=ask)
        output = self._place()
        output.put_below(Controls(run) if available() else Folds(run))
        singleton(LivePanels).open(run, output, ask=ask)
        return None

    def result(self, panel: Panel) -> Panel | None:
        if self._output is None or not self._output.begun:
            return panel
        self._place().show(panel, now=True)
        return None

    def _place(self) -> NotebookOutput:
        """The display for this cell's panel: it replaces the notice of a wait, if there is one."""
        output, self._output = self._output, None
        return output or NotebookOutput(self.shell.display_pub)

    @contextmanager
    def starting(self) -> Iterator[None]:
        show = self._say_once
        if hasattr(self.shell, "kernel"):
            self._output = self._output or NotebookOutput(self.shell.display_pub)
            show = self._output.show_words
        with shown_by(Starting(show)):
            yield

    def leave(self) -> None:
        """If a start was announced, say that nothing was started."""
        if self._output is not None and self._output.begun:
            self._output.show_words("Not started.")

    def _say_once(self, words: str) -> None:
        if not self._said:
            self._said = True
            self.say(f"{words.partition(',')[0]} ...")

    def say(self, text: str) -> None:
        print(text)

    def say_until_replaced(self, text: str) -> Callable[[str], None]:
        if not hasattr(self.shell, "kernel"):
            self.say(text)
            return self.say
        output = self._place()
        output.show_words(text)
        return functools.partial(output.show_words, now=False)

    def head(self, text: str) -> None:
        self.say(text)

    def follow(self, run: Run, timeout: float, *, owned: bool) -> Answer:
        in_kernel = hasattr(self.shell, "kernel")
        live: Live = NotebookLive(self._place()) if in_kernel else TerminalLive(sys.stdout)
        self.mark_shown(run, launched=owned)
        try:
            with self.leaving(run):
                run.wait(timeout, show=lambda state: live.show(run, state))
        except RunFailed as error:
            error.shown = True
            raise
        finally:
            self.mark_shown(run)
        return Answer()

    def refresh(self, shown: Any, *, last: bool = False) -> None:
        if not hasattr(self.shell, "kernel"):
            self._redrawn.show(repr(shown), last=last)
        elif self._handle is None:
            from IPython.display import display

            self._handle = display(shown, display_id=True)
        else:
            self._handle.update(shown)

    def plot_live(self, run: Run, metric: str) -> None:
        if hasattr(self.shell, "kernel"):
            singleton(LivePlots).open(run, metric, self._place())
            return
        with self.leaving(run):
            for drawn in frames(run, metric):
                self.refresh(drawn, last=drawn.over)

    @contextmanager
    def leaving(self, run: Run) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            if run.outcome is None:
                raise Interrupted(
                    f"This cell was interrupted; {run.name} keeps running in the background.",
                    f"To stop it: %mw_stop {run.name}",
                ) from None
            raise

    def picture(self, drawing: Drawing, name: str) -> Drawing | None:
        if hasattr(self.shell, "kernel"):
            return drawing
        show_in_terminal(drawing, name, self.say)
        return None


def _announcer(shell: Any) -> Announcer:
    """This shell's announcer, created on the first command."""
    made = getattr(shell, "_mwtutor_announcer", None)
    if made is None:
        made = shell._mwtutor_announcer = Announcer(shell)
        atexit.register(_say_what_ends, made)
        atexit.register(singleton(LivePanels).close)
    return made


def _say_what_ends(announcer: Announcer) -> None:
    if names := announcer.going():
        ends = "It ends" if len(names) == 1 else "They end"
        print(f"Still running: {', '.join(names)}. {ends} with this Python session.", flush=True)
