"""The verbs for other machines: be a task there, and write what starts tasks there."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace

from mwtutor.commands.parser import Parser, add_option
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.run.option_kinds import Seconds, row, rows
from mwtutor.run.request import LaunchRequest
from mwtutor.targets import execute
from mwtutor.targets.environment import Shape

#: The options of a launch that mean something to a single task.
_OF_A_TASK = ("keras", "comm")


def _exec(parser: Parser) -> None:
    add = parser.add_argument
    add("-m", dest="module", action="store_true", help="the program is a module")
    for one in rows(Shape):
        add_option(parser, one)
    for name in _OF_A_TASK:
        add_option(parser, row(LaunchRequest, name))
    add(
        "--timeout",
        type=Seconds().reader("--timeout"),
        default=execute.PATIENCE,
        metavar="S",
        help="seconds to wait until the names of all tasks resolve (default: 600; 0: for ever)",
    )
    add("program", help="the script, or with -m the module, that every task executes")
    add("args", nargs=argparse.REMAINDER, help="the program's own arguments")


def _exec_body(options: Namespace, face: Face) -> Answer:
    typed = vars(options)
    shape = Shape(**{one.name: typed[one.name] for one in rows(Shape) if one.name in typed})
    asked = {name: typed[name] for name in _OF_A_TASK if name in typed}
    request = LaunchRequest(
        options.program, args=tuple(options.args), module=options.module, **asked
    )
    execute.become(execute.Order(request, shape, options.timeout), _say)


def _say(text: str) -> None:
    # Not to standard output: that is the program's.
    print(f"mwtutor: {text}", file=sys.stderr, flush=True)


#: In a terminal only.
VERBS = {
    "exec": Verb(
        "Become the task of a cluster that Slurm, Kubernetes or another scheduler has started.\n"
        "It says who this is by variables; the program finds TF_CONFIG, and the bridges in place.",
        _exec,
        _exec_body,
        "  srun @exec main.py --epochs 3\n"
        "  srun @exec --chief --ps 1 parameter_server.py\n"
        "  @exec --workers 4 -m pkg.train     # in the pods of a Kubernetes Indexed Job\n",
    ),
}
