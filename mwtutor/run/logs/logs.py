"""Read the tasks' logs as lines: tail, follow, merge by time, fold TensorFlow's noise.

Every task writes its own file, and its supervisor records the file's length, at most every 50 ms.
Lines are merged by those records; within one interval each task's own order is kept. The result is
safe to show: no escape sequences, no control characters.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from mwtutor.cluster import TaskId
from mwtutor.exceptions import NoRun
from mwtutor.run.logs import settings_dumps
from mwtutor.run.logs.graph_frames import in_history, is_call
from mwtutor.run.logs.log_index import Index
from mwtutor.run.logs.noise import is_noise
from mwtutor.run.record.spec import RunSpec
from mwtutor.sanitize import render
from mwtutor.system.files import open_file

_BLOCK = 1 << 16

#: How many blocks a follower reads from one log at a time; it shows them before it reads more.
_PIECES = 16

#: The line in which a program, or Python itself, reports that it failed.
_ERROR = re.compile(r"[\w.]*(?:Error|Exception)\b|Fatal Python error:|terminate called ")


@dataclass(frozen=True, order=True)
class LogLine:
    """One line of one task.

    Attributes:
        time: when it had been written (seconds since the epoch), to within 50 ms.
        task: the task that wrote it.
        text: the line as a terminal would show it, without the line break.
        folded: the number of noise lines that it replaces; 0 for any other line.
    """

    time: float
    task: TaskId
    text: str
    folded: int = 0


def lines(
    spec: RunSpec,
    tasks: Sequence[TaskId],
    *,
    last: int = 0,
    within: int = 0,
    ends: Mapping[TaskId, int] = MappingProxyType({}),
    grep: str = "",
    raw: bool = False,
) -> list[LogLine]:
    """The lines that the tasks have written so far, in chronological order.

    Args:
        spec: the run.
        tasks: the tasks whose lines are wanted.
        last: only this many lines, from the end; 0 means all.
        within: look only at this many bytes at the end of each log; 0 means all of it.
        ends: the offset (bytes), where a line ends, to treat as the end of a task's log, instead of
            its real end.
        grep: only lines in which this regular expression has a match.
        raw: keep TensorFlow's start-up messages.

    Raises:
        NoRun: a log is not readable.
        re.error: ``grep`` is not a regular expression.
    """
    keep = re.compile(grep).search
    found: list[LogLine] = []
    for task in tasks:
        log = spec.log(task)
        if not last:
            found += _all(log, task, keep, ends.get(task))
        elif (file := _opened(log)) is not None:
            with file:
                given = _backwards(file, ends.get(task))
                found += _last(given, Index(log).at, task, last, within, keep, raw)
    found.sort(key=lambda line: line.time)  # stable, so a task's own order stays
    shown = found if raw else list(fold_noise(found))
    return shown[-last:] if last else shown


def follow(
    spec: RunSpec,
    tasks: Sequence[TaskId],
    going: Callable[[], bool],
    *,
    last: int = 0,
    grep: str = "",
    raw: bool = False,
    interval: float = 0.1,
) -> Iterator[list[LogLine]]:
    """Yield the lines so far, and then new lines as they are written, until the run has ended.

    Args:
        going: whether the run is still running; called once every ``interval`` seconds.
        last: only this many of the lines so far, from the end; 0 means all.

    Raises:
        NoRun: a log is not readable.
    """
    ends = {task: _last_end(spec.log(task)) for task in tasks}
    yield lines(spec, tasks, last=last, ends=ends, grep=grep, raw=raw)
    follower = Follower(spec, tasks, ends, grep=grep, raw=raw)
    live = True
    while live:
        live = going()  # asked before the last read, so that nothing is missed
        yield from follower.new(at_end=not live)
        if live:
            time.sleep(interval)


class Follower:
    """The lines that tasks write, read on demand.

    Args:
        starts: the offset (bytes) at which to begin in a task's log, if not at its beginning.

    Raises:
        NoRun: a log is not readable.
    """

    def __init__(
        self,
        spec: RunSpec,
        tasks: Iterable[TaskId],
        starts: Mapping[TaskId, int] = MappingProxyType({}),
        *,
        grep: str = "",
        raw: bool = False,
    ) -> None:
        self._keep = re.compile(grep).search
        self._raw = raw
        self._held: list[LogLine] = []
        self._tails = [_Tail(spec.log(task), task, starts.get(task, 0)) for task in tasks]

    def new(self, *, at_end: bool) -> Iterator[list[LogLine]]:
        """Some of the lines written since the last call; with ``at_end`` all, piece by piece."""
        more = True
        while more:
            new = [line for tail in self._tails for line in tail.new()]
            more = at_end and any(tail.more for tail in self._tails)
            if at_end and not more:
                new += [line for tail in self._tails for line in tail.unfinished()]
            if shown := self._shown(new, at_end=at_end and not more):
                yield shown

    def _shown(self, new: list[LogLine], *, at_end: bool) -> list[LogLine]:
        new = self._held + new
        # Whether these lines are shown depends on the lines that follow them.
        held = set() if at_end or self._raw else _undecided(new)
        self._held = [new[at] for at in sorted(held)]
        new = [line for at, line in enumerate(new) if at not in held]
        new.sort(key=lambda line: line.time)
        wanted = (line for line in new if self._keep(line.text))
        return list(wanted if self._raw else fold_noise(wanted))

    def skip(self, within: int) -> int:
        """Leave out all but the last bytes of each log; return how many bytes are left out."""
        return sum(tail.skip(within) for tail in self._tails)


class LogEnd:
    """The last bytes of a task's log; each update reads only new bytes.

    Args:
        within: the number of bytes.
    """

    def __init__(self, log: Path, task: TaskId, within: int) -> None:
        self._log, self._task, self._within = log, task, within
        self._data = b""
        self._size = 0

    @property
    def begins_later(self) -> bool:
        """Whether the log has earlier lines."""
        return self._size > self._within

    def update(self) -> bool:
        """Read the new bytes; return whether there are any.

        Raises:
            NoRun: the log is not readable.
        """
        if (file := _opened(self._log)) is None:
            return False
        with file:
            size = file.seek(0, os.SEEK_END)
            if size == self._size:
                return False
            begin = max(self._size if size > self._size else 0, size - self._within)
            kept = self._data if begin == self._size else b""
            file.seek(begin)
            self._data = (kept + file.read(size - begin))[-self._within :]
            self._size = size
        return True

    def lines(self, last: int) -> list[LogLine]:
        """Its last lines, without their times."""
        data = self._data
        if self.begins_later:  # in the middle of a line
            data = data.partition(b"\n")[2] or data
        given = _backwards(io.BytesIO(data))
        found = _last(given, lambda end: 0.0, self._task, last, 0, bool, raw=False)
        return list(fold_noise(found))[-last:]


def fold_noise(merged: Iterable[LogLine]) -> Iterator[LogLine]:
    """Replace each stretch of TensorFlow's own messages by one line per task that counts them."""
    lines = list(merged)
    pending: dict[TaskId, LogLine] = {}
    for line, left_out in zip(lines, _left_out(lines), strict=True):
        if left_out or is_noise(line.text):
            before = pending.get(line.task)
            count = (before.folded if before else 0) + 1
            pending[line.task] = LogLine(before.time if before else line.time, line.task, "", count)
            continue
        yield from map(_counted, sorted(pending.values()))
        pending.clear()
        yield line
    yield from map(_counted, sorted(pending.values()))


def _left_out(merged: Sequence[LogLine]) -> list[bool]:
    """Which lines belong to a server's dump of its settings or to a failed operation's history.

    The user's own lines in such a history are not among them.
    """
    marks = [False] * len(merged)
    for own in _by_task(merged).values():
        texts = [merged[at].text for at in own]
        in_dump = settings_dumps.in_dump(texts)
        for at, call, setting in zip(own, in_history(texts), in_dump, strict=True):
            marks[at] = call or setting
    return marks


def _undecided(merged: Sequence[LogLine]) -> set[int]:
    """The last lines of each task that may turn out to belong to a dump or a history."""
    found: set[int] = set()
    for own in _by_task(merged).values():
        texts = [merged[at].text for at in own]
        count = settings_dumps.unfinished(texts) or is_call(texts[-1])
        found.update(own[len(own) - count :])
    return found


def _by_task(merged: Sequence[LogLine]) -> dict[TaskId, list[int]]:
    """The positions of each task's lines."""
    places: dict[TaskId, list[int]] = {}
    for at, line in enumerate(merged):
        places.setdefault(line.task, []).append(at)
    return places


def last_words(output: bytes) -> str:
    """The line that explains why a process ended: its last error, or its last line without noise.

    Empty if there is none.
    """
    rendered = map(render, output.splitlines())
    said = [text.strip() for text in rendered if text.strip() and not is_noise(text)]
    errors = [text for text in said if _ERROR.match(text)]
    return (errors or said or [""])[-1]


def _counted(line: LogLine) -> LogLine:
    lines = "1 line" if line.folded == 1 else f"{line.folded} lines"
    text = f"({lines} of TensorFlow's own messages; see --raw)"
    return LogLine(line.time, line.task, text, line.folded)


def _all(log: Path, task: TaskId, keep: Callable[[str], object], end: int | None) -> list[LogLine]:
    index = Index(log)
    return [
        LogLine(index.at(offset), task, text)
        for offset, data in _forwards(log, end)
        if keep(text := render(data))
    ]


def _last(
    backwards: Iterable[tuple[int, bytes]],
    at: Callable[[int], float],
    task: TaskId,
    count: int,
    within: int,
    keep: Callable[[str], object],
    raw: bool,
) -> list[LogLine]:
    found: list[LogLine] = []
    real = above = bottom = 0
    behind = "-"
    for offset, data in backwards:
        bottom = bottom or offset
        if within and bottom - offset > within:
            break
        text = render(data)
        if not keep(text):
            continue
        found.append(LogLine(at(offset), task, text))
        if raw or not is_noise(text):
            real += 1
        if not raw and sum(in_history([text, behind])):  # the next line is folded, too
            real -= 2
        undecided = not raw and bool(behind.strip()) and not text.strip()
        if not raw and settings_dumps.begins(text):
            real -= settings_dumps.length([line.text for line in reversed(found)]) - 1
        behind = text
        if real >= count and not undecided:
            above += 1
            if raw or above > settings_dumps.LONGEST or not settings_dumps.may_belong(text):
                break
    return found[::-1]


def _opened(log: Path) -> BinaryIO | None:
    """The log; None if it does not exist yet."""
    try:
        return open_file(log)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NoRun(
            f"The log {log} cannot be read: {error.strerror}.",
            "Ask the run's owner for access, or check the permissions of the file.",
        ) from None


def _last_end(log: Path) -> int:
    """The offset at which the log's last complete line ends."""
    if (file := _opened(log)) is None:
        return 0
    with file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            start = max(end - _BLOCK, 0)
            file.seek(start)
            if (at := file.read(end - start).rfind(b"\n")) >= 0:
                return start + at + 1
            end = start
    return 0


def _shortened(data: bytes) -> bytes:
    """A line, or the beginning and the end of one that would fill the memory."""
    return data if len(data) <= _BLOCK * 16 else data[:_BLOCK] + data[-_BLOCK * 8 :]


def _forwards(log: Path, end: int | None) -> Iterator[tuple[int, bytes]]:
    """Each line with the offset of its end."""
    if (file := _opened(log)) is None:
        return
    with file:
        data = b""
        while (end is None or file.tell() < end) and (piece := file.readline(_BLOCK * 16)):
            data = _shortened(data + piece)
            if data.endswith(b"\n"):
                yield file.tell(), data[:-1]
                data = b""
        if data:
            yield file.tell(), data


def _backwards(file: BinaryIO, end: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Each line with the offset of its end, the last line first, reading no more than needed."""
    size = file.seek(0, os.SEEK_END)
    start = end = size if end is None else min(end, size)
    tail = b""
    left_out = 0  # how many bytes of the last line
    last = True  # nothing follows the end of the last line
    while start > 0:
        size = min(_BLOCK, start)
        start -= size
        file.seek(start)
        tail, *whole = (file.read(size) + tail).split(b"\n")
        for data in reversed(whole):
            if data or not last:
                yield end, data
            last = False
            end -= len(data) + left_out + 1
            left_out = 0
        left_out += len(tail) - len(tail := _shortened(tail))
    if tail or (end == 0 and not last):
        yield end, tail


class _Tail:
    """Reads the bytes added to one log since the last call, in bounded pieces."""

    def __init__(self, log: Path, task: TaskId, start: int) -> None:
        self._log = log
        self._task = task
        self._partial = b""
        self._offset = start
        self.more = False  # whether it has not read everything

    def new(self) -> Iterator[LogLine]:
        index = Index(self._log)
        if (file := _opened(self._log)) is None:
            return
        with file:
            file.seek(self._offset)
            for _ in range(_PIECES):
                data = file.read(_BLOCK)
                self.more = bool(data)
                if not data:
                    break
                *whole, partial = (self._partial + data).split(b"\n")
                self._partial = _shortened(partial)
                self._offset += len(data)
                now = index.at(self._offset)
                for line in whole:
                    yield LogLine(now, self._task, render(line))

    def unfinished(self) -> Iterator[LogLine]:
        """The last line, if it does not end."""
        if self._partial:
            yield LogLine(Index(self._log).at(self._offset), self._task, render(self._partial))
            self._partial = b""

    def skip(self, within: int) -> int:
        """Leave out all but the last bytes; return how many are left out."""
        if (file := _opened(self._log)) is None:
            return 0
        with file:
            start = file.seek(0, os.SEEK_END) - within
            if start <= self._offset:
                return 0
            file.seek(start)
            file.readline(_BLOCK)
            left_out = len(self._partial) + file.tell() - self._offset
            self._partial, self._offset = b"", file.tell()
        return left_out


def write_times(log: Path) -> list[float]:
    """When this log was written to (seconds since the epoch), to within 50 ms."""
    return Index(log).times


def mark_attempt(log: Path, attempt: int) -> None:
    """Mark in a task's log where a new attempt begins."""
    # If the disk is full, the mark is lost, but the run continues.
    with contextlib.suppress(OSError), open_file(log, "ab+", 0) as file:
        if end := file.seek(0, os.SEEK_END):
            file.seek(end - 1)
        in_a_line = file.read(1) not in (b"", b"\n")
        file.write(b"\n" * in_a_line + attempt_mark(attempt).encode() + b"\n")


def attempt_mark(attempt: int) -> str:
    """The log line with which an attempt begins."""
    return f"---- attempt {attempt} ----"


def is_attempt_mark(line: str) -> bool:
    return re.fullmatch(r"---- attempt \d+ ----", line) is not None
