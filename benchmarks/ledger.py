"""Measure the cost of the ledger of exchanges: pairs of calls with and without it, in one run.

Two workers call two copies of a function in turn; only one copy is built with the ledger. The
functions are one all-reduce alone, twenty in a loop of the graph, a step that computes for about
ten milliseconds and exchanges once, and one all-reduce outside of functions, of a tensor and of a
single number. For each, the benchmark prints the median of the differences between the two calls of
a pair, with the range that contains it in 95 of 100 samples of the pairs; for the loop, per
exchange. It also prints which share of a processor the thread that reads the records uses. For an
exchange outside of functions, it prints the additional processor time of the exchanging thread, not
counting the operation itself; other programs on the machine affect this time less. Without the
ledger, this exchange calls the functions that the ledger otherwise replaces. With ``--graph``, it
measures calls of ``tf.compat.v1`` sessions, without the loop and the last two functions.

    python benchmarks/ledger.py --pairs 1500
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import mwtutor

BEGIN = """
import json, os, sys, time
import numpy as np
import tensorflow as tf
from mwtutor.worker import ledger
from mwtutor.worker.patches import exchanges
"""

FUNCTIONS = """
from tensorflow.python.distribute import cross_device_ops, cross_device_utils
from tensorflow.python.ops import collective_ops, gen_collective_ops
strategy = tf.distribute.MultiWorkerMirroredStrategy()
reduction = cross_device_ops.CollectiveAllReduce
replaced = [
    (collective_ops, "all_reduce_v2"),
    (cross_device_utils.CollectiveKeys, "get_instance_key"),
    (reduction, "_all_reduce_per_replica_values"),
]
noting = [getattr(owner, name) for owner, name in replaced]
without = [getattr(call, "__wrapped__", call) for call in noting]
def add(x):
    return tf.distribute.get_replica_context().all_reduce("SUM", tf.identity(x))
def made(work, size, loops, noted):
    @tf.function
    def step(x):
        for _ in range(work):
            x = tf.linalg.matmul(x, x) * 1e-3
        x = tf.reshape(x, [-1])[:size]
        if not loops:
            return strategy.run(add, args=(x,))
        for _ in tf.range(loops):
            x = strategy.run(add, args=(x,)) * 0.5
        return x
    if loops < 0:
        given = tf.ones([size])
        def eager():
            for (owner, name), call in zip(replaced, noting if noted else without):
                setattr(owner, name, call)
            return strategy.reduce("SUM", given, axis=None).numpy()
        return eager
    x = tf.ones([300, 300])
    exchanges._left_out = lambda: "" if noted else "the benchmark"
    step(x)
    return lambda: step(x).numpy()
"""

ALONE = """
clock, spent = time.thread_time, [0.0]
def timed(call, sign):
    def measured(*args, **kwargs):
        begun = clock()
        result = call(*args, **kwargs)
        spent[0] += sign * (clock() - begun)
        return result
    return measured
gen_collective_ops.collective_reduce_v2 = timed(gen_collective_ops.collective_reduce_v2, -1)
reduction._all_reduce = timed(reduction._all_reduce, 1)
calls = made(0, 50_000, -1, True), made(0, 50_000, -1, False)
alone = [], []
for turn in np.random.default_rng(0).permutation(np.arange(2 * pairs) % 2):
    spent[0] = 0.0
    calls[turn]()
    alone[turn].append(spent[0])
print("ALONE", json.dumps(alone))
"""

SESSIONS = """
from tensorflow.python.ops import collective_ops
task = json.loads(os.environ["TF_CONFIG"])
here = f"/job:worker/task:{task['task']['index']}"
config = tf.compat.v1.ConfigProto(device_filters=[here, "/job:worker/task:0"])
config.experimental.collective_group_leader = "/job:worker/replica:0/task:0"
server = tf.distribute.Server(task["cluster"], "worker", task["task"]["index"], config=config)
keys = iter(range(1, 9))
def made(work, size, loops, noted):
    exchanges._left_out = lambda: "" if noted else "the benchmark"
    with tf.Graph().as_default() as graph, tf.device(f"{here}/device:CPU:0"):
        given = x = tf.compat.v1.placeholder(tf.float32, [300, 300])
        for _ in range(work):
            x = tf.linalg.matmul(x, x) * 1e-3
        x = tf.reshape(x, [-1])[:size]
        x = collective_ops.all_reduce(x, 2, 1, next(keys), "Add", "Id")
    call = tf.compat.v1.Session(server.target, graph, config).make_callable(x, [given])
    return lambda: call(np.ones([300, 300], "float32"))
"""

PAIRS = """
pairs = int(sys.argv[1])
def took(call):
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun
reading = [0.0, time.time()]
flush = ledger.flush
def timed():
    begun = time.thread_time()
    flush()
    reading[0] += time.thread_time() - begun
ledger.flush = timed
for name, work, size, loops in (
    ("exchange", 0, 50_000, 0),
    ("exchange in a loop", 0, 50_000, 20),
    ("step", int(sys.argv[2]), 50_000, 0),
    ("exchange outside of functions", 0, 50_000, -1),
    ("one number outside of functions", 0, 1, -1),
):
    if sys.argv[3] not in name or (loops and "server" in globals()):
        continue
    calls = made(work, size, loops, True), made(work, size, loops, False)
    turns = np.random.default_rng(0).permutation(np.arange(pairs // max(loops, 1) + 20) % 2)
    times = []
    for turn in turns:
        first = took(calls[turn])
        second = took(calls[1 - turn])
        times.append((second, first) if turn else (first, second))
    print("RESULT", json.dumps([name, (np.array(times[20:]) / max(loops, 1)).tolist()]))
print("READING", reading[0] / (time.time() - reading[1]))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--pairs", type=int, default=1500)
    parser.add_argument("--work", type=int, default=12, help="matrix products in a step")
    parser.add_argument("--only", default="", help="only functions with this in their names")
    parser.add_argument("--graph", action="store_true", help="in sessions of tf.compat.v1")
    options = parser.parse_args()
    import numpy as np

    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "pairs.py"
        parts = (SESSIONS, PAIRS) if options.graph else (FUNCTIONS, PAIRS, ALONE)
        file.write_text("".join((BEGIN, *parts)))
        run = mwtutor.launch(
            file,
            2,
            args=[str(options.pairs), str(options.work), options.only],
            cwd=place,
            threads=1,
        )
        run.wait()
        printed = (run.directory / "logs" / "worker-0.log").read_text()
        made = [one.made for one in run.exchanges().ledgers.values()]
    print(f"recorded: {' and '.join(map(str, made))} exchanges")
    random = np.random.default_rng(0)
    for line in printed.splitlines():
        if line.startswith("READING "):
            print(f"reading the records: {float(line.split()[1]):.2%} of a processor")
        if line.startswith("ALONE "):
            noted, plain = (np.array(one) for one in json.loads(line.removeprefix("ALONE ")))
            middle = 1e6 * (np.median(noted) - np.median(plain))
            low, high = np.percentile(
                _medians(random, noted) - _medians(random, plain), [2.5, 97.5]
            )
            print(
                f"outside of functions, processor time of recording: {middle:.1f} us"
                f" ({1e6 * low:.1f} to {1e6 * high:.1f})"
            )
        if line.startswith("RESULT "):
            name, times = json.loads(line.removeprefix("RESULT "))
            noted, plain = np.array(times).T
            differences = noted - plain
            low, high = np.percentile(_medians(random, differences), [2.5, 97.5])
            median = np.median(plain)
            middle = np.median(differences)
            print(
                f"{name}: {1e3 * median:.2f} ms without; with it {1e6 * middle:+.0f}"
                f" us ({1e6 * low:+.0f} to {1e6 * high:+.0f}),"
                f" {middle / median:+.2%} ({low / median:+.2%} to"
                f" {high / median:+.2%})"
            )


def _medians(random: Any, values: Any) -> Any:
    """The medians of samples drawn from these values."""
    import numpy as np

    return np.median(random.choice(values, (2000, len(values))), axis=1)


if __name__ == "__main__":
    main()
