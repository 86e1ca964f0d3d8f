"""Divide each loss by the number of replicas once, no matter where it was reduced to a scalar.

Gradients are summed over the replicas, so each replica's mean must be divided by their number.
Keras 3 does that if it takes the mean itself, but not if the user's code does: a loss function, a
``call`` or a ``compute_loss`` that returns a mean trains with N times the gradient. Here, as in
Keras 2, the value of a loss counts as the mean over the replica's rows, unless its reduction is
``"sum"`` or None.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from keras.src.losses import loss as keras_loss

from mwtutor.bridges.keras3.patching import Function, Patch, row_passes
from mwtutor.bridges.keras3.strategies import in_replica

_MEANS = ("sum_over_batch_size", "mean", "mean_with_sample_weight")

# Each replica is traced in its own thread.
_here = threading.local()


def _left_to_the_caller() -> bool:
    """Whether the caller divides the loss, so the callee must not."""
    return getattr(_here, "left", False)


@contextmanager
def _dividing(left: bool) -> Iterator[None]:
    before = _left_to_the_caller()
    _here.left = left
    try:
        yield
    finally:
        _here.left = before


def _scale(original: Function) -> Function:
    def scale_loss_for_distribution(value: Any) -> Any:
        return value if in_replica() and _stays(value) else original(value)

    return scale_loss_for_distribution


def _stays(value: Any) -> bool:
    return _left_to_the_caller() or _is_not_reduced(value)


def _unscale(original: Function) -> Function:
    def unscale_loss_for_distribution(value: Any) -> Any:
        return value if in_replica() and _is_not_reduced(value) else original(value)

    return unscale_loss_for_distribution


def _is_not_reduced(value: Any) -> bool:
    """Whether a loss is not reduced, so that its rows are not a mean and were never divided."""
    return bool(value.shape.rank)


def _call(original: Function) -> Function:
    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not in_replica() or _left_to_the_caller():
            return original(self, *args, **kwargs)
        with _dividing(left=True):
            value = original(self, *args, **kwargs)
        return keras_loss.scale_loss_for_distribution(value) if self.reduction in _MEANS else value

    return __call__


def _default_compute_loss(original: Function) -> Function:
    def compute_loss(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not in_replica() or not _left_to_the_caller():
            return original(self, *args, **kwargs)
        # An override calls this through super() and expects the mean of these rows.
        with _dividing(left=False):
            value = original(self, *args, **kwargs)
        return keras_loss.unscale_loss_for_distribution(value)

    return compute_loss


def _compute_loss(original: Function) -> Function:
    def _compute_loss(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not in_replica():
            return original(self, *args, **kwargs)
        with _dividing(left=True):
            value = original(self, *args, **kwargs)
        return keras_loss.scale_loss_for_distribution(value)

    return _compute_loss


_LOSS = "keras.src.losses.loss"
_TRAINER = "keras.src.trainers.trainer:Trainer"
_FUNCTION = "loss function that returns a mean"
_OVERRIDE = "overridden compute_loss"

PATCHES = (
    Patch(
        f"{_LOSS}:Loss",
        "__call__",
        _call,
        why="a loss that returns its mean is not divided by the number of replicas: its gradient "
        "is that many times too large",
        until=row_passes(_FUNCTION),
    ),
    Patch(
        _LOSS,
        "scale_loss_for_distribution",
        _scale,
        why="a loss made of other losses must not be divided twice",
        until=row_passes("losses made of losses"),
    ),
    Patch(
        _LOSS,
        "unscale_loss_for_distribution",
        _unscale,
        why="multiplies the log of a loss that was never divided, because it is not reduced",
        until=row_passes("loss of reduction None"),
    ),
    Patch(
        _TRAINER,
        "_compute_loss",
        _compute_loss,
        why="a user's compute_loss that returns a mean is not divided by the number of "
        "replicas: its gradient is that many times too large",
        until=row_passes(_OVERRIDE),
    ),
    Patch(
        _TRAINER,
        "compute_loss",
        _default_compute_loss,
        why="what an override adds to it must be on the same scale",
        until=row_passes(_OVERRIDE),
    ),
)
