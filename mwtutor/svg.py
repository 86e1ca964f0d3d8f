"""Write SVG elements, attributes and text, with all untrusted text escaped."""

from __future__ import annotations

import re
from html import escape

from mwtutor.sanitize import harmless

#: Characters that XML may not contain.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

#: The style of a file that has its own background.
OWN_GROUND = (
    "svg{color:#1f2328;background:#fff}"
    "@media(prefers-color-scheme:dark){svg{color:#e6e6e6;background:#111}}"
)

#: Decimal digits of coordinates and sizes.
_DIGITS = 1


def element(name: str, *children: str, **attributes: object) -> str:
    """An element; ``fill_opacity`` is the attribute ``fill-opacity``, ``class_`` is ``class``.

    Args:
        children: its content, already SVG.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_NO_XML.sub("", escape(_written(value)))}"'
        for key, value in attributes.items()
    )
    inside = "".join(children)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def text(words: str, x: float, y: float, **attributes: object) -> str:
    """Text at a position."""
    return element("text", words_of(words), x=x, y=y, **attributes)


def title(words: str) -> str:
    """The tooltip of the enclosing element, which screen readers read aloud."""
    return element("title", words_of(words))


def words_of(text: str) -> str:
    """Any text as harmless SVG text."""
    return escape(_NO_XML.sub("", harmless(text)))


def _written(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".")
    return str(value)
