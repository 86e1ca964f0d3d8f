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
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def held_ports(count: int) -> Iterator[list[int]]:
    """Ports nobody else can be given while the cluster runs.

    They are bound, not listened on; a worker shares its own by ``TF_GRPC_REUSE_PORT``. To release
    them before the workers start would invite anything else on this machine to take them.
    """
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            each.bind(("", 0))
        yield [each.getsockname()[1] for each in sockets]


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
    logs = [directory / f"task{index}.log" for index in range(max(workers, 1))]
    tasks: list[subprocess.Popen[bytes]] = []
    with held_ports(workers) as ports:
        try:
            for index, log in enumerate(logs):
                tasks.append(_start(command, _environment(ports, index), log))
            _wait(tasks, timeout)
        finally:
            for task in tasks:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(task.pid, signal.SIGKILL)
                task.wait()
    return [log.read_text(errors="replace") for log in logs]


def _start(command: list[str], env: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as stream:
        return subprocess.Popen(
            command,
            env=env,
            cwd=ROOT,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _environment(ports: list[int], index: int) -> dict[str, str]:
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "CUDA_VISIBLE_DEVICES": "-1",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "TF_GRPC_REUSE_PORT": "1",
        "TF_NUM_INTRAOP_THREADS": "1",
    }
    env.pop("TF_CONFIG", None)
    if ports:
        addresses = [f"127.0.0.1:{port}" for port in ports]
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
