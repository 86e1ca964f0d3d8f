"""The course's program, as an earlier lesson left it, and where a lesson finds it."""

from __future__ import annotations

import os

import pytest

from mwtutor.exceptions import BadInput
from mwtutor.exercises import left_by, receive, workspace

PROGRAM = left_by("lesson-03")["trainer.py"]


def begun(work) -> str:
    """The message at the beginning of a lesson that starts from lesson 03's program."""
    where = workspace("lesson-05")
    (said,) = receive("lesson-03")
    assert (where / "trainer.py").read_bytes() == PROGRAM
    return said


def test_it_is_what_the_earlier_lesson_left(work):
    (workspace("lesson-03") / "trainer.py").write_bytes(PROGRAM)
    assert begun(work) == "trainer.py is unchanged since the end of lesson-03."


COPY = "so this lesson begins with mwtutor's copy of it."


def test_a_lesson_alone_has_mwtutors_copy(work):
    assert begun(work) == f"trainer.py is not in the folder lesson-03, {COPY}"
    workspace("lesson-03")
    assert begun(work) == f"trainer.py is not in the folder lesson-03, {COPY}"


@pytest.mark.parametrize("other", [PROGRAM + b"# mine\n", left_by("lesson-05")["trainer.py"], b""])
def test_a_changed_program_or_that_of_another_version_stays_there(work, other):
    theirs = workspace("lesson-03") / "trainer.py"
    theirs.write_bytes(other)
    assert begun(work) == (
        f"lesson-03/trainer.py differs from the version at the end of that lesson, {COPY}"
    )
    assert theirs.read_bytes() == other


def make_large(path):
    path.write_bytes(b"#" * (1 << 21))


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, make_large])
def test_what_is_not_a_program_is_not_read(work, make):
    make(workspace("lesson-03") / "trainer.py")
    said = begun(work)
    assert said.startswith("lesson-03/trainer.py cannot be read (")
    assert said.endswith(COPY)


def test_a_file_in_the_place_of_the_folder(work):
    (work / "lesson-03").write_text("")
    assert begun(work) == f"trainer.py is not in the folder lesson-03, {COPY}"


@pytest.mark.parametrize("name", ["lesson-02", "03", "", "../lesson-03"])
def test_a_lesson_that_leaves_nothing(work, name):
    with pytest.raises(BadInput, match=r"(?s)No lesson leaves files.*Use one of lesson-03, "):
        left_by(name)
