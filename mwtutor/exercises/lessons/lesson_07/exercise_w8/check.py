"""07-w8: assign in every replica."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Sum, mean and first value change all copies in the same way; NONE lets copies differ."
    return judged(work, __file__, "assigned", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    kinds = ("SUM", "MEAN", "ONLY_FIRST_REPLICA", "NONE")
    cases: list[Case] = []
    for replicas in (2, 3, 4):
        copies = [float(random.integers(1, 20))] * replicas
        values = random.integers(1, 50, replicas).astype(float).tolist()
        cases += [(copies, values, kind) for kind in kinds]
    return [*cases, *(([1.0, 5.0], [2.0, 4.0], kind) for kind in kinds)]
