"""03-w2: one step of SGD."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

_DRAWN = np.random.default_rng(2)
CASES = [
    (_DRAWN.normal(size=size).round(1), _DRAWN.normal(size=(rows, size)).round(1), rate)
    for rows, rate in ((1, 0.5), (2, 0.1), (4, 0.25), (7, 1.0))
    for size in (2, 3, 5)
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "after_step",
        CASES,
        "Batches of 1 to 7 rows move 2 to 5 weights by the mean of the rows' gradients.",
    )
