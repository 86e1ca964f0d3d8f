"""Hints on what to do next about a run: a sentence or two each."""

from __future__ import annotations

from collections.abc import Sequence

from mwtutor.cluster import TaskId
from mwtutor.display.panel import cooperation
from mwtutor.display.panel.machines import cut_off
from mwtutor.display.panel.report import NOW, Seen
from mwtutor.interface import as_typed_here
from mwtutor.run.logs.log_index import Index
from mwtutor.run.observations.standing import Standing, awaited_tasks
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState, TaskState
from mwtutor.run.record.task_status import SILENT, Status

#: Seconds of silence after which a hint says how to find the reason.
LONG = 10.0


def hints(spec: RunSpec, state: RunState, seen: Seen) -> tuple[str, ...]:
    """The hints, most urgent first."""
    exposure = state.network.exposure if state.outcome is None else ""
    hang = awaiting(seen.standings, long_silent(spec, state, seen))
    cut = "" if state.foreign else cut_off(state)
    together = cooperation.hints(spec, state)
    missing = f"{seen.missing} More: @mw_exchanges"
    found = (
        cut,
        missing if seen.missing else "",
        state.advice,
        _unreachable(state),
        *together,
        hang,
        _figures(state),
        exposure,
    )
    return tuple(as_typed_here(hint) for hint in found if hint)


def _figures(state: RunState) -> str:
    shown = any(task.findings.figures for task in state.tasks.values())
    return "To see the program's figures: @mw_plot --figures" * shown


def _unreachable(state: RunState) -> str:
    """Which outside hosts could not be reached, unless the run succeeded without them."""
    if not state.unreachable or (state.outcome is not None and state.outcome.ok):
        return ""
    whys = list(state.unreachable.values())
    more = f"; and {len(whys) - 2} more hosts" if len(whys) > 2 else ""
    return (
        f"Not reached from this run's network: {'; '.join(whys[:2])}{more}. For data that needs no"
        ' network, use tfds.load("mw_digits") after import mwtutor.datasets, or'
        " mwtutor.datasets.load_mnist()."
    )


def long_silent(spec: RunSpec, state: RunState, seen: Seen = NOW) -> tuple[TaskId, ...]:
    """The tasks of a running program that have been silent for more than :data:`LONG` seconds."""
    if state.outcome is not None or state.foreign or state.doubt or spec.program.kind == "kernel":
        return ()
    running = [task for task in state.tasks.values() if task.status is Status.RUNNING]
    return tuple(task.id for task in running if quiet(spec, task, seen) > LONG)


def awaiting(standings: Sequence[Standing], silent: Sequence[TaskId]) -> str:
    """Names the tasks that the others wait for, or says how to find out."""
    if not silent:
        return ""
    more = as_typed_here("@mw_stacks")
    if late := awaited_tasks(standings):
        shown = ", ".join(f"{one.task}, which is in {one.place}" for one in late[:3])
        return f"The others wait for {shown}. More: {more}"
    if mute := list(dict.fromkeys(one.why for one in standings if not one.threads)):
        return f"{'; '.join(mute[:3])} More: {more}"
    if standings and all(one.waits for one in standings):
        return f"Each task may be waiting in a collective. More: {more}"
    names = ", ".join(map(str, silent[:3])) + " …" * (len(silent) > 3)
    return f"Silent for more than {LONG:.0f} s: {names}. What each task executes: {more}"


def quiet(spec: RunSpec, task: TaskState, seen: Seen = NOW) -> float:
    """Seconds since the task last reported or printed; below :data:`SILENT`, only reports count."""
    now = seen.now(spec)
    unheard = now - max(task.heard, task.started)
    if unheard < SILENT:
        return unheard
    return min(unheard, now - Index(spec.log(task.id)).last(now))
