"""How far each row has moved: further than a shuffle of few rows or of batches can move it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise


def earliest(rows: Iterable[int]) -> int:
    """The most places by which a row comes before its turn: less than a shuffle's buffer.

    Args:
        rows: the numbers of different rows, as they came; their turn is their order.
    """
    came = list(rows)
    turn = {row: place for place, row in enumerate(sorted(came))}
    return max((turn[row] - place for place, row in enumerate(came)), default=0)


def followers(rows: Iterable[int]) -> int:
    """How many rows directly follow their predecessor in order: few after a shuffle.

    Args:
        rows: the numbers of different rows, as they came.
    """
    came = list(rows)
    turn = {row: place for place, row in enumerate(sorted(came))}
    return sum(turn[after] == turn[row] + 1 for row, after in pairwise(came))
