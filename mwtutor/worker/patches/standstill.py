"""Prevent the stall when a ``tf.data`` iterator is released, as at the end of ``fit``.

**What happens.** An iterator with autotuning has a thread that reconsiders the pipeline's
parameters after 10 ms, 20 ms, 40 ms and so on, up to every 60 s (``Model::OptimizeLoop`` in
TensorFlow's ``core/framework/model.cc``). Releasing the iterator cancels that thread and waits
for it. ``CancellationManager::StartCancelWithStatus`` runs its callbacks first, one of which wakes
the thread, and then sets the flag that the thread checks (``is_cancelled_``). A thread that
wakes on an idle core before the flag is set sees nothing to do and sleeps for the rest of its
period: a lost wake-up. As periods double, that is about as long as the iterator has lived, and at
most 60 s. Distribution is not the cause; a long ``fit`` on a machine with few cores only makes the
stall frequent and long.

**The remedy.** A separate thread drops the references that an iterator holds, and the thread that
releases the iterator waits at most `GRACE` seconds. TensorFlow releases the GIL around the
destructor, so the program continues. Autotuning, the pipeline and its output stay unchanged, and an
unaffected release still ends before the caller continues. After an affected one, a sleeping thread
remains for the rest of its period.

**At the end of the process** that thread must not wake into an interpreter that is being taken
down: CPython would end it by unwinding TensorFlow's C++ frames, which aborts the process (seen:
"FATAL: exception not rethrown", SIGABRT). A task ends with :func:`mwtutor.system.child.leave`,
which does not take the interpreter down.

**What is not covered.** Iterators of a graph-mode session (Estimator): the session owns those.
Iterators that are still referenced when the interpreter is already shutting down.

**When to remove it.** When ``is_cancelled_`` is set before the callbacks run, or the loop also
checks ``IsCancelling()``; ``benchmarks/standstill.py`` then finds no slow runs even without the
remedy. Observed with TensorFlow 2.15.1 to 2.21.0; the code has been like this since at least 2.6.
"""

from __future__ import annotations

import _thread
import sys
from types import ModuleType
from typing import Any

from mwtutor.system.importhook import when_imported

GRACE = 0.25
"""Seconds that a release may delay the program. An unaffected release takes a few milliseconds."""

_OPS = "tensorflow.python.data.ops"
# Module -> its iterator's class, and that class's attribute for the native iterator: a concrete
# tensor if the object owns one, a symbol while a tf.function is traced.
_ITERATORS = {
    f"{_OPS}.iterator_ops": ("OwnedIterator", "_iterator_resource"),
    f"{_OPS}.multi_device_iterator_ops": (
        "OwnedMultiDeviceIterator",
        "_multi_device_iterator_resource",
    ),
}

_pending: set[_thread.LockType] = set()
_installed = False


def install() -> None:
    """Prevent the stall when ``tf.data`` iterators are released in this process.

    Call it before the user's program runs, before or after TensorFlow is imported; it does not
    import TensorFlow. Calling it again does nothing.
    """
    global _installed
    if _installed:
        return
    _installed = True
    for module in _ITERATORS:
        when_imported(module, _patch)


def pending() -> int:
    """The number of releases that exceeded `GRACE` and are still waiting in the background."""
    return len(_pending)


def _patch(module: ModuleType) -> None:
    name, resource = _ITERATORS[module.__name__]
    iterator = getattr(module, name)
    inherited = getattr(iterator, "__del__", None)

    def release(self: Any) -> None:
        if inherited is not None:
            inherited(self)
        _release(self, resource)

    iterator.__del__ = release


def _release(iterator: Any, resource: str) -> None:
    """Drop the references of ``iterator`` in another thread; wait for that, but not for long."""
    held = vars(iterator)
    if not hasattr(held.get(resource), "_numpy") or sys.is_finalizing():
        return
    box = dict(held)
    held.clear()
    released = _thread.allocate_lock()
    released.acquire()
    _pending.add(released)
    # Not threading.Thread: __del__ runs wherever the collector does, so only mwtutor's own lock may
    # be needed here; nor should the program see an extra entry in threading.enumerate().
    try:
        _thread.start_new_thread(_drop, (box, released))
    except RuntimeError:  # no thread available: release it here, as TensorFlow does
        _drop(box, released)
    del box
    released.acquire(timeout=GRACE)


def _drop(box: dict[str, Any], released: _thread.LockType) -> None:
    box.clear()
    _pending.discard(released)
    released.release()
