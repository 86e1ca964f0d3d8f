"""06-w1: the rows of one worker."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [
    (rows, batch, worker, workers)
    for rows, batch in ((297, 64), (10, 4), (9, 8), (12, 6), (7, 5))
    for workers in (2, 3, 1)
    for worker in range(workers)
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "evaluated_rows",
        CASES,
        "With 1 to 3 workers and partial batches, each row is on the right worker.",
    )
