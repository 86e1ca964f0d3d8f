"""09-w6: backup directories in danger."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "Runs in danger are found, on shared and on local disks."
    return judged(work, __file__, "in_danger", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    shared, other = ("shared", "backup-a"), ("shared", "backup-b")
    disks = [("disk-0", "backup-a"), ("disk-1", "backup-a")]
    fixed = [
        {"a": [shared, shared], "b": [other, other]},
        {"a": [shared, shared], "b": [shared, shared], "c": [other, other]},
        {"a": disks, "b": [other, other]},
        {"a": [disks[0]] * 2, "b": [disks[1]] * 2},
        {"a": [shared, other], "b": [other, other]},
        {"a": [shared] * 3},
        {"b": [shared, shared, other]},
        {"c": [shared, shared], "b": [other, other], "a": [shared, shared]},
    ]
    for _ in range(4):
        places = [shared, other, *disks, ("shared", "backup-c")]
        drawn = random.integers(0, 5, (3, 2)).tolist()
        fixed.append(
            {run: [places[one] for one in own] for run, own in zip("abc", drawn, strict=True)}
        )
    return [
        ({run: {f"worker:{at}": one for at, one in enumerate(own)} for run, own in case.items()},)
        for case in fixed
    ]
