"""Report failures of background runs at the next cell, unless the user has already seen them."""

from __future__ import annotations

import re
from typing import Any

from mwtutor.run.run import Run

#: Matches a cell that shows a run's state.
_SHOWS = re.compile(r"^\s*%mw_(status|wait|result)\b", re.MULTILINE)


class Announcer:
    """Monitors runs that were launched in the background."""

    def __init__(self, shell: Any) -> None:
        self._unseen: list[Run] = []
        shell.events.register("pre_run_cell", self.announce)

    def watch(self, run: Run) -> None:
        self._unseen.append(run)

    def mark_seen(self, run: Run) -> None:
        """Record that the user has seen the run's state; an ended run is not reported again."""
        if run in self._unseen and run.outcome is not None:
            self._unseen.remove(run)

    def announce(self, info: Any = None) -> None:
        if _SHOWS.search(str(getattr(info, "raw_cell", ""))):
            return  # this cell shows a run's end itself; other runs are reported at the next cell
        for run in list(self._unseen):
            outcome = run.outcome
            if outcome is None:
                continue
            self._unseen.remove(run)
            if not outcome.ok and outcome.status != "stopped":
                print(
                    f"{run.name} {outcome.status}: {outcome.reason}. More: %mw_status {run.name}",
                    flush=True,
                )

    def going(self) -> list[str]:
        """The names of runs that are still running."""
        return [run.name for run in self._unseen if run.outcome is None]
