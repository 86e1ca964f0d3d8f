"""Where a task's threads spend their time: their Python stacks, sampled from inside the process.

A thread takes a sample every :data:`INTERVAL`, for which it needs the GIL. While native code holds
the GIL, the sample is late. Half of the time since the previous sample, but at most
:data:`INTERVAL`, then counts for the previous stack, and the rest for the new one.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import linecache
import sys
import threading
import time
from pathlib import Path
from types import CodeType
from typing import Any

from mwtutor.system.child import OURS
from mwtutor.system.files import write_whole
from mwtutor.worker.in_collective import waits

#: Seconds between two samples, and between two writes of what was sampled so far.
INTERVAL, WRITTEN = 0.01, 0.5

#: Maximum number of frames of a stack, from the outermost, and of different stacks.
DEEPEST, MOST = 200, 4000

_Stack = tuple[bool, bool, tuple[tuple[int, int], ...]]


def path_beside(log: str | Path) -> Path:
    """The file with the samples, beside the task's log."""
    return Path(log).with_suffix(".samples")


def request(token: str, seconds: float) -> str:
    """The word that asks a task for samples; 0 seconds stop the sampling."""
    return f"{token}:{seconds:g}"


class Sampler:
    """Samples the threads of this process, for one request at a time.

    Args:
        hidden: the thread that reads requests; it is not part of the program.
    """

    def __init__(self, log: str, hidden: int) -> None:
        self._path = path_beside(log)
        self._hidden = hidden
        self._token = ""

    def obey(self, word: str) -> None:
        """Start sampling as :func:`request` says, and stop any earlier sampling."""
        self._token, _, seconds = word.partition(":")
        if float(seconds) > 0:
            _thread.start_new_thread(self._sample, (self._token, float(seconds)))

    def _sample(self, token: str, seconds: float) -> None:
        hidden = {self._hidden, _thread.get_ident()}
        taken = _Taken(threading.main_thread().ident or 0)
        begun = last = written = time.monotonic()
        while self._token == token and last < begun + seconds:
            # Not at fixed times: after a late sample, the next one would follow immediately.
            time.sleep(min(INTERVAL, max(begun + seconds - last, 0)))
            now = time.monotonic()
            taken.add(sys._current_frames(), hidden, now - last)
            if now - written > WRITTEN:
                self._write(token, taken, done=False)
                written = time.monotonic()
            last = now
        if self._token == token:
            self._write(token, taken, done=True)

    def _write(self, token: str, taken: _Taken, *, done: bool) -> None:
        answer = {"token": token, "done": done, **taken.as_json()}
        with contextlib.suppress(OSError):
            write_whole(self._path, json.dumps(answer).encode(), mode=0o600)


class _Taken:
    """The samples so far, summed by stack."""

    def __init__(self, main: int) -> None:
        self._main = main
        self._codes: dict[int, CodeType] = {}  # kept, so that no other object gets the same id
        self._stacks: dict[_Stack, float] = {}
        self._before: dict[int, _Stack] = {}
        self._count, self._seconds, self._longest = 0, 0.0, 0.0

    def add(self, frames: dict[int, Any], hidden: set[int], seconds: float) -> None:
        self._count += 1
        self._seconds += seconds
        self._longest = max(self._longest, seconds)
        now: dict[int, _Stack] = {}
        for ident, innermost in frames.items():
            if ident in hidden:
                continue
            spots = []
            frame = innermost
            while frame is not None:
                code = frame.f_code
                self._codes[id(code)] = code
                # f_lineno is None if the frame is on none of its lines, as on return.
                spots.append((id(code), frame.f_lineno or code.co_firstlineno))
                frame = frame.f_back
            if ident != self._main and self._codes[spots[-1][0]].co_filename.startswith(OURS):
                continue  # one of mwtutor's own threads
            now[ident] = (ident == self._main, waits(innermost), tuple(spots[::-1][:DEEPEST]))
            earlier = min(seconds / 2, INTERVAL)
            self._count_as(self._before.get(ident, now[ident]), earlier)
            self._count_as(now[ident], seconds - earlier)
        self._before = now

    def _count_as(self, stack: _Stack, seconds: float) -> None:
        if stack not in self._stacks and len(self._stacks) >= MOST:
            stack = (*stack[:2], ())  # the position is not kept
        self._stacks[stack] = self._stacks.get(stack, 0.0) + seconds

    def as_json(self) -> dict[str, Any]:
        table: dict[tuple[int, int], int] = {}
        stacks = []
        for (main, waiting, spots), seconds in self._stacks.items():
            places = [table.setdefault(spot, len(table)) for spot in spots if self._theirs(spot)]
            stacks.append([main, waiting, places, round(seconds, 6)])
        return {
            "samples": self._count,
            "seconds": self._seconds,
            "longest": self._longest,
            "frames": [self._frame(*spot) for spot in table],
            "stacks": stacks,
        }

    def _theirs(self, spot: tuple[int, int]) -> bool:
        return not self._codes[spot[0]].co_filename.startswith((OURS, "<frozen runpy>"))

    def _frame(self, code_id: int, line: int) -> tuple[str, int, str, str]:
        code = self._codes[code_id]
        source = linecache.getline(code.co_filename, line).strip()
        return code.co_filename[-300:], line, code.co_name, source[:200]
