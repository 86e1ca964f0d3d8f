"""Sentences for somebody who waits while a command is not done."""

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


#: A step of a launch that takes seconds, once in each process.
IMPORTING = "importing TensorFlow"

_showing: ContextVar[Callable[[str], None] | None] = ContextVar("mwtutor_showing", default=None)


def waiting(step: str) -> None:
    """Tell whoever shows it what is waited for; called again and again for as long as it lasts."""
    if (show := _showing.get()) is not None:
        show(step)


@contextlib.contextmanager
def shown_by(show: Callable[[str], None]) -> Iterator[None]:
    """In its body, ``show`` gets the steps that are waited for."""
    before = _showing.set(show)
    try:
        yield
    finally:
        _showing.reset(before)
