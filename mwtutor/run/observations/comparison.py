"""The records of several runs, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mwtutor.exceptions import BadInput
from mwtutor.run.observations.phases import Difference, compare
from mwtutor.run.record import event_reading, events
from mwtutor.run.record.eventlog import EventReader
from mwtutor.run.record.progress_reports import reports
from mwtutor.run.request.option_kinds import rows
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.run import Run

#: The versions and times that a run can have recorded, in the order in which they are shown.
VERSIONS = ("Python", "TensorFlow", "Keras")
TIMES = ("until the cluster formed", "the whole run")

#: How many digits of a script's SHA-256 are enough to tell two scripts apart.
_DIGITS = 8


@dataclass(frozen=True)
class Facts:
    """The records of one run.

    Attributes:
        status: its outcome, or its activity.
        options: its options, by the labels that errors use.
        script: the first digits of the SHA-256 of its script; empty if that was not recorded.
        versions: the versions of Python, TensorFlow and Keras, as far as recorded.
        times: the seconds until its cluster formed, and those of the whole run, as far as recorded.
        last: the last value of each metric, from the first task that reported it.
    """

    name: str
    status: str
    options: Mapping[str, Any] = field(default_factory=dict)
    script: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    times: Mapping[str, float] = field(default_factory=dict)
    last: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Comparison:
    """Several runs, compared.

    Attributes:
        facts: one for each run, in the order in which they were named.
        phases: how long steps, exchanges and other phases took in each run but the first, compared
            with the first.
    """

    facts: tuple[Facts, ...]
    phases: tuple[tuple[Difference, ...], ...]

    def differing(self) -> dict[str, list[Any]]:
        """The options that differ, each with its value in every run."""
        values = {
            label: [one.options[label] for one in self.facts] for label in self.facts[0].options
        }
        return {label: row for label, row in values.items() if any(one != row[0] for one in row)}


def compare_runs(runs: Sequence[Run]) -> Comparison:
    """Compare runs.

    Raises:
        BadInput: there are fewer than two, or the same one twice.
    """
    if len({run.directory for run in runs}) < max(len(runs), 2):
        raise BadInput(
            "Two or more different runs are needed for a comparison.",
            "Name them; @mw_runs lists the runs of this directory.",
        )
    phases = [run.phases() for run in runs]
    return Comparison(
        tuple(map(_facts, runs)),
        tuple(tuple(compare(phases[0], other)) for other in phases[1:]),
    )


def _facts(run: Run) -> Facts:
    state, spec = run.state, run.spec
    begun = state.attempts[-1].started if state.attempts else state.started
    to_form = state.formed - begun if state.formed else 0.0
    whole = state.ended - state.started if state.ended and state.started else 0.0
    records = EventReader(spec.events).read()
    last: dict[str, tuple[Any, float]] = {}
    for _, report in reports(records):
        for metric, value in report.metrics.items():
            if last.setdefault(metric, (report.task, value))[0] == report.task:
                last[metric] = (report.task, value)
    return Facts(
        run.name,
        state.status,
        {
            row.label: getattr(spec.request, row.name)
            for row in rows(LaunchRequest)
            if row.name != "name"
        },
        spec.digest[:_DIGITS],
        _versions(map(event_reading.read, records)),
        {what: took for what, took in zip(TIMES, (to_form, whole), strict=True) if took > 0},
        {metric: value for metric, (_, value) in last.items()},
    )


def _versions(read: Any) -> dict[str, str]:
    """The versions that the tasks of a run reported; several if they differ."""
    found: dict[str, dict[str, None]] = {what: {} for what in VERSIONS}
    for event in read:
        if isinstance(event, events.ProgramStarted):
            found["Python"][event.python] = None
        if isinstance(event, events.Keras):
            found["TensorFlow"][event.tensorflow] = None
            found["Keras"][event.release or event.version] = None
    return {what: ", ".join(filter(None, versions)) for what, versions in found.items()}
