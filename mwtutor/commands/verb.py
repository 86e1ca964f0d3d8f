"""A command, and the functions that it needs from the interface in which it is used."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from mwtutor.commands.parser import Parser
from mwtutor.display.pictures.plot import Drawing
from mwtutor.interface import Style
from mwtutor.run.run import Run


@dataclass(frozen=True)
class Answer:
    """The result that a command shows when it is done.

    Attributes:
        shown: a value that a notebook displays and a terminal prints; None shows nothing.
        brief: the text that a terminal prints instead, if it differs.
        status: the exit status in a terminal.
    """

    shown: Any = None
    brief: str = ""
    status: int = 0


class Face(Protocol):
    """An interface, notebook or terminal, with everything that differs between the two.

    Attributes:
        color: whether text may be colored.
        waits: whether ``launch`` always waits for the end.
        stop_reason: the recorded reason if the user stops a run here.
        shell: IPython's; None in a terminal.
    """

    color: bool
    waits: bool
    stop_reason: str
    shell: Any

    def say(self, text: str) -> None:
        """Show a line now, before the command is done."""

    def say_until_replaced(self, text: str) -> Callable[[str], None]:
        """Show a line, and return a function that replaces it and may be called in any thread.

        Where a line cannot be replaced, the new one is printed.
        """

    def head(self, text: str) -> None:
        """Show a line that is about the output but not part of it."""

    def mark_shown(self, run: Run, *, launched: bool = False) -> None:
        """Record that the user now sees the state of a run, perhaps one that was just launched."""

    def panel(self, run: Run, *, ask: bool = False) -> Any:
        """The panel to show for a run; None if one is already shown and updates itself.

        Args:
            ask: whether to ask long-silent tasks what they are executing.
        """

    def starting(self) -> AbstractContextManager[None]:
        """Show the step that the command waits for while the context's body starts something."""

    def result(self, panel: Any) -> Any:
        """The panel as the final result; None if it has replaced the output of :meth:`starting`."""

    def follow(self, run: Run, timeout: float, *, owned: bool) -> Answer:
        """Show a run's progress until it has ended.

        Args:
            timeout: seconds to wait; 0 waits forever.
            owned: whether this command launched the run.
        """

    def refresh(self, shown: Any, *, last: bool = False) -> None:
        """Show a value now, in place of the previous one that this method showed.

        Args:
            last: whether nothing will replace it.
        """

    def plot_live(self, run: Run, metric: str) -> None:
        """Show the curves of a metric, and update them until the run has ended."""

    def leaving(self, run: Run) -> AbstractContextManager[None]:
        """Let an interrupt in the context's body end the command, but not the run."""

    def picture(self, drawing: Drawing, name: str) -> Drawing | None:
        """The drawing, for a notebook; None in a terminal, which shows and saves it."""


@dataclass(frozen=True)
class Verb:
    """A command, defined once for both interfaces.

    Attributes:
        summary: what it does; lists show only the first line.
        build: adds the command's options to a parser.
        body: executes the command. The options of a cell magic have the cell in ``cell``.
        examples: lines of help; ``@`` stands for the prefix.
        style: how it is written, if not in the interface's usual way.
    """

    summary: str
    build: Callable[[Parser], None]
    body: Callable[[Namespace, Face], Answer]
    examples: str = ""
    style: Style | None = None
