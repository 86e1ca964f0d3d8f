"""One common error: how it is recognized, what it means, and what to do."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One error.

    Attributes:
        error: the name of its class, a regular expression.
        message: what is found in its message, a regular expression.
        means: one sentence; names of ``message``'s groups in braces are filled in, and ``program``.
        do: another one.
        in_order: both, where the two lines are known of which the ``{later}`` one belongs above
            the ``{earlier}``, which used TensorFlow first.
        in_cell: both, where they differ for a session's cell.
        applies: what else has to be true of the exception.
    """

    error: str
    message: str
    means: str
    do: str
    in_order: str = ""
    in_cell: str = ""
    applies: Callable[[BaseException, re.Match[str]], bool] = lambda error, match: True


def main_file() -> str:
    """The file of the program that this process executes; empty in a session."""
    return str(getattr(sys.modules.get("__main__"), "__file__", "") or "")
