"""A run as HTML, for notebooks. Everything that comes from outside is escaped."""

from __future__ import annotations

from html import escape

from mwtutor.display.content import Report

_COLORS = {
    "starting": "#8a8a8a",
    "waiting": "#b58900",
    "running": "#268bd2",
    "restarting": "#b58900",
    "serving": "#268bd2",
    "succeeded": "#2e8b57",
    "failed": "#c0392b",
    "timed out": "#c0392b",
    "lost": "#c0392b",
    "stopped": "#8e44ad",
}

_CELL = "text-align:left;padding:2px 12px 2px 0;border:none;vertical-align:top;"
_MONO = "font-family:monospace;white-space:pre-wrap;font-size:90%;"


def render(report: Report) -> str:
    """The whole report, one element."""
    facts = " · ".join(map(escape, report.facts))
    parts = [
        f"<div><b>{escape(report.name)}</b> {_badge(report.state)} "
        f'<span style="opacity:.7">{facts}</span></div>',
        _table(report),
    ]
    parts += [f"<div>{escape(line)}</div>" for line in report.attempts]
    if report.problem:
        color = _COLORS.get(report.state, "inherit")
        parts.append(f'<div style="color:{color}"><b>{escape(report.problem)}</b></div>')
    if report.evidence:
        text = escape("\n".join(report.evidence))
        parts.append(
            f'<pre style="{_MONO}border-left:3px solid #c0392b;padding-left:8px">{text}</pre>'
        )
    parts += [f'<div style="opacity:.7">{escape(hint)}</div>' for hint in report.hints]
    return f'<div class="mwtutor">{"".join(part for part in parts if part)}</div>'


def _table(report: Report) -> str:
    if not report.rows:
        return ""
    used = [i for i in range(len(report.header)) if any(row.cells[i] for row in report.rows)]
    head = "".join(f'<th style="{_CELL}">{escape(report.header[i])}</th>' for i in used)
    rows = []
    for row in report.rows:
        cells = "".join(
            f'<td style="{_CELL}">'
            + (_badge(row.cells[i], row.state) if i == 1 else escape(row.cells[i]))
            + "</td>"
            for i in used
        )
        rows.append(f"<tr>{cells}</tr>")
    return (
        '<table style="border:none;border-collapse:collapse">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _badge(text: str, state: str = "") -> str:
    color = _COLORS.get(state or text, "inherit")
    return f'<span style="color:{color};font-weight:600">{escape(text)}</span>'
