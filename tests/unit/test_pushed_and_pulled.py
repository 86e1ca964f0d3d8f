"""Values between processes: arrays stay unchanged, and nothing needs TensorFlow."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from mwtutor import pushed_and_pulled


def test_arrays_travel_beside_the_pickle_and_can_be_written_to():
    array = np.arange(1_000_000, dtype=np.float32).reshape(1000, 1000)
    parts = pushed_and_pulled.dump({"x": array, "plain": [1, "two", None]})
    assert len(parts[0]) < 1000, "no array in the pickle"
    assert sum(memoryview(part).nbytes for part in parts[1:]) == array.nbytes
    back = pushed_and_pulled.load([bytes(part) for part in parts])
    np.testing.assert_array_equal(back["x"], array)
    assert back["plain"] == [1, "two", None]
    back["x"][0, 0] = 7


def test_what_lives_in_its_process_is_refused():
    with pytest.raises(pushed_and_pulled.CannotTravel, match="pickle"):
        pushed_and_pulled.dump(i for i in range(3))
    with pytest.raises(pushed_and_pulled.CannotTravel):
        pushed_and_pulled.dump(lambda: None)


@pytest.mark.full
@pytest.mark.tensorflow
def test_tensorflows_own_become_plain():
    program = """
import os, pickle, sys
os.environ["TF_USE_LEGACY_KERAS"] = "1"
import tensorflow as tf
from mwtutor import pushed_and_pulled
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
model.compile(loss="mse")
history = model.fit(tf.zeros((4, 2)), tf.zeros((4, 1)), epochs=2, verbose=0)
sent = {"t": tf.constant([1.0, 2.0]), "v": tf.Variable(3), "h": history, "m": model,
        "d": {"deep": [tf.constant(4)]}}
parts = [bytes(part) for part in pushed_and_pulled.dump(sent)]
try:
    pushed_and_pulled.dump(tf.data.Dataset.range(3))
except pushed_and_pulled.CannotTravel as error:
    print(error, file=sys.stderr)
sys.stdout.buffer.write(pickle.dumps(parts))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    import pickle

    back = pushed_and_pulled.load(pickle.loads(done.stdout))
    assert "cannot leave its process" in done.stderr.decode()
    np.testing.assert_array_equal(back["t"], [1, 2])
    assert (back["v"], back["d"]["deep"][0]) == (3, 4)
    assert back["h"].epoch == [0, 1]
    assert len(back["h"].history["loss"]) == 2
    assert [weight.shape for weight in back["m"]] == [(2, 1), (1,)]
    assert "tensorflow" not in {type(value).__module__.split(".")[0] for value in back.values()}
