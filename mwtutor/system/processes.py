"""Facts about processes, and ways to end them: by id, group and descent, never by name."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

_PR_SET_CHILD_SUBREAPER = 36


def started_at(pid: int) -> int | None:
    """When a live process started (clock ticks since the boot), or None if there is no such one.

    Pid and start time together name a process for as long as the machine is up; a pid alone may be
    used again. A time of day would not do: it changes when the clock is set.
    """
    try:
        if sys.platform == "linux":
            # The name in brackets may hold anything, brackets too; the start is field 22.
            stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
            fields = stat.rpartition(")")[2].split()
            return None if fields[0] in "ZX" else int(fields[19])
        process = psutil.Process(pid)
        zombie = process.status() == psutil.STATUS_ZOMBIE
        return None if zombie else int(process.create_time() * 100)
    except (psutil.Error, OSError):
        return None


def alive(pid: int, started: int) -> bool:
    """Whether the process that was ``pid`` and began at ``started`` still lives."""
    return started_at(pid) == started


def listens(pid: int, port: int) -> bool:
    """Whether the process listens on the TCP port of the network that it is in."""
    try:
        if sys.platform == "linux":
            sockets = _listening(pid, port)
            return bool(sockets) and bool(sockets & _open_files(pid))
        process = psutil.Process(pid)
        return any(
            connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
            for connection in process.net_connections("tcp")
        )
    except (psutil.Error, OSError):
        return False


def _listening(pid: int, port: int) -> set[str]:
    """The sockets that listen on the port in the process's network, which may not be ours."""
    found = set()
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(FileNotFoundError), open(f"/proc/{pid}/net/{name}") as table:
            for line in table:
                fields = line.split()
                if fields[3] == "0A" and fields[1].endswith(f":{port:04X}"):
                    found.add(f"socket:[{fields[9]}]")
    return found


def _open_files(pid: int) -> set[str]:
    found = set()
    for fd in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            found.add(os.readlink(f"/proc/{pid}/fd/{fd}"))
    return found


def has_open(pid: int, file: Path) -> bool:
    """Whether the process has the file open (Linux); not either if that cannot be seen."""
    try:
        wanted = file.stat()
        fds = os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return False
    for fd in fds:
        with contextlib.suppress(OSError):
            if os.path.samestat(os.stat(f"/proc/{pid}/fd/{fd}"), wanted):
                return True
    return False


def why_no_handler(pid: int, number: int) -> str:
    """Why a signal would not reach the handler of a process that has one; empty if it would."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return "cannot be inspected"
    fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    if fields.get("State", "").startswith(("T", "t")):
        return "was paused by a signal (SIGSTOP)"
    if not int(fields.get("SigCgt", "0"), 16) >> (number - 1) & 1:
        return "has not started yet, or handles signals in another way"
    return ""


def kill_group(leader: int, number: int = signal.SIGKILL) -> bool:
    """Signal a process group; returns whether there is one that may be signalled."""
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def become_subreaper() -> None:
    """Become the parent of every descendant whose own parent dies (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_children() -> None:
    """Kill and reap every descendant of this process, including those that left its group.

    The caller is a subreaper, so what a killed process leaves behind becomes its child: repeat
    until there is none.
    """
    while True:
        for child in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                child.kill()
        try:
            # Not waiting for one: it may have been forked after the list was made.
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


def wake_on_signals(told_to_end: Callable[[], None]) -> tuple[socket.socket, Callable[[], None]]:
    """Notify a loop of ended children and of SIGTERM; ignore the signals that terminals send.

    Returns:
        A socket that becomes readable when a signal has come, and what to call then.
    """
    woken, wake = socket.socketpair()
    woken.setblocking(False)
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    told: list[bool] = []
    # Noted only: the handler may come in the middle of anything.
    signal.signal(signal.SIGTERM, lambda *_: told.append(True))

    def drain(keep: socket.socket = wake) -> None:
        with contextlib.suppress(BlockingIOError):
            woken.recv(4096)
        if told:
            told.clear()
            told_to_end()

    return woken, drain


def exit_words(status: int) -> str:
    """An exit status (negative: a signal) as a person would say it."""
    if status >= 0:
        return f"exited with code {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = "unknown"
    return f"was killed by signal {-status} ({name})"
