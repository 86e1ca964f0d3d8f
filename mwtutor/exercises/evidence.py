"""Determine whether the current code of an exercise produced the evidence of a check.

An exercise's code is the latest execution of its cell, or the file that the cell writes. Its
evidence is what the check examined: runs, and variables assigned by the cells between the exercise
and its check. Evidence that is older than the code belongs to earlier code.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mwtutor.executed import ExecutedCell
from mwtutor.exercises.exercise import Exercise
from mwtutor.exercises.notebooks import NotebookCell, cells_of
from mwtutor.exercises.sources import Place, Source, read, same
from mwtutor.run.run import Run
from mwtutor.system.files import modified

#: How similar a notebook's cell must remain to count as the same cell.
_ALIKE = 0.6


#: Seconds for which an event log may still be written after its run has ended, and seconds by which
#: a file system's clock may be ahead. Task output is complete when the run ends.
_SETTLED, _AHEAD = 5.0, 1.0


@dataclass(frozen=True)
class UsedRun:
    """A run that a check examined.

    Attributes:
        created, ended: in seconds since the epoch; ``ended`` is 0 while it is running.
        recorded, logged: when its event log and the logs of its tasks were last written.
        script: the absolute path of its script.
        digest: the SHA-256 of the script when it was launched; empty if unknown.
    """

    created: float
    ended: float = 0.0
    recorded: float = 0.0
    logged: float = 0.0
    script: str = ""
    digest: str = ""

    @classmethod
    def from_run(cls, run: Run) -> UsedRun:
        spec = run.spec
        script = Path(spec.request.cwd, spec.request.program or "").absolute()
        logged = max(map(modified, spec.logs.glob("*")), default=0.0)
        recorded = modified(spec.events)
        # Files are dated by the system's clock, which may have been set since the launch.
        ended = run.state.ended and run.state.ended + max(0.0, time.time() - spec.now())
        return cls(spec.created, ended, recorded, logged, str(script), spec.digest)


@dataclass(frozen=True)
class Used:
    """The evidence that a check examined.

    Attributes:
        names: variables of the notebook, and those in expressions that the workers evaluated.
        runs: the runs, by name.
        files: whether it examined files; any cell between the exercise and its check may have
            written them.
        opened: the files of the workspace that it opened, or tried to open, as absolute paths.
    """

    names: frozenset[str] = frozenset()
    runs: Mapping[str, UsedRun] = field(default_factory=dict)
    files: bool = False
    opened: Sequence[str] = ()


class Evidence:
    """The executed cells, as evidence for one exercise."""

    def __init__(self, exercise: Exercise, executed: Sequence[ExecutedCell], folder: Path) -> None:
        self._exercise = exercise
        self._executed = list(executed)
        self._stub = read(exercise.stub)
        self._file = folder / self._stub.file if self._stub.place == "file" else None
        self._cells = cells_of(exercise.id)

    def code(self) -> list[int]:
        """The executions that defined the current code, in order."""
        return self._writes()[-1:] if self._file else sorted(set(self._versions().values()))

    def fault(self) -> str:
        """Why the code does not compile, as a clause; empty if it does, or there is none."""
        if self._file is not None:
            text = _text(self._file)
            return "" if text is None else Source("file", text, self._file.name).fault
        return read(self._executed[code[-1]].source).fault if (code := self.code()) else ""

    def raised(self) -> str:
        """The exception from the latest execution of the code; empty if it succeeded."""
        return self._executed[code[-1]].error if (code := self.code()) else ""

    def stopped(self) -> str:
        """The exception from the latest execution of a cell that runs the code, in a sentence."""
        code = self.code()
        for cell in self._cells.run if code else ():
            for one in reversed(self._executed[code[-1] + 1 :]):
                if self._is_exactly(one, cell):
                    if one.error:
                        return f"The cell {cell.id} ended with an error: {one.error.rstrip('.')}."
                    break
        return ""

    def is_stub(self) -> bool:
        """Whether the code is still the stub."""
        if self._file is not None:
            return same(_text(self._file) or "", self._stub.body)
        code = self.code()
        return bool(code) and same(self._executed[code[-1]].source, self._exercise.stub)

    def fault_of(self, used: Used) -> str:
        """The problem with the evidence, in two sentences; empty if there is none."""
        number = self._exercise.id
        first = "Run the cells between your code and this check"
        if launch := self._exercise.launch:
            first = f"Launch it again: `%mw_launch {launch}`"
        remedy = f"{first}, or `%mw_check --run {number}`."
        if self._file is not None:
            if any(not self._was_same(self._file, run) for run in used.runs.values()):
                return f"These results come from an earlier version of {self._file.name}. {remedy}"
            if newer := self._newer(used):
                return f"{newer}: it was edited or copied. {remedy}"
            return ""
        if self._is_in_the_notebook():
            magic = self._exercise.stub.split("\n", 1)[0]
            return f"Your cell ran in the notebook. Begin it with `{magic}`, and run it again."
        now = self._versions()
        for source, cell in self._results() if now else ():
            looked_at = {name for name in used.names - self._names() if source.mentions({name})}
            if not (looked_at or used.files):
                continue
            for name in sorted(source.assigned & looked_at or source.assigned):
                made = self._latest(source.place, name)
                if made is None:
                    continue
                if not self._agree(now, self._versions(made + 1)):
                    return f"These results come from an earlier version of your code. {remedy}"
                if name in looked_at and made not in now.values() and not self._is(made, cell):
                    return f"`{name}` was not set by the lesson's cell. {remedy}"
        return ""

    def missing(self, used: Used) -> str:
        """A sentence about a missing file that the check looked for; empty if there is none."""
        for file in used.opened if self._file is not None and used.runs else ():
            if not os.path.lexists(file):
                name = Path(file).name
                return f"{name} does not exist: the program did not write it, or it was removed."
        return ""

    # -- the code ---------------------------------------------------------------------------

    def _names(self) -> frozenset[str]:
        return self._stub.assigned or read(self._exercise.solution).assigned

    def _is_in_the_notebook(self) -> bool:
        """Whether the exercise's cell, meant for the workers, was last executed in the notebook."""
        if self._stub.place != "workers" or not self._cells.code:
            return False
        sources = (read(one.source) for one in self._executed if one.place == self._cells.code.id)
        last = next((one for one in reversed([*sources]) if self._names() & one.assigned), None)
        return last is not None and last.place == "notebook"

    def _versions(self, before: int | None = None) -> dict[str, int]:
        """For each name that the code defines, the latest execution that assigned it."""
        names, lessons = self._names(), (*self._cells.setup, *self._cells.run)
        found: dict[str, int] = {}
        for at, one in enumerate(self._executed[:before]):
            source = read(one.source)
            if source.place != self._stub.place:
                continue
            is_cell = bool(one.place and self._cells.code and one.place == self._cells.code.id)
            mine = names if is_cell else names & source.assigned
            if mine and not any(same(one.source, cell.source) for cell in lessons):
                found.update(dict.fromkeys(mine, at))
        return found

    def _agree(self, now: Mapping[str, int], then: Mapping[str, int]) -> bool:
        """Whether the code was the same at two times."""
        return now.keys() == then.keys() and all(
            at == then[name] or self._is_repeated(at, then[name]) for name, at in now.items()
        )

    def _is_repeated(self, one: int, other: int) -> bool:
        first, second = self._executed[one], self._executed[other]
        return not (first.error or second.error) and same(first.source, second.source)

    def _writes(self) -> list[int]:
        """The executions that wrote the code's file."""
        wanted = self._file.name if self._file is not None else ""
        sources = [read(one.source) for one in self._executed]
        return [at for at, one in enumerate(sources) if one.place == "file" and wanted == one.name]

    def _was_same(self, file: Path, run: UsedRun) -> bool:
        """Whether the file had its present text when the run was launched."""
        try:
            changed = file.stat().st_mtime
            if run.digest and run.script == str(file.absolute()):
                return hashlib.sha256(file.read_bytes()).hexdigest() == run.digest
        except OSError:
            return True
        before = [at for at in self._writes() if self._executed[at].at <= run.created]
        return changed <= run.created or bool(
            before and same(read(self._executed[before[-1]].source).body, _text(file) or "")
        )

    def _newer(self, used: Used) -> str:
        """A clause about a file written after the runs; empty if there is none."""
        for name, run in used.runs.items():
            late = run.recorded > run.ended + _SETTLED or run.logged > run.ended + _AHEAD
            if run.ended and late:
                return f"The record of the run {name} is newer than the run"
        ends = [run.ended for run in used.runs.values()]
        for file in used.opened if ends and all(ends) else ():
            if modified(Path(file)) > max(ends) + _AHEAD and not file.endswith(".py"):
                return f"{Path(file).name} is newer than the run that should have written it"
        return ""

    # -- its results ------------------------------------------------------------------------

    def _results(self) -> Iterator[tuple[Source, NotebookCell]]:
        """The cells, between the exercise and its check, whose results depend on the code."""
        depends = set(self._names())
        for cell in self._cells.run:
            source = read(cell.source)
            if source.mentions(depends):
                depends |= source.assigned
                yield source, cell

    def _latest(self, place: Place, wanted: str) -> int | None:
        """The latest execution that assigned the name there."""
        for at in reversed(range(len(self._executed))):
            source = read(self._executed[at].source)
            if source.place == place and wanted in source.assigned:
                return at
        return None

    def _is(self, at: int, cell: NotebookCell) -> bool:
        """Whether that execution was of the notebook's cell, perhaps slightly changed."""
        one = self._executed[at]
        if self._is_exactly(one, cell):
            return True
        return difflib.SequenceMatcher(None, one.source, cell.source).ratio() >= _ALIKE

    def _is_exactly(self, one: ExecutedCell, cell: NotebookCell) -> bool:
        return same(one.source, cell.source) or bool(one.place and one.place == cell.id)


def _text(file: Path) -> str | None:
    try:
        return file.read_text()
    except (OSError, ValueError):
        return None
