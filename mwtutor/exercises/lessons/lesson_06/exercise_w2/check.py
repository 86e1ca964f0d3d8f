"""06-w2: predictions in order."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [
    ([[[0.3, 0.9], [0.1]], [[0.2, 0.4], [0.8]]],),
    ([[[0.5, 0.1], [0.7, 0.2], [0.6]], [[0.3, 0.9], [0.4, 0.8], []]],),
    ([[[0.9], [0.8]], [[0.1], [0.2]], [[0.5], [0.6]]],),
    ([[[4, 2, 7], [6, 1]], [[5, 3, 9], [8]], [[0], []]],),
    ([[[0.2, 0.1], [0.9]]],),
    ([[[0.5, 0.5], [0.1]], [[0.5], [0.1]]],),  # some are equal
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "data_order",
        CASES,
        "With 1 to 3 workers and uneven parts, the predictions are in the order of the data.",
    )
