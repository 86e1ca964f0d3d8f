"""11-w1: a cluster with servers."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "With one to five workers, every address belongs to exactly one task."
    return judged(work, __file__, "cluster", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = []
    for workers, servers in ((2, 2), (3, 2), (1, 3), (5, 2), (4, 3)):
        ports = random.choice(np.arange(2000, 9000), 1 + workers + servers, replace=False)
        cases.append(([f"host-{port}:{port}" for port in ports], workers))
    return cases
