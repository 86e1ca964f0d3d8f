"""The command that explains an error, whether or not it comes from a run of mwtutor."""

from __future__ import annotations

import os
from argparse import Namespace

from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.exceptions import BadInput, message_of
from mwtutor.interface import as_typed_here
from mwtutor.sanitize import harmless

#: How many characters of a file are searched.
_LEGIBLE = 50_000_000


def _explain(parser: Parser) -> None:
    parser.add_argument(
        "text", nargs="+", metavar="TEXT", help="the message, or the name of a log file"
    )


def _explain_body(options: Namespace, face: Face) -> Answer:
    # Not at the top: few commands need it.
    from mwtutor.worker.advice.in_text import known_in

    known = known_in(_read(" ".join(options.text)))
    for one in known:
        face.say(f"{harmless(one.message)}\n  {one.means}\n  {as_typed_here(one.do)}".rstrip())
    if not known:
        face.say(
            "No common error was recognized in this text.\n"
            "Give the last lines of the traceback, in quotes, or the name of a log file."
        )
    return Answer(status=0 if known else 1)


def _read(text: str) -> str:
    """The contents of the file with that name, or the text itself if there is no such file."""
    try:
        if not os.path.isfile(text):
            return text
        with open(text, errors="replace") as file:
            return file.read(_LEGIBLE)
    except OSError as error:
        raise BadInput(
            f"{text} cannot be read: {message_of(error)}.", "Paste its last lines."
        ) from None


VERBS = {
    "explain": Verb(
        "Explain a common error in a message or a log file, and say what to do about it.",
        _explain,
        _explain_body,
        "  @explain 'Collective ops must be configured at program startup'\n  @explain job.log\n",
    ),
}
