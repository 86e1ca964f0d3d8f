"""How far rows have moved: what a shuffle that holds few of them cannot do."""

from __future__ import annotations

from collections.abc import Iterable


def earliest(rows: Iterable[int]) -> int:
    """By how many places a row comes before its turn at most: less than a shuffle's buffer.

    Args:
        rows: the numbers of different rows, as they came; their turn is their order.
    """
    came = list(rows)
    turn = {row: place for place, row in enumerate(sorted(came))}
    return max((turn[row] - place for place, row in enumerate(came)), default=0)
