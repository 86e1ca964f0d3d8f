"""Programs as they are published, in words of our own: how each ends, and what is said of it."""

from __future__ import annotations

import pytest

from mwtutor.display.panel import Panel
from tests.parity.versions import keras_versions

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
FIT = STRATEGY_FIRST + MODEL + "    model.fit(x, x, batch_size=8, verbose=0"
ESTIMATOR = """
    import sys
    import tensorflow as tf
    def model_fn(features, labels, mode):
        v1 = tf.compat.v1
        w = v1.get_variable("w", [], initializer=v1.zeros_initializer())
        loss = tf.reduce_mean((w - labels) ** 2)
        step = v1.train.GradientDescentOptimizer(0.1).minimize(loss, v1.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)
    def data():
        return tf.data.Dataset.from_tensors((tf.zeros([1]), tf.ones([1]))).repeat(5)
    estimator = tf.estimator.Estimator(model_fn, model_dir=sys.argv[1])
"""

#: The program; how many workers; how it ends; and what the status says of it.
QUICK = {
    "numpy_fit": (FIT + ")", 2, "succeeded", "Keras 3 by default"),
    "late_strategy": (
        """
    import tensorflow as tf
    x = tf.constant(1)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    """,
        2,
        "failed",
        "Line 3 used TensorFlow before the strategy was made: move line 4 above it.",
    ),
    "unequal_shapes": (
        STRATEGY_FIRST
        + """
    with strategy.scope():
        tf.Variable(tf.ones([2 + strategy.cluster_resolver.task_id]))
    """,
        2,
        "failed",
        "The workers combine values of different shapes",
    ),
    "fit_workers": (
        FIT + ", workers=2)",
        2,
        "failed",
        "This program was written for Keras 2: launch it with --keras 2.",
    ),
    "estimator_train": (ESTIMATOR + "    estimator.train(data, max_steps=3)", 1, "succeeded", ""),
    "estimator_without_chief": (
        ESTIMATOR + "    estimator.train(data, max_steps=3)",
        2,
        "failed",
        "Launch it with --chief --ps 1.",
    ),
}

SLOW = {
    "estimator_train_and_evaluate": (
        ESTIMATOR
        + """
    train, evaluate = tf.estimator.TrainSpec(data, max_steps=3), tf.estimator.EvalSpec(data)
    tf.estimator.train_and_evaluate(estimator, train, evaluate)
    """,
        1,
        "succeeded",
        "because the program uses the Estimator",
    ),
    "legacy_optimizer": (
        STRATEGY_FIRST
        + MODEL.replace('"sgd"', "tf.keras.optimizers.legacy.SGD(0.1)")
        + "    model.fit(x, x, batch_size=8, verbose=0)",
        2,
        "succeeded",
        "Keras 2, because the program uses tf.keras.optimizers.legacy",
    ),
    "custom_loop": (
        STRATEGY_FIRST
        + """
    with strategy.scope():
        w = tf.Variable(0.0)
    data = tf.data.Dataset.from_tensor_slices(x).batch(8)
    @tf.function
    def step(batch):
        def replica(batch):
            w.assign_add(tf.reduce_mean(batch))
        strategy.run(replica, (batch,))
    for batch in strategy.experimental_distribute_dataset(data):
        step(batch)
    """,
        2,
        "succeeded",
        "",
    ),
    "checkpoint_of_keras_2": (
        STRATEGY_FIRST + MODEL + "    tf.keras.callbacks.ModelCheckpoint('checkpoint')",
        2,
        "failed",
        "launch it with --keras 2.",
    ),
    "shard_by_file": (
        STRATEGY_FIRST
        + MODEL
        + """
    options = tf.data.Options()
    policy = tf.data.experimental.AutoShardPolicy.FILE
    options.experimental_distribute.auto_shard_policy = policy
    data = tf.data.Dataset.from_tensor_slices((x, x)).batch(8).with_options(options)
    model.fit(data, verbose=0)
    """,
        2,
        "failed",
        "cannot be shared out by files",
    ),
    "mirrored_in_a_worker": (
        """
    import numpy as np, tensorflow as tf
    x = np.ones((16, 1), "float32")
    strategy = tf.distribute.MirroredStrategy()
    """
        + MODEL
        + "    model.fit(x, x, batch_size=8, verbose=0)",
        2,
        "succeeded",
        "trained separately",
    ),
    "tensorflow_1": (
        """
    import tensorflow as tf
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
    """,
        2,
        "failed",
        "Session is a name of TensorFlow 1.",
    ),
    "overwritten_tf_config": (
        """
    import json, os
    os.environ["TF_CONFIG"] = json.dumps({
        "cluster": {"worker": ["localhost:12345"]}, "task": {"type": "worker", "index": 0}})
    """
        + STRATEGY_FIRST
        + MODEL
        + "    model.fit(x, x, batch_size=8, verbose=0)",
        1,
        "succeeded",
        "",
    ),
}


def ends_as_expected(launch, write, work, source, workers, status, said):
    write("main.py", source)
    run = launch("main.py", workers, [str(work / "model")])
    outcome = run.wait(timeout=240, check=False)
    shown = repr(Panel.of(run))
    assert outcome.status == status, shown
    assert said in shown
    assert "mwtutor/" not in "\n".join(line for line in shown.splitlines() if 'File "' in line)


@pytest.mark.parametrize("pattern", QUICK)
def test_a_published_pattern(launch, write, work, pattern):
    ends_as_expected(launch, write, work, *QUICK[pattern])


@pytest.mark.bridges
@pytest.mark.parametrize("pattern", SLOW)
def test_another_published_pattern(launch, write, work, pattern):
    if pattern == "checkpoint_of_keras_2" and 3 not in keras_versions():
        pytest.skip("there is no Keras 3 here to stumble over it")
    ends_as_expected(launch, write, work, *SLOW[pattern])
