"""Published programs: the most common ones of each kind. The neighboring files have the others.

Every table has a row for each program, which says how to launch it, how it must end, what must be
reported, and what that proves. Longer programs are in ``tests/support/programs/patterns``. Programs
that train together print numbers that two workers have in common only if they did so.

==========================  ===============================================================
``test_patterns``           one of each kind, and errors with advice; always tried
``test_patterns_keras``     ``fit`` and its callbacks, files, flags, Keras 2
``test_patterns_loops``     sharded data, custom training loops
``test_patterns_servers``   parameter servers, sessions of TensorFlow 1
``test_patterns_estimator`` Estimators, with and without a strategy
==========================  ===============================================================
"""

from __future__ import annotations

import pytest

from tests.support.machines.network import needs_private_network
from tests.support.programs.published import PROGRAMS, Pattern, judge, trained_together

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]

STRATEGY_FIRST = """
    import numpy as np, tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    x = np.arange(16, dtype="float32").reshape(16, 1) / 16
"""
MODEL = """
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Input([1]), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
"""

QUICK = {
    "numpy_fit": Pattern(
        "numpy_fit", "Keras 3 trains on several workers", said="Keras 3 by default", keras=3
    ),
    "custom_loop": Pattern("custom_loop", "a custom training loop runs unchanged"),
    "late_strategy": Pattern(
        """
    import tensorflow as tf
    x = tf.constant(1)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    """,
        "the line that was too early is named",
        status="failed",
        said="Line 3 used TensorFlow before the strategy was created: move line 4 above it.",
    ),
    "unequal_shapes": Pattern(
        STRATEGY_FIRST
        + """
    with strategy.scope():
        tf.Variable(tf.ones([2 + strategy.cluster_resolver.task_id]))
    """,
        "an error of a collective is explained",
        status="failed",
        said="The workers combine values of different shapes",
    ),
    "fit_workers": Pattern(
        STRATEGY_FIRST + MODEL + "    model.fit(x, x, batch_size=8, verbose=0, workers=2)",
        "what only Keras 2 takes leads to --keras 2",
        status="failed",
        said="This program was written for Keras 2: launch it with --keras 2.",
        keras=3,
    ),
    "estimator_train": Pattern(
        "estimator_alone", "an Estimator treats a cluster of one as no cluster", 1, ("train",)
    ),
    "estimator_without_chief": Pattern(
        "estimator_alone",
        "advice shows how an Estimator gets the servers it needs",
        args=("train",),
        status="failed",
        said="Launch the program with --chief --ps 1, for tf.estimator.train_and_evaluate.",
    ),
}

SLOW = {
    "keras_2_by_its_own_choice": Pattern(
        """
    import os
    os.environ["TF_USE_LEGACY_KERAS"] = "1"
    import tensorflow as tf
    tf.keras.layers.Dense(1)
    """,
        "the Keras that is shown is the one that was imported",
        said="Keras 2, which the program chose",
        once=False,
        keras=3,
    ),
    "data_parallel": Pattern(
        """
    import keras, tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    keras.distribution.set_distribution(keras.distribution.DataParallel())
    """,
        "an argument that Keras ignores is reported as ineffective",
        said="keras.distribution.DataParallel has no effect on TensorFlow",
        once=False,
        keras=3,
    ),
    "joined_over_a_socket": Pattern(
        "sockets_average",
        "workers that exchange in another way are not reported as trained separately",
        said="mwtutor saw no TensorFlow collectives in these 2 workers",
        once=False,
    ),
    "checkpoint_of_keras_2": Pattern(
        STRATEGY_FIRST + MODEL + "    tf.keras.callbacks.ModelCheckpoint('checkpoint')",
        "a path that only Keras 2 takes leads to --keras 2",
        status="failed",
        said="launch it with --keras 2.",
        keras=3,
    ),
    "mirrored_in_a_worker": Pattern(
        "mirrored",
        "workers of a strategy of one machine are not called one training",
        said="trained separately",
        once=False,
    ),
    "tensorflow_1": Pattern(
        """
    import tensorflow as tf
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
    """,
        "names of TensorFlow 1 lead to its compatible module",
        status="failed",
        said="Session is a TensorFlow 1 name.",
    ),
    "overwritten_tf_config": Pattern(
        """
    import json, os
    os.environ["TF_CONFIG"] = json.dumps({
        "cluster": {"worker": ["localhost:12345"]}, "task": {"type": "worker", "index": 0}})
    """
        + STRATEGY_FIRST
        + MODEL
        + "    model.fit(x, x, batch_size=8, verbose=0)",
        "one worker may choose its own address",
        1,
        once=False,
    ),
    "forgets_its_cluster": Pattern(
        """
    import os
    del os.environ["TF_CONFIG"]
    import tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        steps = tf.Variable(0.0)
    strategy.run(lambda: steps.assign_add(1.0))
    """,
        "a loop without its cluster, which reports no steps, is not called training by two workers",
        said="No cluster was formed: mwtutor saw no TensorFlow collectives in main.py.",
        once=False,
    ),
}


@pytest.mark.parametrize("name", QUICK)
def test_a_published_pattern(launch, write, name):
    judge(QUICK[name], launch, write)


@pytest.mark.full
@pytest.mark.bridges
@pytest.mark.parametrize("name", SLOW)
def test_another_published_pattern(launch, write, name):
    judge(SLOW[name], launch, write)


@pytest.mark.full
@pytest.mark.bridges
def test_an_index_by_hand(launch, write):
    """In the host network, both tasks get the port, and TensorFlow reports incarnations."""
    needs_private_network()
    pattern = Pattern(
        "index_by_hand",
        "workers that all took the same address from an argument get advice on TF_CONFIG",
        args=("0",),
        options={"network": "private"},
        status="failed",
        said="worker:0 and worker:1 claim the same task, worker:0 at localhost:12345:"
        " index_by_hand.py changes TF_CONFIG. Use the TF_CONFIG that mwtutor sets for each task.",
    )
    judge(pattern, launch, write)


@pytest.mark.full
def test_workers_that_trained_alone_are_found_out(launch):
    run = launch(str(PROGRAMS / "alone.py"), 2)
    assert run.wait(timeout=120).ok
    with pytest.raises(AssertionError, match="separately"):
        trained_together(run, 2)
