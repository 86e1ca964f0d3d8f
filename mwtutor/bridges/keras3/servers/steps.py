"""The steps that workers execute; their metrics are counted separately and then added up.

Workers share the servers' variables without a lock, so counts must be added there in one operation,
but Keras 3 metrics read, add and write in separate ones. Therefore a step has its own metrics,
which start at zero. After a training step, its counts are added to the model's metrics on the
servers. A part of an evaluation returns its counts, and the chief adds them up, so a part that is
computed twice because a worker was lost counts once.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from mwtutor.bridges.keras3.patching import Function
from mwtutor.bridges.keras3.servers.variables import OwnMetrics
from mwtutor.exceptions import NotSupported


def training(model: Any, step: Function) -> Any:
    """A function of an iterator and a number of steps; it returns the outputs of the last step."""
    strategy = model.distribute_strategy
    variables = model.metrics_variables
    step = _without_optionals(model, step)

    def replica(data: Any) -> Any:
        with OwnMetrics(variables, _zeros(variables)) as own:
            outputs = step(data)
        for variable, counted in zip(variables, own.values(), strict=True):
            variable._value.assign_add(counted)
        return outputs

    @tf.function(reduce_retracing=True, autograph=False)  # type: ignore[untyped-decorator]
    def one(iterator: Any) -> Any:
        outputs = strategy.run(replica, args=(next(iterator),))
        return tf.nest.map_structure(lambda value: _mean(strategy, value), outputs)

    @tf.function(reduce_retracing=True, autograph=False)  # type: ignore[untyped-decorator]
    def several(iterator: Any, steps: Any) -> Any:
        return tf.while_loop(
            lambda done, _: done < steps,
            lambda done, _: (done + 1, one(iterator)),
            (tf.constant(1), one(iterator)),
        )[1]

    return several


def _without_optionals(model: Any, step: Function) -> Any:
    """A step that receives None for an empty optional in its data, as in newer Keras."""
    convert = getattr(model, "_autoconvert_optionals", None)
    return step if convert is None else convert(step)


def _zeros(variables: list[Any]) -> list[Any]:
    return [tf.zeros(variable.shape, variable.dtype) for variable in variables]


def _mean(strategy: Any, value: Any) -> Any:
    """The mean over the GPUs of one worker, as in Keras."""
    parts = strategy.experimental_local_results(value)
    return parts[0] if len(parts) == 1 else tf.reduce_mean(parts, axis=0)


def evaluation(model: Any, dataset: Function, parts: int) -> Any:
    """A function of a part's number; it returns the counts of the model's metrics for that part.

    Args:
        dataset: creates the whole dataset; called where it is traced.
        parts: the number of parts, divided batch by batch.
    """
    strategy = model.distribute_strategy
    variables = model.metrics_variables
    step = _without_optionals(model, model.test_step)

    def replica(data: Any, values: list[Any]) -> list[Any]:
        with OwnMetrics(variables, values) as own:
            _check_outputs(model, step(data))
        values = own.values()
        return values

    def batch(data: Any, values: list[Any]) -> list[Any]:
        # All GPUs of a worker compute the same values, so only the metrics of one GPU count.
        results = strategy.run(replica, args=(data, values))
        return [strategy.experimental_local_results(value)[0] for value in results]

    @tf.function(autograph=False)  # type: ignore[untyped-decorator]
    def part(number: Any) -> Any:
        iterator = iter(dataset().shard(parts, number))
        return tf.while_loop(
            lambda data, _: data.has_value(),
            lambda data, values: (iterator.get_next_as_optional(), batch(data.get_value(), values)),
            (iterator.get_next_as_optional(), _zeros(variables)),
        )[1]

    return part


def _check_outputs(model: Any, outputs: Any) -> None:
    names = set(model.get_metrics_result())
    if not isinstance(outputs, dict) or set(outputs) != names:
        raise NotSupported(
            "The model's test_step returns values other than its metrics, so workers cannot combine"
            " them.",
            "Count them in metrics of the model, and return `self.get_metrics_result()`.",
        )
