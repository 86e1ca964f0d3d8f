"""A task without a cluster and without TensorFlow: started by a test instead of a supervisor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwtutor.system import child
from mwtutor.worker.bootstrap import TaskSpec


@dataclass(frozen=True)
class Ended:
    """How a program ended: its exit status, its output, and what its supervisor learned."""

    status: int
    printed: str
    told: tuple[dict[str, Any], ...] = ()


def both_ways(directory: Path, source: str) -> tuple[Ended, Ended]:
    """The program by hand and as a task, at the same time."""
    _put(directory, source)
    with ThreadPoolExecutor() as pool:
        return tuple(pool.map(lambda run: run(directory, source), (by_hand, as_task)))


def _put(directory: Path, source: str) -> None:
    text, path = textwrap.dedent(source), directory / "main.py"
    if not path.exists() or path.read_text() != text:  # another process may be executing it
        path.write_text(text)


def by_hand(directory: Path, source: str, *how: str) -> Ended:
    """The program under ``python main.py``, or ``how`` instead of the script."""
    _put(directory, source)
    done = subprocess.run(
        [sys.executable, "-u", *(how or ("main.py",))],  # as a task's output, in the order written
        cwd=directory,
        env=_env(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    return Ended(done.returncode, done.stdout)


def as_task(directory: Path, source: str, kind: str = "script", target: str = "main.py") -> Ended:
    """The program in the process of a task, a new one as with ``--cold``."""
    _put(directory, source)
    log = directory / "logs" / "worker-0.log"
    log.parent.mkdir(exist_ok=True)
    context = child.ProcessContext(_env(), str(directory), 0o022, {})
    spec = TaskSpec("worker:0", kind, target, (), str(log), context)  # type: ignore[arg-type]
    events, channel = os.pipe()
    requests, ask = os.pipe()
    with tempfile.TemporaryFile() as handed, open(log, "wb") as output:
        handed.write(f"{channel} {requests}\n{spec.to_json()}".encode())
        handed.seek(0)
        done = subprocess.run(
            [sys.executable, str(child.ENTRY), "task", str(handed.fileno())],
            pass_fds=[handed.fileno(), channel, requests],
            cwd=directory,
            env=_env(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            timeout=60,
        )
    for fd in (channel, requests, ask):
        os.close(fd)
    with os.fdopen(events, "rb") as pipe:
        told = tuple(map(json.loads, pipe.read().splitlines()))
    return Ended(done.returncode, log.read_text(), told)


def _env() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
