"""Launch clusters of 2, 4 and 8 workers with mwtutor and with the plain recipe, alternately.

    python benchmarks/launch.py [--workers 2 4 8] [--rounds 2] [--json FILE]

The plain recipe is N ``python`` processes started at once, each with its ``TF_CONFIG``. Both
execute the same program. Times are measured from the start until the cluster has formed (every
worker listens), until every worker has finished its first training step, and until the end. The
memory is that of all processes (PSS, which counts a shared page once) at the first step. mwtutor's
fork server is warm, as it is a few seconds after ``%load_ext``; its memory is counted. Machines are
noisy: trust the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from versions import versions

import mwtutor
from mwtutor.cluster import ClusterSize
from mwtutor.engines.local import forkserver_client
from mwtutor.system.ports import REUSE_PORT_ENV, HeldPorts
from mwtutor.system.processes import listens

PROGRAM = """
import json, os, sys, time
sys.path.insert(0, EXAMPLES)
import mnist_setup
import tensorflow as tf
from mwtutor.bridges import keras3

if tf.__version__ >= "2.16":
    keras3.enable_keras3()  # the plain recipe cannot train with Keras 3 at all
strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
with strategy.scope():
    model = mnist_setup.build_model()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))

class FirstStep(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if batch == 0 and not os.path.exists(f"first-{index}"):
            open(f"first-{index}.part", "w").write(str(time.time()))
            os.rename(f"first-{index}.part", f"first-{index}")

data = mnist_setup.dataset(16 * strategy.num_replicas_in_sync)
model.fit(data, epochs=1, steps_per_epoch=60, verbose=2, callbacks=[FirstStep()])
"""

FIGURES = ("formed s", "first step s", "end s", "memory MiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
    results: dict[str, dict[str, list[dict[str, float]]]] = {}
    for workers in options.workers:
        measured = results[str(workers)] = {"plain": [], "mwtutor": []}
        for _ in range(options.rounds):
            for way, measure in (("plain", plain), ("mwtutor", ours)):
                measured[way].append(in_empty_directory(measure, workers))
                print(workers, way, measured[way][-1], flush=True)
    print(table(results))
    if options.json:
        options.json.write_text(json.dumps({"versions": versions(), "results": results}, indent=1))


def in_empty_directory(measure, workers: int) -> dict[str, float]:
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as where:
        examples = str(Path(__file__).resolve().parents[1] / "examples")
        Path(where, "main.py").write_text(PROGRAM.replace("EXAMPLES", repr(examples)))
        os.chdir(where)
        try:
            return dict(zip(FIGURES, measure(workers), strict=True))
        finally:
            os.chdir(here)


def plain(workers: int) -> tuple[float, ...]:
    with HeldPorts(workers) as ports:
        cluster = ClusterSize(workers).at(ports.addresses)
        begun = time.time()
        processes = [
            subprocess.Popen(
                [sys.executable, "main.py"],
                env={**os.environ, **REUSE_PORT_ENV, "TF_CONFIG": cluster.tf_config(task)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for task in cluster.tasks()
        ]
        missing = dict(zip((process.pid for process in processes), ports.numbers, strict=True))
        while missing:
            missing = {pid: port for pid, port in missing.items() if not listens(pid, port)}
            time.sleep(0.02)
        formed = time.time()
        first = first_step(workers)
        memory = pss(process.pid for process in processes)
        if any(process.wait() for process in processes):
            raise SystemExit("the plain recipe failed")
        return formed - begun, first - begun, time.time() - begun, memory


def ours(workers: int) -> tuple[float, ...]:
    server = forkserver_client.server()
    mwtutor.launch(_nothing(), 1, name="warm").wait()  # the fork server has imported everything
    begun = time.time()
    run = mwtutor.launch("main.py", workers)
    first = first_step(workers)
    state = run.state
    tasks = [task.pid for task in state.tasks.values()]
    memory = pss([server.pid, state.supervisor[0], *tasks])
    run.wait()
    return run.state.formed - begun, first - begun, time.time() - begun, memory


def _nothing() -> str:
    Path("nothing.py").touch()
    return "nothing.py"


def first_step(workers: int) -> float:
    paths = [Path(f"first-{index}") for index in range(workers)]
    while not all(path.exists() for path in paths):
        time.sleep(0.01)
    return max(float(path.read_text()) for path in paths)


def pss(pids) -> float:
    total = 0
    for pid in pids:
        try:
            total += psutil.Process(pid).memory_full_info().pss
        except psutil.Error:
            continue
    return total / 2**20


def table(results) -> str:
    lines = ["| workers | | " + " | ".join(FIGURES) + " |", "|---|---|" + "---|" * len(FIGURES)]
    for workers, measured in results.items():
        medians = {
            way: [statistics.median(run[figure] for run in runs) for figure in FIGURES]
            for way, runs in measured.items()
        }
        for way, values in medians.items():
            shown = [f"{value:.0f}" if value > 99 else f"{value:.2f}" for value in values]
            lines.append(f"| {workers} | {way} | {' | '.join(shown)} |")
        ratios = [a / b for a, b in zip(medians["plain"], medians["mwtutor"], strict=True)]
        lines.append(
            f"| {workers} | **ratio** | {' | '.join(f'**1/{ratio:.1f}**' for ratio in ratios)} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
