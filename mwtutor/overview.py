"""The runs of a directory and of those below it, as data: for JupyterLab's side panel."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mwtutor.colors import meaning
from mwtutor.display.output import loglines
from mwtutor.display.panel.headline import report
from mwtutor.exceptions import MwtutorError, NoRun
from mwtutor.run.logs import logs
from mwtutor.run.record.paths import SPEC
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.run.record.store import Store
from mwtutor.run.run import Run
from mwtutor.sanitize import harmless
from mwtutor.system import files, processes
from mwtutor.system.pidspace import PidSpace

#: How many directories to search, those near the root first, and how many runs to list.
MOST, MOST_RUNS = 2000, 100

#: Minimum pause between two searches, in seconds and as a multiple of a search's duration.
_PAUSE, _TIMES = 2.0, 50

#: How many lines of a log to return, and how many bytes at the end of each task's log to read.
_LINES, _TAIL = 500, 1 << 18

#: Directories that may be large and contain no runs, besides hidden ones and environments.
_SKIPPED = frozenset(("node_modules", "__pycache__"))


class Overview:
    """The runs below a directory: list them, read their logs, stop one.

    Only :meth:`stop` changes anything. All returned text is safe to show, and all returned data can
    be written as JSON.

    Args:
        root: the directory.
    """

    def __init__(self, root: Path | str) -> None:
        self._root = Path(root).absolute()
        self._looking = threading.Lock()
        self._folders: list[Path] = []
        self._complete = True
        self._due = 0.0
        # Kept so that the next look reads only new lines of logs, and nothing of runs that had
        # ended.
        self._runs: dict[Path, Run] = {}
        self._entries: dict[Path, dict[str, Any]] = {}

    def look(self, also: Iterable[Path | str] = ()) -> dict[str, Any]:
        """Every run as it is now, by directory: running ones come first, then new ones.

        Args:
            also: directories in which to look first, however large the tree is.
        """
        with self._looking:
            self._search()
            there = dict.fromkeys([*(Path(path).absolute() for path in also), *self._folders])
            found = {path: list(Store(path).directories()) for path in there}
            newest = sorted((run.name, run) for runs in found.values() for run in runs)[-MOST_RUNS:]
            listed = {run for _, run in newest}
            self._forget(listed)
            folders = [self._folder(path, found[path], listed) for path in there]
        shown = [folder for folder in folders if folder["runs"] or folder["notes"]]
        shown.sort(key=lambda folder: (all(r["ended"] for r in folder["runs"]), folder["name"]))
        return {"folders": shown, "notes": self._notes(bool(shown), sum(map(len, found.values())))}

    def log(self, key: str, task: str = "") -> dict[str, Any]:
        """The last lines of a run's log, with its state.

        Args:
            key: the run, as :meth:`look` returned it.
            task: one task; all of them by default.

        Raises:
            NoRun: there is no such run, or its log cannot be read.
            BadInput: it has no such task.
        """
        run = self._run(key)
        state = run.state
        tasks = [run.task(task)] if task else list(state.tasks)
        lines = logs.lines(run.spec, tasks, last=_LINES, within=_TAIL)
        return {
            **_head(run.spec, state),
            "tasks": [str(name) for name in state.tasks],
            "lines": list(loglines.render(lines, tasks)),
        }

    def stop(self, key: str) -> str:
        """Stop a run, wait until it has ended, and return a sentence that says how it ended.

        Raises:
            NoRun: there is no such run, it is read-only, or it cannot be reached from here.
            RunTimeout: it does not end.
        """
        run = self._run(key)
        if run.outcome is not None:
            return f"{run.name} has already ended."
        return f"{run.name} {run.stop('it was stopped in the side panel').status}."

    def _run(self, key: str) -> Run:
        for known in (True, False):
            if not known:  # another process may have listed it, before this one started
                self.look()
            with self._looking:
                for path, run in self._runs.items():
                    if _key(path) == key:
                        return run
        raise NoRun("This run no longer exists.", "Choose another run from the list.")

    def _search(self) -> None:
        """Look for directories with runs, unless that was done a moment ago."""
        began = time.monotonic()
        if began < self._due:
            return
        self._folders, searched = [], 0
        for searched, (path, names) in enumerate(_tree(self._root), 1):
            if ".mwtutor" in names:
                self._folders.append(path)
            if searched == MOST:
                break
        self._complete = searched < MOST
        self._due = began + max(_PAUSE, _TIMES * (time.monotonic() - began))

    def _forget(self, listed: set[Path]) -> None:
        self._runs = {path: run for path, run in self._runs.items() if path in listed}
        self._entries = {path: kept for path, kept in self._entries.items() if path in listed}

    def _folder(self, path: Path, runs: Iterable[Path], listed: set[Path]) -> dict[str, Any]:
        entries, notes = [], _trouble(Store(path))
        for directory in runs:
            if directory not in listed:
                continue
            try:
                if directory not in self._runs:
                    self._runs[directory] = Run.open(directory)
                entries.append(self._entry(directory, self._runs[directory]))
            except MwtutorError as error:
                if os.path.isfile(directory / SPEC):  # otherwise it is being removed
                    notes.append(error.problem)
        entries.sort(key=lambda entry: entry["ended"])
        below = os.path.relpath(path, self._root)
        name = harmless("/" if below == "." else f"/{below}")
        return {"name": name, "notes": notes, "runs": entries}

    def _entry(self, directory: Path, run: Run) -> dict[str, Any]:
        if (kept := self._entries.get(directory)) is not None:
            return kept
        state, spec = run.state, run.spec
        told = report(spec, state)
        launched = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(spec.created))
        entry = {
            **_head(spec, state),
            "key": _key(directory),
            "kind": "session" if spec.program.kind == "kernel" else "run",
            "program": harmless(spec.program.title),
            "launched": launched,
            "facts": list(told.facts),
            "problem": told.problem,
            "tasks": [{"name": row.cells[0], "state": row.cells[1]} for row in told.table.rows],
            "stoppable": run.can_be_stopped,
            "notebook": self._notebook(spec) if state.outcome is None else "",
        }
        if state.outcome is not None and state.outcome.status != "lost":  # it will not change
            self._entries[directory] = entry
        return entry

    def _notebook(self, spec: RunSpec) -> str:
        """The notebook whose kernel launched the run, relative to the root; empty if unknown."""
        pid, born = spec.launcher
        if not spec.space.shares_pids(PidSpace.here()) or not processes.alive(pid, born):
            return ""
        path = os.path.relpath(processes.notebook_of(pid) or os.pardir, self._root)
        known = not path.startswith(os.pardir) and path == harmless(path)
        return path if known and os.path.isfile(self._root / path) else ""

    def _notes(self, found: bool, runs: int) -> list[str]:
        notes = []
        if not found:
            notes += ["There are no runs here yet. Start one in a notebook: %mw_launch 2 main.py"]
        if not self._complete:
            notes += [f"Only {MOST} folders were searched for runs."]
        if runs > MOST_RUNS:
            notes += [f"Only the newest {MOST_RUNS} of {runs} runs are listed."]
        return notes


def _head(spec: RunSpec, state: RunState) -> dict[str, Any]:
    return {
        "name": harmless(spec.name),
        "state": state.status,
        "meaning": meaning(state.status),
        "ended": state.outcome is not None,
    }


def _key(directory: Path) -> str:
    """The name of a run in a request, whatever its directory is called."""
    return hashlib.sha256(os.fsencode(directory)).hexdigest()[:20]


def _trouble(store: Store) -> list[str]:
    """Why some runs of a directory are not listed."""
    try:
        files.names_in(store.root / "runs")
    except (FileNotFoundError, PermissionError):
        pass
    except OSError as error:
        return [f"The runs in {harmless(store.root)} cannot be read: {error.strerror}."]
    return ["This folder has runs that you may not read."] if store.hides_some() else []


def _tree(root: Path) -> Iterator[tuple[Path, set[str]]]:
    """Each directory with the names in it, those near the root first."""
    waiting = deque([root])
    while waiting:
        path = waiting.popleft()
        try:
            with os.scandir(path) as entries:
                names = {entry.name: entry for entry in entries}
        except OSError:
            continue
        yield path, set(names)
        if "pyvenv.cfg" not in names:
            below = sorted(name for name in set(names) - _SKIPPED if not name.startswith("."))
            waiting.extend(path / name for name in below if _is_directory(names[name]))


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
