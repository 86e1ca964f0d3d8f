"""Postpones the import of a module that files name until it is first used.

To collect the rows, pytest imports the files with their code, which only the processes of a cluster
execute. Importing TensorFlow there would take seconds in each process of the tests.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.__name__), name)


@contextmanager
def imported_when_used(name: str) -> Iterator[None]:
    """Within the context, ``import name`` imports nothing yet, unless it has been imported."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = _Later(name)
    try:
        yield
    finally:
        del sys.modules[name]
