"""Published programs with parameter servers, driven by a chief or by a session in each worker.

``test_patterns`` explains the rows.
"""

from __future__ import annotations

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.panel.panel import Panel
from tests.parity.versions import keras_versions
from tests.support.programs.published import PROGRAMS, Pattern, judge
from tests.support.waiting import until_state

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.bridges, pytest.mark.full]

CHIEF_AND_PS = {"chief": True, "ps": 1}

PATTERNS = {
    "coordinator_fit": Pattern(
        "coordinator_fit",
        "Model.fit trains with parameter servers under Keras 2, which DatasetCreator needs",
        options=CHIEF_AND_PS,
        said="Keras 2, because the program uses tf.keras.utils.experimental",
        results=1,
        keras=2,
    ),
    "coordinator_fit_of_keras_3": Pattern(
        "coordinator_fit_dataset",
        "Model.fit of Keras 3 trains with parameter servers, on the chief's dataset",
        options=CHIEF_AND_PS,
        said="Keras 3 by default",
        results=1,
        keras=3,
    ),
    "coordinator_fit_asked": Pattern(
        "coordinator_fit_dataset",
        "so does that of Keras 2",
        options={**CHIEF_AND_PS, "keras": "2"},
        results=1,
        keras=2,
    ),
    "tutorial_fit": Pattern(
        "coordinator_tutorial_fit",
        "the tutorial's fit runs with Keras 3, given the function itself",
        options={"chief": True, "ps": 2},
        results=1,
        keras=3,
    ),
    "tutorial_loop": Pattern(
        "coordinator_tutorial_loop",
        "the tutorial's loop runs with Keras 3: its embedding is in parts, and they are trained",
        options={"chief": True, "ps": 2},
        results=1,
        keras=3,
    ),
    "migrated": Pattern(
        "coordinator_migrated",
        "the migration guide's program runs with Keras 3, on its own tasks",
        options=CHIEF_AND_PS,
        results=1,
        keras=3,
    ),
    "in_process": Pattern(
        "coordinator_in_process",
        "the guides' cluster in one process runs unchanged, as one task",
        workers=1,
        keras=3,
    ),
    "in_process_twice": Pattern(
        "coordinator_in_process",
        "launched as two tasks, it gets the advice to launch one",
        said="starts a whole cluster (worker:0, worker:1, ps:0) in one process, and each task"
        " starts its own. Launch it with 1 worker: %mw_launch 1 ",
        once=False,
        keras=3,
    ),
    "chief_without_servers": Pattern(
        "coordinator_fit_dataset",
        "advice shows how a chief without servers gets one",
        options={"chief": True},
        status="failed",
        said="Launch the program with --ps 1 as well.",
    ),
    "in_process_turned_into_tasks": Pattern(
        "coordinator_in_process",
        "and with its own tasks",
        args=("--tasks",),
        options=CHIEF_AND_PS,
        results=1,
        keras=3,
    ),
    "tfjob": Pattern(
        "coordinator_tfjob",
        "a program of Kubeflow's kind runs with Keras 3, its variables in parts",
        args=("--saved-model-dir", "."),
        options={"chief": True, "ps": 2},
        results=1,
        keras=3,
    ),
    "monitored_session": Pattern(
        "monitored_session",
        "sessions of TensorFlow 1 share the variables of a parameter server",
        options={"ps": 1},
    ),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_published_pattern_of_servers(launch, write, name):
    judge(PATTERNS[name], launch, write)


def test_a_loop_that_a_chief_drives(launch, write):
    """The program sets GRPC_FAIL_FAST and partitions variables; the workers take the steps."""
    pattern = Pattern(
        "coordinator_loop", "workers do what the chief schedules", options=CHIEF_AND_PS, results=1
    )
    run = judge(pattern, launch, write)
    assert "plain processes" not in repr(run)
    done = {task: run.spec.log(task).read_text().count("a step is done here") for task in run.tasks}
    assert sum(done.values()) == 20
    assert done[TaskId("chief", 0)] == done[TaskId("ps", 0)] == 0


def test_fit_of_keras_3_loses_no_step_with_a_worker(launch):
    """A lost worker's computation is repeated, so no step is missing or counted more than twice."""
    if 3 not in keras_versions():
        pytest.skip("Keras 3 is not installed here")
    program = str(PROGRAMS / "coordinator_survives.py")
    run = launch(program, 2, chief=True, ps=1, restarts=2)
    log = run.spec.log(TaskId("chief", 0))
    until_state(run, lambda _: log.exists() and "an epoch begins 1" in log.read_text(), 120)
    run.kill("worker:1")
    assert run.wait(timeout=240).ok
    assert run.state.tasks[TaskId("worker", 1)].attempt == 2
    assert "an epoch begins 2" in log.read_text()
    steps = int(log.read_text().rsplit("steps ", 1)[1].split()[0])
    assert 180 <= steps <= 181


def test_a_cluster_that_nobody_coordinates_is_said_to_wait_forever(launch):
    run = launch(str(PROGRAMS / "coordinator_fit_dataset.py"), 2)
    for state in run.watch(timeout=60):
        if all(task.findings.serves for task in state.tasks.values()):
            break
    said = "All tasks are servers, and none coordinates the others: they wait forever. Add a chief"
    assert said in repr(Panel.from_run(run))
    run.stop()
