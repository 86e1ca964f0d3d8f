"""The verdicts of lesson 10 on answers that differ only by luck, or by type."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons.lesson_10.exercise_2.check import SAMPLES

SECONDS = find("10-1")
EXCHANGE = find("10-2")
ACCUMULATE = find("10-3")


def seconds(function: Any) -> Verdict:
    return SECONDS.check(SimpleNamespace(value={"exchange_seconds": function}.get))


@pytest.mark.parametrize("kind", [float, np.float32, np.array, lambda x: Fraction(x)])
def test_seconds_of_any_kind(kind):
    assert seconds(lambda n, size, rate: kind(2 * (n - 1) / n * size * 8 / rate)).status == "right"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda n, size, rate: 2 * (n - 1) / n * 25e6 * 8 / rate, "for 1,000; four"),
        (
            lambda n, size, rate: 1.07 * 2 * (n - 1) / n * size * 8 / rate,
            "always 1.07 times the time that a machine's bytes take",
        ),
        (lambda n, size, rate: 0.0, "always 0 times"),
    ],
)
def test_seconds_that_are_not_those_of_the_bytes(function, words):
    verdict = seconds(function)
    assert verdict.status == "wrong"
    assert words in verdict.words


@pytest.mark.parametrize("nothing", [None, "12", float("nan"), [1.0]])
def test_seconds_that_are_none(nothing):
    assert seconds(lambda n, size, rate: nothing).status == "not yet"


def session(expression: str, *values: Any) -> Any:
    found = {TaskId("worker", index): value for index, value in enumerate(values)}
    return SimpleNamespace(session={expression: found})


def exchanged(sums: list[list[float]], drawn: tuple[float, float], width: int = 2) -> str:
    told = [
        {"drawn": own, "sums": one, "types": ["float32"] * 3, "sent": 3000 * width}
        for own, one in zip(drawn, sums, strict=True)
    ]
    return EXCHANGE.check(session(EXCHANGE.session[0], *told)).words


def test_sums_of_what_the_other_has_drawn():
    both = [2.7 * sample for sample in SAMPLES]
    assert "both large and small sums are right" in exchanged([both, both], (1.2, 1.5))
    guessed = [[3 * own * sample for sample in SAMPLES] for own in (1.2, 1.5)]
    assert "not within 2 % of 5.4e-09, 0.0081, 108" in exchanged(guessed, (1.2, 1.5))
    assert "not within 2 %" in exchanged([both, guessed[1]], (1.2, 1.5))


def test_what_was_cast_is_said_only_of_rounded_sums():
    both = [2.7 * sample for sample in SAMPLES]
    off = [one * 1.5 for one in both]
    assert exchanged([off, off], (1.2, 1.5), 4) == "There are 4 bytes on the wire for each number."
    assert (
        exchanged([both, both], (1.2, 1.5), 8) == "There are 8 bytes on the wire for each number."
    )
    assert exchanged([both, both], (1.2, 1.5), 4).startswith("The sums are right, with 4 bytes")
    rounded = [float(np.float16(one)) for one in both]
    assert "a cast after the exchange is too late" in exchanged([rounded, rounded], (1.2, 1.5), 4)


@pytest.mark.parametrize(("passes", "status"), [([64] * 4, "right"), ([256], "wrong")])
def test_passes_are_counted_in_the_run(passes, status):
    update = np.arange(1.0, 9.0)
    told = {"update": update, "wanted": update, "of the last part": update + 1, "exchanges": 1}
    told["passes"] = passes
    verdict = ACCUMULATE.check(session(ACCUMULATE.session[0], told, told))
    assert verdict.status == status, verdict


def test_equal_updates_are_not_called_different():
    wanted = np.arange(1.0, 9.0)
    told = {"update": 0 * wanted, "wanted": wanted, "of the last part": wanted + 1}
    told |= {"exchanges": 0, "passes": []}
    verdict = ACCUMULATE.check(session(ACCUMULATE.session[0], told, told))
    assert (verdict.status, verdict.words) == ("wrong", "Nothing was exchanged.")
