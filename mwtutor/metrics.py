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
import sys
import time
from collections.abc import Callable
from typing import Any

#: Seconds between two progress messages of one task; the end of an epoch may come sooner.
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
        self._still_ours = ownership(fd)
        os.set_blocking(fd, False)

    def send(self, event: str, *, wait: float = 0.0, **fields: Any) -> None:
        """Send one event; wait up to ``wait`` seconds for room in the pipe."""
        if os.getpid() != self._pid:  # a process forked by the program is not the task
            return
        if not self._still_ours():  # the program has closed it: what it opens since is its own
            return
        line = json.dumps({"event": event, **fields}, default=str).encode() + b"\n"
        if len(line) > _ATOMIC:  # because of its metrics' names, say: not the program's problem
            return
        try:
            if wait:
                select.select([], [self._fd], [], wait)
            os.write(self._fd, line)
        except (OSError, ValueError):
            pass  # full (the reader is behind) or gone: not the program's problem


def ownership(fd: int) -> Callable[[], bool]:
    """How to tell whether ``fd`` is still what it is now: a program may close what it finds."""
    born = os.fstat(fd)

    def still_ours() -> bool:
        try:
            return os.path.samestat(os.fstat(fd), born)
        except OSError:
            return False

    return still_ours


_channel: Channel | None = None
_last_sent = 0.0
_unsent: Callable[[], None] | None = None
_warned = False


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
    unfit: Callable[[str, Exception], None] | None = None,
) -> None:
    """Send where the training stands now, whether or not :func:`due`.

    Args:
        unfit: told the name of each value that is left out because it is no number, and why.
    """
    global _last_sent, _unsent
    _last_sent = time.monotonic()
    _unsent = None  # this is newer than what waits
    position = {"step": step, "steps": steps, "epoch": epoch, "epochs": epochs}
    given = {name: value for name, value in position.items() if value is not None}
    send(
        "progress",
        **_converted(given, _whole, unfit),
        metrics=_converted(metrics or {}, _number, unfit),
    )


def epoch_ended(**position: Any) -> None:
    """Send how an epoch ended; of very short epochs, only the last is certain to be sent."""
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
    call before the program ends. A tensor is read only when a message is sent. What cannot be read
    as one number is left out, and a line on standard error says so once.

    Args:
        step: steps done so far.
        epoch: epoch now in progress, the first is 1.
        **metrics: numbers (or scalar tensors or arrays) by name, for example ``loss=0.3``.
    """
    global _unsent
    send_it = functools.partial(progress, step=step, epoch=epoch, metrics=metrics, unfit=_warn)
    if due():
        _unsent = None
        send_it()
    elif _channel is not None:
        _unsent = send_it


#: Called in a ``tf.function``, it runs as it is: AutoGraph would make operations of its numbers.
report.autograph_info__ = None  # type: ignore[attr-defined]


def flush() -> None:
    """Send the last :func:`report` that came too soon after another; at the program's end."""
    global _unsent
    waiting, _unsent = _unsent, None
    if waiting is not None:
        waiting()


def _warn(name: str, error: Exception) -> None:
    """Say once that what was reported is no number: never more than that, whatever it is."""
    global _warned
    if not _warned:
        _warned = True
        with contextlib.suppress(Exception):  # the program's own stream
            print(
                f"mwtutor.report left out {name}, which could not be read as one number"
                f" ({type(error).__name__}): pass a number or a scalar tensor,"
                " and call it outside a tf.function.",
                file=sys.stderr,
            )


def _converted(
    values: dict[str, Any],
    convert: Callable[[Any], float],
    unfit: Callable[[str, Exception], None] | None,
) -> dict[str, float]:
    """The values that are numbers, at most 24 of them."""
    numbers: dict[str, float] = {}
    for name, value in list(values.items())[:24]:
        try:
            numbers[str(name)[:60]] = convert(value)
        except Exception as error:  # the program's own objects may raise anything
            if unfit is not None:
                unfit(str(name)[:60], error)
    return numbers


def _whole(value: Any) -> int:
    number = int(value)
    if abs(number) >= 1 << 63:
        raise OverflowError
    return number


def _number(value: Any) -> float:
    """To seven digits, what a float32 holds; NaN and infinity as they are."""
    number = float(value)
    return float(f"{number:.7g}") if math.isfinite(number) else number
