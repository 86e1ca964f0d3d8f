"""Execute a script or a module as ``python main.py`` and ``python -m pkg.train`` do."""

from __future__ import annotations

import builtins
import contextlib
import importlib.machinery
import io
import os
import runpy
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

from mwtutor.system import shadows
from mwtutor.system.child import OURS
from mwtutor.worker.advice import missing_arguments


@dataclass(frozen=True)
class Ending:
    """How a program ended.

    Attributes:
        code: the exit status that the process would have.
        error: the uncaught exception that ended it, if any.
        advice: what to do about an exit that its arguments caused.
    """

    code: int
    error: BaseException | None = None
    advice: str = ""


def run(
    kind: Literal["script", "module", "kernel"],
    target: str,
    args: tuple[str, ...],
    prepare: Callable[[], None],
) -> Ending:
    """Run the program to its end, after ``prepare``; an exception in either ends it."""
    try:
        prepare()
        if kind == "script":
            _run_script(target, args)
        elif kind == "kernel":
            _run_kernel(target)
        else:
            _run_module(target, args)
    except SystemExit as exit_:
        return Ending(_exit_code(exit_), advice=_advice(exit_))
    except BaseException as error:
        error.__traceback__ = without_ours(error.__traceback__)
        return Ending(1, error)
    return Ending(0)


def _advice(exit_: SystemExit) -> str:
    try:
        return missing_arguments.advise(exit_)
    except Exception:  # the program's own kind of exit may raise when inspected
        return ""


def without_ours(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback without mwtutor's frames, and without those of the module runner before it."""
    while traceback is not None and _is_ours(traceback, (OURS, "<frozen runpy>", runpy.__file__)):
        traceback = traceback.tb_next
    step = traceback
    while step is not None:
        # A frame of a compatibility layer in between does not belong to the program either.
        while step.tb_next is not None and _is_ours(step.tb_next, (OURS,)):
            step.tb_next = step.tb_next.tb_next
        step = step.tb_next
    return traceback


def _is_ours(traceback: TracebackType, places: tuple[str, ...]) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(places)


def own_directory(kind: Literal["script", "module"], target: str, cwd: str) -> str:
    """The directory from which a program imports first."""
    if kind == "module":
        return cwd
    return os.path.dirname(os.path.realpath(os.path.join(cwd, os.path.expanduser(target))))


#: tqdm and others use these to detect that they run in a notebook. The fork server imports them for
#: cells.
_OF_NOTEBOOKS = frozenset({"IPython", "ipykernel"})

#: The Matplotlib backend that a kernel sets, which draws into cells; a program has no cells.
_DRAWS_IN_CELLS = "module://matplotlib_inline.backend_inline"


def _put_first(own: str) -> None:
    sys.path.insert(0, own)
    shadows.forget(own)
    shadows.remove(_OF_NOTEBOOKS - shadows.at_start)
    draw_outside_cells()


def draw_outside_cells() -> None:
    """Before Matplotlib is imported, let it choose its backend, as in a terminal."""
    if os.environ.get("MPLBACKEND") == _DRAWS_IN_CELLS:
        del os.environ["MPLBACKEND"]


def _run_script(target: str, args: tuple[str, ...]) -> None:
    path = os.path.abspath(os.path.expanduser(target))
    # No bytecode next to the user's notebook; and a module edited twice within a second is read
    # again.
    sys.dont_write_bytecode = True
    sys.argv = [target, *args]
    _put_first(own_directory("script", target, os.getcwd()))
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
    _put_first(own_directory("module", target, os.getcwd()))
    runpy.run_module(target, run_name="__main__", alter_sys=True)


def show(error: BaseException) -> int | None:
    """Show the exception that ended the program, as the interpreter does.

    Returns:
        The exit status that the program's ``sys.excepthook`` asked for, if it did.
    """
    traceback = error.__traceback__
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, traceback
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    if not hasattr(sys, "excepthook"):
        _to_stderr("sys.excepthook is missing\n")
        _display(type(error), error, traceback)
        return None
    try:
        sys.excepthook(type(error), error, traceback)
    except SystemExit as exit_:
        return _exit_code(exit_)
    except BaseException as failed:
        hooks_own = failed.with_traceback(without_ours(failed.__traceback__))
    else:
        return None
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    _to_stderr("Error in sys.excepthook:\n")
    _display(type(hooks_own), hooks_own, hooks_own.__traceback__)
    _to_stderr("\nOriginal exception was:\n")
    _display(type(error), error, traceback)
    return None


#: The interpreter's own hook, not one that the program may have set.
_display = sys.__excepthook__


def _to_stderr(text: str) -> None:
    """Write as the interpreter itself does: to ``sys.stderr`` if the program left one."""
    try:
        sys.stderr.write(text)
    except Exception:
        with contextlib.suppress(OSError):
            os.write(2, text.encode(errors="backslashreplace"))


def _exit_code(exit_: SystemExit) -> int:
    """Python's status for ``sys.exit(...)``: a message goes to stderr and means 1."""
    code = exit_.code
    if code is None:
        return 0
    if isinstance(code, int):
        return int.__and__(code, 0xFF) if -(1 << 63) <= int(code) < 1 << 63 else 0xFF
    with contextlib.suppress(BaseException):  # whatever the message is, the status is 1
        _to_stderr(str(code))
    _to_stderr("\n")
    return 1
