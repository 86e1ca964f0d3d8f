"""Note the files in which TensorFlow puts the code that it makes of a ``tf.function``.

It removes them when the process exits. A process that is killed does not get that far, and in a
notebook most runs that are stopped are killed; so their names are noted beside the task's log, and
whatever is left is removed after the run.
"""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from mwtutor.system.importhook import when_imported

_PREFIX, _SUFFIX = "__autograph_generated_file", ".py"
_NOTES = ".generated"


def install(log: str) -> None:
    notes = Path(log).with_suffix(_NOTES)
    when_imported(
        "tensorflow.python.autograph.pyct.loader", functools.partial(_note_files, notes=notes)
    )


def _note_files(loader: ModuleType, notes: Path) -> None:
    """Give this one module a ``tempfile`` that makes the same files and notes their names."""
    make = tempfile.NamedTemporaryFile

    @functools.wraps(make)
    def noted(*args: Any, **kwargs: Any) -> Any:
        file = make(*args, **kwargs)
        # A full disk costs the note, not the program.
        with contextlib.suppress(OSError), open(notes, "ab") as written:
            written.write(os.fsencode(file.name) + b"\n")
        return file

    ours = ModuleType(tempfile.__name__)
    ours.__dict__.update(vars(tempfile), NamedTemporaryFile=noted)
    loader.tempfile = ours  # type: ignore[attr-defined]


def remove_noted(logs: Path) -> None:
    """Remove the files noted beside the logs in this directory, and the notes."""
    for notes in logs.glob(f"*{_NOTES}"):
        with contextlib.suppress(OSError):
            for line in notes.read_bytes().splitlines():
                _remove(Path(os.fsdecode(line)))
            notes.unlink()


def _remove(file: Path) -> None:
    # The note lies where programs can write: nothing else is removed, whatever it says.
    if file.name.startswith(_PREFIX) and file.suffix == _SUFFIX:
        with contextlib.suppress(OSError, ValueError):
            file.unlink()
