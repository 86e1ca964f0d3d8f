"""Python's built-in names as of the package's import, for code that must not fail.

A learner who writes ``builtins.len = 3`` breaks every module of the process.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager

_names = builtins.__dict__
_original = _names.copy()


@contextmanager
def original() -> Iterator[None]:
    """Within the context, every built-in name has its original meaning."""
    changed = _names.copy()
    _names.update(_original)
    try:
        yield
    finally:
        _names.update(changed)
