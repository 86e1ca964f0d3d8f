"""The verdicts of lesson 04 on values that no well-meaning learner's session has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Exercise, Verdict

MODEL = find("04-1")
COUNTER = find("04-2")
STEP = find("04-3")
W0, W1 = TaskId("worker", 0), TaskId("worker", 1)


class Held:
    """The values on two workers, by expression; the rest is missing, as in a session."""

    folder = Path()

    def __init__(self, exercise: Exercise, *pairs: Any) -> None:
        given = dict(zip(exercise.session, pairs, strict=False))
        self.session = {
            expression: dict(zip((W0, W1), given.get(expression, ()), strict=False))
            for expression in exercise.session
        }

    def value(self, name: str) -> Any:
        return None

    def run(self, name: str) -> None:
        return None


def said(exercise: Exercise, *pairs: Any) -> Verdict:
    return exercise.check(Held(exercise, *pairs))


ODD = (None, "text", 3, [], {}, object(), np.zeros((2, 3)), [float("nan")] * 2, [None, "x"])


@pytest.mark.parametrize("exercise", [MODEL, COUNTER, STEP], ids=lambda one: one.id)
@pytest.mark.parametrize("odd", ODD)
def test_no_value_is_too_odd_to_be_judged(exercise, odd):
    for count in range(1, len(exercise.session) + 1):
        for workers in (1, 2):
            verdict = said(exercise, *[(odd,) * workers] * count)
            assert verdict.status in ("wrong", "not yet"), verdict


KINDS, SHAPES = ["MirroredVariable"] * 4, [(3, 4), (4,), (4, 1), (1,)]
MADE = ("MultiWorkerMirroredStrategy",) * 2


def test_another_architecture_is_not_the_one_that_was_asked_for():
    verdict = said(MODEL, (True, True), (KINDS, KINDS), (SHAPES[:2],) * 2, ("a", "a"), MADE)
    assert "shapes" in verdict.words


def test_mirrored_variables_that_one_worker_has_changed():
    verdict = said(MODEL, (True, True), (KINDS, KINDS), (SHAPES, SHAPES), ("a", "b"), MADE)
    assert "one worker's values were changed" in verdict.words
    assert (
        said(MODEL, (True, True), (KINDS, KINDS), (SHAPES, SHAPES), ("a", "a"), MADE).status
        == "right"
    )


def test_what_is_not_a_model_is_named():
    assert said(MODEL).status == "not yet"
    listed = said(MODEL, (), (), (), (), (), ("list", "list"))
    assert (listed.status, "of type list" in listed.words) == ("wrong", True)


def test_a_model_on_one_worker_only():
    assert "one worker only" in said(MODEL, (True,)).words


def test_another_count():
    mirrored = (("MirroredVariable",) * 2, ("SUM",) * 2)
    assert "2 + 3 rows" in said(COUNTER, (30.0, 30.0), *mirrored).words
    assert said(COUNTER, (15.0, 15.0), *mirrored).status == "right"
    number = said(COUNTER, (None, None), ("float", "float"), ())
    assert (number.status, "of type float" in number.words) == ("wrong", True)
    raised = said(COUNTER, (None, None), ("SyncOnReadVariable",) * 2, ("NONE", "NONE"))
    assert (raised.status, "does not finish" in raised.words) == ("wrong", True)
    assert said(COUNTER, (None, None), (), ()).status == "not yet"


#: Two rows on one worker, one on the other.
PARTS = (([[1.0, 0.0], [0.0, 1.0]], [1.0, -1.0]), ([[1.0, 1.0]], [1.0]))


def trained(factor: float) -> tuple[list[float], list[float]]:
    x = np.vstack([np.array(part[0]) for part in PARTS])
    y = np.concatenate([np.array(part[1]) for part in PARTS])
    w, losses = np.zeros(2), []
    for _ in range(5):
        losses.append(float(((x @ w - y) ** 2).mean()))
        w -= 0.1 * factor * 2 * x.T @ (x @ w - y) / len(y)
    return w.tolist(), losses


def test_a_step_as_in_one_process_is_right_and_another_rate_is_not():
    w, losses = trained(1.0)
    assert said(STEP, (w, w), (losses, losses), PARTS).status == "right"
    w, losses = trained(1.3)
    assert "one process that trains on all" in said(STEP, (w, w), (losses, losses), PARTS).words


def test_a_loss_is_called_its_own_only_if_it_is():
    w, losses = trained(1.0)
    own, zero = ([2.0] * 5, [1.0] * 5), [0.0, 0.0]
    assert "its own part of the loss" in said(STEP, (w, w), own, PARTS).words
    other = said(STEP, (w, w), (losses, [0.5] * 5), PARTS).words
    assert other.endswith("0.500 on worker:1.")
    assert said(STEP, (zero, zero), own, PARTS).status == "not yet"
    assert said(STEP, (zero, zero), (losses, losses), PARTS).status == "wrong"


def test_a_sum_over_the_rows_is_told():
    w, losses = trained(3.0)
    assert "divide by their number" in said(STEP, (w, w), (losses, losses), PARTS).words


def test_another_loss_is_told():
    w, losses = trained(1.0)
    other = [loss + 1.0 for loss in losses]
    assert (
        "the first step returns a loss of 2.000" in said(STEP, (w, w), (other, other), PARTS).words
    )


def test_variables_that_another_strategy_has_mirrored():
    alone = ("MirroredStrategy",) * 2
    verdict = said(MODEL, (True, True), (KINDS, KINDS), (SHAPES, SHAPES), ("a", "a"), alone)
    assert "was created under MirroredStrategy, which joins no workers" in verdict.words


def test_no_reason_is_made_up_for_equal_values():
    plain, none = ["ResourceVariable"] * 4, ("_DefaultDistributionStrategy",) * 2
    verdict = said(MODEL, (True, True), (plain, plain), (SHAPES, SHAPES), ("a", "a"), none)
    assert "seed" not in verdict.words


def test_half_a_step_has_two_causes():
    w, losses = trained(0.5)
    words = said(STEP, (w, w), (losses, losses), PARTS).words
    assert "averaged over the replicas once more" in words
    assert "the 2 in the gradient of a square is missing" in words


def test_weights_that_differ_are_called_unshared_only_if_they_are():
    own = []
    for x, y in PARTS:
        w = np.zeros(2)
        for _ in range(5):
            w -= 0.1 * 2 * np.array(x).T @ (np.array(x) @ w - y) / len(y)
        own.append(w.tolist())
    losses = ([1.0] * 5,) * 2
    assert "applied only its own gradient" in said(STEP, tuple(own), losses, PARTS).words
    assert (
        "applied only its own gradient"
        not in said(STEP, ([1.0, 2.0], [2.0, 1.0]), losses, PARTS).words
    )
