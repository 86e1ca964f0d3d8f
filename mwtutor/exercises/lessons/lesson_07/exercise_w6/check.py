"""07-w6: how often it is traced."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "New shapes are traced once each, and with the signature there is one trace."
    return judged(work, __file__, "traces", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    lists = [
        [(8, 3), (5, 3)],
        [(8, 3)] * 4,
        [(4, 2), (3, 2), (4, 2)],
        [(4, 2), (4, 2), (1, 2), (4, 2)],
    ]
    lists += [[(rows, 7) for rows in random.integers(1, 6, 12).tolist()] for _ in range(3)]
    cases: list[Case] = [(shapes, with_spec) for shapes in lists for with_spec in (True, False)]
    return [*cases, ([(8, 3), (8, 4), (5, 3), (8, 4)], False)]
