"""What a reader sees of a run in JupyterLab, without touching anything."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.programs import LAUNCH, TRAINING

pytestmark = [pytest.mark.browser, pytest.mark.timeout(90)]


def test_a_panel_goes_on_after_its_cell_has_returned(notebook, picture):
    lesson = notebook("live.ipynb", TRAINING, LAUNCH, "1 + 1", "end()")
    lesson.run(0)
    panel = lesson.run(1).locator(".mw-panel").first
    expect(panel).to_have_attribute("data-mw-state", "running")
    row = panel.locator('tr[data-mw-task="worker:1"]')
    expect(row).to_contain_text(re.compile(r"running.*\d+/400"))
    bar = panel.get_by_role("progressbar")
    before = int(bar.get_attribute("aria-valuenow"))
    expect(bar).not_to_have_attribute("aria-valuenow", str(before))
    assert int(bar.get_attribute("aria-valuenow")) > before
    expect(panel).to_contain_text("steps/s")
    expect(row.locator("svg.mw-curve")).to_be_visible()
    picture(lesson, "live")
    expect(lesson.run(2)).to_have_text(re.compile("2$"))
    lesson.run(3)
    expect(panel).to_have_attribute("data-mw-state", "succeeded")
    picture(lesson, "succeeded")
