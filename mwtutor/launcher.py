"""``launch()``: from a request to a running cluster, and the runs this process knows."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from mwtutor.cluster import ClusterSize
from mwtutor.devices import gpus
from mwtutor.devices.placement import Placement, Wish, place
from mwtutor.engines.environment import import_time_settings
from mwtutor.engines.local import LocalEngine, Refused, Unfit, check_interpreter
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.network import NetworkChoice
from mwtutor.run import collectives, keras_choice
from mwtutor.run.request import LaunchRequest, Program
from mwtutor.run.run import Run
from mwtutor.run.spec import RunSpec
from mwtutor.run.store import KEPT, Store
from mwtutor.system import processes
from mwtutor.system.child import ProcessContext
from mwtutor.system.pidspace import PidSpace

_engine: LocalEngine | None = None
_launched: list[Run] = []


@dataclass(frozen=True)
class Launched:
    """A run that has started, and the run of the same name that was stopped for it."""

    run: Run
    replaced: Run | None = None


def engine() -> LocalEngine:
    """The engine of this process."""
    global _engine
    if _engine is None:
        _engine = LocalEngine()
    return _engine


def launch(
    program: str,
    workers: int = 2,
    args: Sequence[str] = (),
    *,
    module: bool = False,
    chief: bool = False,
    ps: int = 0,
    evaluator: bool = False,
    name: str = "",
    cwd: str = "",
    env: Mapping[str, str] | None = None,
    keras: Literal["auto", "2", "3"] = "auto",
    threads: int = 0,
    python: str = "",
    cold: bool = False,
    timeout: float = 0.0,
    grace: float = 0.0,
    network: NetworkChoice = "auto",
    restarts: int = 0,
    gpus_per_worker: int | None = None,
    share_gpus: bool = False,
    evaluator_gpus: int = 0,
    comm: Literal["auto", "ring", "nccl"] = "auto",
) -> Run:
    """Start a program on a cluster of local processes, in the background.

    Args:
        program: path of a script, or with ``module`` the name of a module.
        workers: number of workers; a chief comes on top.
        args: the program's arguments.
        module: run the program as ``python -m`` does.
        chief, ps, evaluator: further tasks.
        name: how to address the run; the script's stem unless given. A run of the same name that
            is still going on is stopped first.
        cwd: working directory of the tasks; the present one unless given.
        env: variables to add to the environment of the tasks.
        keras: which Keras ``tf.keras`` is; ``auto`` leaves it to TensorFlow.
        threads: threads that TensorFlow uses in each task; 0 leaves it to TensorFlow.
        python: another interpreter; implies ``cold``.
        cold: start plain processes instead of forking warm ones.
        timeout: seconds after which the run is stopped; 0 is never.
        grace: seconds between SIGTERM and SIGKILL when a task is stopped.
        network: ``private``: nobody outside the run can reach its ports, and web traffic goes out
            through a relay; ``host``: the machine's own network; ``auto``: private if it can be.
            Which one it became is in ``run.state.network``.
        restarts: how often the cluster is started again, on the same addresses, when the run
            fails; ``MWTUTOR_ATTEMPT`` tells a task which attempt it is, the first is 1. A worker
            without which the run goes on, because a chief drives it, is started again by itself.
            Attempts that fail three times in a row without getting further end the run.
        gpus_per_worker: GPUs for each chief and worker; None shares out what there is, 0 trains on
            the CPU. Only GPUs that ``CUDA_VISIBLE_DEVICES`` leaves, and that no other run of this
            process and directory uses, are shared out.
        share_gpus: let workers, and runs, share GPUs where there are too few; without it all use
            the CPU.
        evaluator_gpus: GPUs for the evaluator.
        comm: which implementation of collectives a ``MultiWorkerMirroredStrategy`` gets that is
            made without ``communication_options``.

    Raises:
        BadInput: something that was passed cannot be used; nothing was started.
        LaunchFailed: the run could not be started; nothing of it is left.
    """
    kind: Literal["script", "module"] = "module" if module else "script"
    request = LaunchRequest(
        Program(kind, str(program), tuple(map(str, args))),
        ClusterSize(workers, chief, ps, evaluator),
        name=name,
        cwd=str(cwd),
        env=dict(env or {}),
        keras=keras,
        threads=threads,
        python=python,
        cold=cold,
        timeout=timeout,
        grace=grace,
        network=network,
        restarts=restarts,
        gpus=Wish(gpus_per_worker, share_gpus, evaluator_gpus),
        comm=comm,
    )
    return start(request).run


def start(request: LaunchRequest) -> Launched:
    """Start what was requested; as :func:`launch`, for a request that was parsed."""
    request = request.checked()
    if request.python:
        check_interpreter(request.python)
    keras = keras_choice.choose(request)
    context = ProcessContext.here(request.cwd)
    context.env.update(keras.env)
    context.env.update(request.task_env())
    why_cold = _why_cold(request, context.env)
    store = Store()
    survey = gpus.find()
    # The choice and its record are one step: another launch must not choose in between.
    with store.claim_devices() if survey.devices else contextlib.nullcontext():
        placed = _place(request, survey, store)
        with store.claim(request.name):
            replaced = _stop_namesake(request.name, store)
            _prune(store)
            spec = _new_spec(request, store.new(request.name), why_cold, keras.words, placed)
            with _removed_on_failure(spec):
                spec = replace(spec, task_env=_task_env(spec, placed, context.env))
                spec.save()
    with _removed_on_failure(spec):
        spec = _launch(spec, context)
    run = Run(spec, engine())
    _launched.append(run)
    return Launched(run, replaced)


@contextlib.contextmanager
def _removed_on_failure(spec: RunSpec) -> Iterator[None]:
    try:
        yield
    except BaseException:
        Store.remove(spec.path)
        raise


def _place(request: LaunchRequest, survey: gpus.Survey, store: Store) -> Placement:
    others = devices_in_use(request.name, store) if survey.devices else {}
    setting = {**os.environ, **request.task_env()}.get(gpus.VISIBLE)
    placed = place(request.gpus, request.size, survey, setting, others)
    collectives.check(request.comm, placed)
    return placed


def _new_spec(
    request: LaunchRequest, directory: Path, why_cold: str, keras: str, placed: Placement
) -> RunSpec:
    return RunSpec(
        id=directory.name,
        name=request.name,
        directory=str(directory),
        program=request.program,
        size=request.size,
        cwd=request.cwd,
        python=request.python,
        warm=not why_cold,
        why_cold=why_cold,
        keras=keras,
        timeout=request.timeout,
        grace=request.grace,
        created=time.time(),
        network=request.network,
        restarts=request.restarts,
        devices=placed.words,
        comm=request.comm,
        launcher=(os.getpid(), processes.started_at(os.getpid()) or 0),
        space=PidSpace.here(),
        inode=directory.stat().st_ino,
    )


def _task_env(
    spec: RunSpec, placed: Placement, given: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """What single tasks find in their environment beside what all do."""
    return {
        str(task): {
            **placed.env(task, given),
            **collectives.env(spec.comm, placed, task, spec.log(task), given),
        }
        for task in placed.devices
    }


def _launch(spec: RunSpec, context: ProcessContext) -> RunSpec:
    """Start the run, without a fork where two fork servers could not prove that one is safe."""
    for attempt in (1, 2):
        spec.save()
        try:
            engine().launch(spec, context)
            return spec
        except Refused as refused:
            if attempt == 2:
                spec = replace(spec, warm=False, why_cold=str(refused))
        except Unfit as unfit:
            spec = replace(spec, warm=False, why_cold=str(unfit))
            break
    spec.save()
    engine().launch(spec, context)
    return spec


def _why_cold(request: LaunchRequest, env: dict[str, str]) -> str:
    if request.python:
        return "another interpreter was asked for"
    if request.cold:
        return "it was asked for"
    if request.program.kind == "script":
        script = Path(request.cwd, Path(request.program.target).expanduser())
        if named := import_time_settings(script):
            return named
    return engine().why_cold(env)


def find(name: str = "", store: Store | None = None) -> Run:
    """The run of that name or id; without a name the one that is running, or else the latest.

    Of several that are running, those of this process are meant before others, and programs
    before sessions.

    Raises:
        NoRun: there is none.
        BadInput: no name was given, and several are running.
    """
    known = runs(store)
    if name:
        for run in known:
            if name in (run.name, run.spec.id):
                return run
        here = " that you may look at" if _hides_some(store) else ""
        raise NoRun(f"There is no run{here} named {name!r}.", "%mw_runs lists the runs there are.")
    if not known:
        raise NoRun(
            "There is no run that you may look at."
            if _hides_some(store)
            else "There is no run yet.",
            "Start one: %mw_launch 2 main.py",
        )
    return _running(known) or known[0]


def _running(known: Sequence[Run]) -> Run | None:
    """The one run that is going on, if there is one."""
    going = [run for run in known if not run.recorded_end and run.can_be_stopped]
    for kept in (
        [run for run in going if run in _launched],
        [run for run in going if run.spec.program.kind != "kernel"],
    ):
        going = kept or going
    if len(going) > 1:
        names = ", ".join(sorted(run.name for run in going))
        raise BadInput(
            f"{len(going)} runs are going on: {names}.",
            "Say which one you mean by its name; %mw_runs lists them.",
        )
    return going[0] if going else None


def _hides_some(store: Store | None) -> bool:
    with contextlib.suppress(BadInput):  # the present directory has been removed
        return (store or Store()).hides_some()
    return False


def runs(store: Store | None = None) -> list[Run]:
    """The runs of this process and of this directory, the newest first.

    Raises:
        BadInput: this process has none, and the present directory has been removed.
    """
    known = {run.directory: run for run in _launched if run.is_there}
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


def clean(store: Store | None = None) -> int:
    """Remove the directories of all runs of ours that have ended; how many they were.

    Raises:
        BadInput: some could not be removed.
    """
    ended = [run for run in runs(store) if run.outcome is not None and not run.is_foreign]
    left = [why for run in ended if (why := Store.remove(run.directory))]
    with contextlib.suppress(BadInput):  # the present directory has been removed
        for path in (store or Store()).remnants():
            Store.remove(path)
    if left:
        raise BadInput(
            f"{len(left)} of {len(ended)} runs that had ended could not be removed: {left[0]}.",
            "Make their directories writable, and clean again.",
        )
    return len(ended)


def devices_in_use(name: str = "", store: Store | None = None) -> dict[str, list[str]]:
    """The GPUs of the runs that go on, but for the one that the next of this name will replace."""
    here = PidSpace.here()
    return {
        run.name: [env[gpus.VISIBLE] for env in run.spec.task_env.values() if gpus.VISIBLE in env]
        for run in runs(store)
        if run.name != name
        and run.spec.space.shares_boot(here)  # another machine has GPUs of its own
        and run.goes_on
        and not run.is_foreign
    }


def _stop_namesake(name: str, store: Store) -> Run | None:
    for run in runs(store):
        if run.name == name and run.can_be_stopped:
            outcome = run.stop("a new run of the same name was launched")
            return run if outcome.status == "stopped" else None
    return None


def _prune(store: Store) -> None:
    """Remove the runs of ours that ended longest ago, but for those whose end nobody has seen."""
    unseen = {run.directory for run in _launched if not run.seen}
    for directory in sorted(store.directories(), key=_last_written, reverse=True)[KEPT - 1 :]:
        with contextlib.suppress(NoRun):  # another version's: not ours to judge
            run = Run.open(directory)
            if directory not in unseen and not run.goes_on and not run.is_foreign:
                Store.remove(directory)


def _last_written(directory: Path) -> float:
    """When a run ended, if it has."""
    try:
        return (directory / "events.jsonl").stat().st_mtime
    except OSError:
        return 0.0
