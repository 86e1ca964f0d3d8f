"""What a reader sees of a run in JupyterLab, without touching anything."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.programs import LAUNCH, TRAINING

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

STATE = "data-mw-state"


def trains(panel: Locator) -> None:
    """Wait until the second worker has trained for a step."""
    expect(panel).to_have_attribute(STATE, "running")
    expect(panel.locator('tr[data-mw-task="worker:1"]')).to_contain_text(STEPS)


STEPS = re.compile(r"running.*\d+/1,?000")


def test_a_panel_goes_on_after_its_cell_has_returned(lab, notebook, picture):
    lesson = notebook("live.ipynb", TRAINING, LAUNCH, "1 + 1")
    lesson.run(0)
    panel = lesson.run(1).locator(".mw-panel").first
    trains(panel)
    bar = panel.get_by_role("progressbar")
    before = int(bar.get_attribute("aria-valuenow"))
    expect(bar).not_to_have_attribute("aria-valuenow", str(before))
    assert int(bar.get_attribute("aria-valuenow")) > before
    expect(panel).to_contain_text("steps/s")
    expect(panel.locator('tr[data-mw-task="worker:1"] svg.mw-curve')).to_be_visible()
    picture(lesson, "live")
    expect(lesson.run(2)).to_have_text(re.compile("2$"))
    lab.put("end", "")
    expect(panel).to_have_attribute(STATE, "succeeded")
    picture(lesson, "succeeded")


def test_a_failure_is_shown_without_another_cell(lab, notebook, picture):
    lesson = notebook("failing.ipynb", TRAINING, LAUNCH)
    lesson.run(0)
    output = lesson.run(1)
    panel = output.locator(".mw-panel").first
    trains(panel)
    lab.put("end", "worker:1")
    expect(panel).to_have_attribute(STATE, "failed")
    expect(panel.locator('tr[data-mw-task="worker:1"]')).to_contain_text("failed")
    log = panel.locator('details[data-mw-log="worker:1"] pre')
    expect(log).to_be_visible()
    expect(log).to_contain_text("ValueError: no digits left")
    peer = panel.locator('details[data-mw-log="worker:0"]')
    expect(peer.locator("pre")).to_be_hidden()
    peer.locator("summary").click()
    expect(peer.locator("pre")).to_be_visible()
    expect(peer.locator("pre")).to_contain_text(re.compile(r"step \d+ of 1000"))
    controls = output.locator(".mw-controls")
    expect(controls.get_by_role("tab", selected=True)).to_have_text("✗ worker:1")
    picture(lesson, "failed")
    controls.get_by_role("tab", name="worker:0").click()
    shown = controls.locator('[data-mw-log="worker:0"]')
    expect(shown).to_be_visible()
    expect(shown).to_contain_text(re.compile(r"step \d+ of 1000"))


def test_a_run_is_not_replaced_by_another_notebook(notebook, picture):
    first = notebook("first.ipynb", TRAINING, LAUNCH)
    first.run(0)
    panel = first.run(1).locator(".mw-panel").first
    trains(panel)
    second = notebook("second.ipynb", "%load_ext mwtutor", LAUNCH)
    second.run(0)
    output = second.run(1)
    expect(output).to_contain_text(
        "train is running, and was launched by another notebook (first.ipynb, kernel process"
    )
    expect(output).to_contain_text("--name")
    expect(output).not_to_contain_text("Traceback")
    expect(output.locator(".mw-panel")).to_have_count(0)
    picture(second, "refused")
    bar = panel.get_by_role("progressbar")
    expect(bar).not_to_have_attribute("aria-valuenow", bar.get_attribute("aria-valuenow"))
    expect(panel).to_have_attribute(STATE, "running")


def test_the_stop_button_ends_the_run(notebook, picture):
    lesson = notebook("stopped.ipynb", TRAINING, LAUNCH)
    lesson.run(0)
    output = lesson.run(1)
    panel = output.locator(".mw-panel").first
    trains(panel)
    stop = output.get_by_role("button", name="Stop")
    stop.click()
    expect(panel).to_have_attribute(STATE, "stopped")
    expect(stop).to_be_disabled()
    picture(lesson, "stopped")
