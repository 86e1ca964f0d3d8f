"""The input data: every worker has all of it, and reads it from its own position.

TensorFlow and Keras 2 do the same: each step goes to a free worker, so the rows that a worker will
need are unknown in advance. For training, each dataset is repeated, because no worker's dataset may
end before the last step.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import tensorflow as tf
from keras.src.trainers.data_adapters import get_data_adapter
from keras.utils import PyDataset
from tensorflow.python.distribute.coordinator import values
from tensorflow.python.distribute.input_lib import (
    DistributedDataset,
    DistributedDatasetsFromFunction,
)

from mwtutor.bridges.keras3.patching import Function
from mwtutor.exceptions import NotSupported

#: The arguments of ``fit`` that concern the data.
GIVEN = ("x", "y", "sample_weight", "batch_size", "shuffle", "class_weight")

_PYTHON = ("PyFunc", "EagerPyFunc", "PyFuncStateless", "GeneratorDataset")


@dataclass(frozen=True)
class Source:
    """The data as given, ready for workers.

    Attributes:
        dataset: creates the dataset where it is called; None if only ``per_worker`` is known.
        batches: how many batches it has; None if unknown or infinite.
        per_worker: the data that the program itself distributed.
        options: a ``tf.distribute.InputOptions``, if the program has any.
        global_batches: whether a worker's GPUs share each batch; otherwise each gets its own.
    """

    dataset: Function
    batches: int | None = None
    per_worker: Any = None
    options: Any = None
    global_batches: bool = False


def source(x: Any, **given: Any) -> Source:
    """Convert the arguments of ``fit`` or ``evaluate``.

    Raises:
        NotSupported: workers cannot use the data.
    """
    if isinstance(x, DistributedDatasetsFromFunction):
        return Source(x._dataset_fn, options=x._options)
    if isinstance(x, DistributedDataset):
        x = x._original_dataset
    if isinstance(x, values.PerWorkerDatasetFromDatasetFunction):
        return Source(_unknown, per_worker=x)
    if isinstance(x, tf.data.Iterator) or type(x).__name__ == "generator":
        raise _only_here("An iterator")
    if isinstance(x, PyDataset):
        raise _only_here("A PyDataset")
    if callable(x) and not isinstance(x, tf.data.Dataset):
        return Source(x, options=getattr(x, "input_options", None))
    if isinstance(x, tf.data.Dataset):
        given.pop("shuffle", None)  # Keras would warn that datasets shuffle themselves
    adapter = get_data_adapter(x=x, **given)
    dataset = adapter.get_tf_dataset()
    return Source(_sent(dataset), adapter.num_batches, global_batches=True)


def _unknown(context: Any) -> Any:
    raise NotSupported(
        "The dataset was distributed with create_per_worker_dataset, so it cannot be divided.",
        "Pass the function or the dataset that was given to create_per_worker_dataset.",
    )


def _only_here(what: str) -> NotSupported:
    return NotSupported(
        f"{what} needs Python, which under ParameterServerStrategy runs in the chief and not in "
        "workers.",
        "Pass arrays, a tf.data.Dataset made of arrays or files, or a function that takes a "
        "tf.distribute.InputContext and creates one.",
    )


def _sent(dataset: Any) -> Function:
    """A function that creates a copy of this dataset of the chief wherever it is called."""
    try:
        graph = values.serialize_dataset_to_graph(dataset)
    except tf.errors.OpError as error:
        raise NotSupported(
            "The dataset cannot be sent to workers, because it uses something that only the chief "
            f"has ({error.message.splitlines()[0][:200]}).",
            "Pass a function that takes a tf.distribute.InputContext and creates the dataset.",
        ) from error
    if _calls_python(tf.compat.v1.GraphDef.FromString(graph.numpy())):
        raise _only_here("The dataset")
    # The function captures the graph: a constant in it would be folded into the chief's dataset.
    return lambda context: values.deserialize_dataset_from_graph(graph, dataset.element_spec)


def distribute(coordinator: Any, given: Source) -> Any:
    """The endless dataset for training, on each worker."""
    if given.per_worker is not None:
        return given.per_worker
    strategy = coordinator.strategy

    def per_worker() -> Any:
        if given.global_batches:
            return strategy.experimental_distribute_dataset(given.dataset(None).repeat())
        return strategy.distribute_datasets_from_function(
            lambda context: given.dataset(context).repeat(), given.options
        )

    made = coordinator.create_per_worker_dataset(per_worker)
    check_function(made._dataset_fn)
    return made


def whole(given: Source, steps: int | None) -> Function:
    """A function that creates, in a worker, the dataset to evaluate."""

    def dataset() -> Any:
        made = given.dataset(tf.distribute.InputContext())
        return made if steps is None else made.take(steps)

    return dataset


def check_function(traced: Any) -> None:
    """Reject a function that uses a dataset of the chief.

    Raises:
        NotSupported: the function uses one; workers would fail with "Unable to parse tensor proto".
    """
    if any(tensor.dtype == tf.variant for tensor in traced.captured_inputs):
        raise NotSupported(
            "The function that creates the dataset uses a dataset that was created outside it, in "
            "the chief.",
            "Create all of it inside the function, or pass the dataset itself.",
        )
    if _calls_python(traced.graph.as_graph_def()):
        raise _only_here("The function that creates the dataset")


def _calls_python(graph: Any) -> bool:
    own, functions = attrgetter("node", "library.function")(graph)
    nodes = [*own, *(node for inner in functions for node in inner.node_def)]
    return any(node.op in _PYTHON for node in nodes)


def specification(dataset: Any) -> Any:
    """The specification of one replica's data, determined without reading a batch."""

    def one(spec: Any) -> Any:
        spec = getattr(spec, "_value_specs", (spec,))[0]
        return spec if hasattr(spec, "shape") else None

    return tf.nest.map_structure(one, dataset.element_spec)


def specification_of(dataset: Function) -> Any:
    """Like :func:`specification`, for a function that creates a dataset and is only traced."""
    traced = tf.function(dataset, autograph=False).get_concrete_function()
    check_function(traced)
    return specification(traced.structured_outputs)


def known_steps(given: Source, steps: int | None, option: str) -> int:
    """The number of batches to take.

    Raises:
        NotSupported: the number is unknown.
    """
    count = steps if steps is not None else given.batches
    if count is None:
        raise NotSupported(
            "Under ParameterServerStrategy the number of steps must be known in advance, but this"
            " data does not determine it.",
            f"Set `{option}` to the number of batches to take.",
        )
    return count
