"""03-w4: do they share the work?"""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

_WHOLE = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
_LABELS = [[3, 3, 5], [1, 0, 1]]

CASES = [
    ([[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]], _WHOLE),
    ([_WHOLE, _WHOLE], _WHOLE),  # each trains on everything
    ([[[0, 1], [4, 5], [8, 9]], [[0, 1], [4, 5], [8, 9]]], _WHOLE),  # the same half twice
    ([[[3, 0], [7, 4], [8, 11]], [[1, 2], [6, 5], [9, 10]]], _WHOLE),  # in another order
    ([[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 10]]], _WHOLE),  # only at the end
    ([[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 6], [10, 11]]], _WHOLE),  # only in the middle
    ([[[0, 1], [2, 3], [8, 9]], [[4, 5], [6, 7], [10, 11]]], _WHOLE),  # in another step
    ([[[0, 3], [4, 5], [8, 9]], [[0, 3], [6, 7], [10, 11]]], _WHOLE),  # an equal sum
    ([[[0], [4], [8, 9]], [[1, 2], [5, 6], []], [[3], [7], [10, 11]]], _WHOLE),
    ([[[0], [4], [8]], [[1], [5], [9]], [[3], [7], [11]]], _WHOLE),  # some rows are left out
    ([_WHOLE], _WHOLE),
    ([[[3], [0, 1]], [[5, 3], [1]]], _LABELS),
    ([[[3], [0, 1]], [[5, 5], [1]]], _LABELS),
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "share_the_work",
        CASES,
        "Your function notices doubled, missing and misplaced rows; their order does not matter.",
    )
