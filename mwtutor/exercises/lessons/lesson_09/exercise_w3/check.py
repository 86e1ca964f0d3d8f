"""09-w3: where the second attempt begins."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = 'The last backup before the kill is found, for numbers and for "epoch".'
    return judged(work, __file__, "restored_updates", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [(70, 30, 40), (70, "epoch", 40), (29, 30, 40), (120, 30, 40), (95, 30, 40)]
    fixed.append((50, 30, 40))
    drawn = [tuple(map(int, random.integers((20, 3, 15), (400, 50, 60)))) for _ in range(5)]
    return fixed + drawn + [(killed, "epoch", steps) for killed, _, steps in drawn]
