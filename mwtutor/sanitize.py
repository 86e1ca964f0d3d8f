"""Text from outside, made fit to be shown: as a terminal would show it, and unable to act.

And the numbers in it.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from operator import itemgetter

#: A longer line is shown by its beginning and its end.
LONGEST = 4000

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_COLOR = re.compile(r"(\x1b\[[0-9;]*m)")
#: Characters of the sequences that make up a color; more are not meant as one.
_STYLE = 60

_RESET = re.compile(r"\x1b\[0*m")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")

#: Categories of characters that are not seen, and change how or in which order others are.
_UNSEEN = ("Cf", "Zl", "Zp")


def render(data: bytes) -> str:
    """A line as a terminal would show it: redrawn parts overwritten, nothing that could act."""
    if len(data) > 4 * LONGEST and b"\r" not in data[-LONGEST:]:
        data = data[: 2 * LONGEST] + data[-2 * LONGEST :]
    text = _ESCAPE.sub("", data.decode("utf-8", errors="replace"))
    if "\r" in text or "\b" in text:
        text = _overwrite(text)
    text = _spelled(_CONTROL.sub("", text)).rstrip()
    if len(text) > LONGEST:
        half = LONGEST // 2
        text = f"{text[:half]} … {text[-half:]}"
    return text


def _overwrite(text: str) -> str:
    shown: list[str] = []
    # What was drawn long ago has been drawn over: the last redraws decide what is seen.
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
    """The text with what is unseen in it written out: U+202E would turn round what follows it."""
    if text.isprintable():
        return text
    return "".join(
        char.encode("unicode_escape").decode() if unicodedata.category(char) in _UNSEEN else char
        for char in text
    )


def colored(text: str) -> str:
    """Text of a cell: its colors stay, and everything else that could act goes."""
    if text.isprintable():
        return text
    parts = _COLOR.split(text)
    parts[::2] = [_spelled(_CONTROL.sub("", _ESCAPE.sub("", part))) for part in parts[::2]]
    return "".join(parts)


def redrawn(text: str) -> str:
    """A line of a cell that was drawn over, as a terminal would show it: in its last colors."""
    shown: list[tuple[str, str]] = []
    color = ""
    for part in text.split("\r")[-40:]:
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
    """Any text as one line that can be shown."""
    return render(" ".join(str(text).split()).encode(errors="replace"))


def whole_number(text: str, digits: int = 12) -> int | None:
    """The whole number, 0 or more, that text from outside is; None if it is not one.

    ``str.isdigit`` holds for ``²`` as well, which ``int`` refuses, and ``int`` reads at most 4,300
    digits.

    Args:
        text: what some variable, file or program says.
        digits: the most that the number may have.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None
