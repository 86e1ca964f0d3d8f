"""05-w6: a signature for all batches."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [
    ([[2], [2], [1]],),
    ([[2], [2]],),
    ([[32, 28, 28, 1], [32, 28, 28, 1], [9, 28, 28, 1]],),
    ([[4, 7], [4, 9], [4, 7]],),
    ([[4, 7], [3, 9]],),
    ([[5, 3, 2]],),
    ([[3], [2], [2]],),
    ([[8, 10], [8, 10], [8, 12]],),
    ([[1, 28], [8, 28]],),
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "signature",
        CASES,
        "Equal sizes are kept, wherever they are, and different ones become None.",
    )
