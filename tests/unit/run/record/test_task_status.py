"""Every step that a task's status can take."""

import pytest

from mwtutor.run.record.task_status import Status, transition

LIVE = [status for status in Status if not status.ended]
ENDED = [status for status in Status if status.ended]


@pytest.mark.parametrize(
    ("before", "event", "after"),
    [
        ("starting", "program_started", "running"),
        ("starting", "progress", "running"),
        ("starting", "listening", "waiting"),
        ("starting", "serving", "serving"),
        ("running", "listening", "waiting"),
        ("waiting", "program_started", "waiting"),
        ("waiting", "progress", "waiting"),
        ("waiting", "cluster_formed", "running"),
        ("running", "cluster_formed", "running"),
        ("running", "serving", "serving"),
        ("serving", "listening", "serving"),
        ("serving", "cluster_formed", "serving"),
        ("running", "something of a later version", "running"),
    ],
)
def test_what_a_live_task_does_next(before, event, after):
    assert transition(Status(before), {"event": event}) is Status(after)


@pytest.mark.parametrize("status", Status)
def test_a_task_that_is_started_is_starting_whatever_it_was(status):
    assert transition(status, {"event": "task_started"}) is Status.STARTING


@pytest.mark.parametrize("how", ENDED)
def test_a_task_ends_once(how):
    ended = {"event": "task_ended", "status": how.value}
    assert {transition(status, ended) for status in LIVE} == {how}
    assert [transition(status, ended) for status in ENDED] == ENDED
    with pytest.raises(ValueError, match="flown"):
        transition(Status.RUNNING, {"event": "task_ended", "status": "flown"})


def test_a_run_that_ended_unseen_has_lost_its_live_tasks():
    assert {transition(status, {"event": "run_ended"}) for status in LIVE} == {Status.LOST}
    assert [transition(status, {"event": "run_ended"}) for status in ENDED] == ENDED


def test_a_task_that_is_lost_has_ended():
    ended = {status for status in Status if status.ended}
    assert ended == {Status.SUCCEEDED, Status.FAILED, Status.STOPPED, Status.LOST}
