"""03-w3: a step of all workers."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

_DRAWN = np.random.default_rng(3)
CASES = [
    (
        _DRAWN.normal(size=size).round(1),
        [_DRAWN.normal(size=(rows, size)).round(1) for rows in sizes],
        rate,
    )
    for size, rate in ((2, 0.1), (3, 0.5))
    for sizes in ((4, 4), (5, 2), (22, 22, 20), (1, 2, 3, 4), (3,))
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "after_all_reduce",
        CASES,
        "With 1 to 4 workers and uneven parts, each worker makes the step of one process.",
    )
