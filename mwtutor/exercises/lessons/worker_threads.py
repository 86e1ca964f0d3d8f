"""A learner's function on several workers at once: each is a thread, and waiting is real."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np


class Stuck(Exception):
    """A worker waits, and no other can do what it waits for."""


class Workers:
    """Threads that wait for each other, and notice when nobody can continue."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._changed = threading.Condition()
        self._waits: dict[int, Callable[[], bool]] = {}
        self._live = set(range(count))

    def run(self, function: Callable[[int], Any]) -> list[Any]:
        """What the function returned on each worker, or the exception that it raised."""
        found: list[Any] = [None] * self.count

        def work(me: int) -> None:
            try:
                found[me] = function(me)
            except Exception as error:
                found[me] = error
            with self._changed:
                self._live.discard(me)
                self._changed.notify_all()

        threads = [threading.Thread(target=work, args=(me,)) for me in range(self.count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    def tell(self, change: Callable[[], Any]) -> None:
        """Change something that others may be waiting for."""
        with self._changed:
            change()
            self._changed.notify_all()

    def wait(self, me: int, ready: Callable[[], bool]) -> None:
        """Wait for a condition.

        Raises:
            Stuck: all other workers have ended or are waiting, too.
        """
        with self._changed:
            self._waits[me] = ready
            self._changed.notify_all()
            self._changed.wait_for(lambda: ready() or self._stuck())
            came = ready()
            del self._waits[me]
        if not came:
            raise Stuck

    def _stuck(self) -> bool:
        return self._live <= self._waits.keys() and not any(one() for one in self._waits.values())


class Ring(Workers):
    """Each worker sends to the next one, the last to worker 0.

    Args:
        noise: added to every number on its way.
    """

    def __init__(self, count: int, noise: float = 0.0) -> None:
        super().__init__(count)
        self.sent: list[list[Any]] = [[] for _ in range(count)]
        self._boxes: list[deque[Any]] = [deque() for _ in range(count)]
        self._noise = noise

    def send(self, me: int, array: Any) -> None:
        copy = np.array(array)
        if copy.dtype.kind not in "biufc":
            raise TypeError(f"`send` takes an array of numbers, not {type(array).__name__}")
        self.sent[me].append(copy)
        box = self._boxes[(me + 1) % self.count]
        self.tell(lambda: box.append(copy + self._noise))

    def receive(self, me: int) -> Any:
        self.wait(me, lambda: bool(self._boxes[me]))
        return self._boxes[me].popleft()


class Meetings(Workers):
    """All workers meet in each all-reduce."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.given: list[list[Any]] = [[] for _ in range(count)]

    def all_reduce(self, me: int, array: Any) -> Any:
        """The sum over all workers: each worker's nth call meets the nth call of every other.

        Raises:
            ValueError: the shapes differ.
            Stuck: another worker has made fewer calls, and ended.
        """
        number = len(self.given[me])
        self.tell(lambda: self.given[me].append(np.array(array, dtype=float)))
        self.wait(me, lambda: all(len(one) > number for one in self.given))
        parts = [one[number] for one in self.given]
        if len({part.shape for part in parts}) > 1:
            shapes = ", ".join(str(part.shape) for part in parts)
            raise ValueError(f"the workers exchange arrays of the shapes {shapes}")
        return np.sum(parts, axis=0)
