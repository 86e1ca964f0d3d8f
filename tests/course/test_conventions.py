"""Every lesson keeps the conventions."""

from __future__ import annotations

import pytest

from mwtutor.exercises.catalogue import all_lessons
from tests.course.conventions import faults
from tests.course.lesson import LESSONS, numbers


@pytest.mark.parametrize("lesson", LESSONS, ids=numbers)
def test_a_lesson_keeps_the_conventions(lesson):
    assert faults(lesson) == []


def test_each_exercise_is_in_one_notebook():
    there = [one.id for found in all_lessons().values() for one in found if not one.launch]
    assert sorted(one.id for lesson in LESSONS for one in lesson.exercises) == sorted(there)


def test_no_two_notebooks_have_one_number():
    assert len({lesson.number for lesson in LESSONS}) == len(LESSONS)
