"""07-w4: reduce by hand."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Sums and means are right, even for uneven parts and a replica without rows."
    return judged(work, __file__, "reduced_value", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = []
    for lengths in ((4, 4), (3, 2), (1, 0), (2, 5, 3), (3, 3, 3)):
        parts = [random.integers(0, 100, length).astype(float).tolist() for length in lengths]
        for how in ("SUM", "MEAN"):
            cases.append((how, parts, 0))
            if len(set(lengths)) == 1:
                cases.append((how, parts, None))
    return cases
