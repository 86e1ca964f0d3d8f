"""05-w2: `DATA` by hand."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

_ROWS = [7, 3, 11, 0, 5, 9, 2, 10, 1, 8, 4, 6, 15, 13, 12, 14, 19, 17, 16, 18, 23, 22, 21, 20]
CASES = [
    (_ROWS[:rows], batch, worker, workers)
    for rows, batch in ((12, 6), (24, 12), (6, 6), (24, 6))
    for workers in (2, 1, 3, 6)
    for worker in range(workers)
] + [(_ROWS[:8], 4, worker, 4) for worker in range(4)]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "data_shard",
        CASES,
        "With 1 to 6 workers, each gets its part of every batch.",
    )
