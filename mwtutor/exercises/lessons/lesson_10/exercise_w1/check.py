"""10-w1: how long a step takes."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "The worker with the most rows sets the pace, and the exchange follows."
    return judged(work, __file__, "step_seconds", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [([64, 64], 0.002, 0.2), ([10, 90], 0.01, 0.05), ([8, 4, 16], 0.1, 5.0)]
    fixed.append(([5, 20, 9], 0.01, 0.3))
    for workers in (2, 3, 5):
        rows = random.integers(4, 100, workers).tolist()
        fixed.append((rows, float(random.uniform(0.001, 0.01)), float(random.uniform(0.05, 0.5))))
    return fixed
