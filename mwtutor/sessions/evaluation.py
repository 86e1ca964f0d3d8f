"""Evaluate expressions on a session's workers, to inspect their variables."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from mwtutor import pushed_and_pulled
from mwtutor.cluster import TaskId
from mwtutor.exceptions import NoAnswer
from mwtutor.run.observations.exchanges import join_names
from mwtutor.sessions.link import WorkerLink

#: The request to a worker's kernel, see :mod:`mwtutor.worker.cell_kernel`.
VERB = "mwtutor_evaluate"

#: Seconds to fetch an answer that has already arrived when another worker has used up the time.
_AT_ONCE = 0.1

#: Asks a worker why its collectives no longer work, see :mod:`mwtutor.worker.collectives`.
LOST = "__import__('mwtutor.worker.collectives', fromlist=['why_lost']).why_lost()"


def evaluate(
    links: Iterable[WorkerLink], expressions: Sequence[str], seconds: float
) -> dict[str, dict[TaskId, Any]]:
    """The value of each expression on each worker on which it raised no exception.

    All workers evaluate at the same time, because an expression may contain collectives.

    Raises:
        NoAnswer: a worker did not answer in time, and was interrupted.
    """
    found: dict[str, dict[TaskId, Any]] = {expression: {} for expression in expressions}
    asked = [(link, link.send(VERB, {"expressions": list(expressions)})) for link in links]
    deadline = time.monotonic() + seconds
    silent: list[TaskId] = []
    for link, question in asked:
        reply = link.answer(question, max(deadline - time.monotonic(), _AT_ONCE))
        if reply is None:
            link.interrupt()
            silent.append(link.task)
            continue
        buffers = list(reply["buffers"])
        for expression, count in reply["content"]["counts"].items():
            parts, buffers = buffers[:count], buffers[count:]
            try:
                found[expression][link.task] = pushed_and_pulled.load(parts)
            except Exception:  # the value's class does not exist in the notebook
                continue
    if silent:
        raise NoAnswer(
            f"{join_names(silent)} did not answer within {seconds:g} s.",
            "Try again: the machine may be busy. `%mw_stacks` shows where a worker is.",
        )
    return found
