"""Whether processes were recently killed because memory ran out."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from mwtutor.system.linux import PROC

#: Seconds within which a killed process exits; it frees its memory first.
LATELY = 5.0

#: Seconds between two checks.
_EVERY = 0.5


def oom_kills() -> int:
    """How many processes this machine's out-of-memory killer has killed so far."""
    try:
        lines = Path(PROC, "vmstat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


class MemoryKills:
    """Recent kills on the whole machine; the kernel does not say which processes.

    Args:
        count: returns the number of kills so far.
        clock: returns seconds, from any starting point.
    """

    def __init__(
        self, count: Callable[[], int] = oom_kills, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._count = count
        self._clock = clock
        self._looks = deque([(clock(), count())])

    def look(self) -> None:
        """Record the current number; call this often."""
        now = self._clock()
        if now - self._looks[-1][0] < _EVERY:
            return
        self._looks.append((now, self._count()))
        while self._looks[1][0] <= now - LATELY:
            self._looks.popleft()

    def lately(self) -> int:
        """The number of kills in the last :data:`LATELY` seconds, or slightly longer."""
        self.look()
        return self._count() - self._looks[0][1]
