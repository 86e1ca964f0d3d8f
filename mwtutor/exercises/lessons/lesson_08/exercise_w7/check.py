"""08-w7: the same steps in one process."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "One process makes as many updates as the cluster, with the same rows in each."
    return judged(work, __file__, "one_process", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [(640, 32, 2), (650, 32, 2), (100, 10, 3), (90, 64, 4), (129, 64, 2)]
    return fixed + [tuple(map(int, random.integers((500, 8, 2), (2000, 60, 6)))) for _ in range(4)]
