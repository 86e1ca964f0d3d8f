"""Read the progress of ``Model.fit`` without changes to the program.

Keras reports every step to its list of callbacks. The methods of this list are wrapped, so no
callback is added, and nothing that Keras decides from its callbacks changes. Keras 2 (inside
TensorFlow 2.15 and as ``tf_keras``) and Keras 3 keep it in different modules.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.system.importhook import when_imported
from mwtutor.worker import apart, moments, weights

_CALLBACK_LISTS = (
    "keras.src.callbacks.callback_list",  # Keras 3
    "keras.src.callbacks",  # Keras 2.15, inside TensorFlow 2.15
    "tf_keras.src.callbacks",
)

#: The parts whose beginning and end Keras reports.
_PARTS = {
    "train": moments.FIT,
    "epoch": moments.EPOCH,
    "test": moments.TEST,
    "predict": moments.PREDICT,
}


def install() -> None:
    """Report the progress of every ``fit`` of this process."""
    for module in _CALLBACK_LISTS:
        when_imported(module, _watch)


def _watch(module: ModuleType) -> None:
    # In Keras 3 ``keras.src.callbacks`` is a package that re-exports the class: wrap it once.
    listing = getattr(module, "CallbackList", None)
    if listing is None or listing.__module__ != module.__name__:
        return
    _after(listing, "on_epoch_begin", _epoch_begins)
    _after(listing, "on_train_batch_end", _batch_ends)
    _after(listing, "on_epoch_end", _epoch_ends)
    _time_steps(listing)
    for what, kind in _PARTS.items():
        _time_part(listing, what, kind)
    _look_at_model(listing)


def _time_steps(listing: type) -> None:
    """A step is what Keras does between the callbacks of its beginning and those of its end."""
    begin, end = listing.on_train_batch_begin, listing.on_train_batch_end  # type: ignore[attr-defined]

    @functools.wraps(begin)
    def on_train_batch_begin(*args: Any, **kwargs: Any) -> Any:
        result = begin(*args, **kwargs)
        moments.step_begins()
        return result

    @functools.wraps(end)
    def on_train_batch_end(*args: Any, **kwargs: Any) -> Any:
        moments.step_ends()
        return end(*args, **kwargs)

    listing.on_train_batch_begin = on_train_batch_begin  # type: ignore[attr-defined]
    listing.on_train_batch_end = on_train_batch_end  # type: ignore[attr-defined]


def _time_part(listing: type, what: str, kind: int) -> None:
    begin, end = getattr(listing, f"on_{what}_begin"), getattr(listing, f"on_{what}_end")

    @functools.wraps(begin)
    def begins(self: Any, *args: Any, **kwargs: Any) -> Any:
        moments.begin(kind, _counted(args, kwargs) if kind == moments.EPOCH else 0)
        return begin(self, *args, **kwargs)

    @functools.wraps(end)
    def ends(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = end(self, *args, **kwargs)
        moments.end(kind)
        return result

    setattr(listing, f"on_{what}_begin", begins)
    setattr(listing, f"on_{what}_end", ends)


def _look_at_model(listing: type) -> None:
    begins = listing.on_train_begin  # type: ignore[attr-defined]
    ends = listing.on_train_end  # type: ignore[attr-defined]

    @functools.wraps(begins)
    def on_train_begin(self: Any, *args: Any, **kwargs: Any) -> Any:
        apart.warn(getattr(self, "model", None))
        return begins(self, *args, **kwargs)

    @functools.wraps(ends)
    def on_train_end(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = ends(self, *args, **kwargs)
        weights.report(getattr(self, "model", None))
        return result

    listing.on_train_begin = on_train_begin  # type: ignore[attr-defined]
    listing.on_train_end = on_train_end  # type: ignore[attr-defined]


def _counted(args: tuple[Any, ...], kwargs: dict[str, Any]) -> int:
    """The number of an epoch, from 1, from the argument that Keras passes."""
    epoch = args[0] if args else kwargs.get("epoch")
    return epoch + 1 if isinstance(epoch, int) else 0


def _after(cls: type, name: str, action: Callable[[Any, int, Any], None]) -> None:
    method = getattr(cls, name)

    @functools.wraps(method)
    def wrapped(self: Any, index: int, logs: Any = None, *args: Any, **kwargs: Any) -> Any:
        result = method(self, index, logs, *args, **kwargs)
        action(self, index, logs)
        return result

    setattr(cls, name, wrapped)


def _epoch_begins(callbacks: Any, epoch: int, logs: Any) -> None:
    callbacks._mwtutor_epoch = epoch + 1
    callbacks._mwtutor_step = 0


def _batch_ends(callbacks: Any, batch: int, logs: Any) -> None:
    callbacks._mwtutor_step = batch + 1
    metrics.advanced(**_position(callbacks, logs))


def _epoch_ends(callbacks: Any, epoch: int, logs: Any) -> None:
    metrics.epoch_ended(**_position(callbacks, logs))


def _position(callbacks: Any, logs: Any) -> dict[str, Any]:
    params = getattr(callbacks, "params", None) or {}
    return {
        "epoch": getattr(callbacks, "_mwtutor_epoch", None),
        "epochs": params.get("epochs"),
        "step": getattr(callbacks, "_mwtutor_step", None),
        "steps": params.get("steps"),
        "metrics": logs if isinstance(logs, dict) else None,
        "over_epoch": 1,
    }
