"""The runs of a tree of directories as data, and what is reported about unreadable ones."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mwtutor import overview
from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.overview import Overview
from mwtutor.run.record import life, ownership
from mwtutor.run.record.events import RunEnded
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.store import Store
from mwtutor.system.pidspace import PidSpace
from tests.support.machines.users import as_user, open_to_all
from tests.support.runs.directories import a_run, dead, supervised_by


def tree(root: Path) -> dict[str, tuple[int, int, int]]:
    """The size, time and mode of every file."""
    found = {path: path.lstat() for path in sorted(root.rglob("*"))}
    return {
        str(path): (seen.st_size, seen.st_mtime_ns, seen.st_mode) for path, seen in found.items()
    }


def ended(spec: RunSpec, status: str = "failed", reason: str = "worker:1 raised KeyError") -> None:
    supervised_by(spec, *dead(), RunEnded(status, reason))


@pytest.fixture
def below(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, one below the root."""
    inner = work / "lesson"
    inner.mkdir()
    monkeypatch.chdir(inner)
    return inner


def only(content: dict) -> dict:
    """The only run, in JSON."""
    ((run,),) = (folder["runs"] for folder in json.loads(json.dumps(content))["folders"])
    return run


def test_a_run_is_listed_with_its_folder_its_state_and_its_tasks(work, below):
    ended(a_run())
    shown = Overview(work).look()
    assert [folder["name"] for folder in shown["folders"]] == ["/lesson"]
    run = only(shown)
    assert (run["name"], run["kind"], run["state"], run["meaning"]) == (
        "main", "run", "failed", "bad",
    )  # fmt: skip
    assert run["ended"]
    assert not run["stoppable"]
    assert run["problem"] == "worker:1 raised KeyError."
    assert [task["name"] for task in run["tasks"]] == ["worker:0"]
    assert run["program"] == "main.py"
    assert run["facts"][:2] == ["2 workers", "main.py"]


def test_looking_changes_nothing_even_if_a_run_is_lost(work, below):
    supervised_by(a_run(), *dead())
    before = tree(work)
    seen = Overview(work)
    assert only(seen.look())["state"] == "lost"
    assert only(seen.look())["state"] == "lost"
    seen.log(only(seen.look())["key"])
    assert tree(work) == before


def test_what_is_running_comes_first_and_then_what_is_new(work, below):
    first, second, third = a_run(), a_run(), a_run()
    for spec in (second, third):
        ended(spec)
    (work / "other").mkdir()
    os.chdir(work / "other")
    ended(a_run())
    folders = Overview(work).look()["folders"]
    assert [folder["name"] for folder in folders] == ["/lesson", "/other"]
    keys = [overview._key(spec.path) for spec in (first, third, second)]
    assert [run["key"] for run in folders[0]["runs"]] == keys


def test_a_run_that_ended_is_not_read_again(work, below, monkeypatch):
    ended(a_run())
    seen = Overview(work)
    first = seen.look()
    monkeypatch.setattr(overview, "report", lambda *given: pytest.fail("it made a report"))
    assert seen.look() == first


def test_a_log_is_read_by_key_for_all_tasks_or_one(work, below):
    spec = a_run()
    ended(spec)
    spec.log(TaskId("worker", 0)).write_text("step 1\n\x1b[31mstep 2\x1b[0m\n")
    seen = Overview(work)
    key = only(seen.look())["key"]
    log = seen.log(key)
    assert (log["name"], log["state"], log["tasks"]) == ("main", "failed", ["worker:0"])
    assert log["lines"] == ["worker:0 | step 1", "worker:0 | step 2"]
    assert seen.log(key, "worker:0") == log
    assert Overview(work).log(key) == log  # by a server that has just been started
    with pytest.raises(BadInput, match="worker:7"):
        seen.log(key, "worker:7")


def test_a_key_that_names_no_run_reads_and_stops_nothing(work, below):
    ended(a_run())
    seen = Overview(work)
    seen.look()
    for ask in (seen.log, seen.stop):
        with pytest.raises(NoRun, match="no longer exists"):
            ask("../../etc/passwd")


def test_a_run_that_has_ended_is_not_stopped_again(work, below):
    ended(a_run())
    seen = Overview(work)
    assert seen.stop(only(seen.look())["key"]) == "main has already ended."


# -- bad input ----------------------------------------------------------------------------------


def notes(root: Path) -> list[str]:
    content = Overview(root).look()
    assert not [run for folder in content["folders"] for run in folder["runs"]]
    return [note for folder in content["folders"] for note in folder["notes"]] + content["notes"]


def test_a_folder_without_runs_says_how_to_start_one(work):
    (said,) = notes(work)
    assert said == "There are no runs here yet. Start one in a notebook: %mw_launch 2 main.py"
    assert os.listdir(work) == []


def test_a_root_that_has_been_removed_has_no_runs(work):
    assert notes(work / "gone") == notes(work)


def test_a_damaged_run_is_one_sentence(work, below):
    spec = a_run()
    spec.file.write_text("{")
    (said,) = notes(work)
    assert re.fullmatch(r"The run.json in \S+-main is damaged, or was written by .*\.", said)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\x00" * 99, b'{"event": 1}\n[]\nnull\n'])
def test_a_run_with_a_damaged_log_is_listed(work, below, content):
    spec = a_run()
    ended(spec)
    spec.events.write_bytes(content)
    run = only(Overview(work).look())
    assert (run["name"], run["tasks"]) == ("main", [])


def test_a_run_that_is_being_removed_is_left_out(work, below, monkeypatch):
    spec = a_run()
    ended(spec)
    seen = Overview(work)
    directories = list(Store(below).directories())
    monkeypatch.setattr(Store, "directories", lambda store: directories)
    shutil.rmtree(spec.path)
    assert seen.look()["folders"] == []


@pytest.mark.parametrize("name", [".mwtutor", ".mwtutor/runs"])
@pytest.mark.parametrize("kind", ["a file", "a link"])
def test_what_is_not_a_folder_is_one_sentence(work, below, name, kind):
    place = below / name
    place.parent.mkdir(exist_ok=True)
    place.write_text("") if kind == "a file" else place.symlink_to(work)
    (said,) = notes(work)
    assert re.fullmatch(r"The runs in /\S+/\.mwtutor cannot be read: .*\.", said)


def test_a_run_of_another_user_is_read_only(work, below, monkeypatch):
    monkeypatch.setattr(
        ownership, "why_foreign", lambda spec: "its directory belongs to another user"
    )
    supervised_by(a_run(), *dead())
    run = only(Overview(work).look())
    assert (run["state"], run["stoppable"], run["ended"]) == ("foreign", False, False)
    assert run["problem"].startswith("It is read-only, because its directory belongs to another")


def test_a_run_of_another_machine_cannot_be_stopped_from_here(work, below, monkeypatch):
    monkeypatch.setattr(life, "is_local", lambda path: False)  # both machines mount it
    spec = replace(a_run(), space=PidSpace("another boot", "another namespace", "gpu-2"))
    spec.save()
    supervised_by(spec, *dead())
    run = only(Overview(work).look())
    assert (run["state"], run["stoppable"]) == ("unknown", False)
    assert "cannot be determined from here" in run["problem"]


def test_more_folders_and_runs_than_are_looked_at(work, below, monkeypatch):
    monkeypatch.setattr(overview, "MOST", 2)
    monkeypatch.setattr(overview, "MOST_RUNS", 2)
    specs = [a_run() for _ in range(3)]
    for spec in specs:
        ended(spec)
    (below / "deep").mkdir()
    content = Overview(work).look()
    shown = [run["key"] for run in content["folders"][0]["runs"]]
    assert shown == [overview._key(spec.path) for spec in specs[:0:-1]]
    assert content["notes"] == [
        "Only 2 folders were searched for runs.",
        "Only the newest 2 of 3 runs are listed.",
    ]


def test_what_is_named_is_looked_at_in_a_large_tree(work, below, monkeypatch):
    monkeypatch.setattr(overview, "MOST", 1)
    ended(a_run())
    assert Overview(work).look()["folders"] == []
    assert only(Overview(work).look([below]))["name"] == "main"


@pytest.mark.parametrize("name", [".hidden", "node_modules", "env/lib"])
def test_folders_that_may_be_large_and_have_no_runs_are_not_searched(work, name, monkeypatch):
    inner = work / name
    inner.mkdir(parents=True)
    (inner.parent / "pyvenv.cfg").touch() if "env" in name else None
    monkeypatch.chdir(inner)
    ended(a_run())
    assert Overview(work).look()["folders"] == []


def test_runs_that_this_user_may_not_read_are_mentioned(work, below):
    ended(a_run())
    open_to_all(work)
    (below / ".mwtutor" / "runs").chmod(0o700)

    def look() -> int:
        print(*notes(work), sep="\n")
        return 0

    done = as_user(look)
    assert done.code == 0, done.stderr
    assert done.stdout == "This folder has runs that you may not read.\n"
