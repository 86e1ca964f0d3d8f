"""Judge submitted exercises, each in its own kernel, and keep each grade as soon as it is known."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mwtutor import version
from mwtutor.exceptions import BadInput, MwtutorError, message_of
from mwtutor.exercises import catalogue
from mwtutor.exercises.exercise import Exercise
from mwtutor.exercises.grading.jobs import Task, results
from mwtutor.exercises.grading.submissions import Submission
from mwtutor.exercises.judging_kernel import Limits, Room, places_of
from mwtutor.exercises.notebooks import cells_of, lacking
from mwtutor.exercises.sources import read as read_cell
from mwtutor.exercises.sources import same
from mwtutor.system.files import write_whole

#: How many processes an exercise may have.
PROCESSES = 200

#: Bytes of the disk that an exercise must leave free.
DISK = 1 << 29

#: Seconds within which the processes of an exercise exit.
_ENDING = 60.0

#: The file from which grading continues when it is run again.
GRADES = "grades.json"


@dataclass(frozen=True)
class Finding:
    """The verdict of one check.

    Attributes:
        check: ``check``, or ``variant`` and the name of its folder.
        status, words: the verdict.
    """

    check: str
    status: str
    words: str


@dataclass(frozen=True)
class Grade:
    """The grade of one exercise.

    Attributes:
        points: ``possible``, times the share of the checks whose verdict was right.
        possible: the points of a right solution.
        findings: one for each check; none if there was nothing to judge.
        why: why there was nothing to judge, as a sentence; else empty.
        digest: identifies the code that was judged, and the checks that judged it.
    """

    points: float
    possible: float
    findings: tuple[Finding, ...] = ()
    why: str = ""
    digest: str = ""

    @property
    def needs_review(self) -> bool:
        """Whether a check could not be carried out, so that a person has to look at the work."""
        return any(one.status == "not judged" for one in self.findings)


@dataclass(frozen=True)
class Learner:
    """The grades of one learner.

    Attributes:
        grades: by the exercise's id.
        problems: problems with the learner's files, a sentence each.
    """

    grades: Mapping[str, Grade] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        return sum(one.points for one in self.grades.values())

    @property
    def to_review(self) -> list[str]:
        """The exercises that a person has to look at: not judged, or perhaps not read."""
        return sorted(
            key
            for key, one in self.grades.items()
            if one.needs_review or (self.problems and not one.findings)
        )


@dataclass(frozen=True)
class Checks:
    """An exercise, and the folders whose checks judge it.

    Attributes:
        folders: by the name under which a check is reported: the exercise's own, and variants.
        points: the points of a right solution.
    """

    exercise: Exercise
    folders: Mapping[str, Path]
    points: float = 1.0

    def digest(self, code: str) -> str:
        """Identifies the code and everything that judges it."""
        made = hashlib.sha256(f"{version.VERSION}\n{self.points}\n{code}".encode())
        for name, folder in self.folders.items():
            made.update(name.encode())
            for file in sorted(path for path in folder.rglob("*.py") if path.is_file()):
                made.update(file.read_bytes())
        return made.hexdigest()


def checks_of(what: str, variants: Path | None, points: Mapping[str, float]) -> list[Checks]:
    """The exercises to grade.

    Args:
        what: a lesson's number, ``03``; an exercise's, ``03-2``; or a folder of your exercises.
        variants: a folder of exercises with the same ids, whose checks are applied too.
        points: the points of exercises that are not worth one point, by id.

    Raises:
        BadInput: there are none, or a variant or a number of points belongs to none of them.
    """
    hidden = _loaded(catalogue.folders_in(variants)) if variants is not None else []
    known = _loaded(catalogue.folders_of(what))  # loaded last, because these must take effect
    wanted = [(one, folder) for one, folder in known if one.id == what] or known
    ids = {one.id for one, _ in wanted}
    for one, folder in hidden:
        if one.id not in ids:
            raise BadInput(
                f"The variant {folder} belongs to exercise {one.id}, which is not graded.",
                f"Use one of these ids in its task.md: {', '.join(sorted(ids))}.",
            )
    if unknown := sorted(points.keys() - ids):
        raise BadInput(
            f"There are points for {unknown[0]}, which is not graded.",
            f"Name one of {', '.join(sorted(ids))}.",
        )
    made = []
    for one, folder in wanted:
        others = {f"variant {of.name}": of for variant, of in hidden if variant.id == one.id}
        made.append(Checks(one, {"check": folder, **others}, points.get(one.id, 1.0)))
    return made


def _loaded(folders: Sequence[Path]) -> list[tuple[Exercise, Path]]:
    return [(catalogue.load(folder)[0], folder) for folder in folders]


def cell_ids(checks: Sequence[Checks]) -> dict[str, str]:
    """The id of each exercise's cell in the course's notebook, where there is one."""
    found = {one.exercise.id: cells_of(one.exercise.id).code for one in checks}
    return {name: cell.id for name, cell in found.items() if cell is not None and cell.id}


def grade(
    submitted: Sequence[Submission],
    checks: Sequence[Checks],
    place: Path,
    limits: Limits,
    jobs: int = 1,
) -> Generator[tuple[str, str, Grade], None, None]:
    """Judge every exercise of every learner; yield each grade with learner and exercise.

    Each grade is written to ``grades.json`` immediately. Exercises that were judged before, with
    the same code and the same checks, are not judged again; their grades come first. Other
    learners' grades are removed. This process must be a subreaper.

    Args:
        place: the directory of the results.
        limits: for each exercise of each learner.
        jobs: how many exercises are judged at once.

    Raises:
        BadInput: an exercise cannot be judged here, or the results cannot be written or read.
    """
    for one in checks:
        for folder in one.folders.values():
            if why := lacking(places_of(folder), one.exercise.id):
                raise BadInput(
                    f"Exercise {one.exercise.id} cannot be graded here: {why}.",
                    "Grade it on a machine that has what it needs, or name the exercises to grade.",
                )
    known = _kept(read(place), submitted, checks)
    for learner, one, made in _made(submitted, checks, known, limits, jobs):
        before = known.get(learner.learner, Learner()).grades
        known[learner.learner] = Learner({**before, one.exercise.id: made}, learner.problems)
        _write(place, known)
        yield learner.learner, one.exercise.id, made


def _kept(
    known: Mapping[str, Learner], submitted: Sequence[Submission], checks: Sequence[Checks]
) -> dict[str, Learner]:
    """The earlier grades of the learners and exercises that are graded now."""
    names, ids = {one.learner for one in submitted}, {one.exercise.id for one in checks}
    return {
        name: Learner({key: made for key, made in one.grades.items() if key in ids}, one.problems)
        for name, one in known.items()
        if name in names
    }


def _made(
    submitted: Sequence[Submission],
    checks: Sequence[Checks],
    known: Mapping[str, Learner],
    limits: Limits,
    jobs: int,
) -> Iterator[tuple[Submission, Checks, Grade]]:
    """Each grade: first those that need no kernel, then the others, as they end."""
    rest = []
    for learner in submitted:
        before = known.get(learner.learner, Learner()).grades
        for one in checks:
            code = learner.code.get(one.exercise.id)
            if made := _at_once(before.get(one.exercise.id), one, code):
                yield learner, one, made
            else:
                rest.append((learner, one, code or ""))
    with _scratch() as scratch:
        tasks = [
            Task(functools.partial(_judged, scratch, one, code, limits), _longest(one, limits))
            for _, one, code in rest
        ]
        ended = results(tasks, jobs)
        with contextlib.closing(ended):
            for at, judged in ended:
                learner, one, _ = rest[at]
                yield learner, one, judged or _lost(one)


def _scratch() -> tempfile.TemporaryDirectory[str]:
    """A directory for all rooms, because a process that is killed does not remove its own."""
    try:
        return tempfile.TemporaryDirectory(prefix="mwtutor-", ignore_cleanup_errors=True)
    except OSError as error:
        raise BadInput(
            f"Temporary files cannot be written: {message_of(error)}.",
            "Free up space there, or set TMPDIR to a directory that has space.",
        ) from None


def _longest(checks: Checks, limits: Limits) -> float:
    """How many seconds the judgment of an exercise may take."""
    return len(checks.folders) * (limits.longest(checks.exercise) + _ENDING)


def _lost(checks: Checks) -> Grade:
    words = "The judging process was killed or halted, perhaps by the cell."
    findings = tuple(Finding(name, "not judged", words) for name in checks.folders)
    return Grade(0.0, checks.points, findings)


def _at_once(before: Grade | None, checks: Checks, code: str | None) -> Grade | None:
    """A grade that needs no kernel; None if there is none."""
    if code is None:
        why = "The notebook has no cell for this exercise."
        if checks.exercise.launch:
            why = (
                f"There is neither a file {read_cell(checks.exercise.stub).file} nor a cell that"
                " writes it."
            )
        return Grade(0.0, checks.points, why=why)
    if same(code, checks.exercise.stub):
        return Grade(0.0, checks.points, why="The cell was left unchanged.")
    return _again(before, checks, code)


def _again(before: Grade | None, checks: Checks, code: str) -> Grade | None:
    """The earlier grade, if it is for the same code and checks, and needs no review."""
    if before is None or before.needs_review:
        return None
    return before if before.digest == checks.digest(code) else None


def _judged(scratch: str, checks: Checks, code: str, limits: Limits) -> Grade:
    tempfile.tempdir = scratch  # in this process only; kernels use the environment's directory
    findings = tuple(
        _finding(name, folder, checks.exercise, code, limits)
        for name, folder in checks.folders.items()
    )
    share = sum(one.status == "right" for one in findings) / len(findings)
    return Grade(share * checks.points, checks.points, findings, digest=checks.digest(code))


def _finding(name: str, folder: Path, exercise: Exercise, code: str, limits: Limits) -> Finding:
    if full := limits.disk_full():
        return Finding(name, "not judged", f"It cannot be judged here: {full}.")
    try:
        with Room(folder, exercise, limits) as room:
            verdict = room.judge(code)
    except MwtutorError as error:
        return Finding(name, "not judged", str(error))
    except OSError as error:  # a full disk, for example
        return Finding(name, "not judged", f"It cannot be judged here: {message_of(error)}.")
    return Finding(name, verdict.status, verdict.words)


# -- the file ---------------------------------------------------------------------------------


def read(place: Path) -> dict[str, Learner]:
    """The grades in a directory of results, by learner; empty if there are none.

    Raises:
        BadInput: the file cannot be read, or is damaged.
    """
    try:
        found = json.loads((place / GRADES).read_bytes())
        return {name: _learner(data) for name, data in found["learners"].items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        why = message_of(error)
    except (ValueError, KeyError, TypeError, AttributeError):
        why = "mwtutor did not write it"
    raise BadInput(
        f"The grades in {place / GRADES} cannot be read: {why}.",
        "Move it away to grade everything again, or name another directory with --to.",
    )


def _learner(data: Mapping[str, Any]) -> Learner:
    return Learner(
        {
            key: Grade(**{**one, "findings": tuple(Finding(**each) for each in one["findings"])})
            for key, one in data["grades"].items()
        },
        tuple(data["problems"]),
    )


def _write(place: Path, known: Mapping[str, Learner]) -> None:
    learners = {name: asdict(one) for name, one in sorted(known.items())}
    data = {"version": version.VERSION, "learners": learners}
    try:
        place.mkdir(parents=True, exist_ok=True)
        write_whole(place / GRADES, json.dumps(data, indent=1).encode())
    except OSError as error:
        raise BadInput(
            f"The grades cannot be written to {place}: {message_of(error)}.",
            "Name another directory with --to; earlier grades are kept.",
        ) from None
