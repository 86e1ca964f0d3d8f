"""Which of the user's lines used TensorFlow first: later settings of its runtime come too late.

TensorFlow starts its runtime at the first operation, or at the first query about devices, and never
reports where that was.
"""

from __future__ import annotations

import functools
import sys
import traceback
from types import ModuleType
from typing import Any

from mwtutor.system import child
from mwtutor.system.importhook import when_imported

_first: list[traceback.FrameSummary] = []


def install() -> None:
    """Watch for that line once this process imports TensorFlow; afterward, this costs nothing."""
    when_imported("tensorflow.python.eager.context", _watch)


def line() -> traceback.FrameSummary | None:
    """The user's line that started TensorFlow's runtime; None if unknown."""
    return _first[0] if _first else None


def _watch(module: ModuleType) -> None:
    # Every path to the runtime calls ``Context.ensure_initialized``, and so does nearly every
    # operation; so the original is restored immediately.
    context = module.Context
    original = context.ensure_initialized

    @functools.wraps(original)
    def ensure_initialized(self: Any) -> None:
        context.ensure_initialized = original
        if not self._initialized:
            _first[:] = _users_line()
        original(self)

    context.ensure_initialized = ensure_initialized


def _users_line() -> list[traceback.FrameSummary]:
    frame = sys._getframe(2)
    while frame is not None and child.is_installed(frame.f_code.co_filename):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return []
    code = frame.f_code
    return [traceback.FrameSummary(code.co_filename, frame.f_lineno, code.co_name)]
