"""Exercises that are whole programs: opened, timed, judged, and kept."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import pytest

from mwtutor import exercises as api
from mwtutor.display.exercises import OpenedView, ProgressView, VerdictView
from mwtutor.exceptions import BadInput
from mwtutor.exercises import Exercise, Record, right, wrong
from mwtutor.exercises.catalogue import Own
from mwtutor.exercises.notebooks import cells_of
from mwtutor.exercises.records import EXERCISES
from mwtutor.singletons import singleton


def judge(work):
    """The work is right once the program says so."""
    return right("It is.") if "right" in (work.folder / "broken.py").read_text() else wrong("No.")


@pytest.fixture
def program(work) -> Exercise:
    one = Exercise(
        "mine-1", "It hangs", "Nothing happens.", "%%writefile broken.py\nstuck = 1\n", judge,
        ("Look.",), "%%writefile broken.py\nright = 1\n", "Because.", (), launch="2 broken.py",
    )  # fmt: skip
    singleton(Own)[one.id] = one
    return one


def test_opening_writes_the_program_and_says_what_to_do(program, work):
    opened = api.open_exercise("mine-1")
    assert (work / "broken.py").read_text() == "stuck = 1\n"
    view = OpenedView(opened)
    for shown in (repr(view), view._repr_markdown_()):
        for part in ("Nothing happens.", "%mw_launch 2 broken.py", "%mw_check mine-1"):
            assert part in shown
    assert "right" not in repr(view)


def test_opening_again_keeps_the_repair_and_the_clock(program, work):
    api.open_exercise("mine-1")
    begun = EXERCISES.all()["mine-1"].opened
    (work / "broken.py").write_text("half = 1\n")
    again = api.open_exercise("mine-1")
    assert not again.is_new
    assert (work / "broken.py").read_text() == "half = 1\n"
    assert EXERCISES.all()["mine-1"].opened == begun
    assert api.open_exercise("mine-1", new=True).is_new
    assert (work / "broken.py").read_text() == "stuck = 1\n"
    assert EXERCISES.all()["mine-1"].opened > begun


def test_the_time_to_the_first_repair_is_kept(program, work):
    api.open_exercise("mine-1")
    EXERCISES.note("mine-1", lambda known: replace(known, opened=known.opened - 75))
    assert "Time since" not in repr(VerdictView(api.check("mine-1", {})))
    (work / "broken.py").write_text("right = 1\n")
    assert "Time since %mw_open: 1 min 1" in repr(VerdictView(api.check("mine-1", {})))
    first = EXERCISES.all()["mine-1"].seconds
    api.check("mine-1", {})
    assert EXERCISES.all()["mine-1"].seconds == first
    view = ProgressView(api.progress("mine"), api.score("mine"))
    assert re.search(r"time\nmine-1 .* 1 min 1\d s\n1 of 1 exercises", repr(view))
    (work / "broken.py").unlink()
    api.open_exercise("mine-1")
    assert EXERCISES.all()["mine-1"].seconds == first, "a new copy does not start it again"


def test_records_of_before_stay_readable(program, work):
    api.open_exercise("mine-1")
    file = work / ".mwtutor" / "progress.json"
    file.write_text('{"mine-1": {"solved": true, "attempts": 1, "hints": 0, "solution": false}}')
    assert EXERCISES.all() == {"mine-1": Record(solved=True, attempts=1)}


def test_a_program_needs_no_notebook_to_be_run(program, work):
    cells = cells_of("mine-1")
    assert [cell.source for cell in cells.run] == ["%mw_launch 2 broken.py --wait"]
    api.open_exercise("mine-1")
    executed: list[str] = []
    api.bring_up("mine-1", (), lambda cell: executed.append(cell), lambda line: None)
    assert executed == ["%mw_launch 2 broken.py --wait"]


def test_a_cell_of_a_notebook_cannot_be_opened(work):
    with pytest.raises(BadInput) as error:
        api.open_exercise("07-3")
    assert error.value.remedy == "Open 07b_scope_and_loop.ipynb."


def test_a_folder_that_cannot_be_written_is_named(program, work):
    (work / "broken.py").mkdir()
    with pytest.raises(BadInput, match=r"broken\.py cannot be read or written: Is a directory"):
        api.open_exercise("mine-1", new=True)


FACTS = """
from mwtutor import facts
facts.own_number(), facts.note("seen", facts.rows(3))
print(facts.TASK)
"""


def noted(work, run: str, index: int) -> str:
    config = f'{{"task": {{"type": "worker", "index": {index}}}}}'
    env = {"MWTUTOR_RUN": run, "TF_CONFIG": config, "PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-c", FACTS]
    done = subprocess.run(command, env=env, cwd=work, capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f"worker:{index}\n")
    return re.search(r"seen (.*)", done.stdout)[1]


def test_the_common_numbers_of_a_run_are_those_of_all_its_tasks_and_of_no_other_run(work):
    first, second = noted(work, "a", 0), noted(work, "a", 1)
    assert first == second != noted(work, "b", 0)
    assert len(list(work.glob(".facts-*.json"))) == 3
