"""08-w5: a step inside, a step outside."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Inside, copies get the same change; outside, each worker trains alone."
    return judged(work, __file__, "after_step", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = []
    for workers, rate in ((2, 0.25), (3, 0.1), (5, 1.0)):
        weights, gradients = random.normal(size=(2, workers)).round(2).tolist()
        equal = weights[:1] * workers
        cases += [(equal, gradients, rate, inside) for inside in (True, False)]
        cases += [(weights, gradients, rate, inside) for inside in (True, False)]
    return cases
