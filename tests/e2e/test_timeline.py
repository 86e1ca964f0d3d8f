"""A real cluster with a slow worker: the timeline shows which one is slow, and who waited."""

from __future__ import annotations

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.pictures.timeline import Drawn
from mwtutor.run.observations.timeline import Lane

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)

#: Worker 1 sleeps 50 ms before each step.
BEGIN = """
    import json, os, time
    import numpy as np
    import tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    me = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
    def sleep():
        if me == 1:
            time.sleep(0.05)
"""

KERAS = f"""
{BEGIN}
    class Slow(tf.keras.callbacks.Callback):
        def on_train_batch_begin(self, batch, logs=None):
            sleep()
    x, y = np.zeros((96, 4), "float32"), np.zeros((96, 1), "float32")
    data = tf.data.Dataset.from_tensor_slices((x, y)).repeat(2).batch(8)
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
        model.compile("sgd", "mse")
    model.fit(data, epochs=2, validation_data=data, verbose=0, callbacks=[Slow()])
    model.save(f"model-{{me}}.keras")
"""

LOOP = f"""
{BEGIN}
    with strategy.scope():
        weights = tf.Variable(tf.zeros(100))
    def replica(x):
        total = tf.distribute.get_replica_context().all_reduce("SUM", weights + x)
        weights.assign(0.1 * total)
    @tf.function
    def step(x):
        strategy.run(replica, args=(x,))
    for _ in range(30):
        sleep()
        step(tf.constant(1.0))
"""


@pytest.mark.parametrize("program", [KERAS, LOOP], ids=["fit", "loop"])
def test_a_slow_worker_and_who_waits_for_it_are_seen(launch, write, program):
    write("main.py", program)
    run = launch("main.py", 2)
    run.wait()
    content = run.timeline()
    times = content.steps
    assert times.together
    assert times.typical(W1, "between") >= 0.05
    assert times.typical(W0, "between") < 0.025
    assert times.typical(W0, "waiting") > 0.025
    assert times.typical(W0, "waiting") > times.typical(W1, "waiting") + 0.02
    assert (times.awaited(W0), times.awaited(W1)) == (W1, None)
    shown = repr(Drawn(run.name, content, steps=True))
    assert "worker:1 is the slowest" in shown
    kinds = [{span.kind for span in lane.spans} for lane in content.lanes]
    expected = {"starting", "joining", "running", "training"}
    if program is KERAS:
        expected |= {"evaluating", "saving"}
        assert all(_epochs(lane) == {1, 2} for lane in content.lanes)
    assert all(expected <= kind for kind in kinds)


def _epochs(lane: Lane) -> set[int]:
    return {span.number for span in lane.spans if span.kind == "training"}
