"""When a run ends: every rule of the design, on plain values."""

import pytest

from mwtutor.cluster import TaskId
from mwtutor.run.record.findings import Findings
from mwtutor.run.record.state import Outcome, TaskState
from mwtutor.run.record.task_status import Status
from mwtutor.supervisor.policy import Decision, Verdict, conclude, counts, decide

RUNNING, SERVING, DONE, FAILED = Status.RUNNING, Status.SERVING, Status.SUCCEEDED, Status.FAILED


def tasks(**statuses):
    return {
        TaskId(kind, index): status
        for kind in ("chief", "worker", "ps", "evaluator")
        for index, status in enumerate(statuses.get(kind, []))
    }


@pytest.mark.parametrize(
    ("statuses", "action"),
    [
        ({"worker": [RUNNING, RUNNING]}, "go on"),
        ({"worker": [DONE, RUNNING]}, "go on"),
        ({"worker": [DONE, DONE]}, "end"),
        ({"chief": [RUNNING], "worker": [DONE]}, "go on"),
        ({"chief": [DONE], "worker": [DONE]}, "end"),
        ({"chief": [DONE], "worker": [RUNNING]}, "finish"),
        ({"worker": [DONE], "ps": [RUNNING]}, "finish"),
        ({"worker": [DONE], "evaluator": [RUNNING]}, "finish"),
    ],
)
def test_the_deciding_tasks_decide(statuses, action):
    assert decide(tasks(**statuses), None).action == action


def test_who_is_stopped_at_once_and_who_may_linger():
    worker, ps = TaskId("worker", 0), TaskId("ps", 0)
    states = tasks(chief=[DONE], worker=[SERVING], ps=[SERVING])
    assert decide(states, None, {worker}) == Decision("finish", stop=(worker, ps))
    states = tasks(chief=[DONE], worker=[RUNNING], ps=[SERVING], evaluator=[RUNNING])
    assert decide(states, None) == Decision("finish", linger=(worker,))
    states[worker] = DONE
    evaluator = TaskId("evaluator", 0)
    assert decide(states, None) == Decision("finish", stop=(ps,), linger=(evaluator,))
    states = tasks(chief=[DONE], worker=[RUNNING], evaluator=[RUNNING])
    assert decide(states, None) == Decision("finish", linger=(worker, evaluator))


def test_a_failure_that_counts_fails_the_run():
    worker = TaskId("worker", 1)
    assert decide(tasks(worker=[RUNNING, FAILED]), worker) == Decision("fail", culprit=worker)


def test_which_failures_count():
    sync = tasks(chief=[RUNNING], worker=[RUNNING])
    asynchronous = tasks(chief=[RUNNING], worker=[SERVING], ps=[SERVING], evaluator=[RUNNING])
    worker = TaskId("worker", 0)
    assert counts(worker, sync, frozenset())
    assert not counts(worker, asynchronous, frozenset({worker}))
    assert counts(worker, asynchronous, frozenset()), "it never served"
    assert counts(TaskId("ps", 0), asynchronous, frozenset({TaskId("ps", 0)}))
    assert counts(TaskId("chief", 0), asynchronous, frozenset())
    assert not counts(TaskId("evaluator", 0), asynchronous, frozenset())


def test_a_launcher_whose_workers_were_stopped_has_not_succeeded():
    left = Findings(left=("worker.py", "worker.py"))
    name = TaskId("worker", 0)

    def ended(**seen):
        task = TaskState(name, status=Status.SUCCEEDED, findings=left, **seen)
        return conclude(Verdict("succeeded"), None, {name: task})

    assert ended() == Outcome(
        "stopped",
        "worker.py was still running when the program that had started it ended, and was stopped",
    )
    # Its own training, or its part in a cluster, is what it was launched for.
    assert ended(step=3).ok
    assert ended(listening=True).ok
    assert ended(communication={"workers": 2}).ok
