"""The HTML of all output: layout, and a few elements.

A panel has its own background, so its contrast is known, whatever the page around it looks like. If
a front end removes the style sheet, plain text and tables remain.
"""

from __future__ import annotations

import itertools
import sys
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from mwtutor.colors import meaning
from mwtutor.style_sheet import SHEET

#: The same, if a widget next to the panel shows that a newer panel was made.
_OUTDATED = 1

#: The default of ``spare``: no column is left out.
_NONE = sys.maxsize


def css_class(state: str) -> str:
    """The CSS class that colors a state; for an unknown state, that of plain text."""
    return f"mw-{meaning(state)}"


def panel(*parts: str, **data: str) -> str:
    """A panel of parts that are already HTML, with its style sheet.

    Args:
        data: attributes ``data-mw-...`` of the element, for scripts.
    """
    return f'<div class="mwtutor mw-panel"{_attributes(data)}>{SHEET}{"".join(parts)}</div>'


def _attributes(data: Mapping[str, str]) -> str:
    return "".join(f' data-mw-{name}="{escape(value)}"' for name, value in data.items())


def frame(address: str, text: str, title: str) -> str:
    """An embedded page, and below it the text for front ends that do not show the page."""
    return panel(
        f'<iframe src="{escape(address)}" title="{escape(title)}" width="100%" height="800"'
        ' style="border:0"></iframe>',
        f'<div class="mw-faint" style="white-space:pre-line">{escape(text)}</div>',
    )


def badge(text: str, state: str = "") -> str:
    """A word in the color of a state; by default, the word is the state."""
    return f'<b class="{css_class(state or text)}">{escape(text)}</b>'


def table(header: Sequence[str], rows: Sequence[str], spare: int = _NONE) -> str:
    """A table of rows that are already HTML; an empty header is left out.

    Args:
        spare: the first column to leave out on a narrow page; the same as for its rows.
    """
    head = _cells("th", map(escape, header), spare, ' scope="col"')
    head = f"<thead><tr>{head}</tr></thead>" if head else ""
    return (
        '<div class="mw-table" tabindex="0" role="group" aria-label="table">'
        f"<table>{head}<tbody>{''.join(rows)}</tbody></table></div>"
    )


def wide(picture: str) -> str:
    """A picture, already SVG, that is scrolled on a narrow page, so its text can be read."""
    return f'<div class="mw-wide" tabindex="0" role="group" aria-label="picture">{picture}</div>'


def row(head: str, *cells: str, message: str = "", spare: int = _NONE, **data: str) -> str:
    """A row of cells that are already HTML, and a note below it.

    Args:
        data: as for :func:`panel`.
    """
    body = _cells("td", cells, spare - 1)
    span = f'class="mw-message mw-faint" colspan="{len(cells) + 1}"'
    below = f"<tr><td {span}>{escape(message)}</td></tr>" if message else ""
    return f'<tr{_attributes(data)}><th scope="row">{head}</th>{body}</tr>{below}'


def _cells(tag: str, cells: Iterable[str], spare: int, attributes: str = "") -> str:
    marks = (' class="mw-spare"' * (place >= spare) for place in itertools.count())
    return "".join(
        f"<{tag}{attributes}{mark}>{cell}</{tag}>" for cell, mark in zip(cells, marks, strict=False)
    )


def bar(done: float, label: str) -> str:
    """A progress bar filled to a fraction from 0 to 1."""
    at = round(100 * done)
    return (
        f'<span class="mw-bar" role="progressbar" aria-label="{escape(label)}" aria-valuemin="0"'
        f' aria-valuemax="100" aria-valuenow="{at}"><i style="width:{at}%"></i></span>'
    )


def curve(heights: Sequence[float | None], label: str) -> str:
    """A small curve in the color of the state "running".

    Args:
        heights: from 0 to 1; None leaves a gap.
    """
    step = 100 / max(len(heights) - 1, 1)
    parts: list[list[str]] = [[]]
    for place, height in enumerate(heights):
        if height is None:
            parts.append([])
        else:
            parts[-1].append(f"{place * step:.4g},{15 - 14 * height:.3g}")
    lines = [f"M{' '.join(part)}" + "h1" * (len(part) == 1) for part in parts if part]
    return (
        f'<svg class="mw-curve" role="img" aria-label="{escape(label)}" viewBox="0 0 101 16"'
        f' preserveAspectRatio="none"><path d="{"".join(lines)}" fill="none"'
        ' stroke="currentColor" stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg>'
    )


_NOW = ": %mw_status shows the run's current state."


def forgotten(at: float) -> str:
    """The notice in a panel that is no longer redrawn; a style sheet measures the time.

    After a kernel restart or page reload, a front end loses the display's identity, and the panel
    can no longer be updated. After a reload, widgets beside it can still be updated: another
    panel's :func:`beat` shows that this one is outdated.

    Args:
        at: when the panel was made (seconds since the epoch).
    """
    outdated = f".jp-OutputArea:has(.mw-beat):not(:has(.mw-at-{_stamp(at)}))"
    return (
        f"<style>{outdated} div.mwtutor.mwtutor .mw-since-{_stamp(at)}"
        f"{{animation-delay:{_OUTDATED}s}}</style>"
        f'<div class="mw-forgotten mw-since-{_stamp(at)} mw-faint">Not updated since'
        f" {_clock(at)}{_NOW}</div>"
    )


def as_of(at: float) -> str:
    """The notice in a panel made at this time (seconds since the epoch) and never redrawn."""
    return f'<div class="mw-faint">As of {_clock(at)}{_NOW}</div>'


def _clock(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))


def beat(at: float) -> str:
    """An invisible mark in a widget; it says that the panel made at that time is the newest."""
    return f'<i class="mw-beat mw-at-{_stamp(at)}"></i>'


def _stamp(at: float) -> int:
    return round(at * 1000)


def tabs(pages: Iterable[tuple[str, str]]) -> str:
    """Tabs that show one page at a time, initially the first; titles and pages are already HTML."""
    group = uuid.uuid4().hex
    return (
        '<div class="mw-tabs">'
        + "".join(
            f'<details name="{group}"{" open" * (place == 0)}><summary>{title}</summary>'
            f"{page}</details>"
            for place, (title, page) in enumerate(pages)
        )
        + "</div>"
    )


def tail(text: str, **data: str) -> str:
    """Text in a limited height, scrolled to its end."""
    return (
        f'<div class="mw-tail" tabindex="0" role="group" aria-label="output"{_attributes(data)}>'
        f'<pre class="mw-log">{escape(text)}</pre></div>'
    )


def fold(summary: str, text: str, *, unfolded: bool, **data: str) -> str:
    """Text that a reader can unfold; the summary is already HTML. Also valid XML, for SVG."""
    shown = ' open=""' * unfolded
    return (
        f"<details{shown}{_attributes(data)}><summary>{summary}</summary>"
        f'<pre class="mw-log">{escape(text)}</pre></details>'
    )
