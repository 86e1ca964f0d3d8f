"""The call history of an operation in a TensorFlow error; only the user's own calls matter.

"Detected at node ... defined at" is followed by every call that led to the operation's definition,
each followed by an empty line: dozens of calls, one or two of them the user's.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from mwtutor.system import child

_CALL = re.compile(r'\s*File "([^"]+)", line \d+, in \S+')


def is_call(text: str) -> bool:
    """Whether the line looks like a call in a history, in an installed package or in mwtutor."""
    found = _CALL.fullmatch(text)
    return found is not None and child.is_installed(found[1])


def in_history(texts: Sequence[str]) -> list[bool]:
    """Which lines of one log or message are calls in a history, or the empty lines after them.

    In a Python traceback, a call is followed by its source line, so such calls are kept.
    """
    marks = [False] * len(texts)
    for at, (text, behind) in enumerate(itertools.pairwise(texts)):
        if is_call(text) and not behind.strip():
            marks[at] = marks[at + 1] = True
    return marks


def fold(message: str) -> str:
    """The message, with the lines that :func:`in_history` finds replaced by counts of the calls."""
    lines = message.split("\n")
    shown: list[str] = []
    calls = 0
    for line, left_out in zip(lines, in_history(lines), strict=True):
        if left_out:
            calls += bool(line.strip())
            continue
        if calls:
            shown.append(f"  ({calls} call{'s' * (calls > 1)} in installed packages left out)")
        calls = 0
        shown.append(line)
    return "\n".join(shown)
