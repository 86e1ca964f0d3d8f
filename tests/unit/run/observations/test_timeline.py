"""Runs over time, from recorded event logs: no process, no clock."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwtutor.cluster import TaskId
from mwtutor.display.pictures.timeline import Drawn
from mwtutor.run.observations.moments import Noted, Part, Step
from mwtutor.run.observations.timeline import Timeline, trace

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)
TWO = {"worker": ["h:1", "h:2"]}


def event(at, kind, task="", **fields):
    return {"t": at, "event": kind, **({"task": task} if task else {}), **fields}


def begun(cluster=None):
    tasks = (cluster or TWO)["worker"]
    return [
        event(10.0, "run_started", cluster=cluster or TWO),
        *(event(10.0, "task_started", f"worker:{i}", attempt=1) for i in range(len(tasks))),
    ]


#: Worker 1 takes 5 s to join, and both train for two epochs.
JOINED = [
    *begun(),
    event(10.5, "program_started", "worker:0"),
    event(10.5, "program_started", "worker:1"),
    event(11.0, "listening", "worker:0"),
    event(16.0, "listening", "worker:1"),
    event(16.0, "cluster_formed"),
    *(
        event(18.0 + n, "progress", f"worker:{w}", epoch=1 + n // 4, step=n % 4, metrics={})
        for n in range(8)
        for w in range(2)
    ),
]
ENDED = [
    event(26.0, "task_ended", "worker:0", status="succeeded", exit=0),
    event(26.0, "task_ended", "worker:1", status="succeeded", exit=0),
    event(26.5, "run_ended", status="succeeded", reason="", culprit=None),
]


def spans(timeline: Timeline, task: TaskId) -> list[tuple]:
    lane = next(lane for lane in timeline.lanes if lane.task == task)
    return [(s.kind, s.begin, s.end, s.number) for s in lane.spans]


def test_what_a_task_does_follows_from_the_log():
    seen = trace([*JOINED, *ENDED], 99.0)
    assert spans(seen, W0) == [
        ("starting", 10.0, 10.5, 0),
        ("joining", 10.5, 11.0, 0),
        ("waiting", 11.0, 16.0, 0),
        ("running", 16.0, 18.0, 0),
        ("training", 18.0, 22.0, 1),
        ("training", 22.0, 26.0, 2),
    ]
    assert (seen.begin, seen.end, seen.goes_on) == (10.0, 26.5, False)


def test_it_is_said_for_whom_a_task_waits():
    waiting = next(s for s in trace(JOINED, 99.0).lanes[0].spans if s.kind == "waiting")
    assert waiting.awaited == (W1,)


def test_of_several_that_are_awaited_the_last_are_named():
    cluster = {"worker": ["h:1", "h:2", "h:3"]}
    events = [
        *begun(cluster),
        *(event(10.5, "program_started", f"worker:{i}") for i in range(3)),
        event(11.0, "listening", "worker:0"),
        event(12.0, "listening", "worker:1"),
        event(15.0, "listening", "worker:2"),
        event(15.0, "cluster_formed"),
    ]
    lane = trace(events, 20.0).lanes[0]
    waiting = [s for s in lane.spans if s.kind == "waiting"]
    assert [(s.begin, s.end, s.awaited) for s in waiting] == [(11.0, 15.0, (TaskId("worker", 2),))]


def test_a_run_that_goes_on_reaches_to_now():
    seen = trace(JOINED, 30.0)
    assert seen.goes_on
    assert spans(seen, W1)[-1] == ("training", 22.0, 30.0, 2)


def test_a_cluster_that_failed_is_absent_until_it_is_started_again():
    events = [
        *JOINED,
        event(26.0, "task_ended", "worker:1", status="failed", exit=-9, reason="it was killed"),
        event(26.0, "attempt_failed", attempt=1, reason="worker:1", culprit="worker:1"),
        event(26.1, "task_ended", "worker:0", status="stopped", exit=-9),
        event(28.0, "attempt_started", attempt=2),
        event(28.0, "task_started", "worker:0", attempt=2),
        event(28.0, "task_started", "worker:1", attempt=2),
    ]
    seen = trace(events, 29.0)
    assert seen.attempts == (28.0,)
    lane = seen.lanes[1]
    assert [(mark.at, mark.kind, mark.words) for mark in lane.marks] == [
        (26.0, "failed", "it was killed")
    ]
    assert spans(seen, W1)[-2:] == [("training", 22.0, 26.0, 2), ("starting", 28.0, 29.0, 0)]


def test_a_session_that_waits_for_a_cell_is_idle_and_not_silent():
    events = [*JOINED[:8], event(17.0, "idle", "worker:0"), event(40.0, "executing", "worker:0")]
    seen = trace([*events, event(41.0, "idle", "worker:0")], 60.0)
    assert spans(seen, W0)[-4:] == [
        ("running", 16.0, 17.0, 0),
        ("idle", 17.0, 40.0, 0),
        ("running", 40.0, 41.0, 0),
        ("idle", 41.0, 60.0, 0),
    ]
    assert not [one for one in seen.lanes[0].silences if one[1] > 17.0]


def test_silence_is_what_nobody_heard_of():
    written = {W1: [20.0, 21.0]}
    seen = trace([*JOINED, *ENDED], 99.0, written=written)
    assert seen.lanes[0].silences == ((11.0, 18.0),)
    late = trace([*JOINED, event(40.0, "ending", reason="x")], 40.0)
    assert late.lanes[1].silences[-1] == (25.0, 40.0)
    spoken = trace([*JOINED, *ENDED], 99.0, written={W0: [14.0]})
    assert spoken.lanes[0].silences == ()


def noted(parts=(), steps=(), *, attempt=1, began=10.5, full=0.0):
    return Noted(attempt, began, full, tuple(parts), tuple(steps), len(steps))


def test_what_a_task_has_noted_is_more_exact_than_its_reports():
    own = noted(
        [
            Part("training", 17.0, 21.0, 1),
            Part("evaluating", 20.0, 20.8),
            Part("saving", 20.9, 20.95),
            Part("training", 21.5, 0.0, 2),
        ]
    )
    seen = trace([*JOINED, *ENDED], 99.0, {W0: [own]})
    assert spans(seen, W0)[3:] == [
        ("running", 16.0, 17.0, 0),
        ("training", 17.0, 20.0, 1),
        ("evaluating", 20.0, 20.8, 0),
        ("training", 20.8, 20.9, 1),
        ("saving", 20.9, 20.95, 0),
        ("training", 20.95, 21.0, 1),
        ("running", 21.0, 21.5, 0),
        ("training", 21.5, 26.0, 2),
    ]


def test_where_a_task_stopped_noting_its_reports_are_taken():
    own = noted([Part("training", 17.0, 20.0, 1)], full=22.0)
    seen = trace([*JOINED, *ENDED], 99.0, {W0: [own]})
    assert spans(seen, W0)[-2:] == [("running", 20.0, 22.0, 0), ("training", 22.0, 26.0, 2)]


def test_a_loop_of_its_own_trains_from_its_first_step_to_its_last():
    steps = [Step(n, 17.0 + n, 0.5, 0.1, 0.5, 0.0) for n in range(4)]
    events = [one for one in JOINED if one["event"] != "progress"]
    seen = trace([*events, *ENDED], 99.0, {W0: [noted(steps=steps)]})
    assert spans(seen, W0)[-2:] == [("training", 17.0, 20.5, 0), ("running", 20.5, 26.0, 0)]


def test_cells_of_a_session():
    cells = noted([Part("cell", 17.0, 18.0, 3), Part("cell", 19.0, 0.0, 4)])
    events = [one for one in JOINED if one["event"] != "progress"]
    seen = trace(events, 25.0, {W0: [cells]})
    assert spans(seen, W0)[3:] == [
        ("running", 16.0, 17.0, 0),
        ("cell", 17.0, 18.0, 3),
        ("running", 18.0, 19.0, 0),
        ("cell", 19.0, 25.0, 4),
    ]


@pytest.mark.parametrize("at", [None, "soon", math.nan, math.inf, -5, 1e300, [], True, 10**400])
def test_a_time_that_cannot_be_is_that_of_the_event_before(at):
    events = [dict(one) for one in [*JOINED, *ENDED]]
    events[5]["t"] = at
    seen = trace(events, 99.0)
    assert (seen.begin, seen.end) == (10.0, 26.5)


def test_a_log_that_does_not_say_which_tasks_there_are_has_no_lanes():
    assert trace([], 5.0).lanes == ()
    assert trace(JOINED[1:], 30.0).lanes == ()


@given(st.randoms(use_true_random=False))
def test_a_damaged_log_is_drawn_as_far_as_it_can_be_read(chance: random.Random):
    junk = [None, -1, math.nan, "worker:9", "x", [], {}, 10**400, True]
    events = [dict(one) for one in [*JOINED, *ENDED]]
    for _ in range(chance.randrange(1, 12)):
        one = chance.choice(events)
        name = chance.choice([key for key in one if key != "event"])
        one[name] = chance.choice(junk)
    chance.shuffle(events) if chance.random() < 0.3 else None
    seen = trace(events, 30.0)
    for lane in seen.lanes:
        ends = [seen.begin]
        for span in lane.spans:
            assert ends[-1] <= span.begin < span.end <= seen.end
            ends.append(span.end)


def test_when_a_machine_was_unplugged_is_marked_for_its_tasks():
    machines = [{"name": "machine-1", "address": "10.9.0.2", "tasks": ["worker:1"]}]
    first, *others = JOINED
    events = [
        {**first, "machines": machines},
        *others,
        event(26.0, "unplugged", machine="machine-1"),
        event(27.0, "plugged", machine="machine-1"),
    ]
    lanes = trace(events, 29.0).lanes
    assert lanes[0].marks == ()
    assert [(mark.at, mark.kind) for mark in lanes[1].marks] == [
        (26.0, "unplugged"),
        (27.0, "plugged in"),
    ]


SERVED = {"chief": ["h:1"], "worker": ["h:2", "h:3"], "ps": ["h:4"]}


def closures(at, done, computing, **more):
    counts = {"scheduled": 9, "retried": 0, "failed": 0, "cancelled": 0, **more}
    return event(at, "closures", "chief:0", done=done, computing=computing, **counts)


def test_what_workers_compute_for_a_chief_and_what_was_retried():
    names = ["chief:0", "worker:0", "worker:1", "ps:0"]
    served = trace(
        [
            event(10.0, "run_started", cluster=SERVED),
            *(event(10.0, "task_started", name, attempt=1) for name in names),
            *(event(11.0, "program_started", name) for name in names),
            *(event(12.0, "listening", name) for name in names),
            event(12.0, "cluster_formed"),
            *(event(12.0, "serving", name) for name in names[1:]),
            closures(13.0, {"0": 1}, [0, 1]),
            closures(14.0, {"0": 3, "1": 1}, [0]),
            event(14.5, "task_lost", "worker:1", reason="killed"),
            closures(15.0, {"0": 5, "1": 1}, [], retried=1),
            closures(16.0, {"0": 5, "1": 1}, [0], retried=1),
            closures(17.0, {"0": 8, "1": 1}, [], retried=1),
        ],
        20.0,
    )
    assert spans(served, W0)[-4:] == [
        ("computing", 13.0, 15.0, 5),
        ("serving", 15.0, 16.0, 0),
        ("computing", 16.0, 17.0, 3),
        ("serving", 17.0, 20.0, 0),
    ]
    assert ("computing", 13.0, 14.0, 1) in spans(served, W1)
    (mark,) = served.lanes[0].marks
    assert (mark.at, mark.kind) == (15.0, "retried")
    assert "1 closure of a lost" in mark.words
    drawn = Drawn("served", served)
    assert "worker:0 computed 8 closures in 3.0 s" in repr(drawn)
    assert "chief:0 retried after 5.0 s: 1 closure of a lost" in repr(drawn)
    assert "5 closures" in drawn._repr_html_()
