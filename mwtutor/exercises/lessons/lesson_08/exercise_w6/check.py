"""08-w6: which checkpoints are kept."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "The newest checkpoints are kept, even after ten saves; with `None`, all of them are."
    return judged(work, __file__, "kept_names", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [(3, 2), (2, 5), (12, 4), (11, None), (1, 1), (0, 3)]
    return fixed + [(int(random.integers(4, 40)), int(random.integers(1, 4))) for _ in range(4)]
