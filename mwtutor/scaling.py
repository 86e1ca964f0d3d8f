"""Estimate how long a training step takes on more machines: computing, then an all-reduce.

The model has three measured inputs: how long a worker computes, how many bytes of gradients it has,
and the fixed cost of an exchange. Two inputs are chosen: the number of workers and the link of
each. In a *ring*, as in TensorFlow's own all-reduce, each machine sends and receives
``2 (N - 1) / N`` times the gradients, in ``2 (N - 1)`` rounds: never more than twice the gradients.
In the *naive* algorithm, one machine collects the gradients of all others and sends the sum to
each. ``2 (N - 1)`` times the gradients pass its link, so the transfer takes 99 times as long with a
hundred workers as with two.

The model leaves out complications of a real cluster: machines that share a switch with others,
computation that overlaps with the exchange, and late workers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from mwtutor.display.pictures import plot
from mwtutor.exceptions import BadInput
from mwtutor.network.links import Link

Algorithm = Literal["ring", "naive"]

#: Bytes on the wire per byte of gradients: the headers of Ethernet, IP and TCP (66 of 1,514), and
#: acknowledgments for the other direction, one for every two packets.
OVERHEAD = 1514 / 1448 + 66 / (2 * 1448)


@dataclass(frozen=True)
class Workload:
    """The parts of a training step, measured where possible.

    Attributes:
        compute: seconds that one worker computes in a step, alone.
        size: bytes of gradients.
        start: fixed seconds per exchange, however small the exchange is.
        round: fixed seconds per round of an exchange: the time of a message from one machine to the
            next.
    """

    compute: float
    size: float
    start: float = 0.0
    round: float = 0.0

    def __post_init__(self) -> None:
        if min(self.compute, self.size, self.start, self.round) < 0:
            raise BadInput("The workload's time or size is negative.", "Give 0 or more.")


def bytes_sent(size: float, workers: int, algorithm: Algorithm = "ring") -> float:
    """Bytes of gradients that determine the time of an all-reduce of ``size`` bytes.

    In a ring, each machine sends this many bytes, and receives as many at the same time. In the
    naive algorithm, the busiest machine first receives half of them, and then sends the other half.

    Raises:
        BadInput: fewer than one worker, or no such algorithm.
    """
    if workers < 1:
        raise BadInput(f"{workers} workers exchange nothing.", "Give 1 or more.")
    if algorithm not in ("ring", "naive"):
        raise BadInput(f"There is no algorithm {algorithm!r}.", "Choose ring or naive.")
    # In the naive algorithm, the machine receives everything before it sends, so both count.
    return 2 * (workers - 1) * size / (workers if algorithm == "ring" else 1)


def exchange_time(
    work: Workload, workers: int, rate: float, algorithm: Algorithm = "ring"
) -> float:
    """Seconds of an all-reduce.

    Args:
        rate: bits per second of each machine's link, in each direction.

    Raises:
        BadInput: see :func:`bytes_sent`; or the rate is not positive.
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
    """The fraction of a step spent computing: how well each machine is used.

    With the same batch per worker (weak scaling), the work of N workers is that of one worker in
    the same time, multiplied by N and by this fraction.
    """
    whole = step_time(work, workers, rate, algorithm)
    return work.compute / whole if whole else 1.0


@dataclass(frozen=True)
class Measured:
    """A measured step time.

    Attributes:
        workers: the number of machines.
        rate: bits per second of each machine's link.
        seconds: the median of many steps.
    """

    workers: int
    rate: float
    seconds: float


def error(work: Workload, points: Iterable[Measured], algorithm: Algorithm = "ring") -> float:
    """The model's largest relative error over the points."""
    return max(
        (
            abs(step_time(work, one.workers, one.rate, algorithm) - one.seconds) / one.seconds
            for one in points
        ),
        default=0.0,
    )


def fit(compute: float, size: float, points: Iterable[Measured]) -> Workload:
    """The workload whose ``start`` and ``round`` best fit the measured ring (least squares).

    Args:
        compute, size: as in :class:`Workload`.
        points: measured with at least two different numbers of workers above one.

    Raises:
        BadInput: there are too few points.
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
            "Measure with at least two numbers of workers, for example 2 and 4.",
        )
    mean_rounds = sum(rounds for rounds, _ in rest) / len(rest)
    mean_rest = sum(seconds for _, seconds in rest) / len(rest)
    spread = sum((rounds - mean_rounds) ** 2 for rounds, _ in rest)
    slope = sum((r - mean_rounds) * (s - mean_rest) for r, s in rest) / spread
    slope = min(max(slope, 0.0), max(mean_rest / mean_rounds, 0.0))
    return Workload(compute, size, max(mean_rest - slope * mean_rounds, 0.0), slope)


@dataclass(frozen=True)
class Figure:
    """A picture that a notebook can show."""

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
    """Plot step time over the number of workers: the ring as a line, the naive algorithm dotted.

    Args:
        measured: drawn as points, in the color of the link's curve.
        elsewhere: the workload for links without measured points; ``work`` by default.
        rates: bits per second, one curve each; those of the measured points are added.
        most: the largest number of workers to draw; for links with measured points, twice the
            largest measured number.
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
    return Figure(plot.render_png(figure, axes, "workers", "seconds a step", title, crowded=True))
