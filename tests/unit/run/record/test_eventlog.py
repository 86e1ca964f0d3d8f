"""The event log is readable wherever it was cut, whatever its bytes."""

import io
import json
import math
import os

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mwtutor.cli import main
from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.display.pictures.plot import curves
from mwtutor.exceptions import BadInput
from mwtutor.run.record.eventlog import EventReader, EventWriter
from mwtutor.run.record.events import (
    Listening,
    Progress,
    RunEnded,
    RunStarted,
    TaskEnded,
    TaskStarted,
)
from mwtutor.run.record.state import RunState, fold
from mwtutor.run.run import Run
from tests.support.runs.directories import a_run, dead, supervised_by
from tests.support.runs.specs import a_spec

W0 = TaskId("worker", 0)
WRITTEN = [
    RunStarted(ClusterSpec(worker=("h:1", "h:2")), 1, 1, t=1.0),
    TaskStarted(W0, 1, 2, 1, t=1.1),
    Listening(W0, t=1.2),
    Progress(W0, step=3, metrics={"loss": 0.5}, t=1.3),
    TaskEnded(W0, "failed", 1, "r", t=1.4),
    RunEnded("failed", "r", W0, t=1.5),
]
EVENTS = [event.record() for event in WRITTEN]


def test_a_log_cut_anywhere_tells_what_came_before(tmp_path):
    path = tmp_path / "events.jsonl"
    writer = EventWriter(path)
    for event in WRITTEN:
        writer.append(event, durable=True)
    writer.close()
    whole = path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        assert EventReader(path).read() == EVENTS[: whole[:cut].count(b"\n")]


def test_a_reader_gets_each_event_once(tmp_path):
    path = tmp_path / "events.jsonl"
    writer, reader = EventWriter(path), EventReader(path)
    assert reader.read() == []
    for event in WRITTEN:
        writer.append(event)
        assert reader.read() == [event.record()]
    writer.close()


def test_a_full_disk_loses_events_and_never_the_next_one(tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"event": "cut sho')
    writer = EventWriter(path)
    writer._torn = True  # as after a short write
    writer.append(WRITTEN[0])
    assert EventReader(path).read() == [EVENTS[0]]
    full = EventWriter(path)
    os.dup2(os.open("/dev/full", os.O_WRONLY), full._fd)
    full.append(WRITTEN[1], durable=True)
    full.close()
    writer.close()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
KINDS = st.sampled_from([event["event"] for event in EVENTS])
FIELDS = st.sampled_from(
    ["task", "t", "pid", "status", "cluster", "metrics", "exit", "culprit", "attempt", "step"]
)
ANY = st.lists(
    st.dictionaries(FIELDS, JSON).flatmap(
        lambda fields: KINDS.map(lambda kind: {**fields, "event": kind})
    ),
    max_size=5,
)
NUMBERS = st.floats() | st.integers() | st.sampled_from([10**400, 1.7e308, True])
PROGRESS = st.fixed_dictionaries(
    {"event": st.just("progress")},
    optional={
        "task": st.just("worker:0") | JSON,
        "metrics": st.dictionaries(st.just("loss") | st.text(), NUMBERS | JSON) | JSON,
        **dict.fromkeys(("epoch", "steps", "step"), NUMBERS | JSON),
    },
)


@given(ANY)
def test_any_event_changes_the_state_or_is_passed_over(events):
    state = fold(RunState(), [EVENTS[0], *json.loads(json.dumps(events))])
    assert state.status


def run_with(directory, events):
    spec = a_spec(directory, name="r")
    spec.events.write_text("".join(json.dumps(event) + "\n" for event in events))
    return Run(spec)


@given(st.lists(PROGRESS) | ANY, st.sampled_from([0, 1, 2]))
@example([{"event": "progress"}], 0)
@example([{"event": "progress", "task": "worker:0", "metrics": 5}], 0)
@example([{"event": "task_started", "attempt": []}, *EVENTS], 0)
def test_any_event_is_of_the_history_or_is_passed_over(tmp_path_factory, events, attempt):
    run = run_with(tmp_path_factory.mktemp("run"), [*events, EVENTS[3]])
    try:
        points = run.history("loss", attempt)
    except BadInput:
        assert attempt != 1
    else:
        assert all(isinstance(step, int) for task in points.values() for step, _ in task)


@settings(max_examples=10)  # a picture each
@given(st.lists(PROGRESS, max_size=5))
def test_a_history_is_drawn_whatever_it_consists_of(tmp_path_factory, events):
    from matplotlib.image import imread

    run = run_with(tmp_path_factory.mktemp("run"), [*events, EVENTS[3]])
    png = curves(run, "loss").png()
    assert png.startswith(b"\x89PNG")
    assert imread(io.BytesIO(png))[..., 3].min() == 0, "the page shows through"


@pytest.mark.parametrize("number", [1 << 52, -1.7e308, math.inf, math.nan])
@pytest.mark.parametrize("field", ["step", "value"])
def test_numbers_that_cannot_be_drawn_are_gaps(tmp_path, number, field):
    step, value = (number, 1.0) if field == "step" else (3, number)
    told = {"event": "progress", "task": "worker:0", "step": step, "metrics": {"$\\a{$": value}}
    assert curves(run_with(tmp_path, [told, {**told, "metrics": {"$\\a{$": 1.0}}]), "$\\a{$")


@given(st.lists(st.binary(max_size=80)))
def test_any_bytes_are_read(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("log") / "events.jsonl"
    path.write_bytes(b"\n".join([*lines, json.dumps(EVENTS[0]).encode(), b""]))
    assert EVENTS[0] in EventReader(path).read()


@pytest.mark.parametrize("field", ["t", "exit", "attempt", "step"])
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", str(10**400)])
def test_an_event_with_a_number_that_can_be_none_is_not_read(tmp_path, field, number):
    path = tmp_path / "events.jsonl"
    path.write_text(f'{{"t": 1.0, "event": "task_ended", "{field}": {number}}}\n')
    found = EventReader(path).read()
    assert not found if field == "t" or number.isdigit() else len(found) == 1


@pytest.mark.parametrize("number", ["NaN", "Infinity", str(10**400), "-1"])
def test_a_time_that_is_none_ends_no_command(work, number, capsys):
    spec = a_run()
    supervised_by(spec, *dead())
    log = spec.events.read_text().replace('"t":1.0', f'"t":{number}')
    spec.events.write_text(log)
    for verb in (["status"], ["runs"], ["wait"], ["stop"]):
        main(verb)
    assert "Traceback" not in capsys.readouterr().err
