"""What the doctor found: as values, as text, and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

_MARKS = {"ok": "✓", "note": "•", "missing": "✗"}
_COLORS = {"ok": "#2e8b57", "note": "#b58900", "missing": "#c0392b"}


@dataclass(frozen=True)
class Finding:
    """One thing that was checked.

    Attributes:
        name: what was checked.
        level: ``ok``; ``note``: training works without it; or ``missing``: nothing does.
        found: what was found.
        remedy: what to do about it, if anything.
    """

    name: str
    level: Literal["ok", "note", "missing"]
    found: str
    remedy: str = ""


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """Everything that was found; displayed as a table."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether everything required is there."""
        return all(finding.level != "missing" for finding in self.findings)

    def __getitem__(self, name: str) -> Finding:
        return next(finding for finding in self.findings if finding.name == name)

    def __repr__(self) -> str:
        return as_text(self.findings)

    def _repr_html_(self) -> str:
        return as_html(self.findings)


def as_text(findings: Sequence[Finding]) -> str:
    """One line for each finding, with the remedy below it."""
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        lines.append(f"{_MARKS[finding.level]} {finding.name:{width}}  {finding.found}")
        if finding.remedy:
            lines.append(f"  {'':{width}}  -> {finding.remedy}")
    return "\n".join(lines)


def as_html(findings: Sequence[Finding]) -> str:
    cell = 'style="text-align:left;padding:2px 12px 2px 0;border:none;vertical-align:top"'
    rows = "".join(
        f'<tr><td {cell}><b style="color:{_COLORS[finding.level]}">{_MARKS[finding.level]}</b> '
        f"{escape(finding.name)}</td><td {cell}>{escape(finding.found)}"
        + (f'<div style="opacity:.7">{escape(finding.remedy)}</div>' if finding.remedy else "")
        + "</td></tr>"
        for finding in findings
    )
    return f'<table class="mwtutor" style="border:none">{rows}</table>'
