"""Stopping a run at any moment, and several launches that want the same name."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version

import psutil
import pytest

import mwtutor
from mwtutor.exceptions import MwtutorError, RunTimeout
from mwtutor.find_runs import find
from mwtutor.run import control
from mwtutor.run import run as run_module
from mwtutor.run.run import Run
from tests.conftest import remains
from tests.support.waiting import until, until_state

pytestmark = pytest.mark.e2e

MWTUTOR = [sys.executable, "-c", "import sys; from mwtutor.cli import main; sys.exit(main())"]
FOREVER = "import time; print('on'); time.sleep(600)"


@pytest.fixture
def forever(write: Callable[[str, str], object]) -> None:
    write("main.py", FOREVER)


@contextmanager
def in_background(*words: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*MWTUTOR, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def seen() -> Run:
    """The run, as soon as another process has started to launch it."""

    def launched() -> Run | None:
        with contextlib.suppress(MwtutorError):
            return find("main")
        return None

    return until(launched, otherwise="it was never launched")


@pytest.mark.full
def test_a_run_is_stopped_while_its_fork_server_starts(forever):
    with in_background("launch", "2", "main.py") as launching:
        run = seen()
        assert not run.state.supervisor[0]
        assert run.stop().status == "stopped"
        assert "main: stopped" in launching.communicate(timeout=20)[0]
    assert not remains(run.spec.id, run)


@pytest.mark.full
def test_a_launch_does_not_stop_what_another_process_has_launched(forever):
    with in_background("launch", "2", "main.py", "--cold") as first:
        run = seen()
        with in_background("launch", "2", "main.py", "--cold") as second:
            said = second.communicate(timeout=60)[0]
            assert second.returncode == 2
        assert f"main is running, and was launched by another process ({first.pid}: " in said
        assert "mwtutor stop main" in said
        assert run.outcome is None, "it was left alone"
        assert run.stop().status == "stopped"
        first.communicate(timeout=20)


@pytest.mark.full
def test_the_owner_needs_no_socket_to_stop_its_run(launch, forever):
    run = launch("main.py", 2)
    [socket] = control.paths(run.spec)
    socket.unlink()
    assert run.stop("enough").reason == "enough", "nobody had to kill its supervisor"


def test_another_process_stops_a_run_without_its_socket(launch, forever):
    run = launch("main.py", 2)
    [socket] = control.paths(run.spec)
    socket.unlink()
    assert Run.open(run.directory).stop().status == "stopped"


@pytest.mark.full
def test_a_supervisor_that_does_not_answer_is_named(launch, forever, monkeypatch):
    run = launch("main.py", 2)
    pid = run.state.supervisor[0]
    psutil.Process(pid).parent().kill()  # the guard would kill the supervisor
    monkeypatch.setattr(run_module, "_PATIENCE", 0.5)
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(RunTimeout, match="is still running") as raised:
            run.stop()
        assert str(pid) in raised.value.remedy
    finally:
        os.kill(pid, signal.SIGCONT)
    assert run.wait(10, check=False).status == "stopped"


@pytest.mark.full
@pytest.mark.parametrize(
    ("who", "how"),
    [("owner", ()), ("another", ("--cold",)), ("nobody", ("--cold",))],
    ids=["owner", "another", "nobody"],
)
def test_the_guard_ends_a_run_whose_supervisor_hangs(forever, who, how):
    with in_background("launch", "2", "main.py", *how) as owner:
        run = seen()
        while run.state.status != "running":
            time.sleep(0.02)
        pids = [run.state.supervisor[0], *(task.pid for task in run.tasks.values())]
        left = [psutil.Process(pid) for pid in pids]
        os.kill(pids[0], signal.SIGSTOP)
        if who == "owner":
            owner.send_signal(signal.SIGINT)
        elif who == "another":
            run.stop()
        else:
            owner.kill()
        assert run.wait(30, check=False).status == "stopped"
        assert run.outcome.reason.endswith("its supervisor did not respond for 5 s, and was killed")
        owner.kill()
    assert not [process for process in left if process.is_running()]
    assert not remains(run.spec.id, run)


@pytest.mark.full
def test_only_an_order_to_stop_ends_a_run_whose_supervisor_hangs(launch, forever):
    run = launch("main.py", 1)
    pid = run.state.supervisor[0]
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(MwtutorError, match="does not respond"):
            run.kill("worker:0")
        assert run.outcome is None
    finally:
        os.kill(pid, signal.SIGCONT)
    run.kill("worker:0")
    assert run.wait(10, check=False).reason == "worker:0 was killed by signal 9 (SIGKILL)"


@pytest.mark.full
def test_of_launches_at_once_in_threads_one_goes_on(launch, forever):
    runs: list[Run] = []
    threads = [
        threading.Thread(target=lambda: runs.append(launch("main.py", 1, name="same")))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(runs) == 3
    going = [run.outcome is None for run in mwtutor.runs() if run.name == "same"]
    assert going == [True, False, False]


@pytest.mark.full
def test_of_launches_at_once_in_processes_one_goes_on(forever):
    words = ("launch", "1", "main.py", "--name", "twice", "--cold")
    with in_background(*words) as one, in_background(*words) as other:
        until(lambda: one.poll() is not None or other.poll() is not None)
        refused, going = (one, other) if other.poll() is None else (other, one)
        assert refused.returncode == 2
        assert "twice is running" in refused.communicate()[0]
        [run] = mwtutor.runs()
        assert run.outcome is None
        assert run.stop().status == "stopped"
        going.communicate(timeout=20)


SAVES = """
    import sys, time
    import tensorflow as tf
    import mwtutor
    class Layer(tf.keras.layers.Layer):
        def save_own_variables(self, store):
            print("saving", file=sys.stderr, flush=True)  # what saving prints waits
            time.sleep(600)
    with tf.distribute.MultiWorkerMirroredStrategy().scope():
        model = tf.keras.Sequential([tf.keras.Input([1]), Layer()])
    with mwtutor.write_filepath("model.keras") as path:
        model.save(path)
"""


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.skipif(version("keras") < "3", reason="Keras 2 writes in place")
@pytest.mark.parametrize("signalled", [False, True], ids=["stopped", "killed"])
def test_what_was_being_saved_is_removed(launch, write, work, monkeypatch, signalled):
    temporary = work / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    write("main.py", SAVES)
    run = launch("main.py", 2)
    logs = [run.spec.log(task) for task in run.tasks]
    until_state(run, lambda _: all("saving" in log.read_text() for log in logs))
    (chiefs,) = work.glob(".model.keras.*/model.keras")
    (others,) = temporary.glob("mwtutor-*/.model.keras.*/model.keras")
    if signalled:
        run.kill("worker:0")
        run.wait(check=False)
    else:
        run.stop()
    assert not chiefs.parent.exists()
    assert not others.parent.parent.exists()


@pytest.mark.full
def test_a_run_of_another_process_is_seen_and_stopped_from_an_overview(forever, work):
    overview = mwtutor.Overview(work)

    def running() -> dict[str, object] | None:
        runs = [run for folder in overview.look()["folders"] for run in folder["runs"]]
        return next((run for run in runs if run["state"] == "running"), None)

    with in_background("launch", "2", "main.py", "--cold") as launch:
        run = until(running, otherwise="it is not running")
        assert run["stoppable"]
        until(lambda: overview.log(run["key"])["lines"], otherwise="it printed nothing")
        assert overview.stop(run["key"]) == "main stopped."
        assert launch.wait(30) != 0
    (folder,) = overview.look()["folders"]
    assert folder["runs"][0]["state"] == "stopped"
    assert folder["runs"][0]["problem"] == "It was stopped in the side panel."
