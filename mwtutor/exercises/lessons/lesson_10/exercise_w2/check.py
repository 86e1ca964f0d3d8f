"""10-w2: over different links."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "The slower link decides, and the answer is in milliseconds."
    return judged(work, __file__, "exchange_ms", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed: list[Case] = [(941_000, [20e6, 20e6]), (941_000, [100e6, 20e6]), (1_000, [1e9, 1e10])]
    for _ in range(4):
        fixed.append(
            (int(random.integers(1_000, 10_000_000)), random.uniform(1e6, 1e9, 2).tolist())
        )
    return fixed
