"""How far each row moved, which reveals a small shuffle buffer, or a shuffle of whole batches."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise


def earliest(rows: Iterable[int]) -> int:
    """The largest number of places a row comes before its turn: less than a shuffle's buffer size.

    Args:
        rows: the numbers of different rows, as they came; a row's turn is its sorted place.
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
