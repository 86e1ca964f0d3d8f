"""Real clusters whose workers exchange data: the records, and whose exchange is missing."""

from __future__ import annotations

import json
import os
import re
import signal
import textwrap

import pytest

from mwtutor.cli import main as command
from mwtutor.cluster import TaskId
from mwtutor.display.exchanges import Drawn
from mwtutor.display.panel.panel import Panel
from mwtutor.display.panel.watched import Watched
from mwtutor.exceptions import RunFailed, RunTimeout
from mwtutor.run.observations.exchanges import Exchanges, waiting_tasks
from mwtutor.run.observations.missing import LONG, verdict
from tests.support.runs.traces import faults
from tests.support.waiting import until, until_state

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)

BEGIN = """
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

SKIPPED = f"""{BEGIN}
for step in range(5):
    exchange(one)
    if me == 0 or step != 2:
        exchange(one)  # skipped
"""

HEALTHY = f"""{BEGIN}
@tf.function
def loop(count):
    total = tf.constant(0.0)
    for _ in tf.range(count):
        total += strategy.run(add, args=(one,))
    if count > 2:
        total += strategy.run(add, args=(one,))
    return total
@tf.function(jit_compile=True)
def alone(x):
    return x * 2
def merged(strategy, x):
    return strategy.extended.reduce_to("SUM", x, x)
def merge(x):
    return tf.distribute.get_replica_context().merge_call(merged, args=(tf.identity(x),))
loop(tf.constant(2)), loop(tf.constant(3))  # loops
tf.function(lambda x: strategy.run(merge, args=(x,)))(one)  # merged
for step in range(3):
    total = exchange(alone(one)) if me == 0 else exchange(one)  # one each
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    seen = tf.Variable(1.0, trainable=False, synchronization=tf.VariableSynchronization.ON_READ,
                       aggregation=tf.VariableAggregation.SUM)
model.fit(np.ones((32, 4), "float32"), np.ones((32, 1), "float32"), batch_size=8, verbose=0)
seen.numpy()  # outside
"""


def line(program, mark):
    """The number of the line with this comment at its end."""
    lines = textwrap.dedent(program).splitlines()
    return next(number for number, text in enumerate(lines, 1) if text.endswith(f"# {mark}"))


def test_a_skipped_exchange_is_named(launch, write):
    main = write("main.py", SKIPPED)
    run = launch("main.py", 2)
    run.wait(check=False)
    found = verdict(run.exchanges())
    assert (found.kind, [str(task) for task in found.tasks]) == ("missing", ["worker:1"])
    assert "worker:0 made an exchange that worker:1 did not" in found.words
    skipped = f"main.py, line {line(main.read_text(), 'skipped')} was reached"
    assert f"{skipped} 5 times by worker:0 and 4 times by worker:1" in found.words
    shown = repr(Drawn(run.name, run.exchanges(), last=2))
    assert "never begun" in shown
    assert "■□" in shown


MIXED = f"""{BEGIN}
import itertools, time
for step in itertools.count():
    exchange(one)  # first
    if me == 0 or step != 2:
        exchange(one)  # skipped
    time.sleep(0.05)
"""


def test_steps_that_are_mixed_are_reported_while_it_happens(launch, write, capsys):
    text = write("main.py", MIXED).read_text()
    run = launch("main.py", 2)
    said = (
        "worker:0 and worker:1 are out of step since exchange 6: main.py, line"
        f" {line(text, 'skipped')} of worker:0 meets main.py, line {line(text, 'first')} of"
        " worker:1."
    )
    live = Watched(run)
    until(lambda: any(hint.startswith(said) for hint in live.report().hints))
    assert run.outcome is None
    for name in ("status", "stacks", "exchanges"):
        assert command([name, "--name", run.name]) == 0
        assert said in capsys.readouterr().out
    with pytest.raises(RunTimeout, match=re.escape(f"still running after 0.1 s. {said}")):
        run.wait(0.1)
    run.stop("enough")
    blamed = f"main.py, line {line(text, 'skipped')}"
    assert blamed in repr(Panel.from_run(run))
    with pytest.raises(RunFailed, match=rf"stopped: enough\. .*{blamed}"):
        run.check()


def test_everything_that_is_executed_is_recorded_and_nobody_is_accused(launch, write):
    main = write("main.py", HEALTHY)
    run = launch("main.py", 2)
    run.wait()
    content = run.exchanges()
    assert verdict(content) is None
    first, second = content.ledgers.values()
    assert first.made == second.made > 20
    assert all(one.done for one in first.exchanges)
    counts = {place.line: newest.times for place, newest in first.totals().items()}
    marks = ("loops", "merged", "one each", "outside")
    made = [counts[line(main.read_text(), mark)] for mark in marks]
    assert made == [6, 1, 3, 1]  # 2, and 3 + 1: executed exchanges, not traced ones
    assert any(one.kind == "broadcast" for one in first.exchanges)
    # The layer for Keras 3 adds exchanges, for example to divide batches.
    keras = next(iter(run.state.tasks.values())).findings.keras
    assert any(one.ours for one in first.exchanges) is (keras[0] == "3")
    count, waited = waiting_tasks(content.ledgers)
    assert count == first.made
    assert sum(one.last for one in waited.values()) == count
    assert json.loads(json.dumps(content.to_dict()))["worker:0"]["made"] == first.made
    made = json.loads(json.dumps(run.trace()))
    assert faults(made) == []
    assert {"step", "all-reduce", "training", "continues"} <= {
        one["name"] for one in made["traceEvents"]
    }
    assert {"step", "waiting", "transfer"} <= set(run.phases())


OUTSIDE = f"""{BEGIN}
for width in (1, 2, 1):
    strategy.reduce("SUM", tf.ones([width]), axis=None)  # any width
    strategy.reduce("SUM", tf.ones([2], tf.float64), axis=None)  # doubles
"""


@pytest.mark.full
def test_outside_of_functions_each_exchange_has_its_own_line_and_shape(launch, write):
    text = write("main.py", OUTSIDE).read_text()
    run = launch("main.py", 2)
    run.wait()
    any_width, doubles = (line(text, mark) for mark in ("any width", "doubles"))
    for ledger in run.exchanges().ledgers.values():
        made = [one for one in ledger.exchanges if one.line.line in (any_width, doubles)]
        assert [(one.line.line, one.what, one.size, one.times) for one in made] == [
            (any_width, "float32[1]", 4, 1),
            (doubles, "float64[2]", 16, 1),
            (any_width, "float32[2]", 8, 2),
            (doubles, "float64[2]", 16, 2),
            (any_width, "float32[1]", 4, 3),
            (doubles, "float64[2]", 16, 3),
        ]
        assert all(one.done and one.begun < one.ended for one in made)


UNRECORDED = f"""{BEGIN}
from tensorflow.python.distribute import collective_all_reduce_strategy
@tf.function
def raw(x):
    return tf.raw_ops.CollectiveReduceV2(
        input=x, group_size=2, group_key=77, instance_key=5, ordering_token=[], merge_op="Add",
        final_op="Id", communication_hint="ring")
assert raw(one).numpy() == 2.0
for is_gpu in (False, True):  # on GPUs, the thread of a replica builds the collective
    collective_all_reduce_strategy._is_gpu_device = lambda device: is_gpu
    compiled = tf.function(lambda x: strategy.run(add, args=(x,)), jit_compile=True)
    types = [op.type for op in compiled.get_concrete_function(one).graph.get_operations()]
    assert "CollectiveReduceV2" in types and "Stage" not in types, types
try:
    compiled(one)
except Exception as error:  # XLA has no such collective on CPUs
    print(type(error).__name__)
for step in range(5):
    exchange(one)
    if me == 0 or step != 2:
        exchange(one)
"""

DTENSOR = """
import json, os
import tensorflow as tf
from tensorflow.experimental import dtensor
config = json.loads(os.environ["TF_CONFIG"])
workers = config["cluster"]["worker"]
os.environ.update(DTENSOR_JOBS=",".join(workers), DTENSOR_NUM_CLIENTS=str(len(workers)),
                  DTENSOR_CLIENT_ID=str(config["task"]["index"]), DTENSOR_JOB_NAME="worker")
dtensor.initialize_accelerator_system("CPU")
mesh = dtensor.create_distributed_mesh([("batch", 2)], device_type="CPU")
part = dtensor.call_with_layout(tf.ones, dtensor.Layout(["batch"], mesh), shape=[4])
assert tf.reduce_sum(part).numpy() == 4
"""


@pytest.mark.full
def test_of_a_program_with_exchanges_that_are_not_recorded_nobody_is_accused(launch, write):
    write("main.py", UNRECORDED)
    run = launch("main.py", 2)
    assert not run.wait(check=False).ok
    content = run.exchanges()
    assert content.unrecorded == ("tf.raw_ops", "XLA")
    assert verdict(content) is None
    said = "may exchange data through tf.raw_ops and XLA, which is not recorded"
    assert said in repr(Drawn(run.name, content))


DETERMINISTIC = """
import tensorflow as tf
tf.config.experimental.enable_op_determinism()
strategy = tf.distribute.MultiWorkerMirroredStrategy()
@tf.function
def add(x):
    replica = lambda x: tf.distribute.get_replica_context().all_reduce("SUM", tf.identity(x))
    return strategy.run(replica, args=(x,))
assert add(tf.ones([])).numpy() == 2.0
"""


def test_deterministic_operations_stay_possible_and_are_not_recorded(launch, write):
    write("main.py", DETERMINISTIC)
    run = launch("main.py", 2)
    run.wait()
    assert run.exchanges().unrecorded == ("functions with deterministic operations",)


@pytest.mark.full
def test_of_dtensor_it_is_said_that_nothing_is_recorded(launch, write, capsys):
    write("main.py", DTENSOR)
    run = launch("main.py", 2)
    run.wait()
    assert verdict(run.exchanges()) is None
    assert command(["exchanges", run.name]) != 0
    said = capsys.readouterr().err
    assert "has no exchanges to show: it may exchange data through DTensor" in said


LATE = """
import time
import numpy as np
import tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
late = strategy.cluster_resolver.task_id == 1
class Slow(tf.keras.callbacks.Callback):
    def on_train_batch_begin(self, batch, logs=None):
        time.sleep(0.03 * late)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
x, y = np.ones((320, 4), "float32"), np.ones((320, 1), "float32")
model.fit(x, y, batch_size=8, verbose=0, callbacks=[Slow()])
"""


@pytest.mark.full
def test_why_a_worker_comes_last_is_shown(launch, write, capsys):
    write("main.py", LATE)
    run = launch("main.py", 2)
    run.wait()
    assert command(["exchanges", run.name]) == 0
    shown = capsys.readouterr().out
    assert re.search(
        r"The others waited longest for worker:1: [\d.]+ m?s in \d+ of \d+ exchanges", shown
    )
    assert "Before a step (input, callbacks, other code), worker:1 typically spends" in shown


TWO_REPLICAS = """
import numpy as np
import tensorflow as tf
(processor,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse", metrics=["mae"])
model.fit(np.ones((32, 4), "float32"), np.ones((32, 1), "float32"), batch_size=8, verbose=0)
"""


def test_replicas_in_one_process_do_not_wait_for_each_others_records(launch, write):
    write("main.py", TWO_REPLICAS)
    run = launch("main.py", 1)
    run.wait(timeout=60)
    assert len(run.exchanges().ledgers) == 1


def test_without_the_ledger_nothing_is_recorded(launch, write):
    write("main.py", f"{BEGIN}exchange(one)\n")
    run = launch("main.py", 2, no_ledger=True)
    run.wait()
    assert run.exchanges().ledgers == {}
    assert "exchanges not recorded" in repr(Panel.from_run(run))


HALTED = f"""
from tensorflow.python.distribute.collective_all_reduce_strategy import coordination_config_pb2
from tensorflow.python.eager import context
context.context().configure_coordination_service(  # nobody is given up meanwhile
    "standalone", service_leader="/job:worker/replica:0/task:0", heartbeat_timeout_in_ms=120000,
    coordinated_jobs=[coordination_config_pb2.CoordinatedJob(name="worker", num_tasks=2)])
{BEGIN}
import os, pathlib, signal, threading, time
def halt():
    time.sleep(1)  # the exchange has begun, and is recorded
    os.kill(os.getpid(), signal.SIGSTOP)
for step in range(3):
    if step == 2 and me == 1:
        threading.Thread(target=halt).start()
    while step == 2 and me == 0 and not pathlib.Path("go").exists():
        time.sleep(0.01)
    exchange(one)
"""


@pytest.mark.full
def test_a_worker_that_is_halted_in_an_exchange_is_not_said_to_be_missing(launch, write, tmp_path):
    write("main.py", HALTED)
    run = launch("main.py", 2)
    halted = until_state(run, lambda state: state.tasks[W1].halted)
    (tmp_path / "go").touch()

    def long_awaited() -> Exchanges | None:
        content = run.exchanges()
        begun = [one.begun for one in content.ledgers[W0].exchanges if not one.done]
        return content if begun and content.now - begun[0] > 2 * LONG else None

    found = verdict(until(long_awaited))
    assert found is None or (found.kind, found.tasks) == ("stuck", ())
    assert "stopped by a signal" in repr(Panel.from_run(run))
    os.kill(halted.tasks[W1].pid, signal.SIGCONT)
    assert run.wait(timeout=120).ok
    assert verdict(run.exchanges()) is None
