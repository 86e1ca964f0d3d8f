"""The verdicts of lesson 08 on answers that are right only by luck."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Exercise, Verdict
from mwtutor.exercises.lessons.lesson_08.exercise_3 import check as keeping

RESUME = find("08-2")
KEEP = find("08-3")


def session(exercise: Exercise, *pairs: Any) -> dict[str, dict[TaskId, Any]]:
    """Values on both workers, by expression."""
    return {
        expression: {TaskId("worker", index): value for index, value in enumerate(pair)}
        for expression, pair in zip(exercise.session, pairs, strict=True)
    }


def resumed(steps: int, away: float, begun: Any, *, steady: bool = False) -> str:
    kinds, hashes = (["MirroredVariable"],) * 2, ("a", "a")
    both = [(value, value) for value in (steps, away, steady, begun)]
    held = session(RESUME, both[0], kinds, hashes, *both[1:])
    return RESUME.check(SimpleNamespace(session=held)).words


def test_the_same_weights_without_the_training():
    assert "never stopped, after 50 steps" in resumed(50, 0.0, [3, 4])
    assert "`resumed` is `steady`" in resumed(50, 0.0, [0, 1, 2, 3, 4], steady=True)
    assert "`schedule` saw no epoch of `resumed`." in resumed(50, 0.0, [])
    assert "counted 30 steps, but `schedule` saw no epoch" in resumed(30, 0.5, [])


def test_epochs_are_named_that_fit_went_through():
    assert "ran the epochs 0, 1, counted from 0" in resumed(50, 0.5, [0, 1])
    words = resumed(50, 0.5, [3, 4])
    assert "the last of them in the right epochs" in words
    assert "learning rate" not in words


def kept(folder: Path, before: Any) -> Verdict:
    held = session(KEEP, ("/kept", "/temporary/x"), (7, 7), ("a", "a"))
    value = {"before": before}.get
    return KEEP.check(SimpleNamespace(session=held, folder=folder, value=value))


def test_what_is_left_a_second_time_is_left(tmp_path):
    for number in (5, 6, 7):
        (tmp_path / "kept").mkdir(exist_ok=True)
        (tmp_path / "kept" / f"ckpt-{number}.index").touch()
    (tmp_path / "temporary").mkdir()
    (tmp_path / "of_another_section").touch()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "ckpt-7.index").touch()
    before = keeping._all(tmp_path)
    assert kept(tmp_path, before).status == "right"
    os.utime(tmp_path / "mine" / "ckpt-7.index", (1, 1))
    assert "mine/ckpt-7.index" in kept(tmp_path, before).words
    assert kept(tmp_path, ["mine/"]).status == "not yet"


def test_who_has_restored_nothing_is_said_only_if_it_shows():
    assert "worker:1 restored nothing" in keeping._restored([7, 3], True)
    assert "restored nothing" not in keeping._restored([7, 5], True)
