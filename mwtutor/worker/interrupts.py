"""Raise an interrupt of a cell only where it has its effect, and leaves a coordinator usable.

Python raises ``KeyboardInterrupt`` between any two calls of the main thread. In a call of a
``ClusterCoordinator`` this can be after a lock was taken, but before the block that releases it (in
``Condition.__enter__``), or after a closure was put into the queue, but before a thread was woken
to compute it: the coordinator would then never answer again. There the interrupt is postponed until
the call waits, or is over. In a finalizer Python only reports an exception: there the interrupt
would be lost, so it is sent again.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

from mwtutor.worker.patches import coordination

#: Seconds until a postponed interrupt is tried again, and after which it is raised anyway.
AGAIN, LONGEST = 0.01, 1.0

_LOCKING = (threading.__file__, queue.__file__)

#: The methods of TensorFlow's queue of closures that the main thread calls.
_OF_QUEUE = ("put", "wait", "done")


def is_safe(frame: FrameType | None) -> bool:
    """Whether an exception raised in this innermost frame leaves a coordinator usable."""
    if frame is None:
        return True
    if frame.f_code is threading.Condition.wait.__code__ and "gotit" in frame.f_locals:
        return True  # it waits, and takes its lock again whatever is raised
    while frame.f_back is not None and frame.f_code.co_filename in _LOCKING:
        frame = frame.f_back
    return not (_coordinates(frame) or _is_of_queue(frame))


def _coordinates(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return file == coordination.__file__ or "/distribute/coordinator/" in file.replace(os.sep, "/")


def _is_of_queue(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name in _OF_QUEUE and _coordinates(frame):
            return True
        frame = frame.f_back
    return False


class Handler:
    """A handler of SIGINT that postpones an interrupt, and sends one again that was lost.

    Args:
        later: calls a function after so many seconds, in another thread. It must take no lock that
            the main thread could hold.
    """

    def __init__(self, later: Callable[[float, Callable[[], None]], None]) -> None:
        self._later = later
        self._since = 0.0  # when the interrupt came that still has to be raised; 0 if none has

    def forget(self) -> None:
        """The code that was to be interrupted is over."""
        self._since = 0.0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if is_safe(frame) or (self._since and time.monotonic() - self._since > LONGEST):
            self._since = 0.0
            raise KeyboardInterrupt
        self._postpone()

    def report(self, ignored: sys.UnraisableHookArgs) -> None:
        """Report an exception that Python ignored (``sys.unraisablehook``), but no interrupt."""
        if issubclass(ignored.exc_type, KeyboardInterrupt):
            self._postpone()
        else:
            sys.__unraisablehook__(ignored)

    def _postpone(self) -> None:
        self._since = self._since or time.monotonic()
        self._later(AGAIN, self._send_again)

    def _send_again(self) -> None:
        if self._since:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
