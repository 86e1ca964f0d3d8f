"""The command that copies the course."""

from __future__ import annotations

import importlib.util
import shlex
from argparse import Namespace

from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Answer, Face, Verb


def _lessons(parser: Parser) -> None:
    parser.add_argument(
        "path",
        nargs="?",
        default="mwtutor-course",
        metavar="DIR",
        help="a new or empty directory (default: mwtutor-course)",
    )


def _lessons_body(options: Namespace, face: Face) -> Answer:
    # Not at the top: few commands need it.
    from mwtutor.exercises.course import copy_lessons

    notebooks = copy_lessons(options.path)
    where = notebooks[0].parent
    command = f"jupyter lab {shlex.quote(str(where))}"
    if importlib.util.find_spec("jupyterlab") is None:
        command = f"pip install jupyterlab && {command}"
    face.say(f"{len(notebooks)} notebooks are in {where}. Open them in JupyterLab: {command}")
    return Answer()


VERBS = {
    "lessons": Verb(
        "Copy the course notebooks, with the pages and examples they link to.",
        _lessons,
        _lessons_body,
        "  @lessons\n  @lessons ~/course\n",
    ),
}
