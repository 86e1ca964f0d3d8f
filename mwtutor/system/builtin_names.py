"""Python's built-in names as they were when the package was loaded, for code that must not fail.

A learner who writes ``builtins.len = 3`` has broken every module of the process.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager

_names = builtins.__dict__
_original = _names.copy()


@contextmanager
def original() -> Iterator[None]:
    """In its body every built-in name means what it does in Python; afterwards what it did."""
    changed = _names.copy()
    _names.update(_original)
    try:
        yield
    finally:
        _names.update(changed)
