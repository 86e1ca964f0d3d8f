"""05-w3: `FILE` by hand."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

_FOUR = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
_UNEVEN = [[5], [4, 9, 2, 7], [8, 1], [6], [3, 0]]
CASES = [
    (files, each, workers)
    for files in (_FOUR, _UNEVEN, _FOUR[:3])
    for each in (2, 3, 1)
    for workers in (3, 2, 1)
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "file_shards",
        CASES,
        "With 1 to 3 workers, every row is read in its step, even if the files differ in length.",
    )
