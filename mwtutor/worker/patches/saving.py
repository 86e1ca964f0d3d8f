"""Record when a program saves a model or a checkpoint."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from mwtutor.system.importhook import when_imported
from mwtutor.worker import moments

#: The writers of models and checkpoints: a class (empty: the module itself) and its functions.
_SAVERS = {
    "tensorflow.python.checkpoint.checkpoint": ("TrackableSaver", ("save",)),
    "tensorflow.python.saved_model.save": ("", ("save_and_return_nodes",)),
    "keras.src.models.model": ("Model", ("save", "save_weights")),
    "keras.src.engine.training": ("Model", ("save", "save_weights")),
    "tf_keras.src.engine.training": ("Model", ("save", "save_weights")),
}


def install() -> None:
    """Time the savers, as soon as this process imports them."""
    for name in _SAVERS:
        when_imported(name, _time_saving)


def _time_saving(module: ModuleType) -> None:
    owner, names = _SAVERS[module.__name__]
    place = getattr(module, owner) if owner else module
    for name in names:
        setattr(place, name, _saving(getattr(place, name)))


def _saving(save: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(save)
    def saving(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        with moments.during(moments.SAVE):
            return save(*args, **kwargs)

    return saving
