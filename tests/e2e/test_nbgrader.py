"""The sample assignment, graded by nbgrader: ``make test-extra WHAT=nbgrader``."""

from __future__ import annotations

import csv
import html
import shutil

import pytest

from tests.support.submitted import EXAMPLES, call, codes, submit

pytestmark = [pytest.mark.e2e, pytest.mark.nbgrader]


def test_nbgrader_gives_the_points_and_shows_the_verdict(work):
    shutil.copytree(EXAMPLES / "nbgrader", work, dirs_exist_ok=True)
    right, wrong, says = codes()
    call("nbgrader", "generate_assignment", "input")
    released = work / "release" / "input" / "input.ipynb"
    assert "shard" not in released.read_text()
    submit(released, work / "submitted" / "anna" / "input" / "input.ipynb", right)
    submit(released, work / "submitted" / "ben" / "input" / "input.ipynb", wrong, check="pass")
    call("nbgrader", "autograde", "input")
    call("nbgrader", "generate_feedback", "input")
    call("nbgrader", "export")
    with open("grades.csv", newline="") as table:
        points = {row["student_id"]: row["score"] for row in csv.DictReader(table)}
    assert points == {"anna": "3.0", "ben": "0.0"}
    pages = {
        name: html.unescape((work / "feedback" / name / "input" / "input.html").read_text())
        for name in points
    }
    assert "NotSolved: 05-1: wrong. " in pages["ben"]
    assert says in pages["ben"]
    assert "NotSolved" not in pages["anna"]
    assert [*work.glob("feedback/*/input/.mwtutor")] == []
