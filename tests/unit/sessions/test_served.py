"""A chief without workers: its closures wait forever, which is reported with the reason."""

from __future__ import annotations

from mwtutor.run.record.state import RunState, fold
from mwtutor.sessions.served import why_stranded

CLUSTER = {"chief": ["h:1"], "worker": ["h:2", "h:3"], "ps": ["h:4"]}

#: A time by which the supervisor would have started a worker again.
LATER = 100.0


def lost(task: str) -> dict[str, object]:
    end = {"task": task, "exit": -9, "status": "failed", "reason": f"{task} was killed"}
    return {"t": 2.0, "event": "task_ended", **end}


def test_it_is_said_when_no_worker_is_left_and_none_will_come():
    started = fold(RunState(), [{"t": 1.0, "event": "run_started", "cluster": CLUSTER}])
    one = fold(started, [lost("worker:0")])
    assert (why_stranded(started, LATER), why_stranded(one, LATER)) == ("", "")
    both = fold(one, [lost("worker:1")])
    assert why_stranded(both, LATER) == (
        "No worker is left to run scheduled closures: worker:0 was killed; worker:1 was killed."
    )
    coming = fold(both, [{"t": 2.1, "event": "task_lost", "task": "worker:1", "attempt": 1}])
    assert why_stranded(coming, LATER) == ""
    again = [{"t": 3.0, "event": "task_started", "task": "worker:1", "attempt": 2}]
    assert why_stranded(fold(coming, again), LATER) == ""
    assert why_stranded(fold(coming, [*again, lost("worker:1")]), LATER) != ""
