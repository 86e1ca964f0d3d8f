"""The measurements as tables; a missing one is a dash, never a number."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

#: The result of each round: a number, or words such as "> 30"; nothing if it failed.
Values = Sequence[float | str]

#: The values of one table, by row and way.
Measured = Mapping[str, Mapping[str, Values]]

NOTHING = "-"


def cell(values: Values, beside: Values = ()) -> str:
    """The median, its range if there were several rounds, and its ratio to that of ``beside``.

    Args:
        beside: mwtutor's values; if given, the ratio is included.
    """
    if not values:
        return NOTHING
    words = [value for value in values if isinstance(value, str)]
    if words:  # a limit that was reached is not a number, nor is its median
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
    """One row per measurement, one column per way; ratios are relative to mwtutor."""
    lines = [f"| {head} | {' | '.join(ways.values())} |", "|---" * (len(ways) + 1) + "|"]
    for row, by_way in measured.items():
        own = by_way.get(ours, ())
        cells = [cell(by_way.get(way, ()), () if way == ours else own) for way in ways]
        lines.append(f"| {row} | {' | '.join(cells)} |")
    return "\n".join(lines)
