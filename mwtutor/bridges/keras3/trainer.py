"""The methods of Keras 3's trainer that fail, or are silently wrong, on several workers."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import keras
import tensorflow as tf
from keras import tree

from mwtutor.bridges.keras3 import paths, refusals
from mwtutor.bridges.keras3.patching import SEVERAL_WORKERS, Function, Patch, row_passes
from mwtutor.bridges.keras3.shuffling import common_order
from mwtutor.bridges.keras3.state import share_global_seed
from mwtutor.bridges.keras3.stopping import one_wish_for_all, with_agreement
from mwtutor.bridges.keras3.strategies import multi_worker, strategy_of

_TRAINER = "keras.src.backend.tensorflow.trainer"
_MODEL = f"{_TRAINER}:TensorFlowTrainer"


def _symbolic_build(original: Function) -> Function:
    def _maybe_symbolic_build(self: Any, iterator: Any = None, data_batch: Any = None) -> None:
        strategy = strategy_of(self)
        if strategy is None or iterator is None:
            original(self, iterator=iterator, data_batch=data_batch)
            return
        refusals.check_variables(self, strategy)
        with strategy.scope():
            if type(self).call is keras.Model.call:
                _build_without_call(self)
            else:
                self._symbolic_build(data_batch=_one_replicas_batch(iterator, strategy))
        refusals.check_variables(self, strategy)

    return _maybe_symbolic_build


def _build_without_call(model: Any) -> None:
    """Build a model that has steps and layers, but no ``call``."""
    if model.optimizer is not None and not model.optimizer.built:
        model.optimizer.build(model.trainable_variables)


def _one_replicas_batch(iterator: Any, strategy: Any) -> Any:
    """One replica's data: its specification or, if that lacks a rank, a real batch.

    The specification is better: it takes no batch from a generator and needs no exchange between
    workers.
    """
    dataset = iterator._distributed_dataset
    specs = tree.map_structure(_one_replicas_spec, dataset.element_spec)
    if all(s.shape.rank is not None for s in tree.flatten(specs) if s is not None):
        return specs
    batch = next(iter(dataset))
    return tree.map_structure(lambda v: strategy.experimental_local_results(v)[0], batch)


def _one_replicas_spec(spec: Any) -> Any:
    spec = getattr(spec, "_value_specs", (spec,))[0]
    return None if not hasattr(spec, "shape") else spec


def _reduce_per_replica(original: Function) -> Function:
    def reduce_per_replica(values: Any, strategy: Any, reduction: str) -> Any:
        if not multi_worker(strategy) or reduction != "auto":  # Keras also asks for "concat"
            return original(values, strategy, reduction)
        return tree.map_structure(lambda v: strategy.reduce("MEAN", v, axis=None), values)

    return reduce_per_replica


def _compile(original: Function) -> Function:
    def compile(self: Any, *args: Any, **kwargs: Any) -> None:
        strategy = strategy_of(self)
        if strategy is None:
            original(self, *args, **kwargs)
            return
        with strategy.scope():
            original(self, *args, **kwargs)

    return compile


def _make_function(original: Function) -> Function:
    def _make_function(self: Any, step_function: Function) -> Function:
        steps = self.steps_per_execution
        one_step: Function = original(self, step_function)
        if strategy_of(self) is None or steps == 1:
            return one_step

        def several_steps(iterator: Any) -> Any:
            outputs = None
            for _ in range(steps):
                try:
                    with _single_steps(self):
                        outputs = one_step(iterator)
                except (StopIteration, tf.errors.OutOfRangeError):
                    if outputs is None:
                        raise
                    break
            return outputs

        return several_steps

    return _make_function


@contextmanager
def _single_steps(model: Any) -> Iterator[None]:
    """Let the original function take one step; it reads the number of steps while it is traced."""
    steps, model.steps_per_execution = model.steps_per_execution, 1
    try:
        yield
    finally:
        model.steps_per_execution = steps


def _fit(original: Function) -> Function:
    signature = inspect.signature(original)

    def fit(self: Any, *args: Any, **kwargs: Any) -> Any:
        refusals.check_model(self)
        refusals.check_alone(self)
        strategy = strategy_of(self)
        if strategy is None:
            return original(self, *args, **kwargs)
        share_global_seed()
        given = signature.bind(self, *args, **kwargs)
        callbacks = given.arguments.get("callbacks")
        refusals.check_training(self, callbacks)
        data, steps = map(given.arguments.get, ("validation_data", "validation_steps"))
        refusals.check_ends(data, steps, option="validation_steps")
        given.arguments["callbacks"] = with_agreement(callbacks, strategy)
        shared = paths.shared_out(strategy, callbacks)
        with one_wish_for_all(self), common_order(strategy), shared:
            history = original(*given.args, **given.kwargs)
        refusals.note_training(together=True)
        return history

    return fit


def _evaluate(original: Function) -> Function:
    signature = inspect.signature(original)

    def evaluate(self: Any, *args: Any, **kwargs: Any) -> Any:
        refusals.check_model(self)
        strategy = strategy_of(self)
        if strategy is None:
            return original(self, *args, **kwargs)
        share_global_seed()
        given = signature.bind(self, *args, **kwargs).arguments
        refusals.check_ends(given.get("x"), given.get("steps"), option="steps")
        callbacks = given.get("callbacks")
        with paths.shared_out(strategy, callbacks):
            return original(self, *args, **kwargs)

    return evaluate


def _predict(original: Function) -> Function:
    signature = inspect.signature(original)

    def predict(self: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        refusals.check_model(self)
        if strategy_of(self) is not None:
            steps = signature.bind(self, x, *args, **kwargs).arguments.get("steps")
            refusals.check_order(x)
            refusals.check_ends(x, steps, option="steps")
            x = _in_order(x)
            share_global_seed()
        return original(self, x, *args, **kwargs)

    return predict


def _in_order(x: Any) -> Any:
    """Make the workers share each batch, the only way to keep a dataset's order."""
    if not isinstance(x, tf.data.Dataset):
        return x
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    return x.with_options(options)


def _on_batch(original: Function) -> Function:
    def on_batch(self: Any, *args: Any, **kwargs: Any) -> Any:
        if strategy_of(self) is not None:
            refusals.refuse_one_batch(original.__name__)
        return original(self, *args, **kwargs)

    return on_batch


PATCHES = (
    Patch(
        _MODEL,
        "_maybe_symbolic_build",
        _symbolic_build,
        why="reduces a nested first batch with strategy.reduce, which takes one value: fit raises",
        since="3.5",
        until=row_passes("fit with tf.data"),
    ),
    Patch(
        _TRAINER,
        "reduce_per_replica",
        _reduce_per_replica,
        why="reduces scalar logs over axis 0: the first training step raises",
        until=row_passes("fit with tf.data"),
    ),
    Patch(
        "keras.src.trainers.trainer:Trainer",
        "compile",
        _compile,
        why="does not enter the model's strategy: the loss tracker, and an optimizer given by "
        "name, end up outside it and every worker reports its own loss",
        issue="https://github.com/keras-team/keras/issues/19891",
        until=row_passes("compile outside the scope"),
    ),
    Patch(
        _MODEL,
        "_make_function",
        _make_function,
        why="steps_per_execution above 1 puts the exchange between workers into a branch inside a "
        "loop of the graph, which cannot be run; instead the steps are taken one by one, with the "
        "callbacks called as requested",
        since="3.7",
        until=row_passes("steps_per_execution"),
    ),
    Patch(
        _MODEL,
        "fit",
        _fit,
        why="a model made outside the scope trains on each worker separately; XLA, float8 and "
        "OrbaxCheckpoint break or hang; a callback that stops one worker leaves the others waiting",
        issue=f"{SEVERAL_WORKERS}, https://github.com/keras-team/keras/issues/21366",
        until="Keras itself raises an error in the parity rows 'model made outside the scope', "
        "'jit_compile', 'float8' and 'OrbaxCheckpoint'",
    ),
    Patch(
        _MODEL,
        "evaluate",
        _evaluate,
        why="a model made outside the scope is evaluated by each worker separately",
        until="Keras itself raises an error in the parity row 'model made outside the scope'",
    ),
    Patch(
        _MODEL,
        "predict",
        _predict,
        why="a dataset divided by file comes back in a different order, one that is not divided "
        "comes back once per worker",
        until="the parity rows 'predict' pass without the bridge",
    ),
    *(
        Patch(
            _MODEL,
            name,
            _on_batch,
            why="every worker silently takes the whole batch as its share",
            until="the batch is divided, as Keras 2 does in the parity row 'train_on_batch'",
        )
        for name in ("train_on_batch", "test_on_batch", "predict_on_batch")
    ),
)
