"""Where runs are kept."""

from __future__ import annotations

import os
import threading
import time

import pytest

from mwtutor import launcher
from mwtutor.exceptions import BadInput
from mwtutor.run.store import KEPT, Store


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
    assert not {run.directory for run in launcher.runs(store)} & set(kept)
    assert all(directory.is_dir() for directory in kept)
