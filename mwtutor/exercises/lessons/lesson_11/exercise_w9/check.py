"""11-w9: what a lost task costs."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = (
        "A worker costs no update; a server or the chief costs what followed the last checkpoint."
    )
    return judged(work, __file__, "cost", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = [(job, 60, 40, 5) for job in ("worker", "ps", "chief")]
    for _ in range(4):
        drawn = tuple(map(int, random.integers((50, 7, 3), (400, 40, 12))))
        cases += [(job, *drawn) for job in ("worker", "ps", "chief")]
    return cases
