"""The settings that a server prints, over many lines, when a chief connects to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: The first line of a dump in TensorFlow's log; a protocol buffer follows as text, then an empty
#: line.
_BEGIN = re.compile(r"(?:[IW]\d{4}|\d{4}-\d\d-\d\d) .*\] SessionOptions: ")
_OPENS = re.compile(r"( *)\w+ \{")
_CLOSES = re.compile(r"( *)\}")
_VALUE = re.compile(r'( *)(\w+): (?:"[^"]*"|[\w.+-]+)')

#: The only names that belong to a dump at its outermost level; others may be the program's output.
_SETTINGS = frozenset(
    (
        "allow_soft_placement",
        "device_filters",
        "inter_op_parallelism_threads",
        "intra_op_parallelism_threads",
        "isolate_session_state",
        "log_device_placement",
        "operation_timeout_in_ms",
        "placement_period",
        "share_cluster_devices_in_session",
        "use_per_session_threads",
    )
)


#: Maximum number of lines in a dump.
LONGEST = 60


def begins(text: str) -> bool:
    return _BEGIN.match(text) is not None


def may_belong(text: str) -> bool:
    """Whether the line could belong to a dump that began above it."""
    return any(kind.fullmatch(text) for kind in (_OPENS, _CLOSES, _VALUE)) or not text.strip()


def in_dump(texts: Sequence[str]) -> list[bool]:
    """Which of these lines of one log belong to a dump."""
    marks = [False] * len(texts)
    at = 0
    while at < len(texts):
        count = length(texts[at:]) if begins(texts[at]) else 0
        marks[at : at + count] = [True] * count
        at += count or 1
    return marks


def unfinished(texts: Sequence[str]) -> int:
    """The number of lines at the end that belong to a dump that may continue."""
    for count in range(1, min(len(texts), LONGEST) + 1):
        if begins(texts[-count]):
            return count if length(texts[-count:], ended=False) == count else 0
        if not may_belong(texts[-count]):
            break
    return 0


def length(texts: Sequence[str], *, ended: bool = True) -> int:
    """The number of lines of the dump that begins with the first line.

    Args:
        ended: also count the empty line after it.
    """
    depth = int(texts[0].endswith("{"))  # older releases open a block on the first line
    for number, text in enumerate(texts[1:LONGEST], 1):
        if not text.strip() and depth == 0:
            return number + ended
        if _opens(text, depth):
            depth += 1
        elif _closes(text, depth):
            depth -= 1
        elif not _is_value(text, depth):
            return number
    return min(len(texts), LONGEST)


def _opens(text: str, depth: int) -> bool:
    found = _OPENS.fullmatch(text)
    return found is not None and len(found[1]) == 2 * depth


def _closes(text: str, depth: int) -> bool:
    found = _CLOSES.fullmatch(text)
    return found is not None and depth > 0 and len(found[1]) == 2 * (depth - 1)


def _is_value(text: str, depth: int) -> bool:
    found = _VALUE.fullmatch(text)
    return found is not None and len(found[1]) == 2 * depth and (depth > 0 or found[2] in _SETTINGS)
