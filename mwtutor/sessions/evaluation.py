"""Expressions evaluated on the workers of a session, to look at what they hold."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from mwtutor import values
from mwtutor.cluster import TaskId
from mwtutor.sessions.link import WorkerLink

#: What the kernel of a worker is asked, see :mod:`mwtutor.worker.cell_kernel`.
VERB = "mwtutor_evaluate"


#: What a worker knows of its collectives, see :mod:`mwtutor.worker.collectives`.
LOST = "__import__('mwtutor.worker.collectives', fromlist=['lost']).lost()"


def evaluate(
    links: Iterable[WorkerLink], expressions: Sequence[str], seconds: float
) -> dict[str, dict[TaskId, Any]]:
    """The value of each expression on each worker, as far as there is one within the time.

    All workers evaluate at once: an expression may contain collectives. One that has not answered
    in time is interrupted.
    """
    found: dict[str, dict[TaskId, Any]] = {expression: {} for expression in expressions}
    asked = [(link, link.send(VERB, {"expressions": list(expressions)})) for link in links]
    deadline = time.monotonic() + seconds
    for link, question in asked:
        reply = link.answer(question, deadline - time.monotonic())
        if reply is None:
            link.interrupt()
            continue
        buffers = list(reply["buffers"])
        for expression, count in reply["content"]["counts"].items():
            parts, buffers = buffers[:count], buffers[count:]
            try:
                found[expression][link.task] = values.load(parts)
            except Exception:  # of a class that the notebook does not have
                continue
    return found
