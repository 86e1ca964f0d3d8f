"""09-w1: the rows of an update."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "The rows are right, even where a batch spans two passes."
    return judged(work, __file__, "rows_of", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [
        (0, 12, 1440),
        (119, 12, 1440),
        (3, 4, 10),
        (2, 4, 10),
        (7, 3, 8),
        (1, 7, 3),
    ]
    for _ in range(4):
        batch = int(random.integers(2, 9))
        fixed.append((int(random.integers(0, 60)), batch, int(random.integers(10, 40))))
    return fixed
