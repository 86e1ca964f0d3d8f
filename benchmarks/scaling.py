"""Measure step times on 1 to 4 machines at three link speeds, and compare them with the model.

    python benchmarks/scaling.py [--quick] [--out results.json] [--figure scaling.png]

Every machine is a network namespace, and its link is a token bucket. All machines share the
processors. The benchmark measures only the exchange, so the links are slow and there is little
computation. The model (:mod:`mwtutor.scaling`) uses the measured time of one worker, and two
numbers fitted to all points; the benchmark prints the model's error at each point. It takes a few
minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

import mwtutor
from mwtutor import scaling
from mwtutor.network.links import Link
from mwtutor.run.logs import logs

RATES = (20e6, 50e6, 100e6)
FURTHER = (8, 64, 1024)

#: Seconds of a round on a cluster whose machines share nothing; this is assumed, not measured.
ROUND = 1e-4
FASTER = (1e9, 1e10, 1e11)

#: A training step with 4 MB of gradients and little computation.
PROGRAM = """
import json, sys, time
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    weights = tf.Variable(tf.random.stateless_normal([1000, 1000], (0, 1)))

@tf.function
def step():
    def of_replica():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.matmul(tf.ones([8, 1000]), weights))
        gradient = tape.gradient(loss, weights)
        context = tf.distribute.get_replica_context()
        total = context.all_reduce("sum", gradient)
        weights.assign_sub(1e-9 * total)
        return total[0, 0]
    return strategy.run(of_replica)

times = []
for _ in range(int(sys.argv[1]) + 1):
    begin = time.perf_counter()
    strategy.experimental_local_results(step())[0].numpy()
    times.append(time.perf_counter() - begin)
print("times", json.dumps(times[1:]), flush=True)
"""

SIZE = 4e6


def measured(workers: int, rate: float, steps: int) -> float:
    """The median of the step times of the slowest worker."""
    run = mwtutor.launch(
        "step.py", workers=workers, args=[str(steps)], machines=True, link=str(Link(rate))
    )
    run.wait()
    lines = [line.text for line in logs.lines(run.spec, list(run.tasks), last=0)]
    told = [json.loads(line.split(" ", 1)[1]) for line in lines if line.startswith("times ")]
    assert len(told) == workers
    return max(statistics.median(times) for times in told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer steps")
    parser.add_argument("--out", default="", help="write the measurements to this file")
    parser.add_argument("--figure", default="", help="draw the measurements to this file")
    options = parser.parse_args()
    out, figure = (Path(name).absolute() for name in (options.out, options.figure))
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        Path("step.py").write_text(PROGRAM)
        steps = 4 if options.quick else 10
        compute = measured(1, RATES[-1], steps)
        points = [
            scaling.Measured(workers, rate, measured(workers, rate, steps))
            for workers in (2, 3, 4)
            for rate in RATES
        ]
        os.chdir("/")
    work = scaling.fit(compute, SIZE, points)
    print(
        f"one worker: {compute * 1e3:.1f} ms a step; {SIZE / 1e6:g} MB of gradients; fitted:"
        f" {work.start * 1e3:.1f} ms for an exchange and {work.round * 1e3:.1f} ms for each round"
    )
    for one in points:
        told = scaling.step_time(work, one.workers, one.rate)
        print(
            f"{one.workers} workers, {Link(one.rate)!s:>8}: {one.seconds * 1e3:7.1f} ms measured,"
            f" {told * 1e3:7.1f} ms by the model ({told / one.seconds - 1:+.1%})"
        )
    print(f"worst: {scaling.error(work, points):.1%}")
    print(
        "The rest is computed by the model, not measured. The fixed costs of an exchange above come"
        f" from {os.cpu_count()} processors that all machines share; here, {ROUND * 1e3:g} ms a"
        " round are assumed instead."
    )
    elsewhere = replace(work, start=0.0, round=ROUND)
    for rate in FASTER:
        times = [
            f"{workers} workers {scaling.step_time(elsewhere, workers, rate) * 1e3:.1f} ms"
            f" (naive {scaling.step_time(elsewhere, workers, rate, 'naive') * 1e3:.1f})"
            for workers in FURTHER
        ]
        print(f"{Link(rate)!s:>8}: {'; '.join(times)}")
    if options.out:
        told = {"work": asdict(work), "points": [asdict(one) for one in points]}
        out.write_text(json.dumps(told, indent=1) + "\n")
    if options.figure:
        figure.write_bytes(scaling.figure(work, points, elsewhere, FASTER).png)


if __name__ == "__main__":
    main()
