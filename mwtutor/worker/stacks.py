"""The Python stacks of a task's threads, reported without stopping it.

A separate thread waits for requests and answers them while holding the GIL, which is free while the
main thread is inside a collective. ``faulthandler`` would need no thread, but reads the frames of
running threads without the GIL: with eight busy threads the process crashed within 21 requests
(Python 3.11 and 3.12). ``faulthandler`` is used when the GIL is never released, because then no
frame changes.
"""

from __future__ import annotations

import _thread
import contextlib
import faulthandler
import json
import linecache
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from mwtutor.metrics import ownership
from mwtutor.system.child import OURS
from mwtutor.system.files import open_fd, write_whole
from mwtutor.system.linux import LINUX
from mwtutor.worker import sampling
from mwtutor.worker.in_collective import waits

#: The word sent over the descriptor of requests when training has ended.
OVER = "over"

#: Maximum number of frames reported of each thread, from the innermost.
DEEPEST = 60

#: The signal on which ``faulthandler`` writes (Linux); programs use signals that have names.
SIGNAL: int = getattr(signal, "SIGRTMAX", 64) - 5


def answer_path(log: str | Path) -> Path:
    """The file with the answer, beside the task's log."""
    return Path(log).with_suffix(".stacks")


def native_path(log: str | Path) -> Path:
    """The file to which ``faulthandler`` writes."""
    return Path(log).with_suffix(".native")


def install(requests: int, log: str, told_of_the_end: Callable[[], None]) -> None:
    """Answer requests that arrive over a descriptor, or by signal.

    Args:
        told_of_the_end: called, in a thread, if :data:`OVER` arrives instead, because training has
            ended.
    """
    if LINUX:
        # The file stays open as long as the process lives: faulthandler stores only the descriptor.
        file = open_fd(native_path(log), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        faulthandler.register(SIGNAL, file=file, all_threads=True, chain=False)
    # Signals must reach the program's main thread.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    # Not threading.Thread: the program should not see an extra entry in threading.enumerate().
    _thread.start_new_thread(_serve, (requests, log, told_of_the_end))
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(requests: int, log: str, told_of_the_end: Callable[[], None]) -> None:
    me, main = _thread.get_ident(), threading.main_thread().ident
    still_ours = ownership(requests)
    sampler = sampling.Sampler(log, me)
    with contextlib.suppress(OSError):
        # Once the program has closed the descriptor, the number may belong to one of its own files.
        while still_ours() and (said := os.read(requests, 64)):
            words = said.decode().split()
            if OVER in words:
                told_of_the_end()
            for word in words:
                if ":" in word:
                    sampler.obey(word)
            tokens = [word for word in words if word != OVER and ":" not in word]
            if not tokens:
                continue
            threads = [
                _thread_stack(ident, frame)
                for ident, frame in sys._current_frames().items()
                if ident == main or (ident != me and not _is_ours(frame))
            ]
            answer = {"token": tokens[-1], "threads": threads}
            write_whole(answer_path(log), json.dumps(answer).encode(), mode=0o600)


def _is_ours(frame: FrameType) -> bool:
    """Whether mwtutor started the thread; only the program's threads are reported."""
    while frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename.startswith(OURS)


def _thread_stack(ident: int, innermost: FrameType) -> dict[str, Any]:
    frames: list[tuple[str, int, str, str]] = []
    frame: FrameType | None = innermost
    while frame is not None and len(frames) < DEEPEST:
        file = frame.f_code.co_filename
        if not file.startswith((OURS, "<frozen runpy>")):
            # f_lineno is None if the frame is on none of its lines, as on return.
            line = frame.f_lineno or frame.f_code.co_firstlineno
            source = linecache.getline(file, line, frame.f_globals).strip()
            frames.append((file[-300:], line, frame.f_code.co_name, source[:200]))
        frame = frame.f_back
    # Looked up by hand: asking threading for an unknown thread would register it.
    known = threading._active.get(ident)  # type: ignore[attr-defined]
    return {
        "main": ident == threading.main_thread().ident,
        "name": known.name if known is not None else "",
        "frames": frames[::-1],
        "waits": waits(innermost),
    }
