"""Alias for a module of ``tensorflow_estimator``, executed under the old TensorFlow name.

Until 2.15, TensorFlow kept these names for programs older than the package
``tensorflow-estimator``; its code has always been in that package.
"""

from __future__ import annotations

import importlib
from typing import Any

_target = importlib.import_module(
    f"tensorflow_estimator.python.estimator.tpu.{__name__.rpartition('.')[2]}"
)
__all__ = [name for name in vars(_target) if not name.startswith("_")]


def __getattr__(name: str) -> Any:
    return getattr(_target, name)
