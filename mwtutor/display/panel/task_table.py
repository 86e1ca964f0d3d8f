"""The table of a run's tasks: what each is doing, its progress and figures, and a remark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mwtutor.display.panel.hints import quiet
from mwtutor.display.panel.log_ends import last_line
from mwtutor.display.panel.machines import machine_cells
from mwtutor.display.panel.report import NOW, Row, Seen, Table
from mwtutor.display.panel.training import sparkline
from mwtutor.display.words import elapsed, mebibytes, number
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState, TaskState
from mwtutor.run.record.task_status import SILENT, Status
from mwtutor.sanitize import harmless

#: Maximum number of metrics shown, in the order in which they were reported.
_METRICS = 4


def task_table(spec: RunSpec, state: RunState, seen: Seen = NOW) -> Table:
    """One row for each task of the run."""
    metrics = _metric_names(state.tasks.values())
    drawn = _drawn(metrics, seen)
    counted = ("closures",) if state.closures is not None else ()
    header = ("task", "state", "epoch", "step", *counted, *metrics)
    spare = len(header)
    header += (f"{drawn} so far",) * bool(drawn)
    header += ("machine", "sent", "received") if state.machines else ()
    wires = machine_cells(spec, state, seen)
    none = ("",) * 3 * bool(state.machines)
    rows = (
        _row(spec, state, task, metrics, drawn, seen, wires.get(task.id, none))
        for task in state.tasks.values()
    )
    place = spare if drawn else 0
    return Table((*header, "memory", "CPU", ""), tuple(rows), spare, (drawn, place))


def _row(
    spec: RunSpec,
    state: RunState,
    task: TaskState,
    metrics: Sequence[str],
    drawn: str,
    seen: Seen,
    wires: tuple[str, ...],
) -> Row:
    curve = seen.course.curve(task.id, drawn) if seen.course is not None and drawn else ()
    cells = (
        str(task.id),
        _state_words(state, task),
        _of(task.epoch, task.epochs),
        _of(task.step, task.steps),
        *_closures(state, task),
        *(number(task.metrics[name]) if name in task.metrics else "" for name in metrics),
        *((sparkline(curve),) if drawn else ()),
        *wires,
        *_usage(seen, task),
        _remark(spec, state, task, seen),
    )
    return Row(task.id, task.status.value, cells, curve)


def _closures(state: RunState, task: TaskState) -> tuple[str, ...]:
    """How many closures a worker has executed; for the chief, how many are done, and the total."""
    closures = state.closures
    if closures is None:
        return ()
    if task.closures is not None:
        return (_of(closures.finished, closures.scheduled),)
    return (str(closures.done.get(task.id, 0)) if task.id.type == "worker" else "",)


def _drawn(metrics: Sequence[str], seen: Seen) -> str:
    """The metric whose curve is drawn: the loss, or otherwise the first."""
    if seen.course is None or not metrics:
        return ""
    return "loss" if "loss" in metrics else metrics[0]


def _usage(seen: Seen, task: TaskState) -> tuple[str, str]:
    if task.id not in seen.usage:
        return "", ""
    memory, share = seen.usage[task.id]
    return mebibytes(memory), "" if share is None else f"{share:.0%}"


def _state_words(state: RunState, task: TaskState) -> str:
    if task.halted and not task.status.ended:
        return "halted"
    if task.cells is not None and task.status is Status.RUNNING:
        return task.cells.words
    if task.status is Status.WAITING:
        missing = [name for name in state.waiting_for() if name != task.id]
        shown = ", ".join(map(str, missing[:3])) + (" …" if len(missing) > 3 else "")
        gone = bool(missing) and all(state.tasks[name].status.ended for name in missing)
        which = f", which {'has' if len(missing) == 1 else 'have'} ended" * gone
        return f"waiting for {shown}{which}" if shown else "waiting"
    if task.status is Status.SERVING and state.closures and task.id in state.closures.computing:
        return "serving, computing"
    return str(task.status.value)


def _remark(spec: RunSpec, state: RunState, task: TaskState, seen: Seen) -> str:
    if task.reason:
        told = state.outcome is not None and state.outcome.reason.startswith(task.reason)
        return "" if told else _reason(task, state.failed_first)
    if task.halted and not task.status.ended:
        since = elapsed(seen.now(spec) - task.halted)
        return f"stopped by a signal {since} ago; resume it with kill -CONT {task.pid}"
    if task.lost:
        return f"started again: {task.lost[-1]}"[:160]
    if task.closures is not None and task.closures.trouble:
        return task.closures.trouble
    if spec.program.kind == "kernel":  # the output of cells has been shown below them
        return ""
    if task.status in (Status.STARTING, Status.SERVING) or task.status.ended:
        return ""
    said = last_line(spec, task.id) if task.step is None and not seen.then else ""
    return "; ".join(part for part in (said, _silence(spec, state, task, seen)) if part)


def _reason(task: TaskState, first: TaskState | None) -> str:
    """Why the task failed: one error, and only the names of its consequences."""
    if first is None or first.id == task.id:
        return task.reason[:160]
    if task.raised_the_same(first):
        return f"raised the same error as {first.id}"
    if not task.collateral:
        return task.reason[:160]
    own = f"{task.id} raised {name}" if (name := harmless(task.error.get("error", ""))) else ""
    return f"{_root(first)}; then {own or task.reason[:60]}"


def _root(first: TaskState) -> str:
    if message := harmless(first.error.get("message", "")):
        return f"{first.id} raised first: {message[:90]}"
    return f"{first.id} failed first: {first.reason[:90]}"


def _silence(spec: RunSpec, state: RunState, task: TaskState, seen: Seen) -> str:
    """How long the task has neither reported nor printed, and which ended tasks it may wait for."""
    silent = quiet(spec, task, seen)
    if silent < SILENT:
        return ""
    words = f"silent for {elapsed(silent)}"
    present = state.cluster.tasks() if state.cluster is not None else ()
    left = [str(name) for name in present if state.tasks[name].status.ended]
    # A collective waits forever for tasks that have ended.
    return f"{words}, and {', '.join(left[:3])} has ended" if left and state.formed else words


def _metric_names(tasks: Iterable[TaskState]) -> list[str]:
    names: dict[str, None] = {}
    for task in tasks:
        names.update(dict.fromkeys(task.metrics))
    return list(names)[:_METRICS]


def _of(value: int | None, total: int | None) -> str:
    if value is None:
        return ""
    return f"{value}/{total}" if total else str(value)
