"""11-w2: rows of each part."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "The parts are those of TensorFlow's partitioner, even where they are not equal."
    return judged(work, __file__, "rows_of_parts", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [
        (8192, 32, 65536, 2),
        (784, 128, 65536, 2),
        (100, 32, 65536, 3),
        (11, 1000, 2000, 3),
        (5, 4000, 1000, 8),
        (1000, 64, 4096, 4),
        (10, 1000, 2500, 8),
        (11, 1000, 5000, 8),
    ]
    return fixed + [
        tuple(map(int, random.integers((100, 4, 500, 2), (2000, 64, 9000, 7)))) for _ in range(5)
    ]
