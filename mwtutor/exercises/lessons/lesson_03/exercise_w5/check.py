"""03-w5: how much a row counts."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [(rows, replicas) for rows in (64, 4, 7, 30, 5) for replicas in (3, 2, 1, 4)]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "row_weights",
        CASES,
        "With 1 to 4 replicas, some without rows, each row has its weight in the mean of means.",
    )
