"""Every exercise: its stub, each of its sabotages, its solution; one kernel for a lesson.

Stubs stand in the untouched notebooks and solutions in the solved ones, which are executed as a
whole: alone they are tried by ``make test-course``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mwtutor.exercises import check
from tests.course.classroom import Classroom, Classrooms
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


@pytest.mark.e2e
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_the_sabotages_of_an_exercise_are_told_apart(rooms, lesson, exercise):
    room_of(rooms, lesson, exercise).check_sabotages(exercise)


@pytest.mark.course
@pytest.mark.e2e
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_a_stub_is_not_solved_and_a_solution_is_right(rooms, lesson, exercise):
    room = room_of(rooms, lesson, exercise)
    room.check_stub(exercise)
    room.check_solution(exercise)


def room_of(rooms: Classrooms, lesson: Any, exercise: Any) -> Classroom:
    (cell,) = lesson.tagged(f"check-{exercise.id}")
    if cell.lacks:
        pytest.skip(cell.lacks)
    return rooms.of(lesson)


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
