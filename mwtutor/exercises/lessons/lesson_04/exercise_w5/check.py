"""04-w5: who is missing?"""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [
    (entered,)
    for entered in (
        [1, 0],
        [0, 1],
        [4, 4],
        [7, 8, 8],
        [3, 2, 2],
        [2, 3, 2, 3],
        [5, 5, 5, 4],
        [2, 2, 3, 2],
        [0, 0, 0],
        [1, 2, 1],
    )
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "missing",
        CASES,
        "With 2 to 4 workers, the missing workers are named, and none if no worker waits.",
    )
