"""The interface between runs and engines, proved with an engine without processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mwtutor import launcher
from mwtutor.cli import main
from mwtutor.exceptions import BadInput, LaunchFailed, MwtutorError, NoRun, NotSupported, RunFailed
from mwtutor.run import control
from mwtutor.run.engine import KILL, Engine, Engines, engine, refuse
from mwtutor.run.record import life
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.store import KEPT, Store
from mwtutor.run.request.option_kinds import Count, option
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.run import Run
from mwtutor.sessions.session import Session
from mwtutor.system import processes
from mwtutor.system.plugins import ENGINES, TARGETS
from mwtutor.targets.jobs.export import Order, Resources, target
from tests.support.clusters.thread_engine import ThreadEngine


#: An option of another package, whose row does not say where it works.
@dataclass(frozen=True)
class WithNice(LaunchRequest):
    nice: int = option(0, Count(), "how nice the tasks are")


@pytest.mark.parametrize("name", [*ENGINES.built_in, "thread"])
def test_an_engine_refuses_an_option_that_does_not_name_it(name, threads):
    request = WithNice("main.py", nice=3)
    if name == "local":
        refuse(engine(name), request)  # an option works on this machine
    else:
        with pytest.raises(NotSupported, match=f"The {name} engine does not support --nice"):
            refuse(engine(name), request)


@pytest.mark.parametrize("name", TARGETS.built_in)
def test_a_file_refuses_an_option_that_does_not_name_it(name):
    order = Order(WithNice("main.py", nice=3), Resources())
    with pytest.raises(BadInput, match=f"--nice has no meaning in a file for {name}"):
        target(name).render(order)


def test_ranks_of_horovod_refuse_an_option_that_does_not_name_them(write):
    write("main.py", "")
    with pytest.raises(BadInput, match="--with horovod cannot be combined with --nice"):
        WithNice("main.py", nice=3, with_="horovod").checked()


def test_an_engine_of_an_installed_package_is_one(engines, write, work, monkeypatch):
    place = work / "installed" / "threads-1.0.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: threads\nVersion: 1.0\n")
    made = "tests.support.clusters.thread_engine:ThreadEngine"
    (place / "entry_points.txt").write_text(f"[mwtutor.engines]\nthread = {made}\n")
    write("main.py", "say('on')")
    with pytest.raises(BadInput, match="--on cannot be 'thread'"):
        launcher.launch("main.py", on="thread")
    monkeypatch.syspath_prepend(str(place.parent))
    assert launcher.launch("main.py", on="thread").wait(10).ok
    engines.close()


@pytest.fixture
def threads(engines: Engines, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadEngine]:
    """The engine; meanwhile, everything that uses local processes fails."""

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("the local engine's")

    for module, name in [(control, "order"), (control, "paths"), (life, "look"),
                         (processes, "kill_run"), (processes, "alive"), (os, "kill")]:  # fmt: skip
        monkeypatch.setattr(module, name, forbidden)
    made = ThreadEngine()
    engine: Engine = made
    engines.add(engine)
    yield made
    made.close()


@pytest.fixture
def launch(threads: ThreadEngine, write: Callable[[str, str], Path]) -> Callable[..., Run]:
    def start(text: str = "say('on'); pause()", **options: object) -> Run:
        write("main.py", text)
        return launcher.start(LaunchRequest("main.py", **options), on="thread").run

    return start


def test_a_run_of_another_engine_trains_and_ends(launch, threads, capsys):
    run = launch("say('done')", workers=3)
    assert run.wait(10).ok
    assert [task.pid for task in run.tasks.values()] == [0, 0, 0]
    assert main(["logs", "worker:2"]) == 0
    assert "done" in capsys.readouterr().out
    assert main(["config", "worker:1"]) == 0
    assert main(["status"]) == 0
    shown = capsys.readouterr().out
    assert "main: succeeded" in shown
    assert "plain processes" not in shown, "it says nothing of a fork server that it has not"
    assert {"collect", "cleanup"} <= set(threads.calls)
    assert json.loads(run.spec.file.read_text())["engine"] == "thread"


def test_it_is_stopped_by_name_from_its_directory(launch, capsys):
    run = launch(name="demo")
    assert main(["stop", "demo"]) == 0
    assert "demo stopped." in capsys.readouterr().out
    opened = Run.open(run.directory)
    assert opened.outcome.reason == "it was stopped from a terminal"


def test_a_run_that_was_only_opened_is_stopped_too(launch):
    run = launch()
    assert Run.open(run.directory).stop("enough").reason == "enough"
    assert run.outcome.status == "stopped"


def test_one_task_is_killed(launch, capsys):
    run = launch()
    assert main(["kill", "worker:1"]) == 0
    assert "Sent KILL to worker:1" in capsys.readouterr().out
    with pytest.raises(RunFailed, match="worker:1 got signal 9"):
        run.wait(10)
    assert run.tasks[run.task("worker:1")].exit == -9


def test_what_an_engine_cannot_do_is_said(launch, capsys):
    run = launch()
    with pytest.raises(NotSupported) as refused:
        run.stacks("worker:0")
    assert refused.value.problem == "The thread engine cannot show stacks."
    assert refused.value.remedy == "Look at the threads of this process in a debugger."
    assert main(["stacks", "worker:0"]) == 2
    assert "The thread engine cannot show stacks." in capsys.readouterr().err


def test_an_engine_without_signals_is_not_asked_to_send_one(launch, threads):
    threads.cannot = {KILL: "Stop the whole run: %mw_stop"}
    run = launch()
    with pytest.raises(NotSupported, match="The thread engine cannot send signals to tasks"):
        run.kill("worker:0")
    assert run.outcome is None


def test_what_it_cannot_start_is_refused_before_anything_is(launch, threads, work):
    with pytest.raises(NotSupported, match="The thread engine cannot run sessions"):
        launcher.start(LaunchRequest("", workers=1), str(work), on="thread")
    with pytest.raises(MwtutorError, match="no interpreter of its own"):
        launch(python="python3")
    with pytest.raises(LaunchFailed, match="no room"):
        launch(name="nowhere")
    assert not list(Store().directories())


def test_a_run_of_the_same_name_is_replaced(launch):
    first = launch()
    again = launcher.start(LaunchRequest("main.py"), on="thread")
    assert again.replaced is first
    assert first.outcome.status == "stopped"


def test_a_run_that_its_engine_has_lost_is_recorded_as_lost(launch, threads):
    run = launch()
    threads.here[run.spec.id].die()
    found = Run.open(run.directory)
    assert found.outcome.status == "lost"
    assert found.outcome.reason == "the machine with its threads was switched off"
    assert "clear" not in threads.calls, "looking changes nothing"
    found.recover()
    assert "clear" in threads.calls, "what it left is the engine's to end"
    assert Run.open(run.directory).outcome == found.outcome, "and it is written down"


def test_an_engine_that_cannot_see_a_run_claims_nothing(launch, threads, monkeypatch):
    run = launch()
    monkeypatch.setattr(threads, "poll", lambda run, state: None)
    monkeypatch.setattr(threads, "out_of_reach", lambda run: "its cluster does not answer")
    seen = Run.open(run.directory)
    assert seen.state.status == "unknown"
    assert seen.state.doubt.endswith("cannot be determined from here: its cluster does not answer")
    assert not seen.can_be_stopped
    monkeypatch.setattr(threads, "terminate", lambda *order: False)
    with pytest.raises(NoRun, match="cannot be reached from here: its cluster does not answer"):
        seen.stop()


def test_its_runs_are_listed_pruned_and_cleaned(launch, capsys):
    for number in range(KEPT + 2):
        launch("", workers=1, name=f"run{number}").wait(10)
    assert len(list(Store().directories())) == KEPT
    assert main(["runs"]) == 0
    assert capsys.readouterr().out.count("succeeded") == KEPT
    assert main(["runs", "--clean"]) == 0
    assert not list(Store().directories())


def test_a_session_of_it_is_refused_and_leaves_nothing(launch, threads, monkeypatch):
    monkeypatch.setattr(launcher, "engine", lambda name: threads)
    with pytest.raises(NotSupported, match="cannot run sessions"):
        Session.start(LaunchRequest("", workers=1))


def test_a_run_of_an_engine_of_another_version_is_left_alone(launch, engines, capsys):
    run = launch("", workers=1)
    run.wait(10)
    made = RunSpec.from_json({**run.spec.to_json(), "engine": "of the future"})
    made.save()
    with pytest.raises(NoRun, match="There is no engine 'of the future'"):
        Run.open(run.directory)
