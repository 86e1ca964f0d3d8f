"""The variables of a process, and the strategies of a process: real ones, in TensorFlow."""

from __future__ import annotations

import json

import pytest

from tests.support.clusters import warm

pytestmark = pytest.mark.tensorflow


def test_each_variable_is_found_once_by_the_name_its_user_gave():
    printed = warm.run_source(
        """
        import json
        import tensorflow as tf
        from mwtutor.worker.variables import live_variables

        kept = tf.Variable([[1.0, 2.0]], name="inner")
        nameless = tf.Variable(3, dtype=tf.int64, name="counter")
        gone = tf.Variable(0.0, name="gone")
        gone = None

        @tf.function
        def twice(x):
            return kept * x

        twice(tf.constant(2.0))  # the function holds its own handle
        print(json.dumps(live_variables({"weights": kept, "_hidden": nameless})))
        """
    )
    described = {one["name"]: one for one in json.loads(printed)}
    assert described.keys() == {"weights", "counter"}
    assert described["weights"]["shape"] == [1, 2]
    assert described["weights"]["dtype"] == "float32"
    assert [piece["bytes"] for piece in described["weights"]["pieces"]] == [8]
    assert [piece["bytes"] for piece in described["counter"]["pieces"]] == [8]


def test_a_mirrored_strategy_has_the_devices_of_this_process_and_a_release_is_an_error():
    printed = warm.run_source(
        """
        import tensorflow as tf
        from mwtutor.worker.patches import another_strategy

        another_strategy.install()
        cpu = tf.config.list_physical_devices("CPU")[0]
        two = [tf.config.LogicalDeviceConfiguration()] * 2
        tf.config.set_logical_device_configuration(cpu, two)
        print(tf.distribute.MirroredStrategy().num_replicas_in_sync)
        another_strategy.release("worker:1 has left")
        try:
            another_strategy._has(None, "a key that nobody writes")
        except tf.errors.AbortedError as error:
            print(error.message)
        """
    )
    assert printed.splitlines() == ["2", "worker:1 has left"]
