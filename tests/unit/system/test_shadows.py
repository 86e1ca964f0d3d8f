"""What a program would import in the place of what is imported already."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import pytest

from mwtutor.system import shadows


@pytest.fixture
def imported(monkeypatch):
    """As if Python itself had imported ``json`` only."""
    monkeypatch.setattr(shadows, "at_start", frozenset({"json"}))


def put(directory: Path, *names: str) -> str:
    for name in names:
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).touch()
    return str(directory)


def test_files_and_packages_that_come_before_what_is_imported(tmp_path, imported):
    own = put(tmp_path, "psutil.py", "random/__init__.py", "pytest.pyc", "utils.py", "notes.txt")
    assert set(shadows.found(own)) == {"psutil", "random", "pytest"}
    assert shadows.found(own)["random"] == f"{own}/random/__init__.py"
    assert shadows.why_not_forked(own).endswith("own psutil.py, pytest.pyc, random/__init__.py")


@pytest.mark.parametrize(
    "name",
    [
        "json.py",  # imported before any program
        "sys.py",  # built in
        "zipimport.py",  # frozen
        "psutil/data.py",  # no package: the library comes first
        "mwtutor/__init__.py",
        "_pytest.txt",
    ],
)
def test_what_a_program_would_not_import_is_left_out(tmp_path, imported, name):
    assert shadows.found(put(tmp_path, name)) == {}
    assert shadows.why_not_forked(str(tmp_path)) == ""


def test_the_very_module_that_is_imported_is_none_in_its_place(imported):
    assert "psutil" not in shadows.found(str(Path(psutil.__file__).parent.parent))


def test_a_directory_that_is_not_there_has_none(tmp_path, imported):
    assert shadows.found(str(tmp_path / "missing")) == {}


def test_what_is_forgotten_is_imported_anew(tmp_path, imported, monkeypatch):
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    shadows.forget(put(tmp_path, "psutil.py"))
    assert not [name for name in sys.modules if name.split(".")[0] == "psutil"]
    assert "random" in sys.modules
