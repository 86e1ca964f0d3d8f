"""Every transition of a task's status."""

import pytest

from mwtutor.cluster import TaskId
from mwtutor.run.record import events
from mwtutor.run.record.task_status import Status, transition

W0 = TaskId("worker", 0)
LIVE = [status for status in Status if not status.ended]
ENDED = [status for status in Status if status.ended]


@pytest.mark.parametrize(
    ("before", "event", "after"),
    [
        ("starting", events.ProgramStarted(W0), "running"),
        ("starting", events.Progress(W0), "running"),
        ("starting", events.Listening(W0), "waiting"),
        ("starting", events.Serving(W0), "serving"),
        ("running", events.Listening(W0), "waiting"),
        ("waiting", events.ProgramStarted(W0), "waiting"),
        ("waiting", events.Progress(W0), "waiting"),
        ("waiting", events.ClusterFormed(), "running"),
        ("running", events.ClusterFormed(), "running"),
        ("running", events.Serving(W0), "serving"),
        ("serving", events.Listening(W0), "serving"),
        ("serving", events.ClusterFormed(), "serving"),
        ("running", events.Event(), "running"),
    ],
)
def test_what_a_live_task_does_next(before, event, after):
    assert transition(Status(before), event) is Status(after)


@pytest.mark.parametrize("status", Status)
def test_a_task_that_is_started_is_starting_whatever_it_was(status):
    assert transition(status, events.TaskStarted(W0)) is Status.STARTING


@pytest.mark.parametrize("how", ENDED)
def test_a_task_ends_once(how):
    ended = events.TaskEnded(W0, how.value, 0)
    assert {transition(status, ended) for status in LIVE} == {how}
    assert [transition(status, ended) for status in ENDED] == ENDED
    with pytest.raises(ValueError, match="flown"):
        transition(Status.RUNNING, events.TaskEnded(W0, "flown", 0))


def test_a_run_that_ended_unseen_has_lost_its_live_tasks():
    end = events.RunEnded("lost", "")
    assert {transition(status, end) for status in LIVE} == {Status.LOST}
    assert [transition(status, end) for status in ENDED] == ENDED


def test_a_task_that_is_lost_has_ended():
    ended = {status for status in Status if status.ended}
    ends = {Status.SUCCEEDED, Status.FAILED, Status.STOPPED, Status.LOST, Status.LEFT_OUT}
    assert ended == ends
