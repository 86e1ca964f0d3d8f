"""Rules for a session whose cells run on a chief that workers and parameter servers serve."""

from __future__ import annotations

from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadInput
from mwtutor.run.record.state import RunState, TaskState
from mwtutor.sessions.link import WorkerLink

#: The values that are lost with a task that has the only copy.
_GONE = {
    "ps": ", and with it the variables that it kept",
    "chief": ", and with it everything that its cells had defined",
}


#: Seconds within which the supervisor decides whether to restart an ended worker.
_DECIDING = 1.0


def ended_tasks(state: RunState) -> list[TaskState]:
    """The ended tasks that end the session; a chief continues without its workers."""
    tasks = state.tasks.values()
    return [task for task in tasks if task.status.ended and task.id not in state.driven]


def what_was_lost(state: RunState) -> str:
    """What was lost with the task that ended the session: text to append to the reason."""
    culprit = state.outcome.culprit if state.outcome is not None and state.driven else None
    return _GONE.get(culprit.type, "") if culprit is not None else ""


def why_stranded(state: RunState, now: float) -> str:
    """Why a chief has no worker left and will get none; empty if it has one or may get one."""
    why = state.stranded
    if not why or now - max(state.tasks[name].ended for name in state.driven) < _DECIDING:
        return ""
    return f"{why[0].upper()}{why[1:]}."


def check_executes_cells(task: TaskId, state: RunState) -> None:
    """Raise :class:`BadInput` for a task that serves the chief."""
    if not state.driven or task not in list(state.tasks) or task.type == "chief":
        return
    does = "keeps variables" if task.type == "ps" else "computes what the chief schedules"
    raise BadInput(
        f"{task} executes no cells: it serves the chief, and {does}.",
        "Leave out --task; in a cell of the chief, coordinator.schedule(function) runs a"
        " function on a worker, and variables created in %%mw_scope are kept by parameter servers.",
    )


def scheduled_count(chief: WorkerLink) -> int:
    """How many of the closures that cells scheduled are not computed yet, as far as known."""
    told = chief.ask("mwtutor_where") or {}
    return int(told.get("scheduled", 0))


def waits(chief: WorkerLink) -> bool:
    """Whether the chief's cell was seen waiting for closures that are not yet computed."""
    told = chief.ask("mwtutor_where") or {}
    return bool(told.get("scheduled") and told.get("coordinating"))
