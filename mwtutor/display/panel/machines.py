"""The machines of a run in words: their tasks, their traffic, and which are unplugged."""

from __future__ import annotations

from collections.abc import Sequence

from mwtutor.cluster import TaskId
from mwtutor.display.panel.report import NOW, Seen
from mwtutor.display.words import duration, elapsed, size
from mwtutor.run.observations import traffic
from mwtutor.run.observations.steps import StepTimes
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import MachineState, RunState, TaskState
from mwtutor.sanitize import harmless


def machine_words(spec: RunSpec, state: RunState) -> str:
    """The number of machines, and the requested links."""
    count = len(state.machines)
    link = f", {spec.request.link} each" if spec.request.link else ""
    return f"{count} machine{'s' * (count != 1)}{link}"


def machine_cells(
    spec: RunSpec, state: RunState, seen: Seen = NOW
) -> dict[TaskId, tuple[str, str, str]]:
    """The machine of each task; for a machine's first task, also the machine's traffic."""
    passed = _passed(spec, seen) if state.machines else None
    found = {}
    for number, machine in enumerate(state.machines):
        counted = ("", "")
        if passed is not None and number < len(passed.bytes):
            sent, received = passed.bytes_of(number)
            counted = (size(sent), size(received))
        for task in machine.tasks:
            found[task] = (_place(spec, state, machine, seen), *counted)
            counted = ("", "")
    return found


def _passed(spec: RunSpec, seen: Seen) -> traffic.Sample | None:
    """The traffic over the machines' cables up to a given time."""
    if not seen.then:
        return traffic.last_sample(spec.path)
    before = (sample for sample in traffic.read(spec.path) if sample.at <= seen.then)
    return max(before, key=lambda sample: sample.at, default=None)


def _place(spec: RunSpec, state: RunState, machine: MachineState, seen: Seen) -> str:
    words = machine.name
    if machine.link != spec.request.link:
        words += f" {machine.link}"
    if machine.unplugged:
        until = state.ended or seen.now(spec)
        words += f", unplugged for {elapsed(until - machine.unplugged)}"
    return words


def sent_in_a_step(state: RunState, steps: StepTimes, samples: Sequence[traffic.Sample]) -> str:
    """The bytes that each machine sent per step, on average; empty if unknown."""
    found = []
    for number, machine in enumerate(state.machines):
        noted = next((steps.of[task] for task in machine.tasks if task in steps.of), ())
        if len(noted) < 2:
            continue
        begin, end = noted[0], noted[-1]
        passed = traffic.bytes_sent(samples, number, begin.begin, end.begin)
        if passed is not None:
            found.append(f"{machine.name} {size(passed / (end.number - begin.number))}")
    return f"Sent per step, on average: {', '.join(found)}." if found else ""


def cut_off(state: RunState) -> str:
    """The unplugged tasks, and a remedy; for a failed run, also the time before the failure."""
    cut = [machine for machine in state.machines if machine.unplugged and machine.tasks]
    if not cut:
        return ""
    names = ", ".join(machine.name for machine in cut[:3]) + " …" * (len(cut) > 3)
    now, then = ("are", "were") if len(cut) > 1 else ("is", "was")
    since = min(machine.unplugged for machine in cut)
    if (first := _first_to_raise(state, since)) is not None:
        waited, error = duration(first.raised - since), harmless(first.error.get("error", ""))
        noticed = f"{first.id} raised {error} {waited} later, before any other task."
        return f"{names} {then} unplugged; {noticed}"
    if state.outcome is not None:
        return ""
    tasks = [str(task) for machine in cut for task in machine.tasks]
    back = f"Plug in again: @mw_plug {tasks[0]}"
    return f"{names} {now} unplugged: nothing reaches {', '.join(tasks[:4])}. {back}"


def _first_to_raise(state: RunState, since: float) -> TaskState | None:
    raised = [task for task in state.tasks.values() if task.raised > since]
    return min(raised, key=lambda task: task.raised, default=None)
