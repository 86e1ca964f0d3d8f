"""11-w7: rows a second."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "A slow worker holds up the others only if they are synchronous."
    return judged(work, __file__, "rows_per_second", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = [([0.1, 0.1], 32, True), ([0.1, 0.1], 32, False)]
    for workers in (2, 3, 5):
        seconds = random.uniform(0.02, 0.5, workers).round(3).tolist()
        cases += [
            (seconds, int(random.integers(8, 65)), synchronous) for synchronous in (True, False)
        ]
    return cases
