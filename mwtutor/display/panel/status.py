"""Create a run's report from its state, for text and HTML alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.display.panel.hints import hints, quiet
from mwtutor.display.panel.machines import machine_cells, machine_words
from mwtutor.display.panel.report import NOW, Fold, Report, Row, Seen
from mwtutor.display.panel.training import bar, sparkline
from mwtutor.display.words import duration, elapsed, mebibytes, number
from mwtutor.exceptions import NoRun
from mwtutor.interface import TERMINAL, as_typed_here
from mwtutor.run.logs import logs
from mwtutor.run.logs.logs import SILENT, is_attempt_mark
from mwtutor.run.observations import collectives, stacks
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import Attempt, RunState, TaskState
from mwtutor.run.record.task_status import Status
from mwtutor.run.request import keras_choice
from mwtutor.run.request.request import LaunchRequest
from mwtutor.sanitize import harmless

#: Maximum number of metrics shown, in the order in which they were reported.
_METRICS = 4

#: Lines of the failed task's log to show below a failure.
_LAST_LINES = 14

#: Maximum number of logs to unfold; for a larger cluster, only those of failed tasks.
_FOLDS = 8

#: Bytes at the end of a log to read for unfolding.
_TAIL = 1 << 16

#: Bytes at the end of the failed task's log to search; it may be full of noise.
_EVIDENCE = 1 << 20


def report(spec: RunSpec, state: RunState, seen: Seen = NOW) -> Report:
    """The report to show about a run."""
    metrics = _metric_names(state.tasks.values())
    drawn = _drawn(metrics, seen)
    counted = ("closures",) if state.closures is not None else ()
    header = ("task", "state", "epoch", "step", *counted, *metrics)
    spare = len(header)
    place = spare if drawn else 0
    header += (f"{drawn} so far",) * bool(drawn)
    header += ("machine", "sent", "received") if state.machines else ()
    wires = machine_cells(spec, state, seen)
    rows = tuple(
        _row(
            spec,
            state,
            task,
            metrics,
            drawn,
            seen,
            wires.get(task.id, ("",) * 3 * bool(state.machines)),
        )
        for task in state.tasks.values()
    )
    outcome = state.outcome
    failed = outcome is not None and outcome.status in ("failed", "timed out", "lost")
    reason = outcome.reason if outcome is not None else _trouble(state)
    evidence: tuple[str, ...] = ()
    if failed and outcome is not None and outcome.culprit is not None:
        culprit = state.tasks.get(outcome.culprit, TaskState(outcome.culprit))
        evidence = _evidence(spec, culprit, state.advice)
    return Report(
        name=harmless(spec.name),
        state=state.status,
        facts=_facts(spec, state, seen.now(spec)),
        header=(*header, "memory", "CPU", ""),
        rows=rows,
        spare=spare,
        bar=bar(spec, state, seen),
        drawn=(drawn, place),
        folds=_folds(spec, state),
        attempts=tuple(
            _attempt(attempt, bool(spec.request.elastic)) for attempt in _failed_attempts(state)
        ),
        problem=_sentence(reason),
        evidence=evidence,
        hints=hints(spec, state, seen),
        ended=outcome is not None or bool(state.foreign),
    )


def _sentence(reason: str) -> str:
    """A clause about the run as a sentence; a task's name stays lowercase."""
    if not reason:
        return ""
    return f"I{reason[1:]}." if reason.startswith("it ") else f"{reason}."


def _trouble(state: RunState) -> str:
    """The problem of a run that has no outcome yet; empty if there is none."""
    return state.ending or _doubt(state) or state.pending or _broken(state)


def _broken(state: RunState) -> str:
    if state.cells is None or not state.cells.lost:
        return ""
    why = f": {state.cells.lost.rstrip('.')[:300]}"
    if state.cells.released:
        why = ", because a worker had to be released from one"
    return (
        f"Collectives no longer work in this session{why}. In its notebook, %mw_restart starts"
        " fresh workers"
    )


def _doubt(state: RunState) -> str:
    if state.foreign:
        return f"it is read-only, because {state.foreign}; its log says the following"
    return f"{state.doubt}; its log says the following" if state.doubt else ""


def _failed_attempts(state: RunState) -> tuple[Attempt, ...]:
    """The failed attempts after which the run continued, excluding the last attempt."""
    return state.attempts if state.restarting else state.attempts[:-1]


def _attempt(attempt: Attempt, elastic: bool) -> str:
    lasted = duration(attempt.ended - attempt.started)
    size = f", {attempt.workers} worker{'s' * (attempt.workers != 1)}" * elastic
    return f"attempt {attempt.number}{size}: {attempt.reason}, after {lasted}"


def _facts(spec: RunSpec, state: RunState, now: float) -> tuple[str, ...]:
    program = spec.program.title
    if spec.program.kind != "kernel":
        target = "-m " * (spec.program.kind == "module") + spec.program.target
        program = " ".join([target, *spec.program.args, *spec.program.per_task])
    facts = ["read-only"] if state.foreign and state.outcome is not None else []
    if state.status == "executing" and state.cells is not None:
        facts.append(f"{state.cells.cell} for {elapsed(now - state.cells.since)}")
    facts += [state.smaller or _members(spec.request), program[:100]]
    if state.started:
        facts.append(
            duration(state.ended - state.started) if state.ended else elapsed(now - state.started)
        )
    if len(state.attempts) > 1:
        most = spec.request.restarts + 1 + spec.request.workers - spec.request.least
        facts.append(f"attempt {len(state.attempts)} of at most {most}")
    if state.formed:
        begun = state.attempts[-1].started if state.attempts else state.started
        facts.append(f"cluster formed in {state.formed - begun:.1f} s")
    used = {version for task in state.tasks.values() for version in task.findings.keras}
    keras = keras_choice.words_of(spec.keras, used)
    facts += filter(None, (keras, as_typed_here(spec.devices), collectives.words(spec, state)))
    if state.machines:
        facts.append(machine_words(spec, state))
    if figures := sum(task.findings.figures for task in state.tasks.values()):
        facts.append(f"{figures} figure{'s' * (figures != 1)}")
    if state.network.kind:
        facts.append(state.network.words)
    if spec.request.no_ledger:
        facts.append("exchanges not recorded")
    if spec.why_cold:
        facts.append(f"plain processes, because {spec.why_cold}")
    return tuple(map(harmless, facts))


def _members(request: LaunchRequest) -> str:
    several = request.workers != 1
    if request.is_horovod:
        return f"{request.workers} rank{'s' * several} of Horovod"
    if request.is_jax:
        return f"{request.workers} process{'es' * several} of JAX"
    return request.size.words


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


def _folds(spec: RunSpec, state: RunState) -> tuple[Fold, ...]:
    """The logs of an ended run; during a run, redrawing would fold them again."""
    outcome = state.outcome
    if outcome is None or spec.program.kind == "kernel":
        return ()
    tasks = list(state.tasks.values())
    if len(tasks) > _FOLDS:
        tasks = [task for task in tasks if task.status is Status.FAILED][:_FOLDS]
    return tuple(
        Fold(
            task.id,
            task.status.value,
            tuple(
                line.text[:200]
                for line in _last_lines(spec, task.id, last=_LAST_LINES, within=_TAIL)
                if not line.folded
            ),
            open=task.id == outcome.culprit,
        )
        for task in tasks
    )


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
    said = _last_line(spec, task.id) if task.step is None and not seen.then else ""
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


def _last_line(spec: RunSpec, task: TaskId) -> str:
    for line in _last_lines(spec, task, last=1, raw=True):
        return "" if logs.is_noise(line.text) else line.text.strip()[:80]
    return ""


def _evidence(spec: RunSpec, culprit: TaskState, advice: str) -> tuple[str, ...]:
    """The traceback of the exception that ended the failed task, or else its last output.

    It omits the advice below the traceback, which a hint shows.
    """
    if (crash := stacks.read_crash(spec.log(culprit.id))) is not None and crash.own:
        return _crash(crash)
    begin, end = culprit.traceback
    where: dict[str, Any] = {"within": _EVIDENCE}
    if begin < end:  # else it printed no traceback, or printed it elsewhere
        where = {"within": min(end - begin - 1, _EVIDENCE), "ends": {culprit.id: end}}
    found = _last_lines(spec, culprit.id, last=_LAST_LINES, **where)
    kept = [line.text for line in found if not line.folded]
    shown = f"mwtutor: {TERMINAL.render(advice)}"
    texts = [text[:200] for text in kept if not advice or text != shown]
    marks = [i for i, text in enumerate(texts) if is_attempt_mark(text)]
    texts = texts[marks[-1] + 1 :] if marks else texts
    starts = [i for i, text in enumerate(texts) if text.startswith("Traceback (most recent call")]
    return tuple(texts[starts[-1] :] if starts else texts)


def _last_lines(spec: RunSpec, task: TaskId, **how: Any) -> list[logs.LogLine]:
    try:
        return logs.lines(spec, [task], **how)
    except NoRun:  # an unreadable log is no reason to hide the run
        return []


def _crash(crash: stacks.Crash) -> tuple[str, ...]:
    """The program's own calls, innermost last, and the resulting crash."""
    frames = (*crash.own[-_LAST_LINES // 2 :], *crash.stack.frames[-1:])
    shown = replace(crash.stack, frames=tuple(dict.fromkeys(frames)))
    return (f"Fatal Python error: {crash.what}", *str(shown).splitlines())


def _metric_names(tasks: Iterable[TaskState]) -> list[str]:
    names: dict[str, None] = {}
    for task in tasks:
        names.update(dict.fromkeys(task.metrics))
    return list(names)[:_METRICS]


def _of(value: int | None, total: int | None) -> str:
    if value is None:
        return ""
    return f"{value}/{total}" if total else str(value)
