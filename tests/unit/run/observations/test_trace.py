"""A trace follows the format that Chrome and Perfetto read; and what two runs differ in."""

from __future__ import annotations

import pytest

from mwtutor.cluster import TaskId
from mwtutor.run.observations.exchanges import Exchanges
from mwtutor.run.observations.ledgers import read
from mwtutor.run.observations.phases import compare, durations
from mwtutor.run.observations.timeline import Lane, Mark, Span, Timeline
from mwtutor.run.observations.trace import trace
from mwtutor.worker.ledger import Ledger, Operation, Place
from tests.support.runs.traces import faults

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)
REDUCE = Operation("all-reduce", "float32", (3,), "CPU:0", 2)


@pytest.fixture
def content(tmp_path):
    ledgers = {}
    for index, task in enumerate((W0, W1)):
        log = tmp_path / f"worker-{index}.log"
        made = Ledger(log, 1)
        number = made.operation(REDUCE)
        for key in range(6):
            made.asked(1, key, Place("main.py", 3, "<module>"))
            made.begins(number, 1, key, 12, 100.0 + key // 2 + 0.25 * index)
        for key in range(6):
            made.ends(number, 1, key, 100.5 + key // 2)
        made.write()
        ledgers[task] = read(log)
    return Exchanges(ledgers, 110.0)


def lanes(*tasks):
    mark = Mark(105.0, "succeeded")
    return tuple(Lane(task, (Span("training", 100.0, 105.0, 1),), (mark,)) for task in tasks)


def test_it_follows_the_format(content):
    made = trace("demo", Timeline(99.0, 110.0, lanes(W0, W1)), {}, content)
    assert faults(made) == []
    exchanges = [event for event in made["traceEvents"] if event["name"] == "all-reduce"]
    assert len(exchanges) == 12
    assert exchanges[0]["args"]["bytes"] == 12
    # Who came last lets the other go on.
    arrows = [(event["ph"], event["pid"]) for event in made["traceEvents"] if event["ph"] in "sf"]
    assert arrows[:2] == [("s", 2), ("f", 1)]
    waiting = [event for event in made["traceEvents"] if event["name"] == "waiting"]
    assert {(event["pid"], event["dur"]) for event in waiting[:1]} == {(1, 250_000.0)}


def test_what_does_not_follow_it_is_seen(content):
    made = trace("demo", Timeline(99.0, 110.0, lanes(W0, W1)), {}, content)
    slices = [event for event in made["traceEvents"] if event["name"] == "all-reduce"]
    slices[0]["dur"] = 1e9
    slices[1].pop("ts")
    next(event for event in made["traceEvents"] if event["ph"] == "s")["id"] = "another"
    assert len(faults(made)) >= 3


def test_durations_of_phases(content):
    found = durations({}, content)
    assert set(found) == {"transfer", "waiting"}
    assert max(found["waiting"]) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("before", "after", "differs"),
    [
        ([1.0, 1.1, 1.2, 1.3, 1.4], [2.0, 2.1, 2.2, 2.3, 2.4], True),
        ([2.0, 2.1, 2.2, 2.3, 2.4], [1.0, 1.1, 1.2, 1.3, 1.4], True),
        ([1.0, 1.1, 1.2, 1.3, 1.4], [1.1, 1.2, 1.3, 1.4, 1.5], False),
        ([1.0], [2.0], None),
        ([], [2.0], None),
    ],
)
def test_a_phase_differs_if_it_does_by_more_than_it_varies(before, after, differs):
    (found,) = compare({"step": before}, {"step": after})
    assert found.differs is differs
