"""The verdicts on workers whose exchanges do not fit together: a section of ``docs/errors.md``.

Each row is a program of ``benchmarks/blame.py``; ``tests/e2e/test_exchange_faults.py`` launches it
and compares the words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mwtutor.worker.advice.in_text import known_in


@dataclass(frozen=True)
class ExchangeFault:
    """A fault, and mwtutor's verdict.

    Attributes:
        program: its name in ``benchmarks/blame.py``, and the file's name in the words.
        what: the fault.
        words: the verdict, as :func:`timeless` returns it.
        do: the remedy.
        lesson: the section of lesson 21.
    """

    program: str
    what: str
    words: str
    do: str
    lesson: str


FAULTS = (
    ExchangeFault(
        "skipped",
        "One worker leaves out an exchange.",
        "worker:0 and worker:1 are out of step since exchange 6: skipped.py, line 17 of worker:0"
        " meets skipped.py, line 15 of worker:1. skipped.py, line 17 was reached 5 times by"
        " worker:0 and 4 times by worker:1.",
        "Let a worker that has nothing to contribute exchange zeros.",
        "section 2",
    ),
    ExchangeFault(
        "shapes",
        "The workers exchange different shapes.",
        "In exchange 1, worker:0 gives float32[3] to an all-reduce at shapes.py, line 15 (in"
        " exchange, line 11), and worker:1 float32[2] to an all-reduce at shapes.py, line 15 (in"
        " exchange, line 11): both must call the same operation, with the same type and shape.",
        "Make batches equal, or exchange sums and counts instead of rows.",
        "section 4",
    ),
    ExchangeFault(
        "order",
        "The workers exchange the same tensors in different orders.",
        "In exchange 4, worker:0 gives float32[2] to an all-reduce at order.py, line 17 (in"
        " exchange, line 11), and worker:1 float32[3] to an all-reduce at order.py, line 20 (in"
        " exchange, line 11): both must call the same operation, with the same type and shape.",
        "Exchange the tensors in the order of their names.",
        "section 4",
    ),
    ExchangeFault(
        "swapped",
        "One worker swaps two exchanges of the same shape.",
        "worker:0 and worker:1 execute the same lines in different orders, first at exchange 1:"
        " swapped.py, line 15 of worker:0 meets swapped.py, line 17 of worker:1. Unless both lines"
        " exchange the same data, this mixes their values.",
        "Make the exchanges in the same order on every worker.",
        "section 4",
    ),
    ExchangeFault(
        "another-collective",
        "One worker calls another function.",
        "In exchange 4, worker:0 gives float32[2] to an all-reduce at another-collective.py, line"
        " 20 (in exchange, line 11), and worker:1 int32[1, 1] to an all-gather at"
        " another-collective.py, line 22 (in gather, line 16): both must call the same operation,"
        " with the same type and shape.",
        "Call the same collective on every worker.",
        "section 4",
    ),
    ExchangeFault(
        "one-ends",
        "One worker ends early.",
        "worker:0 had been waiting since TIME for worker:1, which made 3 exchanges and"
        " succeeded, in exchange 4 (all-reduce of float32[1] at one-ends.py, line 17"
        " (in exchange, line 11))."
        " one-ends.py, line 17 was reached 4 times by worker:0 and 3 times by worker:1.",
        "Decide together when to end: exchange the condition, too.",
        "exercise 21-3",
    ),
    ExchangeFault(
        "data-run-out",
        "The data runs out on one worker.",
        "worker:0 had been waiting since TIME for worker:1, which made 4 exchanges and"
        " succeeded, in exchange 5 (all-reduce of float32[1] at data-run-out.py, line 15"
        " (in exchange, line 11))."
        " data-run-out.py, line 15 was reached 5 times by worker:0 and 4 times by worker:1.",
        "Exchange in each step which workers still have rows, or give every worker the same "
        "number of rows.",
        "exercise 21-3",
    ),
    ExchangeFault(
        "caught",
        "One worker catches an exception, and continues with the next step.",
        "worker:0 had been waiting since TIME for worker:1, which made 5 exchanges and"
        " succeeded, in exchange 6 (all-reduce of float32[1] at caught.py, line 21"
        " (in exchange, line 11))."
        " caught.py, line 21 was reached 6 times by worker:0 and 5 times by worker:1.",
        "Take part in the exchange in any case, with zeros if necessary.",
        "exercise 21-1",
    ),
    ExchangeFault(
        "chief-only",
        "A collective is called under `if is_chief:`.",
        "worker:0 made an exchange that worker:1 did not: number 4, an all-reduce of float32[1] at"
        " chief-only.py, line 17 (in exchange, line 11). Since then, exchanges that do not belong"
        " together have been paired: chief-only.py, line 17 of worker:0 with chief-only.py, line 15"
        " of"
        " worker:1. chief-only.py, line 17 was reached once by worker:0 and never by worker:1.",
        "Exchange on all workers, and use the result on the chief.",
        "section 3, exercise 21-2",
    ),
    ExchangeFault(
        "metric-of-the-chief",
        "Only the chief reads a metric that all workers add up.",
        "In exchange 3, worker:0 gives float32[] to an all-reduce at metric-of-the-chief.py, line"
        " 25, and worker:1 float32[1] to an all-reduce at metric-of-the-chief.py, line 23 (in"
        " exchange, line 11): both must call the same operation, with the same type and shape.",
        "Read the metric on all workers, and print it on the chief.",
        "exercise 21-2",
    ),
)

_HEAD = """
## Exchanges that do not fit together

Workers that do not call the same collectives in the same order hang, fail with an error that points
to none of your lines, or add up values that do not belong together. TensorFlow's messages do not
name the cause; the ledger of exchanges does, in `%mw_status`, `%mw_stacks`, `%mw_exchanges` and at
the end of a run, and `mwtutor explain` says what its messages mean. These are the exact messages
about the programs in `benchmarks/blame.py`; in lesson
[21](../notebooks/21_whose_exchange_is_missing.ipynb), you fix these faults.
"""


def section() -> str:
    faults = (
        f"\n### {one.what.rstrip('.')}\n\n> {one.words}\n\n{_means(one)}\n\n"
        f"**What to do:** {one.do}\n\n"
        f"*Produced by* `{one.program}`. *In lesson 21:* {one.lesson}.\n"
        for one in FAULTS
    )
    return _HEAD + "".join(faults)


def _means(fault: ExchangeFault) -> str:
    return " ".join(one.means for one in known_in(dated(fault.words)))


def dated(words: str) -> str:
    """The words with a time of day, as they are printed."""
    return words.replace("since TIME", "since 12:34:56")


def timeless(words: str) -> str:
    """The words, without the time of day."""
    return re.sub(r"since \d\d:\d\d:\d\d", "since TIME", words)
