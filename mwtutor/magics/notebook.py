"""The notebook, and IPython in a terminal, as verbs see them."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import Any

from mwtutor.commands.verb import Answer
from mwtutor.display.panel import Live, NotebookLive, TerminalLive, leaving_it_running
from mwtutor.run.run import Run


class NotebookFace:
    """A :class:`mwtutor.commands.verb.Face`: what is typed in a cell."""

    color = True
    waits = False
    stop_reason = "it was stopped"

    def __init__(self, shell: Any) -> None:
        self.shell = shell

    def say(self, text: str) -> None:
        print(text)

    def follow(self, run: Run, timeout: float, *, owned: bool) -> Answer:
        live: Live = NotebookLive() if hasattr(self.shell, "kernel") else TerminalLive(sys.stdout)
        with self.leaving(run):
            run.wait(timeout, show=lambda state: live.show(run, state))
        return Answer()

    def leaving(self, run: Run) -> AbstractContextManager[None]:
        return leaving_it_running(run, f"%mw_stop {run.name}")

    def picture(self, png: bytes, name: str) -> Any:
        from IPython.display import Image

        return Image(png)
