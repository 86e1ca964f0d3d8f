"""Meanings of mwtutor's own verdicts on exchanges; see :mod:`mwtutor.run.observations.missing`."""

from __future__ import annotations

from mwtutor.worker.advice.row import Row

#: These rows are recognized by their words alone: no exception has them.
VERDICTS = (
    Row(
        "",
        r"\bout of step since exchange \d"
        r"|\bmade (an exchange|\d+ exchanges) that .{1,999} did not: number \d",
        "One worker leaves out an exchange that another makes. From then on, exchanges that do not"
        " belong together may be combined, which mixes their values without an error.",
        "Make every worker reach the named line equally often. Look for a collective or a metric's"
        " result under `if is_chief:`, and for a condition or a caught exception that skips the"
        " line; let a worker with nothing to contribute exchange zeros. See lesson 21, sections 2"
        " and 3.",
    ),
    Row(
        "",
        r"\bexecute the same lines in different orders, first at exchange \d",
        "Values from different lines are added up, unless both lines exchange the same data.",
        "Make the exchanges in the same order on every worker. See lesson 21, section 4.",
    ),
    Row(
        "",
        r"\bIn exchange \d.{1,999}: both must call the same operation, with the same type and"
        r" shape\.",
        "The workers entered exchanges that cannot be combined: the shapes or types of their values"
        " differ, or they called different collectives.",
        "Call the same collectives in the same order on every worker, with equal shapes: sort the"
        " exchanged values by name, exchange sums and counts instead of rows, and read a metric on"
        " all workers, not on the chief only. See lesson 21, section 4 and exercise 21-2.",
    ),
    Row(
        "",
        r"\b(waiting since \d\d:\d\d:\d\d for|waited \d+ s for|did not meet) .{1,999} in"
        r" exchange \d",
        "Some workers take part in an exchange, and another does not: it has ended, waits in"
        " another exchange, or is still busy with something else.",
        "Compare how often each worker reached the line. If a worker ends early, or its data runs"
        " out, let the workers agree on when to end, or give all of them the same number of rows."
        " If it catches an exception, let it contribute zeros. If it is still running, @mw_stacks"
        " shows what it is executing. See exercises 21-1 and 21-3 of lesson 21.",
    ),
    Row(
        "",
        r"\bhave all begun the same exchange, .{1,999}none of them has finished it",
        "No exchange is missing, but the data does not arrive.",
        "Check in @mw_status whether a process is stopped or a connection is cut.",
    ),
    Row(
        "",
        r"\bwhose exchange is missing cannot be determined\.",
        "Not all exchanges of all workers are recorded, so mwtutor cannot name a culprit.",
        "@mw_stacks shows what each worker executes.",
    ),
)
