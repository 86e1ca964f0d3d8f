"""Show the figures of a cell in one tab for each worker, if they differ."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape

from mwtutor import markup
from mwtutor.sessions.result import Output

#: The formats of figures; a display that has any other is not put in a tab.
_FORMATS = ("image/png", "image/jpeg", "image/svg+xml")


def is_figure(output: Output | None) -> bool:
    """Whether the output is an image that will not be updated."""
    if output is None or output.kind != "display" or output.display_id:
        return False
    formats = set(output.data) - {"text/plain"}
    return bool(formats) and formats <= set(_FORMATS)


def in_tabs(figures: Sequence[tuple[str, Output]]) -> Output:
    """Several figures as one display, each labeled with its workers."""
    pages = [(f"<b>{escape(who)}</b>", _image(output, who)) for who, output in figures]
    text = [f"{who} | {output.data.get('text/plain', 'a figure')}" for who, output in figures]
    data = {"text/html": markup.panel(markup.tabs(pages)), "text/plain": "\n".join(text)}
    return Output("display", data=data)


def _image(output: Output, who: str) -> str:
    kind = next(one for one in _FORMATS if one in output.data)
    content = str(output.data[kind])
    if kind == "image/svg+xml":  # as an image, so its ids and scripts do not affect the page
        content = base64.b64encode(content.encode(errors="replace")).decode()
    source = f"data:{kind};base64,{escape(''.join(content.split()))}"
    size = _size(output.metadata.get(kind))
    return f'<img src="{source}" alt="figure of {escape(who)}"{size}>'


def _size(given: object) -> str:
    """The display size that the worker requested, as HTML attributes."""
    known = given if isinstance(given, Mapping) else {}
    numbers = {name: known.get(name) for name in ("width", "height")}
    return "".join(f' {name}="{n}"' for name, n in numbers.items() if isinstance(n, int))
