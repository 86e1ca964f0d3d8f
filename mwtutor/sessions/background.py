"""Cells that are executed in the background, one after the other."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as Late  # before Python 3.11, not the built-in one

from mwtutor import notices
from mwtutor.exceptions import (
    CellInterrupted,
    Interrupted,
    MwtutorError,
    NoAnswer,
    SessionError,
    message_of,
)
from mwtutor.run.request.option_kinds import Seconds
from mwtutor.sessions.execution import Interrupts
from mwtutor.sessions.result import CellResult, Listener

#: How many finished cells of a session keep their output.
KEPT = 16


class BackgroundCell:
    """A cell that a thread executes and follows to its end.

    Args:
        follow: executes the cell, and returns how it ended; the argument counts the cell's
            interrupts.
        before: the cell to wait for first.
        why_ended: returns why the session has ended; empty if it has not.

    Attributes:
        count: the cell's number in its notebook; 0 if unknown.
        listener: receives its output, in that thread.
        submitted: when it was submitted (seconds on the monotonic clock).
        begun: when its turn came; 0 if it is still queued.
    """

    def __init__(
        self,
        follow: Callable[[Interrupts], CellResult],
        before: BackgroundCell | None,
        *,
        count: int,
        listener: Listener,
        why_ended: Callable[[], str],
    ) -> None:
        self.count = count
        self.listener = listener
        self.submitted = time.monotonic()
        self.begun = 0.0
        self._why_ended = why_ended
        self._follow = follow
        self._before = before
        self._interrupts = Interrupts()
        self._abandoned = ""
        self._result: Future[CellResult] = Future()
        self._thread = threading.Thread(
            target=self._run, name="mwtutor-background-cell", daemon=True
        )
        self._thread.start()

    def __repr__(self) -> str:
        return f"<BackgroundCell {self.count}: {'done' if self.done() else 'not done'}>"

    @property
    def name(self) -> str:
        """The cell's name within a sentence."""
        return f"cell {self.count}" if self.count else "a cell"

    @property
    def title(self) -> str:
        """The cell's name at the beginning of a sentence."""
        return f"{self.name[0].upper()}{self.name[1:]}"

    def done(self) -> bool:
        """Whether the cell has ended, or will never be executed."""
        return self._result.done()

    def wait(self, timeout: float = 0.0) -> bool:
        """Wait until the cell is done, and return whether it is.

        Args:
            timeout: seconds to wait; 0 waits forever.

        Raises:
            Interrupted: this process was interrupted; the cell continues.
        """
        seconds = Seconds().check(timeout, "timeout")
        with self.left_by_interrupt(), contextlib.suppress(CancelledError):
            try:
                self._result.exception(seconds or None)
            except Late:
                return False
        return True

    @contextlib.contextmanager
    def left_by_interrupt(self) -> Iterator[None]:
        """Turn an interrupt in the context into an error that says what continues."""
        try:
            yield
        except KeyboardInterrupt:
            raise Interrupted(
                f"The wait for {self.name} was interrupted; the cell continues in the background.",
                "To interrupt that cell: %mw_interrupt",
            ) from None

    def result(self, timeout: float = 0.0) -> CellResult:
        """How the cell ended.

        Args:
            timeout: seconds to wait; 0 waits forever.

        Raises:
            NoAnswer: it is not done yet.
            Interrupted: this process was interrupted; the cell continues.
            CellInterrupted: it was interrupted before its turn came.
            SessionError: the session ended first, or a worker ended while it executed the cell.
        """
        if not self.wait(timeout):
            raise self.late(timeout)
        try:
            return self._result.result()
        except CancelledError:
            raise CellInterrupted(
                f"{self.title} was interrupted before its turn came.",
                "Run it again to execute it.",
            ) from None

    def when_done(self, call: Callable[[str], object]) -> None:
        """Call a function once, with a sentence on how the cell ended, in the thread that ends it.

        If the cell has already ended, the current thread calls the function.
        """

        def tell(_: Future[CellResult]) -> None:
            with contextlib.suppress(Exception):  # nothing in that thread could report it
                call(self._ending())

        self._result.add_done_callback(tell)

    def _ending(self) -> str:
        try:
            self.result().check()
        except CellInterrupted:
            return f"{self.title} was interrupted."
        except MwtutorError as error:
            cut = error.problem.startswith(self.title)  # a sentence about this cell
            return error.problem if cut else f"{self.title} failed: {error.problem}"
        except Exception as error:
            return f"{self.title} failed: {message_of(error)}."
        return f"{self.title} succeeded."

    def abandon(self, reason: str) -> None:
        """Record that the cell's workers are about to be stopped, and why."""
        self._abandoned = reason

    def late(self, seconds: float) -> NoAnswer:
        """The error that says that the cell is not done after this many seconds."""
        return NoAnswer(
            f"{self.title} is not done after {seconds:g} s.",
            "It continues in the background: wait again, or interrupt it with %mw_interrupt.",
        )

    def interrupt(self) -> None:
        """Interrupt the cell on every worker; the second time, stop waiting for it.

        If its turn has not come yet, it is not executed.
        """
        if not self._result.cancel():
            self._interrupts.count += 1

    def _run(self) -> None:
        if self._before is not None:
            self._before._thread.join()  # even if that cell is not executed
            self._before = None  # the other cell's output need not be kept for this one
        if not self._result.set_running_or_notify_cancel():
            return
        executed = not self._abandoned and not self._why_ended()
        self.begun = time.monotonic()
        try:
            self._result.set_result(self._follow(self._interrupts))
        except BaseException as error:  # the caller of result() receives it
            reason = self._abandoned or self._why_ended()
            self._result.set_exception(self._cut_short(reason, executed) if reason else error)

    def _cut_short(self, reason: str, executed: bool) -> SessionError:
        what = "was cut short" if executed else "was not executed"
        return SessionError(
            f"{self.title} {what}, because its session ended: {reason}.",
            "Run it again, in a session that is running.",
        )


class BackgroundCells:
    """The cells that a session executes in the background, one after the other.

    Args:
        why_ended: returns why the session has ended; empty if it has not.
    """

    def __init__(self, why_ended: Callable[[], str]) -> None:
        self._why_ended = why_ended
        self._cells: list[BackgroundCell] = []

    def add(
        self, follow: Callable[[Interrupts], CellResult], count: int, listener: Listener
    ) -> BackgroundCell:
        """Execute a cell after those that were added before it; see :class:`BackgroundCell`."""
        done = [cell for cell in self._cells if cell.done()]
        for old in done[:-KEPT]:
            self._cells.remove(old)
        before = self._cells[-1] if self._cells else None
        cell = BackgroundCell(
            follow, before, count=count, listener=listener, why_ended=self._why_ended
        )
        self._cells.append(cell)
        return self._cells[-1]

    def undone(self) -> list[BackgroundCell]:
        """The cells that are not done; the one that is being executed comes first."""
        return [cell for cell in self._cells if not cell.done()]

    def wait(self) -> None:
        """Wait until all cells are done, and tell the user about the wait.

        Raises:
            Interrupted: this process was interrupted; the cells continue.
        """
        for cell in self.undone():
            # An interrupt may also arrive while the sentence is shown.
            with cell.left_by_interrupt():
                notices.notice(f"Waiting for {cell.name}, which is running in the background.")
                cell.wait()

    def abandon(self, reason: str, stop: Callable[[], object]) -> None:
        """End all cells, if there are any, because their threads use the links to the workers.

        Args:
            stop: stops the workers.
        """
        undone = self.undone()
        for cell in undone:
            cell.abandon(reason)
        if undone:
            stop()
        for cell in undone:
            cell.wait()

    def find(self, count: int = 0) -> BackgroundCell:
        """The latest cell, or the one with that number.

        Raises:
            SessionError: there is no such cell.
        """
        for cell in reversed(self._cells):
            if count in (0, cell.count):
                return cell
        if not self._cells:
            raise SessionError(
                "No cell of this session was executed in the background.",
                "Begin one with %%mw --background.",
            )
        known = ", ".join(str(cell.count) for cell in self._cells)
        raise SessionError(
            f"There is no output of a background cell {count}.",
            f"Choose one of: {known}.",
        )
