"""The verdicts of lesson 05 on epochs that its sabotages do not have."""

from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons.lesson_05.exercise_3 import check as feed

PIPELINE = find("05-1")
PREDICTION = find("05-2")

#: The rows of the two workers in order, and in two random orders.
EVEN, ODD = list(range(0, 24, 2)), list(range(1, 24, 2))
MIXED = [random.Random(seed).sample(range(12), 12) for seed in range(4)]


def steps(rows: list[int], order: list[int], batch: int = 4) -> list[list[list[int]]]:
    """The rows that one worker reads in an epoch: per step, a list with those of its replica."""
    mixed = [rows[place] for place in order]
    return [[mixed[at : at + batch]] for at in range(0, len(rows), batch)]


def of_four(batch: int = 2) -> list[list[list[int]]]:
    parts = [list(range(index, 24, 4)) for index in range(4)]
    return [[part[at : at + batch] for at in range(0, 6, batch)] for part in parts]


def judged(*workers: object, four: object = None) -> Verdict:
    found = {TaskId("worker", index): epochs for index, epochs in enumerate(workers)}
    asked = {TaskId("worker", 0): of_four() if four is None else four}
    return PIPELINE.check(
        SimpleNamespace(session=dict(zip(PIPELINE.session, (found, asked), strict=True)))
    )


FIRST = [steps(EVEN, MIXED[0]), steps(EVEN, MIXED[1])]
SECOND = [steps(ODD, MIXED[2]), steps(ODD, MIXED[3])]


def test_two_epochs_that_share_the_rows_in_two_orders_are_right():
    assert judged(FIRST, SECOND).status == "right"


def test_batches_that_are_shuffled_instead_of_rows():
    words = judged([FIRST[0], FIRST[0][::-1]], [SECOND[0], SECOND[0][::-1]]).words
    assert "only batches are shuffled" in words


def test_rows_that_one_worker_reads_twice_are_not_read_by_both():
    twice = [[[*steps(rows, MIXED[0]), *steps(rows, MIXED[1])]] * 2 for rows in (EVEN, ODD)]
    assert judged(*twice).words == "Every row is read twice in an epoch, and a step has 8 rows."
    every = [[[[row]] for row in range(24)]] * 2
    words = "and a step has 2 rows. Both workers still read everything."
    assert judged(every, every).words.endswith(words)


def test_rows_that_hardly_move():
    near = [[1, 0, 3, 2, 4, 5, 6, 7, 9, 8, 10, 11], [0, 1, 2, 4, 3, 6, 5, 7, 8, 9, 11, 10]]
    words = judged(*([steps(rows, order) for order in near] for rows in (EVEN, ODD))).words
    assert "moves forward by 3 places or more" in words


def test_a_batch_that_stands_in_the_program():
    assert "With four, a step has 16 rows" in judged(FIRST, SECOND, four=of_four(4)).words
    halves = [[[*range(at, 24, 2)]] for at in (0, 1, 0, 1)]
    assert "With four, 48 rows are read" in judged(FIRST, SECOND, four=halves).words
    assert "With four, `dataset_fn` fails, or gives no" in judged(FIRST, SECOND, four=[3]).words


@pytest.mark.parametrize(
    ("later", "words"),
    [
        (FIRST[1], "12 of 24 rows are read more than once, and 12 never"),
        ([[[*range(12)]], *steps(ODD, MIXED[0])], "rows are read more than once"),
        ([[[40, 41]]], "Some of the rows that were read are not in the data"),
    ],
)
def test_the_second_epoch_counts_as_the_first_does(later, words):
    verdict = judged(FIRST, [SECOND[0], later])
    assert verdict.status == "wrong"
    assert words in verdict.words


def test_parts_that_overlap_are_called_badly_shuffled_only_if_they_change():
    low, same = list(range(12)), list(range(6, 18))
    fixed = [[steps(rows, MIXED[0]), steps(rows, MIXED[1])] for rows in (low, same)]
    words = judged(*fixed).words
    assert "6 of them are read by both" in words
    assert "shuffles differently" not in words
    changing = [[steps(low, MIXED[0]), steps(same, MIXED[1])], [steps(EVEN, MIXED[0])] * 2]
    assert "each shuffles differently" in judged(*changing).words
    left_out = [[epoch[:2] for epoch in epochs] for epochs in (FIRST, SECOND)]
    words = "and 8 never. Which rows a worker reads changes from epoch to epoch."
    assert judged(*left_out).words.endswith(words)


@pytest.mark.parametrize(
    "made", [list, tuple, np.array, iter, lambda rows: [np.int64(row) for row in rows]]
)
def test_row_numbers_in_anything(made):
    truth = {"OFF": [*range(18)], "DATA": [4, 5, 6, 7, 12, 13, 14, 15, 17], "FILE": [*range(6, 12)]}
    given = {policy: made(rows) for policy, rows in truth.items()}
    work = SimpleNamespace(
        value={"rows_of_worker_1": given}.get,
        session={PREDICTION.session[0]: {TaskId("worker", 1): truth}},
    )
    assert PREDICTION.check(work).status == "right"


def fed(*parts: list[int]) -> str:
    """The verdict on the rows of four replicas, two in a step."""
    given = [[rows[at : at + 2] for at in range(0, len(rows), 2)] for rows in parts]
    return feed._fed_wrongly(dict(enumerate(given)))


def test_rows_that_nobody_reads_have_more_causes_than_one():
    by_pipeline = fed([0, 1, 4, 5], [2, 3], [6, 7, 10, 11], [8, 9])
    assert "not for each replica" in by_pipeline
    both = fed(*[[0, 1, 4, 5, 8, 9], [2, 3, 6, 7, 10, 11]] * 2)
    assert "No replica reads 12 of the 24 rows, for example row 12" in both
    assert "not for each replica" not in both


def test_batches_that_a_replica_has_for_its_own_are_not_called_mixed():
    rows = [list(range(6 * replica, 6 * replica + 6)) for replica in range(4)]
    assert fed(rows[1], rows[0], rows[3], rows[2]).endswith("has the rows of the other.")
    turned = [[4, 5, 0, 1, 2, 3], [8, 9, 6, 7, 10, 11]]
    assert "not in order" in fed(*turned, *rows[2:])
    zipped = [[0, 6, 2, 8, 4, 10], [1, 7, 3, 9, 5, 11]]
    assert "a batch mixes rows of two replicas" in fed(*zipped, *rows[2:])
    lopsided = [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11]]
    single = {replica: [[row] for row in range(replica, 24, 4)] for replica in range(4)}
    assert feed._fed_wrongly(single).endswith("one row in a step, not two.")
    assert feed._rows(3) == [3]
    assert fed(*lopsided, *rows[2:]).endswith("should have its own six.")
