"""Wait for something that must happen, as long as it takes, but no longer than a test may run."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import psutil

from mwtutor.run.record.state import RunState
from mwtutor.run.run import Run

T = TypeVar("T")


def until(
    condition: Callable[[], T], seconds: float = 60.0, otherwise: Callable[[], object] | str = ""
) -> T:
    """The condition's value, as soon as it is true.

    Args:
        condition: called fifty times a second.
        seconds: the time limit; then the test fails.
        otherwise: the failure's message, or a function that returns it.
    """
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            why = otherwise() if callable(otherwise) else otherwise
            raise AssertionError(f"after {seconds:g} s: {why or 'it did not happen'}")
        time.sleep(0.02)
    return found


def until_state(
    run: Run, condition: Callable[[RunState], object], seconds: float = 60.0
) -> RunState:
    """The first state of a run in which the condition holds; the run must not end before that."""

    def reached() -> RunState | None:
        state = run.state
        if condition(state):
            return state
        assert state.outcome is None, f"ended before: {state.outcome}"
        return None

    return until(reached, seconds, lambda: run.state)


def until_ended(processes: Sequence[psutil.Process], seconds: float = 30.0) -> None:
    """Wait until the processes have ended, whether or not their parents have noticed.

    A process whose main thread has ended counts as a zombie while other threads, which may hold its
    sockets, are still ending.
    """

    def left() -> list[psutil.Process]:
        found = []
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                is_zombie = process.status() == psutil.STATUS_ZOMBIE
                if process.is_running() and not (is_zombie and process.num_threads() <= 1):
                    found.append(process)
        return found

    until(lambda: not left(), seconds, left)
