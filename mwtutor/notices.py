"""Sentences for a user who waits for a command to finish."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar

from mwtutor.sanitize import harmless


def notice(sentence: str) -> None:
    """Show a sentence now, on standard error."""
    with contextlib.suppress(OSError, ValueError):  # standard error is closed
        print(harmless(sentence), file=sys.stderr or sys.stdout, flush=True)


#: A step of a launch that takes seconds, once per process.
IMPORTING = "importing TensorFlow"

_showing: ContextVar[Callable[[str], None] | None] = ContextVar("mwtutor_showing", default=None)


def waiting(step: str) -> bool:
    """Report the step that a command waits for; called repeatedly while it waits.

    Returns: Whether the step is shown.
    """
    if (show := _showing.get()) is not None:
        show(step)
    return show is not None


@contextlib.contextmanager
def shown_by(show: Callable[[str], None]) -> Iterator[None]:
    """Within the context, ``show`` receives the steps that a command waits for."""
    before = _showing.set(show)
    try:
        yield
    finally:
        _showing.reset(before)
