"""Every check cell notices the faults for which it is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.course.classroom import Classrooms
from tests.course.lesson import LESSONS

SABOTAGES = [
    pytest.param(lesson, one, id=f"{lesson.number}-{one.check}-{one.cell}-{at}")
    for lesson in LESSONS
    for at, one in enumerate(lesson.sabotages)
]


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: Any) -> Iterator[Classrooms]:
    made = Classrooms(tmp_path_factory.mktemp)
    yield made
    made.close()


@pytest.mark.e2e
@pytest.mark.course
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("lesson", "sabotage"), SABOTAGES)
def test_a_check_notices_a_sabotage(rooms, lesson, sabotage):
    if lacks := lesson.cell(sabotage.check).lacks:
        pytest.skip(lacks)
    rooms.of(lesson).check_sabotage(sabotage)
