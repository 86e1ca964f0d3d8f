"""08-w4: remove it, even after an error."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong


class _DiskFull(OSError):
    """What `save` raises here."""


def check(work: Work) -> Verdict:
    function = work.value("save_and_remove")
    if not callable(function):
        return not_yet("There is no function `save_and_remove`.")
    if all(not _saved(function, is_chief, fails)[0] for is_chief, fails in _CASES):
        return not_yet("`save_and_remove` does not call `save`.")
    for is_chief, fails in _CASES:
        if problem := _problem(function, is_chief, fails):
            who = "the chief" if is_chief else "another task"
            end = "raises an error" if fails else "succeeds"
            return wrong(f"On {who}, when `save` {end}: {problem}")
    return right("Only the chief's folder is left, and errors arrive at the caller.")


#: Whether the task is the chief, and whether saving fails.
_CASES = tuple(product((False, True), (False, True)))


def _saved(function: Any, is_chief: bool, fails: bool) -> tuple[list[str], bool, bool, bool]:
    """Where it saved, and whether the folder, the file next to it, and the error are there."""
    calls: list[str] = []
    with TemporaryDirectory() as around:
        path, beside = Path(around, "there", "model"), Path(around, "there", "other")
        path.parent.mkdir()
        beside.touch()

        def save(where: Any) -> None:
            calls.append(str(where))
            Path(where, "variables").mkdir(parents=True, exist_ok=True)
            Path(where, "variables", "data").write_text("1")
            if fails:
                raise _DiskFull

        try:
            function(save, str(path), is_chief)
            arrived = False
        except _DiskFull:
            arrived = True
        return [Path(one).name for one in calls], path.exists(), beside.exists(), arrived


def _problem(function: Any, is_chief: bool, fails: bool) -> str:
    """What is wrong, in a sentence; empty if nothing is."""
    saved, there, beside, arrived = _saved(function, is_chief, fails)
    if saved != ["model"]:
        return f"it calls `save` {len(saved)} times, with {', '.join(saved)} instead of model."
    if not beside:
        return "a file next to the folder is gone."
    if is_chief and not there:
        return "the chief's folder is gone."
    if not is_chief and there:
        return "the folder is still there."
    if fails and not arrived:
        return "the caller does not notice the error."
    return ""
