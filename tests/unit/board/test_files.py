"""The files that TensorBoard reads: histories, and the event files that a run's tasks began."""

from __future__ import annotations

import json
import math
import os
import sys
import types
from pathlib import Path

import pytest

pytest.importorskip("tensorboard")

from mwtutor.board.files import RunFiles, labels
from tests.support.runs.specs import a_spec

AT = 1700000000.0


def say(directory: Path, *events: dict) -> None:
    with open(directory / "events.jsonl", "a") as log:
        for number, event in enumerate(events):
            log.write(json.dumps({"t": AT + number, **event}) + "\n")


def progress(task: str, step: int, **metrics: float) -> dict:
    return {
        "event": "progress", "task": task, "epoch": 2, "steps": 10, "step": step,
        "metrics": metrics,
    }  # fmt: skip


@pytest.fixture
def run(work: Path) -> Path:
    """The directory of a run whose workers are processes 11 and 12."""
    directory = work / ".mwtutor" / "run"
    directory.mkdir(parents=True)
    say(
        directory,
        {"event": "run_started", "cluster": {"worker": ["localhost:1", "localhost:2"]}, "pid": 10},
        {"event": "task_started", "task": "worker:0", "pid": 11},
        {"event": "task_started", "task": "worker:1", "pid": 12},
    )
    return directory


@pytest.fixture
def files(run: Path, work: Path) -> RunFiles:
    return RunFiles(a_spec(run, cwd=str(work)), work / "tb" / "main", work)


def drawn(directory: Path) -> list[tuple[int, str, float]]:
    """Step, tag and value of every point that TensorBoard's own reader finds there."""
    # As in the board's process, this module lets TensorBoard read without TensorFlow.
    sys.modules["tensorboard.compat.notf"] = types.ModuleType("tensorboard.compat.notf")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    read = EventAccumulator(str(directory)).Reload()
    return [
        (point.step, tag, round(point.value, 3))
        for tag in read.Tags()["scalars"]
        for point in read.Scalars(tag)
    ]


def test_a_history_is_written_as_it_comes(run, files, work):
    files.update()
    assert files.histories == set()
    say(run, progress("worker:1", 3, loss=0.5))
    files.update()
    say(run, progress("worker:1", 4, loss=0.25, accuracy=0.9), progress("worker:0", 4, loss=0.25))
    files.update()
    files.update()
    # Steps are counted from the start of the training: this is the second epoch, of ten steps.
    at = work / "tb" / "main"
    assert drawn(at / "worker-1") == [(13, "loss", 0.5), (14, "loss", 0.25), (14, "accuracy", 0.9)]
    assert drawn(at / "worker-0") == [(14, "loss", 0.25)]
    assert files.histories == {"worker:0", "worker:1"}


def test_an_attempt_has_a_curve_of_its_own(run, files, work):
    say(
        run,
        progress("worker:0", 3, loss=0.5),
        {"event": "attempt_failed", "reason": "worker:1 failed", "culprit": "worker:1"},
        {"event": "attempt_started", "attempt": 2},
        {"event": "task_started", "task": "worker:0", "pid": 13, "attempt": 2},
        progress("worker:0", 1, loss=0.75),
    )
    files.update()
    assert drawn(work / "tb" / "main" / "worker-0") == [(13, "loss", 0.5)]
    assert drawn(work / "tb" / "main" / "worker-0 attempt 2") == [(11, "loss", 0.75)]


def test_values_and_names_may_be_anything(run, files, work):
    say(run, progress("worker:0", 1, **{"<b>x</b>/../..": 1.0, "loss": math.nan}))
    files.update()
    (_, _, loss), (_, name, _) = sorted(drawn(work / "tb" / "main" / "worker-0"), key=str)[::-1]
    assert name in ("<b>x</b>/../..", "loss")
    assert {path.name for path in (work / "tb" / "main").iterdir()} == {"worker-0"}
    assert loss == 1.0 or math.isnan(loss)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (f"events.out.tfevents.{AT + 1:.0f}.a-host.11.0.v2", True),
        (f"events.out.tfevents.{AT + 1:.0f}.a-host.99.0.v2", False),  # another process
        (f"events.out.tfevents.{AT - 60:.0f}.a-host.11.0.v2", False),  # before the run
        (f"events.out.tfevents.{AT + 1:.0f}.a-host", True),  # version 1 does not name the process
        (f"events.out.tfevents.{AT - 60:.0f}.a-host", False),
        ("notes.txt", False),
    ],
)
def test_event_files_are_shown_if_the_run_began_them(files, work, name, shown):
    (work / "logs" / "train").mkdir(parents=True)
    (work / "logs" / "train" / name).write_bytes(b"")
    files.update()
    link = work / "tb" / "main" / "program" / "logs" / "train" / name
    assert link.is_symlink() is shown
    assert files.directories == ({"logs/train"} if shown else set())
    assert files.looked_everywhere


def test_our_own_directory_and_its_like_are_not_searched(files, work):
    for place in (".venv/logs", "node_modules/logs"):
        (work / place).mkdir(parents=True)
        (work / place / f"events.out.tfevents.{AT + 1:.0f}.a-host.11.0.v2").write_bytes(b"")
    files.update()
    assert files.directories == set()


def test_what_was_not_searched_is_said(files, work, monkeypatch):
    monkeypatch.setattr("mwtutor.board.files.MOST", 3)
    for number in range(5):
        (work / f"d{number}").mkdir()
    files.update()
    assert not files.looked_everywhere


def test_a_damaged_log_is_no_obstacle(run, files, work):
    with open(run / "events.jsonl", "ab") as log:
        log.write(b'{"event": "progress", "task": 7}\nnot json\n{"event": "progress"}\n')
    say(run, progress("worker:0", 1, loss=0.5))
    files.update()
    assert drawn(work / "tb" / "main" / "worker-0") == [(11, "loss", 0.5)]


def test_runs_of_one_name_are_told_apart():
    one, two = a_spec("/a", id="1"), a_spec("/b", id="2")
    other = a_spec("/c", id="3", name="other")
    assert list(labels([one, two, other])) == ["1", "2", "other"]


def test_traces_that_the_program_recorded_meanwhile_are_shown(files, work):
    logs = work / "logs" / "train"
    for stamp, at in (("before", AT - 60), ("meanwhile", AT + 1)):
        trace = logs / "plugins" / "profile" / stamp
        trace.mkdir(parents=True)
        os.utime(trace, (at, at))
    (logs / f"events.out.tfevents.{AT + 1:.0f}.a-host.11.0.v2").write_bytes(b"")
    files.update()
    shown = work / "tb" / "main" / "program" / "logs" / "train" / "plugins" / "profile"
    assert [path.name for path in shown.iterdir()] == ["meanwhile"]


def test_a_link_is_not_followed_round_in_circles(files, work):
    name = f"events.out.tfevents.{AT + 1:.0f}.a-host.11.0.v2"
    (work / "logs").mkdir()
    (work / "logs" / name).symlink_to(work / "elsewhere")
    files.update()
    assert files.directories == set()
