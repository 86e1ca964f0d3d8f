"""Inspect processes and kill them, by id, group or descent, never by name."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import mmap
import os
import signal
import socket
import time
from collections.abc import Callable, Collection, Container, Iterator
from pathlib import Path

import psutil

from mwtutor.sanitize import harmless
from mwtutor.system.linux import LINUX, PROC

#: The variable that marks processes started by a task as part of its run.
MARKER = "MWTUTOR_RUN"

#: A device and an inode number, which identify a file whatever its name.
Inode = tuple[int, int]

#: An error and its remedy for a Python without ``os.waitid``, which exists on macOS since 3.13.
NO_WAITID = (
    "On macOS, mwtutor needs Python 3.13.",
    "Install Python 3.13, or use a Linux container.",
)

_PR_SET_CHILD_SUBREAPER = 36

#: Seconds within which a killed process ends, unless the system blocks it.
_DYING = 4.0


def started_at(pid: int) -> int | None:
    """When a live process started (clock ticks since boot), or None if it does not exist.

    Pid and start time together identify a process until the next boot; a pid alone may be reused. A
    time of day is not reliable, because the clock can be set.
    """
    try:
        if LINUX:
            # The name in parentheses may contain anything, even parentheses; the start time is
            # field 22.
            stat = Path(f"{PROC}/{pid}/stat").read_text(errors="replace")
            fields = stat.rpartition(")")[2].split()
            return None if fields[0] in "ZX" else int(fields[19])
        process = psutil.Process(pid)
        zombie = process.status() == psutil.STATUS_ZOMBIE
        return None if zombie else int(process.create_time() * 100)
    except (psutil.Error, OSError):
        return None


def alive(pid: int, started: int) -> bool:
    """Whether the process ``pid`` that started at ``started`` is still alive."""
    return started_at(pid) == started


def is_halted(pid: int) -> bool:
    """Whether a signal (SIGSTOP) has halted the process."""
    with contextlib.suppress(psutil.Error, OSError):
        return bool(psutil.Process(pid).status() == psutil.STATUS_STOPPED)
    return False


def notebook_of(pid: int) -> str:
    """The path of the notebook whose kernel a process is, when it started; empty if unknown."""
    with contextlib.suppress(psutil.Error, OSError):
        return psutil.Process(pid).environ().get("JPY_SESSION_NAME", "")
    return ""


def whose(pid: int) -> str:
    """A process in words: the notebook whose kernel it is, or its command line."""
    command = ""
    with contextlib.suppress(psutil.Error, OSError):
        command = harmless(" ".join(psutil.Process(pid).cmdline()))
    if "ipykernel" in command:
        notebook = harmless(os.path.basename(notebook_of(pid)))
        named = f"{notebook}, " if notebook else ""
        return f"another notebook ({named}kernel process {pid})"
    return f"another process ({pid}: {command[:80]})" if command else f"process {pid}"


def usage(pid: int, started: int) -> tuple[int, float, int] | None:
    """The resident bytes, processor seconds and threads of a process; None if it has exited.

    Its children are not included: finding them would require a scan of all processes.

    Args:
        started: when it started, as :func:`started_at` returns it.
    """
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            memory, cpu = process.memory_info().rss, process.cpu_times()
            threads = process.num_threads()
    except (psutil.Error, OSError):
        return None
    return (memory, cpu.user + cpu.system, threads) if alive(pid, started) else None


def network_bytes(pid: int) -> int | None:
    """The bytes received on the interfaces of a process's network."""
    try:
        with open(f"{PROC}/{pid}/net/dev") as table:
            return sum(int(line.partition(":")[2].split()[0]) for line in table if ":" in line)
    except (OSError, ValueError, IndexError):
        return None


def listens(pid: int, port: int) -> bool:
    """Whether the process listens on the TCP port, in its own network."""
    try:
        if LINUX:
            sockets = _listening(pid, port)
            return bool(sockets) and bool(sockets & _open_files(pid))
        process = psutil.Process(pid)
        return any(
            connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
            for connection in process.net_connections("tcp")
        )
    except (psutil.Error, OSError):
        return False


def socket_count(pid: int) -> str:
    """The number of TCP sockets in use in the process's network; empty if unknown.

    The number changes when a socket starts to listen. Each table of sockets takes milliseconds to
    read; this number takes a hundredth of that.
    """
    counts = []
    for name in ("sockstat", "sockstat6"):
        with contextlib.suppress(OSError), open(f"{PROC}/{pid}/net/{name}") as table:
            counts += [" ".join(line.split()[:3]) for line in table if line.startswith("TCP")]
    return "; ".join(counts)


def _listening(pid: int, port: int) -> set[str]:
    """The sockets that listen on the port in the network of that process."""
    found = set()
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(FileNotFoundError), open(f"{PROC}/{pid}/net/{name}") as table:
            for line in table:
                fields = line.split()
                if fields[3] == "0A" and fields[1].endswith(f":{port:04X}"):
                    found.add(f"socket:[{fields[9]}]")
    return found


def _open_files(pid: int) -> set[str]:
    found = set()
    for fd in os.listdir(f"{PROC}/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            found.add(os.readlink(f"{PROC}/{pid}/fd/{fd}"))
    return found


def has_open(pid: int, file: Path) -> bool:
    """Whether the process has the file open (Linux); False if that cannot be determined."""
    try:
        wanted = file.stat()
        fds = os.listdir(f"{PROC}/{pid}/fd")
    except OSError:
        return False
    for fd in fds:
        with contextlib.suppress(OSError):
            if os.path.samestat(os.stat(f"{PROC}/{pid}/fd/{fd}"), wanted):
                return True
    return False


def why_no_handler(pid: int, number: int) -> str:
    """Why a signal would not reach a process's handler; empty if it would."""
    try:
        lines = Path(f"{PROC}/{pid}/status").read_text().splitlines()
    except OSError:
        return "cannot be inspected"
    fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    if fields.get("State", "").startswith(("T", "t")):
        return "was paused by a signal (SIGSTOP)"
    if not int(fields.get("SigCgt", "0"), 16) >> (number - 1) & 1:
        return "has not started yet, or handles signals differently"
    return ""


def kill_group(leader: int, number: int = signal.SIGKILL) -> bool:
    """Signal a process group; return whether it exists and may be signaled."""
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def become_subreaper() -> None:
    """Become the parent of every descendant whose own parent dies (Linux)."""
    if LINUX:
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_children(kept: Collection[int | None] = ()) -> list[str]:
    """Kill and reap every descendant of this process, including those that left its group.

    The caller is a subreaper, so the children of a killed process become its own; killing is
    repeated until none is left.

    Args:
        kept: children that are left alone, with their descendants, and reaped by the caller.

    Returns:
        The processes that could not be killed, in words: none, unless a child switched users.
    """

    def descendants() -> list[psutil.Process] | None:
        try:
            # Without blocking: a child may have been forked after the list was made.
            while not kept and os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return None
        found = [one for one in psutil.Process().children() if one.pid not in kept]
        for child in tuple(found):
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child.pid, os.WNOHANG)
            with contextlib.suppress(psutil.Error):
                found += child.children(recursive=True)
        return found or (None if kept else [])

    return _kill_until_gone(descendants)


def kill_descendants(pid: int) -> None:
    """Kill every descendant of ``pid``, a subreaper and child of this process, but not ``pid``."""

    def descendants() -> list[psutil.Process] | None:
        try:
            found = psutil.Process(pid).children(recursive=True)
        except psutil.Error:
            return None
        return list(filter(_lives, found)) or None

    _kill_until_gone(descendants)


def reap(
    leaders: Container[int], ending: Callable[[int], object] = lambda leader: None
) -> Iterator[tuple[int, int]]:
    """The children that have ended: the pid and the exit status of each (negative: a signal).

    Args:
        leaders: children whose group is killed with them.
        ending: called with each leader that has ended, just before its group is killed.
    """
    while True:
        try:
            # Peek first: while a leader is a zombie, its group's id cannot be reused.
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if ended is None:
            return
        if ended.si_pid in leaders:
            ending(ended.si_pid)
            kill_group(ended.si_pid)
        _, status = os.waitpid(ended.si_pid, 0)
        yield ended.si_pid, os.waitstatus_to_exitcode(status)


def scripts_left(leader: int, leaders: Container[int]) -> dict[int, str]:
    """The Python scripts that processes started by a leader are still executing (Linux).

    Call this after the leader has ended and before it is reaped. Its processes are in its group, or
    have become children of this process, a subreaper.

    Args:
        leaders: children that this process itself started.

    Returns:
        The script of each process, by pid.
    """
    try:
        me = os.getpid()
        adopted = Path(f"{PROC}/{me}/task/{me}/children").read_text().split()
        pids = {int(pid) for pid in os.listdir(PROC) if pid.isdigit()}
    except (OSError, ValueError):
        return {}
    # An orphan in another leader's group belongs to that leader.
    left = {int(pid) for pid in adopted if _group(int(pid)) not in leaders}
    left |= {pid for pid in pids if _group(pid) == leader}
    found, parents = {}, set()
    for pid in sorted(left - {leader}):
        with contextlib.suppress(psutil.Error, OSError):
            process = psutil.Process(pid)
            if script := script_of(process.cmdline()) if _lives(process) else "":
                found[pid] = script
                parents.add(process.ppid())
    # A shell that waits for the script also has the script's name in its command.
    return {pid: script for pid, script in found.items() if pid not in parents}


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:
        return 0


def script_of(command: object) -> str:
    """The file name of the Python script that a command executes; empty if none.

    Args:
        command: a list of words, or a shell command line.
    """
    words = [command] if isinstance(command, str | bytes | os.PathLike) else command
    if not isinstance(words, list | tuple):
        return ""
    texts = [os.fsdecode(word) for word in words if isinstance(word, str | bytes | os.PathLike)]
    line = " ".join(texts).split()
    for at, word in enumerate(line):
        python = at == 0 or any(os.path.basename(one).startswith("python") for one in line[:at])
        if word.endswith(".py") and python:
            return harmless(os.path.basename(word))
    return ""


def halts() -> Iterator[tuple[int, bool]]:
    """The children that a signal has halted (SIGSTOP) or resumed since the last call.

    Returns:
        The pid of each, and whether it is halted now.
    """
    with contextlib.suppress(ChildProcessError):
        while child := os.waitid(os.P_ALL, 0, os.WSTOPPED | os.WCONTINUED | os.WNOHANG):
            yield child.si_pid, child.si_code != os.CLD_CONTINUED


def leave_mark(run_id: str) -> None:
    """Mark this process and its future forks as part of the run (Linux).

    The mark is a named page of memory, which a fork inherits. A change to the environment would
    not be seen: the system shows the environment as of the last ``exec``. Programs may close a
    descriptor, but do not remove this mark.
    """
    if not LINUX:
        return
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    with contextlib.suppress(OSError):  # if unavailable, only the environment marks the process
        fd = os.memfd_create(_mark(run_id), os.MFD_CLOEXEC)
        os.ftruncate(fd, mmap.PAGESIZE)
        libc.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_PRIVATE, fd, 0)
        os.close(fd)


def of_run(run_id: str, logs: Collection[Inode] = ()) -> list[psutil.Process]:
    """The live processes of a run, whatever their current parent, except this one.

    A process belongs to the run if it has the mark, was started with :data:`MARKER` in its
    environment, or prints to one of the run's ``logs``. Its descendants belong to the run, too, and
    so do the other members of its session, which no process can join from outside.
    """
    there = {process.pid: process for process in psutil.process_iter() if _lives(process)}
    found = {pid for pid, process in there.items() if _is_marked(process, run_id, logs)}
    sessions = {pid: _session(pid) for pid in there}
    # In this process's session, or one with a live leader outside the run, only marked processes
    # count.
    theirs = {sessions[pid] for pid in found} - (there.keys() - found) - {0, os.getsid(0)}
    found |= {pid for pid, session in sessions.items() if session in theirs}
    for pid in list(found):
        with contextlib.suppress(psutil.Error):
            found |= {child.pid for child in there[pid].children(recursive=True)}
    return [process for pid, process in there.items() if pid in found - {os.getpid()}]


def kill_run(run_id: str, logs: Collection[Inode] = ()) -> list[str]:
    """Kill every process of a run, see :func:`of_run`; return those that remain, in words."""
    return _kill_until_gone(lambda: of_run(run_id, logs) or None)


def inode(file: Path) -> Inode | None:
    """The identity of a file, whatever its name; None if it cannot be read."""
    try:
        seen = file.stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def _mark(run_id: str) -> str:
    """A name that the system accepts, however long the run's id is."""
    return "mwtutor-run-" + hashlib.sha256(run_id.encode(errors="replace")).hexdigest()[:32]


def _is_marked(process: psutil.Process, run_id: str, logs: Collection[Inode]) -> bool:
    with contextlib.suppress(psutil.Error, OSError):
        if process.uids().real != os.getuid():
            return False
        if process.environ().get(MARKER) == run_id:
            return True
        if any(inode(Path(f"{PROC}/{process.pid}/fd/{fd}")) in logs for fd in (1, 2)):
            return True
        return LINUX and (
            f"/memfd:{_mark(run_id)} ".encode() in Path(f"{PROC}/{process.pid}/maps").read_bytes()
        )
    return False


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _kill_until_gone(find: Callable[[], list[psutil.Process] | None]) -> list[str]:
    """Kill the processes that ``find`` returns, until it returns None or none can be killed.

    Returns:
        The processes that are left, in words.
    """
    killed: dict[psutil.Process, float] = {}
    before: list[psutil.Process] = []
    pause = 0.005
    while (found := find()) is not None:
        found = [process for process in found if _lives(process)]
        hope = [process for process in found if _kill(process, killed)]
        if found and found == before and not hope:
            return [_why_left(process) for process in found]
        before = found
        time.sleep(pause)
        pause = min(2 * pause, 0.1)
    return []


def _kill(process: psutil.Process, killed: dict[psutil.Process, float]) -> bool:
    """Kill a process; return whether it can be expected to die."""
    try:
        process.kill()
    except psutil.AccessDenied:
        return False
    except psutil.Error:  # the process has exited
        return True
    return time.monotonic() - killed.setdefault(process, time.monotonic()) < _DYING


def _why_left(process: psutil.Process) -> str:
    named = f"process {process.pid}"
    with contextlib.suppress(psutil.Error):
        named = f"{process.name()} ({named})"
        if os.geteuid() not in (0, process.uids().real, process.uids().saved):
            return f"{named}, which switched to user {process.username()} and cannot be killed"
    return f"{named}, which was killed but has not exited"


def wake_on_signals(told_to_end: Callable[[], None]) -> tuple[socket.socket, Callable[[], None]]:
    """Notify a loop of children that have ended and of SIGTERM; ignore signals from the terminal.

    Returns:
        A socket that becomes readable when a signal arrives, and the function to call then.
    """
    woken, wake = socket.socketpair()
    woken.setblocking(False)
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    told: list[bool] = []
    # Only record it: the handler may interrupt anything.
    signal.signal(signal.SIGTERM, lambda *_: told.append(True))

    def drain(keep: socket.socket = wake) -> None:
        with contextlib.suppress(BlockingIOError):
            woken.recv(4096)
        if told:
            told.clear()
            told_to_end()

    return woken, drain
