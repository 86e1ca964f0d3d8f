"""Published programs that shard data by a policy, or have a custom training loop.

``test_patterns`` explains the rows.
"""

from __future__ import annotations

import pytest

from tests.support.programs.published import Pattern, judge

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.bridges, pytest.mark.full]

PATTERNS = {
    **{
        f"shared_out_{policy}": Pattern(
            "shared_out",
            f"under {policy} a worker reads {images:,} of TFDS's 1,500 images",
            args=(policy, str(images)),
        )
        for policy, images in (("OFF", 1500), ("DATA", 750), ("FILE", 750))
    },
    "shard_by_file": Pattern(
        """
    import numpy as np, tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    options = tf.data.Options()
    policy = tf.data.experimental.AutoShardPolicy.FILE
    options.experimental_distribute.auto_shard_policy = policy
    x = np.ones((16, 1), "float32")
    data = tf.data.Dataset.from_tensor_slices((x, x)).batch(8).with_options(options)
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Input([1]), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    model.fit(data, verbose=0)
    """,
        "arrays that cannot be sharded by file lead to the policy that can",
        status="failed",
        said="cannot be sharded by file",
    ),
    "input_context": Pattern(
        "input_context", "the InputContext of each worker is its own, and their sums add up"
    ),
    "accumulates": Pattern("accumulates", "gradients that each worker accumulates are summed once"),
    "two_optimizers": Pattern("two_optimizers", "two models learn in one step"),
    "trains_on": Pattern("trains_on", "a checkpoint is restored under the strategy and continued"),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_published_pattern_of_data_and_loops(launch, write, name):
    judge(PATTERNS[name], launch, write)
