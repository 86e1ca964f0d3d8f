"""``fit``, ``evaluate`` and ``predict``, coordinated by the chief."""

from __future__ import annotations

import inspect
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import tensorflow as tf
from keras.callbacks import CallbackList
from keras.src.utils.python_utils import pythonify_logs
from tensorflow.python.distribute.coordinator.cluster_coordinator import ClosureAbortedError

from mwtutor.bridges.keras3.patching import Function
from mwtutor.bridges.keras3.servers import data, refusals, steps
from mwtutor.bridges.keras3.servers.replacement import replacement
from mwtutor.bridges.keras3.servers.variables import share_global_seed
from mwtutor.bridges.keras3.strategies import parameter_server

#: Parts of an evaluation for each worker, as in Keras 2: a lost worker costs one of them.
PARTS = 5


@dataclass(frozen=True)
class Work:
    """The work of one closure: this many steps, with the data of the worker that executes it."""

    iterator: Any
    steps: int


class Pending(dict[str, Any]):
    """Logs of steps that may not be done yet, and are therefore empty; read them after ``join``."""

    def __init__(self, remote: Any) -> None:
        super().__init__()
        self.remote = remote


def coordinator_of(strategy: Any) -> Any:
    """The strategy's coordinator; a new one if the program has created none."""
    return tf.distribute.coordinator.ClusterCoordinator(strategy)


def is_served(model: Any) -> bool:
    """Whether a model was created under a ``ParameterServerStrategy``."""
    return parameter_server(getattr(model, "_distribute_strategy", None))


def settle(model: Any) -> None:
    """Wait until everything scheduled is done, so that a save is consistent."""
    if is_served(model) and model._distribute_strategy._cluster_coordinator is not None:
        coordinator_of(model._distribute_strategy).join()


class _OfWorkers:
    """Replaces Keras's data adapter; an epoch needs only these attributes of it."""

    num_batches = None

    def on_epoch_begin(self) -> None: ...

    def on_epoch_end(self) -> None: ...


def _epochs(original: Function) -> Function:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        strategy = kwargs.get("distribute_strategy")
        if not parameter_server(strategy):
            original(self, *args, **kwargs)
            return
        coordinator = coordinator_of(strategy)
        given = data.source(**{name: kwargs[name] for name in data.GIVEN if name in kwargs})
        self.steps_per_epoch = data.known_steps(given, kwargs["steps_per_epoch"], "steps_per_epoch")
        self.steps_per_execution = kwargs["steps_per_execution"]
        self.data_adapter = _OfWorkers()
        self._num_batches = self._current_iterator = self._epoch_iterator = None
        self._steps_seen = 0
        self._distribute_strategy = strategy
        self._distributed_dataset = data.distribute(coordinator, given)
        self._coordinator = coordinator

    return __init__


def _next(original: Function) -> Function:
    def __next__(self: Any) -> Any:
        if not parameter_server(self._distribute_strategy):
            return original(self)
        begin, *end, iterator = original(self)  # older versions of Keras yield no end
        count = min(self.steps_per_execution, self.steps_per_epoch - begin)
        return (begin, *[begin + count - 1 for _ in end], Work(iterator, count))

    return __next__


def _sync(original: Function) -> Function:
    def tf_sync(self: Any) -> None:
        if parameter_server(self._distribute_strategy):
            self._coordinator.join()
        else:
            original(self)

    return tf_sync


def _symbolic_build(original: Function) -> Function:
    def _maybe_symbolic_build(self: Any, iterator: Any = None, data_batch: Any = None) -> None:
        if not is_served(self) or iterator is None:
            original(self, iterator=iterator, data_batch=data_batch)
            return
        _build(self, data.specification(iterator._distributed_dataset))

    return _maybe_symbolic_build


def _build(model: Any, specification: Any) -> None:
    refusals.check_variables(model)
    with model.distribute_strategy.scope():
        model._symbolic_build(data_batch=specification)
    refusals.check_variables(model)


def _make_function(original: Function) -> Function:
    def _make_function(self: Any, step_function: Function) -> Function:
        if not is_served(self):
            made: Function = original(self, step_function)
            return made
        function = steps.training(self, step_function)
        coordinator = coordinator_of(self.distribute_strategy)

        def schedule(work: Work) -> Pending:
            args = (work.iterator, tf.constant(work.steps))
            return Pending(coordinator.schedule(function, args=args))

        return schedule

    return _make_function


def _metrics_or_logs(original: Function) -> Function:
    def _get_metrics_result_or_logs(self: Any, logs: Any) -> Any:
        if isinstance(logs, Pending):
            logs = logs.remote.fetch()
        return original(self, logs)

    return _get_metrics_result_or_logs


def _compile(original: Function) -> Function:
    def compile(self: Any, *args: Any, **kwargs: Any) -> None:
        if not is_served(self):
            original(self, *args, **kwargs)
            return
        with self.distribute_strategy.scope():
            original(self, *args, **kwargs)

    return compile


def _fit(original: Function) -> Function:
    signature = inspect.signature(original)

    def fit(self: Any, *args: Any, **kwargs: Any) -> Any:
        refusals.check_scope(self)
        if not is_served(self):
            return original(self, *args, **kwargs)
        given = signature.bind(self, *args, **kwargs)
        given.apply_defaults()
        refusals.check_compiled(self)
        refusals.check_callbacks(given.arguments["callbacks"])
        given.arguments["verbose"] = refusals.check_verbose(given.arguments["verbose"])
        if given.arguments["validation_data"] is not None:
            _check_validation(given.arguments)
        share_global_seed(self.distribute_strategy)
        return original(*given.args, **given.kwargs)

    return fit


def _check_validation(given: dict[str, Any]) -> None:
    """Check the validation data before training; otherwise it would fail after the first epoch."""
    x = given["validation_data"]
    x = x[0] if isinstance(x, (tuple, list)) else x
    steps = given["validation_steps"]
    if not hasattr(x, "shape"):
        data.known_steps(data.source(x=x), steps, "validation_steps")


def _evaluate(original: Function) -> Function:
    signature = inspect.signature(original)

    def evaluate(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_served(self):
            return original(self, *args, **kwargs)
        given = signature.bind(self, *args, **kwargs)
        given.apply_defaults()
        asked = given.arguments
        refusals.check_compiled(self)
        refusals.check_callbacks(asked["callbacks"])
        self._assert_compile_called("evaluate")
        share_global_seed(self.distribute_strategy)
        logs = _evaluated(self, asked)
        return logs if asked["return_dict"] else self._flatten_metrics_in_order(logs)

    return evaluate


@dataclass(frozen=True)
class Evaluation:
    """The evaluation of a model on certain data, traced once for all epochs of a ``fit``."""

    function: Any
    parts: int
    batches: int


def _evaluation(model: Any, asked: dict[str, Any]) -> Evaluation:
    kept = model._eval_epoch_iterator if asked["kwargs"].get("_use_cached_eval_dataset") else None
    if kept is not None and hasattr(kept, "_evaluation"):
        found: Evaluation = kept._evaluation
        return found
    given = data.source(**{name: asked[name] for name in data.GIVEN if name in asked})
    batches = data.known_steps(given, asked["steps"], "steps")
    dataset = data.whole(given, asked["steps"])
    _build(model, data.specification_of(dataset))
    parts = min(batches, PARTS * model.distribute_strategy._num_workers)
    made = Evaluation(steps.evaluation(model, dataset, parts), parts, batches)
    if kept is not None:
        kept._evaluation = made
    return made


def _evaluated(model: Any, asked: dict[str, Any]) -> dict[str, Any]:
    evaluation = _evaluation(model, asked)
    callbacks = asked["callbacks"]
    if not isinstance(callbacks, CallbackList):
        callbacks = CallbackList(callbacks, model=model, epochs=1, steps=evaluation.batches)
    coordinator = coordinator_of(model.distribute_strategy)
    callbacks.on_test_begin()
    coordinator.join()
    model.reset_metrics()
    for counted in _results(coordinator, evaluation.function, evaluation.parts):
        for variable, value in zip(model.metrics_variables, counted, strict=True):
            variable.assign_add(value)
    logs: dict[str, Any] = pythonify_logs(model.get_metrics_result())
    callbacks.on_test_end(logs)
    return logs


def _results(coordinator: Any, function: Any, parts: int) -> list[Any]:
    """The counts of every part; parts lost with their worker are computed again."""
    found: dict[int, Any] = {}
    while len(found) < parts:
        scheduled = {
            number: coordinator.schedule(function, args=(tf.constant(number, tf.int64),))
            for number in range(parts)
            if number not in found
        }
        coordinator.join()
        for number, remote in scheduled.items():
            try:
                found[number] = remote.fetch()
            except (tf.errors.UnavailableError, tf.errors.AbortedError, ClosureAbortedError):
                continue
    return [found[number] for number in range(parts)]


def _predict(original: Function) -> Function:
    def predict(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_served(self):
            return original(self, *args, **kwargs)
        strategy = self._distribute_strategy
        settle(self)
        # The chief predicts alone, as in Keras 2. It does so in a new thread, which is outside
        # every scope.
        self._distribute_strategy = self.predict_function = None
        try:
            if not tf.distribute.has_strategy():
                return original(self, *args, **kwargs)
            with ThreadPoolExecutor(1) as outside_any_scope:
                return outside_any_scope.submit(original, self, *args, **kwargs).result()
        finally:
            self._distribute_strategy, self.predict_function = strategy, None

    return predict


def _export(original: Function) -> Function:
    def export(self: Any, *args: Any, **kwargs: Any) -> Any:
        if is_served(self):
            refusals.check_export(self)
        return original(self, *args, **kwargs)

    return export


def _on_batch(original: Function) -> Function:
    def on_batch(self: Any, *args: Any, **kwargs: Any) -> Any:
        if is_served(self):
            refusals.refuse_one_batch(original.__name__)
        return original(self, *args, **kwargs)

    return on_batch


_TRAINER = "keras.src.backend.tensorflow.trainer"
_MODEL = f"{_TRAINER}:TensorFlowTrainer"
_EPOCHS = f"{_TRAINER}:TFEpochIterator"
_BASE = "keras.src.trainers.trainer:Trainer"


_ROW = "`fit` with a `tf.data.Dataset`"

PATCHES = (
    replacement(
        _EPOCHS,
        "__init__",
        _epochs,
        "makes no dataset for workers, and asks an unbuilt one for its size: fit raises",
        _ROW,
    ),
    replacement(
        _EPOCHS, "__next__", _next, "does not know how many steps of an epoch are left", _ROW
    ),
    replacement(
        _EPOCHS, "tf_sync", _sync, "does not wait for workers at the end of an epoch", _ROW
    ),
    replacement(
        _MODEL,
        "_maybe_symbolic_build",
        _symbolic_build,
        "builds the model from a batch, which the chief does not have: fit raises",
        _ROW,
    ),
    replacement(_MODEL, "_make_function", _make_function, "computes each step in the chief", _ROW),
    replacement(
        _BASE,
        "_get_metrics_result_or_logs",
        _metrics_or_logs,
        "does not fetch a step's return value from the workers",
        "custom `train_step`",
    ),
    replacement(
        _BASE,
        "compile",
        _compile,
        "does not enter the model's strategy: optimizer and loss tracker stay in the chief",
        "`compile` outside the scope",
    ),
    replacement(
        _MODEL,
        "fit",
        _fit,
        "a model made outside the scope is trained by the chief alone; callbacks that act on "
        "batches get logs of steps that are not done yet",
        "model made outside the scope",
    ),
    replacement(_MODEL, "evaluate", _evaluate, "computes in the chief, or raises", "`evaluate`"),
    replacement(_MODEL, "predict", _predict, "raises", "`predict`"),
    replacement(
        "keras.src.models.model:Model",
        "export",
        _export,
        "raises an error about an untracked variable",
        "`export` of parts",
    ),
    *(
        replacement(_MODEL, name, _on_batch, "computes in the chief", "`train_on_batch`")
        for name in ("train_on_batch", "test_on_batch", "predict_on_batch")
    ),
)
