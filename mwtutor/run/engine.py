"""What an engine is: where the tasks of a run are started.

Six verbs, as for Jupyter's kernel provisioners (``jupyter_client.provisioning``): what a launcher
of any kind has to be able to do, and nothing more.
"""

from __future__ import annotations

from typing import Protocol

from mwtutor.run.spec import RunSpec
from mwtutor.system.child import ProcessContext


class Engine(Protocol):
    """Starts runs and holds on to them for as long as this process lives."""

    def launch(self, run: RunSpec, context: ProcessContext) -> None:
        """Start the run; return once its supervisor has started every task.

        Raises:
            LaunchFailed: nothing was started, or nothing is left of it.
        """

    def poll(self, run: RunSpec) -> bool:
        """Whether the run's supervisor lives."""

    def wait(self, run: RunSpec, timeout: float) -> bool:
        """Wait up to ``timeout`` seconds for the supervisor to end; whether it has."""

    def send_signal(self, run: RunSpec, task: str, number: int) -> None:
        """Send a signal to one task."""

    def terminate(self, run: RunSpec, reason: str) -> bool:
        """Tell the supervisor to stop the run; whether this process could."""

    def cleanup(self, run: RunSpec) -> None:
        """Let go of a run that has ended."""
