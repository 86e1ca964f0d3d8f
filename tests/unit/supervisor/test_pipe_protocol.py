"""What a task may say, whatever its program writes into the pipe."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        {"event": "collective", "op": "all_reduce_v2", "hint": "ring", "device": "CPU"},
    ],
)
def test_what_tasks_say(event):
    assert parse(json.dumps(event).encode()) == event


@pytest.mark.parametrize(
    "said",
    [
        {"event": "run_ended", "status": "succeeded", "reason": ""},
        {"event": "program_ended"},
        {"event": "program_ended", "code": "0"},
        {"event": "progress", "step": "many", "metrics": {}},
        {"event": ["progress"]},
        ["progress"],
        "progress",
    ],
)
def test_what_they_do_not(said):
    assert parse(json.dumps(said).encode()) is None


def test_what_an_event_is_about_is_not_for_the_program_to_say():
    said = {"event": "serving", "task": "worker:0", "t": 0, "durable": True}
    assert parse(json.dumps(said).encode()) == {"event": "serving"}


@given(st.dictionaries(st.sampled_from(["event", "code", "metrics", "step", "task"]), VALUES))
def test_anything_is_an_event_or_nothing(said):
    event = parse(json.dumps(said).encode())
    assert event is None or event["event"] == said["event"]


@given(st.binary())
def test_bytes_are_nothing(data):
    assert parse(data) is None


def test_metrics_are_numbers():
    said = {"event": "progress", "metrics": {"loss": 0.5, "deep": [[[]]], "name": "x"}}
    assert parse(json.dumps(said).encode()) == {"event": "progress", "metrics": {"loss": 0.5}}
