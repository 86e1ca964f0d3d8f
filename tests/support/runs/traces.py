"""Violations of Chrome's trace event format in a trace, as far as Perfetto relies on the format."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

Event = dict[str, Any]

#: The fields that an event of each kind must have, besides ``ph``.
_FIELDS = {
    "M": ("name", "pid", "args"),
    "X": ("name", "ts", "dur", "pid", "tid"),
    "i": ("name", "ts", "pid", "tid", "s"),
    "s": ("name", "cat", "id", "ts", "pid", "tid"),
    "f": ("name", "cat", "id", "ts", "pid", "tid"),
}


def faults(trace: dict[str, Any]) -> list[str]:
    """All faults, one sentence each; empty for a valid trace."""
    events = trace["traceEvents"]
    missing = list(_missing(events))
    if missing:
        events = [event for event in events if not list(_missing([event]))]
    return [*missing, *_overlaps(events), *_arrows(events)]


def _missing(events: list[Event]) -> Iterator[str]:
    for event in events:
        if event.get("ph") not in _FIELDS:
            yield f"no kind of event: {event}"
            continue
        for field in _FIELDS[event["ph"]]:
            if field not in event:
                yield f"{event['ph']} without {field}: {event}"
            elif field in ("ts", "dur") and not 0 <= event[field] < 1e15:
                yield f"{field} is not a time: {event}"


def _tracks(events: list[Event]) -> dict[tuple[int, int], list[tuple[float, float]]]:
    tracks = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    return {
        track: sorted(slices, key=lambda one: (one[0], -one[1])) for track, slices in tracks.items()
    }


def _overlaps(events: list[Event]) -> Iterator[str]:
    """Slices of one track must follow each other or be nested."""
    for track, slices in _tracks(events).items():
        for (begin, end), (next_begin, next_end) in pairwise(slices):
            if next_begin < end - 0.01 and next_end > end + 0.01:
                yield f"slices of {track} overlap: {begin} to {end}, {next_begin} to {next_end}"


def _arrows(events: list[Event]) -> Iterator[str]:
    tracks = _tracks(events)
    kinds: dict[Any, Counter[str]] = defaultdict(Counter)
    for event in events:
        if event["ph"] in "sf":
            kinds[event["id"]][event["ph"]] += 1
            slices = tracks.get((event["pid"], event["tid"]), [])
            if not any(begin - 0.01 <= event["ts"] <= end + 0.01 for begin, end in slices):
                yield f"an arrow that is not at a slice: {event}"
    for number, count in kinds.items():
        if count["s"] != 1 or not count["f"]:
            yield f"arrow {number} has {count['s']} beginnings and {count['f']} ends"
