"""09-w5: continue from files."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = (
        "The latest file is found, even after the ninth epoch, and no epoch is skipped or repeated."
    )
    return judged(work, __file__, "resume", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    epochs: list[list[int]] = [[1], [1, 2, 3], [2, 1], [9, 10, 8], [100, 20], []]
    epochs += [random.permutation(np.arange(1, 31))[:size].tolist() for size in (2, 4, 12)]
    return [([f"kept-{epoch}.weights.h5" for epoch in some],) for some in epochs]
