"""What each task of a run did, and when, as lanes of spans, from its event log and records.

These functions are pure. A task's activity follows from the state machine that all readers of the
log use (:mod:`mwtutor.run.record.state`), read after every event. Its program's activity follows
from the task's own records (:mod:`mwtutor.run.observations.moments`).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from types import MappingProxyType

from mwtutor.cluster import TaskId
from mwtutor.run.observations.moments import Noted, Part
from mwtutor.run.observations.steps import StepTimes, divide
from mwtutor.run.record import events
from mwtutor.run.record.events import Record
from mwtutor.run.record.state import RunState, TaskState, fold
from mwtutor.run.record.task_status import SILENT, Status

#: The activities of a task that can be observed, in the usual order.
KINDS = (
    "starting",  # its process is being started
    "joining",  # its program is running, but has not joined the cluster
    "waiting",  # it has joined, but others have not
    "running",  # its program is running, but has not reported what it does
    "training",  # an epoch, or the steps of a loop without epochs
    "evaluating",
    "predicting",
    "saving",
    "cell",
    "idle",  # a session's task, waiting for a cell
    "serving",
    "computing",  # serving, and computing closures of the chief
)

#: Seconds by which the clock of a log's writer may be ahead.
_AHEAD = 60.0


@dataclass(frozen=True)
class Span:
    """An activity of a task, from one time to another.

    Attributes:
        kind: one of :data:`KINDS`.
        begin, end: its times (seconds since the epoch).
        number: the epoch or cell, or the number of closures; 0 if unknown.
        awaited: the tasks that it was waiting for at the end.
    """

    kind: str
    begin: float
    end: float
    number: int = 0
    awaited: tuple[TaskId, ...] = ()

    @property
    def seconds(self) -> float:
        return self.end - self.begin


@dataclass(frozen=True)
class Mark:
    """Something that happened to a task at one moment: it ended, or its machine's cable changed.

    Attributes:
        at: the time (seconds since the epoch).
        kind: its status from then on: ``succeeded``, ``failed``, ``stopped`` or ``lost``; or
            ``unplugged`` or ``plugged in``; ``retried`` for a chief's closures; ``halted`` or
            ``resumed``.
        words: the reason, in a clause; may be empty.
    """

    at: float
    kind: str
    words: str = ""


@dataclass(frozen=True)
class Lane:
    """One task.

    Attributes:
        spans: its activities, in chronological order; they do not overlap. Between two of them it
            did not exist, because it had ended and was not yet restarted.
        marks: how it ended each time, and when it was unplugged and plugged in.
        silences: when it was running but neither reported nor printed anything for a long time.
    """

    task: TaskId
    spans: tuple[Span, ...] = ()
    marks: tuple[Mark, ...] = ()
    silences: tuple[tuple[float, float], ...] = ()

    def seconds(self, kind: str) -> float:
        """How long the task spent on activities of this kind, in total."""
        return sum(span.seconds for span in self.spans if span.kind == kind)


@dataclass(frozen=True)
class Timeline:
    """A run over time.

    Attributes:
        begin, end: when it began and ended, or the time at which it was read (seconds since the
            epoch).
        lanes: its tasks, in the cluster's order.
        attempts: the times at which the cluster was restarted.
        goes_on: whether it is still running.
        steps: where the time of each step went, since the cluster last started; None if no task
            recorded any.
    """

    begin: float
    end: float
    lanes: tuple[Lane, ...]
    attempts: tuple[float, ...] = ()
    goes_on: bool = False
    steps: StepTimes | None = None


def trace(
    records: Sequence[Record],
    now: float,
    noted: Mapping[TaskId, Sequence[Noted]] = MappingProxyType({}),
    written: Mapping[TaskId, Sequence[float]] = MappingProxyType({}),
) -> Timeline:
    """The run over time, as far as known.

    Args:
        records: its log.
        now: the current time (seconds since the epoch); the timeline of an active run ends there.
        noted: the tasks' own records.
        written: when the tasks wrote to their logs (seconds since the epoch).

    Returns:
        A timeline; without lanes if the log does not list the tasks.
    """
    dates = (_time(event, 0.0, now) for event in records)
    tracer = _Tracer(next(filter(None, dates), now), now)
    for event in records:
        tracer.take(event)
    found = tracer.timeline()
    lanes = []
    for lane in found.lanes:
        own = noted.get(lane.task, ())
        heard = [*tracer.heard.get(str(lane.task), ()), *written.get(lane.task, ()), *_times(own)]
        spans = tuple(_joined(_refined(lane.spans, own)))
        lanes.append(replace(lane, spans=spans, silences=tuple(_silences(spans, heard))))
    return replace(found, lanes=tuple(lanes), steps=step_times(tracer.state, noted))


def step_times(state: RunState, noted: Mapping[TaskId, Sequence[Noted]]) -> StepTimes | None:
    """Where the time of the latest attempt's steps went; None if no steps were recorded."""
    latest = {task: notes[-1] for task, notes in noted.items() if notes and notes[-1].steps}
    if not latest:
        return None
    coupled = sum(bool(task.communication.get("operations")) for task in state.tasks.values()) > 1
    taken = max(one.taken for one in latest.values())
    return divide({task: one.steps for task, one in latest.items()}, taken, coupled=coupled)


# -- what tasks recorded ----------------------------------------------------------------------


def _refined(spans: Sequence[Span], noted: Sequence[Noted]) -> Iterator[Span]:
    """The spans of the log, with those of a running program replaced by its own records."""
    parts = sorted(_cuts(noted), key=lambda part: part.begin)
    fullest = min((one.full for one in noted if one.full), default=math.inf)
    for span in spans:
        if span.kind not in ("running", "training", "idle") or not parts:
            yield span
            continue
        kind = "idle" if span.kind == "idle" else "running"
        known = replace(span, end=min(span.end, fullest), kind=kind, number=0)
        yield from _cut(known, parts)
        if span.end > fullest:
            yield replace(span, begin=max(span.begin, fullest))


def _joined(spans: Iterable[Span]) -> list[Span]:
    """The spans, with equal neighbors merged into one."""
    found: list[Span] = []
    for span in spans:
        if found and _same(found[-1], span) and span.begin <= found[-1].end:
            found[-1] = replace(found[-1], end=span.end)
        else:
            found.append(span)
    return found


def _cut(span: Span, parts: Iterable[Span]) -> Iterator[Span]:
    at = span.begin
    for part in parts:
        begin, end = max(part.begin, at), min(part.end, span.end)
        if end <= begin:
            continue
        if begin > at:
            yield replace(span, begin=at, end=begin)
        yield replace(part, begin=begin, end=end)
        at = end
    if span.end > at:
        yield replace(span, begin=at)


def _cuts(noted: Sequence[Noted]) -> Iterator[Span]:
    """Parts as spans that do not overlap: a part inside another interrupts it."""
    for one, following in zip_longest(noted, noted[1:]):
        until = following.began if following else math.inf
        yield from _flat(_with_loop(one), until)


def _with_loop(noted: Noted) -> list[Part]:
    """The parts; a custom loop has no epochs, so it trains from its first step to its last."""
    parts = list(noted.parts)
    if noted.steps and not any(part.kind == "training" for part in parts):
        parts.append(Part("training", noted.steps[0].begin, noted.steps[-1].end))
    return parts


def _flat(parts: Sequence[Part], until: float) -> Iterator[Span]:
    inside: list[Part] = []  # the innermost comes last
    at = 0.0

    def upto(moment: float) -> Iterator[Span]:
        nonlocal at
        while inside:
            end = min(_end(inside[-1], until), moment)
            if end > at:
                yield Span(inside[-1].kind, at, end, inside[-1].number)
                at = end
            if _end(inside[-1], until) > moment:
                return
            inside.pop()

    # Of parts that begin together, the longest is the outermost.
    for part in sorted(parts, key=lambda part: (part.begin, -_end(part, until))):
        yield from upto(part.begin)
        at = max(at, part.begin)
        inside.append(part)
    yield from upto(until)


def _end(part: Part, until: float) -> float:
    return min(part.end or until, until)


def _times(noted: Sequence[Noted]) -> Iterator[float]:
    for one in noted:
        yield from (step.end for step in one.steps)
        yield from (moment for part in one.parts for moment in (part.begin, part.end))


def _silences(spans: Sequence[Span], heard: Sequence[float]) -> Iterator[tuple[float, float]]:
    """The intervals in which a program that should have reported something did not."""
    moments = sorted(heard)
    for begin, end in _heard_of(spans):
        inner = moments[bisect_left(moments, begin) : bisect_right(moments, end)]
        for before, after in pairwise([begin, *inner, end]):
            if after - before >= SILENT:
                yield before, after


def _heard_of(spans: Sequence[Span]) -> Iterator[tuple[float, float]]:
    """The intervals in which the program was running and should have reported something."""
    begin = end = 0.0
    for span in spans:
        if span.kind in ("starting", "serving", "computing", "idle"):
            continue
        if span.begin > end:
            if end:
                yield begin, end
            begin = span.begin
        end = span.end
    if end:
        yield begin, end


# -- the log ----------------------------------------------------------------------------------


#: How the events of cables are marked.
_CABLES = {events.Unplugged.kind: "unplugged", events.Plugged.kind: "plugged in"}

#: The effects of signals on a task.
_HALTS = {events.TaskHalted.kind: "halted", events.TaskContinued.kind: "resumed"}


class _Tracer:
    """Follows the state of a run event by event, and records when a task's activity changes."""

    def __init__(self, begin: float, now: float) -> None:
        self.state = RunState()
        self._begin = self._at = begin
        self._now = now
        self._epochs: dict[str, int] = {}  # by the name of a task that trains
        self._done: dict[TaskId, list[Span]] = {}
        self._open: dict[TaskId, Span] = {}
        self._marks: dict[TaskId, list[Mark]] = {}
        self._computed: dict[TaskId, int] = {}  # closures already counted in a span
        self._retried = 0
        self.heard: dict[str, list[float]] = {}  # when a task reported, by name

    def take(self, event: Record) -> None:
        self._at = _time(event, self._at, self._now)
        if isinstance(task := event.get("task"), str):
            self.heard.setdefault(task, []).append(self._at)
        if event["event"] == events.Progress.kind and self._is_known(event):
            return
        self.state = fold(self.state, [{**event, "t": self._at}])
        for task in self.state.tasks.values():
            self._note(task)
        self._note_retries()
        halts = _HALTS.get(event["event"])
        for task in self.state.tasks if halts else ():
            if str(task) == event.get("task"):
                self._marks.setdefault(task, []).append(Mark(self._at, halts or ""))
        if words := _CABLES.get(event["event"]):
            self._note_cable(event.get("machine"), words)

    def _note_cable(self, name: object, words: str) -> None:
        for machine in self.state.machines:
            for task in machine.tasks if machine.name == name else ():
                self._marks.setdefault(task, []).append(Mark(self._at, words, machine.name))

    def _note_retries(self) -> None:
        chief = next((task for task in self.state.tasks.values() if task.closures), None)
        if chief is None or chief.closures is None:
            return
        if (more := chief.closures.retried - self._retried) > 0:
            words = f"{more} closure{'s' * (more > 1)} of a lost or unreachable worker"
            self._marks.setdefault(chief.id, []).append(Mark(self._at, "retried", words))
        self._retried = chief.closures.retried

    def _closed(self, task: TaskId, span: Span) -> Span:
        """The span with the number of closures computed in it."""
        closures = self.state.closures
        if span.kind != "computing" or closures is None:
            return span
        done = closures.done.get(task, 0)
        more = done - self._computed.get(task, 0)
        self._computed[task] = done
        return replace(span, number=max(more, 0))

    def _is_known(self, event: Record) -> bool:
        """Whether the event is a step of an epoch that has already begun; nearly all events are."""
        task = event.get("task")
        return isinstance(task, str) and self._epochs.get(task) == (event.get("epoch") or 0)

    def _note(self, task: TaskState) -> None:
        before = self._open.get(task.id)
        now = _doing(self.state, task, self._at)
        if before is not None and now is not None and _same(before, now):
            # The task waits for fewer and fewer others; the last ones are remembered.
            self._open[task.id] = replace(before, awaited=now.awaited or before.awaited)
            return
        if before is not None:
            over = self._closed(task.id, replace(before, end=self._at))
            self._done.setdefault(task.id, []).append(over)
            del self._open[task.id]
            if task.status.ended:
                mark = Mark(self._at, task.status.value, task.reason)
                self._marks.setdefault(task.id, []).append(mark)
        self._epochs.pop(str(task.id), None)
        if now is not None:
            self._open[task.id] = now
            if now.kind == "training":
                self._epochs[str(task.id)] = now.number

    def timeline(self) -> Timeline:
        state = self.state
        goes_on = state.outcome is None
        end = max(self._now, self._at) if goes_on else self._at
        lanes = []
        for task in state.tasks:
            spans = self._done.get(task, [])
            if (going := self._open.get(task)) is not None:
                spans = [*spans, self._closed(task, replace(going, end=end))]
            marks = tuple(self._marks.get(task, ()))
            lanes.append(Lane(task, tuple(s for s in spans if s.seconds > 0), marks))
        again = tuple(attempt.started for attempt in state.attempts[1:])
        return Timeline(self._begin, end, tuple(lanes), again, goes_on)


def _same(one: Span, other: Span) -> bool:
    return (one.kind, one.number) == (other.kind, other.number)


def _doing(state: RunState, task: TaskState, at: float) -> Span | None:
    """The activity that a task begins now; None if it is not running."""
    if task.status.ended or not task.started:
        return None
    closures = state.closures
    if task.status is Status.SERVING and closures is not None and task.id in closures.computing:
        return Span("computing", at, at)
    if task.status in (Status.STARTING, Status.SERVING):
        return Span(task.status.value, at, at)
    if task.status is Status.WAITING:
        awaited = tuple(other for other in state.waiting_for() if other != task.id)
        return Span("waiting", at, at, awaited=awaited)
    if task.cells is not None and not task.cells.executing:
        return Span("idle", at, at)
    if task.step is not None or task.epoch is not None:
        return Span("training", at, at, task.epoch or 0)
    if _is_to_join(state, task):
        return Span("joining", at, at)
    return Span("running", at, at)


def _is_to_join(state: RunState, task: TaskState) -> bool:
    if state.cluster is None or state.formed:
        return False
    peers = list(state.cluster.peers())
    return len(peers) > 1 and task.id in peers


def _time(event: Record, before: float, now: float) -> float:
    """When an event happened, or when the previous one did if its own time is impossible."""
    try:
        at = float(event.get("t"))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return before
    return at if before < at <= now + _AHEAD else before
