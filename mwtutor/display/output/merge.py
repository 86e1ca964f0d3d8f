"""Merge the output of several workers into one stream, showing identical lines once.

The lines of all workers are placed side by side, in rows. A row is shown when every running worker
has its line, or after waiting long enough for the others. So lines that workers print in step are
folded and keep a fixed order, and no output waits long.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mwtutor.cluster import TaskId
from mwtutor.interface import as_typed_here
from mwtutor.sanitize import LONGEST, colored, redrawn
from mwtutor.sessions.result import Output

#: Seconds that a line, or a display, waits for the same one from the other workers.
HOLD, HOLD_DISPLAY = 0.5, 3.0

#: Seconds for which a silent worker, whose output has been the same so far, counts as late rather
#: than different.
LATE = 5.0

#: Characters per worker to show of one cell; the rest is in its log.
SHOWN = 1_000_000


@dataclass(frozen=True)
class Item:
    """A line or display of a worker. Equal items are folded.

    Attributes:
        stream: stdout or stderr; empty unless it is a line.
        late: whether it equals an item that the other workers send earlier or later.
    """

    stream: str
    text: str
    output: Output | None = None
    late: bool = False


class Lines:
    """The text that one worker writes to one stream, split into lines."""

    def __init__(self) -> None:
        self._pieces: list[str] = []

    def feed(self, text: str) -> Iterator[str]:
        """The lines that this text completes."""
        first, newline, rest = text.partition("\n")
        self._pieces.append(first)
        if not newline:
            return
        yield _shown("".join(self._pieces))
        *whole, last = rest.split("\n")
        yield from map(_shown, whole)
        self._pieces = [last]

    @property
    def partial(self) -> str:
        """The incomplete next line so far, with redrawn parts overwritten."""
        return _shown("".join(self._pieces))

    def take_partial(self) -> str:
        text, self._pieces = self.partial, []
        return text


def _shown(line: str) -> str:
    if line.isprintable() and len(line) <= LONGEST:  # most lines are
        return line
    if "\r" in line.rstrip("\r") or "\b" in line:
        return redrawn(line)
    return colored(line.rstrip("\r"))


class Merger:
    """Takes the items of every worker, and returns rows: an item, and the workers that sent it.

    Args:
        room: characters to accept per worker.
        logs: where each worker's complete output is.
    """

    def __init__(
        self,
        tasks: Sequence[TaskId],
        room: int = SHOWN,
        logs: Mapping[TaskId, str] | None = None,
    ) -> None:
        self._tasks = tuple(tasks)
        self._queues: dict[TaskId, deque[tuple[float, Item]]] = {task: deque() for task in tasks}
        # How often each item waits in a queue: counted only once the lines of the workers differ.
        self._waiting: dict[TaskId, Counter[str]] = {}
        self._running = set(tasks)
        self._room = dict.fromkeys(tasks, room)
        self._logs = logs or {}
        self._heard: dict[TaskId, float] = {}
        self._in_step = False  # whether the last row came from all workers
        self._ahead: Counter[str] = Counter()  # lines that some workers have yet to print

    def add(self, task: TaskId, *items: Item, now: float) -> None:
        self._heard[task] = now
        queue, waiting, room = self._queues[task], self._waiting.get(task), self._room[task]
        for item in items:
            if room <= 0:
                break
            room -= len(item.text) + 1 + _size(item.output)
            shown = item if room > 0 else self._cut(task)
            queue.append((now, shown))
            if waiting is not None:
                waiting[_key(shown)] += 1
        self._room[task] = room

    def _cut(self, task: TaskId) -> Item:
        where = f"; the log is {self._logs[task]}" if task in self._logs else ""
        command = as_typed_here(f"@mw_logs {task} -n 0")
        return Item("stdout", f"… too much output to show here: {command} shows all lines{where}")

    def is_full(self, task: TaskId) -> bool:
        """Whether no more output of this worker is shown."""
        return self._room[task] <= 0

    def end(self, task: TaskId) -> None:
        """Record that nothing more will come from this worker."""
        self._running.discard(task)

    def rows(self, now: float) -> Iterator[tuple[tuple[TaskId, ...], Item]]:
        """The rows that can be shown now."""
        yield from self._equal_rows()
        while heads := {task: queue[0] for task, queue in self._queues.items() if queue}:
            complete = self._running <= heads.keys()
            if not complete and all(now < at + _patience(item) for at, item in heads.values()):
                return
            self._count()
            awaited = self._running - heads.keys()
            late = self._in_step and bool(awaited) and not any(self._is_silent(now, awaited))
            yield from self._row({task: item for task, (_, item) in heads.items()}, late=late)
            yield from self._equal_rows()
        self._waiting = {}

    def _count(self) -> None:
        if not self._waiting:
            self._waiting = {
                task: Counter(_key(item) for _, item in queue)
                for task, queue in self._queues.items()
            }

    def _equal_rows(self) -> Iterator[tuple[tuple[TaskId, ...], Item]]:
        """The next rows, as long as all workers have the same line: a fast path for most rows."""
        queues, waiting = list(self._queues.values()), list(self._waiting.values())
        if any(count > 0 for count in self._ahead.values()):
            return
        while queues and all(queues):
            (_, item), *others = [queue[0] for queue in queues]
            if item.output is not None:
                return
            if any(other.text != item.text or other.stream != item.stream for _, other in others):
                return
            for queue in queues:
                queue.popleft()
            for counter in waiting:
                counter[_key(item)] -= 1
            self._in_step = True
            yield self._tasks, item

    def _is_silent(self, now: float, tasks: Iterable[TaskId]) -> Iterator[bool]:
        return (now - self._heard.get(task, -LATE) >= LATE for task in tasks)

    def _row(
        self, heads: dict[TaskId, Item], *, late: bool
    ) -> Iterator[tuple[tuple[TaskId, ...], Item]]:
        groups: dict[str, list[TaskId]] = {}
        for task, item in heads.items():
            groups.setdefault(_key(item), []).append(task)
        # A line waits if another worker is expected to print it, too.
        early = {key: tasks for key, tasks in groups.items() if not self._comes_later(key, tasks)}
        # A worker that prints earlier lines of the others catches up while they wait.
        behind = {key: tasks for key, tasks in groups.items() if self._ahead[key] > 0}
        chosen = behind or early or dict([next(iter(groups.items()))])
        for key, tasks in chosen.items():
            yield tuple(tasks), self._placed(heads[tasks[0]], key, len(tasks), late=late)
            for task in tasks:
                self._queues[task].popleft()
                self._waiting[task][_key(heads[task])] -= 1

    def _placed(self, item: Item, key: str, count: int, *, late: bool) -> Item:
        """The item, marked as late if other workers print the same earlier or later."""
        missing = len(self._queues) - count
        if item.output is not None or not missing:
            self._in_step = not missing
            return item
        if self._ahead[key] > 0:
            self._ahead[key] -= count
            if not self._ahead[key]:
                del self._ahead[key]
        elif late:
            self._ahead[key] += missing
        else:
            self._in_step = False
            return item
        return replace(item, late=True)

    def _comes_later(self, key: str, tasks: Sequence[TaskId]) -> bool:
        return any(counter[key] > 0 for task, counter in self._waiting.items() if task not in tasks)


def _size(output: Output | None) -> int:
    """The characters of a display, as sent to the notebook."""
    return sum(len(str(one)) for one in output.data.values()) if output is not None else 0


def _patience(item: Item) -> float:
    return HOLD if item.output is None else HOLD_DISPLAY


def _key(item: Item) -> str:
    if item.output is None:
        return f"{item.stream}:{item.text}"
    out = item.output
    return f"{out.kind}:{out.display_id}:{sorted(out.data.items())!r}"
