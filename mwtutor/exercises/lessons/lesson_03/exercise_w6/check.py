"""03-w6: the same training on more workers."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [
    (rows, batch, rate, workers)
    for rows in (1344, 1000, 60_000)
    for batch, rate in ((32, 0.05), (64, 0.1), (7, 0.3))
    for workers in (3, 1, 2, 8)
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "for_workers",
        CASES,
        "With 1 to 8 workers, batch size, steps and learning rate are right.",
    )
