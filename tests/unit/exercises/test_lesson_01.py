"""The verdicts of lesson 01 on answers that are right only by luck."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons.lesson_01.exercise_2 import check as idle_device
from mwtutor.exercises.lessons.lesson_01.exercise_3 import check as shuffled_batches

LATEST = find("01-1")
PIPELINE = find("01-3")


def latest(function: Any) -> Verdict:
    return LATEST.check(SimpleNamespace(value={"latest": function}.get))


def by_length_then_text(folder: Path) -> str:
    return max(map(str, folder.iterdir()), key=lambda path: (len(path), path))


@pytest.mark.parametrize("later_first", [False, True])
def test_the_longest_name_is_not_the_latest_epoch(later_first):
    """This holds in any order of the files."""

    def longest(folder: Path) -> Path:
        paths = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=later_first)
        return max(paths, key=lambda path: len(path.name))

    assert latest(longest).status == "wrong"


def test_length_and_then_text_is_a_right_order_of_numbers():
    assert latest(by_length_then_text).status == "right"


def test_a_cause_is_named_only_if_it_explains_every_choice():
    nine = latest(lambda folder: "ckpt_9.weights.h5")
    assert nine.words == "Of epochs 2, 9, 10, 11, `latest` chooses 'ckpt_9.weights.h5'."


def test_a_function_that_finds_no_file_is_shown_which_files_there_are():
    assert "contains `ckpt_9.weights.h5`" in latest(lambda folder: None).words


@pytest.mark.parametrize(
    ("line", "writes"),
    [
        ("rows = tf.Variable([0, 0], dtype=tf.int64)", False),
        ("rows = tf.Variable(tf.zeros([2], tf.int64))", False),
        ("rows = tf.Variable([0, 128], dtype=tf.int64)", True),
        ("rows.assign([128, 128])", True),
        ("batch = 64", False),
    ],
)
def test_counts_that_the_program_writes_itself(line, writes):
    assert idle_device._writes_rows(ast.parse(line)) is writes


def test_half_a_batch_in_twice_as_many_steps():
    assert idle_device._judge_rows([128, 128], 4).status == "right"
    assert "recorded 8 steps" in idle_device._judge_rows([128, 128], 8).words


def epochs(count: int, batch: int, buffer: int) -> list[list[list[int]]]:
    """Two epochs of rows, shuffled with a buffer of this size, as tf.data does."""
    draw, found = random.Random(1), []
    for _ in range(2):
        source, held, rows = iter(range(count)), [], []
        for number in source:
            held.append(number)
            if len(held) == buffer:
                rows.append(held.pop(draw.randrange(len(held))))
        draw.shuffle(held)
        rows += held
        found.append([rows[at : at + batch] for at in range(0, count, batch)])
    return found


def piped(buffer: int, other_batch: int = 16) -> Verdict:
    return looked(epochs(64, 8, buffer), epochs(64, other_batch, buffer))


def looked(*given: list[list[list[int]]]) -> Verdict:
    """The verdict on pipelines with these epochs; a missing one could not be read."""
    values: list[Any] = [{"epochs": one, "read": 64} for one in given]
    values += [None] * (2 - len(values)) + [True]
    return PIPELINE.check(
        SimpleNamespace(
            session={
                expression: {} if value is None else {TaskId("worker", 0): value}
                for expression, value in zip(PIPELINE.session, values, strict=True)
            }
        )
    )


def test_an_epoch_without_an_end_is_not_given_one():
    assert "has at least 128 batches" in looked([[list(range(8))] * 128] * 2).words


def test_a_pipeline_that_cannot_be_read_is_wrong_once_it_is_written():
    assert looked().status == "wrong"
    missing: dict[str, Any] = {expression: {} for expression in PIPELINE.session}
    assert PIPELINE.check(SimpleNamespace(session=missing)).status == "not yet"


def test_rows_that_hardly_move_are_not_mixed():
    assert "is not mixed well" in piped(2).words
    assert "is not mixed well" in piped(8).words
    assert piped(64).status == "right"
    assert piped(1000).status == "right"


def test_a_batch_that_stands_in_the_program():
    assert "use `per_replica` and `replicas`" in piped(64, 8).words


def test_numbers_that_do_not_come_from_the_source():
    found = epochs(64, 8, 64)
    assert "0 were read" in shuffled_batches._judge_pipeline(*found, 0).words


def test_batches_that_are_shuffled_in_any_order_of_their_rows():
    first = [list(range(at, 64, 8)) for at in range(8)]
    judged = shuffled_batches._judge_pipeline(first, first[::-1], 64)
    assert "always has the same rows" in judged.words
