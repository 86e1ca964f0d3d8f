"""The course's tests, applied to a small lesson: what they accept and what they reject."""

from __future__ import annotations

import copy
import shutil
import subprocess
from dataclasses import replace

import pytest

from mwtutor import exercises
from tests.course import conventions
from tests.course.classroom import SharedKernel, classroom
from tests.course.lesson import ROOT, sample
from tests.course.test_untouched import execute

SAMPLE = sample()
AVERAGE, SHARE = SAMPLE.exercises


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    where = tmp_path_factory.mktemp("sample")
    shutil.copy(SAMPLE.path, where)  # %mw_check --run takes its cells from here
    with classroom(SAMPLE, where) as made:
        made.set_up()
        yield made


@pytest.mark.e2e
@pytest.mark.parametrize("exercise", SAMPLE.exercises, ids=lambda one: one.id)
def test_the_exercises_of_the_sample_tell_what_was_done(room, exercise):
    room.check_exercise(exercise)


@pytest.mark.e2e
def test_a_check_can_run_what_the_sample_needs(room):
    room.execute(SHARE.solution)
    shown = room.must("%mw_check --run sample-2").text
    assert shown.startswith("sample-2, 1 of 1: cell run-sample-2\n")
    assert "\nsample-2: right." in shown
    room.execute(SHARE.solution.replace("rows[index", "exit(rows[index"))
    assert "does not compile" in room.must("%mw_check --run sample-2").text
    room.execute(SHARE.solution.replace("import mwtutor", "import mwtutor\nos._exit(7)"))
    assert "exited with code 7" in room.execute("%mw_check --run sample-2").text


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({"stub": AVERAGE.solution}, "right"),
        ({"stub": "1 / 0"}, "ZeroDivisionError"),
        ({"solution": AVERAGE.sabotages[0].code}, "not right yet"),
        ({"solution": AVERAGE.stub}, "not solved yet"),
        ({"sabotages": (AVERAGE.sabotages[0], replace(AVERAGE.sabotages[0], code="x = 1"))},
         "both workers count the same"),
        ({"sabotages": (replace(AVERAGE.sabotages[0], says="no such words"),)}, "no such words"),
        ({"sabotages": (replace(AVERAGE.sabotages[0], code=AVERAGE.solution),)}, "right"),
    ],
    ids=["the stub is right", "the stub raises", "the solution is wrong", "the solution is a stub",
         "two sabotages get one verdict", "a verdict says something else", "a sabotage is right"],
)  # fmt: skip
def test_a_faulty_exercise_is_found(room, broken, complaint):
    with pytest.raises(AssertionError, match=complaint):
        room.check_exercise(replace(AVERAGE, **broken))


@pytest.mark.e2e
@pytest.mark.parametrize("sabotage", SAMPLE.sabotages, ids=lambda one: one.why)
def test_the_check_cell_of_the_sample_notices(room, sabotage):
    room.check_sabotage(sabotage)


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({"new": "rows[index::2][:]"}, "the check does not notice it"),
        ({"needs": ()}, "without the sabotage"),
        ({"old": "no such text"}, "no such text"),
    ],
    ids=["nothing changes", "a cell that the check needs is missing", "there is nothing to change"],
)
def test_a_faulty_sabotage_is_found(room, broken, complaint):
    with pytest.raises(AssertionError, match=complaint):
        room.check_sabotage(replace(SAMPLE.sabotages[0], **broken))


@pytest.mark.e2e
def test_the_sample_with_its_solutions(tmp_path):
    with classroom(SAMPLE, tmp_path) as room:
        room.check_solved()


@pytest.mark.e2e
def test_lessons_share_a_kernel_until_one_leaves_a_cluster_or_a_variable_behind(tmp_path):
    (tmp_path / "forever.py").write_text("import time\ntime.sleep(600)")
    shared = SharedKernel(tmp_path)
    try:
        with shared.classroom(SAMPLE) as room:
            room.must("import sys\nsys.seen = mine = 1")
        with pytest.raises(AssertionError, match="forever"), shared.classroom(SAMPLE) as room:
            room.must(
                "import sys\nassert sys.seen and 'mine' not in globals()\n"
                "%load_ext mwtutor\n%mw_launch 1 forever.py --cold"
            )
        for _ in range(2):
            with shared.classroom(SAMPLE) as room:
                room.must("import os, sys\nassert not hasattr(sys, 'seen')")
                room.must("sys.seen = os.environ['LEFT'] = '1'")
    finally:
        shared.close()


@pytest.mark.full
@pytest.mark.e2e
def test_a_lesson_whose_solution_is_none_is_found(tmp_path):
    lesson = replace(SAMPLE, exercises=(replace(AVERAGE, solution=AVERAGE.stub), SHARE))
    with classroom(lesson, tmp_path) as room, pytest.raises(AssertionError, match="not solved yet"):
        room.check_solved()


@pytest.mark.full
@pytest.mark.e2e
def test_a_lesson_whose_wrong_solution_passes_is_found(tmp_path):
    passes = replace(AVERAGE.sabotages[0], code=AVERAGE.solution)
    lesson = replace(SAMPLE, exercises=(replace(AVERAGE, sabotages=(passes,)), SHARE))
    with classroom(lesson, tmp_path) as room, pytest.raises(AssertionError, match="right"):
        room.check_solved()


@pytest.mark.full
@pytest.mark.e2e
def test_a_notebook_runs_where_it_lies_and_leaves_nothing_for_git(tmp_path):
    shutil.copy(ROOT / ".gitignore", tmp_path)
    notebooks = tmp_path / "notebooks"
    notebooks.mkdir()
    shutil.copy(SAMPLE.path, notebooks)
    for folder in SAMPLE.folders:
        shutil.copytree(folder, notebooks / folder.name)

    def git(*words: str) -> str:
        command = ["git", "-c", "user.name=me", "-c", "user.email=me@localhost", *words]
        return subprocess.run(
            command, cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "the course")
    for time in ("first", "second"):
        done = execute(notebooks / SAMPLE.path.name)
        assert done.returncode == 0, (time, done.stdout[-6000:])
        assert (notebooks / "lesson-sample" / "share.py").exists()
        assert git("status", "--porcelain") == "", time


def test_the_sample_keeps_the_conventions():
    assert conventions.faults(SAMPLE) == []


def test_a_notebook_that_does_not_is_told_why():
    notebook = copy.deepcopy(SAMPLE.notebook)
    broken = replace(SAMPLE, sabotages=())
    broken.__dict__["notebook"] = notebook  # as cached_property stores it
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["id"] == "setup":
            cell["source"] = source.replace("%mw_workspace lesson-sample", "import tensorflow")
        if cell["id"] == "exercise-sample-1":
            cell["source"] = AVERAGE.solution
        if cell["id"] == "check-sample-2":
            cell["metadata"]["tags"] = ["nbval-ignore-output", "check-sample-7"]
        if cell["id"] == "summary":
            cell["source"] = source.replace("<details>", "", 1)
        if cell["id"] == "count":
            cell["id"], cell["source"] = "summary", source.replace("**Predict", "Predict")
        if cell["id"] == "objectives":
            cell["source"] = source.replace("10 minutes", "Not long").replace("docs/", "dox/")
    assert conventions.faults(broken) == [
        f"lesson sample: {fault}"
        for fault in (
            "it lacks how many minutes it takes",
            "it lacks a question before something is run: **Predict**",
            "it lacks a link to the glossary",
            "it lacks three questions with folded answers after its summary",
            "it links to ../../../dox/glossary.md, which does not exist",
            "two cells are called summary",
            "the cell setup imports TensorFlow or Keras into the kernel",
            "its first code cell has no line %mw_workspace lesson-sample",
            "its %mw_predict lines are not those of no question, in this order",
            "it has not one %mw_outcome line for each of no question",
            "the cell of exercise sample-1 is not exactly its stub",
            "exercise sample-2 has not one cell and one check",
            "the cell check-sample-2 is tagged check-sample-7, but there is no such exercise",
            "no sabotage is for the check cell check-count: tests/course/lesson_NN.py needs one",
        )
    ]


def test_a_short_path_that_needs_another_cell_is_named():
    notebook = copy.deepcopy(SAMPLE.notebook)
    broken = replace(SAMPLE)
    broken.__dict__["notebook"] = notebook
    cells = notebook["cells"]
    at = next(at for at, one in enumerate(cells) if one["id"] == "launch-count")
    heading = {"cell_type": "markdown", "id": "more", "metadata": {}, "source": "## 2. More"}
    cells.insert(at, heading)
    cells[0]["source"] = "".join(cells[0]["source"]).replace("section 1", "section 2")
    found = "\n".join(conventions.faults(broken))
    assert "its short path has only one of prediction and outcome: sample-a" in found
    assert "launch-count of its short path needs count.py, which is not on it" in found


@pytest.mark.parametrize(
    ("cell", "old", "new", "fault"),
    [
        (
            "predict-count",
            "sample-a",
            "sample-b",
            "its %mw_predict lines are not those of sample-a",
        ),
        ("check-count", "%mw_outcome", "print()  # ", "it has not one %mw_outcome line"),
        ("predict-count", "rows=...", "sums=...", "do not have the same names"),
        (
            "predict-count",
            "%mw_predict",
            "%mw_exchanges\n%mw_predict",
            "shows nothing of %mw_exchanges: make it the last line",
        ),
        ("check-count", "rows={rows", "rows~{rows", "is measured, so its cell cannot be compared"),
        ("count", "**Predict:**", f"**Predict:**{' word' * 1500}", "words outside of folded"),
        ("count", "**Predict:**", "Ask:", "its %mw_predict lines are not those of no question"),
        ("break", "**Break:**", "**Predict** and **Break:**", "sample-a, sample-b, in this order"),
        ("objectives", "**Short path:**", "Short path:", "does not name its short path"),
        ("objectives", "section 1", "section 3", "its short path has 1 cells: 5 to 20 are wanted"),
        ("predict-count", "", None, "does not come right after its question"),
        ("check-count", "", None, "no code cell lies between"),
    ],
)
def test_a_line_that_cannot_work_is_named(cell, old, new, fault):
    notebook = copy.deepcopy(SAMPLE.notebook)
    broken = replace(SAMPLE)
    broken.__dict__["notebook"] = notebook
    cells = notebook["cells"]
    at = next(at for at, one in enumerate(cells) if one["id"] == cell)
    if new is not None:
        cells[at]["source"] = "".join(cells[at]["source"]).replace(old, new)
    else:  # moved: the guess after the next cell, or the outcome right after the guess
        place = next(at for at, one in enumerate(cells) if one["id"] == "count-py")
        cells.insert(place, cells.pop(at))
    assert any(fault in one for one in conventions.faults(broken)), conventions.faults(broken)


def test_a_writing_task_that_is_not_small_is_named():
    task = replace(SHARE, id="sample-w2", task="word " * 41, session=("x",), hints=("one",))
    found = "\n".join(conventions.faults(replace(SAMPLE, exercises=(AVERAGE, task))))
    assert "the task of sample-w2 has more than 40 words" in found
    assert "sample-w2 needs runs, a session or cells: give it a number without `w`" in found
    assert "sample-w2 has 1 hints" not in found
    assert "it has 1 exercises: 2 to 4 are wanted" in found


def test_checks_of_the_sample_survive_any_value(work):
    from tests.course.test_exercises import STRANGE, Everything

    exercises.load(SAMPLE.folders[0])
    for one in SAMPLE.exercises:
        assert exercises.check(one.id, {}, work).verdict.status == "not yet"
        for strange in STRANGE:
            found = exercises.check(one.id, Everything(strange), work).verdict
            assert found.status in ("not yet", "wrong"), (strange, found.words)
