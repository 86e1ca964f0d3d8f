"""What a reader sees of a run in JupyterLab, without touching anything."""

from __future__ import annotations

import re

import psutil
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.programs import LAUNCH, LOADING, TRAINING

pytestmark = [pytest.mark.browser, pytest.mark.timeout(480)]

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
    controls = output.locator(".mw-controls")
    expect(controls.get_by_role("tab", selected=True)).to_have_text("✗ worker:1")
    log = output.locator('[data-mw-log="worker:1"]:visible')
    expect(log).to_contain_text("ValueError: no digits left")
    expect(log, "its end is shown once").to_have_count(1)
    picture(lesson, "failed")
    controls.get_by_role("tab", name="worker:0").click()
    shown = controls.locator('[data-mw-log="worker:0"]')
    expect(shown).to_be_visible()
    expect(shown).to_contain_text(re.compile(r"step \d+ of 1000"))
    lesson.restart()
    expect(log, "the tabs are gone, the panel shows it").to_contain_text("no digits left")
    peer = panel.locator('details[data-mw-log="worker:0"]')
    expect(peer.locator("pre")).to_be_hidden()
    peer.locator("summary").click()
    expect(peer.locator("pre")).to_contain_text(re.compile(r"step \d+ of 1000"))


def test_a_run_is_not_replaced_by_another_notebook(notebook, picture):
    first = notebook("first.ipynb", TRAINING, LAUNCH)
    first.run(0)
    panel = first.run(1).locator(".mw-panel").first
    trains(panel)
    second = notebook("second.ipynb", LOADING, LAUNCH)
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
SINCE = re.compile(r"Not updated since \d\d:\d\d:\d\d: %mw_status shows the run's current state.")


def notices(panel: Locator, seconds: int) -> None:
    """Wait until the panel says since when it is outdated, after at most this many seconds.

    These are the style sheet's: a busy machine may take longer to draw the page.
    """
    words = panel.locator(".mw-forgotten")
    expect(words).to_have_css("animation-delay", f"{seconds}s")
    expect(words).to_be_visible()
    expect(words).to_have_text(SINCE)


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
    notices(old, 0)
    expect(output.get_by_role("button", name="Stop")).to_be_hidden()
    panel = lesson.run(2).locator(".mw-panel").first
    expect(panel).to_have_attribute(STATE, "stopped")
    expect(panel).to_contain_text("ended with the process that launched it")
    expect(panel.locator(".mw-forgotten")).to_have_count(0)
    picture(lesson, "restarted")
    _, left = psutil.wait_procs(tasks, timeout=30)
    assert not left


def test_a_page_that_is_reloaded_says_where_to_look(lab, notebook, picture):
    lesson = notebook("reloaded.ipynb", TRAINING, LAUNCH, "%mw_status", own_page=True)
    lesson.run(0)
    panel = lesson.run(1).locator(".mw-panel").first
    trains(panel)
    lesson.save()
    lesson.page.reload()
    lesson.ready()
    output = lesson.outputs(1)
    old = output.locator(".mw-panel").first
    expect(old).to_have_attribute(STATE, "running")
    notices(old, 1)
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
    lesson.close()
    lab.end_kernels()
    lesson.open()
    output = lesson.outputs(1)
    old = output.locator(".mw-panel").first
    expect(old).to_have_attribute(STATE, "running")
    dead = output.get_by_text("Error displaying widget")
    expect(dead).to_have_count(1)
    notices(old, 0)
    picture(lesson, "reopened")
    expect(output.get_by_role("button", name="Stop")).to_have_count(0)
    expect(dead).to_be_hidden()


def test_titles_of_eight_tabs_can_be_read_in_a_narrow_window(lab, notebook, picture):
    lesson = notebook("eight.ipynb", TRAINING, LAUNCH.replace("2", "8", 1), width=800)
    lesson.run(0)
    output = lesson.run(1)
    trains(output.locator(".mw-panel").first)
    for title in output.get_by_role("tab").all():
        assert title.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    picture(lesson, "eight-800")
    lab.put("end", "")


def test_without_widgets_a_fold_for_each_task_stays_open(lab, notebook, picture):
    """The kernel has no ipywidgets: the panel is redrawn, and what was unfolded stays so."""
    hide = "import sys\nsys.modules['ipywidgets'] = None\n"
    lesson = notebook("folds.ipynb", hide + TRAINING, LAUNCH)
    lesson.run(0)
    output = lesson.run(1)
    panel = output.locator(".mw-panel").first
    trains(panel)
    expect(output).to_contain_text("%mw_stop train · %mw_logs train · %mw_stacks train")
    log = panel.locator('[data-mw-log="worker:1"]')
    expect(log).to_be_hidden()
    output.get_by_text("worker:1: the end of its log").click()
    expect(log).to_be_visible()
    before = log.inner_text()
    expect(log).not_to_have_text(before)
    expect(log).to_be_visible()
    expect(panel.locator('[data-mw-log="worker:0"]')).to_be_hidden()
    picture(lesson, "folds")
    lab.put("end", "")
    expect(panel).to_have_attribute(STATE, "succeeded")
    expect(output.get_by_text("the end of its log, above")).to_have_count(0)
