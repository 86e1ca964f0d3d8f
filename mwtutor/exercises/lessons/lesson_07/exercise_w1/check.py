"""07-w1: what each worker believes."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Each worker multiplies its own replicas by the number of workers, even without a GPU."
    return judged(work, __file__, "believed", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [([1, 2],), ([0, 0],), ([0, 2, 1],)]
    return fixed + [(random.integers(0, 5, workers).tolist(),) for workers in (2, 3, 5)]
