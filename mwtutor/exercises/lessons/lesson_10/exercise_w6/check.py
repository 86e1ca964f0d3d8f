"""10-w6: declared dead."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Short pauses do no harm, and the first long one is noticed in time."
    return judged(work, __file__, "declared_dead", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = [
        ([0.0, 1.0, 2.0, 3.0], 9.0),
        ([0.0, 1.0, 11.0, 12.0], 9.0),
        ([0.0, 1.0, 7.0, 13.0, 19.0], 9.0),
        ([0.0, 5.0, 20.0, 21.0, 40.0], 9.0),
        ([0.0, 2.5, 5.0, 7.5], 2.0),
        ([20.0, 29.0, 38.0, 40.0], 9.0),
    ]
    for _ in range(4):
        gaps = [1.0] * 12
        for at in random.choice(12, 3, replace=False):
            gaps[int(at)] = round(float(random.uniform(3, 20)), 1)
        cases.append((np.cumsum([0.0, *gaps]).tolist(), float(random.integers(5, 12))))
    return cases
