"""How a process ended, in words."""

from __future__ import annotations

import signal


def exit_words(status: int) -> str:
    """An exit status (negative: a signal) in words."""
    if status >= 0:
        return f"exited with code {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = "unknown"
    return f"was killed by signal {-status} ({name})"
