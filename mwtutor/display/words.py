"""Numbers and durations in readable form."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence


def duration(seconds: float) -> str:
    """Seconds in readable form: ``9.3 s``, ``2 min 5 s``, ``1 h 3 min``."""
    if seconds < 60:
        return f"{max(seconds, 0):.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def elapsed(seconds: float) -> str:
    """An elapsed time, rounded so that it changes at a readable pace."""
    step = 1 if seconds < 60 else 5 if seconds < 3600 else 60
    whole = int(seconds) // step * step
    return f"{max(whole, 0)} s" if whole < 60 else duration(whole)


def mebibytes(count: float) -> str:
    """Memory in bytes, in readable form: ``310 MiB``."""
    return f"{count / 2**20:.0f} MiB"


def size(count: float) -> str:
    """Bytes in readable form: ``512 B``, ``1.4 MB``, ``310 MB``."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if count >= 10 or unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def number(value: float) -> str:
    """A metric with few digits."""
    return f"{value:.4f}" if math.isfinite(value) and 1e-3 <= abs(value) < 1e4 else f"{value:.3g}"


def in_bytes(count: float) -> str:
    """Bytes in the units of ``--partition``: ``512 B``, ``1.5 KiB``."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            break
        count /= 1024
    return f"{count:.0f} {unit}" if unit == "B" or count >= 100 else f"{count:.1f} {unit}"


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for each wide character, as in Chinese."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.category(char) in ("Mn", "Me", "Cf") for char in text)


def cut(line: str, width: int) -> str:
    """The visible text cut to less than ``width`` columns, with its color sequences whole."""
    seen, out = 0, ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            out += part
            continue
        for char in part:
            seen += columns(char)
            if seen >= width:
                return out + "\x1b[0m" * ("\x1b" in out)
            out += char
    return out


def lined_up(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows of a table as lines, each column as wide as its widest cell."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(padded(cell, width) for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in rows
    ]


def padded(text: str, width: int) -> str:
    """The text with spaces after it, ``width`` columns wide."""
    return text + " " * (width - columns(text))
