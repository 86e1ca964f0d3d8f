"""Every lesson keeps the conventions."""

from __future__ import annotations

import pytest

from tests.course.conventions import faults
from tests.course.lesson import LESSONS, numbers


@pytest.mark.parametrize("lesson", LESSONS, ids=numbers)
def test_a_lesson_keeps_the_conventions(lesson):
    assert faults(lesson) == []


def test_no_two_notebooks_have_one_number():
    assert len({lesson.number for lesson in LESSONS}) == len(LESSONS)
