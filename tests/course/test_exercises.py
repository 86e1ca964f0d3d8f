"""Every exercise alone, with its stored answers, as ``mwtutor exercise test`` tries it.

They are also tried in their lessons: stubs in the untouched notebooks, sabotages and solutions
in the solved ones. Exercises that start processes are only in ``make test-extra WHAT=course``.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mwtutor.exercises import check, lessons
from mwtutor.exercises.folders import read_answers
from tests.course.lesson import LESSONS

EXERCISES = [
    pytest.param(lesson, exercise, id=exercise.id)
    for lesson in LESSONS
    for exercise in lesson.exercises
]

FOLDERS = {
    exercise.id: Path(lessons.__file__).parent
    / "lesson_{}/exercise_{}".format(*exercise.id.split("-"))
    for lesson in LESSONS
    for exercise in lesson.exercises
}

#: Values that a learner may have instead of the expected ones.
STRANGE = [None, "text", 7, -1.5, True, [], {}, [[1], "x"], b"\0", float("nan"), len, object()]


@pytest.mark.course
@pytest.mark.e2e
@pytest.mark.parametrize(
    ("lesson", "exercise"), [one for one in EXERCISES if not one.values[1].is_writing_task]
)
def test_an_exercise_alone(lesson, exercise):
    (cell,) = lesson.tagged(f"check-{exercise.id}")
    if cell.lacks:
        pytest.skip(cell.lacks)
    command = [sys.executable, "-m", "mwtutor", "exercise", "test", str(FOLDERS[exercise.id])]
    done = subprocess.run([*command, "--mutations", "0"], capture_output=True, text=True)
    faults = [line for line in done.stdout.splitlines() if "FAULT" in line]
    assert (done.returncode, faults) == (0, []), done.stdout + done.stderr


@pytest.mark.parametrize("exercise", FOLDERS)
def test_a_check_is_tried_with_answers_of_every_kind(exercise):
    answers = read_answers(FOLDERS[exercise])
    kinds = Counter(one.status for one in answers)
    assert kinds["wrong"] >= 6
    assert kinds["right"] >= 3
    assert len({one.code for one in answers}) == len(answers)


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_a_check_before_anything_ran_finds_nothing_right(work, lesson, exercise):
    assert check(exercise.id, {}, work).verdict.status == "not yet"


@pytest.mark.full  # forks for each value and exercise
@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_a_check_survives_any_value(work, lesson, exercise):
    for strange in STRANGE:
        found = check(exercise.id, Everything(strange), work).verdict
        assert found.status in ("not yet", "wrong"), (strange, found.words)


class Everything(dict[str, Any]):
    """Variables that all have the same value."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def get(self, name: str, default: Any = None) -> Any:
        return self._value
