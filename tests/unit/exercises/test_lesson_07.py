"""The verdicts of lesson 07 on answers that its sabotages do not have."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Exercise, Verdict

MEAN = find("07-1")
OUTSIDE = find("07-2")
NORM = find("07-3")


def said(exercise: Exercise, *pairs: Any) -> Verdict:
    return exercise.check(
        SimpleNamespace(
            session={
                expression: {TaskId("worker", index): value for index, value in enumerate(pair)}
                for expression, pair in zip(exercise.session, pairs, strict=True)
            }
        )
    )


ROWS = [list(map(float, range(8))), [8.0, 9.0, 10.0, 11.0, 12.0], [12.0]]


@pytest.mark.parametrize("factor", [1, 2])
def test_rows_that_are_combined_one_by_one(factor):
    squares = np.arange(8.0) ** 2
    shown = str((squares[:4] + squares[4:]) / factor)
    assert said(MEAN, ([], []), (ROWS, ROWS)).status == "not yet"
    assert "`axis=None`" in said(MEAN, ([shown], [shown]), (ROWS, ROWS)).words
    other = [str(squares[:4] + 1)]
    assert "not give one number" in said(MEAN, (other, other), (ROWS, ROWS)).words


PARTS = [
    np.array([[1.0, 0.01], [2.0, 0.03], [3.0, 0.02], [4.0, 0.05], [5.0, 0.04]]),
    np.array([[-3.0, -0.03], [-7.0, -0.05], [-5.0, -0.01]]),
]


def test_what_is_wrong_in_one_column_is_shown_there():
    rows = np.concatenate(PARTS)
    found = (rows - rows.mean(0)) / (rows.std(0) + 0.001)
    parts = [found[:5].tolist(), found[5:].tolist()]
    assert "in column 2" in said(NORM, parts, [part.tolist() for part in PARTS]).words


@pytest.mark.parametrize(("epsilon", "status"), [(0.001, "right"), (0.0, "wrong")])
def test_what_is_added_to_the_variance_counts(epsilon, status):
    rows = np.concatenate(PARTS)
    found = [(part - rows.mean(0)) / np.sqrt(rows.var(0) + epsilon) for part in PARTS]
    given = [part.tolist() for part in PARTS]
    assert said(NORM, [one.tolist() for one in found], given).status == status


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ([["scale", "count"], ["count"], ["offset", "scale"]], "the strategy created: count"),
        ([["5.0"], [], ["offset", "scale"]], "returns 5.0, which is not a name"),
    ],
)
def test_names_that_are_not_of_variables_made_outside(named, words):
    assert words in said(OUTSIDE, (named, named)).words
