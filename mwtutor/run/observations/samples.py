"""Where the time of live tasks goes: their stacks, sampled for some seconds, as values."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.run.observations.stacks import PATIENCE, Frame
from mwtutor.sanitize import harmless
from mwtutor.system.files import read
from mwtutor.worker.sampling import path_beside

#: Seconds between two checks of what the tasks have sampled so far.
_LOOK = 0.1


@dataclass(frozen=True)
class Visit:
    """A stack that was seen, and for how long.

    Attributes:
        main: whether it is the stack of the program's first thread.
        waits: whether it is in code with a collective, which can wait for other tasks.
        frames: its frames, the outermost first, without those of mwtutor.
        seconds: how long the thread was there.
    """

    main: bool
    waits: bool
    frames: tuple[Frame, ...]
    seconds: float


@dataclass(frozen=True)
class Samples:
    """The samples of one task.

    Attributes:
        seconds: how long it has been sampled.
        count: the number of samples taken.
        longest: the longest time between two samples, in seconds. It is far longer than the others
            if native code held the GIL.
        done: whether it was sampled for the requested time.
        why: the reason if it was not sampled that long; empty if it was, or is still being sampled.
    """

    task: TaskId
    paths: tuple[Visit, ...] = ()
    seconds: float = 0.0
    count: int = 0
    longest: float = 0.0
    done: bool = False
    why: str = ""


@dataclass(frozen=True)
class Sampled:
    """The samples of several tasks.

    Attributes:
        wanted: the number of seconds requested.
        interrupted: whether sampling was interrupted.
    """

    tasks: tuple[Samples, ...]
    wanted: float
    interrupted: bool = False

    @property
    def seconds(self) -> float:
        """How long the task that was sampled longest has been sampled."""
        return max((one.seconds for one in self.tasks), default=0.0)


def collected(
    asked: Mapping[TaskId, tuple[Path, str]], seconds: float, ended: Callable[[TaskId], str]
) -> Iterator[Sampled]:
    """The tasks' samples so far, until all tasks are done or no more samples can arrive.

    Args:
        asked: each task's log, and the token of its answer.
        ended: returns why a task has ended; empty while it is alive.
    """
    deadline = time.monotonic() + seconds + PATIENCE
    while True:
        gone = {task: ended(task) for task in asked}  # before the last read, so nothing is missed
        tasks = [
            replace(_read(task, log, token), why=gone[task]) for task, (log, token) in asked.items()
        ]
        over = all(one.done or one.why for one in tasks)
        if not over and time.monotonic() > deadline:
            over = True
            tasks = [replace(one, why=one.why or "no more samples arrived") for one in tasks]
        yield Sampled(
            tuple(replace(one, why="" if one.done else one.why) for one in tasks), seconds
        )
        if over:
            return
        time.sleep(_LOOK)


def _read(task: TaskId, log: Path, token: str) -> Samples:
    try:
        answer = json.loads(read(path_beside(log)))
        if answer["token"] != token:
            return Samples(task)
        frames = [
            Frame(harmless(file), int(line), harmless(function), harmless(source))
            for file, line, function, source in answer["frames"]
        ]
        return Samples(
            task,
            tuple(_path(frames, *stack) for stack in answer["stacks"]),
            _seconds(answer["seconds"]),
            int(answer["samples"]),
            _seconds(answer["longest"]),
            answer["done"] is True,
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
        return Samples(task)  # not written yet, or overwritten by the program


def _path(frames: list[Frame], main: Any, waits: Any, places: list[int], seconds: Any) -> Visit:
    stack = tuple(frames[place] for place in places)
    return Visit(main is True, waits is True, stack, _seconds(seconds))


def _seconds(value: Any) -> float:
    if not math.isfinite(seconds := float(value)) or seconds < 0:
        raise ValueError
    return seconds
