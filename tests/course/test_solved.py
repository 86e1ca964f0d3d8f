"""Every lesson in one kernel: each exercise's stub, its wrong solutions, then the right one."""

from __future__ import annotations

import pytest

from tests.course.classroom import classroom
from tests.course.lesson import parameters


@pytest.mark.e2e
@pytest.mark.timeout(900)
@pytest.mark.parametrize("lesson", parameters())
def test_a_lesson_with_its_solutions(lesson, tmp_path):
    with classroom(lesson, tmp_path) as room:
        room.check_solved()
