"""The check of an exercise, executed where the learner's code cannot do harm."""

from __future__ import annotations

import ast
import functools
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from mwtutor import find_runs
from mwtutor.cluster import TaskId
from mwtutor.exceptions import MwtutorError, NoAnswer, NoRun, SessionError
from mwtutor.executed import ExecutedCell
from mwtutor.exercises import catalogue, workspaces
from mwtutor.exercises.evidence import Evidence, Used, UsedRun
from mwtutor.exercises.exercise import Exercise, Verdict, not_yet, wrong
from mwtutor.exercises.isolation import Ending, run_apart
from mwtutor.exercises.records import EXERCISES, Record
from mwtutor.run.engine import engine
from mwtutor.run.record.store import Store
from mwtutor.run.run import Run
from mwtutor.sanitize import harmless
from mwtutor.sessions import session as sessions
from mwtutor.system import builtin_names
from mwtutor.system.child import is_installed

#: Maximum number of characters of a verdict to show.
_LONGEST = 2000

#: Seconds for the workers of a session to evaluate an exercise's expressions.
_ASKING = 30.0

#: The learner's objects that a check can call; classes and objects are passed unchanged.
_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType, functools.partial)

#: Maximum number of wrong verdicts of an exercise that are recorded.
_KEPT = 100

#: Maximum number of files that a check opens and that are examined afterward.
_MOST_FILES = 100

_PACKAGE = str(Path(__file__).parent)


@dataclass(frozen=True)
class Checked:
    """The result of a check.

    Attributes:
        exercise: the exercise that was checked.
        verdict: the finding.
        notes: further remarks, a sentence each.
        seconds: for a right verdict, the time from opening the exercise to its first right verdict;
            0 if it was not opened.
    """

    exercise: Exercise
    verdict: Verdict
    notes: tuple[str, ...] = ()
    seconds: float = 0.0


def check(
    exercise: str,
    variables: Mapping[str, Any] | None = None,
    folder: Path | None = None,
    executed: Sequence[ExecutedCell] = (),
) -> Checked:
    """Check an exercise, within a time limit, without changing anything in the caller.

    Args:
        exercise: its number, for example ``03-2``.
        variables: the notebook's; those of ``__main__`` by default.
        folder: the folder of its runs and files; the workspace by default.
        executed: the cells that the notebook has executed. They show the exercise's current code;
            results of other code are not judged.

    Raises:
        BadInput: there is no such exercise.
    """
    with builtin_names.original():
        wanted = catalogue.find(exercise)
        known = _main() if variables is None else variables
        checked = _carried_out(wanted, known, folder, executed)
        if checked.verdict.status in ("not yet", "not judged"):
            return checked
        solved = checked.verdict.status == "right"
        shown = "" if solved else wanted.misconception(checked.verdict.words)
        record, lost = EXERCISES.note(wanted.id, lambda known: _judged(known, solved, shown))
        notes = (*checked.notes, *filter(None, [lost]))
        return replace(checked, notes=notes, seconds=record.seconds if solved else 0.0)


def _judged(known: Record, solved: bool, misconception: str) -> Record:
    """The record after one more verdict."""
    seconds, attempts, wrong = known.seconds, known.attempts + 1, known.misconceptions
    if solved and known.opened and not known.seconds:
        seconds = max(0.0, time.time() - known.opened)
    return replace(
        known,
        solved=known.solved or solved,
        attempts=attempts,
        seconds=seconds,
        tries=attempts if solved and not known.solved else known.tries,
        misconceptions=wrong if solved else (*wrong, misconception)[-_KEPT:],
    )


def _main() -> Mapping[str, Any]:
    import __main__

    return vars(__main__)


def _carried_out(
    exercise: Exercise,
    variables: Mapping[str, Any],
    folder: Path | None,
    executed: Sequence[ExecutedCell],
) -> Checked:
    try:
        place = folder or workspaces.folder()
    except MwtutorError as error:
        return Checked(exercise, Verdict("not judged", str(error)))
    evidence = Evidence(exercise, executed, place)
    if fault := evidence.fault():
        return Checked(exercise, wrong(f"Your code does not compile: {fault}"))
    session = _of_session(exercise.session)
    work = _Work(place, session.values, variables)
    engine("local")  # imported here: the forked process should import as little as possible
    ending = run_apart(lambda: _judgement(exercise, work), exercise.seconds)
    verdict = _verdict(exercise, ending)
    notes = [_still_running(verdict, ending)]
    used = _used(exercise, ending)
    verdict = _of_this_code(verdict, evidence, used)
    if verdict.status != "right":
        if session.silent:
            return Checked(exercise, Verdict("not judged", session.silent))
        if session.broken and not (verdict.status == "not yet" and evidence.is_stub()):
            verdict = _not_judged(exercise, session.broken)
        else:
            unreadable = (ending.answer or {}).get("unreadable", "")
            notes += [session.note, unreadable]
            if not evidence.is_stub():
                notes += [evidence.stopped(), evidence.missing(used)]
    return Checked(exercise, verdict, tuple(filter(None, notes)))


def _not_judged(exercise: Exercise, broken: str) -> Verdict:
    remedy = f"`%mw_check --run {exercise.id}` starts new workers and runs the cells."
    return Verdict("not judged", f"{broken} If your code caused this, correct it. Then {remedy}")


# -- in the forked process ----------------------------------------------------------------------


class _Values(dict[str, Mapping[TaskId, Any]]):
    """The values by expression; an expression that is missing has no value on any worker."""

    def __missing__(self, expression: str) -> Mapping[TaskId, Any]:
        return {}


class _Work:
    """A :class:`mwtutor.exercises.exercise.Work`."""

    def __init__(
        self,
        folder: Path,
        session: Mapping[str, Mapping[TaskId, Any]],
        variables: Mapping[str, Any],
    ) -> None:
        self.place = folder
        self.session = session
        self._variables = variables
        self.looked_at: dict[str, Run] = {}
        self.names: set[str] = set()
        self.looks_at_files = False
        self.unreadable = ""
        self.learners: BaseException | None = None

    @property
    def folder(self) -> Path:
        self.looks_at_files = True
        return self.place

    def value(self, name: str) -> Any:
        self.names.add(name)
        value = self._variables.get(name)
        return self._watched(value) if isinstance(value, _FUNCTIONS) else value

    def _watched(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The learner's function; errors in it or its calls are marked as the learner's."""

        @functools.wraps(function)
        def watched(*args: Any, **options: Any) -> Any:
            try:
                return function(*args, **options)
            except BaseException as error:
                self.learners = error
                raise

        return watched

    def run(self, name: str) -> Run | None:
        for run in find_runs.runs(Store(self.place)):
            if run.name == name:
                return self.looked_at.setdefault(name, run)
        for directory in Store(self.place).directories():
            if directory.name.endswith(f"-{name}"):
                try:
                    Run.open(directory)
                except NoRun as error:
                    self.unreadable = f"{error.problem} {error.remedy}"
        return None


def _judgement(exercise: Exercise, work: _Work) -> dict[str, Any]:
    """The verdict, or how the check ended, and the evidence that it examined, as JSON types."""
    opened = _note_opened(work.place)
    found = _found(exercise, work)
    runs = {name: asdict(UsedRun.from_run(run)) for name, run in work.looked_at.items()}
    looked_at = {"names": [*map(str, work.names)], "files": work.looks_at_files, "opened": opened}
    return {**found, **looked_at, "runs": runs, "unreadable": work.unreadable}


def _note_opened(folder: Path) -> list[str]:
    """Record the files of the folder that this process, a fork, opens from now on."""
    opened: list[str] = []
    inside = f"{folder.absolute()}{os.sep}"

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str) and len(opened) < _MOST_FILES:
            path = arguments[0]  # a relative one may be relative to any directory
            ours = path.startswith(f"{inside}.mwtutor")
            if path.startswith(inside) and not ours and path not in opened:
                opened.append(path)

    sys.addaudithook(note)
    return opened


def _found(exercise: Exercise, work: _Work) -> dict[str, Any]:
    try:
        verdict = exercise.check(work)
    except BaseException as error:
        where = _line_of_learner(error, exercise)
        learners = bool(where) or error is work.learners
        return {"raised": _told(error), "where": where, "learners": learners}
    if not isinstance(verdict, Verdict) or verdict.status not in ("right", "wrong", "not yet"):
        return {"raised": f"its check returned {type(verdict).__name__}", "learners": False}
    going = [name for name, run in work.looked_at.items() if run.can_be_stopped]
    return {"status": verdict.status, "words": _shown(verdict.words), "going": going}


def _shown(words: object) -> str:
    text = harmless(words)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _told(error: BaseException) -> str:
    try:
        return _shown(f"{type(error).__name__}: {error}".rstrip(": "))
    except BaseException:  # the learner's exception may raise another in its __str__
        return type(error).__name__


def _line_of_learner(error: BaseException, exercise: Exercise) -> str:
    """Where in the learner's code the error was raised; empty if it was raised elsewhere."""
    own = getattr(getattr(exercise.check, "__code__", None), "co_filename", "")
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == own or frame.filename.startswith(_PACKAGE):
            return ""
        if _is_cell(frame.filename) or not is_installed(frame.filename):
            return f" (in {frame.name}, line {frame.lineno})"
    return ""


def _is_cell(filename: str) -> bool:
    return "ipykernel_" in filename or filename.startswith("<ipython-input")


# -- afterward ----------------------------------------------------------------------------------


def _used(exercise: Exercise, ending: Ending) -> Used:
    """The evidence that the check examined before it ended."""
    said = ending.answer or {}
    asked = [name for one in exercise.session for name in _names(one)]
    names = frozenset([*said.get("names", ()), *asked])
    runs = {name: UsedRun(**run) for name, run in said.get("runs", {}).items()}
    return Used(names, runs, said.get("files", False), said.get("opened", ()))


def _names(expression: str) -> set[str]:
    """The names that an expression uses from the workers, without those that it binds itself."""
    found = [node for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)]
    bound = {node.id for node in found if isinstance(node.ctx, ast.Store)}
    return {node.id for node in found} - bound


def _of_this_code(verdict: Verdict, evidence: Evidence, used: Used) -> Verdict:
    """The verdict, unless it is based on results of other code."""
    if verdict.status == "not judged" or (verdict.status == "not yet" and evidence.is_stub()):
        return verdict
    if fault := evidence.fault_of(used):
        return not_yet(fault)
    if verdict.status == "right" and (error := evidence.raised()):
        return wrong(
            f"The latest run of your cell ended with {error}. Correct the cell and run it again."
        )
    return verdict


def _verdict(exercise: Exercise, ending: Ending) -> Verdict:
    said = ending.answer
    if ending.late:
        return wrong(
            f"The check was stopped at its time limit of {exercise.seconds:g} s: look for an"
            " infinite loop, a wait, or too much output in the code that the check calls."
        )
    if ending.why:
        return wrong(
            f"The check did not finish: {ending.why}. Let your code return, instead of ending its"
            " process or closing files."
        )
    if "raised" in said and said["learners"]:
        return wrong(
            f"Your code raised {said['raised']}{said['where']}. Call it yourself to see more."
        )
    if "raised" in said:
        return Verdict(
            "not judged",
            f"The check itself failed: {said['raised']}. The fault is in exercise {exercise.id},"
            " not in your code: please report it.",
        )
    return Verdict(said["status"], said["words"])


def _still_running(verdict: Verdict, ending: Ending) -> str:
    """A note on a run that may be why the verdict is not right; empty if there is none."""
    going = (ending.answer or {}).get("going")
    if verdict.status == "right" or not going:
        return ""
    return f"{going[0]} is still running: wait for it (%mw_wait {going[0]}), and check again."


@dataclass(frozen=True)
class _Session:
    """The answers of the session's workers.

    Attributes:
        values: the values of the exercise's expressions.
        note: why there are none, as a sentence; empty if there are.
        broken: why the session can no longer be used, as a sentence; empty if it can.
        silent: which workers did not answer, and what to do, as sentences; empty if all answered.
    """

    values: Mapping[str, Mapping[TaskId, Any]] = field(default_factory=_Values)
    note: str = ""
    broken: str = ""
    silent: str = ""


def _of_session(expressions: tuple[str, ...]) -> _Session:
    if not expressions:
        return _Session()
    try:
        session = sessions.find()
    except SessionError as error:
        return _Session(note=f"{error.problem} {error.remedy}")
    try:
        found = session.evaluate(expressions, _ASKING)
        broken = session.unusable(_ASKING)
    except NoAnswer as error:
        return _Session(silent=f"{error.problem} {error.remedy}")
    except SessionError as error:
        has_ended = session.run.outcome is not None
        broken = error.problem if has_ended else ""
        return _Session(note=f"{error.problem} {error.remedy}", broken=broken)
    return _Session(_Values({name: each for name, each in found.items() if each}), broken=broken)
