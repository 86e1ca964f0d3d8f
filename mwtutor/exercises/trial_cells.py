"""Functions that a trial of an exercise calls in its kernel: prepare the lesson, judge one cell."""

from __future__ import annotations

import json
from typing import Any

from mwtutor.exceptions import BadInput, LaunchFailed, MwtutorError
from mwtutor.executed import Executed
from mwtutor.exercises import catalogue, workspaces
from mwtutor.exercises.checking import check
from mwtutor.exercises.notebooks import cells_of
from mwtutor.exercises.rerun import bring_up, contain, execute_cell
from mwtutor.exercises.sources import read, same
from mwtutor.singletons import singleton


def prepare(folder: str, exercise: str, seconds: float) -> str:
    """Execute the setup cells of the exercise's notebook, and load the exercise from its folder.

    Returns:
        Why that failed, in sentences; empty if it succeeded.
    """
    shell = _shell()
    try:
        if not (cells := cells_of(exercise)).setup:
            workspaces.workspace(f"lesson-{catalogue.lesson_of(exercise)}")
        with contain(seconds) as late:
            for cell in cells.setup:
                error = execute_cell(shell, cell.source)
                if late():
                    return f"The setup cells did not end within {seconds:g} s."
                if error is not None:
                    return f"The setup cell {cell.id} raised {type(error).__name__}: {error}"
        catalogue.load(folder)
    except MwtutorError as error:
        return str(error)
    return ""


def judge(exercise: str, code: str, seconds: float) -> str:
    """Execute a cell in place of the exercise's, then the cells that run it, and the check.

    Returns:
        The verdict's status and words, in JSON.
    """
    shell = _shell()
    with contain(seconds) as late:
        _forget_names(shell, catalogue.find(exercise).solution)
        execute_cell(shell, code)
    if late():
        return _answer("not judged", f"The cell did not end within {seconds:g} s.")
    if elsewhere := _elsewhere(catalogue.find(exercise).stub, code):
        return _answer("not judged", elsewhere)
    executed = singleton(Executed)
    refused: list[str] = []

    def run(cell: str) -> BaseException | None:
        error = execute_cell(shell, cell)
        if isinstance(error, (BadInput, LaunchFailed)):  # for example, the machine has limits
            refused.append(str(error))
        return error

    try:
        cells = cells_of(exercise)
        if cells.run or cells.code is not None:
            bring_up(exercise, executed, run, lambda line: None, seconds)
        checked = check(exercise, shell.user_ns, executed=executed)
    except MwtutorError as error:
        return _answer("not judged", str(error))
    is_stub = same(code, catalogue.find(exercise).stub)
    if refused and checked.verdict.status == "not yet" and not is_stub:
        return _answer("not judged", f"A cell that runs the code was refused. {refused[0]}")
    return _answer(checked.verdict.status, " ".join([checked.verdict.words, *checked.notes]))


def _elsewhere(stub: str, code: str) -> str:
    """Why the check cannot find the code, as a sentence; empty if it can."""
    wanted, given = read(stub), read(code)
    if (wanted.place, wanted.name) == (given.place, given.name) or wanted.place == "notebook":
        return ""
    first = stub.strip().partition("\n")[0]
    return (
        f"The first line of the cell is not `{first}`, so it does not define the exercise's code."
    )


def _forget_names(shell: Any, solution: str) -> None:
    """Remove the names that the previous cell defined, so that they cannot be judged again."""
    source = read(solution)
    if source.assigned:
        magic = "%%mw\n" if source.place == "workers" else ""
        names = sorted(source.assigned)
        execute_cell(shell, f"{magic}for _ in {names!r}: globals().pop(_, None)")


def _answer(status: str, words: str) -> str:
    return json.dumps({"status": status, "words": " ".join(words.split())})


def _shell() -> Any:
    from IPython.core.getipython import get_ipython

    return get_ipython()
