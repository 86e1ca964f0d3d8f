"""The commands of a course; for notebooks and IPython only."""

from __future__ import annotations

import functools
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from mwtutor import exercises as api
from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.display.exercises import HintsView, OpenedView, ProgressView, SolutionView, VerdictView
from mwtutor.display.predictions import OutcomeView, placement_text, prediction_text
from mwtutor.exceptions import MwtutorError
from mwtutor.executed import Executed
from mwtutor.exercises.rerun import execute_cell
from mwtutor.singletons import singleton


def _workspace(parser: Parser) -> None:
    parser.add_argument("name", help="the folder's name, for example lesson-03")
    parser.flag("--gpus", "do not hide GPUs from the programs")
    parser.add_argument(
        "--from",
        dest="earlier",
        metavar="FOLDER",
        help="copy the program that an earlier lesson ends with: lesson-03",
    )


def _one(parser: Parser) -> None:
    parser.add_argument("exercise", help="the numbers of the lesson and the exercise: 03-2")


def _open(parser: Parser) -> None:
    _one(parser)
    parser.flag("--new", "discard your changes, and restart the clock")


def _check(parser: Parser) -> None:
    _one(parser)
    parser.flag("--run", "first run the cells that the check needs")


def _progress(parser: Parser) -> None:
    parser.add_argument("lesson", nargs="?", default="", help="only this lesson, for example 03")


def _prediction(parser: Parser) -> None:
    parser.add_argument("prediction", help="the lesson's number and a letter: 05-a")
    parser.add_argument("values", nargs="*", help="the values, with or without a name: OFF=6")


def _questions(parser: Parser) -> None:
    parser.add_argument(
        "questions", nargs="+", help="a prediction and the lesson that answers it: 00-h=01"
    )


def _exercises(parser: Parser) -> None:
    parser.add_argument(
        "file",
        help="an exercise's folder, a folder of such folders, or a Python file that defines"
        " EXERCISES",
    )


def _workspace_body(options: Namespace, face: Face) -> Answer:
    if options.earlier is not None:
        api.left_by(options.earlier)  # raises an error before anything is removed
    path = api.workspace(options.name, Path(face.shell.starting_dir), gpus=options.gpus)
    face.say(f"Working in {path.name}.")
    if options.earlier is not None:
        face.say("\n".join(api.receive(options.earlier)))
    return Answer()


def _open_body(options: Namespace, face: Face) -> Answer:
    opened = api.open_exercise(options.exercise, new=options.new)
    face.shell.set_next_input(f"%%writefile {opened.file.name}\n{opened.program}", replace=False)
    return Answer(OpenedView(opened))


def _without_raising(body: Callable[[Namespace, Face], Answer]) -> Callable[..., Answer]:
    """A command's body that prints errors, because the rest of a notebook does not depend on it."""

    @functools.wraps(body)
    def printing(options: Namespace, face: Face) -> Answer:
        try:
            return body(options, face)
        except MwtutorError as error:
            face.say(str(error))
            return Answer()

    return printing


@_without_raising
def _check_body(options: Namespace, face: Face) -> Answer:
    executed = singleton(Executed)
    if options.run:
        api.bring_up(
            options.exercise, executed, lambda cell: execute_cell(face.shell, cell), face.say
        )
    return Answer(VerdictView(api.check(options.exercise, face.shell.user_ns, executed=executed)))


def _hint_body(options: Namespace, face: Face) -> Answer:
    return Answer(HintsView(api.hint(options.exercise)))


def _solution_body(options: Namespace, face: Face) -> Answer:
    return Answer(SolutionView(api.solution(options.exercise)))


def _progress_body(options: Namespace, face: Face) -> Answer:
    return Answer(ProgressView(api.progress(options.lesson), api.score(options.lesson)))


@_without_raising
def _predict_body(options: Namespace, face: Face) -> Answer:
    face.say(prediction_text(api.predict(options.prediction, options.values, singleton(Executed))))
    return Answer()


@_without_raising
def _outcome_body(options: Namespace, face: Face) -> Answer:
    noted = api.outcome(options.prediction, options.values, singleton(Executed))
    shown = OutcomeView(noted)
    if noted.prediction.guess:
        return Answer(shown)
    face.say(repr(shown))  # text can be compared with a stored output
    return Answer()


@_without_raising
def _place_body(options: Namespace, face: Face) -> Answer:
    face.say(placement_text(api.place(options.questions)))
    return Answer()


def _exercises_body(options: Namespace, face: Face) -> Answer:
    found = api.load(options.file)
    face.say(f"Exercises of {options.file}: {', '.join(one.id for one in found)}.")
    return Answer()


VERBS = {
    "workspace": Verb(
        "Work in an empty folder next to the notebook.\n"
        "A folder that this command created before is emptied; any other is left unchanged.\n"
        "Runs there use the CPU, even if there is a GPU, so that everyone gets the same numbers.",
        _workspace,
        _workspace_body,
        "  @workspace lesson-03\n  @workspace lesson-05 --from lesson-03\n",
    ),
    "open": Verb(
        "Write the program of a broken cluster into the workspace, and start the clock.\n"
        "A new cell with the program appears below. The clock runs until the first verdict\n"
        '"right". Opening an exercise again shows its task, and resets neither the program\n'
        "nor the clock.",
        _open,
        _open_body,
        "  @open 22-07\n  @open 22-07 --new\n",
    ),
    "check": Verb(
        "Check whether an exercise is solved, and if not, explain what is wrong.\n"
        "The check judges what ran, changes nothing, and never stops the notebook. Results of an\n"
        "earlier version of the code are not judged. With --run, the command first runs the cells\n"
        "between the exercise and its check; if the session is broken, it also starts new workers\n"
        "and runs the setup cells.",
        _check,
        _check_body,
        "  @check 03-2\n  @check --run 07-1\n",
    ),
    "hint": Verb("Show one more hint with each call.", _one, _hint_body, "  @hint 03-2\n"),
    "solution": Verb(
        "Show a solution of an exercise, and explain why it is right.",
        _one,
        _solution_body,
        "  @solution 03-2\n",
    ),
    "predict": Verb(
        "Record your prediction of what the next cells show, to compare it with the outcome.\n"
        "You can change the prediction until the outcome is known. As long as it\n"
        "contains a ..., nothing is recorded.",
        _prediction,
        _predict_body,
        "  @predict 05-a 6 3\n  @predict 05-a OFF=6 DATA=3\n",
    ),
    "outcome": Verb(
        "Show the outcome next to your prediction.\n"
        "NAME=VALUE must be predicted exactly. A prediction of NAME~VALUE, which differs from run\n"
        "to run, may be off by 25%. {...} stands for a Python expression.",
        _prediction,
        _outcome_body,
        "  @outcome 05-a OFF={steps['OFF']} DATA={steps['DATA']}\n",
    ),
    "progress": Verb(
        "Show which exercises are solved, and how many predictions were right.\n"
        "Progress is kept in .mwtutor next to the notebook.",
        _progress,
        _progress_body,
        "  @progress\n  @progress 03\n",
    ),
    "place": Verb(
        "Show which lesson to begin with, based on the predictions of a placement test.\n"
        "It is the lesson of the first prediction that was not right.",
        _questions,
        _place_body,
        "  @place 00-h=01 00-i=02\n",
    ),
    "exercises": Verb(
        "Load a course author's exercises, in addition to those of the lessons.",
        _exercises,
        _exercises_body,
        "  @exercises my-exercises\n  @exercises my_course.py\n",
    ),
}
