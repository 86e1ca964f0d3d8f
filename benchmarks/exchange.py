"""Measure steps with 11 MB of gradients on two workers: plain processes and mwtutor in turn.

    python benchmarks/exchange.py [--rounds 5] [--generator] [--json FILE]

mwtutor runs with its defaults, and with ``MWTUTOR_MALLOC=0``, which leaves the C library unchanged.
For each, the table shows the slower worker's median step and, for both workers together, the
processor time of a step, the page faults in 60 steps and the peak memory. The figures are medians
over the rounds, with their ratios to those of plain processes. Once a program has created a dataset
from a generator (``--generator``), TensorFlow makes glibc return memory sooner.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from versions import versions

import mwtutor
from mwtutor.cluster import ClusterSize
from mwtutor.system.ports import REUSE_PORT_ENV, HeldPorts

PROGRAM = """
import json, os, resource, time
import tensorflow as tf

SIZES, STEPS = (784, 2048, 512, 10), 60
strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    layers = [tf.Variable(0.01 * tf.random.stateless_normal(shape, (1, 2)))
              for shape in zip(SIZES, SIZES[1:])]
images = tf.random.stateless_normal([64, SIZES[0]], (1, 2))
labels = tf.zeros([64], tf.int32)

@tf.function
def step():
    def of_replica():
        with tf.GradientTape() as tape:
            x = images
            for layer in layers:
                x = tf.nn.relu(tf.matmul(x, layer))
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x)
            loss = tf.reduce_mean(losses)
        gradients = tape.gradient(loss, layers)
        gradients = tf.distribute.get_replica_context().all_reduce("sum", gradients)
        for layer, gradient in zip(layers, gradients):
            layer.assign_sub(0.001 * gradient)
        return loss
    return strategy.run(of_replica)

if os.environ.get("BENCH_GENERATOR"):
    next(iter(tf.data.Dataset.from_generator(lambda: [1], output_types=tf.int32)))

def used():
    return resource.getrusage(resource.RUSAGE_SELF)

for _ in range(5):
    step()
before, times = used(), []
for _ in range(STEPS):
    begun = time.perf_counter()
    float(strategy.experimental_local_results(step())[0])
    times.append(time.perf_counter() - begun)
after = used()
busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
with open(f"told-{strategy.cluster_resolver.task_id}", "w") as file:
    json.dump({
        "step ms": sorted(times)[STEPS // 2] * 1e3,
        "processor ms": busy / STEPS * 1e3,
        "page faults": after.ru_minflt - before.ru_minflt,
        "peak MiB": after.ru_maxrss / 1024,
    }, file)
"""

WORKERS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--generator", action="store_true", help="first create a dataset from a generator"
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.generator:
        os.environ["BENCH_GENERATOR"] = "1"
    options.json = options.json and options.json.absolute()
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
    found: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        Path("main.py").write_text(PROGRAM)
        for _ in range(options.rounds):
            for way, launch in WAYS.items():
                launch()
                told = [json.loads(Path(f"told-{i}").read_text()) for i in range(WORKERS)]
                found[way].append(
                    {
                        name: max(one[name] for one in told)
                        if name == "step ms"
                        else sum(one[name] for one in told)
                        for name in told[0]
                    }
                )
                print(way, found[way][-1], flush=True)
        os.chdir("/")
    load = os.getloadavg()
    print(f"{table(found)}\n\nload average: {load[0]:.1f} {load[1]:.1f} {load[2]:.1f}")
    if options.json:
        data = {"versions": versions(), "generator": options.generator, "load": load}
        data["rounds"] = found
        options.json.write_text(json.dumps(data, indent=1) + "\n")


def plain() -> None:
    with HeldPorts(WORKERS) as ports:
        cluster = ClusterSize(WORKERS).at(ports.addresses)
        processes = [
            subprocess.Popen(
                [sys.executable, "main.py"],
                env={**os.environ, **REUSE_PORT_ENV, "TF_CONFIG": cluster.tf_config(task)},
                stderr=subprocess.DEVNULL,
            )
            for task in cluster.tasks()
        ]
        if any(process.wait() for process in processes):
            raise SystemExit("the plain recipe failed")


def ours() -> None:
    mwtutor.launch("main.py", WORKERS, oversubscribe=True).wait()


def ours_left_alone() -> None:
    mwtutor.launch("main.py", WORKERS, env={"MWTUTOR_MALLOC": "0"}, oversubscribe=True).wait()


WAYS: dict[str, Callable[[], None]] = {
    "plain": plain,
    "mwtutor, MWTUTOR_MALLOC=0": ours_left_alone,
    "mwtutor": ours,
}


def table(found: dict[str, list[dict[str, float]]]) -> str:
    figures = list(found["plain"][0])
    lines = [f"| | {' | '.join(figures)} |", "|---" * (len(figures) + 1) + "|"]
    plain = {name: statistics.median(one[name] for one in found["plain"]) for name in figures}
    for way, rounds in found.items():
        middles = [statistics.median(one[name] for one in rounds) for name in figures]
        cells = [
            f"{middle:.0f}" + (f" **{middle / plain[name]:.2f}x**" if way != "plain" else "")
            for name, middle in zip(figures, middles, strict=True)
        ]
        lines.append(f"| {way} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
