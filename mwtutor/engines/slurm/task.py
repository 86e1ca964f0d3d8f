"""One task of a run on Slurm: a step of its job."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from mwtutor.cluster import TaskId
from mwtutor.run.record.events import Reported
from mwtutor.supervisor import pipe_protocol
from mwtutor.supervisor.followed import FollowedTask
from mwtutor.system import child, ports
from mwtutor.system.files import append, open_file, write_whole
from mwtutor.worker import remote
from mwtutor.worker.bootstrap import TaskSpec


class Lines:
    """The lines that are appended to a file, as they arrive."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = 0

    def read(self) -> list[bytes]:
        """The complete lines since the last call."""
        try:
            with open_file(self._path) as file:
                file.seek(self._at)
                data = file.read()
        except OSError:
            return []
        whole = data[: data.rfind(b"\n") + 1]
        self._at += len(whole)
        return whole.splitlines()


class StepTask(FollowedTask):
    """One task: a step, and its ``srun``."""

    def __init__(
        self,
        task: TaskId,
        attempt: int,
        spec: TaskSpec,
        node: str,
        address: str,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(task, attempt, Path(spec.log), clock)
        self.died = 0.0
        self._address = address
        self._step = ""
        place = self.log.with_name(f"{self.log.stem}.{attempt}.task")
        self._said = remote.events(place)
        self._events = Lines(self._said)
        self._asks = remote.asks(place)
        write_whole(place, spec.to_json().encode(), mode=0o600)
        self._srun = subprocess.Popen(
            ["srun", "--overlap", "--nodes=1", "--ntasks=1", f"--nodelist={node}",
             f"--job-name={task}", "--unbuffered", "--input=none",
             sys.executable, str(child.ENTRY), "remote", str(place)],
            stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    def exit(self) -> int | None:
        """The task's exit status, once it has ended; negative if a signal ended it."""
        code = self._srun.poll()
        if code is not None and not self.died:
            self.died = time.monotonic()
        return 128 - code if code is not None and 128 < code < 128 + signal.NSIG else code

    def events(self) -> Iterator[Reported]:
        for line in self._events.read():
            if (event := pipe_protocol.parse(line, self.id)) is not None:
                self.heard = time.monotonic()
                yield event

    def listens(self) -> bool:
        return ports.listens(self._address)

    def ask(self, word: str) -> None:
        with contextlib.suppress(OSError):
            append(self._asks, f"{word}\n".encode())

    def send_signal(self, number: int) -> None:
        self._sent.add(number)
        if self.ended:
            return
        if self._number():
            name = signal.Signals(number).name.removeprefix("SIG")
            subprocess.run(["scancel", f"--signal={name}", self._step])
        else:
            self._srun.terminate()  # Slurm has not started the step yet; now it never will

    def _number(self) -> str:
        """The step's number; empty if not reported yet."""
        if not self._step and (first := Lines(self._said).read()[:1]):
            self._step = first[0].removeprefix(remote.STEP).decode()
        return self._step
