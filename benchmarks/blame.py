"""Test whether the verdict on exchanges names the right worker and line, and never a wrong one.

Every program below has one fault, or none. ``# here`` marks the line that one worker reaches and
another does not, or that differs between them. Each program runs on a real cluster. A fault counts
as found if the verdict names the worker and a marked line.

    python benchmarks/blame.py                  # all programs
    python benchmarks/blame.py skipped one-ends # these programs

Prints a row for each program, and how many verdicts were right.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

import mwtutor
from mwtutor.run.observations.missing import verdict

BEGIN = """
import os, signal, time
import numpy as np
import tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id
def add(x):
    return tf.distribute.get_replica_context().all_reduce("SUM", tf.identity(x))
@tf.function
def exchange(x):
    return strategy.run(add, args=(x,))
one = tf.constant(1.0)
"""

KERAS = """
import os, time
import numpy as np
import tensorflow as tf
import keras
strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id
x, y = np.ones((64, 4), "float32"), np.ones((64, 1), "float32")
def build(width=1):
    with strategy.scope():
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(width)])  # here
        model.compile("sgd", "mse", metrics=["mae"])
    return model
def data(rows=64):
    part = tf.data.Dataset.from_tensor_slices((x[:rows], y[:rows])).batch(8)
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    return part.with_options(options)
"""


@dataclass(frozen=True)
class Case:
    """A program and its expected verdict.

    Attributes:
        tasks: those that the verdict must name; empty for a program without a fault.
        workers: the number of workers.
        raises: whether the program fails for another reason.
    """

    program: str
    tasks: tuple[str, ...] = ()
    workers: int = 2
    raises: bool = False


W1 = ("worker:1",)

FAULTS = {
    "skipped": Case(
        BEGIN
        + """
for step in range(5):
    exchange(one)
    if me == 0 or step != 2:
        exchange(one)  # here
""",
        W1,
    ),
    "skipped-in-a-loop": Case(
        BEGIN
        + """
for step in range(6):
    if me == 0 or step != 2:
        exchange(one)  # here
""",
        W1,
    ),
    "one-ends": Case(
        BEGIN
        + """
for step in range(6):
    if me == 1 and step == 3:
        break
    exchange(one)  # here
""",
        W1,
    ),
    "data-run-out": Case(
        BEGIN
        + """
for row in tf.data.Dataset.range(6 if me == 0 else 4):
    exchange(tf.cast(row, tf.float32))  # here
""",
        W1,
    ),
    "shapes": Case(
        BEGIN
        + """
for step in range(3):
    exchange(tf.ones([3 if me == 0 else 2]))  # here
""",
        W1,
    ),
    "types": Case(
        BEGIN
        + """
exchange(tf.ones([2], tf.float32 if me == 0 else tf.float64))  # here
""",
        W1,
    ),
    "order": Case(
        BEGIN
        + """
for step in range(3):
    exchange(one)
if me == 0:
    exchange(tf.ones([2]))  # here
    exchange(tf.ones([3]))  # here
else:
    exchange(tf.ones([3]))  # here
    exchange(tf.ones([2]))  # here
""",
        W1,
    ),
    "swapped": Case(
        BEGIN
        + """
def loss():
    return exchange(one)  # here
def accuracy():
    return exchange(one)  # here
for step in range(4):
    if me == 0:
        loss(), accuracy()
    else:
        accuracy(), loss()
""",
        W1,
    ),
    "another-collective": Case(
        BEGIN
        + """
@tf.function
def gather(x):
    return strategy.gather(strategy.run(lambda v: tf.identity(v), args=(x,)), 0)
for step in range(3):
    exchange(one)
if me == 0:
    exchange(tf.ones([2]))  # here
else:
    gather(tf.ones([2]))  # here
""",
        W1,
    ),
    "caught": Case(
        BEGIN
        + """
def load(step):
    if me == 1 and step == 2:
        raise ValueError("a bad row")
    return one
for step in range(6):
    try:
        row = load(step)
        exchange(row)  # here
    except ValueError:
        pass
""",
        W1,
    ),
    "chief-only": Case(
        BEGIN
        + """
for step in range(4):
    exchange(one)
    if me == 0 and step == 2:
        total = exchange(one)  # here
""",
        W1,
    ),
    "extra": Case(
        BEGIN
        + """
for step in range(4):
    exchange(one)
    if me == 1 and step == 2:
        exchange(one)  # here
""",
        ("worker:0",),
    ),
    "metric-of-the-chief": Case(
        BEGIN
        + """
with strategy.scope():
    seen = tf.Variable(
        0.0, trainable=False, synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.SUM)
@tf.function
def step():
    strategy.run(lambda: seen.assign_add(1.0))
for number in range(4):
    step()
    exchange(one)
    if me == 0:
        print(seen.numpy())  # here
""",
        W1,
    ),
    "sleeps": Case(
        BEGIN
        + """
for step in range(4):
    if me == 1 and step == 2:
        time.sleep(600)
    exchange(one)  # here
""",
        W1,
    ),
    "stopped": Case(
        BEGIN
        + """
for step in range(4):
    if me == 1 and step == 2:
        time.sleep(2)
        os.kill(os.getpid(), signal.SIGSTOP)
    exchange(one)  # here
""",
        W1,
    ),
    "loops-in-python": Case(
        BEGIN
        + """
for step in range(4):
    while me == 1 and step == 2:
        pass
    exchange(one)  # here
""",
        W1,
    ),
    "cond-in-graph": Case(
        BEGIN
        + """
@tf.function
def steps(skips):
    total = strategy.run(add, args=(one,))
    if not skips:
        total = strategy.run(add, args=(total,))  # here
    return strategy.run(add, args=(total,))
for step in range(3):
    steps(tf.constant(me == 1 and step == 1))  # here
""",
        W1,
    ),
    "while-in-graph": Case(
        BEGIN
        + """
@tf.function
def steps(count):
    total = tf.constant(0.0)
    for _ in tf.range(count):
        total += strategy.run(add, args=(one,))
    return total
steps(tf.constant(5 if me == 0 else 3))  # here
""",
        W1,
    ),
    "variable-of-one": Case(
        BEGIN
        + """
exchange(one)
with strategy.scope():
    if me == 0:
        v = tf.Variable(1.0)  # here
exchange(one)
exchange(one)
""",
        W1,
    ),
    "third-of-three": Case(
        BEGIN
        + """
for step in range(4):
    exchange(one)
    if me != 2 or step != 1:
        exchange(one)  # here
""",
        ("worker:2",),
        3,
    ),
    "first-of-three": Case(
        BEGIN
        + """
for step in range(4):
    exchange(one)
    if me != 0 or step != 1:
        exchange(one)  # here
""",
        ("worker:0",),
        3,
    ),
    "fit-of-one": Case(
        KERAS
        + """
model = build()
if me == 0:
    model.fit(data(), epochs=1, verbose=0)  # here
""",
        W1,
    ),
    "epochs": Case(
        KERAS
        + """
model = build()
model.fit(data(), epochs=3 if me == 0 else 2, verbose=0)  # here
""",
        W1,
    ),
    "evaluate-of-one": Case(
        KERAS
        + """
model = build()
model.fit(data(), epochs=1, verbose=0)
if me == 0:
    model.evaluate(data(), verbose=0)  # here
model.fit(data(), epochs=1, verbose=0)
""",
        W1,
    ),
    "steps-per-epoch": Case(
        KERAS
        + """
model = build()
model.fit(data().repeat(), steps_per_epoch=8 if me == 0 else 4, verbose=0)  # here
""",
        W1,
    ),
    "models": Case(
        KERAS
        + """
model = build(1 if me == 0 else 2)
""",
        W1,
    ),
    "break-by-loss": Case(
        BEGIN
        + """
for step in range(8):
    loss = 1.0 / (step + 1 + 3 * me)
    if loss < 0.15:
        break
    exchange(one)  # here
time.sleep(30)
""",
        W1,
    ),
    "two-skipped": Case(
        BEGIN
        + """
for step in range(5):
    exchange(one)
    if me == 0 or step != 1:
        exchange(one)  # here
        exchange(one)  # here
""",
        W1,
    ),
    "reduce-of-one": Case(
        BEGIN
        + """
for step in range(3):
    part = exchange(one)
    if me == 0 and step == 1:
        strategy.reduce("SUM", strategy.run(lambda: tf.identity(one)), axis=None)  # here
""",
        W1,
    ),
    "continue": Case(
        BEGIN
        + """
for step in range(6):
    loss = exchange(one)
    if me == 1 and step == 3:
        continue
    exchange(loss)  # here
    exchange(one)
""",
        W1,
    ),
    "mixing-goes-on": Case(
        BEGIN
        + """
for step in range(200):
    exchange(one)
    if me == 0 or step != 20:
        exchange(one)  # here
    exchange(one)
    time.sleep(0.05)
""",
        W1,
    ),
}

HEALTHY = {
    "loop": Case(BEGIN + "for step in range(20):\n    exchange(one)\n"),
    "fit": Case(KERAS + "build().fit(data(), epochs=2, verbose=0)\n"),
    "fit-and-evaluate": Case(
        KERAS
        + "model = build()\nmodel.fit(data(), validation_data=data(32), epochs=2, verbose=0)\n"
        "model.evaluate(data(), verbose=0)\nmodel.predict(x, verbose=0)\n"
    ),
    "from-different-lines": Case(
        BEGIN
        + """
for step in range(5):
    exchange(one)
    if me == 0:
        print("chief", exchange(one).numpy())
    else:
        exchange(one)
""",
    ),
    "from-different-functions": Case(
        BEGIN
        + """
@tf.function
def other(x):
    return strategy.run(add, args=(x,))
for step in range(5):
    (exchange if me == 0 else other)(one)
    exchange(one)
""",
    ),
    "slow": Case(BEGIN + "for step in range(10):\n    time.sleep(0.3 * me)\n    exchange(one)\n"),
    "one-works-long": Case(BEGIN + "exchange(one)\ntime.sleep(4 * me)\nexchange(one)\n"),
    "unequal-rows": Case(
        BEGIN
        + """
@tf.function
def gather(n):
    def replica():
        return tf.distribute.get_replica_context().all_gather(tf.ones([n, 2]), 0)
    return strategy.run(replica)
for step in range(3):
    gather(tf.constant(3 + me))
""",
    ),
    "saves-elsewhere": Case(
        KERAS
        + """
model = build()
model.fit(data(), epochs=1, verbose=0)
if me == 0:
    model.save("chief.keras")
else:
    model.save("other.keras")
model.fit(data(), epochs=1, verbose=0)
""",
    ),
    "cond-in-graph": Case(
        BEGIN
        + """
@tf.function
def steps(flag):
    total = strategy.run(add, args=(one,))
    if flag:
        total = strategy.run(add, args=(total,))
    return total
for step in range(4):
    steps(tf.constant(step % 2 == 0))
""",
    ),
    "while-in-graph": Case(
        BEGIN
        + """
@tf.function
def steps(count):
    total = tf.constant(0.0)
    for _ in tf.range(count):
        total += strategy.run(add, args=(one,))
    return total
steps(tf.constant(5))
steps(tf.constant(3))
""",
    ),
    "three": Case(BEGIN + "for step in range(10):\n    exchange(one)\n", workers=3),
    "take-turns": Case(
        BEGIN
        + """
for step in range(9):
    if step % 3 == me:
        print(exchange(one).numpy())
    else:
        exchange(one)
""",
        workers=3,
    ),
    "leave-at-once": Case(
        BEGIN
        + """
for step in range(9):
    if step or me:
        exchange(one)
    else:
        exchange(one)
    exchange(one)
os._exit(0)
""",
    ),
    "retraced-by-one": Case(
        BEGIN
        + """
for step in range(5):
    exchange(one if me == 0 else tf.constant(1.0))
    exchange(tf.ones([2]) * step if me == 0 else tf.ones([2]))
""",
    ),
    "early-stopping": Case(
        KERAS + "build().fit(data(), epochs=8, verbose=0, callbacks=["
        "keras.callbacks.EarlyStopping('loss', patience=1, min_delta=10)])\n"
    ),
    "two-models": Case(
        KERAS + "for width in (1, 1):\n    build(width).fit(data(), epochs=1, verbose=0)\n"
    ),
    "variables": Case(
        BEGIN
        + """
with strategy.scope():
    v = [tf.Variable(float(i)) for i in range(10)]
exchange(one)
""",
    ),
    "metric-of-all": Case(
        BEGIN
        + """
with strategy.scope():
    seen = tf.Variable(
        0.0, trainable=False, synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.SUM)
@tf.function
def step():
    strategy.run(lambda: seen.assign_add(1.0))
for number in range(4):
    step()
    total = seen.numpy()
    if me == 0:
        print(total)
""",
    ),
    "several-steps": Case(
        KERAS
        + "model = build()\nmodel.steps_per_execution = 4\nmodel.fit(data(), epochs=2, verbose=0)\n"
    ),
    "own-compile": Case(
        BEGIN
        + """
@tf.function(jit_compile=True)
def alone(v):
    return v * 2
for step in range(5):
    exchange(alone(one))
""",
    ),
    "raises": Case(
        BEGIN
        + """
for step in range(5):
    if me == 1 and step == 3:
        raise SystemExit("an unrelated bug")
    exchange(one)
""",
        raises=True,
    ),
}


def judged(name: str, case: Case, seconds: float) -> tuple[bool, str]:
    """Whether the verdict is right, and its text."""
    marked = {
        number
        for number, line in enumerate(case.program.splitlines(), 1)
        if line.rstrip().endswith("# here")
    }
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / f"{name}.py"
        file.write_text(case.program)
        run = mwtutor.launch(file, case.workers, cwd=place, timeout=seconds)
        outcome = run.wait(check=False)
        if not case.tasks and outcome.ok is case.raises:
            return False, f"{outcome.status}: {outcome.reason}"
        found = verdict(run.exchanges())
    if found is None:
        return not case.tasks, ""
    lines = {int(number) for number in re.findall(r"\.py, line (\d+)", found.words)}
    named = all(task in found.words for task in case.tasks)
    accused = set(map(str, found.tasks))
    right = bool(case.tasks) and named and bool(lines & marked)
    return right and accused in (set(), set(case.tasks), {"worker:0", *case.tasks}), found.words


def main() -> int:
    parser = argparse.ArgumentParser(description=textwrap.dedent(__doc__ or "").split("\n\n")[0])
    parser.add_argument("names", nargs="*", help="the programs to run (default: all)")
    parser.add_argument("--seconds", type=float, default=8.0, help="stop a run after this time")
    options = parser.parse_args()
    for title, cases in (("with a fault", FAULTS), ("without", HEALTHY)):
        count = right = 0
        for name, case in cases.items():
            if options.names and name not in options.names:
                continue
            ok, words = judged(name, case, options.seconds)
            count, right = count + 1, right + ok
            print(f"{'right' if ok else 'WRONG'}  {name:26} {words}", flush=True)
        print(f"{title}: {right} of {count} right\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
