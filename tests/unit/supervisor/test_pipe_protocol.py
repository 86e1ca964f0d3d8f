"""The reports that a task may send, whatever its program writes into the pipe."""

from __future__ import annotations

import ast
import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mwtutor
from mwtutor.cluster import TaskId
from mwtutor.run.record import event_reading
from mwtutor.run.record.events import Progress, Serving
from mwtutor.supervisor.pipe_protocol import parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@pytest.mark.parametrize(
    "event",
    [
        {"event": "program_started"},
        {"event": "program_ended", "code": 3},
        {"event": "progress", "step": 4, "metrics": {"loss": 0.5}},
        {"event": "joined", "workers": 2},
        {"event": "traceback", "begin": 10, "end": 200},
        {"event": "place", "name": "worker:0", "address": "h:1", "tasks": 2, "changed": True},
        {"event": "keras", "version": "2"},
        {"event": "weights", "fit": 1, "sums": [0.5, 1.0]},
        {"event": "child_ended", "program": "worker.py", "exit": 1},
        {"event": "evaluation_left_out"},
        {"event": "without_effect", "what": "DataParallel"},
        {"event": "executing", "cell": 3, "background": True},
        {"event": "idle", "lost": "a shape that differs", "released": True},
        {"event": "collective", "op": "all_reduce_v2", "hint": "ring", "device": "CPU"},
        {
            "event": "closures",
            "scheduled": 3,
            "retried": 0,
            "failed": 0,
            "cancelled": 0,
            "done": {"1": 2},
            "computing": [0, 1],
            "waiting": True,
        },
    ],
)
def test_what_tasks_say_is_recorded_as_they_say_it(event):
    assert parsed(event).record() == {"t": 0.0, "task": "worker:1", **event}


def parsed(said):
    return parse(json.dumps(said).encode(), TaskId("worker", 1))


@pytest.mark.parametrize(
    "said",
    [
        {"event": "run_ended", "status": "succeeded", "reason": ""},
        {"event": "task_ended", "status": "succeeded", "exit": 0},
        {"event": "program_ended"},
        {"event": "program_ended", "code": "0"},
        {"event": "program_ended", "code": 10**400},
        {"event": "progress", "metrics": 3},
        {"event": ["progress"]},
        ["progress"],
        "progress",
    ],
)
def test_what_they_do_not(said):
    assert parsed(said) is None


def test_what_an_event_is_about_is_not_for_the_program_to_say():
    said = {"event": "serving", "task": "worker:0", "t": 5, "durable": True}
    assert parsed(said) == Serving(TaskId("worker", 1))


@given(st.dictionaries(st.sampled_from(["event", "code", "metrics", "step", "task"]), VALUES))
def test_anything_is_an_event_or_nothing(said):
    event = parsed(said)
    assert event is None or event.kind == said["event"]


@given(st.binary())
def test_bytes_are_nothing(data):
    assert parse(data, TaskId("worker", 1)) is None


def test_positions_and_metrics_are_numbers():
    said = {"event": "progress", "step": "many", "metrics": {"loss": 0.5, "deep": [], "name": "x"}}
    assert parsed(said) == Progress(TaskId("worker", 1), metrics={"loss": 0.5})


def sent():
    """What each call in the workers' code sends: the kind, and the names of its fields."""
    for path in (Path(mwtutor.__file__).parent / "worker").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            told = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
            if told and call.func.attr.endswith("send") and isinstance(call.args[0], ast.Constant):
                yield call.args[0].value, {word.arg for word in call.keywords} - {"wait"}


def test_what_the_workers_send_are_fields_of_events():
    """The workers' code sends names, because a starting task imports no more than it needs."""
    calls = list(sent())
    assert len(calls) > 10
    for kind, names in calls:
        known = {field.name for field in dataclasses.fields(event_reading.KINDS[kind])}
        assert names - {None} <= known - {"t", "task"}, kind
        needed = {
            field.name
            for field in dataclasses.fields(event_reading.KINDS[kind])
            if field.default is field.default_factory is dataclasses.MISSING
        }
        assert None in names or needed - {"task"} <= names, kind
