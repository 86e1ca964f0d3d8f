"""Which files a learner needs. ``setup.py`` executes this file, which cannot import mwtutor."""

from __future__ import annotations

from pathlib import Path

#: The files below the top of the repository; a package has them below ``mwtutor/_course``.
PATTERNS = (
    "notebooks/*.ipynb",
    "docs/*.md",
    "docs/*/*.md",
    "docs/*.svg",
    "docs/*/*.svg",
    "examples/*.py",
    "README.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
)


def files(top: Path) -> list[Path]:
    """Each of the files, by its path from ``top``."""
    return sorted(path.relative_to(top) for pattern in PATTERNS for path in top.glob(pattern))
