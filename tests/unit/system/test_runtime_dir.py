"""The private directory of mwtutor's sockets."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from mwtutor.exceptions import NotSupported
from mwtutor.run import control
from mwtutor.run.record.store import Store
from mwtutor.run.run import Run
from mwtutor.system import runtime_dir as runtime_dir_module
from mwtutor.system.runtime_dir import new_socket_dir, runtime_dir
from tests.support.machines.disks import small_disk
from tests.support.runs.specs import a_spec


def test_sockets_fit_and_are_private(monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    directory = runtime_dir()
    assert len(str(directory)) < 75
    assert directory.stat().st_mode & 0o777 == 0o700


@pytest.fixture
def short():
    """A directory with a short path, for directories with long ones."""
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        yield Path(made)


@pytest.fixture
def places(monkeypatch, short):
    """Two directories: one for XDG_RUNTIME_DIR, one for temporary files."""
    xdg, tmp = short / "x", short / "t"
    for path in (xdg, tmp):
        path.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(xdg))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp))
    return xdg, tmp


@pytest.mark.parametrize("letter", ["x", "ü"])
def test_a_control_socket_fits_whatever_its_run_is_called(work, monkeypatch, short, letter):
    base = short / (letter * (61 - len(str(short))))
    base.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(base))
    runs = [Run.open(_a_run(work, name)).spec for name in ("a" * 64, "a" * 63)]
    paths = {control.new_path(run) for run in runs for _ in range(2)}
    assert len(paths) == len(runs), "its own for each run, and always the same"
    for path in paths:
        control.ControlServer(control.listen(path), dict).close()


@pytest.mark.parametrize("in_the_way", ["file", "dangling", "another's", "unwritable"])
def test_where_one_private_directory_cannot_be_another_is(places, monkeypatch, in_the_way):
    """Anybody can create a file in a directory for temporary files."""
    xdg, tmp = places
    usual = [xdg / "mwtutor", tmp / f"mwtutor-{os.getuid()}"]
    for path in usual:
        if in_the_way == "file":
            path.touch()
        elif in_the_way == "dangling":
            path.symlink_to("nowhere")
        elif in_the_way == "another's":
            path.symlink_to("/tmp")
        else:
            monkeypatch.setattr(Path, "mkdir", _refusing(Path.mkdir, usual))
    found = runtime_dir()
    assert found == tmp / f"mwtutor-{os.getuid()}-1"
    assert found == runtime_dir(), "all processes must agree on it"
    assert found.stat().st_mode & 0o777 == 0o700


def test_no_place_for_sockets_is_said_in_words(monkeypatch):
    monkeypatch.setattr(runtime_dir_module, "_is_private", lambda path: False)
    with pytest.raises(NotSupported, match="no directory in which") as raised:
        runtime_dir()
    assert "XDG_RUNTIME_DIR" in raised.value.remedy


@pytest.mark.parametrize("base", ["sockets", "/sys", "/nowhere", "/tmp/" + "x" * 64])
def test_a_runtime_directory_that_cannot_be_used_is_passed_over(places, monkeypatch, base):
    monkeypatch.setenv("XDG_RUNTIME_DIR", base)
    assert runtime_dir().parent == places[1]


def _a_run(work, name):
    directory = Store(work).new(name)
    a_spec(directory, name=name, id=directory.name).save()
    return directory


def _refusing(mkdir, those):
    def refuse(path, *args, **kwargs):
        if path in those:
            raise PermissionError(13, "Permission denied")
        mkdir(path, *args, **kwargs)

    return refuse


def test_a_session_without_room_for_its_sockets_is_refused(monkeypatch, short):
    with small_disk(short / "disk", 4, inodes=2) as disk:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(disk))
        assert runtime_dir() == disk / "mwtutor"
        with pytest.raises(NotSupported, match=r"sockets in .*: No space left on device"):
            new_socket_dir()
