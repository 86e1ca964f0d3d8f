"""The directory that TensorBoard reads: mwtutor writes histories to it, and links all other files.

This module does not import TensorFlow: the ``tensorboard`` package writes event files without it.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mwtutor.cluster import TaskId
from mwtutor.run.record import event_reading
from mwtutor.run.record.eventlog import EventReader
from mwtutor.run.record.events import Progress
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState, TaskState, next_state

#: TensorFlow 2 names an event file after the time, host and process of its creation; version 1
#: of its writers omits the process.
_EVENT_FILE = re.compile(r"events\.out\.tfevents\.(\d+)\.(.+?)(?:\.(\d+)\.\d+(?:\.v2)?)?")

#: Directories in which programs write no event files.
_SKIPPED = {"__pycache__", "node_modules", "site-packages"}

#: Maximum number of directories searched for event files.
MOST = 5000


class RunFiles:
    """The files of one run; :meth:`update` brings them up to date.

    Args:
        spec: the run.
        root: the directory for TensorBoard; it is created.
        looked: the run's working directory, searched for the program's event files; None if the
            run is read-only, because mwtutor opens nothing at a path that such a run names.
    """

    def __init__(self, spec: RunSpec, root: Path, looked: Path | None) -> None:
        self._root = root
        self._looked = looked
        self._reader = EventReader(spec.events)
        self._state = RunState()
        self._pids: dict[int, TaskId] = {}
        self._next_look = 0.0
        self.histories: set[str] = set()
        self.directories: set[str] = set()
        self.looked_everywhere = True
        root.mkdir(parents=True)

    def update(self) -> None:
        """Add the data that is new since the last call."""
        self._write_histories()
        if self._looked is not None and time.monotonic() >= self._next_look:
            began = time.monotonic()
            self._link_event_files(self._looked)
            # Searching a large directory must not keep a processor busy.
            self._next_look = time.monotonic() + max(2.0, 20 * (time.monotonic() - began))

    def shows(self) -> dict[str, object]:
        """The data found so far, for display."""
        return {
            "histories": sorted(self.histories),
            "directories": sorted(self.directories),
            "looked": self._looked is not None,
            "looked_everywhere": self.looked_everywhere,
        }

    def _write_histories(self) -> None:
        new: dict[Path, list[tuple[float, TaskState]]] = {}
        for event in map(event_reading.read, self._reader.read()):
            if event is None:
                continue
            self._state = next_state(self._state, event)
            for task in self._state.tasks.values():
                if task.pid:
                    self._pids[task.pid] = task.id
            known = self._state.tasks.get(event.task) if isinstance(event, Progress) else None
            if known is not None and known.metrics:
                again = f" attempt {known.attempt}" if known.attempt > 1 else ""
                name = f"{known.id}{again}"
                self.histories.add(name)
                path = self._root / name.replace(":", "-")
                new.setdefault(path, []).append((known.heard, known))
        for directory, points in new.items():
            _append(directory, points)

    def _link_event_files(self, root: Path) -> None:
        if not self._state.started:
            return
        looked = 0
        for directory, names, below in _walk(root):
            looked += 1
            where = os.path.relpath(directory, root)
            # Links belong to another TensorBoard, or lead to files that are found anyway.
            ours = [n for n in names if self._is_ours(n) and not Path(directory, n).is_symlink()]
            for name in ours:
                self.directories.add(where)
                _link(Path(directory, name), self._root / "program" / where / name)
            if ours and "plugins" in below:
                self._link_traces_of_the_program(Path(directory), where)
        self.looked_everywhere = looked < MOST

    def _link_traces_of_the_program(self, directory: Path, where: str) -> None:
        """Link traces that the program wrote next to its event files, as Keras's callback does."""
        for trace in directory.glob("plugins/profile/*"):
            if self._while_it_ran(trace.stat().st_mtime):
                _link(trace, self._root / "program" / where / "plugins" / "profile" / trace.name)

    def _is_ours(self, name: str) -> bool:
        """Whether a task of this run created the file, as far as its name shows."""
        found = _EVENT_FILE.fullmatch(name)
        if found is None or not self._while_it_ran(float(found[1])):
            return False
        return found[3] is None or int(found[3]) in self._pids

    def _while_it_ran(self, at: float) -> bool:
        ended = self._state.ended or float("inf")
        return self._state.started - 1.0 <= at <= ended + 1.0


def _append(directory: Path, points: Sequence[tuple[float, TaskState]]) -> None:
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.record_writer import RecordWriter

    directory.mkdir(exist_ok=True)
    path = directory / "events.out.tfevents.history"
    begins = not path.exists()
    with open(path, "ab") as file:
        writer = RecordWriter(file)
        if begins:
            first = Event(wall_time=points[0][0], file_version="brain.Event:2")
            writer.write(first.SerializeToString())
        for at, task in points:
            values = [Summary.Value(tag=n, simple_value=v) for n, v in task.metrics.items()]
            event = Event(wall_time=at, step=task.position, summary=Summary(value=values))
            writer.write(event.SerializeToString())


def _walk(root: Path) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    """Each directory, with its files and its subdirectories."""
    for number, (directory, below, names) in enumerate(os.walk(root), 1):
        below[:] = [name for name in below if not name.startswith(".") and name not in _SKIPPED]
        yield directory, names, below
        if number >= MOST:
            return


def _link(path: Path, link: Path) -> None:
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink():
        link.symlink_to(path)


def labels(specs: Sequence[RunSpec]) -> Mapping[str, RunSpec]:
    """The runs by label: a run's name, or its id if the name is not unique."""
    names = [spec.name for spec in specs]
    return {spec.name if names.count(spec.name) == 1 else spec.id: spec for spec in specs}
