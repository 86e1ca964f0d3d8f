"""The commands for other machines: execute a task there, and write files that start tasks."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace

from mwtutor.commands.parser import Parser, add_option, add_options
from mwtutor.commands.runs import add_program, launch_request
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.exceptions import BadInput
from mwtutor.run.request.option_kinds import PluginName, Seconds, row, rows
from mwtutor.run.request.options import LaunchRequest
from mwtutor.system.plugins import TARGETS
from mwtutor.targets.jobs import export
from mwtutor.targets.task import execute
from mwtutor.targets.task.schedulers import Shape

#: The options of a launch that apply to a single task.
_OF_A_TASK = ("args_per_task", "keras", "comm")


def _exec(parser: Parser) -> None:
    add = parser.add_argument
    add("-m", dest="module", action="store_true", help="the program is a module")
    for one in rows(Shape):
        add_option(parser, one)
    for name in _OF_A_TASK:
        add_option(parser, row(LaunchRequest, name))
    parser.value(
        "--timeout",
        Seconds(),
        "seconds to wait until the names of all tasks resolve (default: 600; 0: forever)",
        default=execute.PATIENCE,
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


def _export(parser: Parser) -> None:
    add_program(parser)
    to = PluginName(TARGETS)
    parser.value("--to", to, "the scheduler that the file is for")
    for one in rows(export.Resources):
        add_option(parser, one)
    add_options(parser, "launch")


def _export_body(options: Namespace, face: Face) -> Answer:
    if not options.to:
        known = ", --to ".join(TARGETS.names())
        raise BadInput("No export target was given.", f"Name one: --to {known}.")
    typed = vars(options)
    asked = {one.name: typed[one.name] for one in rows(export.Resources) if one.name in typed}
    order = export.Order(launch_request(options), export.Resources(**asked))
    return Answer(export.target(options.to).render(order).rstrip("\n"))


def _say(text: str) -> None:
    # Not to standard output, which belongs to the program.
    print(f"mwtutor: {text}", file=sys.stderr, flush=True)


#: These commands exist in a terminal only.
VERBS = {
    "exec": Verb(
        "Run a program as a task of a cluster that a scheduler, for example Slurm, has started.\n"
        "The scheduler's environment variables say which task this is; the program gets TF_CONFIG\n"
        "and the compatibility layers.",
        _exec,
        _exec_body,
        "  srun @exec main.py --epochs 3\n"
        "  srun @exec --chief --ps 1 parameter_server.py\n"
        "  @exec --workers 4 -m pkg.train     # in the pods of a Kubernetes Indexed Job\n",
    ),
    "export": Verb(
        "Print a file that makes Slurm, Kubernetes or SkyPilot start a program.\n"
        "Every option of launch either keeps its meaning or is refused.",
        _export,
        _export_body,
        "  @export 4 main.py --to slurm --memory 8 --timeout 3600 > main.sbatch\n"
        "  @export 4 main.py --to kubernetes --image registry.example.org/digits:1 > main.yaml\n"
        "  @export 4 main.py --to jobset --restarts 3 --image ... --queue team > main.yaml\n"
        "  @export 2 main.py --to skypilot -- --epochs 3 > main.yaml\n",
    ),
}
