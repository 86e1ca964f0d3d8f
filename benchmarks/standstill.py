"""Time the end of ``fit`` with and without ``mwtutor/worker/patches/standstill.py``.

Two plain worker processes train the tutorial's CNN on random digits, alternately with and without
the patch. For each worker, the benchmark measures the time from its last training step until
``fit`` returns, and until the process exits.

    python benchmarks/standstill.py --pairs 5 --json standstill.json
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SLOW = 3.0
"""A worker was stalled if its process exited more than this many seconds after its last step."""

WORKER = """
import json, os, sys, time
if os.environ["REMEDY"] == "1":
    from mwtutor.system import child
    from mwtutor.worker.patches import standstill
    standstill.install()
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
random = np.random.default_rng(0)
x = random.random((60000, 28, 28), dtype=np.float32)
y = random.integers(0, 10, 60000)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(60000).repeat().batch(128)
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.InputLayer(input_shape=(28, 28)),
        tf.keras.layers.Reshape(target_shape=(28, 28, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(10),
    ])
    model.compile(
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        optimizer=tf.keras.optimizers.SGD(learning_rate=0.001),
    )

class Clock(tf.keras.callbacks.Callback):
    first = last = 0.0
    def on_train_batch_end(self, batch, logs=None):
        self.last = time.time()
        self.first = self.first or self.last

clock = Clock()
model.fit(dataset, epochs=1, steps_per_epoch=int(sys.argv[1]), verbose=0, callbacks=[clock])
returned = time.time()
norm = float(sum(np.square(w).sum() for w in model.get_weights()))
print(json.dumps({"first": clock.first, "last": clock.last, "returned": returned, "norm": norm}))
if os.environ["REMEDY"] == "1":
    child.leave(0)
"""


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def start(index: int, addresses: list[str], steps: int, remedy: bool) -> subprocess.Popen[str]:
    task = {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": index}}
    environment = {
        **os.environ,
        "TF_CONFIG": json.dumps(task),
        "TF_USE_LEGACY_KERAS": "1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "PYTHONPATH": str(ROOT),
        "REMEDY": str(int(remedy)),
    }
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(steps)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def run_cluster(steps: int, remedy: bool) -> list[dict[str, float]]:
    """For each worker, the seconds of all steps, and from the last step to each later event."""
    addresses = [f"localhost:{port}" for port in free_ports(2)]
    workers = [start(index, addresses, steps, remedy) for index in range(2)]
    ended: dict[int, float] = {}
    while len(ended) < len(workers):
        for index, worker in enumerate(workers):
            if index not in ended and worker.poll() is not None:
                ended[index] = time.time()
        time.sleep(0.02)
    results = []
    for index, worker in enumerate(workers):
        assert worker.stdout is not None
        output = worker.stdout.read()
        if worker.returncode != 0:
            sys.exit(f"worker:{index} exited with code {worker.returncode}")
        told = json.loads(output.splitlines()[-1])
        results.append(
            {
                "training": told["last"] - told["first"],
                "fit_return": told["returned"] - told["last"],
                "end": ended[index] - told["last"],
                "norm": told["norm"],
            }
        )
    return results


def summary(workers: list[dict[str, float]]) -> dict[str, Any]:
    ends = [each["end"] for each in workers]
    return {
        "workers": len(workers),
        "fit_return_median": statistics.median(each["fit_return"] for each in workers),
        "fit_return_max": max(each["fit_return"] for each in workers),
        "end_median": statistics.median(ends),
        "end_max": max(ends),
        "slow_share": sum(end > SLOW for end in ends) / len(ends),
        "training_median": statistics.median(each["training"] for each in workers),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=5, help="runs with the patch, and without it")
    parser.add_argument("--steps", type=int, default=70, help="training steps in each run")
    parser.add_argument("--json", type=Path, default=None, help="also write the figures here")
    options = parser.parse_args()
    kinds = {"without": False, "with": True}
    runs: dict[str, list[dict[str, float]]] = {kind: [] for kind in kinds}
    for pair in range(options.pairs):
        for kind, remedy in kinds.items():
            workers = run_cluster(options.steps, remedy)
            runs[kind] += workers
            print(f"{pair} {kind:8}", *(f"{w['end']:6.2f} s" for w in workers), flush=True)
    figures = {kind: summary(workers) for kind, workers in runs.items()}
    columns = list(figures["without"])
    print(f"\n{'':18}", *(f"{kind:>9}" for kind in figures))
    for column in columns:
        print(f"{column:18}", *(f"{figures[kind][column]:9.2f}" for kind in figures))
    if options.json:
        options.json.write_text(json.dumps({"summary": figures, "runs": runs}, indent=1) + "\n")


if __name__ == "__main__":
    main()
