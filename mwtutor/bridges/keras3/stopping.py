"""All workers stop training at the same step, whoever asked for it."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from keras.callbacks import Callback, CallbackList


class AgreeOnStopping(Callback):  # type: ignore[misc]
    """Makes ``model.stop_training`` true on every worker once it is true on one.

    Keras's own callbacks decide by logs, which are the same on all workers. A callback of the
    user's may decide by anything (a clock, a file): a worker that leaves the loop alone would leave
    the others waiting for its gradients. One number is exchanged per epoch, and one per batch only
    if a callback that is not Keras's own acts at the end of a batch.
    """

    def __init__(self, strategy: Any, others: list[Any]) -> None:
        super().__init__()
        # A function, because TensorFlow warns of an eager ``run``.
        self._total = tf.function(
            lambda wish: strategy.reduce("SUM", strategy.run(lambda: wish), axis=None)
        )
        self._every_batch = any(_acts_on_batches(callback) for callback in others)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if self._every_batch:
            self._agree()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._agree()

    def _agree(self) -> None:
        wish = tf.constant(float(self.model.stop_training))
        if self._total(wish).numpy() > 0:
            self.model.stop_training = True


def with_agreement(callbacks: Any, strategy: Any) -> Any:
    """The callbacks given to ``fit``, and last of all the one that makes workers stop together."""
    if isinstance(callbacks, CallbackList):
        callbacks.append(AgreeOnStopping(strategy, callbacks.callbacks))
        return callbacks
    given = list(tf.nest.flatten(callbacks)) if callbacks else []
    return [*given, AgreeOnStopping(strategy, given)] if given else callbacks


def _acts_on_batches(callback: Any) -> bool:
    # LambdaCallback is Keras's own, but what it calls is the user's: it sits on the instance.
    hooks = ("on_train_batch_end", "on_batch_end")
    owners = [base for base in type(callback).__mro__ if any(hook in vars(base) for hook in hooks)]
    return (bool(owners) and not owners[0].__module__.startswith("keras.")) or any(
        hook in vars(callback) for hook in hooks
    )
