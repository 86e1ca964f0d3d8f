"""What a reader sees of a run in JupyterLab, without touching anything."""

from __future__ import annotations

import re

import psutil
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.programs import LAUNCH, TRAINING

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

STATE = "data-mw-state"


def trains(panel: Locator) -> None:
    """Wait until the second worker has taken a step."""
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
    expect(output.locator(f".mw-panel[{STATE}]")).to_have_count(0)  # at most "Not started."
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


#: The text of a panel that is no longer updated.
SINCE = re.compile(r"Not updated since \d\d:\d\d:\d\d: %mw_status shows the run as it is now.")


#: Seconds until it is shown, where no delay is intended.
AT_ONCE = 5_000


def test_a_run_ends_with_a_kernel_that_is_restarted(lab, notebook, picture):
    lesson = notebook("restarted.ipynb", TRAINING, LAUNCH, "%load_ext mwtutor\n%mw_status")
    lesson.run(0)
    output = lesson.run(1)
    old = output.locator(".mw-panel").first
    trains(old)
    expect(old.locator('tr[data-mw-task="worker:0"]')).to_contain_text(STEPS)  # both have begun
    pids = [int((lab.folder / f"worker:{index}.pid").read_text()) for index in range(2)]
    tasks = [psutil.Process(pid) for pid in pids]
    expect(old.locator(".mw-forgotten")).to_be_hidden()
    expect(output.get_by_role("button", name="Stop")).to_be_visible()
    lesson.restart()
    expect(old.locator(".mw-forgotten")).to_be_visible(timeout=AT_ONCE)
    expect(old.locator(".mw-forgotten")).to_have_text(SINCE)
    expect(output.get_by_role("button", name="Stop")).to_be_hidden()
    panel = lesson.run(2).locator(".mw-panel").first
    expect(panel).to_have_attribute(STATE, "stopped")
    expect(panel).to_contain_text("ended with its kernel")
    expect(panel.locator(".mw-forgotten")).to_have_count(0)
    picture(lesson, "restarted")
    _, left = psutil.wait_procs(tasks, timeout=30)
    assert not left


def test_a_page_that_is_reloaded_says_where_to_look(lab, notebook, picture):
    lesson = notebook("reloaded.ipynb", TRAINING, LAUNCH, "%mw_status")
    lesson.run(0)
    panel = lesson.run(1).locator(".mw-panel").first
    trains(panel)
    lesson.save()
    lesson.page.reload()
    lesson.ready()
    output = lesson.outputs(1)
    old = output.locator(".mw-panel").first
    expect(old).to_have_attribute(STATE, "running")
    expect(old.locator(".mw-forgotten")).to_be_visible(timeout=AT_ONCE)
    expect(old.locator(".mw-forgotten")).to_have_text(SINCE)
    expect(output.get_by_role("button", name="Stop")).to_be_enabled()  # it reaches the kernel
    panel = lesson.run(2).locator(".mw-panel").first
    trains(panel)
    picture(lesson, "reloaded")
    lab.put("end", "")
    expect(panel).to_have_attribute(STATE, "succeeded")


def test_a_saved_notebook_reopens_with_a_panel_that_says_since_when(lab, notebook, picture):
    lesson = notebook("reopened.ipynb", TRAINING, LAUNCH)
    lesson.run(0)
    trains(lesson.run(1).locator(".mw-panel").first)
    lesson.save()
    lab.end_kernels()
    lesson.page.reload()
    lesson.ready()
    output = lesson.outputs(1)
    old = output.locator(".mw-panel").first
    expect(old).to_have_attribute(STATE, "running")
    expect(old.locator(".mw-forgotten")).to_have_text(SINCE)
    expect(old.locator(".mw-forgotten")).to_be_visible()
    picture(lesson, "reopened")
    expect(output.get_by_role("button", name="Stop")).to_have_count(0)
    dead = output.get_by_text("Error displaying widget")
    expect(dead).to_have_count(1)
    expect(dead).to_be_hidden()
