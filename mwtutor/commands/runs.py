"""The words of every verb, for the magics and for the terminal alike."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mwtutor.commands.parser import Parser, Style, add_option, add_options, given, pattern
from mwtutor.exceptions import BadInput
from mwtutor.run.options import Count, Seconds, row
from mwtutor.run.request import LaunchRequest


def _launch(parser: Parser) -> None:
    add = parser.add_argument
    add_option(parser, row(LaunchRequest, "workers"))
    add("program", nargs="?", help="the script every task executes; its arguments follow --")
    add("-m", dest="module", metavar="PKG.MODULE", help="execute a module, as python -m does")
    add(
        "--wait",
        action="store_true",
        help="wait for the end, show progress, fail if it fails (a terminal always does)",
    )
    add_options(parser, "launch")


def _one_run(parser: Parser) -> None:
    parser.add_argument("name", nargs="?", default="", help="a run's name or id (default: latest)")


def _logs(parser: Parser) -> None:
    add = parser.add_argument
    add("task", nargs="?", default="", help="one task, for example worker:1 (default: all)")
    add(
        "-n",
        dest="last",
        type=Count().reader("-n"),
        default=200,
        metavar="N",
        help="the last N lines (default: 200; 0: all)",
    )
    add("--follow", "-f", action="store_true", help="go on with what is written, until the end")
    add("--grep", default="", metavar="RE", type=pattern, help="only lines in which RE is found")
    add("--raw", action="store_true", help="TensorFlow's own start-up messages too")
    add("--name", default="", help="a run's name or id (default: the latest)")


def _wait(parser: Parser) -> None:
    _one_run(parser)
    parser.add_argument(
        "--timeout",
        type=Seconds().reader("--timeout"),
        default=0.0,
        metavar="S",
        help="wait at most S seconds; the run goes on",
    )


def _stop(parser: Parser) -> None:
    _one_run(parser)
    parser.add_argument("--all", action="store_true", help="every run of this directory")


def _runs(parser: Parser) -> None:
    parser.add_argument("--clean", action="store_true", help="remove the runs that have ended")


def _config(parser: Parser) -> None:
    parser.add_argument("task", nargs="?", default="", help="for example worker:0")
    parser.add_argument("--name", default="", help="a run's name or id (default: the latest)")


def _plot(parser: Parser) -> None:
    parser.add_argument("metric", nargs="?", default="loss", help="for example loss, the default")
    parser.add_argument("--name", default="", help="a run's name or id (default: the latest)")


def _kill(parser: Parser) -> None:
    parser.add_argument("task", help="for example worker:1")
    parser.add_argument("--signal", default="KILL", help="KILL (default), TERM, SEGV, or a number")
    parser.add_argument("--name", default="", help="a run's name or id (default: the latest)")


def _stacks(parser: Parser) -> None:
    parser.add_argument("task", help="for example worker:0")
    parser.add_argument("--name", default="", help="a run's name or id (default: the latest)")


def _doctor(parser: Parser) -> None:
    workers = row(LaunchRequest, "workers")
    parser.add_argument(
        "workers",
        type=workers.kind.reader(workers.label),
        nargs="?",
        default=workers.default,
        metavar="N",
        help="for how many workers to say which GPU each would get (default: 2)",
    )


@dataclass(frozen=True)
class Verb:
    """A verb: what it is for, its arguments, and examples (``@`` stands for the prefix)."""

    summary: str
    build: Callable[[Parser], None]
    examples: str = ""


VERBS = {
    "launch": Verb(
        "Start a program on a cluster of processes on this machine, in the background.\n"
        "Every task gets its TF_CONFIG; logs are captured; nothing is left behind.",
        _launch,
        "  @launch 2 main.py\n"
        "  @launch 2 main.py --wait -- --epochs 3\n"
        "  @launch 2 -m pkg.train --env SEED=1 --name demo\n"
        "  @launch 2 parameter_server.py --chief --ps 1\n"
        "  @launch 2 main.py --restarts 3 --grace 10\n"
        "  @launch 2 main.py --gpus-per-worker 1 --comm nccl\n",
    ),
    "status": Verb(
        "Show a run: what every task is doing, and what went wrong.",
        _one_run,
        "  @status\n  @status demo\n",
    ),
    "logs": Verb(
        "Show what the tasks have printed, merged in the order of time.",
        _logs,
        "  @logs\n  @logs worker:1 -n 20\n  @logs --follow\n  @logs --grep 'loss|error'\n",
    ),
    "wait": Verb(
        "Wait until a run has ended, and show its progress. Interrupting leaves it running.",
        _wait,
        "  @wait\n  @wait demo --timeout 60\n",
    ),
    "stop": Verb("Stop a run: every task and all it started.", _stop, "  @stop\n  @stop demo\n"),
    "runs": Verb("List the runs of this directory.", _runs, "  @runs\n  @runs --clean\n"),
    "config": Verb(
        "Show the TF_CONFIG that a task got, and what it says.", _config, "  @config worker:0\n"
    ),
    "plot": Verb(
        "Draw a metric of every task over the steps of its training.",
        _plot,
        "  @plot\n  @plot accuracy --name demo\n",
    ),
    "kill": Verb(
        "Kill one task, to see what a fault does.",
        _kill,
        "  @kill worker:1\n  @kill worker:1 --signal SEGV\n",
    ),
    "stacks": Verb(
        "Show where a task stands: the Python stacks of its threads. It is not stopped.",
        _stacks,
        "  @stacks worker:0\n",
    ),
    "doctor": Verb(
        "Look at versions, GPUs, NCCL, memory and the network, with a remedy for what is missing.",
        _doctor,
        "  @doctor\n  @doctor 4\n",
    ),
}


def parser(verb: str, style: Style) -> Parser:
    """The parser of a verb."""
    what = VERBS[verb]
    made = Parser(verb, style, what.summary, what.examples)
    what.build(made)
    return made


def parse(verb: str, words: Sequence[str], style: Style) -> argparse.Namespace:
    """The options of a verb; those of ``launch`` have the program's arguments in ``args``.

    Raises:
        BadInput: what is wrong with the words, and how to see the right ones.
    """
    words, after = list(words), []
    if verb == "launch" and "--" in words:
        at = words.index("--")
        words, after = words[:at], words[at + 1 :]
    options = parser(verb, style).read(words)
    options.args = after
    return options


def launch_request(options: argparse.Namespace) -> LaunchRequest:
    """The request that the options of ``launch`` spell."""
    if bool(options.program) == bool(options.module):
        raise BadInput(
            "Name one program: a script, or a module with -m.",
            "For example: 2 main.py, or 2 -m pkg.train; its own arguments follow --.",
        )
    typed = given(options, "launch")
    typed |= {"program": options.module or options.program, "module": bool(options.module)}
    return LaunchRequest(**typed)
