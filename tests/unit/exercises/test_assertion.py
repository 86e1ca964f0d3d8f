"""``require``: a check as an assertion."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mwtutor import exercises as api
from mwtutor.exceptions import BadInput
from mwtutor.exercises import trials

WRONG = "def share(rows, worker, workers): return rows"


@pytest.fixture
def solution(work) -> str:
    """The solution of the exercise sample-1, which is loaded."""
    trials.new_folder(work / "mine")
    return api.load("mine")[0].solution


def require(code: str) -> None:
    names: dict[str, object] = {}
    exec(code, names)
    api.require("sample-1", names)


def test_it_raises_the_verdict_unless_the_exercise_is_right(solution):
    require(solution)
    for code, said in (
        (WRONG, "sample-1: wrong. "),
        ("share = None", "sample-1: not yet."),
        ("def share(*_): 1 / 0", "sample-1: wrong. Your code raised ZeroDivisionError"),
    ):
        with pytest.raises(api.NotSolved) as raised:
            require(code)
        assert isinstance(raised.value, AssertionError)
        assert str(raised.value).startswith(said)
        assert raised.value._render_traceback_() == [f"NotSolved: {raised.value}"]
    with pytest.raises(BadInput, match=r"no exercise 05-9"):
        api.require("05-9")


def test_a_check_that_fails_itself_is_not_quietly_right(work, solution):
    (work / "mine" / "check.py").write_text("def check(work): 1 / 0\n")
    api.load("mine")
    with pytest.raises(api.NotSolved, match=r"sample-1: not judged. The check itself failed"):
        require(solution)


def test_a_plain_program_needs_no_magics(work, solution):
    program = (
        "from mwtutor import exercises\n"
        "exercises.load('mine')\n"
        "{}\n"
        "exercises.require('sample-1')\n"
        "print('solved')\n"
    )
    for code, said in ((solution, "solved"), (WRONG, "NotSolved: sample-1: wrong. ")):
        done = subprocess.run(
            [sys.executable, "-c", program.format(code)], capture_output=True, text=True
        )
        assert said in (done.stderr.splitlines() or [done.stdout])[-1]
