"""Make ``mw_digits`` known to TensorFlow Datasets without importing it here.

A builder is registered by defining its class, which takes ``tensorflow_datasets``: half a second
that a program without TFDS should not pay. So the class is defined when TFDS is imported, or at
once where it has been.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

_TFDS = "tensorflow_datasets"


def register() -> None:
    """Register the builder ``mw_digits`` now, importing TensorFlow Datasets.

    Importing ``mwtutor.datasets`` is enough in an ordinary program.
    """
    importlib.import_module("mwtutor.datasets.tfds_digits")


def register_with_tfds() -> None:
    """Register now if TFDS is imported already, else in the moment it is."""
    if _TFDS in sys.modules:
        register()
    elif not any(isinstance(finder, _OnImport) for finder in sys.meta_path):
        sys.meta_path.insert(0, _OnImport())


class _OnImport(importlib.abc.MetaPathFinder):
    """Lets the usual finders find TFDS, and has its loader call ``register`` at the end."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _TFDS:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            sys.meta_path.insert(0, self)  # Not installed: perhaps later.
            return spec
        execute = spec.loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            execute(module)
            register()

        spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec
