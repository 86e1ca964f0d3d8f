"""Curves and speed from an event log as it grows."""

from __future__ import annotations

import json
import math

import pytest

from mwtutor.cluster import TaskId
from mwtutor.run.observations.curves import KEPT, Course, Pace, slowest
from mwtutor.run.record.eventlog import EventReader
from mwtutor.run.record.events import Progress, TaskStarted
from tests.support.runs.specs import a_spec

ZERO, ONE = TaskId("worker", 0), TaskId("worker", 1)


@pytest.fixture
def spec(tmp_path):
    return a_spec(tmp_path)


def report(spec, at, step, *, task="worker:0", **more):
    event = {"event": "progress", "t": at, "task": task, "step": step, "metrics": {}, **more}
    with spec.events.open("a") as log:
        log.write(json.dumps(event) + "\n")


def read(spec):
    course = Course()
    course.take(EventReader(spec.events).read())
    return course


def test_speed_and_time_left(spec):
    for second in range(11):
        report(spec, 100.0 + second, second * 5, steps=100, epoch=2, epochs=3)
    pace = read(spec).pace(ZERO, now=111.0)
    assert pace.rate == pytest.approx(5.0)
    assert pace.done == pytest.approx(150 / 300)
    assert pace.left == pytest.approx(150 / 5.0)


def test_speed_is_that_of_the_last_seconds(spec):
    for second in range(100):
        report(spec, float(second), second)
    for second in range(30):
        report(spec, 100.0 + second, 100 + 10 * second)
    assert read(spec).pace(ZERO, now=130.0).rate == pytest.approx(10.0)


def test_who_is_silent_has_no_speed(spec):
    report(spec, 1.0, 1, steps=10)
    report(spec, 2.0, 2, steps=10)
    course = read(spec)
    assert course.pace(ZERO, now=3.0).rate == pytest.approx(1.0)
    assert course.pace(ZERO, now=60.0) == Pace(0.2)


def test_another_fit_and_another_attempt_begin_afresh(spec):
    report(spec, 1.0, 90, metrics={"loss": 9.0})
    report(spec, 2.0, 100, metrics={"loss": 8.0})
    report(spec, 3.0, 1, metrics={"loss": 7.0})
    report(spec, 4.0, 2, metrics={"loss": 6.0})
    course = read(spec)
    assert course.pace(ZERO, now=4.0).rate == pytest.approx(1.0)
    assert course.curve(ZERO, "loss") == (9.0, 8.0, 7.0, 6.0)
    course.take([TaskStarted(ZERO, attempt=2, t=5.0).record()])
    assert course.curve(ZERO, "loss") == ()


def test_a_long_curve_is_thinned_and_ends_with_the_last_value(spec):
    course = Course()
    course.take(
        Progress(ZERO, t=float(step), step=step, metrics={"loss": float(step)}).record()
        for step in range(20_000)
    )
    curve = course.curve(ZERO, "loss")
    assert curve[0] == 0.0
    assert curve[-1] == 19_999.0
    assert list(curve) == sorted(curve)
    assert KEPT / 2 <= len(curve) <= KEPT + 1


def test_what_is_read_in_pieces_is_what_is_read_at_once(spec):
    course, reader = Course(), EventReader(spec.events)
    for step in range(200):
        report(spec, step / 10, step, metrics={"loss": 1.0 / (step + 1)})
        if step % 7 == 0:
            course.take(reader.read())
    course.take(reader.read())
    assert course.curve(ZERO, "loss") == read(spec).curve(ZERO, "loss")
    assert course.pace(ZERO, 20.0) == read(spec).pace(ZERO, 20.0)


DAMAGED = [
    {"step": 10**400, "steps": 1},
    {"step": 1, "steps": 10**400},
    {"step": -5, "steps": -3, "epoch": -1, "epochs": 0},
    {"step": "two", "steps": None, "epoch": [], "epochs": {}},
    {"metrics": []},
    {"metrics": {"loss": math.nan, "<b>": math.inf, "big": 1e308}},
    {"metrics": {f"m{n}": n for n in range(1000)}},
    {"t": "noon"},
    {"t": math.nan, "step": 3},
    {"t": 1e308, "step": 4},
    {"task": "worker:x"},
    {"task": 7},
]


def test_damaged_reports_do_no_harm(spec):
    whole = {"event": "progress", "task": "worker:0", "step": 1, "metrics": {}}
    with spec.events.open("a") as log:
        for event in DAMAGED:
            for at in (1.0, 2.0):
                log.write(json.dumps({**whole, "t": at, **event}) + "\n{half a li\n")
    course = read(spec)
    for now in (0.0, 1.0, 3.0, 1e9, math.inf):
        assert 0 <= (course.pace(ZERO, now).done or 0) <= 1
    assert course.pace(ONE, 3.0) == Pace()


def test_the_slowest_decides():
    assert slowest([Pace(0.5, 1.0), Pace(0.2, 3.0), Pace()]) == Pace(0.2, 3.0)
    assert slowest([Pace(None, 1.0)]) == Pace(None, 1.0)
    assert slowest([]) == Pace()


def test_a_log_that_is_removed_ends_nothing(spec):
    report(spec, 1.0, 1, metrics={"loss": 1.0})
    reader = EventReader(spec.events)
    assert reader.read() == reader.read_again() != []
    spec.events.unlink()
    assert reader.read() == reader.read_again() == []
