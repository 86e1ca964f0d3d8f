"""10-w9: a step with a scaled loss."""

from __future__ import annotations

import math

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Gradients are unscaled, and one infinity or nan stops the update on all workers."
    return judged(work, __file__, "scaled_step", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = [(2.0, [math.inf, 1.0], 1.0)]
    for workers in (2, 3, 4):
        gradients = random.normal(scale=100.0, size=workers).round(2).tolist()
        scale = float(2 ** int(random.integers(3, 16)))
        cases.append((float(random.integers(1, 9)), gradients, scale))
        for at, bad in ((0, math.inf), (workers - 1, -math.inf), (workers - 1, math.nan)):
            cases.append((1.5, [*gradients[:at], bad, *gradients[at + 1 :]], scale))
    return cases
