"""10-w4: how many threads."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Limits and threads are right, even with more workers than processors."
    return judged(work, __file__, "thread_limits", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [(8, 2), (2, 4), (16, 5), (1, 2), (7, 3), (7, 4)]
    return fixed + [tuple(map(int, random.integers((2, 2), (65, 9)))) for _ in range(4)]
