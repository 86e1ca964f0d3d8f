"""Every check cell notices the faults that it is there for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.course.classroom import Classroom, classroom
from tests.course.lesson import LESSONS, Lesson

SABOTAGES = [
    pytest.param(lesson, one, id=f"{lesson.number}-{one.check}-{one.cell}-{at}")
    for lesson in LESSONS
    for at, one in enumerate(lesson.sabotages)
]


@pytest.fixture(scope="module")
def room(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Classroom]:
    lesson: Lesson = request.param
    with classroom(lesson, tmp_path_factory.mktemp(f"lesson-{lesson.number}")) as made:
        yield made


@pytest.mark.e2e
@pytest.mark.course
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("room", "sabotage"), SABOTAGES, indirect=["room"])
def test_a_check_notices_a_sabotage(room, sabotage):
    room.check_sabotage(sabotage)
