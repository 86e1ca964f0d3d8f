"""The last lines of tasks' logs, in a run's report: evidence of a failure, and logs to unfold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.display.panel.report import Fold
from mwtutor.exceptions import NoRun
from mwtutor.interface import TERMINAL
from mwtutor.run.logs import logs
from mwtutor.run.logs.logs import is_attempt_mark
from mwtutor.run.logs.noise import is_noise
from mwtutor.run.observations import stacks
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState, TaskState
from mwtutor.run.record.task_status import Status

#: Lines of the failed task's log to show below a failure.
_LAST_LINES = 14

#: Maximum number of logs to unfold; for a larger cluster, only those of failed tasks.
_FOLDS = 8

#: Bytes at the end of a log to read for unfolding.
_TAIL = 1 << 16

#: Bytes at the end of the failed task's log to search; it may be full of noise.
_EVIDENCE = 1 << 20


def folds(spec: RunSpec, state: RunState) -> tuple[Fold, ...]:
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


def last_line(spec: RunSpec, task: TaskId) -> str:
    for line in _last_lines(spec, task, last=1, raw=True):
        return "" if is_noise(line.text) else line.text.strip()[:80]
    return ""


def evidence(spec: RunSpec, state: RunState) -> tuple[str, ...]:
    """The traceback of the exception that ended the failed task, or else its last output.

    It omits the advice below the traceback, which a hint shows. Empty if the run has not failed, or
    not because of a task.
    """
    outcome = state.outcome
    if outcome is None or outcome.culprit is None:
        return ()
    if outcome.status not in ("failed", "timed out", "lost"):
        return ()
    culprit = state.tasks.get(outcome.culprit, TaskState(outcome.culprit))
    if (crash := stacks.read_crash(spec.log(culprit.id))) is not None and crash.own:
        return _crash(crash)
    begin, end = culprit.traceback
    where: dict[str, Any] = {"within": _EVIDENCE}
    if begin < end:  # else it printed no traceback, or printed it elsewhere
        where = {"within": min(end - begin - 1, _EVIDENCE), "ends": {culprit.id: end}}
    found = _last_lines(spec, culprit.id, last=_LAST_LINES, **where)
    kept = [line.text for line in found if not line.folded]
    shown = f"mwtutor: {TERMINAL.render(state.advice)}"
    texts = [text[:200] for text in kept if not state.advice or text != shown]
    marks = [i for i, text in enumerate(texts) if is_attempt_mark(text)]
    texts = texts[marks[-1] + 1 :] if marks else texts
    starts = [i for i, text in enumerate(texts) if text.startswith("Traceback (most recent call")]
    return tuple(texts[starts[-1] :] if starts else texts)


def _last_lines(spec: RunSpec, task: TaskId, **how: Any) -> list[logs.LogLine]:
    try:
        return logs.lines(spec, [task], **how)
    except NoRun:  # the rest of the run is shown
        return []


def _crash(crash: stacks.Crash) -> tuple[str, ...]:
    """The program's own calls, innermost last, and the resulting crash."""
    frames = (*crash.own[-_LAST_LINES // 2 :], *crash.stack.frames[-1:])
    shown = replace(crash.stack, frames=tuple(dict.fromkeys(frames)))
    return (f"Fatal Python error: {crash.what}", *str(shown).splitlines())
