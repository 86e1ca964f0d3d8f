"""Which worker writes to a path: the first one that has a callback with this path.

A path that only one worker uses belongs to that worker, because a program may give each worker its
own path.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import tensorflow as tf
from keras.callbacks import CallbackList

from mwtutor.bridges.keras3.all_gather import all_gather_uneven
from mwtutor.bridges.keras3.strategies import is_chief, strategy_of

#: The attribute in which each kind of callback that writes stores its path.
_ATTRIBUTES = {
    "ModelCheckpoint": "filepath",
    "BackupAndRestore": "backup_dir",
    "CSVLogger": "filename",
    "TensorBoard": "log_dir",
}

#: The paths of earlier workers, in each running ``fit`` and ``evaluate``.
_taken: list[set[int]] = []


@contextmanager
def shared_out(strategy: Any, callbacks: Any) -> Iterator[None]:
    """Within the block, which all workers must enter, each path belongs to one worker."""
    if _taken and isinstance(callbacks, CallbackList):  # in fit, which knows the paths
        yield
        return
    told = all_gather_uneven(strategy, sorted(_numbers(callbacks)))
    before = told[: strategy.extended._id_in_cluster]
    _taken.append({number for numbers in before for number in numbers})
    try:
        yield
    finally:
        _taken.pop()


def is_anothers(callback: Any) -> bool:
    """Whether another worker writes to the path of this callback."""
    strategy = strategy_of(callback.model)
    if strategy is None or is_chief(strategy):
        return False
    return not _taken or _number(callback) in _taken[-1]


def _numbers(callbacks: Any) -> set[int]:
    given = getattr(callbacks, "callbacks", callbacks)
    return {
        number for callback in tf.nest.flatten(given) if (number := _number(callback)) is not None
    }


def _number(callback: Any) -> int | None:
    """A number for the path, the same on every worker; None for a callback that writes nothing."""
    for kind in type(callback).__mro__:
        if kind.__module__.startswith("keras.") and kind.__name__ in _ATTRIBUTES:
            path = os.fspath(getattr(callback, _ATTRIBUTES[kind.__name__]))
            place = path if "://" in path else os.path.realpath(path)
            return int.from_bytes(hashlib.sha256(place.encode()).digest()[:7], "big")
    return None
