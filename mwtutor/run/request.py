"""What somebody asks for: a launch, as a value, and the checks that need no process."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from mwtutor.cluster import ClusterSize
from mwtutor.devices.placement import Wish
from mwtutor.exceptions import BadInput, BadProgram
from mwtutor.network import CHOICES, NetworkChoice
from mwtutor.run.store import working_directory

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")

#: What the system says of a file that is not there.
_MISSING = (FileNotFoundError, NotADirectoryError)

ProgramKind = Literal["script", "module", "kernel"]


@dataclass(frozen=True)
class Program:
    """What every task executes.

    ``target`` is a script's path as it was typed, a module's dotted name, or for the cells of a
    session the directory that its kernels' sockets are in.
    """

    kind: ProgramKind
    target: str
    args: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """As a person would name it: ``main.py``, or ``pkg.train``."""
        if self.kind == "kernel":
            return "cells"
        return Path(self.target).name if self.kind == "script" else self.target

    @property
    def stem(self) -> str:
        if self.kind == "kernel":
            return "session"
        return Path(self.target).stem if self.kind == "script" else self.target.rsplit(".", 1)[-1]


@dataclass(frozen=True)
class LaunchRequest:
    """One launch: a program, the size of its cluster, and the options."""

    program: Program
    size: ClusterSize
    name: str = ""
    cwd: str = ""
    env: dict[str, str] = field(default_factory=dict)
    keras: Literal["auto", "2", "3"] = "auto"
    threads: int = 0
    python: str = ""
    cold: bool = False
    timeout: float = 0.0
    grace: float = 0.0
    network: NetworkChoice = "auto"
    restarts: int = 0
    gpus: Wish = field(default_factory=Wish)
    comm: Literal["auto", "ring", "nccl"] = "auto"

    @property
    def interpreter(self) -> str:
        return self.python or sys.executable

    def task_env(self) -> dict[str, str]:
        """What the options add to the environment of every task."""
        env = dict(self.env)
        if self.threads:
            env.setdefault("TF_NUM_INTRAOP_THREADS", str(self.threads))
            env.setdefault("TF_NUM_INTEROP_THREADS", str(self.threads))
        return env

    def checked(self) -> LaunchRequest:
        """The request with its defaults filled in, or the error that says what is wrong.

        Raises:
            BadInput: an option that cannot be used.
            BadProgram: a program that is missing or does not compile.
        """
        cwd = Path(self.cwd).expanduser()
        if not cwd.is_absolute():
            cwd = working_directory() / cwd
        _check_directory(cwd)
        request = replace(self, cwd=str(cwd), name=self.name or _name_from(self.program.stem))
        if not _NAME.fullmatch(request.name):
            raise BadInput(
                f"{request.name!r} cannot be the name of a run.",
                "Use letters, digits, '.', '_' and '-', at most 64 of them.",
            )
        request._check_options()
        request._check_program()
        return request

    def _check_options(self) -> None:
        if self.network not in CHOICES:
            raise BadInput(
                f"{self.network!r} is not a network.", f"Choose one of {', '.join(CHOICES)}."
            )
        for name, value in (
            ("threads", self.threads),
            ("timeout", self.timeout),
            ("grace", self.grace),
            ("restarts", self.restarts),
            ("gpus-per-worker", self.gpus.per_worker or 0),
            ("evaluator-gpus", self.gpus.evaluator),
        ):
            if value < 0:
                raise BadInput(f"--{name} {value} is negative.", f"Give --{name} 0 or more.")
        if self.comm not in ("auto", "ring", "nccl"):
            raise BadInput(f"There are no {self.comm!r} collectives.", "Choose auto, ring or nccl.")
        for name in self.env:
            if name == "TF_CONFIG":
                raise BadInput(
                    "TF_CONFIG cannot be set with --env: every task gets one of its own.",
                    "Leave it out.",
                )
            if not name or "=" in name or "\0" in name + self.env[name]:
                raise BadInput(
                    f"{name!r} cannot be the name of a variable.", "Write --env NAME=VALUE."
                )
        if "TF_CONFIG" in os.environ:
            raise BadInput(
                "TF_CONFIG is already set in this environment, and every task gets its own.",
                "Remove it first: del os.environ['TF_CONFIG'] here, or unset TF_CONFIG in a shell.",
            )

    def _check_program(self) -> None:
        if self.program.kind == "script":
            check_script(Path(self.cwd, Path(self.program.target).expanduser()))
        elif self.program.kind == "module" and not _is_dotted(self.program.target):
            raise BadProgram(
                f"{self.program.target!r} is not the name of a module.",
                "Write it as in an import, for example -m pkg.train.",
            )


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def _check_directory(cwd: Path) -> None:
    try:
        there = stat.S_ISDIR(cwd.stat().st_mode)
        closed = "" if not there or os.access(cwd, os.X_OK) else os.strerror(errno.EACCES)
    except (*_MISSING, ValueError):
        there, closed = False, ""
    except OSError as error:
        there, closed = True, str(error.strerror)
    if not there:
        raise BadInput(f"There is no directory {cwd}.", "Correct --cwd.")
    if closed:
        raise BadInput(
            f"The directory {cwd} cannot be entered: {closed}.",
            "Correct --cwd, or ask its owner for access.",
        )


def check_script(path: Path) -> None:
    """Raise :class:`BadProgram` unless ``path`` is a Python script that compiles."""
    try:
        is_file = stat.S_ISREG(path.stat().st_mode)
        source = path.read_bytes() if is_file and path.suffix != ".ipynb" else b""
    except (*_MISSING, ValueError):
        raise BadProgram(
            f"There is no file {path}.",
            "Check the name and the directory"
            + (f"; there is {near}." if (near := _nearest(path)) else "."),
        ) from None
    except OSError as error:
        raise BadProgram(
            f"{path} cannot be read: {error.strerror}.",
            "Check its mode, and the modes of the directories it is in.",
        ) from None
    if not is_file:
        raise BadProgram(f"{path} is not a file.", "Give the script itself.")
    if path.suffix == ".ipynb":
        raise BadProgram(
            f"{path.name} is a notebook, and a program is a Python script.",
            "Write the cells to a file with %%writefile main.py and launch that.",
        )
    if source.startswith(b"PK\3\4"):
        raise BadProgram(
            f"{path.name} is a zip archive, and a program is a Python script.",
            "Unpack it, and launch the script that is in it.",
        )
    _check_source(source, path)


def _check_source(source: bytes, path: Path) -> None:
    try:
        compile(source, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        where = f", line {error.lineno}" if error.lineno else ""
        line = (error.text or "").strip()
        raise BadProgram(
            f"{path.name}{where}: {error.msg}" + (f": {line}" if line else "."),
            "Correct the syntax and launch again; nothing was started.",
        ) from None
    except (ValueError, MemoryError, RecursionError) as error:
        raise BadProgram(f"{path.name} is not Python: {error}.", "Give a Python script.") from None


def _nearest(path: Path) -> str:
    import difflib

    try:
        names = [other.name for other in path.parent.glob("*.py")]
    except OSError:
        return ""
    return next(iter(difflib.get_close_matches(path.name, names, 1)), "")


def _name_from(stem: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", stem)[:64] or "run"
