"""Sum the gradients over the workers first, and only then let optimizers check and change them.

Keras 3 clips, accumulates and checks gradients for overflow on each replica, before the all-reduce.
As a result, clipping does not act on the global batch; if workers decide differently, some of them
wait in a collective for the others; and a branch cannot contain a collective at all.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import tensorflow as tf
from keras import ops

from mwtutor.bridges.keras3.patching import Function, Patch, row_passes
from mwtutor.bridges.keras3.strategies import in_replica, in_served_step

# Each replica is traced in its own thread; one thread's state must not leak into another.
_here = threading.local()


@contextmanager
def _gradients_are_reduced() -> Iterator[None]:
    before = _are_reduced()
    _here.reduced = True
    try:
        yield
    finally:
        _here.reduced = before


def _are_reduced() -> bool:
    return getattr(_here, "reduced", False)


def _reduced(optimizer: Any, grads: Any, variables: Any) -> list[Any]:
    """The sum of the gradients over all replicas, the same on each."""
    pairs = optimizer._all_reduce_sum_gradients(list(zip(grads, variables, strict=True)))
    return [gradient for gradient, _ in pairs]


def _all_reduce_once(original: Function) -> Function:
    def _all_reduce_sum_gradients(self: Any, grads_and_vars: Any) -> Any:
        return list(grads_and_vars) if _are_reduced() else original(self, grads_and_vars)

    return _all_reduce_sum_gradients


def _backend_apply_gradients(original: Function) -> Function:
    def apply(self: Any, grads: Any, trainable_variables: Any) -> None:
        if not in_replica() and not (in_served_step() and self.ema_overwrite_frequency):
            original(self, grads, trainable_variables)
            return
        grads = _reduced(self, grads, trainable_variables)
        if self.gradient_accumulation_steps:
            dense = [tf.convert_to_tensor(gradient) for gradient in grads]
            _merge(partial(_accumulate, self), dense, trainable_variables)
        else:
            _update(self, grads, trainable_variables)
        if self.use_ema:
            self._update_model_variables_moving_average(self._trainable_variables)
            if self.ema_overwrite_frequency:
                _merge(partial(_overwrite_with_average, self))

    return apply


def _merge(function: Function, *args: Any) -> None:
    """Run ``function(strategy, *args)`` once for all replicas; its branches can contain updates."""
    tf.distribute.get_replica_context().merge_call(function, args=args)


def _update(optimizer: Any, grads: list[Any], variables: Any) -> None:
    grads = optimizer._clip_gradients(grads)
    optimizer._apply_weight_decay(variables)
    # The optimizer's own method may do more: Nadam's counts steps, and a user's may do anything.
    with _gradients_are_reduced():
        optimizer._backend_update_step(grads, variables, optimizer.learning_rate)


def _accumulate(optimizer: Any, strategy: Any, grads: Any, variables: Any) -> None:
    steps = optimizer.gradient_accumulation_steps
    sums = [optimizer._accumulated_gradients[optimizer._get_variable_index(v)] for v in variables]

    def update(grads: Any) -> None:
        _update(optimizer, [(g + s) / steps for g, s in zip(grads, sums, strict=True)], variables)
        optimizer._backend_reset_gradient_accumulators()

    def add(grads: Any) -> None:
        for gradient, total in zip(grads, sums, strict=True):
            total.assign(total + gradient)

    _cond(
        (optimizer._iterations + 1) % steps == 0,
        lambda: strategy.extended.call_for_each_replica(update, args=(grads,)),
        lambda: strategy.extended.call_for_each_replica(add, args=(grads,)),
    )


def _overwrite_with_average(optimizer: Any, strategy: Any) -> None:
    del strategy  # merge_call passes it; the optimizer uses its own
    _cond(
        (optimizer.iterations + 1) % optimizer.ema_overwrite_frequency == 0,
        lambda: optimizer._overwrite_model_variables_with_average_value(
            optimizer._trainable_variables
        ),
        lambda: None,
    )


def _cond(predicate: Any, true: Function, false: Function) -> None:
    """A conditional for effects only: the results of its two branches need not match."""

    def effect(function: Function) -> None:
        function()

    ops.cond(predicate, partial(effect, true), partial(effect, false))


def _loss_scale_apply(original: Function) -> Function:
    def _tf_apply(self: Any, grads: Any, trainable_variables: Any = None) -> None:
        if in_replica():
            variables = trainable_variables or self._trainable_variables
            grads = _reduced(self.inner_optimizer, grads, variables)
        original(self, grads, trainable_variables)

    return _tf_apply


def _loss_scale_finite(original: Function) -> Function:
    def _stateful_handle_finite_grads(self: Any, grads: Any, trainable_variables: Any) -> None:
        if not in_replica():
            original(self, grads, trainable_variables)
            return
        with _gradients_are_reduced():
            original(self, grads, trainable_variables)

    return _stateful_handle_finite_grads


_LOSS_SCALE = "keras.src.optimizers.loss_scale_optimizer:LossScaleOptimizer"
_OPTIMIZER = "keras.src.backend.tensorflow.optimizer:TFOptimizer"

PATCHES = (
    Patch(
        _OPTIMIZER,
        "_backend_apply_gradients",
        _backend_apply_gradients,
        why="clips each replica's gradients before the all-reduce (silently wrong), and puts the "
        "all-reduce of gradient accumulation and the copy of the moving average inside a branch "
        "(raises)",
        issue="https://github.com/tensorflow/tensorflow/issues/33929, "
        "https://github.com/keras-team/keras/issues/17429",
        until="the parity rows 'global_clipnorm', 'gradient accumulation' and 'EMA, overwriting' "
        "pass without the bridge",
    ),
    Patch(
        _OPTIMIZER,
        "_all_reduce_sum_gradients",
        _all_reduce_once,
        why="an optimizer's own update step must not sum gradients that are already summed",
        issue="https://github.com/tensorflow/tensorflow/issues/33929",
        until=row_passes("Nadam"),
    ),
    Patch(
        _LOSS_SCALE,
        "_tf_apply",
        _loss_scale_apply,
        why="checks each worker's own gradients: one that overflows skips the all-reduce and its "
        "peer waits forever",
        issue="https://github.com/keras-team/keras/issues/18666",
        until=row_passes("loss scaling, overflow on one worker only"),
    ),
    Patch(
        _LOSS_SCALE,
        "_stateful_handle_finite_grads",
        _loss_scale_finite,
        why="the inner optimizer must not sum gradients that are already summed",
        issue="https://github.com/keras-team/keras/issues/18666",
        until="_tf_apply of the same class is no longer patched",
    ),
)
