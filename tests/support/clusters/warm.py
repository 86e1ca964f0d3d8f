"""Processes that have imported TensorFlow and Keras: forks of one that has done nothing else.

The imports are most of the cost of a small program, and the bridges' tests start many. mwtutor's
own launcher does the same, but is not used here.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import multiprocessing
import os
import runpy
import signal
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterable, Mapping, Sequence
from multiprocessing import forkserver
from multiprocessing.connection import wait as wait_for
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest import mock

# Variables read when TensorFlow is imported, or common to all tests.
ENVIRONMENT = {"CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "2"}


@functools.cache
def _context() -> Any:
    """The standard library's fork server, started with its own environment."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tensorflow", "keras", "tf_keras"])
    with mock.patch.dict(os.environ, ENVIRONMENT):
        forkserver.ensure_running()
    return context


@functools.cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    """The shared temporary directory, removed at the end with what killed processes left in it."""
    return tempfile.TemporaryDirectory(prefix="mwtutor-tests-", ignore_cleanup_errors=True)


def start(
    argv: Sequence[str],
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    errors: Path | None = None,
) -> BaseProcess:
    """Run a program as the leader of its own session.

    Args:
        argv: a script's path, or ``-m`` and a module's name, and its arguments.
        log: receives its output.
        env: variables in addition to this process's; ``TF_CONFIG`` is not inherited, and these
            processes share one ``TMPDIR``.
        cwd: its working directory.
        errors: receives its standard error; None means that the log does.
    """
    env = {"TMPDIR": _temporary().name, **(env or {})}
    process: BaseProcess = _context().Process(
        target=_execute, args=(list(argv), [log, errors or log], env, str(cwd or Path.cwd()))
    )
    process.start()
    return process


def _execute(argv: list[str], outputs: list[Path], env: Mapping[str, str], cwd: str) -> None:
    gc.freeze()  # garbage collection then skips the imported modules
    os.setsid()
    for stream, path in zip((1, 2), outputs):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), stream)
    os.environ.pop("TF_CONFIG", None)
    os.environ.update(env)
    tempfile.tempdir = None  # an import may have set it
    os.chdir(cwd)
    if argv[0] == "-m":
        sys.argv = argv[1:]
        runpy.run_module(argv[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = argv
        sys.path.insert(0, str(Path(argv[0]).parent))
        runpy.run_path(argv[0], run_name="__main__")


def wait(processes: Iterable[BaseProcess], timeout: float, grace: float = 0.0) -> bool:
    """Wait until all processes have ended, but at most ``grace`` seconds after a failure.

    Returns:
        Whether all have ended successfully.
    """
    processes = list(processes)
    end = time.monotonic() + timeout
    failed = False
    while running := [p for p in processes if p.exitcode is None]:
        if not failed and any(p.exitcode for p in processes):
            failed, end = True, min(end, time.monotonic() + grace)
        if not wait_for([p.sentinel for p in running], max(0.0, end - time.monotonic())):
            return False
    return not any(p.exitcode for p in processes)


def kill(processes: Iterable[BaseProcess]) -> None:
    """Kill the remaining processes of each session."""
    for process in processes:
        if process.exitcode is None:
            process.kill()  # the process may not lead its session yet
        assert process.pid is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.join()


def run_source(source: str, timeout: float = 120.0) -> str:
    """The standard output of a program given as source."""
    with tempfile.TemporaryDirectory() as name:
        script, log, errors = (Path(name) / file for file in ("program.py", "out", "err"))
        script.write_text(textwrap.dedent(source))
        process = start([str(script)], log, cwd=Path(name), errors=errors)
        try:
            well = wait([process], timeout)
        finally:
            kill([process])
        assert well, errors.read_text()[-4000:]
        return log.read_text()
