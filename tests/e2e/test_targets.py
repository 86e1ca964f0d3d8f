"""The same program where a scheduler starts its tasks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.parity.cluster import held_ports

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]

#: Keras 3 under this strategy needs our bridge, and nothing in the program asks for it.
PROGRAM = """
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(3)])
    model.compile(loss="mse", optimizer="sgd")
x = np.arange(64.0, dtype="float32").reshape(16, 4) / 64
model.fit(x, x[:, :3], batch_size=8, epochs=2, verbose=0, shuffle=False)
total = float(sum(tf.reduce_sum(weights) for weights in model.weights))
print("trained", tf.keras.__version__[0], strategy.num_replicas_in_sync, total)
"""

QUIET = {"CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "2"}


def trained(printed: list[str]) -> list[str]:
    """What all tasks have said of their training: the same."""
    (one,) = {text.split("trained ")[1].split("\n")[0] for text in printed}
    return one.split()


def by_exec(words: list[str], surroundings: list[dict[str, str]], place: Path) -> list[str]:
    """Run ``mwtutor exec`` once for each of the surroundings; what each has printed."""
    given = {k: v for k, v in os.environ.items() if k != "TF_CONFIG" and "SLURM" not in k}
    started = []
    logs = [place / f"{number}.log" for number in range(len(surroundings))]
    try:
        for log, env in zip(logs, surroundings):
            with log.open("w") as out:
                command = [sys.executable, "-m", "mwtutor", "exec", *words]
                env = {**given, **QUIET, "TF_GRPC_REUSE_PORT": "1", **env}
                started.append(subprocess.Popen(command, env=env, stdout=out, stderr=out))
        codes = [process.wait(timeout=240) for process in started]
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert not any(codes), "\n".join(f"---- {log.read_text()[-3000:]}" for log in logs)
    return [log.read_text() for log in logs]


def slurm_like(tasks: int) -> list[dict[str, str]]:
    """The variables of the tasks of a step that has one node."""
    step = {
        "SLURM_JOB_ID": "7",
        "SLURM_STEP_ID": "0",
        "SLURM_STEP_NUM_TASKS": str(tasks),
        "SLURM_STEP_NODELIST": "localhost",
        "SLURM_STEP_TASKS_PER_NODE": str(tasks),
    }
    return [{**step, "SLURM_PROCID": str(rank), "SLURM_NODEID": "0"} for rank in range(tasks)]


def test_tasks_of_a_slurm_step_train_together(work, write):
    program = write("main.py", PROGRAM)
    with held_ports(2) as ports:
        reserved = {"SLURM_STEP_RESV_PORTS": ",".join(map(str, sorted(ports)))}
        printed = by_exec([str(program)], [{**one, **reserved} for one in slurm_like(2)], work)
    assert trained(printed)[1] == "2"
