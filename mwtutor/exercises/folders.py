"""An exercise as a folder: its text in Markdown, its code and its check in Python files.

======================= ===========================================================================
``task.md``             ``# 03-1: title`` (``# 03-1 (hard): title``; ``# 03-w1: title`` for a
                        writing task), the task, each hint below a ``## Hint``, and below
                        ``## Why`` the reasons for the solution
``stub.py``             the initial content of the exercise's cell
``solution.py``         code that solves it
``wrong/*.py``          wrong solutions. Each begins with two comments, ``# misconception:`` and
                        ``# says:``; a third one, ``# needs:``, names a requirement
``check.py``            ``check(work)``; where they are needed, ``SESSION`` and ``SECONDS``; for a
                        stub that is a whole program, ``LAUNCH``: what follows ``%mw_launch``
``answers.py``          answers that test the check, one after the other. Each begins with
                        ``# == right: what is unusual about it`` or ``# == wrong: what it does``;
                        ``# says:`` and ``# needs:`` may follow. ``not yet`` and ``not judged``
                        are verdicts as well. Lines ``# - old`` and ``# + new`` change the solution.
                        Optional
======================= ===========================================================================

A cell magic at a cell's beginning is written as a comment, ``# %%writefile main.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import cast

from mwtutor.devices.requirements import WORDS, is_requirement, unmet
from mwtutor.exceptions import BadInput, message_of
from mwtutor.exercises.exercise import Exercise, Sabotage, Status, Verdict, Work
from mwtutor.exercises.task_md import read_task, text_of

TASK, STUB, SOLUTION, CHECK, WRONG = "task.md", "stub.py", "solution.py", "check.py", "wrong"
ANSWERS = "answers.py"

#: The longest time limit of a check, in seconds.
_LONGEST = 3600.0

_HEADER = re.compile(r"# (misconception|says|needs): (.*\S)")
_ANSWER = re.compile(r"^# ==(?: (right|wrong|not yet|not judged): (\S.*))?.*$", re.M)
_CHANGE = re.compile(r"\s*^# -", re.M)
_CHANGES = re.compile(r"(?:^# -.*(?:\n|\Z))+(?:^# \+.*(?:\n|\Z))*", re.M)
_MAGIC = re.compile(r"\A# (?=%%\w)")


@dataclass(frozen=True)
class Answer:
    """An answer that tests the check. Learners do not see it.

    Attributes:
        status: the expected verdict.
        what: what is unusual or wrong about it, in a few words.
        code: the content of the exercise's cell.
        says: words that its verdict must contain; empty if none are required.
        line: its first line in the file.
    """

    status: Status
    what: str
    code: str
    says: str
    line: int


def is_exercise(folder: Path) -> bool:
    """Whether the folder is an exercise's, perhaps with missing parts."""
    return any((folder / name).exists() for name in (TASK, STUB, SOLUTION, CHECK))


def wrong_files(folder: Path) -> list[Path]:
    """The files of the wrong solutions, in order.

    Raises:
        BadInput: they cannot be listed.
    """
    place = folder / WRONG
    try:
        return sorted(path for path in place.iterdir() if path.suffix == ".py")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BadInput(
            f"{place} cannot be listed: {message_of(error)}.", "Make it a folder that you can read."
        ) from None


def read_folder(folder: Path, execute: Callable[[Path], ModuleType]) -> Exercise:
    """The exercise in a folder.

    Args:
        execute: creates a module from its ``check.py``.

    Raises:
        BadInput: a part is missing, or cannot be read.
    """
    match, task, hints, why = read_task(folder / TASK)
    text_of(folder / CHECK)
    check = execute(folder / CHECK)
    sabotages = map(read_wrong, wrong_files(folder))
    return Exercise(
        id=match["id"],
        title=match["title"],
        task=task,
        stub=_code(folder / STUB),
        check=_function(folder / CHECK, check),
        hints=hints,
        solution=_code(folder / SOLUTION),
        reasoning=why,
        sabotages=tuple(one for one in sabotages if one is not None),
        session=_session(folder / CHECK, check),
        seconds=_seconds(folder / CHECK, check),
        hard=match["hard"] is not None,
        launch=_launch(folder / CHECK, check),
    )


def _code(path: Path) -> str:
    return _cell(path, text_of(path))


def _cell(path: Path, text: str, where: str = "") -> str:
    if not text.strip():
        raise BadInput(f"{path}{where} is empty.", "Write the cell's code into it.")
    return _MAGIC.sub("", text.strip("\n"))


def read_wrong(path: Path) -> Sabotage | None:
    """The wrong solution in a file; None if a requirement is not met here."""
    head, code = _headed(path, text_of(path))
    if not {"misconception", "says"} <= head.keys():
        raise BadInput(
            f"{path} does not begin with its misconception and the check's reply.",
            "Begin it with two lines, # misconception: ... and # says: ...",
        )
    if _lacks(path, head):
        return None
    return Sabotage(head["misconception"], _cell(path, code), head["says"])


def read_answers(folder: Path) -> tuple[Answer, ...]:
    """The answers that test the exercise's check, if their requirements are met.

    Raises:
        BadInput: the file cannot be read, or does not consist of answers.
    """
    path = folder / ANSWERS
    if not path.exists():
        return ()
    text = text_of(path)
    heads = list(_ANSWER.finditer(text))
    if not heads or text[: heads[0].start()].strip() or not all(one[1] for one in heads):
        raise BadInput(
            f"{path} has no answers, or has code outside an answer.",
            "Begin each answer with a line, # == right: ... or # == wrong: ...",
        )
    ends = [one.start() for one in heads[1:]] + [len(text)]
    found = []
    for one, end in zip(heads, ends, strict=True):
        head, code = _headed(path, text[one.end() : end])
        line = text.count("\n", 0, one.start()) + 1
        if not _lacks(path, head):
            status = cast(Status, one[1])
            where = f"{path}, line {line}"
            if _CHANGE.match(code):
                code = _changed(where, text_of(folder / SOLUTION), code)
            code = _cell(path, code, f", line {line}")
            found.append(Answer(status, one[2].rstrip(), code, head.get("says", ""), line))
    return tuple(found)


def _changed(where: str, solution: str, changes: str) -> str:
    """The solution, with each group of ``# -`` lines replaced by the ``# +`` lines after it."""
    if _CHANGES.sub("", changes).strip():
        raise BadInput(
            f"{where}: its changes to the solution are mixed with code.",
            "Begin each line with `# - ` or `# + `, or write the whole cell.",
        )
    for part in _CHANGES.findall(changes):
        old, new = (
            "".join(f"{line[4:]}\n" for line in part.splitlines() if line[2] == sign)
            for sign in "-+"
        )
        if f"\n{solution}".count(f"\n{old}") != 1:
            raise BadInput(
                f"{where}: {old.strip()!r} does not occur exactly once in {SOLUTION}.",
                "After `# - `, write whole lines of the solution, enough of them to occur only"
                " once.",
            )
        solution = f"\n{solution}".replace(f"\n{old}", f"\n{new}")[1:]
    return solution


def _headed(path: Path, text: str) -> tuple[dict[str, str], str]:
    """The comments at the beginning of a text, and the rest."""
    lines = text.lstrip().splitlines(keepends=True)
    head: dict[str, str] = {}
    while lines and (match := _HEADER.fullmatch(lines[0].rstrip("\n"))):
        head[match[1]] = match[2]
        del lines[0]
    return head, "".join(lines)


def _lacks(path: Path, head: dict[str, str]) -> bool:
    """Whether a requirement of the code is not met here."""
    need = head.get("needs")
    if need is None:
        return False
    if not is_requirement(need):
        raise BadInput(f"{path} needs {need!r}, which is not a known requirement.", WORDS)
    return bool(unmet(need))


def _function(path: Path, check: ModuleType) -> Callable[[Work], Verdict]:
    found: Callable[[Work], Verdict] | None = getattr(check, "check", None)
    if not callable(found):
        raise BadInput(f"{path} has no function check.", "Write def check(work): ... into it.")
    return found


def _session(path: Path, check: ModuleType) -> tuple[str, ...]:
    found = getattr(check, "SESSION", ())
    if not isinstance(found, (tuple, list)) or not all(isinstance(one, str) for one in found):
        raise BadInput(
            f"SESSION in {path} is not a tuple of expressions.",
            'Write each expression as text: SESSION = ("loss",)',
        )
    return tuple(found)


def _launch(path: Path, check: ModuleType) -> str:
    found = getattr(check, "LAUNCH", "")
    if not isinstance(found, str):
        raise BadInput(
            f"LAUNCH in {path} is not text.",
            'Set it to the arguments of @mw_launch, for example LAUNCH = "2 broken.py"',
        )
    return found


def _seconds(path: Path, check: ModuleType) -> float:
    found = getattr(check, "SECONDS", Exercise.seconds)
    if not isinstance(found, (int, float)) or not 0 < found <= _LONGEST:
        raise BadInput(
            f"SECONDS in {path} is not a number from 0 to {_LONGEST:g}.",
            "Write the number of seconds that the check may take: SECONDS = 20",
        )
    return float(found)
