"""What was measured, as tables and as a figure; what was not is a dash, and never a number."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

#: What was seen in each round: a number, or words such as "> 30"; nothing where it failed.
Values = Sequence[float | str]

#: Of one table: by row, then by way.
Measured = Mapping[str, Mapping[str, Values]]

NOTHING = "-"


def cell(values: Values, beside: Values = ()) -> str:
    """The median, its range where there were several rounds, and how often that of ``beside``.

    Args:
        beside: the same, measured of ours: with it the ratio is told.
    """
    if not values:
        return NOTHING
    words = [value for value in values if isinstance(value, str)]
    if words:  # a limit that was reached once is not a number, nor is a median with it
        return words[0]
    numbers = [value for value in values if not isinstance(value, str)]
    middle = statistics.median(numbers)
    shown = number(middle)
    if len(numbers) > 1:
        shown += f" ({number(min(numbers))} to {number(max(numbers))})"
    others = [value for value in beside if not isinstance(value, str)]
    if others and len(others) == len(beside) and (ours := statistics.median(others)):
        shown += f" **{middle / ours:.1f}x**"
    return shown


def number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(head: str, measured: Measured, ways: Mapping[str, str], ours: str = "ours") -> str:
    """One row per thing measured, a column per way; the ratio is to ours."""
    lines = [f"| {head} | {' | '.join(ways.values())} |", "|---" * (len(ways) + 1) + "|"]
    for row, by_way in measured.items():
        own = by_way.get(ours, ())
        cells = [cell(by_way.get(way, ()), () if way == ours else own) for way in ways]
        lines.append(f"| {row} | {' | '.join(cells)} |")
    return "\n".join(lines)
