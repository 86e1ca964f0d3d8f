"""The course's program: each lesson begins with the last lesson's version, and writes its own."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from mwtutor.exceptions import BadInput
from mwtutor.exercises import left_by
from tests.course.lesson import LESSONS, Lesson

#: The lessons that extend the program. The last one only runs it.
ORDER = ("03", "05", "06", "08", "09", "10", "11", "14")
_WRITES = "%%writefile trainer.py\n"


def lesson(number: str) -> Lesson:
    return next(one for one in LESSONS if one.number == number)


@pytest.mark.parametrize("number", ORDER[:-1])
def test_a_lesson_writes_what_the_package_says_that_it_leaves(number):
    written = [cell.source for cell in lesson(number).cells if cell.source.startswith(_WRITES)]
    (program,) = left_by(f"lesson-{number}").values()
    assert [one.removeprefix(_WRITES).rstrip() for one in written] == [program.decode().rstrip()]


@pytest.mark.parametrize(("earlier", "number"), list(pairwise(ORDER)))
def test_a_lesson_begins_with_what_the_last_one_left(earlier, number):
    first = lesson(number).cells[0].source
    assert f"%mw_workspace lesson-{number} --from lesson-{earlier}" in first.splitlines()


def test_no_other_lesson_begins_with_it():
    began = {one.number for one in LESSONS if re.search(r"--from lesson", one.cells[0].source)}
    assert began == set(ORDER[1:])


@pytest.mark.parametrize(("earlier", "number"), list(pairwise(ORDER[:-1])))
def test_a_lesson_adds_to_it(earlier, number):
    """Every line that a lesson adds can be found, because the program names that lesson."""
    before, after = (left_by(f"lesson-{one}")["trainer.py"].decode() for one in (earlier, number))
    assert f"lesson {number}" in after
    assert f"lesson {number}" not in before
    kept = sum(line in after.splitlines() for line in before.splitlines())
    assert kept > 0.8 * len(before.splitlines())


def test_no_other_lesson_leaves_it():
    with pytest.raises(BadInput) as refused:
        left_by("lesson-04")
    assert re.findall(r"lesson-(\d\d)", refused.value.remedy) == list(ORDER[:-1])
