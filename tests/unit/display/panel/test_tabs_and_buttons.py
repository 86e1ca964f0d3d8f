"""Buttons and tabs, where ipywidgets is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mwtutor import launcher
from mwtutor.cluster import TaskId
from mwtutor.display.panel.tabs_and_buttons import Controls
from mwtutor.display.panel.watched import Watched
from mwtutor.run.engine import Engines
from mwtutor.run.observations.stacks import Frame, ThreadStack
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.run import Run
from tests.support.clusters.thread_engine import ThreadEngine
from tests.support.waiting import until

pytest.importorskip("ipywidgets")

pytestmark = pytest.mark.full  # make test runs without ipywidgets in CI, as for a new user


@pytest.fixture
def launch(engines: Engines, write: Callable[[str, str], Path]) -> Iterator[Callable[..., Run]]:
    engine = ThreadEngine()
    engines.add(engine)

    def start(**options: object) -> Run:
        write("main.py", "say('<b>on</b>'); pause()")
        return launcher.start(LaunchRequest("main.py", **options), on="thread").run

    yield start
    engine.close()


def test_each_task_has_a_tab_with_its_log_and_the_failed_one_is_open(launch):
    run = launch(workers=3)
    watched, shown = Watched(run), Controls(run)
    until(lambda: run.state.status == "running")
    shown.update(watched.report())
    assert shown._tabs.titles == ("worker:0", "worker:1", "worker:2")
    until(lambda: shown.update(watched.report()) or "on" in shown._tabs.children[2].value)
    assert "&lt;b&gt;on" in shown._tabs.children[2].value
    run.kill("worker:1")
    run.wait(20, check=False)
    shown.update(watched.report())
    assert shown._tabs.titles[1] == "✗ worker:1"
    assert shown._tabs.selected_index == 1
    assert shown._stop.disabled


def test_the_buttons(launch):
    run = launch(workers=1)
    shown = Controls(run)
    shown.update(Watched(run).report())
    shown._to_stacks.click()
    until(lambda: "The thread engine cannot show stacks." in shown._tabs.children[0].value)
    shown._stop.click()
    until(lambda: run.outcome is not None)
    assert run.outcome.status == "stopped"


def test_a_tab_says_that_earlier_lines_are_missing_and_loads_and_searches_them(launch):
    run = launch(workers=1)
    shown = Controls(run)
    until(lambda: run.state.status == "running")
    log = run.spec.log(TaskId("worker", 0))
    log.write_text("".join(f"step {number}\n" for number in range(300)))
    shown.update(Watched(run).report())
    page = shown._tabs.children[0]
    assert "Earlier lines are not shown here" in page.value
    assert "step 299" in page.value
    assert "step 7\n" not in page.value
    shown._to_all.click()
    until(lambda: "step 7\n" in page.value)
    assert "300 lines, as of " in page.value
    shown.update(Watched(run).report())
    assert "step 7\n" in page.value, "the next frame leaves it"
    shown._text.value = "29"
    until(lambda: "13 lines with &#x27;29&#x27;" in page.value)
    assert "step 129\n" in page.value
    assert "step 28\n" not in page.value
    shown._text.value = ""
    until(lambda: "Earlier lines are not shown here" in page.value)


def test_stacks_open_the_tab_of_the_task_for_which_the_others_wait(launch, monkeypatch):
    run = launch(workers=2)
    shown = Controls(run)
    shown.update(Watched(run).report())
    until(lambda: run.state.status == "running")
    here = ThreadStack(True, "", (Frame("main.py", 5, "step", "data.get()"),))
    there = ThreadStack(True, "", (Frame("main.py", 6, "step", "model.fit()"),), waits=True)
    stacks = {"worker:0": (there,), "worker:1": (here,)}
    monkeypatch.setattr(Run, "stacks", lambda run, task: stacks[str(task)])
    shown._to_stacks.click()
    first, second = shown._tabs.children
    until(lambda: shown._tabs.selected_index == 1)
    assert "The others wait for worker:1, which is in step (main.py, line 5)." in second.value
    assert "worker:0 is in step (main.py, line 6)." in first.value


def test_a_front_end_without_widgets_is_told_what_to_type(launch):
    run = launch(workers=1, name="demo")
    bundle = Controls(run).bundle()
    assert "%mw_stop demo" in bundle["text/plain"]
    assert "%mw_stop demo" in bundle["text/html"]


def test_of_many_tasks_some_have_a_tab_and_who_failed_has_one(launch):
    run = launch(workers=20, oversubscribe=True)
    watched, shown = Watched(run), Controls(run)
    until(lambda: run.state.status == "running")
    run.kill("worker:19")
    run.wait(20, check=False)
    shown.update(watched.report())
    assert len(shown._tabs.children) == 16
    assert shown._tabs.titles[-1] == "✗ worker:19"
    assert "16 of 20 tasks" in shown._note.value
