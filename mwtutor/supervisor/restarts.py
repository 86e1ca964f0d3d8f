"""Whether a failed run is restarted, and after how long; this module reads no clock."""

from __future__ import annotations

#: Seconds before the first restart, and the maximum; each wait is twice as long as the last.
BACK_OFF, LONGEST = 0.5, 30.0

#: This many attempts in a row without progress are a crash loop.
LOOP = 3

#: An attempt that lasted this many seconds is not part of a crash loop, whatever it reported.
LASTING = 60.0


class Restarts:
    """How many restarts are left, and the progress of the attempts."""

    def __init__(self, allowed: int) -> None:
        self.allowed = allowed
        self.used = 0
        self._fruitless = 0
        self._best = (0, 0)
        self._further = False

    def note_progress(self, epoch: int | None, step: int | None) -> None:
        """Take a task's report of its progress into account."""
        place = (epoch or 0, step or 0)
        if place > self._best:
            self._best = place
            self._further = True

    def delay_after(self, lasted: float) -> float | None:
        """Count a failed attempt that lasted this long; return the seconds to wait before the next.

        Returns:
            None if there will be no further attempt.
        """
        self._fruitless = 0 if self._further or lasted >= LASTING else self._fruitless + 1
        self._further = False
        return None if self._fruitless >= LOOP else self.next_delay()

    def next_delay(self) -> float | None:
        """Use up one restart, and return the seconds to wait before it; None if none is left."""
        if self.used >= self.allowed:
            return None
        self.used += 1
        return float(min(BACK_OFF * 2 ** (self.used - 1), LONGEST))

    def with_fewer(self) -> float:
        """The seconds to wait before an attempt with fewer workers.

        Such an attempt uses none of the restarts, and the attempts of the larger cluster do not
        count toward a crash loop of the smaller one.
        """
        self._fruitless = 0
        return BACK_OFF

    def in_vain(self) -> str:
        """Why there will be no further attempt: text to append to the failure's reason."""
        if self.used and self._fruitless >= LOOP:
            return f"; a crash loop: {LOOP} attempts in a row made no progress"
        return f"; restarted {times(self.used)}" if self.used else ""


def times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
