"""What a command waits for before there is a run that could be shown."""

from __future__ import annotations

import time
from collections.abc import Callable

from mwtutor.notices import IMPORTING

#: Seconds between two lines; and after which a step is shown that usually takes no time.
_AGAIN, _USUAL = 0.5, 1.0


class Starting:
    """Words for the step that is waited for, and for how long something has been starting.

    Args:
        show: gets a line, to be shown in the place of the one before.
    """

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._begun = time.monotonic()
        self._shown = ("", 0.0)

    def __call__(self, step: str) -> None:
        """Show that this step is waited for, if it is time to."""
        now = time.monotonic()
        seconds = now - self._begun
        if step != IMPORTING and seconds < _USUAL:
            return
        before, at = self._shown
        if step != before or now - at >= _AGAIN:
            self._shown = (step, now)
            self._show(f"Starting: {step}, {seconds:.0f} s")
