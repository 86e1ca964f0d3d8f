"""A machine's link as a value: ``1gbit``, or with a delay ``10gbit,0.2ms``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_UNITS = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}
_TIMES = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_NUMBER = r"([0-9]{1,9}(?:\.[0-9]{1,6})?)"
_RATE = re.compile(rf"{_NUMBER}\s*({'|'.join(_UNITS)})")
_DELAY = re.compile(rf"{_NUMBER}\s*({'|'.join(_TIMES)})")

#: The name of a link without a speed limit.
UNLIMITED = "unlimited"

REMEDY = (
    "Write a speed, for example 1gbit or 100mbit. If this kernel can add delays, a delay may"
    " follow: 10gbit,0.2ms."
)

#: Range of a link's bits per second: with less, training would never end; with more, no processor
#: keeps up.
_SLOWEST, _FASTEST = 1e5, 4e11


@dataclass(frozen=True)
class Link:
    """A full-duplex link between a machine and the switch.

    Attributes:
        rate: bits per second in each direction; 0 for no limit.
        delay: seconds by which the machine's packets are delayed.
    """

    rate: float = 0.0
    delay: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Link:
        """Read ``1gbit``, ``10gbit,0.2ms`` or ``unlimited``; an empty text means unlimited.

        Raises:
            ValueError: the text is not a link, or its speed or delay is out of range.
        """
        speed, comma, delay = text.strip().lower().partition(",")
        rate = 0.0
        if speed not in ("", UNLIMITED):
            rate = _read(_RATE, _UNITS, speed)
            if not _SLOWEST <= rate <= _FASTEST:
                raise ValueError(text)
        held = _read(_DELAY, _TIMES, delay.strip()) if comma else 0.0
        if held > 10 or (comma and not held):
            raise ValueError(text)
        return cls(rate, held)

    def __str__(self) -> str:
        rate = _written(self.rate, _UNITS) if self.rate else UNLIMITED
        return rate + (f",{_written(self.delay, _TIMES)}" if self.delay else "")


def _read(pattern: re.Pattern[str], units: dict[str, float], text: str) -> float:
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return round(float(match[1]) * units[match[2]], 9)


def _written(value: float, units: dict[str, float]) -> str:
    """The number in the largest unit that makes it at least 1."""
    fitting = [(size, unit) for unit, size in units.items() if value >= size * 0.999999]
    size, unit = max(fitting, default=min((size, unit) for unit, size in units.items()))
    return f"{value / size:.10g}{unit}"
