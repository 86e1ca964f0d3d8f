"""08-w4: remove it, even after an error."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong


def check(work: Work) -> Verdict:
    function = work.value("save_and_remove")
    if not callable(function):
        return not_yet("There is no function `save_and_remove`.")
    if all(not _saved(function, is_chief, error)[0] for is_chief, error in _CASES):
        return not_yet("`save_and_remove` does not call `save`.")
    for is_chief, error in _CASES:
        if problem := _problem(function, is_chief, error):
            who = "the chief" if is_chief else "another task"
            end = f"raises {type(error).__name__}" if error else "succeeds"
            return wrong(f"On {who}, when `save` {end}: {problem}")
    return right("Only the chief's folder is left, and errors reach the caller.")


#: Whether the task is the chief, and the error that `save` raises.
_CASES = tuple(product((False, True), (None, OSError("full"), ValueError("no model"))))


def _saved(
    function: Any, is_chief: bool, error: Exception | None
) -> tuple[list[str], set[str], bool]:
    """Where the task saved, what is there afterward, and whether the error reached the caller."""
    calls: list[str] = []
    with TemporaryDirectory() as around:
        path, beside = Path(around, "there", "model"), Path(around, "there", "other")
        path.parent.mkdir()
        beside.touch()

        def save(where: Any) -> None:
            calls.append(str(where))
            Path(where, "variables").mkdir(parents=True, exist_ok=True)
            Path(where, "variables", "data").write_text("1")
            if error:
                raise error

        try:
            function(save, str(path), is_chief)
            arrived = False
        except Exception as raised:
            if raised is not error:
                raise
            arrived = True
        there = {one.name for one in path.parent.glob("*")}
        return [Path(one).name for one in calls], there, arrived


def _problem(function: Any, is_chief: bool, error: Exception | None) -> str:
    """What is wrong, in a sentence; empty if nothing is."""
    saved, there, arrived = _saved(function, is_chief, error)
    if saved != ["model"]:
        return f"it calls `save` with {', '.join(saved) or 'nothing'}, not once with model."
    if "other" not in there:
        return "a file next to the folder is gone."
    if is_chief and "model" not in there:
        return "the chief's folder is gone."
    if not is_chief and "model" in there:
        return "the folder is still there."
    if more := sorted(there - {"model", "other"}):
        return f"`{more[0]}` is left next to the folder."
    if error and not arrived:
        return "the caller does not notice the error."
    return ""
