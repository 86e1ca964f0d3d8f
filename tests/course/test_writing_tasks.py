"""Every writing task (``03-w1``), judged in this process: its check needs only one function.

``test_solved`` executes the solutions in their notebooks, ``test_untouched`` the stubs.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mwtutor.exercises import Exercise
from mwtutor.exercises.exercise import Verdict, wrong
from mwtutor.exercises.folders import read_answers
from tests.course.lesson import LESSONS
from tests.course.test_exercises import FOLDERS

TASKS = [
    pytest.param(exercise, id=exercise.id)
    for lesson in LESSONS
    for exercise in lesson.exercises
    if exercise.is_writing_task
]


def verdict(exercise: Exercise, code: str) -> Verdict:
    """The verdict on a cell with this code."""
    names: dict[str, Any] = {"np": np}
    exec(code, names)
    try:
        return exercise.check(SimpleNamespace(value=names.get))
    except Exception as error:  # as for a learner, see test_a_check_survives_any_value
        return wrong(f"{type(error).__name__}: {error}")


@pytest.mark.parametrize("exercise", TASKS)
def test_a_writing_task_tells_its_answers_apart(exercise):
    assert verdict(exercise, exercise.stub).status == "not yet"
    assert verdict(exercise, exercise.solution).status == "right"
    said = {one: verdict(exercise, one.code) for one in exercise.sabotages}
    for one, found in said.items():
        assert found.status == "wrong", (one, found)
        with_words = [other for other, words in said.items() if one.says in words.words]
        assert with_words == [one], (one.says, said)
    for answer in read_answers(FOLDERS[exercise.id]):
        found = verdict(exercise, answer.code)
        assert found.status == answer.status, (answer.what, found.words)
        assert answer.says in found.words, (answer.what, found.words)
