"""08-w2: two steps, one folder."""

from __future__ import annotations

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged


def check(work: Work) -> Verdict:
    done = "For every order of the steps, your answer names the right tasks."
    return judged(work, __file__, "failing", _cases(), done)


def _cases() -> list[Case]:
    random = np.random.default_rng()
    fixed = ["w0 w1 m0 m1", "w0 m0 w1 m1", "w0 w1 m1 m0", "w0 w1 m0 w2 m1 m2", "w0 w1 w2 m2 m1 m0"]
    fixed += ["m1 w1 m1", "w0 m0 m1 m1 m0"]
    orders = [[(word[0], int(word[1])) for word in one.split()] for one in fixed]
    for workers in (2, 3, 4, 5):
        order = [int(one) for one in random.permutation([*range(workers)] * 2)]
        orders.append([("wm"[order[:at].count(one)], one) for at, one in enumerate(order)])
    names = {"w": "write", "m": "merge"}
    return [([(names[step], f"worker:{worker}") for step, worker in order],) for order in orders]
