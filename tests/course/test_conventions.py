"""Every lesson keeps the conventions; what does not keep them yet is listed, and nothing else."""

from __future__ import annotations

import pytest

from tests.course.conventions import faults
from tests.course.lesson import ALL, LESSONS, NOT_YET, numbers


@pytest.mark.parametrize("lesson", LESSONS, ids=numbers)
def test_a_lesson_keeps_the_conventions(lesson):
    assert faults(lesson) == []


def test_the_lessons_that_do_not_yet_are_listed():
    assert set(NOT_YET) <= {lesson.number for lesson in ALL}, "take off what is gone"
    begun = [lesson.number for lesson in ALL if lesson.number in NOT_YET and lesson.exercises]
    assert not begun, f"lessons {begun} have exercises: take them off NOT_YET"


def test_no_two_notebooks_have_one_number():
    assert len({lesson.number for lesson in ALL}) == len(ALL)
