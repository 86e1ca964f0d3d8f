"""Expressions evaluated on the workers of a session, to look at what they hold."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from mwtutor import values
from mwtutor.cluster import TaskId
from mwtutor.exceptions import NoAnswer
from mwtutor.run.observations.exchanges import joined
from mwtutor.sessions.link import WorkerLink

#: What the kernel of a worker is asked, see :mod:`mwtutor.worker.cell_kernel`.
VERB = "mwtutor_evaluate"

#: Seconds to take an answer that is there, when another worker has used up the time.
_AT_ONCE = 0.1

#: What a worker knows of its collectives, see :mod:`mwtutor.worker.collectives`.
LOST = "__import__('mwtutor.worker.collectives', fromlist=['lost']).lost()"


def evaluate(
    links: Iterable[WorkerLink], expressions: Sequence[str], seconds: float
) -> dict[str, dict[TaskId, Any]]:
    """The value of each expression on each worker, but where it raised.

    All workers evaluate at once: an expression may contain collectives.

    Raises:
        NoAnswer: a worker has not answered in time; it is interrupted.
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
                found[expression][link.task] = values.load(parts)
            except Exception:  # of a class that the notebook does not have
                continue
    if silent:
        raise NoAnswer(
            f"{joined(silent)} did not answer within {seconds:g} s.",
            "Try again: the machine may be busy. `%mw_stacks` shows where a worker is.",
        )
    return found
