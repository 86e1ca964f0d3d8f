"""Restarts with real clusters: the same addresses, distinct attempts, final ends."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import psutil
import pytest

from mwtutor.cluster import TaskId, parse_tf_config
from mwtutor.display.panel import text
from mwtutor.display.panel.headline import report
from mwtutor.run.logs import logs
from mwtutor.run.record.task_status import Status
from tests.support.waiting import until_ended, until_state

pytestmark = pytest.mark.e2e

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)
CHIEF = TaskId("chief", 0)

#: Joins its cluster and reduces over it; the next attempt continues where the last one was killed.
RESUMES = """
    import os
    import tensorflow as tf
    from mwtutor import metrics
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    index = strategy.cluster_resolver.task_id
    attempt = int(os.environ["MWTUTOR_ATTEMPT"])
    @tf.function
    def step():
        def replica():
            return tf.distribute.get_replica_context().all_reduce("sum", 1.0)
        return strategy.run(replica)
    for number in range(4 * (attempt - 1), 12):
        total = float(strategy.experimental_local_results(step())[0])
        metrics.progress(step=number + 1, metrics={"loss": 1.0 / (number + 1)})
        print(f"attempt {attempt} step {number + 1} sum {total}", flush=True)
        if index == 1 and number + 1 == 4 * attempt and attempt < 3:
            os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("network", ["auto", "host"])
def test_a_killed_worker_restarts_the_cluster_on_the_same_addresses(launch, write, network):
    write("main.py", RESUMES)
    run = launch("main.py", 2, restarts=3, network=network)
    assert run.wait(timeout=120).ok
    state = run.state
    assert [attempt.number for attempt in run.attempts] == [1, 2, 3]
    assert [attempt.culprit for attempt in run.attempts] == [W1, W1, None]
    assert run.attempts[0].reason == "worker:1 was killed by signal 9 (SIGKILL)"
    assert run.attempts[2].reason == ""
    assert {task.attempt for task in state.tasks.values()} == {3}
    # A figure can draw each attempt, which continues where the previous one stopped.
    steps = [[step for step, _ in run.history("loss", attempt=n)[W1]] for n in (1, 2, 3)]
    assert steps == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    assert [step for step, _ in run.history("loss")[W1]] == list(range(1, 13))
    shown = text.render(report(run.spec, state))
    assert "attempt 3 of at most 4" in shown
    assert "  attempt 1: worker:1 was killed by signal 9 (SIGKILL), after " in shown
    lines = [line.text for line in logs.lines(run.spec, [W1])]
    assert lines.index("attempt 1 step 4 sum 2.0") < lines.index("---- attempt 2 ----")
    assert lines.index("---- attempt 3 ----") < lines.index("attempt 3 step 9 sum 2.0")


@pytest.mark.full
def test_a_crash_loop_stops_and_says_so(launch, write):
    write("main.py", "raise OSError('nowhere')")
    run = launch("main.py", 1, restarts=50)
    outcome = run.wait(timeout=60, check=False)
    assert outcome.reason == (
        "worker:0 raised OSError: nowhere (main.py, line 1)"
        "; a crash loop: 3 attempts in a row made no progress"
    )
    assert len(run.attempts) == 3
    assert text.render(report(run.spec, run.state)).count("Traceback") == 1


@pytest.mark.full
def test_restarts_run_out(launch, write):
    write("main.py", "import mwtutor, os; mwtutor.report(int(os.environ['MWTUTOR_ATTEMPT'])); 1/0")
    run = launch("main.py", 1, restarts=1)
    assert run.wait(timeout=60, check=False).reason.endswith("(main.py, line 1); restarted once")


@pytest.mark.full
@pytest.mark.parametrize("end", ["stop", "timeout", "owner"])
def test_an_end_during_the_back_off_is_final(launch, write, end):
    from mwtutor.run.engine import engine

    program = "import mwtutor, os; mwtutor.report(int(os.environ['MWTUTOR_ATTEMPT'])); 1/0"
    write("main.py", program)  # each attempt gets further, so this is not a crash loop
    run = launch("main.py", 1, restarts=9, timeout=4.0 if end == "timeout" else 0)
    assert until_state(run, lambda state: state.restarting).status == "restarting"
    if end == "stop":
        run.stop()
    elif end == "owner":
        engine("local")._owned[run.spec.directory].close()
        del engine("local")._owned[run.spec.directory]
    status, reason = {
        "stop": ("stopped", "it was stopped"),
        "timeout": ("timed out", "it took more than 4 s"),
        "owner": ("stopped", "it ended with the process that launched it"),
    }[end]
    outcome = run.wait(timeout=30, check=False)
    assert (outcome.status, outcome.reason) == (status, reason)


@pytest.mark.full
def test_a_killed_supervisor_takes_a_later_attempt_along(launch, write):
    write(
        "main.py", "import os, time; os.environ['MWTUTOR_ATTEMPT'] == '1' and 1/0; time.sleep(600)"
    )
    run = launch("main.py", 2, restarts=1)
    until_state(run, lambda state: len(state.attempts) == 2)
    state = until_state(run, lambda now: all(task.begun for task in now.tasks.values()))
    left = [psutil.Process(task.pid) for task in state.tasks.values()]
    os.kill(state.supervisor[0], signal.SIGKILL)
    assert run.wait(timeout=10, check=False).status == "lost"
    until_ended(left)


#: A chief that schedules closures, and schedules more once the file ``go`` exists.
SCHEDULES = """
import pathlib, time
import tensorflow as tf
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type != "chief":
    tf.distribute.Server(
        resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id
    ).join()
strategy = tf.distribute.ParameterServerStrategy(resolver)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
with strategy.scope():
    total = tf.Variable(0.0)
@tf.function
def add():
    total.assign_add(1.0)
def work():
    for _ in range(20):
        coordinator.schedule(add)
    coordinator.join()
work()
print("ready", flush=True)
while not pathlib.Path("go").exists():
    time.sleep(0.02)
work()
print("total", float(total))
"""


def until_ready(run):
    log = run.spec.log(CHIEF)
    until_state(run, lambda state: log.exists() and "ready" in log.read_text())


@pytest.mark.full
def test_a_lost_worker_of_a_chief_is_started_again_alone(launch, write):
    write("main.py", SCHEDULES)
    run = launch("main.py", 2, chief=True, ps=1, restarts=2)
    until_ready(run)
    run.kill("worker:1")
    state = until_state(run, lambda state: state.tasks[W1].attempt == 2 and state.tasks[W1].begun)
    assert state.tasks[W1].lost == ("worker:1 was killed by signal 9 (SIGKILL)",)
    assert "started again: worker:1 was killed" in text.render(report(run.spec, state))
    Path("go").touch()
    assert run.wait(timeout=90).ok
    assert "total 40.0" in run.spec.log(CHIEF).read_text()
    state = run.state
    assert len(state.attempts) == 1
    assert {task.attempt for name, task in state.tasks.items() if name != W1} == {1}
    assert {task.status for task in state.tasks.values()} == {Status.SUCCEEDED}


#: An Estimator whose first worker once gets an error from which a monitored session recovers.
MEETS_AN_ERROR = """
    import os
    import numpy as np
    import tensorflow as tf
    tf.compat.v1.disable_eager_execution()

    def input_fn():
        ones = np.ones((4, 2), "float32"), np.ones(4, "float32")
        return tf.data.Dataset.from_tensors(ones).repeat()

    def model_fn(features, labels, mode):
        zeros = tf.compat.v1.zeros_initializer()
        weight = tf.compat.v1.get_variable("w", (2, 1), initializer=zeros)
        loss = tf.reduce_mean((features @ weight - labels[:, None]) ** 2)
        optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.01)
        train_op = optimizer.minimize(loss, tf.compat.v1.train.get_or_create_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    class Meets(tf.compat.v1.train.SessionRunHook):
        steps = 0

        def after_run(self, context, values):
            self.steps += 1
            first = os.environ["MWTUTOR_ATTEMPT"] == "1" and strategy.cluster_resolver.task_id == 0
            if first and self.steps == 15:
                raise tf.errors.AbortedError(None, None, "a lost message")

    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    config = tf.estimator.RunConfig("model", train_distribute=strategy, save_checkpoints_steps=10)
    tf.estimator.train_and_evaluate(
        tf.estimator.Estimator(model_fn, config=config),
        tf.estimator.TrainSpec(input_fn, max_steps=30, hooks=[Meets()]),
        tf.estimator.EvalSpec(input_fn, steps=1, start_delay_secs=10**6),
    )
"""


@pytest.mark.full
def test_a_synchronous_estimator_does_not_recover_by_itself(launch, write):
    write("main.py", MEETS_AN_ERROR)
    run = launch("main.py", 2, restarts=1, timeout=100)
    assert run.wait(timeout=120).ok
    first, _ = run.attempts
    assert str(first.culprit) == "worker:0"
    assert "a lost message" in first.reason


@pytest.mark.full
def test_a_task_started_again_alone_is_not_ended_by_what_its_predecessor_said(launch, write):
    write(
        "main.py",
        """
        import json, os, time
        task = json.loads(os.environ["TF_CONFIG"])["task"]["type"]
        if task == "evaluator" and os.environ["MWTUTOR_ATTEMPT"] == "1":
            raise ValueError("the first time")
        time.sleep(7)  # longer than the last words of the first may take
        """,
    )
    run = launch("main.py", 1, evaluator=True, restarts=1)
    assert run.wait(timeout=60).ok
    evaluator = run.tasks[TaskId("evaluator", 0)]
    assert (evaluator.attempt, evaluator.exit) == (2, 0)


@pytest.mark.full
def test_a_long_line_that_raises_is_explained(launch, write):
    write("main.py", "x = " + repr("y" * 5000) + "; raise ValueError('\U0001f600' * 600)")
    run = launch("main.py", 1)
    outcome = run.wait(timeout=60, check=False)
    assert "raised ValueError" in outcome.reason
    log = run.spec.log(TaskId("worker", 0)).read_text()
    assert "Traceback (most recent call last)" in log


@pytest.mark.full
def test_a_task_that_becomes_another_program_keeps_its_supervisor_idle(launch, write):
    write("main.py", "import os; os.execv('/bin/sleep', ['sleep', '4'])")
    run = launch("main.py", 1)
    supervisor = psutil.Process(until_state(run, lambda state: state.tasks[W0].begun).supervisor[0])
    before = sum(supervisor.cpu_times()[:2])
    for state in run.watch(timeout=1.5):
        assert state.outcome is None
    used = sum(supervisor.cpu_times()[:2]) - before
    assert run.wait(timeout=30).ok
    assert used < 0.7


@pytest.mark.full
def test_a_chief_whose_workers_are_gone_does_not_wait_for_them_forever(launch, write):
    write("main.py", SCHEDULES)
    run = launch("main.py", 1, chief=True, ps=1)
    until_ready(run)
    run.kill("worker:0")
    until_state(run, lambda state: state.tasks[W0].status.ended)
    Path("go").touch()
    outcome = run.wait(timeout=90, check=False)
    assert (outcome.status, outcome.reason) == (
        "failed",
        "no worker is left to run scheduled closures: worker:0 was killed by signal 9 (SIGKILL)",
    )


#: Each worker notes its place in its cluster; in the first, ``worker:0`` is then lost for good.
SHRINKS = """
    import json, os, pathlib, time
    import tensorflow as tf
    config = json.loads(os.environ["TF_CONFIG"])
    workers, index = config["cluster"]["worker"], config["task"]["index"]
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    @tf.function
    def step():
        def replica():
            return tf.distribute.get_replica_context().all_reduce("sum", 1.0)
        return strategy.run(replica)
    total = float(strategy.experimental_local_results(step())[0])
    place = pathlib.Path(f"{len(workers)}-{index}")
    place.write_text(f"{total} {workers[index]}")
    while len(list(pathlib.Path().glob(f"{len(workers)}-*"))) < len(workers):
        time.sleep(0.02)
    if len(workers) == 2 and index == 0:
        os.kill(os.getpid(), 9)
    step()
"""


@pytest.mark.full
def test_an_elastic_run_continues_without_a_lost_worker(launch, write):
    write("main.py", SHRINKS)
    run = launch("main.py", 2, elastic="1:2")
    outcome = run.wait(timeout=120)
    reason = "worker:0 was killed by signal 9 (SIGKILL)"
    assert outcome.ok
    assert outcome.reason == f"it ended with 1 of 2 workers, because {reason}"
    state = run.state
    assert [attempt.workers for attempt in run.attempts] == [2, 1]
    assert state.tasks[W1].status is Status.LEFT_OUT
    noted = {path.name: path.read_text() for path in Path().glob("?-?")}
    survivor = noted["2-1"].split()[1]
    assert noted["2-1"] == f"2.0 {survivor}"
    assert noted["1-0"] == f"1.0 {survivor}", "it has moved up, with its address"
    assert parse_tf_config(run.tf_config("worker:0"))[0].worker == (survivor,)
    shown = text.render(report(run.spec, state))
    assert "1 of 2 workers" in shown
    assert f"  attempt 1, 2 workers: {reason}, after " in shown
    assert f"It ended with 1 of 2 workers, because {reason}." in shown
