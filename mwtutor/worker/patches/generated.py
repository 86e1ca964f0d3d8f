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

from mwtutor import scratch
from mwtutor.system.files import append, names_in, read, remove
from mwtutor.system.importhook import when_imported

_PREFIX, _SUFFIX = "__autograph_generated_file", ".py"

#: How files end in which tasks note those names, see :func:`remove_noted`.
NOTES = ".generated"


def install(log: str) -> None:
    notes = Path(log).with_suffix(NOTES)
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
        with contextlib.suppress(OSError):
            append(notes, os.fsencode(file.name) + b"\n")
        return file

    ours = ModuleType(tempfile.__name__)
    ours.__dict__.update(vars(tempfile), NamedTemporaryFile=noted)
    loader.tempfile = ours  # type: ignore[attr-defined]


def remove_noted(notes: bytes) -> None:
    """Remove the files in a task's notes."""
    for line in notes.split(b"\n"):
        file = Path(os.fsdecode(line))
        # The notes lie where programs can write: nothing else is removed, whatever they say.
        if file.name.startswith(_PREFIX) and file.suffix == _SUFFIX:
            with contextlib.suppress(OSError, ValueError):
                file.unlink()


#: What is left after a task that was killed: how its notes end, and what removes what they name.
NOTED = ((NOTES, remove_noted), (scratch.NOTES, scratch.remove_noted))


def remove_left(logs: Path) -> None:
    """Remove what is named in the notes beside the logs in this directory, and the notes."""
    with contextlib.suppress(OSError):
        for name in names_in(logs):
            for ending, remove_noted in NOTED:
                if name.endswith(ending):
                    with contextlib.suppress(OSError):
                        remove_noted(read(logs / name))
                        remove(logs / name)
