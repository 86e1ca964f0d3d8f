"""Completions in the lines of commands."""

from __future__ import annotations

import pytest

from mwtutor import singletons
from mwtutor.commands.completion import candidates, following
from mwtutor.exercises.catalogue import all_lessons
from mwtutor.exercises.left_files import workspaces_with_files
from mwtutor.run.record.eventlog import EventWriter
from mwtutor.run.record.events import RunEnded
from mwtutor.run.record.spec import RunSpec
from tests.support.runs.directories import a_run


def found(line: str) -> list[str] | None:
    """The completions at the end of a cell's only line."""
    given = candidates(line, 0, len(line))
    return None if given is None else list(given.found)


@pytest.fixture
def run(tmp_path, monkeypatch) -> RunSpec:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(singletons, "current", singletons.Singletons())
    return a_run()


@pytest.fixture
def files(tmp_path, monkeypatch):
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "__pycache__").mkdir()
    for name in ("main.py", "mine.py", ".hidden.py", "notes.txt", "src/train.py"):
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)


def test_options_are_those_of_the_parser_that_are_not_given_yet():
    assert {"--wait", "--ps", "--keras", "--name"} <= set(found("%mw_launch 2 main.py --"))
    assert found("%mw_launch 2 main.py --ke") == ["--keras"]
    assert "--wait" not in found("%mw_launch 2 main.py --wait --")
    assert "--env" in found("%mw_launch 2 main.py --env A=B --"), "it may be repeated"
    assert "--evaluator" not in found("%mw_start 2 --"), "a session has no such thing, and says why"
    assert found("%mw_start 2 --ne") == ["--network", "--new"]
    assert found("%%mw --ta") == ["--task"]


def test_what_an_option_takes_follows_it():
    assert found("%mw_launch 2 main.py --keras ") == ["auto", "2", "3"]
    assert found("%mw_launch 2 main.py --network p") == ["private"]
    assert found("%mw_launch 2 main.py --ps ") == [], "a number"
    assert found("%mw_kill worker:1 --signal S") == ["SEGV", "STOP"]
    given = following("launch", "2 main.py --comm=r")
    assert (given.typed, given.found) == ("r", ("ring",))


def test_programs_are_python_files_and_where_they_may_be(files):
    assert found("%mw_launch 2 ") == ["main.py", "mine.py", "src/"]
    assert found("%mw_launch 2 ma") == ["main.py"]
    assert found("%mw_launch --chief 2 src/") == ["src/train.py", "src/deep/"]
    assert found("%mw_launch 2 .h") == [".hidden.py"]
    assert found("%mw_launch 2 nowhere/") == []
    assert "mine.py" not in found("%mw_launch 2 main.py "), "there is one"
    assert "mine.py" not in found("%mw_launch 2 -m pkg.train "), "a module stands for it"


def test_a_programs_own_arguments_are_its_own_business(files):
    assert found("%mw_launch 2 main.py -- --ep") is None
    assert found("%mw_launch 2 main.py --env 'A=B C") is None, "a quote is open"


def test_runs_are_named_the_live_ones_where_they_are_meant(run):
    over = a_run()
    log = EventWriter(over.events)
    log.append(RunEnded("succeeded", "", t=1.0))
    log.close()
    (over.path / "run.json").write_text(
        (over.path / "run.json").read_text().replace('"main"', '"over"')
    )
    assert found("%mw_status ") == ["over", "main"]
    assert found("%mw_logs worker:0 --name m") == ["main"]
    assert found("%mw_wait ") == ["main"], "the other has ended"
    assert found("%mw_launch 2 main.py --name ov") == ["over"]
    assert found("%mw_tensorboard main ov") == ["over"]


def test_tasks_are_those_of_the_run_that_is_meant(run):
    assert found("%mw_logs ") == ["worker:0", "worker:1", "main"]
    assert found("%mw_logs main ") == ["worker:0", "worker:1"], "in either order"
    assert found("%mw_logs worker:1 ") == ["main"]
    assert found("%mw_kill --name main worker:1") == ["worker:1"]
    assert found("%mw_kill --name nosuch w") == []


def test_each_candidate_has_a_kind(run):
    assert following("logs", "").kinds == ("task", "task", "name")
    assert following("logs", "--gr").kinds == ("option",)
    assert following("launch", "2 main.py --keras ").kinds == ("value",) * 3


def test_without_a_session_nothing_of_it_is_offered(run):
    assert found("%%mw --task ") == []
    assert found("%mw_restart --name ") == []
    assert candidates("%%mw\nx = ra", 1, 6) is None, "that is for the notebook to complete"


def test_exercises_and_lessons():
    ids = [one.id for lesson in all_lessons().values() for one in lesson]
    assert ids
    assert found("%mw_check ") == found("%mw_hint ") == found("%mw_solution ") == ids
    assert found(f"%mw_check {ids[0][:2]}")[0] == ids[0]
    assert found("%mw_progress ")[0] == ids[0][:2]
    assert f"lesson-{ids[0][:2]}" in found("%mw_workspace ")
    assert found("%mw_workspace lesson-05 --from lesson-0") == workspaces_with_files()[:5]


@pytest.mark.parametrize(
    "line",
    [
        "x = 1",
        "%time x",
        "%mw_nosuch ",
        "%mw_launch",
        "print('%mw_launch 2 ",
        "%mw_push ",
        "%mw_export ",
    ],
)
def test_everything_else_is_for_others_to_complete(line):
    assert not found(line)


def test_the_line_may_stand_anywhere_in_a_cell():
    code = "import mwtutor\n%mw_launch 2 x.py --ke\n1 + 1"
    assert candidates(code, 1, 22).found == ("--keras",)
    assert candidates(code, 2, 5) is None
