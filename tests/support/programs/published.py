"""Programs modeled on published ones: the description of a program, and the judgment on its end."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.panel.panel import Panel
from mwtutor.run.run import Run
from tests.parity.versions import keras_versions

PROGRAMS = Path(__file__).parent / "patterns"

#: Workers with the same sums print the same numbers, except for the last digits.
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Pattern:
    """One program, how it is launched, and how it must end.

    Attributes:
        program: its source, or the name of a file in ``patterns``.
        proves: the statement that would be untrue if it ended otherwise.
        workers: the number of workers.
        args: the program's arguments.
        options: other arguments of ``launch``.
        status: how it ends.
        said: words that the final status must contain.
        once: whether the workers train together, so that each prints a result and all results are
            equal. The data of these programs is random, and so are a model's initial weights.
        results: the number of tasks that print a result; 0 means every worker.
        keras: the version that must be installed; 0 if any will do.
    """

    program: str
    proves: str
    workers: int = 2
    args: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    status: str = "succeeded"
    said: str = ""
    once: bool = True
    results: int = 0
    keras: int = 0


def judge(pattern: Pattern, launch: Callable[..., Run], write: Callable[[str, str], Path]) -> Run:
    """Launch the program, wait for its end, and fail unless it ends as it must."""
    if pattern.keras and pattern.keras not in keras_versions():
        pytest.skip(f"Keras {pattern.keras} is not installed here")
    path = PROGRAMS / f"{pattern.program}.py"
    if "\n" in pattern.program:
        path = write("main.py", pattern.program)
    run = launch(str(path), pattern.workers, list(pattern.args), **pattern.options)
    outcome = run.wait(timeout=240, check=False)
    shown = repr(Panel.from_run(run))
    assert outcome.status == pattern.status, shown
    assert pattern.said in shown, shown
    assert "mwtutor/" not in "\n".join(line for line in shown.splitlines() if 'File "' in line)
    if pattern.once and outcome.ok:
        trained_together(run, pattern.results or pattern.workers)
    return run


def trained_together(run: Run, expected: int) -> None:
    """Fail unless this many tasks had the same result, and none trained by itself."""
    shown = repr(Panel.from_run(run))
    results = [result for task in run.tasks if (result := result_of(run, task)) is not None]
    assert len(results) == expected, shown
    for result in results:
        assert result == pytest.approx(results[0], rel=TOLERANCE, abs=TOLERANCE), shown
    assert "separately" not in shown, shown
    assert "no collectives" not in shown, shown


def result_of(run: Run, task: TaskId) -> list[float] | None:
    """The numbers that a task has printed, if it has."""
    lines = run.spec.log(task).read_text().splitlines()
    found = [line for line in lines if line.startswith("RESULT ")]
    assert len(found) <= 1, found
    return json.loads(found[0].removeprefix("RESULT ")) if found else None
