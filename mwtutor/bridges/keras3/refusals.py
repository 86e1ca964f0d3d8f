"""Unsupported uses, rejected with a reason and a remedy before any worker waits for another."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from mwtutor.bridges.keras3.strategies import (
    multi_worker,
    multi_worker_of_version_1,
    strategy_of,
    workers_in_this_process,
)
from mwtutor.exceptions import NotSupported
from mwtutor.executed import in_cells


def check_variables(model: Any, strategy: Any) -> None:
    """Reject a model that was partly created outside the strategy's scope.

    Raises:
        NotSupported: each worker would update some variable on its own.
    """
    for kind, variable in variables_of(model):
        if not strategy.extended.variable_created_in_scope(variable.value):
            raise made_outside(kind, variable, "every worker would keep its own")


def variables_of(model: Any) -> Iterator[tuple[str, Any]]:
    """All of the model's variables, each with its role."""
    yield from (("weight", variable) for variable in model.variables)
    if (optimizer := getattr(model, "optimizer", None)) is not None:
        yield from (("optimizer variable", variable) for variable in optimizer.variables)
    yield from (("metric variable", variable) for variable in model.metrics_variables)


def made_outside(kind: str, variable: Any, effect: str) -> NotSupported:
    """The error about a variable that does not belong to the strategy.

    Args:
        effect: the consequence, as a clause.
    """
    return NotSupported(
        f"The {kind} '{variable.path}' was created outside the strategy's scope, so {effect}.",
        "Create the model, the optimizer and the metrics inside `with strategy.scope():`.",
    )


def check_model(model: Any) -> None:
    current = tf.distribute.get_strategy()
    involved = (current, model._distribute_strategy)
    if any(map(multi_worker_of_version_1, involved)):
        raise NotSupported(
            "Keras 3 does not work under the MultiWorkerMirroredStrategy of tf.compat.v1.",
            "Create tf.distribute.MultiWorkerMirroredStrategy, or start the program with "
            "`--keras 2`.",
        )
    if multi_worker(current) and strategy_of(model) is not current:
        raise NotSupported(
            "The model was created outside the scope of the current MultiWorkerMirroredStrategy.",
            "Create and compile it inside `with strategy.scope():`.",
        )
    if strategy_of(model) is not None and getattr(model, "jit_compile", False):
        raise NotSupported(
            "jit_compile=True is not supported under MultiWorkerMirroredStrategy: XLA cannot "
            "compile the communication between workers.",
            "Compile the model with jit_compile=False, and decorate the heavy part of its "
            "computation with tf.function(jit_compile=True) if you need XLA.",
        )


#: Whether this process has trained together with other workers.
_together = False


def note_training(together: bool) -> None:
    """Remember whether this process has trained a model together with other workers."""
    global _together
    _together = together


def check_alone(model: Any) -> None:
    """Reject (or warn about) training without a strategy on a worker that has joined a cluster.

    Without the scope, each worker would silently train alone, and a warning in a program's log is
    read too late. A warning is enough in cells, whose output is read immediately, and after the
    workers have trained together, for example when the result is loaded and inspected. Evaluating
    or predicting alone is harmless; a chief may do so with the model that it saved.

    Raises:
        NotSupported: neither the model nor the call is in a strategy's scope.
    """
    if model._distribute_strategy or tf.distribute.has_strategy() or workers_in_this_process() < 2:
        return
    if _together or in_cells():
        warnings.warn(
            "mwtutor: each worker trains this model alone, on all the data that it has: the model "
            "was created outside the scope of the MultiWorkerMirroredStrategy. To train one model "
            "together, create and compile it inside `with strategy.scope():`.",
            stacklevel=_level_of_the_caller(),
        )
        return
    raise NotSupported(
        "The model was created outside the scope of the MultiWorkerMirroredStrategy, so every "
        "worker would train its own copy, alone.",
        "Create and compile it inside `with strategy.scope():`. If this worker is to train alone, "
        "create, compile and fit it inside "
        "`with tf.distribute.OneDeviceStrategy('CPU:0').scope():`.",
    )


def _level_of_the_caller() -> int:
    """The stack level of the call to ``fit``, in frames above the function that warns.

    Python shows a warning only once per line of code, and a line of mwtutor is the same for all
    models.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("mwtutor."):
        level, frame = level + 1, frame.f_back
    return level


def check_precision(model: Any, strategy: str) -> None:
    """Reject training in float8, which overwrites its scales with their gradients."""
    for variable in model.trainable_variables:
        if getattr(variable, "overwrite_with_gradient", False):
            raise NotSupported(
                f"float8 training is not supported under {strategy}: each worker would overwrite "
                f"'{variable.path}' with its own scale.",
                "Use the dtype policy 'mixed_bfloat16' instead.",
            )


def check_training(model: Any, callbacks: Any) -> None:
    check_precision(model, "MultiWorkerMirroredStrategy")
    given = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]
    for callback in given:
        if any(base.__name__ == "OrbaxCheckpoint" for base in type(callback).__mro__):
            raise NotSupported(
                "OrbaxCheckpoint is not aware of TensorFlow's workers: they would all write to "
                "one directory.",
                "Use ModelCheckpoint or BackupAndRestore.",
            )


def check_order(x: Any) -> None:
    policies = tf.data.experimental.AutoShardPolicy
    if isinstance(x, tf.data.Dataset):
        policy = x.options().experimental_distribute.auto_shard_policy
        ordered = policy in (policies.AUTO, policies.DATA)
    else:
        ordered = type(x).__name__ != "DistributedDatasetsFromFunction"
    if not ordered:
        raise NotSupported(
            "predict cannot return each row of this dataset once and in order, because the "
            "workers do not share its batches.",
            "Pass the whole dataset, undistributed, with AutoShardPolicy.DATA or AUTO.",
        )


def check_ends(data: Any, steps: Any, option: str) -> None:
    """Reject an evaluation or prediction that would never end.

    Keras 2 rejects it, too. Keras 3 silently continues until it is stopped.

    Args:
        data: the program's data; only a ``tf.data.Dataset`` says in advance whether it ends.
        option: the user's name for ``steps``.

    Raises:
        NotSupported: the data is infinite, and no number of steps was given.
    """
    if steps is not None or not isinstance(data, tf.data.Dataset):
        return
    if data.cardinality() == tf.data.INFINITE_CARDINALITY:
        raise NotSupported(
            "The dataset repeats forever, so iterating over it would never end.",
            f"Set `{option}` to the number of batches to take, or leave out `repeat()`.",
        )


def refuse_one_batch(name: str) -> None:
    """Reject ``train_on_batch`` and similar methods.

    Raises:
        NotSupported: always.
    """
    raise NotSupported(
        f"{name} is not supported under MultiWorkerMirroredStrategy: every worker would take the "
        "whole batch as its share.",
        "Use fit, evaluate or predict with a dataset, or your own loop over strategy.run.",
    )
