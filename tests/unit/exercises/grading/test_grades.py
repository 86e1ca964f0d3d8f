"""Grades and the files that report them; that real code is judged is tested in ``e2e``."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from mwtutor.cli import main
from mwtutor.exceptions import BadInput
from mwtutor.exercises.grading import grades, reports
from mwtutor.exercises.grading.grades import Finding, Grade, Learner
from mwtutor.exercises.trials import new_folder

RIGHT = Grade(1.0, 1.0, (Finding("check", "right", "Yes."),))
HALF = Grade(2.5, 5.0, (Finding("check", "right", "Yes."), Finding("sizes", "wrong", "No.")))
ENDED = Grade(0.0, 5.0, (Finding("check", "not judged", "It ended."),))
NONE = Grade(0.0, 1.0, why="The notebook has no cell for this exercise.")
LEARNERS = {
    "anna": Learner({"03-1": RIGHT, "03-2": HALF}),
    "=ben/<b>": Learner({"03-1": NONE, "03-2": ENDED}, ("x.ipynb is a link, and was not read.",)),
}


@pytest.fixture
def checks(work):
    return [
        one
        for name in ("03-1", "03-2")
        for one in grades.checks_of(name, None, {"03-2": 5.0} if name == "03-2" else {})
    ]


def test_the_table(work, checks):
    reports.write(work, LEARNERS, checks)
    assert [*csv.reader((work / "grades.csv").read_text().splitlines())] == [
        ["learner", "03-1", "03-2", "points", "possible", "needs review"],
        ["anna", "1", "2.5", "3.5", "6", ""],
        ["'=ben/<b>", "0", "0", "0", "6", "03-1 03-2"],
    ]


def test_a_page_and_a_file_for_gradescope_for_each_learner(work, checks):
    reports.write(work, LEARNERS, checks)
    pages = {path.name: path.read_text() for path in (work / "feedback").iterdir()}
    assert set(pages) == {"anna.html", "%3dben%2f%3cb%3e.html"}
    assert f"03-2 {checks[1].exercise.title}: 2.5 of 5" in pages["anna.html"]
    assert "sizes: wrong. No." in pages["anna.html"]
    assert "<b>" not in pages["%3dben%2f%3cb%3e.html"]
    results = json.loads((work / "gradescope" / "anna" / "results.json").read_text())
    assert results["score"] == 3.5
    assert [(one["score"], one["max_score"], one["status"]) for one in results["tests"]] == [
        (1.0, 1.0, "passed"),
        (2.5, 5.0, "failed"),
    ]


def test_a_grade_is_of_the_code_and_of_everything_that_judges_it(work):
    new_folder(work / "mine")
    shutil.copytree(work / "mine", work / "hidden" / "sizes")
    (one,) = grades.checks_of(str(work / "mine"), work / "hidden", {})
    before = one.digest("a = 1")
    assert before == one.digest("a = 1") != one.digest("a = 2")
    (work / "hidden" / "sizes" / "check.py").write_text("# other")
    assert one.digest("a = 1") != before


def test_a_variant_never_replaces_the_exercises_own_check(work):
    new_folder(work / "mine")
    shutil.copytree(work / "mine", work / "hidden" / "check")
    (one,) = grades.checks_of(str(work / "mine"), work / "hidden", {})
    assert [*one.folders.values()] == [work / "mine", work / "hidden" / "check"]


def test_what_is_graded_must_exist(work):
    new_folder(work / "mine")
    with pytest.raises(BadInput, match="no exercise 03-9"):
        grades.checks_of("03-9", None, {})
    with pytest.raises(BadInput, match="nowhere does not exist"):
        grades.checks_of("nowhere", None, {})
    with pytest.raises(BadInput, match="points for 03-9, which is not graded"):
        grades.checks_of("03", None, {"03-9": 2.0})
    with pytest.raises(BadInput, match="belongs to exercise sample-1, which is not graded"):
        grades.checks_of("03", work / "mine", {})


@pytest.mark.parametrize("text", ["", "[]", '{"learners": {"a": {}}}', '{"learners": []}'])
def test_damaged_grades_are_not_overwritten(work, text):
    (work / grades.GRADES).write_text(text)
    with pytest.raises(BadInput, match="mwtutor did not write it"):
        grades.read(Path())
    assert (work / grades.GRADES).read_text() == text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("03 nowhere", "nowhere does not exist."),
        ("03 empty", "empty has no notebooks."),
        ("3 empty", "3 does not exist."),
        ("03 empty --points 03-1", "--points 03-1 does not give an exercise and its points."),
        ("03 empty --points 03-1=-2", "--points 03-1=-2 does not give an exercise and its points."),
        (
            "03 empty --points 03-1=nan",
            "--points 03-1=nan does not give an exercise and its points.",
        ),
        ("03 empty --memory much", "--memory"),
    ],
)
def test_bad_input_gets_a_sentence_and_a_remedy(work, capsys, words, said):
    (work / "empty").mkdir()
    assert main(["grade", *words.split()]) == 2
    problem, _, remedy = capsys.readouterr().err.removeprefix("mwtutor: ").partition("\n")
    assert problem.startswith(said)
    assert remedy or ". " in problem
    assert not (work / "grades").exists()


def test_results_cannot_be_below_a_file(work):
    (work / "file").write_text("")
    with pytest.raises(
        BadInput, match=r"The grades in file/grades\.json cannot be read: Not a dir"
    ):
        grades.read(Path("file"))
