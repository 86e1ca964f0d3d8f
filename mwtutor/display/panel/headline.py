"""A run's report, created from its state: the headline, the facts, and the reason for its end."""

from __future__ import annotations

from mwtutor.display.panel.hints import hints
from mwtutor.display.panel.log_ends import evidence, folds
from mwtutor.display.panel.machines import machine_words
from mwtutor.display.panel.report import NOW, Report, Seen
from mwtutor.display.panel.task_table import task_table
from mwtutor.display.panel.training import bar
from mwtutor.display.words import duration, elapsed
from mwtutor.interface import as_typed_here
from mwtutor.run.observations import collectives
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import Attempt, RunState
from mwtutor.run.request import keras_choice
from mwtutor.run.request.options import LaunchRequest
from mwtutor.sanitize import harmless


def report(spec: RunSpec, state: RunState, seen: Seen = NOW) -> Report:
    """The report to show about a run."""
    outcome = state.outcome
    reason = outcome.reason if outcome is not None else _trouble(state)
    return Report(
        name=harmless(spec.name),
        state=state.status,
        facts=_facts(spec, state, seen.now(spec)),
        table=task_table(spec, state, seen),
        bar=bar(spec, state, seen),
        folds=folds(spec, state),
        attempts=tuple(
            _attempt(attempt, bool(spec.request.elastic)) for attempt in _failed_attempts(state)
        ),
        problem=_sentence(reason),
        evidence=evidence(spec, state),
        hints=hints(spec, state, seen),
        ended=outcome is not None or bool(state.foreign),
    )


def _sentence(reason: str) -> str:
    """A clause about the run as a sentence; a task's name stays lowercase."""
    if not reason:
        return ""
    return f"I{reason[1:]}." if reason.startswith("it ") else f"{reason}."


def _trouble(state: RunState) -> str:
    """The problem of a run that has no outcome yet; empty if there is none."""
    return state.ending or _doubt(state) or state.pending or _broken(state)


def _broken(state: RunState) -> str:
    if state.cells is None or not state.cells.lost:
        return ""
    why = f": {state.cells.lost.rstrip('.')[:300]}"
    if state.cells.released:
        why = ", because a worker had to be released from one"
    return (
        f"Collectives no longer work in this session{why}. In its notebook, %mw_restart starts"
        " fresh workers"
    )


def _doubt(state: RunState) -> str:
    if state.foreign:
        return f"it is read-only, because {state.foreign}; its log says the following"
    return f"{state.doubt}; its log says the following" if state.doubt else ""


def _failed_attempts(state: RunState) -> tuple[Attempt, ...]:
    """The failed attempts after which the run continued, excluding the last attempt."""
    return state.attempts if state.restarting else state.attempts[:-1]


def _attempt(attempt: Attempt, elastic: bool) -> str:
    lasted = duration(attempt.ended - attempt.started)
    size = f", {attempt.workers} worker{'s' * (attempt.workers != 1)}" * elastic
    return f"attempt {attempt.number}{size}: {attempt.reason}, after {lasted}"


def _facts(spec: RunSpec, state: RunState, now: float) -> tuple[str, ...]:
    program = spec.program.title
    if spec.program.kind != "kernel":
        target = "-m " * (spec.program.kind == "module") + spec.program.target
        program = " ".join([target, *spec.program.args, *spec.program.per_task])
    facts = ["read-only"] if state.foreign and state.outcome is not None else []
    if state.status == "executing" and state.cells is not None:
        facts.append(f"{state.cells.cell} for {elapsed(now - state.cells.since)}")
    facts += [state.smaller or _members(spec.request), program[:100]]
    if state.started:
        facts.append(
            duration(state.ended - state.started) if state.ended else elapsed(now - state.started)
        )
    if len(state.attempts) > 1:
        most = spec.request.restarts + 1 + spec.request.workers - spec.request.least
        facts.append(f"attempt {len(state.attempts)} of at most {most}")
    if state.formed:
        begun = state.attempts[-1].started if state.attempts else state.started
        facts.append(f"cluster formed in {state.formed - begun:.1f} s")
    used = {version for task in state.tasks.values() for version in task.findings.keras}
    keras = keras_choice.words_of(spec.keras, used)
    facts += filter(None, (keras, as_typed_here(spec.devices), collectives.words(spec, state)))
    if state.machines:
        facts.append(machine_words(spec, state))
    if figures := sum(task.findings.figures for task in state.tasks.values()):
        facts.append(f"{figures} figure{'s' * (figures != 1)}")
    if state.network.kind:
        facts.append(state.network.words)
    if spec.request.no_ledger:
        facts.append("exchanges not recorded")
    if spec.why_cold:
        facts.append(f"plain processes, because {spec.why_cold}")
    return tuple(map(harmless, facts))


def _members(request: LaunchRequest) -> str:
    several = request.workers != 1
    if request.is_horovod:
        return f"{request.workers} rank{'s' * several} of Horovod"
    if request.is_jax:
        return f"{request.workers} process{'es' * several} of JAX"
    return request.size.words
