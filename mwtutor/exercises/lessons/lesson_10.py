"""The exercises of lesson 10: Performance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.narrow_exchange import ALL_REDUCE, EXCHANGE
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

# 10-1: how long an exchange takes

#: For which bytes of gradients, machines, and bits a second of their links it is asked.
SIZES, MACHINES, RATES = (25_000_000, 1_000, 8_000_000), (2, 3, 4, 16), (1e8, 1e10)

#: Times that differ by a smaller part are the same.
_NEAR = 0.001

#: A number of machines, bytes and bits a second.
_Asked = tuple[int, int, float]

#: What others believe of an exchange of so many bits on so many machines, and what is said of it.
_BELIEFS = (
    (
        lambda n, bits: 2 * (n - 1) / n * bits / 8,
        "an eighth of what it takes: the size is in bytes, and links are sold by the bit.",
    ),
    (
        lambda n, bits: 2 * (n - 1) * bits,
        "what it takes where one machine collects everything and sends it to all others: with 16"
        " machines 15 times as long as with 2.",
    ),
    (
        lambda n, bits: (n - 1) / n * bits,
        "half of it: after one time around, each piece is complete at one machine, and nowhere"
        " else.",
    ),
    (
        lambda n, bits: bits,
        "the same for any number of machines. For two that is right; with more, each sends more"
        " than the gradients once.",
    ),
)


def _check_seconds(work: Work) -> Verdict:
    told = _seconds(work.value("exchange_seconds"))
    if told is None:
        return not_yet("`exchange_seconds` gives no number of seconds.")
    if _like(told, lambda n, bits: 2 * (n - 1) / n * bits):
        long, short = told[16, SIZES[0], 1e8], told[16, SIZES[0], 1e10]
        return right(
            f"Sixteen machines need {long:.2g} s at 100 Mbit/s, {short:.2g} s at 10 Gbit/s."
        )
    for belief, words in _BELIEFS:
        if _like(told, belief):
            return wrong(f"For each link, this is {words}")
    factor = told[2, SIZES[0], 1e8] / (8 * SIZES[0] / 1e8)
    if _like(told, lambda n, bits: factor * 2 * (n - 1) / n * bits):
        return wrong(f"Always {factor:.4g} times as long as the bytes of the gradients take.")
    return wrong(
        f"Two machines would need {told[2, SIZES[0], 1e8]:.3g} s for {SIZES[0]:,} bytes at 100"
        f" Mbit/s, and {told[2, SIZES[1], 1e8]:.3g} s for {SIZES[1]:,}; four, for"
        f" {SIZES[0]:,} bytes, {told[4, SIZES[0], 1e8]:.3g} s. Count the bits that each sends."
    )


def _seconds(function: Any) -> dict[_Asked, float] | None:
    """What it answers, in whatever kind of number; None if it gives something else."""
    if not callable(function):
        return None
    asked = list(product(MACHINES, SIZES, RATES))
    found = [function(*one) for one in asked]
    try:
        told = [float(one) for one in found if not isinstance(one, str)]
    except (TypeError, ValueError, OverflowError):
        return None
    if len(told) != len(asked) or not all(map(math.isfinite, told)):
        return None
    return dict(zip(asked, told, strict=True))


def _like(told: Mapping[_Asked, float], belief: Any) -> bool:
    wanted = {(n, size, rate): belief(n, 8 * size) / rate for n, size, rate in told}
    return all(abs(told[key] - wanted[key]) <= _NEAR * abs(wanted[key]) for key in told)


def _function(body: str) -> str:
    return f'''\
def exchange_seconds(machines, size, rate):
    """Seconds of a ring all-reduce of so many bytes, if each link carries so many bits a second."""
    return {body}
'''


_SECONDS = Exercise(
    id="10-1",
    title="how long does it take?",
    task=(
        "Write `exchange_seconds(machines, size, rate)`: how many seconds a ring all-reduce takes,"
        " with so many machines, `size` bytes of gradients, and links that carry `rate` bits a"
        " second each way. Leave out headers, and whatever an exchange costs besides its bytes."
        " The next cell asks it about 25 MB of gradients."
    ),
    stub=_function("None"),
    check=_check_seconds,
    hints=(
        "How many bytes does each machine send? Section 3 has the formula.",
        "All machines send at the same time, so one of them tells for all.",
        "A byte has 8 bits.",
    ),
    solution=_function("2 * (machines - 1) / machines * size * 8 / rate"),
    reasoning=(
        "Each machine sends 2 (N - 1) pieces of size / N bytes, over its own link, while all others"
        " do the same. A byte is 8 bits, and the link carries `rate` bits a second."
        " With two machines it is the gradients once, with very many twice: a"
        " hundred machines hardly wait longer than ten."
    ),
    sabotages=(
        Sabotage(
            "a link of 100 Mbit/s carries 100 megabytes a second",
            _function("2 * (machines - 1) / machines * size / rate"),
            "sold by the bit",
        ),
        Sabotage(
            "somebody has to collect it all",
            _function("2 * (machines - 1) * size * 8 / rate"),
            "one machine collects everything",
        ),
        Sabotage(
            "once around the ring is enough",
            _function("(machines - 1) / machines * size * 8 / rate"),
            "complete at one machine",
        ),
        Sabotage(
            "each machine sends its gradients once",
            _function("size * 8 / rate"),
            "the same for any number",
        ),
    ),
)

# 10-3: accumulated gradients

_UPDATED = "updated"

#: Parts of a batch.
PARTS = 4


def _check_updated(work: Work) -> Verdict:
    found = [_update(one) for one in each_worker(work, _UPDATED)]
    if len(found) != 2 or found[0] is None or found[1] is None:
        return not_yet("`train` has not been called on both workers.")
    return _judge_update(found[0], found[1])


def _update(value: Any) -> dict[str, Any] | None:
    """The exchanges that were built, and three updates as vectors; None if they are not there."""
    if not isinstance(value, dict) or not isinstance(value.get("exchanges"), int):
        return None
    vectors = {name: as_array(value.get(name)) for name in ("update", "wanted", "of the last part")}
    sizes = {None if one is None or one.ndim != 1 else one.size for one in vectors.values()}
    if len(sizes) != 1 or not sizes.pop():
        return None
    if not all(np.isfinite(one).all() for one in vectors.values()) or not vectors["wanted"].any():
        return None
    passes = value.get("passes")
    if not isinstance(passes, list) or not all(isinstance(rows, int) for rows in passes):
        return None
    return {**vectors, "exchanges": value["exchanges"], "passes": passes}


def _judge_update(mine: dict[str, Any], other: dict[str, Any]) -> Verdict:
    made, wanted, exchanges = mine["update"], mine["wanted"], mine["exchanges"]
    if not exchanges or not np.allclose(made, other["update"], rtol=1e-3, atol=1e-7):
        return wrong("The workers have different weights now: their gradients were not added up.")
    times = float(made @ wanted / (wanted @ wanted))
    if _near(made, wanted):
        largest = max(mine["passes"], default=0)
        if exchanges == 1 and largest != 64:
            return wrong(
                f"The update is right, with one exchange. But up to {largest} rows went through"
                f" the model at once, in {len(mine['passes'])} passes: keep the {PARTS} of 64 rows."
            )
        if exchanges == 1:
            return right("One exchange, and the update that all the rows make together.")
        return wrong(
            f"The update is right, but it took {exchanges} exchanges: what was to be saved."
        )
    if _near(made, mine["of the last part"]):
        return wrong("This is the update of the last part alone: those before it were forgotten.")
    if _near(made, times * wanted) and exchanges == 1:
        return wrong(
            f"One exchange; but the update is {times:.3g} times as large as the mean of all rows"
            " makes it."
        )
    if exchanges == PARTS:
        return not_yet(f"There were {exchanges} exchanges, and an update after each.")
    return wrong(f"With {exchanges} exchanges the update is not that of all the rows together.")


def _near(one: Any, other: Any) -> bool:
    return bool(np.linalg.norm(one - other) < 0.01 * np.linalg.norm(other))


def _train(*body: str) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body)
    return f'''\
%%mw
import perf


def train(model, parts):
    """One update with all rows of all workers; parts of this worker's are (x, y), 64 rows each."""
    context = tf.distribute.get_replica_context()
    variables = model.trainable_variables
{lines}'''


def _gradients(count: str) -> tuple[str, ...]:
    return (
        "for x, y in parts:",
        "    with tf.GradientTape() as tape:",
        f"        loss = perf.loss_of(y, model(x, training=True)) / ({count})",
        "    gradients = tape.gradient(loss, variables)",
    )


_ZEROS = "total = [tf.zeros_like(variable) for variable in variables]"
_ADD = "    total = [so_far + gradient for so_far, gradient in zip(total, gradients)]"
_APPLY = (
    "for variable, gradient in zip(variables, {}):",
    "    variable.assign_sub(0.1 * gradient)",
)


def _apply(what: str, indent: str = "") -> tuple[str, ...]:
    return (indent + _APPLY[0].format(what), indent + _APPLY[1])


_EACH, _WHOLE = "64 * num_workers", "64 * len(parts) * num_workers"

_ACCUMULATE = Exercise(
    id="10-3",
    title="four passes, one exchange",
    hard=True,
    task=(
        "`train` runs in a replica. It gets four parts of the worker's batch, exchanges the"
        " gradients of each, and updates the variables after each: four exchanges, four updates."
        " Change it so that it makes one update with one exchange: the update that one step makes"
        " with all the rows of all workers at once, 0.1 times the gradient of the mean loss."
        " Keep the four passes: think of rows that do not fit into memory at once."
    ),
    stub=_train(
        *_gradients(_EACH),
        f"    summed = {ALL_REDUCE.format('gradients')}",
        *_apply("summed", "    "),
    ),
    check=_check_updated,
    hints=(
        "Which lines need the other workers, and which do not? The variables must not change before"
        " all parts have been computed.",
        "Gradients of a sum are the sum of gradients: begin with zeros, and add.",
        "The loss is divided by a number of rows. By which, now that there is one update?",
    ),
    solution=_train(
        _ZEROS,
        *_gradients(_WHOLE),
        _ADD,
        f"summed = {ALL_REDUCE.format('total')}",
        *_apply("summed"),
    ),
    reasoning=(
        "The gradient of a sum of losses is the sum of their gradients, over parts as well as over"
        " workers. So a worker can add up its own parts without asking anybody, and one exchange"
        " adds up the workers. The mean is over all rows of all workers and parts: 64 rows, four"
        " parts, two workers. And the variables stay as they are until then, so that all parts see"
        " the same model."
    ),
    sabotages=(
        Sabotage(
            "the mean of a part is the mean",
            _train(
                _ZEROS,
                *_gradients(_EACH),
                _ADD,
                f"summed = {ALL_REDUCE.format('total')}",
                *_apply("summed"),
            ),
            "times as large",
        ),
        Sabotage(
            "only the update has to wait",
            _train(
                _ZEROS,
                *_gradients(_WHOLE),
                f"    gradients = {ALL_REDUCE.format('gradients')}",
                _ADD,
                *_apply("total"),
            ),
            "what was to be saved",
        ),
        Sabotage(
            "the exchange goes below the loop, and that is all",
            _train(
                *_gradients(_EACH), f"summed = {ALL_REDUCE.format('gradients')}", *_apply("summed")
            ),
            "the last part alone",
        ),
        Sabotage(
            "no exchange is the cheapest",
            _train(_ZEROS, *_gradients(_WHOLE), _ADD, *_apply("total")),
            "different weights",
        ),
    ),
    session=(_UPDATED,),
)

EXERCISES = (_SECONDS, EXCHANGE, _ACCUMULATE)
