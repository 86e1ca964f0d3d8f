"""Directories for unfinished files are removed afterwards, even after a kill, and no others are."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mwtutor import scratch
from mwtutor.worker.patches import generated

USES = """
import functools, sys, time
from mwtutor import scratch
from mwtutor.system.files import append
if len(sys.argv) > 2:
    scratch.note_with(functools.partial(append, sys.argv[2]))
with scratch.directory(".model.keras.", sys.argv[1]) as own:
    open(own + "/model.keras", "w").close()
    print(own.rpartition("/")[2], flush=True)
    time.sleep(600)
"""


@contextmanager
def using(place: Path, *log: str) -> Iterator[Path]:
    """A process that is writing into such a directory; the test kills it there."""
    with subprocess.Popen(
        [sys.executable, "-c", USES, str(place), *log], stdout=subprocess.PIPE, text=True
    ) as process:
        yield place / process.stdout.readline().strip()
        process.kill()


def made(place: Path, name: str = ".model.keras.abcdefgh") -> Path:
    """A directory as a killed process leaves it."""
    own = place / name
    own.mkdir(mode=0o700)
    (own / scratch.MARK).write_bytes(scratch._MARKED)
    (own / "model.keras").touch()
    return own


def test_the_next_at_the_same_place_removes_what_a_killed_process_left(tmp_path):
    with using(tmp_path) as own:
        assert own.name.startswith(".model.keras.")
        with scratch.directory(".model.keras.", tmp_path):
            assert (own / "model.keras").exists(), "a process is using it"
    assert (own / "model.keras").exists()
    with scratch.directory(".other.keras.", tmp_path):
        assert own.exists()
    with scratch.directory(".model.keras.", tmp_path) as mine:
        assert [path.name for path in tmp_path.iterdir()] == [os.path.basename(mine)]
    assert not list(tmp_path.iterdir())


def test_a_run_that_is_cleared_has_left_nothing(tmp_path):
    place, logs = tmp_path / "a\nplace", tmp_path / "logs"
    place.mkdir()
    logs.mkdir()
    with using(place, str(logs / "worker-1.scratch")) as own:
        pass
    assert own.exists()
    generated.remove_left(logs)
    assert not list(place.iterdir())
    assert not list(logs.iterdir())


def test_nothing_is_removed_that_is_not_provably_ours(tmp_path):
    place, outside = tmp_path / "place", tmp_path / "outside"
    for directory in (place, outside):
        directory.mkdir()
    linked = made(outside)
    made(place, ".model.keras.1_of_us0")
    others = {
        "a name that we do not give": made(place, ".model.keras.abcdefghi"),
        "a name in capitals": made(place, ".model.keras.ABCDEFGH"),
        "another file's": made(place, ".model2keras.abcdefgh"),
        "open to others": made(place, ".model.keras.open0000"),
        "without the mark": made(place, ".model.keras.nomark00"),
        "with another mark": made(place, ".model.keras.other000"),
        "with a mark that was never locked": made(place, ".model.keras.empty000"),
        "with a link for a mark": made(place, ".model.keras.linkmark"),
    }
    others["open to others"].chmod(0o755)
    (others["without the mark"] / scratch.MARK).unlink()
    (others["with another mark"] / scratch.MARK).write_bytes(scratch._MARKED + b"not")
    (others["with a mark that was never locked"] / scratch.MARK).write_bytes(b"")
    (others["with a link for a mark"] / scratch.MARK).unlink()
    (others["with a link for a mark"] / scratch.MARK).symlink_to(linked / scratch.MARK)
    (place / ".model.keras.linked00").symlink_to(linked)
    (place / ".model.keras.file0000").touch()
    before = set(place.iterdir())
    scratch.remove_left(str(place), ".model.keras.")
    assert before - set(place.iterdir()) == {place / ".model.keras.1_of_us0"}
    assert (linked / "model.keras").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_another_users_directory_is_left_alone(tmp_path):
    own = made(tmp_path)
    os.chown(own, 65534, 65534)
    scratch.remove_left(str(tmp_path), ".model.keras.")
    assert (own / "model.keras").exists()


@pytest.mark.parametrize("note", [b"", b"\0", b"relative/.x.", b"/", b"/missing/.x.\0\xff/.y.\0"])
def test_whatever_a_note_says_nothing_breaks(tmp_path, monkeypatch, note):
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "relative"
    kept.mkdir()
    own = made(kept, ".x.abcdefgh")
    scratch.remove_noted(note)
    assert own.exists()


def test_where_no_file_can_be_locked_one_still_gets_a_directory(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError("no locks here")

    monkeypatch.setattr(scratch.fcntl, "flock", refuse)
    with scratch.directory(".model.keras.", tmp_path) as own:
        assert (Path(own) / scratch.MARK).read_bytes() == b"", "nobody may think that it is left"
    assert not list(tmp_path.iterdir())
