"""Progress and metrics: emitted inside a task, read from the run's event log.

A task has one pipe to its supervisor. What goes through it is small and never blocks the training:
a message that does not fit at once is dropped, except the few that say how a program ended.
"""

from __future__ import annotations

import contextlib
import functools
import json
import math
import os
import select
import time
from collections.abc import Callable
from typing import Any

#: Seconds between two progress messages of one task; an epoch that ends has less to wait.
INTERVAL = 0.25

#: Seconds between a progress message and the next that ends an epoch, so that a log stays small.
EPOCHS = 0.1

#: A pipe takes this much in one piece or not at all (POSIX: PIPE_BUF is at least 512; Linux 4096).
_ATOMIC = 4000


class Channel:
    """The task's end of the pipe to its supervisor."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._pid = os.getpid()
        os.set_blocking(fd, False)

    def send(self, event: str, *, wait: float = 0.0, **fields: Any) -> None:
        """Send one event; wait up to ``wait`` seconds for room in the pipe."""
        if os.getpid() != self._pid:  # a process forked by the program is not the task
            return
        line = json.dumps({"event": event, **fields}, default=str).encode() + b"\n"
        if len(line) > _ATOMIC:  # the names of its metrics, say: never the program's trouble
            return
        try:
            if wait:
                select.select([], [self._fd], [], wait)
            os.write(self._fd, line)
        except OSError:  # full (the reader is behind) or gone: never the program's trouble
            pass


_channel: Channel | None = None
_last_sent = 0.0
_unsent: Callable[[], None] | None = None


def connect(fd: int) -> Channel:
    """Make ``fd`` the channel of this process; called once, before the program starts."""
    global _channel
    _channel = Channel(fd)
    return _channel


def send(event: str, *, wait: float = 0.0, **fields: Any) -> None:
    """Send an event if this process is a task of a run; otherwise do nothing."""
    if _channel is not None:
        _channel.send(event, wait=wait, **fields)


def due() -> bool:
    """Whether enough time has passed for another progress message."""
    return _channel is not None and time.monotonic() - _last_sent >= INTERVAL


def progress(
    *,
    step: int | None = None,
    steps: int | None = None,
    epoch: int | None = None,
    epochs: int | None = None,
    metrics: dict[str, Any] | None = None,
) -> None:
    """Send where the training stands now, whether or not :func:`due`."""
    global _last_sent, _unsent
    _last_sent = time.monotonic()
    _unsent = None  # this is newer than what waits
    position = {"step": step, "steps": steps, "epoch": epoch, "epochs": epochs}
    send(
        "progress",
        **_whole(position),
        metrics=_numbers(metrics or {}),
    )


def epoch_ended(**position: Any) -> None:
    """Send how an epoch ended; of epochs that take a moment only, the last is sure to be sent."""
    global _unsent
    if _channel is not None and time.monotonic() - _last_sent < EPOCHS:
        _unsent = functools.partial(progress, **position)
    else:
        _unsent = None
        progress(**position)


def report(step: int | None = None, *, epoch: int | None = None, **metrics: Any) -> None:
    """Report the progress of a training loop of your own.

    Works in any program: outside a run it does nothing, so the program also runs elsewhere. Call
    it as often as you like; at most one message each quarter of a second is sent, and the last
    call before the program ends. A tensor is read only when a message is sent.

    Args:
        step: steps done so far.
        epoch: epoch now in progress, the first is 1.
        **metrics: numbers (or scalar tensors or arrays) by name, for example ``loss=0.3``.
    """
    global _unsent
    if due():
        _unsent = None
        progress(step=step, epoch=epoch, metrics=metrics)
    elif _channel is not None:
        _unsent = functools.partial(progress, step=step, epoch=epoch, metrics=metrics)


def flush() -> None:
    """Send the last :func:`report` that came too soon after another; at the program's end."""
    global _unsent
    waiting, _unsent = _unsent, None
    if waiting is not None:
        waiting()


def _whole(position: dict[str, Any]) -> dict[str, int]:
    """The numbers of a position that are whole ones."""
    numbers: dict[str, int] = {}
    for name, value in position.items():
        with contextlib.suppress(Exception):  # as below; and what is None is not known
            if abs(number := int(value)) < 2**63:
                numbers[name] = number
    return numbers


def _numbers(metrics: dict[str, Any]) -> dict[str, float]:
    """The metrics that are numbers, at most 24 of them, NaN and infinity as JSON cannot say."""
    numbers: dict[str, float] = {}
    for name, value in list(metrics.items())[:24]:
        try:
            number = float(value)
        except Exception:  # whatever the program's own class raises: it is not to fail for this
            continue
        # Seven digits: what a float32 holds.
        numbers[str(name)[:60]] = float(f"{number:.7g}") if math.isfinite(number) else number
    return numbers
