"""09-w7: what a warning saves."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Nothing is lost if there is time; otherwise, all updates since the last backup are."
    return judged(work, __file__, "lost", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = [
        (70, 30, 10.0, 2.0),
        (70, 30, 1.0, 2.0),
        (70, 30, 0.0, 2.0),
        (20, 30, 2.5, 3.0),
        (70, 30, 1.5, 1.0),
    ]
    for _ in range(5):
        updates, save_freq = int(random.integers(10, 500)), int(random.integers(3, 60))
        needed = round(float(random.uniform(1, 5)), 1)
        cases += [(updates, save_freq, grace, needed) for grace in (0.0, needed / 2, needed * 2)]
    return cases
