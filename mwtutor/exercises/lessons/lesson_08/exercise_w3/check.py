"""08-w3: what the files contain."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "With two to four workers, files contain the complete sum, or are not written."
    return judged(work, __file__, "in_files", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = []
    for workers in (2, 3, 4):
        tasks = [f"worker:{worker}" for worker in range(workers)]
        parts = dict(zip(tasks, map(int, random.integers(1, 1000, workers)), strict=True))
        cases += [(parts, tasks), (parts, tasks[:1]), (parts, tasks[1:]), (parts, tasks[::-1])]
    return cases
