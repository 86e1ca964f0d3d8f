"""03-w1: the rows of each step."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [
    (rows, per_replica, replicas)
    for rows in (1344, 97, 7)
    for per_replica in (32, 5, 8)
    for replicas in (1, 2, 3, 4)
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "rows_of_steps",
        CASES,
        "With 1 to 4 replicas, each step takes a global batch, the last one the remaining rows.",
    )
