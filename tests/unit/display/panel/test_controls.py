"""Buttons and tabs, where ipywidgets is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mwtutor import launcher
from mwtutor.display.panel import controls
from mwtutor.display.panel.watched import Watched
from mwtutor.run.engine import Engines
from mwtutor.run.request.request import LaunchRequest
from mwtutor.run.run import Run
from tests.support.clusters.thread_engine import ThreadEngine
from tests.support.waiting import until

pytest.importorskip("ipywidgets")


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
    watched, shown = Watched(run), controls.Controls(run)
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
    shown = controls.Controls(run)
    shown.update(Watched(run).report())
    shown._to_stacks.click()
    until(lambda: "The thread engine cannot show stacks." in shown._tabs.children[0].value)
    shown._stop.click()
    until(lambda: run.outcome is not None)
    assert run.outcome.status == "stopped"


def test_a_front_end_without_widgets_is_told_what_to_type(launch):
    run = launch(workers=1, name="demo")
    bundle = controls.Controls(run).bundle()
    assert "%mw_stop demo" in bundle["text/plain"]
    assert "%mw_stop demo" in bundle["text/html"]


def test_of_many_tasks_some_have_a_tab_and_who_failed_has_one(launch):
    run = launch(workers=20, oversubscribe=True)
    watched, shown = Watched(run), controls.Controls(run)
    until(lambda: run.state.status == "running")
    run.kill("worker:19")
    run.wait(20, check=False)
    shown.update(watched.report())
    assert len(shown._tabs.children) == 16
    assert shown._tabs.titles[-1] == "✗ worker:19"
    assert "16 of 20 tasks" in shown._note.value
