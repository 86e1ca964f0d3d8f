"""Unsupported uses of ``ParameterServerStrategy``, rejected before anything is scheduled."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from keras.callbacks import ModelCheckpoint, TensorBoard, TerminateOnNaN
from tensorflow.python.eager import context

from mwtutor.bridges.keras3.refusals import check_precision, made_outside, variables_of
from mwtutor.bridges.keras3.servers.variables import SplitVariable, has_parts, whole
from mwtutor.bridges.keras3.stopping import _users
from mwtutor.bridges.keras3.strategies import parameter_server
from mwtutor.exceptions import NotSupported

_BATCH_HOOKS = tuple(
    f"on_{what}batch_{when}"
    for what in ("", "train_", "test_", "predict_")
    for when in ("begin", "end")
)


def check_scope(model: Any) -> None:
    """Reject a model that does not belong to the strategy, although the program has created one.

    Raises:
        NotSupported: only the chief would compute.
    """
    if parameter_server(getattr(model, "_distribute_strategy", None)):
        return
    if parameter_server(tf.distribute.get_strategy()) or (
        model._distribute_strategy is None and _coordinates() and not tf.distribute.has_strategy()
    ):
        raise NotSupported(
            "The model was made outside the scope of the ParameterServerStrategy, so the chief "
            "would train it alone.",
            "Create and compile it inside `with strategy.scope():`. If the chief is to train"
            " alone, create, compile and fit it inside "
            "`with tf.distribute.OneDeviceStrategy('CPU:0').scope():`.",
        )


def _coordinates() -> bool:
    """Whether this process has connected to parameter servers as the coordinator."""
    server = context.context()._server_def
    if server is None or server.job_name in ("ps", "worker"):
        return False
    return any(job.name == "ps" for job in server.cluster.job)


def check_compiled(model: Any) -> None:
    """Reject an unsupported way of compiling the model.

    Raises:
        NotSupported: workers cannot execute the model.
    """
    if model.run_eagerly:
        raise NotSupported(
            "run_eagerly=True is not supported under ParameterServerStrategy: workers execute "
            "functions, not Python.",
            "Compile the model without it; to inspect values, use `tf.print`, which prints to the"
            " worker's log.",
        )
    if model.jit_compile:
        raise NotSupported(
            "jit_compile=True is not supported under ParameterServerStrategy: XLA cannot compile "
            "the exchange with the parameter servers.",
            "Compile the model with jit_compile=False.",
        )

    optimizer = getattr(model.optimizer, "inner_optimizer", model.optimizer)
    if getattr(optimizer, "gradient_accumulation_steps", None):
        raise NotSupported(
            "Gradient accumulation is not supported under ParameterServerStrategy: workers would "
            "add to the same sums, and more than one might apply them.",
            "Use larger batches, or MultiWorkerMirroredStrategy.",
        )
    check_precision(model, "ParameterServerStrategy")


def check_variables(model: Any) -> None:
    """Reject a model that is partly outside the parameter servers.

    Raises:
        NotSupported: a part was created outside the scope.
    """
    for kind, variable in variables_of(model):
        # Untrained variables, such as the state of a dropout, need no counterparts.
        if isinstance(variable, SplitVariable) and variable.trainable:
            raise whole(variable, kind)
        if not _is_served(variable):
            effect = "it is in the chief instead of on a parameter server"
            raise made_outside(kind, variable, effect)


def check_export(model: Any) -> None:
    """Reject exporting a model with split variables.

    Raises:
        NotSupported: TensorFlow cannot export a function that joins them.
    """
    if has_parts(model):
        raise NotSupported(
            "A model whose variables the strategy's partitioner has split cannot be exported.",
            "Save it with model.save('model.keras'), which writes it whole, and load and export "
            "it inside `with tf.distribute.OneDeviceStrategy('CPU:0').scope():`.",
        )


def _is_served(variable: Any) -> bool:
    below = variable._value
    parts = below.variables if isinstance(variable, SplitVariable) else [below]
    return all("/job:ps/" in part.device for part in parts)


def check_verbose(verbose: Any) -> Any:
    """The value of ``verbose`` for Keras.

    Raises:
        NotSupported: it requests a progress bar that is updated after every step.
    """
    if verbose == 1 and verbose is not True:
        raise NotSupported(
            "verbose=1 is not supported under ParameterServerStrategy: its progress bar would"
            " count steps that are scheduled, not done.",
            "Use verbose=2, which prints a line for each epoch.",
        )
    return 2 if verbose in ("auto", True) else verbose


def check_callbacks(callbacks: Any) -> None:
    """Reject callbacks that act on batches, as Keras 2 does.

    Raises:
        NotSupported: the end of a batch is unknown before the end of the epoch.
    """
    for callback in getattr(callbacks, "callbacks", None) or tf.nest.flatten(callbacks or []):
        if _acts_on_batches(callback):
            raise NotSupported(
                f"The callback {type(callback).__name__} acts on single batches, which is not "
                "supported under ParameterServerStrategy: workers process them at different times,"
                " and report to the chief at the end of the epoch.",
                "Use on_epoch_begin and on_epoch_end instead; for shorter intervals, reduce"
                " `steps_per_epoch`.",
            )


def _acts_on_batches(callback: Any) -> bool:
    if isinstance(callback, ModelCheckpoint):
        return bool(callback.save_freq != "epoch" and callback.save_best_only)
    if isinstance(callback, TensorBoard):
        return bool(callback.update_freq != "epoch")
    return isinstance(callback, TerminateOnNaN) or _users(callback, _BATCH_HOOKS)


def refuse_one_batch(name: str) -> None:
    """Reject ``train_on_batch`` and similar methods.

    Raises:
        NotSupported: always.
    """
    raise NotSupported(
        f"{name} is not supported under ParameterServerStrategy: the chief would compute the batch "
        "instead of a worker.",
        "Use fit, evaluate or predict, or schedule your own step with "
        "tf.distribute.coordinator.ClusterCoordinator.",
    )
