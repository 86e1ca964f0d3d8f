"""The verdicts of lesson 11 on steps that did not run, or were not requested."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Exercise, Verdict

ONCE = find("11-2")
BOUNDED = find("11-3")


def judged(exercise: Exercise, *values: Any) -> Verdict:
    """The verdict on these values of the chief."""
    chief = TaskId("chief", 0)
    pairs = zip(exercise.session, values, strict=True)
    return exercise.check(SimpleNamespace(session={name: {chief: value} for name, value in pairs}))


#: The results of 24 steps on two workers.
READ = [(step % 2, list(range(4 * step, 4 * step + 4))) for step in range(24)]


@pytest.mark.parametrize(("ran", "status"), [([1] * 96, "right"), ([0] * 96, "wrong")])
def test_steps_that_are_returned_have_run(ran, status):
    verdict = judged(ONCE, READ, ran)
    assert verdict.status == status
    assert status == "right" or "read 0 rows" in verdict.words


@pytest.mark.parametrize(
    ("of_7", "words"),
    [([7, 7], "20 steps on both workers"), ([20, 20], "`train_bounded(7)` returns 20 steps")],
)
def test_as_many_steps_as_are_asked_for(of_7, words):
    steps = [[number % 2, max(0, number - 2), number + 1] for number in range(20)]
    trained = {"steps": steps, "versions": 20, "of 7": of_7}
    assert words in judged(BOUNDED, trained).words


def test_always_two_workers_is_wrong_whatever_is_drawn(monkeypatch):
    drawn = SimpleNamespace(integers=lambda low, high: low)
    monkeypatch.setattr(np.random, "default_rng", lambda: drawn)

    def totals(epochs, steps, batch, workers, mirrored):
        return epochs * steps, epochs * steps * batch * (2 if mirrored else 1)

    assert find("11-w3").check(SimpleNamespace(value={"totals": totals}.get)).status == "wrong"
