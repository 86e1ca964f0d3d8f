"""The verdicts of lesson 00 on answers that learners may give."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons.lesson_00.exercise_3 import check as strategy_choice

BYTES = find("00-1")
RING = find("00-2")
CHOICE = find("00-3")


class Written:
    """The variables that some code leaves behind."""

    folder = Path()
    session: ClassVar[dict[str, Any]] = {}

    def __init__(self, variables: dict[str, Any]) -> None:
        self._variables = variables

    def value(self, name: str) -> Any:
        return self._variables.get(name)

    def run(self, name: str) -> None:
        return None


def ring(function: Any) -> Verdict:
    return RING.check(Written({"ring_all_reduce": function}))


def changed(arrays: list[Any], send: Any) -> list[Any]:
    arrays[0] += 1
    return arrays


def backwards(arrays: list[Any], send: Any) -> list[Any]:
    """A correct ring in the other direction."""
    turned = {0: 0} | {worker: len(arrays) - worker for worker in range(1, len(arrays))}
    there: dict[str, Any] = {"np": np}
    exec(RING.solution, there)
    found = there["ring_all_reduce"](
        [arrays[turned[worker]] for worker in range(len(arrays))],
        lambda source, target, array: send(turned[source], turned[target], array),
    )
    return [found[turned[worker]] for worker in range(len(arrays))]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda arrays, send: [np.mean(arrays, axis=0)] * len(arrays), "has the mean"),
        (lambda arrays, send: 5, "the result is int"),
        (lambda arrays, send: arrays[:-1], "not a list of 2 arrays, one per worker"),
        (lambda arrays, send: [send(0, 9, arrays[0])], "from or to worker 9"),
        (lambda arrays, send: [send(0, "x", arrays[0])], "from or to worker 'x'"),
        (lambda arrays, send: arrays, "number 0 of worker 0 is 1; the sum is 9"),
        (lambda arrays: arrays, "raises TypeError"),
        (changed, "have changed"),
        (lambda arrays, send: [arrays.pop()], "have changed"),
        (7, "no longer a function"),
    ],
)
def test_a_ring_that_is_none(function, words):
    verdict = ring(function)
    assert verdict.status == "wrong"
    assert words in verdict.words


def test_a_ring_the_other_way_round_is_right():
    assert ring(backwards).status == "right"


def test_no_ring_but_sums_by_a_detour():
    """Each worker sends its chunks directly to the workers that sum them: as few bytes in all."""

    def direct(arrays: list[Any], send: Any) -> list[Any]:
        workers = range(len(arrays))
        chunks = [np.array_split(array, len(arrays)) for array in arrays]
        sums = [sum(send(source, at, chunks[source][at]) for source in workers) for at in workers]
        return [np.concatenate([send(at, to, sums[at]) for at in workers]) for to in workers]

    assert "sends to several others" in ring(direct).words


def ring_that(old: str, new: str) -> Any:
    """The solution with one line changed."""
    assert old in RING.solution
    there: dict[str, Any] = {"np": np}
    exec(RING.solution.replace(old, new), there)
    return there["ring_all_reduce"]


ARRIVED = "arrived = send(worker, right, chunks[worker][chunk])"


def test_what_is_sent_must_be_what_is_used():
    from_memory = ring_that(ARRIVED, f"{ARRIVED}; arrived = chunks[worker][chunk]")
    assert "sends other workers' numbers that it never received" in ring(from_memory).words
    kept_from_memory = ring_that("if add else arrived", "if add else chunks[worker][chunk]")
    assert "it reads the others' arrays from memory" in ring(kept_from_memory).words


def test_sums_from_memory_that_are_sent_around():
    def finished(arrays: list[Any], send: Any) -> list[Any]:
        workers = len(arrays)
        chunks = np.array_split(sum(arrays), workers)
        results: list[list[Any]] = [[None] * workers for _ in arrays]
        for step in range(workers):
            for worker in range(workers):
                chunk = (worker - step) % workers
                arrived = send(worker, (worker + 1) % workers, chunks[chunk])
                results[(worker + 1) % workers][chunk] = arrived
        return [np.concatenate(own) for own in results]

    assert "sends other workers' numbers that it never received" in ring(finished).words


@pytest.mark.parametrize(
    ("worker_0", "in_ring", "words"),
    [
        (lambda n, m: m, lambda n, m: 2 * (n - 1) * m / n, "one copy of the sum"),
        (lambda n, m: (n - 1) * m, lambda n, m: 2 * (n - 1) * m, "all workers send together"),
        (lambda n, m: (n - 1) * m, lambda n, m: 2 * m / n, "one step of each round"),
        (lambda n, m: (n - 1) * m, lambda n, m: 7, "ring_bytes(2, 1000) returns 7"),
        (lambda n, m: (n - 1) * m, lambda n, m: None, "ring_bytes(2, 1000) returns None, not"),
        (lambda n, m: (n - 1) * m, lambda n: n, "ring_bytes(2, 1000) raises TypeError"),
        (lambda n, m: (n - 1) * m, 32, "ring_bytes is no longer a function."),
    ],
)
def test_bytes_counted_wrongly(worker_0, in_ring, words):
    written = Written({"worker_0_bytes": worker_0, "ring_bytes": in_ring})
    assert BYTES.check(written).status == "wrong"
    assert words in BYTES.check(written).words


def test_every_wrong_choice_gets_a_reason_of_its_own():
    best = strategy_choice._BEST
    choices = [*best.values(), strategy_choice.CENTRAL]
    for situation, right in best.items():
        for choice in choices:
            verdict = CHOICE.check(Written({"choice": {**best, situation: choice}}))
            assert (verdict.status == "right") == (choice == right)
            assert choice == right or f"{situation}: {choice} does not fit, " in verdict.words
            assert choice == right or f": {right} does not fit" not in verdict.words


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({1: "MirroredStrategy"}, "choice has 1, which is not one of the five situations"),
        ({"a Cloud TPU": ["TPUStrategy"]}, "a Cloud TPU: ['TPUStrategy'] is not one of the six"),
        ({"a Cloud TPU": "TPUStrategy"}, "one machine, 4 equal GPUs: nothing has been chosen."),
    ],
)
def test_what_was_chosen_is_not_said_to_be_nothing(choice, words):
    assert CHOICE.check(Written({"choice": choice})).status == "wrong"
    assert words in CHOICE.check(Written({"choice": choice})).words


def test_a_choice_in_other_words():
    verdict = CHOICE.check(Written({"choice": {"a Cloud TPU": "tpu"}}))
    assert "'tpu' is not one of the six names" in verdict.words
    assert verdict.words.startswith("0 of 5 choices fit.")
