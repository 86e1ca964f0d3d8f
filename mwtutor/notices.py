"""Sentences for somebody who waits: on standard error, while the command is not done."""

from __future__ import annotations

import contextlib
import sys

from mwtutor.sanitize import harmless


def notice(sentence: str) -> None:
    """Show a sentence now."""
    with contextlib.suppress(OSError, ValueError):  # standard error is closed
        print(harmless(sentence), file=sys.stderr or sys.stdout, flush=True)
