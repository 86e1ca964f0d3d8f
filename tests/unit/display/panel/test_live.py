"""The thread that keeps panels up to date, with outputs that record what is shown on them."""

from __future__ import annotations

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mwtutor import launcher
from mwtutor.cluster import TaskId
from mwtutor.display.panel.folds import Folds, commands
from mwtutor.display.panel.live import LivePanels
from mwtutor.display.panel.panel import NotebookOutput, Panel
from mwtutor.display.panel.tabs_and_buttons import Controls
from mwtutor.run.engine import Engines
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.run import Run
from tests.support.clusters.thread_engine import ThreadEngine
from tests.support.waiting import until

PAUSE = 0.01


class Noted:
    """What was shown on this output: the text, and whether a cell had requested it."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, bool]] = []
        self.pages: list[str] = []
        self.changed = threading.Condition()

    def show(self, panel: Panel, *, now: bool = False) -> None:
        page = panel._repr_html_()
        assert page.startswith('<div class="mwtutor mw-panel" data-mw-run="')
        with self.changed:
            self.shown.append((repr(panel), now))
            self.pages.append(page)
            self.changed.notify_all()

    def wait(self, words: str) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: words in self.shown[-1][0], 20), self.shown[-1]


class Deaf(Noted):
    """A front end that no longer exists."""

    def show(self, panel: Panel, *, now: bool = False) -> None:
        super().show(panel, now=now)
        if len(self.shown) > 1:
            raise OSError("closed")


@pytest.fixture
def panels() -> Iterator[LivePanels]:
    made = LivePanels(PAUSE)
    yield made
    made.close()
    idle()


@pytest.fixture
def launch(engines: Engines, write: Callable[[str, str], Path]) -> Iterator[Callable[..., Run]]:
    engine = ThreadEngine()
    engines.add(engine)

    def start(text: str = "say('on'); pause()", **options: object) -> Run:
        write("main.py", text)
        return launcher.start(LaunchRequest("main.py", **options), on="thread").run

    yield start
    engine.close()


def serving() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "mwtutor-panels"]


def idle() -> None:
    for thread in serving():
        thread.join(20)
        assert not thread.is_alive()


def test_a_panel_follows_its_run_to_the_end_and_then_there_is_no_thread(launch, panels):
    run, output = launch(), Noted()
    panels.open(run, output)
    assert output.shown[0][1], "the first frame is the cell's own"
    output.wait("main: running")
    run.stop("enough")
    output.wait("main: stopped")
    assert "enough." in output.shown[-1][0]
    idle()
    count = len(output.shown)
    panels.refresh(run)
    panels.refresh(run)
    assert output.shown[count:] == [(output.shown[-1][0], True)], "stored with the notebook, once"


def test_what_has_not_changed_is_not_sent_again(launch, panels, monkeypatch):
    monkeypatch.setattr("mwtutor.display.panel.headline.elapsed", lambda seconds: "some time")
    looks = []
    monkeypatch.setattr(Run, "usage", lambda run: looks.append(1) or {})
    monkeypatch.setattr("mwtutor.display.panel.watched._MEASURED", 0.0)
    run, output = launch(), Noted()
    panels.open(run, output)
    output.wait("main: running")
    before, looked = len(output.shown), len(looks)
    while len(looks) < looked + 5:
        time.sleep(PAUSE)
    assert len(output.shown) == before


def test_a_panel_is_drawn_anew_before_its_page_says_that_it_is_forgotten(
    launch, panels, monkeypatch
):
    monkeypatch.setattr("mwtutor.display.panel.headline.elapsed", lambda seconds: "some time")
    monkeypatch.setattr(Run, "usage", lambda run: {})
    monkeypatch.setattr("mwtutor.display.panel.live.AGAIN", 0.2)
    run, output = launch(), Noted()
    panels.open(run, output)
    output.wait("main: running")
    with output.changed:
        assert output.changed.wait_for(
            lambda: len(output.shown) > 3 and output.shown[-1] == output.shown[-3], 20
        )
    told = "Not updated since "
    assert told in output.pages[-1]
    result, as_of = (
        Panel.from_run(run)._repr_html_(),
        re.compile(r"As of \d\d:\d\d:\d\d: %mw_status "),
    )
    assert told not in result, "a cell's result is not to move"
    assert as_of.search(result), "it may be read when the run has gone on, or in a saved notebook"
    run.stop()
    output.wait("main: stopped")
    assert told not in output.pages[-1]
    assert not as_of.search(Panel.from_run(run)._repr_html_())


def test_one_thread_serves_all_panels_and_old_ones_say_where_to_look(launch, panels):
    first, second = launch(name="one"), launch(name="two")
    outputs = [Noted() for _ in range(5)]
    for output in outputs:
        panels.open(first, output)
    other = Noted()
    panels.open(second, other)
    assert len(serving()) == 1
    first.stop()
    for output in outputs[2:]:
        output.wait("one: stopped")
    for output in outputs[:2]:
        assert "No longer updated: see the newer panels." in output.shown[-1][0]
    assert len(serving()) == 1
    second.stop()
    other.wait("two: stopped")


def test_a_front_end_that_is_gone_keeps_nobody_else_waiting(launch, panels):
    run, deaf, output = launch(), Deaf(), Noted()
    panels.open(run, deaf)
    panels.open(run, output)
    run.stop()
    output.wait("main: stopped")


def test_a_run_whose_directory_is_removed_meanwhile(launch, panels):
    run, output = launch(), Noted()
    panels.open(run, output)
    output.wait("main: running")
    shutil.rmtree(run.directory)
    run.stop("enough")
    output.wait("main: stopped")


DAMAGED = b"""{
[]
\xff\x00
{"event":"progress","task":"worker:0","step":1e999}
{"event":"progress","t":"x","task":"worker:0","step":3}
{"event":"progress","t":1,"task":"worker:0","step":3,"steps":9,"metrics":{"<b>":NaN,"a":Infinity}}
"""


def test_a_log_that_is_damaged_meanwhile(launch, panels):
    run, output = launch(), Noted()
    panels.open(run, output)
    output.wait("main: running")
    with run.spec.events.open("ab") as log:
        log.write(DAMAGED)
    output.wait("3/9")
    run.stop()
    output.wait("main: stopped")


def test_what_nobody_has_foreseen_ends_the_panel_and_says_so(launch, panels, monkeypatch):
    run, output = launch(), Noted()
    panels.open(run, output)

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Run, "state", property(fail))
    output.wait("No longer updated: ZeroDivisionError.")
    monkeypatch.undo()
    idle()


def test_a_run_that_has_ended_needs_no_thread(launch, panels):
    run, output = launch("say('done')"), Noted()
    run.wait(20)
    panels.open(run, output)
    assert "main: succeeded" in output.shown[0][0]
    assert not serving()


def test_a_process_that_ends_leaves_no_panel_that_seems_to_go_on(launch, panels):
    run, output = launch(), Noted()
    panels.open(run, output)
    panels.close()
    assert "No longer updated: the kernel that showed it has exited." in output.shown[-1][0]
    idle()


class Publisher:
    """Like IPython's publisher, but outside a kernel."""

    def __init__(self) -> None:
        self.published: list[tuple[dict, bool]] = []
        self.places: dict[str, dict] = {}

    def publish(self, data: dict, *, transient: dict, update: bool) -> None:
        self.published.append((transient, update))
        self.places[transient["display_id"]] = data


def test_a_shell_without_a_connection_is_asked_to_publish(launch):
    publisher = Publisher()
    output = NotebookOutput(publisher)
    panel = Panel.from_run(launch())
    output.show(panel, now=True)
    output.show(panel)
    (first, begun), (second, updated) = publisher.published
    assert first == second
    assert (begun, updated) == (False, True)


@pytest.mark.full  # make test runs without ipywidgets in CI, as for a new user
def test_below_a_run_that_has_ended_an_export_has_no_commands(launch):
    pytest.importorskip("ipywidgets")
    run, publisher = launch(), Publisher()
    output = NotebookOutput(publisher)
    output.put_below(Controls(run))
    output.show(Panel.from_run(run), now=True)
    _, below = publisher.places
    assert "%mw_stop main" in publisher.places[below]["text/html"]
    run.stop()
    output.show(Panel.from_run(run))
    assert publisher.places[below]["text/html"] == publisher.places[below]["text/plain"] == ""
    assert len(publisher.places) == 2


def test_without_widgets_folds_show_a_part_of_the_panel_and_are_not_redrawn(launch):
    run, publisher = launch("say('<b>step'); pause()"), Publisher()
    output = NotebookOutput(publisher)
    output.put_below(Folds(run))
    until(lambda: run.spec.log(TaskId("worker", 0)).exists())
    output.show(Panel.from_run(run), now=True)
    panel, below = publisher.places
    stays = publisher.places[below]["text/html"]
    until(lambda: output.show(Panel.from_run(run)) or "&lt;b&gt;step" in page(publisher, panel))
    assert publisher.places[below]["text/html"] is stays, "redrawing it would close its folds"
    assert "%mw_stop main · %mw_logs main · %mw_stacks main" in stays
    folds = re.findall(r'<details class="(mw-[^"]+)"', stays)
    assert len(folds) == len(run.tasks)
    for fold in folds:
        assert f"body:has(.{fold}[open]) .{fold}-log{{display:block" in page(publisher, panel)
    run.stop()
    output.show(Panel.from_run(run))
    assert publisher.places[below]["text/html"] == ""
    assert folds[0] not in page(publisher, panel)


def page(publisher: Publisher, place: str) -> str:
    return publisher.places[place]["text/html"]


def test_a_run_that_is_called_as_a_task_is_named_by_an_option():
    assert commands("chief") == "%mw_stop chief · %mw_logs --name chief · %mw_stacks --name chief"
