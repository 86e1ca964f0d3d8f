"""11-w3: updates and rows."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Both strategies make the same number of updates, with rows of one worker or of all."
    return judged(work, __file__, "totals", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = [(3, 40, 32, 2, mirrored) for mirrored in (False, True)]
    cases.append((2, 50, 16, 3, True))  # another number of workers, whatever is drawn
    for _ in range(4):
        drawn = tuple(map(int, random.integers((1, 5, 4, 2), (6, 90, 70, 7))))
        cases += [(*drawn, mirrored) for mirrored in (False, True)]
    return cases
