"""Progress and metrics: emitted inside a task, read from the run's event log.

A task has one pipe to its supervisor. Messages are small and never block the training: a message
that does not fit immediately is dropped, except the few that report how a program ended.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import math
import os
import select
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

#: Seconds between two progress messages of one task; the end of an epoch may be sent sooner.
INTERVAL = 0.25

#: Minimum seconds from a progress message to the one at the end of an epoch; keeps the log small.
EPOCHS = 0.1

#: Seconds after which a held-back message is sent if nothing newer came, so that the position of a
#: worker that hangs in a collective is known.
LATER = 0.5

#: Bytes that a pipe accepts in one piece or not at all (POSIX: PIPE_BUF is at least 512; Linux
#: 4096).
_ATOMIC = 4000


class Channel:
    """The task's end of the pipe to its supervisor."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._pid = os.getpid()
        self._still_ours = ownership(fd)
        os.set_blocking(fd, False)

    def send(self, event: str, *, wait: float = 0.0, **fields: Any) -> None:
        """Send one event; wait up to ``wait`` seconds for space in the pipe."""
        if os.getpid() != self._pid:  # a process forked by the program is not the task
            return
        if not self._still_ours():  # the program closed it, and may have reused the number
            return
        line = json.dumps({"event": event, **fields}, default=str).encode() + b"\n"
        if len(line) > _ATOMIC:  # for example because of long metric names; the program continues
            return
        try:
            if wait:
                select.select([], [self._fd], [], wait)
            os.write(self._fd, line)
        except (OSError, ValueError):
            pass  # the pipe is full or closed; the program must not fail


def ownership(fd: int) -> Callable[[], bool]:
    """A check that ``fd`` is still the same file: a program may close any descriptor."""
    born = os.fstat(fd)

    def still_ours() -> bool:
        try:
            return os.path.samestat(os.fstat(fd), born)
        except OSError:
            return False

    return still_ours


_channel: Channel | None = None
_last_sent = 0.0
_warned = False

#: The newest position that came too soon after another, as arguments of :func:`progress`.
_held: deque[dict[str, Any]] = deque(maxlen=1)

#: The lock held while a position is sent. It is reentrant, because a signal handler may send a
#: position while its thread is sending one.
_order = threading.RLock()

#: Whether a thread for held-back messages exists. Only a task that reports has one.
_minded = False


def connect(fd: int) -> Channel:
    """Make ``fd`` the channel of this process. Called once, before the program starts."""
    global _channel
    _channel = Channel(fd)
    os.register_at_fork(after_in_child=_leave)
    return _channel


def _leave() -> None:
    """Forget the channel in a process that the program forks: it is not a task."""
    global _channel, _order, _minded
    _channel, _order, _minded = None, threading.RLock(), False
    _held.clear()


def send(event: str, *, wait: float = 0.0, **fields: Any) -> None:
    """Send an event if this process is a task of a run; otherwise do nothing."""
    if _channel is not None:
        _channel.send(event, wait=wait, **fields)


def progress(**position: Any) -> None:
    """Send the training's position now, even if another message was just sent.

    Args:
        position: ``step``, ``steps``, ``epoch``, ``epochs``, ``over_epoch`` and ``metrics``, a
            dictionary, as far as they are known. ``unfit`` is called with the name of each value
            that is left out because it is not a number, and why.
    """
    fields = _fields(**position)
    with _order:
        _send_position(fields)


def _send_position(fields: dict[str, Any]) -> None:
    global _last_sent
    _last_sent = time.monotonic()
    _held.clear()  # this is newer than the held-back message
    send("progress", **fields)


def _fields(
    *,
    metrics: dict[str, Any] | None = None,
    unfit: Callable[[str, Exception], None] | None = None,
    **position: Any,
) -> dict[str, Any]:
    """The parts of a position that can be sent."""
    given = {name: value for name, value in position.items() if value is not None}
    return {
        **_converted(given, _whole, unfit),
        "metrics": _converted(metrics or {}, _number, unfit),
    }


def advanced(interval: float = INTERVAL, **position: Any) -> None:
    """Send the training's position now, or a little later if the last message was just sent.

    Args:
        interval: the minimum number of seconds between the two messages.
        position: as for :func:`progress`.
    """
    if _channel is None:
        return
    if time.monotonic() - _last_sent >= interval:
        progress(**position)
        return
    _held.append(position)
    if not _minded:
        _mind()


def epoch_ended(**position: Any) -> None:
    """Report the end of an epoch; if epochs are very short, only the last is certain to be sent."""
    advanced(EPOCHS, **position)


def report(step: int | None = None, *, epoch: int | None = None, **metrics: Any) -> None:
    """Report the progress of your own training loop.

    Works in any program: outside a run it does nothing, so the program also runs elsewhere. Call it
    as often as you like: at most one message per quarter of a second is sent, plus the last one
    before the program ends or stops reporting. A tensor is read only when a message is sent. A
    value that cannot be read as one number is left out, and a line on standard error says so once.

    Args:
        step: steps done so far.
        epoch: epoch now in progress, counted from 1.
        **metrics: numbers (or scalar tensors or arrays) by name, for example ``loss=0.3``.
    """
    advanced(step=step, epoch=epoch, metrics=metrics, unfit=_warn)


#: AutoGraph must not convert ``report`` in a ``tf.function``: the numbers would become operations.
report.autograph_info__ = None  # type: ignore[attr-defined]


def flush() -> None:
    """At the program's end, send the message that is still held back."""
    with contextlib.suppress(IndexError):
        progress(**_held.pop())


def _mind() -> None:
    """Start a thread that sends held-back messages; it lives as long as there are any."""
    global _minded
    _minded = True
    # The program's main thread handles all signals.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        # Not threading.Thread: the program should not see one more name in threading.enumerate().
        _thread.start_new_thread(_send_later, ())
    except RuntimeError:  # no thread available: sent with the next message, or at the end
        _minded = False
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _send_later() -> None:
    global _minded
    while True:
        time.sleep(LATER)
        try:
            newest = _held[0]
        except IndexError:
            _minded = False
            if not _held:  # or something has arrived since the check
                return
            _minded = True
            continue
        if time.monotonic() - _last_sent >= INTERVAL:
            _send_unless_older(newest)


def _send_unless_older(position: dict[str, Any]) -> None:
    """Send the held-back message, unless the program has progressed in the meantime."""
    values = [*position.values(), *(position.get("metrics") or {}).values()]
    if not all(map(_is_still, values)):
        return  # the program's thread sends it when it progresses or ends
    fields = _fields(**position)  # may wait for a device, and must not delay anything else
    with _order:
        if _held and _held[0] is position:
            _send_position(fields)


def _is_still(value: Any) -> bool:
    """Whether reading a value computes nothing; a strategy's variable may need a collective."""
    kind = type(value)
    return kind.__module__ in ("builtins", "numpy") or kind.__name__ == "EagerTensor"


def _warn(name: str, error: Exception) -> None:
    """Report that a value is not a number, but only once."""
    global _warned
    if not _warned:
        _warned = True
        with contextlib.suppress(Exception):  # the program may have replaced the stream
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
    """The value, rounded to seven digits, the precision of a float32; NaN and infinity stay."""
    number = float(value)
    return float(f"{number:.7g}") if math.isfinite(number) else number
