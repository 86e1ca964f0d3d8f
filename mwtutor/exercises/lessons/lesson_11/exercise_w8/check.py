"""11-w8: three branches."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "One task coordinates, one evaluates, and all others serve."
    return judged(work, __file__, "branch", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    jobs = {
        "chief": 1,
        "worker": int(random.integers(2, 5)),
        "ps": int(random.integers(2, 4)),
        "evaluator": 1,
    }
    every = {job: [f"{job}-{at}:1" for at in range(count)] for job, count in jobs.items()}
    peers = {job: own for job, own in every.items() if job != "evaluator"}
    tasks = [(job, index) for job, count in jobs.items() for index in range(count)]
    return [
        ({"task": {"type": job, "index": index}, "cluster": peers if job in peers else every},)
        for job, index in tasks
    ]
