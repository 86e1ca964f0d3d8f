"""Traces, in the format that Chrome and Perfetto read, and how two runs differ.

Perfetto's trace processor is not used: its package `perfetto` (0.59.1) contains no binary, and
downloads one at its first use, which no test does.
"""

from __future__ import annotations

from dataclasses import replace

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


def recorded(folder, times):
    """Recorded exchanges with given times: when each began and ended."""
    ledgers = {}
    for index, task in enumerate((W0, W1)):
        log = folder / f"worker-{index}.log"
        made = Ledger(log, 1)
        number = made.operation(REDUCE)
        for key, (begun, _) in enumerate(times[index]):
            made.asked(1, key, Place("main.py", 3, "<module>"))
            made.begins(number, 1, key, 12, begun)
        for key, (_, ended) in enumerate(times[index]):
            made.ends(number, 1, key, ended)
        ledgers[task] = read(log)
    return Exchanges(ledgers, 110.0)


@pytest.fixture
def content(tmp_path):
    starts = [100.0 + key // 2 for key in range(6)]
    times = [[(start + late, start + 0.5) for start in starts] for late in (0.0, 0.25)]
    return recorded(tmp_path, times)


def lanes(*tasks):
    mark = Mark(105.0, "succeeded")
    return tuple(Lane(task, (Span("training", 100.0, 105.0, 1),), (mark,)) for task in tasks)


def test_it_follows_the_format(content):
    made = trace("demo", Timeline(99.0, 110.0, lanes(W0, W1)), {}, content)
    assert faults(made) == []
    exchanges = [event for event in made["traceEvents"] if event["name"] == "all-reduce"]
    assert len(exchanges) == 12
    assert exchanges[0]["args"]["bytes"] == 12
    # The last to arrive lets the other continue.
    arrows = [(event["ph"], event["pid"]) for event in made["traceEvents"] if event["ph"] in "sf"]
    assert arrows[:2] == [("s", 2), ("f", 1)]
    waiting = [event for event in made["traceEvents"] if event["name"] == "waiting"]
    assert {(event["pid"], event["dur"]) for event in waiting[:1]} == {(1, 250_000.0)}


def test_nobody_waits_longer_than_an_exchange_of_its_own_lasts(tmp_path):
    on_time = [(100.0, 100.2), (100.3, 100.9)]
    noted_late = [(100.4, 100.5), (100.8, 100.9)]
    content = recorded(tmp_path, [on_time, noted_late])
    made = trace("demo", Timeline(99.0, 110.0, lanes(W0, W1)), {}, content)
    assert faults(made) == []
    waits = [event["dur"] for event in made["traceEvents"] if event["name"] == "waiting"]
    assert waits == [200_000.0, 500_000.0]


def test_exchanges_among_a_workers_own_devices_are_drawn(tmp_path):
    made = Ledger(tmp_path / "worker-0.log", 1)
    for device in ("CPU:0", "CPU:1"):
        number = made.operation(replace(REDUCE, device=device))
        made.begins(number, 1, 1, 12, 101.0)
        if device == "CPU:0":
            made.ends(number, 1, 1, 102.0)
    content = Exchanges({W0: read(tmp_path / "worker-0.log")}, 110.0)
    made = trace("demo", Timeline(99.0, 110.0, lanes(W0)), {}, content)
    assert faults(made) == []
    assert [event["name"] for event in made["traceEvents"]].count("all-reduce") == 2
    assert "waiting" not in [event["name"] for event in made["traceEvents"]]


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
