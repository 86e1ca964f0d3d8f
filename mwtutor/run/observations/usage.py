"""The machine's resources that a run's tasks use, measured repeatedly."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mwtutor.cluster import TaskId
from mwtutor.run.engine import Usage
from mwtutor.run.observations import traffic
from mwtutor.run.record.state import RunState
from mwtutor.run.run import Run

#: Seconds between two samples, and before the first: usage is measured in between.
INTERVAL, FIRST = 2.0, 0.5

#: Seconds within which the end of the run is noticed.
_NOTICED = 0.2


@dataclass(frozen=True)
class Load:
    """The resources that one task uses.

    Attributes:
        status: its activity, in a word.
        cpu: the average number of processors that worked for it since the last sample; None if
            unknown.
        memory: resident bytes, shared pages included; None if unknown.
        threads: the number of its threads; 0 if unknown.
        rate: its steps per second; None if unknown now.
        machine: its simulated machine, if it has one.
        wire: bytes per second that this machine sent, and received; None for all of its tasks but
            the first, and if unknown.
    """

    task: TaskId
    status: str
    cpu: float | None = None
    memory: int | None = None
    threads: int = 0
    rate: float | None = None
    machine: str = ""
    wire: tuple[float, float] | None = None


@dataclass(frozen=True)
class Loads:
    """A sample of all tasks.

    Attributes:
        network: bytes per second in the run's own network; None if it has none.
    """

    tasks: tuple[Load, ...]
    network: float | None = None

    def load_of(self, task: TaskId) -> Load:
        return next(load for load in self.tasks if load.task == task)


def watch(run: Run, interval: float = INTERVAL) -> Iterator[Loads]:
    """The load of the tasks, every ``interval`` seconds; the last item says only how each ended."""
    course = run.course
    state = run.state
    before, at = run.usage(), time.monotonic()
    sent = traffic.last_sample(run.directory)
    pause = min(FIRST, interval)
    while True:
        until = time.monotonic() + pause
        while state.outcome is None and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _NOTICED))
            state = run.state
        if state.outcome is not None:
            yield loads_between(state, {}, {}, interval, {})
            return
        now, later = run.usage(), time.monotonic()
        rates = {task: course.pace(task, run.spec.now()).rate for task in now}
        loads = loads_between(state, before, now, later - at, rates)
        passed = traffic.last_sample(run.directory)
        yield _with_machines(loads, state, sent, passed)
        before, at, pause, sent = now, later, interval, passed


def loads_between(
    state: RunState,
    before: Mapping[TaskId, Usage],
    now: Mapping[TaskId, Usage],
    seconds: float,
    steps: Mapping[TaskId, float | None],
) -> Loads:
    """The load of each task between two measurements, ``seconds`` apart.

    Args:
        steps: each task's steps per second, if known.
    """
    tasks = []
    for task in state.tasks.values():
        load = Load(task.id, str(task.status.value))
        if (usage := now.get(task.id)) is not None:
            share = _rate(before, now, task.id, "cpu", seconds)
            load = Load(
                task.id, load.status, share, usage.memory, usage.threads, steps.get(task.id)
            )
        tasks.append(load)
    rates = (_rate(before, now, task, "network", seconds) for task in now)
    return Loads(tuple(tasks), next((rate for rate in rates if rate is not None), None))


def _with_machines(
    loads: Loads, state: RunState, before: traffic.Sample | None, now: traffic.Sample | None
) -> Loads:
    """The loads with the simulated machines of the tasks, if there are any."""
    if not state.machines:
        return loads
    seconds = now.at - before.at if now is not None and before is not None else 0.0
    found = {}
    for number, machine in enumerate(state.machines):
        for task in machine.tasks:
            found[task] = replace(loads.load_of(task), machine=machine.name)
        if now is not None and before is not None:
            passed = [
                b - a for a, b in zip(before.bytes_of(number), now.bytes_of(number), strict=True)
            ]
            wire = (passed[0] / seconds, passed[1] / seconds) if seconds > 0 else (0.0, 0.0)
            first = machine.tasks[0]
            found[first] = replace(found[first], wire=wire)
    return Loads(tuple(found.get(load.task, load) for load in loads.tasks))


def _rate(
    before: Mapping[TaskId, Usage],
    now: Mapping[TaskId, Usage],
    task: TaskId,
    what: str,
    seconds: float,
) -> float | None:
    """The growth of a counter per second; None if counting began between the two measurements."""
    if task not in before or task not in now or seconds <= 0:
        return None
    earlier, later = getattr(before[task], what), getattr(now[task], what)
    if earlier is None or later is None or later < earlier:
        return None
    return float(later - earlier) / seconds
