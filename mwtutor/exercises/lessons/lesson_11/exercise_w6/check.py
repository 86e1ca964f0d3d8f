"""11-w6: counted twice."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Only steps that added their 1 more than once are listed."
    return judged(work, __file__, "counted_twice", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    ways = (
        ("adds", "reported"),
        ("lost", "adds", "reported"),
        ("adds", "lost", "adds", "reported"),
        ("lost", "lost", "adds", "reported"),
        ("adds", "lost", "lost", "adds", "reported"),
        ("adds", "lost", "adds", "lost", "adds", "reported"),
    )
    cases: list[Case] = [([("adds", 4), ("lost", 4), ("adds", 2)],)]
    for _ in range(5):
        steps = [*range(6), *random.integers(0, 6, 6).tolist()]
        left = [list(ways[way]) for way in steps]
        events = []
        while any(left):
            step = int(random.choice([step for step, one in enumerate(left) if one]))
            events.append((left[step].pop(0), step))
        cases.append((events,))
    return cases
