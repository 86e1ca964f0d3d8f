"""Prepare a lesson for a check: start workers if needed, then run the cells of the exercise.

The cells contain the learner's code: :func:`contain` keeps it from ending the kernel.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mwtutor.exceptions import BadInput, CellInterrupted, Interrupted, SessionError
from mwtutor.executed import ExecutedCell
from mwtutor.exercises import catalogue, workspaces
from mwtutor.exercises.evidence import Evidence
from mwtutor.exercises.exercise import Exercise
from mwtutor.exercises.notebooks import Cells, NotebookCell, cells_of
from mwtutor.exercises.sources import read, same
from mwtutor.sessions import session as sessions
from mwtutor.sessions.session import Session
from mwtutor.system import processes

#: Seconds for all cells together, and between two interrupts of a cell that ignores them.
_LIMIT, _AGAIN = 600.0, 15.0

#: Seconds for the workers to report whether their collectives work.
_ASKING = 30.0

#: Characters that the cells may print in the notebook.
_LONGEST = 1_000_000

#: Lines at the beginning of a lesson that would empty the workspace.
_BEGINS = re.compile(r"^%(?:load_ext|reload_ext|mw_workspace)\b.*$\n?", re.M)


@dataclass(frozen=True)
class Step:
    """A cell that is executed, with a description in a few words."""

    what: str
    source: str


def bring_up(
    exercise: str,
    executed: Sequence[ExecutedCell],
    execute: Callable[[str], BaseException | None],
    say: Callable[[str], None],
    seconds: float = _LIMIT,
) -> None:
    """Restart unusable workers, and execute the cells that are needed.

    Args:
        exercise: its number, for example ``07-1``.
        executed: the cells that the notebook has executed.
        execute: executes a cell in the notebook; shows and returns the exception that it raised, if
            any, which the check then explains.
        say: shows a line.
        seconds: after this time, the running cell is interrupted.

    Raises:
        BadInput: there is no such exercise, or the notebook's cells are not known.
        Interrupted: a cell was interrupted, by the user or by the time limit.
    """
    wanted = catalogue.find(exercise)
    cells = cells_of(wanted.id)
    if cells.code is None and not cells.run:
        raise BadInput(
            f"The notebook of exercise {wanted.id} is not in this directory.",
            "Open it in its own directory, or run its cells yourself.",
        )
    code = Evidence(wanted, executed, workspaces.folder())
    if code.fault():  # the check reports the fault
        return
    born = _new_workers(wanted, say)
    versions = [executed[at] for at in code.code()]
    steps = _steps(wanted, cells, executed, versions, born)
    now = "the first cell"
    with contain(seconds) as late:
        try:
            for number, step in enumerate(steps, 1):
                now = step.what
                say(f"{wanted.id}, {number} of {len(steps)}: {now}")
                error = execute(step.source)
                if isinstance(error, (KeyboardInterrupt, CellInterrupted, Interrupted)):
                    raise KeyboardInterrupt
                if isinstance(error, SystemExit):
                    say(
                        f"{now} tried to end the kernel, which keeps running. Let your code return."
                    )
        except KeyboardInterrupt:
            ended = f"was stopped after {seconds:g} s" if late() else "was interrupted"
            raise Interrupted(
                f"{now} {ended}, so exercise {wanted.id} was not checked.",
                "Find the code that does not end, correct it, and run its cell.",
            ) from None


def _new_workers(exercise: Exercise, say: Callable[[str], None]) -> float:
    """Restart an unusable session; return the time at which its workers started, or 0."""
    try:
        session = sessions.find()
    except SessionError:
        return 0.0
    if exercise.session:
        session.background.wait()  # otherwise new workers would end cells that are running
    if exercise.session and (why := _broken(session)):
        say(f"{exercise.id}: starting new workers. {why}")
        session.restart()
    return session.run.spec.created


def _broken(session: Session) -> str:
    try:
        return session.unusable(_ASKING)
    except SessionError as error:
        return error.problem


def _steps(
    exercise: Exercise,
    cells: Cells,
    executed: Sequence[ExecutedCell],
    versions: Sequence[ExecutedCell],
    born: float,
) -> list[Step]:
    """The missing setup cells, the code if the workers lack it, and the cells that run it."""
    missing = [cell for cell in cells.setup if not _is_there(cell, executed, born)]
    steps = [Step(f"setup cell {cell.id}", _without_beginning(cell.source)) for cell in missing]
    if not versions and cells.code is not None and not cells.is_own:
        raise BadInput(
            f"The cell of exercise {exercise.id} has not been run in this notebook.",
            f"Run it, then %mw_check --run {exercise.id} again.",
        )
    place = read(exercise.stub).place
    if not versions and cells.code is not None:
        steps.append(Step("your code", cells.code.source))
    elif place == "workers" and any(one.at < born for one in versions):
        steps += [Step("your code", one.source) for one in versions]
    run = [Step(f"cell {cell.id}", cell.source) for cell in cells.run]
    return [step for step in [*steps, *run] if step.source.strip()]


def _without_beginning(source: str) -> str:
    begun = workspaces.is_made() and not source.startswith("%%")
    return _BEGINS.sub("", source) if begun else source


def _is_there(cell: NotebookCell, executed: Sequence[ExecutedCell], born: float) -> bool:
    """Whether the names that the cell defines still exist."""
    since = born if read(cell.source).place == "workers" else 0.0
    return any(
        one.at >= since
        and not one.error
        and (same(one.source, cell.source) or bool(one.place and one.place == cell.id))
        for one in executed
    )


def execute_cell(shell: Any, cell: str) -> BaseException | None:
    """Execute a cell in the notebook; show and return the exception that it raised, if any."""
    names = shell.user_ns
    leaves = {name: names[name] for name in ("exit", "quit") if name in names}
    names.update(dict.fromkeys(leaves, sys.exit))  # these would end the kernel after the cell
    try:
        result = shell.run_cell(cell, store_history=False)
    finally:
        names.update({name: leaves[name] for name in leaves if names.get(name) is sys.exit})
    error: BaseException | None = result.error_before_exec or result.error_in_exec
    return error


# -- the learner's code in this process -----------------------------------------------------------


@contextlib.contextmanager
def contain(seconds: float) -> Iterator[Callable[[], bool]]:
    """Contain the body: its code may loop, fork, exit or print endlessly without harm.

    Yields:
        Whether the time limit has passed.
    """
    own, leave = os.getpid(), os._exit
    parent = int(os.environ.get("JPY_PARENT_PID") or os.getppid())  # even if it has just ended

    def exit_here(status: int = 0) -> Any:
        # A thread of ipykernel calls this once the parent has ended.
        if os.getpid() != own or processes.started_at(parent) is None:
            leave(status)
        raise SystemExit(status)

    with _limited(seconds) as late, contextlib.redirect_stdout(_Cut(sys.stdout)):
        os._exit = exit_here
        try:
            yield late
        finally:
            os._exit = leave
            if os.getpid() != own:  # a process that the code forked
                leave(0)


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[Callable[[], bool]]:
    """Interrupt the body after this many seconds, and again if it continues."""
    fired: list[bool] = []

    def interrupt(number: int, frame: object) -> None:
        fired.append(True)
        os.kill(os.getpid(), signal.SIGINT)  # as Ctrl-C does: a session's cell has its own handler

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False  # only the main thread receives signals
        return
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield lambda: bool(fired)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


class _Cut:
    """A stream that shows a limited amount of text."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._left = _LONGEST

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        if self._left > 0:
            self._stream.write(text[: self._left])
            self._left -= len(text)
            if self._left <= 0:
                self._stream.write(f"\nmwtutor shows only {_LONGEST} characters: print less.\n")
        return len(text)
