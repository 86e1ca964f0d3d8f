"""Launch runs as requested, and remove those that have ended."""

from __future__ import annotations

import contextlib
import difflib
import inspect
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mwtutor.devices import gpus
from mwtutor.devices.placement import Placement, place
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.find_runs import Runs, recover, runs
from mwtutor.notices import notice
from mwtutor.run.engine import MACHINES, SESSIONS, demand, engine, refuse
from mwtutor.run.observations import collectives
from mwtutor.run.record.paths import EVENTS
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.store import KEPT, Store
from mwtutor.run.request import horovod, keras_choice
from mwtutor.run.request.option_kinds import rows, takes
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.request.restoring import may_restore
from mwtutor.run.run import Run
from mwtutor.singletons import singleton
from mwtutor.system import processes
from mwtutor.system.child import ProcessContext
from mwtutor.system.files import modified
from mwtutor.system.linux import monotonic
from mwtutor.system.pidspace import PidSpace


@dataclass(frozen=True)
class Launched:
    """A run that has started, and the run of the same name that it replaced."""

    run: Run
    replaced: Run | None = None


@takes(LaunchRequest)
def launch(*args: Any, **options: Any) -> Run:
    """Start a program on a cluster of local processes, in the background.

    Args:
        {rows}

    Raises:
        BadInput: an argument is invalid; nothing was started.
        LaunchFailed: the run could not be started, and left nothing behind.
    """
    try:
        inspect.signature(LaunchRequest).bind(*args, **options)
    except TypeError as error:
        names = [row.name for row in rows(LaunchRequest)]
        strange = next((name for name in options if name not in names), "")
        near = difflib.get_close_matches(strange, names, 1)
        raise BadInput(
            f"launch(): {error}.",
            "help(mwtutor.launch) lists its parameters"
            + (f"; did you mean {near[0]}?" if near else "."),
        ) from None
    return start(LaunchRequest(*args, **options)).run


def preview(request: LaunchRequest) -> str:
    """The text that a launch would submit to another scheduler.

    Raises:
        BadInput, NotSupported: the run could not be launched, or would not be submitted to a
            scheduler.
    """
    where = engine(request.on)
    request = request.checked()
    request.executes.read(request.cwd)
    refuse(where, request)
    where.check(request)
    directory = Store().root / "runs" / "RUN"
    return where.preview(RunSpec(id="RUN", directory=str(directory), request=request))


def start(
    request: LaunchRequest,
    sockets: str = "",
    on: str = "",
    begun: Callable[[RunSpec], None] = lambda spec: None,
) -> Launched:
    """Like :func:`launch`, for a parsed request.

    Args:
        request: the parsed request.
        sockets: for a session, whose tasks execute cells: the directory of its kernels' sockets.
        on: the name of the engine, if not the requested one.
        begun: called after all checks, just before the tasks are started.
    """
    where = engine(on or request.on)
    if sockets:
        demand(where, SESSIONS)
    request = request.checked("start" if sockets else "launch")
    script = None if sockets else request.executes.read(request.cwd)
    if request.machines:
        demand(where, MACHINES)
    refuse(where, request)
    where.check(request)
    if request.elastic and script is not None and not may_restore(script.tree):
        notice(
            f"{script.path.name} uses nothing that restores a checkpoint: unless a module that it"
            " imports does, a smaller cluster starts training from the beginning."
        )
    keras = keras_choice.choose(request, script)
    env = {**os.environ, **keras.env, **request.task_env()}
    context = replace(ProcessContext.here(request.cwd), env=env)
    planned = where.plan(request, script, env)
    store = Store()
    survey = where.devices()
    _place(request, survey, store, env.get(gpus.VISIBLE))  # fails before anything is created
    # Choose devices and record the choice in one step: no other launch may choose in between.
    with store.claim_devices() if survey.devices else contextlib.nullcontext():
        placed = _place(request, survey, store, env.get(gpus.VISIBLE))
        with store.claim(request.name):
            recover(store)
            replaced = _stop_namesake(request.name, store)
            _prune(store)
            directory = store.new(request.name)
            with _removed_on_failure(directory):
                spec = RunSpec(
                    id=directory.name,
                    directory=str(directory),
                    request=request,
                    sockets=sockets,
                    engine=where.name,
                    keras=keras.words,
                    created=(created := time.time()),
                    epoch=created - monotonic(),
                    devices=placed.words,
                    launcher=(os.getpid(), processes.started_at(os.getpid()) or 0),
                    space=PidSpace.here(),
                    inode=directory.stat().st_ino,
                    digest=script.digest if script is not None else "",
                    **planned,
                )
                spec = replace(spec, task_env=_task_env(spec, placed, env))
                spec.save()
    with _removed_on_failure(directory):
        begun(spec)
        spec = where.launch(spec, context)
    run = Run(spec, launched=True)
    singleton(Runs).append(run)
    return Launched(run, replaced)


@contextlib.contextmanager
def _removed_on_failure(directory: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        Store.remove(directory)
        raise


def _place(
    request: LaunchRequest, survey: gpus.Survey, store: Store, setting: str | None
) -> Placement:
    others = devices_in_use(request.name, store) if survey.devices else {}
    placed = place(request.gpus, request.size, survey, setting, others)
    collectives.check(request.comm, placed)
    return placed


def _task_env(
    spec: RunSpec, placed: Placement, given: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """The environment variables that differ from task to task."""
    request = spec.request
    ranks, machines = request.workers * request.is_horovod, int(request.machines)
    card = "eth0" if machines else "lo"
    return {
        str(task): {
            **placed.env(task, given, horovod.neighbors(task, ranks, machines)),
            **collectives.env(request.comm, placed, task, spec.log(task), given, card),
        }
        for task in placed.devices
    }


def clean(store: Store | None = None) -> int:
    """Remove the directories of all this user's runs that have ended; return their number.

    Raises:
        BadInput: some directories could not be removed.
    """
    recover(store)
    ended = [run for run in runs(store) if run.outcome is not None and not run.is_foreign]
    left = [why for run in ended if (why := Store.remove(run.directory))]
    with contextlib.suppress(BadInput):  # the current directory has been removed
        for path in (store or Store()).remnants():
            Store.remove(path)
    if left:
        raise BadInput(
            f"{len(left)} of {len(ended)} runs that had ended could not be removed: {left[0]}.",
            "Make their directories writable, and run the command again.",
        )
    return len(ended)


def devices_in_use(name: str = "", store: Store | None = None) -> dict[str, list[str]]:
    """The GPUs that each run uses now, except a run of this name, which a launch would replace."""
    here = PidSpace.here()
    return {
        run.name: [env[gpus.VISIBLE] for env in run.spec.task_env.values() if gpus.VISIBLE in env]
        for run in runs(store)
        if run.name != name
        and run.spec.space.shares_boot(here)  # another machine has its own GPUs
        and run.goes_on
        and not run.is_foreign
    }


def _stop_namesake(name: str, store: Store) -> Run | None:
    """Stop the run in progress of that name, if this process launched it or its launcher has ended.

    Raises:
        BadInput: another process launched it.
    """
    for run in runs(store):
        if run.name == name and run.can_be_stopped:
            if owner := _other_owner(run):
                raise BadInput(
                    f"{name} is running, and was launched by {owner}.",
                    f"Choose another name with --name, or stop the run first: @mw_stop {name}",
                )
            outcome = run.stop("a new run of the same name was launched")
            return run if outcome.status == "stopped" else None
    return None


def _other_owner(run: Run) -> str:
    """The process that launched the run, in words, if it is alive and is not this one."""
    pid, born = run.spec.launcher
    here = run.spec.space.shares_pids(PidSpace.here())
    if not here or pid == os.getpid() or not processes.alive(pid, born):
        return ""
    return processes.whose(pid)


def _prune(store: Store) -> None:
    """Remove this user's oldest ended runs, except those whose end the user has not seen."""
    unseen = {run.directory for run in singleton(Runs) if not run.seen}
    by_end = sorted(store.directories(), key=lambda one: modified(one / EVENTS), reverse=True)
    for directory in by_end[KEPT - 1 :]:
        with contextlib.suppress(NoRun):  # written by another version: leave it alone
            run = Run.open(directory)
            if directory not in unseen and not run.goes_on and not run.is_foreign:
                Store.remove(directory)
