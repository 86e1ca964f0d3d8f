"""Where runs are stored."""

from __future__ import annotations

import os
import threading
import time

import pytest

from mwtutor import find_runs, launcher
from mwtutor.exceptions import BadInput, message_of
from mwtutor.run.record.eventlog import EventWriter
from mwtutor.run.record.events import RunEnded
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.store import KEPT, Store
from mwtutor.run.run import Run
from mwtutor.singletons import singleton
from tests.support.machines.disks import PAGE, fill, small_disk
from tests.support.runs.directories import a_run


def test_the_store_makes_private_directories_that_git_ignores(tmp_path):
    store = Store(tmp_path)
    first, second = store.new("main"), store.new("main")
    assert first != second
    assert first.stat().st_mode & 0o077 == 0
    assert (tmp_path / ".mwtutor" / ".gitignore").read_text() == "*\n"
    assert list(store.directories()) == [], "without a run.json it is not a run"
    (second / "run.json").write_text("{}")
    assert list(store.directories()) == [second]


def test_a_name_is_claimed_by_one_at_a_time(tmp_path):
    seen: list[str] = []

    def claim(words: str) -> None:
        with Store(tmp_path).claim("main"):
            seen.append(words)

    waiting = threading.Thread(target=claim, args=["second"])
    with Store(tmp_path).claim("main"):
        waiting.start()
        with Store(tmp_path).claim("other"):
            time.sleep(0.1)
        seen.append("first")
    waiting.join()
    assert seen == ["first", "second"]


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(BadInput, match="cannot be written"):
        Store(tmp_path).new("main")


def test_a_file_in_the_way_of_the_store_is_refused(tmp_path):
    (tmp_path / ".mwtutor").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        Store(tmp_path).new("main")


def test_the_runs_of_another_version_are_left_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = Store()
    kept = [store.new("old") for _ in range(KEPT + 2)]
    for directory in kept:
        (directory / "run.json").write_text('{"format": "unknown"}')
    launcher._prune(store)
    assert not {run.directory for run in find_runs.runs(store)} & set(kept)
    assert all(directory.is_dir() for directory in kept)


@pytest.mark.parametrize("free", range(4))
def test_on_a_full_disk_a_run_is_refused_and_nothing_is_left_of_it(tmp_path, write, free):
    program = write("main.py", "")
    with small_disk(tmp_path / "disk", 20, inodes=100) as disk:
        os.chdir(disk)
        fill(disk, leave=free)
        # More data than fits, however much space is free.
        args = ["x" * PAGE * free]
        with pytest.raises(BadInput, match="cannot be written: No space left") as refused:
            launcher.launch(str(program), 1, args, cold=True)
        assert "runs --clean" in refused.value.remedy
        assert os.listdir(".mwtutor/runs") == []
        ignore = disk / ".mwtutor/.gitignore"
        assert not ignore.exists() or ignore.read_text() == "*\n"


@pytest.mark.parametrize("inodes", range(3, 9))
def test_where_no_more_files_can_be_a_run_is_refused(tmp_path, write, inodes):
    program = write("main.py", "")
    with small_disk(tmp_path / "disk", 20, inodes=inodes) as disk:
        os.chdir(disk)
        with pytest.raises(BadInput, match="cannot be written: No space left"):
            launcher.launch(str(program), 1, cold=True)
        assert list(disk.glob(".mwtutor/runs/*")) == []


def test_what_a_launch_has_left_that_died_is_cleaned(work):
    store = Store()
    left, fresh = store.new("main"), store.new("main")
    os.utime(left, (1e9, 1e9))
    assert launcher.clean() == 0
    assert not left.exists()
    assert fresh.exists(), "it may be in the making"


def test_what_cannot_be_removed_is_said_to_be_so_and_why(work):
    spec = a_run()
    end(spec, at=1000.0)
    with small_disk(spec.path / "logs" / "disk", 8), pytest.raises(BadInput, match="busy"):
        launcher.clean()


def test_what_ended_last_is_kept_however_early_it_began(work):
    spec = a_run()
    for _ in range(KEPT + 1):
        end(a_run(), at=1000.0)
    end(spec, at=2000.0)
    launcher._prune(Store())
    assert spec.path.exists()
    assert len(list(Store().directories())) == KEPT - 1


def test_a_run_of_ours_is_kept_until_somebody_has_seen_its_end(work):
    run = Run(a_run(), launched=True)
    singleton(find_runs.Runs).append(run)
    end(run.spec, at=1000.0)
    for _ in range(KEPT + 1):
        end(a_run(), at=2000.0)
    assert not run.goes_on, "who only counts the runs tells nobody"
    launcher._prune(Store())
    assert run.directory.exists()
    assert run.outcome.ok
    launcher._prune(Store())
    assert not run.directory.exists()
    assert run.outcome.ok


def test_an_owner_whose_run_is_cleaned_away_knows_how_it_ended(work):
    spec = a_run()
    EventWriter(spec.events).close()
    run = Run(spec, launched=True)
    singleton(find_runs.Runs).append(run)
    end(spec, at=1000.0)
    Store.remove(spec.path)
    assert find_runs.find("main") is run
    assert run.outcome.ok
    assert not find_runs.runs(), "said once, it is gone"


def end(spec: RunSpec, at: float) -> None:
    """Write the end as a supervisor does, at a given time."""
    writer = EventWriter(spec.events)
    writer.append(RunEnded("succeeded", "", t=at))
    writer.close()
    os.utime(spec.events, (at, at))


def test_an_error_that_lost_its_words_when_it_got_a_file_still_says_them():
    error = OSError("Cannot call rmtree on a symbolic link")
    error.filename = "runs/1"
    assert message_of(error) == "OSError: Cannot call rmtree on a symbolic link"
