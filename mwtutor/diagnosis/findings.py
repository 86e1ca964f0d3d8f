"""The findings of ``%mw_doctor``: as values, as text, and as HTML."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Literal

from mwtutor.markup import badge, panel, row, table
from mwtutor.version import VERSION

_MARKS = {"ok": "✓", "note": "•", "missing": "✗"}


@dataclass(frozen=True)
class Finding:
    """One thing that was checked.

    Attributes:
        name: the subject of the check.
        level: ``ok``; ``note``: training works without it; or ``missing``: nothing works without
            it.
        found: the result of the check.
        remedy: how to solve the problem, if there is one.
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
        """Whether everything that is required was found."""
        return all(finding.level != "missing" for finding in self.findings)

    def __getitem__(self, name: str) -> Finding:
        return next(finding for finding in self.findings if finding.name == name)

    def __repr__(self) -> str:
        return as_text(self.findings)

    def to_json(self) -> str:
        """All findings, with the versions of mwtutor, Python, and the system, for reports."""
        versions = {
            "mwtutor": VERSION,
            "python": platform.python_version(),
            "system": platform.platform(),
        }
        return json.dumps({**versions, **asdict(self)}, indent=2)

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
    return panel(table(("checked", "found"), [_html_row(finding) for finding in findings]))


def _html_row(finding: Finding) -> str:
    mark = badge(_MARKS[finding.level], finding.level)
    return row(f"{mark} {escape(finding.name)}", escape(finding.found), message=finding.remedy)
