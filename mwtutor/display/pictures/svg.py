"""A few lines that write SVG: elements, attributes and text, everything from outside escaped."""

from __future__ import annotations

import re
from html import escape

from mwtutor.sanitize import harmless

#: Characters that no XML may contain.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

#: Numbers are written to a tenth of a pixel.
_DIGITS = 1


def element(name: str, *children: str, **attributes: object) -> str:
    """An element; ``fill_opacity`` is the attribute ``fill-opacity``, ``class_`` is ``class``.

    Args:
        children: what is in it, SVG already.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_NO_XML.sub("", escape(_written(value)))}"'
        for key, value in attributes.items()
    )
    inside = "".join(children)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def text(words: str, x: float, y: float, **attributes: object) -> str:
    """Words at a place."""
    return element("text", words_of(words), x=x, y=y, **attributes)


def title(words: str) -> str:
    """What is shown when a pointer rests on the element that it is in, and read aloud."""
    return element("title", words_of(words))


def words_of(text: str) -> str:
    """Any text as SVG that shows it, and cannot act."""
    return escape(_NO_XML.sub("", harmless(text)))


def _written(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".")
    return str(value)
