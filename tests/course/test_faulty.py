"""The lessons with a faulty package: their checks must report the fault."""

from __future__ import annotations

import pytest

from tests.course.classroom import classroom
from tests.course.faulty import FAULTS
from tests.course.lesson import LESSONS
from tests.parity.versions import keras_versions

CASES = [
    pytest.param(fault, *red, id=f"{red[0]}-{red[1]}-{at}")
    for at, fault in enumerate(FAULTS)
    for red in fault.red
]


@pytest.mark.e2e
@pytest.mark.course
@pytest.mark.timeout(600)
@pytest.mark.skipif(3 not in keras_versions(), reason="the faults are in the bridge of Keras 3")
@pytest.mark.parametrize(("fault", "number", "check", "line"), CASES)
def test_a_check_notices_a_fault_of_the_package(fault, number, check, line, tmp_path):
    (lesson,) = (one for one in LESSONS if one.number == number)
    package = fault.package(tmp_path / "package")
    (tmp_path / "room").mkdir()
    with classroom(lesson, tmp_path / "room", package) as room:
        assert str(package) in room.must("import mwtutor; print(mwtutor.__file__)").text
        room.check_fault(check, line)
