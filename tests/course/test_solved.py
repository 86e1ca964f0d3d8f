"""Every lesson with its exercises: each one's stub, its wrong solutions, then the right one.

One kernel, and so one fork server, serves all lessons in this pytest process; ``test_untouched``
executes them in separate kernels.
"""

from __future__ import annotations

import pytest

from tests.course.lesson import parameters


@pytest.mark.e2e
@pytest.mark.timeout(900)
@pytest.mark.parametrize("lesson", parameters())
def test_a_lesson_with_its_solutions(kernel, lesson):
    with kernel.classroom(lesson) as room:
        room.check_solved()
