"""Show which step a command waits for before its run exists."""

from __future__ import annotations

import time
from collections.abc import Callable

from mwtutor.notices import IMPORTING

#: Seconds between two lines; and seconds after which a usually fast step is shown.
_AGAIN, _USUAL = 0.5, 1.0


class Starting:
    """Describes the step that a command waits for, and the time since the start.

    Args:
        show: receives a line, to be shown in place of the previous one.
    """

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._begun = time.monotonic()
        self._shown = ("", 0.0)

    def __call__(self, step: str) -> None:
        """Show that the command is waiting for this step, if a new line is due."""
        now = time.monotonic()
        seconds = now - self._begun
        if step != IMPORTING and seconds < _USUAL:
            return
        before, at = self._shown
        if step != before or now - at >= _AGAIN:
            self._shown = (step, now)
            self._show(f"Starting: {step}, {seconds:.0f} s")
