"""10-w5: who waits."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "The sums are right, with two to four workers."
    return judged(work, __file__, "seconds_waited", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = [([[1.0, 1.05], [2.0, 2.05], [3.0, 3.02]],), ([[1.0, 2.0], [4.0, 3.5]],)]
    for workers in (2, 3, 4):
        ready = np.arange(1.0, 7.0)[:, None] + random.uniform(0.0, 0.5, (6, workers)).round(3)
        cases.append((ready.tolist(),))
    return cases
