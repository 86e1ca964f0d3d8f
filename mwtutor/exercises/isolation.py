"""Run a function where it cannot do harm: in a forked process, with a time limit.

Two processes are forked. The inner one runs the function: it has the caller's variables, but none
of its descriptors, no output, and no runs or sessions. The outer one waits for the inner one, kills
it and everything it started, and passes on its answer.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from mwtutor import singletons
from mwtutor.system import builtin_names, processes
from mwtutor.system.child import close_others, die_with, fork, reset_signals
from mwtutor.system.exit_words import exit_words
from mwtutor.system.linux import PROC

#: Maximum number of bytes of an answer that are read.
_LONGEST = 100_000

#: Seconds within which a killed process must have ended.
_ENDING = 10.0

#: Seconds within which an outer process that the function suspends must have ended, and between two
#: checks of whether it is suspended.
_HALTED, _LOOK = 1.0, 0.05

#: The exit status of the inner process if it could not report its finding.
_MUTE = 113


@dataclass(frozen=True)
class Ending:
    """How the function ended.

    Attributes:
        answer: its result; None if it did not return.
        why: why it did not return, in a clause.
        late: whether the time limit ended it.
    """

    answer: Any = None
    why: str = ""
    late: bool = False


def run_apart(function: Callable[[], Any], seconds: float) -> Ending:
    """Run the function in its own process; whatever it does, this process continues.

    Args:
        function: its result is passed on as JSON.
        seconds: after this time the process is killed, with its descendants.
    """
    begun = time.monotonic()
    answer, answer_end = os.pipe()
    life, life_end = os.pipe()
    outer = fork()
    if outer == 0:
        _guarded(lambda: _watch(function, seconds, answer_end, life))
    os.close(answer_end)
    os.close(life)
    try:
        report = _read(answer, outer, seconds)
    finally:  # closing also tells the outer process to kill the inner one
        os.close(life_end)
        os.close(answer)
        _reap(outer)
    return _ending(report, seconds, time.monotonic() - begun > seconds)


def _ending(report: bytes, seconds: float, late: bool) -> Ending:
    with contextlib.suppress(ValueError, TypeError):
        return Ending(**json.loads(report))
    if late:
        return Ending(**_too_late(seconds))
    return Ending(why="its process was killed from outside")


def _guarded(body: Callable[[], int]) -> NoReturn:
    """Run the body of a forked process, then exit."""
    status = 1
    try:
        status = body()
    finally:
        os._exit(status)


def _heard(fds: Iterable[int], seconds: float) -> set[int]:
    """The descriptors that become readable, or reach end-of-file, within this time."""
    poll = select.poll()  # select accepts no descriptor above 1023
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return {fd for fd, _ in poll.poll(max(0.0, seconds) * 1000)}


# -- the outer process --------------------------------------------------------------------------


def _watch(function: Callable[[], Any], seconds: float, answer_end: int, life: int) -> int:
    os.setsid()
    reset_signals()
    _detach({answer_end, life})
    gc.freeze()  # the parent's objects must not be finalized here
    processes.become_subreaper()
    result, result_end = os.pipe()
    inner = os.fork()
    if inner == 0:
        _guarded(lambda: _answer(function, result_end, (answer_end, life, result)))
    os.close(result_end)
    found, ended = _collect(result, life, inner, time.monotonic() + seconds)
    status = _status(inner) if ended else None
    processes.kill_children()
    report = _report(found, status, seconds)
    with contextlib.suppress(OSError):  # nobody waits for the answer
        _write(answer_end, json.dumps(report).encode())
    return 0


def _collect(result: int, life: int, inner: int, deadline: float) -> tuple[bytes, bool]:
    """The inner process's answer, and whether it ended by itself in time."""
    found = b""
    open_ends = {result, life}
    while (left := deadline - time.monotonic()) > 0:
        # Do not rely on the pipe's end: processes that the function started may keep it open.
        ended = os.waitid(os.P_PID, inner, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        heard = _heard(open_ends, 0.0 if ended else min(left, 0.02))
        if life in heard:
            break
        if result in heard:
            part = os.read(result, 65536)
            found += part[: _LONGEST - len(found)]
            if not part:
                open_ends.discard(result)
        elif ended:
            return found, True
    return found, False


def _status(inner: int) -> int:
    _, status = os.waitpid(inner, 0)
    return os.waitstatus_to_exitcode(status)


def _report(found: bytes, status: int | None, seconds: float) -> dict[str, Any]:
    if status is None:
        return _too_late(seconds)
    if status == _MUTE:
        return {"why": "it closed a file that it had not opened"}
    with contextlib.suppress(ValueError):
        return {"answer": json.loads(found)}
    return {"why": f"its process {exit_words(status)}"}


def _too_late(seconds: float) -> dict[str, Any]:
    return {"why": f"it was stopped after {seconds:g} s", "late": True}


# -- the inner process --------------------------------------------------------------------------


def _answer(function: Callable[[], Any], result_end: int, others: tuple[int, ...]) -> int:
    die_with(os.getppid())
    os.setsid()  # signals to its group do not reach the outer process
    for fd in others:
        os.close(fd)
    with contextlib.suppress(OSError):  # if memory runs out, the kernel should kill this process
        Path(PROC, "self/oom_score_adj").write_text("1000")
    singletons.current = singletons.Singletons()
    own = os.getpid()
    with builtin_names.original():
        answer = json.dumps(function()).encode()
        if os.getpid() != own:  # a process that the function forked
            return 0
        try:
            _write(result_end, answer)
        except OSError:
            return _MUTE
    return 0


def _detach(keep: set[int]) -> None:
    """Close every descriptor of the parent, and discard output."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    close_others(keep)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):  # loggers may hold them, and they lead to the notebook
        with contextlib.suppress(AttributeError):
            stream.write = len  # type: ignore[method-assign]
    out = open(1, "w", closefd=False, errors="replace")  # noqa: SIM115
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = out  # type: ignore[misc]
    if (shell := getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()) is not None:
        shell.display_pub.publish = lambda *_, **__: None


def _write(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


# -- the caller ---------------------------------------------------------------------------------


def _read(answer: int, outer: int, seconds: float) -> bytes:
    """The outer process's answer. If the function suspends that process, it is resumed."""
    found = b""
    limit = time.monotonic() + seconds
    deadline = limit + _ENDING
    while (left := deadline - time.monotonic()) > 0:
        if not _heard([answer], min(left, _LOOK)):
            if _resumed(outer):  # the function may suspend it again
                deadline = limit + _HALTED
        else:
            part = os.read(answer, 65536)
            if not part:
                break
            found += part
    return found


def _resumed(outer: int) -> bool:
    """Whether a signal had suspended the outer process; it is running again."""
    with contextlib.suppress(OSError):
        if os.waitid(os.P_PID, outer, os.WSTOPPED | os.WNOHANG) is not None:
            os.kill(outer, signal.SIGCONT)
            return True
    return False


def _reap(outer: int) -> None:
    """Wait until the outer process exits, or kill it; it exits once nobody waits for its answer."""
    deadline = time.monotonic() + _ENDING
    with contextlib.suppress(ChildProcessError):  # other code has reaped it
        while os.waitpid(outer, os.WNOHANG) == (0, 0):
            if _resumed(outer):
                deadline = min(deadline, time.monotonic() + _HALTED)
            if time.monotonic() > deadline:
                processes.kill_descendants(outer)
                os.kill(outer, signal.SIGKILL)
                os.waitpid(outer, 0)
                return
            time.sleep(0.005)
