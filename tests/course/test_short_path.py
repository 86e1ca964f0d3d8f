"""The short path of a lesson runs alone. Another test checks it without running it."""

from __future__ import annotations

import pytest

from tests.course.classroom import classroom
from tests.course.lesson import LESSONS

#: The lesson whose short path ``make test`` executes.
ALWAYS = "04"


@pytest.mark.e2e
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(one, id=one.number, marks=() if one.number == ALWAYS else pytest.mark.course)
        for one in LESSONS
        if one.short
    ],
)
def test_the_short_path_runs_alone(lesson, tmp_path):
    with classroom(lesson, tmp_path) as room:
        room.check_short()
