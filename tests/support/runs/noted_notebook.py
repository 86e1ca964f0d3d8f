"""A notebook's file and the cells executed in it, without a kernel."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mwtutor import exercises as api
from mwtutor.executed import Executed
from mwtutor.exercises import Exercise
from mwtutor.exercises.catalogue import Own
from mwtutor.singletons import singleton


class Notebook:
    """A notebook next to the workspace, and the cells executed in it."""

    def __init__(self, work: Path, exercise: Exercise, run: str, setup: str = "") -> None:
        self.work, self.executed = work, Executed()
        self.variables: dict[str, Any] = {}
        singleton(Own)[exercise.id] = exercise
        tags = {"setup": setup, "exercise-mine-1": exercise.stub, "run-mine-1": run}
        cells = [
            {"cell_type": "code", "id": tag, "metadata": {"tags": [tag]}, "source": source}
            for tag, source in tags.items()
        ]
        (work / "mine.ipynb").write_text(json.dumps({"cells": cells}))

    def execute(self, source: str, *, place: str = "", at: float = 0.0) -> BaseException | None:
        """Record a cell as the shell does; execute it if it is Python; return what it raised."""
        info = SimpleNamespace(raw_cell=source, cell_id=place or None)
        self.executed.begin(info)
        number, error = len(self.executed) - 1, None
        if not source.startswith("%%"):
            try:
                exec(compile(source, "<cell>", "exec"), self.variables)
            except BaseException as raised:
                error = raised
        self.executed.end(SimpleNamespace(info=info, error_before_exec=None, error_in_exec=error))
        if at:
            self.executed[number] = replace(self.executed[number], at=at)
        return error

    def check(self) -> tuple[str, str]:
        found = api.check("mine-1", self.variables, self.work, self.executed).verdict
        return found.status, found.words
