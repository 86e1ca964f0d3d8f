"""Make untrusted text safe to show: as a terminal would show it, without its control sequences.

This module also reads numbers from such text.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from operator import itemgetter

#: Maximum characters of a line; a longer one is shown only at its beginning and end.
LONGEST = 4000

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-Z\\-~])")
#: What erases a redrawn line; the text before it is no longer on the screen.
_ERASE = re.compile(r"\r\x1b\[[02]?K|\x1b\[2K\r")
_COLOR = re.compile(r"(\x1b\[[0-9;]*m)")
#: Maximum characters of an escape sequence that sets a color.
_STYLE = 60

_RESET = re.compile(r"\x1b\[0*m")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")

#: Unicode categories of invisible characters that change the look or the order of others.
_UNSEEN = ("Cf", "Zl", "Zp")


def render(data: bytes) -> str:
    """A line as a terminal would show it: redrawn parts overwritten, no control sequences."""
    if len(data) > 4 * LONGEST and b"\r" not in data[-LONGEST:]:
        data = data[: 2 * LONGEST] + " … ".encode() + data[-2 * LONGEST :]
    text = _ERASE.split(data.decode("utf-8", errors="replace"))[-1]
    text = _ESCAPE.sub("", text)
    if "\r" in text or "\b" in text:
        text = _overwrite(text)
    text = _spelled(_CONTROL.sub("", text)).rstrip()
    if len(text) > LONGEST:
        half = LONGEST // 2
        text = f"{text[:half]} … {text[-half:]}"
    return text


def _overwrite(text: str) -> str:
    shown: list[str] = []
    # Early text has been overwritten: only the last redraws are visible.
    for part in text.split("\r")[-40:]:
        at = 0
        for char in part[-4 * LONGEST :]:
            if char == "\b":
                at = max(0, at - 1)
                continue
            shown[at : at + 1] = char
            at += 1
    return "".join(shown)


def _spelled(text: str) -> str:
    """The text with invisible characters spelled out; U+202E would reverse what follows it."""
    if text.isprintable():
        return text
    return "".join(
        char.encode("unicode_escape").decode() if unicodedata.category(char) in _UNSEEN else char
        for char in text
    )


def colored(text: str) -> str:
    """A cell's line with its colors (reset at its end), but without other control sequences."""
    if len(text) > LONGEST:
        half = LONGEST // 2
        text = f"{text[:half]} … {text[-half:]}"
    if text.isprintable():
        return text
    parts = _COLOR.split(text)
    parts[::2] = [_spelled(_CONTROL.sub("", _ESCAPE.sub("", part))) for part in parts[::2]]
    colors = parts[1::2]
    open_ended = bool(colors) and not _RESET.fullmatch(colors[-1])
    return "".join(parts) + "\x1b[0m" * open_ended


def redrawn(text: str) -> str:
    """A redrawn line of a cell as a terminal would show it, in its last colors."""
    shown: list[tuple[str, str]] = []
    color = ""
    for part in _ERASE.split(text)[-1].split("\r")[-40:]:
        at = 0
        for piece in _COLOR.split(part[-4 * LONGEST :]):
            if _COLOR.fullmatch(piece):
                color = (
                    ""
                    if _RESET.fullmatch(piece)
                    else piece
                    if len(color) > _STYLE
                    else color + piece
                )
                continue
            for char in _ESCAPE.sub("", piece):
                if char == "\b":
                    at = max(0, at - 1)
                    continue
                shown[at : at + 1] = [(color, char)]
                at += 1
    if len(shown) > LONGEST:
        shown = [*shown[: LONGEST // 2], ("", " … "), *shown[-LONGEST // 2 :]]
    text = ""
    for color, run in groupby(shown, itemgetter(0)):
        chars = _spelled(_CONTROL.sub("", "".join(char for _, char in run)))
        text += f"{color}{chars}\x1b[0m" if color else chars
    return text.rstrip()


def harmless(text: object) -> str:
    """Any text as one line that is safe to show."""
    return render(" ".join(str(text).split()).encode(errors="replace"))


def whole_number(text: str, digits: int = 12) -> int | None:
    """The nonnegative integer that untrusted text represents, or None.

    ``str.isdigit`` also accepts ``²``, which ``int`` rejects, and ``int`` reads at most 4,300
    digits.

    Args:
        text: the content of a variable, a file or a program's output.
        digits: the maximum number of digits.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None
