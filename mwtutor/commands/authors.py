"""The commands for teachers and exercise authors; in a terminal only."""

from __future__ import annotations

import contextlib
import json
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.exceptions import BadInput, MwtutorError, message_of
from mwtutor.run.request.option_kinds import Count, Seconds, Size
from mwtutor.system import classroom, processes
from mwtutor.system.files import write_whole


def _classroom(parser: Parser) -> None:
    for name, what in (
        ("--tasks", "how many tasks may run on this machine at a time"),
        ("--per-person", "how many tasks one person may run (default: 10)"),
        ("--idle", "minutes without a cell after which a session is stopped (default: 0, never)"),
    ):
        parser.add_argument(name, type=Count().reader(name), metavar="N", help=what)


def _classroom_body(options: Namespace, face: Face) -> Answer:
    given = {
        key: value
        for key in ("tasks", "per_person", "idle")
        if (value := getattr(options, key)) is not None
    }
    if given and "tasks" not in given:
        raise BadInput(
            "The limits of this machine must be set together, but --tasks is missing.",
            "Add --tasks N, the number of tasks that may run on this machine at a time.",
        )
    if given:
        limits = classroom.Shares(**{"per_person": 10, **given})
        try:
            classroom.set_up(limits)
        except OSError as error:
            raise BadInput(
                f"The limits of this machine cannot be written: {message_of(error)}.",
                "Run this command as root.",
            ) from None
    if known := classroom.shares():
        face.say(f"Limits: {known}.\nNow: {classroom.usage(known)}.")
    else:
        face.say(
            "This machine has no limits for a class. As root, set them: mwtutor classroom --tasks N"
        )
    return Answer()


def _exercise(parser: Parser) -> None:
    add = parser.add_argument
    add("action", choices=("new", "test"), help="create a folder, or test a folder's exercises")
    add("path", metavar="DIR", help="an exercise's folder; for test, also a folder of such folders")
    parser.flag("--watch", "test again whenever a file is saved")
    parser.value(
        "--mutations",
        Count(),
        "how many mutations of each solution are tested (default: 20)",
        default=20,
    )
    _timeout(parser)


def _timeout(parser: Parser) -> None:
    parser.value(
        "--timeout",
        Seconds(),
        "time limit in seconds for an exercise's cell, and separately for the cells that run its"
        " code (default: 120)",
        default=120.0,
    )


def _exercise_body(options: Namespace, face: Face) -> Answer:
    from mwtutor.exercises import trials  # not at the top: most commands do not need Jupyter

    path = Path(options.path)
    if options.action == "new":
        trials.new_folder(path)
        face.say(f"{path} contains an exercise to edit. Test it: mwtutor exercise test {path}")
        return Answer()
    processes.become_subreaper()
    if not options.watch:
        return Answer(status=0 if _tested(path, options, face) else 1)
    for _ in trials.changes(path):
        try:
            _tested(path, options, face)
        except MwtutorError as error:
            face.say(str(error))
        face.say(f"Watching {path}. To stop watching: Ctrl-C.")
    return Answer()


def _tested(path: Path, options: Namespace, face: Face) -> bool:
    """Test the exercises of the folder; return True if there are no faults."""
    from mwtutor.display.authors import TriedView
    from mwtutor.exercises import catalogue, trials

    faults = untried = 0
    for folder in catalogue.folders_in(path):
        face.say(f"{folder}")
        for tried in trials.try_out(folder, options.mutations, options.timeout):
            faults += isinstance(tried, trials.Judged) and bool(tried.fault)
            untried += isinstance(tried, trials.Untried)
            face.say(repr(TriedView(tried)))
    rest = f"Exercises that were not tested: {untried}." if untried else ""
    found = f"Faults: {faults}." if faults or untried else "No faults were found."
    face.say(f"{found} {rest}".rstrip())
    return not faults


def _grade(parser: Parser) -> None:
    add = parser.add_argument
    add("what", help="a lesson (03), an exercise (03-2), or a folder of exercises")
    add("folder", metavar="DIR", help="folder that contains a notebook or a folder per learner")
    add("--to", default="grades", metavar="DIR", help="folder for the results (default: grades)")
    add("--variants", metavar="DIR", help="folder with more checks, hidden from learners")
    add(
        "--points",
        action="append",
        default=[],
        type=_points,
        metavar="ID=N",
        help="points for an exercise (default: 1), for example 03-2=5",
    )
    _timeout(parser)
    parser.value("--jobs", Count(), "judge N exercises at a time (default: 1)", default=1)
    parser.value(
        "--memory",
        Size(),
        "stop a cell whose processes use more memory than this (default: 8GiB)",
        default=8 << 30,
    )


def _points(text: str) -> tuple[str, float]:
    name, equals, number = text.partition("=")
    try:
        points = float(number)
    except ValueError:
        points = -1.0
    if not equals or not name or not 0 <= points < float("inf"):
        raise BadInput(
            f"--points {text} does not give an exercise and its points.",
            "Write EXERCISE=POINTS, for example --points 03-2=5.",
        )
    return name, points


def _grade_body(options: Namespace, face: Face) -> Answer:
    from mwtutor.display.authors import GradesView, GradeView
    from mwtutor.exercises.grading import grades, reports
    from mwtutor.exercises.grading.submissions import submissions
    from mwtutor.exercises.judging_kernel import Limits

    variants = Path(options.variants) if options.variants else None
    checks = grades.checks_of(options.what, variants, dict(options.points))
    exercises = [one.exercise for one in checks]
    submitted = submissions(Path(options.folder), exercises, grades.cell_ids(checks))
    place = Path(options.to)
    limits = Limits(options.timeout, options.memory, grades.PROCESSES, grades.DISK)
    processes.become_subreaper()
    made = grades.grade(submitted, checks, place, limits, options.jobs)
    try:
        if gone := sorted(grades.read(place).keys() - {one.learner for one in submitted}):
            reports.remove(place, gone)
            face.say(f"Removed from the results (not in {options.folder}): {', '.join(gone)}.")
        with contextlib.closing(made):
            for graded in made:
                face.say(repr(GradeView(*graded)))
    finally:
        if known := grades.read(place):
            reports.write(place, known, checks)
    return Answer(GradesView(known, exercises, place))


def _progress(parser: Parser) -> None:
    add = parser.add_argument
    add("folders", nargs="*", metavar="DIR", help="a learner's folder, or a folder of such folders")
    parser.flag("--json", "print everything as JSON")
    add("--html", metavar="FILE", help="write a self-contained page with pictures")
    parser.flag("--names", "show the learners' names, taken from their folders")


def _progress_body(options: Namespace, face: Face) -> Answer:
    from mwtutor.display.classes import ClassPage, ClassView
    from mwtutor.exercises.classes import class_progress

    folders = [Path(folder) for folder in options.folders or ["."]]
    found = class_progress(folders, names=options.names)
    if options.html:
        _write(Path(options.html), ClassPage(found).page())
    return Answer(json.dumps(asdict(found), indent=1) if options.json else ClassView(found))


def _write(path: Path, data: bytes) -> None:
    try:
        write_whole(path, data)
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written: {message_of(error)}.", "Name another file with --html."
        ) from None


VERBS = {
    "classroom": Verb(
        "Show the limits of a shared machine, or, as root, set them.\n"
        "A launch that does not fit waits in a queue; nobody can use more than one person's\n"
        "share. mwtutor itself enforces these limits, so they work only for people who are\n"
        "willing to share. To limit everyone, use control groups.",
        _classroom,
        _classroom_body,
        "  @classroom\n  sudo @classroom --tasks 40 --per-person 10 --idle 30\n",
    ),
    "grade": Verb(
        "Grade submitted notebooks: run each exercise's cell again, and check what it does.\n"
        "Only the cells of the exercises count; outputs, progress and other cells are ignored.\n"
        "Each exercise of each learner gets its own kernel and workspace. The results are tables,\n"
        "a page for each learner, and files for Gradescope. If run again, the command judges only\n"
        "what has changed, and removes the results of learners who are no longer there. Learners'\n"
        "code runs with your permissions: grade in a container, or in a separate account.",
        _grade,
        _grade_body,
        "  @grade 03 submitted\n  @grade 03-2 submitted --variants hidden --points 03-2=5\n",
    ),
    "progress": Verb(
        "Show the progress of a class: exercises and predictions, without names.\n"
        "--html writes a page that shows how far the learners have come, how many tries each\n"
        "exercise takes, and which misconceptions the verdicts reveal. Names appear only with\n"
        "--names. A learner's folder contains the notebooks, and the learner's records in\n"
        ".mwtutor. Learners can edit these records, so do not grade from them. Without a folder,\n"
        "the command uses the current one.",
        _progress,
        _progress_body,
        "  @progress submissions --html class.html\n  @progress anna ben --json\n",
    ),
    "exercise": Verb(
        "Create the folder of an exercise, or test one.\n"
        "The test executes the stub, the solution, each wrong solution and each answer in\n"
        "answers.py in a kernel, and reports whether the check judges them correctly. Mutations\n"
        "are small changes to the solution: if a mutation is also judged right, the check may not\n"
        "test the code that was changed.",
        _exercise,
        _exercise_body,
        "  @exercise new my-exercise\n  @exercise test my-exercise --watch\n",
    ),
}
