"""A TensorFlow cluster of plain processes, for tests of what runs inside the tasks.

No part of mwtutor is used here, so that what is tested does not depend on the launcher.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ended:
    """A task that has ended: its exit code (negative: the signal that ended it) and its output."""

    task: str
    returncode: int
    log: str


def run_cluster(
    jobs: Mapping[str, int],
    command: Sequence[str],
    workdir: Path,
    env: Mapping[str, str] | None = None,
    timeout: float = 120.0,
) -> dict[str, Ended]:
    """Run ``command`` as every task of a cluster until all but the ``ps`` tasks have ended.

    Args:
        jobs: how many tasks of each job, for example ``{"chief": 1, "ps": 1}``.
        command: what each task executes, with a ``TF_CONFIG`` of its own.
        workdir: where the tasks run and where their logs are kept.
        env: variables in addition to this process's.
        timeout: seconds allowed for all of it.

    Raises:
        AssertionError: a task failed or the time is over; with the end of every log.
    """
    with ExitStack() as stack:
        cluster = {
            job: [f"127.0.0.1:{_held_port(stack)}" for _ in range(count)]
            for job, count in jobs.items()
        }
        tasks: dict[str, subprocess.Popen[bytes]] = {}
        for job, count in jobs.items():
            for index in range(count):
                task = {"cluster": cluster, "task": {"type": job, "index": index}}
                own = {**os.environ, "TF_GRPC_REUSE_PORT": "1", **(env or {})}
                own["TF_CONFIG"] = json.dumps(task)
                log = stack.enter_context(open(workdir / f"{job}-{index}.log", "wb"))
                process = subprocess.Popen(
                    command,
                    cwd=workdir,
                    env=own,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
                stack.callback(_kill, process)
                tasks[f"{job}:{index}"] = process
        problem = _wait({name: p for name, p in tasks.items() if name[:3] != "ps:"}, timeout)
    ended = {
        name: Ended(name, process.returncode, _log_of(workdir, name))
        for name, process in tasks.items()
    }
    assert not problem, "\n".join(
        [problem, *(f"--- {e.task} ({e.returncode})\n{e.log[-3000:]}" for e in ended.values())]
    )
    return ended


def _held_port(stack: ExitStack) -> int:
    """A port that only processes which say SO_REUSEPORT can still bind."""
    held = stack.enter_context(socket.socket())
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind(("", 0))
    port = held.getsockname()[1]
    assert isinstance(port, int)
    return port


def _wait(tasks: Mapping[str, subprocess.Popen[bytes]], timeout: float) -> str:
    """Wait until all have ended or one has failed; return what went wrong."""
    deadline = time.monotonic() + timeout
    with selectors.DefaultSelector() as selector, ExitStack() as stack:
        for name, process in tasks.items():
            pidfd = os.pidfd_open(process.pid)
            stack.callback(os.close, pidfd)
            selector.register(pidfd, selectors.EVENT_READ, name)
        while selector.get_map():
            events = selector.select(max(0.0, deadline - time.monotonic()))
            if not events:
                return f"still running after {timeout} s"
            for key, _ in events:
                selector.unregister(key.fileobj)
                code = tasks[key.data].wait()
                if code:
                    return f"{key.data} ended with {code}"
    return ""


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a task: all that runs in the session it leads."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _log_of(workdir: Path, task: str) -> str:
    return (workdir / f"{task.replace(':', '-')}.log").read_text(errors="replace")
