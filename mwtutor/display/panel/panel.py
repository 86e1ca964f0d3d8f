"""A report that displays itself as HTML or as text, whichever the front end supports."""

from __future__ import annotations

import errno
import sys
import textwrap
import time
import uuid
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from itertools import chain
from typing import Any, Protocol, TextIO

from mwtutor import markup
from mwtutor.display.output.streams import Redrawn
from mwtutor.display.panel import cooperation, html, text
from mwtutor.display.panel.folds import Below
from mwtutor.display.panel.headline import report
from mwtutor.display.panel.hints import awaiting, long_silent
from mwtutor.display.panel.report import Report, Seen
from mwtutor.display.panel.watched import Watched
from mwtutor.run.logs.logs import Follower
from mwtutor.run.observations.standing import Asker
from mwtutor.run.record.state import RunState
from mwtutor.run.run import Run


class Panel:
    """A run in its current state, as a cell returns or displays it.

    Args:
        live: whether a later panel will replace it; if none comes, the panel says so.

    Attributes:
        made: when it was made (seconds since the epoch).
    """

    def __init__(self, content: Report, *, live: bool = False) -> None:
        self.content = content
        self.made = time.time()
        self._live = live

    @classmethod
    def from_run(cls, run: Run, *, ask: bool = False) -> Panel:
        """The panel of a run.

        Args:
            ask: whether to ask long-silent tasks where they are in the code.
        """
        return cls(Watched(run).report(ask=ask))

    def __repr__(self) -> str:
        return text.render(self.content)

    def _repr_html_(self, inside: str = "") -> str:
        return html.render(self.content, made=self.made, live=self._live, inside=inside)


class Live(Protocol):
    """A display that is updated repeatedly."""

    def show(self, run: Run, state: RunState) -> None: ...


class NotebookOutput:
    """One output of a cell, which any thread can change, even after the cell has returned.

    Args:
        publisher: the shell's :class:`ipykernel.zmqshell.ZMQDisplayPublisher`.
        place: the id of an existing display to replace.
    """

    def __init__(self, publisher: Any, place: str = "") -> None:
        self._shown: Below | None = None
        self._below: Below | None = None  # not shown yet
        self._publisher = publisher
        self._parent = dict(getattr(publisher, "parent_header", {}))
        self._id = place or uuid.uuid4().hex
        self._id_below = uuid.uuid4().hex
        self._closed = False  # whether the part below already leaves out the commands to type
        self._begun = bool(place)

    @property
    def begun(self) -> bool:
        """Whether the output shows anything yet."""
        return self._begun

    def show_words(self, words: str, *, now: bool = True) -> None:
        """Show a temporary line; see :meth:`put`."""
        self.put({"text/plain": words, "text/html": markup.panel(escape(words))}, now)

    def put_below(self, below: Below) -> None:
        """Put this below the panel; call it while a cell is being executed."""
        self._below = below

    def show(self, panel: Panel, *, now: bool = False) -> None:
        ended, below = panel.content.ended, self._shown or self._below
        if below is not None:
            below.update(panel.content, panel.made)
        inside = below.inside() if below is not None else ""
        self.put({"text/plain": repr(panel), "text/html": panel._repr_html_(inside)}, now)
        if below is None:
            return
        if self._shown is None:
            self._shown, self._closed = below, ended
            self._send(below.bundle(ended=ended), self._id_below, now=True, update=False)
        elif ended and (now or not self._closed):
            self._closed = True
            self._send(below.bundle(ended=True), self._id_below, now, update=True)

    def put(self, data: Mapping[str, Any], now: bool) -> None:
        """Replace the content of the output.

        Args:
            data: the same content in each MIME type.
            now: whether a cell that is being executed requested it.
        """
        self._send(data, self._id, now, update=self._begun)
        self._begun = True

    def _send(self, data: Mapping[str, Any], place: str, now: bool, *, update: bool) -> None:
        transient = {"display_id": place}
        if now or not hasattr(self._publisher, "session"):
            self._publisher.publish(data, transient=transient, update=update)
            return
        # Not through the publisher, which would attribute this to the currently running cell.
        self._publisher.session.send(
            self._publisher.pub_socket,
            "update_display_data",
            {"data": data, "metadata": {}, "transient": transient},
            parent=self._parent,
            ident=self._publisher.topic,
        )


class NotebookLive:
    """Updates one output of the running cell."""

    def __init__(self, output: NotebookOutput) -> None:
        self._output = output
        self._watched: Watched | None = None

    def show(self, run: Run, state: RunState) -> None:
        self._watched = self._watched or Watched(run)
        self._output.show(Panel(self._watched.report(state), live=True), now=True)


#: Bytes at the end of each log that are still printed after an interrupt.
_REST = 1 << 14


class TerminalLive:
    """Redraws on a terminal; elsewhere, prints changes.

    Args:
        stream: the output stream; standard output by default.
        prints: whether to print the tasks' output where it does not redraw.
    """

    def __init__(self, stream: TextIO | None = None, *, prints: bool = False) -> None:
        self._stream = stream or sys.stdout
        self._prints = prints
        self._follower: Follower | None = None
        self._printing = False
        self._redrawn = Redrawn(self._stream)
        self._before: RunState | None = None
        self._asker = Asker()
        self._awaiting = ""
        self._hinted: set[str] = set()

    def show(self, run: Run, state: RunState) -> None:
        try:
            if self._redrawn.in_place:
                self._redraw(run, state)
            else:
                self._print(run, state)
        except OSError as error:
            # A full disk affects only the display, which continues once there is space.
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
        self._before = state

    def _print(self, run: Run, state: RunState) -> None:
        for line in text.change(self._before, state):
            print(line, file=self._stream, flush=True)
        if self._prints:
            self._print_logs(run, state)
        self._print_awaiting(run, state)
        self._print_cooperation(run, state)
        if state.outcome is not None:
            shown = report(run.spec, state, Seen(missing=self._asker.missing(run, ())))
            print(text.render(shown), file=self._stream, flush=True)

    def _print_awaiting(self, run: Run, state: RunState) -> None:
        silent = long_silent(run.spec, state)
        found = self._asker.standings(run, silent)
        said = awaiting(found, silent) if found or not silent else self._awaiting
        if said and said != self._awaiting:
            print(said, file=self._stream, flush=True)
        self._awaiting = said

    def _print_cooperation(self, run: Run, state: RunState) -> None:
        """Print hints about cooperation during the run; at its end, all hints follow."""
        if state.outcome is not None:
            return
        missing = self._asker.missing(run, long_silent(run.spec, state))
        for hint in filter(None, (missing, *cooperation.hints(run.spec, state))):
            if hint not in self._hinted:
                self._hinted.add(hint)
                print(hint, file=self._stream, flush=True)

    def _print_logs(self, run: Run, state: RunState) -> None:
        if self._follower is None and state.tasks:
            self._follower = Follower(run.spec, state.tasks)
        if self._follower is None:
            return
        width = max(len(str(task)) for task in state.tasks)
        self._printing = True
        for line in chain.from_iterable(self._follower.new(at_end=state.outcome is not None)):
            print(text.log_line([line.task], line.text, width), file=self._stream, flush=True)
        self._printing = False

    def skip_backlog(self) -> None:
        """Leave out lines that have not been printed yet, except the last ones."""
        if self._follower is not None and (self._follower.skip(_REST) or self._printing):
            print("… some lines are only in the logs.", file=self._stream, flush=True)

    def _redraw(self, run: Run, state: RunState) -> None:
        import shutil

        width = shutil.get_terminal_size().columns
        silent = long_silent(run.spec, state)
        found, missing = self._asker.standings(run, silent), self._asker.missing(run, silent)
        shown = report(run.spec, state, Seen(standings=found, missing=missing))
        color = text.wants_color(self._stream)
        drawn = [text.render(replace(shown, hints=()), color=color)]
        for hint in shown.hints:  # shown completely: a hint may end with a line to type
            drawn += textwrap.wrap(
                hint, max(width - 1, 20), initial_indent="  ", subsequent_indent="  "
            )
        self._redrawn.show("\n".join(drawn), last=state.outcome is not None)
