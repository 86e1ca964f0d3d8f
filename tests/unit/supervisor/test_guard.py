"""The guard: real processes, with a supervisor that does not respond."""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from mwtutor.run import control
from mwtutor.run.record.eventlog import EventReader
from mwtutor.run.record.spec import RunSpec
from mwtutor.supervisor import guard
from tests.support.runs.directories import a_run
from tests.support.waiting import until


class Guarded:
    """A supervisor that executes a given function, and its guard, a child of this process."""

    def __init__(self, run: RunSpec, work: Callable[[socket.socket], None]) -> None:
        self.run = run
        self.owner, theirs = socket.socketpair()
        self.lease, its = socket.socketpair()
        path = control.new_path(run)
        listener = control.listen(path)
        self.guard = os.fork()
        if not self.guard:
            try:
                self.owner.close()
                self.lease.close()
                link = guard.leave_behind(run, listener, theirs, its)
                Path("supervisor").write_text(str(os.getpid()))
                work(link)
            finally:
                os._exit(0)
        for end in (theirs, its, listener):
            end.close()
        until(lambda: Path("supervisor").exists() and Path("supervisor").read_text())
        self.supervisor = int(Path("supervisor").read_text())

    def ended(self) -> bool:
        return os.waitpid(self.guard, os.WNOHANG)[0] == self.guard


@pytest.fixture
def guarded(work, monkeypatch):
    monkeypatch.setattr(guard, "PATIENCE", 0.3)
    monkeypatch.setattr(guard, "_PAUSE", 0.1)
    made: list[Guarded] = []

    def start(does: Callable[[socket.socket], None]) -> Guarded:
        made.append(Guarded(a_run(), does))
        return made[-1]

    yield start
    for one in made:
        for pid in (one.supervisor, one.guard):
            if psutil.pid_exists(pid):
                os.kill(pid, signal.SIGKILL)


def hangs(link: socket.socket) -> None:
    if not os.fork():  # a hidden task: an orphan once the supervisor is killed
        os.setsid()
        Path("task").write_text(str(os.getpid()))
        time.sleep(600)
    time.sleep(600)


def answers(link: socket.socket) -> None:
    while guard.answer(link):
        pass


def reasons(run: RunSpec) -> list[str]:
    if not run.events.exists():
        return []
    return [e["reason"] for e in EventReader(run.events).read() if e["event"] == "run_ended"]


def test_a_supervisor_that_hangs_is_killed_with_its_tasks_when_the_owner_has_gone(guarded):
    one = guarded(hangs)
    until(lambda: Path("task").exists() and Path("task").read_text())
    task = int(Path("task").read_text())
    one.owner.close()
    one.lease.close()
    until(one.ended, 20)
    assert not psutil.pid_exists(one.supervisor)
    assert not psutil.pid_exists(task)
    assert reasons(one.run) == [
        "it ended with the process that launched it; its supervisor did not respond for 0.3 s, and"
        " was killed"
    ]
    assert control.paths(one.run) == []


def test_the_owners_reason_is_recorded(guarded):
    one = guarded(hangs)
    one.lease.send(b"it was replaced")
    until(one.ended, 20)
    assert reasons(one.run)[0].startswith("it was replaced; its supervisor did not respond")


def test_an_order_to_stop_is_taken_for_a_supervisor_that_hangs(guarded):
    one = guarded(hangs)
    answer = until(lambda: refused(one.run), 20)
    assert answer == {"error": f"the run's supervisor (process {one.supervisor}) does not respond"}
    assert control.order(one.run, verb="stop", reason="enough")["ok"] is True
    until(one.ended, 20)
    assert reasons(one.run)[0].startswith("enough; ")


def refused(run: RunSpec) -> dict[str, object]:
    return control.order(run, verb="kill", task="worker:0")


def test_one_that_answers_is_left_alone_and_records_its_end_itself(guarded):
    one = guarded(answers)
    one.lease.send(b"it was stopped")
    time_of_several_questions = 0.8
    assert not select.select([one.lease], [], [], time_of_several_questions)[0]
    assert not one.ended()
    os.kill(one.supervisor, signal.SIGKILL)
    until(one.ended, 20)
    assert reasons(one.run) == [], "what is not known is not written"


def test_whatever_the_supervisor_left_is_ended(guarded):
    one = guarded(ends_before_its_task)
    until(one.ended, 20)
    assert not psutil.pid_exists(int(Path("task").read_text()))


def ends_before_its_task(link: socket.socket) -> None:
    if not os.fork():
        link.close()  # as every task does
        os.setsid()
        Path("task").write_text(str(os.getpid()))
        time.sleep(600)
    until(lambda: Path("task").exists() and Path("task").read_text())


def test_who_asks_is_answered_once():
    ours, theirs = socket.socketpair()
    ours.send(b"?")
    assert guard.answer(theirs)
    assert ours.recv(8) == b"!"
    ours.close()
    assert not guard.answer(theirs)
    theirs.close()
