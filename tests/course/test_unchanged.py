"""Every lesson as stored, on TensorFlow 2.15: the cells succeed, and the checks hold.

As in ``test_solved``, one kernel and one fork server serve all lessons in a pytest process.
"""

from __future__ import annotations

import pytest

from tests.course.classroom import SharedKernel
from tests.course.lesson import LESSONS, numbers


@pytest.mark.e2e
@pytest.mark.course
@pytest.mark.timeout(900)
@pytest.mark.parametrize("lesson", LESSONS, ids=numbers)
def test_a_lesson_as_it_is_stored(kernel: SharedKernel, lesson) -> None:
    with kernel.classroom(lesson) as room:
        room.check_unchanged()
