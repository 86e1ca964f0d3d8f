"""A second engine, to test the engine interface: each task is a thread of this process.

There is no process, no pid, no socket and no supervisor. A program can call ``say``, which writes
to its log, and ``pause``, which waits until the run stops it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.exceptions import LaunchFailed, MwtutorError
from mwtutor.run.engine import MACHINES, SESSIONS, STACKS, USAGE, Engine
from mwtutor.run.record import events
from mwtutor.run.record.eventlog import EventWriter
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.run.request.options import LaunchRequest
from mwtutor.system.child import ProcessContext


class Told(Exception):
    """Raised in a task that was asked to end."""


class Threads:
    """One run: its threads, and the only writer of its log."""

    def __init__(self, run: RunSpec) -> None:
        self.run = run
        self.ended = threading.Event()
        self._end = {task: threading.Event() for task in self.cluster.tasks()}
        self._signals: dict[TaskId, int] = {}
        self._reason = ""
        self._silent = False
        self._writing = threading.Lock()
        self._log = EventWriter(run.events)

    @property
    def cluster(self) -> ClusterSpec:
        size = self.run.request.size
        return size.at([f"thread:{number + 1}" for number in range(size.tasks)])

    def start(self) -> None:
        self._append(events.RunStarted(self.cluster))
        threads = [threading.Thread(target=self._task, args=(task,)) for task in self._end]
        for thread in threads:
            thread.start()
        threading.Thread(target=self._await, args=(threads,)).start()

    def signal(self, task: TaskId, number: int) -> None:
        self._signals[task] = number
        self._end[task].set()

    def stop(self, reason: str) -> None:
        self._reason = reason
        self._append(events.Ending(reason))
        for end in self._end.values():
            end.set()

    def die(self) -> None:
        """Act like a machine that is switched off: the threads end, and nothing is recorded."""
        with self._writing:
            self._silent = True
        self.stop("")
        self.ended.wait()

    def _task(self, task: TaskId) -> None:
        self.run.tf_config(task).write_text(self.cluster.tf_config(task))
        self._append(events.TaskStarted(task))
        with open(self.run.log(task), "a", buffering=1) as log:
            self._append(events.ProgramStarted(task))
            names: dict[str, Any] = {"pause": self._pause(task), "say": self._say(log)}
            try:
                exec(Path(self.run.program.target).read_text(), names)
                how = events.TaskEnded(task, "succeeded", 0)
            except Told:
                number = self._signals.get(task)
                how = events.TaskEnded(task, "stopped", 0)
                if number is not None:
                    how = events.TaskEnded(task, "failed", -number, f"got signal {number}")
        self._append(how)
        if how.status == "failed":
            self._reason = f"{task} {how.reason}"
            for end in self._end.values():
                end.set()

    def _pause(self, task: TaskId) -> Callable[[], None]:
        def pause() -> None:
            self._end[task].wait()
            raise Told

        return pause

    @staticmethod
    def _say(log: Any) -> Callable[[str], None]:
        return lambda text: log.write(f"{text}\n")

    def _await(self, threads: list[threading.Thread]) -> None:
        for thread in threads:
            thread.join()
        status = "failed" if self._signals else "stopped" if self._reason else "succeeded"
        culprit = next(iter(self._signals), None)
        self._append(events.RunEnded(status, self._reason, culprit))
        self._log.close()
        self.ended.set()

    def _append(self, event: events.Event) -> None:
        with self._writing:
            if self._silent:
                return
            self._log.append(replace(event, t=time.time()))


class ThreadEngine(Engine):
    """See :mod:`tests.support.clusters.thread_engine`; ``calls`` records method calls."""

    name = "thread"

    def __init__(self) -> None:
        self.here: dict[str, Threads] = {}
        self.remedies: dict[str, str] = {}
        self.cannot = {
            STACKS: "Look at the threads of this process in a debugger.",
            MACHINES: "Launch on this machine, or without --machines.",
            USAGE: "Measure this process.",
            SESSIONS: "Start the session on this machine, without an engine.",
        }
        self.calls: list[str] = []

    def check(self, request: LaunchRequest) -> None:
        if request.python:
            raise MwtutorError("A thread has no interpreter of its own.", "Leave out --python.")

    def launch(self, run: RunSpec, context: ProcessContext) -> RunSpec:
        if "nowhere" in run.name:
            raise LaunchFailed("There is no room for a thread.", "Launch again later.")
        threads = self.here[run.id] = Threads(run)
        threads.start()
        return run

    def poll(self, run: RunSpec, state: RunState) -> bool | None:
        return self.holds(run)

    def preview(self, run: RunSpec) -> str:
        return "threads"

    def why_lost(self, run: RunSpec, state: RunState) -> str:
        return "the machine with its threads was switched off"

    def holds(self, run: RunSpec) -> bool:
        threads = self.here.get(run.id)
        return threads is not None and not threads.ended.is_set()

    def wait(self, run: RunSpec, timeout: float) -> bool:
        threads = self.here.get(run.id)
        return threads is None or threads.ended.wait(timeout)

    def collect(self, run: RunSpec) -> None:
        self.calls.append("collect")

    def signal(self, run: RunSpec, task: TaskId, number: int) -> None:
        self.here[run.id].signal(task, number)

    def terminate(self, run: RunSpec, state: RunState, reason: str) -> bool:
        if run.id in self.here:
            self.here[run.id].stop(reason)
        return run.id in self.here

    def last_resort(self, run: RunSpec, state: RunState) -> str:
        return "End this process."

    def cleanup(self, run: RunSpec) -> None:
        self.calls.append("cleanup")

    def clear(self, run: RunSpec) -> list[str]:
        self.calls.append("clear")
        return []

    def close(self) -> None:
        for threads in self.here.values():
            if not threads.ended.is_set():
                threads.stop("its process ended")
                threads.ended.wait()
