"""How a process reaches a local run that it did not launch, or to which it lost the connection."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
from pathlib import Path
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.run import control
from mwtutor.run.engine import Usage
from mwtutor.run.observations import stacks
from mwtutor.run.observations.stacks import ThreadStack
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.system import files, processes
from mwtutor.system.pidspace import PidSpace


def send_signal(run: RunSpec, task: TaskId, number: int) -> None:
    """Have the supervisor send a signal to one task.

    Raises:
        BadInput: the task cannot be killed.
        NoRun: no supervisor accepts the command.
    """
    answer = control.order(run, verb="kill", task=str(task), signal=number)
    if "error" in answer:
        raise BadInput(f"{task} cannot be killed: {answer['error']}.", "Look at @mw_status.")


def rewire(run: RunSpec, verb: str, task: TaskId, link: str) -> str:
    """Have the supervisor change the cable of the task's machine; return the machine's name.

    Raises:
        BadInput: this is not possible.
        NoRun: no supervisor accepts the command.
    """
    answer = control.order(run, verb=verb, task=str(task), link=link)
    if "error" in answer:
        raise BadInput(f"{answer['error']}.", answer.get("remedy", "Look at @mw_status."))
    return str(answer["machine"])


def ask_stacks(run: RunSpec, task: TaskId, *, native: bool = True) -> tuple[ThreadStack, ...]:
    """The stacks of a task, without interrupting it; empty if the task does not report them.

    Args:
        native: whether the task is a process on this machine; if it does not answer, it then gets a
            signal.

    Raises:
        BadInput: the task cannot be asked.
        NoRun: no supervisor accepts the command.
    """
    log = run.log(task)
    asked = _ask(run, task)
    found = stacks.await_answer(log, str(asked["token"]), stacks.PATIENCE)
    if found is None and native:  # native code holds the GIL
        since = stacks.native_size(log)
        _ask(run, task, native=True)
        found = stacks.await_native(log, since, stacks.PATIENCE)
    return found or ()


def ask_samples(run: RunSpec, task: TaskId, seconds: float) -> str:
    """Have a task sample its stacks for some seconds; return the token of the answer.

    Raises:
        BadInput: the task cannot be asked.
        NoRun: no supervisor accepts the command.
    """
    return str(_ask(run, task, seconds=seconds)["token"])


def _ask(run: RunSpec, task: TaskId, **how: float) -> dict[str, Any]:
    answer = control.order(run, verb="stacks", task=str(task), **how)
    if "error" in answer:
        raise BadInput(f"{answer['error']}.", "Look at @mw_status.")
    return answer


def stop(run: RunSpec, state: RunState, reason: str, supervisor: int) -> bool:
    """Ask the supervisor to stop, over its socket or with a signal; return whether it was reached.

    Args:
        supervisor: its pid; 0 if unknown.
    """
    with contextlib.suppress(NoRun):
        control.order(run, verb="stop", reason=reason)
        return True
    if not state.started:  # its socket may not exist yet
        return False
    with contextlib.suppress(ProcessLookupError):
        if supervisor:
            os.kill(supervisor, signal.SIGTERM)
    return bool(supervisor)


def usage(run: RunSpec, state: RunState) -> dict[TaskId, Usage]:
    """The resources of the live tasks' processes, if they are on this machine."""
    if not run.space.shares_pids(PidSpace.here()):
        return {}
    live = [task for task in state.tasks.values() if task.pid and not task.status.ended]
    found = {task.id: processes.usage(task.pid, task.born) for task in live}
    own = state.network.kind == "private"
    network = next((processes.network_bytes(task.pid) for task in live), None) if own else None
    return {task: Usage(*taken, network) for task, taken in found.items() if taken is not None}


def elsewhere(run: RunSpec) -> str:
    """Where the run is, if the pids in its files are not valid here; otherwise empty."""
    here = PidSpace.here()
    if run.space.shares_pids(here):
        return ""
    host = run.space.host
    where = f"on {host}" if host and host != here.host else "elsewhere"
    return f"it was launched {where}, in another container or on another machine"


def clear(run: RunSpec) -> list[str]:
    """Stop the processes of a run without a supervisor; return those that could not be stopped.

    The log is not trusted: a process is stopped only if it is shown to belong to the run; see
    :func:`mwtutor.system.processes.kill_run`.
    """
    left = processes.kill_run(run.id, _logs(run.logs))
    for path in control.paths(run):
        with contextlib.suppress(OSError):
            path.unlink()
    return left


def _logs(directory: Path) -> set[processes.Inode]:
    """The inodes of the logs, which identify open logs under any name."""
    found: set[processes.Inode] = set()
    with contextlib.suppress(OSError):
        for name in files.names_in(directory):
            seen = files.status(directory / name)
            if name.endswith(".log") and stat.S_ISREG(seen.st_mode):
                found.add((seen.st_dev, seen.st_ino))
    return found
