"""Read the progress of ``Model.fit`` without changes to the program.

Keras reports every step to its list of callbacks. The methods of this list are wrapped, so no
callback is added, and nothing that Keras decides from its callbacks changes. Keras 2 (inside
TensorFlow 2.15 and as ``tf_keras``) and Keras 3 keep the list in different modules.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import after, before
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
    after(listing, "on_epoch_begin", _epoch_begins)
    after(listing, "on_train_batch_end", _batch_ends)
    after(listing, "on_epoch_end", _epoch_ends)
    # A step is what Keras does between the callbacks of its beginning and those of its end.
    after(listing, "on_train_batch_begin", lambda *_, **__: moments.step_begins())
    before(listing, "on_train_batch_end", lambda *_, **__: moments.step_ends())
    for what, kind in _PARTS.items():
        before(listing, f"on_{what}_begin", functools.partial(_part_begins, kind))
        after(listing, f"on_{what}_end", lambda *_, kind=kind, **__: moments.end(kind))
    before(listing, "on_train_begin", lambda self, *_, **__: apart.warn(_model(self)))
    after(listing, "on_train_end", lambda self, *_, **__: weights.report(_model(self)))


def _part_begins(kind: int, callbacks: Any, epoch: Any = None, *args: Any, **kwargs: Any) -> None:
    number = epoch + 1 if kind == moments.EPOCH and isinstance(epoch, int) else 0
    moments.begin(kind, number)


def _model(callbacks: Any) -> Any:
    return getattr(callbacks, "model", None)


def _epoch_begins(callbacks: Any, epoch: int, *args: Any, **kwargs: Any) -> None:
    callbacks._mwtutor_epoch = epoch + 1
    callbacks._mwtutor_step = 0


def _batch_ends(callbacks: Any, batch: int, logs: Any = None) -> None:
    callbacks._mwtutor_step = batch + 1
    metrics.advanced(**_position(callbacks, logs))


def _epoch_ends(callbacks: Any, epoch: int, logs: Any = None) -> None:
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
