"""The commands that a supervisor gets from its kernel or another terminal during a run."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadCluster
from mwtutor.run.record.events import Event, Killed
from mwtutor.supervisor import wires
from mwtutor.supervisor.world import Task
from mwtutor.system import processes
from mwtutor.worker import stacks

#: Handles a command about the cable of a task's machine. The arguments are the command's name, the
#: task, and the whole command.
Rewire = Callable[[str, TaskId, Mapping[str, Any]], dict[str, Any]]


class Orders:
    """Handles commands about the tasks of one run.

    Args:
        tasks: the current ones, by name; restarts replace them.
        stop: ends the run, given the reason.
        record: writes an event.
        rewire: handles commands about a task's cable.
    """

    def __init__(
        self,
        tasks: Mapping[TaskId, Task],
        stop: Callable[[str], None],
        record: Callable[[Event], None],
        rewire: Rewire,
    ) -> None:
        self._rewire = rewire
        self._tasks = tasks
        self._stop = stop
        self._record = record

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        """Obey a command; the answer has ``error`` if that is impossible."""
        verb = order.get("verb")
        if verb == "stop":
            self._stop(str(order.get("reason") or "it was stopped"))
            return {"ok": True}
        if verb not in ("kill", "stacks", *wires.VERBS):
            return {"error": "no such command"}
        try:
            task = self._tasks[TaskId.parse(str(order.get("task")))]
        except (KeyError, ValueError, BadCluster):
            return {"error": "no such task"}
        if verb in ("plug", "link"):  # even if the task is about to be restarted
            return self._rewire(verb, task.id, order)
        if task.ended:
            return {"error": f"{task.id} has ended"}
        if verb == "unplug":
            return self._rewire(verb, task.id, order)
        return self._kill(task, order) if verb == "kill" else self._stacks(task, order)

    def _kill(self, task: Task, order: dict[str, Any]) -> dict[str, Any]:
        try:
            number = int(order.get("signal", signal.SIGKILL))
        except ValueError:
            return {"error": "no such signal"}
        self._record(Killed(task.id, number))
        task.send_signal(number)
        return {"ok": True}

    def _stacks(self, task: Task, order: dict[str, Any]) -> dict[str, Any]:
        if "seconds" in order:
            return {"token": task.ask_for_samples(float(order["seconds"]))}
        if not order.get("native"):
            return {"token": task.ask_for_stacks()}
        if why := processes.why_no_handler(task.pid, stacks.SIGNAL):
            return {"error": f"{task.id} {why}"}
        # The program may have closed that file and opened another with the same number.
        if not processes.has_open(task.pid, stacks.native_path(task.log)):
            return {"error": f"{task.id} has closed the file for its stacks"}
        os.kill(task.pid, stacks.SIGNAL)
        return {"ok": True}
