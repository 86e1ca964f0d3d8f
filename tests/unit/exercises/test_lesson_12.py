"""The verdicts of lesson 12 on rows and numbers that its sabotages do not have."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Exercise, Verdict
from mwtutor.exercises.lessons.lesson_12.exercise_3.check import _trained

INPUT = find("12-1")
LOSS = find("12-2")
MOVE = find("12-3")
W0, W1 = TaskId("worker", 0), TaskId("worker", 1)
ALL = list(range(40))
MIXED = ALL[::-1]


def judged(exercise: Exercise, *values: Any) -> Verdict:
    """The verdict on these session values, the same on both workers."""
    session = {name: {W0: one, W1: one} for name, one in zip(exercise.session, values, strict=True)}
    return exercise.check(SimpleNamespace(session=session))


def read(alone: Any, two: Any, four: Any) -> Verdict:
    names = ("no context", "2 pipelines, 2 replicas", "2 pipelines, 4 replicas")
    return judged(INPUT, dict(zip(names, (alone, two, four), strict=True)))


def test_parts_of_whole_batches_are_parts_too():
    batches = [ALL[at : at + 4] for at in range(0, 40, 4)]
    parts = [[row for batch in batches[k::2] for row in batch][::-1] for k in (0, 1)]
    assert read([MIXED], parts, parts).status == "right"


def test_batches_that_are_shuffled_are_no_shuffled_rows():
    order = random.Random(1).sample(range(5), 5)
    whole = [[k + 8 * batch + 2 * row for batch in order for row in range(4)] for k in (0, 1)]
    assert "15 of worker 0's rows still come right after" in read([MIXED], whole, whole).words
    mixed = [random.Random(seed).sample(part, 20) for seed, part in enumerate(whole)]
    assert read([MIXED], mixed, mixed).status == "right"


def test_rows_that_come_twice_are_counted():
    parts = [MIXED[::2], MIXED[1::2]]
    assert "rows read: 80; different rows: 40" in read([MIXED * 2], parts, parts).words
    twice = [part * 2 for part in parts]
    assert "80 rows are read in an epoch, some more than once" in read([MIXED], twice, twice).words
    endless = [part * 5 for part in parts]
    assert "200 or more rows are read in an epoch" in read([MIXED], endless, endless).words
    both = [(MIXED * 3)[:100]] * 2
    assert (
        "both workers read all 40 rows: 200 or more in an epoch" in read([MIXED], both, both).words
    )


def test_parts_that_meet_are_told():
    parts = [MIXED[:25], MIXED[20:]]
    assert "rows that both workers read: 5." in read([MIXED], parts, parts).words


def test_what_raises_with_a_context_is_quoted():
    assert "TypeError: no" in read([MIXED], "TypeError: no", "TypeError: no").words


def test_a_loss_that_no_misconception_explains_is_told_as_it_is():
    verdict = judged(LOSS, {"99": 3.0, "100": 3.0, "297": 3.0}, 3.0)
    assert verdict.status == "wrong"
    assert "3.000, 3.000, 3.000" in verdict.words
    assert "average is 1.480" in verdict.words


@pytest.mark.parametrize(
    ("words", "faulty"),
    [
        ("without a penalty", {"penalty": 0.0}),
        ("twice the penalty", {"penalty": 0.2}),
        ("half the penalty", {"penalty": 0.05}),
        ("constant learning rate of 0.3", {"decay": 1.0}),
        ("like a staircase", {"stairs": False}),
        ("twice the learning rate", {"rate": 0.6}),
    ],
)
def test_what_was_trained_instead_is_recognized(words, faulty):
    assert words in moved(_trained(**faulty)).words


def test_a_layer_of_probabilities_is_as_right_as_one_of_logits():
    for takes_logits in (True, False):
        assert moved(_trained(), takes_logits=takes_logits).status == "right"


def test_other_weights_are_only_called_other():
    for takes_logits in (True, None):  # a custom loss function does not say this
        assert "not those of the Estimator" in moved(_trained(rate=0.1), takes_logits).words


def test_a_kernel_that_did_not_start_with_zeros_is_recognized():
    assert "did not start with zeros" in moved(np.ones((196, 10))).words


def test_a_batch_of_one_replica_is_said_if_its_weights_are_there():
    half = _trained(batch=32, steps=40)
    assert moved(half, steps=40).words.endswith("Your batch is that of one replica.")
    said = moved(_trained(), steps=40).words
    assert said == "Your model took 40 steps; the Estimator took 20 steps on the same rows."


def test_what_the_training_raised_is_said():
    def raised(text: str, needs_batches: bool = False) -> Verdict:
        return judged(MOVE, None, None, None, None, None, text, False, None, needs_batches)

    verdict = raised("ValueError: no such thing")
    assert verdict.status == "wrong"
    assert verdict.words == "`train_keras` raised or returned ValueError: no such thing"
    assert "`rows` is not in batches" in raised("IndexError: list index", needs_batches=True).words
    within_keras = "ValueError: in user code:\n\n    File 1\n\n    TypeError: why\n\n    more\n"
    assert "returned TypeError: why\n\n    more" in raised(within_keras).words


def moved(kernel: Any, takes_logits: bool | None = True, steps: int = 20) -> Verdict:
    own = np.zeros((196, 10)).tolist()
    return judged(
        MOVE, kernel.tolist(), steps, True, takes_logits, _trained().tolist(), "", False, own, False
    )


def test_rows_that_hardly_move_are_hardly_shuffled():
    parts = [[2, 0, 6, 4, *range(8, 40, 2)], [3, 1, 7, 5, *range(9, 40, 2)]]
    assert "more than 1 place earlier than" in read([MIXED], parts, parts).words


@pytest.mark.parametrize(("some", "status"), [(1.945, "right"), (1.48, "wrong"), ("x", "not yet")])
def test_a_loss_of_other_rows(some, status):
    found = {"99": 1.48, "100": 1.48, "297": 1.48}
    assert judged(LOSS, found, some).status == status


def test_weights_that_no_exchange_has_made_equal():
    given = [_trained().tolist(), 20, True, True, _trained().tolist(), "", False]
    session = {name: {W0: one, W1: one} for name, one in zip(MOVE.session, given, strict=False)}
    for second, status in ((0.0, "right"), (1.0, "wrong")):
        own = {W0: np.zeros((196, 10)).tolist(), W1: np.full((196, 10), second).tolist()}
        work = SimpleNamespace(session={**session, "kernel_of_own_rows": own})
        assert MOVE.check(work).status == status
