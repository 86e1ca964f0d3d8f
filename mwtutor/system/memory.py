"""Whether processes have lately been killed because memory ran out."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

#: Seconds between such a kill and the end of the process, which first gives its memory back.
LATELY = 5.0

#: Seconds between two looks.
_EVERY = 0.5


def oom_kills() -> int:
    """How many processes this machine's out-of-memory killer has killed so far."""
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


class MemoryKills:
    """How many there have been lately, on the whole machine: the kernel does not say of whom.

    Args:
        count: how many there have been so far.
        clock: seconds, from any moment on.
    """

    def __init__(
        self, count: Callable[[], int] = oom_kills, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._count = count
        self._clock = clock
        self._looks = deque([(clock(), count())])

    def look(self) -> None:
        """Note how many there are now; to be called often."""
        now = self._clock()
        if now - self._looks[-1][0] < _EVERY:
            return
        self._looks.append((now, self._count()))
        while self._looks[1][0] <= now - LATELY:
            self._looks.popleft()

    def lately(self) -> int:
        """How many there were in the last :data:`LATELY` seconds, or a little longer."""
        self.look()
        return self._count() - self._looks[0][1]
