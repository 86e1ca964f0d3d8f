"""06-w3: which checkpoints are evaluated?"""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

#: No checkpoint is saved at the moment when an evaluation ends: the task leaves that open.
CASES = [
    (saved, seconds)
    for saved in ([2, 4, 6], [1, 2, 3, 4, 5, 6, 7], [3, 4, 10, 11, 12, 20], [5], [0.5, 0.8, 30, 31])
    for seconds in (0.7, 1.7, 2.7, 7.7)
] + [([0, 1, 2, 3, 12, 14, 30], 5.5)]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "followed_numbers",
        CASES,
        "Your evaluator waits for new checkpoints, takes the latest, and stops at the last.",
    )
