"""04-w1: how many replicas?"""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [
    (gpus, batch)
    for gpus in ([0, 0], [2, 2], [1, 1, 1], [4, 4], [0, 0, 0], [3], [0], [2, 2, 2, 2])
    for batch in (48, 240)
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "in_sync",
        CASES,
        "With and without GPUs, on 1 to 4 workers, replicas and rows are right.",
    )
