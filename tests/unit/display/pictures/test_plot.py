"""Curves as characters, and as pictures that a screen reader can read."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwtutor.display.pictures.plot import Drawing, curves
from mwtutor.display.pictures.textplot import draw
from mwtutor.run.run import Run
from tests.support.runs.specs import a_spec

START = {"t": 1.0, "event": "run_started", "cluster": {"worker": ["h:1", "h:2"]}, "pid": 1}


def test_curves_of_characters_have_their_values_and_a_legend():
    falls = [(step, 1.0 / step) for step in range(1, 11)]
    level = [(step, 0.5) for step in range(1, 11)]
    shown = draw(
        {"worker:0": falls, "worker:1": falls, "ps:0": level},
        title="main: loss",
        across="step",
        columns=40,
    )
    title, *rows, axis, places, legend = shown.splitlines()
    assert title == "main: loss"
    assert legend == "* worker:0, worker:1  + ps:0"
    assert axis.strip() == "+" + "-" * 31
    assert places.split() == ["1", "step", "10"]
    assert rows[0].startswith(" 1.0000 |*")
    assert rows[-1].startswith(" 0.1000 |")
    assert rows[-1].endswith("*")
    assert all(len(row) <= 40 for row in shown.splitlines())
    column = [row.partition("|")[2] for row in rows]
    assert [row for row in column if "+" in row] == [next(row for row in column if "+" in row)]
    assert "".join(column).count("*") > 20, "points are joined"


def test_values_that_are_not_finite_leave_gaps():
    points = [(1, 1.0), (2, math.nan), (3, 1.0), (4, math.inf)]
    shown = draw({"worker:0": points}, title="t", across="x", columns=60)
    assert "".join(row.partition("|")[2] for row in shown.splitlines()).count("*") == 2
    nothing = draw({"worker:0": [(1, math.nan)]}, title="t", across="x")
    assert "* worker:0" in nothing


NUMBERS = st.floats() | st.integers(-(1 << 60), 1 << 60)


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.lists(st.tuples(st.integers(-(1 << 60), 1 << 60), NUMBERS), min_size=1),
        min_size=1,
    ),
    st.integers(0, 300),
)
def test_anything_can_be_drawn_with_characters(lines, columns):
    shown = draw(lines, title="t", across="x", columns=columns)
    assert len(shown.splitlines()) == 18


def test_a_picture_has_words_for_those_who_do_not_see_it():
    page = Drawing("<b>", "step", "loss", {"worker:0": [(1, 2.0), (2, 1.0)]})._repr_html_()
    words = "loss of &lt;b&gt;: worker:0 from 2.0000 to 1.0000, lowest 1.0000, highest 2.0000"
    assert page.startswith(f'<img alt="{words}" src="data:image/png;base64,iVBOR')


@pytest.mark.parametrize(
    ("metric", "over_epoch", "axis"),
    [
        ("loss", {"over_epoch": 1}, "loss, over the epoch so far"),
        ("loss", {}, "loss"),
        ("val_loss", {"over_epoch": 1}, "val_loss"),
    ],
)
def test_the_axis_says_what_values_of_keras_are_of(tmp_path: Path, metric, over_epoch, axis):
    spec = a_spec(tmp_path)
    told = {"t": 2.0, "event": "progress", "task": "worker:0", "metrics": {metric: 1.0}}
    spec.events.write_text(f"{json.dumps(START)}\n{json.dumps(told | over_epoch)}\n")
    assert curves(Run(spec), metric).up == axis
