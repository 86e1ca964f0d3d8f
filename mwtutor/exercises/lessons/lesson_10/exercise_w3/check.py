"""10-w3: efficiency."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Both kinds of scaling are right, with 2 to 64 machines."
    return judged(work, __file__, "share_used", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = [(kind, 0.5, 0.8, 8) for kind in ("weak", "strong")]
    cases.append(("weak", 0.8, 0.5, 8))
    for _ in range(4):
        alone, together = random.uniform(0.1, 2.0, 2).tolist()
        cases += [
            (kind, alone, together, int(random.integers(2, 65))) for kind in ("weak", "strong")
        ]
    return cases
