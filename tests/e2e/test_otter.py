"""The sample assignment, graded by otter-grader: ``make test-extra WHAT=otter``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.submitted import EXAMPLES, call, codes, submit

pytestmark = [pytest.mark.e2e, pytest.mark.otter]


def test_otter_gives_the_points_and_shows_the_verdict(work):
    shutil.copytree(EXAMPLES / "otter", work, dirs_exist_ok=True)
    right, wrong, says = codes()
    call("otter", "assign", "input.ipynb", "dist")  # this also runs the tests on the solution
    released = work / "dist" / "student" / "input.ipynb"
    assert "shard" not in released.read_text()
    score, said = graded(released, "anna", right)
    assert (score, "All test cases passed" in said) == (3.0, True)
    score, said = graded(released, "ben", wrong)
    assert score == 0
    assert "NotSolved: 05-1: wrong. " in said
    assert says in said


def graded(released: Path, learner: str, code: str) -> tuple[float, str]:
    """The points, and the learner's output."""
    submit(released, Path(learner, "input.ipynb"), code)
    (autograder,) = Path("dist", "autograder").glob("*.zip")
    call("otter", "run", "-a", str(autograder), "-o", learner, f"{learner}/input.ipynb")
    shown, hidden = json.loads(Path(learner, "results.json").read_text())["tests"]
    assert (shown["visibility"], hidden["max_score"]) == ("visible", 3.0)
    return hidden["score"], shown["output"]
