"""Find the run that a command refers to: the one that its line names, or a default."""

from __future__ import annotations

import argparse
import contextlib
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from mwtutor import find_runs
from mwtutor.cluster import TaskId
from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Face
from mwtutor.exceptions import BadCluster, BadInput
from mwtutor.run.run import Run

#: The help text of a run's name.
WHICH = "a run's name or id (default: the last run launched here, or else the running one)"


def add_name(parser: Parser, what: str = WHICH, *, by_place: bool = True) -> None:
    """Add the name of a run or session, as --name and as the last positional argument.

    Args:
        what: the help text, which names the default.
        by_place: whether the name can be a positional argument as well.
    """
    parser.add_argument("--name", default="", action=_Name, help=what)
    if by_place:
        absent = argparse.SUPPRESS  # a missing positional name must not replace that of --name
        parser.add_argument("name", nargs="?", default=absent, action=_Name, help=what)


class _Name(argparse.Action):
    """Stores a name, and refuses a second, different one."""

    def __call__(self, parser: Any, options: Any, value: Any, label: str | None = None) -> None:
        before = getattr(options, self.dest, "")
        if before and before != value:
            parser.error(f"two names, {before!r} and {value!r}")
        setattr(options, self.dest, value)


def chosen_run(
    options: Namespace,
    kind: str = "task",
    *,
    default: str | None = "",
    find: Callable[[str], Run] = find_runs.find,
) -> Run:
    """The run that was named, or the default one.

    Args:
        kind: the positional argument before the name. A run's name may replace it or come before
            it.
        default: the value of that argument if a run's name replaces it; None if it is required.
        find: as :func:`mwtutor.find_runs.find`.

    Raises:
        BadInput: a run's name replaces an argument that is required.
    """
    word = getattr(options, kind, "")
    if word and names_a_run(word, kind) and not names_a_run(options.name, kind):
        given, options.name = options.name or default, word
        if given is None:
            raise BadInput(
                f"{word} is a run, not a {kind}.",
                f"Name one of its tasks: @mw_{options.verb} worker:1 {word}",
            )
        setattr(options, kind, given)
    return find(options.name)


def say_which(run: Run, options: Namespace, face: Face) -> None:
    """Print the run's name and state first, unless its name was typed or it is the only run."""
    if not options.name and len(find_runs.runs()) > 1:
        face.head(f"{run.name}: {run.state.status}")


def names_a_run(word: str, kind: str) -> bool:
    """Whether a word is the name of a run and not an argument of that kind."""
    if kind == "task":
        with contextlib.suppress(BadCluster):
            return not TaskId.parse(word)
    known = find_runs.runs()
    if not any(word in (run.name, run.spec.id) for run in known):
        return False
    tasks = (task for run in known for task in run.tasks.values())
    return kind != "metric" or not any(word in task.metrics for task in tasks)
