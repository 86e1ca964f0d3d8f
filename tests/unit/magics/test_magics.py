"""The magics in a real IPython shell without a kernel: registered, completed and expanded."""

from __future__ import annotations

import atexit
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from mwtutor import notices
from mwtutor.display import starting
from mwtutor.magics import names
from mwtutor.magics.announce import Announcer
from mwtutor.magics.notebook import NotebookFace
from mwtutor.run.record.events import RunEnded
from mwtutor.run.run import Run
from tests.support.runs.directories import a_run, dead, supervised_by


@pytest.fixture
def shell(work, monkeypatch):
    """IPython as in a terminal, with mwtutor's magics and without a history."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # a shell replaces it
    quiet = {"HistoryManager": {"enabled": False}, "IPCompleter": {"use_jedi": False}}
    made = InteractiveShell(config=Config(quiet))
    names.register(made)
    yield made
    atexit.unregister(made.atexit_operations)
    made.atexit_operations()


def test_every_magic_is_known_and_has_help(shell):
    known = shell.magics_manager.magics
    for verb in (*names.LINE_MAGICS, *names.SESSION_MAGICS, *names.COURSE_MAGICS):
        assert known["line"][f"mw_{verb}"].__doc__.startswith(f"usage: %mw_{verb}")
    for verb in names.CELL_MAGICS:
        assert known["cell"][verb].__doc__.startswith(f"usage: %%{verb}")


def test_a_line_is_completed_by_us_and_other_lines_are_not(shell):
    _, found = shell.complete(None, "%mw_launch --work", 17)
    assert found == []  # the number of workers is not an option
    _, found = shell.complete(None, "%mw_launch --chi", 16)
    assert found == ["--chief"]
    shell.user_ns["garden"] = 1
    assert "garden" in shell.complete(None, "1 + gard", 8)[1]


def test_a_variable_is_filled_in_and_the_fields_of_the_tasks_are_not(shell, capsys):
    shell.run_cell("name = 'missing'\nindex = 'not this'")
    shell.run_cell("%mw_launch 2 {name}.py --args-per-task '--index {index}'")
    said = capsys.readouterr().out
    assert "missing.py" in said
    assert "{name}" not in said
    assert "not this" not in said


def test_a_lesson_begins_with_the_program_of_another(shell, work, capsys):
    shell.starting_dir = str(work)
    shell.run_line_magic("mw_workspace", "lesson-05 --from lesson-03")
    said = capsys.readouterr().out
    assert said.startswith("Working in lesson-05.\ntrainer.py is not in the folder lesson-03, so")
    program = work / "lesson-05" / "trainer.py"
    program.write_text("# mine\n")
    shell.run_cell("%mw_workspace lesson-05 --from lesson-3")
    assert "Use one of lesson-03, lesson-05" in "".join(capsys.readouterr())
    assert program.read_text() == "# mine\n"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("%mw_lauch 2 main.py", "%mw_launch"),
        ("%%mw_scop\n1", "%%mw_scope"),
        ("%mw_stauts", "%mw_status"),
    ],
)
def test_a_misspelled_magic_is_told_which_is_meant(shell, capsys, typed, meant):
    shell.run_cell(typed)
    assert capsys.readouterr().err.rstrip().endswith(f"Did you mean {meant}?")
    shell.run_cell("1 / 0")
    shell.run_cell("%tensorbord")
    shell.run_cell("class Unspeakable(Exception):\n    __str__ = None\nraise Unspeakable")
    said = "".join(capsys.readouterr())
    assert "Did you mean" not in said
    assert "Error in callback" not in said


def test_a_background_failure_is_told_once_at_the_next_cell(shell, capsys):
    announcer = Announcer(shell)
    spec = a_run()
    run = Run.open(spec.path)
    announcer.watch(run)
    shell.run_cell("1")
    assert announcer.going() == ["main"]
    assert "main" not in capsys.readouterr().out
    supervised_by(spec, *dead(), RunEnded("failed", "no luck"))
    shell.run_cell("%mw_status main\n")
    assert "More: %mw_status main" not in capsys.readouterr().out, "the cell shows it itself"
    shell.run_cell("2")
    assert "main failed: no luck. More: %mw_status main" in capsys.readouterr().out
    shell.run_cell("3")
    assert "no luck" not in capsys.readouterr().out
    assert announcer.going() == []


def test_what_was_shown_is_not_told_again(shell, capsys):
    announcer = Announcer(shell)
    spec = a_run()
    supervised_by(spec, *dead(), RunEnded("failed", "no luck"))
    run = Run.open(spec.path)
    announcer.watch(run)
    announcer.mark_seen(run)
    shell.run_cell("1")
    assert "no luck" not in capsys.readouterr().out


def test_a_start_is_announced_once_in_a_terminal(shell, capsys, monkeypatch):
    monkeypatch.setattr(starting, "_AGAIN", 0.0)
    with NotebookFace(shell).starting():
        for _ in range(2):
            notices.waiting(notices.IMPORTING)
    assert capsys.readouterr().out == "Starting: importing TensorFlow ...\n"


def test_an_opened_cluster_is_a_cell_that_writes_it(shell, work):
    shell.run_cell("%mw_open 22-01")
    written = (work / "broken_01.py").read_text()
    assert shell.rl_next_input == f"%%writefile broken_01.py\n{written}"
    shell.run_cell(shell.rl_next_input)
    assert (work / "broken_01.py").read_text() == written
