"""A run as requested and as stored: ``run.json`` in the run's directory."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mwtutor.exceptions import BadInput
from mwtutor.run.record.paths import SPEC, RunPaths
from mwtutor.run.record.store import unwritable
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.request.program import Program
from mwtutor.sanitize import harmless
from mwtutor.system import processes
from mwtutor.system.files import read, write_whole
from mwtutor.system.linux import monotonic
from mwtutor.system.pidspace import PidSpace, boot
from mwtutor.system.runtime_dir import remove_socket_dir
from mwtutor.worker.patches.generated import remove_left

MARKER = processes.MARKER


@dataclass(frozen=True)
class RunSpec(RunPaths):
    """The properties of a run that are fixed before it starts.

    Attributes:
        id: unique in its directory; sorts by time.
        directory: the run's directory, absolute.
        request: the request, with its defaults filled in.
        sockets: the directory of the kernels' sockets, if the tasks execute a session's cells.
        engine: the name of the engine that starts it.
        warm: whether the tasks are forked from the fork server.
        why_cold: why they are not forked, although the engine has a fork server; empty if they are.
        keras: which Keras ``tf.keras`` is, in words; empty if unknown.
        created: seconds since the epoch.
        epoch: when the machine's monotonic clock was 0 (seconds since the epoch); 0 if unknown.
        task_env: additions to the environment of single tasks, by task.
        devices: the devices on which the tasks compute, in words.
        launcher: pid and start (clock ticks since boot) of the process that launches it.
        space: the PID namespace and the boot in which that pid, and those of its supervisor and
            tasks, are valid.
        inode: the inode number of its directory, which identifies copies of it.
        digest: the SHA-256 of the script when it was launched; empty if it is not a script.
    """

    id: str
    directory: str
    request: LaunchRequest
    sockets: str = ""
    engine: str = "local"
    warm: bool = True
    why_cold: str = ""
    keras: str = ""
    created: float = 0.0
    epoch: float = 0.0
    task_env: dict[str, dict[str, str]] = field(default_factory=dict)
    devices: str = ""
    launcher: tuple[int, int] = (0, 0)
    space: PidSpace = field(default_factory=PidSpace)
    inode: int = 0
    digest: str = ""

    @property
    def name(self) -> str:
        """The name by which users refer to the run."""
        return self.request.name

    @property
    def program(self) -> Program:
        """The program that every task executes."""
        return Program("kernel", self.sockets) if self.sockets else self.request.executes

    def now(self) -> float:
        """Seconds since the epoch, by a clock that is not adjusted during the run.

        Only the machine where it was launched has this clock; others use their own.
        """
        here = self.epoch and self.space.boot and self.space.boot == boot()
        return self.epoch + monotonic() if here else time.time()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunSpec:
        """The inverse of :meth:`to_json`.

        Raises:
            ValueError, TypeError, KeyError: ``data`` does not describe a run of this version.
        """
        pid, started = data.get("launcher", (0, 0))
        try:
            request = LaunchRequest(**data["request"])
        except BadInput as error:
            raise ValueError(str(error)) from None
        made = {
            "request": request,
            "launcher": (int(pid), int(started)),
            "space": PidSpace.from_json(data["space"]) if "space" in data else PidSpace(),
            "inode": int(data.get("inode", 0)),
        }
        return cls(**{**data, **made})

    def clear_elsewhere(self) -> None:
        """Remove the files that an ended run left elsewhere: sockets and unfinished files.

        Programs can write to the lists of these files, so this is only for runs of this user.
        """
        remove_left(self.logs)
        if self.sockets:
            remove_socket_dir(self.sockets)

    def save(self) -> None:
        """Write ``run.json`` whole or not at all.

        Raises:
            BadInput: the directory cannot be written.
        """
        try:
            write_whole(self.file, json.dumps(self.to_json(), indent=2).encode(), mode=0o600)
        except OSError as error:
            raise unwritable(self.path.parent, error) from None

    @classmethod
    def load(cls, directory: Path) -> RunSpec:
        """Read the run in ``directory``, even if it has been moved there."""
        data = json.loads(read(directory / SPEC))
        request = {**data["request"], "name": harmless(data["request"]["name"])}
        shown = {"id": harmless(data["id"]), "request": request}
        return cls.from_json({**data, **shown, "directory": str(directory.absolute())})
