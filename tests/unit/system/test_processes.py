"""Facts about processes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys

import psutil
import pytest

from mwtutor.system import processes
from tests.support.machines.network import in_a_fork
from tests.support.waiting import until


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


#: A task of the named run, ended while its children of every kind are still running: a process
#: without descriptors in a separate session, one made by multiprocessing, and one started without
#: environment in the task's own session.
FORKING = """
import multiprocessing, os, subprocess, sys, time
from mwtutor.system import processes

os.setsid()
processes.leave_mark(sys.argv[1])
told, tell = os.pipe()
if os.fork() == 0:
    os.setsid()
    os.write(tell, f"{os.getpid()} ".encode())
    os.closerange(0, 100)
    time.sleep(600)
other = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,))
other.start()
bare = subprocess.Popen(["sleep", "600"], env={})
print(os.read(told, 20).decode(), other.pid, bare.pid, flush=True)
os._exit(0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has marks that a fork inherits")
def test_what_a_dead_task_has_forked_is_known_and_ended():
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as stranger:
        task = subprocess.Popen(
            [sys.executable, "-c", FORKING, "one of ours"], stdout=subprocess.PIPE, text=True
        )
        with task:
            left = [psutil.Process(int(pid)) for pid in task.stdout.readline().split()]
        try:
            assert len(left) == 3
            assert processes.of_run("another") == []
            assert set(processes.of_run("one of ours")) == set(left)
            assert processes.kill_run("one of ours") == []
            assert not any(map(lives, left))
            assert stranger.poll() is None
        finally:
            for process in filter(lives, left):
                process.kill()
            stranger.kill()


def lives(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def test_of_somebody_elses_session_only_the_marked_are_ended():
    marked = "MWTUTOR_RUN=mine sleep 601 & sleep 602 & echo $!; wait"
    shell = subprocess.Popen(
        ["sh", "-c", marked], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    with shell:
        beside = psutil.Process(int(shell.stdout.readline()))
        until(lambda: processes.of_run("mine"))
        assert [process.cmdline()[-1] for process in processes.of_run("mine")] == ["601"]
        processes.kill_run("mine")
        assert processes.of_run("mine") == []
        assert lives(beside)
        assert shell.poll() is None
        os.killpg(shell.pid, signal.SIGKILL)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a child of another user's")
def test_a_child_that_became_another_user_is_named_and_left():
    told, tell = os.pipe()

    def ordinary_with_a_child_of_root() -> str:
        processes.become_subreaper()
        root = os.fork()
        if root == 0:
            os.closerange(3, 256)  # this test waits for the pipe's end
            os.execvp("sleep", ["sleep", "600"])
        os.write(tell, str(root).encode())
        os.setresuid(65534, 65534, 65534)
        own = subprocess.Popen(["sleep", "600"])
        left = processes.kill_children()
        return f"{not psutil.pid_exists(own.pid)} {left}"

    said = in_a_fork(ordinary_with_a_child_of_root)
    root = int(os.read(told, 20))
    os.kill(root, signal.SIGKILL)
    assert said.startswith("True ['")
    assert said.endswith(f" (process {root}), which switched to user root and cannot be killed']")


@pytest.mark.parametrize(
    ("command", "script"),
    [
        (["/usr/bin/python3", "-u", "/a/worker.py", "--index", "0"], "worker.py"),
        ("TF_CONFIG={} python worker.py &> log", "worker.py"),
        (["./worker.py"], "worker.py"),
        (["bash", "-c", "exec python3.12 worker.py"], "worker.py"),
        (["python3", "-c", "from multiprocessing.resource_tracker import main"], ""),
        (["cat", "worker.py"], ""),
        (["git", "rev-parse"], ""),
        ([b"python", 7], ""),
        (None, ""),
    ],
)
def test_which_script_a_command_executes(command, script):
    assert processes.script_of(command) == script
