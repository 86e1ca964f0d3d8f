"""The files of a run, in its directory."""

from __future__ import annotations

from pathlib import Path

from mwtutor.cluster import TaskId

SPEC, EVENTS = "run.json", "events.jsonl"

#: Directories with one file per task.
LOGS, TF_CONFIGS = "logs", "tf_config"


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
