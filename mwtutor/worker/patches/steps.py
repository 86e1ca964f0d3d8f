"""Time the steps of a custom training loop.

A step of such a loop is a call of a ``tf.function``, or of ``strategy.run`` outside one, in which
other workers take part: tracing or executing it built a collective operation. Keras reports its own
steps (:mod:`mwtutor.worker.patches.progress`); for a call between them only the time is recorded,
as time spent with the others.
"""

from __future__ import annotations

import functools
import os
import time
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

from mwtutor.system import wrapping
from mwtutor.system.importhook import when_imported
from mwtutor.worker import moments
from mwtutor.worker.patches import builders

#: Functions in which a collective was built.
_together: weakref.WeakSet[Any] = weakref.WeakSet()

#: The function of the outermost call that is being timed, if any.
_outermost: list[Any] = []


def install() -> None:
    functions = "tensorflow.python.eager.polymorphic_function.polymorphic_function"
    when_imported(functions, _time_functions)
    when_imported("tensorflow.python.distribute.distribute_lib", _time_runs)
    builders.wrap(builders.COMBINING, _noting)
    when_imported("tensorflow.python.util.traceback_utils", _hide_frames)


def _time_functions(module: ModuleType) -> None:
    module.Function.__call__ = _timed(module.Function.__call__)


def _time_runs(module: ModuleType) -> None:
    module.StrategyBase.run = _timed(module.StrategyBase.run)


def _timed(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def timed(self: Any, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True  # IPython leaves this frame out of a cell's traceback
        if _outermost or not moments.here():
            return call(self, *args, **kwargs)
        _outermost.append(self)
        try:
            return _measured(call, self, args, kwargs)
        finally:
            _outermost.clear()

    # In a tf.function, this wrapper runs unchanged: AutoGraph need not convert it.
    timed.autograph_info__ = None  # type: ignore[attr-defined]
    return timed


def _measured(call: Callable[..., Any], self: Any, args: Any, kwargs: Any) -> Any:
    """Time a call from outside TensorFlow; the first call shows whether others take part."""
    __tracebackhide__ = True
    known = self in _together
    is_step = known and not moments.in_keras() and not _is_ours(self)
    begun = time.perf_counter()
    if is_step:
        moments.step_begins()
    try:
        return call(self, *args, **kwargs)
    finally:
        if is_step:
            moments.step_ends()
        elif known or self in _together:
            moments.note_exchange(time.perf_counter() - begun)


def _is_ours(function: Any) -> bool:
    """Whether the function is one of the exchanges that a compatibility layer adds to a program."""
    python = getattr(function, "python_function", None)
    return str(getattr(python, "__module__", "")).startswith("mwtutor.")


def _hide_frames(module: ModuleType) -> None:
    """Let TensorFlow leave mwtutor's frames, like its own, out of an error "in user code"."""
    ours = os.path.dirname(__file__), wrapping.__file__
    module._EXCLUDED_PATHS = (*module._EXCLUDED_PATHS, *ours)  # type: ignore[attr-defined]


def _noting(_: str, build: builders.Build) -> builders.Build:
    def noting(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        if _outermost:
            _together.add(_outermost[0])
            return build(*args, **kwargs)
        if not moments.here():
            return build(*args, **kwargs)
        begun = time.perf_counter()
        try:
            return build(*args, **kwargs)
        finally:
            moments.note_exchange(time.perf_counter() - begun)

    return noting
