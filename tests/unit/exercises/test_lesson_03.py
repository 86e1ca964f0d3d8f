"""The verdicts of lesson 03 on answers that learners may give."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons.lesson_03.exercise_1.check import EACH, ROWS
from mwtutor.exercises.lessons.lesson_03.exercise_2 import check as arrays
from mwtutor.exercises.lessons.lesson_03.exercise_3 import check as slowest_worker

BATCH = find("03-1")


def batch(global_batch: Any, steps: Any) -> Verdict:
    """The rows that three workers read, repeatedly."""
    each = int(global_batch) // 3
    rows = [
        [[(first + k) % ROWS for k in range(each)] for first in starts]
        for starts in (
            [step * int(global_batch) + worker * each for step in range(int(steps))]
            for worker in range(3)
        )
    ]
    taken = {
        TaskId("worker", worker): {"chosen": [int(global_batch), int(steps)], "rows": rows[worker]}
        for worker in range(3)
    }
    given = {"global_batch": global_batch, "steps_per_epoch": steps}
    return BATCH.check(SimpleNamespace(value=given.get, session={"taken": taken}))


@pytest.mark.parametrize("kind", [int, np.int64, np.int32])
def test_numbers_of_any_kind(kind):
    assert batch(kind(96), kind(14)).status == "right"


def test_no_more_is_said_of_steps_than_was_seen():
    assert "1344 of the 1344 rows were seen more than once, up to 3 times" in batch(96, 42).words
    assert batch(96, 13).words == "96 of the 1344 rows were never seen."
    assert "the steps are not divided up" in batch(96, 4).words


def results(*sizes: list[int], weights: Any = None) -> list[dict[str, Any]]:
    held = np.zeros(7850) if weights is None else weights
    return [{"weights": held, "sizes": np.array(one, dtype=int)} for one in sizes]


def judged(*sizes: list[int], met: bool = True, weights: Any = None) -> str:
    return arrays._judge(results(*sizes, weights=weights), met=met).words


def test_two_epochs_are_not_called_alone():
    words = judged([EACH] * 42, [EACH] * 42)
    assert "took 2688 rows, 1344 and 1344, in 42 steps" in words
    assert "alone" not in words
    assert "alone" in judged([64] * 21, [64] * 21, met=False)


def test_a_model_that_was_not_trained():
    assert "`fit` took no step" in judged([], [])
    assert "no step was recorded" in judged([], [], weights=np.ones(7850))


def test_a_half_of_a_half_is_named_only_if_the_weights_are_its():
    halves = np.split(np.arange(ROWS), 2)
    batches = [
        np.concatenate([np.array_split(half[at : at + 64], 2)[k] for k, half in enumerate(halves)])
        for at in range(0, 672, 64)
    ]
    sizes = [EACH] * 10 + [16]
    trained = arrays._trained(batches)
    assert "divides the data that you give it" in judged(sizes, sizes, weights=trained)
    assert "divides the data" not in judged(sizes, sizes)


def slowest(function: Any) -> Counter[bool]:
    """How often the function names the slow worker of an invented run."""
    return Counter(function(times) == slow for times, slow in slowest_worker._made_up())


def test_who_is_slow_in_other_runs():
    def needs(times: Any) -> str:
        return max(times, key=lambda task: times[task]["before"] + times[task]["computing"])

    def waits_least(times: Any) -> str:
        return min(times, key=lambda task: times[task]["waiting"])

    def has_the_largest_part(times: Any) -> str:
        return max(times, key=lambda task: max(times[task]["before"], times[task]["computing"]))

    def needs_40_ms(times: Any) -> str:
        own = {task: row["before"] + row["computing"] for task, row in times.items()}
        return next((task for task in own if own[task] > 40), "worker:0")

    assert set(slowest(needs)) == set(slowest(waits_least)) == {True}
    assert slowest(has_the_largest_part)[False] == 3
    assert slowest(needs_40_ms)[False] > 3


def test_what_an_answer_goes_by_is_what_moves_it():
    times, slow = next(slowest_worker._made_up())

    def without_waiting(times: Any) -> str:
        return max(times, key=lambda task: times[task]["step"] - times[task]["waiting"])

    assert without_waiting(times) == slow
    assert slowest_worker._goes_by(
        lambda times: max(times, key=lambda task: times[task]["step"]), times, "step"
    )
    assert not slowest_worker._goes_by(without_waiting, times, "step")
