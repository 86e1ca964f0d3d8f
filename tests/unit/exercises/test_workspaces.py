"""A workspace: its owner, what is removed from it, and where it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mwtutor import find_runs
from mwtutor.exceptions import BadInput
from mwtutor.exercises import workspace
from mwtutor.exercises.workspaces import MARK
from tests.support.machines.disks import make_read_only, small_disk
from tests.support.machines.users import as_user, open_to_all
from tests.support.runs.directories import a_run, dead, supervised_by
from tests.unit.run.record.test_life import supervisor


def test_it_is_made_beside_the_notebook_and_worked_in(work):
    path = workspace("lesson-03")
    assert path == work / "lesson-03" == Path.cwd()
    assert sorted(os.listdir(path)) == [".gitignore", MARK]


def test_it_is_empty_each_time_and_is_never_nested(work):
    for name in ("lesson-01", "lesson-01", "lesson-02", "lesson-01"):
        path = workspace(name)
        assert path == work / name
        assert sorted(os.listdir(path)) == [".gitignore", MARK]
        (path / "main.py").write_text("1")
        (path / "saved" / "deep").mkdir(parents=True)
        (path / "link").symlink_to(work)
    assert sorted(os.listdir(work / "lesson-02")) == [
        ".gitignore",
        MARK,
        "link",
        "main.py",
        "saved",
    ]
    assert (work / "lesson-01").is_dir()


def test_it_is_beside_another_when_the_process_began_in_that(work, monkeypatch):
    inside = workspace("lesson-01")
    code = "import mwtutor.exercises as e; print(e.workspace('lesson-02'))"
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=inside, env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.strip() == str(work / "lesson-02"), done.stderr


def test_what_was_imported_from_it_is_forgotten(work):
    (workspace("lesson-01") / "of_a_lesson.py").write_text("lesson = 1")
    sys.path.insert(0, "")
    try:
        import of_a_lesson  # type: ignore[import-not-found]

        assert of_a_lesson.lesson == 1
        (workspace("lesson-02") / "of_a_lesson.py").write_text("lesson = 2")
        import of_a_lesson  # type: ignore[import-not-found]

        assert of_a_lesson.lesson == 2
    finally:
        sys.path.remove("")
        sys.modules.pop("of_a_lesson", None)


@pytest.mark.parametrize(
    "name", ["../x", "a/b", "/tmp/x", "", ".", "..", ".hidden", "a b", "x" * 101, "a\0b", "ä/"]
)
def test_a_name_with_a_path_in_it_is_refused(work, name):
    with pytest.raises(BadInput, match="is not the name of a workspace"):
        workspace(name)
    assert os.listdir(work) == []


@pytest.mark.parametrize("name", [None, 7, b"x"])
def test_a_name_that_is_no_text_is_refused(work, name):
    with pytest.raises(BadInput):
        workspace(name)


def test_what_is_not_ours_is_left_alone(work):
    foreign = work / "lesson-01"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("years")
    (work / "lesson-02").write_text("a file")
    (work / "lesson-03").symlink_to(foreign)
    (work / "lesson-04").mkdir()
    (work / "lesson-04" / MARK).symlink_to(foreign / "thesis.tex")
    (work / "lesson-05").mkdir()
    (work / "lesson-05" / MARK).write_text("not what we write")
    for number, said in enumerate(
        ["did not create", "is a file", "is a link", "did not create", "did not create"], 1
    ):
        with pytest.raises(BadInput, match=said) as error:
            workspace(f"lesson-0{number}")
        assert "\n" in str(error.value)
    assert (foreign / "thesis.tex").read_text() == "years"
    assert Path.cwd() == work


def test_an_empty_folder_is_taken(work):
    (work / "lesson-01").mkdir()
    assert (workspace("lesson-01") / MARK).exists()


def test_a_disk_that_cannot_be_written_is_said(work):
    with small_disk(work / "disk", 20) as disk:
        make_read_only(disk)
        with pytest.raises(BadInput) as error:
            workspace("lesson-01", disk)
    assert "The workspace lesson-01 cannot be created in" in error.value.problem
    assert "Read-only file system" in error.value.problem
    assert "where you can write" in error.value.remedy
    assert Path.cwd() == work


def test_a_directory_in_which_nothing_may_be_made_is_said(work):
    open_to_all(work)
    closed = work / "closed"
    closed.mkdir()

    def make() -> None:
        closed.chmod(0o555) if os.getuid() == closed.stat().st_uid else None
        try:
            workspace("lesson-01", closed)
        except BadInput as error:
            print(error)

    done = as_user(make)
    assert "cannot be created in" in done.stdout, done.stderr
    assert "Permission denied" in done.stdout
    assert os.listdir(closed) == []


def test_runs_that_have_ended_go_with_it(work):
    workspace("lesson-01")
    spec = a_run()
    supervised_by(spec, *dead())  # the run ended without a record
    assert [run.name for run in find_runs.runs()] == ["main"]
    workspace("lesson-01")
    assert find_runs.runs() == []


def test_a_run_of_another_process_is_not_ended_and_its_folder_is_left(work):
    path = workspace("lesson-01")
    (path / "main.py").write_text("1")
    spec = a_run()
    with supervisor(spec) as process:
        with pytest.raises(BadInput) as error:
            workspace("lesson-01")
        assert f"main is running in lesson-01: process {os.getpid()}" in error.value.problem
        assert "mwtutor stop main" in error.value.remedy
        assert (path / "main.py").exists()
        assert process.poll() is None
        process.kill()
    workspace("lesson-01")
    assert not (path / "main.py").exists()
