"""10-w8: packs."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "The packs are those of TensorFlow, even for uneven sizes and with a limit of 0."
    return judged(work, __file__, "pack_sizes", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [([1] * 8, limit) for limit in (0, 1, 2, 8)] + [([3, 10, 2, 2, 9], 5)]
    for _ in range(4):
        sizes = random.integers(10, 500, 9).tolist()
        fixed += [(sizes, int(random.integers(50, 900))), (sizes, 0)]
    return fixed
