"""A replayed run: each frame shows what the panel showed at that time, and nothing later."""

from __future__ import annotations

import itertools
import json
import re
import xml.etree.ElementTree as ET

import pytest

from mwtutor.cli import main
from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.display.panel.panel import Panel
from mwtutor.display.recording import Recording
from mwtutor.exceptions import NoRun
from mwtutor.run.logs import log_index
from mwtutor.run.record.eventlog import EventWriter
from mwtutor.run.record.events import (
    ClusterFormed,
    Listening,
    ProgramStarted,
    Progress,
    RunEnded,
    RunStarted,
    TaskEnded,
    TaskStarted,
)
from mwtutor.run.run import Run
from tests.support.runs.directories import a_run

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)
BEGAN = 1_000_000.0
HOSTILE = "</script><script>alert(1)</script>]]>&\x1b]0;evil\x07"


def recorded(*then) -> Run:
    """A run of two workers that trains from its third second on, followed by these events."""
    spec = a_run()
    cluster = ClusterSpec(worker=("h:1", "h:2"))
    begun = [
        RunStarted(cluster, 1, 1, t=BEGAN),
        *(TaskStarted(task, pid=9, born=9, t=BEGAN + 0.1) for task in (W0, W1)),
        *(ProgramStarted(task, t=BEGAN + 0.2) for task in (W0, W1)),
        Listening(W0, t=BEGAN + 1),
        Listening(W1, t=BEGAN + 2),
        ClusterFormed(t=BEGAN + 2),
        *(Progress(W0, step=n, steps=10, metrics={"loss": 1 / n}, t=BEGAN + 2 + n)
          for n in range(1, 11)),
    ]  # fmt: skip
    writer = EventWriter(spec.events)
    for event in (*begun, *then):
        writer.append(event)
    writer.close()
    return Run(spec)


def failed(reason: str = "it raised ValueError: no") -> Run:
    return recorded(
        TaskEnded(W1, "failed", 1, reason, t=BEGAN + 30),
        TaskEnded(W0, "stopped", -15, t=BEGAN + 30.5),
        RunEnded("failed", f"worker:1 failed: {reason}", W1, t=BEGAN + 31),
    )


def shown(recording: Recording, at: float) -> str:
    """The panel, as text."""
    frame = [frame for frame in recording.frames if frame.at <= at][-1]
    return repr(Panel(frame.report))


def test_a_frame_is_what_the_panel_showed_then():
    run = failed()
    recording = Recording(run)
    assert "waiting for worker:1" in shown(recording, 1.5)
    assert "loss" not in shown(recording, 2.0)
    assert "1/10" in shown(recording, 3.0)
    assert "30 %" in shown(recording, 5.0)
    middle = shown(recording, 7.0)
    assert "5/10" in middle
    assert "· 7" in middle, "how long it had taken then"
    assert "1 steps/s" in middle
    assert "failed" not in shown(recording, 29.9)
    assert recording.frames[-1].report == Panel.from_run(run).content
    assert recording.frames[-1].at == recording.seconds == 31.0


def test_silence_is_what_it_was_then_whatever_the_log_has_now():
    run = failed()
    log = run.spec.log(W0)
    log.parent.mkdir(exist_ok=True)
    log.write_bytes(b"early\nlate\n")  # written long after the run: now
    entries = [(0, BEGAN + 14), (6, BEGAN + 29)]
    log_index.file(log).write_bytes(b"".join(log_index.ENTRY.pack(*one) for one in entries))
    recording = Recording(run)
    assert "silent for 6" in shown(recording, 20.0)
    (late,) = (row for row in shown(recording, 29.5).splitlines() if "worker:0 " in row)
    assert "silent" not in late


def test_frames_that_show_nothing_new_are_left_out_and_a_long_run_has_few():
    recording = Recording(recorded(RunEnded("stopped", "it was stopped", t=BEGAN + 3e6)))
    assert len(recording.frames) <= 402
    reports = [frame.report for frame in recording.frames]
    assert all(one != other for one, other in itertools.pairwise(reports))


def test_a_page_and_a_picture_hold_the_frames_and_nothing_that_acts():
    recording = Recording(failed(HOSTILE))
    page = recording.page().decode()
    assert page.count("<script") == page.count("</script") == 1
    (data,) = re.findall(r'"mw-[0-9a-f]+",(\{.*\})\)</script>', page)
    read = json.loads(data)
    assert [at for at, _ in read["frames"]] == [round(one.at, 2) for one in recording.frames]
    whole = "".join(read["pieces"][piece] for piece in read["frames"][-1][1])
    assert "&lt;script&gt;alert(1)" in whole
    assert "<script" not in whole
    picture = ET.fromstring(recording.picture())
    places = picture.findall("{http://www.w3.org/2000/svg}foreignObject")
    assert len(places) <= 49
    assert "worker:1 failed" in "".join(places[-1].itertext())
    assert not [one for one in picture.iter() if one.tag.endswith("script")]


def test_a_run_that_has_not_begun_is_refused():
    with pytest.raises(NoRun, match="has not begun"):
        Recording(Run(a_run()))


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ([], "No file was given"),
        (["run.gif"], "does not end in .html"),
        (["no/run.svg"], "cannot be written"),
    ],
)
def test_where_nothing_can_be_written_a_sentence_says_so(file, said, capsys):
    assert main(["record", *file, "--name", failed().spec.id]) == 2
    problem, remedy = capsys.readouterr().err.splitlines()
    assert said in problem
    assert remedy
