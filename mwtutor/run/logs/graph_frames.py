"""The history of an operation in an error of TensorFlow's, of which the user's own calls matter.

"Detected at node ... defined at" is followed by every call that led to the operation's definition,
a call and an empty line each: dozens, of which one or two are the user's.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from mwtutor.system import child

_CALL = re.compile(r'\s*File "([^"]+)", line \d+, in \S+')


def is_call(text: str) -> bool:
    """Whether the line names a call in something installed, or in us, as a history does."""
    found = _CALL.fullmatch(text)
    return found is not None and child.is_installed(found[1])


def in_history(texts: Sequence[str]) -> list[bool]:
    """Which of these lines, of one log or message, are such a call or the empty line behind it.

    In a traceback of Python's own, a call has its source behind it, and stays.
    """
    marks = [False] * len(texts)
    for at, (text, behind) in enumerate(itertools.pairwise(texts)):
        if is_call(text) and not behind.strip():
            marks[at] = marks[at + 1] = True
    return marks


def fold(message: str) -> str:
    """A message in which each stretch of such lines is one that counts the calls."""
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
