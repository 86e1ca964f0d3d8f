"""Measure how often TensorFlow's profiler crashes a multi-worker program that it traces.

Two workers train with Keras's ``fit``; one of them, or both, traces five steps of every ten. The
benchmark counts the traces, and the runs that the profiler crashed.

    python benchmarks/profiler.py --runs 5 --traces 15
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import mwtutor
from mwtutor.exceptions import RunFailed

PROGRAM = """
import json, os, sys
import keras
import tensorflow as tf

traces, who = int(sys.argv[1]), sys.argv[2]
me = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
strategy = tf.distribute.MultiWorkerMirroredStrategy()
x = tf.random.normal([256, 784])
y = tf.random.uniform([256], maxval=10, dtype=tf.int64)
data = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(64)
with strategy.scope():
    model = keras.Sequential([
        keras.layers.Dense(256, activation="relu"),
        keras.layers.Dense(10),
    ])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("sgd", loss)

class Traces(keras.callbacks.Callback):
    tracing = False
    def on_train_batch_end(self, batch, logs=None):
        if (batch + 1) % 5 or who not in ("both", str(me)):
            return
        if self.tracing:
            tf.profiler.experimental.stop()
            print("a trace of worker", me, flush=True)
        else:
            tf.profiler.experimental.start(f"trace-{me}")
        self.tracing = not self.tracing

model.fit(data, epochs=1, steps_per_epoch=10 * traces, verbose=0, callbacks=[Traces()])
"""


def traced(traces: int, who: str) -> tuple[int, str]:
    """The number of traces that one run stored, and why the run failed ("" if it did not)."""
    run = mwtutor.launch("program.py", workers=2, args=[str(traces), who], name=f"traced-{who}")
    try:
        run.wait()
        why = ""
    except RunFailed as failure:
        why = str(failure).splitlines()[0]
    logs = [log.read_text(errors="replace") for log in run.directory.glob("logs/*.log")]
    return sum(log.count("a trace of worker") for log in logs), why


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5, help="runs of each kind")
    parser.add_argument("--traces", type=int, default=15, help="traces of each traced worker")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("program.py").write_text(PROGRAM)
        for who in ("both", "0", "1"):
            results = [traced(args.traces, who) for _ in range(args.runs)]
            ended = [why for _, why in results if why]
            count = sum(traces for traces, _ in results)
            print(f"traced: {who}; {args.runs} runs, {count} traces, {len(ended)} runs crashed")
            for why in ended:
                print(f"  {why}")
        os.chdir("/")


if __name__ == "__main__":
    main()
