"""A function in its own process: whatever it does, the caller continues, and nothing is left."""

from __future__ import annotations

import builtins
import gc
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from mwtutor import find_runs, singletons
from mwtutor.exercises import isolation
from mwtutor.exercises.isolation import Ending, run_apart


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


@pytest.fixture(autouse=True)
def nothing_is_left():
    gc.collect()  # closes files that other tests left open, before this one runs
    before, files = children(), len(os.listdir("/proc/self/fd"))
    yield
    assert children() <= before
    assert len(os.listdir("/proc/self/fd")) <= files


def test_it_gives_what_the_function_returns():
    assert run_apart(lambda: {"words": "é", "n": [1, None]}, 10).answer == {
        "words": "é",
        "n": [1, None],
    }


def halt_the_watcher() -> None:
    os.kill(os.getppid(), signal.SIGSTOP)


def halt_the_watcher_and_wait() -> None:
    subprocess.Popen(["sleep", "600"], start_new_session=True)
    halt_the_watcher()
    time.sleep(600)


def halt_the_watcher_again_and_again() -> None:
    watcher = os.getppid()
    while True:
        os.kill(watcher, signal.SIGSTOP)


def test_a_watcher_that_was_halted_is_resumed():
    def answer() -> str:
        halt_the_watcher()
        return "answered"

    assert run_apart(answer, 60).answer == "answered"


@pytest.mark.parametrize("code", [halt_the_watcher_and_wait, halt_the_watcher_again_and_again])
def test_who_halts_its_watcher_keeps_the_time_limit(code, monkeypatch):
    monkeypatch.setattr(isolation, "_ENDING", 600.0)  # the test does not wait for this
    assert run_apart(code, 0.5) == Ending(why="it was stopped after 0.5 s", late=True)


def test_nothing_that_it_changes_is_changed_here(work):
    numbers = [1]

    def change() -> int:
        numbers.append(2)
        os.chdir("/")
        os.environ["LEARNT"] = "1"
        singletons.singleton(find_runs.Runs).append(None)
        builtins.sum = None
        return len(numbers)

    assert run_apart(change, 10).answer == 2
    assert numbers == [1]
    assert os.getcwd() == str(work)
    assert "LEARNT" not in os.environ
    assert singletons.singleton(find_runs.Runs) == []
    assert sum([1]) == 1


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda: os._exit(3), "its process exited with code 3"),
        (lambda: os._exit(0), "its process exited with code 0"),
        (lambda: os.closerange(0, 500), "it closed a file that it had not opened"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "its process was killed by signal 9"),
        (lambda: os.kill(0, signal.SIGKILL), "its process was killed by signal 9"),
        (lambda: os.kill(os.getppid(), signal.SIGKILL), "its process was killed from outside"),
        (lambda: os.abort(), "its process was killed by signal 6"),
    ],
    ids=["exits", "exits as if all were well", "closes files", "kills itself", "kills its group",
         "kills its parent", "aborts"],
)  # fmt: skip
def test_one_that_ends_its_process_is_said_to(function, why):
    ending = run_apart(function, 10)
    assert why in ending.why
    assert ending.answer is None
    assert not ending.late


def test_one_that_does_not_end_is_ended():
    began = time.monotonic()

    def loop() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            pass

    ending = run_apart(loop, 0.3)
    assert ending.late
    assert time.monotonic() - began > 0.3


def test_what_it_has_started_ends_with_it(tmp_path):
    """Whether or not the process stays in the group, and even if it keeps every pipe open."""

    def start() -> str:
        subprocess.Popen(["sleep", "600"], close_fds=False)
        away = subprocess.Popen(["setsid", "sh", "-c", f"echo $$ > {tmp_path}/pid; sleep 600"])
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
            time.sleep(0.01)
        return str(away.pid)

    assert run_apart(start, 30).answer
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))


def test_one_that_forks_answers_once():
    def fork() -> int:
        os.fork()
        os.fork()
        return 7

    assert run_apart(fork, 10).answer == 7


def test_a_gigabyte_that_it_prints_is_seen_nowhere(capfd):
    held = sys.stdout  # as a logger's handler holds it

    def flood() -> int:
        for _ in range(1000):
            print("x" * 1_000_000)
            held.write("y")
            os.write(2, b"z" * 1_000_000)
        return 1

    assert run_apart(flood, 60).answer == 1
    assert capfd.readouterr() == ("", "")


def test_the_descriptors_of_the_caller_are_not_there(tmp_path):
    with open(tmp_path / "notes", "w") as file:

        def scribble() -> str:
            try:
                os.write(file.fileno(), b"scribbled")
            except OSError as error:
                return type(error).__name__
            return "written"

        assert run_apart(scribble, 10).answer == "OSError"
    assert (tmp_path / "notes").read_text() == ""


def test_an_interrupt_ends_it_at_once_and_goes_on():
    began = time.monotonic()
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with pytest.raises(KeyboardInterrupt):
        run_apart(lambda: time.sleep(60), 60)
    assert time.monotonic() - began < 30


def test_it_ends_with_its_caller(tmp_path):
    code = (
        "import os, time, sys\n"
        "from mwtutor.exercises.isolation import run_apart\n"
        "def note():\n"
        "    open(sys.argv[1], 'w').write(str(os.getpid()) + '\\n')\n"
        "    time.sleep(600)\n"
        "run_apart(note, 600)\n"
    )
    notes = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", code, str(notes)]) as caller:
        while not notes.exists() or not notes.read_text().endswith("\n"):
            time.sleep(0.01)
        inner = psutil.Process(int(notes.read_text()))
        caller.kill()
    inner.wait(timeout=30)
