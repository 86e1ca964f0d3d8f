"""Curves that are redrawn during a run: what each frame shows, and when it ends."""

from __future__ import annotations

import json
import threading

import pytest

from mwtutor.display.pictures import live_plot
from mwtutor.display.pictures.live_plot import LivePlots, frame, frames
from mwtutor.exceptions import BadInput
from mwtutor.run.run import Run
from tests.support.runs.specs import a_spec

START = {"t": 1.0, "event": "run_started", "cluster": {"worker": ["h:1", "h:2"]}, "pid": 1}
END = {"t": 9.0, "event": "run_ended", "status": "succeeded", "reason": ""}


def loss(step, value):
    return {"t": 1.0 + step, "event": "progress", "task": "worker:0", "step": step,
            "metrics": {"loss": value}}  # fmt: skip


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setattr(live_plot, "PAUSE", 0.01)
    spec = a_spec(tmp_path)
    spec.save()
    tell(spec, START)
    return Run(spec)


def tell(spec, event):
    with spec.events.open("a") as log:
        log.write(f"{json.dumps(event)}\n")


def test_a_frame_follows_each_report_and_the_last_one_the_end(run):
    drawn = frames(run, "loss")
    assert next(drawn).words.endswith("no task has reported loss yet")
    tell(run.spec, loss(1, 0.5))
    tell(run.spec, loss(2, 0.25))
    second = next(drawn)
    assert "worker:0 from 0.5000 to 0.2500" in second.drawing.words
    assert not second.over
    assert "Not updated since" in second._repr_html_(), "if no other follows"
    tell(run.spec, END)
    *_, last = drawn
    assert last.over
    assert "Not updated since" not in last._repr_html_()


def test_another_metric_is_refused_at_once(run):
    with pytest.raises(BadInput, match="Report a metric with"):
        run.history("los")
    tell(run.spec, loss(1, 0.5))
    with pytest.raises(BadInput, match="no metric 'los'"):
        frame(run, "los")
    with pytest.raises(BadInput, match="Choose one of: loss"):
        run.history("los")


def test_a_report_that_arrives_while_a_frame_is_drawn_is_in_the_next_one(run, monkeypatch):
    draw = live_plot.curves

    def overtaken(*args):
        try:
            return draw(*args)
        finally:
            tell(run.spec, loss(1, 0.5))

    monkeypatch.setattr(live_plot, "curves", overtaken)
    assert frame(run, "loss").drawing is None
    assert frame(run, "loss").drawing is not None


class Output:
    """Keeps everything that is displayed on it."""

    def __init__(self):
        self.put_in = []
        self.more = threading.Condition()

    def put(self, data, now):
        with self.more:
            self.put_in.append(data["text/plain"])
            self.more.notify_all()

    def until(self, words):
        with self.more:
            came = self.more.wait_for(lambda: words in self.put_in[-1], timeout=60)
            assert came, self.put_in[-1]


def plot_threads():
    return [one for one in threading.enumerate() if one.name == "mwtutor-plot"]


def test_a_cells_curves_are_updated_until_the_end_and_then_nothing_runs(run):
    output = Output()
    LivePlots().open(run, "loss", output)
    assert "no task has reported loss yet" in output.put_in[0]
    tell(run.spec, loss(1, 0.5))
    output.until("* worker:0")
    tell(run.spec, END)
    for thread in plot_threads():
        thread.join(60)
    assert "updated until it ends" not in output.put_in[-1]


def test_a_newer_plot_of_the_same_takes_over(run):
    first, second = Output(), Output()
    plots = LivePlots()
    plots.open(run, "loss", first)
    plots.open(run, "loss", second)
    first.until("No longer updated: see the newer plot.")
    tell(run.spec, loss(1, 0.5))
    second.until("* worker:0")
    tell(run.spec, END)
    for thread in plot_threads():
        thread.join(60)


def test_a_run_that_disappears_ends_the_updates_with_the_reason(run, monkeypatch):
    output = Output()
    LivePlots().open(run, "loss", output)
    tell(run.spec, loss(1, 0.5))
    output.until("* worker:0")

    def gone(*_):
        raise OSError("the directory was removed")

    monkeypatch.setattr(live_plot, "frame", gone)
    output.until("No longer updated: the directory was removed")
    assert "* worker:0" in output.put_in[-1], "what was drawn stays"
