"""Facts about processes."""

from __future__ import annotations

import socket
import subprocess

import psutil

from mwtutor.system import processes


def test_a_process_is_known_by_its_pid_and_its_start():
    with subprocess.Popen(["sleep", "60"]) as process:
        started = processes.started_at(process.pid)
        assert processes.alive(process.pid, started)
        assert not processes.alive(process.pid, started - 100)
        process.kill()
        process.wait()
    assert not processes.alive(process.pid, started)


def test_who_listens():
    me = psutil.Process().pid
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert processes.listens(me, port)
    assert not processes.listens(me, port)


def test_exits_in_words():
    assert processes.exit_words(3) == "exited with code 3"
    assert processes.exit_words(-9) == "was killed by signal 9 (SIGKILL)"
    assert processes.exit_words(-63) == "was killed by signal 63 (unknown)"
