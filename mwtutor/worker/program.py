"""Execute a script or a module as ``python main.py`` and ``python -m pkg.train`` do."""

from __future__ import annotations

import builtins
import importlib.machinery
import io
import os
import runpy
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

_OURS = str(Path(__file__).resolve().parent.parent) + os.sep


@dataclass(frozen=True)
class Ending:
    """How a program ended.

    Attributes:
        code: what the process's exit status would be.
        error: the exception that nobody caught, if that was the end.
    """

    code: int
    error: BaseException | None = None


def run(
    kind: Literal["script", "module", "kernel"],
    target: str,
    args: tuple[str, ...],
    prepare: Callable[[], None],
) -> Ending:
    """Run the program to its end, after ``prepare``; what either raises is the ending."""
    try:
        prepare()
        if kind == "script":
            _run_script(target, args)
        elif kind == "kernel":
            _run_kernel(target)
        else:
            _run_module(target, args)
    except SystemExit as exit_:
        return Ending(_exit_code(exit_))
    except BaseException as error:
        error.__traceback__ = without_ours(error.__traceback__)
        return Ending(1, error)
    return Ending(0)


def without_ours(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback from the first frame that is neither ours nor the module runner's."""
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        if not name.startswith((_OURS, "<frozen runpy>")) and name != runpy.__file__:
            break
        traceback = traceback.tb_next
    return traceback


def _run_script(target: str, args: tuple[str, ...]) -> None:
    path = os.path.abspath(os.path.expanduser(target))
    # Not next to somebody's notebook, and a module edited twice in a second is read again.
    sys.dont_write_bytecode = True
    sys.argv = [target, *args]
    sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
    main = types.ModuleType("__main__")
    main.__dict__.update(
        __file__=path,
        __builtins__=builtins,
        __cached__=None,
        __loader__=importlib.machinery.SourceFileLoader("__main__", path),
    )
    sys.modules["__main__"] = main
    with io.open_code(path) as source:
        code = compile(source.read(), path, "exec", dont_inherit=True)
    exec(code, main.__dict__)


def _run_kernel(directory: str) -> None:
    from mwtutor.worker import cell_kernel

    sys.dont_write_bytecode = True
    sys.argv = [""]
    sys.path.insert(0, "")
    cell_kernel.serve(directory)


def _run_module(target: str, args: tuple[str, ...]) -> None:
    sys.dont_write_bytecode = True
    sys.argv = [target, *args]
    sys.path.insert(0, os.getcwd())
    runpy.run_module(target, run_name="__main__", alter_sys=True)


def _exit_code(exit_: SystemExit) -> int:
    """The status Python gives for ``sys.exit(...)``: a message goes to stderr and means 1."""
    if exit_.code is None:
        return 0
    if isinstance(exit_.code, int):
        return exit_.code & 0xFF
    print(exit_.code, file=sys.stderr)
    return 1
