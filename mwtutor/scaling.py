"""How long a training step takes on more machines, on paper: computing, and then an all-reduce.

The model has three numbers that are measured and two that are chosen. What is measured: how long a
worker computes, how many bytes of gradients it has, and what an exchange costs however little is
sent. What is chosen: the number of workers and the link of each. In a *ring*, which TensorFlow's
own all-reduce is, each machine sends and receives ``2 (N - 1) / N`` times the gradients, in
``2 (N - 1)`` rounds: hardly more with many workers than with three. Done the *naive* way, one
machine collects the gradients of all others and sends the sum to each: ``2 (N - 1)`` times the
gradients pass its link, so that a hundred workers take a hundred times as long.

What the model leaves out is what gets in the way of a real cluster: machines that share a switch
with others, computing that continues while gradients are on their way, and workers that are late.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from mwtutor.display.pictures import plot
from mwtutor.exceptions import BadInput
from mwtutor.network.links import Link

Algorithm = Literal["ring", "naive"]

#: Bytes on the wire for each byte of gradients: the headers of Ethernet, IP and TCP (66 of 1,514),
#: and the acknowledgements of what comes the other way, one for two packets.
OVERHEAD = 1514 / 1448 + 66 / (2 * 1448)


@dataclass(frozen=True)
class Workload:
    """What a step of a training is made of, measured where that is possible.

    Attributes:
        compute: seconds that one worker computes in a step, alone.
        size: bytes of gradients.
        start: seconds that an exchange takes besides, however small it is.
        round: seconds that each of its rounds takes besides: what a message takes from one machine
            to the next.
    """

    compute: float
    size: float
    start: float = 0.0
    round: float = 0.0

    def __post_init__(self) -> None:
        if min(self.compute, self.size, self.start, self.round) < 0:
            raise BadInput("A workload has no negative times or sizes.", "Give 0 or more.")


def bytes_sent(size: float, workers: int, algorithm: Algorithm = "ring") -> float:
    """Bytes of gradients that the busiest machine sends in an all-reduce of ``size`` bytes.

    As many as it receives, and at the same time.

    Raises:
        BadInput: fewer than one worker, or no such algorithm.
    """
    if workers < 1:
        raise BadInput(f"{workers} workers exchange nothing.", "Give 1 or more.")
    if algorithm not in ("ring", "naive"):
        raise BadInput(f"There is no algorithm {algorithm!r}.", "Choose ring or naive.")
    # The naive one receives from all others first, and sends only then: as long as sending twice.
    return 2 * (workers - 1) * size / (workers if algorithm == "ring" else 1)


def exchange_time(
    work: Workload, workers: int, rate: float, algorithm: Algorithm = "ring"
) -> float:
    """Seconds of an all-reduce.

    Args:
        rate: bits a second of each machine's link, each way.

    Raises:
        BadInput: see :func:`bytes_sent`; or the rate is not above 0.
    """
    if not rate > 0:
        raise BadInput(f"A link of {rate:g} bits a second carries nothing.", "Give a rate above 0.")
    if workers == 1:
        return 0.0
    rounds = 2 * (workers - 1) if algorithm == "ring" else 2
    wire = bytes_sent(work.size, workers, algorithm) * OVERHEAD * 8 / rate
    return work.start + rounds * work.round + wire


def step_time(work: Workload, workers: int, rate: float, algorithm: Algorithm = "ring") -> float:
    """Seconds of a step: computing, then exchanging; see :func:`exchange_time`."""
    return work.compute + exchange_time(work, workers, rate, algorithm)


def efficiency(work: Workload, workers: int, rate: float, algorithm: Algorithm = "ring") -> float:
    """The part of a step that is computing: how much of each machine is put to use.

    With the same batch per worker (weak scaling), N workers do N times this many times the work of
    one in the same time.
    """
    whole = step_time(work, workers, rate, algorithm)
    return work.compute / whole if whole else 1.0


@dataclass(frozen=True)
class Measured:
    """A step time that was measured.

    Attributes:
        workers: on how many machines.
        rate: bits a second of the link of each.
        seconds: of a step; the median of many.
    """

    workers: int
    rate: float
    seconds: float


def error(work: Workload, points: Iterable[Measured], algorithm: Algorithm = "ring") -> float:
    """By how much the model is off at the worst of the points, as a part of what was measured."""
    return max(
        (
            abs(step_time(work, one.workers, one.rate, algorithm) - one.seconds) / one.seconds
            for one in points
        ),
        default=0.0,
    )


def fit(compute: float, size: float, points: Iterable[Measured]) -> Workload:
    """The workload whose ``start`` and ``round`` explain measured rings best (least squares).

    Args:
        compute, size: as of :class:`Workload`.
        points: measured with at least two different numbers of workers above one.

    Raises:
        BadInput: they are too few.
    """
    bare = Workload(compute, size)
    rest = [
        (2.0 * (one.workers - 1), one.seconds - step_time(bare, one.workers, one.rate))
        for one in points
        if one.workers > 1
    ]
    if len({rounds for rounds, _ in rest}) < 2:
        raise BadInput(
            "These points do not determine what a round costs.",
            "Measure with two numbers of workers or more, for example 2 and 4.",
        )
    mean_rounds = sum(rounds for rounds, _ in rest) / len(rest)
    mean_rest = sum(seconds for _, seconds in rest) / len(rest)
    spread = sum((rounds - mean_rounds) ** 2 for rounds, _ in rest)
    slope = sum((r - mean_rounds) * (s - mean_rest) for r, s in rest) / spread
    slope = min(max(slope, 0.0), max(mean_rest / mean_rounds, 0.0))
    return Workload(compute, size, max(mean_rest - slope * mean_rounds, 0.0), slope)


@dataclass(frozen=True)
class Figure:
    """A picture, which a notebook shows."""

    png: bytes = field(repr=False)

    def _repr_png_(self) -> bytes:
        return self.png


def figure(
    work: Workload,
    measured: Sequence[Measured] = (),
    elsewhere: Workload | None = None,
    rates: Sequence[float] = (1e9, 1e10, 1e11),
    most: int = 1024,
) -> Figure:
    """The time of a step over the number of workers: the ring as a line, the naive way dashed.

    Args:
        measured: what is drawn as points, in the color of the link's curve.
        elsewhere: the workload on other machines, for ``rates``; the same unless given.
        rates: bits a second, a curve each; those of the measured points are added.
        most: the number of workers up to which it is drawn; for links with measured points, twice
            the most that were measured.
    """
    numbers = sorted({n for exponent in range(11) for n in (2**exponent, 3 * 2**exponent)})
    known = 2 * max((one.workers for one in measured), default=most)
    figure, axes = plot.blank()
    for rate in sorted({*rates, *(one.rate for one in measured)}):
        points = [one for one in measured if one.rate == rate]
        where = work if points or elsewhere is None else elsewhere
        workers = [n for n in numbers if n <= (known if points else most)]
        ring = [step_time(where, n, rate) for n in workers]
        (line,) = axes.plot(workers, ring, label=str(Link(rate)))
        like = {"color": line.get_color()}
        naive = [step_time(where, n, rate, "naive") for n in workers]
        axes.plot(workers, naive, linestyle=":", linewidth=1, **like)
        axes.plot([one.workers for one in points], [one.seconds for one in points], "o", **like)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = [2**exponent for exponent in range(11) if 2**exponent <= most]
    axes.set_xticks(ticks, map(str, ticks))
    words = f"measured (o) within {error(work, measured):.0%} of the ring" if measured else "ring"
    title = f"{words}; dotted: naive"
    return Figure(plot.finished(figure, axes, "workers", "seconds a step", title, crowded=True))
