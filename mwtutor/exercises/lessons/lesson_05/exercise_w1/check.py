"""05-w1: how often is a row read?"""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [
    ([[[0, 1], [4, 5]], [[2, 3], [6, 7]]], 8),
    ([[[0, 1], [2, 3]], [[0, 1], [2, 3]]], 4),  # both read everything
    ([[[0, 1], [0, 2]], [[0], [5]]], 6),
    ([[[0, 3], [6], []], [[1, 4], [7], []], [[2, 5], [2, 2], [9, 9]]], 12),
    ([[[2, 0, 1]]], 3),
    ([[[], [1]], [[3], []], [[], []]], 5),
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "times_read",
        CASES,
        "With 1 to 3 workers, each row is counted as often as it was read, including 0 times.",
    )
