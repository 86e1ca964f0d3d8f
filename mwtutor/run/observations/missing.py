"""Whose exchange is missing, in a sentence, from the ledgers of several tasks together.

The sentence states only what follows from the ledgers. Two workers may legitimately call the same
collective from different lines, as after ``if is_chief:``: see :mod:`.alignment`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mwtutor.cluster import TaskId
from mwtutor.run.observations.alignment import parting
from mwtutor.run.observations.exchanges import Exchanges, Meeting, join_names, meetings
from mwtutor.run.observations.ledgers import Exchange, Ledger, Line
from mwtutor.worker.ledger import HOROVOD_IN_GRAPH

#: Maximum number of tasks that are named one by one.
_NAMED = 8

#: Appended if two lines met, unless it is known that a task left out an exchange. Programs that
#: take turns through two functions have the same records as those that call them in the wrong
#: order.
_PERHAPS = " Unless both lines exchange the same data, this mixes their values."

#: Waits of fewer seconds are not mentioned.
LONG = 2.0


@dataclass(frozen=True)
class Verdict:
    """The evidence about exchanges of different tasks that do not fit together.

    Attributes:
        kind: ``missing`` (one task made an exchange that another did not, so different exchanges
            have met since), ``order`` (two execute the same lines in different orders),
            ``different`` (exchanges that cannot work together met), ``awaited`` (some wait for a
            task that has not arrived) or ``stuck`` (all arrived, but the exchange does not end).
        words: a sentence or two.
        tasks: the tasks that left out an exchange, or that the others wait for.
        exchange: the first that is missing, as another task made it.
    """

    kind: Literal["missing", "order", "different", "awaited", "stuck"]
    words: str
    tasks: tuple[TaskId, ...] = ()
    exchange: Exchange | None = None


def verdict(content: Exchanges) -> Verdict | None:
    """The exchanges that do not fit together; None if no fault is known."""
    ledgers = content.ledgers
    if len(ledgers) < 2 or not all(one.whole for one in ledgers.values()) or content.unrecorded:
        return None
    met = meetings(ledgers)
    at = _held_up(content, met) if content.silent else None
    parted = _parted(content, stands=at is not None)
    different = _different(ledgers, met)
    then = different or (_awaited(content, at) if at is not None else None)
    if parted is None or (different is not None and _comes_before(different, parted)):
        return then
    if parted.kind == "order" and then:
        return replace(parted, words=f"{parted.words} {then.words}")
    return parted


def _comes_before(different: Verdict, parted: Verdict) -> bool:
    """Whether the mismatch comes before the point where tasks diverge, or explains more."""
    one, other = different.exchange, parted.exchange
    if one is None or other is None:
        return False
    if one.meets == other.meets:
        return parted.kind == "order"
    return one.begun < other.begun


def verdict_words(content: Exchanges) -> str:
    """The verdict in words; empty if there is none."""
    return found.words if (found := verdict(content)) is not None else ""


def why_unknown(content: Exchanges) -> str:
    """Why no verdict is possible, in a sentence; empty if one is."""
    cut = [task for task, one in content.ledgers.items() if not one.whole]
    lost = [task for task in content.ledgers if _is_cut_short(content, task)]
    if content.unrecorded:
        why = (
            f"The program may exchange data through {join_names(content.unrecorded)}, which is not"
            " recorded"
        )
    elif cut:
        why = f"The record of {join_names(cut)} is incomplete"
    elif lost and content.silent:
        why = f"The last exchanges of {join_names(lost)} may not have been recorded"
    elif content.ledgers and content.without:
        has = "has" if len(content.without) == 1 else "have"
        why = f"{join_names(content.without)} {has} no record of exchanges"
    else:
        return ""
    return f"{why}: whose exchange is missing cannot be determined."


def _is_cut_short(content: Exchanges, task: TaskId) -> bool:
    """Whether a task was killed, or called ``os._exit``: its last exchanges may not be recorded."""
    ended = content.ended.get(task) in ("succeeded", "failed")
    return ended and bool(content.ledgers[task].looked)


# -- out of step ----------------------------------------------------------------------------


def _parted(content: Exchanges, *, stands: bool) -> Verdict | None:
    """The earliest point at which a task diverges from the first one."""
    ledgers = content.ledgers
    over = all(
        content.ended.get(task) == "succeeded" and not _is_cut_short(content, task)
        for task in ledgers
    )
    first, *others = ledgers
    found = []
    for name in others:
        one, other = _together(ledgers[first], ledgers[name])
        labels = [[_label(each) for each in made] for made in (one, other)]
        if (apart := parting(*labels, stands=stands, over=over, alike=_take_turns)) is None:
            continue
        at, how = apart.at, apart.how
        lost = how != "order" and at == 0 and min(one[0].number, other[0].number) > 1
        if how in ("order", "either") or lost:
            said = _out_of_step(content, one[at], how=how, lost=lost)
        else:
            made = one[at] if how == "first" else other[at]
            said = _said_of_missing(content, made, apart.count)
        if said is not None:
            found.append((one[at].begun, said))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _out_of_step(content: Exchanges, at: Exchange, *, how: str, lost: bool) -> Verdict | None:
    """The verdict if mismatched exchanges met, and it is unknown which task left one out."""
    ledgers = content.ledgers
    here = {task: found for task, one in ledgers.items() if (found := one.by_meeting.get(at.meets))}
    alike = Counter(map(_label, here.values()))
    if len(alike) < 2:  # each exchange met its counterpart; others were left out in between
        return None
    usual = max(alike, key=alike.__getitem__) if len(alike) < len(here) else None
    odd = [task for task, one in here.items() if usual and _label(one) != usual]
    (task, one), (other, its) = _apart(here)
    number = _number(ledgers[task], one)
    meets = f"{one.line} of {task} meets {its.line} of {other}."
    if how == "order":
        words = (
            f"{task} and {other} execute the same lines in different orders, first at exchange"
            f" {number}: {meets}{_PERHAPS}"
        )
        return Verdict("order", words, tuple(odd), one)
    earlier = " or earlier" if lost else ""
    who = (
        f"{join_names(odd)} {'is' if len(odd) == 1 else 'are'}"
        if odd
        else f"{task} and {other} are"
    )
    shown = _counts(content, one.line) or _PERHAPS
    words = f"{who} out of step since exchange {number}{earlier}: {meets}{shown}"
    return Verdict("missing", words, tuple(odd), one)


def _apart(here: Mapping[TaskId, Exchange]) -> list[tuple[TaskId, Exchange]]:
    """Two exchanges that differ."""
    first, *others = here.items()
    return [first, next(pair for pair in others if _label(pair[1]) != _label(first[1]))]


def _number(ledger: Ledger, one: Exchange) -> int:
    """The number of an exchange among those of its group in this task, from 1."""
    before = sum(its.group == one.group and its.number <= one.number for its in ledger.exchanges)
    return ledger.made - len(ledger.exchanges) + before


def _together(one: Ledger, other: Ledger) -> tuple[Sequence[Exchange], Sequence[Exchange]]:
    """The exchanges of both tasks in order, from the first that both still have.

    For a repeated loop or a session, both lists have the same length, because the task with more
    exchanges may simply be ahead. The same holds for all of Horovod's exchanges; exchanges in a
    graph, which meet by name in any order, are left out.
    """
    lists = list(one.by_meeting.values()), list(other.by_meeting.values())
    if not all(lists):
        return (), ()
    begin = max(found[0].meets for found in lists)
    times = [Counter({each.meets[:-1]: each.execution for each in found}) for found in lists]
    both = times[0] & times[1]
    first, second = (
        [
            each
            for each in found
            if each.meets >= begin
            and each.group != HOROVOD_IN_GRAPH
            and each.execution <= both.get(each.meets[:-1], each.execution if each.in_order else 0)
        ]
        for found in lists
    )
    return first, second


_Label = tuple[str, Line, Line, str]


def _label(one: Exchange) -> _Label:
    return one.kind, one.line, one.built, one.dtype


def _take_turns(one: _Label, other: _Label) -> bool:
    """Whether tasks may alternate between the two, as in ``if step % 2 == me:``."""
    return (one[0], one[3]) == (other[0], other[3]) and one[1].instead_of(other[1])


def _said_of_missing(content: Exchanges, made: Exchange, count: int) -> Verdict | None:
    ledgers = content.ledgers
    here = {task: one.by_meeting.get(made.meets) for task, one in ledgers.items()}
    having = [task for task, one in here.items() if one and _label(one) == _label(made)]
    lacking = [task for task in ledgers if task not in having]
    if not lacking:
        return None
    others = here[lacking[0]]
    what = "an exchange" if count == 1 else f"{count} exchanges"
    words = (
        f"{join_names(having)} made {what} that {join_names(lacking)} did not: number"
        f" {_number(ledgers[having[0]], made)}, {_described(made)}."
    )
    if others is not None and others.line != made.line:
        words += (
            " Since then, exchanges that do not belong together have been paired:"
            f" {made.line} of {having[0]} with {others.line} of {lacking[0]}."
        )
    words += _counts(content, made.line)
    return Verdict("missing", words, tuple(lacking), made)


def _kind(one: Exchange) -> str:
    return f"{'an' if one.kind.startswith('a') else 'a'} {one.kind}"


def _where(one: Exchange) -> str:
    """The line that requested an exchange, and the line in a ``tf.function`` where it was built."""
    if one.built == one.line or not one.built.file:
        return str(one.line)
    same = one.built.file == one.line.file
    return (
        f"{one.line} (in {one.built.function}, {f'line {one.built.line}' if same else one.built})"
    )


def _described(one: Exchange) -> str:
    added = ", which mwtutor's compatibility layer adds" if one.ours else ""
    return f"{_kind(one)} of {one.what} at {_where(one)}{added}"


def _counts(content: Exchanges, line: Line) -> str:
    """How often each task exchanged something at a line, unless all did so equally often."""
    times = {}
    for task, one in content.ledgers.items():
        if _is_cut_short(content, task):
            return ""
        newest = one.totals().get(line)
        if newest is None and one.exchanges and one.exchanges[0].number > 1:
            return ""  # the exchange may no longer be kept
        times[task] = newest.times if newest else 0
    if len(set(times.values())) < 2 or not line.file:
        return ""
    shown = [f"{_times(count)} by {who}" for who, count in _by_count(times)]
    return f" {line} was reached {join_names(shown, _NAMED)}."


def _by_count(times: Mapping[TaskId, int]) -> list[tuple[str, int]]:
    """Each task with its count; many tasks are grouped by count, the smallest group first."""
    if len(times) <= _NAMED:
        return [(str(task), count) for task, count in times.items()]
    same: dict[int, list[TaskId]] = {}
    for task, count in times.items():
        same.setdefault(count, []).append(task)
    rarest = sorted(same.items(), key=lambda one: len(one[1]))
    return [
        (join_names(tasks) if len(tasks) <= _NAMED else f"{len(tasks)} others", count)
        for count, tasks in rarest
    ]


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


# -- what cannot be exchanged ---------------------------------------------------------------


def _different(ledgers: Mapping[TaskId, Ledger], met: Sequence[Meeting]) -> Verdict | None:
    for one in met:
        parts = list(one.parts.items())
        (task, first), *others = parts
        for other, its in others:
            if not _fit(first, its):
                return Verdict(
                    "different",
                    f"In exchange {_number(ledgers[task], first)}, {task} gives {_given(first)},"
                    f" and {other} {_given(its)}: both must call the same operation, with the"
                    " same type and shape.",
                    (task, other),
                    first,
                )
    return None


def _fit(one: Exchange, other: Exchange) -> bool:
    if one.kind != other.kind or one.dtype != other.dtype:
        return False
    if not one.in_order and one.kind in ("all-gather", "all-to-all"):
        return True  # row counts may differ; Horovod itself reports any other mismatch
    if one.shape is not None and other.shape is not None and one.kind != "broadcast":
        return one.shape == other.shape
    return not one.size or not other.size or one.size == other.size


def _given(one: Exchange) -> str:
    size = f" ({one.size:,} B)" if one.shape is None else ""
    return f"{one.what}{size} to {_kind(one)} at {_where(one)}"


def _instead(ledger: Ledger, missed: Exchange, ended: str) -> str:
    """The position of the task that the others wait for."""
    if going := [one for one in ledger.exchanges if not one.done]:
        return f"which waits in another exchange, {_described(going[0])},"
    made = ledger.made - sum(one.group != missed.group for one in ledger.exchanges)
    exchanges = f"{made} exchange{'s' * (made != 1)}"
    return f"which made {exchanges}{' and succeeded' * (ended == 'succeeded')},"


def _waited(part: Exchange, waiting: int, *, over: bool) -> str:
    if part.ended:
        seconds = round(part.ended - part.begun)
        return f"waited {seconds} s for" if seconds else "did not meet"
    has = "had" if over else "has" if waiting == 1 else "have"
    return f"{has} been waiting since {time.strftime('%H:%M:%S', time.localtime(part.begun))} for"


# -- who has not arrived --------------------------------------------------------------------


def _held_up(content: Exchanges, met: Sequence[Meeting]) -> Meeting | None:
    """The first meeting in which a task has waited for a long time."""
    for one in met:
        absent = [(task, its) for task, its in content.ledgers.items() if task not in one.parts]
        left = any(content.ended.get(task) == "succeeded" for task, _ in absent)
        waits = [part for part in one.parts.values() if not part.done]
        if any(
            (part.ended or content.now) - part.begun >= LONG or (left and part.broken)
            for part in waits
        ):
            known = all(is_known(content, one, task) for task, _ in absent)
            return one if known else None
    return None


def is_known(content: Exchanges, meeting: Meeting, task: TaskId) -> bool:
    """Whether the ledger of a task would show its arrival."""
    looked, begun = content.ledgers[task].looked, min(one.begun for one in meeting.parts.values())
    return not looked or looked > begun


def _awaited(content: Exchanges, at: Meeting) -> Verdict | None:
    ledgers, ended = content.ledgers, content.ended
    waits = {task: part for task, part in at.parts.items() if not part.done}
    part = min(waits.values(), key=lambda each: each.begun)
    absent = tuple(task for task in ledgers if task not in at.parts)
    if not absent:
        together = max(each.begun for each in waits.values())
        seconds = max(each.ended or content.now for each in waits.values()) - together
        if len(waits) < len(at.parts) or content.without or seconds < LONG:
            return None
        words = (
            f"{join_names(list(at.parts))} have all begun the same exchange, {_described(part)},"
            " and none of them has finished it: all tasks take part, but the data does not arrive."
        )
        return Verdict("stuck", words, (), part)
    if any(ended.get(task) == "failed" for task in absent):
        return None  # the task's failure is known, and so is why others wait for it
    shown = [f"{task}, {_instead(ledgers[task], part, ended.get(task, ''))}" for task in absent]
    first = next(task for task in waits if waits[task] is part)
    waited = _waited(part, len(waits), over=all(task in ended for task in waits))
    words = (
        f"{join_names(list(waits))} {waited} {join_names(shown)} in exchange"
        f" {_number(ledgers[first], part)} ({part.kind} of {part.what} at {_where(part)})."
        f"{_counts(content, part.line)}"
    )
    return Verdict("awaited", words, absent, part)
