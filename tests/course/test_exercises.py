"""Every exercise alone: its stub, each of its sabotages, its solution; one kernel for a lesson.

In their lessons they are tried as well: stubs in the untouched notebooks, sabotages and solutions
in the solved ones. What starts something here is for ``make test-extra WHAT=course``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mwtutor.exercises import check
from tests.course.classroom import Classrooms
from tests.course.lesson import LESSONS

EXERCISES = [
    pytest.param(lesson, exercise, id=exercise.id)
    for lesson in LESSONS
    for exercise in lesson.exercises
]

#: What a learner may have in the place of anything.
STRANGE = [None, "text", 7, -1.5, True, [], {}, [[1], "x"], b"\0", float("nan"), len, object()]


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: Any) -> Iterator[Classrooms]:
    made = Classrooms(tmp_path_factory.mktemp, prepared=True)
    yield made
    made.close()


@pytest.mark.course
@pytest.mark.e2e
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_an_exercise_alone(rooms, lesson, exercise):
    (cell,) = lesson.tagged(f"check-{exercise.id}")
    if cell.lacks:
        pytest.skip(cell.lacks)
    rooms.of(lesson).check_exercise(exercise)


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_a_check_before_anything_ran_finds_nothing_right(work, lesson, exercise):
    assert check(exercise.id, {}, work).verdict.status == "not yet"


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_a_check_survives_any_value(work, lesson, exercise):
    for strange in STRANGE:
        found = check(exercise.id, Everything(strange), work).verdict
        assert found.status in ("not yet", "wrong"), (strange, found.words)


class Everything(dict[str, Any]):
    """Variables that all have one value."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def get(self, name: str, default: Any = None) -> Any:
        return self._value
