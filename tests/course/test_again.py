"""A cell that launches something can be executed again, and the checks show the same."""

from __future__ import annotations

import pytest

from tests.course.classroom import SharedKernel
from tests.course.lesson import LESSONS, numbers

#: The lessons whose programs find what an earlier launch saved, or that end with a fault.
WITH_REMAINS = [lesson for lesson in LESSONS if lesson.number in ("17", "18", "19", "20")]


@pytest.mark.e2e
@pytest.mark.course
@pytest.mark.timeout(900)
@pytest.mark.parametrize("lesson", WITH_REMAINS, ids=numbers)
def test_launching_again_shows_the_same(kernel: SharedKernel, lesson) -> None:
    with kernel.classroom(lesson) as room:
        room.check_unchanged(launches=2)
