"""How far rows have moved, each alone: what a shuffle of few of them or of batches cannot do."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise


def earliest(rows: Iterable[int]) -> int:
    """By how many places a row comes before its turn at most: less than a shuffle's buffer.

    Args:
        rows: the numbers of different rows, as they came; their turn is their order.
    """
    came = list(rows)
    turn = {row: place for place, row in enumerate(sorted(came))}
    return max((turn[row] - place for place, row in enumerate(came)), default=0)


def followers(rows: Iterable[int]) -> int:
    """How many rows come right after the one that is before them in order: few in a shuffle.

    Args:
        rows: the numbers of different rows, as they came.
    """
    came = list(rows)
    turn = {row: place for place, row in enumerate(sorted(came))}
    return sum(turn[after] == turn[row] + 1 for row, after in pairwise(came))
