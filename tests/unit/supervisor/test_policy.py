"""When a run ends: every rule of the policy, on plain values."""

import pytest

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.run.record.findings import Findings
from mwtutor.run.record.state import Outcome, RunState, TaskState
from mwtutor.run.record.task_status import Status
from mwtutor.supervisor.policy import Decision, conclude, counts, decide, ended_as

RUNNING, SERVING, DONE, FAILED = Status.RUNNING, Status.SERVING, Status.SUCCEEDED, Status.FAILED


def state(*, served=(), **statuses):
    """A run whose tasks have these statuses; those in ``served`` have served before."""
    cluster = ClusterSpec.of(
        {kind: [f"{kind}{at}:1" for at, _ in enumerate(does)] for kind, does in statuses.items()}
    )
    known = {}
    for name in cluster.tasks():
        findings = Findings(serves=name in served)
        known[name] = TaskState(name, status=statuses[name.type][name.index], findings=findings)
    return RunState(cluster, known)


def decided(state, culprit=None):
    return decide(state.cluster, state, culprit)


@pytest.mark.parametrize(
    ("statuses", "action"),
    [
        ({"worker": [RUNNING, RUNNING]}, "continue"),
        ({"worker": [DONE, RUNNING]}, "continue"),
        ({"worker": [DONE, DONE]}, "end"),
        ({"chief": [RUNNING], "worker": [DONE]}, "continue"),
        ({"chief": [DONE], "worker": [DONE]}, "end"),
        ({"chief": [DONE], "worker": [RUNNING]}, "finish"),
        ({"worker": [DONE], "ps": [RUNNING]}, "finish"),
        ({"worker": [DONE], "evaluator": [RUNNING]}, "finish"),
    ],
)
def test_the_deciding_tasks_decide(statuses, action):
    assert decided(state(**statuses)).action == action


def test_who_is_stopped_at_once_and_who_may_linger():
    worker, ps, evaluator = TaskId("worker", 0), TaskId("ps", 0), TaskId("evaluator", 0)
    served = state(chief=[DONE], worker=[SERVING], ps=[SERVING], served={worker})
    assert decided(served) == Decision("finish", stop=(worker, ps))
    trains = state(chief=[DONE], worker=[RUNNING], ps=[SERVING], evaluator=[RUNNING])
    assert decided(trains) == Decision("finish", linger=(worker,))
    over = state(chief=[DONE], worker=[DONE], ps=[SERVING], evaluator=[RUNNING])
    assert decided(over) == Decision("finish", stop=(ps,), linger=(evaluator,))
    alone = state(chief=[DONE], worker=[RUNNING], evaluator=[RUNNING])
    assert decided(alone) == Decision("finish", linger=(worker, evaluator))


@pytest.mark.parametrize(
    ("exit", "stopped", "done", "status"),
    [
        (0, False, False, DONE),
        (0, True, False, DONE),
        (1, False, False, FAILED),
        (-9, False, False, FAILED),
        (-15, True, False, Status.STOPPED),
        (-9, True, True, DONE),
    ],
)
def test_who_was_stopped_has_succeeded_only_if_its_work_was_done(exit, stopped, done, status):
    assert ended_as(exit, stopped=stopped, done=done) is status


def test_a_failure_that_counts_fails_the_run():
    worker = TaskId("worker", 1)
    assert decided(state(worker=[RUNNING, FAILED]), worker) == Decision("fail", culprit=worker)


def test_which_failures_count():
    worker, ps = TaskId("worker", 0), TaskId("ps", 0)
    sync = state(chief=[RUNNING], worker=[RUNNING])
    driven = {"chief": [RUNNING], "worker": [SERVING], "ps": [SERVING], "evaluator": [RUNNING]}
    assert counts(worker, sync)
    assert not counts(worker, state(**driven, served={worker, ps}))
    assert counts(worker, state(**driven)), "it never served"
    assert counts(ps, state(**driven, served={worker, ps}))
    assert counts(TaskId("chief", 0), state(**driven, served={worker, ps}))
    assert not counts(TaskId("evaluator", 0), state(**driven))


def test_a_launcher_whose_workers_were_stopped_has_not_succeeded():
    left = Findings(left=("worker.py", "worker.py"))
    name = TaskId("worker", 0)

    def ended(**seen):
        task = TaskState(name, status=Status.SUCCEEDED, findings=left, **seen)
        return conclude(Outcome("succeeded"), None, RunState(tasks={name: task}))

    assert ended() == Outcome(
        "stopped",
        "worker.py was still running when the program that had started it ended, and was stopped",
    )
    # The task was launched for its own training, or for its part in a cluster.
    assert ended(step=3).ok
    assert ended(listening=True).ok
    assert ended(communication={"workers": 2}).ok
