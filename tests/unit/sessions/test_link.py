"""The processing of a worker's messages."""

from __future__ import annotations

import pytest

from mwtutor.sessions.link import _output

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.mark.parametrize("kind", ["display_data", "execute_result", "update_display_data"])
def test_a_widget_is_replaced_by_its_text(kind):
    """The widget's model is in the worker, so a notebook could only report that there is none."""
    data = {"text/plain": "IntSlider(value=3)", VIEW: {"model_id": "1"}}
    why = "(a worker's widget cannot be shown: create it in the notebook, and %mw_push its value)"
    assert _output(kind, {"data": data}).data == {"text/plain": f"IntSlider(value=3) {why}"}
    assert _output(kind, {"data": {VIEW: {}}}).data == {"text/plain": f"A widget {why}"}
    figure = {"text/plain": "<Figure>", "image/png": "aGk="}
    assert _output(kind, {"data": figure}).data == figure
