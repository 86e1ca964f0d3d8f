"""07-w9: parts of one mean."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "The parts add up to the mean over all rows, even for uneven and empty parts."
    return judged(work, __file__, "parts_of_the_mean", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    lengths = [(4, 4), (4, 3), (3, 0), (2, 5, 1), tuple(random.integers(1, 9, 4).tolist())]
    return [
        ([random.uniform(0.1, 9.0, own).round(2).tolist() for own in each],) for each in lengths
    ]
