"""The program that every task executes; if it is a script, each launch reads it once."""

from __future__ import annotations

import ast
import difflib
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.exceptions import BadProgram
from mwtutor.run.request.option_kinds import FIELD

ProgramKind = Literal["script", "module", "kernel"]


@dataclass(frozen=True)
class Program:
    """The program that every task executes.

    ``target`` is a script's path as typed, a module's dotted name, or, for the cells of a session,
    the directory of its kernels' sockets. ``per_task`` are arguments with fields that are filled in
    for each task.
    """

    kind: ProgramKind
    target: str
    args: tuple[str, ...] = ()
    per_task: tuple[str, ...] = ()

    def args_of(self, task: TaskId, cluster: ClusterSpec) -> tuple[str, ...]:
        """The arguments of one task."""
        values = {
            "type": str(task.type),
            "index": str(task.index),
            **{job: ",".join(getattr(cluster, job)) for job in ("chief", "worker", "ps")},
        }
        own = (FIELD.sub(lambda found: values[found[1]], word) for word in self.per_task)
        return (*self.args, *own)

    @property
    def title(self) -> str:
        """The program's name for a user: ``main.py``, or ``pkg.train``."""
        if self.kind == "kernel":
            return "cells"
        return Path(self.target).name if self.kind == "script" else self.target

    @property
    def stem(self) -> str:
        if self.kind == "kernel":
            return "session"
        return Path(self.target).stem if self.kind == "script" else self.target.rsplit(".", 1)[-1]

    def read(self, cwd: str) -> Script | None:
        """The script, if the program is one; a relative path starts from ``cwd``.

        Raises:
            BadProgram: it is missing, cannot be read or does not compile.
        """
        if self.kind == "script":
            return read_script(Path(cwd, os.path.expanduser(self.target)))
        if self.kind == "module" and not _is_dotted(self.target):
            raise BadProgram(
                f"{self.target!r} is not the name of a module.",
                "Write it as in an import, for example -m pkg.train.",
            )
        return None


@dataclass(frozen=True)
class Script:
    """A script that compiles: its path, its syntax tree, and the SHA-256 of its text."""

    path: Path
    tree: ast.Module
    digest: str


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def read_script(path: Path) -> Script:
    """Read a script.

    Raises:
        BadProgram: it is missing, cannot be read or does not compile.
    """
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
        source = path.read_bytes() if is_file and path.suffix != ".ipynb" else b""
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise BadProgram(
            f"There is no file {path}.",
            "Check the name and the directory"
            + (f"; did you mean {near}?" if (near := _nearest(path)) else "."),
        ) from None
    except OSError as error:
        raise BadProgram(
            f"{path} cannot be read: {error.strerror}.",
            "Check its permissions, and those of the directories that contain it.",
        ) from None
    if not is_file:
        raise BadProgram(f"{path} is not a file.", "Give the path of a script.")
    if path.suffix == ".ipynb":
        raise BadProgram(
            f"{path.name} is a notebook, but a program must be a Python script.",
            "Write the cells to a file with %%writefile main.py and launch that.",
        )
    if source.startswith(b"PK\3\4"):
        raise BadProgram(
            f"{path.name} is a zip archive, but a program must be a Python script.",
            "Unpack it, and launch the script inside.",
        )
    return Script(path, _parsed(source, path), hashlib.sha256(source).hexdigest())


def _parsed(source: bytes, path: Path) -> ast.Module:
    """The syntax tree of a program that compiles."""
    try:
        tree = ast.parse(source, str(path))
        compile(tree, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        where = f", line {error.lineno}" if error.lineno else ""
        line = (error.text or "").strip()
        raise BadProgram(
            f"{path.name}{where}: {error.msg}" + (f": {line}" if line else "."),
            "Nothing was started; correct the syntax and launch again.",
        ) from None
    except (ValueError, MemoryError, RecursionError) as error:
        raise BadProgram(f"{path.name} is not Python: {error}.", "Give a Python script.") from None
    return tree


def _nearest(path: Path) -> str:
    try:
        names = [other.name for other in path.parent.glob("*.py")]
    except OSError:
        return ""
    return next(iter(difflib.get_close_matches(path.name, names, 1)), "")
