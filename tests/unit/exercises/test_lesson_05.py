"""What the checks of lesson 05 say of epochs that its sabotages do not have."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons.lesson_05 import EXERCISES

PIPELINE = EXERCISES[0]

#: What one worker reads in an epoch: for each step a list with the rows of its one replica.
EVEN, ODD = ([[list(range(at + k, at + 8, 2))] for at in (0, 8, 16)] for k in (0, 1))


def judged(*workers: object) -> Verdict:
    found = {TaskId("worker", index): epochs for index, epochs in enumerate(workers)}
    return PIPELINE.check(SimpleNamespace(session={PIPELINE.session[0]: found}))


def test_two_epochs_that_share_the_rows_in_two_orders_are_right():
    assert judged([EVEN, EVEN[::-1]], [ODD, ODD[::-1]]).status == "right"


@pytest.mark.parametrize(
    ("later", "words"),
    [
        (EVEN[::-1], "12 rows are read more than once, and 12 never"),
        ([[[*ODD[0][0], *ODD[1][0]]], ODD[2]], "a step has 12 rows"),
        ([[[40, 41]]], "rows that the data do not have"),
    ],
)
def test_the_second_epoch_counts_as_the_first_does(later, words):
    verdict = judged([EVEN, EVEN[::-1]], [ODD, later])
    assert verdict.status == "wrong"
    assert words in verdict.words
