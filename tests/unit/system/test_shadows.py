"""Modules that a program would import instead of already imported ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from mwtutor.system import shadows


@pytest.fixture
def imported(monkeypatch):
    """Act as if Python itself had imported only ``json``."""
    monkeypatch.setattr(shadows, "at_start", frozenset({"json"}))


def put(directory: Path, *names: str) -> str:
    for name in names:
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).touch()
    return str(directory)


def test_files_and_packages_that_come_before_what_is_imported(tmp_path, imported):
    own = put(tmp_path, "psutil.py", "random/__init__.py", "pytest.pyc", "utils.py", "notes.txt")
    assert set(shadows.shadowed_modules(own)) == {"psutil", "random", "pytest"}
    assert shadows.shadowed_modules(own)["random"] == f"{own}/random/__init__.py"
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
    assert shadows.shadowed_modules(put(tmp_path, name)) == {}
    assert shadows.why_not_forked(str(tmp_path)) == ""


def test_the_very_module_that_is_imported_is_none_in_its_place(imported):
    assert "psutil" not in shadows.shadowed_modules(str(Path(psutil.__file__).parent.parent))


def test_a_directory_that_is_not_there_has_none(tmp_path, imported):
    assert shadows.shadowed_modules(str(tmp_path / "missing")) == {}


def test_what_is_forgotten_is_imported_anew(tmp_path, imported, monkeypatch):
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    shadows.forget(put(tmp_path, "psutil.py"))
    assert not [name for name in sys.modules if name.split(".")[0] == "psutil"]
    assert "random" in sys.modules


ASK = """
import sys
from mwtutor.system import shadows
from mwtutor.worker.raised import describe
sys.path[0] = {own!r}
shadows.forget({own!r})
try:
    exec(compile({code!r}, {own!r} + "/main.py", "exec"), {{"__name__": "__main__"}})
except Exception as error:
    print(describe(error)["advice"])
"""


def advice(own: Path, code: str) -> str:
    """The advice when a program in that directory fails."""
    command = [sys.executable, "-c", ASK.format(own=str(own), code=code)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("wave", "import wave\nwave.open"),
        ("wave", "from wave import open"),
        ("wave", "import wave.reading"),
        ("h11", "from h11 import Connection"),
    ],
)
def test_a_file_that_stands_in_a_modules_place_is_the_reason_that_is_told(tmp_path, name, code):
    (tmp_path / f"{name}.py").write_text("mine = 1\n")
    assert advice(tmp_path, code) == (
        f"import {name} finds your own {name}.py first, because it is in the program's directory."
        " Rename that file."
    )


def test_a_program_called_like_a_module_that_a_library_imports(tmp_path):
    code = "import concurrent.futures\n"
    (tmp_path / "logging.py").write_text(code)
    assert "import logging finds your own logging.py first" in advice(tmp_path, code)


@pytest.mark.parametrize("code", ["import mine\nmine.y", "from mine import y", "import nowhere",
                                  "import wave\nwave.nothing", "[].nothing"])  # fmt: skip
def test_a_file_in_nobodys_place_is_not(tmp_path, code):
    (tmp_path / "mine.py").write_text("x = 1\n")
    assert advice(tmp_path, code) == ""
