"""The files of TensorFlow's generated code: recorded, otherwise unchanged, and removed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import ModuleType

from mwtutor.worker.patches import generated


def patched(notes: Path) -> ModuleType:
    """A module that makes temporary files as autograph's does."""
    loader = ModuleType("loader")
    loader.tempfile = tempfile
    generated._note_files(loader, notes)
    return loader


def make(loader: ModuleType, directory: Path) -> Path:
    with loader.tempfile.NamedTemporaryFile(
        mode="w", suffix=".py", prefix="__autograph_generated_file", delete=False, dir=directory
    ) as file:
        file.write("x = 1\n")
    return Path(file.name)


def test_noted_files_are_removed_and_nothing_else(tmp_path):
    logs, temporary = tmp_path / "logs", tmp_path / "t"
    logs.mkdir()
    temporary.mkdir()
    loader = patched(logs / "worker-0.generated")
    files = [make(loader, temporary) for _ in range(3)]
    assert all(file.read_text() == "x = 1\n" for file in files)
    files[0].unlink()  # as TensorFlow does at exit
    others = [temporary / "__autograph_generated_file1.py", temporary / "mine.py"]
    for other in others:
        other.touch()
    with open(logs / "worker-0.generated", "ab") as notes:
        notes.write(os.fsencode(others[1]) + b"\nno\0name/__autograph_generated_file.py\n\xff\n")
    generated.remove_left(logs)
    assert sorted(temporary.iterdir()) == others
    assert not list(logs.iterdir())


def test_notes_that_cannot_be_written_keep_nobody_from_working(tmp_path):
    loader = patched(tmp_path / "nowhere" / "worker-0.generated")
    assert make(loader, tmp_path).exists()
    generated.remove_left(tmp_path / "nowhere")


def test_only_the_module_that_generates_code_is_changed(tmp_path):
    before = tempfile.NamedTemporaryFile
    loader = patched(tmp_path / "notes")
    assert tempfile.NamedTemporaryFile is before
    assert loader.tempfile.mkdtemp is tempfile.mkdtemp
