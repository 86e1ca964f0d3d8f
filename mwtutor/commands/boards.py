"""The command that shows runs in TensorBoard."""

from __future__ import annotations

from argparse import Namespace

from mwtutor.commands.choice import WHICH, add_name
from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Answer, Face, Verb


def _tensorboard(parser: Parser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help=WHICH)
    add_name(parser, by_place=False)
    parser.flag("--close", "close every TensorBoard opened here")


def _tensorboard_body(options: Namespace, face: Face) -> Answer:
    from mwtutor.board import board as api  # not at the top: few commands need it

    if options.close:
        count = api.close_all()
        face.say(f"Closed {count}." if count else "No TensorBoard is open here.")
        return Answer()
    board = api.tensorboard(*options.names, *filter(None, [options.name]))
    if not face.waits:
        return Answer(board)
    face.say(f"{board}\nCtrl-C stops TensorBoard.")
    try:
        board.wait()
    finally:
        board.close()
    return Answer()


VERBS = {
    "tensorboard": Verb(
        "Open TensorBoard on runs: every task's history, and the program's event files.\n"
        "TensorBoard shows new data during the runs, and stops when this process ends.",
        _tensorboard,
        _tensorboard_body,
        "  @tensorboard\n  @tensorboard first second\n",
    ),
}
