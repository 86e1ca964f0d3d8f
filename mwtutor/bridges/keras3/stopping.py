"""Stop training on all workers at the same step, whichever of them requests the stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import tensorflow as tf
from keras.callbacks import Callback, CallbackList, TerminateOnNaN
from keras.src.trainers.trainer import Trainer

from mwtutor.bridges.keras3.all_gather import all_gather

_AGREED = "_mwtutor_agreed_to_stop"

_BATCH_HOOKS = ("on_train_batch_begin", "on_train_batch_end", "on_batch_begin", "on_batch_end")
_BEGIN_HOOKS = ("on_train_begin", "on_epoch_begin")


class _StopTraining:
    """``model.stop_training``: setting it requests a stop; ``fit`` reads the workers' decision.

    Keras reads it after every batch, and any code, even a user's thread, may set it at any time. A
    worker that followed only its own request would leave the others waiting for its gradients.
    Without other workers, it is a plain attribute as before.
    """

    def __get__(self, model: Any, owner: type | None = None) -> Any:
        if model is None:
            return self
        if "stop_training" not in model.__dict__:
            raise AttributeError("stop_training")
        return model.__dict__.get(_AGREED, model.__dict__["stop_training"])

    def __set__(self, model: Any, value: Any) -> None:
        model.__dict__["stop_training"] = value


class AgreeOnStopping(Callback):  # type: ignore[misc]
    """Stops every worker as soon as one of them requests a stop.

    Keras's own callbacks decide from logs, which are the same on all workers. A user's callback may
    decide from something else (a clock, a file). The workers exchange one number at the end of an
    epoch. They also exchange one at its beginning, or after each batch, if a callback that is not
    part of Keras acts then. A request from elsewhere (a thread) takes effect at the end of the
    epoch.
    """

    def __init__(self, strategy: Any, others: list[Any]) -> None:
        super().__init__()
        self._strategy = strategy
        self._every_batch = any(_users(callback, _BATCH_HOOKS) for callback in others)
        self._at_begin = any(_users(callback, _BEGIN_HOOKS) for callback in others)
        self._by_logs = any(isinstance(callback, TerminateOnNaN) for callback in others)
        # If nothing happens per batch, Keras may call this from its threads, as it would without
        # mwtutor.
        self.async_safe = not self._every_batch and not self._by_logs

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        if self._at_begin:
            self._agree()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if self._every_batch:
            self._agree()
        elif self._by_logs:
            self.model.__dict__[_AGREED] = self._wish()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._agree()

    def _agree(self) -> None:
        wishes = all_gather(self._strategy, [int(self._wish())])
        self.model.__dict__[_AGREED] = any(wish for (wish,) in wishes)

    def _wish(self) -> bool:
        return bool(self.model.__dict__["stop_training"])


@contextmanager
def one_wish_for_all(model: Any) -> Iterator[None]:
    """Within the block, ``model.stop_training`` returns the decision of all workers."""
    if "stop_training" not in vars(Trainer):
        Trainer.stop_training = _StopTraining()
    model.__dict__[_AGREED] = False
    try:
        yield
    finally:
        model.__dict__.pop(_AGREED, None)


def with_agreement(callbacks: Any, strategy: Any) -> Any:
    """The callbacks given to ``fit``, followed by the one that makes workers stop together."""
    if isinstance(callbacks, CallbackList):
        agree = AgreeOnStopping(strategy, callbacks.callbacks)
        callbacks.append(agree)
        # It was created without this callback, and might call it from several threads at once.
        callbacks._async_train = callbacks._async_train and agree.async_safe
        return callbacks
    given = list(tf.nest.flatten(callbacks)) if callbacks else []
    return [*given, AgreeOnStopping(strategy, given)]


def _users(callback: Any, hooks: tuple[str, ...]) -> bool:
    """Whether one of these hooks calls code outside Keras."""
    owners = [base for base in type(callback).__mro__ if not base.__module__.startswith("keras.")]
    # LambdaCallback is part of Keras, but calls the user's functions, which are its attributes.
    return any(hook in vars(owner) for owner in [*owners, callback] for hook in hooks)
