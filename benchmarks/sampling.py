"""Measure two ways to sample the stacks of live tasks: mwtutor's own, and py-spy.

Accuracy: one task spends known times in four functions; each sampler reports the share of each.
Cost: two workers train with Keras's ``fit``; windows without and with a sampler alternate, and the
steps in them are compared in pairs.

    pip install py-spy
    python benchmarks/sampling.py --windows 6
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import mwtutor
from mwtutor.run.run import Run

KNOWN = """
import re, time
import tensorflow as tf

matrix = tf.random.normal([700, 700])
hard = re.compile("(a+)+b")

def in_python(until):
    while time.perf_counter() < until:
        pass

def in_tensorflow(until):
    while time.perf_counter() < until:
        tf.matmul(matrix, matrix)

def in_native_code_with_the_lock(until):
    hard.match("a" * 17)

def asleep(until):
    time.sleep(max(until - time.perf_counter(), 0))

taken = dict.fromkeys((in_python, in_tensorflow, in_native_code_with_the_lock, asleep), 0.0)
print("ready", flush=True)
while True:
    for function in taken:
        begin = time.perf_counter()
        function(begin + 0.06)
        taken[function] += time.perf_counter() - begin
    print(*(f"{one.__name__}={seconds:.4f}" for one, seconds in taken.items()), flush=True)
"""

TRAINING = """
import time
import keras
import tensorflow as tf

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

class Steps(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if batch % 10 == 0:
            print("step", batch, flush=True)

model.fit(data, epochs=1, steps_per_epoch=10**9, verbose=0, callbacks=[Steps()])
"""

#: Samples a run for some seconds; returns the share of time in each function, if it can.
Sampler = Callable[[Run, float], dict[str, float]]


def own(run: Run, seconds: float) -> dict[str, float]:
    shares: dict[str, float] = {}
    for task in run.sample(seconds).tasks:
        for visit in task.paths:
            for function in {frame.function for frame in visit.frames} if visit.main else ():
                shares[function] = shares.get(function, 0.0) + visit.seconds / task.seconds
    return shares


def py_spy(*options: str) -> Sampler:
    def sample(run: Run, seconds: float) -> dict[str, float]:
        spies = []
        for task in run.state.tasks.values():
            words = ["py-spy", "record", "-r", "100", "-d", f"{seconds:g}", "-f", "raw", *options]
            words += ["-p", str(task.pid), "-o", f"{task.id.index}.raw"]
            spies.append(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        for spy in spies:
            said = spy.communicate()[0].decode()
            if spy.returncode:
                raise SystemExit(f"py-spy failed: {said}")
            for behind in re.findall(r"[\d.]+s behind in sampling", said)[-1:]:
                print(f"    py-spy: {behind}")
        shares: dict[str, float] = {}
        text = Path("0.raw").read_text()
        lines = [line for line in text.splitlines() if "known.py" in line]  # the main thread
        total = sum(int(line.rpartition(" ")[2]) for line in lines)
        for line in lines:
            stack, _, count = line.rpartition(" ")
            for function in {frame.partition(" (")[0] for frame in stack.split(";")}:
                shares[function] = shares.get(function, 0.0) + int(count) / total
        return shares

    return sample


SAMPLERS: dict[str, Sampler] = {
    "mwtutor": own,
    "py-spy": py_spy("--idle"),
    "py-spy --nonblocking": py_spy("--idle", "--nonblocking"),
    "py-spy --native": py_spy("--idle", "--native"),
}


def numbers(run: Run, pattern: str) -> list[float]:
    """The numbers in the last line of the first task's log."""
    log = next(run.directory.glob("logs/*-0.log")).read_text(errors="replace")
    lines = [line for line in log.split("\n")[:-1] if re.search(pattern, line)]
    return [float(found) for found in re.findall(pattern, lines[-1])] if lines else []


def until(run: Run, pattern: str) -> None:
    while not numbers(run, pattern):
        run.check()
        time.sleep(0.1)


def truth(samplers: dict[str, Sampler], seconds: float) -> None:
    run = mwtutor.launch("known.py", workers=1, name="known")
    until(run, r"=([\d.]+)")
    for name, sampler in samplers.items():
        before, begun = numbers(run, r"=([\d.]+)"), time.monotonic()
        shares = sampler(run, seconds)
        took = time.monotonic() - begun
        spent = [b - a for a, b in zip(before, numbers(run, r"=([\d.]+)"), strict=True)]
        print(f"{name}: {took:.1f} s for {seconds:g} s of samples")
        functions = re.findall(r"^def (\w+)", KNOWN, re.MULTILINE)
        for function, mine in zip(functions, spent, strict=True):
            said = shares.get(function, 0.0)
            print(f"    {function}: {mine / sum(spent):.1%} of the time; sampled {said:.1%}")
        native = [one for one in shares if "MatMul" in one or "gemm" in one.lower()]
        if inner := [one for one in native if "::" in one or "gemm" in one.lower()]:
            print(f"    native functions of the product: {', '.join(sorted(inner)[:3])}")
    run.stop()


def cost(samplers: dict[str, Sampler], seconds: float, windows: int) -> None:
    run = mwtutor.launch("training.py", workers=2, name="training")
    until(run, r"step (\d+)")
    time.sleep(5)  # let it settle

    def steps(body: Callable[[], object]) -> float:
        before, begun = numbers(run, r"step (\d+)")[0], time.monotonic()
        body()
        return (numbers(run, r"step (\d+)")[0] - before) / (time.monotonic() - begun)

    ratios: dict[str, list[float]] = {name: [] for name in samplers}
    for _ in range(windows):
        for name, sampler in samplers.items():
            without = steps(lambda: time.sleep(seconds))
            during = steps(lambda sampler=sampler: sampler(run, seconds))  # type: ignore[misc]
            ratios[name].append(without / during)
    for name, found in ratios.items():
        low, _, high = statistics.quantiles(found, n=4)
        print(f"{name}: a step took {statistics.median(found):.3f} times as long"
              f" (middle half {low:.3f} to {high:.3f}, {windows} pairs)")  # fmt: skip
    run.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--windows", type=int, default=6, help="pairs of windows for each sampler")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of a window")
    args = parser.parse_args()
    spies = shutil.which("py-spy") is not None
    samplers = {name: one for name, one in SAMPLERS.items() if spies or name == "mwtutor"}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("known.py").write_text(KNOWN)
        Path("training.py").write_text(TRAINING)
        truth(samplers, 4 * args.seconds)
        samplers.pop("py-spy --native", None)  # py-spy --native falls behind by minutes
        cost(samplers, args.seconds, args.windows)
        os.chdir("/")


if __name__ == "__main__":
    main()
