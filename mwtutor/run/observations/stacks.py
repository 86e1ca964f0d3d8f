"""The Python stacks of a live task, as values: requested, read, parsed."""

from __future__ import annotations

import json
import linecache
import os
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mwtutor.run.logs.logs import is_attempt_mark
from mwtutor.sanitize import harmless, whole_number
from mwtutor.system import child
from mwtutor.system.files import open_file, read
from mwtutor.worker.stacks import answer_path, native_path

#: Seconds within which a task answers if it releases the GIL now and then.
PATIENCE = 3.0


#: The first words that ``faulthandler`` writes when native code crashes; the maximum size of a dump
#: (bytes).
_FATAL = "Fatal Python error: "
_DUMP = 1 << 18

_FRAME = re.compile(r'  File "?(.*?)"?, line (\d+|\?\?\?) in (.*)')


@dataclass(frozen=True)
class Frame:
    """One call: its file, line and function, and the source line if known."""

    file: str
    line: int
    function: str
    source: str = ""

    @property
    def spot(self) -> str:
        """The file's name and the line, as ``main.py, line 3``; for a cell, only the line."""
        directory, name = os.path.split(self.file)
        if os.path.basename(directory).startswith("ipykernel_"):
            return f"line {self.line} of a cell"
        return f"{name}, line {self.line}"


@dataclass(frozen=True)
class ThreadStack:
    """One thread of a task.

    Attributes:
        main: whether it is the program's first thread.
        name: its name in :mod:`threading`; empty if it has none.
        frames: its frames, the outermost first, as in a traceback, without mwtutor's own frames.
        waits: whether it is in code that waits for other tasks, such as a collective.
    """

    main: bool
    name: str
    frames: tuple[Frame, ...]
    waits: bool = False

    def __str__(self) -> str:
        title = "main thread" if self.main else f"thread {self.name}".rstrip()
        lines = [f"{title} (most recent call last):"]
        for frame in self.frames:
            lines.append(f'  File "{frame.file}", line {frame.line}, in {frame.function}')
            lines += [f"    {frame.source}"] * bool(frame.source)
        return "\n".join(lines) if self.frames else f"{title}: not in Python code"


def read_answer(log: Path, token: str) -> tuple[ThreadStack, ...] | None:
    """The answer to the request with this token; None if it has not arrived."""
    try:
        answer = json.loads(read(answer_path(log)))
        if answer["token"] != token:
            return None
        return _ordered(
            ThreadStack(
                bool(thread["main"]),
                harmless(thread["name"]),
                tuple(
                    Frame(harmless(file), int(line), harmless(function), harmless(source))
                    for file, line, function, source in thread["frames"]
                ),
                thread.get("waits") is True,
            )
            for thread in answer["threads"]
        )
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


def await_answer(log: Path, token: str, patience: float) -> tuple[ThreadStack, ...] | None:
    """Wait for the answer, at most ``patience`` seconds."""
    deadline = time.monotonic() + patience
    while (found := read_answer(log, token)) is None and time.monotonic() < deadline:
        time.sleep(0.01)
    return found


def place(threads: Sequence[ThreadStack]) -> str:
    """The main thread's position, in the program's own code if that is on its stack."""
    frames = threads[0].frames if threads else ()
    own = [frame for frame in frames if not child.is_installed(frame.file)] or frames
    if not own:
        return "no Python code"
    return f"{own[-1].function} ({own[-1].spot})"


#: The line in which native code says why it aborts the process. It comes from TensorFlow's logging,
#: whose format in 2.15 is different, or from C++, for an uncaught exception. ``_LAST_LINES`` is
#: the maximum number of lines between it and the dump: a native stack may come in between.
_GIVING_UP = re.compile(
    r"(?:F\d{4} \S+ +\d+ \S+:\d+\]|[\d-]+ [\d:.]+: F \S+:\d+\]|  what\(\): ) *(.+)"
)
_LAST_LINES = 100


@dataclass(frozen=True)
class Crash:
    """What Python reports about a crash in native code.

    Attributes:
        what: Python's name for the crash, for example ``Segmentation fault``.
        stack: that of the thread that crashed, or of the main thread if a thread unknown to Python
            crashed.
        said: the message with which native code aborted; empty if it printed none.
    """

    what: str
    stack: ThreadStack
    said: str = ""

    @property
    def own(self) -> tuple[Frame, ...]:
        """The calls in the program's own code."""
        return tuple(frame for frame in self.stack.frames if not child.is_installed(frame.file))


def read_crash(log: Path, since: int = 0) -> Crash | None:
    """The crash at the end of a task's log, after the offset ``since``; None if there is none."""
    try:
        with open_file(log) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(since, size - _DUMP))
            text = file.read().decode(errors="replace")
    except OSError:
        return None
    before, fatal, dump = text.rpartition(_FATAL)
    if not fatal or (before and not before.endswith("\n")):
        return None
    if "\nTraceback (most recent call last)" in dump or any(
        map(is_attempt_mark, dump.splitlines())
    ):
        return None  # the task continued, because the crash was in a child, for example
    what = harmless(dump.partition("\n")[0].strip()[:200])
    stacks = _parsed(dump)
    crashed = [stack for current, stack in stacks if current] or [s for _, s in stacks if s.main]
    return Crash(what, crashed[-1], _gave_up(before)) if crashed else None


def _gave_up(text: str) -> str:
    """The message with which native code ended its process, just above the dump."""
    for line in reversed(text.splitlines()[-_LAST_LINES:]):
        if found := _GIVING_UP.fullmatch(line):
            return harmless(found[1])[:300]
    return ""


def native_size(log: Path) -> int:
    try:
        return native_path(log).stat().st_size
    except OSError:
        return 0


def await_native(log: Path, since: int, patience: float) -> tuple[ThreadStack, ...]:
    """The dump that faulthandler wrote after offset ``since``, once it is complete."""
    deadline = time.monotonic() + patience
    before = since
    while time.monotonic() < deadline:
        time.sleep(0.1)
        size = native_size(log)
        if size > since and size == before:
            break
        before = size
    try:
        with open_file(native_path(log)) as file:
            file.seek(since)
            return parse_native(file.read().decode(errors="replace"))
    except OSError:
        return ()


def parse_native(text: str) -> tuple[ThreadStack, ...]:
    """The stacks that ``faulthandler`` wrote, the main thread last."""
    return _ordered(stack for _, stack in _parsed(text) if stack.frames)


def _parsed(text: str) -> list[tuple[bool, ThreadStack]]:
    """Each stack, and whether it is the current thread's."""
    threads: list[tuple[bool, list[Frame]]] = []
    for line in text.splitlines():
        if line.startswith(("Thread 0x", "Current thread 0x", "Stack (most recent")):
            threads.append((not line.startswith("Thread"), []))
        elif threads and (found := _FRAME.fullmatch(line)) and not found[1].startswith(child.OURS):
            number = whole_number(found[2]) or 0
            source = harmless(linecache.getline(found[1], number).strip()[:200])
            frame = Frame(harmless(found[1]), number, harmless(found[3]), source)
            threads[-1][1].insert(0, frame)  # faulthandler writes the innermost first
    return [
        (current, ThreadStack(number == len(threads), "", tuple(frames)))
        for number, (current, frames) in enumerate(threads, 1)
    ]


def _ordered(threads: Iterable[ThreadStack]) -> tuple[ThreadStack, ...]:
    return tuple(sorted(threads, key=lambda thread: not thread.main))
