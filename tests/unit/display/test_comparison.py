"""Runs side by side: their differences, and nothing that was not recorded."""

from __future__ import annotations

import json

import pytest

from mwtutor.display.comparison import Phases, compare
from mwtutor.display.pictures.plot import curves_of_runs
from mwtutor.exceptions import BadInput
from mwtutor.run.observations import phases
from mwtutor.run.run import Run
from tests.support.runs.specs import a_spec


def a_run(directory, name, told=(), **given):
    directory.mkdir()
    spec = a_spec(directory, name=name, **given)
    start = {"t": 1.0, "event": "run_started", "cluster": {"worker": ["h:1", "h:2"]}, "pid": 1}
    spec.events.write_text("".join(f"{json.dumps(event)}\n" for event in (start, *told)))
    return Run(spec)


def loss(task, step, value):
    metrics = {"loss": value}
    return {"t": 2.0 + step, "event": "progress", "task": task, "step": step, "metrics": metrics}


TOLD = (
    {"t": 1.1, "event": "program_started", "task": "worker:0", "python": "3.12.1"},
    {"t": 1.2, "event": "keras", "task": "worker:0", "version": "3", "release": "3.15.0",
     "tensorflow": "2.21.0"},
    {"t": 1.5, "event": "cluster_formed"},
    loss("worker:0", 1, 0.5),
    loss("worker:1", 1, 0.9),
    loss("worker:0", 2, 0.25),
    {"t": 9.0, "event": "run_ended", "status": "succeeded", "reason": ""},
)  # fmt: skip


@pytest.fixture
def runs(tmp_path):
    return [
        a_run(tmp_path / "a", "first", TOLD, args=("0.1",), env={"SEED": "1"}, digest="ab" * 32),
        a_run(tmp_path / "b", "second", args=("0.2", "x"), env={"SEED": "1"}),
    ]


def cells(shown, label):
    line = next(line for line in shown.splitlines() if line.startswith(label))
    found = line.removeprefix(label).split("  ")
    return [cell.strip() for cell in found if cell.strip()]


def test_what_differs_and_what_was_recorded_is_shown(runs):
    shown = repr(compare(*runs))
    rows = {
        label: cells(shown, label)
        for label in (
            "args",
            "script (SHA-256)",
            "Python",
            "TensorFlow",
            "Keras",
            "until the cluster formed",
            "the whole run",
            "last loss",
        )
    }
    assert rows == {
        "args": ["0.1", "0.2 x"],
        "script (SHA-256)": ["abababab", "not recorded"],
        "Python": ["3.12.1", "not recorded"],
        "TensorFlow": ["2.21.0", "not recorded"],
        "Keras": ["3.15.0", "not recorded"],
        "until the cluster formed": ["0.5 s", "not recorded"],
        "the whole run": ["8.0 s", "not recorded"],
        "last loss": ["0.2500", "not recorded"],
    }
    assert "--env" not in shown, "it does not differ"
    assert "second, compared with first: neither recorded any steps or exchanges." in shown
    assert "* first, worker:0" in shown, "the curve of the only run that has one"


def test_the_page_has_the_same_and_a_picture_with_words(runs):
    page = compare(*runs)._repr_html_()
    assert "<td>0.2 x</td>" in page
    assert "<td>not recorded</td>" in page
    assert 'alt="loss of first, second: first, worker:0 from 0.5000 to 0.2500' in page


def test_runs_without_the_metric_have_no_curve_and_say_so(runs):
    shown = compare(*runs, metric="<b>")
    assert "No run recorded the metric <b>." in repr(shown)
    assert "No run recorded the metric &lt;b&gt;." in shown._repr_html_()
    assert "<img" not in shown._repr_html_()


def test_more_than_two_are_compared_with_the_first(runs, tmp_path):
    third = a_run(tmp_path / "c", "third", TOLD, args=("0.1",), env={"SEED": "2"})
    shown = repr(compare(*runs, third))
    assert shown.splitlines()[0].split() == ["first", "second", "third"]
    assert cells(shown, "--env") == ["SEED=1", "SEED=1", "SEED=2"]
    assert "third, compared with first" in shown


def test_equal_options_are_said(tmp_path):
    pair = [a_run(tmp_path / name, name) for name in ("a", "b")]
    assert "All options are the same." in repr(compare(*pair))


@pytest.mark.parametrize("chosen", [[], [0], [0, 0], [0, 1, 0]])
def test_fewer_than_two_different_runs_cannot_be_compared(runs, chosen):
    with pytest.raises(BadInput, match="Two or more different runs"):
        compare(*(runs[place] for place in chosen))


def test_two_runs_are_compared_in_words():
    before = {
        "step": [1.0, 1.1, 1.2, 1.3, 1.4],
        "input": [1.0, 1.1, 1.2, 1.3, 1.4],
        "saving": [1.0],
    }
    after = {
        "step": [2.0, 2.1, 2.2, 2.3, 2.4],
        "input": [1.1, 1.2, 1.3, 1.4, 1.5],
        "transfer": [1.0],
    }
    shown = repr(Phases("old", "new", phases.compare(before, after))).splitlines()
    assert shown[0] == "new, compared with old"
    said = {line.split()[0]: line for line in shown[2:-1]}
    assert said["step"].endswith("2200.00 ms (2100.00 to 2300.00)  1.83   longer")
    assert said["input"].endswith("within the spread")
    assert said["saving"].endswith("only in one of them")
    assert said["transfer"].endswith("only in one of them")
    nothing = repr(Phases("old", "new", phases.compare({}, {})))
    assert nothing == "new, compared with old: neither recorded any steps or exchanges."


def test_curves_are_in_the_clusters_order_whichever_task_reported_first(tmp_path):
    told = (loss("worker:1", 1, 0.9), loss("worker:0", 1, 0.5))
    made = a_run(tmp_path / "a", "first", told), a_run(tmp_path / "b", "second", TOLD)
    assert list(map(str, made[0].history("loss"))) == ["worker:0", "worker:1"]
    drawing = curves_of_runs(made, "loss")
    assert drawing is not None
    assert list(drawing.lines) == ["first, worker:0", "second, worker:0"]
