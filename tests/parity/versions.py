"""Which versions of Keras can be tested here."""

from __future__ import annotations

import importlib.metadata

TENSORFLOW_WITH_KERAS_3 = (2, 16)


def version_of(package: str) -> tuple[int, int]:
    """The installed version as (major, minor), or zeros."""
    try:
        major, minor, *_ = importlib.metadata.version(package).split(".")
    except importlib.metadata.PackageNotFoundError:
        return 0, 0
    return int(major), int(minor)


def keras_versions() -> dict[int, tuple[int, int]]:
    """The installed Keras by major version: 2 as ``keras`` or ``tf_keras``, 3 if it works here."""
    found = {}
    for keras in (version_of("tf_keras"), version_of("keras")):
        if keras[0] == 2 or (keras[0] == 3 and version_of("tensorflow") >= TENSORFLOW_WITH_KERAS_3):
            found[keras[0]] = keras
    return found
