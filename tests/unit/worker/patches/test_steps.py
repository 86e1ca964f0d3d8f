"""The timing of a program's own steps does not appear in its errors."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

#: What TensorFlow itself raises in strategy.run, below the frame that times it.
PROGRAM = """
from mwtutor.worker.patches import steps
steps.install()
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
def part(x):
    return tf.distribute.get_replica_context().all_reduce("sum", x)
@tf.function
def total(x):
    return strategy.run(part, args=(x,))
try:
    total(tf.constant(1.0))
except ValueError as error:
    print(error)
"""


@pytest.mark.full
@pytest.mark.tensorflow
def test_an_error_in_user_code_names_the_users_lines_only(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    env = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1"}
    done = subprocess.run([sys.executable, program], env=env, capture_output=True, text=True)
    assert "in user code" in done.stdout, done.stderr[-2000:]
    assert "in total" in done.stdout
    assert "patches" not in done.stdout
