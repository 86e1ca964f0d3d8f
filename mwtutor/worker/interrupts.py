"""Raise a cell's interrupt only where it takes effect and leaves a coordinator usable.

Python may raise ``KeyboardInterrupt`` almost anywhere in the main thread. mwtutor postpones it:

- in a call to a ``ClusterCoordinator``, until the call waits or is over. The thread may just have
  taken a lock, but not yet entered the block that releases it (``Condition.__enter__``); or it may
  have put a closure into the queue, but not yet woken the thread that takes closures. In both
  cases, the coordinator would hang.
- where TensorFlow looks up a ``tf.function``. ``OrderedDict.pop`` turns an exception in ``__eq__``
  into a ``KeyError``.

In a finalizer, Python reports an exception instead of passing it on. The interrupt would be lost
there, so it is sent again. After the cell it is ignored, because it could cut off the reply.
"""

from __future__ import annotations

import inspect
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

from mwtutor.worker.patches import coordination

#: Seconds between attempts to raise a postponed interrupt; seconds after which it is raised anyway.
AGAIN, LONGEST = 0.01, 1.0

#: Files of helpers: whether an interrupt is safe in them depends on the code that calls them.
_HELPERS = (threading.__file__, queue.__file__, inspect.__file__)

_COORDINATOR = "/distribute/coordinator/"
_POSTPONING = (_COORDINATOR, "/core/function/polymorphism/", "/core/function/trace_type/")

#: The methods of TensorFlow's queue of closures that the main thread calls.
_OF_QUEUE = ("put", "wait", "done")


def is_safe(frame: FrameType | None) -> bool:
    """Whether an exception raised in this innermost frame is seen and does no harm."""
    if frame is None:
        return True
    if frame.f_code is threading.Condition.wait.__code__ and "gotit" in frame.f_locals:
        return True  # the thread waits, and always takes its lock again
    while frame.f_back is not None and frame.f_code.co_filename in _HELPERS:
        frame = frame.f_back
    file = _file(frame)
    postpones = file == coordination.__file__ or any(place in file for place in _POSTPONING)
    return not (postpones or _is_of_queue(frame))


def _file(frame: FrameType) -> str:
    return frame.f_code.co_filename.replace(os.sep, "/")


def _is_of_queue(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name in _OF_QUEUE and _COORDINATOR in _file(frame):
            return True
        frame = frame.f_back
    return False


class Handler:
    """A handler of SIGINT that postpones an interrupt, and resends a lost one.

    Args:
        later: calls a function after some seconds, in another thread. It must take no lock
            that the main thread could hold.
    """

    def __init__(self, later: Callable[[float, Callable[[], None]], None]) -> None:
        self._later = later
        self._active = False  # whether there is something to interrupt
        self._since = 0.0  # when the postponed interrupt arrived; 0 if there is none

    def begin(self) -> None:
        """Accept interrupts from now on."""
        self._active, self._since = True, 0.0

    def end(self) -> None:
        """Ignore interrupts from now on, including a postponed one."""
        self._active, self._since = False, 0.0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if not self._active:
            return
        if is_safe(frame) or (self._since and time.monotonic() - self._since > LONGEST):
            self._since = 0.0
            raise KeyboardInterrupt
        self._postpone()

    def report(self, ignored: sys.UnraisableHookArgs) -> None:
        """Report an exception that Python ignored (``sys.unraisablehook``), except an interrupt."""
        if issubclass(ignored.exc_type, KeyboardInterrupt):
            if self._active:
                self._postpone()
        else:
            sys.__unraisablehook__(ignored)

    def _postpone(self) -> None:
        self._since = self._since or time.monotonic()
        self._later(AGAIN, self._send_again)

    def _send_again(self) -> None:
        if self._since:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
