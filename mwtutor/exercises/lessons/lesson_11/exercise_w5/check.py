"""11-w5: stale gradients, in order."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Each gradient comes from the weight that was read, and changes the newest weight."
    return judged(work, __file__, "stale_weights", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [(5.0, 0.2, [0, 1, 2]), (5.0, 0.2, [0, 0, 2, 0, 1]), (1.0, 0.5, [0, 1, 0])]
    for _ in range(4):
        read = [int(random.integers(0, update + 1)) for update in range(8)]
        fixed.append((float(random.uniform(1, 9)), float(random.uniform(0.05, 0.6)), read))
    return fixed
