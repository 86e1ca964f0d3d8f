"""Errors of parameter servers and of their coordinator."""

from __future__ import annotations

from mwtutor.worker.advice.row import Row

ROWS = (
    Row(
        "ValueError",
        r"There must be at least one ps",
        "ParameterServerStrategy keeps the model on parameter servers, but this cluster has none.",
        "Launch the program with --ps 1 as well.",
        in_cell="ParameterServerStrategy keeps the model on parameter servers, but this session has"
        " none. Start it with --chief --ps 1.",
    ),
    Row(
        "ValueError",
        r"Unexpected dataset type!",
        "Each worker needs a function that creates its dataset, but something else was given.",
        "Give create_per_worker_dataset a function that returns a tf.data.Dataset.",
    ),
    Row(
        "ValueError",
        r"(?:use|pass) this dataset (?:in|to) ClusterCoordinator\.create_per_worker_dataset",
        "Under ParameterServerStrategy the data is on the workers, not on the chief.",
        "Give coordinator.create_per_worker_dataset a function that returns the dataset, and"
        " schedule a function that takes its iterator.",
    ),
    Row(
        "NotImplementedError",
        r"Iterating over an `AsyncDistributedIterator` is not supported",
        "The data is on the workers: the chief cannot take a batch of it.",
        "Give the iterator to coordinator.schedule in args, and call next in the function that it"
        " schedules.",
    ),
    Row(
        "AttributeError",
        r"'ShardedVariable' object has no attribute 'handle'",
        "The strategy's partitioner has split this variable, and each part has its own gradient.",
        "Use the gradients of its parts, variable.variables, or give the partitioner a larger"
        " min_shard_bytes.",
    ),
    Row(
        "RuntimeError",
        r"Cannot retrieve the worker index",
        "Only a worker has an index, but this code runs on the chief.",
        "Ask for the index in a tf.function passed to coordinator.schedule, or in the function that"
        " creates a worker's dataset.",
    ),
    Row(
        "InvalidArgumentError",
        r"Failed copying input tensor from (?s:.*)Unable to parse tensor proto",
        "An argument of a scheduled function cannot be copied to a worker: a dataset, for example,"
        " is in the memory of the process that created it.",
        "Give coordinator.create_per_worker_dataset a function that returns the dataset, and"
        " pass iter() of the result to coordinator.schedule.",
    ),
    Row(
        "InvalidArgumentError",
        r"Expects 1 arguments, but 0 is provided \[Op:Identity\]",
        "A scheduled function returned a value of the chief, not of a worker, such as"
        " next() of the chief's iterator.",
        "Give coordinator.create_per_worker_dataset a function that returns the dataset, and pass"
        " iter() of the result to coordinator.schedule; leave out any tf.device that names the"
        " chief.",
    ),
    Row(
        "InvalidArgumentError",
        r"(?P<device>/job:\S+) unknown device",
        "This process does not know the device {device}: there is no such task, or this process is"
        " not connected to it.",
        "Call tf.config.experimental_connect_to_cluster first; tf.config.list_logical_devices()"
        " shows the devices.",
    ),
)
