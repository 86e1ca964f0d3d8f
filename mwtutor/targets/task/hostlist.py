"""Slurm's abbreviations: ``node[01-03,7]`` for host names, ``2(x3),1`` for tasks on each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mwtutor.exceptions import BadCluster

#: One name between two commas, perhaps with brackets.
_PART = r"(?:[^\s,\[\]]|\[[^\s\[\]]*\])+"
_LIST = re.compile(rf"{_PART}(?:,{_PART})*")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_COUNT = re.compile(r"([0-9]{1,6})(?:\(x([0-9]{1,6})\))?")

#: Maximum number of names, more than any cluster has.
_MOST = 100_000

#: Maximum number of brackets in one name, more than Slurm writes.
_DIMENSIONS = 8


def expand(text: str) -> list[str]:
    """The names that a list of hosts stands for, in the list's order.

    Raises:
        BadCluster: it is not such a list.
    """
    if not _LIST.fullmatch(text) or any(
        part.count("[") > _DIMENSIONS for part in re.findall(_PART, text)
    ):
        raise _not(text, "a list of hosts")
    names: list[str] = []
    for part in re.findall(_PART, text):
        for name in _names(part, text):
            names.append(name)
            if len(names) > _MOST:
                raise _not(text, "a list of hosts")
    return names


def counts(text: str) -> list[int]:
    """The numbers that ``2(x3),1`` stands for: ``[2, 2, 2, 1]``.

    Raises:
        BadCluster: it is not such a list.
    """
    found = [_COUNT.fullmatch(part) for part in text.split(",")]
    if not all(found) or sum(int(one[2] or 1) for one in found if one) > _MOST:
        raise _not(text, "a list of task counts")
    return [int(one[1]) for one in found if one for _ in range(int(one[2] or 1))]


def _names(part: str, whole: str) -> Iterator[str]:
    before, bracket, rest = part.partition("[")
    if not bracket:
        yield before
        return
    inside, _, rest = rest.partition("]")
    for numbers in inside.split(","):
        match = _RANGE.fullmatch(numbers)
        if match is None or int(match[2] or match[1]) < int(match[1]):
            raise _not(whole, "a list of hosts")
        first, last = match[1], match[2] or match[1]
        for number in range(int(first), int(last) + 1):
            for after in _names(rest, whole):
                yield f"{before}{number:0{len(first)}}{after}"


def _not(text: str, what: str) -> BadCluster:
    shown = text if len(text) <= 80 else f"{text[:77]}..."
    return BadCluster(f"{shown!r} is not {what} in Slurm's format.", "Check SLURM_* in env.")
