"""Start one program as one process, or as N workers, and wait for the results it writes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def free_ports(count: int) -> list[int]:
    """Ports nobody listens on, all held until the last is chosen so that they differ."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def run_program(
    arguments: Sequence[str], directory: Path, workers: int = 0, timeout: float = 300.0
) -> list[str]:
    """Run ``tests.parity.program`` and return what each of its processes printed.

    Args:
        arguments: its command line.
        directory: where it writes; becomes ``--out``, and holds the logs.
        workers: how many workers; 0 means one process without ``TF_CONFIG``.
        timeout: seconds until all are ended. A worker that fails ends the others 20 s later.
    """
    directory.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.parity.program", "--out", str(directory), *arguments]
    addresses = [f"127.0.0.1:{port}" for port in free_ports(workers)]
    logs = [directory / f"task{index}.log" for index in range(max(workers, 1))]
    tasks: list[subprocess.Popen[bytes]] = []
    try:
        for index, log in enumerate(logs):
            with log.open("wb") as stream:
                tasks.append(
                    subprocess.Popen(
                        command,
                        env=_environment(addresses, index),
                        cwd=ROOT,
                        stdout=stream,
                        stderr=subprocess.STDOUT,
                        start_new_session=True,
                    )
                )
        _wait(tasks, timeout)
    finally:
        for task in tasks:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(task.pid, signal.SIGKILL)
            task.wait()
    return [log.read_text(errors="replace") for log in logs]


def _environment(addresses: list[str], index: int) -> dict[str, str]:
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "CUDA_VISIBLE_DEVICES": "-1",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "TF_NUM_INTRAOP_THREADS": "1",
    }
    env.pop("TF_CONFIG", None)
    if addresses:
        task = {"type": "worker", "index": index}
        env["TF_CONFIG"] = json.dumps({"cluster": {"worker": addresses}, "task": task})
    return env


def _wait(tasks: list[subprocess.Popen[bytes]], timeout: float) -> None:
    end = time.monotonic() + timeout
    for task in tasks:
        while task.poll() is None and time.monotonic() < end:
            if any(other.poll() not in (None, 0) for other in tasks):
                end = min(end, time.monotonic() + 20)
            with contextlib.suppress(subprocess.TimeoutExpired):
                task.wait(timeout=0.2)
