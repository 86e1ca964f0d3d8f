"""Whether results come from the exercise's current code, judged by the executed cells."""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import replace
from types import SimpleNamespace

import pytest

from mwtutor import exercises
from mwtutor.executed import Executed
from mwtutor.exercises import Exercise, not_yet, right, wrong
from mwtutor.exercises.sources import read
from mwtutor.run.record.events import RunEnded
from tests.support.runs.directories import a_run, dead, supervised_by
from tests.support.runs.noted_notebook import Notebook

OLD = "These results come from an earlier version of"
RUN_IT = "Run the cells between your code and this check, or `%mw_check --run mine-1`."


def _result(work):
    found = work.value("result")
    return not_yet() if found is None else right("4.") if found == 4 else wrong(f"It is {found}.")


def _ran(work):
    run = work.run("main")
    return not_yet() if run is None else right("It ran.")


EXERCISE = Exercise(
    "mine-1", "Double", "Write `double`.", "double = None\n", _result, ("Add.", "Multiply."),
    "def double(x):\n    return 2 * x\n", "Twice.", (),
)  # fmt: skip

RUN = "shown = double(2)\nresult = shown\n"
RIGHT, WRONG = "def double(x):\n    return 2 * x\n", "def double(x):\n    return 3 * x\n"


@pytest.fixture
def notebook(work):
    return Notebook(work, EXERCISE, RUN)


def test_results_of_the_present_code_are_judged(notebook):
    for code, verdict in ((WRONG, ("wrong", "It is 6.")), (RIGHT, ("right", "4."))):
        notebook.execute(code)
        notebook.execute(RUN)
        assert notebook.check() == verdict


@pytest.mark.parametrize(("first", "then"), [(RIGHT, WRONG), (WRONG, RIGHT)])
def test_results_of_an_earlier_version_are_not_judged(notebook, first, then):
    notebook.execute(first)
    notebook.execute(RUN)
    notebook.execute(then)
    assert notebook.check() == ("not yet", f"{OLD} your code. {RUN_IT}")


def test_a_cell_executed_again_makes_no_other_code(notebook):
    for source in (RIGHT, RUN, RIGHT, WRONG, RIGHT + "\n"):
        notebook.execute(source)
    assert notebook.check() == ("right", "4.")


def test_results_from_a_cell_before_the_code_are_of_other_code(notebook):
    notebook.execute(RIGHT)
    notebook.execute("shown = result = 4")  # for example, a cell of an earlier section
    notebook.execute(WRONG)
    assert notebook.check()[1].startswith(OLD)


def test_an_untouched_exercise_is_not_said_to_be_an_earlier_version(notebook):
    for source in (RIGHT, RUN):
        notebook.execute(source)
    notebook.variables["result"] = None
    notebook.execute(EXERCISE.stub)
    assert notebook.check() == ("not yet", "")


def test_results_that_another_cell_has_set_are_named(notebook):
    notebook.execute(WRONG)
    notebook.execute("result = 4")
    assert notebook.check() == ("not yet", f"`result` was not set by the lesson's cell. {RUN_IT}")


def test_a_lessons_cell_may_be_changed(notebook):
    notebook.execute(RIGHT)
    notebook.execute("print('mine')\n" + RUN + "print(result)")
    assert notebook.check() == ("right", "4.")
    notebook.execute("result = sum([double(1), double(1)])", place="run-mine-1")
    assert notebook.check() == ("right", "4.")


def test_code_that_does_not_compile_is_not_judged_by_what_stood_there(notebook):
    for source in (RIGHT, RUN, "def double(x)\n    return 2 * x"):
        notebook.execute(source)
    status, words = notebook.check()
    assert status == "wrong"
    assert words == "Your code does not compile: expected ':', line 1: def double(x)"


def test_a_cell_that_has_raised_is_not_right(notebook):
    notebook.execute(RIGHT)
    notebook.execute("1 / 0\n" + RIGHT)
    notebook.execute(RUN)
    status, words = notebook.check()
    assert status == "wrong"
    assert "ended with ZeroDivisionError: division by zero" in words


def test_what_the_run_cell_raised_is_said_of_the_code_that_it_ran(notebook):
    def notes():
        return exercises.check("mine-1", notebook.variables, notebook.work, notebook.executed).notes

    notebook.execute(EXERCISE.stub)
    notebook.execute(RUN)
    assert notes() == ()  # the cell of an untouched exercise may raise
    notebook.execute("def double():\n    return 4\n")
    notebook.execute(RUN)
    (note,) = notes()
    assert note.startswith("The cell run-mine-1 ended with an error: TypeError: double() takes 0")
    notebook.execute(WRONG)
    assert notes() == ()
    notebook.execute(RUN)
    assert notes() == ()


def test_results_that_do_not_depend_on_the_code_need_no_second_run(work):
    notebook = Notebook(work, EXERCISE, "result = 4\n")
    for source in (WRONG, "result = 4\n", RIGHT):
        notebook.execute(source)
    assert notebook.check() == ("right", "4.")


@pytest.mark.parametrize("looks_at", ["text", "file"])
def test_results_that_a_cell_makes_without_a_name_are_of_a_version(work, looks_at):
    """One cell makes the workers execute a string, and one writes a file."""
    result = "text = 'kept = double(2)'\nfile = None\n"
    check = {
        "text": lambda work: right("4.") if work.value("kept") is None else not_yet(),
        "file": lambda work: right("4.") if work.folder.exists() else not_yet(),
    }[looks_at]
    notebook = Notebook(work, replace(EXERCISE, check=check), result)
    for source in (RIGHT, result):
        notebook.execute(source)
    assert notebook.check() == ("right", "4.")
    notebook.execute(WRONG)
    assert notebook.check()[1].startswith(OLD)


def test_a_cell_for_the_workers_that_the_notebook_executed(work):
    on_workers = replace(EXERCISE, stub="%%mw\n" + EXERCISE.stub, check=lambda work: right("4."))
    notebook = Notebook(work, on_workers, RUN)
    notebook.execute(f"%%mw\n{WRONG}", place="exercise-mine-1")
    notebook.execute(RIGHT, place="exercise-mine-1")
    status, words = notebook.check()
    assert (status, words.partition(". ")[2]) == (
        "not yet",
        "Begin it with `%%mw`, and run it again.",
    )
    notebook.execute("double", place="exercise-mine-1")
    assert notebook.check()[0] == "not yet"
    notebook.execute(f"%%mw\n{RIGHT}", place="exercise-mine-1")
    assert notebook.check() == ("right", "4.")


def test_without_a_record_of_cells_a_check_judges_what_there_is(notebook):
    notebook.variables["result"] = 4
    assert notebook.check() == ("right", "4.")


def test_a_notebook_that_is_half_written_is_no_obstacle(notebook):
    (notebook.work / "mine.ipynb").write_text('{"cells": [{"tags": ["exercise-mine-1"], ')
    for source in (RIGHT, RUN):
        notebook.execute(source)
    assert notebook.check() == ("right", "4.")


# -- exercises that write a file -----------------------------------------------------------------

PROGRAM = replace(EXERCISE, stub="%%writefile main.py\npass\n", check=_ran)


@pytest.fixture
def program(work):
    """A file that was written at 100 s, and a run of it that was launched at 200 s."""
    made = Notebook(work, PROGRAM, "%mw_launch 2 main.py")
    replace(a_run(), created=200.0).save()

    def write(text: str, at: float, *, by_cell: bool = True) -> None:
        (work / "main.py").write_text(text)
        os.utime(work / "main.py", (at, at))
        if by_cell:
            made.execute(f"%%writefile main.py\n{text}", at=at)

    made.write = write
    write("print(1)\n", 100.0)
    return made


def test_a_run_of_the_present_file_is_judged(program):
    assert program.check() == ("right", "It ran.")


@pytest.mark.parametrize("by_cell", [True, False])
def test_a_run_of_an_earlier_file_is_not_judged(program, by_cell):
    program.write("print(2)\n", 300.0, by_cell=by_cell)
    assert program.check() == ("not yet", f"{OLD} main.py. {RUN_IT}")


def test_a_file_written_again_is_the_same(program):
    program.write("print(2)\n", 300.0)
    program.write("print(1)\n", 400.0)
    assert program.check() == ("right", "It ran.")


def test_a_file_that_does_not_compile_is_named(program):
    program.write("if True\n    pass\n", 300.0)
    assert program.check() == (
        "wrong",
        "Your code does not compile: expected ':', line 1: if True",
    )


# -- what a run has left --------------------------------------------------------------------------


#: The end of the run below.
ENDED = 1.0


def _read(work):
    """Examines a run, and a file that it writes."""
    if work.run("main") is None:
        return not_yet()
    try:
        return right("4.") if (work.folder / "result").read_text() == "4" else wrong("It is not 4.")
    except OSError:
        return wrong("There is no result.")


@pytest.fixture
def results(work):
    """A program, its ended run, and the files that the run wrote."""
    made = Notebook(work, replace(PROGRAM, check=_read), "%mw_launch 2 main.py")
    text = b"print(1)\n"
    (work / "main.py").write_bytes(text)
    spec = replace(a_run(), created=0.5, digest=hashlib.sha256(text).hexdigest())
    spec.save()
    made.record = spec.events
    supervised_by(spec, *dead(), RunEnded("succeeded", ""))
    (work / "result").write_text("4")
    for path, at in ((made.record, 1.0), (work / "result", 1.0), (work / "main.py", 0.2)):
        os.utime(path, (at, at))
    return made


def edit(path, text, at):
    path.write_text(text)
    os.utime(path, (at, at))


def test_what_a_run_has_left_is_judged(results):
    assert results.check() == ("right", "4.")
    edit(results.work / "result", "5", 1.0)
    assert results.check() == ("wrong", "It is not 4.")


def test_a_program_edited_by_hand_is_another_version_whatever_its_time(results):
    edit(results.work / "main.py", "print(2)\n", 0.2)
    assert results.check() == ("not yet", f"{OLD} main.py. {RUN_IT}")
    edit(results.work / "main.py", "print(1)\n", 300.0)
    assert results.check() == ("right", "4.")


@pytest.mark.parametrize("after", [1.5, 300.0])
def test_a_result_edited_by_hand_is_not_judged(results, after):
    edit(results.work / "result", "4", ENDED + after)
    newer = "result is newer than the run that should have written it: it was edited or copied."
    assert results.check() == ("not yet", f"{newer} {RUN_IT}")


@pytest.mark.parametrize(("name", "after"), [("events.jsonl", 300.0), ("logs/worker-0.log", 1.5)])
def test_a_record_edited_by_hand_is_not_judged(results, name, after):
    edited = results.record.parent / name
    edited.parent.mkdir(exist_ok=True)
    edited.touch()
    os.utime(edited, (ENDED, ENDED))
    assert results.check() == ("right", "4.")
    os.utime(edited, (ENDED + after, ENDED + after))
    newer = "The record of the run main is newer than the run: it was edited or copied."
    assert results.check() == ("not yet", f"{newer} {RUN_IT}")


def test_a_result_that_was_removed_is_named(results):
    (results.work / "result").unlink()
    checked = exercises.check("mine-1", {}, results.work, results.executed)
    assert checked.verdict == wrong("There is no result.")
    gone = "result does not exist: the program did not write it, or it was removed."
    assert checked.notes == (gone,)


def test_a_run_that_was_removed_is_none(results):
    shutil.rmtree(results.record.parent)
    assert results.check() == ("not yet", "")


@pytest.mark.parametrize("text", ["{", '{"version": "99"}'])
def test_a_run_of_another_version_is_named(results, text):
    (results.record.parent / "run.json").write_text(text)
    checked = exercises.check("mine-1", {}, results.work, results.executed)
    assert checked.verdict.status == "not yet"
    (note,) = checked.notes
    assert "is damaged, or was written by another version of mwtutor. Look at the run with" in note


# -- the text of cells ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "place", "assigned"),
    [
        ("a = 1\nb: int = 2\nfor c in []: pass\nimport d\ndef e(): f = 1", "notebook",
         {"a", "b", "c", "e"}),
        ("def f():\n    global g\n    g = 1", "notebook", {"f", "g"}),
        ("%mw_launch 2 main.py\nx = !ls\ny = await z()", "notebook", {"x", "y"}),
        ("%%mw --task worker:0\nx, (y, *z) = 1, (2, 3)", "workers", {"x", "y", "z"}),
        ("%%mw_scope\nwith a as b: c = 1", "workers", {"b", "c"}),
        ("%%time\n%%mw\nx = 1", "workers", {"x"}),
        ("%%mw_needs gpu\nx = 1", "notebook", {"x"}),
        ("%%writefile a/b.py\nx = 1", "file", set()),
        ("%%writefile -a b.py\nx = 1", "elsewhere", set()),
        ("%%bash\nx=1", "elsewhere", set()),
        ("def f(x)\n    return\nwith y:\n    z: int = 1\na, (b) = c", "notebook",
         {"a", "b", "f", "z"}),
        ("", "notebook", set()),
    ],
)  # fmt: skip
def test_what_a_cell_assigns_and_where(source, place, assigned):
    assert read(source).place == place
    assert read(source).assigned == assigned


def test_a_check_in_the_cell_of_the_code_judges_that(notebook):
    """The cell is running while it is checked; the error of the previous one no longer counts."""
    notebook.execute("1 / 0\n" + RIGHT)
    notebook.variables["check"] = notebook.check
    assert notebook.execute(f"{RIGHT}{RUN}found = check()") is None
    assert notebook.variables["found"] == ("right", "4.")


def test_cells_within_cells_and_errors_are_noted():
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError

    def result(info, error=None):
        return SimpleNamespace(info=info, error_before_exec=None, error_in_exec=error)

    executed = Executed()
    outer, inner, blank = (SimpleNamespace(raw_cell=text) for text in ("outer", "inner", " "))
    executed.begin(outer)
    executed.begin(inner)
    executed.end(result(inner, Mute()))
    executed.end(result(outer, ValueError("5")))
    executed.begin(blank)
    executed.end(result(blank))
    executed.end(result(SimpleNamespace(raw_cell="%load_ext mwtutor")))
    assert [(one.source, one.error) for one in executed] == [
        ("outer", "ValueError: 5"), ("inner", "Mute"), ("%load_ext mwtutor", ""),
    ]  # fmt: skip


def test_a_check_reads_each_cell_once_however_many_there_are(notebook):
    for number in range(600):
        notebook.execute(f"unused_{number} = None\n")
    notebook.execute(RIGHT)
    notebook.execute(RUN)
    notebook.check()
    before = read.cache_info().misses
    notebook.check()
    assert read.cache_info().misses == before
