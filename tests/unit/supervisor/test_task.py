"""A task as its supervisor sees it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess

import pytest

from mwtutor.cluster import TaskId
from mwtutor.supervisor.failure import failure
from mwtutor.supervisor.task import TaskProcess
from mwtutor.system.ports import HeldPorts
from tests.support.waiting import until


def test_a_task_that_leads_no_group_yet_is_signalled_all_the_same(tmp_path):
    task = TaskProcess(TaskId("worker", 0), 1, tmp_path / "worker-0.log")
    with subprocess.Popen(["sleep", "60"]) as process:  # in this group, like one just forked
        task.pid = process.pid
        task.stop()
        assert process.wait(5) == -signal.SIGKILL
    task.close()


@pytest.mark.parametrize(
    ("ours", "kills", "words"),
    [
        (True, 1, ""),  # whatever else has happened on this machine
        (False, 0, ""),
        (
            False,
            1,
            "memory ran out, and the kernel killed 1 process at that time, possibly this one",
        ),
        (
            False,
            2,
            "memory ran out, and the kernel killed 2 processes at that time, possibly this one",
        ),
    ],
)
def test_a_kill_is_put_down_to_memory_only_where_that_may_be(tmp_path, ours, kills, words):
    task = TaskProcess(TaskId("worker", 1), 1, tmp_path / "worker-1.log")
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        task.pid = process.pid
        task.send_signal(signal.SIGCONT)
        if ours:
            task.send_signal(signal.SIGKILL)
        else:
            os.kill(process.pid, signal.SIGKILL)
        task.ended_by = process.wait(5)
    task.memory_kills = kills
    task.close()
    said = "worker:1 was killed by signal 9 (SIGKILL)" + f"; {words}" * bool(words)
    assert failure(task) == {"reason": said}


@pytest.fixture
def task(tmp_path):
    """A task that could listen on a port that is reserved for it."""
    with HeldPorts(1) as held:
        made = TaskProcess(TaskId("worker", 0), held.numbers[0], tmp_path / "worker-0.log")
        made.pid = os.getpid()
        yield made


def listening(port):
    return socket.create_server(("127.0.0.1", port), reuse_port=True)


def test_a_port_that_is_listened_on_is_seen_at_once(task):
    assert not task.listens()
    with listening(task.port):
        assert task.listens()


def test_a_port_is_seen_though_another_was_closed_for_it(task):
    """The number of sockets is then the same."""
    with listening(0):
        assert not task.listens()
    with listening(task.port):
        until(task.listens)
