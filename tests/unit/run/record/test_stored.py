"""Runs that an earlier version stored stay readable, and so do files that no version wrote.

``stored`` is the directory of a run as version 0.1.0 wrote it before events had types: two workers,
one of which raised.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.panel import text
from mwtutor.display.panel.headline import report
from mwtutor.display.panel.panel import Panel
from mwtutor.run.observations.missing import verdict
from mwtutor.run.record import event_reading, eventlog
from mwtutor.run.record.state import Outcome
from mwtutor.run.run import Run

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)
WHY = "worker:1 raised ValueError: no luck (main.py, line 9)"
LINES = (Path(__file__).parent / "stored" / "events.jsonl").read_text().splitlines()


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    return Path(shutil.copytree(Path(__file__).parent / "stored", tmp_path / "run"))


def test_a_run_of_an_earlier_version_tells_all_it_knows(stored):
    run = Run.open(stored)
    assert run.outcome == Outcome("failed", WHY, W1)
    assert [task.status.value for task in run.tasks.values()] == ["stopped", "failed"]
    assert run.tasks[W1].error["message"] == "ValueError: no luck"
    assert run.history("loss")[W0] == [(1, 1.0), (2, 0.5), (3, 0.3333333)]
    assert [lane.marks[0].kind for lane in run.timeline().lanes] == ["stopped", "failed"]
    shown = text.render(report(run.spec, run.state))
    assert WHY in shown
    assert "main: failed" in shown
    content = run.exchanges()  # that version did not record exchanges
    assert (content.ledgers, verdict(content), run.phases()) == ({}, None, {})
    assert [event["ph"] for event in run.trace()["traceEvents"] if event["ph"] == "X"]


@pytest.mark.parametrize("line", LINES, ids=[json.loads(line)["event"] for line in LINES])
def test_its_events_are_those_of_today(line):
    written = json.loads(line)
    read = event_reading.read(written)
    assert read is not None
    absent = {name: value for name, value in written.items() if value not in ("", None)}
    assert json.loads(json.dumps(read.record())) == absent


def test_what_a_later_version_writes_besides_changes_nothing(stored):
    log, before = stored / "events.jsonl", Run.open(stored).state
    later = [{**json.loads(line), "invented": [1]} for line in LINES]
    later.insert(3, {"t": 1795422079.0, "event": "invented", "task": "worker:0"})
    log.write_text("".join(f"{json.dumps(event)}\n" for event in later))
    assert Run.open(stored).state == before


def test_an_event_without_a_field_is_passed_over_or_read_without_it(stored):
    for at, line in enumerate(LINES):
        whole = json.loads(line)
        for name in sorted(whole.keys() - {"event"}):
            less = {key: value for key, value in whole.items() if key != name}
            lines = [*LINES[:at], json.dumps(less), *LINES[at + 1 :]]
            (stored / "events.jsonl").write_text("".join(f"{one}\n" for one in lines))
            run = Run.open(stored)
            assert text.render(report(run.spec, run.state)).startswith("main: ")


def test_whoever_shows_a_run_has_each_event_parsed_once(stored, monkeypatch):
    parsed, parse = [], eventlog._parse
    monkeypatch.setattr(eventlog, "_parse", lambda line: parsed.append(line) or parse(line))
    panel = Panel.from_run(run := Run.open(stored))
    assert WHY in repr(panel)
    assert [line.decode() for line in parsed] == LINES
    assert run.course.curve(W0, "loss") == (1.0, 0.5, 0.3333333)
    assert Panel.from_run(run).content == panel.content
    assert len(parsed) == len(LINES)


def test_a_course_that_is_asked_for_late_has_what_came_before(stored):
    run = Run.open(stored)
    assert run.state.outcome is not None
    assert run.course.curve(W0, "loss") == (1.0, 0.5, 0.3333333)
