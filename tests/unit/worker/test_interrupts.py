"""Where an interrupt may be raised: TensorFlow's own queue of closures, at each instruction."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

import pytest

from mwtutor.worker.interrupts import AGAIN, Handler, is_safe
from tests.support.waiting import until
from tests.unit.worker.test_in_collective import frame_in

pytestmark = pytest.mark.tensorflow


def new_queue():
    from tensorflow.python.distribute.coordinator import cluster_coordinator

    return cluster_coordinator._CoordinatedClosureQueue()


class Closure:
    def mark_cancelled(self) -> None: ...


class Interrupted:
    """Raises at one instruction of the call, if that is ``safe`` or if it is ``anywhere``."""

    def __init__(self, number: int, anywhere: bool) -> None:
        self.left = number
        self.anywhere = anywhere
        self.raised = False

    def __call__(self, frame: FrameType, event: str, argument: object) -> Interrupted:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            self.left -= 1
            if self.left < 0 and not self.raised and (self.anywhere or is_safe(frame)):
                self.raised = True
                raise KeyboardInterrupt
        return self

    def put(self, queue) -> None:
        before = sys.gettrace()
        sys.settrace(self)
        try:
            queue.put(Closure())
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(before)


def is_usable(queue) -> bool:
    """Whether the queue's locks are free, and any closure in it has been announced."""
    locks = (queue._put_wait_lock, queue._queue_lock, queue._queue.mutex)
    return not any(lock.locked() for lock in locks) and not (
        queue._queue.qsize() and queue._closures_queued_condition._waiters
    )


def interrupted_at(number: int, anywhere: bool) -> bool | None:
    """Whether the queue is usable after an interrupt there; None if the call has no such place."""
    queue = new_queue()
    taken = threading.Thread(target=queue.get, daemon=True)
    taken.start()
    until(lambda: queue._closures_queued_condition._waiters)
    call = Interrupted(number, anywhere)
    call.put(queue)
    if call.left >= 0:
        return None
    usable = is_usable(queue)
    if usable:
        queue.stop()
        taken.join()
    return usable


def all_places(anywhere: bool) -> list[bool]:
    found: list[bool] = []
    while (usable := interrupted_at(len(found), anywhere)) is not None:
        found.append(usable)
    return found


def test_wherever_it_comes_the_queue_stays_usable():
    assert all(all_places(anywhere=False))
    assert not all(all_places(anywhere=True)), "without the handler some places break it"


@pytest.mark.parametrize(
    ("file", "safe"), [("core/function/polymorphism/function_type.py", False), ("a.py", True)]
)
def test_where_tensorflow_looks_up_a_function_it_would_become_a_key_error(file, safe):
    assert is_safe(frame_in(file, "__eq__")) is safe


@pytest.fixture
def timers() -> list[threading.Timer]:
    return []


@pytest.fixture
def handler(timers) -> Iterator[Handler]:
    def later(seconds: float, call) -> None:
        timers.append(threading.Timer(seconds, call))
        timers[-1].start()

    handler = Handler(later)
    before = signal.signal(signal.SIGINT, handler)
    hook, sys.unraisablehook = sys.unraisablehook, handler.report
    try:
        handler.begin()
        yield handler
    finally:
        handler.end()
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = hook


def test_a_call_that_waits_is_interrupted_and_the_next_works(handler):
    queue, main = new_queue(), threading.main_thread().ident
    queue.put(Closure())

    def interrupt() -> None:
        until(lambda: queue._stop_waiting_condition._waiters)
        signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        queue.wait()
    assert not queue.done()
    queue.get()
    queue.mark_finished()
    assert queue.wait()


class Leaves:
    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_that_a_finalizer_swallowed_comes_again(handler):
    def swallow_and_wait() -> None:
        del_one()
        threading.Event().wait(1000 * AGAIN)

    with pytest.raises(KeyboardInterrupt):
        swallow_and_wait()


def del_one() -> None:
    Leaves()


def test_an_interrupt_of_code_that_is_over_is_forgotten(handler, timers):
    del_one()
    handler.end()
    timers[0].join()
    signal.raise_signal(signal.SIGINT)
