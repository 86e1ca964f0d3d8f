"""Find the runs that this process knows: by name, the last one, or the only one that runs."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadCluster, BadInput, NoRun
from mwtutor.notices import notice
from mwtutor.run.record.store import Store
from mwtutor.run.request.option_kinds import Text
from mwtutor.run.run import Run
from mwtutor.singletons import singleton


class Runs(list[Run]):
    """The runs that this process has launched."""


def find(name: str = "", store: Store | None = None) -> Run:
    """The run with that name or id; without a name, the one that this process launched last.

    If this process launched none, the run that is running in this directory, or else the latest.

    A lost run is cleaned up, see :meth:`mwtutor.Run.recover`.

    Raises:
        BadInput: that is not a name, or none was given and several are running.
        NoRun: there is none.
    """
    return _recovered(look_up(name, store))


def find_to_change(name: str = "", store: Store | None = None) -> Run:
    """Like :func:`find`, but for commands that stop or disturb a run: it never guesses.

    Raises:
        BadInput: no name was given, and other runs are in progress.
        NoRun: there is none.
    """
    run = find(name, store)
    others = [] if name else _others_running(run, runs(store))
    if not others:
        return run
    if run.can_be_stopped:
        raise _several([run, *others])
    names = _listed(others)
    raise BadInput(
        f"{run.name}, which was launched last, has ended; {names} {_is(others)} still running.",
        _by_name(others),
    )


def look_up(name: str = "", store: Store | None = None) -> Run:
    """Like :func:`find`, but changes nothing."""
    name = Text().check(name, "The name of a run")
    known = runs(store)
    if name:
        for run in known:
            if name in (run.name, run.spec.id):
                return run
        with contextlib.suppress(BadCluster):
            raise NoRun(
                f"{TaskId.parse(name)} is a task, not a run.",
                "Write a run's name instead; @mw_runs lists the runs.",
            )
        here = " that you may read" if hides_some(store) else ""
        raise NoRun(f"There is no run{here} named {name!r}.", "@mw_runs lists the runs.")
    if not known:
        raise NoRun(
            "There is no run that you may read." if hides_some(store) else "There is no run yet.",
            "Start one: @mw_launch 2 main.py",
        )
    launched = [run for run in singleton(Runs) if run.is_there]
    if launched:
        return launched[-1]
    running = _running(known)
    if len(running) > 1:
        raise _several(running)
    return running[0] if running else known[0]


def runs(store: Store | None = None) -> list[Run]:
    """The runs of this process and this directory, newest first.

    Raises:
        BadInput: this process has no runs, and the current directory has been removed.
    """
    known = {run.directory: run for run in singleton(Runs) if run.is_there}
    try:
        store = store or Store()
    except BadInput:
        if not known:
            raise
    for directory in store.directories() if store else ():
        if directory not in known:
            try:
                known[directory] = Run.open(directory)
            except NoRun:  # half written, or being removed
                continue
    return sorted(known.values(), key=lambda run: run.spec.created, reverse=True)


def recover(store: Store | None = None) -> None:
    """Clean up every lost run of this process and directory, and report what was done."""
    for run in runs(store):
        _recovered(run)


def hides_some(store: Store | None = None) -> bool:
    """Whether there are runs here that this user is not allowed to read."""
    with contextlib.suppress(BadInput):  # the current directory has been removed
        return (store or Store()).hides_some()
    return False


def _recovered(run: Run) -> Run:
    if done := run.recover():
        notice(done)
    return run


def _running(known: Sequence[Run]) -> list[Run]:
    return [run for run in known if not run.recorded_end and run.can_be_stopped]


def _others_running(run: Run, known: Sequence[Run]) -> list[Run]:
    """The other runs that could be meant; if this run is running, only those of this process."""
    others = [other for other in _running(known) if other.directory != run.directory]
    if run.can_be_stopped and run in singleton(Runs):
        return [other for other in others if other in singleton(Runs)]
    return others


def _several(running: Sequence[Run]) -> BadInput:
    return BadInput(f"{len(running)} runs are running: {_listed(running)}.", _by_name(running))


def _listed(running: Sequence[Run]) -> str:
    return ", ".join(sorted(run.name for run in running))


def _is(running: Sequence[Run]) -> str:
    return "is" if len(running) == 1 else "are"


def _by_name(running: Sequence[Run]) -> str:
    first = min(run.name for run in running)
    return f"Name one of them, for example --name {first}; @mw_runs lists them."
