"""The session commands, with their options and bodies; for notebooks and IPython only."""

from __future__ import annotations

import argparse
import math
import re
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mwtutor.auto import LOCAL, Auto
from mwtutor.commands.choice import add_name
from mwtutor.commands.parser import Parser, add_option, add_options, given_options
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.display.output.cells import IPythonScreen, show_in_cell
from mwtutor.display.output.recording import RecordedDisplay, Recording, record, show
from mwtutor.display.panel.panel import Panel
from mwtutor.display.pictures.variables import Placement
from mwtutor.display.words import elapsed
from mwtutor.exceptions import BadInput, SessionError
from mwtutor.interface import Style
from mwtutor.run.observations.exchanges import join_names
from mwtutor.run.request.option_kinds import Count, Seconds, row, rows
from mwtutor.run.request.options import LaunchRequest
from mwtutor.sessions import session as api
from mwtutor.sessions.background import BackgroundCell
from mwtutor.sessions.result import CellResult
from mwtutor.singletons import singleton

#: Cell magics: ``%%mw`` and ``%%mw_scope``.
CELL = Style("%%")


def _start(parser: Parser) -> None:
    add_option(parser, row(LaunchRequest, "workers"), nargs="?")
    add_options(parser, "start")
    parser.flag("--new", "replace the running session even if it was started with the same options")


def _cell(parser: Parser) -> None:
    add = parser.add_argument
    add("--task", default="", help="execute the cell only on this task, for example worker:1")
    parser.flag("--chief", "execute the cell only on the task that does the chief's work")
    parser.flag(
        "--background",
        "return immediately: %%mw_result shows the output; later cells for the workers wait",
    )
    parser.flag("--no-export", "leave the cell out of %%mw_export")
    parser.flag("--auto", argparse.SUPPRESS)  # %mw_auto wrote this line
    _session(parser)


def _restart(parser: Parser) -> None:
    kind = row(LaunchRequest, "workers").kind
    parser.value(
        "--workers", kind, "number of workers, without the chief (default: as many as before)"
    )
    _session(parser)


def _session(parser: Parser, *, by_place: bool = True) -> None:
    add_name(parser, "a session's name (default: the latest)", by_place=by_place)


def _auto(parser: Parser) -> None:
    parser.add_argument("state", choices=("on", "off"), help="whether workers execute the cells")
    _session(parser)


def _variables_of(parser: Parser, owner: str) -> None:
    what = f"a variable of the {owner}; a session's name may come before or after the variables"
    parser.add_argument("names", nargs="+", metavar="NAME", help=what)


def _push(parser: Parser) -> None:
    _variables_of(parser, "notebook")
    _session(parser, by_place=False)


def _pull(parser: Parser) -> None:
    _variables_of(parser, "workers")
    parser.add_argument(
        "--task", default="", help="fetch only from this task (default: a dict with all tasks)"
    )
    _session(parser, by_place=False)


def _export(parser: Parser) -> None:
    parser.add_argument("path", help="the script to write, for example main.py")
    parser.flag("--force", "overwrite a file not written by %%mw_export")
    _session(parser)


def _numbered(parser: Parser, default: str) -> None:
    parser.add_argument(
        "number",
        nargs="?",
        default="",
        metavar="N",
        help=f"the number in the cell's In[N] (default: {default})",
    )
    _session(parser)


def _interrupt(parser: Parser) -> None:
    _numbered(parser, "the cell that is being executed")


def _result(parser: Parser) -> None:
    _numbered(parser, "the latest")
    parser.flag("--wait", "wait until the cell ends")
    parser.value(
        "--timeout", Seconds(), "wait at most S seconds; the cell continues", default=math.inf
    )


def _start_body(options: Namespace, face: Face) -> Answer:
    request = session_request(options)
    if getattr(options, "ps", None) == 0:
        raise BadInput(
            "--ps 0 requests no parameter servers.", "Write --ps 1 or more, or leave it out."
        )
    wanted = request.checked("start")
    running = api.running(wanted.name)
    changes = _changes(running.run.spec.request, wanted) if running is not None else ""
    if running is not None and not options.new and not changes:
        size = running.run.spec.request.size.words
        face.say(f"{running.name} is still running with {size}; %mw_start --new replaces it.")
        return Answer(Panel.from_run(running.run))
    with face.starting():
        session = api.Session.start(request)
    if session.replaced is not None:
        differing = f", with {changes}," if changes else ""
        face.say(f"{session.replaced.name} was still running{differing} and has been stopped.")
    face.mark_shown(session.run, launched=True)
    return Answer(face.result(Panel.from_run(session.run)))


def _changes(old: LaunchRequest, new: LaunchRequest) -> str:
    """The options of the old session that the new one lacks."""
    return " and ".join(
        f"{option.label} {value}" if option.is_flag else _workers(value)
        for option in rows(LaunchRequest)
        if (value := getattr(old, option.name)) != getattr(new, option.name)
    )


def _workers(count: int) -> str:
    return "1 worker" if count == 1 else f"{count} workers"


def _push_body(options: Namespace, face: Face) -> Answer:
    defined = face.shell.user_ns
    wanted = _wanted_variables(options, defined.__contains__)
    if missing := [name for name in wanted if name not in defined]:
        raise BadInput(f"{missing[0]!r} is not defined here.", "Define it in a cell first.")
    api.find(options.name).push({name: defined[name] for name in wanted})
    return Answer()


def _pull_body(options: Namespace, face: Face) -> Answer:
    wanted = _wanted_variables(options, lambda word: api.find().defines(word))
    session = api.find(options.name)
    task = session.task(options.task) if options.task else None
    face.shell.push(session.pull(wanted, task), interactive=False)
    return Answer()


def _wanted_variables(options: Namespace, is_variable: Callable[[str], bool]) -> list[str]:
    """The variables of a line; a session's name among them is stored as ``options.name``."""
    words = [name for word in options.names for name in word.split(",") if name]
    if not options.name:
        sessions = {session.name for session in singleton(api.Sessions)}
        options.name = session_among(words, sessions, is_variable, options.verb)
        words = [word for word in words if word != options.name]
    return names(words)


def session_among(
    words: Sequence[str], sessions: Container[str], is_variable: Callable[[str], bool], verb: str
) -> str:
    """The session that one of these words names; empty if all are variables.

    Args:
        is_variable: whether a word could be a variable for the latest session's command.

    Raises:
        BadInput: a word can mean a session or a variable, or two words name sessions.
    """
    found = [word for word in dict.fromkeys(words) if word in sessions]
    if not found or len(set(words)) == 1:  # a variable is needed
        return ""
    others = " ".join(word for word in words if word != found[0])
    if is_variable(found[0]):
        doubt = f"{found[0]} is both a variable and a session."
    elif found[1:]:
        doubt = f"{found[0]} and {found[1]} are both sessions."
    else:
        return found[0]
    remedy = f"Name the session with --name: @mw_{verb} {others} --name {found[0]}"
    raise BadInput(doubt, remedy)


def _restart_body(options: Namespace, face: Face) -> Answer:
    session = api.find(options.name)
    with face.starting():
        session.restart(options.workers)
    face.mark_shown(session.run, launched=True)
    return Answer(face.result(Panel.from_run(session.run)))


def _variables_body(options: Namespace, face: Face) -> Answer:
    session = api.find(options.name)
    return Answer(Placement(session.name, session.variables()))


def _export_body(options: Namespace, face: Face) -> Answer:
    session = api.find(options.name)
    path = Path(options.path)
    count = session.export(path, force=options.force)
    face.say(f"Wrote {count} cell{'s' * (count != 1)} to {path}.")
    face.say(f"Run it: %mw_launch {session.launch_words(path)}")
    return Answer()


def _auto_body(options: Namespace, face: Face) -> Answer:
    here = "the notebook" if hasattr(face.shell, "kernel") else "IPython"
    if options.state == "off":
        singleton(Auto).session = None
        face.say(f"Cells run in {here} again.")
        return Answer()
    session = api.find(options.name)
    session.check_alive()
    singleton(Auto).session = options.name
    face.say(
        f"Cells without a magic now run on {join_names(session.tasks)}. Begin a cell with {LOCAL}"
        f" to run it in {here}. To run all cells there again: %mw_auto off"
    )
    return Answer()


def _cell_body(options: Namespace, face: Face) -> Answer:
    if options.auto:
        face.say("Executed on the workers. To run cells here again: %mw_auto off")
    check_cell(options.verb, options.cell)
    session = api.find(options.name)
    tasks = [session.task(options.task)] if options.task else []
    if options.chief:
        tasks = [session.chief()]
    output = record if options.background else show_in_cell
    how: dict[str, Any] = {
        "scope": options.verb == "mw_scope",
        "listener": output(tasks or session.tasks, session.run.spec, color=face.color),
        "export": not options.no_export,
        "place": _place(face.shell),
        # Not execution_count: some versions of IPython have already incremented it.
        "count": len(face.shell.history_manager.input_hist_parsed) - 1,
    }
    if options.background:
        before = session.background.undone()
        cell = session.submit(options.cell, tasks, **how)
        done = f"follows {before[-1].name}" if before else "was started"
        hint = f"%mw_result {cell.count} shows its output."
        replace = face.say_until_replaced(f"{cell.title} {done} in the background: {hint}")
        cell.when_done(lambda ending: replace(f"{ending} {hint}"))
        return Answer()
    with _ending_shown(session, face):
        return _conclude(session.execute(options.cell, tasks, **how))


@contextmanager
def _ending_shown(session: api.Session, face: Face) -> Iterator[None]:
    """If the session has ended, show this as part of the command."""
    try:
        yield
    finally:
        face.mark_shown(session.run)


def _conclude(result: CellResult) -> Answer:
    result.check()
    if result.warning:
        print(result.warning, file=sys.stderr)
    return Answer()


def cell_number(options: Namespace) -> int:
    """The number of a cell, or 0 without one; a session's name may replace it or come before it."""
    word = options.number
    if word and not word.isdecimal() and (not options.name or options.name.isdecimal()):
        word, options.name = options.name, word
    number: int = Count().reader("The number of a cell")(word) if word else 0
    return number


def _result_body(options: Namespace, face: Face) -> Answer:
    number = cell_number(options)
    session = api.find(options.name)
    cell = session.background.find(number)
    seconds = options.timeout if options.wait or math.isfinite(options.timeout) else 0.0
    screen = IPythonScreen()
    recording = Recording(screen)  # stays empty if session.submit() was given another listener
    if isinstance(cell.listener, RecordedDisplay):
        recording = cell.listener.recording
    with cell.left_by_interrupt():
        done = show(recording, screen, cell.wait, seconds)
    if not done and seconds:
        raise cell.late(seconds)
    if not done:
        face.say(f"{_progress(cell)}: %mw_result {cell.count} --wait waits for it.")
        return Answer()
    with _ending_shown(session, face):
        return _conclude(cell.result())


def _progress(cell: BackgroundCell) -> str:
    now = time.monotonic()
    if not cell.begun:
        return f"{cell.title} has been waiting for its turn for {elapsed(now - cell.submitted)}"
    return f"{cell.title} has been running for {elapsed(now - cell.begun)}"


def _interrupt_body(options: Namespace, face: Face) -> Answer:
    number = cell_number(options)
    session = api.find(options.name)
    undone = session.background.undone()
    cell = session.background.find(number) if number or not undone else undone[0]
    if cell.done():
        raise SessionError(f"{cell.title} is done.", f"See how it ended: %mw_result {cell.count}")
    cell.interrupt()
    cell.wait()
    face.say(f"{cell.title} has ended: %mw_result {cell.count} shows its output and its outcome.")
    return Answer()


def _place(shell: Any) -> str:
    """Which cell of the notebook is being executed, if the front end reports it."""
    try:
        return str(shell.get_parent()["metadata"].get("cellId") or "")
    except (AttributeError, KeyError, TypeError):
        return ""


VERBS = {
    "start": Verb(
        "Start a session: workers that stay alive and execute cells.\n"
        "Their cells can use strategy, task_type, task_index, num_workers, is_chief, and tf.\n"
        "Workers, and a chief, train synchronously, under MultiWorkerMirroredStrategy. With\n"
        "--chief and --ps, cells run on the chief, which has a ParameterServerStrategy and a\n"
        "coordinator: workers execute what it schedules, and parameter servers keep the variables.",
        _start,
        _start_body,
        "  @start 2\n  @start 3 --keras 2 --threads 1\n"
        "  @start 2 --chief --ps 2 --partition 256KiB\n",
    ),
    "push": Verb(
        "Copy notebook variables to the workers.",
        _push,
        _push_body,
        "  @push x y\n  @push x demo\n",
    ),
    "pull": Verb(
        "Fetch variables from the workers: arrays, plain values, weights, a Keras History.",
        _pull,
        _pull_body,
        "  @pull history --task worker:0\n  @pull loss\n  @pull loss demo\n",
    ),
    "restart": Verb(
        "Start fresh workers, with nothing defined.",
        _restart,
        _restart_body,
        "  @restart\n  @restart --workers 4\n",
    ),
    "variables": Verb(
        "Show every variable of the session: its shape, its size, and the task that holds it.",
        _session,
        _variables_body,
        "  @variables\n",
    ),
    "export": Verb(
        "Write the session's cells, in order, as a script that runs anywhere.\n"
        "Cells that failed are left out. If a notebook cell ran again, its latest version takes\n"
        "the place of the first. Code for IPython only (magics, await) becomes a comment.",
        _export,
        _export_body,
        "  @export main.py\n",
    ),
    "auto": Verb(
        "Execute cells without a magic on every worker, as if they began with %%mw.\n"
        "A cell that begins with % or !, or whose first line is %%local, runs in the notebook.",
        _auto,
        _auto_body,
        "  @auto on\n  @auto off\n",
    ),
    "result": Verb(
        "Show the output of a background cell so far and, once it has ended, how it ended.",
        _result,
        _result_body,
        "  @result\n  @result 7 --wait\n  @result --timeout 60\n",
    ),
    "interrupt": Verb(
        "Interrupt the cell that is running in the background, or remove a queued one.",
        _interrupt,
        _interrupt_body,
        "  @interrupt\n  @interrupt 7\n",
    ),
    "mw": Verb(
        "Execute the cell on all workers at the same time.",
        _cell,
        _cell_body,
        "  @mw\n  @mw --task worker:1\n  @mw --background\n",
        CELL,
    ),
    "mw_scope": Verb(
        "Execute the cell on every worker, inside strategy.scope(): variables that it creates\n"
        "are mirrored, or kept by parameter servers. Everything it defines stays defined.",
        _cell,
        _cell_body,
        "  @mw_scope\n",
        CELL,
    ),
}


def session_request(options: argparse.Namespace) -> LaunchRequest:
    """The request that the options of ``start`` describe."""
    return LaunchRequest("", **given_options(options, "start"))


def check_cell(verb: str, body: str) -> None:
    """Raise :class:`BadInput` for a body that can only be a mistake."""
    if not body.strip():
        raise BadInput(
            f"This %%{verb} cell is empty.", "Write the code that the workers should execute."
        )
    if nested := re.search(r"^\s*(%%mw\w*)", body, re.MULTILINE):
        raise BadInput(
            f"This %%{verb} cell contains {nested[1]}.", f"Put {nested[1]} in its own cell."
        )
    if own := re.search(r"^\s*(%mw_\w+)", body, re.MULTILINE):
        raise BadInput(
            f"{own[1]} runs in the notebook, but this cell is executed on the workers.",
            f"Put {own[1]} in its own cell.",
        )


def names(words: Sequence[str]) -> list[str]:
    """The words, if they are names of variables."""
    for name in words:
        if not name.isidentifier():
            raise BadInput(
                f"{name!r} is not a variable name.", "Assign the value to a name in a cell first."
            )
    return list(words)
