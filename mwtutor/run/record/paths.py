"""Where runs are kept, and the files of a run."""

from __future__ import annotations

from pathlib import Path

from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadInput

SPEC, EVENTS = "run.json", "events.jsonl"

#: Directories with one file per task.
LOGS, TF_CONFIGS = "logs", "tf_config"


def working_directory() -> Path:
    """The current directory.

    Raises:
        BadInput: it has been removed.
    """
    try:
        return Path.cwd()
    except OSError:
        raise BadInput(
            "The current directory has been removed.",
            "Change to an existing one (cd in a terminal, %cd in a notebook) and try again.",
        ) from None


def root(base: Path | None = None) -> Path:
    """The directory of everything that mwtutor keeps for a directory; by default, the current one.

    Raises:
        BadInput: the current directory has been removed.
    """
    return (base or working_directory()) / ".mwtutor"


class RunPaths:
    """The paths of a run's files."""

    directory: str

    @property
    def path(self) -> Path:
        return Path(self.directory)

    @property
    def file(self) -> Path:
        return self.path / SPEC

    @property
    def lock(self) -> Path:
        """The file that the run's supervisor locks, see :mod:`mwtutor.run.record.life`."""
        return self.path / "supervisor.lock"

    @property
    def events(self) -> Path:
        return self.path / EVENTS

    @property
    def supervisor_log(self) -> Path:
        """The output of the run's supervisor, or of its scheduler's job."""
        return self.path / "supervisor.log"

    @property
    def logs(self) -> Path:
        return self.path / LOGS

    def log(self, task: TaskId) -> Path:
        return self.logs / f"{task.type}-{task.index}.log"

    def tf_config(self, task: TaskId) -> Path:
        return self.path / TF_CONFIGS / f"{task.type}-{task.index}.json"
