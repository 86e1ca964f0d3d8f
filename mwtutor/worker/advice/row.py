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
        message: a regular expression that is searched for in its message.
        means: what it means, in one sentence; names in braces are replaced by the groups of
            ``message``, and ``{program}`` by the program's file.
        do: what to do, in one sentence.
        in_order: replaces ``means`` and ``do`` if both lines are known: the ``{later}`` one belongs
            above the ``{earlier}`` one, which used TensorFlow first.
        in_cell: replaces ``means`` and ``do`` in a session's cell; empty if they fit there.
        applies: a further condition on the exception.
        in_text: the error's class in a text, which does not show whether ``applies`` is true: a
            regular expression; empty if class and message are not enough.
    """

    error: str
    message: str
    means: str
    do: str
    in_order: str = ""
    in_cell: str = ""
    applies: Callable[[BaseException, re.Match[str]], bool] = lambda error, match: True
    in_text: str = ""


def main_file() -> str:
    """The program's file; empty in a session."""
    return str(getattr(sys.modules.get("__main__"), "__file__", "") or "")
