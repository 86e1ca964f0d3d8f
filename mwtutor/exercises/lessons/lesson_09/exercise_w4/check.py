"""09-w4: updates in the model."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Keras 2 makes the planned updates, and Keras 3 repeats the finished part of the epoch."
    return judged(work, __file__, "at_the_end", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    cases: list[Case] = [(60, 40, 3, keras) for keras in (2, 3)]
    for _ in range(5):
        steps, epochs = int(random.integers(10, 60)), int(random.integers(2, 7))
        backup = int(random.integers(0, epochs)) * steps + int(random.integers(1, steps))
        cases += [(backup, steps, epochs, keras) for keras in (2, 3)]
    return cases
