"""07-w2: one line in three places."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = (
        "The call gives the sum in a replica, the value itself outside, and an error in the scope."
    )
    return judged(work, __file__, "all_reduced", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = []
    for replicas in (2, 3, 4):
        values = random.integers(1, 50, replicas).tolist()
        values[-1] = values[0] + 7
        cases += [
            (values, me, place)
            for me in (0, replicas - 1)
            for place in ("outside", "scope", "replica")
        ]
    return cases
