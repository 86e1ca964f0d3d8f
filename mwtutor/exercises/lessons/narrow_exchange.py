"""Exercise 10-2: gradients of all sizes, exchanged with 16 bits each."""

from __future__ import annotations

import math
from typing import Any, TypeGuard

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

_EXCHANGED = "exchanged"

#: The gradients, which each worker multiplies by a number that it has drawn and no other knows;
#: and how many there are of each.
SAMPLES, COUNT = (2e-9, 3e-3, 40.0), 1000

#: By how much a sum may be off, as a part of it.
_OFF = 0.02


def _check_exchange(work: Work) -> Verdict:
    found = each_worker(work, _EXCHANGED)
    told = [one for one in found if isinstance(one, dict)]
    drawn = [as_array(one.get("drawn")) for one in told]
    if len(told) != 2 or any(one is None or one.shape != () for one in drawn):
        return not_yet("`exchange` has not been called on both workers.")
    verdicts = []
    for one in told:
        sums, types, sent = (one.get(name) for name in ("sums", "types", "sent"))
        if not _are_sums(sums) or not isinstance(types, list) or not isinstance(sent, int):
            return not_yet("`exchange` has not been called on both workers.")
        wanted = [float(sum(drawn)) * sample for sample in SAMPLES]
        width = sent / (COUNT * len(SAMPLES))
        verdicts.append(_judge_exchange([float(one) for one in sums], wanted, types, width))
    return next((one for one in verdicts if one.status != "right"), verdicts[0])


def _are_sums(value: Any) -> TypeGuard[list[float]]:
    numbers = isinstance(value, list) and all(isinstance(one, int | float) for one in value)
    return numbers and len(value) == len(SAMPLES)


def _judge_exchange(
    sums: list[float], wanted: list[float], types: list[Any], width: float
) -> Verdict:
    """Judge the sums that a worker has, their types, and the bytes it has sent for each number."""
    near = [abs(one / right - 1) < _OFF for one, right in zip(sums, wanted, strict=True)]
    if not width:
        return wrong("Nothing was sent: each worker keeps its own gradients.")
    if width > 2 and all(near) and set(types) == {"float32"} and not _is_rounded(sums):
        return not_yet(f"The sums are right, with {width:g} bytes on the wire for each number.")
    if width > 2:
        later = ": what is cast after the exchange has been sent already" * _is_rounded(sums)
        return wrong(f"There are {width:g} bytes on the wire for each number{later}.")
    if math.isinf(sums[2]):
        return wrong(
            f"The gradients of {SAMPLES[2]:g} have become infinite: float16 ends at 65504, also for"
            " numbers that were multiplied to save the small ones."
        )
    if sums[0] == 0:
        return wrong(
            f"The gradients of {SAMPLES[0]:g} have become 0 on their way: the smallest number that"
            " float16 has is 6e-08."
        )
    if not all(near):
        given, right_ones = (", ".join(f"{one:.3g}" for one in row) for row in (sums, wanted))
        return wrong(f"The sums are {given}, and not within 2 % of {right_ones}.")
    if set(types) != {"float32"}:
        return wrong(
            f"The sums are right, and they are {types[0]}: added to a variable of 32 bits they"
            " raise an error, and added up further they lose what is small."
        )
    return right("Two bytes for each number on the wire, and large sums and small ones are right.")


def _is_rounded(sums: list[float]) -> bool:
    """Whether they have no more digits than 16 bits can hold."""
    return all(float(math.frexp(one)[0] * 2**11).is_integer() for one in sums if math.isfinite(one))


def _exchange(*body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body)
    return f'''\
%%mw
def exchange(gradients):
    """The sum over all replicas of each gradient, in float32."""
    context = tf.distribute.get_replica_context()
{lines}'''


def _cast(values: str, dtype: str, factor: str = "") -> str:
    return f"[tf.cast(one{factor}, tf.{dtype}) for one in {values}]"


ALL_REDUCE = 'context.all_reduce("SUM", {})'

EXCHANGE = Exercise(
    id="10-2",
    title="half the bytes, and nothing lost",
    task=(
        "`exchange(gradients)` is called in a replica, and gives the sum over all replicas of each"
        " gradient. Change it so that each number takes 2 bytes on the wire instead of 4. What"
        " comes back is to be float32 again, and within 2 %: also where gradients are as small as"
        " 2e-9 or as large as 40."
    ),
    stub=_exchange(f"return {ALL_REDUCE.format('gradients')}"),
    check=_check_exchange,
    hints=(
        "Cast before the exchange, and back after it.",
        "Two types have 16 bits. Which numbers can each of them hold? Section 8 has a table.",
        "Where the range of float32 is needed and a few digits do, nothing has to be scaled.",
    ),
    solution=_exchange(
        f"sums = {ALL_REDUCE.format(_cast('gradients', 'bfloat16'))}",
        f"return {_cast('sums', 'float32')}",
    ),
    reasoning=(
        "What is cast before the all-reduce is sent as it is. float16 has the digits, but only"
        " numbers from 6e-8 to 65504: with gradients this far apart no factor makes all fit."
        " bfloat16 has the exponents of float32, so that nothing is lost but digits: it keeps 8"
        " bits, an error of up to 0.4 %. Then the sums are cast back, because what is added to"
        " a variable many times needs all its digits."
    ),
    sabotages=(
        Sabotage(
            "16 bits are 16 bits",
            _exchange(
                f"sums = {ALL_REDUCE.format(_cast('gradients', 'float16'))}",
                f"return {_cast('sums', 'float32')}",
            ),
            "have become 0",
        ),
        Sabotage(
            "a factor saves the small ones, and costs nothing",
            _exchange(
                f"sums = {ALL_REDUCE.format(_cast('gradients', 'float16', ' * 2.0**15'))}",
                f"return {_cast('sums', 'float32', ' / 2**15')}",
            ),
            "have become infinite",
        ),
        Sabotage(
            "the result must have 16 bits",
            _exchange(
                f"sums = {ALL_REDUCE.format('gradients')}",
                f"return [tf.cast(one, tf.float32) for one in {_cast('sums', 'bfloat16')}]",
            ),
            "has been sent already",
        ),
        Sabotage(
            "an exchange that was made is an exchange that was used",
            _exchange(
                f"{ALL_REDUCE.format(_cast('gradients', 'bfloat16'))}",
                "return [3.0 * one for one in gradients]",
            ),
            "not within 2 %",
        ),
        Sabotage(
            "it need not be cast back",
            _exchange(f"return {ALL_REDUCE.format(_cast('gradients', 'bfloat16'))}"),
            "lose what is small",
        ),
        Sabotage(
            "what is smallest on the wire is best",
            _exchange(
                f"small = {_cast('gradients', 'bfloat16')}",
                f"return {_cast('small', 'float32')}",
            ),
            "Nothing was sent",
        ),
    ),
    session=(_EXCHANGED,),
)
