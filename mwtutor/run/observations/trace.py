"""A run as one trace: Chrome's trace event format, which Perfetto opens.

A process of the trace is a task, and its threads are tracks: phases, steps, exchanges, and waiting
for others. All share one clock. In an exchange, arrows lead from the task that came last to the
others, which then continued. Log lines are instants.

Source: "Trace Event Format", https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.run.logs.logs import LogLine
from mwtutor.run.observations.exchanges import Exchanges, Meeting, first_end, meetings
from mwtutor.run.observations.ledgers import Exchange
from mwtutor.run.observations.moments import Noted
from mwtutor.run.observations.timeline import Timeline

Event = dict[str, Any]

#: The tracks of a task. Overlapping exchanges take additional tracks, numbered after these.
_PHASES, _STEPS, _WAITING, _EXCHANGES = range(4)
_TRACKS = {_PHASES: "phases", _STEPS: "steps", _WAITING: "waiting for others"}


def trace(
    name: str,
    timeline: Timeline,
    noted: Mapping[TaskId, Sequence[Noted]],
    exchanges: Exchanges,
    lines: Iterable[LogLine] = (),
) -> dict[str, Any]:
    """The trace, in types that JSON supports.

    Args:
        name: the run's name.
        timeline: its tasks, and the activities of each.
        noted: the steps that each task recorded.
        exchanges: the exchanges of each task.
        lines: lines of their logs.
    """
    tracer = _Tracer(timeline)
    events = [
        *tracer.processes(),
        *tracer.phases(),
        *tracer.steps(noted),
        *tracer.exchanges(exchanges),
        *tracer.instants(lines),
    ]
    return {
        "traceEvents": [event for event in events if event.get("ts", 0) >= 0],
        "displayTimeUnit": "ms",
        "otherData": {"run": name, "begin": timeline.begin},
    }


class _Tracer:
    """Creates the events; times are in microseconds since the run began."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._pids = {lane.task: number for number, lane in enumerate(timeline.lanes, 1)}

    def processes(self) -> Iterator[Event]:
        for task, pid in self._pids.items():
            yield _metadata("process_name", pid, 0, name=str(task))
            yield _metadata("process_sort_index", pid, 0, sort_index=pid)
            for tid, track in _TRACKS.items():
                yield _metadata("thread_name", pid, tid, name=track)

    def phases(self) -> Iterator[Event]:
        for lane in self._timeline.lanes:
            for span in lane.spans:
                args: Event = {"number": span.number} if span.number else {}
                if span.awaited:
                    args["for"] = ", ".join(map(str, span.awaited))
                yield self._slice(lane.task, _PHASES, span.kind, span.begin, span.end, args)
            for mark in lane.marks:
                yield self._instant(lane.task, mark.kind, mark.at, {"why": mark.words})

    def steps(self, noted: Mapping[TaskId, Sequence[Noted]]) -> Iterator[Event]:
        for task, starts in noted.items():
            until = 0.0
            for step in (step for one in starts for step in one.steps):
                begin = max(step.begin, until)  # a duration has only seven digits
                between = step.since - step.exchanging
                if between > 0 and not step.first:
                    earlier = max(begin - between, until)
                    yield self._slice(task, _STEPS, "input", earlier, begin, {})
                until = max(step.end, begin)
                args = {"step": step.number, "processor_ms": round(1e3 * step.cpu, 3)}
                yield self._slice(task, _STEPS, "step", begin, until, args)

    def exchanges(self, content: Exchanges) -> Iterator[Event]:
        free: dict[TaskId, list[float]] = {task: [] for task in self._pids}
        alone = (
            Meeting({task: one}, {task: one.begun})
            for task, ledger in content.ledgers.items()
            for one in ledger.exchanges
            if one.meets not in ledger.by_meeting
        )
        every = sorted([*meetings(content.ledgers), *alone], key=lambda met: first_end(met.parts))
        for number, met in enumerate(every, 1):
            tracks = {}
            for task, part in met.parts.items():
                end = part.ended or content.now
                tracks[task] = self._track(free[task], met.ready[task], end)
                yield self._exchange(task, tracks[task], met, part, end)
                if (waited := met.waited(task)) > 0:
                    args = {"for": str(met.last), "line": str(part.line)}
                    until = met.ready[task] + waited
                    yield self._slice(task, _WAITING, "waiting", met.ready[task], until, args)
            yield from self._arrows(number, met, tracks)
        for task, used in free.items():
            for track in range(len(used)):
                name = "exchanges" if not track else f"exchanges {track + 1}"
                yield _metadata("thread_name", self._pids[task], _EXCHANGES + track, name=name)

    @staticmethod
    def _track(free: list[float], begin: float, end: float) -> int:
        """The first free track at that time: slices of one track must not overlap."""
        for track, until in enumerate(free):
            if until <= begin:
                free[track] = end
                return _EXCHANGES + track
        free.append(end)
        return _EXCHANGES + len(free) - 1

    def _exchange(
        self, task: TaskId, track: int, met: Meeting, part: Exchange, end: float
    ) -> Event:
        args = {
            "number": part.number,
            "gives": part.what,
            "bytes": part.size,
            "line": str(part.line),
            "built": str(part.built),
            "state": "done" if part.done else "ended by an error" if part.broken else "not ended",
        }
        return self._slice(task, track, part.kind, met.ready[task], end, args)

    def _arrows(self, number: int, met: Meeting, tracks: Mapping[TaskId, int]) -> Iterator[Event]:
        if len(met.parts) < 2 or not all(part.done for part in met.parts.values()):
            return
        arrow = {"cat": "exchange", "name": "continues", "id": number}
        begin = {"ph": "s", "ts": self._at(met.ready[met.last])}
        yield {**arrow, **begin, "pid": self._pids[met.last], "tid": tracks[met.last]}
        for task, part in met.parts.items():
            if task != met.last:
                end = {"ph": "f", "bp": "e", "ts": self._at(part.ended)}
                yield {**arrow, **end, "pid": self._pids[task], "tid": tracks[task]}

    def instants(self, lines: Iterable[LogLine]) -> Iterator[Event]:
        for line in lines:
            if line.task in self._pids and line.text:
                yield self._instant(line.task, line.text[:200], line.time, {})

    # -- events -----------------------------------------------------------------------------

    def _at(self, seconds: float) -> float:
        return round(1e6 * (seconds - self._timeline.begin), 3)

    def _slice(
        self, task: TaskId, tid: int, name: str, begin: float, end: float, args: Event
    ) -> Event:
        at = self._at(begin)
        length = round(max(self._at(end) - at, 0.0), 3)
        where = {"pid": self._pids[task], "tid": tid}
        return {"ph": "X", "name": name, "ts": at, "dur": length, **where, "args": args}

    def _instant(self, task: TaskId, name: str, at: float, args: Event) -> Event:
        where = {"pid": self._pids[task], "tid": _PHASES}
        return {"ph": "i", "s": "t", "name": name, "ts": self._at(at), **where, "args": args}


def _metadata(kind: str, pid: int, tid: int, **args: Any) -> Event:
    return {"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": args}
