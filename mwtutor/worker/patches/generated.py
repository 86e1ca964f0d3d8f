"""Record the files in which TensorFlow puts the code it generates from a ``tf.function``.

TensorFlow removes them when the process exits, but not when the process is killed, as in most runs
that are stopped from a notebook. So their names are recorded beside the task's log, and any files
that remain are removed after the run.
"""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from mwtutor import scratch
from mwtutor.system.files import append, names_in, read, remove
from mwtutor.system.importhook import when_imported

_PREFIX, _SUFFIX = "__autograph_generated_file", ".py"

#: The suffix of the file in which a task records those names, see :func:`remove_noted`.
NOTES = ".generated"


def install(log: str) -> None:
    notes = Path(log).with_suffix(NOTES)
    when_imported(
        "tensorflow.python.autograph.pyct.loader", functools.partial(_note_files, notes=notes)
    )


def _note_files(loader: ModuleType, notes: Path) -> None:
    """Give only this module a ``tempfile`` that creates the same files and records their names."""
    make = tempfile.NamedTemporaryFile

    @functools.wraps(make)
    def noted(*args: Any, **kwargs: Any) -> Any:
        file = make(*args, **kwargs)
        # If the disk is full, the record is lost, but the program continues.
        with contextlib.suppress(OSError):
            append(notes, os.fsencode(file.name) + b"\n")
        return file

    ours = ModuleType(tempfile.__name__)
    ours.__dict__.update(vars(tempfile), NamedTemporaryFile=noted)
    loader.tempfile = ours  # type: ignore[attr-defined]


def remove_noted(notes: bytes) -> None:
    """Remove the files that a task recorded."""
    for line in notes.split(b"\n"):
        file = Path(os.fsdecode(line))
        # Programs can write to the record, so only files with names like TensorFlow's are removed.
        if file.name.startswith(_PREFIX) and file.suffix == _SUFFIX:
            with contextlib.suppress(OSError, ValueError):
                file.unlink()


#: The records of what a killed task leaves: the suffix of each, and the function that removes the
#: files named in it.
NOTED = ((NOTES, remove_noted), (scratch.NOTES, scratch.remove_noted))


def remove_left(logs: Path) -> None:
    """Remove the files named in the records beside the logs in this directory, and the records."""
    with contextlib.suppress(OSError):
        for name in names_in(logs):
            for ending, remove_noted in NOTED:
                if name.endswith(ending):
                    with contextlib.suppress(OSError):
                        remove_noted(read(logs / name))
                        remove(logs / name)
