"""05-w4: which policy applies?"""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

CASES = [
    (policy, files, workers)
    for policy in ("AUTO", "FILE", "DATA", "OFF")
    for files in (0, 1, 2, 3, 5)
    for workers in (2, 3, 4)
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "applied",
        CASES,
        "The answers are right for all four policies, 0 to 5 files, and 2 to 4 workers.",
    )
