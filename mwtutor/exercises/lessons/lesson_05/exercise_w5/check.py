"""05-w5: rows in each step."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [
    (rows, batch, workers, drop)
    for rows, batch in ((12, 5), (14, 7), (64, 64), (10, 4), (11, 5), (17, 6), (5, 8))
    for workers in (2, 3, 1)
    for drop in (False, True)
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "step_sizes",
        CASES,
        "With 1 to 3 workers, full and partial batches are divided as in the lesson.",
    )
