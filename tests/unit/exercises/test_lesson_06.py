"""The verdicts of lesson 06 on values that no well-meaning learner's session has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Exercise, Verdict

STEPS = find("06-1")
STATE = find("06-2")
BY_HAND = find("06-3")
W0, W1 = TaskId("worker", 0), TaskId("worker", 1)


class Held:
    """The values on two workers, by expression, and what the notebook does."""

    folder = Path()

    def __init__(self, exercise: Exercise, *pairs: Any, **values: Any) -> None:
        given = dict(zip(exercise.session, pairs, strict=False))
        self._values = values
        self.session = {
            expression: dict(zip((W0, W1), given.get(expression, ()), strict=False))
            for expression in exercise.session
        }

    def value(self, name: str) -> Any:
        return self._values.get(name)

    def run(self, name: str) -> None:
        return None


def said(exercise: Exercise, *pairs: Any, **values: Any) -> Verdict:
    return exercise.check(Held(exercise, *pairs, **values))


ODD = (
    None,
    "text",
    3,
    [],
    {},
    object(),
    np.zeros((2, 3)),
    [float("nan")] * 2,
    [None, "x"],
    [[None], [{}], ["x"]],
    [[0.5] * 3] * 3,
    {99: "x", 64: None, 74: []},
    {99: float("inf"), 64: 1, 74: 10**400},
    [float("nan")] * 297,
)


@pytest.mark.parametrize("exercise", [STEPS, BY_HAND], ids=lambda one: one.id)
@pytest.mark.parametrize("odd", ODD)
def test_no_value_is_too_odd_to_be_judged(exercise, odd):
    for count in range(1, len(exercise.session) + 1):
        for workers in (1, 2):
            verdict = said(exercise, *[(odd,) * workers] * count)
            assert verdict.status in ("wrong", "not yet"), verdict


@pytest.mark.parametrize("odd", ODD)
def test_no_state_is_too_odd_to_be_judged(odd):
    for functions in (
        {"state": lambda labels, scores: odd, "result": lambda total: total[0]},
        {"state": lambda labels, scores: [1.0], "result": lambda total: odd},
    ):
        assert said(STATE, **functions).status in ("wrong", "not yet")


HALVES = list(range(150)), list(range(150, 297))


def test_rows_that_only_some_epochs_evaluate():
    twice = tuple([half] * 2 for half in HALVES)
    assert "evaluated in 2 of 3 epochs" in said(STEPS, twice, (5, 5), (True, True)).words
    thrice = tuple([half] * 3 for half in HALVES)
    assert said(STEPS, thrice, (5, 5), (True, True)).status == "right"
    assert "more than 64 rows" in said(STEPS, thrice, (1, 1), (True, True)).words
    assert "has an end" in said(STEPS, thrice, (5, 5), (False, False)).words


def test_a_fault_in_the_last_epoch_is_seen():
    first, second = HALVES
    last = ([first, first, first], [second, second, second[:-1]])
    assert "1 of 297 rows were never" in said(STEPS, last, (5, 5), (True, True)).words


def test_a_state_with_more_than_is_needed_is_right():
    def state(labels, scores):
        right = (scores > 0.5) == labels
        return [right.sum(), (~right).sum(), labels.sum()]

    assert said(STATE, state=state, result=lambda t: t[0] / (t[0] + t[1])).status == "right"


LOSSES = np.random.default_rng(1).random(297).tolist()
MEAN = sum(LOSSES) / 297

#: Half of the rows on each worker, three times; and the mean of some rows.
OF_SOME = sum(LOSSES[100:190]) / 90
SHARED = ((447, 444), (OF_SOME, OF_SOME))


def test_the_mean_of_all_rows_is_right_and_others_are_not():
    def judged(value: float) -> Verdict:
        given = dict.fromkeys((99, 64, 74), value)
        return said(BY_HAND, (given, given), (LOSSES, LOSSES), *SHARED)

    assert judged(MEAN).status == "right"
    assert "The mean over the rows is" in judged(1.01 * MEAN).words


@pytest.mark.parametrize("odd", [None, "x", [], float("nan"), 10**400])
def test_a_result_that_is_no_number(odd):
    given = {99: MEAN, 64: MEAN, 74: odd}
    assert said(BY_HAND, (given, given), (LOSSES, LOSSES)).status in ("wrong", "not yet")


def test_a_state_without_rows_is_blamed_only_if_it_is_not_finite():
    counts = {"state": lambda labels, scores: [len(labels)], "result": lambda total: float("nan")}
    assert said(STATE, **counts).words == "If 6 and 2 rows are read, the result is nan."


def test_the_right_number_for_one_batch_size_only():
    given = {99: MEAN, 64: 2 * MEAN, 74: MEAN}
    assert said(BY_HAND, (given, given), (LOSSES, LOSSES)).status == "wrong"


def test_workers_that_differ_are_called_alone_only_if_they_are():
    def own(size: int, worker: int) -> list[float]:
        batches = [LOSSES[at : at + size] for at in range(0, 297, size)]
        halves = [np.split(batch, [-(-len(batch) // 2)])[worker] for batch in batches]
        return np.concatenate(halves).tolist()

    def judged(value: Callable[[list[float]], float]) -> str:
        """The verdict if each worker computes this value from the losses of its own rows."""
        sizes = (99, 64, 74)
        given = tuple({size: value(own(size, worker)) for size in sizes} for worker in (0, 1))
        return said(BY_HAND, given, (LOSSES, LOSSES)).words

    assert "the loss of its own rows" in judged(lambda mine: sum(mine) / len(mine))
    assert "own rows" not in judged(lambda mine: sum(LOSSES) / len(mine))


def test_the_right_mean_that_was_not_computed_together():
    given = dict.fromkeys((99, 64, 74), MEAN)

    def judged(asked: Any, some: Any) -> str:
        return said(BY_HAND, (given, given), (LOSSES, LOSSES), asked, some).words

    assert "the rows were not divided" in judged((891, 891), (OF_SOME, OF_SOME))
    assert f"the workers report {MEAN:.4f} and {MEAN:.4f}, but" in judged((447, 444), (MEAN, MEAN))
    assert "the workers report no number" in judged((447, 444), ("x", MEAN))
    assert "have not been evaluated alone" in judged((), ())


def test_no_reason_is_made_up_for_what_was_miscounted():
    def judged(*epochs: list[int], steps: int = 5) -> str:
        halves = [[list(rows[k::2]) for rows in epochs] for k in (0, 1)]
        return said(STEPS, tuple(halves), (steps, steps), (True, True)).words

    every = list(range(297))
    mixed = [row for row in every if row % 10] + every[1:24]
    words = judged(*[mixed] * 3)
    assert words == "In an epoch, 28 of 297 rows were never evaluated, and 21 twice or more."
    dropped = [*range(256), *range(64)]
    assert "the last batch of the data is missing" in judged(*[dropped] * 3)
    assert judged(*[every[5:]] * 3) == "In an epoch, 5 of 297 rows were never evaluated."
    assert "the steps or the batches leave them out" in judged(*[every[:256]] * 3, steps=4)
    assert "from the end of the data and from the beginning" in judged(*[every + every[:23]] * 3)
    again = judged(*[every + every[:64]] * 3, steps=6)
    assert again == "In an epoch, 64 of 297 rows were evaluated more than once."


def test_a_score_of_one_half_is_not_above_it():
    def state(labels, scores):
        right = (scores >= 0.5) == labels
        return [right.sum(), len(right)]

    assert "a score of exactly 0.5" in said(STATE, state=state, result=lambda t: t[0] / t[1]).words
