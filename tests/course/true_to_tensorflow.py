"""Compares solutions of writing tasks with TensorFlow; for ``test_true_to_tensorflow``."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.distribute.cross_device_utils import group_by_size

from mwtutor.exercises.catalogue import find


def solution(exercise: str, name: str) -> Callable[..., Any]:
    names: dict[str, Any] = {}
    exec(find(exercise).solution, names)
    return names[name]


def packs() -> None:
    for _ in range(50):
        sizes, limit = [random.randint(1, 50) for _ in range(7)], random.randint(0, 400)
        found = group_by_size([tf.zeros([size]) for size in sizes], limit)
        wanted = [sum(4 * int(one.shape[0]) for one in pack) for pack in found]
        assert solution("10-w8", "pack_sizes")([4 * size for size in sizes], limit) == wanted


def parts() -> None:
    for _ in range(50):
        rows, width, least = (random.randint(1, most) for most in (3000, 30, 9000))
        servers = random.randint(1, 6)
        partitioner = tf.distribute.experimental.partitioners.MinSizePartitioner(least, servers)
        wanted = partitioner(shape=tf.TensorShape([rows, width]), dtype=tf.float32)[0]
        found = solution("11-w2", "rows_of_parts")(rows, 4 * width, least, servers)
        assert (len(found), sum(found)) == (wanted, rows)


def checkpoints() -> None:
    for saves, keep in ((3, 2), (12, 4), (11, None), (2, 5), (0, 3)):
        with tempfile.TemporaryDirectory() as folder:
            checkpoint = tf.train.Checkpoint(x=tf.Variable(1))
            manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=keep)
            for _ in range(saves):
                manager.save()
            found = [Path(path).name for path in manager.checkpoints]
        assert solution("08-w6", "kept_names")(saves, keep) == found


def replicas() -> None:
    processor = tf.config.list_physical_devices("CPU")[0]
    devices = [tf.config.LogicalDeviceConfiguration()] * 3
    tf.config.set_logical_device_configuration(processor, devices)
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1", "CPU:2"])
    values = [1.0, 2.0, 6.0]
    for kind in ("SUM", "MEAN", "ONLY_FIRST_REPLICA", "NONE"):
        with strategy.scope():
            variable = tf.Variable(10.0, aggregation=getattr(tf.VariableAggregation, kind))

        def replica(variable: Any = variable) -> None:
            me = tf.distribute.get_replica_context().replica_id_in_sync_group
            variable.assign_sub(tf.gather(tf.constant(values), me))

        tf.function(lambda replica=replica: strategy.run(replica))()
        found = [float(one) for one in strategy.experimental_local_results(variable)]
        assert solution("07-w8", "assigned")([10.0] * 3, values, kind) == found, kind
    for rows in ([[1.0, 2.0], [3.0, 4.0], [5.0, 9.0]], [[1.0, 2.0, 3.0], [4.0], [7.0, 7.0]]):
        value = strategy.experimental_distribute_values_from_function(
            lambda context, rows=rows: tf.constant(rows[context.replica_id_in_sync_group])
        )
        for how in ("SUM", "MEAN"):
            for axis in (0, None) if len(rows[1]) == 2 else (0,):
                wanted = strategy.reduce(how, value, axis=axis).numpy()
                np.testing.assert_allclose(
                    solution("07-w4", "reduced_value")(how, rows, axis), wanted
                )


def traces() -> None:
    function, shapes = tf.function(tf.size), [(4, 2), (3, 2), (4, 2), (4, 2), (2, 2)]
    for shape in shapes:
        function(tf.zeros(shape))
    found = function.experimental_get_tracing_count()
    assert solution("07-w6", "traces")(shapes, False) == found


if __name__ == "__main__":
    replicas()  # first, because this creates the devices
    for check in (packs, parts, checkpoints, traces):
        check()
