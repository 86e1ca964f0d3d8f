"""The commands for the cables of a run's machines: unplug one, plug it in, limit its speed."""

from __future__ import annotations

from argparse import Namespace

from mwtutor import find_runs
from mwtutor.commands.choice import add_name, chosen_run
from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.run.request.option_kinds import LinkSpeed


def _task(parser: Parser) -> None:
    _task_alone(parser)
    add_name(parser)


def _task_alone(parser: Parser) -> None:
    parser.add_argument("task", help="a task on the machine, for example worker:1")


def _link(parser: Parser) -> None:
    _task_alone(parser)
    link = LinkSpeed()
    parser.add_argument(
        "link", type=link.reader("The link"), help="the link's speed: 100mbit, or unlimited"
    )
    add_name(parser)


def _unplug_body(options: Namespace, face: Face) -> Answer:
    run = chosen_run(options, default=None, find=find_runs.find_to_change)
    machine = run.unplug(options.task)
    tasks = next(one.tasks for one in run.state.machines if one.name == machine)
    face.say(f"{machine} of {run.name} is unplugged: nothing reaches {', '.join(map(str, tasks))}.")
    return Answer()


def _plug_body(options: Namespace, face: Face) -> Answer:
    run = chosen_run(options, default=None, find=find_runs.find_to_change)
    face.say(f"{run.plug(options.task)} of {run.name} is plugged in again.")
    return Answer()


def _link_body(options: Namespace, face: Face) -> Answer:
    run = chosen_run(options, default=None, find=find_runs.find_to_change)
    machine = run.link(options.task, options.link)
    face.say(f"The link of {machine} of {run.name} now carries {options.link}.")
    return Answer()


VERBS = {
    "unplug": Verb(
        "Unplug the machine of a task, to see what a network partition does.\n"
        "Launch the run with --machines. The machine's processes continue without a network.",
        _task,
        _unplug_body,
        "  @unplug worker:1\n",
    ),
    "plug": Verb("Plug a machine back in.", _task, _plug_body, "  @plug worker:1\n"),
    "link": Verb(
        "Change the link of a task's machine during a run.",
        _link,
        _link_body,
        "  @link worker:1 100mbit\n  @link worker:1 unlimited\n",
    ),
}
