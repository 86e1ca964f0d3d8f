"""Closures as a chief reports them, and how a panel shows them."""

from __future__ import annotations

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.panel import text
from mwtutor.display.panel.headline import report
from mwtutor.run.record.events import Counts
from mwtutor.run.record.state import RunState, fold
from tests.support.runs.specs import a_spec

EVENT = {
    "t": 2.0, "event": "closures", "task": "chief:0", "scheduled": 9, "retried": 1, "failed": 0,
    "cancelled": 0, "done": {"0": 3, "1": 4}, "computing": [1],
}  # fmt: skip

STARTED = [
    {"t": 1.0, "event": "run_started", "cluster": {
        "chief": ["h:1"], "worker": ["h:2", "h:3"], "ps": ["h:4"]}},
    *({"t": 1.0, "event": "serving", "task": task} for task in ("worker:0", "worker:1", "ps:0")),
]  # fmt: skip


def test_who_has_done_how_many_and_who_computes(work):
    state = fold(RunState(), [*STARTED, EVENT])
    assert (state.closures.finished, state.closures.trouble) == (7, "1 retried")
    lines = text.render(report(a_spec(work, chief=True, ps=1), state)).splitlines()[1:6]
    assert [line.split() for line in lines] == [
        ["task", "state", "closures"],
        ["chief:0", "starting", "7/9", "1", "retried"],
        ["worker:0", "serving", "3"],
        ["worker:1", "serving,", "computing", "4"],
        ["ps:0", "serving"],
    ]


@pytest.mark.parametrize("wrong", [{"done": {"x": 1}}, {"done": 5}, {"scheduled": None}])
def test_what_a_program_forges_changes_nothing(wrong):
    before = fold(RunState(), [*STARTED, EVENT])
    assert fold(before, [{**EVENT, **wrong}]).closures == before.closures


def test_workers_of_a_chief_are_lost_one_by_one():
    killed = [
        {"t": t, "event": "task_ended", "task": task, "exit": -9, "status": "failed", "reason": "x"}
        for t, task in enumerate(("worker:0", "worker:1"), 3)
    ]
    state = fold(RunState(), [*STARTED, *killed])
    assert not state.tasks[TaskId("worker", 1)].collateral
    assert Counts().finished == 0
