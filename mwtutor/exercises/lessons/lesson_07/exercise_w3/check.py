"""07-w3: into run, and out of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Each replica gets its own part, and a worker returns the results of its own replicas."
    return judged(work, __file__, "run_on_worker", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()

    def twice(value: Any) -> Any:
        return 2 * value

    def negative(value: Any) -> Any:
        return [-one for one in value] if isinstance(value, tuple) else -value

    rows = random.integers(1, 100, 3).tolist()  # a list stands for a tensor
    cases: list[Case] = [(twice, rows, [0, 1]), (twice, rows, [2])]
    for workers, devices in ((2, 1), (2, 2), (3, 2), (1, 3)):
        parts = tuple(random.integers(1, 100, workers * devices).tolist())
        me = workers - 1
        own = [me * devices + device for device in range(devices)]
        cases += [(function, given, own) for function in (twice, negative) for given in (parts, 7)]
    return cases
