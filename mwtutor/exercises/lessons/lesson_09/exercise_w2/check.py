"""09-w2: what a kill leaves."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = (
        "Files and lost updates are right, even where a kill follows the last update of an epoch."
    )
    return judged(work, __file__, "left_by_kill", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [(70, 40), (80, 40), (39, 40), (125, 25)]
    return fixed + [(int(random.integers(1, 300)), int(random.integers(7, 60))) for _ in range(5)]
