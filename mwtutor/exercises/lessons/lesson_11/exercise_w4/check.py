"""11-w4: when join returns."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "With two to four workers, each step goes to a worker that is free."
    return judged(work, __file__, "joined_after", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [
        ([0.05] * 12, 2),
        ([3, 1, 1, 1], 2),
        ([1, 1, 5], 2),
        ([], 3),
        ([2.0, 1.0], 4),
    ]
    for workers in (2, 3, 4):
        seconds = random.uniform(0.1, 3.0, 9).round(2).tolist()
        fixed.append((seconds, workers))
    return fixed
