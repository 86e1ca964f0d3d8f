"""Published programs with parameter servers: driven by a chief, or each worker with its session.

What a row is, see ``test_patterns``.
"""

from __future__ import annotations

import pytest

from mwtutor.cluster import TaskId
from tests.published import Pattern, judge

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.bridges]

CHIEF_AND_PS = {"chief": True, "ps": 1}

PATTERNS = {
    "coordinator_fit": Pattern(
        "coordinator_fit",
        "Model.fit trains with parameter servers, for Keras 2 is chosen: DatasetCreator needs it",
        options=CHIEF_AND_PS,
        said="Keras 2, because the program uses tf.keras.utils.experimental",
        results=1,
        keras=2,
    ),
    "coordinator_fit_of_keras_3": Pattern(
        "coordinator_fit_dataset",
        "Model.fit of Keras 3 is refused with what to do",
        options=CHIEF_AND_PS,
        status="failed",
        said="--keras 2",
        keras=3,
    ),
    "coordinator_fit_asked": Pattern(
        "coordinator_fit_dataset",
        "what it says to do is right",
        options={**CHIEF_AND_PS, "keras": "2"},
        results=1,
        keras=2,
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
    """Its own GRPC_FAIL_FAST, variables in parts: the steps are done by workers, not by itself."""
    pattern = Pattern(
        "coordinator_loop", "workers do what the chief schedules", options=CHIEF_AND_PS, results=1
    )
    run = judge(pattern, launch, write)
    assert "plain processes" not in repr(run)
    done = {task: run.spec.log(task).read_text().count("a step is done here") for task in run.tasks}
    assert sum(done.values()) == 20
    assert done[TaskId("chief", 0)] == done[TaskId("ps", 0)] == 0
