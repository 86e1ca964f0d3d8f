"""The warm process: it imports TensorFlow once, and forks a supervisor for every launch.

Forking after ``import tensorflow`` is safe as long as nothing has used the runtime: no eager
operation, no device list, no gRPC channel. The server proves this before each fork. If it cannot,
it refuses, and its owner starts a new server.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import math
import os
import signal
import socket
import sys
import time
import warnings
from typing import Any

from mwtutor.engines.local.preloaded import PRELOADED
from mwtutor.exceptions import BadInput
from mwtutor.run.record.spec import RunSpec
from mwtutor.supervisor.process import supervise
from mwtutor.system import child, classroom, shadows, transport
from mwtutor.system.runtime_dir import runtime_dir
from mwtutor.worker import program


def serve(fd: int, parent: int = 0) -> None:
    """Import, then fork a supervisor for every request from ``fd``, until ``fd`` closes.

    During an import, the server cannot notice that ``fd`` has closed. If ``parent`` is given, its
    death also ends the server. On a shared machine, the server exits when it has been unused for as
    long as a session may be idle, because it uses hundreds of MiB; the next launch starts another
    one.
    """
    patience = _patience()
    if parent:
        child.die_with(parent)
    program.draw_outside_cells()
    if not os.access(os.path.expanduser("~"), os.W_OK):
        # matplotlib would create a temporary directory, and the first task to end would remove it.
        os.environ.setdefault("MPLCONFIGDIR", os.fspath(runtime_dir() / "matplotlib"))
    channel = socket.socket(fileno=fd)
    child.set_title("mwtutor fork server")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors are reaped by the system
    missing = list(PRELOADED)
    while True:
        # A launch waits only for the first import; the other imports use idle time.
        while missing and (len(missing) == len(PRELOADED) or not transport.readable(channel, 0.0)):
            _import(missing.pop(0))
            baseline = Baseline.now(own={fd})
            # This keeps a child's garbage collector from visiting, and thereby copying, objects
            # that live forever.
            gc.freeze()
            if len(missing) == len(PRELOADED) - 1:
                with contextlib.suppress(transport.Disconnected):
                    transport.send(channel, {"ready": True})
        if not _asked_within(channel, patience):
            return
        try:
            order, fds = transport.receive(channel, max_fds=3)
        except transport.Disconnected:
            return
        owner, lease, *claim = (socket.socket(fileno=fd) for fd in fds)
        with owner, lease, contextlib.ExitStack() as held:
            for one in claim:  # only the supervisor and its guard keep it
                held.enter_context(one)
            _serve_one(order, owner, lease, channel, baseline)


def _serve_one(
    order: dict[str, Any],
    owner: socket.socket,
    lease: socket.socket,
    channel: socket.socket,
    baseline: Baseline,
) -> None:
    if reason := baseline.broken():
        with contextlib.suppress(transport.Disconnected):
            transport.send(owner, {"refused": reason})
    elif reason := _shadowed(order):
        with contextlib.suppress(transport.Disconnected):
            transport.send(owner, {"unfit": reason})
    elif child.fork() == 0:  # the other threads are idle, as Baseline has shown
        channel.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        supervise(owner, lease, order, keep=baseline.fds)


def _shadowed(order: dict[str, Any]) -> str:
    run = RunSpec.from_json(order["run"])
    kind, target = run.program.kind, run.program.target
    if kind == "kernel":  # as in a notebook, where the kernel's own imports come first
        return ""
    return shadows.why_not_forked(program.own_directory(kind, target, run.request.cwd))


class Baseline:
    """The state of the process with TensorFlow imported but not yet used."""

    def __init__(self, threads: int, fds: frozenset[int], cuda: bool) -> None:
        self.threads = threads
        self.fds = fds
        self._cuda = cuda

    @classmethod
    def now(cls, own: set[int]) -> Baseline:
        return cls(len(_entries("task")), frozenset(_fds()) - own, cuda_is_loaded())

    def broken(self) -> str:
        """Why forking now would not be safe; empty if it is safe."""
        context = sys.modules.get("tensorflow.python.eager.context")
        if context is not None and context.context_safe() is not None:
            return "TensorFlow's runtime has been started in the fork server"
        if len(_entries("task")) > self.threads:
            return "threads have been started in the fork server"
        # A driver in use does not survive a fork: the child's calls fail, or disturb the parent's.
        if gpu_files() or (cuda_is_loaded() and not self._cuda):
            return "CUDA has been started in the fork server"
        return ""


def gpu_files() -> list[str]:
    """The GPU device files that this process has open; a CUDA context needs them."""
    files = []
    for fd in _entries("fd"):
        with contextlib.suppress(OSError):
            files.append(os.readlink(f"/proc/self/fd/{fd}"))
    return [file for file in files if file.startswith("/dev/nvidia")]


def cuda_is_loaded() -> bool:
    """Whether the driver's library is mapped into this process."""
    try:
        with open("/proc/self/maps") as maps:
            return any("/libcuda.so" in line for line in maps)
    except OSError:
        return False


def _patience() -> float:
    """Seconds that a server waits for a request."""
    with contextlib.suppress(BadInput):
        if (limits := classroom.shares()) and limits.idle:
            return 60.0 * limits.idle
    return math.inf


def _asked_within(channel: socket.socket, seconds: float) -> bool:
    """Whether a request arrives, or the channel closes, within this time."""
    deadline = time.monotonic() + seconds
    while not transport.readable(channel, max(0.0, deadline - time.monotonic())):
        if time.monotonic() >= deadline:
            return False
    return True


def _import(name: str) -> None:
    if name == "tf_keras" and _has_its_own_keras_2():
        return
    gc.disable()  # imported objects stay; scanning them takes a sixth of the import's time
    with contextlib.suppress(ImportError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        importlib.import_module(name)
    gc.enable()


def _has_its_own_keras_2() -> bool:
    """Whether ``tf.keras`` is Keras 2, as in TensorFlow up to 2.15.

    If ``tf_keras`` were imported next to it, loading a model would silently keep its initial
    weights (2.15.1: ``tf.keras.models.load_model`` of a ``.keras`` file).
    """
    version = getattr(sys.modules.get("tensorflow"), "__version__", "2.16")
    return tuple(map(int, version.split(".")[:2])) < (2, 16)


def _entries(kind: str) -> list[str]:
    try:
        return os.listdir(f"/proc/self/{kind}")
    except OSError:
        return []


def _fds() -> list[int]:
    fds = []
    for name in _entries("fd"):
        with contextlib.suppress(OSError):
            os.fstat(int(name))
            if int(name) > 2:
                fds.append(int(name))
    return fds
