"""The process that runs TensorBoard and updates the data that it reads."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import sys
import tempfile
import types
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mwtutor.board.files import RunFiles, labels
from mwtutor.run.record.ownership import why_foreign
from mwtutor.run.record.validation import read_spec
from mwtutor.system import child, transport
from mwtutor.system.runtime_dir import private_dirs, runtime_dir

#: Seconds between two checks for new data.
_INTERVAL = 1.0

#: Each process that runs TensorBoard has a directory whose name starts with this prefix. The
#: process locks this file in it until it exits.
_PREFIX, _LOCK = "tb-", ".lock"


def serve(fd: int) -> None:
    """Run TensorBoard until the owner closes the connection, or dies."""
    owner = socket.socket(fileno=fd)
    order: dict[str, Any] = transport.receive(owner)[0]
    child.set_title("mwtutor tensorboard")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _remove_left_behind()
    root = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=runtime_dir()))
    lock = open(root / _LOCK, "wb")  # noqa: SIM115 - held until the process ends
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        specs = [read_spec(path) for path in order["runs"]]
        found = {
            label: RunFiles(
                spec, root / "runs" / label, None if why_foreign(spec) else Path(spec.request.cwd)
            )
            for label, spec in labels(specs).items()
        }
        for run in found.values():
            run.update()
        port = _start_tensorboard(root / "runs", order["prefix"])
        shows = {label: run.shows() for label, run in found.items()}
        transport.send(owner, {"port": port, "shows": shows})
        while not transport.readable(owner, _INTERVAL):
            for run in found.values():
                run.update()
    finally:
        shutil.rmtree(root, ignore_errors=True)
    os._exit(0)  # TensorBoard's threads never end


def _start_tensorboard(logs: Path, prefix: str) -> int:
    # TensorBoard can read these files without TensorFlow, whose import would cost ten seconds and
    # half a gigabyte.
    sys.modules["tensorboard.compat.notf"] = types.ModuleType("tensorboard.compat.notf")
    from tensorboard import program

    board = program.TensorBoard()
    board.configure(
        argv=["tensorboard"],
        logdir=str(logs),
        host="127.0.0.1",
        port=0,
        path_prefix=f"/{prefix}",
        reload_interval=2.0,
        # The fast loader is a second process that would serve the same data to anyone, on its own
        # port.
        load_fast="false",
        window_title="TensorBoard of mwtutor",
    )
    port: int | None = urlsplit(board.launch()).port
    assert port is not None
    return port


def _remove_left_behind() -> None:
    """Remove the directories that killed processes left behind."""
    for place in private_dirs():
        for path in place.glob(f"{_PREFIX}*"):
            try:
                with open(path / _LOCK, "rb") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            except OSError:  # its process is alive, or has just started
                continue
