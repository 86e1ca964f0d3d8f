"""Say whether the tasks of a run work together, based only on the reports of their processes.

The facts come from :mod:`mwtutor.run.record.findings`. Workers may exchange gradients in ways that
mwtutor does not see, so seeing no exchange does not prove that they trained separately.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from mwtutor.interface import as_typed_here
from mwtutor.run.observations.exchanges import join_names
from mwtutor.run.record import findings
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState, TaskState
from mwtutor.sanitize import harmless

_MIRRORED = "MirroredStrategy"
_NO_COLLECTIVES = "mwtutor saw no TensorFlow collectives"


def hints(spec: RunSpec, state: RunState) -> Iterator[str]:
    """Hints about the tasks' roles, places and exchanges, without empty ones."""
    if spec.program.kind == "kernel" or state.cluster is None:
        return
    yield _coordination(spec, state)
    yield (places := _places(spec, state))
    yield (launcher := _launcher(spec, state))
    if not places and not launcher:
        yield _separation(spec, state)
    yield _evaluation(spec, state)
    yield _without_effect(state)


def _peers(state: RunState) -> list[TaskState]:
    return [state.tasks[task] for task in state.cluster.peers()] if state.cluster else []


def _named(tasks: Sequence[TaskState]) -> str:
    return join_names([task.id for task in tasks])


def _these(tasks: Sequence[TaskState]) -> str:
    if len(tasks) == 1:
        return str(tasks[0].id)
    workers = all(task.id.type == "worker" for task in tasks)
    return f"These {len(tasks)} {'workers' if workers else 'tasks'}"


def _line(spec: RunSpec, workers: int, target: str = "", options: str = "") -> str:
    """How to launch the run's program, or another ``target``."""
    program = spec.program
    line = target or "-m " * (program.kind == "module") + shlex.quote(program.target)
    args = f" -- {shlex.join(program.args)}" if program.args and not target else ""
    return as_typed_here(f"@mw_launch {harmless(f'{workers} {line}{options}{args}')}")


def _coordination(spec: RunSpec, state: RunState) -> str:
    """Says that no task coordinates, because every task of the cluster serves the others."""
    peers = _peers(state)
    serving = [task for task in peers if task.findings.serves and not task.status.ended]
    led = state.cluster is not None and state.cluster.chief  # the run ends with its chief
    if 0 < len(serving) < len(peers) and not (led or state.ending or state.outcome):
        return _left_serving(peers, serving)
    if not peers or not all(task.findings.serves for task in peers):
        return ""
    said = "All tasks are servers, and none coordinates the others: they wait forever."
    asked = spec.request
    if asked.chief and asked.ps:
        return f"{said} In {harmless(spec.program.title)}, the chief must not call join()."
    needed = ["a chief"] * (not asked.chief) + ["a parameter server"] * (not asked.ps)
    line = _line(spec, asked.workers, options=f" --chief --ps {asked.ps or 1}")
    return f"{said} Add {' and '.join(needed)}: {line}"


def _left_serving(peers: Sequence[TaskState], serving: Sequence[TaskState]) -> str:
    """Says that tasks serve others, all of which have ended."""
    if not all(task.status.ended for task in peers if task not in serving):
        return ""
    runs, waits = ("runs", "it waits") if len(serving) == 1 else ("run", "they wait")
    return as_typed_here(
        f"Only {_named(serving)} still {runs}, to serve the others, which have ended: {waits}"
        " forever. End the run with @mw_stop."
    )


def _places(spec: RunSpec, state: RunState) -> str:
    """Says that tasks have not taken their assigned places."""
    peers, program = _peers(state), harmless(spec.program.title)
    if len(peers) < 2:
        return ""
    for task in peers:
        names = dict.fromkeys(place.name for place in task.findings.places)
        if len(names) > 1:
            return (
                f"{program} starts a whole cluster ({', '.join(names)}) in one process, and each"
                f" task starts its own. Launch it with 1 worker: {_line(spec, 1)}"
            )
    for (name, address), takers in _taken(state, peers).items():
        if len(takers) > 1:
            where = f"{name} at {address}"
            return f"{_named(takers)} claim the same task, {where}: {_why(program, takers)}"
    lonely = [task for task in peers if any(place.tasks == 1 for place in task.findings.places)]
    if lonely:
        verb = "has" if len(lonely) == 1 else "each have"
        got = f"{verb} a cluster of 1 task, not of {len(peers)}"
        return f"{_named(lonely)} {got}: {_why(program, lonely)}"
    return ""


def _taken(state: RunState, peers: Sequence[TaskState]) -> dict[tuple[str, str], list[TaskState]]:
    """Each place taken by a task that it was not meant for, and all tasks there."""
    taken: dict[tuple[str, str], list[TaskState]] = {}
    for task in peers:
        for place in task.findings.places:
            taken.setdefault((place.name, place.address), []).append(task)
    for task in reversed(peers):
        given = (str(task.id), state.cluster.address(task.id) if state.cluster else "")
        if task.begun and not task.findings.places and given in taken:
            taken[given].insert(0, task)
    return taken


def _why(program: str, tasks: Sequence[TaskState]) -> str:
    if any(place.changed for task in tasks for place in task.findings.places):
        why = f"{program} changes TF_CONFIG."
    else:
        why = f"{program} does not read its task from TF_CONFIG."
    return f"{why} Use the TF_CONFIG that mwtutor sets for each task."


def _launcher(spec: RunSpec, state: RunState) -> str:
    """Says that the program itself starts processes instead of being a task."""
    peers = _peers(state)
    busy = any(task.step is not None or task.listening or task.has_company for task in peers)
    if state.outcome is None or busy or state.formed:
        return ""
    children = [child for task in peers for child in task.findings.children]
    left = [script for task in peers for script in task.findings.left]
    failed = Counter(status for _, status in children if status > 0)
    scripts = list(dict.fromkeys([*(name for name, _ in children if name), *left]))
    if not failed and not left:
        return ""
    count = len(children) + len(left)
    what = f"{count} processes" if count > 1 else "a process"
    if left:  # some may not have started their script yet
        what = "processes"
    shown = f" ({', '.join(scripts[:3])})" * bool(scripts)
    said = f"{harmless(spec.program.title)} started {what} of its own{shown}"
    ends = [f"{number} exited with status {status}" for status, number in failed.items()]
    which = f"and {', '.join(ends[:3])}" if count > 1 else f"which {''.join(ends)[2:]}"
    said += f", {which}" * bool(failed) + "; no task formed a cluster."
    if not scripts:
        return f"{said} Launch a script that contains the code of one of these processes."
    line = _line(spec, spec.request.workers, shlex.quote(scripts[0]))
    return f"{said} Launch {scripts[0]} itself: {line}"


def _separation(spec: RunSpec, state: RunState) -> str:
    """Says what is known about exchanges between workers that did not form a cluster."""
    program, peers = harmless(spec.program.title), _peers(state)
    none = f"{program} creates no MultiWorkerMirroredStrategy"
    if mirrored := any(_MIRRORED in task.findings.without_effect for task in peers):
        none = (
            f"{program} creates a MirroredStrategy, which uses the devices of one worker only. To"
            " train together, create a MultiWorkerMirroredStrategy"
        )
    apart = [state.tasks[task] for task in state.apart()]
    if apart and spec.request.is_horovod:
        return f"{_trained(state, apart)} separately: {program} does not call hvd.init()."
    if spec.request.is_jax:
        return _separation_on_jax(program, state, apart, peers)
    if lonely := [task for task in apart if task.communication.get("workers") == 1]:
        each = "its strategy has" if len(lonely) == 1 else "each has a strategy of"
        without = "created without the TF_CONFIG that mwtutor sets"
        return f"{_trained(state, lonely)} separately: {each} 1 worker, {without}."
    fitted = [task for task in peers if task.findings.weights]
    if findings.differ(task.findings for task in fitted):
        said = f"{_these(fitted)} trained separately: their weights differ at the end of fit"
        if state.formed or any(task.has_company for task in fitted):
            return f"{said}; fit was called outside their cluster."
        return f"{said}, and {none}."
    if apart:
        if not any(task.has_company for task in peers):  # JAX listens as well
            apart = [task for task in peers if task.step is not None]
        return f"{_NO_COLLECTIVES} in {_these(apart).replace('These', 'these')}: {none}."
    if not state.never_met():
        return ""
    why = none if mirrored else f"{_NO_COLLECTIVES} in {program}"
    return f"No cluster was formed: {why}."


def _separation_on_jax(
    program: str, state: RunState, apart: Sequence[TaskState], peers: Sequence[TaskState]
) -> str:
    """Says what is known about JAX's processes, whose exchanges mwtutor does not see."""
    call = "keras.distribution.initialize()"
    if apart:
        return f"{_trained(state, apart)} separately: {program} does not call {call}."
    if state.never_met():
        return f"No cluster was formed: {program} does not call {call}."
    fitted = [task for task in peers if task.findings.weights]
    if findings.differ(task.findings for task in fitted):
        return (
            f"{_these(fitted)} trained separately: their weights differ at the end of fit. After"
            f" {call}, set a distribution, such as keras.distribution.DataParallel(), before the"
            " model is created."
        )
    return ""


def _trained(state: RunState, tasks: Sequence[TaskState]) -> str:
    now = "trains" if len(tasks) == 1 else "train"
    return f"{_these(tasks)} {now if state.outcome is None else 'trained'}"


def _evaluation(spec: RunSpec, state: RunState) -> str:
    """Says that ``train_and_evaluate`` leaves its EvalSpec to a missing evaluator."""
    if spec.request.evaluator or not any(one.findings.no_evaluation for one in _peers(state)):
        return ""
    return (
        "No task evaluates: in a cluster with a chief, train_and_evaluate leaves its EvalSpec to an"
        " evaluator, but this run has none. Launch the program with --evaluator as well."
    )


def _without_effect(state: RunState) -> str:
    """Says that Keras accepts its own distributions on TensorFlow, where they have no effect."""
    peers = _peers(state)
    names = dict.fromkeys(
        f"keras.distribution.{name}"
        for task in peers
        for name in task.findings.without_effect
        if name != _MIRRORED
    )
    if not names:
        return ""
    verb, them = ("have", "them") if len(names) > 1 else ("has", "it")
    said = (
        f"{' and '.join(names)} {verb} no effect on TensorFlow: there, Keras divides neither the"
        " data nor the model among devices"
    )
    if len(peers) < 2 or any(task.listening or task.has_company for task in peers):
        return f"{said}. Use tf.distribute.MultiWorkerMirroredStrategy alone."
    return (
        f"{said}, and with {them} alone each worker trains its own model. Create a"
        " tf.distribute.MultiWorkerMirroredStrategy, and the model in its scope."
    )
