"""Which versions of Keras can be tried here."""

from __future__ import annotations

import importlib.metadata


def keras_versions() -> tuple[int, ...]:
    """2 with ``tf_keras``; 3 where ``keras`` is Keras 3 and TensorFlow is one it works with."""
    found = []
    if _major("tf_keras") == 2:
        found.append(2)
    if _major("keras") == 3 and _minor("tensorflow") >= 16:
        found.append(3)
    return tuple(found)


def _major(package: str) -> int:
    return _part(package, 0)


def _minor(package: str) -> int:
    return _part(package, 1)


def _part(package: str, index: int) -> int:
    try:
        return int(importlib.metadata.version(package).split(".")[index])
    except importlib.metadata.PackageNotFoundError:
        return 0
